"""Every game of noughts as a game of OpenSpiel, and its players as OpenSpiel's bots.

    import openspiel                                            # this file
    game = pyspiel.load_game("noughts(spec=hex;size:5;swap)")   # a spec that is written so
    bot = openspiel.Bot("perfect", "hex,size=5,swap")           # plays it, and OpenSpiel's hex(board_size=5,swap=True)

Run as a program, it checks itself against OpenSpiel's own games: the same moves, ends and returns on
every path, the same values, and OpenSpiel's tests of any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import minimax
from open_spiel.python.observation import IIGObserverForPublicInfoGame

import noughts
from noughts.players import player

GAME_TYPE = pyspiel.GameType(
    short_name="noughts",
    long_name="Any game of noughts",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"spec": "3x3"},
)


class Game(pyspiel.Game):
    """The game that the parameter ``spec`` describes."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = noughts.game(spec_of((params or {}).get("spec", "3x3")))
        if len(self.rules.marks) != 2:
            raise ValueError(f"{self.rules} has {len(self.rules.marks)} players; here there are two")
        cells = self.rules.grid.cells
        info = pyspiel.GameInfo(
            num_distinct_actions=cells + len(self.rules.specials),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Between two passes somebody places, and a swap comes once.
            max_game_length=2 * cells if noughts.PASS in self.rules.specials else cells + len(self.rules.specials),
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self, state: object = None) -> State:
        """The start of the game."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What looks at states for learners."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def spec_of(written: str) -> str:
    """A spec written without the commas and equals signs that OpenSpiel keeps for itself."""
    return ",".join(part.replace(":", "=", 1) for part in written.split(";"))


def move_of(rules: noughts.Game, action: int) -> int:
    """The move behind an action: a cell, or after the cells a pass or swap."""
    return action if action < rules.grid.cells else rules.specials[action - rules.grid.cells]


def action_of(rules: noughts.Game, move: int) -> int:
    """The action that plays a move."""
    return move if move >= 0 else rules.grid.cells + rules.specials.index(move)


class State(pyspiel.State):
    """A position, replaced with every move."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # OpenSpiel copies states with all they hold, and cannot copy games: the rules go along with the position.
        self.position = game.rules.start()

    def current_player(self) -> int:
        """The seat to move."""
        if self.position.outcome is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.game.marks.index(self.position.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(action_of(self.position.game, move) for move in self.position.legal_moves)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(move_of(self.position.game, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.game.move_name(move_of(self.position.game, action))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """1 for the winner, −1 for the loser."""
        outcome, marks = self.position.outcome, self.position.game.marks
        return [float(outcome.score(mark)) if outcome else 0.0 for mark in marks]

    def __str__(self) -> str:
        return f"{self.position}\n{self.position.result()}"


class Observer:
    """Shows the board in three planes: each seat's marks, and the empty cells."""

    def __init__(self, rules: noughts.Game) -> None:
        self.cells, self.marks = rules.grid.cells, rules.marks
        self.tensor = np.zeros(3 * self.cells, np.float32)
        self.dict = {"observation": self.tensor.reshape(3, self.cells)}

    def set_from(self, state: State, player: int) -> None:
        """Look at a state."""
        planes = self.dict["observation"]
        planes.fill(0)
        planes[2] = 1
        for cell, mark in state.position.cells.items():
            planes[self.marks.index(mark), cell], planes[2, cell] = 1, 0

    def string_from(self, state: State, player: int) -> str:
        """A state as text."""
        return state.position.text


class Bot(pyspiel.Bot):
    """A player of noughts in a seat of a game of OpenSpiel's whose moves are numbered as ours."""

    def __init__(self, spec: str, game: str) -> None:
        pyspiel.Bot.__init__(self)
        self.start, self.player = noughts.position(game), player(spec)

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing is remembered between moves."""

    def step(self, state: pyspiel.State) -> int:
        """Choose an action."""
        position = self.start
        for action in state.history():
            position = position.play(move_of(position.game, action))
        return action_of(position.game, self.player.choose(position).move)


pyspiel.register_game(GAME_TYPE, Game)


def paths_alike(ours: pyspiel.State, theirs: pyspiel.State) -> int:
    """Walk every path of two games, which must not differ, and count the ends."""
    assert ours.is_terminal() == theirs.is_terminal(), ours.history()
    assert ours.current_player() == theirs.current_player(), ours.history()
    assert ours.returns() == theirs.returns(), ours.history()
    if ours.is_terminal():
        return 1
    assert ours.legal_actions() == theirs.legal_actions(), ours.history()
    return sum(paths_alike(ours.child(action), theirs.child(action)) for action in ours.legal_actions())


def random_games_alike(ours: pyspiel.Game, theirs: pyspiel.Game, games: int) -> None:
    """Play random games in both at once, which must not differ."""
    rng = np.random.default_rng(1)
    for _ in range(games):
        one, two = ours.new_initial_state(), theirs.new_initial_state()
        while not one.is_terminal():
            assert one.legal_actions() == two.legal_actions(), one.history()
            assert one.current_player() == two.current_player(), one.history()
            action = rng.choice(one.legal_actions())
            one.apply_action(action)
            two.apply_action(action)
        assert two.is_terminal(), one.history()
        assert one.returns() == two.returns(), one.history()


def checks() -> Iterator[str]:
    """Check the adapter against OpenSpiel's games, telling what holds."""
    load = pyspiel.load_game
    for spec in ("3x3", "hex;size:4;swap", "duel;size:4", "4x4x4", "5x5;k:4;setup:X:b2+O:c3"):
        pyspiel.random_sim_test(load(f"noughts(spec={spec})"), num_sims=3, serialize=True, verbose=False)
        yield f"{spec_of(spec)}: OpenSpiel's test of any game passes"
    opened = [load(name).new_initial_state() for name in ("noughts(spec=3x3)", "tic_tac_toe")]
    for state in opened:
        state.apply_action(4)
        state.apply_action(0)
    yield f"3x3: all {paths_alike(*opened):,} games after b2 and a1 are those of OpenSpiel's tic_tac_toe"
    values = [minimax.alpha_beta_search(state.get_game(), state)[0] for state in opened]
    assert values == [0, 0]
    yield "3x3: OpenSpiel's alpha-beta finds them both drawn there"
    for spec, name in (
        ("3x3", "tic_tac_toe"),
        ("4x4x4", "gomoku(size=4,connect=4,dims=3)"),
        ("hex;size:3", "hex(board_size=3)"),
        ("hex;size:5;swap", "hex(board_size=5,swap=True)"),
        ("hex", "hex(board_size=11)"),
    ):
        random_games_alike(load(f"noughts(spec={spec})"), load(name), 30)
        yield f"{spec_of(spec)}: 30 random games are those of OpenSpiel's {name}"
    for spec, name in (("3x3", "tic_tac_toe"), ("4x3,k=3", "mnk(m=3,n=4,k=3)"), ("hex,size=3", "hex(board_size=3)")):
        value, _ = minimax.alpha_beta_search(load(name))
        solved = noughts.solve(noughts.position(spec)).value
        assert solved == {1: "win", 0: "draw", -1: "loss"}[value], (spec, solved, value)
        yield f"{spec}: a {solved}, as OpenSpiel's alpha-beta finds of its {name}"
    bots = [Bot("perfect", "3x3"), pyspiel.make_uniform_random_bot(1, 1)]
    start = load("tic_tac_toe").new_initial_state()
    results = [pyspiel.evaluate_bots(start.clone(), bots, seed)[0] for seed in range(20)]
    assert min(results) >= 0
    assert max(results) == 1
    yield f"tic_tac_toe: our perfect player wins {results.count(1.0)} of 20 games against random, and loses none"


if __name__ == "__main__":
    for told in checks():
        print(told, flush=True)
