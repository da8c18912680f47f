"""AI work: a bounded number at once, fair between clients, budgets kept; and the other small parts of the server."""

import asyncio
import os
import subprocess
import sys
import threading

import pytest

from noughts.cli import main
from noughts.server.ai import queue as thinking
from noughts.server.ai.queue import Busy, Task, Thinkers, perform
from noughts.server.http.errors import Problem
from noughts.server.http.ratelimit import Buckets
from noughts.server.settings import InvalidSetting, Settings
from tests.server.inside import ask, inside

TASK = Task("move", "3x3", "X", (), 1.0, "easy")


@pytest.fixture
def slow(monkeypatch):
    """Tasks that take until they are let go, and the order in which they are begun."""
    begun, release = [], threading.Semaphore(0)

    def work(task, stop, told=None, agents=None):
        begun.append(task.game)
        release.acquire(timeout=10)
        return {"move": task.game}

    monkeypatch.setattr(thinking, "perform", work)
    return begun, release


def named(name):
    return Task("move", name, "X", (), 1.0)


def test_clients_take_turns(slow):
    begun, release = slow

    async def scenario():
        thinkers = Thinkers(1, 100)
        tasks = [asyncio.create_task(thinkers.think(named(f"ann {n}"), "ann")) for n in range(4)]
        await asyncio.sleep(0.05)
        tasks += [asyncio.create_task(thinkers.think(named(f"{who} 0"), who)) for who in ("bob", "cid")]
        await asyncio.sleep(0.05)
        assert begun == ["ann 0"]
        assert (thinkers.running, thinkers.waiting) == (1, 5)
        for _ in tasks:
            release.release()
        await asyncio.gather(*tasks)
        await thinkers.close()

    asyncio.run(scenario())
    assert begun == ["ann 0", "ann 1", "bob 0", "cid 0", "ann 2", "ann 3"]


def test_nobody_waits_without_end(slow):
    _, release = slow

    async def scenario():
        thinkers = Thinkers(1, 10)
        tasks = [asyncio.create_task(thinkers.think(named("x"), "ann")) for _ in range(10)]
        await asyncio.sleep(0.05)
        refused = [task.exception() for task in tasks if task.done()]
        assert [(problem.status, problem.error) for problem in refused] == [(429, "too_many_ai_tasks")]
        tasks += [asyncio.create_task(thinkers.think(named("x"), f"other {n}")) for n in range(4)]
        await asyncio.sleep(0.05)
        busy = [task.exception() for task in tasks[10:] if task.done()]
        assert {(problem.status, problem.error) for problem in busy} == {(503, "ai_busy")}
        assert len(busy) == 2
        for _ in tasks:
            release.release()
        await asyncio.gather(*tasks, return_exceptions=True)
        await thinkers.close()

    asyncio.run(scenario())


def test_a_task_goes_elsewhere_when_all_here_are_busy(slow):
    begun, release = slow

    async def scenario():
        async def remote(task):
            return {"move": "elsewhere"} if task.game == "second" else None

        thinkers = Thinkers(1, 10, remote)
        first = asyncio.create_task(thinkers.think(named("first"), "ann"))
        await asyncio.sleep(0.05)
        assert await thinkers.think(named("second"), "ann") == {"move": "elsewhere"}
        third = asyncio.create_task(thinkers.think(named("third"), "ann"))
        await asyncio.sleep(0.05)
        release.release()
        release.release()
        assert await first == {"move": "first"}
        assert await third == {"move": "third"}
        assert begun == ["first", "third"]
        await thinkers.close()

    asyncio.run(scenario())


def test_busy_workers_are_asked_again_and_clients_take_turns_there_too():
    begun = []

    async def scenario():
        running, go = 0, asyncio.Event()

        async def remote(task):
            nonlocal running
            if running:
                raise Busy
            running += 1
            begun.append(task.game)
            await go.wait()
            running -= 1
            return {"move": task.game}

        thinkers = Thinkers(0, 100, remote)
        tasks = [asyncio.create_task(thinkers.think(named(f"ann {n}"), "ann")) for n in range(4)]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(thinkers.think(named(f"{who} 0"), who)) for who in ("bob", "cid")]
        while thinkers.waiting < 5:
            await asyncio.sleep(0.001)
        go.set()
        assert [result["move"] for result in await asyncio.gather(*tasks)] == [
            "ann 0", "ann 1", "ann 2", "ann 3", "bob 0", "cid 0",
        ]  # fmt: skip
        assert (thinkers.elsewhere, thinkers.waiting) == (0, 0)
        await thinkers.close()

    asyncio.run(scenario())
    assert begun == ["ann 0", "ann 1", "bob 0", "cid 0", "ann 2", "ann 3"]


