"""Reports: one self-contained page with pictures."""

import json
import re
import shutil
import sys

import numpy as np
import pytest

from noughts.cli import main
from noughts.lab import report
from noughts.lab.config import Config
from noughts.lab.curves import PANELS, draw_curves, groups
from noughts.lab.runs import Run
from noughts.lab.training import train


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    few = {"games": 300, "evaluations": 4, "matches": 4, "probes": 8, "threads": 1}
    for name, seed, extra in (("a", 0, {}), ("b", 1, {}), ("c", 0, {"discount": 0.5}), ("d", 0, {"blind": True})):
        train(Config.make("q", "3x3", seed=seed, **few, **extra), folder / name)
    train(Config.make("td", "hex,size=3", **few), folder / "hex")
    return folder


@pytest.fixture
def quickly(monkeypatch):
    """Skip the drawing, which has tests of its own."""
    monkeypatch.setattr(report, "picture", lambda figure, kind: b"drawn")
    monkeypatch.setattr(report, "draw_curves", lambda groups, columns: None)


def games_of(page):
    return json.loads(re.search(r"^const games = (.*);$", page, re.MULTILINE)[1])


def test_a_page_holds_everything(runs, capsys):
    assert main(["report", str(runs / "a"), "--workers", "1"]) == 0
    assert f"wrote {runs / 'a' / 'report.html'}" in capsys.readouterr().out
    page = (runs / "a" / "report.html").read_text()
    assert (runs / "a" / "report.png").read_bytes().startswith(b"\x89PNG")
    # The page loads nothing: every address in it is embedded data.
    assert re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?(?!data:)[^\s\"')]+", page) == []
    assert "://" not in page
    assert "default-src 'none'" in page
    # The curves, and beside them the same ones below each other, for a narrow screen.
    assert page.count("data:image/png;base64,") == 2
    for word in ("against exact play", "300", "seed", "finished", "points lost"):
        assert word in page
    told = games_of(page)
    assert 2 <= len(told) <= 6
    assert told[0]["title"] == "a, 32 games in"
    first = told[0]["steps"]
    assert first[0]["cells"] == [""] * 9
    assert len(first[0]["values"]) == 9
    assert "played" in first[1]["note"]
    judged = re.compile(r"played [abc][123], (a best move|sound|a mistake) \((draw|win in \d|loss in \d)\); ")
    assert all(judged.search(step["note"]) for step in first[1:])
    assert told[0]["result"] in ("X wins", "O wins", "draw")
    assert "all 1,254 positions up to symmetry" in page
    assert '<td data-label="95% interval">exact</td>' in page
    assert told[0]["cols"] == 3


def test_runs_that_differ_in_the_seed_are_one_line_with_a_band(runs):
    found = groups([Run.open(runs / name) for name in ("a", "b", "c", "hex")])
    figure = draw_curves(found)
    optimal = figure.axes[0]
    assert optimal.get_title() == "share of optimal moves"
    assert len(optimal.lines) == 3
    assert len(optimal.collections) == 1
    assert not any("refused" in axes.get_title() for axes in figure.axes)
    blind = draw_curves(groups([Run.open(runs / "d")]))
    assert any("refused" in axes.get_title() for axes in blind.axes)
    assert [len(group.runs) for group in found] == [2, 1, 1]
    assert found[0].label.endswith("2 seeds")
    assert "discount 0.5" in found[1].label
    games, values = found[0].curve(PANELS[0][1])
    assert list(games) == [32, 67, 142, 300]
    assert values.shape == (2, 4)
    assert np.isfinite(values).all()
    _, exact = found[2].curve(PANELS[3][1])
    assert exact.shape[0] == 1


@pytest.mark.usefixtures("quickly")
def test_several_runs_compare_on_one_page(runs):
    page = runs / "compare.html"
    assert main(["report", *(str(runs / name) for name in "abcd"), "--out", str(page), "--workers", "2"]) == 0
    text = page.read_text()
    assert "4 runs" in text
    for name in "abcd":
        assert f'<td data-label="run">{name}</td>' in text
    assert page.with_suffix(".png").exists()
    assert main(["report", str(runs / "hex"), "--workers", "1"]) == 0
    told = games_of((runs / "hex" / "report.html").read_text())
    # A board that is not square is drawn as text.
    assert told[0]["cols"] == 0
    assert "a b c" in told[0]["steps"][0]["text"]
    assert main(["report", str(runs / "a"), str(runs / "b"), "--workers", "1"]) == 0
    assert (runs / "report.html").exists()


@pytest.mark.usefixtures("quickly")
def test_names_cannot_break_out_of_the_page(runs, tmp_path):
    shutil.copytree(runs / "a", tmp_path / "<b>&")
    record = sorted((tmp_path / "<b>&" / "games").iterdir())[0]
    record.write_text(record.read_text().replace("q after 32 games", "</script><script>alert(1)"))
    assert main(["report", str(tmp_path / "<b>&"), "--workers", "1"]) == 0
    page = (tmp_path / "<b>&" / "report.html").read_text()
    assert page.count("</script>") == 1
    assert "<b>&" not in page


@pytest.mark.usefixtures("quickly")
def test_a_damaged_game_is_left_out(runs, tmp_path):
    shutil.copytree(runs / "a", tmp_path / "run")
    record = sorted((tmp_path / "run" / "games").iterdir())[0]
    record.write_text("nonsense")
    for folder in (runs / "a", tmp_path / "run"):
        assert main(["report", str(folder), "--workers", "1"]) == 0
    whole = games_of((runs / "a" / "report.html").read_text())
    left = games_of((tmp_path / "run" / "report.html").read_text())
    assert len(left) == len(whole) - 1


def test_without_matplotlib_the_command_says_what_to_install(runs, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["report", str(runs / "a"), "--workers", "1"]) == 2
    assert "matplotlib is not installed; pip install 'noughts[lab]' brings it" in capsys.readouterr().err
