"""Runs: training, evaluation, interruption, resuming, and everything that can go wrong."""

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from noughts import players
from noughts.cli import main
from noughts.errors import IllegalMove, InvalidCheckpoint, InvalidPlayer, NoughtsError
from noughts.games import game
from noughts.lab import training
from noughts.lab.arena import arena
from noughts.lab.config import Config, InvalidTraining
from noughts.lab.episode import play_episode
from noughts.lab.evaluation import Evaluator, Solver
from noughts.lab.lock import LOCK_FILE, RunInUse, is_locked, run_lock
from noughts.lab.runs import Run
from noughts.lab.sparring import Sparring
from noughts.lab.training import resume, train
from noughts.learning import Q, Schedule, Td
from noughts.match import load
from noughts.players import Choice, Player, all_players, player
from noughts.players.rules import RulesPlayer

SMALL = {"games": 3000, "evaluations": 5, "matches": 4, "probes": 10, "threads": 1}


def small(learner="q", spec="3x3", **given):
    return Config.make(learner, spec, **{**SMALL, **given})


def without_timing(run):
    return [{name: value for name, value in line.items() if name != "timing"} for line in run.metrics()]


def test_a_run_leaves_everything_behind(tmp_path):
    told = []
    done = train(small(), tmp_path / "run", watch=told.append)
    assert done.finished
    assert done.games == 3000
    assert "% optimal (all 1,254 positions up to symmetry), rules " in done.grade
    run = Run.open(tmp_path / "run")
    assert run.manifest["status"] == "finished"
    assert run.manifest["seed"] == 0
    assert set(run.manifest["versions"]) == {"noughts", "python", "numpy"}
    assert run.manifest["machine"]["cores"] >= 1
    assert Config.from_json(run.manifest["config"]) == small()
    lines = run.metrics()
    assert [line["games"] for line in lines] == small().points() == [32, 100, 310, 964, 3000]
    last = lines[-1]
    assert last["graded"]["positions"] == 1254
    assert last["graded"]["chosen"] == "all"
    assert last["graded"]["interval"] == [last["graded"]["optimal"]] * 2
    assert last["graded"]["optimal"] > lines[0]["graded"]["optimal"] + 0.2
    assert last["graded"]["value_lost"] < lines[0]["graded"]["value_lost"]
    assert sum(last["rules"].values()) == sum(last["perfect"].values()) == 4
    assert last["perfect"]["wins"] == 0
    assert last["training"]["games"] == 3000 - 964
    assert last["training"]["invalid_attempts"] == 0
    assert 0 <= last["consistency"] <= 1
    assert last["timing"]["decision_seconds"] > 0
    assert last["timing"]["games_per_second"] > 0
    games = [json.loads(line) for line in (run.folder / "games.jsonl").read_text().splitlines()]
    assert len(games) == 5 * 8
    wanted = {"games", "id", "history", "winner", "winning_move", "duration", "first_player", "length"}
    assert set(games[0]) == wanted
    assert {line["first_player"] for line in games} == {"X", "O"}
    record = load([path for path in run.records() if "-rules-" in path.name][-1])
    assert record.state.is_over
    assert "q after 3,000 games" in record.state.players.values()
    assert len(run.checkpoints) == 3
    assert {news.stage for news in told} == {"training", "evaluating", "evaluated"}
    assert told[-1].grade == done.grade


@pytest.mark.parametrize(("learner", "spec", "games"), [("q", "3x3", 3000), ("td", "4x4", 200)])
def test_the_same_seed_gives_the_same_metrics(tmp_path, learner, spec, games):
    one = train(small(learner, spec, games=games), tmp_path / "one").run
    two = train(small(learner, spec, games=games), tmp_path / "two").run
    three = train(small(learner, spec, games=games, seed=1), tmp_path / "three").run
    assert without_timing(one) == without_timing(two) != without_timing(three)


@pytest.mark.parametrize("learner", ["q", "td"])
def test_how_often_the_clock_looks_in_changes_no_metric(tmp_path, monkeypatch, learner):
    config = small(learner, games=4000, matches=0)
    whole = train(config, tmp_path / "whole").run
    monkeypatch.setattr(training, "PROGRESS_INTERVAL", 0)
    pieces = []
    cut = train(config, tmp_path / "cut", watch=pieces.append).run
    assert sum(news.stage == "training" for news in pieces) > 2 * len(config.points())
    assert without_timing(cut) == without_timing(whole)