def test_workers_that_stay_busy_are_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(thinking, "LONGEST_SEARCH", 0.1)

    async def remote(task):
        raise Busy

    async def scenario():
        thinkers = Thinkers(0, 100, remote)
        with pytest.raises(Problem) as refused:
            await thinkers.think(TASK, "ann")
        assert (refused.value.status, refused.value.error) == (503, "ai_busy")
        await thinkers.close()

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
                raise Busy
            return {"move": task.game}

        thinkers = Thinkers(0, 100, remote)
        thought = asyncio.ensure_future(thinkers.think(named("first"), "ann"))
        done, _ = await asyncio.wait({thought}, timeout=5)
        assert done
        assert thought.result() == {"move": "first"}
        await thinkers.close()

    asyncio.run(scenario())


def test_without_threads_or_workers_nobody_thinks():
    async def scenario():
        thinkers = Thinkers(0, 10)
        with pytest.raises(Problem) as refused:
            await thinkers.think(TASK, "ann")
        assert (refused.value.status, refused.value.error) == (503, "no_ai_worker")
        await thinkers.close()

    asyncio.run(scenario())


def test_tasks_travel_as_json():
    task = Task("move", "3x3", "X", ("b2", "a1"), 0.5, "perfect")
    assert Task.from_json(task.to_json()) == task
    assert perform(task)["move"] in [f"{col}{row}" for col in "abc" for row in "123"]
    for broken in ({**task.to_json(), "kind": "dance"}, {**task.to_json(), "seconds": -1}, {"moves": []}):
        with pytest.raises((ValueError, TypeError)):
            Task.from_json(broken)


def test_buckets_fill_again():
    now = [0.0]
    buckets = Buckets(rate=2, burst=4, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert buckets.take("b", 4) == 0
    now[0] = 1.0
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0.5]
    now[0] = 100.0
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert Buckets(rate=0, burst=1).take("a", 100) == 0


def test_the_store_is_asked_once_however_many_want_to_know_whether_it_is_there(tmp_path, monkeypatch):
    asked = []

    async def scenario():
        async with inside(database=str(tmp_path / "games.db")) as app:
            service = app.state.service
            read = service.store.read
            monkeypatch.setattr(service.store, "read", lambda ask: asked.append(ask) or read(ask))
            answers = await asyncio.gather(*(ask(app, "GET", "/readyz") for _ in range(50)))
            assert {head["status"] for head, _ in answers} == {200}
            assert len(asked) == 1
            service._ping_again = 0
            await ask(app, "GET", "/readyz")
            assert len(asked) == 2

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("flags", "environment", "message"),
    [
        ({"port": 70000}, {}, "ports go up to 65535"),
        ({"workers": 0}, {}, "must be at least 1"),
        ({"log": "loud"}, {}, "must be debug"),
        ({"bus": "http://x"}, {}, "must begin with nats://"),
        ({"database": "mysql://x"}, {}, "must be a file"),
        ({"database": ":memory:"}, {}, "--database :memory:: games are kept in a file"),
        ({"database": "sqlite:///:memory:"}, {}, "games are kept in a file"),
        ({"database": "sqlite:///"}, {}, "games are kept in a file"),
        ({"origins": "https://a.example, *"}, {}, "must be like https://play.example"),
        ({"origins": "https://a.example/"}, {}, "without a path"),
        ({}, {"NOUGHTS_PORT": "many"}, "NOUGHTS_PORT=many: must be a whole number"),
        ({}, {"NOUGHTS_RATE": "fast"}, "NOUGHTS_RATE=fast: must be a number"),
        ({}, {"NOUGHTS_SECURE_COOKIES": "maybe"}, "must be yes or no"),
    ],
)
def test_bad_settings_say_what_is_wrong(flags, environment, message):
    with pytest.raises(InvalidSetting, match=message):
        Settings.read(flags, environment)


def test_flags_come_before_the_environment_and_that_before_the_defaults():
    settings = Settings.read({"port": 1}, {"NOUGHTS_PORT": "2", "NOUGHTS_BURST": "3", "NOUGHTS_SECURE_COOKIES": "yes"})
    assert (settings.port, settings.burst, settings.secure_cookies, settings.workers) == (1, 3, True, 1)
    assert Settings.read({}, settings.environment()) == settings


def test_the_default_database_is_in_the_users_data_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().database == str(tmp_path / "noughts" / "games.db")


def test_help_explains_every_setting(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    text = capsys.readouterr().out
    for name, _, _, _ in Settings.flags():
        assert f"{Settings.flag(name)} " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "--database", "postgresql://nobody@127.0.0.1:1/none"], "noughts: PostgreSQL: "),
        (["serve", "--database", "/proc/none/games.db"], "noughts: "),
        (["serve", "--log", "loud"], "noughts: --log loud: must be"),
        (["worker"], "noughts: --bus (missing): must begin with nats://"),
        (["worker", "--bus", "nats://x", "--threads", "-1"], "noughts: --threads -1: must be at least 1"),
    ],
)
def test_what_keeps_a_server_from_starting_is_said_in_one_line(capsys, arguments, message):
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


def test_playing_imports_no_web_framework():
    code = (
        "import sys, noughts, noughts.cli; noughts.cli.parser();"
        "print([name for name in ('fastapi', 'starlette', 'uvicorn', 'apsw', 'nats') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
