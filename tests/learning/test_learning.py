"""Learners, their checkpoints, and the players made from them."""

import errno
import json
import os
import random
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from immutables import Map

from noughts.compute.limits import Limits
from noughts.compute.solver import solve
from noughts.errors import InvalidCheckpoint, InvalidPlayer, PlayerError, SearchError
from noughts.games import game
from noughts.games.hex import Hex
from noughts.lab.config import Config
from noughts.lab.grading import Grade, Probe, consistency, grade, grade_player, probes, reachable
from noughts.learning import Checkpoint, Features, Q, QTable, Schedule, Settings, Td, TupleNetwork, newest
from noughts.learning.class_count import count_classes
from noughts.note import note
from noughts.players import player
from noughts.players.learned import best_of


@lru_cache
def truth(spec):
    """Every position that can come up when the first mark begins, with its best moves."""
    chosen = game(spec)
    return {position: solve(position).best for position in reachable(chosen, chosen.marks[0])}


@lru_cache
def classes(spec):
    """One position of every class up to symmetry, whoever begins, with the exact value of each move."""
    chosen = game(spec)
    found = {position.canonical_key(): position for mark in chosen.marks for position in reachable(chosen, mark)}
    return [Probe.of(position) for position in found.values()]


def trained(spec="3x3", games=100_000, seed=0, **options):
    learner = Q(game(spec))
    learner.train(games, Settings(games, seed=seed, **options))
    return learner


@pytest.mark.parametrize("spec", ["3x3", "3x3,misere"])
def test_a_table_plays_every_reachable_position_optimally(spec):
    assert len(truth(spec)) == 5478 - 958
    for seed in (0, 1, 2):
        learner = trained(spec, seed=seed)
        wrong = [
            position for position, best in truth(spec).items() if best_of(learner.rate(position), "").move not in best
        ]
        assert wrong == []
        assert learner.grade() == (1254, 1254, 1254, 0.0)


@pytest.mark.parametrize(("spec", "games"), [("hex,size=3", 100_000), ("duel,size=3", 20_000)])
def test_other_small_games_are_learned_too(spec, games):
    learner = trained(spec, games, discount=1.0 if spec.startswith("duel") else 0.95)
    positions, best, sound, _ = learner.grade()
    assert sound == positions
    assert best > 0.999 * positions
    for probe in probes(game(spec), 40):
        assert probe.grade(best_of(learner.rate(probe.position), "").move).sound


def test_the_kernels_grade_is_the_solvers():
    """Compared class by class on a half-trained table."""
    learner = trained(games=300)
    judges = classes("3x3")
    assert len(judges) == 1254
    # The kernel judges one position of each class; moves of equal value can be told apart by their order on the
    # board, so the two may differ where the table has not seen the moves.
    judged = grade(lambda position: best_of(learner.rate(position), "").move, judges)
    found = Grade(*learner.grade())
    assert abs(judged.best - found.best) < 40
    assert abs(judged.lost - found.lost) < 30
    assert found.best < 1100
    full = trained()
    assert grade(lambda position: best_of(full.rate(position), "").move, judges) == Grade(*full.grade())


def test_symmetric_positions_are_worth_the_same():
    learner = trained(games=500)
    position = game("3x3").start().play("a1").play("b2")
    values = sorted(learner.rate(position).values())
    for image in position.symmetric():
        assert sorted(learner.rate(image).values()) == values


def test_schedules_and_grades_add_up():
    assert [Schedule(1.0, 0.0).at(done, 4) for done in (0, 1, 4, 9)] == [1.0, 0.75, 0.0, 0.0]
    assert Schedule(1, 0.25).at(0, 0) == 0.25
    assert str(Schedule(1.0, 0.1)) == "1:0.1"
    total = Grade(2, 1, 1, 0.5) + Grade(2, 2, 2, 0.0)
    assert (total.optimal, total.mean_lost, Grade().optimal, Grade().mean_lost) == (0.75, 0.125, 0.0, 0.0)
    assert total.to_json() == {"positions": 4, "optimal": 0.75, "sound": 0.75, "value_lost": 0.125}
    assert consistency([[1, 2]]) == 1.0
    assert consistency([[1], [2], [1]]) == pytest.approx(1 / 3)