@pytest.mark.parametrize(("learner", "against"), [("q", "itself"), ("q", "perfect"), ("td", "rules")])
def test_training_games_can_be_stepped_through(noughts, tmp_path, learner, against):
    run = train(small(learner, games=100, evaluations=2, against=against), tmp_path / "run").run
    kept = [path for path in run.records() if "-training-" in path.name]
    assert [path.name for path in kept] == [
        f"{games:012}-training-{number}.jsonl" for games in (32, 100) for number in (1, 2)
    ]
    states = [load(path).state for path in kept]
    assert [state.id for state in states] == [f"training-{number:012}" for number in (31, 32, 99, 100)]
    assert all(state.is_over for state in states)
    assert all(
        set(state.players.values()) == {learner, learner if against == "itself" else against} for state in states
    )
    code, out, _ = noughts("replay", str(kept[-1]), "--all", "--plain", "--values", f"{learner},path={run.folder}")
    assert code == 0
    assert out.count("*") > 2


@pytest.mark.parametrize(
    ("learner", "against", "patience"),
    [("q", "itself", 3), ("td", "itself", 13), ("q", "rules", 200), ("td", "rules", 90), ("q", "blind", 90)],
)
def test_an_interrupted_run_goes_on_as_if_nothing_had_been(tmp_path, learner, against, patience):
    """The stop function is asked before every game of an evaluation, and against a player after every training game."""
    blind = against == "blind"
    config = small(learner, games=300, against="itself" if blind else against, blind=blind)
    whole = train(config, tmp_path / "whole").run
    asked = Counter()

    def stop():
        asked["times"] += 1
        return asked["times"] > patience

    done = train(config, tmp_path / "parts", stop=stop)
    assert not done.finished
    assert 0 < done.games < 300
    assert done.run.manifest["status"] == "interrupted"
    assert Run.open(tmp_path / "parts").latest().games == done.games
    again = resume(tmp_path / "parts")
    assert again.finished
    assert without_timing(again.run) == without_timing(whole)
    assert again.run.manifest["status"] == "finished"
    assert all(line["timing"]["games_per_second"] > 0 for line in again.run.metrics())


def test_a_finished_run_can_be_trained_further(tmp_path):
    train(small(games=300), tmp_path / "run")
    done = resume(tmp_path / "run", games=1000)
    assert done.games == 1000
    assert [line["games"] for line in done.run.metrics()][-1] == 1000
    assert done.run.manifest["config"]["games"] == 1000
    assert resume(tmp_path / "run").games == 1000


def test_evaluations_after_the_checkpoint_are_made_again(tmp_path):
    run = train(small(games=1000), tmp_path / "run").run
    whole = without_timing(run)
    # The newest checkpoint is damaged: the one before it takes over, and what came after is learned again.
    run.checkpoints[-1].write_bytes(b"damaged")
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write('{"games": 5000, "cut sh')
    warned = r"1000.safetensors is no checkpoint, or is damaged: .*; the checkpoint before it is used: 0+\d+\.safet"
    with pytest.warns(UserWarning, match=warned):
        assert Run.open(run.folder).latest().games < 1000
    with pytest.warns(UserWarning, match=warned):
        assert player(f"q,path={run.folder}").knowledge.games < 1000
    with pytest.warns(UserWarning, match=warned):
        again = resume(run.folder)
    assert without_timing(again.run) == whole
    for path in run.checkpoints:
        path.write_bytes(b"damaged")
    with pytest.raises(InvalidCheckpoint, match="no checkpoint, or is damaged"):
        resume(run.folder)


def test_one_process_at_a_time_trains_a_run(tmp_path):
    """The second one is told who has it; a process that is killed leaves no lock behind."""
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "noughts", "train", "q", "--game", "3x3", "--matches", "0", "--workers", "1"]
    with subprocess.Popen([*command, "--games", "1000000000", "--out", str(folder)]) as holder:
        try:
            while not Run.open(folder).metrics() if (folder / "manifest.json").exists() else True:
                assert holder.poll() is None
                time.sleep(0.05)
            assert Run.open(folder).status == "running"
            with pytest.raises(RunInUse, match=rf"run is being trained by process {holder.pid} on .*; wait until it"):
                resume(folder, games=10**9)
            with pytest.raises(RunInUse):
                train(small(games=300), folder)
        finally:
            holder.kill()
    assert Run.open(folder).manifest["status"] == "running"
    assert Run.open(folder).status == "interrupted"
    games = Run.open(folder).latest().games
    lines = resume(folder, games=games + 10).run.metrics()
    assert len({line["games"] for line in lines}) == len(lines)


