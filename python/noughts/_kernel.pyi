from collections.abc import Callable, Sequence
from typing import Any, TypedDict, final

from numpy.typing import NDArray

__all__ = ["Batch", "Limited", "Network", "QLearner", "Tables", "TdLearner"]

_Moment = tuple[Sequence[int], int, bool]
_Outcomes = tuple[list[int], int]
_Numbers = tuple[int, int, tuple[float, float], tuple[float, float], float, str, int]

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

class _Trained(_Tally):
    error: float
    updates: int
    explored: int

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
    STAY: int
    def __new__(cls, tables: Tables, moment: _Moment, count: int, seed: int, *, held: bool = False) -> Batch: ...
    def copy(self) -> Batch: ...
    @property
    def size(self) -> tuple[int, int, int, int]: ...
    @property
    def specials(self) -> list[int]: ...
    @property
    def finished(self) -> int: ...
    def step(self, moves: NDArray[Any]) -> None: ...
    def step_random(self, steps: int) -> None: ...
    def random_until(self, seats: NDArray[Any]) -> None: ...
    def reset(self) -> None: ...
    def restart(self, which: NDArray[Any]) -> None: ...
    def observe(self, into: NDArray[Any]) -> None: ...
    def planes(self, seats: NDArray[Any], into: NDArray[Any]) -> None: ...
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
class Network:
    def __new__(cls, cells: int, tuples: Sequence[Sequence[int]], groups: Sequence[int], weights: bytes) -> Network: ...
    def rate(self, tables: Tables, moment: _Moment, depth: int) -> list[tuple[int, float]]: ...

@final
class QLearner:
    def __new__(cls, tables: Tables, roots: Sequence[_Moment], tiles: bool, limited: Limited) -> QLearner: ...
    @property
    def games(self) -> int: ...
    @property
    def classes(self) -> int: ...
    def train(self, games: int, numbers: _Numbers, limited: Limited) -> _Trained: ...
    def follow(self, root: int, moves: Sequence[int], rate: float, discount: float) -> float: ...
    def grade(self) -> tuple[int, int, int, float]: ...
    def rate(self, tables: Tables, moment: _Moment) -> list[tuple[int, float, int]]: ...
    def arrays(self) -> tuple[bytes, bytes, bytes]: ...
    def restore(self, games: int, codes: bytes, values: bytes, visits: bytes) -> None: ...

@final
class TdLearner:
    def __new__(
        cls, tables: Tables, roots: Sequence[_Moment], tuples: Sequence[Sequence[int]], groups: Sequence[int]
    ) -> TdLearner: ...
    @property
    def games(self) -> int: ...
    def train(self, games: int, numbers: _Numbers, more: tuple[float, int], limited: Limited) -> _Trained: ...
    def follow(
        self,
        game: tuple[int, int, int | None],
        moves: Sequence[int],
        numbers: _Numbers,
        more: tuple[float, int],
    ) -> float: ...
    def rate(self, tables: Tables, moment: _Moment) -> list[tuple[int, float]]: ...
    def arrays(self) -> tuple[bytes, bytes, bytes]: ...
    def restore(self, games: int, weights: bytes, sums: bytes, sizes: bytes) -> None: ...

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
        opens: Sequence[int | None] | None = None,
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
    def codes(self, moment: _Moment) -> list[tuple[int, int]]: ...
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
