"""Commands: pure functions from a room and a request to an event, stamped by the registry."""

import ast
import asyncio
from pathlib import Path

import pytest

import noughts.server.rooms
from noughts.games import game
from noughts.server.bus.protocol import NoBus
from noughts.server.errors import Forbidden, Refused
from noughts.server.rooms import commands
from noughts.server.rooms.ids import new_ids
from noughts.server.rooms.registry import Registry
from noughts.server.rooms.room import Room, apply
from noughts.server.schema.game import MoveRequest, StartRequest
from noughts.server.storage.database import SessionRow
from noughts.server.storage.storage import Storage

ANN, BOB = (SessionRow(name, name, name, 8e9) for name in ("ann", "bob"))


def started(session: SessionRow | None = None, **wanted: str) -> Room:
    request = StartRequest(mode="PvP", game="3x3", **wanted)
    event = commands.start_game(request, session, game("3x3"), watch_id="w-1")
    return apply(None, {**event, "at": 1.0}, id="g1", watch_id="w-1")


@pytest.mark.parametrize("module", ["commands", "room", "seats", "render"])
def test_what_is_pure_asks_no_clock_and_no_dice(module):
    source = Path(noughts.server.rooms.__path__[0], f"{module}.py").read_text()
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert not imported & {"time", "datetime", "random", "secrets", "asyncio", "os"}


def test_the_same_room_and_request_give_the_same_event():
    room = started()
    request = MoveRequest(gameId="g1", player="X", row=1, col=1)
    event = commands.make_move(room, None, request)
    assert event == commands.make_move(room, None, request) == {"action": "make_move", "player": "X", "move": "b2"}
    assert commands.is_same_move(room, event, MoveRequest(gameId="g1", player="X", move="B02"))


def test_refusals_have_codes_and_show_the_room_where_that_helps():
    room = started(ANN, opponent="link")
    with pytest.raises(Forbidden) as refused:
        commands.make_move(room, BOB, MoveRequest(gameId="g1", player="X", row=1, col=1))
    assert (refused.value.code, refused.value.room) == ("not_your_seat", None)
    with pytest.raises(Refused) as refused:
        commands.make_move(room, ANN, MoveRequest(gameId="g1", player="X", row=1, col=1, expectedVersion=7))
    assert (refused.value.code, refused.value.room) == ("stale_version", room)


def test_events_get_their_time_from_the_clock_of_the_registry(tmp_path):
    now = iter([10.0, 11.0])

    async def scenario():
        storage = Storage(str(tmp_path / "games.db"))
        registry = Registry(storage, NoBus(), alone=True, size=10, clock=lambda: next(now))
        await storage.open()
        ids = new_ids()
        event = commands.start_game(StartRequest(mode="PvP", game="3x3"), None, game("3x3"), watch_id=ids[1])
        await registry.start(event, ids)
        request = MoveRequest(gameId=ids[0], player="X", row=1, col=1)
        cached = await registry.change(ids[0], lambda room: commands.make_move(room, None, request))
        assert [ply.at for ply in cached.room.match.history] == [11.0]
        assert [event["at"] for event in await registry.events(ids[0])] == [10.0, 11.0]
        await storage.close()

    asyncio.run(scenario())
