"""AI moves and analyses off the event loop: a bounded number at once, fair between clients.

A :class:`Task` is plain data, so that it can be done here or by a worker on another machine. Each
client has a line of its own and the lines take turns, so nobody waits for somebody else's hundred.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from noughts.analysis import Analysis, analyse, review
from noughts.compute.limits import Limits, Progress
from noughts.core import Position
from noughts.errors import NoughtsError
from noughts.games import game as game_of
from noughts.note import note
from noughts.players.levels import LEVELS, level
from noughts.server.ai.agents import NOBODY, AgentFailed, AgentMissing, Agents
from noughts.server.http.errors import Problem

__all__ = ["Busy", "Remote", "Task", "Thinkers", "Told", "perform"]

PER_CLIENT: Final = 8
"""Tasks of one client that may wait."""

TOLD_EVERY: Final = 0.25
"""Seconds between two words about how the search is getting on."""

Told = Callable[[Progress], None]
"""Hears how the search is getting on."""

Remote = Callable[["Task"], Awaitable[dict[str, Any] | None]]
"""Has a task done elsewhere, or says ``None`` when nobody is there. Raises :class:`Busy` when whoever was asked has no
time, and :class:`AgentMissing` when it lacks the agent."""

FIRST_ASKED: Final = 4
BUSY_PAUSE: Final = 0.05
"""Seconds until a task that a busy worker refused is offered again, to whichever worker it then reaches."""

AWAY_PAUSE: Final = 1.0
"""Seconds until workers are looked for again where there were none."""

LONGEST_SEARCH: Final = 30.0
"""Seconds after which a task that only workers could do is given up, when all of them are busy."""

MOST_LACKING: Final = 20
"""Workers without the agent that are asked before it is given up."""


class Busy(Exception):
    """The worker that was asked has no time; another one may."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to think about: a game, who began, the moves so far, and what is asked."""

    kind: Literal["move", "hint", "analysis", "review"]
    game: str
    first: str
    moves: tuple[str, ...]
    seconds: float
    level: str = "perfect"
    resigned: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The task for the bus."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Any) -> Task:
        """Read a task from the bus; ``ValueError`` or ``TypeError`` when it is none."""
        task = cls(**{**value, "moves": tuple(value["moves"])})
        if task.kind not in ("move", "hint", "analysis", "review") or not 0 < task.seconds <= 3600:
            raise ValueError("not a task")
        return task


def perform(
    task: Task, stop: Callable[[], bool] = lambda: False, told: Told | None = None, agents: Agents = NOBODY
) -> dict[str, Any]:
    """Do a task right here; the result is plain data."""
    positions = [game_of(task.game).start(task.first)]
    for move in task.moves:
        positions.append(positions[-1].play(move))
    position = positions[-1]
    limits = Limits(seconds=task.seconds, stop=stop, progress=told)
    if task.kind == "analysis":
        return analyse(position, limits).to_json()
    if task.kind == "review":
        return review(positions, limits).to_json()
    if task.kind == "hint" and (found := analyse(position, limits, every=False)).best:
        return _hinted(found)
    return _chosen(position, task, limits, agents)


def _hinted(analysis: Analysis) -> dict[str, Any]:
    move = analysis.best[0]
    return {
        "move": analysis.position.game.move_name(move),
        "note": (worth.note() if (worth := analysis.moves.get(move)) else note("guess")).to_json(),
        "proven": analysis.best_proven,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
    }


def _chosen(position: Position, task: Task, limits: Limits, agents: Agents) -> dict[str, Any]:
    if task.level in LEVELS:
        choice = level(task.level, position.game).choose(position, limits)
    elif task.level in agents:
        choice = agents[task.level].choose(position, limits)
    else:
        raise AgentMissing(f"there is no agent {task.level!r} here; it takes --agent {task.level}=SPEC")
    return {
        "move": position.game.move_name(choice.move),
        "note": choice.note.to_json() if choice.note else None,
        "proven": choice.proven,
        "score": choice.score,
        "nodes": choice.nodes,
        "depth": choice.depth,
        "seconds": round(choice.seconds, 6),
    }


def _problem(error: NoughtsError) -> Problem:
    if isinstance(error, AgentFailed | AgentMissing):
        return Problem(503, error.code, str(error), headers={"Retry-After": "60"})
    return Problem(400, error.code, str(error))


@dataclass(slots=True, eq=False)
class _Wish:
    """A task that somebody waits for."""

    number: int
    task: Task
    client: str
    told: Told | None
    future: asyncio.Future[dict[str, Any]]
    until: float
    """When to stop looking for a worker that is free."""
    lacking: int = 0
    """How many workers did not have the agent that it takes."""

    def settle(self, result: dict[str, Any]) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(_problem(error) if isinstance(error, NoughtsError) else error)