def test_a_probe_judges_moves():
    # X can win at once in c1; anything else loses a point or half of one.
    probe = Probe.of(game("3x3").position("XX1/OO1/3 X"))
    assert probe.grade(2) == Grade(1, 1, 1, 0.0)
    assert probe.grade(5).sound == 0
    assert probe.grade(8).lost == 1.0
    # A slower win is sound, but not the best.
    slow = Probe.of(game("3x3").position("X1X/1O1/O1X X"))
    assert slow.grade(1) == Grade(1, 1, 1, 0.0)
    assert Probe.of(game("15x15,k=5").start(), 10) is None
    perfect, rules = player("perfect"), player("rules")
    assert grade_player(perfect, classes("3x3")[:200]).optimal == 1.0
    assert 0 < grade_player(rules, classes("3x3")[:200]).optimal < 1


def test_probes_repeat_and_can_be_chosen_from():
    found = probes(game("4x4"), 10, seed=3)
    assert [probe.position for probe in found] == [probe.position for probe in probes(game("4x4"), 10, seed=3)]
    assert all(len(probe.values) > 1 for probe in found)
    late = probes(game("duel,size=5"), 5)
    assert late
    assert all(set(probe.values) == set(probe.position.legal_moves) for probe in late)


def test_a_game_without_a_table_says_what_to_do():
    with pytest.raises(SearchError, match=r"5x5,k=4 has too many positions for a table .*; learn it with td"):
        Q(game("5x5,k=4"), Limits(memory=50 << 20))
    with pytest.raises(SearchError, match="learning is for two players; 5x5,k=4,players=3 has 3 players"):
        Td(game("5x5,k=4,players=3"))
    with pytest.raises(SearchError, match="features are for two players"):
        Features.of(game("5x5,k=4,players=3"))
    with pytest.raises(SearchError, match=r"30x30,k=5 has too many positions for a table .*; learn it with td"):
        Q(game("30x30,k=5"), Limits(memory=1 << 20))


@pytest.mark.parametrize(
    ("spec", "classes"), [("3x3", 1530), ("4x3,k=3", 56_550), ("hex,size=3", 5562), ("4x4", 2_435_954)]
)
def test_positions_are_counted_without_looking_at_each(spec, classes):
    found = count_classes(game(spec), 10**9)
    assert found.complete
    assert abs(found.classes / classes - 1) < 0.1
    assert found.edges > found.classes
    assert 5 < found.plies < 16


def test_counting_stops_at_too_many():
    found = count_classes(game("5x5"), 1_000_000)
    assert not found.complete
    assert found.classes > 1_000_000
    assert count_classes(game("notakto"), 1000).classes < 1000


@pytest.mark.parametrize("spec", ["5x5", "gomoku", "connect4"])
def test_a_table_that_cannot_be_is_refused_before_exploring(spec, monkeypatch):
    def explore(*_, **__):
        raise AssertionError("explored")

    monkeypatch.setattr("noughts.learning.q.QLearner", explore)
    wanted = (
        rf"too many positions for a table \(more than .* up to symmetry, which would take .* train td --game {spec}"
    )
    for refused in (lambda: Q(game(spec)), lambda: Q.estimate(game(spec), Settings(1))):
        with pytest.raises(SearchError, match=wanted if spec == "5x5" else "too many positions for a table"):
            refused()


def test_a_table_of_many_positions_has_defaults_that_reach_them_all():
    config = Config.make("q", "4x3,k=3", threads=1)
    assert config.games >= 3 * 55_000
    assert config.options["epsilon"] == config.options["rate"] == Schedule(1.0, 1.0)
    learner = Q(config.rules())
    learner.train(config.games, config.settings())
    assert Grade(*learner.grade()).optimal > 0.99
    assert 7_000_000 < Config.make("q", "4x4").games < 8_000_000
    assert (Config.make("q", "3x3").games, str(Config.make("q", "3x3").options["epsilon"])) == (200_000, "1:0.2")


def test_what_a_training_takes_is_estimated():
    table = Q.estimate(game("4x4"), Settings(7_300_000))
    assert 2_200_000 < table.positions < 2_700_000
    assert 200e6 < table.memory < 600e6
    assert table.seconds > Q.estimate(game("3x3"), Settings(1000)).seconds > 0
    assert Q.estimate(game("notakto"), Settings(1000)).seconds is None
    network = Td.estimate(game("4x4"), Settings(1000, threads=2))
    assert network.positions is None
    assert network.seconds > 0
    weights = Td(game("4x4")).checkpoint().arrays["weights"].nbytes
    assert network.memory == 9 * weights


