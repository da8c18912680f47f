"""The API as a client sees it: the four endpoints of a bare client, and all that goes beyond them."""

import asyncio
import http.client
import json
from urllib.parse import urlsplit

import pytest

from noughts.games import all_presets
from noughts.match import read
from noughts.server.schema.game import GameState
from tests.server.inside import inside
from tests.server.servers import Answer


def names(cells):
    return [(cell["row"], cell["col"]) for cell in cells]


# The endpoints of the design document of the duel.
def test_a_bare_client_plays_a_duel(client):
    game = client.start()
    assert game["board"] == [[0] * 6 for _ in range(6)]
    assert (game["currentPlayer"], game["mode"], game["winner"], game["moveHistory"]) == ("R", "PvP", None, [])
    assert (game["version"], game["status"], game["lastMove"]) == (1, "playing", None)
    assert game["layout"] | {"kind": "square", "rows": 6, "cols": 6, "layers": 1} == game["layout"]
    assert len(game["legalMoves"]) == 36
    assert client.get(f"/game/state/{game['id']}").json == game
    after = client.move(game["id"], "R", 2, 3).json
    assert after["board"][2][3] == "R"
    assert after["currentPlayer"] == "G"
    assert after["version"] == 2
    last = client.move(game["id"], "G", 2, 2).json
    assert last["board"][2][2:4] == ["G", "G"]
    assert [(m["player"], m["row"], m["col"], m["capturedCount"]) for m in last["moveHistory"]] == [
        ("R", 2, 3, 0),
        ("G", 2, 2, 1),
        # Red has no tile left to grow from.
        ("R", None, None, 0),
    ]
    assert last["lastMove"] == last["moveHistory"][-1]
    assert abs(last["moveHistory"][0]["timestamp"] - last["moveHistory"][1]["timestamp"]) < 60_000


def test_the_ai_of_a_bare_client_moves_and_its_move_is_played(client):
    game = client.start("PvAI", game="duel,opening=peaceful", level="easy")
    assert client.post("/ai/move", {"gameId": game["id"]}).error == "wrong_turn"
    assert client.move(game["id"], "R", 0, 0).status == 200
    answer = client.post("/ai/move", {"gameId": game["id"]}).json
    state = client.get(f"/game/state/{game['id']}").json
    assert state["board"][answer["row"]][answer["col"]] == "G"
    assert {key: answer["state"][key] for key in state if key != "you"} == {k: state[k] for k in state if k != "you"}
    assert state["currentPlayer"] == "R"
    assert client.move(game["id"], "G", 5, 5).error == "wrong_turn"


@pytest.mark.parametrize(
    ("move", "status", "error"),
    [
        ({"player": "G", "row": 1, "col": 1}, 400, "wrong_turn"),
        ({"player": "Q", "row": 1, "col": 1}, 400, "unknown_player"),
        ({"player": "R", "row": 0, "col": 0}, 400, "occupied"),
        ({"player": "R", "row": 5, "col": 5}, 400, "not_adjacent"),
        ({"player": "R", "row": 6, "col": 0}, 400, "out_of_bounds"),
        ({"player": "R", "row": -1, "col": 0}, 400, "out_of_bounds"),
        ({"player": "R", "row": 0, "col": 0, "layer": 1}, 400, "out_of_bounds"),
        ({"player": "R", "move": "pass"}, 400, "pass_not_allowed"),
        ({"player": "R", "move": "z99"}, 400, "out_of_bounds"),
        ({"player": "R", "move": "??"}, 400, "invalid_notation"),
        ({"player": "R", "move": "a2", "row": 1, "col": 0}, 400, "invalid_request"),
        ({"player": "R", "row": 1}, 400, "invalid_request"),
        ({"player": "R", "row": "1", "col": 1}, 400, "invalid_request"),
        ({"player": "R", "row": 1.5, "col": 1}, 400, "invalid_request"),
        ({"player": "R", "row": 1, "col": 1, "colour": "red"}, 400, "unknown_field"),
        ({"player": 7, "row": 1, "col": 1}, 400, "invalid_request"),
        ({"row": 1, "col": 1}, 400, "invalid_request"),
        ({"player": "R", "row": 0, "col": 1, "expectedVersion": 2}, 409, "stale_version"),
        ({"player": "R", "row": 0, "col": 1, "expectedVersion": 9}, 409, "stale_version"),
        ({"player": "R", "row": 0, "col": 1, "gameId": "nobody"}, 404, "game_not_found"),
        ({"player": "R", "row": 0, "col": 1, "gameId": "../../etc\u0000"}, 404, "game_not_found"),
    ],
)
def test_refused_moves_say_why_and_change_nothing(client, move, status, error):
    game = client.start()
    client.move(game["id"], "R", 0, 0)
    before = client.move(game["id"], "G", 3, 3).json
    answer = client.post("/game/move", {"gameId": game["id"], **move})
    assert (answer.status, answer.error) == (status, error)
    if status == 409:
        assert answer["state"]["version"] == before["version"]
        assert answer["state"]["board"] == before["board"]
    assert client.get(f"/game/state/{game['id']}").json == before


