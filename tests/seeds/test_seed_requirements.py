"""The requirements of the 4x4 game against an AI, one test per criterion.

``docs/seeds.md`` lists them. The rules on plain dicts that the searches are held against come from
:mod:`tests.seeds.test_seed_properties`, which states the same things as properties.
"""

import io
import random
import re
from dataclasses import dataclass, field

import pytest
from rich.console import Console

from noughts.cli import main
from noughts.core import Position
from noughts.errors import IllegalMove, MatchError, PlayerError
from noughts.match import MakeMove, StartGame, Store, reduce, save
from noughts.players import Choice, Limits, Player, player
from noughts.search import WIN, alphabeta, board_order, deepening, minimax, win_soon
from noughts.terminal.line import LineGame
from noughts.terminal.screen import Screen
from tests.seeds.test_seed_properties import (
    ANTI_DIAGONAL,
    COLUMNS,
    GAME,
    LINES,
    MAIN_DIAGONAL,
    RIVAL,
    ROWS,
    Pruned,
    brute,
    brute_values,
    cells_drawn,
    empty_cells,
    first_best,
    full_lines,
)

DRAWN = "a1 c1 b1 d1 c2 a2 d2 b2 a3 c3 b3 d3 c4 a4 d4 b4"
"""A whole game without a winner; X begins.

    X X O O
    O O X X
    X X O O
    O O X X
"""

WON_WITH_THE_LAST_CELL = "a2 c2 b2 a3 d2 d3 b3 b4 c3 a1 a4 b1 c4 c1 d4 d1"
"""A whole game in which the sixteenth mark completes the first row; O begins.

    X X X X
    O O X O
    X O O X
    O X O O
"""


def states(moves, first="X"):
    """The states of a match in which these moves are made, from the first to the last."""
    found = [reduce(None, StartGame(game="4x4", first=first, players={"X": "human", "O": "minimax"}))]
    for move in moves.split():
        found.append(reduce(found[-1], MakeMove(player=found[-1].turn, move=move)))
    return found


def random_endgames(count, *, most=6):
    """Unfinished positions with few empty cells, always the same ones."""
    rng, found = random.Random(4), []
    while len(found) < count:
        position = GAME.start(rng.choice("XO"))
        order = rng.sample(range(16), 16 - rng.randint(2, most))
        for cell in order:
            if position.outcome is None:
                position = position.play(cell)
        if position.outcome is None:
            found.append(position)
    return found


ENDGAMES = random_endgames(40)


def states_below(cells, turn):
    """The number of positions below this one, counted one by one."""
    if full_lines(cells, RIVAL[turn]) or len(cells) == 16:
        return 0
    after = [{**cells, cell: turn} for cell in empty_cells(cells)]
    return sum(1 + states_below(next_cells, RIVAL[turn]) for next_cells in after)


def completed(line, mark):
    """A match whose last move completes a line for a mark."""
    spare = [cell for cell in range(16) if cell not in line]
    cells = [cell for pair in zip(line, spare, strict=False) for cell in pair][:7]
    return states(" ".join(GAME.move_name(cell) for cell in cells), first=mark)


# 1: the board


# Feature: 4x4-tic-tac-toe-ai, Requirement 1.1
def test_board_is_four_by_four():
    assert (GAME.grid.rows, GAME.grid.cols, GAME.grid.layers) == (4, 4, 1)
    assert [GAME.move_name(cell) for cell in range(16)] == [f"{col}{row}" for row in "1234" for col in "abcd"]
    for outside in (-3, 16, "e1", "a5", "a0"):
        with pytest.raises(IllegalMove) as refused:
            GAME.start().play(outside)
        assert refused.value.code == "out_of_bounds"


# Feature: 4x4-tic-tac-toe-ai, Requirement 1.2
@pytest.mark.parametrize("first", "XO")
def test_match_starts_on_an_empty_board(first):
    state = states("", first)[0]
    assert len(state.position.cells) == 0
    assert state.position.ints() == (0,) * 16
    assert state.history == ()


