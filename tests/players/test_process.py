"""A program as a player: what it is sent, how its answers are read, and that no process is left behind."""

import copy
import gc
import io
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noughts.cli import main
from noughts.errors import Forfeit, InvalidPlayer, PlayerError
from noughts.games import game
from noughts.lab.arena import arena
from noughts.lab.rating import Score
from noughts.match import StartGame, Store, load, save
from noughts.note import note
from noughts.players import Limits, all_players, player
from noughts.spec import quoted

BRAINS = Path(__file__).with_name("brains.py")


def brain(how, file=None, **options):
    """The spec of a brain with some behaviour, which logs what it receives to a file."""
    words = [sys.executable, "-I", str(BRAINS), how, *([str(file)] if file else [])]
    options = {"grace": 30, **options}
    shown = "".join(f",{key}={value}" for key, value in options.items())
    return f"process,cmd={quoted(shlex.join(words))}{shown}"


def told(file):
    """The process ids in a brain's log and the lines it received."""
    lines = file.read_text().splitlines()
    return [int(line) for line in lines if line.isdigit()], [line for line in lines if not line.isdigit()]


def is_running(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    # A zombie of another parent has ended too.
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def meet():
    """Make players and close them at the end."""
    made = []

    def make(spec, **seat):
        made.append(player(spec, **seat))
        return made[-1]

    yield make
    for one in made:
        one.close()


def play(who, moment, moves):
    """Let a player answer a list of moves and return the last position."""
    for move in moves:
        moment = moment.play(who.choose(moment).move)
        if moment.outcome is None:
            moment = moment.play(move)
    return moment


# What it is sent


def test_a_game_from_the_first_move_and_the_next_with_the_same_process(meet, tmp_path):
    file = tmp_path / "told"
    who = meet(brain("well", file, seconds=0.5))
    start = game("15x15,k=5").start()
    moment = start.play(who.choose(start).move).play("h8")
    moment = moment.play(who.choose(moment, Limits(seconds=0.25)).move).play("h9")
    assert who.choose(moment).move == moment.game.parse_move("c1")
    assert who.choose(start).move == start.game.parse_move("a1")
    who.close()
    [number], lines = told(file)
    left = "INFO time_left 2147483647"
    assert lines == [
        *("START 15", "INFO timeout_match 0", "INFO game_type 1", "INFO rule 0"),
        *("INFO timeout_turn 500", "INFO max_memory 0", left, "BEGIN"),
        *("INFO timeout_turn 250", left, "TURN 7,7"),
        *("INFO timeout_turn 500", left, "TURN 7,8"),
        *("RESTART", left, "BEGIN"),
        "END",
    ]
    assert not is_running(number)


def test_limits_and_rules_are_passed_on(meet, tmp_path):
    file = tmp_path / "told"
    who = meet(brain("is slow", file, match=20, memory=80))
    start = game("6x9,k=5,exact").start().play("c2")
    assert who.choose(start, Limits(memory=70_000_000)).note == note("program")
    moment = start.play("a1").play("b5")
    who.choose(moment)
    lines = told(file)[1]
    for line in (
        "RECTSTART 9,6",
        "INFO timeout_match 20000",
        "INFO max_memory 70000000",
        "INFO max_memory 80000000",
        "INFO timeout_turn 1000",
        "INFO time_left 20000",
        "INFO rule 1",
        "TURN 2,1",
        "TURN 1,4",
    ):
        assert line in lines
    left = [int(line.rpartition(" ")[2]) for line in lines if line.startswith("INFO time_left")]
    assert 0 < left[1] < left[0]


def test_a_board_is_sent_in_turns_with_the_last_move_at_the_end(meet, tmp_path):
    file = tmp_path / "told"
    who = meet(brain("well", file), mark="O")
    moment = game("15x15,k=5").start()
    for move in ("c3", "d4", "a9", "e5", "b1"):
        moment = moment.play(move)
    who.choose(moment)
    lines = told(file)[1]
    assert lines[lines.index("BOARD") :] == ["BOARD", "2,2,2", "3,3,1", "0,8,2", "4,4,1", "1,0,2"]
    # Undo, and another reply: a new board for the same process.
    other = game("15x15,k=5").start().play("c3").play("d4").play("o15")
    who.choose(other)
    assert told(file)[1][-4:] == ["BOARD", "2,2,2", "3,3,1", "14,14,2"]
    assert len(told(file)[0]) == 1


def test_a_brain_that_cannot_restart_is_started_again(meet, tmp_path):
    file = tmp_path / "told"
    who = meet(brain("stubborn", file))
    start = game("gomoku").start()
    assert who.choose(start).move == who.choose(start).move == 0
    numbers, lines = told(file)
    assert len(numbers) == 2
    assert lines.count("START 15") == 2
    assert not is_running(numbers[0])


def test_another_game_is_another_process(meet, tmp_path):
    file = tmp_path / "told"
    who = meet(brain("well", file))
    who.choose(game("gomoku").start())
    who.choose(game("gomoku,size=20").start())
    assert [line for line in told(file)[1] if "START" in line] == ["START 15", "START 20"]


def test_one_brain_for_both_marks(meet):
    who = meet(brain("well"))
    moment = game("gomoku").start()
    while moment.outcome is None:
        moment = moment.play(who.choose(moment).move)
    assert moment.outcome.winner == "X"


# What it says


@pytest.mark.parametrize("how", ["well", "talks", "suggests"])
def test_a_brain_plays_on(meet, how):
    who = meet(brain(how))
    moment = play(who, game("gomoku").start(), ["h8", "h9", "i9"])
    assert [moment.game.parse_move(name) in moment.cells for name in ("a1", "b1", "c1")] == [True] * 3
    said = note("message", text="I  [31mlike  3,0 \u2764")
    assert who.choose(moment).note == (said if how == "talks" else note("program"))


FAILURES = {
    "hangs at the start": ("timeout", "it did not answer START 15 within 0.2 s and 0.5 s of grace"),
    "hangs": ("timeout", "it did not answer TURN 7,7 within 0.2 s and 1.5 s of grace"),
    "talks for ever": ("timeout", "it did not answer TURN 7,7 within 0.2 s and 1.5 s of grace"),
    "never ends its line": ("timeout", "it did not answer TURN 7,7 within 0.2 s and 1.5 s of grace"),
    "crashes at the start": (
        "crashed",
        "it ended with exit code 1, saying 'no licence found', and did not answer START",
    ),
    "crashes": ("crashed", "it ended with exit code 3, saying 'ZeroDivisionError: division by zero', and did not ans"),
    "is killed": ("crashed", "it was killed by SIGKILL, and did not answer TURN 7,7"),
    "closes its output": ("crashed", "it closed its output, and did not answer TURN 7,7"),
    "refuses": ("refused", "it answered 'ERROR only 19 by 19' to START 15 instead of OK"),
    "garbage": ("garbage", "it answered 'I resign,  [31mwell played' to TURN 7,7 instead of a move like 7,7"),
    "binary": ("garbage", "it answered '\ufffd\ufffd7, 7' to TURN 7,7 instead of a move"),
    "no answer but an error": ("garbage", "it answered 'ERROR not today' to TURN 7,7 instead of a move"),
    "occupied": ("occupied", "it answered '0,0' to TURN 7,7: a1 is already taken by X"),
    "outside": ("out_of_bounds", "it answered '15,0' to TURN 7,7: outside the 15x15 board"),
    "far outside": ("out_of_bounds", "it answered '-1,-1' to TURN 7,7: outside the 15x15 board"),
}
PATIENCE = {"hangs at the start": 0.5, "hangs": 1.5, "talks for ever": 1.5, "never ends its line": 1.5}


@pytest.mark.parametrize("how", FAILURES)
def test_a_brain_that_fails_says_why_and_is_gone(meet, how, tmp_path):
    file = tmp_path / "told"
    who = meet(brain(how, file, seconds=0.2, grace=PATIENCE.get(how, 30)))
    with pytest.raises(Forfeit) as caught:
        play(who, game("gomoku").start(), ["h8", "h9"])
    code, message = FAILURES[how]
    assert caught.value.code == code
    assert str(caught.value).startswith(message)
    assert not any(map(is_running, told(file)[0]))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/nowhere/brain --fast", "cannot start '/nowhere/brain': No such file or directory"),
        (quoted(str(BRAINS.parent)), f"cannot start '{BRAINS.parent}': Permission denied"),
        ("'a\0b'", "cannot start 'a\\x00b': embedded null byte"),
        ("true", "it ended with exit code 0, and did not answer START 15"),
        ("echo hello", "it answered 'hello' to START 15 instead of OK"),
    ],
)
def test_a_program_that_is_no_brain(meet, command, message):
    with pytest.raises(Forfeit) as caught:
        meet(f"process,cmd={command},grace=30").choose(game("gomoku").start())
    assert str(caught.value) == message


