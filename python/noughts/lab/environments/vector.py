"""Many games at once, on the kernel where it has tables for the game: a Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from noughts.compute.batch import Batch
from noughts.core import PASS, Game
from noughts.errors import IllegalMove
from noughts.games import game as game_of
from noughts.lab.environments.single import Illegal, Seat, check_choices, frame
from noughts.lab.environments.view import View
from noughts.players import Player, player, seeded
from noughts.players.random import RandomPlayer

__all__ = ["LegalChoices", "VectorGameEnv"]

Observations = NDArray[np.int8]


class VectorGameEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` games, each as :class:`~noughts.lab.environments.single.GameEnv` plays one.

    Games with kernel tables are stepped by the kernel, the random opponent with them; any other opponent is
    asked game by game. ``autoreset_mode`` says what follows the end of a game: the next step begins it anew
    (Gymnasium's default), the same step does, or nothing until ``reset`` is told with a ``reset_mask``.

    >>> envs = VectorGameEnv(1000, "4x4", opponent=None)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, over, cut, infos = envs.step(envs.action_space.sample())
    >>> observations.shape, infos["action_mask"].sum(axis=1).tolist() == [15] * 1000
    ((1000, 4, 4, 4), True)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game = "3x3",
        *,
        opponent: str | Player | None = "random",
        seat: Seat = 0,
        illegal: Illegal = "raise",
        channels_first: bool = False,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.game = game_of(game) if isinstance(game, str) else game
        check_choices(self.game, seat, illegal, render_mode, self.metadata["render_modes"], alone=opponent is None)
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: there is at least one game")
        self.opponent = player(opponent) if isinstance(opponent, str) else opponent
        if self.opponent is not None:
            self.opponent.check_game(self.game)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.view = View(self.game, channels_first)
        self.single_observation_space = self.view.space()
        self.single_action_space = spaces.Discrete(self.view.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space: LegalChoices = LegalChoices(self.view, num_envs)
        self._wanted = seat
        self._illegal = illegal
        self._batch = Batch(self.game.start(), num_envs, held=True)
        self._chooser: Player | None = None
        self._numbers = np.arange(num_envs)
        self._seats = np.zeros(num_envs, dtype=np.int64)
        self._mask = np.zeros((num_envs, self.view.actions), dtype=np.int8)
        self._over = np.zeros(num_envs, dtype=np.bool_)
        """The games that the last step ended."""
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin every game anew, or those that ``options["reset_mask"]`` says.

        A seed fixes all chance from here on: seats, opponents, sampled actions. Other options are refused: positions
        and opponents of single games are for single environments.
        """
        self.view.start(options, ("reset_mask",))
        which = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            which = np.asarray(options["reset_mask"])
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise ValueError(f"reset_mask takes {self.num_envs} booleans, at least one of them true")
            if seed is not None or not self._begun:
                raise gymnasium.error.ResetNeeded("a first or a seeded reset is of all games: leave reset_mask out")
        super().reset(seed=seed)
        if seed is not None:
            self.action_space.seed(seed)
        if seed is not None or not self._begun:
            self._batch = Batch(self.game.start(), self.num_envs, seed=self._draw(), held=True)
            self.close_extras()
            self._chooser = seeded(self.opponent, self._draw()) if self.opponent is not None else None
        self._begun = True
        self._restart(which)
        return self._seen()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action in every game, then the opponents' moves until it is the learner's turn again."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("reset the environment before the first step")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            which = np.flatnonzero(self._over).tolist()
            raise gymnasium.error.ResetNeeded(f"these games are over: {which}; reset them with a reset_mask")
        again, movers = self._over, self._batch.turns
        refused, codes = self._play(np.asarray(actions), ~again)
        self._reply()
        ended = self._batch.done & ~again
        rewards = np.where(ended, self._batch.rewards[self._numbers, movers], 0.0).astype(np.float64)
        rewards[refused] = -1.0
        self._over = ended | refused
        over = self._over.copy()
        told = {} if codes is None else {"illegal": codes, "_illegal": refused}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            told = self._final(over, told)
            self._restart(over)
        elif again.any():
            self._restart(again)
        observations, infos = self._seen()
        return observations, rewards, over, np.zeros_like(over), infos | told

    def action_masks(self) -> NDArray[np.bool_]:
        """Games x actions: which are legal now; none in a game that is over."""
        return self._mask.astype(np.bool_)

    def render(self) -> tuple[str | NDArray[np.uint8] | None, ...] | None:  # type: ignore[override]
        """Every board as text or as a picture."""
        if self.render_mode is None:
            gymnasium.logger.warn("nothing to render: make the environment with a render_mode")
            return None
        mode = self.render_mode
        return tuple(frame(position, mode) for position in self._batch.positions(range(self.num_envs)))

    def close_extras(self, **options: Any) -> None:
        """Let the opponent go."""
        if self._chooser is not None:
            self._chooser.close()

    def _draw(self) -> int:
        return int(self.np_random.integers(2**62))

    def _restart(self, which: NDArray[np.bool_]) -> None:
        """Begin some games anew, up to the learner's first turn."""
        self._batch.reset(which)
        self._over = self._over & ~which
        if self._wanted == "any":
            self._seats[which] = self.np_random.integers(len(self.game.marks), size=int(which.sum()))
        else:
            self._seats[which] = self._wanted
        self._reply()

    def _play(
        self, actions: NDArray[np.int64], where: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.object_] | None]:
        """Play the actions of some games. Where illegal ones lose, tell which are and the codes of the reasons."""
        if actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(
                f"a step takes {self.num_envs} whole numbers, not {actions.dtype} of shape {actions.shape}"
            )
        outside = where & ((actions < 0) | (actions >= self.view.actions))
        if outside.any():
            self.view.move(int(actions[outside][0]))
        legal = self._mask[self._numbers, np.where(where, actions, 0)] == 1
        refused = where & ~legal
        codes = self._reasons(actions, np.flatnonzero(refused)) if refused.any() else None
        self._batch.step(actions, where=where & legal)
        return refused, codes

    def _reasons(self, actions: NDArray[np.int64], refused: NDArray[np.intp]) -> NDArray[np.object_]:
        """The codes of the reasons against some games' actions, or the error for the first of them."""
        codes = np.full(self.num_envs, None, dtype=np.object_)
        for number, position in zip(refused, self._batch.positions(refused), strict=True):
            move = self.view.move(int(actions[number]))
            reason = position.why_not(move)
            assert reason is not None
            if self._illegal == "raise":
                raise IllegalMove(reason.code, f"in game {number}: {reason}", position=position, move=move)
            codes[number] = reason.code
        return codes

    def _reply(self) -> None:
        """Let the opponents move until it is the learner's turn or nobody's.

        A learner who can only pass is not asked either.
        """
        if self._chooser is None:
            return
        self._answer(self._chooser)
        if PASS in self.game.specials:
            passing = np.full(self.num_envs, self.view.action(PASS))
            while (stuck := (legal := self._batch.legal)[:, passing[0]] & (legal.sum(axis=1) == 1)).any():
                self._batch.step(passing, where=stuck)
                self._answer(self._chooser)

    def _answer(self, chooser: Player) -> None:
        """Play the opponents' moves, on the kernel where they are random."""
        if isinstance(self.opponent, RandomPlayer) and self.opponent.seed is None:
            self._batch.random_until(self._seats)
            return
        actions = np.zeros(self.num_envs, dtype=np.int64)
        while (waiting := ~self._batch.done & (self._batch.turns != self._seats)).any():
            numbers = np.flatnonzero(waiting)
            for number, position in zip(numbers, self._batch.positions(numbers), strict=True):
                actions[number] = self.view.action(chooser.choose(position).move)
            self._batch.step(actions, where=waiting)

    def _final(self, over: NDArray[np.bool_], told: dict[str, Any]) -> dict[str, Any]:
        """What Gymnasium wants to be told of games that end and begin anew in one step."""
        observations, infos = self._seen()
        last = np.full(self.num_envs, None, dtype=np.object_)
        for number in np.flatnonzero(over):
            last[number] = observations[number]
        infos["action_mask"][~over] = 0
        infos["seat"][~over] = 0
        infos |= {"_action_mask": over.copy(), "_seat": over.copy(), **told}
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": infos, "_final_info": over.copy()}

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        if self.opponent is None:
            turns = self._batch.turns.astype(np.int64)
            self._seats = np.where(self._batch.done, (turns + 1) % len(self.game.marks), turns)
        self._mask = self._batch.legal.astype(np.int8)
        self._mask[self._over] = 0
        self.action_space.legal = self._mask
        infos = {
            "action_mask": self._mask.copy(),
            "_action_mask": np.ones(self.num_envs, dtype=np.bool_),
            "seat": self._seats.copy(),
            "_seat": np.ones(self.num_envs, dtype=np.bool_),
        }
        planes = self._batch.planes(self._seats).reshape(self.num_envs, *self.view.plain_shape)
        return self.view.arranged(planes), infos


class LegalChoices(spaces.MultiDiscrete):
    """An action for each of many games. Sampled without a mask, each is legal in its game."""

    def __init__(self, view: View, games: int) -> None:
        super().__init__(np.full(games, view.actions))
        self.legal: NDArray[np.int8] | None = None

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """Draw an action for every game; without a mask or probabilities, a legal one where there is any."""
        if mask is not None or probability is not None or self.legal is None:
            return super().sample(mask, probability)
        noise = self.np_random.random(self.legal.shape, dtype=np.float32)
        best: NDArray[np.int64] = (noise + self.legal).argmax(axis=1)
        return best
