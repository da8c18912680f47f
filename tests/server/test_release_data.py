"""Databases of earlier releases: every game is there as it was and can be played on."""

import json
import shutil
from pathlib import Path

import psycopg
import pytest

from tests.fixtures import RELEASES, assert_still_says, read_lines

pytestmark = pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)


class Archive:
    """A server of today on a copy of an old database, and what the old server said of its games."""

    def __init__(self, server, games):
        self.server = server
        self.games = {game["name"]: game for game in games}

    def client(self, name, mark=None):
        """Whoever played a mark of a game then: with the old session, or without one."""
        game = self.games[name]
        seat = game["state"]["marks"].index(mark) if mark is not None and len(game["tokens"]) > 1 else 0
        return self.server.client(game["tokens"][seat])

    def state(self, name):
        return self.client(name).get(f"/game/state/{self.games[name]['id']}").json

    def ask(self, name, what, mark=None, **body):
        return self.client(name, mark).post(f"/game/{self.games[name]['id']}/{what}", body)

    def move(self, name, mark, move, **more):
        body = {"gameId": self.games[name]["id"], "player": mark, "move": move, **more}
        return self.client(name, mark).post("/game/move", body)

    def names(self, *, over):
        return [name for name, game in self.games.items() if (game["state"]["winner"] is not None) == over]


@pytest.fixture(params=["sqlite", "postgresql"])
def archive(request, release, nursery, tmp_path):
    if request.param == "sqlite":
        database = str(shutil.copy(release / "games.db", tmp_path))
    else:
        database = request.getfixturevalue("postgres").database()
        with psycopg.connect(database) as connection:
            connection.execute((release / "games.sql").read_text(encoding="utf-8"))
    server = nursery.serve(database=database, agent=[f"robin=q,path={release / 'runs' / 'q'}"])
    yield Archive(server, read_lines(release / f"{request.param}.jsonl"))
    server.kill()


def test_every_game_is_as_it_was(archive, release):
    for name, then in archive.games.items():
        client, number = archive.client(name), then["id"]
        # The titles of games are words for people, which may change.
        then["state"].pop("title")
        assert_still_says(client.get(f"/game/state/{number}").json, then["state"], name)
        assert_still_says(client.get(f"/game/{number}/moments").json, then["moments"], name)
        record = client.get(f"/game/{number}/record").body.decode()
        assert_still_says(
            [json.loads(line) for line in record.splitlines()],
            [json.loads(line) for line in then["record"].splitlines()],
            name,
        )
        watched = archive.server.client().get(f"/game/state/{then['state']['watchId']}").json
        assert watched["board"] == then["state"]["board"]
        assert watched["you"] == {"role": "watcher", "marks": []}


def test_running_games_go_on(archive, release):
    for name in archive.names(over=False):
        before = archive.state(name)
        mark, move = before["currentPlayer"], before["legalMoves"][0]["move"]
        number = archive.games[name]["id"]
        if before["seats"][mark]["kind"] == "ai":
            after = archive.client(name).post("/ai/move", {"gameId": number}).json["state"]
        elif before["seats"][mark]["kind"] == "open":
            newcomer = archive.server.client().session("Dee")
            assert newcomer.post(f"/game/{number}/join").status == 200
            after = newcomer.post("/game/move", {"gameId": number, "player": mark, "move": move}).json
        else:
            after = archive.move(name, mark, move).json
        assert len(after["moveHistory"]) == len(before["moveHistory"]) + 1, name
        assert after["version"] > before["version"]
        # What was added is stored like the rest.
        assert archive.state(name)["moveHistory"] == after["moveHistory"]


def test_games_that_are_over_stay_over(archive, release):
    for name in archive.names(over=True):
        answer = archive.move(name, archive.state(name)["you"]["marks"][0], "a1")
        assert (answer.status, answer.error) == (409, "game_over"), name
    assert archive.ask("resigned", "undo").error == "game_over"
    review = archive.ask("3x3, won by X", "review", seconds=0.5)
    assert (review.status, len(review["moves"])) == (200, 5)


def test_sessions_and_seats_still_hold(archive, release):
    assert archive.client("two people", "O").post("/session", {"name": "Robert"})["name"] == "Robert"
    mark = archive.state("two people")["currentPlayer"]
    assert mark == "O"
    body = {"gameId": archive.games["two people"]["id"], "player": "O", "move": "a1"}
    for stranger in (
        archive.server.client(),
        archive.server.client().session("Eve"),
        archive.client("two people", "X"),
    ):
        answer = stranger.post("/game/move", body)
        assert (answer.status, answer.error) == (403, "not_your_seat")
    assert archive.move("two people", "O", "a1").status == 200


def test_a_key_still_makes_a_move_count_once(archive, release):
    once = archive.state("a move with a key")
    again = archive.move("a move with a key", "X", "b3", idempotencyKey="same-again")
    assert (again.status, again["version"], again["board"]) == (200, once["version"], once["board"])
    other = archive.move("a move with a key", "X", "c3", idempotencyKey="same-again")
    assert (other.status, other.error) == (409, "key_reused")


def test_what_was_taken_back_or_offered_is_still_there(archive, release):
    assert len(archive.ask("undone", "redo")["moveHistory"]) == 4
    agreed = archive.ask("an undo is offered", "answer", "O", accept=True).json
    assert (agreed["offer"], len(agreed["moveHistory"])) == (None, 0)
    rematch = archive.ask("over, with a rematch", "rematch", "O").json
    assert rematch["id"] == archive.games["the rematch"]["id"]


def test_trained_agents_and_new_games_join_them(archive, release):
    assert archive.state("against a trained agent")["level"] == "robin"
    move = archive.state("against a trained agent")["legalMoves"][0]["move"]
    assert archive.move("against a trained agent", "X", move).status == 200
    client = archive.client("against a trained agent")
    answer = client.post("/ai/move", {"gameId": archive.games["against a trained agent"]["id"]})
    assert (answer.status, answer["player"]) == (200, "O")
    assert archive.server.client().start(game="4x4")["version"] == 1


def test_the_old_file_itself_is_not_touched(release):
    assert sorted(path.name for path in Path(release).glob("games.db*")) == ["games.db"]
