import itertools

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from noughts.core import PASS
from noughts.errors import MatchError
from noughts.match import (
    MakeMove,
    Redo,
    ResetGame,
    Resign,
    StartGame,
    Store,
    Undo,
    dump,
    measure,
    read,
    reduce,
)
from tests.strategies import SMALL_SPECS


def begin(spec="3x3", moves="", **start):
    state = reduce(None, StartGame(game=spec, **start))
    for move in moves.split():
        state = reduce(state, MakeMove(player=state.turn, move=move))
    return state


def refused(state, action, code):
    """Check that the action is refused with a code and the error carries the unchanged state."""
    with pytest.raises(MatchError) as caught:
        reduce(state, action)
    assert caught.value.code == code
    assert caught.value.state is state
    assert str(caught.value)
    return str(caught.value)


def test_a_match_from_start_to_win():
    state = begin("3x3", id="m1", at=10.0)
    assert (state.version, state.status, state.turn, state.winner) == (1, "playing", "X", None)
    for at, move in enumerate("a1 a2 b1 b2 c1".split(), start=11):
        state = reduce(state, MakeMove(player=state.turn, move=move, at=at))
    assert (state.version, state.status, state.winner, state.cursor) == (6, "x_wins", "X", 5)
    assert state.is_over
    metrics = measure(state)
    assert metrics.to_json() == {
        "id": "m1",
        "history": [
            {"player": "XO"[i % 2], "move": cell, "at": 11 + i, "captured_count": 0}
            for i, cell in enumerate((0, 3, 1, 4, 2))
        ],
        "winner": "X",
        "winning_move": "c1",
        "duration": 5.0,
        "first_player": "X",
        "length": 5,
    }


def test_statuses():
    assert begin("3x3", "a1 b1 a2 b2 c3 b3").status == "o_wins"
    assert begin("3x3", "a1 b1 c1 b2 a2 c2 b3 a3 c3").status == "draw"
    assert begin("3x3", "a1 b1 c1 b2 a2 c2 b3 a3 c3").winner == "draw"
    assert begin("duel,size=2", "a1 b1 pass a2 pass b2").status == "g_wins"
    assert begin("4x4,players=3,k=3", "a1 b1 c1 a2 b2 c2 d4 d1 c3").status == "a_wins"


def test_o_may_begin():
    state = begin("3x3", first="o")
    assert (state.first, state.turn) == ("O", "O")
    state = reduce(state, MakeMove(player="O", move="b2"))
    assert state.position.cells[4] == "O"
    assert measure(state).first_player == "O"


def test_refusals_come_in_a_fixed_order():
    over = begin("3x3", "a1 a2 b1 b2 c1")
    assert "game is over: X wins" in refused(over, MakeMove(player="O", move="a1"), "game_over")
    state = begin("3x3", "a1")
    assert "O's turn, not X's" in refused(state, MakeMove(player="X", move="z9"), "wrong_turn")
    assert "Z's" in refused(state, MakeMove(player="Z", move="a1"), "wrong_turn")
    assert "'z9' is outside" in refused(state, MakeMove(player="O", move="z9"), "out_of_bounds")
    refused(state, MakeMove(player="O", move="?"), "invalid_notation")
    assert "a1 is already taken by X" in refused(state, MakeMove(player="O", move="a1"), "occupied")
    refused(begin("duel", "a1 f6"), MakeMove(player="R", move="c3"), "not_adjacent")
    refused(begin("hex"), MakeMove(player="X", move="swap"), "swap_not_allowed")
    refused(state, MakeMove(player="O", move="pass"), "pass_not_allowed")


def test_nothing_before_the_start():
    for action in (MakeMove(player="X", move="a1"), Undo(), Redo(), ResetGame(), Resign(player="X")):
        refused(None, action, "not_started")
    with pytest.raises(MatchError, match="no game has been started"):
        _ = Store().state