# Feature: 4x4-tic-tac-toe-ai, Requirement 1.3
# Feature: 4x4-tic-tac-toe-ai, Requirement 1.4
def test_board_tells_every_cell():
    position = states("a1 d4 c2 b3 d1")[-1].position
    expected = {0: "X", 15: "O", 6: "X", 9: "O", 3: "X"}
    assert [position.cells.get(cell) for cell in range(16)] == [expected.get(cell) for cell in range(16)]
    assert position.ints() == (1, 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, -1)
    assert position.text == "X2X/2X1/1O2/3O O"


# Feature: 4x4-tic-tac-toe-ai, Requirement 1.5
def test_marked_cells_cannot_be_changed():
    position = states("a1 d4")[-1].position
    for taken, owner in (("a1", "X"), ("d4", "O")):
        with pytest.raises(IllegalMove, match=f"{taken} is already taken by {owner}"):
            position.play(taken)
    with pytest.raises(TypeError):
        position.cells[0] = "O"
    with pytest.raises(AttributeError):
        position.cells = position.cells.set(0, "O")
    after = position.play("b2")
    assert dict(position.cells) == {0: "X", 15: "O"}
    assert dict(after.cells) == {0: "X", 15: "O", 5: "X"}


# 2: moves


# Feature: 4x4-tic-tac-toe-ai, Requirement 2.1
@pytest.mark.parametrize("cell", range(16))
def test_move_marks_the_chosen_cell(cell):
    state = reduce(states("")[0], MakeMove(player="X", move=GAME.move_name(cell)))
    assert dict(state.position.cells) == {cell: "X"}


# Feature: 4x4-tic-tac-toe-ai, Requirement 2.2
def test_occupied_cell_is_refused_and_the_match_stays():
    store = Store()
    store.dispatch(StartGame(game="4x4"))
    store.dispatch(MakeMove(player="X", move="b2"))
    heard = []
    store.subscribe(lambda action, state: heard.append(action))
    state, actions = store.state, store.actions
    with pytest.raises(MatchError, match="b2 is already taken by X") as refused:
        store.dispatch(MakeMove(player="O", move="b2"))
    assert refused.value.code == "occupied"
    assert refused.value.state is store.state is state
    assert (store.actions, heard) == (actions, [])
    assert (state.turn, dict(state.position.cells)) == ("O", {5: "X"})


# Feature: 4x4-tic-tac-toe-ai, Requirement 2.3
def test_valid_move_changes_the_state_and_the_turn():
    before, after = states("c3")
    assert (before.turn, after.turn) == ("X", "O")
    assert (after.version, after.cursor) == (before.version + 1, before.cursor + 1)
    assert [(ply.player, ply.move) for ply in after.history] == [("X", 10)]
    assert dict(before.position.cells) == {}
    assert dict(after.position.cells) == {10: "X"}


# Feature: 4x4-tic-tac-toe-ai, Requirement 2.4
def test_nobody_moves_out_of_turn():
    start, after = states("a1")
    for state, wrong in ((start, "O"), (after, "X")):
        with pytest.raises(MatchError, match=f"it is {state.turn}'s turn, not {wrong}'s") as refused:
            reduce(state, MakeMove(player=wrong, move="d4"))
        assert refused.value.code == "wrong_turn"
        assert refused.value.state is state
    with pytest.raises(PlayerError) as refused_ai:
        player("minimax", mark="O").choose(start.position)
    assert refused_ai.value.code == "wrong_turn"


# Feature: 4x4-tic-tac-toe-ai, Requirement 2.5
def test_every_move_is_checked_for_an_end():
    assert [state.status for state in states("a1 a2 b1 b2 c1 c2 d1")] == ["playing"] * 7 + ["x_wins"]
    assert [state.status for state in states(DRAWN)] == ["playing"] * 16 + ["draw"]


# 3: the AI


# Feature: 4x4-tic-tac-toe-ai, Requirement 3.1
def test_ai_moves_by_minimax():
    ai = player("minimax,seconds=600")
    for position in ENDGAMES:
        assert ai.choose(position).move == minimax(position).move == first_best(brute_values(position))


