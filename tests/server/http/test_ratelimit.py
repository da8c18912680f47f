"""Limits per client: tokens, costs of routes, live streams."""

from noughts.server.http.app import ROUTERS
from noughts.server.http.ratelimit import RateLimiter, RouteCosts, StreamCounter


def test_limiter_fill_again():
    now = [0.0]
    limiter = RateLimiter(rate=2, burst=4, clock=lambda: now[0])
    assert [limiter.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert limiter.take("b", 4) == 0
    now[0] = 1.0
    assert [limiter.take("a") for _ in range(3)] == [0, 0, 0.5]
    now[0] = 100.0
    assert [limiter.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert RateLimiter(rate=0, burst=1).take("a", 100) == 0


def test_costs_stand_at_the_routes():
    costs = RouteCosts(route for router in ROUTERS for route in router.routes)
    assert [costs.of("POST", path) for path in ("/game/move", "/game/start", "/ai/move")] == [1, 5, 5]
    assert [costs.of("POST", f"/game/abc/{end}") for end in ("hint", "rematch", "undo")] == [5, 5, 1]
    assert (costs.of("POST", "/session"), costs.of("GET", "/session")) == (10, 1)
    assert {costs.of("GET", path) for path in ("/healthz", "/readyz")} == {0}
    assert costs.of("GET", "/game/abc/def/hint") == costs.of("GET", "/nothing") == 1


def test_streams_are_counted_in_and_out():
    streams = StreamCounter(limit=2)
    assert [streams.enter("a") for _ in range(3)] == [True, True, False]
    assert streams.enter("b")
    streams.leave("a")
    assert (streams.enter("a"), len(streams)) == (True, 3)
    assert all(StreamCounter(limit=0).enter("a") for _ in range(100))