def test_a_bad_start_keeps_the_match():
    state = begin("3x3", "a1")
    assert "unknown game" in refused(state, StartGame(game="chess"), "invalid_game")
    refused(state, StartGame(game="3x3", first="Q"), "invalid_game")
    refused(state, StartGame(game="3x3", players={"Q": "human"}), "invalid_game")
    again = reduce(state, StartGame(game="4x4"))
    assert (again.version, again.plies, again.game.spec) == (3, (), "4x4")


def test_undo_and_redo_move_the_cursor():
    state = begin("3x3", "a1 b2 c3")
    back = reduce(state, Undo())
    assert (back.cursor, back.turn, back.version) == (2, "X", state.version + 1)
    assert back.plies == state.plies
    assert reduce(back, Redo()).position == state.position
    branched = reduce(back, MakeMove(player="X", move="c1"))
    assert [ply.move for ply in branched.plies] == [0, 4, 2]
    refused(branched, Redo(), "nothing_to_redo")
    refused(begin(), Undo(), "nothing_to_undo")


def test_undo_for_a_player_goes_back_to_its_own_turn():
    state = begin("3x3", "a1 b2 c3 c1")
    back = reduce(state, Undo(player="X"))
    assert (back.cursor, back.turn) == (2, "X")
    assert reduce(back, Redo(player="X")).cursor == 4
    assert reduce(state, Undo(player="O")).cursor == 3
    assert "of O" in refused(begin("3x3", "a1"), Undo(player="O"), "nothing_to_undo")


def test_undo_for_a_player_skips_forced_passes():
    state = begin("duel,size=3", "a1 b1 pass c1 pass a2")
    refused(state, Undo(player="Q"), "nothing_to_undo")
    assert reduce(state, Undo(player="R")).cursor == 0
    assert reduce(state, Undo(player="G")).cursor == 5


def test_undo_reopens_a_finished_game():
    over = begin("3x3", "a1 a2 b1 b2 c1")
    back = reduce(over, Undo())
    assert back.status == "playing"
    assert reduce(back, Redo()).status == "x_wins"


def test_resigning_is_final():
    state = reduce(begin("3x3", "a1"), Resign(player="X"))
    assert (state.status, state.winner) == ("o_wins", "O")
    for action in (MakeMove(player="O", move="b2"), Undo(), Redo(), Resign(player="O")):
        refused(state, action, "game_over")
    assert measure(state).winning_move is None
    assert reduce(state, ResetGame()).status == "playing"
    refused(begin(), Resign(player="Q"), "wrong_turn")
    refused(begin("3x3", "a1 a2 b1 b2 c1"), Resign(player="O"), "game_over")


def test_reset_keeps_the_game_and_who_begins():
    state = reduce(begin("3x3", "a1 b2", first="O", players={"o": "human"}), ResetGame(at=5.0))
    assert (state.plies, state.cursor, state.turn, state.players) == ((), 0, "O", {"O": "human"})
    assert state.started_at == 5.0
    refused(state, Redo(), "nothing_to_redo")


def test_subscribers_hear_every_accepted_action_in_order():
    store, heard = Store(clock=itertools.count(1).__next__), []
    stop = store.subscribe(lambda action, state: heard.append((action.name, action.at, state.version)))
    store.dispatch(StartGame(game="3x3"))
    store.dispatch(MakeMove(player="X", move="a1"))
    with pytest.raises(MatchError):
        store.dispatch(MakeMove(player="X", move="a1"))
    store.dispatch(Undo(at=99.0))
    assert heard == [("start_game", 1, 1), ("make_move", 2, 2), ("undo", 99.0, 3)]
    stop()
    stop()
    store.dispatch(Redo())
    assert len(heard) == 3
    assert read(dump(store.actions)).state == store.state


def test_a_subscriber_may_act_and_others_hear_of_it_in_order():
    store, heard = Store(), []

    def reply(action, state):
        if action.name == "make_move" and state.turn == "O":
            store.dispatch(MakeMove(player="O", move="b2"))

    store.subscribe(reply)
    store.subscribe(lambda action, state: heard.append(state.version))
    store.dispatch(StartGame(game="3x3"))
    store.dispatch(MakeMove(player="X", move="a1"))
    assert heard == [1, 2, 3]


