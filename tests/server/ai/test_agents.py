"""Agents: what the operator trained plays under a name, and a client never gets to say what stands behind it."""

import os
import shutil
import signal

import pytest

import noughts
from noughts.cli import main
from noughts.lab.config import Config
from noughts.lab.training import train
from noughts.players import player
from noughts.server.ai.agents import read_agents
from noughts.server.errors import InvalidSetting
from noughts.server.settings import Settings
from tests.server.servers import is_alive, wait_for


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run that learned 3x3."""
    folder = tmp_path_factory.mktemp("runs") / "robin"
    assert train(Config.make("q", "3x3", games=50_000, evaluations=1, matches=2, threads=1), folder).finished
    return folder


@pytest.fixture(scope="module")
def host(nursery, trained):
    server = nursery.serve(agent=[f"robin=q,path={trained}", "any=random,seed=1"])
    yield server
    server.kill()


def test_a_whole_game_against_a_trained_agent(host, trained):
    client = host.client()
    state = client.start("PvAI", game="3x3", level="robin")
    game, expected = state["id"], player(f"q,path={trained}")
    assert state["seats"]["O"] == {"kind": "ai", "name": None, "level": "robin"}
    for _ in range(9):
        if state["winner"] is not None:
            break
        if state["currentPlayer"] == "X":
            move = state["legalMoves"][0]["move"]
            state = client.post("/game/move", {"gameId": game, "player": "X", "move": move}).json
        else:
            position = noughts.game("3x3").start()
            for played in state["moveHistory"]:
                position = position.play(played["move"])
            answer = client.post("/ai/move", {"gameId": game}).json
            assert answer["move"] == position.game.move_name(expected.choose(position).move)
            assert answer["note"] == {"code": "learned", "facts": {"games": 50_000}}
            state = answer["state"]
    assert state["winner"] in ("O", "draw"), "the first free cell is no match for it"
    again = client.post(f"/game/{game}/rematch").json
    assert client.post("/ai/move", {"gameId": again["id"]})["player"] == "O"


def test_agents_are_listed_with_the_games_they_play(host):
    client = host.client()
    levels = {level["name"]: level for level in client.get("/levels").json}
    assert list(levels) == ["easy", "medium", "hard", "perfect", "rules", "robin", "any"]
    assert levels["robin"]["games"] == ["3x3"]
    assert levels["any"]["games"] is levels["easy"]["games"] is None
    assert [level["name"] for level in client.get("/levels?game=tictactoe").json][5:] == ["robin", "any"]
    assert [level["name"] for level in client.get("/levels?game=4x4").json][5:] == ["any"]
    assert client.get("/levels?game=chess").error == "invalid_game"


def test_an_agent_plays_only_what_it_can(host, trained):
    client = host.client()
    refused = client.post("/game/start", {"mode": "PvAI", "game": "4x4", "level": "robin"})
    assert (refused.status, refused.error) == (400, "agent_cannot_play")
    assert "plays 3x3; it cannot play 4x4" in refused["message"]
    assert client.start("PvAI", game="4x4", level="any")["level"] == "any"
    unknown = client.post("/game/start", {"mode": "PvAI", "game": "3x3", "level": "sparrow"})
    assert (unknown.status, unknown.error) == (400, "unknown_level")
    for level in ("q", "random", f"q,path={trained}", "robin,epsilon=1", "ROBIN"):
        assert client.post("/game/start", {"mode": "PvAI", "game": "3x3", "level": level}).status == 400
    for answer in (refused, unknown, client.get("/levels")):
        assert str(trained).encode() not in answer.body


def test_an_agent_that_is_lost_or_taken_away_says_so_and_tells_no_path(nursery, trained, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(trained, copy)
    server = nursery.serve(agent=[f"robin=q,path={copy}"])
    client = server.client()
    game = client.start("PvAI", game="3x3", level="robin", seat="O")["id"]
    shutil.rmtree(copy)
    lost = [
        client.post("/ai/move", {"gameId": game}),
        client.post("/game/start", {"mode": "PvAI", "game": "3x3", "level": "robin"}),
    ]
    assert [(answer.status, answer.error) for answer in lost] == [(503, "agent_failed")] * 2
    assert not any(b"copy" in answer.body for answer in lost)
    assert str(copy) in server.log()
    assert "robin" not in [level["name"] for level in client.get("/levels?game=3x3").json]
    server.kill()
    server.settings["agent"] = []
    server.start()
    client = server.client()
    gone = client.post("/ai/move", {"gameId": game})
    assert (gone.status, gone.error) == (503, "agent_missing")
    client.post(f"/game/{game}/resign", {"player": "O"})
    assert client.post(f"/game/{game}/rematch").error == "agent_missing"
    server.kill()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("robin", "must be NAME=SPEC"),
        ("robin=", "must be NAME=SPEC"),
        ("Robin Hood=random", "a name has up to 24 lower-case letters"),
        ("easy=random", "easy is a level"),
        ("robin=parrot", "unknown player 'parrot'"),
        ("robin=q", "needs what it learned"),
        ("robin=q,path=/nowhere", "/nowhere: No such file"),
    ],
)
def test_a_bad_agent_keeps_the_server_from_starting(capsys, tmp_path, text, message):
    with pytest.raises(InvalidSetting, match=message):
        read_agents([text])
    assert main(["serve", "--port", "0", "--database", str(tmp_path / "games.db"), "--agent", text]) == 2
    assert main(["worker", "--bus", "nats://127.0.0.1:1", "--agent", text]) == 2
    err = capsys.readouterr().err
    assert err.count(message) == 2
    assert "Traceback" not in err


def test_agents_come_by_flag_or_environment(monkeypatch):
    with pytest.raises(InvalidSetting, match="two of this name"):
        read_agents(["robin=random", "robin=rules"])
    with pytest.raises(InvalidSetting, match="cannot contain a ;"):
        Settings.read({"agents": ["robin=random;seed=1"]})
    monkeypatch.setenv("NOUGHTS_AGENTS", "robin=random,seed=1; wren=rules;")
    settings = Settings.read({})
    assert settings.agents == ("robin=random,seed=1", "wren=rules")
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    assert Settings.read({}) == settings
    assert Settings.read({"agents": ["owl=rules"]}).agents == ("owl=rules",)


def test_workers_need_the_agents_too(nursery, nats, trained):
    agent = f"robin=q,path={trained}"
    server = nursery.serve(bus=nats.url, ai_threads=0, agent=[agent])
    client = server.client()
    wait_for(lambda: client.get("/readyz")["bus"] == "up")
    game = client.start("PvAI", game="3x3", level="robin", seat="O")["id"]

    def working(*more):
        pid, output = nursery.command("worker", "--bus", nats.url, "--threads", "1", *more)
        wait_for(lambda: output.exists() and "noughts works for" in output.read_text())
        return pid, output

    without, output = working()
    answer = client.post("/ai/move", {"gameId": game})
    assert (answer.status, answer.error) == (503, "agent_missing")
    assert "it takes --agent robin=SPEC" in output.read_text()
    os.kill(without, signal.SIGTERM)
    wait_for(lambda: not is_alive(without))
    having, _ = working("--agent", agent)
    assert client.post("/ai/move", {"gameId": game})["note"] == {"code": "learned", "facts": {"games": 50_000}}
    os.kill(having, signal.SIGTERM)
    wait_for(lambda: not is_alive(having))
    server.kill()
