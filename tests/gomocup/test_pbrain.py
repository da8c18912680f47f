"""The brain as a program: a scripted manager over pipes, games against itself, limits on a real clock."""

import random
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from noughts.games import game
from noughts.lab.arena import arena
from noughts.match import load
from noughts.spec import quoted

COMMAND = [sys.executable, "-m", "noughts", "gomocup"]


class Manager:
    """Runs the real brain, sends it commands and reads its answers."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [*COMMAND, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )

    def send(self, *lines, end="\r\n"):
        self.process.stdin.write("".join(line + end for line in lines).encode())

    def hear(self):
        return self.process.stdout.readline().decode("ascii").rstrip("\n")

    def ask(self, *lines, end="\r\n"):
        self.send(*lines, end=end)
        return self.hear()

    def place(self, *lines):
        return tuple(int(part) for part in self.ask(*lines).split(","))

    def think(self, line):
        """Ask for a move and wait until the brain is thinking."""
        before = self.worked()
        self.send(line)
        while self.worked() < before + 5:
            time.sleep(0.02)

    def worked(self):
        """The processor ticks the brain has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def leave(self):
        """The remaining output of the brain, and its exit code."""
        with self.process as process:
            rest = process.stdout.read()
        return rest.decode(), self.process.returncode


@pytest.fixture
def manager():
    started = []

    def start(*options):
        started.append(Manager(*options))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        with one.process:
            pass


def test_a_manager_and_many_games_with_one_process(manager):
    brain = manager()
    assert brain.ask("ABOUT").startswith('name="noughts"')
    brain.send("INFO timeout_turn 60", "INFO timeout_match 0", "INFO max_memory 83886080", "INFO nonsense 1")
    assert brain.ask("START 15", end="\n") == "OK"
    assert brain.place("INFO rule 1", "INFO time_left 2147483647", "BEGIN") == (7, 7)
    for size in (5, 15, 20):
        assert brain.ask(f"START {size}") == "OK"
        taken = {(2, 2), brain.place("TURN 2,2")}
        assert len(taken) == 2
        assert all(0 <= x < size and 0 <= y < size for x, y in taken)
    # A four to block, a four to complete, and a rectangle.
    assert brain.ask("RESTART") == "OK"
    theirs = [f"{x},3,2" for x in range(5, 9)]
    assert brain.place("BOARD", *theirs, "4,3,1", "9,9,1", "1,9,1", "DONE") == (9, 3)
    assert brain.ask("RECTSTART 16,8") == "OK"
    own = [f"{x},3,1" for x in range(5, 9)]
    assert brain.place("BOARD", "4,3,2", *own, "9,7,2", "1,7,2", "DONE") == (9, 3)
    assert brain.ask("TAKEBACK 9,3") == "OK"
    assert brain.place("INFO timeout_turn 0", "TURN 9,3")[1] < 8
    assert brain.ask("START 1000") == "ERROR 1000x1000 is not supported: sides from 5, at most 400 cells, as 20x20"
    assert brain.ask("SING") == "UNKNOWN SING"
    brain.send("END")
    assert brain.leave() == ("", 0)


def test_exactly_five_makes_a_difference(manager):
    """Six in a row win in freestyle and not with exactly five; the same holds for a threatened six."""
    brain = manager()
    board = ["BOARD", *(f"{x},7,1" for x in (2, 3, 4, 6, 7)), *(f"{x},9,2" for x in (1, 4, 7, 10, 13)), "DONE"]
    brain.send("INFO timeout_turn 200")
    assert brain.ask("START 15") == "OK"
    assert brain.place("INFO rule 0", *board) == (5, 7)
    assert brain.ask("RESTART") == "OK"
    assert brain.place("INFO rule 1", *board) != (5, 7)


@pytest.mark.parametrize("end", ["END\n", ""])
def test_a_script_gets_its_answers_and_the_end_ends_it(end):
    script = f"START 15\nINFO timeout_turn 100\nTURN 7,7\n{end}"
    done = subprocess.run(COMMAND, input=script, capture_output=True, text=True, timeout=60, check=True)
    ok, move = done.stdout.splitlines()
    assert (ok, done.stderr) == ("OK", "")
    assert len(move.split(",")) == 2


