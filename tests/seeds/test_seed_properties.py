"""The twenty-one correctness properties of the 4x4 game, each on at least a hundred random examples.

The expected results come from plain rules in this file (:data:`LINES`, :func:`brute`), never by the
package. ``docs/seeds.md`` lists the properties.
"""

import math
import random
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from noughts.core import Position
from noughts.errors import IllegalMove, MatchError, PlayerError
from noughts.games import game
from noughts.match import MakeMove, ResetGame, StartGame, State, reduce
from noughts.players import player
from noughts.search import WIN, alphabeta, board_order, minimax, win_soon
from tests.strategies import games_played

GAME = game("4x4")
ROWS = [tuple(range(4 * row, 4 * row + 4)) for row in range(4)]
COLUMNS = [tuple(range(col, 16, 4)) for col in range(4)]
MAIN_DIAGONAL, ANTI_DIAGONAL = (0, 5, 10, 15), (3, 6, 9, 12)
LINES = [*ROWS, *COLUMNS, MAIN_DIAGONAL, ANTI_DIAGONAL]
RIVAL = {"X": "O", "O": "X"}

MARKS = st.sampled_from("XO")
PLAYED = games_played("4x4")
UNFINISHED = games_played("4x4", finished=False)


# The rules again, on plain dicts, simple and slow.


def full_lines(cells, mark):
    return [line for line in LINES if all(cells.get(cell) == mark for cell in line)]


def empty_cells(cells):
    return [cell for cell in range(16) if cell not in cells]


def brute(cells, turn, me, ply, ends):
    """The value for ``me`` of a position after ``ply`` plies; every final position is added to ``ends``."""
    if full_lines(cells, RIVAL[turn]):
        ends.append((RIVAL[turn], ply))
        return WIN - ply if RIVAL[turn] == me else ply - WIN
    if len(cells) == 16:
        ends.append((None, ply))
        return 0
    values = [brute({**cells, cell: turn}, RIVAL[turn], me, ply + 1, ends) for cell in empty_cells(cells)]
    return max(values) if turn == me else min(values)


def brute_values(position, ends=None):
    """The value of each move for the player to move, by trying everything."""
    cells, turn, ends = dict(position.cells), position.turn, [] if ends is None else ends
    return {cell: brute({**cells, cell: turn}, RIVAL[turn], turn, 1, ends) for cell in empty_cells(cells)}


def first_best(values):
    return next(move for move in sorted(values) if values[move] == max(values.values()))


class Pruned:
    """An independent alpha-beta that records what it visits, in order, and how many branches it skips."""

    def __init__(self, position):
        self.me, self.nodes, self.skipped, self.ends = position.turn, -1, 0, []
        self.score = self.value(dict(position.cells), position.turn, -math.inf, math.inf, 0)

    def value(self, cells, turn, alpha, beta, ply):
        self.nodes += 1
        if full_lines(cells, RIVAL[turn]) or len(cells) == 16:
            return brute(cells, turn, self.me, ply, self.ends)
        best = -math.inf if turn == self.me else math.inf
        empty = empty_cells(cells)
        for tried, cell in enumerate(empty, start=1):
            score = self.value({**cells, cell: turn}, RIVAL[turn], alpha, beta, ply + 1)
            if turn == self.me:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if beta <= alpha:
                self.skipped += len(empty) - tried
                break
        return best


# Random games and boards.


@st.composite
def quiet_games(draw, empties):
    """The positions of a game in which nobody wins, until ``empties`` cells are left."""
    positions = [GAME.start(draw(MARKS))]
    order = list(draw(st.permutations(range(16))))
    while len(order) > empties:
        after = {cell: positions[-1].play(cell) for cell in order}
        quiet = [cell for cell in order if not full_lines(after[cell].cells, positions[-1].turn)]
        assume(quiet)
        positions.append(after[quiet[0]])
        order.remove(quiet[0])
    return positions


def endgames(most=6, least=1):
    """Unfinished positions with few empty cells, either player to move and any number of threats."""
    return st.integers(least, most).flatmap(quiet_games).map(lambda positions: positions[-1])


