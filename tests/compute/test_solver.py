"""Exact values: the kernel compared with plain recursion, published facts, and itself with parts switched off."""

import random
import threading
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.compute.kernel import limited, moment
from noughts.compute.limits import STAGES, Limits
from noughts.compute.solver import solve
from noughts.compute.value import Proven
from noughts.core import Position
from noughts.errors import SearchError
from noughts.games import all_games, game, position
from noughts.search import WIN, negamax, tile_margin
from tests.strategies import games_played

FACTS = [fact for kind in all_games().values() for fact in kind.facts]
QUICK = {
    "3x3", "3x3,misere", "4x4", "4x3,k=3", "4x4,k=3", "5x4,k=4", "5x5,k=4", "6x4,k=4", "7x4,k=4", "6x5,k=4", "6x6,k=4",
    "5x5", "3x3x3", "4x4,misere", "duel,size=4,opening=peaceful", "duel,size=4x5,opening=peaceful", "6x6,k=5",
    "7x7,k=5", "connect4,size=4", "connect4,size=4x5", "connect4,size=5x4", "connect4,size=5", "connect4,size=4x6",
}  # fmt: skip


@cache
def plain(moment: Position) -> tuple[int, int]:
    """Value (1, 0, −1) and distance for the player to move, by plain recursion."""
    if moment.outcome is not None:
        raise AssertionError("only asked of games that go on")
    results = []
    for move in moment.legal_moves:
        after = moment.play(move)
        if after.outcome is not None:
            results.append((after.outcome.score(moment.turn), 1))
        else:
            value, distance = plain(after)
            results.append((-value, distance + 1))
    best = max(value for value, _ in results)
    distances = [distance for value, distance in results if value == best]
    return best, (min(distances) if best > 0 else max(distances))


def reachable(start):
    """Every unfinished position of a small game."""
    seen, queue = {start}, [start]
    while queue:
        here = queue.pop()
        for move in here.legal_moves:
            after = here.play(move)
            if after.outcome is None and after not in seen:
                seen.add(after)
                queue.append(after)
    return seen


WORD = {1: "win", 0: "draw", -1: "loss"}


@pytest.mark.parametrize(
    "spec",
    ["3x3", "3x3,misere", "2x2", "3x3,k=2", "3x3,corners", "connect4,size=3,k=3", "hex,size=2", "hex,size=2,swap"],
)
def test_every_reachable_position_has_its_plain_value(spec):
    for here in reachable(game(spec).start()):
        value, distance = plain(here)
        verdict = solve(here, backend="kernel", map=True)
        assert verdict.value == WORD[value]
        assert verdict.distance == (distance if value else None)
        for move, worth in verdict.map.items():
            after = here.play(move)
            if after.outcome is not None:
                assert (worth.value, worth.distance) == (
                    WORD[after.outcome.score(here.turn)],
                    1 if after.outcome.winner else None,
                )
            else:
                reply, plies = plain(after)
                assert (worth.value, worth.distance) == (WORD[-reply], plies + 1 if reply else None)
        best = [
            move
            for move, worth in verdict.map.items()
            if (worth.value, worth.distance) == (verdict.value, verdict.distance)
        ]
        assert list(verdict.best) == best
        check_line(verdict)


def check_line(verdict):
    """Check that the line is legal, starts with the first best move, and that a won or lost one ends in time."""
    at = verdict.position
    assert verdict.line[0] == verdict.best[0]
    for move in verdict.line:
        at = at.play(move)
    if verdict.distance is not None:
        assert len(verdict.line) == verdict.distance
        assert at.outcome is not None
        assert at.outcome.score(verdict.position.turn) == {"win": 1, "draw": 0, "loss": -1}[verdict.value]


@pytest.mark.parametrize(
    "spec",
    [
        "4x4",
        "4x4,misere",
        "4x4,corners",
        "5x4,k=4,exact",
        "5x5,k=4",
        "4x4,early_draw",
        "2x3x2,k=2",
        "connect4",
        "connect4,size=5x4",
        "hex,size=4,swap",
        "hex,size=4",
    ],
)
@settings(max_examples=60)
@given(st.data())
def test_endgames_agree_with_the_reference(spec, data):
    moments = [m for m in data.draw(games_played(spec, finished=True))[:-1] if m.game.grid.cells - len(m.cells) <= 7]
    if not moments:
        return
    here = data.draw(st.sampled_from(moments))
    verdict, truth = solve(here, backend="kernel", map=True), solve(here, backend="python", map=True)
    assert (verdict.value, verdict.distance, verdict.best) == (truth.value, truth.distance, truth.best)
    assert verdict.map == truth.map
    score = negamax(here).score
    assert verdict.distance == (int(WIN - abs(score)) if score else None)
    check_line(verdict)
    check_line(truth)


