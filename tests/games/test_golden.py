import pytest

from noughts.games import all_games
from noughts.match import read
from tests.golden import FOLDER, expected


@pytest.mark.parametrize("name", all_games())
def test_every_game_has_a_golden_playthrough_that_still_holds(name):
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"no golden playthrough for {name}: run make records"
    kept = path.read_text(encoding="utf-8")
    record, _, positions = kept.partition("\n\n")
    states = read(record).states
    assert [f"{s.version} {s.status} {s.position.text}" for s in states] == positions.splitlines()
    assert kept == expected(name)


def test_no_golden_playthrough_is_left_over():
    assert {path.stem for path in FOLDER.iterdir()} == set(all_games())
