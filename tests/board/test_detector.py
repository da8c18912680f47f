"""Win detection: counters, directions and a naive scan of all lines find the same wins in the same games."""

import itertools
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from noughts.board.detector import CounterDetector, DirectionDetector
from noughts.board.grid import Grid
from noughts.games import game

CORNERS = tuple(itertools.combinations((0, 3, 12, 15), 3))


@dataclass(frozen=True)
class Rules:
    """The arguments of a detector, and the number of players."""

    rows: int
    cols: int
    k: int
    layers: int = 1
    exact: bool = False
    extra: tuple[tuple[int, ...], ...] = ()
    players: int = 2

    @property
    def cells(self):
        return self.rows * self.cols * self.layers

    def detector(self, kind):
        return kind(Grid(self.rows, self.cols, self.layers), self.k, exact=self.exact, extra=self.extra)

    def cell(self, at):
        layer, row, col = at
        inside = 0 <= layer < self.layers and 0 <= row < self.rows and 0 <= col < self.cols
        return (layer * self.rows + row) * self.cols + col if inside else None

    @cached_property
    def lines(self):
        """Every line of k cells with the cells beyond its ends, found by walking from every cell in every direction."""
        box = itertools.product(range(self.layers), range(self.rows), range(self.cols))
        found = {}
        for start, step in itertools.product(box, itertools.product((-1, 0, 1), repeat=3)):
            cells = [self.cell([a + n * b for a, b in zip(start, step, strict=True)]) for n in range(-1, self.k + 1)]
            if any(step) and None not in cells[1:-1]:
                ends = {cells[0], cells[-1]} - {None} if self.exact else set()
                found[frozenset(cells[1:-1])] = ends
        return [*found.items(), *((frozenset(extra), set()) for extra in self.extra)]


RULES = {
    "3x3": Rules(3, 3, 3),
    "4x4": Rules(4, 4, 4),
    "5x5,k=4": Rules(5, 5, 4),
    "6x5,k=4,exact": Rules(6, 5, 4, exact=True),
    "3x3x3": Rules(3, 3, 3, layers=3),
    "4x4,corners": Rules(4, 4, 4, extra=CORNERS),
    "5x5,k=4,players=3": Rules(5, 5, 4, players=3),
    "4x3,k=3": Rules(4, 3, 3),
    "5x5,k=2,exact": Rules(5, 5, 2, exact=True),
    "4x4,k=3,exact,corners": Rules(4, 4, 3, exact=True, extra=CORNERS),
}
DETECTORS = (CounterDetector, DirectionDetector)


def completed(lines, cells, cell):
    """The cells of all winning sets with this cell that its mark has filled, found by checking every set."""
    mark = cells[cell]
    full = [
        line
        for line, ends in lines
        if cell in line and all(cells.get(c) == mark for c in line) and all(cells.get(end) != mark for end in ends)
    ]
    return tuple(sorted(set().union(*full)))


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
def test_detectors_agree_with_each_other_and_with_a_scan(name, data):
    """After every stone until the board is full, even after a win."""
    rules = RULES[name]
    lines, detectors = rules.lines, [rules.detector(kind) for kind in DETECTORS]
    tallies, cells = [Map(), Map()], Map()
    turn = data.draw(st.integers(0, rules.players - 1))
    for cell in data.draw(st.permutations(range(rules.cells))):
        cells = cells.set(cell, "XOA"[turn % rules.players])
        seen = [detector.place(tally, cells, cell) for detector, tally in zip(detectors, tallies, strict=True)]
        tallies = [tally for tally, _ in seen]
        assert [won for _, won in seen] == [completed(lines, cells, cell)] * 2
        turn += 1


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
def test_counters_keep_the_owner_and_the_count_of_every_line(name, data):
    rules = RULES[name]
    detector, tally, cells = rules.detector(CounterDetector), Map(), Map()
    order = data.draw(st.permutations(range(rules.cells)))
    for turn, cell in enumerate(order[: data.draw(st.integers(1, rules.cells))]):
        cells = cells.set(cell, "XOA"[turn % rules.players])
        tally, _ = detector.place(tally, cells, cell)
    held = [[cells[cell] for cell in line if cell in cells] for line, _ in rules.lines]
    expected = [(marks[0], len(marks)) if len(set(marks)) == 1 else (None, 0) for marks in held if marks]
    assert Counter(tally.values()) == Counter(expected)


@pytest.mark.parametrize("name", RULES)
def test_every_winning_set_is_seen(name):
    """A winning set alone on the board is found with its last cell, whichever that is, and not before."""
    rules = RULES[name]
    for kind in DETECTORS:
        detector = rules.detector(kind)
        for line, _ in rules.lines:
            for last in line:
                tally, cells, verdicts = Map(), Map(), []
                for cell in [*sorted(line - {last}), last]:
                    cells = cells.set(cell, "X")
                    tally, won = detector.place(tally, cells, cell)
                    verdicts.append(won)
                # A set of corners can hold two cells that make a shorter line of their own.
                assert verdicts[-1] == completed(rules.lines, cells, last) == tuple(sorted(line))
                assert not any(verdicts[: min(len(line), rules.k) - 1])


@pytest.mark.parametrize("kind", DETECTORS)
def test_blocked_line_is_no_win(kind):
    rules = RULES["4x4"]
    for line, _ in rules.lines:
        for blocked in line:
            tally, cells = Map(), Map()
            for cell in sorted(line):
                cells = cells.set(cell, "O" if cell == blocked else "X")
                tally, won = rules.detector(kind).place(tally, cells, cell)
                assert won == ()


@pytest.mark.parametrize("kind", DETECTORS)
def test_overline(kind):
    """``XX.XX``: the stone in the gap makes five, which wins, or does not win with ``exact``."""
    for exact, expected in ((False, (0, 1, 2, 3, 4)), (True, ())):
        detector = Rules(6, 5, 4, exact=exact).detector(kind)
        tally, cells = Map(), Map()
        for cell in (0, 1, 3, 4, 2):
            cells = cells.set(cell, "X")
            tally, won = detector.place(tally, cells, cell)
        assert won == expected


@pytest.mark.parametrize("kind", DETECTORS)
def test_two_lines_at_once(kind):
    """The corner completes a row and a column; both are reported."""
    detector = RULES["3x3"].detector(kind)
    tally, cells = Map(), Map()
    for cell in (1, 2, 3, 6, 0):
        cells = cells.set(cell, "X")
        tally, won = detector.place(tally, cells, cell)
    assert won == (0, 1, 2, 3, 6)


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("3x3", CounterDetector),
        ("4x4,corners", CounterDetector),
        ("3x3x3", CounterDetector),
        ("5x5,k=4", DirectionDetector),
        ("4x3,k=3", DirectionDetector),
        ("15x15,k=5", DirectionDetector),
    ],
)
def test_game_chooses_its_detector(spec, kind):
    assert type(game(spec).detector) is kind


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
def test_game_ends_where_the_scan_says(name, data):
    """A whole game made from its spec: the first completed set ends it, for the mark that completed it."""
    rules, position = RULES[name], game(name).start()
    lines = rules.lines
    for cell in data.draw(st.permutations(range(rules.cells))):
        mark, position = position.turn, position.play(cell)
        won = completed(lines, position.cells, cell)
        if won:
            assert (position.outcome.winner, position.outcome.reason, position.outcome.cells) == (mark, "line", won)
            return
        assert (position.outcome is not None) == (len(position.cells) == rules.cells)
    assert position.outcome.winner is None