class Thinkers:
    """The AI of one process: some threads, and workers elsewhere if there are any.

    All tasks stand in the same lines. The first in line goes to a thread that is free, else to a worker; nobody knows
    how many workers there are, so as many are asked at once as lately had time, and one more whenever one has.
    """

    def __init__(self, threads: int, longest_queue: int, remote: Remote | None = None, agents: Agents = NOBODY) -> None:
        self.threads = threads
        self.longest_queue = longest_queue
        self.remote = remote
        self.agents = agents
        self.running = 0
        self.elsewhere = 0
        """Tasks that workers elsewhere have, or are asked to take."""
        self.waiting = 0
        self._lines: OrderedDict[str, deque[_Wish]] = OrderedDict()
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="think")
        self._tasks: set[asyncio.Task[None]] = set()
        self._width = FIRST_ASKED
        """How many workers may be asked at once."""
        self._pause: asyncio.TimerHandle | None = None
        """Until when no worker is asked."""
        self._numbers = itertools.count()
        self._closing = False

    async def think(self, task: Task, client: str, told: Told | None = None) -> dict[str, Any]:
        """Have a task done; raises a :class:`Problem` when too many wait."""
        if self.threads == 0 and self.remote is None:
            raise _nobody()
        if len(self._lines.get(client, ())) >= PER_CLIENT:
            raise Problem(429, "too_many_ai_tasks", "too many of your AI tasks wait", headers={"Retry-After": "1"})
        if self.waiting >= self.longest_queue:
            raise _busy()
        loop = asyncio.get_running_loop()
        wish = _Wish(next(self._numbers), task, client, told, loop.create_future(), loop.time() + LONGEST_SEARCH)
        self._lines.setdefault(client, deque()).append(wish)
        self.waiting += 1
        self._next()
        return await wish.future

    def _next(self) -> None:
        """Have begun whatever can be."""
        loop = asyncio.get_running_loop()
        while self._lines and not self._closing:
            here = self.running < self.threads
            if not here and (self.remote is None or self.elsewhere >= self._width or self._pause):
                return
            client, line = self._lines.popitem(last=False)
            wish = line.popleft()
            if line:
                # To the back: the others come first.
                self._lines[client] = line
            self.waiting -= 1
            if wish.future.done():
                continue
            if here:
                self.running += 1
            else:
                self.elsewhere += 1
            begun = loop.create_task(self._run(wish) if here else self._send(wish))
            self._tasks.add(begun)
            begun.add_done_callback(self._tasks.discard)

    def _put_back(self, wish: _Wish, seconds: float) -> None:
        """Let a task wait again, its client being the next, and ask no worker for a while."""
        if self._closing:
            wish.future.cancel()
            return
        line = self._lines.setdefault(wish.client, deque())
        line.insert(sum(1 for other in line if other.number < wish.number), wish)
        self._lines.move_to_end(wish.client, last=False)
        self.waiting += 1
        if self._pause is None:
            self._pause = asyncio.get_running_loop().call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._pause = None
        self._next()

    async def _send(self, wish: _Wish) -> None:
        """Have a worker elsewhere do a task."""
        assert self.remote is not None
        result: dict[str, Any] | None = None
        error: Exception | None = None
        try:
            result = await self.remote(wish.task)
        except Exception as caught:
            error = caught
        self.elsewhere -= 1
        if result is not None:
            self._width += 1
            wish.settle(result)
        elif isinstance(error, Busy):
            self._width = max(1, self.elsewhere)
            if self.threads == 0 and asyncio.get_running_loop().time() > wish.until:
                wish.fail(_busy())
            else:
                self._put_back(wish, BUSY_PAUSE)
        elif isinstance(error, AgentMissing) and (self.threads or wish.lacking < MOST_LACKING):
            # Another worker may have it, and a thread of our own does.
            wish.lacking += 1
            self._put_back(wish, BUSY_PAUSE)
        elif error is not None:
            wish.fail(error)
        elif self.threads == 0:
            wish.fail(_nobody())
        else:
            self._put_back(wish, AWAY_PAUSE)
        self._next()

    async def _run(self, wish: _Wish) -> None:
        """Do a task in a thread of our own."""
        deadline = time.monotonic() + wish.task.seconds + 1
        loop = asyncio.get_running_loop()
        next_word = 0.0

        def tell(news: Progress) -> None:
            nonlocal next_word
            now = time.monotonic()
            if wish.told is not None and now >= next_word:
                next_word = now + TOLD_EVERY
                loop.call_soon_threadsafe(wish.told, news)

        def stop() -> bool:
            return self._closing or wish.future.cancelled() or time.monotonic() > deadline

        try:
            wish.settle(await loop.run_in_executor(self._pool, perform, wish.task, stop, tell, self.agents))
        except Exception as error:
            wish.fail(error)
        finally:
            self.running -= 1
            self._next()

    async def close(self) -> None:
        """Stop thinking."""
        self._closing = True
        if self._pause is not None:
            self._pause.cancel()
        for line in self._lines.values():
            for wish in line:
                wish.future.cancel()
        await asyncio.to_thread(self._pool.shutdown)


def _nobody() -> Problem:
    return Problem(503, "no_ai_worker", "no AI worker answers", headers={"Retry-After": "2"})


def _busy() -> Problem:
    return Problem(503, "ai_busy", "too many AI tasks wait", headers={"Retry-After": "2"})
