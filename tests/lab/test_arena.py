import json
import math
import random
from dataclasses import dataclass

import pytest

import noughts.players
from noughts.cli import main
from noughts.errors import InvalidPlayer, PlayerError
from noughts.games import game
from noughts.lab.arena import arena
from noughts.lab.rating import Score, Sprt, expected, rate
from noughts.match import load
from noughts.players import Choice, Player, all_players


def test_two_ratings_differ_by_what_the_score_says():
    """With the prior of one drawn game, 75% of 1000 games is 400·log10(odds)."""
    one, two = rate({(0, 1): Score(wins=700, draws=100, losses=200)}, 2)
    share = (750 + 0.5) / 1001
    assert one.elo - two.elo == pytest.approx(400 * math.log10(share / (1 - share)))
    assert one.elo == pytest.approx(-two.elo)
    assert one.error == pytest.approx(two.error)


def test_ratings_recover_true_strengths_within_their_intervals():
    rng, true = random.Random(1), [200.0, 50.0, -50.0, -200.0]
    scores = {}
    for a in range(4):
        for b in range(a + 1, 4):
            wins = sum(rng.random() < expected(true[a] - true[b]) for _ in range(400))
            scores[a, b] = Score(wins=wins, losses=400 - wins)
    for rating, strength in zip(rate(scores, 4), true, strict=True):
        assert abs(rating.elo - strength) < 1.5 * rating.error
        assert 10 < rating.error < 40


def test_a_clean_sweep_has_a_finite_rating():
    one, two = rate({(0, 1): Score(wins=50)}, 2)
    assert 400 < one.elo - two.elo < 1500
    assert one.error > 50
    assert [r.elo for r in rate({(0, 1): Score(draws=10), (0, 2): Score(draws=4)}, 3)] == pytest.approx([0, 0, 0])


def test_scores_add_up():
    score = Score(2, 3, 1) + Score(1, 0, 0)
    assert (score.games, score.points, score.reversed()) == (7, 4.5, Score(1, 3, 3))


def test_the_sequential_test_errs_as_rarely_as_it_says():
    test, rng = Sprt(elo0=0, elo1=60), random.Random(3)
    for elo, wrong in ((0, "better"), (60, "not better")):
        mistakes = 0
        for _ in range(200):
            score = Score()
            while (verdict := test.verdict(score)) is None:
                score += Score(wins=1) if rng.random() < expected(elo) else Score(losses=1)
            mistakes += verdict == wrong
        assert mistakes <= 20
    assert test.verdict(Score()) is None


def test_everybody_meets_everybody_from_both_seats():
    result = arena(["rules", "random", "mcts,simulations=20"], game("3x3"), 10, seed=1, workers=1)
    assert result.games == 30
    assert {pair: score.games for pair, score in result.scores.items()} == {(0, 1): 10, (0, 2): 10, (1, 2): 10}
    assert sum(result.total(i).points for i in range(3)) == 30
    ratings = result.ratings()
    assert ratings[1].elo < min(ratings[0].elo, ratings[2].elo)


def test_seats_swap_and_openings_repeat_in_pairs(tmp_path):
    arena(["rules", "random"], game("4x4"), 6, seed=5, workers=1, records=tmp_path / "games")
    records = [load(path) for path in sorted((tmp_path / "games").iterdir())]
    assert len(records) == 6
    for one, two in zip(records[::2], records[1::2], strict=True):
        assert one.state.players["X"] == two.state.players["O"] == "rules"
        assert [p.move for p in one.state.plies[:2]] == [p.move for p in two.state.plies[:2]]
        assert one.state.is_over
    assert len({tuple(p.move for p in record.state.plies[:2]) for record in records}) > 1


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_seed_gives_the_same_games(workers):
    def play(seed, workers):
        return arena(["mcts,simulations=30", "random"], game("duel,size=3"), 8, seed=seed, workers=workers).to_json()

    assert play(3, workers) == play(3, 1)
    assert play(3, 1) != play(4, 1)


@dataclass(frozen=True, kw_only=True)
class Broken(Player):
    """Fails after its first move."""

    name = "broken"
    what = "the broken player"
    summary = "fails"

    def decide(self, position, limits):
        if len(position.cells) > 3:
            raise PlayerError("crashed", "it fell over")
        return Choice(position.legal_moves[0])


def test_a_player_that_fails_loses_that_game_and_the_arena_goes_on(monkeypatch):
    monkeypatch.setattr(noughts.players, "all_players", lambda: {**all_players(), "broken": Broken})
    result = arena(["random", "broken"], game("4x4"), 4, workers=1)
    assert result.total(0) == Score(wins=4)
    assert len(result.failures) == 4
    assert result.failures[0] == "game 1: broken as O forfeits: it fell over"


def test_a_sequential_test_stops_when_decided():
    result = arena(["perfect", "random"], game("4x4,k=3"), 1000, sprt=Sprt(elo1=100), workers=1)
    assert result.sprt == "better"
    assert result.games < 100


def test_what_the_arena_refuses():
    for players, message in ((["random"], "at least two"), (["random", "nobody"], "unknown player 'nobody'")):
        with pytest.raises(InvalidPlayer, match=message):
            arena(players, game("3x3"), 2)
    with pytest.raises(InvalidPlayer, match="exactly two with a sequential test"):
        arena(["random"] * 3, game("3x3"), 2, sprt=Sprt())
    with pytest.raises(InvalidPlayer, match="the arena is for two players"):
        arena(["random", "rules"], game("5x5,k=3,players=3"), 2)


def test_the_command(capsys, tmp_path):
    folder = tmp_path / "games"
    assert (
        main(["arena", "rules", "random", "--game", "3x3", "--games", "4", "--workers", "1", "--records", str(folder)])
        == 0
    )
    out = capsys.readouterr().out
    assert "3x3: 4 games" in out
    assert "rules" in out
    assert len(list(folder.iterdir())) == 4
    assert main(["arena", "rules", "random", "--game", "3x3", "--games", "4", "--workers", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["player"] for entry in found["players"]] == ["rules", "random"]
    assert main(["arena", "perfect", "random", "--game", "4x4,k=3", "--sprt", "--workers", "1"]) == 0
    assert "perfect is better than random" in capsys.readouterr().out
    assert main(["arena", "rules"]) == 2
