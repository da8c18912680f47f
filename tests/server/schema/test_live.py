"""The document describes live messages as they are sent, and lists every code that can come."""

import json

from pydantic import TypeAdapter
from websockets.sync.client import connect

from noughts.compute.limits import STAGES
from noughts.note import CODES
from noughts.server.http.app import openapi
from noughts.server.schema.live import MESSAGES


def test_messages_are_as_described(client):
    by_type = {model.model_fields["type"].annotation.__args__[0]: model for model in MESSAGES}
    game = client.start("PvAI", game="3x3", level="perfect")["id"]
    seen = set()
    with connect(client.url.replace("http", "ws") + f"/game/{game}/live") as stream:
        stream.send('{"type":"ping"}')
        client.move(game, "X", 0, 0)
        client.post("/ai/move", {"gameId": game})
        while not {"state", "event", "thinking", "pong", "presence"} <= seen:
            text = stream.recv(timeout=20)
            kind = json.loads(text)["type"]
            TypeAdapter(by_type[kind]).validate_json(text)
            seen.add(kind)
    with connect(client.url.replace("http", "ws") + f"/game/{game}/live?version=1") as stream:
        while "resumed" not in seen:
            text = stream.recv(timeout=20)
            kind = json.loads(text)["type"]
            TypeAdapter(by_type[kind]).validate_json(text)
            seen.add(kind)


def test_the_document_lists_every_code():
    schemas = openapi()["components"]["schemas"]
    assert schemas["NoteCode"]["enum"] == list(CODES)
    assert schemas["Stage"]["enum"] == list(STAGES)
    assert {model.__name__ for model in MESSAGES} <= set(schemas)
