"""AI tasks: a bounded number at once, fair between clients, budgets kept."""

import asyncio
import threading

import pytest

from noughts.compute.engine import EnginePool
from noughts.server.ai import queue as queue_module
from noughts.server.ai.queue import TaskQueue, WorkerBusy
from noughts.server.ai.task import Task, perform
from noughts.server.errors import Refused

TASK = Task("move", "3x3", "X", (), 1.0, "easy")


@pytest.fixture
def slow(monkeypatch):
    """Tasks that take until they are let go, and the order in which they are begun."""
    begun, release = [], threading.Semaphore(0)

    def work(task, stop, progress=None, agents=None, engines=None):
        begun.append(task.game)
        release.acquire(timeout=10)
        return {"move": task.game}

    monkeypatch.setattr(queue_module, "perform", work)
    return begun, release


def named(name):
    return Task("move", name, "X", (), 1.0)


def test_clients_take_turns(slow):
    begun, release = slow

    async def scenario():
        queue = TaskQueue(1, 100)
        tasks = [asyncio.create_task(queue.run(named(f"ann {n}"), "ann")) for n in range(4)]
        await asyncio.sleep(0.05)
        tasks += [asyncio.create_task(queue.run(named(f"{who} 0"), who)) for who in ("bob", "cid")]
        await asyncio.sleep(0.05)
        assert begun == ["ann 0"]
        assert (queue.running, queue.waiting) == (1, 5)
        for _ in tasks:
            release.release()
        await asyncio.gather(*tasks)
        await queue.close()

    asyncio.run(scenario())
    assert begun == ["ann 0", "ann 1", "bob 0", "cid 0", "ann 2", "ann 3"]


def test_nobody_waits_without_end(slow):
    _, release = slow

    async def scenario():
        queue = TaskQueue(1, 10)
        tasks = [asyncio.create_task(queue.run(named("x"), "ann")) for _ in range(10)]
        await asyncio.sleep(0.05)
        refused = [task.exception() for task in tasks if task.done()]
        assert [error.code for error in refused] == ["too_many_ai_tasks"]
        tasks += [asyncio.create_task(queue.run(named("x"), f"other {n}")) for n in range(14)]
        await asyncio.sleep(0.05)
        # Places are taken from who has most of them, until everybody has one.
        busy = [at for at, task in enumerate(tasks) if task.done() and task.exception().code == "ai_busy"]
        assert busy == [*range(2, 9), *range(19, 24)]
        assert queue.waiting == 10
        for _ in tasks:
            release.release()
        await asyncio.gather(*tasks, return_exceptions=True)
        await queue.close()

    asyncio.run(scenario())


def test_a_task_goes_elsewhere_when_all_here_are_busy(slow):
    begun, release = slow

    async def scenario():
        async def remote(task):
            return {"move": "elsewhere"} if task.game == "second" else None

        queue = TaskQueue(1, 10, remote)
        first = asyncio.create_task(queue.run(named("first"), "ann"))
        await asyncio.sleep(0.05)
        assert await queue.run(named("second"), "ann") == {"move": "elsewhere"}
        third = asyncio.create_task(queue.run(named("third"), "ann"))
        await asyncio.sleep(0.05)
        release.release()
        release.release()
        assert await first == {"move": "first"}
        assert await third == {"move": "third"}
        assert begun == ["first", "third"]
        await queue.close()

    asyncio.run(scenario())


def test_busy_workers_are_asked_again_and_clients_take_turns_there_too():
    begun = []

    async def scenario():
        running, go = 0, asyncio.Event()

        async def remote(task):
            nonlocal running
            if running:
                raise WorkerBusy
            running += 1
            begun.append(task.game)
            await go.wait()
            running -= 1
            return {"move": task.game}

        queue = TaskQueue(0, 100, remote)
        tasks = [asyncio.create_task(queue.run(named(f"ann {n}"), "ann")) for n in range(4)]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(queue.run(named(f"{who} 0"), who)) for who in ("bob", "cid")]
        while queue.waiting < 5:
            await asyncio.sleep(0.001)
        go.set()
        assert [result["move"] for result in await asyncio.gather(*tasks)] == [
            "ann 0", "ann 1", "ann 2", "ann 3", "bob 0", "cid 0",
        ]  # fmt: skip
        assert (queue.elsewhere, queue.waiting) == (0, 0)
        await queue.close()

    asyncio.run(scenario())
    assert begun == ["ann 0", "ann 1", "bob 0", "cid 0", "ann 2", "ann 3"]


def test_workers_that_stay_busy_are_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(queue_module, "MAX_WAIT_FOR_WORKER", 0.1)

    async def remote(task):
        raise WorkerBusy

    async def scenario():
        queue = TaskQueue(0, 100, remote)
        with pytest.raises(Refused) as refused:
            await queue.run(TASK, "ann")
        assert refused.value.code == "ai_busy"
        await queue.close()

    asyncio.run(scenario())


def test_a_timer_that_comes_early_leaves_nobody_waiting():
    async def scenario():
        loop = asyncio.get_running_loop()
        later = loop.call_later
        # As a loop does whose clock is read in whole milliseconds.
        loop.call_later = lambda seconds, *rest, **more: later(seconds / 2, *rest, **more)
        asked = 0

        async def remote(task):
            nonlocal asked
            asked += 1
            if asked < 4:
                raise WorkerBusy
            return {"move": task.game}

        queue = TaskQueue(0, 100, remote)
        thought = asyncio.ensure_future(queue.run(named("first"), "ann"))
        done, _ = await asyncio.wait({thought}, timeout=5)
        assert done
        assert thought.result() == {"move": "first"}
        await queue.close()

    asyncio.run(scenario())


def test_without_threads_or_workers_nobody_thinks():
    async def scenario():
        queue = TaskQueue(0, 10)
        with pytest.raises(Refused) as refused:
            await queue.run(TASK, "ann")
        assert refused.value.code == "no_ai_worker"
        await queue.close()

    asyncio.run(scenario())


def test_matches_keep_their_engine_within_one_pool():
    engines = EnginePool(tables=2, memory=8 << 20)
    for moves in (("h8", "i9"), ("h8", "i9", "i8", "g8"), ("a1", "b1"), ("c1", "d1")):
        perform(Task("move", "gomoku", "X", moves, 0.2), engines=engines)
        assert 0 < engines.bytes <= engines.memory


def test_tasks_travel_as_json():
    task = Task("move", "3x3", "X", ("b2", "a1"), 0.5, "perfect")
    assert Task.from_json(task.to_json()) == task
    assert perform(task)["move"] in [f"{col}{row}" for col in "abc" for row in "123"]
    for broken in ({**task.to_json(), "kind": "dance"}, {**task.to_json(), "seconds": -1}, {"moves": []}):
        with pytest.raises((ValueError, TypeError)):
            Task.from_json(broken)
