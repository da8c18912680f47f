"""The environments for one learner and for every seat: the libraries' own checks, and what those leave out."""

import pickle
import subprocess
import sys
import warnings
from copy import deepcopy
from typing import ClassVar

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.core import PASS, SWAP
from noughts.errors import IllegalMove, InvalidGame, InvalidPlayer
from noughts.games import all_presets, game
from noughts.lab.environments import GameAEC, GameEnv, VectorGameEnv, View, env, raw_env, register
from noughts.players import player
from noughts.players.random import RandomPlayer
from tests.strategies import SMALL_SPECS, all_specs

with warnings.catch_warnings():
    # Where pygame is installed, PettingZoo's tests load one of its games in a way it deprecates itself.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

specs = pytest.mark.parametrize("spec", all_specs())
small = pytest.mark.parametrize("spec", SMALL_SPECS)
few = settings(max_examples=10)


# The libraries' own checks. All warnings are errors here.


@specs
def test_gymnasium_finds_nothing_to_complain_about(spec):
    # The checker plays any action, which is not always a move where cells open one by one.
    start = game(spec).start()
    illegal = "raise" if len(start.legal_moves) == start.game.grid.cells - len(start.cells) else "lose"
    check_env(gymnasium.make("noughts/Game-v0", game=spec, illegal=illegal).unwrapped)
    check_env(gymnasium.make("noughts/Game-v0", game=spec, opponent=None, illegal=illegal).unwrapped)
    check_env(gymnasium.make("noughts/Game-v0", game=spec, seat="any", illegal="lose").unwrapped)


@specs
def test_pettingzoo_finds_nothing_to_complain_about(spec):
    api_test(env(spec))
    seed_test(lambda: env(spec))
    render_test(lambda **options: env(spec, **options))


class _Hurry:
    """A clock that passes five seconds after two hundred readings."""

    def __init__(self):
        self.now = 0.0

    def time(self):
        self.now += 0.025
        return self.now


@specs
def test_pettingzoo_can_time_them(spec, monkeypatch, capsys):
    monkeypatch.setattr(sys.modules[performance_benchmark.__module__], "time", _Hurry())
    performance_benchmark(env(spec))
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_masks_can_be_where_the_classics_have_them():
    # PettingZoo warns of every observation that is a dict unless the environment is on its own list.
    with pytest.warns() as told:
        api_test(env("3x3", masks="observation"))
    assert {str(warning.message) for warning in told} == {
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    }
    seed_test(lambda: env("3x3", masks="observation"))
    classic = env("3x3", masks="observation")
    classic.reset()
    classic.step(4)
    seen, _, _, _, info = classic.last()
    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert (seen["observation"] == raw_env_at("3x3", 4).observe("player_1")).all()
    assert classic.observe("player_0")["action_mask"].tolist() == [0] * 9


def raw_env_at(spec, *actions):
    made = raw_env(spec)
    made.reset()
    for action in actions:
        made.step(action)
    return made


# Names.


def test_every_preset_has_a_name_in_both_registries():
    register()
    for name, spec in {"game": "3x3", **{name: name for name in all_presets()}}.items():
        title = "TicTacToe" if name == "tictactoe" else name.capitalize()
        assert gymnasium.make(f"noughts/{title}-v0").unwrapped.game == game(spec)
        assert gymnasium.make_vec(f"noughts/{title}-v0", num_envs=2).game == game(spec)
        assert pettingzoo.make("aec", f"noughts/{name}_v0").unwrapped.game == game(spec)
    assert gymnasium.make("noughts/Game-v0", game="hex,size=5").unwrapped.game.spec == "hex,size=5"
    assert pettingzoo.make("aec", "noughts/game_v0", game="5x5,k=4").unwrapped.game.spec == "5x5,k=4"
    assert str(env()) == str(raw_env()) == "noughts_v0"


def run(code):
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)


