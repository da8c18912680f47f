"""The two databases: migrations from the first version on, events that are final, the compare-and-swap."""

import asyncio
import threading

import apsw
import psycopg
import pytest

from noughts.server.errors import Unavailable
from noughts.server.storage.database import Entry, SessionRow, connect, migrations
from noughts.server.storage.storage import Storage
from noughts.server.storage.thread import WorkThread
from noughts.server.storage.writer import Conflict, GroupWriter
from tests.server.servers import wait_for


@pytest.fixture
def opened(database):
    opened = connect(database)
    opened.migrate()
    yield opened
    opened.close()


def bodies(opened, game):
    loaded = opened.load(game)
    return [body for _, body, _ in loaded.events]


def test_both_dialects_have_the_same_migrations():
    numbers = [number for number, _ in migrations("sqlite")]
    assert numbers == [number for number, _ in migrations("postgresql")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 2


def test_migrations_run_from_every_version_and_keep_what_is_there(database):
    latest = len(migrations("sqlite"))
    opened = connect(database)
    assert opened.migrate(upto=1) == [1]
    opened.append([Entry("g", 1, "first", watch_id="w")])
    assert opened.migrate() == list(range(2, latest + 1))
    assert opened.migrate() == []
    assert bodies(opened, "g") == ["first"]
    opened.put_session(SessionRow("h", "s", "Ann", 9e9), 5.0)
    assert opened.session("h").name == "Ann"
    opened.close()


def test_processes_that_migrate_at_once_do_not_get_in_each_others_way(database):
    connect(database).close()
    ran, failures = [], []

    def migrate():
        try:
            opened = connect(database)
            ran.extend(opened.migrate())
            opened.close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=migrate) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(ran) == [number for number, _ in migrations("sqlite")]


def test_a_version_and_a_key_are_taken_once(opened):
    assert opened.append([Entry("g", 1, "a", watch_id="w"), Entry("g", 2, "b", "k")]) == {("g", 1), ("g", 2)}
    assert opened.append([Entry("g", 2, "c"), Entry("g", 3, "d", "k"), Entry("h", 1, "e", watch_id="v")]) == {("h", 1)}
    assert opened.append([Entry("g", 3, "f", "other"), Entry("h", 2, "g", "k")]) == {("g", 3), ("h", 2)}
    assert bodies(opened, "g") == ["a", "b", "f"]
    assert opened.keyed("g", "k") == (2, "b")
    assert opened.keyed("g", "none") is None
    assert opened.heads(["g", "h", "none"]) == {"g": 3, "h": 2}
    assert opened.watched("w") == "g"
    assert opened.watched("none") is None
    assert opened.since("g", 1) == [(2, "b", "k"), (3, "f", "other")]


def test_events_are_never_changed_or_deleted(opened, database):
    opened.append([Entry("g", 1, "a", watch_id="w")])
    for statement in ("UPDATE events SET body = 'x'", "DELETE FROM events"):
        if opened.dialect == "sqlite":
            with pytest.raises(apsw.ConstraintError, match="never"):
                opened._run(statement)
        else:
            with psycopg.connect(database) as raw, pytest.raises(psycopg.errors.RaiseException, match="never"):
                raw.execute(statement)
    assert bodies(opened, "g") == ["a"]


def test_a_load_takes_the_snapshot_and_what_came_after(opened):
    opened.append([Entry("g", 1, "a", watch_id="w"), Entry("g", 2, "b", snapshot="two"), Entry("g", 3, "c")])
    loaded = opened.load("g")
    assert (loaded.watch_id, loaded.snapshot, [version for version, _, _ in loaded.events]) == ("w", "two", [3])
    assert [version for version, _, _ in opened.load("g", whole=True).events] == [1, 2, 3]
    assert opened.load("none") is None


def test_sessions_come_and_go(opened):
    opened.put_session(SessionRow("h", "s", "Ann", 9e9), 5.0)
    opened.put_session(SessionRow("h", "s", "Eve", 8e9), 5.0)
    assert opened.session("h") == SessionRow("h", "s", "Eve", 8e9)
    opened.put_session(SessionRow("old", "o", "Old", 1.0), 5.0)
    assert opened.session("old") is None
    opened.drop_session("h")
    assert opened.session("h") is None