def test_a_game_that_is_over_takes_no_move(client):
    game = client.start(game="3x3")["id"]
    for player, row, col in [("X", 0, 0), ("O", 1, 0), ("X", 0, 1), ("O", 1, 1), ("X", 0, 2)]:
        state = client.move(game, player, row, col).json
    assert (state["winner"], state["status"], state["legalMoves"]) == ("X", "x_wins", [])
    assert names(state["winningCells"]) == [(0, 0), (0, 1), (0, 2)]
    answer = client.move(game, "O", 2, 2)
    assert (answer.status, answer.error) == (409, "game_over")
    assert answer["state"]["winner"] == "X"
    assert client.post("/ai/move", {"gameId": game}).status == 409


@pytest.mark.parametrize(
    ("method", "path", "raw", "status", "error"),
    [
        ("GET", "/nothing/here", None, 404, "not_found"),
        ("GET", "/game/move", None, 405, "method_not_allowed"),
        ("DELETE", "/game/start", None, 405, "method_not_allowed"),
        ("GET", "/game/state/none", None, 404, "game_not_found"),
        ("GET", "/game/none/record", None, 404, "game_not_found"),
        ("POST", "/game/start", b"{", 400, "invalid_json"),
        ("POST", "/game/start", b"", 400, "invalid_json"),
        ("POST", "/game/start", b"[]", 400, "invalid_request"),
        ("POST", "/game/start", b"null", 400, "invalid_request"),
        ("POST", "/game/start", b'{"mode": "PvE"}', 400, "invalid_request"),
        ("POST", "/game/start", b'{"mode": "PvP", "game": "chess"}', 400, "invalid_game"),
        ("POST", "/game/start", b'{"mode": "PvP", "game": "20x20,k=5"}', 400, "board_too_large"),
        ("POST", "/game/start", b'{"mode": "PvP", "game": "6x6x6"}', 400, "board_too_large"),
        ("POST", "/game/start", b'{"mode": "PvP", "starter": "Q"}', 400, "invalid_request"),
        ("POST", "/game/start", b'{"mode": "PvAI", "level": "process,cmd=ls"}', 400, "invalid_request"),
        ("POST", "/game/start", b'{"mode": "PvAI", "level": "robin"}', 400, "unknown_level"),
        ("POST", "/game/start", b'{"mode": "PvP", "level": "../robin"}', 400, "invalid_request"),
        ("POST", "/game/start", b'{"mode": "PvAI", "opponent": "link"}', 400, "invalid_request"),
        ("POST", "/game/start", b'{"mode": "PvP", "opponent": "link"}', 403, "session_needed"),
        ("POST", "/game/start", b'{"mode": "PvP", "game": "' + b"x" * 20_000 + b'"}', 413, "too_large"),
        ("POST", "/game/start", b"\xff\xfe", 400, "invalid_json"),
        ("POST", "/game/start", b'{"mode": "PvP", "game": "\\ud800"}', 400, "invalid_json"),
    ],
)
def test_every_error_has_the_one_shape(client, method, path, raw, status, error):
    answer = client.call(method, path, raw=raw)
    assert (answer.status, answer.error) == (status, error)


def test_a_body_without_length_is_cut_off_when_it_is_too_long(client):
    def endless():
        for _ in range(100):
            yield b'{"mode": "' + b"P" * 1000

    split = urlsplit(client.url)
    connection = http.client.HTTPConnection(split.hostname, split.port, timeout=10)
    connection.request("POST", "/game/start", endless(), {"content-type": "application/json"}, encode_chunked=True)
    answer = connection.getresponse()
    assert Answer(answer.status, {}, answer.read()).error == "too_large"
    connection.close()


