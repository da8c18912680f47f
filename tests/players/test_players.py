import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.compute.value import Proven
from noughts.errors import InvalidPlayer, PlayerError
from noughts.games import game, position
from noughts.games.duel import score_duel
from noughts.note import note
from noughts.players import Limits, all_players, player
from tests.strategies import SMALL_SPECS, games_played

QUICK = {
    "minimax": "minimax,depth=2",
    "mcts": "mcts,simulations=30",
    "engine": "engine,seconds=0.05",
    "perfect": "perfect,seconds=0.1",
    "q": "q,path=run",
    "td": "td,path=run",
    "process": "process,cmd=./brain",
}

LEARNED = {"q", "td"}
"""They know the one game they learned; test_learning.py has them."""


def test_players_are_found_by_themselves():
    assert set(all_players()) >= {"random", "rules", "minimax", "mcts"}
    for name, kind in all_players().items():
        assert kind.name == name
        assert kind.summary


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("random", "random"),
        ("random,seed=3", "random,seed=3"),
        (f"random,seed={2**63}", f"random,seed={2**63}"),
        ("MINIMAX, depth=4", "minimax,depth=4"),
        ("minimax,seconds=3.0", "minimax"),
        ("minimax,seconds=0.5", "minimax,seconds=0.5"),
        ("mcts,simulations=500", "mcts,simulations=500"),
    ],
)
def test_specs_print_back(written, canonical):
    assert player(written).spec == canonical
    assert player(canonical) == player(written)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("minmax", "unknown player 'minmax'; did you mean 'minimax'"),
        ("", "has no name"),
        ("minimax,depth=0", "depth takes a whole number from 1"),
        ("minimax,deep=3", "the minimax player has no option 'deep'; did you mean 'depth'"),
        ("minimax,seconds=soon", "seconds takes a number from 0.001 to 3600"),
        ("random,seed=-1", "seed takes a whole number from 0"),
        (f"random,seed={2**63 + 1}", "seed takes a whole number from 0"),
        (f"random,seed={10**40}", "seed takes a whole number from 0"),
        ("random,seed", "seed takes a whole number"),
    ],
)
def test_bad_specs_are_refused(spec, message):
    with pytest.raises(InvalidPlayer, match=message):
        player(spec)


@pytest.mark.parametrize("spec", SMALL_SPECS)
@pytest.mark.parametrize(
    "name", sorted(name for name, kind in all_players().items() if not kind.local and name not in LEARNED)
)
@settings(max_examples=10)
@given(st.data())
def test_players_choose_legal_moves(spec, name, data):
    moment = data.draw(games_played(spec, finished=False))[-1]
    if name == "minimax" and len(moment.game.marks) > 2:
        return
    choice = player(QUICK.get(name, name)).choose(moment, Limits(seconds=1))
    assert choice.move in moment.legal_moves
    assert choice.note
    assert choice.seconds >= 0


@pytest.mark.parametrize("name", sorted(all_players()))
def test_a_finished_game_and_a_foreign_turn_are_refused(name):
    over = position("3x3", "XXX/OO1/3 X")
    with pytest.raises(PlayerError, match=f"{name} has nothing to choose: the game is over, X wins") as caught:
        player(QUICK.get(name, name)).choose(over)
    assert caught.value.code == "game_over"
    with pytest.raises(PlayerError, match=f"{name} plays O, but it is X's turn") as caught:
        player(QUICK.get(name, name), mark="O").choose(game("3x3").start())
    assert caught.value.code == "wrong_turn"


@pytest.mark.parametrize("spec", ["random,seed=7", "rules,seed=7", "mcts,simulations=50,seed=7"])
def test_a_seed_makes_a_player_repeat_itself(spec):
    def moves():
        who, moment, played = player(spec), game("duel,size=4").start(), []
        while moment.outcome is None:
            played.append(who.choose(moment).move)
            moment = moment.play(played[-1])
        return played

    assert moves() == moves()