@pytest.mark.parametrize(
    ("best", "positions", "low", "high"),
    # Wilson (1927), worked out by hand for 95%: 0 of 10, 5 of 10, 9 of 10, 40 of 40, 193 of 200.
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (9, 10, 0.5958, 0.9821),
        (40, 40, 0.9124, 1.0),
        (193, 200, 0.9295, 0.9829),
    ],
)
def test_a_share_of_a_sample_has_an_interval(best, positions, low, high):
    assert Grade(positions, best, best).interval == pytest.approx((low, high), abs=1e-4)
    assert Grade().interval == (0.0, 1.0)


@pytest.mark.parametrize("spec", ["3x3", "4x4", "5x5,k=4", "duel,size=4", "hex,size=4", "3x3x3", "4x3,k=3"])
def test_features_cover_the_board_and_respect_its_symmetries(spec):
    chosen = game(spec)
    features = Features.of(chosen)
    assert {cell for cells in features.tuples for cell in cells} == set(range(chosen.grid.cells))
    assert all(2 < len(cells) <= 9 for cells in features.tuples)
    table = dict(zip(features.tuples, features.tables, strict=True))
    for symmetry in chosen.symmetries:
        for cells, number in table.items():
            assert table[tuple(symmetry(cell) for cell in cells)] == number


def test_a_network_values_symmetric_positions_alike():
    learner = Td(game("4x4"))
    learner.train(300, Settings(300))
    position = game("4x4").start().play("a1").play("b3").play("c2")
    values = sorted(learner.rate(position).values())
    assert any(values)
    for image in position.symmetric():
        assert sorted(learner.rate(image).values()) == pytest.approx(values, abs=1e-5)


def test_a_network_learns():
    """It starts by looking one ply ahead, and learns to play nearly always the best move on 3x3."""
    learner, judged = Td(game("3x3")), classes("3x3")

    def optimal():
        return grade(lambda position: best_of(learner.rate(position), "").move, judged).optimal

    before = optimal()
    learner.train(2000, Settings(2000, epsilon=Schedule(0.3, 0.1), rate=Schedule(1.0, 0.5), discount=0.95))
    assert before < 0.85
    assert optimal() > 0.97


def test_capturing_games_are_read_right():
    """A network gets the same inputs from the moves and from the final board."""
    learner = Td(game("duel,size=4,opening=peaceful"))
    learner.train(100, Settings(100))
    position, rng, captured = game("duel,size=4,opening=peaceful").start(), random.Random(1), 0
    while position.outcome is None:
        fresh = TupleNetwork.of(learner.checkpoint())
        assert fresh.rate(position) == learner.rate(position)
        position = position.play(position.legal_moves.pick(rng))
        captured += position.captured
    assert captured > 3


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "checkpoints" / "000000000500.safetensors"
    trained(games=500).checkpoint().save(path)
    return path


def test_a_checkpoint_is_what_was_learned(table):
    learner = trained(games=500)
    known = QTable.load(table)
    assert known.games == 500
    for probe in classes("3x3")[::97]:
        assert known.rate(probe.position) == pytest.approx(dict(learner.rate(probe.position)))
    again = Q(game("3x3"))
    again.restore(Checkpoint.load(table))
    for stretched in (learner, again):
        stretched.train(500, Settings(1000))
    assert np.array_equal(again.checkpoint().arrays["values"], learner.checkpoint().arrays["values"])
    assert QTable.of(Q(game("3x3")).checkpoint()).rate(game("3x3").start()) == dict.fromkeys(range(9), 0.0)


def test_a_network_goes_on_from_its_checkpoint(tmp_path):
    path, whole = tmp_path / "net.safetensors", Td(game("4x4"))
    whole.train(100, Settings(200))
    whole.checkpoint().save(path)
    part = Td(game("4x4"))
    part.restore(Checkpoint.load(path, kind="td", game="4x4"))
    for learner in (whole, part):
        learner.train(100, Settings(200))
    assert np.array_equal(part.checkpoint().arrays["weights"], whole.checkpoint().arrays["weights"])
    # A run goes on with the features it began with, whatever they are today.
    other = Td(game("4x4"), features=Features(16, ((0, 1, 2), (13, 14, 15)), (0, 1)))
    other.restore(Checkpoint.load(path))
    assert other.features == whole.features
    other.train(100, Settings(200))
    assert np.array_equal(other.checkpoint().arrays["weights"], whole.checkpoint().arrays["weights"])


def mirrored_position(position):
    chosen = position.game
    cells = {chosen.mirror(cell): chosen.after(mark) for cell, mark in position.cells.items()}
    return chosen.at(Map(cells), chosen.after(position.turn), position.extra)