@pytest.mark.parametrize(
    "length", [[(b"content-length", b"5"), (b"transfer-encoding", b"chunked")], [(b"content-length", b"x")]]
)
def test_a_length_that_cannot_be_trusted_does_not_let_a_long_body_in(length, tmp_path):
    pieces, answers = iter(range(1000)), []

    async def long():
        return {"type": "http.request", "body": b"P" * 1000, "more_body": next(pieces) < 999}

    async def send(message):
        answers.append(message)

    headers = [(b"host", b"here"), (b"content-type", b"application/json"), *length]
    scope = {"type": "http", "method": "POST", "path": "/game/start", "query_string": b"", "headers": headers}

    async def scenario():
        async with inside(database=str(tmp_path / "games.db")) as app:
            await asyncio.wait_for(app(scope, long, send), 10)

    asyncio.run(scenario())
    assert [answer["status"] for answer in answers if "status" in answer] == [413]


@pytest.mark.parametrize("preset", all_presets())
def test_every_game_can_be_played_and_its_state_is_as_described(client, preset):
    state = client.start(game=preset)
    GameState.model_validate(state, strict=True)
    for _ in range(12):
        if state["winner"] is not None:
            break
        move = state["legalMoves"][len(state["legalMoves"]) // 2]
        answer = client.post(
            "/game/move",
            {"gameId": state["id"], "player": state["currentPlayer"], "move": move["move"]}
            if move["row"] is None
            else {
                "gameId": state["id"],
                "player": state["currentPlayer"],
                **{k: move[k] for k in ("row", "col", "layer")},
            },
        )
        assert answer.status == 200, answer
        state = answer.json
        GameState.model_validate(state, strict=True)
    replayed = read(client.get(f"/game/{state['id']}/record").body.decode()).state
    assert replayed.status == state["status"]
    assert [ply.move for ply in replayed.history] == [
        replayed.game.parse_move(move["move"]) for move in state["moveHistory"]
    ]


def test_a_cube_has_layers(client):
    state = client.start(game="3x3x3")
    assert state["layout"]["kind"] == "cube"
    state = client.post("/game/move", {"gameId": state["id"], "player": "X", "row": 0, "col": 1, "layer": 2}).json
    assert state["board"][2][0][1] == "X"
    assert state["lastMove"]["move"] == "b1/3"


def test_swap_and_pass_go_by_name(client):
    game = client.start(game="hex,size=3,swap")
    client.post("/game/move", {"gameId": game["id"], "player": "X", "move": "b2"})
    state = client.post("/game/move", {"gameId": game["id"], "player": "O", "move": "swap"}).json
    assert state["lastMove"]["row"] is None
    assert state["board"][1][1] == "O"


def test_an_idempotency_key_counts_once(client):
    game = client.start(game="3x3")["id"]
    first = client.move(game, "X", 0, 0, idempotencyKey="one")
    again = client.move(game, "X", 0, 0, idempotencyKey="one")
    assert (first.status, again.status) == (200, 200)
    assert again["version"] == first["version"] == 2
    assert client.move(game, "O", 1, 1, idempotencyKey="two")["version"] == 3
    assert client.move(game, "X", 0, 0, idempotencyKey="one")["version"] == 3
    other = client.move(game, "X", 2, 2, idempotencyKey="one")
    assert (other.status, other.error) == (409, "key_reused")
    assert client.move(game, "X", 0, 0).error == "occupied"


@pytest.mark.parametrize("name", ["b2", "B2", " b2 ", "b02"])
def test_a_move_by_name_may_be_repeated_however_it_is_written(client, name):
    game = client.start(game="3x3")["id"]
    move = {"gameId": game, "player": "X", "move": name, "idempotencyKey": "one"}
    assert client.post("/game/move", move)["version"] == 2
    for again in (name, "b2", "B2"):
        answer = client.post("/game/move", {**move, "move": again})
        assert (answer.status, answer["version"]) == (200, 2)
    assert client.move(game, "X", 1, 1, idempotencyKey="one")["version"] == 2
    assert client.post("/game/move", {**move, "move": "c3"}).error == "key_reused"
    assert client.post("/game/move", {**move, "move": "??"}).error == "key_reused"
    [_, stored] = client.get(f"/game/{game}/record").body.decode().splitlines()
    assert json.loads(stored)["move"] == "b2"


def test_undo_and_redo_are_free_on_one_screen_and_against_the_ai(client):
    game = client.start(game="3x3")["id"]
    assert client.post(f"/game/{game}/undo").error == "nothing_to_undo"
    client.move(game, "X", 0, 0)
    client.move(game, "O", 1, 1)
    state = client.post(f"/game/{game}/undo").json
    assert (len(state["moveHistory"]), state["currentPlayer"], state["canRedo"]) == (1, "O", True)
    assert len(client.post(f"/game/{game}/redo")["moveHistory"]) == 2
    assert client.post(f"/game/{game}/redo").error == "nothing_to_redo"
    assert client.post(f"/game/{game}/reset")["moveHistory"] == []
    against = client.start("PvAI", game="3x3", level="easy")["id"]
    client.move(against, "X", 0, 0)
    client.post("/ai/move", {"gameId": against})
    state = client.post(f"/game/{against}/undo").json
    assert (state["moveHistory"], state["currentPlayer"]) == ([], "X")
    assert len(client.post(f"/game/{against}/redo")["moveHistory"]) == 2


def test_between_people_taking_back_needs_consent(client):
    ann, bob = client.session("Ann"), client.session("Bob")
    game = ann.start(game="3x3", opponent="link")["id"]
    assert bob.move(game, "O", 0, 0).status == 403
    joined = bob.post(f"/game/{game}/join").json
    assert joined["you"] == {"role": "player", "marks": ["O"]}
    assert {mark: seat["name"] for mark, seat in joined["seats"].items()} == {"X": "Ann", "O": "Bob"}
    assert bob.post(f"/game/{game}/join")["version"] == joined["version"]
    ann.move(game, "X", 0, 0)
    bob.move(game, "O", 1, 1)
    state = ann.post(f"/game/{game}/undo").json
    assert state["offer"] == {"player": "X", "what": "undo", "agreed": []}
    assert len(state["moveHistory"]) == 2
    assert ann.post(f"/game/{game}/answer", {"accept": True}).error == "your_own_offer"
    assert ann.post(f"/game/{game}/undo").error == "already_offered"
    state = bob.post(f"/game/{game}/answer", {"accept": False}).json
    assert (state["offer"], len(state["moveHistory"])) == (None, 2)
    assert bob.post(f"/game/{game}/answer", {"accept": True}).error == "no_offer"
    ann.post(f"/game/{game}/undo")
    state = bob.post(f"/game/{game}/answer", {"accept": True}).json
    assert (state["moveHistory"], state["currentPlayer"]) == ([], "X")
    bob.post(f"/game/{game}/redo")
    # To ask for the same is to agree; on to the next turn of who asked first.
    assert len(ann.post(f"/game/{game}/redo")["moveHistory"]) == 1
    assert ann.post(f"/game/{game}/reset")["offer"] == {"player": "X", "what": "reset", "agreed": []}
    assert ann.move(game, "X", 2, 2).error == "wrong_turn"
    assert bob.move(game, "O", 2, 2)["offer"] is None, "playing on answers the offer"


def test_among_three_everybody_else_has_to_agree(client):
    ann, bob, cid = (client.session(name) for name in ("Ann", "Bob", "Cid"))
    game = ann.start(game="5x5,k=4,players=3", opponent="link")["id"]
    for other in (bob, cid):
        other.post(f"/game/{game}/join")
    ann.move(game, "X", 0, 0)
    assert ann.post(f"/game/{game}/undo")["offer"] == {"player": "X", "what": "undo", "agreed": []}
    state = bob.post(f"/game/{game}/answer", {"accept": True}).json
    assert (state["offer"]["agreed"], len(state["moveHistory"])) == (["O"], 1)
    version = state["version"]
    # To say it again changes nothing, one way or the other.
    assert bob.post(f"/game/{game}/answer", {"accept": True})["version"] == version
    assert bob.post(f"/game/{game}/undo")["version"] == version
    state = cid.post(f"/game/{game}/answer", {"accept": True}).json
    assert (state["offer"], state["moveHistory"]) == (None, [])
    # One no is enough, and what was agreed before does not count for the next offer.
    bob.post(f"/game/{game}/redo")
    ann.post(f"/game/{game}/redo")
    assert cid.post(f"/game/{game}/answer", {"accept": False})["offer"] is None
    assert cid.post(f"/game/{game}/redo")["offer"] == {"player": "A", "what": "redo", "agreed": []}
    assert len(ann.post(f"/game/{game}/redo")["moveHistory"]) == 0
    assert len(bob.post(f"/game/{game}/redo")["moveHistory"]) == 1
    record = [json.loads(line)["action"] for line in client.get(f"/game/{game}/record").body.splitlines()]
    assert record == ["start_game", "make_move", "undo", "redo"]


def test_resigning_and_a_rematch_that_both_get(client):
    ann, bob = client.session("Ann"), client.session("Bob")
    game = ann.start(game="3x3", opponent="link")["id"]
    bob.post(f"/game/{game}/join")
    assert ann.post(f"/game/{game}/rematch").error == "not_over"
    state = ann.post(f"/game/{game}/resign").json
    assert (state["status"], state["winner"], state["resigned"], state["ended"]) == ("o_wins", "O", "X", "resigned")
    again, same = ann.post(f"/game/{game}/rematch").json, bob.post(f"/game/{game}/rematch").json
    assert again["id"] == same["id"] != game
    assert (again["first"], again["currentPlayer"]) == ("O", "O")
    assert (again["you"]["marks"], same["you"]["marks"]) == (["X"], ["O"])
    assert client.get(f"/game/state/{state['watchId']}")["rematchWatchId"] == again["watchId"]


def test_who_begins_and_who_plays_what(client):
    state = client.start("PvAI", game="3x3", starter="O", level="easy")
    assert state["currentPlayer"] == "O"
    assert client.post("/ai/move", {"gameId": state["id"]})["player"] == "O"
    state = client.start("PvAI", game="3x3", seat="O", level="easy")
    assert state["seats"]["X"]["kind"] == "ai"
    three = client.start("PvAI", game="5x5,k=4,players=3", level="easy")
    client.move(three["id"], "X", 0, 0)
    assert [client.post("/ai/move", {"gameId": three["id"]})["player"] for _ in range(2)] == ["O", "A"]


def test_hints_analysis_and_review(client):
    game = client.start(game="3x3")["id"]
    for player, row, col in [("X", 0, 0), ("O", 0, 1), ("X", 1, 0), ("O", 0, 2)]:
        client.move(game, player, row, col)
    hint = client.post(f"/game/{game}/hint").json
    assert (hint["move"], hint["proven"], hint["version"]) == ("a3", True, 5)
    analysis = client.post(f"/game/{game}/analysis", {"seconds": 0.5}).json
    assert analysis["evaluation"]["value"] == "win"
    assert analysis["best"] == ["a3"]
    assert set(analysis["moves"]) == {"b2", "c2", "a3", "b3", "c3"}
    review = client.post(f"/game/{game}/review", {"seconds": 1}).json
    assert [move["player"] for move in review["moves"]] == ["X", "O", "X", "O"]
    assert review["moves"][1]["grade"] == "blunder"
    client.move(game, "X", 2, 0)
    assert client.post(f"/game/{game}/hint").error == "game_over"
    assert client.post(f"/game/{game}/analysis", {"seconds": 0}).error == "invalid_request"


def test_lists(client):
    games = {game["name"]: game for game in client.get("/games").json}
    assert {"lines", "hex", "duel"} <= set(games)
    assert {"name": "peaceful", "spec": "duel,opening=peaceful"}.items() <= games["duel"]["presets"][0].items()
    assert [level["name"] for level in client.get("/levels").json] == ["easy", "medium", "hard", "perfect", "rules"]


def test_options_tell_the_limits_of_this_server(nursery):
    server = nursery.serve(largest_side=9, largest_layers=4)
    games = {game["name"]: game for game in server.client().get("/games").json}
    server.kill()
    options = {name: {option["name"]: option for option in game["options"]} for name, game in games.items()}
    assert options["lines"]["size"]["sides"] == {"2": 9, "3": 4}
    assert options["duel"]["size"]["sides"] == {"2": 9}
    assert (options["lines"]["k"]["minimum"], options["lines"]["k"]["maximum"]) == (2, 9)
    assert options["hex"]["size"]["maximum"] == 9
    assert options["lines"]["players"]["maximum"] == 8
    # Three boards side by side have nine columns, and three boards of three a side of nine.
    assert (options["notakto"]["boards"]["maximum"], options["ultimate"]["size"]["maximum"]) == (3, 3)
    assert [name for name, one in options["lines"].items() if one["hidden"]] == ["setup"]
    kinds = {option["name"]: option["kind"] for option in games["lines"]["options"]}
    assert kinds == {
        "size": "size", "k": "integer", "players": "integer", "misere": "flag", "exact": "flag", "corners": "flag",
        "early_draw": "flag", "setup": "text",
    }  # fmt: skip


def test_the_record_replays(client):
    game = client.start(game="4x4")["id"]
    client.move(game, "X", 0, 0)
    client.move(game, "O", 1, 1)
    client.post(f"/game/{game}/undo")
    client.move(game, "O", 2, 2)
    state = client.post(f"/game/{game}/resign", {"player": "O"}).json
    text = client.get(f"/game/{state['watchId']}/record").body.decode()
    assert game not in text
    replayed = read(text).state
    assert (replayed.status, replayed.version) == ("x_wins", state["version"])
    assert [json.loads(line)["action"] for line in text.splitlines()] == [
        "start_game",
        "make_move",
        "make_move",
        "undo",
        "make_move",
        "resign",
    ]


def test_health_metrics_and_the_document(server, client):
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz")["status"] == "ok"
    client.start()
    assert 'noughts_requests_total{method="POST",route="/game/start",status="200"}' in server.metrics()
    assert client.get("/metrics").status == 404, "they have a port of their own"
    document = client.get("/openapi.json").json
    assert "422" not in json.dumps(document["paths"])
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert operation["description"], path
    manual = client.get("/docs")
    assert manual.headers["content-type"].startswith("text/html")
    assert b"/game/start" in manual.body


def test_a_column_is_a_move_where_pieces_fall(client):
    game = client.start(game="connect4")
    assert game["layout"]["gravity"] is True
    dropped = {"gameId": game["id"], "player": "X", "move": "d", "idempotencyKey": "drop"}
    after = client.post("/game/move", dropped).json
    assert [(m["row"], m["col"]) for m in after["moveHistory"]] == [(5, 3)]
    assert client.post("/game/move", dropped).json["version"] == after["version"]
    assert client.post("/game/move", {**dropped, "move": "e"}).status == 409
    assert client.post("/game/move", {"gameId": game["id"], "player": "O", "move": "a1"}).error == "not_open"
    for player in "OXOXO":
        assert client.post("/game/move", {"gameId": game["id"], "player": player, "move": "D"}).status == 200
    full = client.post("/game/move", {"gameId": game["id"], "player": "X", "move": "d"})
    assert (full.status, full.error) == (400, "column_full")


@pytest.mark.parametrize("player", ["B", "x", "", "RG"])
def test_a_player_that_the_game_does_not_have_is_named_as_such(client, player):
    game = client.start("PvP")["id"]
    refused = client.move(game, player, 0, 0)
    assert (refused.status, refused.error) == (400, "unknown_player")
    assert refused["message"] == f"duel has no player {player!r}; there are: R, G"
    for path in ("undo", "resign"):
        assert client.post(f"/game/{game}/{path}", {"player": "B"}).error == "unknown_player"
    assert client.get(f"/game/state/{game}")["version"] == 1


def test_the_state_says_what_each_move_would_capture(client):
    state = client.start(game="duel,size=3,opening=peaceful")
    assert (state["captures"], state["notice"]["code"]) == ({}, "first")
    state = client.move(state["id"], "R", 0, 0).json
    assert (state["captures"], state["notice"]["facts"]) == ({}, {"player": "G", "case": "peaceful"})
    state = client.move(state["id"], "G", 1, 1).json
    assert (state["captures"], state["notice"]) == ({"b1": [4], "a2": [4]}, None)
    state = client.move(state["id"], "R", 0, 1).json
    assert [move["capturedCount"] for move in state["moveHistory"]] == [0, 0, 1, 0], "and Green passes"
    assert state["board"][1][1] == "R"
    assert client.start(game="duel,size=3")["notice"]["facts"]["case"] == "capture"
    other = client.start(game="3x3")
    assert (other["captures"], other["notice"]) == ({}, None)


def test_the_state_of_a_watched_game_may_be_kept_for_a_second(client):
    game = client.start(game="3x3")
    path = f"/game/state/{game['watchId']}"
    first = client.get(path)
    assert first.headers["cache-control"] == "public, max-age=1"
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(path, if_none_match=known)
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["cache-control"] == "public, max-age=1"
    assert client.get(path, if_none_match='"other"').status == 200
    client.move(game["id"], "X", 1, 1)
    moved = client.get(path, if_none_match=tag)
    assert (moved.status, moved["version"]) == (200, 2)
    assert moved.headers["etag"] != tag
    # The same for everybody, sessions or not; what a player sees is for nobody else.
    assert client.session("Ann").get(path).body == moved.body
    own = client.get(f"/game/state/{game['id']}", if_none_match="*")
    assert (own.status, own.headers["cache-control"]) == (200, "no-store")
    assert "etag" not in own.headers
