import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.errors import InvalidGame
from noughts.games import game
from noughts.spec import Spec, quoted

CANONICAL = {
    "3x3": "3x3",
    "tictactoe": "3x3",
    " 4X4 ": "4x4",
    "4×4": "4x4",
    "4x4,k=4": "4x4",
    "6x5,k=5": "6x5",
    "5x6": "5x6",
    "gomoku": "15x15,k=5",
    "gomoku,exact": "15x15,k=5,exact",
    "gomoku,size=19": "19x19,k=5",
    "gomoku,k=6": "15x15,k=6",
    "qubic": "4x4x4",
    "qubic,misere": "4x4x4,misere",
    "misere": "3x3,misere",
    "lines,size=4": "4x4",
    "lines": "3x3",
    "5x5,players=3,k=4": "5x5,k=4,players=3",
    "5x5,k=4,setup=O:C3 + x:b2": "5x5,k=4,setup=X:b2+O:c3",
    "4x4, corners": "4x4,corners",
    "3x3,early_draw": "3x3,early_draw",
    "4x4x4,setup=X:b2/3": "4x4x4,setup=X:b2/3",
    "1000x1000,k=5": "1000x1000,k=5",
    "2x2": "2x2",
    "hex": "hex",
    "HEX,size=11": "hex",
    "hex,size=7,swap": "hex,size=7,swap",
    "duel": "duel",
    "peaceful": "duel,opening=peaceful",
    "peaceful,size=4": "duel,size=4,opening=peaceful",
    "duel,size=4,opening=PEACEFUL": "duel,size=4,opening=peaceful",
    "duel,size=3x4": "duel,size=3x4",
    "duel,size=6x6,opening=capture": "duel",
}


@pytest.mark.parametrize(("written", "canonical"), CANONICAL.items())
def test_a_spec_prints_back_canonically(written, canonical):
    made = game(written)
    assert made.spec == str(made) == canonical
    assert game(canonical) == made
    assert hash(game(canonical)) == hash(made)


WRONG = {
    "": "has no name",
    ",k=3": "has no name",
    "4": "unknown game '4': write a size, e.g. 4x4",
    "4x": "did you mean '4x4'",
    "hexx": "unknown game 'hexx'.*did you mean 'hex'",
    "chess": "there are: tictactoe, 4x4",
    "3x3,k=4": "'k=4': a row on 3x3 has from 2 to 3 cells",
    "3x3,k=1": "'k=1': k takes a whole number from 2",
    "3x3,k=0": "k takes a whole number from 2",
    "3x3,k=-3": "k takes a whole number from 2",
    "3x3,k=three": "'k=three': k takes a whole number",
    "3x3,k": "'k': k takes a whole number",
    "3x3,k=": "empty option",
    "3x3,,misere": "empty option",
    "3x3,=3": "empty option",
    "3x3,k=3,k=3": "gives the option 'k' twice",
    "3x3,misère": "did you mean 'misere'",
    "3x3,misere=yes": "misere takes no value",
    "3x3,colour=red": "no option 'colour'; there are: size, k",
    "1x3": "'size=1x3': size takes rows x columns from 2 to 1000, e.g. 4x4, or rows x columns x layers from 2 to 16",
    "1001x3": "from 2 to 1000",
    "17x17x17": "'size=17x17x17': size takes rows x columns",
    "3x3x3x3": "size takes rows x columns",
    "4x4,size=5": "gives the size twice",
    "99999999999x3": "size takes rows x columns",
    "3x3,players=1": "players takes a whole number from 2 to 8",
    "3x3,players=9": "players takes a whole number from 2 to 8",
    "3x3,misere,players=3": "misere is only for two players",
    "4x4x4,corners": "flat boards only",
    "3x3,setup=X:a1+X:b1+X:c1": "already contains a win",
    "3x3,setup=X:a1+X:b1+X:c1+O:a2+O:b2+O:c2": "both O and X have completed",
    "3x3,setup=X:d1": "'d1' is outside",
    "3x3,setup=X:a1+O:a1": "a1 is set twice",
    "3x3,setup=Z:a1": "'Z' is not one of X, O",
    "3x3,setup=a1": "'a1' is not a mark on a cell",
    "3x3,setup=X:": "is not a cell",
    "3x3,setup=X:a1+O:b1+X:c1+X:a2+O:b2+X:c2+O:a3+X:b3+O:c3": "already ends the game",
    "hex,size=1": "size takes a whole number from 2 to 19",
    "hex,size=20": "from 2 to 19",
    "hex,k=3": "hex has no option 'k'",
    "duel,size=1": "'size=1': size takes rows x columns from 2 to 1000, e.g. 4x4",
    "duel,size=3x3x3": "size takes rows x columns",
    "duel,opening=war": "'opening=war': opening takes capture or peaceful",
}


@pytest.mark.parametrize(("written", "message"), WRONG.items())
def test_a_bad_spec_gives_one_clear_error(written, message):
    with pytest.raises(InvalidGame, match=message) as caught:
        game(written)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "invalid_game"


@given(st.text(alphabet="ab,='\" \\\u00d7x\t") | st.text(), st.text(alphabet="a,='\""))
def test_any_text_survives_in_quotes(one, two):
    assert Spec.parse(f"head,one={quoted(one)},two={quoted(two)},flag").options == {
        "one": one,
        "two": two,
        "flag": None,
    }


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("./brain --fast", "./brain --fast"),
        (' "./brain, fast" ', "./brain, fast"),
        ("'say \"hi, you\"'", 'say "hi, you"'),
        ("'it''s, too'", "it's, too"),
        ('./brain --sizes="15,20"', './brain --sizes="15,20"'),
        ("it's", "it's"),
        ("C:\\brains\\brain.exe", "C:\\brains\\brain.exe"),
    ],
)
def test_a_value_with_a_comma_stands_in_quotes(written, value):
    assert Spec.parse(f"process,cmd={written},seconds=2").options == {"cmd": value, "seconds": "2"}


@pytest.mark.parametrize("written", ['"./brain', "'./brain, fast", '"./brain" --fast', 'python "a, b.py"'])
def test_a_quote_that_is_not_closed_is_told(written):
    with pytest.raises(ValueError, match="close the quote, and put all of the value in it: cmd='…'"):
        Spec.parse(f"process,cmd={written}")
