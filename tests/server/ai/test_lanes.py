"""Work has lanes: analyses never fill that of the moves, slow moves never that of the quick ones."""

import asyncio
import threading

import pytest

from noughts.server.ai import queue as queue_module
from noughts.server.ai.lanes import Lanes
from noughts.server.ai.task import Task
from noughts.server.errors import Refused


@pytest.fixture
def slow(monkeypatch):
    """Tasks that take until they are let go, easy moves aside."""
    begun, release = [], threading.Event()

    def work(task, stop, progress=None, agents=None, engines=None):
        begun.append((task.kind, task.level))
        if task.level != "easy":
            while not release.wait(0.005) and not stop():
                pass
        return {"move": "a1", "seconds": 0.01 if task.level == "easy" else 1.0, "stopped": None}

    monkeypatch.setattr(queue_module, "perform", work)
    yield begun, release
    release.set()


def analysis(number):
    return Task("analysis", "3x3", "X", (str(number),), 1.0)


def move(level):
    return Task("move", "3x3", "X", (), 1.0, level)


def test_analyses_never_keep_a_move_waiting(slow):
    _, release = slow

    async def scenario():
        lanes = Lanes(1, 1, 16)
        guests = [asyncio.create_task(lanes.analyse(analysis(n), f"guest {n // 8}")) for n in range(64)]
        await asyncio.sleep(0)
        assert lanes.analysis_queue.waiting == 16
        for number in range(10):
            result = await asyncio.wait_for(lanes.move(move("easy"), f"player {number}"), 10)
            assert result["move"] == "a1"
        assert (lanes.running, lanes.waiting) == (1, 16)
        release.set()
        await asyncio.gather(*guests, return_exceptions=True)
        await lanes.close()

    asyncio.run(scenario())


def test_slow_moves_never_keep_a_quick_one_waiting(slow):
    begun, release = slow

    async def scenario():
        lanes = Lanes(2, 1, 16)
        await lanes.move(move("easy"), "player")
        thinking = [asyncio.create_task(lanes.move(move("perfect"), f"guest {n}")) for n in range(30)]
        await asyncio.sleep(0)
        busy = [task for task in thinking if task.done()]
        assert {task.exception().code for task in busy} == {"ai_busy"}
        for _ in range(10):
            await asyncio.wait_for(lanes.move(move("easy"), "player"), 10)
        assert begun.count(("move", "perfect")) == 2
        release.set()
        await asyncio.gather(*thinking, return_exceptions=True)
        await lanes.close()

    asyncio.run(scenario())


def test_a_level_that_becomes_slow_loses_its_lane():
    async def scenario():
        lanes = Lanes(1, 1, 4)
        task = move("easy")
        assert not lanes._is_quick(task), "nobody has seen it"
        lanes._note(task, 0.01)
        assert lanes._is_quick(task)
        for _ in range(3):
            lanes._note(task, 1.0)
        assert not lanes._is_quick(task)
        for _ in range(20):
            lanes._note(task, 0.01)
        assert lanes._is_quick(task)
        for number in range(2000):
            lanes._note(Task("move", f"game {number}", "X", (), 1.0), 0.01)
        assert len(lanes._seconds) <= 1024
        await lanes.close()

    asyncio.run(scenario())


def test_without_threads_all_of_it_goes_to_workers():
    asked = []

    async def remote(task):
        asked.append(task.kind)
        return {"move": "a1", "seconds": 0.01, "stopped": None}

    async def scenario():
        lanes = Lanes(0, 1, 4, remote)
        for _ in range(3):
            await lanes.move(move("easy"), "player")
        await lanes.analyse(analysis(1), "player")
        await lanes.close()
        with pytest.raises(Refused, match="no AI worker"):
            await Lanes(0, 1, 4).analyse(analysis(1), "player")

    asyncio.run(scenario())
    assert asked == ["move", "move", "move", "analysis"]
