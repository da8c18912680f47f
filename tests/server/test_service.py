"""The parts of a process together."""

import asyncio

from tests.server.inside import ask, inside


def test_the_database_is_asked_once_however_many_want_to_know_whether_it_is_there(tmp_path, monkeypatch):
    asked = []

    async def scenario():
        async with inside(database=str(tmp_path / "games.db")) as app:
            service = app.state.service
            read = service.storage.read
            monkeypatch.setattr(service.storage, "read", lambda ask: asked.append(ask) or read(ask))
            answers = await asyncio.gather(*(ask(app, "GET", "/readyz") for _ in range(50)))
            assert {head["status"] for head, _ in answers} == {200}
            assert len(asked) == 1
            service._check_again = 0
            await ask(app, "GET", "/readyz")
            assert len(asked) == 2

    asyncio.run(scenario())