def test_playing_loads_none_of_it():
    done = run("import noughts, noughts.players, sys; print({'gymnasium', 'pettingzoo'} & set(sys.modules))")
    assert done.stdout == "set()\n", done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium; print(gymnasium.make('noughts:noughts/Game-v0', game='4x4').unwrapped.game)",
        "import gymnasium, noughts; print(gymnasium.make('noughts/4x4-v0').unwrapped.game)",
        "import noughts, gymnasium; print(gymnasium.make('noughts.lab.environments:noughts/4x4-v0').unwrapped.game)",
        "import noughts.lab.environments, pettingzoo; print(pettingzoo.make('aec', 'noughts/4x4-v0').unwrapped.game)",
    ],
)
def test_ways_to_the_registry(code):
    done = run(code)
    assert done.stdout == "4x4\n", done.stderr


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_what_is_missing_is_told(missing):
    done = run(f"import sys; sys.modules[{missing!r}] = None; import noughts; import noughts.lab.environments")
    assert done.stderr.endswith(f"ModuleNotFoundError: the environments need {missing}: install noughts[lab]\n")


# What is seen and done.


def seen_by(position, seat):
    """An observation computed from the rules alone."""
    marks, grid = position.game.marks, position.game.grid
    order = [*marks[seat:], *marks[:seat], None]
    cells = [[int(position.cells.get(cell) == mark) for mark in order] + [seat] for cell in range(grid.cells)]
    return np.array(cells, dtype=np.int8).reshape(grid.layers * grid.rows, grid.cols, len(order) + 1)


@specs
@few
@given(seed=st.integers(0, 2**32 - 1))
def test_agents_play_by_the_rules(spec, seed):
    made = env(spec)
    made.reset(seed=seed)
    view, position = View(game(spec)), game(spec).start()
    for _ in range(60):
        seat = position.game.marks.index(position.turn)
        seen, reward, over, cut, info = made.last()
        assert (made.agent_selection, reward, over, cut) == (f"player_{seat}", 0, False, False)
        assert {view.move(action) for action in np.flatnonzero(info["action_mask"])} == set(position.legal_moves)
        assert (seen == seen_by(position, seat)).all()
        assert (seen[:, :, :-1].sum(axis=2) == 1).all()
        action = made.action_space(made.agent_selection).sample()
        assert view.action(view.move(action)) == action
        made.step(action)
        position = position.play(view.move(action))
        assert made.unwrapped.position == position
        if position.outcome is not None:
            break
    rewards = [position.outcome.score(mark) if position.outcome else 0 for mark in position.game.marks]
    assert list(made.rewards.values()) == rewards
    if position.outcome is None:
        return
    left = {}
    for agent in made.agent_iter():
        _, left[agent], over, _, info = made.last()
        assert over
        assert not info["action_mask"].any()
        made.step(None)
    assert [left[agent] for agent in made.possible_agents] == rewards


@specs
@few
@given(seed=st.integers(0, 2**32 - 1), alone=st.booleans(), seat=st.sampled_from([0, 1, "any"]))
def test_a_learner_plays_by_the_rules(spec, seed, alone, seat):
    made = GameEnv(spec, opponent=None) if alone else GameEnv(spec, seat=seat)
    seen, info = made.reset(seed=seed)
    view, over, reward = made.view, False, 0.0
    for _ in range(60):
        position = made.position
        assert info["seat"] == position.game.marks.index(position.turn)
        assert {view.move(action) for action in np.flatnonzero(info["action_mask"])} == set(position.legal_moves)
        assert (seen == seen_by(position, info["seat"])).all()
        assert seen in made.observation_space
        seat_before, (seen, reward, over, cut, info) = info["seat"], made.step(made.action_space.sample())
        assert not cut
        assert info["seat"] == seat_before or alone
        if over:
            break
        assert reward == 0
    outcome = made.position.outcome
    assert over == (outcome is not None)
    if outcome is not None:
        assert reward == outcome.score(made.game.marks[seat_before])
        assert not info["action_mask"].any()
        assert (seen == seen_by(made.position, info["seat"])).all()
        with pytest.raises(IllegalMove, match="the game is over: ") as caught:
            made.step(0)
        assert caught.value.code == "game_over"


