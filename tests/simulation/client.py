"""Clients: players, who act and read and try again, and watchers, who follow and come back."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

import orjson

from noughts.errors import NoughtsError
from noughts.server.errors import RoomError
from noughts.server.rooms.render import View
from noughts.server.rooms.room import Room
from tests.simulation.network import Connection, Failed, Request
from tests.simulation.process import Process
from tests.simulation.promises import Broken

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation


class Player:
    """Plays all games at random, over any process."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self.simulation, self.name = simulation, name
        self.rooms: dict[str, Room] = {}
        """What it knows of each game."""
        self._numbers = itertools.count()

    async def play(self, actions: int) -> None:
        """Do so many things."""
        rng = self.simulation.world.rng
        for _ in range(actions):
            await asyncio.sleep(rng.expovariate(6.0))
            game = rng.choice(self.simulation.games)
            room = self.rooms.get(game)
            chance = rng.random()
            if room is None or chance < 0.35:
                await self._ask({"kind": "state", "game": game})
            elif chance < 0.8 and not room.match.is_over:
                await self._move(game, room)
            elif chance < 0.85:
                await self._ask({"kind": "nothing", "game": game})
            else:
                change = "reset" if room.match.is_over else rng.choice(("undo", "undo", "redo"))
                expected = room.version if rng.random() < 0.7 else None
                event = {"action": "reset_game" if change == "reset" else change}
                request = {"kind": "change", "game": game, "change": change, "expected": expected, "event": event}
                await self._insist({**request, "key": self._key()})

    async def _move(self, game: str, room: Room) -> None:
        rng = self.simulation.world.rng
        match = room.match
        move = match.game.move_name(match.position.legal_moves.pick(rng))
        event = {"action": "make_move", "player": match.turn, "move": move}
        expected = room.version if rng.random() < 0.5 else None
        request = {**event, "kind": "move", "game": game, "expected": expected, "event": event}
        await self._insist({**request, "key": self._key()})

    def _key(self) -> str | None:
        number = next(self._numbers)
        return f"{self.name}-{number}" if self.simulation.world.rng.random() < 0.7 else None

    async def _insist(self, request: Request) -> None:
        """Ask until there is an answer, of whichever process, if there is a key that makes it safe."""
        for _ in range(6 if request["key"] else 1):
            if await self._ask(request):
                return
            await asyncio.sleep(self.simulation.world.rng.expovariate(2.0))

    async def _ask(self, request: Request) -> bool:
        """Whether there was an answer."""
        simulation = self.simulation
        promises, game = simulation.promises, request["game"]
        floor = promises.known.get(game, 0)
        try:
            view: View = await simulation.network.call(simulation.any_process(), request)
        except Failed:
            return False
        except NoughtsError as error:
            if isinstance(error, RoomError) and error.room is not None:
                promises.check_told(game, error.room.version, floor, self.name)
                self.rooms[game] = error.room
            elif error.code == "game_not_found":
                raise Broken(f"{self.name} is told that {game} does not exist") from None
            return True
        promises.check_told(game, view.room.version, floor, self.name)
        promises.check_view(view, f"what {self.name} was told")
        self.rooms[game] = view.room
        return True


class Watcher:
    """Follows one game, leaves now and then, and comes back with its last version."""

    def __init__(self, simulation: Simulation, name: str, game: str) -> None:
        self.simulation, self.name, self.game = simulation, name, game
        self.last = 0
        """The last version it was told."""
        self.stays = False
        """Whether it leaves no more by itself."""
        self.connection: Connection | None = None
        self._floor = 0

    async def watch(self) -> None:
        """Watch until cancelled."""
        simulation = self.simulation
        rng = simulation.world.rng
        while True:
            after = self.last or None if rng.random() < 0.8 else None
            process: Process = simulation.any_process()
            self._floor = simulation.promises.known.get(self.game, 0)
            request = {"game": self.game, "after": after}
            self.connection = simulation.network.connect(process, request, self._on_message)
            process.connections.append(self.connection)
            if not self.stays and rng.random() < 0.8:
                await asyncio.wait([self.connection.closed], timeout=rng.expovariate(1.0))
                self.connection.end()
            await self.connection.closed
            self.connection = None
            await asyncio.sleep(rng.expovariate(2.0))

    def _on_message(self, text: str) -> None:
        message: dict[str, Any] = orjson.loads(text)
        promises = self.simulation.promises
        kind = message["type"]
        if kind == "state":
            promises.check_told(self.game, message["version"], max(self._floor, self.last), self.name)
            self.last = message["version"]
        elif kind == "event":
            promises.check_streamed(self.game, message["version"], self.last, message["event"], self.name)
            self.last = message["version"]
        elif kind == "resumed" and message["version"] != self.last:
            raise Broken(f"{self.name} resumes {self.game} at {message['version']} with {self.last}")
