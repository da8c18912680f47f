"""A whole run: processes, clients and faults for a while, then peace, in which everything has to come right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tests.simulation.client import Player, Watcher
from tests.simulation.faults import Faults
from tests.simulation.network import Network
from tests.simulation.process import Process
from tests.simulation.promises import Broken, Promises
from tests.simulation.store import Store
from tests.simulation.world import World

ROUNDS: Final = 3
TROUBLE_SECONDS: Final = 4.0
"""Within this time the lasting faults of a round begin."""

PEACE_SECONDS: Final = 16.0
"""Longer than any fault lasts, any client waits and any reader is slow."""

QUIET_SECONDS: Final = 3.0
"""Long enough for news to reach everybody."""

MAX_STEPS: Final = 300_000
SPECS: Final = ("3x3", "4x4", "connect4,size=4x4,k=4", "duel,size=3x3")


@dataclass(frozen=True)
class Result:
    """What became of a run."""

    seed: int
    broken: str | None
    trace_hash: str
    steps: int
    acknowledged: int
    lines: list[str] | None


class Simulation:
    """One run, all of it from one seed."""

    def __init__(self, seed: int, *, keep_trace: bool = False) -> None:
        self.seed = seed
        world = self.world = World(seed, keep_trace=keep_trace)
        rng = world.rng
        self.store = Store()
        self.faults = Faults(world)
        self.promises = Promises(self.store)
        self.network = Network(world, self.faults)
        self.alone = rng.random() < 0.3
        """One process that knows that it is the only one, or several."""
        self.size = rng.choice((1, 1, 2, 4))
        self.games = [f"g{number}" for number in range(rng.randint(2, 8))]
        self.processes: list[Process] = []
        self._dead: list[Process] = []
        self._generation = 0
        for _ in range(1 if self.alone else rng.randint(2, 3)):
            self.processes.append(self._new_process(len(self.processes)))
        self.players = [Player(self, f"player{number}") for number in range(rng.randint(3, 6))]
        self.watchers = [
            Watcher(self, f"watcher{number}", rng.choice(self.games)) for number in range(rng.randint(3, 8))
        ]

    def _new_process(self, number: int) -> Process:
        self._generation += 1
        name = f"p{number}.{self._generation}"
        return Process(self.network, self.store, self.promises, name, alone=self.alone, size=self.size)

    def any_process(self) -> Process:
        """The process that a load balancer picks."""
        return self.world.rng.choice(self.processes)

    def run(self) -> Result:
        """Run to the end, or until a promise is broken."""
        broken = None
        try:
            self._run()
        except Broken as found:
            broken = str(found)
        finally:
            for loop in (*(process.loop for process in (*self.processes, *self._dead)), self.network.clients):
                loop.bury()
        world = self.world
        return Result(self.seed, broken, world.trace_hash, world.steps, self.promises.acknowledged, world.lines)

    def _run(self) -> None:
        rng, clients = self.world.rng, self.network.clients
        self.faults.on = False
        for game in self.games:
            self._until(clients.create_task(self._begin(game, rng.choice(SPECS))))
        watching = [clients.create_task(watcher.watch()) for watcher in self.watchers]
        for _ in range(ROUNDS):
            self._trouble()
            self._peace()
        for watcher, task in zip(self.watchers, watching, strict=True):
            task.cancel()
            if watcher.connection is not None:
                watcher.connection.end()
        self._for_seconds(PEACE_SECONDS)
        for process in self.processes:
            self.promises.check_nothing_leaks(process)
            self._until(process.loop.create_task(process.close()))
            if process.loop.pending():
                raise Broken(f"{process.name} is closed and still runs {process.loop.pending()}")

    def _trouble(self) -> None:
        """Everybody acts while things go wrong."""
        rng = self.world.rng
        self.faults.on = True
        for watcher in self.watchers:
            watcher.stays = False
        self._plan_faults()
        playing = [self.network.clients.create_task(player.play(rng.randint(5, 15))) for player in self.players]
        for task in playing:
            self._until(task)
        self.faults.stop()

    def _peace(self) -> None:
        """Nothing goes wrong any more, so soon everybody has everything."""
        clients = self.network.clients
        for watcher in self.watchers:
            watcher.stays = True
        for number in range(len(self.processes)):
            self._restart(number)
        self._for_seconds(PEACE_SECONDS)
        self._check_nobody_is_deaf()
        for game in self.games:
            request = {"kind": "change", "game": game, "change": "reset", "expected": None, "key": None}
            self._until(clients.create_task(self.network.call(self.any_process(), request)))
        self._for_seconds(QUIET_SECONDS)
        self._check_nobody_is_deaf()
        for process in self.processes:
            for game in self.games:
                self._until(clients.create_task(self._read(process, game)))

    def _check_nobody_is_deaf(self) -> None:
        for watcher in self.watchers:
            head = self.promises.head(watcher.game)
            if watcher.last != head:
                raise Broken(f"{watcher.name} is deaf: it has {watcher.last} of {head} versions of {watcher.game}")

    async def _begin(self, game: str, spec: str) -> None:
        view = await self.network.call(self.any_process(), {"kind": "begin", "game": game, "spec": spec})
        self.promises.check_told(game, view.room.version, 1, "who starts it")

    async def _read(self, process: Process, game: str) -> None:
        floor = self.promises.head(game)
        view = await self.network.call(process, {"kind": "state", "game": game})
        self.promises.check_told(game, view.room.version, floor, "the last reader")

    def _plan_faults(self) -> None:
        world, rng = self.world, self.world.rng
        for kind in self.faults.timed:
            for _ in range(rng.randint(1, 3)):
                begin = getattr(self, f"_{kind}")
                world.at(
                    world.now + rng.uniform(0, TROUBLE_SECONDS * 0.8), lambda begin=begin: self._begin_fault(begin)
                )

    def _begin_fault(self, begin: Any) -> None:
        if self.faults.on:
            self.world.trace("fault", begin.__name__)
            begin(self.world.rng.uniform(0.1, 3.0))

    def _crash(self, seconds: float) -> None:
        number = self.world.rng.randrange(len(self.processes))
        process = self.processes[number]
        if process.loop.alive:
            process.kill()
            for connection in process.connections:
                connection.end()
            self.network.buses.pop(process.name, None)
            self.world.after(seconds, lambda: self._restart(number))

    def _restart(self, number: int) -> None:
        if not self.processes[number].loop.alive:
            self._dead.append(self.processes[number])
            self.processes[number] = self._new_process(number)

    def _pause(self, seconds: float) -> None:
        self.any_process().loop.paused_until = self.world.now + seconds
        self.world.after(seconds, lambda: None)

    def _full_disk(self, seconds: float) -> None:
        self.faults.disk_is_full = True
        self.world.after(seconds, lambda: setattr(self.faults, "disk_is_full", False))

    def _database_away(self, seconds: float) -> None:
        self.faults.database_is_away = True
        self.world.after(seconds, lambda: setattr(self.faults, "database_is_away", False))

    def _bus_away(self, seconds: float) -> None:
        self.faults.bus_is_away = True
        self.world.after(seconds, lambda: setattr(self.faults, "bus_is_away", False))

    def _clock_jump(self, seconds: float) -> None:
        self.any_process().clock_error += self.world.rng.choice((-200, 200)) * 86_400 * seconds

    def _step(self) -> None:
        if not self.world.step():
            raise Broken("nothing is left to happen")
        if self.world.errors:
            raise Broken(self.world.errors[0])
        if self.world.steps > MAX_STEPS:
            raise Broken(f"it is not over after {MAX_STEPS} steps")
        for process in self.processes:
            if process.loop.alive:
                self.promises.check_process(process)

    def _for_seconds(self, seconds: float) -> None:
        until = self.world.now + seconds
        self.world.at(until, lambda: None)
        while self.world.now < until:
            self._step()

    def _until(self, task: Any) -> None:
        while not task.done():
            self._step()
        task.result()


def run(seed: int, *, keep_trace: bool = False) -> Result:
    """Run the simulation of a seed."""
    return Simulation(seed, keep_trace=keep_trace).run()