@pytest.mark.parametrize(
    "spec", ["duel,size=3", "duel,size=3,opening=peaceful", "duel,size=3x4,opening=peaceful", "duel,size=2x5"]
)
@settings(max_examples=40)
@given(st.data())
def test_duel_margins_agree_with_the_reference(spec, data):
    moments = data.draw(games_played(spec, finished=True))[4:-1]
    if not moments:
        return
    here = data.draw(st.sampled_from(moments))
    verdict, truth = solve(here, backend="kernel", map=True), solve(here, backend="python", map=True)
    assert (verdict.value, verdict.margin, verdict.best) == (truth.value, truth.margin, truth.best)
    assert {m: v.margin for m, v in verdict.map.items()} == {m: v.margin for m, v in truth.map.items()}
    assert verdict.margin == negamax(here, worth=tile_margin).score
    check_line(verdict)


@pytest.mark.parametrize("fact", [f for f in FACTS if f.about == "value" and f.spec in QUICK], ids=lambda f: f.spec)
def test_published_values(fact):
    verdict = solve(game(fact.spec).start(), Limits(seconds=120))
    assert (verdict.value, verdict.stopped) == (fact.value, None)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["4x4x4", "8x8,k=5", "15x15,k=5", "connect4"])
def test_what_is_not_solved_is_not_contradicted(spec):
    """Too large for a proof here: the bounds after two minutes must include the published value."""
    [fact] = [fact for fact in FACTS if (fact.spec, fact.about) == (spec, "value")]
    verdict = solve(game(spec).start(), Limits(seconds=120, memory=1 << 30))
    order = ["loss", "draw", "win"]
    assert order.index(verdict.bounds[0]) <= order.index(fact.value) <= order.index(verdict.bounds[1])


@pytest.mark.parametrize("fact", [f for f in FACTS if f.about == "margin"], ids=lambda f: f.spec)
def test_published_margins(fact):
    assert solve(game(fact.spec).start()).margin == fact.value


OPENINGS = [f for f in FACTS if f.about == "openings" and game(f.spec).grid.cells < 42]


@pytest.mark.parametrize("fact", OPENINGS, ids=lambda f: f.spec)
def test_published_openings(fact):
    verdict = solve(game(fact.spec).start(), map=True)
    name = verdict.position.game.move_name
    assert tuple(name(move) for move, worth in verdict.map.items() if worth.value == verdict.value) == fact.value


@pytest.mark.parametrize(
    "spec", ["duel,size=2", "duel,size=2x3", "duel,size=3", "duel,size=3x4", "duel,size=4", "duel,size=4x5"]
)
def test_to_the_letter_the_second_player_takes_every_cell(spec):
    verdict = solve(game(spec).start())
    assert verdict.margin == -verdict.position.game.grid.cells


def test_every_first_move_on_4x4_draws():
    verdict = solve(game("4x4").start(), map=True)
    assert set(verdict.map.values()) == {Proven("draw")}
    assert len(verdict.best) == 16


PARTS = ["symmetry", "table", "pairing", "forced", "inferior", "zones"]


def played(spec, seed, empties):
    """A position of a random game with this many empty cells, or ``None`` if the game ended before."""
    rng, here = random.Random(seed), game(spec).start()
    while here.outcome is None and here.game.grid.cells - len(here.cells) > empties:
        here = here.play(here.legal_moves.pick(rng))
    return here if here.outcome is None else None


@pytest.mark.parametrize(
    ("spec", "empties"),
    [
        ("4x4", 9),
        ("5x5,k=4", 9),
        ("4x4,misere", 8),
        ("4x5,k=4,exact", 9),
        ("3x3x3", 12),
        ("connect4,size=5x4", 12),
        ("hex,size=4", 10),
        ("duel,size=3x4,opening=peaceful", 7),
    ],
)
def test_switching_parts_off_changes_no_answer(spec, empties):
    checked = 0
    for seed in range(150):
        here = played(spec, seed, empties)
        if here is None:
            continue
        checked += 1
        given_ = moment(here)
        compiled = here.game.kernel
        truth = compiled.solve(given_, limited())
        for without in [*([part] for part in PARTS), PARTS]:
            found = compiled.solve(given_, limited(), without=without)
            assert found["bounds"] == truth["bounds"], (here, without)
            assert found["best"] == truth["best"], (here, without)
        tiny = compiled.solve(given_, limited(), table_bytes=1024)
        assert (tiny["bounds"], tiny["best"]) == (truth["bounds"], truth["best"])
    assert checked > 20


