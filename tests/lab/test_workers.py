"""Workers: results in order, and no processes left behind."""

import os
import shlex
import signal
import subprocess
import sys
import time

import pexpect
import pytest

from noughts.lab.workers import Local, UnknownPlace, workers
from tests.lab.endless import linger_or_not
from tests.server.servers import is_alive, wait_for

COMMAND = [sys.executable, "-m", "tests.lab.endless"]


def pids(folder):
    return [int(path.name.partition("-")[2]) for path in folder.iterdir()]


def all_over(folder):
    """Whether every worker that started was interrupted and has ended."""
    return not any(map(is_alive, pids(folder))) and all(path.name.startswith("over") for path in folder.iterdir())


def test_results_come_in_order():
    for count in (1, 2):
        assert list(workers("local", count).map(str, range(10))) == [str(n) for n in range(10)]
    assert Local().count == os.cpu_count()


def test_a_place_that_there_is_not():
    with pytest.raises(UnknownPlace, match="there is no 'moon' to work on; there is: local"):
        workers("moon")


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.3])
def test_ctrl_c_ends_every_piece_whatever_the_workers_are_doing(tmp_path, seconds):
    terminal = pexpect.spawn(shlex.join([*COMMAND, str(tmp_path)]), encoding="utf-8", timeout=20)
    # The first worker has started; the second may still be loading.
    wait_for(lambda: pids(tmp_path))
    time.sleep(seconds)
    terminal.sendintr()
    terminal.expect("KeyboardInterrupt")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert len(pids(tmp_path)) in (1, 2)
    assert all_over(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_process_that_gave_the_work(tmp_path, number):
    giver = subprocess.Popen([*COMMAND, str(tmp_path)], stderr=subprocess.DEVNULL)
    wait_for(lambda: len(pids(tmp_path)) == 2)
    giver.send_signal(number)
    assert giver.wait(20) == -number
    wait_for(lambda: all_over(tmp_path))
    assert len(pids(tmp_path)) == 2


def test_work_that_nobody_wants_any_more_is_interrupted(tmp_path):
    results = Local(2).map(linger_or_not, ["", *[str(tmp_path)] * 5])
    assert next(results) not in (os.getpid(), None)
    wait_for(lambda: pids(tmp_path))
    results.close()
    assert pids(tmp_path)
    assert all_over(tmp_path)
