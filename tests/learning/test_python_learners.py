"""Learners by the Python rules, for games without kernel tables: as good as the kernel's, with the same files."""

import json
import warnings

import numpy as np
import pytest

from noughts.compute.limits import Limits
from noughts.errors import InvalidCheckpoint, SearchError
from noughts.games import game
from noughts.games.hex import Hex
from noughts.lab.config import Config
from noughts.lab.grading import Grade, Probe, grade, reachable
from noughts.lab.training import resume, train
from noughts.learning import Checkpoint, Features, InvalidTraining, Q, QTable, Settings, Td, TupleNetwork, all_learners
from noughts.learning.graph import PositionGraph, class_code
from noughts.learning.inputs import Inputs, blocks_of
from noughts.learning.python_network import PythonNetwork
from noughts.learning.python_q import PythonQ
from noughts.learning.python_td import PythonTd
from noughts.learning.td import TdSettings
from noughts.players import player
from noughts.players.learned import best_of


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere", "hex,size=2", "duel,size=2"])
def test_the_graph_has_the_kernels_classes_and_exact_values(spec):
    chosen = game(spec)
    starts = [chosen.start(mark) for mark in chosen.marks]
    graph = PositionGraph(starts, Limits())
    assert len(graph) == Q(chosen).classes
    for probe in map(Probe.of, reachable(chosen)[::50]):
        values = {
            move: graph.exact[graph.index[class_code(probe.position.play(move))]] for move in probe.position.legal_moves
        }
        best = max(values.values())
        for move, value in values.items():
            assert (value == best) == bool(probe.grade(move).best)


def test_the_graph_keeps_to_its_limits():
    starts = [game("4x4").start()]
    with pytest.raises(SearchError, match="out of memory: more than 699 classes") as caught:
        PositionGraph(starts, Limits(memory=1 << 20))
    assert caught.value.code == "out_of_memory"
    seen = []
    with pytest.raises(SearchError, match="stopped while looking for every position"):
        PositionGraph(starts, Limits(progress=seen.append, stop=lambda: len(seen) > 2))
    assert [progress.stage for progress in seen] == ["exploring"] * 3


@pytest.mark.parametrize("opponent", ["itself", "random", "perfect"])
def test_a_table_learns_best_play(opponent):
    learner = PythonQ(game("3x3"), Limits())
    settings = Settings(6000, opponent=opponent, discount=0.95)
    report = learner.train(6000, settings, Limits())
    assert report["games"] == learner.games == sum(report["wins"]) + report["draws"] == sum(report["lengths"])
    assert report["plies"] == sum(length * count for length, count in enumerate(report["lengths"])) == report["updates"]
    found = Grade(*learner.grade())
    assert found.positions == 1254
    assert found.optimal > {"itself": 0.97, "random": 0.9, "perfect": 0.4}[opponent]
    if opponent == "perfect":
        # Nobody wins against exact play, on whichever seat.
        late = learner.train(200, Settings(1, opponent=opponent, epsilon=settings.epsilon), Limits())
        assert late["games"] == 200


def test_a_table_stops_between_games_and_goes_on_alike():
    whole, parts = (PythonQ(game("3x3"), Limits()) for _ in range(2))
    settings = Settings(300, seed=4)
    whole.train(300, settings, Limits())
    while parts.games < 300:
        report = parts.train(300 - parts.games, settings, Limits(stop=lambda: True))
        assert report["games"] == 1
        assert report["stopped"] == ("cancelled" if parts.games < 300 else None)
    assert parts.arrays() == whole.arrays()
    again = PythonQ(game("3x3"), Limits())
    again.restore(300, *whole.arrays())
    for learner in (again, whole):
        learner.train(50, Settings(350, seed=4), Limits())
        learner.learn(1, [4, 0, 8], 0.5, 0.95)
    assert again.arrays() == whole.arrays()
    with pytest.raises(InvalidCheckpoint, match="a position that the game cannot reach"):
        again.restore(1, b"?" * 16, *(np.zeros(1, dtype=kind).tobytes() for kind in ("<f4", "<u4")))


