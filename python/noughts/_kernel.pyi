from collections.abc import Callable, Sequence
from typing import TypedDict, final

__all__ = ["Tables"]

_Outcomes = tuple[list[int], int]
_Progress = Callable[[str, int, int, float], object]

class _Count(TypedDict):
    positions: int
    canonical: int
    terminal: _Outcomes
    games: _Outcomes
    plies: list[tuple[int, int, int]]

@final
class Tables:
    @staticmethod
    def lines(
        *,
        cells: int,
        players: int,
        sets: Sequence[Sequence[int]],
        caps: Sequence[Sequence[int]],
        misere: bool,
        early_draw: bool,
        symmetries: Sequence[Sequence[int]],
    ) -> Tables: ...
    def perft(
        self,
        cells: Sequence[int],
        turn: int,
        depth: int,
        *,
        seconds: float | None = None,
        progress: _Progress | None = None,
    ) -> int: ...
    def count(
        self,
        cells: Sequence[int],
        turn: int,
        *,
        seconds: float | None = None,
        memory: int | None = None,
        progress: _Progress | None = None,
    ) -> _Count: ...