@st.composite
def won_games(draw, lines=tuple(LINES)):
    """A line, a mark, and the positions of a game whose last move completes the line for the mark."""
    line, winner, first = draw(st.sampled_from(lines)), draw(MARKS), draw(MARKS)
    *early, last = draw(st.permutations(line))
    spare = draw(st.permutations([cell for cell in range(16) if cell not in line]))
    more = draw(st.integers(0, 3))
    own = [*draw(st.permutations([*early, *spare[:more]])), last]
    theirs = spare[more : more + len(own) - (winner == first)]
    assume(not full_lines(dict.fromkeys(theirs, "!"), "!") and not full_lines(dict.fromkeys(own[:-1], "!"), "!"))
    positions = [GAME.start(first)]
    for _ in range(len(own) + len(theirs)):
        positions.append(positions[-1].play((own if positions[-1].turn == winner else theirs).pop(0)))
    return line, winner, positions


@st.composite
def boards_with(draw, lines):
    """A line, a mark that fills it, and any board around it on which the rival has no line."""
    line, mark = draw(st.sampled_from(lines)), draw(MARKS)
    around = draw(st.lists(st.sampled_from(["X", "O", None]), min_size=16, max_size=16))
    cells = {cell: mark if cell in line else around[cell] for cell in range(16)}
    cells = {cell: held for cell, held in cells.items() if held}
    assume(not full_lines(cells, RIVAL[mark]))
    return line, mark, cells


FINISHED = won_games().map(lambda won: won[2]) | quiet_games(0) | games_played("4x4", finished=True)


def text_of(cells, turn):
    """A position in one line: rows from the top, numbers for empty cells."""
    rows = ["".join(cells.get(cell, ".") for cell in row) for row in ROWS]
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows)) + f" {turn}"


def states_of(positions):
    """The match in which these positions arise, one state for each."""
    states = [reduce(None, StartGame(game="4x4", first=positions[0].turn))]
    for position in positions[1:]:
        move = MakeMove(player=states[-1].turn, move=GAME.move_name(position.last))
        states.append(reduce(states[-1], move))
    return states


def assert_refused(thing: Position | State, move, *, by, code):
    """A position and a match refuse the move with this code, and neither changes."""
    position = thing.position if isinstance(thing, State) else thing
    before = (position.text, dict(position.cells), position.outcome)
    with pytest.raises(IllegalMove) as refused:
        position.play(move, by=by)
    assert refused.value.code == code
    assert refused.value.position is position
    if isinstance(thing, State):
        version, plies = thing.version, thing.plies
        with pytest.raises(MatchError) as refusal:
            reduce(thing, MakeMove(player=by, move=GAME.move_name(move)))
        assert refusal.value.code == code
        assert refusal.value.state is thing
        assert (thing.version, thing.plies, thing.position) == (version, plies, position)
    assert (position.text, dict(position.cells), position.outcome) == before


def assert_line_detected(won, board):
    """Check that four in a line win, both on a given board and when they are completed in play."""
    line, mark, cells = board
    for turn in "XO":
        for position in (GAME.position(text_of(cells, turn)), GAME.at(GAME.start().cells.update(cells), turn)):
            assert position.outcome is not None
            assert position.outcome.winner == mark
            assert position.outcome.cells == tuple(sorted({c for full in full_lines(cells, mark) for c in full}))
            assert set(line) <= set(position.outcome.cells)
    line, mark, positions = won
    assert [position.outcome for position in positions[:-1]] == [None] * (len(positions) - 1)
    assert positions[-1].outcome.winner == mark
    assert positions[-1].outcome.reason == "line"
    assert set(line) <= set(positions[-1].outcome.cells)
    assert states_of(positions)[-1].winner == mark


# Feature: 4x4-tic-tac-toe-ai, Property 1: Board Initialization
@given(PLAYED, MARKS)
def test_new_board_is_empty(positions, first):
    """Also after another game has been played in the same match."""
    played = states_of(positions)[-1]
    started = reduce(played, StartGame(game="4x4", first=first))
    for position in (GAME.start(first), started.position, reduce(played, ResetGame()).position):
        assert position.ints() == (0,) * 16
        assert [position.cells.get(cell) for cell in range(16)] == [None] * 16
        assert list(position.legal_moves) == list(range(16))
        assert position.outcome is None
    assert started.turn == first


# Feature: 4x4-tic-tac-toe-ai, Property 2: Board State Round Trip
@given(UNFINISHED, MARKS, st.integers(0, 3), st.integers(0, 3))
def test_mark_set_is_the_mark_read(positions, mark, row, col):
    position = GAME.at(positions[-1].cells, mark)
    cell = GAME.grid.cell(row, col)
    assert cell == row * 4 + col
    assume(cell not in position.cells)
    after = position.play(cell)
    assert after.cells[cell] == mark
    assert after.ints()[cell] == {"X": 1, "O": -1}[mark]
    assert dict(after.cells) == {**position.cells, cell: mark}
    read_back = GAME.position(after.text)
    assert dict(read_back.cells) == dict(after.cells)
    assert read_back == after