# Feature: 4x4-tic-tac-toe-ai, Requirement 3.2
def test_ai_prunes():
    """Pruning makes a search of seven empty cells cheaper, and the cutoffs are counted."""
    position = states("a1 b2 d1 c3 a4 a2 d4 d2 c2")[-1].position
    assert len(empty_cells(position.cells)) == 7
    plain, search = minimax(position), deepening(position)
    assert (search.move, search.score) == (plain.move, plain.score)
    assert search.cutoffs > 0
    choice = player("minimax,seconds=600").choose(position)
    assert choice.nodes == search.nodes < plain.nodes


# Feature: 4x4-tic-tac-toe-ai, Requirement 3.3
def test_ai_sees_every_future_to_its_end():
    for position in ENDGAMES:
        values = brute_values(position)
        choice = player("minimax,seconds=600").choose(position)
        assert choice.score == max(values.values())
        assert minimax(position).nodes == states_below(dict(position.cells), position.turn)


# Feature: 4x4-tic-tac-toe-ai, Requirement 3.4
@pytest.mark.parametrize(
    ("text", "move", "score"),
    [
        ("XXX1/OOO1/XXO1/OXX1 X", "d1", WIN - 1),  # both threaten a row: win rather than block
        ("XXX1/OOO1/XXO1/OXX1 O", "d2", WIN - 1),
        ("XOOX/OXX1/OOX1/XOO1 O", "d4", 0),  # the one cell that keeps X from the diagonal
        ("XX2/OOXO/1XXX/O2O O", "a3", 4 - WIN),  # lost, and only a3 puts the end off
    ],
)
def test_ai_wins_and_keeps_the_player_from_winning(text, move, score):
    position = GAME.position(text)
    choice = player("minimax,seconds=600", mark=position.turn).choose(position)
    assert (GAME.move_name(choice.move), choice.score) == (move, score)


# Feature: 4x4-tic-tac-toe-ai, Requirement 3.5
def test_equal_moves_are_always_decided_the_same_way():
    shared = 0
    for position in ENDGAMES:
        values = brute_values(position)
        best = [move for move, value in values.items() if value == max(values.values())]
        shared += len(best) > 1
        chosen = {player("minimax,seconds=600").choose(position).move for _ in range(2)}
        assert chosen | {search(position).move for search in (minimax, alphabeta, deepening)} == {min(best)}
    assert shared > 10


# 4: minimax and alpha-beta


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.1
def test_minimax_visits_every_state():
    for position in ENDGAMES:
        result, ends, met = minimax(position), [], []
        brute_values(position, ends)
        minimax(position, worth=lambda outcome, mark, ply, met=met: met.append((outcome.winner, ply)) or 0)
        assert met == ends
        assert result.nodes == states_below(dict(position.cells), position.turn)
        assert result.depth == max(ply for _, ply in ends)
        assert result.complete


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.2
def test_ends_are_scored():
    won, lost = states("a1 a2 b1 b2 c1 c2 d1")[-1].position.outcome, states(DRAWN)[-1].position.outcome
    assert [win_soon(won, "X", ply) for ply in (0, 1, 16)] == [WIN, WIN - 1, WIN - 16]
    assert [win_soon(won, "O", ply) for ply in (0, 1, 16)] == [-WIN, 1 - WIN, 16 - WIN]
    assert [win_soon(lost, mark, ply) for mark in "XO" for ply in (0, 16)] == [0] * 4
    assert win_soon(won, "X", 16) > 0 > win_soon(won, "O", 16)
    for text, score in (
        ("XXX1/OOXX/XOOO/OXOO X", WIN - 1),
        ("XXX1/OOXX/XOOO/OXOO O", 0),
        ("XOOO/1XXX/OOXO/OXX1 O", 2 - WIN),
    ):
        assert minimax(GAME.position(text)).score == score


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.3
def test_maximising_takes_the_highest_score():
    differ = 0
    for position in ENDGAMES:
        values, result = brute_values(position), minimax(position)
        assert result.score == max(values.values()) == values[result.move]
        differ += len(set(values.values())) > 1
    assert differ > 10


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.4
def test_minimising_takes_the_lowest_score():
    """The value of a move is the worst over the replies, found by the opponent's own search."""
    differ = 0
    for position in ENDGAMES:
        me = position.turn
        for move, value in brute_values(position).items():
            after = position.play(move)
            if after.outcome is not None:
                continue
            cells = dict(after.cells)
            replies = {c: brute({**cells, c: RIVAL[me]}, me, me, 2, []) for c in empty_cells(cells)}
            reply = minimax(after)
            assert replies[reply.move] == min(replies.values()) == value
            one_ply_on = (reply.score > 0) - (reply.score < 0)
            assert value == one_ply_on - reply.score
            differ += len(set(replies.values())) > 1
    assert differ > 10


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.5
def test_branches_that_cannot_matter_are_skipped():
    saved = 0
    for position in ENDGAMES:
        plain, pruned = minimax(position), alphabeta(position, order=board_order)
        assert (pruned.move, pruned.score) == (plain.move, plain.score)
        assert (pruned.nodes < plain.nodes) == (Pruned(position).skipped > 0)
        saved += plain.nodes - pruned.nodes
    assert saved > 1000


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.6
def test_cutoff_leaves_the_remaining_replies_alone():
    """X wins at c1. Of the two replies to a2 and to d3 only the first is looked at, to the end."""
    position, met, pruned = GAME.position("XX1X/1OOX/OOX1/OOXO X"), [], []
    minimax(position, worth=lambda outcome, mark, ply: met.append(ply) or win_soon(outcome, mark, ply))

    def worth(outcome, mark, ply):
        pruned.append(ply)
        return win_soon(outcome, mark, ply)

    result = alphabeta(position, worth=worth, order=board_order)
    assert met == [1, 3, 3, 3, 3]
    assert pruned == [1, 3, 3]
    assert result.cutoffs == 2


