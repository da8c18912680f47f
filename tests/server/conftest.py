"""Servers for the tests of the server."""

import pytest

from tests.server.servers import Nats, Nursery, Postgres


@pytest.fixture(scope="session")
def nursery():
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture(scope="session")
def postgres():
    postgres = Postgres()
    yield postgres
    postgres.close()


@pytest.fixture
def nats():
    nats = Nats()
    yield nats
    nats.stop()


@pytest.fixture(scope="module")
def server(nursery):
    """A server that the tests of a module share."""
    server = nursery.serve()
    yield server
    server.kill()


@pytest.fixture
def client(server):
    client = server.client()
    yield client
    client.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, nursery):
    """A fresh database of each kind."""
    if request.param == "sqlite":
        yield str(nursery.folder / f"{request.node.name.replace('/', '_')}.db")
    else:
        yield request.getfixturevalue("postgres").database()