@pytest.mark.parametrize("spec", ["hex,size=4", "hex,size=4,swap"])
def test_both_players_of_hex_know_the_same(spec):
    chosen = game(spec)
    learner = Td(chosen)
    learner.train(500, Settings(500))
    for moves in ("", "a1", "b2 c2", "b2 c2 d1", "c1 a3 b2 b3"):
        position = chosen.start()
        for move in moves.split():
            position = position.play(move)
        values = {chosen.mirror(m) if m >= 0 else m: value for m, value in learner.rate(position).items()}
        assert values == pytest.approx(dict(learner.rate(mirrored_position(position))), abs=1e-5)


def test_a_network_learns_hex_with_its_usual_settings():
    """The second player joins left and right: what it learns about that is the first player's from top to bottom."""
    config = Config.make("td", "hex,size=4", threads=1)
    learner, judged = Td(config.rules()), probes(config.rules(), 400, seed=7)
    learner.train(config.games, config.settings())
    for mark in config.rules().marks:
        own = [probe for probe in judged if probe.position.turn == mark]
        found = grade(lambda position: best_of(learner.rate(position), "").move, own)
        assert found.positions > 150
        assert found.sound >= 0.98 * found.positions
        assert found.optimal >= 0.93
    assert grade(lambda position: best_of(learner.rate(position), "").move, judged).optimal >= 0.95


def test_networks_from_before_the_mirror_play_as_they_did(tmp_path):
    """Release 0.1.0 showed both seats of Hex the same board, and its checkpoints have no mirror."""
    chosen, path = game("hex,size=3"), tmp_path / "old.safetensors"
    old = Td(chosen, features=replace(Features.of(chosen), mirror=()))
    old.train(300, Settings(300))
    old.checkpoint().save(path)
    assert "mirror" not in Checkpoint.load(path).arrays
    learner = Td(chosen)
    assert learner.features.mirror
    learner.restore(Checkpoint.load(path))
    position = chosen.start().play("b2")
    played = player(f"td,path={path}").values(position)
    assert dict(played) == pytest.approx(dict(old.rate(position)), abs=1e-6)
    assert dict(learner.rate(position)) == dict(old.rate(position))
    assert "mirror" in Td(chosen).checkpoint().arrays


def test_a_game_whose_players_are_not_alike_has_no_network():
    class Uneven(Hex):
        mirror = None

    with pytest.raises(SearchError, match="a network has the same weights for both players; in hex,size=3 they are"):
        Td(Uneven(size=3))


def _damage(path, change):
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(bytes(data))


def _header(data, change):
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    data[: 8 + length] = len(text).to_bytes(8, "little") + text


@pytest.mark.parametrize(
    ("change", "message", "code"),
    [
        (lambda data: data.__setitem__(-5, data[-5] ^ 1), "damaged: its checksum does not fit", "invalid_checkpoint"),
        (lambda data: data.__delitem__(slice(-100, None)), "is no checkpoint, or is damaged", "invalid_checkpoint"),
        (lambda data: data.__delitem__(slice(20, None)), "is no checkpoint, or is damaged", "invalid_checkpoint"),
        (lambda data: data.clear(), "is no checkpoint", "invalid_checkpoint"),
        (lambda data: data.__setitem__(slice(8, 12), b"oops"), "is no checkpoint, or is damaged", "invalid_checkpoint"),
        (
            lambda data: _header(data, lambda header: header["__metadata__"].update(version="9")),
            "has version 9; this noughts reads versions up to 2",
            "other_version",
        ),
        (
            lambda data: _header(data, lambda header: header.pop("__metadata__")),
            "is no checkpoint of noughts",
            "invalid_checkpoint",
        ),
        (
            lambda data: _header(data, lambda header: header["values"].update(shape=[7, 7])),
            "is no checkpoint, or is damaged",
            "invalid_checkpoint",
        ),
        (
            lambda data: _header(data, lambda header: header.update(value=header.pop("values"))),
            "its checksum does not fit",
            "invalid_checkpoint",
        ),
        (
            lambda data: _header(data, lambda header: header["__metadata__"].pop("crc32")),
            "its checksum does not fit",
            "invalid_checkpoint",
        ),
    ],
)
def test_a_damaged_checkpoint_says_so(table, change, message, code):
    _damage(table, change)
    with pytest.raises(InvalidCheckpoint, match=message) as caught:
        QTable.load(table)
    assert caught.value.code == code


