"""Analysis compared with an independent implementation of the rules, and properties of every game."""

import importlib.util
import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.analysis import Analysis, Estimate, Proven, analyse, evaluation_from_json, evaluation_to_json
from noughts.compute.solver import solve
from noughts.games import game
from noughts.players import Limits
from noughts.terminal import words
from tests.strategies import all_specs, games_played
from tests.truth import SMALL, Truth, told

QUICK = Limits(nodes=2000)

ENOUGH = Limits(nodes=10_000_000)


def some_positions(spec, count=120):
    """Positions of random games, including the first one."""
    rng = random.Random(spec)
    found = {}
    for _ in range(count):
        position = game(spec).start()
        while position.outcome is None:
            found[position] = None
            position = position.play(position.legal_moves.pick(rng))
    return list(found)[:count]


@pytest.mark.parametrize("spec", SMALL)
def test_small_games_are_proven_as_plain_recursion_has_them(spec):
    truth = Truth(spec)
    for position in some_positions(spec):
        analysis = analyse(position, ENOUGH)
        worth = truth.of(position)
        assert analysis.proven
        assert analysis.method == "solver"
        assert told(analysis.evaluation) == truth.proven(worth)
        assert (analysis.value, analysis.bounds) == (analysis.evaluation.value, (analysis.value, analysis.value))
        moves = {move: truth.after(position, move) for move in position.legal_moves}
        assert {move: told(value) for move, value in analysis.moves.items()} == {
            move: truth.proven(value) for move, value in moves.items()
        }
        best = [move for move, value in moves.items() if truth.rank(value) == truth.rank(worth)]
        assert analysis.best == tuple(best)
        for move in analysis.line:
            assert truth.rank(truth.after(position, move)) == truth.rank(truth.of(position))
            position = position.play(move)
        assert position.outcome is not None


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere"])
def test_every_3x3_position(spec):
    truth, seen = Truth(spec), {}
    queue = [game(spec).start()]
    while queue:
        position = queue.pop()
        key = position.canonical_key()
        if key in seen or position.outcome is not None:
            continue
        seen[key] = analyse(position, ENOUGH, every=False)
        assert told(seen[key].evaluation) == truth.proven(truth.of(position))
        queue += [position.play(move) for move in position.legal_moves]
    assert len(seen) == {"3x3": 627, "3x3,misere": 627}[spec]


def check(analysis, limits):
    """Check what every analysis must satisfy."""
    position = analysis.position
    legal = list(position.legal_moves)
    if position.game.grid.cells <= 400:
        assert list(analysis.moves) == legal
    else:
        assert set(analysis.moves) <= set(legal)
    assert set(analysis.best) <= set(legal)
    for worth in (analysis.evaluation, *analysis.moves.values()):
        assert worth is None or isinstance(worth, Proven) != isinstance(worth, Estimate)
        if isinstance(worth, Estimate):
            assert -1 <= worth.low <= worth.score <= worth.high <= 1
            assert worth.low < worth.high
            assert worth.by in ("engine", "mcts")
            assert not worth.proven
        elif worth is not None:
            assert worth.value in ("win", "draw", "loss")
    assert analysis.proven == isinstance(analysis.evaluation, Proven)
    assert (analysis.value is None) == (not analysis.proven)
    assert analysis.estimate is None or not analysis.proven
    if analysis.proven:
        assert analysis.method in ("rules", "solver", "engine", "mcts")
    at = position
    for move in analysis.line:
        at = at.play(move)
    if legal and analysis.line:
        assert analysis.line[0] == analysis.best[0]
    copied = json.loads(json.dumps(analysis.to_json()))
    assert Analysis.from_json(copied) == analysis
    assert copied["proven"] == analysis.proven


@pytest.mark.parametrize("spec", all_specs())
@settings(max_examples=6)
@given(data=st.data())
def test_every_game_can_be_analysed(spec, data):
    positions = data.draw(games_played(spec))
    analysis = analyse(positions[-1], QUICK, every=data.draw(st.booleans()))
    check(analysis, QUICK)
    assert analysis.evaluation is not None or analysis.stopped == "node limit"