def test_a_lock_that_says_nothing_is_a_lock(tmp_path):
    with run_lock(tmp_path):
        (tmp_path / LOCK_FILE).write_text("?")
        assert is_locked(tmp_path)
        with pytest.raises(RunInUse, match="is being trained by another process"), run_lock(tmp_path):
            pass
    assert not is_locked(tmp_path)
    assert not is_locked(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda run: (run / "manifest.json").write_text("{"), "is damaged: it is not the manifest of a run"),
        (lambda run: (run / "manifest.json").write_bytes(b"\xff\xfe"), "is damaged: it is not the manifest of a run"),
        (lambda run: (run / "metrics.jsonl").write_text('{"games": 32}\n'), "is damaged: line of 32 games"),
        (lambda run: (run / "metrics.jsonl").write_bytes(b"\xff\xfe"), "metrics.jsonl is damaged"),
        (lambda run: [path.write_bytes(b"?") for path in run.glob("*/*.safetensors")], "no checkpoint, or is damaged"),
    ],
)
def test_a_damaged_run_is_listed_as_damaged(noughts, tmp_path, damage, why):
    for name in ("broken", "good"):
        train(small(games=40, evaluations=2), tmp_path / "runs" / name)
    damage(tmp_path / "runs" / "broken")
    code, out, _ = noughts("runs")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["run", "good", "broken", "broken:"]
    assert out.splitlines()[2].split()[3] == "damaged"
    assert why in out.splitlines()[3]
    good, broken = json.loads(noughts("runs", "--json")[1])
    assert (good["status"], broken["status"]) == ("finished", "damaged")
    assert why in broken["damage"]


def test_a_run_without_a_checkpoint_begins_again(tmp_path):
    run = train(small(games=300), tmp_path / "run").run
    whole = without_timing(run)
    shutil.rmtree(run.folder / "checkpoints")
    assert without_timing(resume(run.folder).run) == whole


