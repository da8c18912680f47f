"""Players and levels of other packages are found by their entry points."""

import pytest

from noughts.games import game
from noughts.players import all_players, player
from noughts.players.levels import all_levels, level_spec

PLAYER = '''
from dataclasses import dataclass

from noughts.players import Choice, Player


@dataclass(frozen=True, kw_only=True)
class LastPlayer(Player):
    """Takes the last legal move."""

    name = "last"
    summary = "takes the last legal move"

    def decide(self, position, limits):
        return Choice(position.legal_moves[-1])
'''

LEVEL = '''
from dataclasses import dataclass

from noughts.players.levels import LevelPlayer


@dataclass(frozen=True, kw_only=True)
class Beginner(LevelPlayer):
    """Weaker than easy."""

    name = "beginner"
    summary = "hardly tries"
    rank = 0
    exact = tree = plain = huge = "random"
'''


@pytest.fixture
def installed(tmp_path, monkeypatch):
    (tmp_path / "elsewhere.py").write_text(PLAYER + LEVEL)
    info = tmp_path / "elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[noughts.players]\nlast = elsewhere:LastPlayer\nsecond = noughts.players.random:RandomPlayer\n"
        "[noughts.levels]\nbeginner = elsewhere:Beginner\nodd = elsewhere:PLAYER\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    all_players.cache_clear()
    all_levels.cache_clear()
    yield
    all_players.cache_clear()
    all_levels.cache_clear()


def test_players_and_levels_from_elsewhere(installed):
    with pytest.warns(UserWarning, match="the ") as warned:
        names = list(all_players())
    assert [str(warning.message).partition(":")[0] for warning in warned] == [
        "the level 'odd' (elsewhere",
        "the player 'second' (noughts.players.random",
    ]
    assert {"last", "beginner", "easy", "perfect"} <= set(names)
    start = game("3x3").start()
    assert player("last").choose(start).move == 8
    assert list(all_levels()) == ["beginner", "easy", "medium", "hard", "perfect", "rules"]
    assert level_spec("beginner", game("gomoku")) == "random"
    assert player("beginner,seed=1").choose(start).move in start.legal_moves


def test_a_level_does_not_hide_a_player():
    assert player("perfect").spec == "perfect"
    assert player("rules").spec == "rules"
    for name in ("perfect", "rules"):
        assert all_levels()[name] is not all_players()[name]
