from collections.abc import Callable, Sequence
from typing import Any, TypedDict, final

from numpy.typing import NDArray

__all__ = ["Batch", "Limited", "Tables"]

_Moment = tuple[Sequence[int], int, bool]
_Outcomes = tuple[list[int], int]

class _Bounds(TypedDict):
    lower: str
    upper: str
    distance: int | None
    least: int
    most: int | None
    margin: tuple[int, int] | None

class _Verdict(TypedDict):
    bounds: _Bounds
    best: list[int]
    line: list[int]
    nodes: int
    seconds: float
    stopped: str | None

class _Map(TypedDict):
    moves: list[tuple[int, _Bounds]]
    nodes: int
    seconds: float
    stopped: str | None

class _Tally(TypedDict):
    games: int
    wins: list[int]
    draws: int
    plies: int
    lengths: list[int]
    stopped: str | None

class _Mcts(TypedDict):
    best: int | None
    moves: list[tuple[int, int, float, int | None]]
    value: float
    proven: int | None
    line: list[int]
    simulations: int
    full: bool
    bytes: int
    seconds: float
    stopped: str | None

class _Engine(TypedDict):
    best: int
    score: int
    proven: tuple[str, int] | None
    depth: int
    nodes: int
    line: list[int]
    moves: list[tuple[int, int]]
    stopped: str | None
    seconds: float

class _Count(TypedDict):
    positions: int
    canonical: int
    terminal: _Outcomes
    games: _Outcomes
    plies: list[tuple[int, int, int]]

@final
class Batch:
    def __new__(cls, tables: Tables, moment: _Moment, count: int, seed: int) -> Batch: ...
    @property
    def size(self) -> tuple[int, int, int, int]: ...
    @property
    def specials(self) -> list[int]: ...
    @property
    def finished(self) -> int: ...
    def step(self, moves: NDArray[Any]) -> None: ...
    def step_random(self, steps: int) -> None: ...
    def reset(self) -> None: ...
    def observe(self, into: NDArray[Any]) -> None: ...
    def legal(self, into: NDArray[Any]) -> None: ...
    def rewards(self, into: NDArray[Any]) -> None: ...
    def done(self, into: NDArray[Any]) -> None: ...
    def turns(self, into: NDArray[Any]) -> None: ...

@final
class Limited:
    def __new__(
        cls,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = None,
        progress: Callable[[str, int, int, float], object] | None = None,
    ) -> Limited: ...
    def cancel(self) -> None: ...

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
    @staticmethod
    def connect(
        *,
        cells: int,
        neighbours: Sequence[Sequence[int]],
        edges: Sequence[Sequence[Sequence[int]]],
        swap: Sequence[int] | None,
        symmetries: Sequence[Sequence[int]],
    ) -> Tables: ...
    @staticmethod
    def capture(
        *, cells: int, neighbours: Sequence[Sequence[int]], peaceful: bool, symmetries: Sequence[Sequence[int]]
    ) -> Tables: ...
    def perft(self, moment: _Moment, depth: int, limited: Limited) -> int: ...
    def count(self, moment: _Moment, limited: Limited) -> _Count: ...
    def solve(
        self,
        moment: _Moment,
        limited: Limited,
        *,
        without: Sequence[str] | None = None,
        distance: int | None = None,
        table_bytes: int | None = None,
    ) -> _Verdict: ...
    def map(self, moment: _Moment, limited: Limited) -> _Map: ...
    def playouts(self, moment: _Moment, games: int, seed: int, threads: int, limited: Limited) -> _Tally: ...
    def engine(
        self,
        moment: _Moment,
        limited: Limited,
        *,
        depth: int | None = None,
        fours: int | None = None,
        threads: int = 1,
        every: bool = False,
    ) -> _Engine: ...
    def mcts(
        self,
        moment: _Moment,
        simulations: int,
        seed: int,
        limited: Limited,
        *,
        exploration: float = 1.0,
        solver: bool = True,
    ) -> _Mcts: ...
