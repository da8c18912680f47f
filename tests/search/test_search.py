import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.core import Outcome
from noughts.errors import PlayerError, SearchError
from noughts.games import game, position
from noughts.search import (
    WIN,
    Table,
    alphabeta,
    board_order,
    centre_first,
    deepening,
    mcts,
    minimax,
    negamax,
    tile_margin,
    win_soon,
)
from noughts.search.negamax import Bound, Entry, Negamax
from noughts.search.zobrist import Zobrist
from tests.strategies import SMALL_SPECS, games_played

TWO_PLAYER = [spec for spec in SMALL_SPECS if "players" not in spec]


def endgame(data, spec, empties=5):
    """A position of a random game close enough to its end for plain minimax."""
    positions = [
        moment
        for moment in data.draw(games_played(spec, finished=True))[:-1]
        if moment.game.grid.cells - len(moment.cells) <= empties
    ]
    return data.draw(st.sampled_from(positions)) if positions else None


@pytest.mark.parametrize("spec", TWO_PLAYER)
@settings(max_examples=25)
@given(st.data())
def test_every_search_agrees_with_minimax(spec, data):
    start = endgame(data, spec)
    if start is None:
        return
    worth = tile_margin if "duel" in spec else win_soon
    plain = minimax(start, worth=worth)
    assert plain.complete
    pruned = alphabeta(start, worth=worth)
    assert (pruned.move, pruned.score) == (plain.move, plain.score)
    assert pruned.nodes <= plain.nodes
    assert (pruned.nodes == plain.nodes) or pruned.cutoffs
    for found in (
        negamax(start, worth=worth),
        negamax(start, worth=worth, table=Table(1)),
        deepening(start, worth=worth),
        deepening(start, worth=worth, table=Table(7)),
    ):
        assert (found.move, found.score, found.complete) == (plain.move, plain.score, True)


@pytest.mark.parametrize("spec", ["3x3", "4x4", "hex,size=3", "duel,size=3"])
@pytest.mark.parametrize("depth", [1, 2, 3])
@settings(max_examples=15)
@given(st.data())
def test_searches_agree_at_a_limited_depth(spec, depth, data):
    start = endgame(data, spec, empties=9)
    if start is None:
        return
    plain, pruned = minimax(start, depth=depth), alphabeta(start, depth=depth)
    assert (pruned.move, pruned.score) == (plain.move, plain.score)
    assert plain.depth <= depth
    assert negamax(start, depth=depth, table=Table(1)).score == plain.score


def test_a_win_is_worth_more_than_any_depth():
    won, lost = Outcome("X", "line"), Outcome("O", "line")
    assert win_soon(won, "X", 1) > win_soon(won, "X", 3) > win_soon(won, "X", 10**6) > 0
    assert win_soon(lost, "X", 1) < win_soon(lost, "X", 3) < win_soon(lost, "X", 10**6) < 0
    assert win_soon(Outcome(None, "full"), "X", 5) == 0


def test_a_deep_win_on_4x4_is_a_win():
    start = position("4x4", "XOX1/OXO1/4/O2X X")
    assert minimax(start).score > WIN / 2


@pytest.mark.parametrize(
    ("text", "move", "score"),
    [
        ("XX1/OO1/3 X", "c1", WIN - 1),
        ("XX1/1O1/3 O", "c1", 0),
        ("X2/1O1/2X O", "b1", 0),
        ("3/3/3 X", "a1", 0),
        ("X2/3/3 O", "b2", 0),
        ("XO1/3/3 X", "a2", WIN - 5),
        ("XX1/1O1/O2 O", "c1", WIN - 1),
        ("OXX/1X1/O1X O", "a2", WIN - 1),
    ],
)
def test_known_positions(text, move, score):
    start = position("3x3", text)
    for found in (alphabeta(start), negamax(start), deepening(start)):
        assert (start.game.move_name(found.move), found.score) == (move, score)


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere", "hex,size=3"])
def test_symmetric_positions_have_the_same_value(spec):
    start = game(spec).start().play("a1")
    table = Table()
    assert len({negamax(image, table=table).score for image in start.symmetric()}) == 1


def test_a_narrow_window_leaves_no_false_score_behind():
    """A search cut off by its window stores a bound, never an exact score."""
    start = position("3x3", "X2/1O1/3 X")
    truth = negamax(start).score
    for window in [(WIN - 3, WIN - 2), (-WIN, 2 - WIN), (5, 6), (-6, -5), (-1, 1)]:
        search = Negamax()
        search.value(start, search.zobrist.key(start), start.turn, 0, *window)
        assert negamax(start, table=search.table).score == truth
        for move in start.legal_moves:
            after = start.play(move)
            if after.outcome is None:
                assert negamax(after, table=search.table).score == negamax(after).score


