"""Datagrams between the processes of one machine."""

import asyncio
import tempfile

import pytest

from noughts.server.bus.datagrams import DatagramBus


@pytest.fixture
def short_path(monkeypatch):
    """A folder for sockets, whose paths have at most 107 characters: a test's own folder may be too deep."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setattr("tempfile.tempdir", folder)
        yield


@pytest.mark.usefixtures("short_path")
def test_messages_reach_all_others_and_those_that_are_gone_are_forgotten():

    async def scenario():
        received = [asyncio.Queue() for _ in range(3)]
        buses = [DatagramBus("games.db") for _ in received]
        for bus, queue in zip(buses, received, strict=True):
            await bus.open(queue.put_nowait)
        buses[0].publish({"game": "d1", "version": 2})
        for queue in received[1:]:
            assert await asyncio.wait_for(queue.get(), 10) == {"game": "d1", "version": 2}
        assert received[0].empty()
        await buses[2].close()
        buses[0].publish({"game": "d1", "version": 3})
        assert await asyncio.wait_for(received[1].get(), 10) == {"game": "d1", "version": 3}
        for bus in buses:
            await bus.close()
        buses[0].publish({"game": "d1", "version": 4})
        assert received[1].empty()

    asyncio.run(scenario())


def test_a_directory_that_others_can_enter_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    bus = DatagramBus("games.db")
    bus._folder.mkdir(mode=0o700)
    bus._folder.chmod(0o755)
    with pytest.raises(PermissionError):
        asyncio.run(bus.open(lambda message: None))


def test_a_path_that_is_too_long_for_a_socket_is_named(tmp_path, monkeypatch):
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with pytest.raises(OSError, match="too long; a shorter TMPDIR may help"):
        asyncio.run(DatagramBus("games.db").open(lambda message: None))
