"""Boards as pictures."""

import numpy as np
import pytest

from noughts.games import game, position
from noughts.lab.environments.picture import COLOURS, LAST, WON, picture
from tests.strategies import SMALL_SPECS, random_game


def pixels(image, colour):
    return int((image == np.array(colour, dtype=np.uint8)).all(axis=2).sum())


@pytest.mark.parametrize("spec", [*SMALL_SPECS, "15x15,k=5", "hex", "1000x1000,k=5"])
def test_a_game_is_a_film(spec):
    here = game(spec).start()
    frames = [picture(here)]
    for move in random_game(here.game, 1)[:30] if here.game.grid.cells < 1000 else (0, 1, 500_500):
        here = here.play(move)
        frames.append(picture(here))
        assert frames[-1].shape == frames[0].shape
        assert frames[-1].dtype == np.uint8
        assert (frames[-1] != frames[-2]).any()
        assert here.outcome or pixels(frames[-1], LAST) > 0 or move < 0
    assert max(frames[0].shape) < 700
    for mark in {here.cells[cell] for cell in here.changed}:
        assert pixels(frames[-1], COLOURS[mark]) > 20


def test_the_cells_that_won_are_marked():
    won, going = picture(position("3x3", "XXX/OO1/3 X")), picture(position("3x3", "XX1/OO1/3 X"))
    assert pixels(going, WON) == 0
    middle = won.shape[0] // 3
    assert pixels(won[:middle], WON) > 1000
    assert pixels(won[middle + 5 :], WON) == 0
    assert pixels(picture(position("duel,size=2", "RR/RG R")), WON) == 0


@pytest.mark.parametrize("spec", ["3x3", "15x15,k=5", "6x5,k=4,exact", "4x4,corners", "duel"])
def test_a_mirrored_board_makes_a_mirrored_picture(spec):
    here = game(spec).start()
    for move in random_game(here.game, 3)[:9]:
        here = here.play(move)
    for symmetry in here.game.symmetries:
        image = picture(here.game.at(here.cells, here.turn))
        if symmetry.axes == (0, 2, 1):
            image = image.transpose(1, 0, 2)
        for axis in (0, 1):
            image = np.flip(image, axis) if symmetry.flips[axis + 1] else image
        assert (picture(here.transformed(symmetry)) == image).all()


@pytest.mark.parametrize("size", [2, 5, 11, 19])
def test_a_turned_hex_board_makes_a_turned_picture(size):
    here = game(f"hex,size={size}").start()
    for move in random_game(here.game, 3)[: 2 * size - 2]:
        here = here.play(move)
    here = here.game.at(here.cells, here.turn)
    [_, half_turn] = here.game.symmetries
    assert (picture(here.transformed(half_turn)) == picture(here)[::-1, ::-1]).all()


def test_hex_shows_whose_sides_are_which():
    image = picture(position("hex,size=5"))
    height = len(image)
    top, bottom = image[: height // 8], image[-(height // 8) :]
    assert pixels(top, COLOURS["X"]) > 5 * pixels(top, COLOURS["O"])
    assert pixels(bottom, COLOURS["X"]) > 5 * pixels(bottom, COLOURS["O"])
    middle = image[height // 3 : 2 * height // 3]
    assert pixels(middle, COLOURS["X"]) == 0
    assert pixels(middle, COLOURS["O"]) > 100