def test_a_table_entry_is_used_only_as_far_as_it_goes():
    start = position("3x3", "X2/1O1/3 X")
    key = Zobrist().key(start)
    for entry, uses in [
        (Entry(100, Bound.EXACT, 42, 1), True),
        (Entry(2, Bound.EXACT, 42, 1), False),
        (Entry(100, Bound.LOWER, 42, 1), False),
        (Entry(100, Bound.UPPER, 42, 1), False),
    ]:
        table = Table()
        table.put(key, entry)
        search = Negamax(depth=9, table=table)
        value = search.value(start, key, "X", 0, -WIN, WIN)
        assert (value == 42) == uses
    table.put(key, Entry(100, Bound.LOWER, 42, 1))
    assert Negamax(depth=9, table=table).value(start, key, "X", 0, 0, 40) == 42


def test_a_table_keeps_to_its_size():
    table = Table(3)
    for key in range(10):
        table.put(key, Entry(1, Bound.EXACT, key, 0))
    assert len(table) == 3
    assert [key for key in range(10) if table.get(key)] == [7, 8, 9]


@pytest.mark.parametrize("spec", SMALL_SPECS)
@settings(max_examples=25)
@given(st.data())
def test_zobrist_keys_follow_moves(spec, data):
    zobrist = Zobrist()
    positions = data.draw(games_played(spec))
    key = zobrist.key(positions[0])
    for before, after in zip(positions, positions[1:], strict=False):
        key = zobrist.follow(key, before, after)
        assert key == zobrist.key(after)
    assert len({zobrist.key(moment) for moment in positions}) == len(set(positions))


def test_deepening_keeps_its_limits_and_says_how_far_it_got():
    start = game("4x4").start()
    found = deepening(start, nodes=3000)
    assert found.nodes <= 3001
    assert not found.complete
    assert found.depth >= 1
    assert deepening(start, depth=2).depth == 2
    assert deepening(start, nodes=1).depth == 0
    assert deepening(start, seconds=0).nodes <= 512
    assert deepening(start, stop=lambda: True).nodes <= 512
    rounds = []
    deepening(start, depth=3, on_round=rounds.append)
    assert [result.depth for result in rounds] == [1, 2, 3]


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere", "hex,size=3", "hex,size=3,swap", "connect4,size=3,k=3"])
def test_centre_first_saves_half_the_work_and_keeps_the_answer(spec):
    start = game(spec).start()
    plain, ordered = alphabeta(start, order=board_order), alphabeta(start)
    assert (ordered.move, ordered.score, ordered.complete) == (plain.move, plain.score, True)
    if spec == "3x3":
        assert ordered.nodes < plain.nodes / 2


def test_the_centre_comes_first_then_corners_then_edges():
    start = position("4x4", "X3/1O2/4/4 X")
    names = list(map(start.game.move_name, centre_first(start)))
    assert names[:6] == ["c2", "b3", "c3", "d1", "a4", "d4"]
    assert names[6:] == ["b1", "c1", "a2", "d2", "a3", "d3", "b4", "c4"]
    swappable = game("hex,size=3,swap").start().play("a1")
    assert sorted(centre_first(swappable)) == sorted(swappable.legal_moves)


def test_ordering_saves_work_and_keeps_the_answer():
    start = position("4x4", "X3/1O2/4/4 X")
    plain = alphabeta(start, depth=4, order=board_order)
    ordered = deepening(start, depth=4)
    assert ordered.score == plain.score
    assert ordered.nodes < plain.nodes


@pytest.mark.parametrize("search", [minimax, alphabeta, negamax, deepening])
def test_two_player_searches_say_that_they_are(search):
    with pytest.raises(SearchError, match="is for two players; 5x5,k=4,players=3 has 3"):
        search(game("5x5,k=4,players=3").start())


@pytest.mark.parametrize("search", [minimax, alphabeta, negamax, deepening, mcts])
def test_a_finished_game_is_not_searched(search):
    with pytest.raises(PlayerError, match="the game is over, X wins"):
        search(position("3x3", "XXX/OO1/3 X"))


@pytest.mark.parametrize("spec", ["3x3", "4x4,players=4,k=3", "hex,size=4,swap", "duel,size=3", "3x3,misere"])
def test_mcts_is_reproducible_and_legal(spec):
    start = game(spec).start().play(game(spec).start().legal_moves[0])
    one, two = mcts(start, simulations=200, seed=5), mcts(start, simulations=200, seed=5)
    assert one == two
    assert one.move in start.legal_moves
    assert one.nodes == 200
    assert -1 <= one.score <= 1


def test_mcts_wins_blocks_and_keeps_its_limits():
    assert mcts(position("3x3", "XX1/OO1/3 X"), simulations=300, seed=1).move == 2
    assert mcts(position("3x3", "XX1/O2/3 O"), simulations=500, seed=1).move == 2
    three = position("3x3,players=3", "XX1/OO1/3 A")
    assert mcts(three, simulations=2000, seed=1).move == 2
    assert mcts(game("4x4").start(), simulations=None, seconds=0.05, seed=1).nodes >= 1
    assert mcts(game("4x4").start(), stop=lambda: True).nodes == 1
    assert mcts(game("100x100,k=5").start(), simulations=2, longest=10, seed=1).score == 0
    results = []
    mcts(game("3x3").start(), simulations=600, on_result=results.append)
    assert [result.nodes for result in results] == [256, 512]
    with pytest.raises(ValueError, match="simulations or of seconds"):
        mcts(game("3x3").start(), simulations=None)
