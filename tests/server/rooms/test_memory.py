"""What a room takes that nobody looks at."""

import gc
import random
import tracemalloc

from noughts.server.rooms.render import View
from noughts.server.rooms.room import apply

MAX_BYTES = 20 * 1024


def seen_room(number: int) -> View:
    """A game of twenty moves, each of them seen by somebody."""
    seat = {"kind": "anyone"}
    start = {"action": "start_game", "game": "15x15,k=5", "at": 1.0, "mode": "PvP", "seats": {"X": seat, "O": seat}}
    room, rng = apply(None, start, id=f"id{number}", watch_id=f"watch{number}"), random.Random(number)
    view = View(room)
    for _ in range(20):
        match = room.match
        move = match.game.move_name(match.position.legal_moves.pick(rng))
        room = apply(room, {"action": "make_move", "player": match.turn, "move": move, "at": 2.0})
        view = View(room, before=view)
        view.for_players()
    return view


def test_an_idle_game_takes_under_20_kilobytes():
    seen_room(0)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        rooms = [seen_room(number) for number in range(1, 21)]
        gc.collect()
        taken = (tracemalloc.get_traced_memory()[0] - before) / len(rooms)
    finally:
        tracemalloc.stop()
    assert taken < MAX_BYTES