@pytest.mark.parametrize(
    "spec", ["4x4", "5x5,k=4", "4x4,misere", "3x3x3", "connect4,size=5", "hex,size=4", "duel,size=3x4,opening=peaceful"]
)
def test_symmetric_positions_have_one_value(spec):
    for seed in range(5):
        here = played(spec, seed, 9)
        if here is None:
            continue
        verdicts = [solve(image) for image in here.symmetric()]
        assert len({(v.value, v.distance, v.margin, len(v.best)) for v in verdicts}) == 1


def test_a_limit_leaves_an_honest_unknown():
    for limits in ({"seconds": 0.05}, {"nodes": 1000}, {"stop": lambda: True}):
        verdict = solve(game("9x9,k=5").start(), Limits(**limits))
        assert (verdict.value, verdict.proven, verdict.distance) == ("unknown", False, None)
        assert verdict.bounds == ("loss", "win")
        assert verdict.stopped in ("deadline", "node limit", "cancelled")
    mapped = solve(game("9x9,k=5").start(), Limits(nodes=1000), map=True)
    assert set(mapped.map) == set(mapped.position.legal_moves)
    assert set(mapped.map.values()) == {None}


@pytest.mark.parametrize(("spec", "seconds"), [("21x20,k=5", 1), ("40x40,k=5", 20)])
def test_the_reference_keeps_limits_too(spec, seconds):
    start = game(spec).start()
    for limits in ({"seconds": 0.05}, {"nodes": 300}, {"stop": lambda: True}, {"seconds": seconds}):
        verdict = solve(start, Limits(**limits), map=True)
        assert (verdict.value, verdict.bounds) == ("unknown", ("loss", "win"))
        assert verdict.stopped in ("deadline", "node limit", "cancelled", "recursion limit")
        assert set(verdict.map.values()) == {None}
        assert verdict.to_json()["map"]["a1"]["value"] == "unknown"


def test_memory_is_a_limit():
    verdict = solve(game("5x5,k=4").start(), Limits(memory=100_000, seconds=60))
    assert verdict.value in ("draw", "unknown")


def test_another_thread_can_stop_a_solve():
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    verdict = solve(game("9x9,k=5").start(), Limits(stop=stop.is_set))
    assert verdict.stopped == "cancelled"


def test_progress_is_reported():
    reports = []
    solve(game("9x9,k=5").start(), Limits(seconds=0.7, progress=reports.append))
    assert 1 <= len(reports) <= 5
    assert all(news.nodes > 0 and news.seconds > 0 and news.stage in STAGES for news in reports)


def test_finished_games_and_more_players():
    over = solve(position("3x3", "XXX/OO1/3 X"))
    assert (over.value, over.distance, over.best, over.line, over.proven) == ("win", 0, (), (), True)
    assert solve(position("duel,size=2", "GG/GG G")).margin == 4
    with pytest.raises(SearchError, match="exact solving is for two players; 5x5,k=4,players=3 has 3"):
        solve(game("5x5,k=4,players=3").start())


def test_the_reference_finds_a_win_nearby_that_a_full_search_has_no_time_for():
    text = "OXOX1OXX1/OXXOXOOO1/O1OO1XX1O/OXXXOXXX1/1OXXOX1XO/1X1OXOOOX/X1OOO3X/XOO1X1OOO/1XXXO1X1X O"
    whole = solve(noughts.position("ultimate", text), map=True)
    near = solve(noughts.position("ultimate", text), Limits(nodes=4_000), map=True)
    assert (whole.stopped, near.stopped) == (None, "node limit")
    assert (near.value, near.distance, near.best, near.line) == (whole.value, whole.distance, whole.best, whole.line)
    assert all(worth in (None, whole.map[move]) for move, worth in near.map.items())
    assert None in near.map.values()
    lost = solve(near.position.play(near.best[0]), Limits(nodes=1_000))
    assert (lost.value, lost.distance) == ("loss", 2)


def test_a_game_without_tables_is_solved_by_the_reference():
    rows = ["".join("XO"[(row // 2 + col) % 2] for col in range(20)) for row in range(21)]
    here = position("21x20,k=5", "/".join([*rows[:-1], rows[-1][:18] + "2"]) + " X")
    with pytest.raises(SearchError, match="no tables for 21x20,k=5"):
        solve(here, backend="kernel")
    assert solve(here).proven


def test_json():
    verdict = noughts.solve(noughts.position("3x3", "XO1/3/3 X"), map=True)
    told = verdict.to_json()
    assert {key: told[key] for key in ("value", "distance", "margin", "best", "proven", "bounds")} == {
        "value": "win",
        "distance": 5,
        "margin": None,
        "best": ["a2", "b2", "a3"],
        "proven": True,
        "bounds": ["win", "win"],
    }
    assert told["map"]["a2"].items() >= {"value": "win", "distance": 5, "margin": None}.items()