# Feature: 4x4-tic-tac-toe-ai, Requirement 4.7
def test_alpha_and_beta_are_handed_down():
    """A window that is too wide visits more, one that is too narrow gets the score wrong."""
    for position in random_endgames(15, most=8):
        expected, result = Pruned(position), alphabeta(position, order=board_order)
        assert (result.nodes, result.score) == (expected.nodes, expected.score)
    for position in ENDGAMES:
        assert alphabeta(position).score == max(brute_values(position).values())


# 5: wins


def assert_wins(lines):
    for line in lines:
        for mark in "XO":
            found = completed(line, mark)
            assert [state.winner for state in found] == [None] * 7 + [mark]
            assert found[-1].position.outcome.cells == tuple(sorted(line))


# Feature: 4x4-tic-tac-toe-ai, Requirement 5.1
def test_rows_win():
    assert_wins(ROWS)


# Feature: 4x4-tic-tac-toe-ai, Requirement 5.2
def test_columns_win():
    assert_wins(COLUMNS)


# Feature: 4x4-tic-tac-toe-ai, Requirement 5.3
def test_diagonal_from_the_top_left_wins():
    assert_wins([MAIN_DIAGONAL])


# Feature: 4x4-tic-tac-toe-ai, Requirement 5.4
def test_diagonal_from_the_top_right_wins():
    assert_wins([ANTI_DIAGONAL])


def assert_ended(state):
    """Check that nobody can move any more, not even to an empty cell, and the AI cannot either."""
    assert state.is_over
    assert list(state.position.legal_moves) == []
    for cell in range(16):
        for mark in "XO":
            with pytest.raises(MatchError) as refused:
                reduce(state, MakeMove(player=mark, move=GAME.move_name(cell)))
            assert refused.value.code == "game_over"
            assert refused.value.state is state
    with pytest.raises(PlayerError) as refused_ai:
        player("minimax").choose(state.position)
    assert refused_ai.value.code == "game_over"


# Feature: 4x4-tic-tac-toe-ai, Requirement 5.5
@pytest.mark.parametrize("line", LINES)
def test_win_ends_the_game(line):
    for mark in "XO":
        assert_ended(completed(line, mark)[-1])


# Feature: 4x4-tic-tac-toe-ai, Requirement 5.6
@pytest.mark.parametrize("line", LINES)
def test_wins_are_looked_for_after_every_move(line):
    """Whichever cell of the line comes last."""
    for turned in range(4):
        found = completed(line[turned:] + line[:turned], "X")
        assert [state.status for state in found] == ["playing"] * 7 + ["x_wins"]


# 6: draws


