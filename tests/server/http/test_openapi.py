"""Any request that the OpenAPI document allows, and many that it does not: never a 5xx, every error in one shape."""

import json
from pathlib import Path

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from noughts.server.http.app import openapi
from tests.server.servers import Answer

ROOT = Path(__file__).parents[3]
DOCUMENT = openapi()
SCHEMA = schemathesis.openapi.from_dict(json.loads(json.dumps(DOCUMENT)))
OPERATIONS = sorted((method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods)
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ENDLESS = ("GET", "/game/{id}/events")


def test_the_document_names_every_error_once():
    for _, path in OPERATIONS:
        for operation in DOCUMENT["paths"][path].values():
            assert {"400", "403", "404", "409", "413", "429", "503"} <= set(operation["responses"])
            assert "422" not in operation["responses"]


def test_the_documentation_has_every_request():
    text = "".join((ROOT / "docs" / name).read_text() for name in ("server.md", "operations.md"))
    ends = {path.replace("/game/{id}", "").removesuffix("{id}") for _, path in OPERATIONS}
    assert [end for end in sorted(ends) if end not in text] == []


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_breaks_the_server(server, client, method, path):
    operation = SCHEMA[path][method]
    known = [client.start(game="3x3"), client.start("PvAI", game="3x3", level="easy"), client.start()]

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def ask(data):
        mode = data.draw(st.sampled_from(list(GenerationMode)))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        game = data.draw(st.sampled_from([None, *known]))
        if game is not None:
            # Real games as often as invented ones.
            named = data.draw(st.sampled_from([game["id"], game["watchId"]]))
            if "id" in (case.path_parameters or {}):
                case.path_parameters["id"] = named
            if isinstance(case.body, dict) and "gameId" in case.body:
                case.body["gameId"] = named
        if (method, path) == ENDLESS:
            with requests.request(**case.as_transport_kwargs(base_url=server.url), stream=True, timeout=30) as stream:
                answer = Answer(stream.status_code, {}, b"" if stream.ok else stream.content)
        else:
            response = case.call(base_url=server.url, timeout=30)
            case.validate_response(response, checks=CHECKS)
            answer = Answer(response.status_code, {}, response.content)
        assert answer.status < 500, answer
        assert answer.status < 400 or answer.error

    ask()
    assert client.get("/readyz").status == 200
