"""One owner of a room's life: whoever awaits, changes or follows a room has the instance that all others have."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from noughts.games import game as game_of
from noughts.server.bus.protocol import NoBus
from noughts.server.errors import Refused, RoomError, Unavailable
from noughts.server.rooms import commands
from noughts.server.rooms.followers import Follower
from noughts.server.rooms.registry import Registry
from noughts.server.schema.game import MoveRequest, StartRequest
from noughts.server.storage.storage import Storage


class PausedStorage(Storage):
    """A storage whose reads wait for a word, once told to."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.go = asyncio.Event()
        self.go.set()
        self.waiting = 0
        self.passes = False
        """Whether those who come now need not wait."""
        self.fails = False

    async def read(self, query):
        result = await super().read(query)
        if not self.passes:
            self.waiting += 1
            await self.go.wait()
            self.waiting -= 1
        if self.fails:
            raise Unavailable("gone")
        return result

    async def until_waiting(self, count: int) -> None:
        while self.waiting < count:
            await asyncio.sleep(0.001)


class Scene:
    """A registry with one room in memory, and two games."""

    def __init__(self, registry: Registry, storage: PausedStorage) -> None:
        self.registry, self.storage = registry, storage

    async def start(self, name: str) -> str:
        event = commands.start_game(StartRequest(mode="PvP", game="4x4"), None, game_of("4x4"), watch_id=f"w-{name}")
        await self.registry.start(event, (name, f"w-{name}"))
        return name

    async def move(self, game: str, player: str, move: str, key: str | None = None) -> int:
        request = MoveRequest(gameId=game, player=player, move=move, idempotencyKey=key)
        view = await self.registry.change(
            game,
            lambda room: commands.make_move(room, None, request),
            key=key,
            same=lambda room, event: commands.is_same_move(room, event, request),
        )
        return view.room.version

    def in_memory(self) -> list[str]:
        return [cached.game for cached in self.registry.rooms]


def played(tmp_path: Path, scenario: Callable[[Scene], Awaitable[None]], *, alone: bool = False) -> None:
    async def run():
        storage = PausedStorage(str(tmp_path / "games.db"))
        registry = Registry(storage, NoBus(), alone=alone, size=1, poll=1000)
        await storage.open()
        await registry.open()
        await scenario(Scene(registry, storage))
        assert registry.rooms.pinned == ()
        assert len(registry) <= 1
        await registry.close()
        await storage.close()

    asyncio.run(run())


def follower(told: list[int]) -> Follower:
    async def send(message: str, version: int) -> None:
        told.append(version)

    made = Follower("watcher", (), send, watching=True)
    made.start(0)
    return made


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_stream_that_opens_while_others_press_into_memory_is_not_deaf(tmp_path, in_memory):
    async def scenario(scene):
        one, two = await scene.start("g1"), await scene.start("g2")
        await scene.registry.get(one if in_memory else two)
        scene.storage.go.clear()
        told = []
        listener = follower(told)
        following = asyncio.create_task(scene.registry.follow(one, listener))
        await scene.storage.until_waiting(1)
        scene.storage.passes = True
        await scene.registry.get(two)
        await scene.registry.get(two)
        scene.storage.go.set()
        cached = await following
        assert await scene.move(one, "X", "a1") == 2
        while not any(told):
            await asyncio.sleep(0.001)
        assert [version for version in told if version] == [2]
        scene.registry.unfollow(cached, listener)

    played(tmp_path, scenario)


def test_a_room_that_a_player_waits_for_is_not_read_again_beside_it(tmp_path):
    async def scenario(scene):
        one, two = await scene.start("g1"), await scene.start("g2")
        scene.storage.go.clear()
        # This one reads version 1 and is slow to say so, while the next is acknowledged.
        slow = asyncio.create_task(scene.registry.get(one))
        await scene.storage.until_waiting(1)
        moving = asyncio.create_task(scene.move(one, "X", "a1"))
        await asyncio.sleep(0.01)
        scene.storage.go.set()
        assert await moving == 2
        await slow
        await scene.registry.get(two)
        assert (await scene.registry.get(one)).room.version == 2

    played(tmp_path, scenario, alone=True)


def test_a_player_who_waits_for_the_lock_has_the_room_that_is_read(tmp_path):
    async def scenario(scene):
        one, two = await scene.start("g1"), await scene.start("g2")
        first = asyncio.create_task(scene.move(one, "X", "a1"))
        second = asyncio.create_task(scene.move(one, "X", "b1", "again"))
        third = asyncio.create_task(scene.registry.get(two))
        assert await first == 2
        with pytest.raises(RoomError):
            await second
        await third
        assert await scene.move(one, "O", "b1", "again") == 3
        assert (await scene.registry.get(one)).room.version == 3

    played(tmp_path, scenario, alone=True)


def test_those_who_want_a_room_share_one_read_and_may_give_up(tmp_path):
    async def scenario(scene):
        one, two = await scene.start("g1"), await scene.start("g2")
        await scene.registry.get(two)
        scene.storage.go.clear()
        asking = [asyncio.create_task(scene.registry.get(one)) for _ in range(5)]
        await scene.storage.until_waiting(1)
        for task in asking[:3]:
            task.cancel()
        await asyncio.sleep(0.01)
        assert scene.storage.waiting == 1
        scene.storage.go.set()
        assert [view.room.version for view in await asyncio.gather(*asking[3:])] == [1, 1]
        assert all(task.cancelled() for task in asking[:3])
        assert scene.in_memory() == ["g1"]

    played(tmp_path, scenario, alone=True)


def test_a_room_that_could_not_be_read_is_read_again(tmp_path):
    async def scenario(scene):
        one, two = await scene.start("g1"), await scene.start("g2")
        await scene.registry.get(two)
        scene.storage.fails = True
        for _ in range(2):
            with pytest.raises(Unavailable):
                await scene.registry.get(one)
        with pytest.raises(Unavailable):
            await scene.move(one, "X", "a1")
        scene.storage.fails = False
        assert await scene.move(one, "X", "a1") == 2
        with pytest.raises(Refused) as refused:
            await scene.registry.get("nobody")
        assert refused.value.code == "game_not_found"
        assert scene.in_memory() == ["g1"]

    played(tmp_path, scenario, alone=True)


def test_memory_has_room_again_when_streams_have_gone(tmp_path):
    async def scenario(scene):
        games = [await scene.start(f"g{number}") for number in range(5)]
        listeners = [follower([]) for _ in games]
        rooms = [await scene.registry.follow(game, each) for game, each in zip(games, listeners, strict=True)]
        assert sorted(scene.in_memory()) == games
        assert scene.registry.followers == 5
        for cached, each in zip(rooms, listeners, strict=True):
            scene.registry.unfollow(cached, each)
        assert len(scene.registry) == 1
        assert scene.registry.followers == 0

    played(tmp_path, scenario)


def test_whoever_is_told_that_nothing_is_to_do_is_told_the_newest_version(tmp_path):
    async def scenario(scene):
        one = await scene.start("g1")
        other = Registry(scene.storage, NoBus(), alone=False, size=1)
        assert (await other.get(one)).room.version == 1
        await scene.move(one, "X", "a1")
        assert (await other.change(one, lambda room: None)).room.version == 2

    played(tmp_path, scenario)