@pytest.mark.parametrize(
    ("spec", "text", "move", "code"),
    [
        ("3x3", "XX1/OO1/3 X", "c1", "completes"),
        ("3x3", "XX1/O2/3 O", "c1", "blocks"),
        ("3x3", "3/3/3 X", "b2", "centre"),
        ("3x3", "3/1X1/3 O", "a1", "corner"),
        ("3x3", "XOX/1O1/OXO X", "a2", "edge"),
        ("4x4", "4/4/4/4 X", "b2", "centre"),
        ("4x4", "4/1XO1/1OX1/4 X", "a1", "corner"),
        ("4x4,corners", "X2X/1O2/1O2/4 X", "a4", "completes"),
        ("3x3,misere", "XX1/1O1/3 X", "a3", "corner"),
        ("3x3,misere", "XXO/OOX/X2 X", "c3", "corner"),
        ("3x3,misere", "XOX/OXX/OO1 X", "c3", "forced"),
        ("5x5,k=4,players=3", "OOO2/5/AAA2/5/5 X", "d1", "blocks"),
        ("3x3x3", "3/3/3|3/3/3|3/3/3 X", "b2/2", "centre"),
        ("25x25,k=5", "XXXX21/" + "25/" * 23 + "25 O", "e1", "blocks"),
    ],
)
def test_the_rules_on_lines(spec, text, move, code):
    moment = position(spec, text)
    choice = player("rules").choose(moment)
    assert (moment.game.move_name(choice.move), choice.note.code) == (move, code)


def test_the_rules_on_hex_win_and_block():
    wins = position("hex,size=3", "1X1/1X1/O2 X")
    assert wins.play(player("rules").choose(wins).move).outcome.winner == "X"
    # O must stop X from b3 and from a3 both: only one of them does.
    blocks = position("hex,size=3", "1X1/1X1/O2 O")
    assert player("rules").choose(blocks).move == blocks.game.parse_move("b3")


def test_duel_scores():
    """10 for each capture, 5 for a block, 1 for new ground."""
    moment = position("duel,size=4", "4/1R2/2G1/4 R")
    score = score_duel(moment, moment.game.parse_move("c2"))
    assert (score.captures, score.expands) == (1, True)
    assert score.total == 10 + 5 * score.blocks + 1
    assert score.blocks  # the only enemy tile is gone, so nothing can be captured next
    away = score_duel(moment, moment.game.parse_move("a2"))
    assert (away.captures, away.blocks, away.expands, away.total) == (0, False, True, 1)
    walled = position("duel,size=2x3", "RG1/1R1 R")
    corner = score_duel(walled, walled.game.parse_move("a2"))
    assert (corner.captures, corner.expands) == (0, False)
    assert moment.game.say("note", score.note()) == "captures 1, blocks, expands"


@settings(max_examples=50)
@given(st.data())
def test_the_duel_rules_take_a_best_score(data):
    moment = data.draw(games_played("duel,size=4", finished=False))[-1]
    choice = player("rules,seed=1").choose(moment)
    moves = list(moment.legal_moves)
    if moves != [-1]:
        assert score_duel(moment, choice.move).total == max(score_duel(moment, move).total for move in moves)


def test_ties_in_the_duel_are_broken_by_the_seed():
    start = game("duel").start()
    assert len({player(f"rules,seed={seed}").choose(start).move for seed in range(30)}) > 5


def test_minimax_never_loses_3x3():
    """Against every reply, in both seats."""
    who = player("minimax")

    def explore(moment, mark):
        if moment.outcome is not None:
            assert moment.outcome.score(mark) >= 0
            return
        if moment.turn == mark:
            explore(moment.play(who.choose(moment).move), mark)
        else:
            for move in moment.legal_moves:
                explore(moment.play(move), mark)

    explore(position("3x3", "1O1/1X1/3 X"), "X")
    explore(position("3x3", "X2/1O1/3 X"), "O")


def test_minimax_says_what_it_knows():
    won = player("minimax").choose(position("3x3", "XO1/3/3 X"))
    assert (won.proven, won.note) == (True, Proven("win", 5).note())
    lost = player("minimax").choose(position("3x3", "X1X/3/X1O O"))
    assert lost.note == Proven("loss", 2).note()
    assert player("minimax").choose(position("3x3", "X2/1O1/2X O")).note == Proven("draw").note()
    guess = player("minimax,depth=1").choose(game("4x4").start())
    assert (guess.proven, guess.note) == (False, note("searched", depth=1))
    rushed = player("minimax").choose(game("4x4").start(), Limits(nodes=1))
    assert rushed.note == note("no_time")
    news = []
    player("minimax,depth=2").choose(game("4x4").start(), Limits(progress=news.append))
    assert [(report.stage, report.depth) for report in news] == [("search", 1), ("search", 2)]
