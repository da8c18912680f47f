"""One value for limits: it narrows, it is shared out, and it reports."""

import time

import pytest

import noughts
import noughts.players
from noughts.analysis import Proven, evaluation_from_json, evaluation_to_json
from noughts.compute import value
from noughts.compute.limits import STAGES, Limits, Progress
from noughts.games import game
from noughts.players import all_players, player


def test_the_old_names_lead_to_the_one_type():
    assert noughts.Limits is noughts.players.Limits is Limits
    assert Proven is value.Proven
    worth = Proven("win", 5, 3, 9)
    assert evaluation_from_json(evaluation_to_json(worth)) == worth


def test_the_tighter_limit_counts():
    limits = Limits(seconds=5, depth=3)
    assert limits.within(seconds=2, nodes=100, depth=9) == Limits(seconds=2, nodes=100, depth=3)
    assert limits.within(threads=1, memory=10) == Limits(seconds=5, depth=3, threads=1, memory=10)
    assert limits.within() == limits


def test_time_is_shared_out():
    assert Limits(seconds=4).share(0.25).seconds == 1
    assert Limits(nodes=4).share(0.25) == Limits(nodes=4)
    assert Limits(nodes=4).since(0.0) == Limits(nodes=4)
    began = time.perf_counter()
    assert 0 < Limits(seconds=60).since(began).seconds <= 60
    assert Limits(seconds=1).since(began - 10).seconds == 0
    assert Limits(seconds=1).since(began - 10, least=0.5).seconds == 0.5


def test_reports_reach_whoever_asked_for_them():
    reports = []
    Limits(progress=reports.append).report("solve", 3, 100, 0.5)
    assert reports == [Progress("solve", 3, 100, 0.5)]
    Limits().report("solve", 3, 100, 0.5)


@pytest.mark.parametrize("name", ["minimax", "mcts", "engine", "perfect"])
def test_every_searching_player_reports_in_the_same_way(name):
    assert name in all_players()
    reports = []
    player(name).choose(game("9x9,k=5").start().play("e5"), Limits(seconds=1.5, progress=reports.append))
    assert reports
    assert all(isinstance(news, Progress) and news.stage in STAGES for news in reports)