def test_a_full_disk_is_an_error_and_the_last_checkpoint_stays(tmp_path, monkeypatch, capsys):
    run = train(small(games=300), tmp_path / "run").run
    before = {path.name: path.read_bytes() for path in run.checkpoints}
    really = os.fsync

    def full(descriptor):
        if ".safetensors" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.ENOSPC, "No space left on device", "run/checkpoints")
        really(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    assert main(["train", "--resume", str(run.folder), "--games", "1000"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert Run.open(run.folder).manifest["status"] != "finished"
    assert {path.name: path.read_bytes() for path in run.checkpoints} == before
    assert not list((run.folder / "checkpoints").glob(".*"))


@pytest.mark.parametrize("learner", ["q", "td"])
def test_any_player_can_sit_opposite(tmp_path, learner):
    for against in ("rules", "random", "minimax,depth=1"):
        config = small(learner, games=60, against=against, evaluations=2)
        done = train(config, tmp_path / against.replace(",", "-"))
        assert done.games == 60
        last = done.run.metrics()[-1]["training"]
        assert last["length"] > 4
        assert sum(last["wins"]) + last["draws"] == last["games"]
    again = train(small(learner, games=60, against="rules", evaluations=2), tmp_path / "again").run
    assert without_timing(again) == without_timing(Run.open(tmp_path / "rules"))


def test_learning_from_rules_beats_rules():
    """A network that trains against the rules player learns to beat it."""
    config = small("td", "3x3", games=800, against="rules")
    learner = Td(config.rules())
    first = Evaluator(replace(config, matches=20)).measure(learner, []).metrics["rules"]
    Sparring(config, learner).train(800, config.settings(), lambda: False)
    last = Evaluator(replace(config, matches=20)).measure(learner, []).metrics["rules"]
    assert last["losses"] <= 1 < first["losses"]
    assert last["wins"] > first["wins"]


def test_a_blind_learner_finds_out_what_is_legal():
    config = small(games=1000, blind=True)
    learner = Q(config.rules())
    sparring = Sparring(config, learner)
    counts = [sparring.train(200, config.settings(), lambda: False)["invalid"] for _ in range(5)]
    assert counts[0] > 1000
    assert counts[-1] < counts[0] / 2
    assert sparring.memory[game("3x3").start().text] == {-1, -2}
    known = game("3x3").start().play("a1")
    assert 0 in sparring.memory[known.text]
    later = Sparring(config, learner)
    later.restore(sparring.arrays())
    assert later.memory == sparring.memory


def test_a_player_that_fails_in_training_leaves_a_checkpoint(tmp_path, monkeypatch):
    config = small(games=300, against="rules")
    monkeypatch.setattr(RulesPlayer, "best", lambda *_: Choice(99))
    with pytest.raises(NoughtsError):
        train(config, tmp_path / "run")
    assert Run.open(tmp_path / "run").manifest["status"] == "interrupted"
    monkeypatch.undo()
    assert resume(tmp_path / "run").finished


def test_an_opponent_that_cannot_play_the_game_is_refused_before_a_run_begins(noughts, tmp_path):
    train(small(games=40, matches=0), tmp_path / "other")
    code, _, err = noughts("train", "td", "--game", "4x4", "--against", "q,path=other", "--out", "run")
    assert (code, "it cannot play 4x4" in err) == (2, True)
    assert not (tmp_path / "run").exists()


@dataclass(frozen=True, kw_only=True)
class Stubborn(Player):
    """Tries cells in order until one is legal."""

    name = "stubborn"
    what = "the stubborn player"
    summary = "tries"
    tries = 4
    heard: ClassVar[list[IllegalMove]] = []

    def decide(self, position, limits):
        return Choice(len(self.heard))

    def refused(self, error: IllegalMove) -> None:
        self.heard.append(error)


def test_illegal_attempts_get_their_reason_and_are_counted():
    Stubborn.heard.clear()
    seats = {"X": player("rules"), "O": Stubborn()}
    episode = play_episode(game("3x3"), seats, opening=(0, 4, 8), name="tries")
    assert [(error.code, error.move) for error in Stubborn.heard[:2]] == [("occupied", 0), ("occupied", 1)]
    assert episode.attempts["O"]["occupied"] == len(Stubborn.heard) == episode.invalid
    assert "already taken by X" in str(Stubborn.heard[0])
    assert not episode.attempts["X"]
    # A player that has used up its attempts loses.
    Stubborn.heard.clear()
    seats = {"X": Stubborn(), "O": player("rules")}
    lost = play_episode(game("3x3"), seats, opening=(0, 1, 2, 3, 5, 4))
    assert lost.store.state.winner == "O"
    assert "already taken" in lost.failures["X"]
    assert lost.attempts["X"]["occupied"] == 4
    assert len(lost.moves) == 6


@dataclass(frozen=True, kw_only=True)
class Trying(Player):
    """Chooses any cell, legal or not."""

    name = "trying"
    what = "the trying player"
    summary = "tries"
    tries = 10_000
    rng = random.Random(1)

    def decide(self, position, limits):
        return Choice(self.rng.randrange(9))


def test_the_arena_counts_attempts_too(monkeypatch):
    monkeypatch.setattr(players, "all_players", lambda: {**all_players(), "trying": Trying})
    result = arena(["trying", "random"], game("3x3"), 4, workers=1)
    assert result.attempts[0] > 4
    assert 1 not in result.attempts
    assert not result.failures
    assert [entry["invalid_attempts"] for entry in result.to_json()["players"]] == [result.attempts[0], 0]


def test_an_exact_opponent_is_exact_or_none_at_all():
    assert Evaluator(small("td", "4x4")).solvable
    assert not Evaluator(small("td", "duel,size=6", probes=0)).solvable
    hard = game("duel,size=6,opening=peaceful").start()
    with pytest.raises(Exception, match="too hard to solve in passing"):
        Solver(rng=random.Random(0)).choose(hard)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"learner": "sarsa"}, "there is no learner 'sarsa'; there are: q, td"),
        ({"games": 0}, "games go from 1 to 1,000,000,000,000, not 0"),
        ({"threads": 0}, "threads go from 1 to 256"),
        ({"matches": -1}, "matches go from 0"),
        ({"discount": 1.5}, "'discount=1.5': discount takes a number from 0 to 1"),
        ({"epsilon": Schedule(2, 0)}, "'epsilon=2:0': epsilon takes a number from 0 to 1"),
        ({"seed": -1}, "a seed is a whole number from 0"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(given, message):
    with pytest.raises(InvalidTraining, match=message):
        small(**given)
    with pytest.raises(InvalidPlayer, match="unknown player 'nobody'"):
        small(against="nobody")


def _manifest(folder, change):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda manifest: manifest.update(version=7), "manifest.json has version 7; this noughts reads 1"),
        (lambda manifest: manifest.update(format="?"), "is not the manifest of a run"),
        (lambda manifest: manifest.pop("version"), "is damaged: it is not the manifest of a run"),
        (lambda manifest: manifest["config"].update(nonsense=1), "the manifest's config cannot be used"),
        (lambda manifest: manifest["config"].update(rate="fast"), "the manifest's config cannot be used"),
        (lambda manifest: manifest["config"].update(rate=0.5), "the manifest's config cannot be used"),
        (lambda manifest: manifest["config"].update(games="x"), "the manifest's config has 'x' as games"),
        (lambda manifest: manifest["config"].pop("learner"), "the manifest's config cannot be used"),
        (lambda manifest: manifest.pop("config"), "is damaged: it does not say its config"),
        (lambda manifest: manifest.pop("created"), "is damaged: it does not say its created"),
        (lambda manifest: manifest.update(kind="random"), "there is no learner 'random'"),
        (lambda manifest: manifest["config"].update(game="chess"), "unknown game 'chess'"),
        (lambda manifest: manifest.update(game="4x4"), "was learned on 3x3, not on 4x4"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(tmp_path, capsys, change, message):
    run = train(small(games=40, evaluations=2), tmp_path / "run").run
    _manifest(run.folder, change)
    assert main(["train", "--resume", str(run.folder)]) == 2
    assert message in capsys.readouterr().err
