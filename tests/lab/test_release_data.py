"""Runs and checkpoints of earlier releases are listed, reported, trained on, and play."""

import json
import shutil

import pytest

import noughts as package
from noughts.match import load
from noughts.players import player
from tests.fixtures import RELEASES, read_lines

pytestmark = pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)


@pytest.fixture
def runs(release, tmp_path):
    return shutil.copytree(release / "runs", tmp_path / "runs")


def test_runs_are_listed(noughts, runs):
    code, out, _ = noughts("runs", str(runs))
    assert code == 0
    assert [line.split()[:3] for line in out.splitlines()[1:]] == [["q", "3x3", "20,000"], ["td", "3x3", "300"]]
    code, out, _ = noughts("runs", str(runs), "--json")
    assert [run["status"] for run in json.loads(out)] == ["finished", "finished"]


@pytest.mark.parametrize("learner", ["q", "td"])
def test_a_run_is_reported(noughts, runs, learner):
    code, _, err = noughts("report", str(runs / learner), "--workers", "1")
    assert (code, err) == (0, "")
    page = (runs / learner / "report.html").read_text(encoding="utf-8")
    assert "against exact play" in page
    assert "finished" in page


@pytest.mark.parametrize("learner", ["q", "td"])
def test_a_run_goes_on(noughts, runs, learner):
    before = read_lines(runs / learner / "metrics.jsonl")
    more = before[-1]["games"] + 200
    code, _, _ = noughts("train", "--resume", str(runs / learner), "--games", str(more))
    assert code == 0
    after = read_lines(runs / learner / "metrics.jsonl")
    assert after[: len(before)] == before
    assert after[-1]["games"] == more


@pytest.mark.parametrize("learner", ["q", "td"])
def test_checkpoints_play(runs, learner):
    for path in (runs / learner, max((runs / learner / "checkpoints").iterdir())):
        agent = player(f"{learner},path={path}")
        winning = agent.choose(package.position("3x3", "XX1/OO1/3 X"))
        assert winning.move == package.game("3x3").parse_move("c1")
        assert agent.choose(package.position("3x3")).move in package.position("3x3").legal_moves


def test_recorded_games_of_a_run_replay(runs):
    records = sorted(runs.glob("*/games/*.jsonl"))
    assert len(records) > 10
    for path in records:
        assert load(path).state.is_over, path