# Feature: 4x4-tic-tac-toe-ai, Requirement 6.1
def test_full_board_is_a_draw():
    state = states(DRAWN)[-1]
    assert len(state.position.cells) == 16
    assert (state.status, state.winner) == ("draw", "draw")
    assert (state.position.outcome.winner, state.position.outcome.reason) == (None, "full")


# Feature: 4x4-tic-tac-toe-ai, Requirement 6.2
def test_draw_ends_the_game():
    assert_ended(states(DRAWN)[-1])


# Feature: 4x4-tic-tac-toe-ai, Requirement 6.3
def test_win_with_the_last_cell_is_no_draw():
    found = states(WON_WITH_THE_LAST_CELL, first="O")
    assert len(found[-1].position.cells) == 16
    assert [state.status for state in found] == ["playing"] * 16 + ["x_wins"]
    read = GAME.position(found[-1].position.text)
    assert (read.outcome.winner, read.outcome.reason) == ("X", "line")


# 7: the match


# Feature: 4x4-tic-tac-toe-ai, Requirement 7.1
def test_match_knows_whose_turn_it_is():
    state = states("a1")[-1]
    assert state.players[state.turn] == "minimax"
    assert state.players[states("a1 b2")[-1].turn] == "human"


# Feature: 4x4-tic-tac-toe-ai, Requirement 7.2
@pytest.mark.parametrize(("first", "turns"), [("X", "XOXOXOXOXOXOXOXO"), ("O", "OXOXOXOXOXOXOXOX")])
def test_turns_go_back_and_forth(first, turns):
    found = states(DRAWN, first=first)
    assert "".join(state.turn for state in found[:-1]) == turns
    assert "".join(ply.player for ply in found[-1].history) == turns


# Feature: 4x4-tic-tac-toe-ai, Requirement 7.3
def test_match_keeps_all_marks():
    cells = {}
    for before, after in zip(states(DRAWN), states(DRAWN)[1:], strict=False):
        cells[after.position.last] = before.turn
        assert dict(after.position.cells) == cells
        assert len(after.history) == len(cells)
    assert len(cells) == 16


# Feature: 4x4-tic-tac-toe-ai, Requirement 7.4
def test_end_is_final():
    for found in (states(DRAWN), states("a1 a2 b1 b2 c1 c2 d1"), states("a1 a2 b1 b2 c1 c2 d4 d2")):
        assert [state.is_over for state in found] == [False] * (len(found) - 1) + [True]
        assert [bool(state.position.legal_moves) for state in found] == [True] * (len(found) - 1) + [False]


# Feature: 4x4-tic-tac-toe-ai, Requirement 7.5
@pytest.mark.parametrize(
    ("moves", "status", "winner"),
    [
        ("", "playing", None),
        ("a1 a2 b1 b2 c1 c2", "playing", None),
        ("a1 a2 b1 b2 c1 c2 d1", "x_wins", "human"),
        ("a1 a2 b1 b2 c1 c2 d4 d2", "o_wins", "minimax"),
        (DRAWN, "draw", None),
    ],
)
def test_status_tells_who_won(moves, status, winner):
    state = states(moves)[-1]
    assert state.status == status
    assert state.players.get(state.winner) == winner


# 8: the game at the terminal


@pytest.fixture
def play(monkeypatch, capsys):
    """Run ``noughts play --plain`` with some input and return its output."""

    def run(*arguments, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["play", "--plain", *arguments]) == 0
        return capsys.readouterr().out

    return run


def saved(path, moves, *, ai="minimax,depth=2"):
    """Save a match that the person started as X, for ``noughts play --load``."""
    actions = [StartGame(game="4x4", players={"X": "human", "O": ai})]
    actions += [MakeMove(player="XO"[ply % 2], move=move) for ply, move in enumerate(moves.split())]
    save(path, actions)
    return "--load", str(path)