def test_the_writer_commits_in_groups(database):
    async def main():
        storage = Storage(database)
        await storage.open()
        first = [storage.append(Entry(f"g{n}", 1, "a", watch_id=f"w{n}")) for n in range(100)]
        await asyncio.gather(*first)
        groups = storage.groups
        results = await asyncio.gather(
            *(storage.append(Entry(f"g{n % 100}", 2, f"{n}")) for n in range(200)), return_exceptions=True
        )
        lost = [result for result in results if result is not None]
        assert all(isinstance(result, Conflict) for result in lost)
        assert len(lost) == 100
        assert storage.appended == 200
        assert groups < 20
        heads = await storage.read(lambda opened: opened.heads([f"g{n}" for n in range(100)]))
        assert set(heads.values()) == {2}
        await storage.close()

    asyncio.run(main())


def test_every_commit_is_synced(opened, database):
    if opened.dialect == "sqlite":
        assert opened._run("PRAGMA synchronous") == [(2,)]
        assert opened._run("PRAGMA journal_mode") == [("wal",)]
    else:
        assert opened._rows("SHOW synchronous_commit") == [("on",)]


INSERT = "INSERT INTO events (game, version, body) VALUES (%s, 1, 'theirs')"


@pytest.fixture
def rival(postgres):
    """Another server in the middle of a transaction, and how many wait for a lock."""
    url = postgres.database()
    opened = connect(url, 30)
    opened.migrate()
    with psycopg.connect(url) as raw, psycopg.connect(url, autocommit=True) as watching:

        def waiting():
            [(count,)] = watching.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchall()
            return count

        yield opened, raw, waiting
    opened.close()


def appending(opened, entries):
    """Append in a thread of its own; what came of it."""
    found = []
    thread = threading.Thread(target=lambda: found.append(opened.append(entries)))
    thread.start()
    return thread, found


def test_servers_take_the_same_versions_in_the_same_order(rival):
    opened, raw, waiting = rival
    raw.execute(INSERT, ("a",))
    thread, found = appending(opened, [Entry("b", 1, "ours"), Entry("a", 1, "ours"), Entry("c", 1, "ours")])
    wait_for(waiting)
    # While it waits for a it must not hold b: that is how two servers come to wait for each other.
    raw.execute("SET LOCAL lock_timeout = '500ms'")
    raw.execute(INSERT, ("b",))
    raw.commit()
    thread.join()
    assert found == [{("c", 1)}]


def test_what_a_deadlock_undid_is_tried_again(rival):
    opened, raw, waiting = rival
    # The other one is patient, so it is ours that the server gives up.
    raw.execute("SET LOCAL deadlock_timeout = '60s'")
    raw.execute(INSERT, ("b",))
    thread, found = appending(opened, [Entry("a", 1, "ours"), Entry("b", 1, "ours"), Entry("c", 1, "ours")])
    wait_for(waiting)
    raw.execute(INSERT, ("a",))
    raw.commit()
    thread.join()
    assert found == [{("c", 1)}]
    assert opened.since("c", 0) == [(1, "ours", None)]


class HangingDatabase:
    """A database that hangs until it is let go."""

    def __init__(self):
        self.release, self.appended = threading.Event(), []

    def append(self, entries):
        self.release.wait(10)
        self.appended += [entry.version for entry in entries]
        return {(entry.game, entry.version) for entry in entries}


def test_a_writer_that_hangs_keeps_nobody_waiting():
    database = HangingDatabase()

    async def scenario():
        writer = GroupWriter(lambda: database, WorkThread("write"), seconds=0.05)
        first = asyncio.ensure_future(writer.append(Entry("g", 1, "a")))
        await asyncio.sleep(0.01)
        # Behind the first one, so it is never written.
        second = asyncio.ensure_future(writer.append(Entry("g", 2, "b")))
        for waiting in (first, second):
            with pytest.raises(Unavailable, match=r"no answer for 0\.05 s"):
                await waiting
        assert writer.is_stuck
        with pytest.raises(Unavailable):
            await writer.append(Entry("g", 3, "c"))
        database.release.set()
        while writer.is_stuck:
            await asyncio.sleep(0.001)
        await writer.append(Entry("g", 4, "d"))
        await writer.close()

    asyncio.run(scenario())
    assert database.appended == [1, 4]


def test_a_connection_writes_something_that_changes_nothing(opened):
    before = opened.migrate()
    opened.check_writable()
    opened.ping()
    assert opened.migrate() == before == []
