"""Threats: what each player could do if it were its turn."""

import random

import pytest

import noughts
from noughts.analysis import threats
from noughts.games import game
from noughts.terminal import words
from tests.strategies import SMALL_SPECS


def named(spec, text):
    position = noughts.position(spec, text)
    name = position.game.move_name
    return [
        (threat.mark, threat.kind, [name(cell) for cell in threat.cells], [name(cell) for cell in threat.stones])
        for threat in threats(position)
    ]


@pytest.mark.parametrize("spec", SMALL_SPECS)
def test_wins_and_losses_at_once_are_those_of_the_rules(spec):
    """For the player to move: exactly the moves that end the game, won or lost."""
    rng = random.Random(spec)
    for _ in range(10):
        position = game(spec).start()
        while position.outcome is None:
            ends = {move: position.play(move).outcome for move in position.legal_moves if move >= 0}
            for kind, wanted in (("win", True), ("lose", False)):
                found = [
                    cell
                    for threat in threats(position)
                    if (threat.mark, threat.kind) == (position.turn, kind)
                    for cell in threat.cells
                ]
                assert found == [
                    move
                    for move, outcome in ends.items()
                    if outcome is not None and outcome.winner and (outcome.winner == position.turn) is wanted
                ]
            position = position.play(position.legal_moves.pick(rng))
        assert threats(position) == ()


def test_both_players_threaten():
    assert named("3x3", "XX1/OO1/3 X") == [("X", "win", ["c1"], ["a1", "b1"]), ("O", "win", ["c2"], ["a2", "b2"])]
    assert named("3x3", "XX1/OO1/3 O")[0][0] == "O"


def test_a_fork():
    assert ("X", "fork", ["c1", "a3"], []) in named("3x3", "X2/1O1/2X O")
    assert not any(kind == "fork" for _, kind, _, _ in named("3x3", "X2/1O1/3 X"))


def test_open_rows():
    found = named("9x9,k=5", "9/9/9/9/3XXX3/9/9/9/9 O")
    assert ("X", "open", ["c5", "g5"], ["d5", "e5", "f5"]) in found
    closed = named("9x9,k=5", "9/9/9/9/2OXXX3/9/9/9/9 O")
    assert not any(kind == "open" for _, kind, _, _ in closed)
    assert ("X", "open", ["e5"], ["c5", "d5", "f5"]) in named("9x9,k=5", "9/9/9/9/2XX1X3/9/9/9/9 O")


def test_exactly_k_does_not_count_longer_rows():
    text = "XXX1XX4/OOO7/10/10/10/10/10/10/10/10 X"
    assert ("X", "win", ["d1"], ["a1", "b1", "c1", "e1", "f1"]) in named("10x10,k=5", text)
    assert not any(kind == "win" for mark, kind, _, _ in named("10x10,k=5,exact", text))


def test_misere_names_what_loses():
    assert named("3x3,misere", "XX1/OO1/3 X") == [("X", "lose", ["c1"], []), ("O", "lose", ["c2"], [])]


def test_captures_in_the_duel():
    found = named("duel,size=3", "R2/G2/3 R")
    assert ("R", "capture", ["b1"], []) not in found
    assert ("G", "capture", ["b1"], ["a1"]) in named("duel,size=3", "R2/1G1/3 G")


def test_bridges_in_hex():
    found = named("hex,size=4", "4/1X2/4/4 O")
    assert ("X", "bridge", ["b1", "c1"], ["b2"]) in found
    found = named("hex,size=5", "5/3X1/2X2/5/5 O")
    assert not any(stones == ["d2", "c3"] for _, _, _, stones in found)
    found = named("hex,size=5", "5/3X1/5/2X2/5 O")
    assert ("X", "bridge", ["c3", "d3"], ["d2", "c4"]) in found
    assert named("hex,size=2", "X1/2 X")[0] == ("X", "win", ["a2"], ["a1"])


def test_large_boards_are_seen_near_stones():
    position = game("1000x1000,k=5").start()
    for move in ("a1", "b1", "a2", "b2", "a3", "b3", "a4"):
        position = position.play(move)
    assert [words.threat(threat, position) for threat in threats(position)] == ["X wins at a5"]


def test_words_and_json():
    position = noughts.position("3x3", "XX1/OO1/3 X")
    threat = threats(position)[0]
    data = threat.to_json(position)
    assert data == {"player": "X", "kind": "win", "cells": ["c1"], "stones": ["a1", "b1"]}
    assert type(threat).from_json(data, position) == threat
