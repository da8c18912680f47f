"""Levels: four for every game, in order of strength, repeatable; and the ``cunning`` option."""

import itertools
import random

import pytest

from noughts.compute.solver import solve
from noughts.errors import InvalidPlayer
from noughts.games import all_games, game
from noughts.lab.arena import arena
from noughts.players import Limits, player, seeded
from noughts.players.levels import LEVELS, level, level_spec

SPECS = sorted({preset.spec for kind in all_games().values() for preset in kind.presets})
SPECS += ["5x5,k=4,players=3", "30x30,k=5", "hex,size=4", "duel,size=4", "4x4x4", "7x7,k=4,misere"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", LEVELS)
def test_every_game_has_every_level(spec, name):
    here = game(spec).start()
    who = level(name, here.game, seed=1)
    assert who == seeded(player(level_spec(name, here.game)), 1)
    for _ in range(2):
        here = here.play(who.choose(here, Limits(seconds=0.1)).move)


def test_an_unknown_level_is_refused():
    with pytest.raises(InvalidPlayer, match="unknown level 'hrad'; did you mean 'hard'"):
        level("hrad", game("4x4"))


@pytest.mark.parametrize("spec", ["3x3", "gomoku", "hex,size=5", "duel"])
@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_the_bare_name_is_a_player_that_repeats_itself_with_a_seed(spec, name):
    def moves(who):
        here, played = game(spec).start(), []
        for _ in range(4):
            # On a busy machine a limit of time ends a search sooner.
            played.append(who.choose(here, Limits(nodes=2000)).move)
            here = here.play(played[-1])
        return played

    bare = player(f"{name},seed=5")
    assert bare.spec == f"{name},seed=5"
    assert moves(bare) == moves(player(f"{name},seed=5")) == moves(level(name, game(spec), seed=5))


@pytest.mark.parametrize("spec", ["4x4", "gomoku", "hex,size=7", "duel"])
def test_the_lower_levels_are_in_order(spec):
    for lower, upper in itertools.pairwise(LEVELS[:3]):
        met = arena([upper, lower], game(spec), 24, seed=3, workers=1)
        assert met.total(0).points > 14, (upper, lower, met.to_json())


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["4x4", "gomoku", "hex,size=7", "duel"])
def test_each_level_is_a_hundred_elo_above_the_one_below(spec):
    for lower, upper in itertools.pairwise(LEVELS):
        pair = [level_spec(name, game(spec)) for name in (upper, lower)]
        quick = [f"{who},seconds=0.3" if who.startswith("perfect") else who for who in pair]
        one, two = arena(quick, game(spec), 60 if upper == "perfect" and spec != "4x4" else 200, seed=1).ratings()
        assert one.elo - two.elo >= 100, (upper, lower)


def test_cunning_tells_best_moves_apart_and_plays_no_other():
    rng, differs = random.Random(4), 0
    cunning, plain = player("perfect,cunning"), player("perfect")
    for spec in ("3x3", "4x4", "3x3,misere", "hex,size=4", "duel,size=3"):
        for plies in range(6):
            here = game(spec).start()
            for _ in range(plies):
                here = here.play(here.legal_moves.pick(rng))
                if here.outcome is not None:
                    break
            if here.outcome is None:
                best = solve(here).best
                assert cunning.choose(here).move in best
                assert plain.choose(here).move == best[0]
                differs += cunning.choose(here).move != best[0]
    assert differs > 3


def test_cunning_wins_more_against_one_who_slips():
    wins = [
        arena([spec, "perfect,epsilon=0.5"], game("4x4"), 60, seed=2, workers=1).total(0).wins
        for spec in ("perfect,cunning", "perfect")
    ]
    assert wins[0] > wins[1] + 5