def test_a_game_has_its_own_limit(meet):
    who = meet(brain("hangs", seconds=10, match=0.5, grace=1))
    moment = game("gomoku").start()
    moment = moment.play(who.choose(moment).move).play("h8")
    with pytest.raises(Forfeit, match=r"it did not answer TURN 7,7 within 0\.[0-9]+ s and 1 s of grace"):
        who.choose(moment)


# What it leaves behind


def test_ends_with_this_program_whatever_it_thinks_of_it(tmp_path):
    file = tmp_path / "told"
    code = f"""
from noughts import game
from noughts.players import player
who = player({brain("deaf", file)!r})
who.choose(game("gomoku").start())
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)
    [number] = told(file)[0]
    assert not is_running(number)


def test_what_it_has_started_ends_with_it(meet, tmp_path):
    file = tmp_path / "told"
    who = meet(brain("leaves a child", file))
    who.choose(game("gomoku").start())
    who.close()
    child, number = told(file)[0]
    assert not is_running(number)
    for _ in range(500):
        if is_running(child):
            time.sleep(0.01)
    assert not is_running(child)


def test_nothing_stays_open():
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for how in ("well", "crashes at the start"):
        who = player(brain(how))
        try:
            who.choose(game("gomoku").start())
        except Forfeit:
            assert how != "well"
        who.close()
        who.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_player_that_is_dropped_ends_its_program(tmp_path):
    file = tmp_path / "told"
    who = player(brain("well", file))
    who.choose(game("gomoku").start())
    twin = copy.copy(who)
    assert twin == who
    del who
    gc.collect()
    [number] = told(file)[0]
    assert not is_running(number)
    assert twin.choose(game("gomoku").start()).move == 0
    twin.close()


# Who may play against it


@pytest.mark.parametrize("spec", ["3x3", "15x15,k=4", "15x15,k=6", "gomoku,misere", "gomoku,corners", "hex", "duel"])
def test_games_that_the_protocol_does_not_know_are_refused_before_they_start(spec, capsys):
    who = brain("well")
    with pytest.raises(InvalidPlayer, match="the Gomocup protocol"):
        arena(["random", who], game(spec), 2)
    with pytest.raises(PlayerError, match="the Gomocup protocol") as caught:
        player(who).choose(game(spec).start())
    assert caught.value.code == "wrong_game"
    assert main(["play", spec, "--o", who]) == 2
    assert "the Gomocup protocol" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("process", "needs a program: process,cmd=./brain"),
        ("process,cmd=' '", "needs a program"),
        ("process,cmd", "cmd takes a command line"),
        ("process,cmd=./brain,grace=-1", "grace takes a number from 0"),
        ("process,cmd=./brain it's", "is not a command line: No closing quotation"),
    ],
)
def test_specs_that_start_nothing(spec, message):
    with pytest.raises(InvalidPlayer, match=message):
        player(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "process,cmd=./brain --fast",
        'process,cmd="./brain --sizes 15,20",seconds=2,match=60,memory=80,grace=1.5',
        "process,cmd='\"my brain\" 15,20'",
    ],
)
def test_specs_print_back(spec):
    assert player(spec).spec == spec
    assert player(player(spec).spec) == player(spec)


def test_only_the_process_player_starts_programs():
    assert [name for name, kind in all_players().items() if kind.local] == ["process"]


def test_a_record_cannot_start_a_program(tmp_path, capsys):
    bait, file = tmp_path / "bait", tmp_path / "game.jsonl"
    store = Store()
    store.dispatch(StartGame(game="gomoku", players={"X": f"process,cmd=touch {bait}", "O": "human"}))
    save(file, store.actions)
    assert main(["play", "--load", str(file)]) == 2
    assert "a program: name it with --player if you trust it" in capsys.readouterr().err
    assert not bait.exists()


# In the arena and at the board


def test_failures_lose_one_game_each_and_the_arena_goes_on(tmp_path):
    names = ["crashes", "occupied", "hangs at the start"]
    specs = [brain(how, seconds=0.2, grace=PATIENCE.get(how, 30)) for how in names]
    specs.append("process,cmd=/nowhere/brain")
    result = arena(["random", *specs], game("gomoku"), 2, workers=2, records=tmp_path / "games", opening_plies=1)
    assert result.games == 20
    assert result.total(0) == Score(wins=8)
    told = json.dumps(result.to_json())
    for how in names:
        _, message = FAILURES[how]
        reason = message.partition(" to TURN")[0].partition("START")[0].partition(", saying")[0]
        assert any(how in failure and f"forfeits: {reason}" in failure for failure in result.failures)
        assert json.dumps(reason)[1:-1] in told
    assert "forfeits: cannot start '/nowhere/brain': No such file or directory" in told
    assert len(result.failures) == 20
    reasons = [load(path).actions[-1].reason for path in sorted((tmp_path / "games").iterdir())]
    assert len(reasons) == 20
    assert all(f.endswith(f"forfeits: {reason}") for f, reason in zip(result.failures, reasons, strict=True))


def test_the_table_and_the_replay_tell_the_reason(tmp_path, capsys):
    games = tmp_path / "games"
    command = ["arena", "random", brain("garbage"), "--game", "gomoku", "--games", "2", "--workers", "1"]
    assert main([*command, "--records", str(games)]) == 0
    assert "as O forfeits: it answered 'I resign,  [31mwell played' to TURN" in capsys.readouterr().out
    assert main(["replay", str(games / "00001.jsonl"), "--all", "--plain"]) == 0
    assert "resign by O: it answered 'I resign,  [31mwell played' to TURN" in capsys.readouterr().out


def test_a_person_wins_against_a_brain_that_fails(tmp_path, capsys, monkeypatch):
    file = tmp_path / "told"
    monkeypatch.setattr("sys.stdin", io.StringIO("h8\nh9\nn\n"))
    assert main(["play", "gomoku", "--o", brain("garbage", file), "--plain"]) == 0
    out = capsys.readouterr().out
    assert "O plays a1: the program's move" in out
    assert "forfeits: it answered 'I resign" in out
    assert "O resigns. You win!" in out
    assert not any(map(is_running, told(file)[0]))


def test_a_brain_is_ended_when_a_person_leaves(tmp_path, capsys, monkeypatch):
    file = tmp_path / "told"
    monkeypatch.setattr("sys.stdin", io.StringIO("h8\nundo\nh9\nquit\n"))
    assert main(["play", "gomoku", "--o", brain("well", file), "--plain"]) == 0
    [number], lines = told(file)
    assert [line for line in lines if not line.startswith("INFO")] == [
        "START 15",
        "TURN 7,7",
        "RESTART",
        "TURN 7,8",
        "END",
    ]
    assert not is_running(number)
