"""Rooms: what events make of them, and that a snapshot is as good as the events."""

import random

import orjson
import pytest

from noughts.errors import MatchError
from noughts.server.rooms.render import View
from noughts.server.rooms.room import SNAPSHOT_EVERY, Room, apply, from_snapshot, to_snapshot
from noughts.server.schema.game import GameState
from tests.strategies import all_specs

START = {"action": "start_game", "at": 1.0, "mode": "PvP"}


def started(spec: str) -> Room:
    seats = {mark: {"kind": "anyone"} for mark in apply(None, {**START, "game": spec, "seats": {}}).match.game.marks}
    return apply(None, {**START, "game": spec, "seats": seats}, id="secret", watch_id="w-1")


def shown(room: Room) -> bytes:
    """What the players see."""
    return orjson.dumps(View(room).for_players())


def random_events(room: Room, rng: random.Random, count: int):
    """Events that may happen next, undo and redo among them."""
    for at in range(count):
        match = room.match
        choices = [{"action": "undo"}, {"action": "redo"}]
        mark = rng.choice(match.game.marks)
        choices += [{"action": "agree" if room.offer else "offer", "player": mark, "what": "undo"}]
        if not match.is_over:
            move = match.game.move_name(match.position.legal_moves.pick(rng))
            choices += [{"action": "make_move", "player": match.turn, "move": move}] * 6
        if at % 40 == 39:
            choices = [{"action": "reset_game"}]
        event = {**rng.choice(choices), "at": float(at)}
        try:
            room = apply(room, event)
        except MatchError:
            continue
        yield event, room


@pytest.mark.parametrize("spec", all_specs())
def test_a_snapshot_is_as_good_as_the_events(spec):
    rng = random.Random(spec)
    room = started(spec)
    kept = None
    for event, after in random_events(room, rng, 3 * SNAPSHOT_EVERY):
        if kept is not None:
            kept = apply(kept, event)
            assert to_snapshot(kept) == to_snapshot(after)
            assert shown(kept) == shown(after)
        if rng.random() < 0.2:
            kept = from_snapshot(orjson.loads(orjson.dumps(to_snapshot(after))), id="secret", watch_id="w-1")
            assert shown(kept) == shown(after)
            assert list(kept.match.positions) == list(after.match.positions)
        room = after
    assert room.version > SNAPSHOT_EVERY


@pytest.mark.parametrize("spec", all_specs())
def test_a_view_made_from_the_one_before_is_the_same(spec):
    room = started(spec)
    view = View(room)
    for _, after in random_events(room, random.Random(spec), 60):
        view = View(after, before=view)
        assert orjson.dumps(view.for_players()) == shown(after)
        text = orjson.dumps(view.for_watchers())
        state = orjson.loads(text)
        GameState.model_validate(state, strict=True)
        assert state["id"] == "w-1"
        assert b"secret" not in text


def test_unknown_events_are_refused():
    with pytest.raises(ValueError, match="unknown event"):
        apply(started("3x3"), {"action": "dance", "at": 1.0})
    with pytest.raises(ValueError, match="starts with start_game"):
        apply(None, {"action": "undo", "at": 1.0, "mode": "PvP", "seats": {}})


def test_positions_can_be_cut_like_any_sequence():
    room = started("4x4")
    for at in range(6):
        room = apply(
            room, {"action": "make_move", "player": "XO"[at % 2], "move": f"{'abcd'[at % 4]}{at // 4 + 1}", "at": 2.0}
        )
    kept = room.match.positions
    whole = tuple(kept[number] for number in range(7))
    for start in (None, 0, 1, 3, 6, 9, -1, -3):
        for stop in (None, 0, 1, 4, 7, 9, -2):
            for step in (None, 1, 2, -1, -2):
                assert kept[start:stop:step] == whole[start:stop:step]
