import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.errors import InvalidRecord
from noughts.match import MakeMove, Redo, ResetGame, Resign, StartGame, Store, Undo, dump, load, read, save

ACTIONS = [
    StartGame(game="3x3", id="m1", first="X", players={"X": "human", "O": "minimax"}, at=1.5),
    MakeMove(player="X", move="a1", at=2.0),
    MakeMove(player="O", move="b2", at=3.0),
    Undo(player="X", at=4.0),
    Redo(at=5.0),
    Undo(at=6.0),
    ResetGame(at=7.0),
    MakeMove(player="X", move="c3", at=8.0),
    Resign(player="O", at=9.0),
]
TEXT = dump(ACTIONS)


def test_a_record_is_one_action_a_line():
    lines = [json.loads(line) for line in TEXT.splitlines()]
    assert lines[0] == {
        "action": "start_game",
        "at": 1.5,
        "game": "3x3",
        "first": "X",
        "id": "m1",
        "players": {"X": "human", "O": "minimax"},
    }
    assert lines[1] == {"action": "make_move", "at": 2.0, "player": "X", "move": "a1"}
    assert lines[4] == {"action": "redo", "at": 5.0}


def test_a_record_replays_to_the_same_state():
    store = Store(ACTIONS)
    record = read(TEXT)
    assert record.state == store.state
    assert record.actions == tuple(ACTIONS)
    assert [state.version for state in record.states] == list(range(1, 10))
    assert record.state.status == "x_wins"
    assert read(dump(record.actions)).state == record.state


@pytest.mark.parametrize(
    ("line", "replacement", "message"),
    [
        (1, "", "line 1: empty; the record is damaged"),
        (1, '{"action":"make_move","player":"X","move":"a1"}', "line 1: make_move before start_game"),
        (1, '{"action":"start_game"}', "line 1: start_game lacks game"),
        (1, '{"action":"start_game","game":"chess"}', "line 1: unknown game 'chess'"),
        (1, '{"action":"start_game","game":"3x3","players":{"X":1}}', "line 1: start_game: players cannot be"),
        (1, '{"action":"start_game","game":"3x3","players":[]}', "line 1: start_game: players cannot be"),
        (2, '{"action":"make_move","player":"X","mo', "line 2: not JSON .*damaged or cut off here"),
        (2, '{"action":"make_move","player":"O","move":"a1"}', "line 2: it is X's turn, not O's"),
        (2, '{"action":"make_move","player":"X"}', "line 2: make_move lacks move"),
        (2, '{"action":"make_move","player":"X","move":4}', "line 2: make_move: move cannot be 4"),
        (2, '{"action":"make_move","player":"X","move":"a1","at":true}', "line 2: make_move: at cannot be True"),
        (2, '{"action":"make_move","player":"X","move":"a1","at":NaN}', "line 2: make_move: at cannot be nan"),
        (2, '{"action":"make_move","player":"X","move":"a1","why":"x"}', "line 2: make_move has no field 'why'"),
        (2, '{"action":"dance"}', "line 2: unknown action 'dance'; there are: start_game"),
        (2, "[]", "line 2: not an action"),
        (2, "3", "line 2: not an action"),
        (2, '{"action":3}', "line 2: not an action"),
        (2, "[" * 100_000, "line 2: nested too deeply"),
        (3, '{"action":"make_move","player":"O","move":"a1"}', "line 3: a1 is already taken by X"),
        (5, '{"action":"undo","player":"O"}', "line 5: there is no move of O to take back"),
    ],
)
def test_a_damaged_line_is_named(line, replacement, message):
    lines = TEXT.splitlines()
    lines[line - 1] = replacement
    with pytest.raises(InvalidRecord, match=message) as caught:
        read("\n".join(lines))
    assert caught.value.line == line
    good = read("\n".join(TEXT.splitlines()[: line - 1])).state if line > 1 else None
    assert caught.value.state == good


@given(st.integers(0, len(TEXT) - 1))
def test_a_record_cut_anywhere_is_good_up_to_there_or_says_where_it_broke(cut):
    text = TEXT[:cut]
    whole = text.count("\n")
    try:
        record = read(text)
    except InvalidRecord as error:
        assert error.line == whole + 1
        assert error.state == (read(TEXT[: TEXT[:cut].rfind("\n") + 1]).state if whole else None)
    else:
        assert len(record.actions) in (whole, whole + 1)


@given(st.binary(max_size=200))
def test_files_that_are_no_records_are_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("records") / "file"
    path.write_bytes(content)
    with pytest.raises(InvalidRecord, match="line "):
        load(path)


def test_saving_is_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "game.jsonl"
    save(path, ACTIONS[:2])
    assert load(path).state.cursor == 1

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        save(path, ACTIONS)
    assert load(path).state.cursor == 1
    assert os.listdir(tmp_path) == ["game.jsonl"]