@pytest.mark.parametrize(
    "spec", ["5x5,k=4", "4x4,misere", "4x4,k=3,exact", "hex,size=4", "duel,size=3x4,opening=peaceful"]
)
@settings(max_examples=8)
@given(data=st.data())
def test_what_little_time_proves_is_what_the_solver_proves(spec, data):
    """With very few nodes most values are estimates; those called proven must still be true."""
    position = data.draw(games_played(spec, finished=False))[-1]
    truth = solve(position, map=True)
    for nodes in (1, 30, 300, 3000):
        analysis = analyse(position, Limits(nodes=nodes))
        check(analysis, nodes)
        if isinstance(analysis.evaluation, Proven):
            agrees(analysis.evaluation, truth)
        for move, worth in analysis.moves.items():
            if isinstance(worth, Proven):
                agrees(worth, truth.map[move])


def agrees(worth, truth):
    assert worth.value == truth.value
    if worth.distance is not None and truth.margin is None:
        assert worth.distance == truth.distance
    if worth.within is not None:
        assert truth.distance is None or truth.distance <= worth.within
    if worth.margin is not None:
        assert worth.margin == truth.margin


def test_the_same_nodes_give_the_same_analysis():
    for spec in ("gomoku", "hex", "5x5,k=4,players=3"):
        position = game(spec).start().play("c3").play("d4")
        assert analyse(position, QUICK) == analyse(position, QUICK)


def test_a_finished_game_is_told_by_its_rules():
    won = noughts.position("3x3", "XXX/OO1/3 O")
    analysis = analyse(won)
    assert (analysis.method, analysis.value, analysis.distance, analysis.best, words.hint(analysis)) == (
        "rules",
        "loss",
        0,
        (),
        "",
    )
    assert analyse(noughts.position("3x3", "XOX/XOO/OXX X")).value == "draw"
    end = game("duel,size=2").start()
    for move in ("a1", "b1", "pass", "a2", "pass", "b2"):
        end = end.play(move)
    assert analyse(end).evaluation == Proven("win", 0, 4)
    check(analyse(end), None)


def test_the_middle_of_an_empty_gomoku_board_has_an_estimate():
    analysis = analyse(noughts.position("gomoku"), Limits(nodes=20_000))
    assert [analysis.position.game.move_name(move) for move in analysis.best] == ["h8"]
    assert analysis.estimate.by == "engine"
    assert None not in analysis.moves.values()


def test_a_forced_win_of_the_engine_is_proven_within_plies():
    position = noughts.position("gomoku")
    for move in "h8 a1 h9 a3 h10 a5".split():
        position = position.play(move)
    analysis = analyse(position, Limits(nodes=2000))
    assert analysis.value == "win"
    assert (analysis.distance or analysis.evaluation.within) <= 5
    check(analysis, None)


def test_three_players_are_estimated_until_somebody_wins_at_once():
    position = game("5x5,k=4,players=3").start().play("c3")
    analysis = analyse(position, QUICK)
    assert analysis.estimate.by == "mcts"
    near = game("5x5,k=4,players=3").position("XXX2/OOO2/AA3/5/5 O")
    analysis = analyse(near, QUICK)
    assert (analysis.value, analysis.distance, analysis.method) == ("win", 1, "rules")
    assert [near.game.move_name(move) for move in analysis.best] == ["d2"]


def test_large_boards_are_seen_through_a_window():
    position = game("1000x1000,k=5").start()
    for move in ("a1", "b1", "a2", "b2"):
        position = position.play(move)
    analysis = analyse(position, QUICK)
    check(analysis, QUICK)
    assert analysis.estimate is not None
    column, row = position.game.grid.coordinates(analysis.best[0])[1:]
    assert max(column, row) < 20


@pytest.mark.parametrize(
    ("rows", "turn", "value", "distance", "best"),
    [
        ("XXXX21/OOO22", "X", "win", 1, ["e1"]),
        ("1XXXX20/OOO22", "O", "loss", 2, ["a1", "f1"]),
    ],
)
def test_large_boards_prove_what_happens_at_once(rows, turn, value, distance, best):
    position = game("25x25,k=5").position(rows + "/25" * 23 + f" {turn}")
    analysis = analyse(position, QUICK)
    assert (analysis.value, analysis.distance, analysis.method) == (value, distance, "rules")
    assert [position.game.move_name(move) for move in analysis.best] == best
    check(analysis, QUICK)