def test_a_checkpoint_without_its_arrays_says_so(table):
    found = Checkpoint.load(table)
    replace(found, arrays={"codes": found.arrays["codes"]}).save(table)
    with pytest.raises(InvalidCheckpoint, match="is damaged: it holds no values"):
        QTable.load(table)
    with pytest.raises(InvalidCheckpoint, match="is damaged: it holds no values, visits"):
        Q(game("3x3")).restore(Checkpoint.load(table))


def test_checkpoints_of_other_learners_are_refused(table):
    Td(game("3x3")).checkpoint().save(table)
    with pytest.raises(InvalidCheckpoint, match="was learned by td, not by q") as caught:
        QTable.load(table)
    assert caught.value.code == "other_learner"


def test_checkpoints_of_other_games_are_refused(table):
    with pytest.raises(InvalidCheckpoint, match="was learned on 3x3, not on 4x4"):
        Checkpoint.load(table, game="4x4")
    found = Checkpoint.load(table)
    with pytest.raises(InvalidCheckpoint, match="of 3x3 is not one of 3x3,misere"):
        Q(game("3x3,misere")).restore(found)
    with pytest.raises(InvalidCheckpoint, match="of q is not one of td"):
        Td(game("3x3")).restore(found)


def test_the_layout_is_the_one_of_safetensors(table):
    """Eight bytes, JSON, arrays: read here without the library."""
    data = table.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert set(header) == {"__metadata__", "codes", "values", "visits"}
    assert all(isinstance(value, str) for value in header["__metadata__"].values())
    begin, end = header["values"]["data_offsets"]
    values = np.frombuffer(data[8 + length :][begin:end], "<f4")
    assert len(values) == header["values"]["shape"][0] == header["codes"]["shape"][0]
    assert header["visits"]["dtype"] == "U32"
    assert np.abs(values).max() <= 1


def test_a_full_disk_leaves_the_last_good_checkpoint(table, monkeypatch):
    before = table.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        trained(games=1000).checkpoint().save(table)
    assert table.read_bytes() == before
    assert [path.name for path in table.parent.iterdir()] == [table.name]


def test_a_trained_agent_is_a_player(table, tmp_path):
    agent = player(f"q,path={table}")
    assert agent.spec == f"q,path={table}"
    start = game("3x3").start()
    choice = agent.choose(start)
    assert choice.move in start.legal_moves
    assert choice.note == note("learned", games=500)
    # A run's folder stands for its newest checkpoint.
    assert newest(tmp_path) == table
    assert player(f"q,path={tmp_path}").choose(start).move == choice.move
    random = player(f"q,path={table},epsilon=1,seed=1")
    assert len({random.choose(start).move for _ in range(50)}) > 4
    sampled = player(f"q,path={table},temperature=1,seed=1")
    assert len({sampled.choose(start).move for _ in range(50)}) > 4


def test_a_trained_agent_says_what_it_cannot_do(table, tmp_path):
    with pytest.raises(InvalidPlayer, match="the q player needs what it learned: q,path=RUN"):
        player("q")
    with pytest.raises(PlayerError, match="learned 3x3; it cannot play 4x4") as caught:
        player(f"q,path={table}").choose(game("4x4").start())
    assert caught.value.code == "other_game"
    with pytest.raises(InvalidPlayer, match="cannot play 3x3,misere"):
        player(f"q,path={table}").check_game(game("3x3,misere"))
    with pytest.raises(InvalidCheckpoint, match="was learned by q, not by td"):
        player(f"td,path={table}").choose(game("3x3").start())
    with pytest.raises(InvalidCheckpoint, match="holds no checkpoint"):
        player(f"q,path={tmp_path / 'checkpoints' / '..' / '..'}").choose(game("3x3").start())
    with pytest.raises(FileNotFoundError):
        player("q,path=missing.safetensors").choose(game("3x3").start())


def test_a_network_player_looks_ahead(tmp_path):
    path, learner = tmp_path / "net.safetensors", Td(game("3x3"))
    learner.train(200, Settings(200))
    learner.checkpoint().save(path)
    # O can win in c2; only a block there saves X, which two plies of search cannot miss.
    threat = game("3x3").position("X1X/OO1/3 O").play("c3")
    for depth in (1, 3):
        agent = player(f"td,path={path},depth={depth}")
        assert threat.game.move_name(agent.choose(threat).move) == "b1"
    block = game("3x3").position("X2/OO1/2X X")
    assert block.game.move_name(player(f"td,path={path},depth=2").choose(block).move) == "c2"
