"""Positions that are replayed when needed: the same as if all were in memory, and never far away once seen."""

import random

import pytest

from noughts.games import game
from noughts.match import MakeMove, Ply, Recalled, Redo, StartGame, Undo, reduce
from noughts.match.positions import KEEP_EVERY


def replayed(start, plies):
    positions = [start]
    for ply in plies:
        positions.append(positions[-1].play(ply.move))
    return positions


def played(count):
    """A game on 19x19 that nobody wins, cell after cell."""
    start = position = game("19x19,k=19").start()
    for cell in range(count):
        position = position.play(cell)
    return start, tuple(Ply("XO"[cell % 2], cell, 0.0, 0) for cell in range(count)), position


def counted(monkeypatch, start):
    """How many moves have been played since."""
    calls = []
    kind = type(start)
    play = kind.play_unchecked
    monkeypatch.setattr(kind, "play_unchecked", lambda self, move: calls.append(move) or play(self, move))
    return calls


def test_going_back_is_short_once_somebody_has_looked(monkeypatch):
    start, plies, last = played(300)
    positions = Recalled(start, plies, 300, last)
    assert not positions.is_near(299)
    assert positions.is_near(300)
    assert positions.is_near(5)
    calls = counted(monkeypatch, start)
    assert positions[299].text == positions[299].text
    assert len(calls) == 299 + 299 % KEEP_EVERY
    for at in range(299, 0, -1):
        calls.clear()
        assert positions.is_near(at)
        positions = positions.moved(at, positions[at])
        assert len(calls) < KEEP_EVERY


def test_a_game_that_was_played_here_has_its_past(monkeypatch):
    start, plies, _ = played(200)
    positions = Recalled(start, (), 0, start)
    for count, position in enumerate(replayed(start, plies)[1:], 1):
        positions = positions.extended(plies[:count], position)
    calls = counted(monkeypatch, start)
    assert positions.is_near(199)
    assert positions[199].text != positions[200].text
    assert len(calls) < KEEP_EVERY


@pytest.mark.parametrize("spec", ["19x19,k=19", "duel,size=8", "hex,size=7"])
@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_taken_back_and_played_anew(spec, seed):
    rng = random.Random(seed)
    match = reduce(None, StartGame(game=spec))
    start = match.positions[0]
    positions = Recalled(start, (), 0, start)
    for _ in range(150):
        wish = rng.random()
        if wish < 0.3 and match.cursor:
            match = reduce(match, Undo())
            positions = positions.moved(match.cursor, positions[match.cursor])
        elif wish < 0.45 and match.cursor < len(match.plies):
            match = reduce(match, Redo())
            positions = positions.moved(match.cursor, positions[match.cursor])
        elif match.position.outcome is None:
            move = match.game.move_name(rng.choice(list(match.position.legal_moves)))
            match = reduce(match, MakeMove(player=match.turn, move=move))
            positions = positions.extended(match.plies, match.position)
        at = rng.randrange(len(positions))
        assert positions[at].text == replayed(start, match.plies)[at].text
        assert positions[match.cursor].text == match.position.text
