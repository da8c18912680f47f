"""The brain: every command of the Gomocup protocol, time and memory limits, and the connection to the manager."""

import os
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import __version__
from noughts.errors import PlayerError
from noughts.gomocup.brain import Brain
from noughts.gomocup.budget import DEFAULT_SECONDS, FASTEST_SECONDS, LEAST_TABLE_BYTES, PROGRAM_BYTES, Budget
from noughts.gomocup.wire import Wire


class Mind:
    """Takes the first free cell and records its arguments."""

    def __init__(self):
        self.games, self.given, self.takes = [], [], 0.0
        self.now = 100.0

    def prepare(self, game):
        self.games.append(game.spec)

    def choose(self, position, seconds, memory):
        self.given.append((position, seconds, memory))
        self.now += self.takes
        if len(position.cells) > 30:
            raise PlayerError("tired", "it fell asleep\n…")
        return position.legal_moves[0]


@pytest.fixture
def mind():
    return Mind()


@pytest.fixture
def talk(mind):
    """Send lines to a brain in this process and return its answers."""
    brain = Brain(mind, clock=lambda: mind.now)

    def send(text):
        return [answer for line in text.splitlines() for answer in brain.obey(line)]

    send.brain = brain
    return send


def test_a_game_in_all_its_commands(talk, mind):
    assert talk("START 20") == ["OK"]
    assert mind.games == ["20x20,k=5", "20x20,k=5,exact"]
    assert talk("INFO timeout_turn 5000\nINFO max_memory 0\nINFO game_type 1\nINFO rule 0") == []
    assert talk("BEGIN") == ["0,0"]
    assert talk("TURN 1,0") == ["2,0"]
    assert talk("TAKEBACK 2,0\nTAKEBACK 1,0") == ["OK", "OK"]
    assert talk("TURN 19,19") == ["1,0"]
    assert talk("RESTART") == ["OK"]
    assert talk("TURN 0,0") == ["1,0"]
    assert talk("START 5") == ["OK"]
    assert talk("BEGIN") == ["0,0"]
    assert talk("RECTSTART 30,13") == ["OK"]
    assert mind.games[-1] == "13x30,k=5,exact"
    assert talk("TURN 29,12") == ["0,0"]
    assert not talk.brain.has_ended
    assert talk("END") == []
    assert talk.brain.has_ended


def test_about_is_keys_and_quoted_values(talk):
    [about] = talk("ABOUT")
    pairs = dict(part.split("=") for part in about.split(", "))
    assert pairs["name"] == '"noughts"'
    assert pairs["version"] == f'"{__version__}"'
    assert {"author", "country"} <= set(pairs)


def test_a_board_comes_in_any_order_and_replaces_the_one_before(talk, mind):
    talk("START 15\nBEGIN")
    assert talk("BOARD\n10,10,1\n10,11,2\n11,11,1\n9,10,2\nDONE") == ["0,0"]
    position, *_ = mind.given[-1]
    assert position.turn == "X"
    assert {position.game.move_name(cell): mark for cell, mark in position.cells.items()} == {
        "k11": "X",
        "k12": "O",
        "l12": "X",
        "j11": "O",
    }
    assert talk("BOARD\n3,4,2\nDONE") == ["0,0"]
    position, *_ = mind.given[-1]
    assert position.turn == "O"
    assert position.game.move_name(next(iter(position.cells))) == "d5"
    assert talk("BOARD\nDONE") == ["0,0"]
    assert talk("TURN 0,1") == ["1,0"]


