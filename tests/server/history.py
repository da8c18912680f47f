"""What clients saw of a game, and whether one order of events explains it all.

A game is a list that only grows: a move that is accepted takes the next version, a look tells the
latest one. Such a history is linearizable just when each version was taken once, nobody saw less
than was already known when they asked, and what was acknowledged is what the record says.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Seen:
    """One call: when it began and ended, the version it was told, and the move if it made one."""

    began: float
    ended: float
    version: int
    move: str | None = None
    """The move that took this version, or ``None`` for a look."""
    expected: int | None = None


def faults(history: list[Seen], record: list[str]) -> list[str]:
    """Everything about a history that no order of events explains; ``record[v]`` took version ``v + 1``."""
    found = []
    taken: dict[int, str] = {}
    for seen in history:
        if seen.version > len(record):
            found.append(f"version {seen.version} is not in the record of {len(record)}")
            continue
        if seen.move is None:
            continue
        if seen.version in taken:
            found.append(f"version {seen.version} was given to {taken[seen.version]} and to {seen.move}")
        taken[seen.version] = seen.move
        if record[seen.version - 1] != seen.move:
            found.append(f"{seen.move} was told version {seen.version}, which is {record[seen.version - 1]}")
        if seen.expected is not None and seen.version != seen.expected + 1:
            found.append(f"{seen.move} expected version {seen.expected} and became {seen.version}")
    moves = [move for move in record if move]
    if len(set(moves)) != len(moves):
        found.append("a move is in the record twice")
    # Whoever asks after somebody was told a version must not be told less, and a new move must be told more.
    ends = sorted(history, key=lambda seen: seen.ended)
    at, known = 0, 0
    for seen in sorted(history, key=lambda seen: seen.began):
        while at < len(ends) and ends[at].ended < seen.began:
            known = max(known, ends[at].version)
            at += 1
        if seen.version < known or (seen.move is not None and seen.version == known):
            found.append(f"version {known} was known before a call that was told {seen.version}")
    return found
