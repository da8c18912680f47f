"""A task for the AI: plain data that can be done here or by a worker on another machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from noughts.analysis import Analysis, analyse, reason, review
from noughts.compute.engine import EnginePool
from noughts.compute.limits import Limits, OnProgress
from noughts.core import Position
from noughts.games import game as game_of
from noughts.note import note
from noughts.players.levels import all_levels, level
from noughts.server.ai.agents import NO_AGENTS, Agents
from noughts.server.errors import AgentMissing

__all__ = ["Task", "TaskKind", "engine_pool", "hint_of", "perform", "without_hint"]

TaskKind = Literal["move", "hint", "analysis", "review"]

MAX_SECONDS = 3600.0

ENGINES_PER_THREAD = 4
"""Matches that an engine is kept for, for each thread that thinks."""

ENGINE_BYTES = 512 << 20
"""The most bytes that the tables of all engines of a process take."""

OPENING_MOVES = 4
"""The moves of a match that say which engine is its own."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question about a match: its game, who moved first, the moves so far, and what is asked."""

    kind: TaskKind
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
        """Read a task from the bus; ``ValueError`` or ``TypeError`` if it is not one."""
        task = cls(**{**value, "moves": tuple(value["moves"])})
        if task.kind not in get_args(TaskKind) or not 0 < task.seconds <= MAX_SECONDS:
            raise ValueError("not a task")
        return task


def perform(
    task: Task,
    stop: Callable[[], bool] = lambda: False,
    progress: OnProgress | None = None,
    agents: Agents = NO_AGENTS,
    engines: EnginePool | None = None,
) -> dict[str, Any]:
    """Do a task in this thread, with an engine of the pool if there is one; the result is plain data."""
    limits = Limits(seconds=task.seconds, stop=stop, progress=progress)
    if engines is None:
        return _done(task, limits, agents)
    # Matches that opened alike share what the engine remembers.
    with engines.borrow((task.game, task.first, task.moves[:OPENING_MOVES])) as engine:
        return _done(task, replace(limits, engine=engine), agents)


def engine_pool(threads: int) -> EnginePool:
    """A pool for a process that does so many tasks at once: some engines are idle, and keep what they know."""
    return EnginePool(tables=ENGINES_PER_THREAD * max(1, threads), memory=ENGINE_BYTES)


def _done(task: Task, limits: Limits, agents: Agents) -> dict[str, Any]:
    positions = [game_of(task.game).start(task.first)]
    for move in task.moves:
        positions.append(positions[-1].play(move))
    position = positions[-1]
    if task.kind == "review":
        return review(positions, limits).to_json()
    if task.kind == "analysis":
        found = analyse(position, limits)
        return {**found.to_json(), "hint": hint_of(found)}
    if task.kind == "hint" and (hint := hint_of(analyse(position, limits))) is not None:
        return hint
    return _choice(position, task, limits, agents)


def without_hint(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer to a task ``analysis`` as those see it who asked for no hint."""
    return {name: value for name, value in answer.items() if name != "hint"}


def hint_of(analysis: Analysis) -> dict[str, Any] | None:
    """The hint that an analysis gives: its first best move, with the value of the position; ``None`` if it has none."""
    if not analysis.best:
        return None
    move, worth = analysis.best[0], analysis.evaluation
    return {
        "move": analysis.position.game.move_name(move),
        "note": (note("guess") if worth is None else worth.note()).to_json(),
        "reason": reason(analysis, move).to_json(),
        "proven": analysis.best_proven,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
    }


def _choice(position: Position, task: Task, limits: Limits, agents: Agents) -> dict[str, Any]:
    if task.level in all_levels():
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
