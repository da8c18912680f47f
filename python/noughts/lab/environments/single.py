"""One learner at the board, everybody else played for it: a Gymnasium environment."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from noughts.core import PASS, Game, Position
from noughts.errors import IllegalMove
from noughts.games import game as game_of
from noughts.lab.environments.picture import picture
from noughts.lab.environments.view import LegalActions, View
from noughts.players import Player, player, seeded

__all__ = ["GameEnv", "Illegal", "Seat", "check_choices", "frame"]

Illegal = Literal["raise", "lose"]
"""What an illegal move does: it is refused with an error, or ends the game with a reward of −1."""

Seat = int | Literal["any"]
"""The learner's place in the order of turns, or a new one drawn for every game."""

RENDER_MODES = ["human", "ansi", "rgb_array"]


class GameEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """A game against an opponent.

    ``opponent`` is a player or its spec, or ``None``: then every seat is the learner's, each step is
    one move, its reward goes to whoever made it, and the next observation is what the next player sees.

    >>> env = GameEnv("3x3", opponent="perfect", seat=1)
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist(), info["seat"]
    ((3, 3, 4), [0, 1, 1, 1, 1, 1, 1, 1, 1], 1)
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game = "3x3",
        *,
        opponent: str | Player | None = "random",
        seat: Seat = 0,
        illegal: Illegal = "raise",
        channels_first: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(game) if isinstance(game, str) else game
        check_choices(self.game, seat, illegal, render_mode, self.metadata["render_modes"], alone=opponent is None)
        self.opponent = player(opponent) if isinstance(opponent, str) else opponent
        if self.opponent is not None:
            self.opponent.check_game(self.game)
        self.view = View(self.game, channels_first)
        self.position: Position = self.game.start()
        """The game as it stands."""
        self.seat = 0
        """The seat whose observations the learner gets."""
        self.render_mode = render_mode
        self.observation_space = self.view.space()
        self.action_space: LegalActions = LegalActions(self.view)
        self._wanted = seat
        self._illegal = illegal
        self._over = "it has not begun"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a new game. A seed fixes all chance from here on: seats, opponents, sampled actions.

        Options, for this game alone: ``position`` (a position or its text) to begin with, ``opponent`` (a player or
        its spec). Others are refused.
        """
        position = self.view.start(options, ("position", "opponent"))
        guest = self._read_opponent(options)
        super().reset(seed=seed)
        if seed is not None:
            self.action_space.seed(seed)
            self.close()
        if self._chooser is None and self.opponent is not None:
            self._chooser = seeded(self.opponent, int(self.np_random.integers(2**62)))
        if self._guest is not None:
            self._guest.close()
        self._guest = None if guest is None else seeded(guest, int(self.np_random.integers(2**62)))
        self.position = position
        self._over = ""
        self.seat = int(self.np_random.integers(len(self.game.marks))) if self._wanted == "any" else self._wanted
        self._follow()
        if self.position.outcome is not None:
            self._over = f"the game is over: {self.position.result()}"
            raise ValueError(f"position={position.text!r}: the game ends there before the learner can move")
        return self._seen()

    def _read_opponent(self, options: dict[str, Any] | None) -> Player | None:
        """The opponent that the options of a reset ask for."""
        if not options or "opponent" not in options:
            return None
        given = options["opponent"]
        found = player(given) if isinstance(given, str) else given
        if not isinstance(found, Player):
            raise ValueError(f"opponent={given!r}: a player or its spec was expected")
        found.check_game(self.game)
        return found

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as MaskablePPO of sb3-contrib asks for them; none once the game is over."""
        return (
            np.zeros(self.view.actions, dtype=np.bool_)
            if self._over
            else self.view.mask(self.position).astype(np.bool_)
        )

    def step(self, action: object) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Play an action, then the opponents' moves until it is the learner's turn again."""
        move, mover = self.view.move(action), self.position.turn
        if self._over:
            raise IllegalMove(
                "game_over", f"reset the environment first: {self._over}", position=self.position, move=move
            )
        refused = self.position.why_not(move)
        if refused is not None and self._illegal == "raise":
            raise refused
        if refused is not None:
            self._over = f"the game ended with an illegal move: {refused}"
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": refused.code}
        self.position = self.position.play_unchecked(move)
        self._follow()
        outcome = self.position.outcome
        if outcome is not None:
            self._over = f"the game is over: {self.position.result()}"
        observation, info = self._seen()
        return observation, float(outcome.score(mover)) if outcome else 0.0, outcome is not None, False, info

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or as a picture; in the mode ``human`` it is printed with every move."""
        if self.render_mode is None:
            gymnasium.logger.warn("nothing to render: make the environment with a render_mode")
            return None
        return frame(self.position, self.render_mode)

    def close(self) -> None:
        """Let the opponent go; the next reset brings a new one."""
        for chooser in (self._chooser, self._guest):
            if chooser is not None:
                chooser.close()
        self._chooser = self._guest = None

    _chooser: Player | None = None
    """The opponent of this run, with a seed of its own."""

    _guest: Player | None = None
    """The opponent of this game alone, if the last reset named one."""

    def _follow(self) -> None:
        """Let the opponents move until it is the learner's turn or nobody's.

        A learner who can only pass is not asked either.
        """
        self._show()
        chooser = self._guest or self._chooser
        while chooser is not None and self.position.outcome is None:
            if self.position.turn != self.game.marks[self.seat]:
                move = chooser.choose(self.position).move
            elif PASS in self.game.specials and list(self.position.moves()) == [PASS]:
                move = PASS
            else:
                break
            self.position = self.position.play(move)
            self._show()
        if chooser is None:
            turn = self.position.turn
            self.seat = self.game.marks.index(self.game.after(turn) if self.position.outcome else turn)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _seen(self) -> tuple[NDArray[np.int8], dict[str, Any]]:
        mask = np.zeros(self.view.actions, dtype=np.int8) if self._over else self.view.mask(self.position)
        self.action_space.legal = mask.copy()
        return self.view.observe(self.position, self.seat), {"action_mask": mask, "seat": self.seat}


def check_choices(
    game: Game, seat: Seat, illegal: str, render_mode: str | None, render_modes: list[str], *, alone: bool
) -> None:
    """Refuse what makes no environment, naming what would."""
    if seat != "any" and seat not in range(len(game.marks)):
        raise ValueError(f"seat {seat!r}: {game} has the seats 0 to {len(game.marks) - 1}, or 'any'")
    if alone and seat != 0:
        raise ValueError(f"seat {seat!r}: without an opponent every seat is the learner's; leave it out")
    if illegal not in ("raise", "lose"):
        raise ValueError(f"illegal={illegal!r}: an illegal move can 'raise' or 'lose'")
    if render_mode is not None and render_mode not in render_modes:
        raise ValueError(f"render_mode={render_mode!r}: there are {', '.join(render_modes)}")


def frame(position: Position, mode: str) -> str | NDArray[np.uint8] | None:
    """A position as a picture, as text, or printed."""
    if mode == "rgb_array":
        return picture(position)
    text = f"{position}\n{position.result()}"
    if mode == "ansi":
        return text
    print(text, end="\n\n", flush=True)
    return None
