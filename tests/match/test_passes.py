"""Forced passes: the match makes them, records have them as moves, undo takes them back with the move before."""

import random

import pytest

from noughts.core import PASS
from noughts.errors import MatchError
from noughts.games import game
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
    must_pass,
    read,
    reduce,
    whole_step,
)

# Green's first tile takes Red's only one: Red never places again.
SWEEP = "a1 b1 a2 b2"


def begun(spec="duel,size=2", moves="", clock=lambda: 7.0):
    store = Store(clock=clock)
    store.dispatch(StartGame(game=spec))
    for move in moves.split():
        store.dispatch(MakeMove(player=store.state.turn, move=move))
    return store


def names(state):
    return " ".join(state.game.move_name(ply.move) for ply in state.history)


def test_who_cannot_place_passes_without_being_asked():
    store = begun(moves=SWEEP)
    assert store.state.status == "g_wins"
    assert names(store.state) == "a1 b1 pass a2 pass b2"
    assert [ply.player for ply in store.state.history] == list("RGRGRG")


def test_a_forced_pass_is_an_action_of_its_own_and_takes_no_time():
    store = begun(moves="a1")
    heard = []
    store.subscribe(lambda action, state: heard.append((action, state.version, state.turn)))
    state = store.dispatch(MakeMove(player="G", move="b1"))
    assert heard == [
        (MakeMove(player="G", move="b1", at=7.0), 3, "R"),
        (MakeMove(player="R", move="pass", at=7.0), 4, "G"),
    ]
    assert (state, state.version) == (store.state, 4)


def test_a_record_reads_as_if_everybody_had_passed_themselves():
    store = begun(moves=SWEEP)
    state = None
    for action in store.actions:
        state = reduce(state, action)
    assert state == store.state
    assert read(dump(store.actions)).state == store.state
    by_hand = reduce(None, StartGame(game="duel,size=2", at=7.0))
    for move in "a1 b1 pass a2 pass b2".split():
        by_hand = reduce(by_hand, MakeMove(player=by_hand.turn, move=move, at=7.0))
    assert by_hand == store.state


def test_a_pass_that_has_been_made_is_not_made_twice():
    store = begun(moves="a1 b1")
    with pytest.raises(MatchError) as caught:
        store.dispatch(MakeMove(player="R", move="pass"))
    assert caught.value.code == "wrong_turn"


def test_a_record_that_ends_before_a_pass_is_taken_as_it_is():
    """Releases before let players pass themselves, so a record may end where somebody has to."""
    saved = dump(begun(moves="a1").actions) + dump([MakeMove(player="G", move="b1", at=8.0)])
    store = Store(read(saved).actions)
    assert dump(store.actions) == saved
    assert must_pass(store.state.position)
    store.dispatch(MakeMove(player="R", move="pass"))
    assert names(store.state) == "a1 b1 pass"
    assert not must_pass(store.state.position)


def test_undo_takes_the_passes_back_with_the_move():
    store = begun(moves="a1 b1 a2")
    store.dispatch(Undo())
    assert names(store.state) == "a1 b1 pass"
    assert store.state.turn == "G"
    assert store.actions[-1] == Undo(player="G", at=7.0), "the record says whose choice it led to"
    store.dispatch(Undo())
    assert (names(store.state), store.state.turn) == ("a1", "G")
    store.dispatch(Undo())
    assert (names(store.state), store.actions[-1]) == ("", Undo(at=7.0))
    for expected in ("a1", "a1 b1 pass", "a1 b1 pass a2 pass"):
        store.dispatch(Redo())
        assert names(store.state) == expected
    with pytest.raises(MatchError, match="no move has been taken back"):
        store.dispatch(Redo())
    assert read(dump(store.actions)).state == store.state


def test_redo_goes_to_the_end_of_the_game():
    store = begun(moves=SWEEP)
    for _ in range(4):
        store.dispatch(Undo())
    for _ in range(4):
        store.dispatch(Redo())
    assert store.state.status == "g_wins"


def test_undo_of_single_plies_stays_what_it_was_in_records():
    state = reduce(None, StartGame(game="duel,size=2"))
    for move in "a1 b1 pass".split():
        state = reduce(state, MakeMove(player=state.turn, move=move))
    back = reduce(state, Undo())
    assert (back.cursor, must_pass(back.position)) == (2, True)
    assert reduce(back, Redo()).cursor == 3


def test_steps_of_games_without_passes_and_for_a_player_are_left_alone():
    store = begun("3x3", "a1 b2")
    for step in (Undo(), Redo(), Undo(player="X")):
        assert whole_step(store.state, step) is step
    assert whole_step(begun(moves="a1 b1").state, Undo(player="R")) == Undo(player="R")


def test_nobody_passes_after_resigning_or_at_the_start():
    store = begun(moves="a1 b1")
    store.dispatch(Resign(player="R"))
    assert (store.state.status, names(store.state)) == ("g_wins", "a1 b1 pass")
    store.dispatch(ResetGame())
    assert (names(store.state), store.state.turn) == ("", "R")


def test_a_subscriber_that_answers_at_once_may_pass_itself():
    store = begun(moves="a1")

    def reply(action, state):
        if state.turn == "R" and not state.is_over:
            [move] = state.position.legal_moves
            store.dispatch(MakeMove(player="R", move=state.game.move_name(move)))

    store.subscribe(reply)
    store.dispatch(MakeMove(player="G", move="b1"))
    assert names(store.state) == "a1 b1 pass"


def test_a_pass_is_made_even_if_a_subscriber_fails():
    store = begun(moves="a1")

    def fail(action, state):
        raise RuntimeError("out of paper")

    store.subscribe(fail)
    with pytest.raises(ExceptionGroup):
        store.dispatch(MakeMove(player="G", move="b1"))
    assert names(store.state) == "a1 b1 pass"


@pytest.mark.parametrize("line", ["a1 b1 pass a2 pass b2", "a1 b1 a2 b2", "a1 b1 pass a2 b2"])
def test_a_line_may_have_the_passes_or_not(line):
    assert names(begun().play_line(line.split())) == "a1 b1 pass a2 pass b2"


def test_a_line_with_a_pass_too_many_is_refused():
    with pytest.raises(MatchError) as caught:
        begun().play_line("a1 b1 pass pass".split())
    assert caught.value.code == "pass_not_allowed"


@pytest.mark.parametrize("spec", ["duel", "duel,opening=peaceful", "duel,size=3x5", "duel,size=4,opening=peaceful"])
def test_random_games_are_finished_with_placements_alone(spec):
    rng = random.Random(spec)
    for _ in range(10):
        store = begun(spec)
        while not store.state.is_over:
            moves = list(store.state.position.legal_moves)
            assert min(moves) >= 0
            store.dispatch(MakeMove(player=store.state.turn, move=game(spec).move_name(rng.choice(moves))))
        record = read(dump(store.actions))
        assert record.state == store.state
        assert measure(record.state).length == len(store.actions) - 1
        passes = sum(ply.move == PASS for ply in record.state.history)
        assert len(record.state.position.cells) == len(record.state.history) - passes
