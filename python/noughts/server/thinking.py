"""AI moves and analyses off the event loop: a bounded number at once, fair between clients.

A :class:`Task` is plain data, so that it can be done here or by a worker on another machine. Each
client has a line of its own and the lines take turns, so nobody waits for somebody else's hundred.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from noughts.analysis import Analysis, analyse, review
from noughts.core import Position
from noughts.errors import NoughtsError
from noughts.games import game as game_of
from noughts.players import Limits
from noughts.players.levels import LEVELS, level
from noughts.server.agents import NOBODY, AgentFailed, AgentMissing, Agents
from noughts.server.problem import Problem

__all__ = ["Remote", "Task", "Thinkers", "Told", "perform"]

PER_CLIENT: Final = 8
"""Tasks of one client that may wait."""

TOLD_EVERY: Final = 0.25
"""Seconds between two words about how the search is getting on."""

Told = Callable[[str], None]
"""Hears, in words, how the search is getting on."""

Remote = Callable[["Task"], Awaitable[dict[str, Any] | None]]
"""Has a task done elsewhere, or says ``None`` when nobody there can."""


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
        "note": str(analysis.moves.get(move) or "a guess"),
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
        "note": choice.note,
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


@dataclass(slots=True)
class _Line:
    waiting: deque[tuple[Task, asyncio.Future[dict[str, Any]], Told | None]] = field(default_factory=deque)


class Thinkers:
    """The AI of one process: some threads, and workers elsewhere if there are any."""

    def __init__(self, threads: int, longest_queue: int, remote: Remote | None = None, agents: Agents = NOBODY) -> None:
        self.threads = threads
        self.longest_queue = longest_queue
        self.remote = remote
        self.agents = agents
        self.running = 0
        self.waiting = 0
        self._lines: OrderedDict[str, _Line] = OrderedDict()
        self._pool = ThreadPoolExecutor(max(1, threads), thread_name_prefix="think")
        self._closing = False

    async def think(self, task: Task, client: str, told: Told | None = None) -> dict[str, Any]:
        """Have a task done; raises a :class:`Problem` when too many wait."""
        if self.running >= self.threads and self.remote is not None:
            try:
                result = await self.remote(task)
            except NoughtsError as error:
                raise _problem(error) from None
            if result is not None:
                return result
        if self.threads == 0:
            raise Problem(503, "no_ai_worker", "no AI worker answers", headers={"Retry-After": "2"})
        line = self._lines.get(client)
        if line is not None and len(line.waiting) >= PER_CLIENT:
            raise Problem(429, "too_many_ai_tasks", "too many of your AI tasks wait", headers={"Retry-After": "1"})
        if self.waiting >= self.longest_queue:
            raise Problem(503, "ai_busy", "too many AI tasks wait", headers={"Retry-After": "2"})
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(client, _Line()).waiting.append((task, future, told))
        self.waiting += 1
        self._next()
        return await future

    def _next(self) -> None:
        while self.running < self.threads and self._lines:
            client, line = self._lines.popitem(last=False)
            task, future, told = line.waiting.popleft()
            if line.waiting:
                # To the back: the others come first.
                self._lines[client] = line
            self.waiting -= 1
            if future.done():
                continue
            self.running += 1
            asyncio.get_running_loop().create_task(self._run(task, future, told))

    async def _run(self, task: Task, future: asyncio.Future[dict[str, Any]], told: Told | None) -> None:
        deadline = time.monotonic() + task.seconds + 1
        loop = asyncio.get_running_loop()
        next_word = 0.0

        def tell(words: str) -> None:
            nonlocal next_word
            now = time.monotonic()
            if told is not None and now >= next_word:
                next_word = now + TOLD_EVERY
                loop.call_soon_threadsafe(told, words)

        def stop() -> bool:
            return self._closing or future.cancelled() or time.monotonic() > deadline

        try:
            result = await loop.run_in_executor(self._pool, perform, task, stop, tell, self.agents)
            if not future.done():
                future.set_result(result)
        except NoughtsError as error:
            if not future.done():
                future.set_exception(_problem(error))
        except Exception as error:
            if not future.done():
                future.set_exception(error)
        finally:
            self.running -= 1
            self._next()

    async def close(self) -> None:
        """Stop thinking."""
        self._closing = True
        for line in self._lines.values():
            for _, future, _ in line.waiting:
                future.cancel()
        await asyncio.to_thread(self._pool.shutdown)
