"""The terminal's catalogue has words for every code, and for nothing else."""

import string

import pytest

import noughts
from noughts import note as notes
from noughts.analysis import Estimate, Proven, analyse
from noughts.analysis.finding import Method
from noughts.analysis.grades import GRADES
from noughts.compute import limits
from noughts.compute.limits import Limits, Progress
from noughts.errors import IllegalMove
from noughts.games import all_games, game
from noughts.match.actions import ACTIONS
from noughts.note import CODES, Note, note
from noughts.terminal import words

TICTACTOE = game("3x3")

FACTS = {
    "epsilon": 0.25,
    "temperature": 0.5,
    "value": "win",
    "distance": 5,
    "within": None,
    "margin": None,
    "found": note("searched", depth=4),
    "score": 0.2,
    "low": 0.0,
    "high": 0.5,
    "by": "mcts",
    "samples": 100,
    "clear": True,
    "depth": 4,
    "share": 0.62,
    "games": 10_000,
    "size": "20x20",
    "text": "good luck",
}
"""A value for each fact that a note can have."""


@pytest.mark.parametrize("code", CODES)
def test_every_note_has_words(code):
    made = note(code, **{name: FACTS[name] for name in CODES[code]})
    text = words.explain(made, TICTACTOE)
    assert text
    assert "{" not in text
    assert Note.from_json(made.to_json()) == made


@pytest.mark.parametrize("code", words.PLAIN_NOTES)
def test_notes_without_details_have_no_figures(code):
    made = note(code, **{name: FACTS[name] for name in CODES[code]})
    text = words.explain(made, TICTACTOE, details=False)
    assert text
    assert not any(character.isdigit() for character in text)


def test_no_words_are_left_over():
    assert set(words.NOTES) == set(CODES)
    assert set(words.PLAIN_NOTES) <= set(CODES)
    assert set(words.STAGES) == set(limits.STAGES)
    assert set(words.COUNTED) <= set(limits.STAGES)
    assert {"make_move", *words.ACTIONS} == set(ACTIONS)
    assert set(words.STOPS) == set(limits.STOPS)
    assert set(words.GRADES) == set(GRADES)
    assert set(words.METHODS) == set(Method.__args__)
    assert {name for facts in CODES.values() for name in facts} == set(FACTS)


@pytest.mark.parametrize("stage", limits.STAGES)
def test_every_stage_has_words(stage):
    text = words.progress(Progress(stage, 3, 12_000, 0.5))
    assert text.startswith(words.STAGES[stage])
    assert ", depth 3, 12,000 " in text
    assert "depth" not in words.progress(Progress(stage, 0, 1, 0.0))


@pytest.mark.parametrize("kind", sorted(all_games()))
def test_every_code_of_a_game_has_words(kind):
    """Whatever facts a template asks for, it is filled, and no template is empty."""
    catalogue = all_games()[kind].catalogues()["en"]
    for code, template in catalogue.items():
        facts = {name: "b2" for _, name, _, _ in string.Formatter().parse(template) if name}
        prefix, _, rest = code.partition(".")
        if prefix in ("refusal", "note", "threat", "outcome", "move", "reason"):
            text = all_games()[kind].say(prefix, Note(rest, facts))
            assert text
            assert "{" not in text


def test_an_outcome_says_who_and_why():
    for spec, text, reason in [
        ("3x3", "XXX/OO1/3 X", "a row is complete"),
        ("3x3", "XOX/XOO/OXX X", "the board is full"),
        ("3x3,misere", "XXX/OO1/3 X", "X completed a row"),
        ("duel,size=2", "RR/RR R", "no more tiles can be placed"),
    ]:
        assert words.outcome_reason(noughts.position(spec, text)) == reason


def test_a_refusal_is_said_in_the_games_words():
    position = noughts.position("3x3").play("b2")
    refused = position.why_not("b2")
    assert isinstance(refused, IllegalMove)
    assert words.refusal(refused, position.game) == str(refused) == "b2 is already taken by X"


def test_values_and_hints():
    assert words.evaluation(Proven("win", 5)) == "win in 5"
    assert words.evaluation(Proven("loss", within=12)) == "loss within 12"
    assert words.evaluation(Proven("win", 3, 1)) == "win by 1 tile"
    assert words.evaluation(Estimate(0.2, 0.0, 0.5, "mcts", 100)) == "about 60% (50–75%)"
    analysis = analyse(noughts.position("3x3", "XO1/3/3 X"), Limits(nodes=10_000))
    assert words.hint(analysis) == "a2 wins in 3 moves (proven)"
    assert words.summary(analysis) == "X: win in 5, proven"
    data = words.analysis_json(analysis)
    assert (data["text"], data["evaluation"]["text"], data["moves"]["c1"]["text"]) == (
        "X: win in 5, proven",
        "win in 5",
        "draw",
    )
    assert "text" not in analysis.to_json()


def test_a_note_that_nobody_declared_cannot_be_made():
    with pytest.raises(ValueError, match="unknown note 'wins'"):
        notes.note("wins")
    with pytest.raises(ValueError, match="a note 'searched' has the facts depth; got plies"):
        notes.note("searched", plies=3)