def test_end_while_thinking_ends_at_once(manager):
    brain = manager()
    assert brain.ask("START 15", "INFO timeout_turn 600000") == "OK"
    brain.think("TURN 7,7")
    brain.send("END")
    assert brain.process.wait(60) == 0
    answer, _ = brain.leave()
    assert len(answer.split(",")) == 2


def test_a_manager_that_is_gone_ends_it(manager):
    brain = manager()
    assert brain.ask("START 15", "INFO timeout_turn 600000") == "OK"
    brain.think("TURN 7,7")
    brain.process.stdin.close()
    brain.process.stdout.close()
    assert brain.process.wait(60) == 0


def test_memory_is_kept(manager):
    """The peak memory of the program, as the system measures it, with a table that would take more."""
    brain = manager("--threads", "1")
    allowed = 60_000_000
    assert brain.ask(f"INFO max_memory {allowed}", "INFO timeout_turn 1500", "START 20") == "OK"
    brain.place("TURN 9,9")
    brain.place("TURN 9,12")
    status = Path(f"/proc/{brain.process.pid}/status").read_text()
    peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024
    assert 10_000_000 < peak < allowed


def brain_spec(*options, **limits):
    shown = "".join(f",{key}={value}" for key, value in limits.items())
    return f"process,cmd={quoted(shlex.join([*COMMAND, *options]))},grace=30{shown}"


def test_the_brain_plays_itself_over_pipes(tmp_path):
    one = brain_spec("--threads", "1", seconds=0.03)
    two = brain_spec("--threads", "1", seconds=0.1, match=3)
    result = arena([one, two], game("gomoku,exact"), 2, workers=2, records=tmp_path, opening_plies=3)
    assert result.failures == []
    assert result.games == 2
    for path in tmp_path.iterdir():
        state = load(path).state
        assert state.position.outcome is not None
        assert state.resigned is None


def test_the_engine_over_pipes_beats_the_rules():
    result = arena([brain_spec("--threads", "1", seconds=0.05), "rules"], game("gomoku,size=20"), 2, workers=2)
    assert result.failures == []
    assert result.total(0).wins == 2


def test_bad_options():
    for options, message in (
        (["--level", "godly"], "'godly' is not a level: easy, medium, hard, perfect"),
        (["--level", "easy", "--threads", "2"], "--threads is for the level perfect, not for easy"),
    ):
        done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stdout == ""


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_every_level_is_a_brain(manager, level):
    brain = manager("--level", level)
    assert brain.ask("START 15", "INFO timeout_turn 300", "INFO max_memory 60000000") == "OK"
    places = {(7, 7), brain.place("TURN 7,7")}
    places |= {(0, 0), brain.place("TURN 0,0")}
    assert len(places) == 4


def test_it_is_there_under_the_name_that_managers_want():
    program = Path(sys.executable).with_name("pbrain-noughts")
    done = subprocess.run([program], input="ABOUT\r\n", capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith('name="noughts"')


def test_starting_is_light():
    """ABOUT loads neither the players nor anything else that is slow."""
    code = "import sys, noughts.cli.gomocup; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "rich", "asyncio", "noughts.players", "noughts.lab", "multiprocessing"} & set(loaded)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [20, 100, 300, 1000])
def test_no_move_is_late(manager, limit):
    """From the last byte sent to the answer, on a machine that may be busy."""
    brain = manager()
    assert brain.ask("START 15", f"INFO timeout_turn {limit}") == "OK"
    rng, moment = random.Random(limit), game("gomoku").start()
    late = []
    for _ in range(25):
        if moment.outcome is not None:
            break
        move = moment.legal_moves.pick(rng)
        moment = moment.play(move)
        row, col = divmod(move, 15)
        began = time.monotonic()
        x, y = brain.place(f"TURN {col},{row}")
        late.append(1000 * (time.monotonic() - began))
        moment = moment.play(15 * y + x)
    assert max(late) < limit


@pytest.mark.slow
def test_who_is_there_is_told_in_half_a_second(manager):
    took = []
    for _ in range(5):
        began = time.monotonic()
        brain = manager()
        brain.ask("ABOUT")
        took.append(time.monotonic() - began)
        brain.send("END")
        brain.leave()
    assert sorted(took)[2] < 0.5
