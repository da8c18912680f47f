"""Limits per client: tokens, costs of routes, live streams."""

from noughts.server.http.ratelimit import RateLimiter


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
