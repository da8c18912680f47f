"""Every seat an agent: a PettingZoo environment, in which agents move in turn.

Agents are ``player_0``, ``player_1`` and so on, in the order of the game's marks.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from noughts.core import Game, Position
from noughts.games import game as game_of
from noughts.lab.environments.single import RENDER_MODES, Illegal, check_choices, frame
from noughts.lab.environments.view import LegalActions, View

__all__ = ["GameAEC", "Masks", "env", "raw_env"]

Masks = Literal["info", "observation"]
"""Where an agent finds the mask of legal actions besides its info: nowhere, or in a dict with the observation."""

Observation = NDArray[np.int8] | dict[str, NDArray[np.int8]]


def env(
    game: str | Game = "3x3",
    *,
    masks: Masks = "info",
    illegal: Illegal = "raise",
    channels_first: bool = False,
    render_mode: str | None = None,
) -> AECEnv:
    """A game for as many agents as it has players, with the order of calls enforced.

    An illegal move raises :class:`~noughts.errors.IllegalMove`; with ``illegal="lose"`` PettingZoo's own
    wrapper ends the game with −1 for whoever made it.
    """
    check_choices(game_of(game) if isinstance(game, str) else game, 0, illegal, None, RENDER_MODES, alone=False)
    made: AECEnv = raw_env(game, masks=masks, channels_first=channels_first, render_mode=render_mode)
    if illegal == "lose":
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(made)


def raw_env(
    game: str | Game = "3x3", *, masks: Masks = "info", channels_first: bool = False, render_mode: str | None = None
) -> GameAEC:
    """The environment without its wrappers."""
    return GameAEC(game, masks=masks, channels_first=channels_first, render_mode=render_mode)


class GameAEC(AECEnv):  # type: ignore[misc]
    """A game whose players are agents.

    >>> env = GameAEC("3x3")
    >>> env.reset()
    >>> env.step(4)
    >>> observation, reward, over, cut, info = env.last()
    >>> env.agent_selection, info["action_mask"].tolist()
    ('player_1', [1, 1, 1, 1, 0, 1, 1, 1, 1])
    """

    metadata = {  # noqa: RUF012
        "name": "noughts_v0",
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Game = "3x3",
        *,
        masks: Masks = "info",
        channels_first: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game_of(game) if isinstance(game, str) else game
        check_choices(self.game, 0, "raise", render_mode, RENDER_MODES, alone=False)
        if masks not in ("info", "observation"):
            raise ValueError(f"masks={masks!r}: masks are in the 'info', or in the 'observation' as well")
        self.view = View(self.game, channels_first)
        self.position: Position = self.game.start()
        """The game as it stands."""
        self.render_mode = render_mode
        self.possible_agents = list(self.view.agents.values())
        self.observation_spaces = {agent: self._space(masks) for agent in self.possible_agents}
        self.action_spaces = {agent: LegalActions(self.view) for agent in self.possible_agents}
        self._masks = masks
        self._begin(self.game.start())

    def _space(self, masks: Masks) -> spaces.Space[Any]:
        if masks == "info":
            return self.view.space()
        mask = spaces.Box(0, 1, (self.view.actions,), dtype=np.int8)
        return spaces.Dict({"observation": self.view.space(), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> LegalActions:
        """What an agent can do; sampled without a mask, what it can do now."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. There is no chance in it; a seed fixes the actions that are sampled.

        The option ``position`` (a position or its text) is what this game begins with; others are refused.
        """
        # PettingZoo's own test resets every environment with {"options": 1}.
        asked = {name: value for name, value in (options or {}).items() if (name, value) != ("options", 1)}
        position = self.view.start(asked, ("position",))
        if seed is not None:
            for number, space in enumerate(self.action_spaces.values()):
                space.seed(seed + number)
        self._begin(position)
        if self.render_mode == "human":
            self.render()

    def _begin(self, position: Position) -> None:
        self.position = position
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.view.agents[self.position.turn]
        self._tell()

    def step(self, action: object) -> None:
        """Play the action of the agent on turn; ``None`` takes an agent out whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(self.view.move(action))
        self._cumulative_rewards[agent] = 0.0
        outcome = self.position.outcome
        for mark, name in self.view.agents.items():
            self.rewards[name] = float(outcome.score(mark)) if outcome else 0.0
            self.terminations[name] = outcome is not None
        turn = self.position.turn
        self.agent_selection = self.view.agents[self.game.after(turn) if outcome else turn]
        self._accumulate_rewards()
        self._tell()
        if self.render_mode == "human":
            self.render()

    def _tell(self) -> None:
        """Give each agent its mask: the legal actions on its turn, none otherwise."""
        self.infos = {}
        for agent in self.agents:
            turn = agent == self.agent_selection
            mask = self.view.mask(self.position) if turn else np.zeros(self.view.actions, dtype=np.int8)
            self.infos[agent] = {"action_mask": mask}
            self.action_spaces[agent].legal = mask.copy()

    def observe(self, agent: str) -> Observation:
        """The board as an agent sees it."""
        seat = self.possible_agents.index(agent)
        seen = self.view.observe(self.position, seat)
        if self._masks == "info":
            return seen
        mask = self.infos[agent]["action_mask"] if agent in self.infos else np.zeros(self.view.actions, np.int8)
        return {"observation": seen, "action_mask": mask.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal for the agent on turn; none once the game is over."""
        return self.view.mask(self.position).astype(np.bool_)

    def state(self) -> NDArray[np.int8]:
        """The board as the first player sees it, with the seat to move in its last plane."""
        seen = self.view.observe(self.position, 0)
        self.view.seat_plane(seen)[...] = self.game.marks.index(self.position.turn)
        return seen

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or as a picture; in the mode ``human`` it is printed with every move."""
        if self.render_mode is None:
            gymnasium.logger.warn("nothing to render: make the environment with a render_mode")
            return None
        return frame(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