def test_a_window_never_proves_anything():
    """The same forced win is proven when the kernel sees the whole board, and an estimate when it sees a part."""
    moves = "h8 a1 h9 a3 h10 a5".split()
    for spec, proven in (("15x15,k=5", True), ("30x30,k=5", False)):
        position = game(spec).start()
        for move in moves:
            position = position.play(move)
        analysis = analyse(position, QUICK)
        assert analysis.proven is proven
        assert all(worth is None or worth.proven is False for worth in analysis.moves.values()) is not proven
    assert analysis.estimate.score > 0.5


def test_stones_too_far_apart_leave_it_unknown():
    position = game("1000x1000,k=5").start().play("a1").play("alk999")
    analysis = analyse(position, QUICK)
    assert (analysis.evaluation, analysis.best, analysis.method) == (None, (), "none")
    assert words.summary(analysis) == "X: unknown"
    assert words.hint(analysis) == "no move found in the time given"
    check(analysis, QUICK)
    wide = game("1000x1000,k=1000").start().play("a1")
    assert analyse(wide, QUICK).evaluation is None
    assert analyse(game("duel,size=1000").start(), QUICK).evaluation is None


def test_games_without_tables_are_analysed_by_the_reference(monkeypatch):
    path = Path(__file__).parents[2] / "examples" / "chomp.py"
    spec = importlib.util.spec_from_file_location("chomp", path)
    chomp = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "chomp", chomp)
    spec.loader.exec_module(chomp)
    start = chomp.Chomp(size=(3, 3)).start()
    analysis = analyse(start, Limits(seconds=60))
    assert (analysis.value, analysis.method) == ("win", "solver")
    assert [start.game.move_name(move) for move in analysis.best] == ["b2"]
    large = chomp.Chomp(size=(6, 6)).start()
    analysis = analyse(large, Limits(nodes=200))
    assert analysis.estimate.by == "mcts"
    assert analysis.estimate.high - analysis.estimate.low > 0.1


def test_hints():
    known, guessed = analyse(noughts.position("3x3", "XO1/3/3 X")), analyse(noughts.position("hex"), QUICK)
    assert words.hint(known) == "a2 wins in 3 moves (proven)"
    assert words.hint(known, details=True) == "a2 wins in 3 moves (proven: win in 5)"
    assert words.hint(guessed).endswith(" looks best (estimate)")
    assert " looks best (estimate: about " in words.hint(guessed, details=True)


def test_a_stop_ends_it_with_what_is_known():
    analysis = analyse(noughts.position("gomoku").play("h8"), Limits(seconds=600, stop=lambda: True))
    check(analysis, None)
    assert not analysis.proven


def test_progress_is_told():
    heard = []
    analyse(noughts.position("9x9,k=5"), Limits(seconds=1.5, progress=heard.append))
    assert heard


def test_words():
    assert words.evaluation(Proven("win", 5)) == "win in 5"
    assert words.evaluation(Proven("loss", None, None, 12)) == "loss within 12"
    assert words.evaluation(Proven("draw", 16, 0)) == "draw"
    assert words.evaluation(Proven("loss", 9, -4)) == "loss by 4 tiles"
    assert words.evaluation(Proven("win", 3, 1)) == "win by 1 tile"
    assert words.evaluation(Estimate(0.2, 0.0, 0.5, "mcts", 100)) == "about 60% (50–75%)"
    assert Estimate(0.2, 0.0, 0.5, "mcts", 100).flipped() == Estimate(-0.2, -0.5, -0.0, "mcts", 100)
    assert Proven("win", 5, 3).flipped().later() == Proven("loss", 6, -3)
    for worth in (None, Proven("win", 5, 3, 9), Estimate(0.2, 0.0, 0.5, "mcts", 100)):
        assert evaluation_from_json(json.loads(json.dumps(evaluation_to_json(worth)))) == worth