def test_a_failing_subscriber_does_not_silence_the_others():
    store, heard = Store(), []

    def fail(action, state):
        raise RuntimeError("out of paper")

    store.subscribe(fail)
    store.subscribe(lambda action, state: heard.append(state.version))
    with pytest.raises(RuntimeError, match="out of paper"):
        store.dispatch(StartGame(game="3x3"))
    assert heard == [1]
    assert store.state.version == 1
    store.subscribe(fail)
    with pytest.raises(ExceptionGroup):
        store.dispatch(ResetGame())


class Matches(RuleBasedStateMachine):
    """For any sequence of actions the match agrees with a plain list of steps: a move and the passes it forces."""

    @initialize(spec=st.sampled_from(SMALL_SPECS), data=st.data())
    def start(self, spec, data):
        self.store = Store(clock=itertools.count(1).__next__)
        self.store.dispatch(StartGame(game=spec, id="m"))
        self.moves: list[list[str]] = []
        self.undone: list[list[str]] = []
        self.accepted = 1
        self.resigned = False

    @property
    def state(self):
        return self.store.state

    def act(self, action, passes=0):
        self.store.dispatch(action)
        self.accepted += 1 + passes

    def refuse(self, action):
        before = self.state
        with pytest.raises(MatchError) as caught:
            self.store.dispatch(action)
        assert caught.value.state is before
        assert self.state is before

    @precondition(lambda self: not self.state.is_over)
    @rule(data=st.data())
    def move(self, data):
        legal = list(self.state.position.legal_moves)
        assert legal != [PASS], "who can only pass is never asked"
        move = data.draw(st.sampled_from(legal))
        name, after = self.state.game.move_name(move), self.state.position.play(move)
        step = [name]
        while list(after.legal_moves) == [PASS]:
            step.append("pass")
            after = after.play("pass")
        self.act(MakeMove(player=self.state.turn, move=name), passes=len(step) - 1)
        self.moves.append(step)
        self.undone.clear()

    @rule(move=st.sampled_from(["a1", "b2", "z9", "", "swap", "pass"]), player=st.sampled_from("XORGZ"))
    def move_badly(self, move, player):
        if self.state.is_over or self.state.position.why_not(move, by=player) is not None:
            self.refuse(MakeMove(player=player, move=move))

    @rule()
    def undo(self):
        if self.resigned or not self.moves:
            return self.refuse(Undo())
        self.act(Undo())
        self.undone.append(self.moves.pop())
        return None

    @rule()
    def redo(self):
        if self.resigned or not self.undone:
            return self.refuse(Redo())
        self.act(Redo())
        self.moves.append(self.undone.pop())
        return None

    @precondition(lambda self: self.moves and not self.resigned)
    @rule()
    def undo_then_redo_is_identity(self):
        before = self.state
        self.act(Undo())
        self.act(Redo())
        assert self.state.position is before.position
        assert self.state.plies == before.plies
        assert self.state.cursor == before.cursor

    @rule()
    def reset(self):
        self.act(ResetGame())
        self.moves.clear()
        self.undone.clear()
        self.resigned = False

    @precondition(lambda self: not self.state.is_over)
    @rule()
    def resign(self):
        self.act(Resign(player=self.state.turn))
        self.resigned = True

    @invariant()
    def consistent(self):
        state = self.state
        assert state.version == self.accepted == len(self.store.actions)
        moves, undone = [*itertools.chain(*self.moves)], [*itertools.chain(*self.undone[::-1])]
        assert [state.game.move_name(ply.move) for ply in state.history] == moves
        assert [state.game.move_name(ply.move) for ply in state.plies[state.cursor :]] == undone
        position = state.game.start()
        for move in moves:
            position = position.play(move)
        assert position == state.position
        assert (state.status == "playing") == (not self.resigned and position.outcome is None)
        assert state.is_over == (state.winner is not None)

    def teardown(self):
        record = read(dump(self.store.actions))
        assert record.state == self.state
        assert record.state.position == self.state.position
        assert record.actions == self.store.actions


TestMatches = Matches.TestCase
TestMatches.settings = settings(stateful_step_count=30, max_examples=100)
