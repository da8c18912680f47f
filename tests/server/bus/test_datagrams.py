"""Datagrams between the processes of one machine."""

import asyncio

import pytest

from noughts.server.bus.datagrams import DatagramBus


def test_messages_reach_all_others_and_those_that_are_gone_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

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
