"""Lanes: work of different kinds has threads and a queue of its own, so that none of it fills another's.

Moves that take a moment, moves that take long, and analyses. How long a level takes for a move of a game is what it
took the last times; one that nobody has seen counts as long.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

from noughts.compute.limits import OnProgress
from noughts.server.ai.agents import NO_AGENTS, Agents
from noughts.server.ai.analyses import Analyses
from noughts.server.ai.queue import RemoteWorkers, TaskQueue
from noughts.server.ai.task import Task, engine_pool

__all__ = ["ANALYSIS_NICENESS", "Lanes"]

QUICK_SECONDS: Final = 0.1
"""What a move takes at most that may use the lane for quick ones."""

NEWEST_SHARE: Final = 0.2
"""How much the newest time counts in the mean."""

MAX_KNOWN: Final = 1024

MOVE_NICENESS: Final = 5
ANALYSIS_NICENESS: Final = 10
"""How far the threads of a lane stand back behind requests and quick moves, which have none."""


class Lanes:
    """The AI of one process."""

    def __init__(
        self,
        threads: int,
        analysis_threads: int,
        max_waiting: int,
        remote: RemoteWorkers | None = None,
        agents: Agents = NO_AGENTS,
    ) -> None:
        analysing = analysis_threads if threads else 0
        engines = engine_pool(max(threads, analysing))
        self.quick = TaskQueue(min(1, threads), max_waiting, agents=agents, engines=engines)
        self.moves = TaskQueue(threads, max_waiting, remote, agents, engines=engines, niceness=MOVE_NICENESS)
        self.analysis_queue = TaskQueue(
            analysing, max_waiting, remote, agents, engines=engines, niceness=ANALYSIS_NICENESS
        )
        self.analyses = Analyses(self.analysis_queue)
        self._seconds: OrderedDict[tuple[str, str], float] = OrderedDict()
        """The mean time of a move, by game and level."""

    @property
    def _queues(self) -> tuple[TaskQueue, ...]:
        return self.quick, self.moves, self.analysis_queue

    @property
    def running(self) -> int:
        """Tasks that threads of this process do."""
        return sum(queue.running for queue in self._queues)

    @property
    def elsewhere(self) -> int:
        """Tasks that workers elsewhere have."""
        return sum(queue.elsewhere for queue in self._queues)

    @property
    def waiting(self) -> int:
        """Tasks that wait."""
        return sum(queue.waiting for queue in self._queues)

    async def move(self, task: Task, client: str, progress: OnProgress | None = None) -> dict[str, Any]:
        """Choose a move."""
        lane = self.quick if self._is_quick(task) else self.moves
        result = await lane.run(task, client, progress)
        self._note(task, result["seconds"])
        return result

    async def analyse(self, task: Task, client: str, position: str | None = None) -> dict[str, Any]:
        """Do a hint, an analysis or a review; see :meth:`Analyses.run`."""
        return await self.analyses.run(task, client, position)

    def _is_quick(self, task: Task) -> bool:
        return bool(self.quick.threads) and self._seconds.get((task.game, task.level), 1.0) < QUICK_SECONDS

    def _note(self, task: Task, seconds: float) -> None:
        key = (task.game, task.level)
        before = self._seconds.pop(key, seconds)
        self._seconds[key] = before + NEWEST_SHARE * (seconds - before)
        if len(self._seconds) > MAX_KNOWN:
            self._seconds.popitem(last=False)

    def begin_to_close(self) -> None:
        """Refuse what waits, and have what runs answer with what it has."""
        for queue in self._queues:
            queue.begin_to_close()

    async def close(self) -> None:
        """Stop, and wait until nothing runs."""
        self.begin_to_close()
        for queue in self._queues:
            await queue.close()
