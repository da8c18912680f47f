"""Levels: four for every game, in order of strength, repeatable; and the ``cunning`` option."""

import itertools
import random

import pytest

from noughts.compute.solver import solve
from noughts.errors import InvalidPlayer
from noughts.games import all_games, game
from noughts.lab.arena import arena
from noughts.note import note
from noughts.players import Limits, player, seeded
from noughts.players.levels import LEVELS, level, level_spec
from noughts.search.attention import considered
from noughts.terminal.words import explain
from tests.strategies import all_specs, random_game

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


def ends(spec, games=3):
    """The last positions of random games, in which wins are about."""
    rules = game(spec)
    for seed in range(games):
        here, path = rules.start(), []
        for move in random_game(rules, seed):
            path.append(here)
            here = here.play(move)
        yield from path[-4:]


def wins(here):
    return [move for move in here.deciding() if ends_with(here, move) == here.turn]


def ends_with(here, move):
    outcome = here.play(move).outcome
    return outcome.winner if outcome is not None else None


def hands_over(here, move):
    after = here.play(move)
    return after.outcome is None and after.turn != here.turn and bool(wins(after))


@pytest.mark.parametrize("spec", [*all_specs(), "5x5,k=4,players=3", "30x30,k=5", "25x25,k=3,misere"])
@pytest.mark.parametrize("name", LEVELS)
def test_every_level_takes_a_win_and_from_medium_up_hands_none_over(spec, name):
    who = level(name, game(spec), seed=2)
    for here in ends(spec):
        chosen = who.choose(here, Limits(seconds=0.3)).move
        assert (chosen in wins(here)) == bool(wins(here)), (here, here.game.move_name(chosen))
        moves = considered(here)
        loses = {move for move in moves if ends_with(here, move) not in (None, here.turn)}
        assert chosen not in loses or loses == set(moves)
        if name != "easy" and not wins(here) and hands_over(here, chosen):
            assert all(move in loses or hands_over(here, move) for move in moves), here


@pytest.mark.parametrize("spec", [*all_specs(), "30x30,k=5"])
@pytest.mark.parametrize("name", LEVELS)
def test_a_level_says_what_it_saw_and_never_that_it_moved_at_random(spec, name):
    who = level(name, game(spec), seed=3)
    for here in ends(spec, games=1):
        choice = who.choose(here, Limits(seconds=0.1))
        codes, inner = [], choice.note
        while inner is not None:
            codes.append(inner.code)
            inner = inner.facts.get("found")
        assert codes
        assert not {"random", "epsilon", "sampled"} & set(codes)
        if "block_now" in codes:
            assert any(hands_over(here, move) for move in here.legal_moves)
        assert ("win_now" in codes) <= bool(wins(here))
        explain(choice.note, here.game)


def test_a_block_and_a_lack_of_choice_are_said():
    easy = level("medium", game("3x3"), seed=1)
    assert easy.choose(game("3x3").position("OO1/1X1/3 X")).note == note("block_now")
    assert easy.choose(game("3x3").position("XOX/XOO/OX1 O")).note == note("only_move")


SPECS_AGAINST_RANDOM = {"3x3": 0.85, "4x4": 0.7, "5x5,k=4": 0.9, "hex,size=5": 0.9, "duel": 0.9, "connect4": 0.9}


@pytest.mark.parametrize(("spec", "share"), SPECS_AGAINST_RANDOM.items())
def test_easy_beats_random_play(spec, share):
    met = arena(["easy", "random"], game(spec), 60, seed=1, opening_plies=0, workers=1).total(0)
    assert met.points >= share * met.games, met


def test_random_play_does_not_beat_medium_on_3x3():
    met = arena(["medium", "random"], game("3x3"), 200, seed=1, opening_plies=0, workers=1).total(0)
    assert met.losses <= 2, met


@pytest.mark.parametrize("spec", ["3x3", "4x4"])
def test_higher_levels_err_less_on_small_boards(spec):
    positions, rng = [], random.Random(1)
    for _ in range(1500):
        path = [game(spec).start()]
        for move in random_game(path[0].game, rng.getrandbits(40)):
            path.append(path[-1].play(move))
        here = rng.choice(path[:-1])
        # Nobody can win on the spot, so that it takes a look ahead.
        if wins(here) or wins(here.seen_by(here.game.after(here.turn))):
            continue
        found = solve(here, map=True)
        kept = {move for move, worth in found.map.items() if worth.value == found.known.value}
        if len(kept) < len(found.map):
            positions.append((here, kept))
    assert len(positions) > 40

    def errors(name):
        who = [level(name, here.game, seed=i) for i, (here, _) in enumerate(positions)]
        return sum(one.choose(here).move not in kept for one, (here, kept) in zip(who, positions, strict=True))

    counts = [errors(name) for name in LEVELS]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) == len(counts), counts
    assert counts[-1] == 0


@pytest.mark.parametrize("spec", ["5x5,k=4", "gomoku", "hex,size=7", "duel", "connect4"])
def test_the_lower_levels_are_in_order(spec):
    for lower, upper in itertools.pairwise(LEVELS[:3]):
        met = arena([upper, lower], game(spec), 24, seed=3, workers=1)
        assert met.total(0).points > 14, (upper, lower, met.to_json())


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
