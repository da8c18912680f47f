"""One voice: the value, the best moves, the map of moves and the hint come from one analysis and agree."""

import random

import pytest

import noughts
from noughts.analysis import Estimate, Proven, analyse
from noughts.games import game
from noughts.players import Limits
from tests.strategies import all_specs

BUDGETS = (1, 60, 1_000, 8_000)


def some_positions(spec, count):
    """Positions of random games, from the opening to near the end, none of them over."""
    rng = random.Random(f"voice {spec}")
    found = []
    while len(found) < count:
        positions = [game(spec).start()]
        # Random games on huge boards would never end.
        while positions[-1].outcome is None and len(positions) < 60:
            positions.append(positions[-1].play(positions[-1].legal_moves.pick(rng)))
        found += [position for position in rng.sample(positions, min(3, len(positions))) if position.outcome is None]
    return found[:count]


def agrees(analysis):
    """Check all that must hold between the parts of an analysis."""
    moves, best = analysis.moves, analysis.best
    whole = analysis.evaluation
    assert set(best) <= set(moves)
    if whole is None:
        assert not any(isinstance(worth, Proven) and worth.value == "win" for worth in moves.values())
        return
    assert best
    top = moves[best[0]]
    assert top is not None
    if isinstance(whole, Proven):
        # Another move may be quicker as long as not all are known.
        loosened = Proven(top.value, None, None, top.distance if top.margin is None else top.within)
        assert whole in (top, loosened)
        assert all(moves[move].rank == top.rank for move in best)
        assert analysis.bounds == (whole.value, whole.value)
        if whole.value == "loss" and analysis.position.game.grid.cells <= 400:
            assert all(worth.value == "loss" for worth in moves.values())
    else:
        assert whole.score == top.score
        assert not any(isinstance(worth, Proven) and worth.value == "win" for worth in moves.values())
        assert top == whole or (top == Proven("draw", top.distance, top.margin, top.within) and whole.low == 0)
    for move, worth in moves.items():
        if worth is None:
            continue
        assert worth.score <= whole.score
        if isinstance(whole, Proven) and isinstance(worth, Proven) and (worth.distance, worth.margin) != (None, None):
            assert worth.rank <= top.rank
            assert worth.rank < top.rank or move in best
    if analysis.line:
        assert analysis.line[0] == best[0]


@pytest.mark.parametrize("spec", all_specs())
def test_the_parts_of_an_analysis_agree(spec):
    for number, position in enumerate(some_positions(spec, 8)):
        agrees(analyse(position, Limits(nodes=BUDGETS[number % len(BUDGETS)])))


@pytest.mark.parametrize("spec", ["3x3", "4x4,misere", "hex,size=4", "duel,size=3", "connect4,size=4x5"])
def test_moves_that_mirror_each_other_are_worth_the_same(spec):
    for position in some_positions(spec, 10):
        analysis = analyse(position, Limits(nodes=400))
        worths = {}
        for move in position.legal_moves:
            worths.setdefault(position.play(move).canonical_key(), set()).add(analysis.moves[move])
        assert all(len(same) == 1 for same in worths.values())


@pytest.mark.parametrize("nodes", [30_000, 100_000, 400_000])
def test_who_has_a_proven_win_has_a_move_for_it(nodes):
    """A duel can be proven won before it is known by how many tiles."""
    position = noughts.position("peaceful,size=5")
    for move in ("c3", "c4", "d3", "b4", "b3"):
        position = position.play(move)
    agrees(analyse(position, Limits(nodes=nodes)))


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("gomoku", ""),
        ("gomoku", "h8"),
        ("gomoku", "h8 i9"),
        ("19x19,k=5", ""),
        ("hex", ""),
        ("qubic", ""),
        ("10x10,k=5", ""),
    ],
)
def test_large_boards_show_many_candidates(spec, moves):
    position = noughts.position(spec)
    for move in moves.split():
        position = position.play(move)
    analysis = analyse(position, Limits(nodes=20_000))
    assert sum(worth is not None for worth in analysis.moves.values()) >= min(30, len(position.legal_moves))
    agrees(analysis)


def test_a_forced_answer_shows_what_happens_otherwise():
    """Four in a row has to be stopped: every other move loses, and says so."""
    position = noughts.position("gomoku")
    for move in "h8 i9 h9 a1 h10 a3 h11 h12".split():
        position = position.play(move)
    position = position.play("a15")
    position = noughts.position("gomoku", position.text)
    analysis = analyse(position, Limits(nodes=40_000))
    agrees(analysis)
    assert sum(worth is not None for worth in analysis.moves.values()) >= 10


def on_the_edge(position, move):
    _, row, column = position.game.grid.coordinates(move)
    return {row, column} & {0, position.game.grid.cols - 1}


@pytest.mark.parametrize("spec", ["hex,size=7", "hex"])
@pytest.mark.parametrize("nodes", [500, 5_000, 20_000])
def test_hints_in_hex_are_sensible_from_the_start(spec, nodes):
    """The first stone belongs into the middle, and no answer into a corner."""
    start = noughts.position(spec)
    grid = start.game.grid
    for position in (start, start.play(grid.cells // 2), start.play(1), start.play(grid.cols + 2)):
        analysis = analyse(position, Limits(nodes=nodes))
        agrees(analysis)
        assert analysis.best[0] not in grid.corners()
        assert position.cells or not on_the_edge(position, analysis.best[0])


def test_hints_in_hex_beat_those_of_random_games():
    """What a tree search prefers used to be the hint."""
    won = 0
    for number in range(8):
        position = noughts.position("hex,size=7").play(8 + 5 * (number // 2))
        while position.outcome is None:
            if len(position.cells) % 2 == number % 2:
                position = position.play(analyse(position, Limits(nodes=400), every=False).best[0])
            else:
                position = position.play(noughts.mcts(position, 400, seed=number).best)
        won += (position.outcome.winner == "X") == (number % 2 == 0)
    assert won >= 7


def test_an_interval_that_says_nothing_is_not_clear():
    assert not Estimate(-0.6, -1.0, 1.0, "mcts", 3).clear
    assert not Estimate(0.1, -0.5, 0.6, "mcts", 30).clear
    assert Estimate(0.1, -0.3, 0.5, "mcts", 300).clear
    assert Estimate(0.6, 0.0, 1.0, "engine", 300).clear
    assert Estimate(0.6, 0.0, 1.0, "engine", 300).to_json()["clear"] is True
    assert Estimate(-0.6, -1.0, 1.0, "mcts", 3).note().facts["clear"] is False
