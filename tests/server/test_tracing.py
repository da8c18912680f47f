"""Traces: what a collector gets, and what never leaves the machine."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from noughts.server import tracing
from noughts.server.errors import InvalidSetting
from noughts.server.settings import Settings
from noughts.server.tracing import configure_tracing, span

TRACE = "0af7651916cd43dd8448eb211c80319c"


class Collector:
    """A collector that keeps what it is sent."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        keep = self.bodies.append

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                keep(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def spans(self) -> list:
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            found
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for found in scope.spans
        ]

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def collector():
    made = Collector()
    yield made
    made.close()


def attributes(found) -> dict:
    return {each.key: each.value.string_value or each.value.int_value for each in found.attributes}


def test_collector_sees_routes_and_what_they_wait_for_but_no_ids(nursery, collector):
    server = nursery.serve(otlp=collector.url)
    client = server.client().session("Ada")
    game = client.start(game="3x3")
    moved = client.call(
        "POST",
        "/game/move",
        {"gameId": game["id"], "player": "X", "row": 1, "col": 1},
        traceparent=f"00-{TRACE}-b7ad6b7169203331-01",
    )
    assert moved.status == 200
    assert client.get(f"/game/state/{game['id']}").status == 200
    played = client.start("PvAI", game="3x3", level="easy", seat="O")
    assert client.post("/ai/move", {"gameId": played["id"]}).status == 200
    assert client.post(f"/game/{played['id']}/hint").status == 200
    server.stop()

    spans = collector.spans()
    names = [found.name for found in spans]
    assert {"POST /game/start", "POST /game/move", "GET /game/state/{id}", "store event", "AI move"} <= set(names)
    assert {"AI hint", "AI analysis"} & set(names)
    [move] = [found for found in spans if found.name == "POST /game/move"]
    assert attributes(move) == {"http.route": "/game/move", "http.response.status_code": 200}
    assert move.trace_id.hex() == TRACE
    assert [found.name for found in spans if found.parent_span_id == move.span_id].count("store event") == 1
    everything = b"".join(collector.bodies)
    for secret in (game["id"], game["watchId"], client.token, "Ada", "127.0.0.1"):
        assert secret.encode() not in everything


def test_a_failure_is_sent_without_its_message(collector):
    end = configure_tracing(collector.url)

    def fail() -> None:
        with span("work", size=3) as facts:
            facts["done"] = 2
            raise ValueError("secret")

    with pytest.raises(ValueError, match="secret"):
        fail()
    end()
    [found] = collector.spans()
    assert (found.name, attributes(found)) == ("work", {"size": 3, "done": 2})
    assert not any(b"secret" in body for body in collector.bodies)


def test_nothing_is_timed_unless_asked_for():
    configure_tracing("")()
    with span("work") as facts:
        facts["done"] = 1
    assert tracing._tracer is None


def test_missing_extra_and_bad_address_are_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(InvalidSetting, match=r"--otlp http://c: needs pip install 'noughts\[telemetry\]'"):
        configure_tracing("http://c")
    with pytest.raises(InvalidSetting, match="--otlp c: must begin with http:// or https://"):
        Settings.read({"otlp": "c"})
