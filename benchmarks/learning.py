"""Learning: tabular Q-learning compared with OpenSpiel's, and how well networks play after training."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable

import noughts
from benchmarks.table import Table, human, rate
from noughts.lab import words
from noughts.lab.config import Config
from noughts.lab.evaluation import Evaluator
from noughts.lab.grading import grade, probes
from noughts.lab.sparring import Sparring
from noughts.learning import Q, Settings, Td
from noughts.note import note
from noughts.players.learned import best_of


def run() -> list[Table]:
    return [_tabular(), _seconds_to_perfect(), _large_table(), _hex(), _networks()]


def _tabular() -> Table:
    table = Table(
        "Tabular Q-learning by self-play, 3x3, one thread",
        ("learner", "games /s", "noughts is faster by", "target"),
    )
    ours = rate(_our_games())
    table.add("noughts", human(ours), "", "")
    theirs = _open_spiel_games()
    if theirs is None:
        table.add("OpenSpiel tabular_qlearner", "not installed", "", "300 times")
    else:
        found = rate(theirs)
        table.add("OpenSpiel tabular_qlearner", human(found), f"{ours / found:,.0f} times", "300 times")
    return table


def _our_games() -> Callable[[], int]:
    learner, games = Q(noughts.game("3x3")), 200_000

    def play() -> int:
        before = learner.games
        learner.train(games, Settings(10**9))
        return learner.games - before

    return play


def _open_spiel_games() -> Callable[[], int] | None:
    if importlib.util.find_spec("pyspiel") is None:
        return None
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import tabular_qlearner

    environment = rl_environment.Environment("tic_tac_toe")
    actions = environment.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(player_id=seat, num_actions=actions) for seat in range(2)]

    def play() -> int:
        for _ in range(100):
            step = environment.reset()
            while not step.last():
                seat = step.observations["current_player"]
                step = environment.step([agents[seat].step(step).action])
            for agent in agents:
                agent.step(step)
        return 100

    return play


def _seconds_to_perfect() -> Table:
    table = Table(
        "From nothing to a best move in every position, with default settings",
        ("game", "games", "positions up to symmetry", "best moves", "seconds", "target"),
    )
    for spec in ("3x3", "3x3,misere"):
        began = time.perf_counter()
        config, learner = Config.make("q", spec, threads=1), Q(noughts.game(spec))
        learner.train(config.games, config.settings())
        positions, best, _, _ = learner.grade()
        spent = time.perf_counter() - began
        table.add(spec, f"{learner.games:,}", f"{positions:,}", f"{best / positions:.2%}", f"{spent:.2f}", "10 s")
    return table


def _large_table() -> Table:
    """What the defaults of ``noughts train q --game 4x4`` come to, on one thread."""
    table = Table(
        "A table of 2.4 million positions, 4x4, with default settings",
        ("games", "positions up to symmetry", "best moves", "against exact play", "seconds", "target"),
    )
    config = Config.make("q", "4x4", threads=1)
    evaluator, began = Evaluator(config), time.perf_counter()
    learner = Q(config.rules())
    learner.train(config.games, config.settings())
    spent = time.perf_counter() - began
    found = evaluator.measure(learner, []).metrics
    graded, score = found["graded"], words.score(found["perfect"])
    share = words.percent(graded["optimal"])
    table.add(f"{learner.games:,}", f"{graded['positions']:,}", share, score, f"{spent:.0f}", "99%, none lost")
    return table


def _hex() -> Table:
    """What the defaults of ``noughts train td --game hex,size=4`` come to, for each player."""
    table = Table(
        "A network on Hex 4x4 with default settings, on 400 positions of random games",
        ("player", "games", "positions", "best moves", "95% interval", "results kept", "target"),
    )
    config = Config.make("td", "hex,size=4", threads=1)
    learner, judged = Td(config.rules()), probes(config.rules(), 400, seed=7)
    learner.train(config.games, config.settings())
    for mark in config.rules().marks:
        own = [probe for probe in judged if probe.position.turn == mark]
        found = grade(lambda position: best_of(learner.rate(position), note("in_training")).move, own)
        low, high = found.interval
        table.add(
            mark,
            f"{learner.games:,}",
            found.positions,
            f"{found.optimal:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{found.sound / found.positions:.1%}",
            "95%",
        )
    return table


def _networks() -> Table:
    table = Table(
        "Networks of tuples after training, against rules in 100 games",
        ("game", "opponent in training", "games", "seconds", "wins", "draws", "losses"),
    )
    for spec, against, games in (
        ("4x4", "rules", 8_000),
        ("5x5,k=4", "itself", 30_000),
        ("duel,opening=peaceful", "itself", 20_000),
    ):
        config = Config.make("td", spec, against=against, games=games, matches=100, probes=0, threads=1)
        evaluator, learner = Evaluator(config), Td(config.rules())
        evaluator.solvable = False
        began = time.perf_counter()
        if config.by_learner:
            learner.train(games, config.settings())
        else:
            Sparring(config, learner).train(games, config.settings(), lambda: False)
        spent = time.perf_counter() - began
        score = evaluator.measure(learner, []).metrics["rules"]
        table.add(spec, against, f"{games:,}", f"{spent:.1f}", score["wins"], score["draws"], score["losses"])
    return table