def test_a_seed_fixes_seats_opponents_and_samples():
    def games(made, seed):
        made.reset(seed=seed)
        told = []
        for _ in range(8):
            over = False
            while not over:
                _, reward, over, _, info = made.step(made.action_space.sample())
            told.append((made.position.text, reward, info["seat"]))
            made.reset()
        return told

    one, two = (GameEnv("3x3", seat="any") for _ in range(2))
    first = games(one, 7)
    assert first == games(one, 7) == games(two, 7)
    assert first != games(two, 8)
    assert {seat for _, _, seat in first} == {0, 1}
    given = GameEnv("3x3", opponent="random,seed=5", seat=1)
    first, *others = ([given.reset(seed=seed)[0].tolist(), given.reset()[0].tolist()] for seed in (1, 1, 2))
    assert others == [first, first]


@pytest.mark.parametrize("opponent", ["easy", "hard", "rules", "minimax,depth=2", "mcts,simulations=20"])
def test_opponents_repeat_by_seed(opponent):
    def boards(spec):
        made = GameEnv(spec, opponent=opponent, seat="any")
        made.reset(seed=4)
        over = False
        while not over:
            _, _, over, _, _ = made.step(made.action_space.sample())
            yield made.position.text

    for spec in ("3x3", "hex,size=3,swap"):
        assert list(boards(spec)) == list(boards(spec))


