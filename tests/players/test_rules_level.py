"""The level rules: for games with rules of thumb of their own, and for no others."""

import pytest

from noughts.cli import main
from noughts.errors import InvalidPlayer
from noughts.games import all_games, game
from noughts.players import player
from noughts.players.levels import LEVELS, all_levels, level, level_spec

SPECS = sorted({preset.spec for kind in all_games().values() for preset in kind.presets})


def test_it_is_listed_last_and_is_no_step_of_strength():
    assert list(all_levels()) == [*LEVELS, "rules"]


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_what_the_rules_of_thumb_ask_for(spec):
    start = game(spec).start()
    advised = all_levels()["rules"].plays(start.game)
    assert advised == (start.advise(player("rules,seed=1").rng) is not None)
    if advised:
        chosen = level("rules", start.game, seed=1).choose(start)
        assert chosen.move == player("rules,seed=1").choose(start).move
        assert start.game.say("note", chosen.note)


def test_in_the_duel_it_captures_first():
    here = game("duel,opening=peaceful").position("6/1RR3/3G2/6/6/6 R")
    choice = level("rules", here.game, seed=1).choose(here)
    # Red may place at eight cells, and only at c3 and d2 beside the green tile.
    assert here.play(choice.move).captured == 1
    assert choice.score >= 10


def test_a_game_without_rules_of_thumb_refuses_it():
    with pytest.raises(InvalidPlayer, match="'rules' cannot play hex; there are: easy, medium, hard, perfect"):
        level_spec("rules", game("hex"))


def test_the_terminal_takes_it(capsys):
    assert main(["play", "hex", "--level", "rules"]) == 2
    assert "cannot play hex" in capsys.readouterr().err
