"""Names of people: what they may have in them."""

import unicodedata

import pytest
from pydantic import ValidationError

from noughts.server.schema.game import SessionRequest

GOOD = ["", "Ann", "Zoë", "Łukasz", "李小龙", "محمد", "שרה", "अनिल", "O'Neil-Smith 3rd", "♥ ❤️"]
TRICKS = [
    "\u202eeve",
    "Ann\u200b",
    "\u2066x\u2069",
    "A\u200dnn",
    "\ufeffAnn",
    "A\u00adnn",
    "\u3164",
    "a\u0000",
    "\u061cx",
]


@pytest.mark.parametrize("name", GOOD)
def test_names_in_any_script_are_taken(name):
    assert SessionRequest(name=name).name == name


@pytest.mark.parametrize("name", [*TRICKS, "\U000e0041", "\u2028"])
def test_characters_that_nobody_sees_are_refused(name):
    with pytest.raises(ValidationError):
        SessionRequest(name=name)


def test_every_mark_of_direction_and_every_control_is_refused():
    hidden = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Zl", "Zp")]
    turning = [chr(code) for code in range(0x110000) if unicodedata.bidirectional(chr(code)) in
               ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")]  # fmt: skip
    for character in hidden + turning:
        with pytest.raises(ValidationError):
            SessionRequest(name=f"a{character}b")
