"""The kernel compared with the Python rules, for every registered game that compiles to tables."""

import threading
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts._kernel import Batch, Engine, Limited, Moment, Tables
from noughts.compute.counting import count, perft
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import Limits
from noughts.errors import SearchError
from noughts.games import game
from noughts.search import perft as reference_perft
from tests.strategies import all_specs, games_played

COMPILED = [spec for spec in all_specs() if game(spec).kernel is not None]
SMALL = [spec for spec in COMPILED if game(spec).grid.cells <= 16]


def test_lines_games_have_tables():
    assert {"3x3", "4x4", "15x15,k=5", "4x4x4"} <= set(COMPILED)
    assert game("21x20,k=5").kernel is None
    with pytest.raises(SearchError, match="the kernel has no tables for 21x20,k=5"):
        perft(game("21x20,k=5"), 1, backend="kernel")
    with pytest.raises(ValueError, match="'gpu' is not a backend"):
        perft(game("3x3"), 1, backend="gpu")
    with pytest.raises(ValueError, match="a depth of -1 is not possible"):
        perft(game("3x3"), -1)


@pytest.mark.parametrize("spec", COMPILED)
@settings(max_examples=15)
@given(st.data())
def test_perft_agrees_from_any_position(spec, data):
    moment = data.draw(games_played(spec))[-1]
    for depth in range(3 if len(moment.legal_moves) > 40 else 4):
        if len(moment.legal_moves) ** depth < 50_000:
            assert perft(moment, depth, backend="kernel") == reference_perft(moment, depth)


@pytest.mark.parametrize("spec", [spec for spec in SMALL if game(spec).grid.cells <= 9])
def test_counts_agree(spec):
    assert count(game(spec), backend="kernel") == count(game(spec), backend="python")


def test_counts_agree_where_the_setup_breaks_the_symmetry():
    spec = "4x3,k=3,setup=X:a1+O:b2+X:c3+O:a2"
    assert count(game(spec), backend="kernel") == count(game(spec), backend="python")


def lines(**changes):
    whole = {
        "cells": 4,
        "players": 2,
        "sets": [[0, 1], [2, 3]],
        "caps": [[], []],
        "misere": False,
        "early_draw": False,
        "symmetries": [[0, 1, 2, 3]],
    }
    return Tables.lines(**{**whole, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"cells": 0},
        {"cells": 10**6},
        {"players": 0},
        {"players": 9},
        {"sets": [[0, 9]]},
        {"sets": [[]]},
        {"sets": [[0, 0]]},
        {"caps": [[77], []]},
        {"symmetries": [[0, 1, 2]]},
        {"symmetries": [[0, 0, 1, 2]]},
        {"symmetries": [[0, 2, 1, 3]]},
        {"misere": True, "players": 3},
        {"opens": [None, 0]},
        {"opens": [None, 0, 1, 4]},
        {"opens": [1, 0, None, None]},
        {"opens": [None, 0, None, None], "symmetries": [[1, 0, 2, 3]]},
    ],
)
def test_bad_tables_are_refused(changes):
    with pytest.raises(SearchError) as caught:
        lines(**changes)
    assert caught.value.code == "invalid_tables"


@given(
    cells=st.integers(0, 12),
    players=st.integers(0, 9),
    sets=st.lists(st.lists(st.integers(0, 14), max_size=5), max_size=8),
    caps=st.lists(st.lists(st.integers(0, 14), max_size=3), max_size=8),
    misere=st.booleans(),
    early_draw=st.booleans(),
    opens=st.none() | st.lists(st.none() | st.integers(0, 12), max_size=13),
    symmetries=st.lists(st.lists(st.integers(0, 12), max_size=13), max_size=3),
    board=st.lists(st.integers(-3, 9), max_size=13),
    turn=st.integers(0, 9),
    depth=st.integers(0, 3),
)
def test_fuzzed_tables_never_crash(board, turn, depth, **tables):
    every_search(partial(lines, **tables), (board, turn, False), depth)


def every_search(compiled, start, depth):
    """Run every search on a position; each answers or raises a clear error, unless the tables are refused."""
    try:
        tables, start = compiled(), Moment(cells=start[0], turn=start[1], swap=start[2])
    except SearchError as error:
        assert error.code == "invalid_tables"
        return
    for call in (
        lambda: tables.perft(start, Limited(), depth=depth),
        lambda: tables.count(start, Limited(seconds=0.2)),
        lambda: tables.solve(start, Limited(seconds=0.2)),
        lambda: tables.map(start, Limited(seconds=0.2)),
        lambda: tables.playouts(start, Limited(), games=20, seed=1),
        lambda: tables.mcts(start, Limited(), simulations=20, seed=1),
        lambda: Batch(tables, start, count=2, seed=1).step_random(3),
        lambda: Engine(tables, memory=4096).think(start, Limited(nodes=100), depth=2),
    ):
        try:
            call()
        except SearchError as error:
            assert error.code in ("invalid_tables", "invalid_position", "search_does_not_apply", "stopped")


graphs = st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=10)
boards = st.tuples(st.lists(st.integers(-3, 3), max_size=11), st.integers(0, 3), st.booleans())
maps = st.lists(st.lists(st.integers(0, 10), max_size=11), max_size=3)