def test_opponents_come_by_spec_or_as_players():
    made = GameEnv("3x3", opponent="perfect", seat=1)
    _, info = made.reset(seed=1)
    assert info["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1]
    rewards, over = [], False
    while not over:
        _, reward, over, _, info = made.step(np.flatnonzero(info["action_mask"])[0])
        rewards.append(reward)
    assert rewards[-1] == -1
    assert not any(rewards[:-1])
    assert GameEnv("3x3", opponent=player("rules")).opponent == player("rules")


def test_swap_is_an_action():
    made = GameEnv("hex,size=3,swap", opponent="minimax,depth=1", seat=1)
    _, info = made.reset(seed=1)
    swap = made.view.action(SWAP)
    assert made.action_space.n == 10
    assert info["action_mask"][swap] == 1
    seen, _, _, _, info = made.step(swap)
    assert info["action_mask"][swap] == 0
    assert seen[:, :, 0].sum() == 1
    agents = raw_env_at("hex,size=3,swap", 4, 9)
    assert agents.position.last == SWAP
    assert agents.agent_selection == "player_0"


def test_pass_is_an_action_where_agents_take_turns_and_none_for_a_learner_who_has_no_choice():
    agents = raw_env_at("duel,size=3", 0, 1)
    assert agents.infos["player_0"]["action_mask"].tolist() == [0] * 9 + [1]
    agents.step(9)
    assert agents.position.last == PASS
    assert agents.agent_selection == "player_1"

    asked = 0
    for seed in range(30):
        made = GameEnv("duel,size=3")
        _, info = made.reset(seed=seed)
        over, turns = False, 0
        while not over:
            assert info["action_mask"][:9].any()
            assert not info["action_mask"][9]
            _, _, over, _, info = made.step(made.action_space.sample())
            turns += 1
        asked += turns < 4
    assert asked, "no game had a learner who could not place"


class Counted(RandomPlayer):
    """A random player that counts how many of its kind were closed."""

    name = "counted"
    closed: ClassVar[list[RandomPlayer]] = []

    def close(self):
        self.closed.append(self)

    def check_game(self, game):
        if game.layout != "square":
            raise InvalidPlayer(f"not for {game}")


def test_opponents_are_let_go_and_may_refuse_a_game():
    Counted.closed.clear()
    made, many = GameEnv("3x3", opponent=Counted()), VectorGameEnv(2, "3x3", opponent=Counted())
    for envs in (made, many):
        envs.reset(seed=1)
        envs.reset()
        assert len(Counted.closed) % 2 == 0
        envs.reset(seed=2)
        envs.close()
        envs.close()
    assert len({id(gone) for gone in Counted.closed}) == len(Counted.closed) == 4
    for kind in (GameEnv, lambda game, opponent: VectorGameEnv(2, game, opponent=opponent)):
        with pytest.raises(InvalidPlayer, match="not for hex"):
            kind("hex", opponent=Counted())


# Illegal moves.


def test_an_illegal_move_is_refused_with_its_reason():
    made = GameEnv("3x3", opponent="perfect")
    made.reset(seed=1)
    made.step(4)
    before = made.position
    with pytest.raises(IllegalMove, match="b2 is already taken by X") as caught:
        made.step(4)
    assert caught.value.code == "occupied"
    assert made.position is before
    agents = env("duel,size=3")
    agents.reset()
    agents.step(0)
    agents.step(8)
    with pytest.raises(IllegalMove, match="c1 does not touch a tile of R") as caught:
        agents.step(2)
    assert caught.value.code == "not_adjacent"
    with pytest.raises(IllegalMove, match="R can place a tile, so R may not pass"):
        agents.step(9)
    assert agents.agent_selection == "player_0"


def test_an_illegal_move_can_lose_instead(caplog):
    made = GameEnv("3x3", opponent="perfect", illegal="lose")
    made.reset(seed=1)
    made.step(4)
    _, reward, over, cut, info = made.step(4)
    assert (reward, over, cut, info["illegal"]) == (-1, True, False, "occupied")
    assert not info["action_mask"].any()
    with pytest.raises(IllegalMove, match="reset the environment first: the game ended with an illegal move: b2 is"):
        made.step(0)
    _, info = made.reset()
    assert "illegal" not in info

    agents = env("3x3", illegal="lose")
    agents.reset()
    agents.step(4)
    agents.step(4)
    assert "Illegal move made" in caplog.text
    assert agents.terminations == {"player_0": True, "player_1": True}
    assert agents.rewards == {"player_0": 0, "player_1": -1}


@pytest.mark.parametrize("action", [9, -1, 1.5, "b2", None, np.array([1, 2])])
def test_what_is_no_action_is_told(action):
    made, agents = GameEnv("3x3", illegal="lose"), env("3x3")
    made.reset()
    agents.reset()
    for step in (made.step, agents.step):
        with pytest.raises(ValueError, match="actions of 3x3 go from 0 to 8, not "):
            step(action)
    made.step(np.int32(3))
    agents.step(np.array(3))


def test_nothing_is_played_before_the_first_reset():
    with pytest.raises(IllegalMove, match="reset the environment first: it has not begun"):
        GameEnv("3x3").step(0)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        env("3x3").rewards  # noqa: B018


def test_wrong_choices_say_what_would_be_right():
    for wrong, told in (
        ({"seat": 2}, "seat 2: 3x3 has the seats 0 to 1, or 'any'"),
        ({"seat": "X"}, "seat 'X': 3x3 has the seats 0 to 1, or 'any'"),
        ({"seat": 1, "opponent": None}, "without an opponent every seat is the learner's"),
        ({"illegal": "ignore"}, "illegal='ignore': an illegal move can 'raise' or 'lose'"),
        ({"render_mode": "svg"}, "render_mode='svg': there are human, ansi, rgb_array"),
    ):
        with pytest.raises(ValueError, match=told):
            GameEnv("3x3", **wrong)
    for wrong, told in (
        ({"masks": "none"}, "masks='none': masks are in the 'info', or"),
        ({"illegal": "ignore"}, "illegal='ignore': an illegal move can 'raise' or 'lose'"),
        ({"render_mode": "svg"}, "render_mode='svg': there are human, ansi, rgb_array"),
    ):
        with pytest.raises(ValueError, match=told):
            env("3x3", **wrong)
    with pytest.raises(InvalidGame, match="did you mean 'gomoku'"):
        gymnasium.make("noughts/Game-v0", game="gomuku")
    with pytest.raises(InvalidPlayer, match="did you mean 'random'"):
        gymnasium.make("noughts/Game-v0", opponent="randm")


# Copies: PettingZoo's own board games begin anew when they are copied or pickled.


@small
@pytest.mark.parametrize("copied", [deepcopy, lambda made: pickle.loads(pickle.dumps(made))], ids=["copy", "pickle"])
def test_copies_keep_the_board_and_its_future(spec, copied):
    made = gymnasium.make("noughts/Game-v0", game=spec, seat="any")
    made.reset(seed=3)
    made.step(made.action_space.sample())
    agents = env(spec)
    agents.reset(seed=3)
    agents.step(agents.action_space("player_0").sample())
    twin, agent_twins = copied(made), copied(agents)
    assert twin.unwrapped.position == made.unwrapped.position
    assert twin.unwrapped.position.cells
    assert agent_twins.unwrapped.position == agents.unwrapped.position
    assert agent_twins.last()[4]["action_mask"].tolist() == agents.last()[4]["action_mask"].tolist()
    before = agents.unwrapped.position
    for _ in range(3):
        results = [one.step(one.action_space.sample()) for one in (made, twin)]
        assert (results[0][0] == results[1][0]).all()
        assert results[0][1:3] == results[1][1:3]
        if results[0][2]:
            made.reset()
            twin.reset()
    assert twin.unwrapped.position == made.unwrapped.position
    agent = agents.agent_selection
    agent_twins.step(agent_twins.action_space(agent).sample())
    assert agents.unwrapped.position == before
    agents.step(agents.action_space(agent).sample())
    assert agent_twins.unwrapped.position == agents.unwrapped.position != before


# Rendering.


def test_boards_are_shown_as_text_pictures_and_to_people(capsys):
    text = GameEnv("3x3", opponent="perfect", render_mode="ansi")
    text.reset(seed=1)
    text.step(4)
    assert text.render() == f"{text.position}\nX to move"
    image = GameEnv("3x3", render_mode="rgb_array")
    image.reset()
    assert image.render().shape == (313, 313, 3)
    assert capsys.readouterr().out == ""
    shown = GameEnv("3x3", opponent="perfect", render_mode="human")
    shown.reset(seed=1)
    start = shown.position
    shown.step(4)
    boards = [start, start.play(4), shown.position]
    assert capsys.readouterr().out == "".join(f"{board}\n{board.result()}\n\n" for board in boards)
    agents = env("3x3", render_mode="human")
    agents.reset()
    agents.step(4)
    assert capsys.readouterr().out == "".join(f"{board}\n{board.result()}\n\n" for board in boards[:2])
    films = gymnasium.make("noughts/Game-v0", render_mode="ansi_list")
    films.reset()
    films.step(0)
    assert len(films.render()) == 2


def test_rendering_without_a_mode_warns():
    for made in (GameEnv("3x3"), GameAEC("3x3")):
        made.reset()
        with pytest.warns(UserWarning, match="make the environment with a render_mode"):
            assert made.render() is None


def test_the_state_of_all_is_the_board():
    agents = raw_env_at("3x3", 4)
    assert (agents.state()[:, :, :-1] == seen_by(agents.position, 0)[:, :, :-1]).all()
    assert (agents.state()[:, :, -1] == 1).all()


@pytest.mark.parametrize("spec", ["3x3", "hex,size=3,swap", "duel,size=3", "3x3x3"])
def test_masks_are_given_as_maskable_learners_ask_for_them(spec):
    env = gymnasium.make("noughts/Game-v0", game=spec, opponent="random")
    _, info = env.reset(seed=3)
    over = False
    while not over:
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        assert (masks == (info["action_mask"] == 1)).all()
        _, _, over, _, info = env.step(env.action_space.sample())
    assert not env.unwrapped.action_masks().any()
    agents = raw_env(spec)
    agents.reset()
    assert (agents.action_masks() == (agents.last()[4]["action_mask"] == 1)).all()
    envs = gymnasium.make_vec("noughts/Game-v0", num_envs=4, game=spec)
    _, infos = envs.reset(seed=3)
    assert (envs.unwrapped.action_masks() == (infos["action_mask"] == 1)).all()


@pytest.mark.parametrize("spec", ["3x3", "5x4,k=3", "3x3x3", "hex,size=3"])
def test_planes_may_come_first(spec):
    last, first = (GameEnv(spec, seat=1, channels_first=flag) for flag in (False, True))
    for made in (last, first):
        made.reset(seed=5)
    seen = [made.step(made.action_space.sample())[0] for made in (last, first)]
    assert (np.moveaxis(seen[0], -1, 0) == seen[1]).all()
    assert seen[1] in first.observation_space
    assert seen[1].flags.c_contiguous
    many = VectorGameEnv(3, spec, channels_first=True)
    assert many.reset(seed=1)[0] in many.observation_space
    agents = raw_env(spec, channels_first=True)
    agents.reset()
    agents.step(0)
    assert agents.observe("player_1") in agents.observation_space("player_1")
    assert (agents.state()[-1] == 1).all()
    check_env(GameEnv(spec, channels_first=True), skip_render_check=True)


def test_a_reset_begins_where_it_is_told():
    env = GameEnv("3x3", opponent="random")
    text = "XX1/OO1/3 X"
    for start in (text, noughts.position("3x3", text)):
        observation, info = env.reset(options={"position": start})
        assert env.position.text == text
        assert info["action_mask"].tolist() == [0, 0, 1, 0, 0, 1, 1, 1, 1]
        assert observation[0, 0].tolist() == [1, 0, 0, 0]
        assert env.step(2)[1:3] == (1.0, True)
    # The position is for that game alone.
    env.reset()
    assert env.position.text == "3/3/3 X"
    # Where it is the opponent's turn, the opponent moves first.
    env.reset(options={"position": "XX1/O2/3 O", "opponent": "perfect"})
    assert env.position.cells[2] == "O"
    agents = raw_env("3x3")
    agents.reset(options={"position": "XX1/O2/3 O"})
    assert agents.agent_selection == "player_1"


def test_a_reset_has_an_opponent_for_one_game():
    env = GameEnv("3x3", opponent="random", seat=1)
    env.reset(seed=1, options={"opponent": "perfect"})
    assert type(env._guest).__name__ == "PerfectPlayer"
    assert dict(env.position.cells) == {0: "X"}
    env.reset()
    assert env._guest is None
    alone = GameEnv("3x3", opponent=None)
    alone.reset(options={"opponent": "random"})
    alone.step(4)
    assert len(alone.position.cells) == 2
    alone.reset()
    alone.step(4)
    assert len(alone.position.cells) == 1
    env.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positon": "3/3/3 X"}, "reset has no option 'positon' here; there are: position, opponent"),
        ({"position": "XXX/OO1/3 O"}, "the game is over there"),
        ({"position": 7}, "a position of 3x3, or its text, was expected"),
        ({"position": noughts.position("4x4")}, "a position of 3x3, or its text, was expected"),
        ({"position": "nonsense"}, "must say after a space whose turn it is"),
        ({"position": "OO1/XX1/3 O", "opponent": "perfect"}, "the game ends there before the learner can move"),
        ({"opponent": None}, "a player or its spec was expected"),
        ({"opponent": "nobody"}, "nobody"),
    ],
)
def test_a_reset_that_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        GameEnv("3x3").reset(options=options)


def test_other_environments_refuse_what_they_cannot_do():
    with pytest.raises(ValueError, match="reset has no option 'position' here; there are: reset_mask"):
        VectorGameEnv(2, "3x3").reset(options={"position": "3/3/3 X"})
    with pytest.raises(ValueError, match="reset has no option 'opponent' here; there are: position"):
        raw_env("3x3").reset(options={"opponent": "random"})
