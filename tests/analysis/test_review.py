"""Reviews: grades compared with plain recursion, limits, and records of whole matches."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.analysis import Estimate, Proven, review
from noughts.games import game
from noughts.match import MakeMove, Resign, StartGame, Store, Undo, dump, read
from noughts.players import Limits
from noughts.terminal import words
from tests.strategies import all_specs, games_played
from tests.truth import SMALL, Truth

ENOUGH = Limits(nodes=10_000_000)


def positions_of(spec, moves):
    positions = [game(spec).start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def graded(spec, moves, limits=ENOUGH):
    return review(positions_of(spec, moves), limits)


def expected(truth, position, move):
    """The grade as docs/analysis.md defines it."""
    before, after = truth.of(position), truth.after(position, move)
    if (after[0] > 0) - (after[0] < 0) < (before[0] > 0) - (before[0] < 0):
        return "blunder"
    return "best" if truth.rank(after) == truth.rank(before) else "inaccuracy"


@pytest.mark.parametrize("spec", SMALL)
def test_grades_are_what_plain_recursion_says(spec):
    truth, rng = Truth(spec), random.Random(spec)
    seen = set()
    for _ in range(12):
        positions = [game(spec).start()]
        while positions[-1].outcome is None:
            positions.append(positions[-1].play(positions[-1].legal_moves.pick(rng)))
        found = review(positions, ENOUGH)
        assert len(found.moves) == len(positions) - 1
        for position, move in zip(positions, found.moves, strict=False):
            assert move.proven
            assert (move.mark, move.move) == (position.turn, positions[move.ply].last)
            assert move.grade == expected(truth, position, move.move)
            assert (move.before.value, move.after.value) == (
                truth.proven(truth.of(position))[0],
                truth.proven(truth.after(position, move.move))[0],
            )
            if move.better is not None:
                assert truth.rank(truth.after(position, move.better)) == truth.rank(truth.of(position))
                assert move.line[0] == move.better
            assert (move.better is None) == (move.grade == "best")
            seen.add(move.grade)
    assert "best" in seen


def test_a_known_blunder():
    """Answering the centre with an edge loses; missing the win is the next blunder."""
    found = graded("3x3", ["b2", "b1", "c3", "a1", "c1", "a3", "c2"])
    assert [move.grade for move in found.moves] == ["best", "blunder", "best", "best", "best", "best", "best"]
    bad = found.moves[1]
    assert (bad.before, bad.after) == (Proven("draw"), Proven("loss", 6))
    assert found.positions[1].game.move_name(bad.better) == "a1"
    assert words.graded(bad, found.positions[0].game) == "b1 blunder, proven: draw became loss in 6; better a1"
    assert words.graded(found.moves[0], found.positions[0].game) == "b2 best, proven: draw"
    x, o = found.summaries
    assert (x.mark, x.moves, x.accuracy) == ("X", 4, 1.0)
    assert (o.grades["blunder"], o.grades["best"], o.accuracy) == (1, 2, pytest.approx(2 / 3))


def test_a_slower_win_is_inaccurate_and_no_more():
    found = graded("4x4,k=3", ["b2", "a4", "b3", "b1", "c3"])
    slow = found.moves[-1]
    assert (slow.grade, slow.before, slow.after) == ("inaccuracy", Proven("win", 1), Proven("win", 3))
    assert found.positions[0].game.move_name(slow.better) == "b4"


def test_the_only_move_is_never_blamed():
    found = graded("duel,size=2", ["a1", "b1", "pass", "a2", "pass", "b2"])
    assert [move.forced for move in found.moves] == [False, False, True, False, True, True]
    assert all(move.grade == "best" for move in found.moves if move.forced)


def test_a_record_is_reviewed_as_it_was_played():
    store = Store(clock=lambda: 1.0)
    store.dispatch(StartGame(game="3x3", first="O"))
    for player, move in (("O", "b2"), ("X", "b1"), ("O", "a3")):
        store.dispatch(MakeMove(player=player, move=move))
    store.dispatch(Undo())
    store.dispatch(Resign(player="X"))
    record = read(dump(store.actions))
    for match in (store.state, record):
        found = review(match, ENOUGH)
        assert [(move.mark, move.grade) for move in found.moves] == [("O", "best"), ("X", "blunder")]
        assert found.resigned == "X"
    data = json.loads(json.dumps(found.to_json()))
    assert (data["game"], data["position"], data["resigned"]) == ("3x3", "3/3/3 O", "X")
    assert data["moves"][1]["player"] == "X"
    assert data["moves"][1]["better"] == "a1"
    assert data["moves"][1]["before"]["value"] == "draw"
    assert data["players"][0]["grades"]["blunder"] == 1


def test_nothing_to_review():
    assert review([noughts.position("3x3")], ENOUGH).moves == ()


def test_estimates_are_graded_by_estimates():
    """A wasted move on a large board is not proven bad, but every estimate is much worse."""
    moves = "h8 i9 h9 h7 g8 i8 i10 f8 a1".split()
    found = graded("gomoku", moves, Limits(nodes=3_000))
    opening = found.moves[0]
    assert not opening.proven
    assert isinstance(opening.after, Estimate)
    assert opening.grade in ("best", "good")
    assert found.moves[-1].grade in ("mistake", "blunder")
    assert found.moves[-1].better is not None
    assert not any(move.grade == "blunder" and not move.proven for move in found.moves)


@pytest.mark.parametrize("spec", all_specs())
@settings(max_examples=2)
@given(data=st.data())
def test_every_game_can_be_reviewed(spec, data):
    positions = data.draw(games_played(spec))[-6:]
    found = review(positions, Limits(nodes=500))
    assert [move.ply for move in found.moves] == list(range(1, len(positions)))
    for position, move in zip(positions, found.moves, strict=False):
        assert move.grade != "blunder" or (move.proven and move.after.score < move.before.score)
        assert move.grade != "mistake" or not move.proven
        assert move.better is None or move.better in position.legal_moves
        assert move.forced == (len(position.legal_moves) == 1)
        at = position
        for step in move.line:
            at = at.play(step)
    json.dumps(found.to_json())


def test_a_stop_leaves_the_earlier_moves_unknown():
    positions = positions_of("4x4", ["a1", "b2", "c3", "d4", "a2", "a3"])
    done = []

    def report(news):
        if news.stage == "review":
            done.append(news.depth)

    found = review(positions, Limits(seconds=60, stop=lambda: len(done) >= 2, progress=report))
    assert done == [1, 2, 3, 4, 5, 6]
    assert [move.grade == "unknown" for move in found.moves] == [True, True, True, True, False, False]
    assert found.stopped == "cancelled"
    assert found.summaries[0].grades["unknown"] == 2
    assert words.graded(found.moves[0], positions[0].game) == "a1 unknown"


def test_what_one_position_leaves_goes_to_the_others(monkeypatch):
    """Each position gets its share of the time that is left, and nothing here takes any."""
    given = []

    def instant(position, limits, **_):
        given.append(limits.seconds)
        return noughts.analyse(noughts.position("3x3", "XXX/OO1/3 X"))

    monkeypatch.setattr("noughts.analysis.grades.study", instant)
    review(positions_of("3x3", ["a1", "b1", "c1"]), Limits(seconds=8.0))
    assert given == [pytest.approx(8 / parts, rel=0.1) for parts in (4, 3, 2, 1)]