@pytest.mark.parametrize("spec", ["3x3", "4x4", "hex,size=4", "duel,size=3x4,opening=peaceful"])
def test_the_network_is_the_kernels(spec):
    """The same weights give the same values, for positions read afresh and followed move by move."""
    chosen = game(spec)
    learner = Td(chosen)
    learner.train(200, Settings(200))
    checkpoint = learner.checkpoint()
    network = PythonNetwork(chosen, learner.features, checkpoint.arrays["weights"])
    kernels = TupleNetwork.of(checkpoint)
    position = chosen.start()
    seats = (0, 1)
    seen = [network.see(position, seat) for seat in seats]
    for move in [0, *(4, 8, 1, 3)[: chosen.grid.cells // 4]]:
        for depth in (1, 2):
            assert network.rate(position, depth) == pytest.approx(dict(kernels.rate(position, depth)), abs=1e-4)
        if move not in position.legal_moves:
            break
        position = position.play(move)
        if position.outcome is not None:
            break
        seen = [network.see(position, seat, seen[seat]) for seat in seats]
        for seat in seats:
            fresh = network.see(position, seat)
            assert (seen[seat].digits == fresh.digits).all()
            assert (seen[seat].places == fresh.places).all()


class UncompiledHex(Hex):
    """Hex as a game without kernel tables, found under the same name."""

    kernel = None


def test_a_python_network_sees_the_second_seat_in_the_mirror():
    learner = Td(UncompiledHex(size=3))
    learner.train(60, TdSettings(60))
    position = UncompiledHex(size=3).start().play("a2").play("c1").play("b2")
    # The same board with rows and columns, and the two players, exchanged.
    turned = UncompiledHex(size=3).start("O").play("b1").play("a3").play("b2")
    rated, image = learner.rate(position), learner.rate(turned)
    mirror = UncompiledHex(size=3).mirror
    assert {mirror(move): value for move, value in rated.items()} == pytest.approx(dict(image))
    assert len(set(rated.values())) > 1


def test_a_network_learns():
    learner = PythonTd(game("3x3"), Features.of(game("3x3")))
    judged = [Probe.of(position) for position in reachable(game("3x3"))[::40]]

    def optimal():
        return grade(lambda position: best_of(learner.network.rate(position), None).move, judged).optimal

    before = optimal()
    report = learner.train(700, TdSettings(700), 0.8, Limits())
    assert report["games"] == learner.games == 700
    assert report["error"] < 0.5
    assert optimal() > max(before + 0.05, 0.9)


def test_a_network_goes_on_alike():
    whole, parts = (PythonTd(game("4x4"), Features.of(game("4x4"))) for _ in range(2))
    settings = TdSettings(20, opponent="random")
    whole.train(20, settings, 0.8, Limits())
    parts.train(20, settings, 0.8, Limits(stop=lambda: True))
    assert parts.games == 1
    again = PythonTd(game("4x4"), Features.of(game("4x4")))
    again.restore(1, *parts.arrays())
    again.train(19, settings, 0.8, Limits())
    assert again.arrays() == whole.arrays()
    assert again.learn(0, [0, 4, 1, 5, 2, 6, 3], settings, 0.8, opening=1, seat=1) > 0
    with pytest.raises(InvalidCheckpoint, match="has 3 weights, not "):
        again.restore(1, bytes(12), bytes(12), bytes(12))


BIG = "21x20,k=5"
"""A game that is too large for the kernel."""


def test_a_game_without_tables_is_trained_evaluated_resumed_and_played(tmp_path):
    config = Config.make("td", BIG, games=1, evaluations=1, matches=0, probes=0, threads=1)
    done = train(config, tmp_path / "run")
    assert done.finished
    assert resume(tmp_path / "run", games=2).games == 2
    agent = player(f"td,path={tmp_path / 'run'}")
    start = game(BIG).start()
    assert agent.choose(start).move in start.legal_moves
    line = done.run.metrics()[-1]
    assert set(line["rules"]) == {"wins", "draws", "losses"}


def test_classes_of_games_without_tables_have_codes_of_their_own():
    position = game(BIG).start()
    codes = {class_code(position.play(move)) for move in ("a1", "t1", "a21", "t21")}
    assert len(codes) == 1
    table = QTable(BIG, 1, np.array(list(codes), dtype="S16"), np.array([0.5], dtype=np.float32))
    rated = table.rate(position)
    assert sorted(position.game.move_name(move) for move, value in rated.items() if value) == ["a1", "a21", "t1", "t21"]


def test_learners_are_found_by_themselves_and_installed_ones_too(tmp_path, monkeypatch, noughts, capsys):
    assert list(all_learners()) == ["q", "td"]
    (tmp_path / "slow.py").write_text(
        "from dataclasses import dataclass\n"
        "from noughts.learning import Q, Settings\n"
        "from noughts.spec import Number, option\n"
        "@dataclass(frozen=True)\n"
        "class SlowSettings(Settings):\n"
        "    patience: float = option(Number(0, 9), 'how patient it is', default=2.5)\n"
        "class Slow(Q):\n"
        "    kind = 'slow'\n"
        "    summary = 'a patient table'\n"
        "    settings = SlowSettings\n"
        "    default_games = 40\n"
    )
    info = tmp_path / "slow-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[noughts.learners]\nslow = slow:Slow\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    all_learners.cache_clear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert list(all_learners()) == ["q", "td", "slow"]
        with pytest.raises(SystemExit):
            noughts("train", "--help")
        assert "slow: how patient it is" in capsys.readouterr().out
        few = ("--matches", "0", "--workers", "1", "--evaluations", "1", "--out", "run")
        assert noughts("train", "slow", "--patience", "3", *few)[0] == 0
        manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
        assert (manifest["kind"], manifest["config"]["patience"], manifest["config"]["games"]) == ("slow", 3.0, 40)
        assert Config.from_json(manifest["config"]).options["patience"] == 3.0
        with pytest.raises(InvalidTraining, match="q has no option 'patience'; there are: epsilon, rate, discount"):
            Config.make("q", "3x3", patience=3.0)
    finally:
        all_learners.cache_clear()


def test_inputs_of_a_plain_board_are_its_cells():
    chosen = game("3x3")
    assert blocks_of(chosen) == ()
    assert Inputs(chosen).count == 9
    position = chosen.position("X2/1O1/3 X")
    assert Inputs(chosen).read(position, 1).tolist() == [2, 0, 0, 0, 1, 0, 0, 0, 0]
    after = position.play("c3")
    assert Inputs(chosen).changes(after, 1, Inputs(chosen).read(position, 1)) == [(8, 2)]


def test_a_checkpoint_of_a_network_without_tables_is_a_checkpoint(tmp_path):
    learner = Td(game(BIG))
    learner.checkpoint().save(tmp_path / "net.safetensors")
    again = Checkpoint.load(tmp_path / "net.safetensors", kind="td", game=BIG)
    Td(game(BIG)).restore(again)


def test_a_small_game_without_tables_is_learned(tmp_path):
    config = Config.make("q", "notakto", games=3000, evaluations=2, matches=4, threads=1)
    done = train(config, tmp_path / "run")
    line = done.run.metrics()[-1]
    assert line["graded"]["optimal"] > 0.95
    assert line["perfect"] is not None
    agent = player(f"q,path={tmp_path / 'run'}")
    assert game("notakto").move_name(agent.choose(game("notakto").start()).move) == "b2"


def test_nested_boards_are_seen_with_their_owners_and_where_to_play():
    chosen = game("ultimate")
    inputs = Inputs(chosen)
    assert (len(inputs.blocks), inputs.count) == (9, 81 + 18)
    position = chosen.position("X8/X8/9/9/9/9/9/9/9 X a1").play("a3").play("a7")
    digits = inputs.read(position, 1)
    assert digits[81:90].tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0]
    assert digits[90:].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1]
    before = chosen.position("X8/X8/9/9/9/9/9/9/9 X a1")
    after = before.play("a3")
    changed = inputs.read(before, 0)
    for place, digit in inputs.changes(after, 0, changed):
        changed[place] = digit
    assert (changed == inputs.read(after, 0)).all()


def test_features_of_nested_boards_respect_their_symmetries():
    chosen = game("ultimate")
    features = Features.of(chosen)
    assert {place for cells in features.tuples for place in cells} == set(range(features.cells))
    learner = Td(chosen)
    learner.train(2, learner.settings(2))
    position = chosen.start().play("e5").play("d4").play("b2")
    values = sorted(learner.rate(position).values())
    for image in position.symmetric():
        assert sorted(learner.rate(image).values()) == pytest.approx(values, abs=1e-4)
    report = learner.train(5, learner.settings(5))
    assert report["games"] == 5
