"""The command in a real terminal and in a real pipe."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest

COMMAND = [sys.executable, "-m", "noughts"]


def hear_interrupts():
    """Restore the default for Ctrl-C, which a parent such as nohup may have set to ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def terminal():
    """A program in a terminal of 100 columns."""
    started = []

    def start(*arguments, **environment):
        env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            env={**env, "TERM": "xterm-256color", **environment},
            encoding="utf-8",
            timeout=30,
            dimensions=(40, 100),
            preexec_fn=hear_interrupts,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_a_terminal_gets_colour_and_a_prompt(terminal):
    child = terminal("play", "3x3")
    child.expect("X to move:")
    assert "\x1b[" in child.before
    child.sendline("b2")
    child.expect("O plays a3")
    child.expect("X to move:")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.parametrize("how", [{"NO_COLOR": "1"}, {"flag": "--plain"}])
def test_plain_means_no_escape_codes(terminal, how):
    arguments = ["play", "3x3", *([how.pop("flag")] if "flag" in how else [])]
    child = terminal(*arguments, **how)
    child.expect("X to move:")
    assert "\x1b[3" not in child.before
    assert "\x1b[1m" not in child.before
    child.sendline("b2")
    child.expect("thinking…")
    child.expect("O plays")
    child.sendeof()
    child.expect(pexpect.EOF)


def test_ctrl_c_leaves_at_once(terminal):
    child = terminal("play", "4x4")
    child.expect("X to move:")
    child.sendintr()
    child.expect("interrupted")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


def test_ctrl_c_stops_a_count(terminal):
    child = terminal("count", "5x5,k=4")
    child.expect("Ctrl-C stops")
    child.sendintr()
    child.expect("interrupted")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130


def test_ctrl_c_ends_a_solve_with_what_it_knows(terminal):
    child = terminal("solve", "9x9,k=5")
    child.expect("Ctrl-C stops")
    child.sendintr()
    child.expect("not known, stopped by Ctrl-C; between loss and win")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


def test_ctrl_c_ends_an_arena_and_the_programs_in_it(terminal, tmp_path):
    file, brains = tmp_path / "told", Path(__file__).parents[1] / "players" / "brains.py"
    brain = f"process,cmd={sys.executable} -I {brains} hangs {file},seconds=600"
    child = terminal("arena", brain, "random", "--game", "gomoku", "--games", "6", "--workers", "2")
    child.expect("games")
    for _ in range(600):
        # Both workers have asked for a second move, and wait for it.
        if file.exists() and file.read_text().count("TURN") == 2:
            break
        time.sleep(0.05)
    child.sendintr()
    child.expect("interrupted")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before
    for number in filter(str.isdigit, file.read_text().splitlines()):
        with pytest.raises(ProcessLookupError):
            os.kill(int(number), 0)


def test_ctrl_c_ends_an_analysis_with_what_it_knows(terminal):
    child = terminal("analyse", "gomoku", "h8", "--seconds", "600")
    child.expect("Ctrl-C stops")
    child.sendintr()
    child.expect("estimate|unknown")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


def test_ctrl_c_ends_a_review_with_what_it_knows(terminal):
    child = terminal("analyse", "gomoku", "h8", "i9", "h9", "--review", "--seconds", "600")
    child.expect("0/3")
    child.sendintr()
    child.expect("stopped by Ctrl-C: earlier moves are not known")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.parametrize(
    "work",
    [
        "noughts.perft(noughts.game('6x6'), 30)",
        "noughts.solve(noughts.position('9x9,k=5'))",
        "noughts.solve(noughts.position('hex'))",
        "noughts.solve(noughts.position('peaceful'))",
        "noughts.playouts(noughts.position('gomoku'), 10**12, limits=Limits(threads=2))",
        "noughts.mcts(noughts.position('gomoku'), 10**9)",
        "noughts.count(noughts.game('6x6,k=4'))",
        "Batch(noughts.position('gomoku'), 100).step_random(10**12)",
        "noughts.analyse(noughts.position('hex'), Limits(seconds=600))",
    ],
)
def test_ctrl_c_reaches_every_search(work):
    code = f"""
import signal, threading, time, os, noughts
from noughts.compute.batch import Batch
from noughts.players import Limits
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    {work}
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "stopped\n"


def test_a_pipe_gets_plain_text():
    done = subprocess.run(
        [*COMMAND, "play", "3x3", "--o", "human"],
        input="a1\nb1\na2\nb2\na3\nn\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "\x1b" not in done.stdout
    assert "X wins with a1 a2 a3." in done.stdout
    assert done.stderr == ""


def test_a_closed_pipe_is_no_error():
    with subprocess.Popen([*COMMAND, "games", "lines"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


def test_importing_is_light():
    """No web framework, no learning library, and none of the slow parts of the standard library."""
    code = "import sys, noughts; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fastapi", "uvicorn", "jax", "numpy", "ray", "rich", "asyncio", "argparse", "email"} & set(loaded)
