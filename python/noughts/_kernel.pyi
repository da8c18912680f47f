from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, final

from numpy.typing import NDArray

__all__ = ["Batch", "Engine", "Limited", "Moment", "Network", "QLearner", "Tables", "TdLearner", "choose"]

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

class _Thought(TypedDict):
    best: int
    score: int
    steady: int
    proven: tuple[str, int] | None
    depth: int
    nodes: int
    line: list[int]
    moves: list[tuple[int, int]]
    stopped: str | None
    seconds: float

class _LevelChoice(TypedDict):
    best: int
    score: int
    saw: Literal["win", "block", "only_move", "depth"]
    depth: int
    nodes: int
    moves: list[tuple[int, int]]
    stopped: str | None

class _Analysis(TypedDict):
    worth: dict[str, Any] | None
    best: list[int]
    moves: list[tuple[int, dict[str, Any] | None]]
    line: list[int]
    method: Literal["rules", "solver", "engine", "mcts", "none"]
    bounds: tuple[Literal["loss", "draw", "win"], Literal["loss", "draw", "win"]]
    nodes: int
    seconds: float
    stopped: str | None

_Curve = tuple[Sequence[tuple[float, float, float, float]], bool, int]

class _Count(TypedDict):
    positions: int
    canonical: int
    terminal: _Outcomes
    games: _Outcomes
    plies: list[tuple[int, int, int]]

@final
class Batch:
    STAY: int
    def __new__(cls, tables: Tables, moment: Moment, *, count: int, seed: int, held: bool = False) -> Batch: ...
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
class Engine:
    def __new__(cls, tables: Tables, *, memory: int | None = None) -> Engine: ...
    @property
    def bytes(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def clear(self) -> None: ...
    def think(
        self,
        moment: Moment,
        limited: Limited,
        *,
        depth: int | None = None,
        fours: int | None = None,
        threads: int = 1,
        every: bool = False,
        fresh: bool = False,
    ) -> _Thought: ...
    def analyse(
        self,
        moment: Moment,
        limited: Limited,
        *,
        by_engine: bool,
        engine_curve: _Curve,
        tree_curve: _Curve,
        map_proofs: bool = True,
        map_estimates: bool = True,
        seed: int = 0,
        threads: int = 1,
    ) -> _Analysis: ...

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
class Moment:
    def __new__(cls, *, cells: Sequence[int], turn: int, swap: bool = False) -> Moment: ...
    @property
    def cells(self) -> list[int]: ...
    @property
    def turn(self) -> int: ...
    @property
    def swap(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Network:
    def __new__(
        cls,
        *,
        cells: int,
        tuples: Sequence[Sequence[int]],
        groups: Sequence[int],
        mirror: Sequence[int],
        weights: bytes,
    ) -> Network: ...
    def rate(self, tables: Tables, moment: Moment, *, depth: int) -> list[tuple[int, float]]: ...

@final
class QLearner:
    def __new__(cls, tables: Tables, limited: Limited, *, roots: Sequence[Moment], tiles: bool) -> QLearner: ...
    @property
    def games(self) -> int: ...
    @property
    def classes(self) -> int: ...
    def train(
        self,
        limited: Limited,
        *,
        games: int,
        seed: int,
        total: int,
        epsilon: tuple[float, float],
        rate: tuple[float, float],
        discount: float,
        opponent: str,
        threads: int = 1,
    ) -> _Trained: ...
    def learn(self, moves: Sequence[int], *, root: int, rate: float, discount: float) -> float: ...
    def grade(self) -> tuple[int, int, int, float]: ...
    def rate(self, tables: Tables, moment: Moment) -> list[tuple[int, float, int]]: ...
    def arrays(self) -> tuple[bytes, bytes, bytes]: ...
    def restore(self, games: int, codes: bytes, values: bytes, visits: bytes) -> None: ...

@final
class TdLearner:
    def __new__(
        cls,
        tables: Tables,
        *,
        roots: Sequence[Moment],
        tuples: Sequence[Sequence[int]],
        groups: Sequence[int],
        mirror: Sequence[int],
    ) -> TdLearner: ...
    @property
    def games(self) -> int: ...
    def train(
        self,
        limited: Limited,
        *,
        games: int,
        seed: int,
        total: int,
        epsilon: tuple[float, float],
        rate: tuple[float, float],
        discount: float,
        opponent: str,
        threads: int = 1,
        trace: float,
        opening: int,
    ) -> _Trained: ...
    def learn(
        self,
        moves: Sequence[int],
        *,
        root: int,
        opening: int,
        seat: int | None,
        total: int,
        rate: tuple[float, float],
        discount: float,
        trace: float,
    ) -> float: ...
    def rate(self, tables: Tables, moment: Moment) -> list[tuple[int, float]]: ...
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
        sights: Sequence[int] | None = None,
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
    def perft(self, moment: Moment, limited: Limited, *, depth: int) -> int: ...
    def count(self, moment: Moment, limited: Limited) -> _Count: ...
    def solve(
        self,
        moment: Moment,
        limited: Limited,
        *,
        without: Sequence[str] | None = None,
        distance: int | None = None,
        table_bytes: int | None = None,
    ) -> _Verdict: ...
    def map(self, moment: Moment, limited: Limited) -> _Map: ...
    def codes(self, moment: Moment) -> list[tuple[int, int]]: ...
    def playouts(self, moment: Moment, limited: Limited, *, games: int, seed: int, threads: int = 1) -> _Tally: ...
    def mcts(
        self,
        moment: Moment,
        limited: Limited,
        *,
        simulations: int,
        seed: int,
        exploration: float = 1.0,
        solver: bool = True,
    ) -> _Mcts: ...

def choose(
    tables: Tables,
    moment: Moment,
    limited: Limited,
    *,
    depth: int,
    width: int,
    lapses: float,
    noise: float,
    careful: bool,
    seed: int,
) -> _LevelChoice: ...