# Feature: 4x4-tic-tac-toe-ai, Property 3: Occupied Cell Immutability
@given(UNFINISHED, st.data())
def test_occupied_cell_keeps_its_mark(positions, data):
    position = positions[-1]
    assume(position.cells)
    cell = data.draw(st.sampled_from(sorted(position.cells)))
    held = position.cells[cell]
    other = GAME.at(position.cells, RIVAL[held])
    for on_turn in (position, other):
        assert_refused(on_turn, cell, by=on_turn.turn, code="occupied")
        assert on_turn.cells[cell] == held


# Feature: 4x4-tic-tac-toe-ai, Property 4: Valid Move Acceptance
@given(UNFINISHED, st.data())
def test_empty_cell_takes_the_mark(positions, data):
    state = states_of(positions)[-1]
    position, mark = state.position, state.turn
    cell = data.draw(st.sampled_from(empty_cells(position.cells)))
    name = "abcd"[cell % 4] + "1234"[cell // 4]
    assert cell in position.legal_moves
    after = reduce(state, MakeMove(player=mark, move=name))
    for reached in (position.play(cell), position.play(name, by=mark), after.position):
        assert dict(reached.cells) == {**position.cells, cell: mark}
        assert reached.last == cell
    assert after.version == state.version + 1


# Feature: 4x4-tic-tac-toe-ai, Property 5: Invalid Move Rejection
@given(UNFINISHED)
def test_every_occupied_cell_is_refused(positions):
    state = states_of(positions)[-1]
    for cell in range(16):
        assert (cell in state.position.legal_moves) == (cell not in state.position.cells)
        if cell in state.position.cells:
            assert_refused(state, cell, by=state.turn, code="occupied")


# Feature: 4x4-tic-tac-toe-ai, Property 6: Turn Alternation
@given(PLAYED, quiet_games(0), won_games())
def test_turns_alternate(any_game, drawn_game, won_game):
    for positions in (any_game, drawn_game, won_game[2]):
        states = states_of(positions)
        first = positions[0].turn
        expected = [first if ply % 2 == 0 else RIVAL[first] for ply in range(len(states))]
        going_on = [state for state in states if not state.is_over]
        assert [state.turn for state in going_on] == expected[: len(going_on)]
        assert [ply.player for ply in states[-1].history] == expected[: len(states) - 1]
        assert len(going_on) >= len(states) - 1
        if states[-1].is_over:
            assert states[-1].turn == states[-1].history[-1].player, "after the end it is who moved last"


# Feature: 4x4-tic-tac-toe-ai, Property 7: Turn Enforcement
@given(UNFINISHED | quiet_games(1) | quiet_games(5))
def test_only_the_player_on_turn_moves(positions):
    state = states_of(positions)[-1]
    for cell in range(16):
        assert_refused(state, cell, by=RIVAL[state.turn], code="wrong_turn")
    cell = empty_cells(state.position.cells)[0]
    assert state.position.play(cell, by=state.turn).cells[cell] == state.turn


# Feature: 4x4-tic-tac-toe-ai, Property 8: Row Win Detection
@given(won_games(ROWS), boards_with(ROWS))
def test_row_wins(won, board):
    assert_line_detected(won, board)


# Feature: 4x4-tic-tac-toe-ai, Property 9: Column Win Detection
@given(won_games(COLUMNS), boards_with(COLUMNS))
def test_column_wins(won, board):
    assert_line_detected(won, board)


# Feature: 4x4-tic-tac-toe-ai, Property 10: Main Diagonal Win Detection
@given(won_games([MAIN_DIAGONAL]), boards_with([MAIN_DIAGONAL]))
def test_main_diagonal_wins(won, board):
    assert_line_detected(won, board)


# Feature: 4x4-tic-tac-toe-ai, Property 11: Anti-Diagonal Win Detection
@given(won_games([ANTI_DIAGONAL]), boards_with([ANTI_DIAGONAL]))
def test_anti_diagonal_wins(won, board):
    assert_line_detected(won, board)


# Feature: 4x4-tic-tac-toe-ai, Property 12: Draw Detection
@given(quiet_games(0))
def test_full_board_without_a_line_is_a_draw(positions):
    final, states = positions[-1], states_of(positions)
    assert len(final.cells) == 16
    assert [position.outcome for position in positions[:-1]] == [None] * 16
    read = GAME.position(text_of(final.cells, final.turn))
    for outcome in (final.outcome, read.outcome):
        assert (outcome.winner, outcome.reason, outcome.cells) == (None, "full", ())
    assert [state.status for state in states] == ["playing"] * 16 + ["draw"]


# Feature: 4x4-tic-tac-toe-ai, Property 13: Game Termination
@given(FINISHED)
def test_nothing_is_played_after_the_end(positions):
    state = states_of(positions)[-1]
    assert state.is_over
    won = [f"{mark.lower()}_wins" for mark in "XO" if full_lines(state.position.cells, mark)]
    assert [state.status] == (won or ["draw"])
    assert list(state.position.legal_moves) == []
    assert len(state.position.legal_moves) == 0
    for cell in range(16):
        for mark in "XO":
            assert_refused(state, cell, by=mark, code="game_over")


# Feature: 4x4-tic-tac-toe-ai, Property 14: Win Detection Timing
@given(won_games(), PLAYED)
def test_win_is_seen_with_the_move_that_makes_it(won, played):
    for positions in (won[2], played):
        for state in states_of(positions):
            winners = [mark for mark in "XO" if full_lines(state.position.cells, mark)]
            seen = state.position.outcome.winner if state.position.outcome else None
            assert [seen] == (winners or [None])
            assert state.winner in (seen, "draw" if len(state.position.cells) == 16 else None)


def winning_cells(position, mark):
    return [cell for cell in empty_cells(position.cells) if full_lines({**position.cells, cell: mark}, mark)]


def choices(position):
    """The moves of plain minimax and of the player ``minimax``."""
    return minimax(position).move, player("minimax,seconds=600", mark=position.turn).choose(position).move


def endgames_with(fits):
    """Positions with two to six empty cells that meet a condition, found in random games."""

    def find(seed):
        rng = random.Random(seed)
        while True:
            position, fitting = GAME.start(), []
            while position.outcome is None:
                if 10 <= len(position.cells) <= 14 and fits(position):
                    fitting.append(position)
                position = position.play(position.legal_moves.pick(rng))
            if fitting:
                return rng.choice(fitting)

    return st.integers(0, 2**32 - 1).map(find)


def must_block(position):
    threats = winning_cells(position, RIVAL[position.turn])
    return len(threats) == 1 and not winning_cells(position, position.turn)


# Feature: 4x4-tic-tac-toe-ai, Property 15: Minimax Optimal Play
@given(endgames_with(lambda position: winning_cells(position, position.turn)))
def test_minimax_takes_a_win(position):
    wins = winning_cells(position, position.turn)
    assert choices(position) == (wins[0], wins[0])
    assert minimax(position).score == WIN - 1


# Feature: 4x4-tic-tac-toe-ai, Property 15: Minimax Optimal Play
@given(endgames_with(must_block))
def test_minimax_blocks_a_single_threat(position):
    """Every other move loses at once, so the block is the only best move, even if the game is lost later."""
    threats = winning_cells(position, RIVAL[position.turn])
    assert choices(position) == (threats[0], threats[0])


# Feature: 4x4-tic-tac-toe-ai, Property 15: Minimax Optimal Play
@given(endgames())
def test_minimax_plays_the_first_best_move(position):
    values = brute_values(position)
    assert choices(position) == (first_best(values), first_best(values))
    assert minimax(position).score == max(values.values())


# Feature: 4x4-tic-tac-toe-ai, Property 16: Minimax Terminal State Scoring
@given(endgames(most=5), FINISHED, st.integers(0, 16))
def test_terminal_scores(position, finished, ply):
    """A win is worth more than any number of plies: WIN − ply, ply − WIN, or 0."""
    outcome = finished[-1].outcome
    for mark in "XO":
        expected = {mark: WIN - ply, RIVAL[mark]: ply - WIN, None: 0}[outcome.winner]
        assert win_soon(outcome, mark, ply) == expected
        assert (expected > 0, expected < 0) == (outcome.winner == mark, outcome.winner == RIVAL[mark])

    met, ends = [], []

    def worth(outcome, mark, ply):
        assert mark == position.turn
        met.append((outcome.winner, ply))
        return win_soon(outcome, mark, ply)

    result = minimax(position, worth=worth)
    assert result.score == max(brute_values(position, ends).values())
    assert met == ends


# Feature: 4x4-tic-tac-toe-ai, Property 17: Alpha-Beta Pruning Correctness
@given(endgames(most=7))
@example(GAME.position("XOXO/OXOX/OXOO/XO2 X"))
def test_pruning_changes_nothing_but_the_work(position):
    plain, pruned = minimax(position), alphabeta(position)
    assert (pruned.move, pruned.score) == (plain.move, plain.score)
    assert pruned.complete
    assert plain.complete
    assert pruned.nodes <= plain.nodes
    assert (pruned.nodes < plain.nodes) == (pruned.cutoffs > 0)


# Feature: 4x4-tic-tac-toe-ai, Property 18: Alpha-Beta Pruning Efficiency
@given(endgames(most=7))
def test_nothing_is_searched_beyond_a_cutoff(position):
    """The same positions in the same order as an independent alpha-beta that stops at beta <= alpha."""
    expected, met = Pruned(position), []

    def worth(outcome, mark, ply):
        met.append((outcome.winner, ply))
        return win_soon(outcome, mark, ply)

    result = alphabeta(position, worth=worth, order=board_order)
    assert met == expected.ends
    assert (result.nodes, result.score) == (expected.nodes, expected.score)
    if expected.skipped:
        assert result.cutoffs > 0
        assert result.nodes < minimax(position).nodes
    else:
        assert result.nodes == minimax(position).nodes


# Feature: 4x4-tic-tac-toe-ai, Property 18: Alpha-Beta Pruning Efficiency
def test_certain_cutoff():
    """X wins at c1 and nobody anywhere else; a2 and d3 come after it in board order.

    Minimax looks at c1, and at a2 and d3 each with two replies and the last move after either:
    1 + 5 + 5. Alpha-beta knows from the first reply to a2 that a2 is no win, and leaves out the
    second reply and what follows it; the same with d3: 1 + 3 + 3.
    """
    position = GAME.position("XX1X/1OOX/OOX1/OOXO X")
    assert empty_cells(position.cells) == [2, 4, 11]
    assert winning_cells(position, "X") == [2]
    plain, pruned = minimax(position), alphabeta(position)
    assert (pruned.move, pruned.score) == (plain.move, plain.score) == (2, WIN - 1)
    assert (plain.nodes, plain.cutoffs) == (11, 0)
    assert (pruned.nodes, pruned.cutoffs) == (7, 2)


# Feature: 4x4-tic-tac-toe-ai, Property 19: AI Move Validity
@given(endgames(most=8), st.sampled_from(["minimax", "minimax,depth=1", "minimax,depth=3"]))
def test_ai_moves_to_an_empty_cell(position, spec):
    ai = player(spec, mark=position.turn)
    move = ai.choose(position).move
    assert move in empty_cells(position.cells)
    assert position.play(move, by=ai.mark).cells[move] == ai.mark
    with pytest.raises(PlayerError) as refused:
        player(spec, mark=RIVAL[position.turn]).choose(position)
    assert refused.value.code == "wrong_turn"


def cells_drawn(drawing):
    """What a drawing shows in each cell, without stars, and the cells that have stars."""
    header, *lines = drawing.split("\n")
    assert header.split() == ["a", "b", "c", "d"]
    rows = lines[::2]
    assert len(lines) == 7
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    shown = [cell for row in rows for cell in row[2:].split("│")]
    assert len(shown) == 16
    starred = {cell for cell, text in enumerate(shown) if "*" in text}
    return [text.replace("*", "").strip() for text in shown], starred


# Feature: 4x4-tic-tac-toe-ai, Property 20: Board Display Completeness
@given(PLAYED | FINISHED)
def test_drawing_shows_all_cells(positions):
    for position in positions:
        shown, starred = cells_drawn(str(position))
        assert shown == [position.cells.get(cell, "·") for cell in range(16)]
        assert starred == {cell for mark in "XO" for line in full_lines(position.cells, mark) for cell in line}


# Feature: 4x4-tic-tac-toe-ai, Property 21: Game Status Accuracy
@given(PLAYED | FINISHED)
def test_status_is_what_the_board_says(positions):
    for state in states_of(positions):
        cells = state.position.cells
        expected = "draw" if len(cells) == 16 else "playing"
        for mark in "XO":
            if full_lines(cells, mark):
                expected = f"{mark.lower()}_wins"
        assert state.status == expected
        assert state.is_over == (expected != "playing")
