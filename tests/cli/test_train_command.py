"""The command ``noughts train``: one run and several, the progress bar, Ctrl-C and bad input."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time

import pexpect
import pytest

from noughts.lab import tensorboard
from noughts.lab.runs import Run, all_runs
from noughts.lab.tensorboard import MissingExtra
from noughts.lab.training import resume


def test_train_play_arena_replay_and_report(noughts, tmp_path):
    few = ["--games", "2000", "--evaluations", "3", "--matches", "4", "--workers", "1"]
    code, out, _ = noughts("train", "q", "--game", "3x3", *few)
    assert code == 0
    begun, few_games, done, more, _ = out.splitlines()
    assert re.fullmatch(
        r"q learns 3x3: 2,000 games, about 1,\d00 positions up to symmetry, about 1 MB, about \d+ s.*", begun
    )
    assert few_games == "that is few games for so many positions; 200,000 are usual"
    assert re.match(
        r"runs/q-3x3-s0: trained on 2,000 games; 9.*% optimal \(all 1,254 positions up to symmetry\), r", done
    )
    assert more == "200,000 games are usual for 3x3; go on with: noughts train --resume runs/q-3x3-s0 --games 200000"
    assert "noughts play 3x3 --o q,path=runs/q-3x3-s0" in out
    assert "\nruns/q-3x3-s0-2: " in noughts("train", "q", *few)[1]
    code, out, _ = noughts("runs")
    assert (code, len(out.splitlines())) == (0, 3)
    assert out.splitlines()[1].endswith("  all 1,254 positions up to symmetry")
    assert "finished" in out
    listed = json.loads(noughts("runs", "--json")[1])
    assert [row["games"] for row in listed] == [2000, 2000]
    agent = "q,path=runs/q-3x3-s0"
    code, out, _ = noughts("arena", agent, "random", "--game", "3x3", "--games", "6", "--workers", "1", "--json")
    assert json.loads(out)["players"][0]["wins"] > 2
    [record, *_] = sorted((tmp_path / "runs" / "q-3x3-s0" / "games").iterdir(), reverse=True)
    out = noughts("replay", str(record), "--all", "--plain", "--values", agent)[1]
    assert "   a     b     c" in out
    assert "+0.00*" in out
    refusal = noughts("replay", str(record), "--values", "minimax")[2]
    assert refusal.startswith("noughts: minimax does not say what moves are worth; these do: engine, mcts, perfect, ")
    assert "it cannot play 3x3" in noughts(*_other_game(noughts, record))[2]
    assert noughts("runs", "elsewhere")[1].startswith("no runs in elsewhere")


def test_a_network_says_how_sure_its_grade_is(noughts):
    few = ["--games", "100", "--evaluations", "1", "--matches", "0", "--workers", "1"]
    _, out, _ = noughts("train", "td", "--game", "4x4", *few)
    begun, done, *_ = out.splitlines()
    assert re.fullmatch(r"td learns 4x4: 100 games, about \d+ MB, about \d+ \w+", begun)
    sampled = r"\(\d+(\.\d)?% to \d+(\.\d)?%; 200 positions of random games\)"
    assert re.fullmatch(rf"runs/td-4x4-s0: trained on 100 games; .*% optimal {sampled}.*", done)
    [row] = json.loads(noughts("runs", "--json")[1])
    assert row["positions"] == 200
    assert row["interval"][0] < row["optimal"] < row["interval"][1]
    assert re.search(r"200 positions of random games, \d\d(\.\d)?% to ", noughts("runs")[1])


def test_a_game_that_no_table_holds_is_refused_at_once(noughts, tmp_path):
    code, out, err = noughts("train", "q", "--game", "5x5")
    assert (code, out) == (2, "")
    assert err.startswith("noughts: 5x5 has too many positions for a table (more than ")
    assert err.endswith("learn it with td: noughts train td --game 5x5\n")
    assert not (tmp_path / "runs").exists()


def _other_game(noughts, record):
    noughts(
        "train", "q", "--game", "3x3,misere", "--games", "100", "--matches", "0", "--workers", "1", "--out", "misere"
    )
    return "replay", str(record), "--all", "--values", "q,path=misere"


def test_several_seeds_at_a_time(noughts):
    code, out, _ = noughts(
        "train",
        "q",
        "--seeds",
        "2",
        "--seed",
        "3",
        "--games",
        "500",
        "--matches",
        "2",
        "--workers",
        "2",
        "--out",
        "run",
    )
    assert code == 0
    assert out.startswith("q learns 3x3: 500 games in each of 2 runs, about ")
    assert [line.partition(":")[0] for line in out.splitlines()[2:4]] == ["run-s3", "run-s4"]


def interrupted(folder, shown, told, *options):
    """Train without end in a terminal; press Ctrl-C when one text appears, then wait for another."""
    command = [sys.executable, "-m", "noughts", "train", "td", "--game", "4x4", "--games", "100000000"]
    terminal = pexpect.spawn(
        shlex.join([*command, *options, "--out", str(folder)]), encoding="utf-8", timeout=60, dimensions=(24, 160)
    )
    terminal.expect(shown)
    terminal.sendintr()
    terminal.expect(told)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


def test_ctrl_c_stops_several_runs_with_a_checkpoint_each(tmp_path):
    shown = r"0 of 3 runs.*[1-9][0-9,]*/300,000,000.*games/s.*left.*run-s[01]: "
    told = "go on with: noughts train --resume"
    interrupted(tmp_path / "run", shown, told, "--matches", "0", "--workers", "2", "--seeds", "3")
    runs = [Run.open(tmp_path / f"run-s{seed}") for seed in (0, 1)]
    for run in runs:
        assert run.manifest["status"] == "interrupted"
        assert not (run.folder / "progress").exists()
    # On a busy machine one of them may be evaluated before the other has played at all.
    assert max(run.latest().games for run in runs) > 0
    assert not (tmp_path / "run-s2").exists()


def test_a_bar_shows_games_a_second_the_time_left_and_the_grade(tmp_path):
    shown = r"training.*[1-9][0-9,]*/100,000,000.*[0-9] games/s.*left.*[0-9.]+% opt"
    interrupted(tmp_path / "run", shown, "stopped after", "--matches", "2", "--workers", "1")
    assert Run.open(tmp_path / "run").manifest["status"] == "interrupted"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train"], "say which learner: q or td"),
        (["train", "q", "--game", "chess"], "unknown game 'chess'"),
        (["train", "q", "--against", "nobody"], "unknown player 'nobody'"),
        (["train", "q", "--on", "moon"], "there is no 'moon' to work on; there is: local"),
        (["train", "q", "--game", "5x5,k=4,players=3"], "learning is for two players"),
        (["train", "q", "--epsilon", "3"], "'epsilon=3:3': epsilon takes a number from 0 to 1, or two, e.g. 1:0.1"),
        (["train", "--resume", "missing"], "missing holds no run"),
        (["train", "td", "--resume", "missing"], "leave out: learner"),
        (["train", "--resume", "x", "--seed", "0", "--blind"], "leave out: seed, blind"),
        (["train", "--resume", "x", "--seeds", "2", "--workers", "1"], "leave out: seeds, workers"),
        (["arena", "random", "rules", "--sprt", "--elo", "-50"], "a test needs more than 0 Elo to tell apart, not -50"),
        (["arena", "random", "rules", "--sprt", "--elo", "nan"], "a test needs more than 0 Elo to tell apart, not nan"),
        (["report", "missing"], "missing holds no run"),
        (["report", "x", "--on", "moon"], "there is no 'moon'"),
        (["arena", "random", "rules", "--on", "moon"], "there is no 'moon'"),
        (["arena", "q", "random", "--game", "3x3"], "the q player needs what it learned"),
        (["play", "3x3", "--o", "q,path=missing"], "missing: No such file"),
    ],
)
def test_bad_input_is_one_clear_line(noughts, arguments, message):
    code, _, err = noughts(*arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_run_is_not_overwritten(noughts, tmp_path):
    few = ["train", "q", "--games", "40", "--matches", "0", "--workers", "1", "--out", "run"]
    assert noughts(*few)[0] == 0
    code, _, err = noughts(*few)
    assert code == 2
    assert "run holds a run already; go on with --resume run" in err
    assert len(all_runs(tmp_path)[0]) == 1


def test_ctrl_c_stops_with_a_checkpoint(tmp_path):
    """Interrupts a real process; a resumed run finishes the work."""
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "noughts", "train", "td", "--game", "4x4", "--matches", "0", "--workers", "1"]
    process = subprocess.Popen(
        [*command, "--games", "100000000", "--out", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (folder / "metrics.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped after" in out
    assert f"noughts train --resume {folder}" in out
    run = Run.open(folder)
    assert run.manifest["status"] == "interrupted"
    assert run.latest().games > 0
    assert resume(folder, games=run.latest().games + 50).finished


def test_event_files_for_tensorboard(noughts, tmp_path, monkeypatch):
    few = ["train", "q", "--games", "100", "--evaluations", "2", "--matches", "2", "--workers", "1"]
    assert noughts(*few, "--tensorboard", "--out", "run")[0] == 0
    assert noughts("train", "--resume", "run", "--games", "120", "--tensorboard")[0] == 0
    [events] = (tmp_path / "run" / "tensorboard").iterdir()
    data = events.read_bytes()
    for tag in (b"graded/optimal", b"rules/wins", b"training/error", b"timing/decision_seconds"):
        assert tag in data
    monkeypatch.setattr(tensorboard.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="tensorboardX is not installed; pip install 'noughts\\[lab\\]' brings it"):
        tensorboard.check_tensorboard()
