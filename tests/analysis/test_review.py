"""Reviews: grades compared with plain recursion, limits, and records of whole matches."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.analysis import Estimate, Proven, review
from noughts.analysis.grades import doubt, grade_of
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


def has_proof(move):
    """Whether one side of a move is proven: estimates alone call nothing a blunder."""
    return isinstance(move.before, Proven) or isinstance(move.after, Proven)


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
    assert words.graded(bad, found.positions[0].game) == "blunder: b1 lets X win in 3 moves; better a1"
    assert words.graded(bad, found.positions[0].game, details=True) == (
        "blunder: b1 lets X win in 3 moves; better a1 (proven: draw became loss in 6)"
    )
    assert words.graded(found.moves[0], found.positions[0].game) == "best: b2"
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
    assert all(has_proof(move) for move in found.moves if move.grade == "blunder")


def test_a_four_left_open_and_a_five_missed_are_blunders():
    """Neither side of these moves is proven by the other: X plays elsewhere with a five on the board."""
    found = graded("gomoku", "h8 k11 h9 d9 h7 h6 e9 i7 h10 i8 h5 h11".split(), Limits(nodes=2_000))
    name = found.positions[0].game.move_name
    left_open, missed = found.moves[9:11]
    assert (left_open.grade, name(left_open.better), left_open.after) == ("blunder", "h11", Proven("loss", 2))
    assert (missed.grade, name(missed.better), missed.before) == ("blunder", "h11", Proven("win", 1))
    assert not left_open.proven
    assert not missed.proven
    assert found.moves[11].grade == "best"
    assert [summary.grades["blunder"] for summary in found.summaries] == [1, 1]


def test_missing_a_five_where_another_is_left_is_inaccurate():
    """An open four wins a move later just as well, which a second search finds out."""
    found = graded("gomoku", "h8 a1 h9 a3 h10 a5 h11 a7 o15 a9 h12".split(), Limits(nodes=2_000))
    assert (found.moves[8].before, found.moves[8].after) == (Proven("win", 1), Proven("win", 3))
    assert found.moves[8].grade == "inaccuracy"
    assert found.moves[9].grade == "best", "an open four is lost whatever one plays"


@pytest.mark.parametrize(
    ("spec", "moves", "blunders"),
    [
        # Beyond the kernel's boards only the rules see a five: X misses it, then O leaves it open.
        ("25x25,k=5", "m13 a1 m14 a3 m15 a5 m16 m17 y25 c9 m12", [9, 10]),
        # Three players: nobody can stop three in a row with two open ends, but X does not see them;
        ("6x6,k=4,players=3", "b2 b3 f6 c2 c3 f5 d2 a6 f1 f3 d3", [10]),
        # with one end closed the last to move before X can stop it, and does not.
        ("6x6,k=4,players=3", "b2 b3 f6 c2 c3 f5 d2 a2 f1 e2", [9]),
    ],
)
def test_wins_on_the_spot_count_where_nothing_is_solved(spec, moves, blunders):
    found = graded(spec, moves.split(), Limits(nodes=300))
    assert [move.ply for move in found.moves if move.grade == "blunder"] == blunders


WIN, DRAW, LOSS, FAR_WIN, FAR_LOSS = (
    Proven("win", 5),
    Proven("draw"),
    Proven("loss", 6),
    Proven("win", within=17),
    Proven("loss", within=18),
)
HIGH, EVEN, LOW = (
    Estimate(0.8, 0.6, 1.0, "engine", 100),
    Estimate(0.0, -0.2, 0.2, "engine", 100),
    Estimate(-0.8, -1.0, -0.6, "engine", 100),
)


@pytest.mark.parametrize(
    ("before", "after", "grade", "as_best"),
    [
        (WIN, WIN, "best", "best"),
        (WIN, Proven("win", 7), "inaccuracy", "best"),
        (WIN, DRAW, "blunder", "blunder"),
        (WIN, LOSS, "blunder", "blunder"),
        (WIN, HIGH, "blunder", "blunder"),
        (WIN, None, "blunder", "blunder"),
        (FAR_WIN, HIGH, "good", "good"),
        (FAR_WIN, EVEN, "blunder", "blunder"),
        (FAR_WIN, None, "blunder", "blunder"),
        (FAR_WIN, Proven("win", within=30), "good", "best"),
        (DRAW, DRAW, "best", "best"),
        (DRAW, LOSS, "blunder", "blunder"),
        (DRAW, EVEN, "good", "best"),
        (DRAW, LOW, "mistake", "best"),
        (DRAW, None, "unknown", "best"),
        (LOSS, LOSS, "best", "best"),
        (LOSS, Proven("loss", 2), "inaccuracy", "best"),
        (LOSS, LOW, "good", "best"),
        (LOSS, None, "good", "best"),
        (HIGH, WIN, "best", "best"),
        (HIGH, DRAW, "mistake", "best"),
        (EVEN, DRAW, "good", "best"),
        (LOW, DRAW, "good", "best"),
        (HIGH, LOSS, "blunder", "blunder"),
        (LOW, LOSS, "blunder", "blunder"),
        (LOW, FAR_LOSS, "good", "good"),
        (Estimate(-0.6, -0.8, -0.4, "engine", 1), FAR_LOSS, "inaccuracy", "inaccuracy"),
        (EVEN, FAR_LOSS, "blunder", "blunder"),
        (None, LOSS, "blunder", "blunder"),
        (None, WIN, "best", "best"),
        (None, DRAW, "unknown", "unknown"),
        (HIGH, EVEN, "mistake", "best"),
        (EVEN, HIGH, "good", "best"),
        (HIGH, None, "unknown", "best"),
        (None, EVEN, "unknown", "unknown"),
        (None, None, "unknown", "unknown"),
    ],
)
def test_the_table_of_rules(before, after, grade, as_best):
    assert grade_of(before, after, is_best=False) == grade
    assert grade_of(before, after, is_best=True) == as_best


@pytest.mark.parametrize(
    ("before", "after", "side"),
    [
        (WIN, HIGH, "after"),
        (DRAW, None, "after"),
        (LOSS, LOW, None),
        (HIGH, LOSS, "before"),
        (None, DRAW, "before"),
        (LOW, WIN, None),
        (WIN, LOSS, None),
        (HIGH, LOW, None),
        (None, None, None),
    ],
)
def test_the_side_that_is_searched_again(before, after, side):
    assert doubt(before, after) == side


@pytest.mark.parametrize("spec", all_specs())
@settings(max_examples=2)
@given(data=st.data())
def test_every_game_can_be_reviewed(spec, data):
    positions = data.draw(games_played(spec))[-6:]
    found = review(positions, Limits(nodes=500))
    assert [move.ply for move in found.moves] == list(range(1, len(positions)))
    for position, move in zip(positions, found.moves, strict=False):
        assert move.grade != "blunder" or has_proof(move)
        assert not (move.grade == "blunder" and move.proven) or move.after.score < move.before.score
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
    assert words.graded(found.moves[0], positions[0].game) == "unknown: a1"


def test_what_one_position_leaves_goes_to_the_others(monkeypatch):
    """Each position gets its share of the time that is left, and nothing here takes any."""
    given = []

    def instant(position, limits, **_):
        given.append(limits.seconds)
        return noughts.analyse(noughts.position("3x3", "XXX/OO1/3 X"))

    monkeypatch.setattr("noughts.analysis.reviews.study", instant)
    review(positions_of("3x3", ["a1", "b1", "c1"]), Limits(seconds=8.0))
    assert given == [pytest.approx(8 / parts, rel=0.1) for parts in (4, 3, 2, 1)]
