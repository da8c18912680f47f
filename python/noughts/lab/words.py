"""How the lab says its measures in English: shares, how sure they are, scores, sizes and times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noughts.compute.value import Proven

__all__ = ["duration", "interval", "optimal", "percent", "positions", "roughly", "score", "size", "worth"]


def percent(share: float) -> str:
    """A share with as many digits as it takes to tell it from all and nothing.

    >>> [percent(share) for share in (1.0, 0.5, 0.99996, 0.0)]
    ['100%', '50%', '99.996%', '0%']
    """
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    digits = next((digits for digits in (1, 2, 3, 4) if 0.0 < round(share, digits + 2) < 1.0), 5)
    return f"{share:.{digits}%}".replace(".0%", "%")


def optimal(graded: Mapping[str, Any]) -> str:
    """A share of best moves, how sure it is, and of which positions.

    >>> optimal({"optimal": 0.965, "positions": 200, "chosen": "random_games", "interval": [0.93, 0.983]})
    '96.5% optimal (93% to 98.3%; 200 positions of random games)'
    """
    sure = interval(graded)
    return f"{percent(graded['optimal'])} optimal ({f'{sure}; ' if sure else ''}{positions(graded)})"


def interval(graded: Mapping[str, Any]) -> str:
    """Between which shares the share of all positions lies with 95% certainty; nothing where all were looked at."""
    if graded.get("chosen") != "random_games":
        return ""
    low, high = graded["interval"]
    return f"{percent(round(low, 3))} to {percent(round(high, 3))}"


def positions(graded: Mapping[str, Any]) -> str:
    """How many positions were graded, and which; runs of release 0.1.0 do not say which."""
    chosen, count = graded.get("chosen"), f"{graded['positions']:,}"
    if chosen == "all":
        return f"all {count} positions up to symmetry"
    return f"{count} positions of random games" if chosen == "random_games" else f"{count} positions"


def worth(value: Proven) -> str:
    """A proven value, for who moves.

    >>> worth(Proven("win", 5)), worth(Proven("draw")), worth(Proven("loss", None, -3))
    ('win in 5', 'draw', 'loss by 3')
    """
    if value.margin:
        return f"{value.value} by {abs(value.margin)}"
    return value.value if value.value == "draw" or value.distance is None else f"{value.value} in {value.distance}"


def score(found: Mapping[str, int] | None, dash: str = "-") -> str:
    """Wins, draws and losses."""
    return dash.join(str(found[name]) for name in ("wins", "draws", "losses")) if found else "–"


def roughly(count: int) -> str:
    """A number to two digits.

    >>> roughly(2_427_651), roughly(175)
    ('2,400,000', '180')
    """
    return f"{round(count, 2 - len(str(count))):,}"


def size(count: int) -> str:
    """Bytes, roughly.

    >>> size(371_622_786), size(205_276), size(1_413_714_774)
    ('370 MB', '1 MB', '1.4 GB')
    """
    if count >= 1e9:
        return f"{count / 1e9:.1f} GB"
    return f"{max(1, round(count / 1e6, -1 if count >= 1e8 else 0)):.0f} MB"


def duration(seconds: float) -> str:
    """A time, roughly.

    >>> [duration(seconds) for seconds in (0.02, 24.3, 110, 1347, 9000)]
    ['1 second', '24 seconds', '2 minutes', '22 minutes', '2.5 hours']
    """
    for unit, length in (("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            return f"{round(seconds / length, 1 if seconds < 10 * length and length == 3600 else None):g} {unit}s"
    count = max(1, round(seconds))
    return f"{count} second{'s' if count > 1 else ''}"