def boards(output):
    """The boards in the output, each as its 16 cells."""
    found = re.findall(r"^   a   b   c   d\n(?:.*\n){7}", output, flags=re.MULTILINE)
    return ["".join(cells_drawn(drawing.rstrip("\n"))[0]) for drawing in found]


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.1
def test_board_is_shown_before_and_after_every_move(play):
    output = play("4x4", "--o", "minimax,depth=1", typed="b2\n")
    replied = GAME.parse_move(re.search(r"O plays (\w+)", output)[1])
    empty = "·" * 16
    marked = empty[:5] + "X" + empty[6:]
    assert boards(output) == [empty, marked, marked[:replied] + "O" + marked[replied + 1 :]]


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.2
def test_marks_and_empty_cells_look_different(play, tmp_path):
    output = play(*saved(tmp_path / "match", "a1 d4 c2 b3"), typed="quit\n")
    assert boards(output) == ["X·····X··O·····O"]


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.3
def test_turns_are_announced(play):
    output = play("4x4", "--o", "minimax,depth=1", typed="b2\nquit\n")
    turns = re.findall(r"^(X to move:|O \(minimax,depth=1\) is thinking)", output, flags=re.MULTILINE)
    assert turns == ["X to move:", "O (minimax,depth=1) is thinking", "X to move:"]


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.4
@pytest.mark.parametrize(
    ("moves", "typed", "told"),
    [
        ("a1 a2 b1 b2 c1 d4", "d1", "You win with a1 b1 c1 d1!"),
        ("a2 a1 b2 b1 c3 c1", "d4", "The computer wins with a1 b1 c1 d1."),
        (DRAWN.removesuffix(" d4 b4"), "d4", "It's a draw. The board is full."),
    ],
)
def test_outcome_is_told(play, tmp_path, moves, typed, told):
    output = play(*saved(tmp_path / "match", moves), typed=f"{typed}\nn\n")
    lines = output.splitlines()
    assert lines.count(told) == 1
    assert sum(bool(re.search(r"wins? with|draw\.", line)) for line in lines if "plays" not in line) == 1
    assert lines.index(told) > max(at for at, line in enumerate(lines) if line.startswith("4 "))


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.5
@pytest.mark.parametrize("typed", ["c2", "C2", "2 3", "2,3", " 2, 3 "])
def test_cells_are_chosen_by_name_or_row_and_column(play, typed):
    output = play("4x4", "--o", "human", typed=f"{typed}\n")
    assert boards(output) == ["·" * 16, "······X·········"]


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.5
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("a1", "a1 is already taken by X"),
        ("e1", "'e1' is outside the board, which ends at 'd4'"),
        ("5 1", "'5 1' is outside the 4x4 board"),
        ("x", "'x' is not a cell; write one like 'd4', or type help for the commands"),
    ],
)
def test_wrong_choice_is_explained_and_asked_again(play, typed, told):
    output = play("4x4", "--o", "human", typed=f"a1\n{typed}\nb2\n")
    assert told in output.splitlines()
    assert output.count("O to move:") == 2
    assert boards(output) == ["·" * 16, "X" + "·" * 15, "X····O··········"]


@dataclass(frozen=True, kw_only=True)
class Watching(Player):
    """Plays the first cell, and records what the screen shows while it thinks."""

    name = "watching"
    summary = "for this test"
    screen: io.StringIO
    seen: list[str] = field(default_factory=list)

    def decide(self, position: Position, limits: Limits) -> Choice:
        self.seen.append(self.screen.getvalue())
        return Choice(position.legal_moves[0])


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.6
def test_thinking_shows_while_it_goes_on(monkeypatch):
    output = io.StringIO()
    ai = Watching(screen=output, mark="O")
    store = Store([StartGame(game="4x4", players={"X": "human", "O": "watching"})])
    monkeypatch.setattr("sys.stdin", io.StringIO("b2\nc2\n"))
    LineGame(store, {"X": None, "O": ai}, Screen(plain=True, console=Console(file=output))).run()
    assert len(ai.seen) == 2
    for moves, seen in enumerate(ai.seen):
        assert seen.endswith("O (watching) is thinking…\n")
        assert seen.count("O plays") == moves
    assert "O plays a1\n" in output.getvalue()


# Feature: 4x4-tic-tac-toe-ai, Requirement 8.6
def test_thinking_is_announced_at_the_command_line(play):
    output = play("4x4", "--o", "minimax,depth=1", typed="b2\n")
    assert output.index("O (minimax,depth=1) is thinking…") < output.index("O plays ")
