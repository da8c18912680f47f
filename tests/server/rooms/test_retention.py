"""How long games and sessions are kept, and by which clock."""

import asyncio

import pytest

from noughts.games import game as game_of
from noughts.server.bus.protocol import NoBus
from noughts.server.errors import Refused
from noughts.server.rooms import commands
from noughts.server.rooms.registry import Registry
from noughts.server.rooms.retention import DAY, Retention
from noughts.server.schema.game import StartRequest
from noughts.server.sessions import Sessions
from noughts.server.storage.clock import ServiceClock
from noughts.server.storage.database import connect
from noughts.server.storage.storage import Storage


class Times:
    """A clock that never goes back, and one on the wall that anybody may set."""

    def __init__(self) -> None:
        self.passed, self.jumped = 100.0, 0.0

    def monotonic(self) -> float:
        return self.passed

    def wall(self) -> float:
        return 2e9 + self.passed + self.jumped

    def clock(self) -> ServiceClock:
        return ServiceClock(self.monotonic, self.wall)


async def server(database, times, **limits):
    storage = Storage(database)
    await storage.open()
    clock = times.clock()
    await clock.open(storage)
    registry = Registry(storage, NoBus(), alone=False, size=10, clock=times.wall)
    return registry, Retention(registry, clock, limits.get("days", 90), limits.get("max_games", 0)), clock


async def start(registry, name):
    event = commands.start_game(StartRequest(mode="PvP", game="3x3"), None, game_of("3x3"), watch_id=f"w-{name}")
    await registry.start(event, (name, f"w-{name}"))
    return name


async def resign(registry, game):
    await registry.change(game, lambda room: {"action": "resign", "player": "X"})


def test_games_that_nobody_finished_or_looked_at_expire(database):
    async def scenario():
        times = Times()
        registry, retention, _ = await server(database, times)
        left, finished, watched = [await start(registry, name) for name in ("left", "finished", "watched")]
        await resign(registry, finished)
        for game in (left, watched):
            await registry.get(game)
        assert await retention.keep() == 0
        for _ in range(2):
            times.passed += 60 * DAY
            await registry.get(watched)
            await retention.keep()
        assert await retention.keep() == 0
        assert retention.games == 2
        with pytest.raises(Refused):
            await registry.get(left)
        for game in (finished, watched):
            assert (await registry.get(game)).room.id == game
        times.passed += 200 * DAY
        assert await retention.keep() == 0, "they were just looked at"
        times.passed += 200 * DAY
        assert await retention.keep() == 1
        assert (await registry.get(finished)).room.match.is_over
        await registry.storage.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("jump", [200 * DAY, -200 * DAY])
def test_a_clock_that_jumps_ends_no_session_and_no_game(database, jump):
    async def scenario():
        times = Times()
        registry, retention, clock = await server(database, times)
        sessions = Sessions(registry.storage, 90, clock)
        token, row = await sessions.start("Ann")
        told = clock.on_the_wall(row.expires)
        game = await start(registry, "game")
        await registry.get(game)
        await retention.keep()
        times.jumped += jump
        times.passed += 20
        assert (await sessions.find(token)).id == row.id
        await sessions.start("Bob")
        assert await retention.keep() == 0
        assert clock.on_the_wall(row.expires) == pytest.approx(told + jump)
        await registry.storage.close()
        # And a server that starts with the wrong time of day.
        times.passed += 3 * DAY
        registry, retention, clock = await server(database, times)
        sessions = Sessions(registry.storage, 90, clock)
        assert (await sessions.find(token)).id == row.id
        assert await retention.keep() == 0
        assert (await registry.get(game)).room.version == 1
        times.passed += 100 * DAY
        assert await sessions.find(token) is None
        await registry.storage.close()

    asyncio.run(scenario())


def test_a_deleted_game_is_gone_for_every_process_however_far_behind(database):
    async def scenario():
        times = Times()
        registry, _, _ = await server(database, times)
        behind, _, _ = await server(database, times)
        game = await start(registry, "game")
        await behind.get(game)
        await registry.change(game, lambda room: {"action": "make_move", "player": "X", "move": "b2"})
        await resign(registry, game)
        await registry.delete(game, lambda room: None)
        for each in (registry, behind):
            with pytest.raises(Refused) as refused:
                await each.change(game, lambda room: {"action": "make_move", "player": "X", "move": "a1"})
            assert refused.value.code == "game_not_found"
            with pytest.raises(Refused):
                await each.get(game)
            with pytest.raises(Refused):
                await each.resolve("w-game")
            await each.storage.close()
        opened = connect(database)
        assert [version for version, _, _ in opened.since(game, 0)] == [4], "its last version stays taken"
        assert opened.load(game) is None
        sql = "SELECT body FROM results"
        [(result,)] = opened._run(sql) if opened.dialect == "sqlite" else opened._rows(sql)
        assert '"winner":"O"' in result
        assert "session" not in result
        opened.close()

    asyncio.run(scenario())


def test_there_is_a_limit_to_all_games(database):
    async def scenario():
        registry, retention, _ = await server(database, Times(), max_games=2)
        await retention.count()
        for name in ("one", "two"):
            retention.check_room_for_one_more()
            await start(registry, name)
        with pytest.raises(Refused) as refused:
            retention.check_room_for_one_more()
        assert refused.value.code == "too_many_games"
        await registry.delete("one", lambda room: None)
        await retention.count()
        retention.check_room_for_one_more()
        await registry.storage.close()

    asyncio.run(scenario())