@st.composite
def mutual(draw):
    """Symmetric neighbour tables, which pass the checks, so that the fuzzing reaches the searches."""
    cells = draw(st.integers(1, 9))
    pairs = draw(st.sets(st.tuples(st.integers(0, cells - 1), st.integers(0, cells - 1)), max_size=16))
    near = [sorted({b for a, b in pairs if a == c} | {a for a, b in pairs if b == c}) for c in range(cells)]
    return [[other for other in around if other != cell] for cell, around in enumerate(near)]


@given(graph=graphs | mutual(), peaceful=st.booleans(), symmetries=maps, start=boards, data=st.data())
def test_fuzzed_capture_tables_never_crash(graph, peaceful, symmetries, start, data):
    cells = data.draw(st.sampled_from([len(graph), 0, 5, 401]))
    rules = {"neighbours": graph, "peaceful": peaceful}
    every_search(partial(Tables.capture, cells=cells, symmetries=symmetries, **rules), start, 3)
    fitting = data.draw(st.lists(st.integers(-1, 1), min_size=len(graph), max_size=len(graph)))
    plain = partial(Tables.capture, cells=len(graph), symmetries=[], **rules)
    every_search(plain, (fitting, data.draw(st.integers(0, 1)), False), 3)


@given(
    graph=graphs | mutual(), swap=st.none() | st.permutations(range(5)), symmetries=maps, start=boards, data=st.data()
)
def test_fuzzed_connect_tables_never_crash(graph, swap, symmetries, start, data):
    side = st.lists(st.integers(0, len(graph)), max_size=4)
    edges = [[data.draw(side), data.draw(side)], [data.draw(side), data.draw(side)]]
    cells = data.draw(st.sampled_from([len(graph), 0, 5, 401]))
    rules = {"neighbours": graph, "edges": edges}
    every_search(partial(Tables.connect, cells=cells, swap=swap, symmetries=symmetries, **rules), start, 3)
    fitting = data.draw(st.lists(st.integers(-1, 1), min_size=len(graph), max_size=len(graph)))
    plain = partial(Tables.connect, cells=len(graph), swap=None, symmetries=[], **rules)
    every_search(plain, (fitting, data.draw(st.integers(0, 1)), data.draw(st.booleans())), 3)


def test_limits_are_kept():
    tables, start = game("5x5,k=4").kernel, moment(game("5x5,k=4").start())
    with pytest.raises(SearchError, match="deadline") as caught:
        tables.perft(start, Limited(seconds=0.05), depth=20)
    assert caught.value.code == "stopped"
    with pytest.raises(SearchError) as caught:
        tables.count(start, Limited(memory=1_000_000))
    assert caught.value.code == "out_of_memory"


def test_progress_is_reported_and_its_error_stops_the_search():
    tables, start = game("5x5,k=4").kernel, moment(game("5x5,k=4").start())
    reports = []

    def report(news):
        reports.append((news.stage, news.depth))
        if len(reports) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tables.perft(start, limited(Limits(progress=report)), depth=20)
    assert reports == [("perft", 20)] * 2


def test_the_interpreter_goes_on_while_the_kernel_works():
    tables, start = game("5x5,k=4").kernel, moment(game("5x5,k=4").start())
    ticks = 0
    done = threading.Event()

    def search():
        with pytest.raises(SearchError):
            tables.perft(start, Limited(seconds=0.3), depth=20)
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 20


def test_a_moment_is_a_value():
    one = Moment(cells=[-1, 0, 1], turn=1)
    assert one == Moment(cells=(-1, 0, 1), turn=1, swap=False) != Moment(cells=[-1, 0, 1], turn=0)
    assert (one.cells, one.turn, one.swap) == ([-1, 0, 1], 1, False)


@pytest.mark.parametrize("spec", ["15x15,k=5", "hex,size=7", "duel,size=5,opening=peaceful"])
def test_an_engine_remembers_between_moves_and_starts_empty_when_told_to(spec):
    here = moment(game(spec).start().play(0))
    engine = Engine(game(spec).kernel, memory=1 << 20)
    assert (engine.memory, engine.bytes) == (1 << 20, 0)
    first = engine.think(here, Limited(), depth=3)
    assert 0 < engine.bytes <= 1 << 20
    again = engine.think(here, Limited(), depth=3)
    assert again["nodes"] < first["nodes"]
    fresh = engine.think(here, Limited(), depth=3, fresh=True)
    assert (fresh["nodes"], fresh["best"], fresh["score"]) == (first["nodes"], first["best"], first["score"])
    engine.clear()
    assert engine.bytes == 0
    assert engine.think(here, Limited(), depth=3)["nodes"] == first["nodes"]


def test_an_engine_can_be_asked_about_while_it_thinks():
    here = moment(game("15x15,k=5").start().play(112))
    engine = Engine(game("15x15,k=5").kernel, memory=1 << 20)
    limits = limited(Limits(progress=lambda _: None))
    thread = threading.Thread(target=lambda: engine.think(here, limits))
    thread.start()
    asked = threading.Thread(target=lambda: engine.bytes)
    asked.start()
    limits.cancel()
    asked.join(timeout=20)
    thread.join(timeout=20)
    assert not asked.is_alive()
    assert not thread.is_alive()