def test_a_board_may_hold_rows_already_won(talk, mind):
    """Continuous games are not supported, but their boards are read: finished rows are just stones."""
    talk("START 15")
    row = "".join(f"{x},7,3\n" for x in range(2, 7))
    [remark, move] = talk(f"INFO rule 2\nBOARD\n{row}3,3,2\nDONE")
    assert remark == "MESSAGE continuous game not supported: playing for five or more in a row"
    assert move == "0,0"
    assert len(mind.given[-1][0].cells) == 6
    assert mind.given[-1][0].outcome is None


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("START 4", "ERROR 4x4 is not supported: sides from 5, at most 400 cells, as 20x20"),
        ("START 21", "ERROR 21x21 is not supported: sides from 5, at most 400 cells, as 20x20"),
        ("START", "ERROR '' is not a size: START 15"),
        ("START huge", "ERROR 'huge' is not a size: START 15"),
        ("START -15", "ERROR '-15' is not a size: START 15"),
        ("RECTSTART 3,20", "ERROR 3x20 is not supported: sides from 5, at most 400 cells, as 20x20"),
        ("RECTSTART 15", "ERROR '15' is not like RECTSTART 20,15"),
        ("RECTSTART 15,x", "ERROR '15,x' is not like RECTSTART 20,15"),
        ("TURN 15,0", "ERROR 15,0 is outside the 15x15 board"),
        ("TURN 0,-1", "ERROR 0,-1 is outside the 15x15 board"),
        ("TURN 7", "ERROR '7' is not like TURN 7,7"),
        ("TURN 7,7,1", "ERROR '7,7,1' is not like TURN 7,7"),
        ("TURN h8", "ERROR 'h8' is not like TURN 7,7"),
        ("TURN 0,0", "ERROR 0,0 is taken"),
        ("TAKEBACK 9,9", "ERROR 9,9 is empty"),
        ("TAKEBACK 15,15", "ERROR 15,15 is outside the 15x15 board"),
        ("DONE", "ERROR DONE without BOARD"),
        ("BOARD\n1,1,1\n1,1,2\nDONE", "ERROR BOARD: 1,1 comes twice"),
        ("BOARD\n1,1,4\nDONE", "ERROR BOARD: 4 is nobody's number: 1 is own, 2 the opponent's, 3 of a finished row"),
        ("BOARD\n99,1,1\nhello\nDONE", "ERROR BOARD: 99,1 is outside the 15x15 board"),
        ("BOARD\n1,1\nDONE", "ERROR BOARD: '1,1' is not like 7,7,1"),
        ("BOARD\nhello\nDONE", "ERROR BOARD: 'hello' is not like 7,7,1"),
        ("BOARD\n1,1,2\n2,1,2\n3,1,2\n4,1,2\n5,1,2\nDONE", "ERROR the game is over: there is a row of five"),
        ("PLAY 3,3", "UNKNOWN PLAY"),
        ("HELLO world", "UNKNOWN HELLO"),
        ("7,7", "UNKNOWN 7,7"),
        ("h\u00e9llo\x07", "UNKNOWN H?LLO?"),
        ("SWAP2BOARD\n7,7\n8,7\n9,9\nDONE", "UNKNOWN SWAP2BOARD"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_changes_nothing(talk, lines, answer):
    assert talk("START 15\nBEGIN") == ["OK", "0,0"]
    assert talk(lines) == [answer]
    if "START" not in lines and "row of five" not in answer:
        assert talk("TURN 0,1") == ["1,0"]


@pytest.mark.parametrize("command", ["BEGIN", "TURN 7,7", "BOARD", "RESTART", "TAKEBACK 1,1"])
def test_there_is_no_game_before_start_or_after_a_bad_one(talk, command):
    assert talk(command) == ["ERROR no board: START 15 comes first"]
    talk("START 15\nSTART 99")
    assert talk(command) == ["ERROR no board: START 15 comes first"]


def test_a_board_that_is_broken_off_is_forgotten(talk):
    talk("START 15\nBEGIN")
    assert talk("BOARD\n5,5,1\nRESTART\nBEGIN") == ["OK", "0,0"]
    assert talk("BOARD\n5,5,1\nINFO timeout_turn 7\n\nDONE") == ["0,0"]
    assert talk("BOARD\n5,5,1\nEND") == []
    assert talk.brain.has_ended


def test_a_full_board_has_no_move(talk):
    talk("START 5")
    stones = "".join(f"{x},{y},{1 + (x // 2 + y) % 2}\n" for x in range(5) for y in range(5))
    assert talk(f"BOARD\n{stones}DONE") == ["ERROR the game is over: the board is full"]


def test_a_mind_that_fails_is_an_error(talk):
    talk("START 10")
    stones = "".join(f"{x},{y},{1 + (x // 2 + y) % 2}\n" for x in range(5) for y in range(7))
    assert talk(f"BOARD\n{stones}DONE") == ["ERROR it fell asleep??"]


def test_commands_in_any_case_and_with_any_blanks(talk):
    assert talk("  start   15 \n\n   \nBegin\nturn\t3 , 4\ninfo TIMEOUT_TURN 10") == ["OK", "0,0", "1,0"]


WORDS = "START RECTSTART RESTART BEGIN TURN BOARD DONE TAKEBACK INFO ABOUT PLAY SWAP2BOARD SUGGEST rule time_left"
ARGUMENTS = ["", "5", "6,7", "1,2,3", "-1,0", "0,0,1", "9" * 30, "\u0665"]
COMMANDS = st.tuples(st.sampled_from(WORDS.split()), st.sampled_from(ARGUMENTS)).map(" ".join)
STONES = st.tuples(st.integers(-1, 6), st.integers(-1, 6), st.integers(0, 4)).map(
    lambda stone: ",".join(map(str, stone))
)


@given(st.lists(COMMANDS | STONES | st.text(max_size=20), max_size=40))
def test_whatever_comes_is_answered_in_plain_lines(lines):
    brain = Brain(Mind(), clock=lambda: 0.0)
    for line in ["START 6", *lines]:
        for answer in brain.obey(line):
            assert answer.isascii()
            assert answer.isprintable()
            assert answer.partition(" ")[0] in ("OK", "ERROR", "UNKNOWN", "MESSAGE", 'name="noughts",') or "," in answer


@pytest.mark.parametrize(
    ("rule", "spec", "remark"),
    [
        (0, "15x15,k=5", None),
        (1, "15x15,k=5,exact", None),
        (2, "15x15,k=5", "continuous game not supported: playing for five or more in a row"),
        (3, "15x15,k=5,exact", "continuous game not supported: playing for exactly five in a row"),
        (4, "15x15,k=5,exact", "renju not supported: playing for exactly five in a row"),
        (5, "15x15,k=5,exact", "renju not supported: playing for exactly five in a row"),
        (8, "15x15,k=5,exact", "caro not supported: playing for exactly five in a row"),
        (12, "15x15,k=5,exact", "renju and caro not supported: playing for exactly five in a row"),
        (64, "15x15,k=5", "rule 64 not supported: playing for five or more in a row"),
    ],
)
@pytest.mark.parametrize("order", ["START 15\nINFO rule {}", "INFO rule {}\nSTART 15"])
def test_rules(talk, mind, rule, spec, remark, order):
    assert talk(order.format(rule)) == ["OK"]
    assert talk("BEGIN") == ([f"MESSAGE {remark}"] if remark else []) + ["0,0"]
    assert mind.given[-1][0].game.spec == spec
    assert talk("TURN 5,5") == ["1,0"]


def test_six_in_a_row_goes_on_where_only_five_win(talk):
    six = "BOARD\n" + "".join(f"{x},1,2\n" for x in range(6)) + "DONE"
    assert talk(f"START 15\nINFO rule 1\n{six}") == ["OK", "0,0"]
    assert talk(f"INFO rule 0\n{six}") == ["ERROR the game is over: there is a row of five"]


@pytest.mark.parametrize(
    "line", ["INFO", "INFO rule", "INFO rule x", "INFO nonsense 3", "INFO folder /tmp", "INFO evaluate 3,4"]
)
def test_other_information_is_ignored(talk, line):
    assert talk(f"START 15\n{line}\nBEGIN\n{line}\nTURN 3,3") == ["OK", "0,0", "1,0"]


# Time and memory


def milliseconds(**limits):
    budget = Budget()
    for key, value in limits.items():
        budget.update(key, value)
    return budget


@given(
    st.none() | st.integers(0, 10**6),
    st.none() | st.integers(-(10**6), 10**7),
    st.integers(0, 200),
)
def test_the_budget_is_within_every_limit(turn, left, moves):
    limits = {"timeout_turn": turn, "time_left": left}
    budget = milliseconds(**{key: value for key, value in limits.items() if value is not None})
    seconds = budget.seconds(moves)
    assert seconds > 0
    if turn:
        assert seconds <= max(turn / 1000 - min(0.05, turn / 1500), 0.001)
    if left is not None and left > 20:
        assert seconds <= left / 1000 / 10


def test_the_budget_of_a_move():
    assert milliseconds().seconds(0) == DEFAULT_SECONDS
    assert milliseconds(timeout_turn=0).seconds(0) == FASTEST_SECONDS
    assert milliseconds(timeout_turn=1000).seconds(0) == pytest.approx(0.9)
    assert milliseconds(timeout_turn=30_000).seconds(0) == pytest.approx(29.5)
    assert milliseconds(timeout_turn=30_000, timeout_match=180_000).seconds(0) == pytest.approx(5.98, abs=0.01)
    assert milliseconds(timeout_match=180_000).seconds(25) == pytest.approx(17.95, abs=0.01)
    assert milliseconds(timeout_turn=1000, time_left=2147483647).seconds(3) == pytest.approx(0.9)
    assert milliseconds(timeout_turn=1000, time_left=-500).seconds(3) == 0.001
    assert milliseconds(timeout_turn=1000, timeout_match=0).seconds(0) == pytest.approx(0.9)


def test_a_whole_match_fits_its_time():
    """The time used stays within the budget and uses most of it."""
    budget = milliseconds(timeout_turn=30_000, timeout_match=60_000)
    spent = 0.0
    for move in range(80):
        seconds = budget.seconds(move)
        budget.spend(seconds)
        spent += seconds
    assert 50 < spent < 60


def test_the_time_left_is_what_the_manager_said_last(talk, mind):
    mind.takes = 4.0
    talk("INFO timeout_match 300000\nSTART 15\nINFO timeout_turn 100000\nBEGIN")
    assert mind.given[-1][1] == pytest.approx((300 - 0.5) / 30)
    talk("TURN 5,5")
    assert mind.given[-1][1] == pytest.approx((296 - 0.5) / 29)
    talk("INFO time_left 60000\nTURN 6,6")
    assert mind.given[-1][1] == pytest.approx((60 - 0.5) / 28)
    talk("TURN 7,7")
    assert mind.given[-1][1] == pytest.approx((56 - 0.5) / 27)
    talk("RESTART\nBEGIN")
    assert mind.given[-1][1] == pytest.approx((300 - 0.5) / 30)
    talk("INFO time_left 30000\nSTART 15\nINFO timeout_match 300000\nBEGIN")
    assert mind.given[-1][1] == pytest.approx((30 - 0.5) / 30)


def test_time_counts_from_when_the_command_came(talk, mind):
    talk("START 15\nINFO timeout_turn 1000")
    list(talk.brain.obey("BOARD", mind.now))
    mind.now += 0.3
    list(talk.brain.obey("3,3,2", mind.now))
    list(talk.brain.obey("DONE", mind.now))
    assert mind.given[-1][1] == pytest.approx(0.6)
    asked = mind.now
    mind.now += 2
    list(talk.brain.obey("TURN 9,9", asked))
    assert mind.given[-1][1] == 0.001


def test_memory_is_what_remains_beside_the_program(talk, mind):
    talk("START 15\nBEGIN")
    assert mind.given[-1][2] is None
    talk("INFO max_memory 83886080\nTURN 5,5")
    assert mind.given[-1][2] == 83886080 - PROGRAM_BYTES
    assert talk("INFO max_memory 1000000\nTURN 6,6") == [
        f"MESSAGE 1000000 bytes are too few: this brain needs about {PROGRAM_BYTES + LEAST_TABLE_BYTES}",
        "2,0",
    ]
    assert mind.given[-1][2] == LEAST_TABLE_BYTES
    assert talk("INFO max_memory 0\nTURN 7,7") == ["3,0"]
    assert mind.given[-1][2] is None


# The wire


class Pipe:
    """A pipe that a test writes to, with the connection reading at the other end."""

    def __init__(self):
        self.out, self.into = os.pipe()
        self.wire = Wire(lambda: os.read(self.out, 1 << 16))
        self.lines = self.wire.lines()

    def send(self, data):
        os.write(self.into, data)

    def wait(self, condition):
        for _ in range(1000):
            if condition():
                return True
            time.sleep(0.005)
        return False


@pytest.fixture
def pipe():
    made = Pipe()
    yield made
    os.close(made.into)
    for _ in made.lines:
        pass
    os.close(made.out)


def test_lines_end_with_or_without_a_carriage_return(pipe):
    pipe.send(b"START 15\r\nBEGIN\nTUR")
    assert [next(pipe.lines)[0] for _ in range(2)] == ["START 15", "BEGIN"]
    pipe.send(b"N 7,7\r")
    pipe.send(b"\n\xff\n" + b"x" * 100_000 + b"\nEND")
    assert [next(pipe.lines)[0] for _ in range(2)] == ["TURN 7,7", "\ufffd"]
    assert set(next(pipe.lines)[0]) == {"x"}


def test_what_comes_while_the_brain_thinks_hurries_it(pipe):
    pipe.send(b"TURN 7,7\nEND\n")
    assert next(pipe.lines)[0] == "TURN 7,7"
    assert not pipe.wire.is_waiting()
    assert next(pipe.lines)[0] == "END"
    pipe.send(b"TURN 8,8\n")
    assert next(pipe.lines)[0] == "TURN 8,8"
    pipe.send(b"INFO timeout_turn 5\n\n")
    assert not pipe.wire.is_waiting()
    pipe.send(b"END\n")
    assert pipe.wait(pipe.wire.is_waiting)


def test_the_end_of_the_input_hurries_too():
    ready = threading.Event()
    chunks = iter([b"BEGIN\n"])

    def read():
        data = next(chunks, b"")
        if not data:
            ready.wait()
        return data

    wire = Wire(read)
    lines = wire.lines()
    assert next(lines)[0] == "BEGIN"
    assert not wire.is_waiting()
    ready.set()
    assert list(lines) == []


def test_a_broken_wire_is_the_end_of_the_input():
    def read():
        raise OSError("gone")

    assert list(Wire(read).lines()) == []
