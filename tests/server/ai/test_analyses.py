"""Analyses: one computation for many readers, kept, stopped when nobody waits, fair."""

import asyncio
import threading
from dataclasses import replace

import pytest

from noughts.server.ai import queue as queue_module
from noughts.server.ai.analyses import Analyses
from noughts.server.ai.queue import TaskQueue
from noughts.server.ai.task import Task, perform
from noughts.server.errors import Refused


class Work:
    """Tasks that take until they are let go or stopped."""

    def __init__(self):
        self.begun, self.stopped, self.release = [], [], threading.Semaphore(0)
        self.fails = False

    def __call__(self, task, stop, progress=None, agents=None, engines=None):
        self.begun.append(task.game)
        while not self.release.acquire(timeout=0.005):
            if stop():
                self.stopped.append(task.game)
                return {"stopped": "stop"}
        if self.fails:
            raise ValueError("broken")
        return {"of": task.game, "stopped": "time", "number": len(self.begun)}


@pytest.fixture
def work(monkeypatch):
    work = Work()
    monkeypatch.setattr(queue_module, "perform", work)
    return work


def about(game, seconds=1.0):
    return Task("analysis", game, "X", ("a1", "b2"), seconds)


def run(scenario, threads=1, waiting=64, size=256):
    async def main():
        queue = TaskQueue(threads, waiting)
        analyses = Analyses(queue, size)
        try:
            await scenario(analyses, queue)
        finally:
            await queue.close()

    asyncio.run(main())


def asking(analyses, task, client, **more):
    return asyncio.create_task(analyses.run(task, client, **more))


def test_one_computation_has_many_readers_and_is_kept(work):
    async def scenario(analyses, queue):
        readers = [asking(analyses, about("a"), f"guest {n}") for n in range(50)]
        await asyncio.sleep(0.05)
        assert (queue.running, queue.waiting) == (1, 0)
        work.release.release()
        results = await asyncio.gather(*readers)
        assert results == [{"of": "a", "stopped": "time", "number": 1}] * 50
        assert await analyses.run(about("a"), "late") == results[0]
        assert await analyses.run(about("a", 0.5), "late") == results[0]
        assert (work.begun, analyses.shared) == (["a"], 51)
        # More time may find more.
        work.release.release()
        assert (await analyses.run(about("a", 2.0), "late"))["number"] == 2
        assert (await analyses.run(about("a"), "late"))["number"] == 2

    run(scenario)


def test_what_was_finished_is_not_done_again(work, monkeypatch):
    monkeypatch.setattr(queue_module, "perform", lambda task, *rest: {"stopped": None})

    async def scenario(analyses, queue):
        await analyses.run(about("a", 0.1), "ann")
        await analyses.run(about("a", 5.0), "ann")
        assert analyses.shared == 1

    run(scenario)


def test_a_position_is_one_however_it_came_about(work):
    async def scenario(analyses, queue):
        first = about("a")
        readers = [
            asking(analyses, first, "ann", position="xo- X"),
            asking(analyses, replace(first, moves=("b2", "a1")), "bob", position="xo- X"),
            asking(analyses, replace(first, moves=("b2",)), "bob", position="-o- X"),
            asking(analyses, replace(first, kind="review"), "bob", position="xo- X"),
        ]
        await asyncio.sleep(0.05)
        for _ in readers:
            work.release.release()
        await asyncio.gather(*readers)
        assert len(work.begun) == 3

    run(scenario)


def test_it_is_stopped_when_nobody_waits_any_more(work):
    async def scenario(analyses, queue):
        ann, bob = (asking(analyses, about("a"), who) for who in ("ann", "bob"))
        waiting = asking(analyses, about("b"), "ann")
        await asyncio.sleep(0.05)
        ann.cancel()
        waiting.cancel()
        await asyncio.sleep(0.05)
        assert (work.stopped, queue.running, queue.waiting) == ([], 1, 0)
        bob.cancel()
        while queue.running:
            await asyncio.sleep(0.005)
        assert (work.begun, work.stopped) == (["a"], ["a"])
        # Nothing of it is kept.
        work.release.release()
        assert (await analyses.run(about("a"), "cid"))["number"] == 2

    run(scenario)


def test_who_joins_waits_no_longer_than_alone(work):
    async def scenario(analyses, queue):
        readers = [asking(analyses, about(f"ann {n}"), "ann") for n in range(6)]
        await asyncio.sleep(0.05)
        readers.append(asking(analyses, about("ann 5"), "bob"))
        await asyncio.sleep(0.05)
        assert queue.waiting == 6
        for _ in readers:
            work.release.release()
        await asyncio.gather(*readers)
        assert work.begun == ["ann 0", "ann 1", "ann 5", "ann 2", "ann 3", "ann 4"]
        assert queue.waiting == 0

    run(scenario)


def test_failures_reach_every_reader_and_are_not_kept(work):
    async def scenario(analyses, queue):
        work.fails = True
        readers = [asking(analyses, about("a"), who) for who in ("ann", "bob")]
        await asyncio.sleep(0.05)
        work.release.release()
        results = await asyncio.gather(*readers, return_exceptions=True)
        assert [type(result) for result in results] == [ValueError, ValueError]
        work.fails = False
        work.release.release()
        assert (await analyses.run(about("a"), "ann"))["of"] == "a"

    run(scenario)


def test_only_so_many_are_kept_and_wait(work):
    async def scenario(analyses, queue):
        for game in ("a", "b", "c", "a"):
            work.release.release()
            await analyses.run(about(game), "ann")
        assert work.begun == ["a", "b", "c", "a"]
        readers = [asking(analyses, about(f"ann {n}"), "ann") for n in range(20)]
        await asyncio.sleep(0.05)
        refused = [reader.exception() for reader in readers if reader.done()]
        assert {error.code for error in refused} == {"too_many_ai_tasks"}
        assert len(refused) == 11
        with pytest.raises(Refused):
            await analyses.run(about("one more"), "ann")
        assert len(analyses._running) == 9
        for _ in readers:
            work.release.release()
        await asyncio.gather(*readers, return_exceptions=True)
        assert not analyses._running

    run(scenario, size=2)


def test_a_hint_is_read_off_the_analysis_of_its_position(monkeypatch):
    done = []

    def work(task, stop, progress=None, agents=None, engines=None):
        done.append(task.kind)
        return perform(task, stop, progress)

    monkeypatch.setattr(queue_module, "perform", work)

    async def scenario(analyses, queue):
        analysis = Task("analysis", "3x3", "X", ("b2", "b1"), 1.0)
        hint = replace(analysis, kind="hint")
        # At the same time, and again later.
        answers = await asyncio.gather(*(analyses.run(task, "ann") for task in (hint, analysis, hint)))
        assert answers[0] == answers[2] == await analyses.run(hint, "bob")
        assert answers[0]["move"] == answers[1]["best"][0]
        assert answers[0]["note"]["facts"] == {
            name: answers[1]["evaluation"][name] for name in ("value", "distance", "within", "margin")
        }
        assert done == ["analysis"]
        # A huge board may have no analysis; there is a move all the same.
        lost = Task("hint", "1000x1000,k=5", "X", ("a1", "alk999"), 1.0, "easy")
        assert (await analyses.run(lost, "ann"))["move"]
        assert done == ["analysis", "analysis", "hint"]

    run(scenario)
