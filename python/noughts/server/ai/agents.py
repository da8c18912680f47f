"""Agents: players that the operator of a server gave a name, for clients to play as they play a level.

A client only ever names one. What stands behind the name, a path or a command, stays with the operator: it is in
no answer and no error.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from noughts.core import Game, Position
from noughts.errors import InvalidPlayer, NoughtsError
from noughts.games import all_presets
from noughts.games import game as game_of
from noughts.players import Choice, Limits, Player, player
from noughts.players.learned import Learned
from noughts.players.levels import LEVELS
from noughts.server.http.errors import Problem
from noughts.server.settings import InvalidSetting

__all__ = ["NOBODY", "Agent", "AgentFailed", "AgentMissing", "Agents", "read_agents", "refuse_level", "refuse_missing"]

log = logging.getLogger("noughts.server")

NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,23}")


class AgentMissing(NoughtsError):
    """Nobody here has this name."""

    code = "agent_missing"


class AgentFailed(NoughtsError):
    """An agent could not choose; why is in the log."""

    code = "agent_failed"


@dataclass(frozen=True, slots=True)
class Agent:
    """A player under a name."""

    name: str
    player: Player
    games: tuple[str, ...] | None
    """The specs of the games that it plays, or ``None`` for every one."""

    @property
    def summary(self) -> str:
        """What a client is told of it."""
        return f"an agent of this server that plays {'any game' if self.games is None else ', '.join(self.games)}"

    def plays(self, game: Game) -> bool:
        """Whether it can play a game."""
        try:
            self.player.check_game(game)
        except InvalidPlayer:
            return False
        except (NoughtsError, OSError) as error:
            raise self._failed(error) from error
        return True

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Choose a move with a player of its own for this one, as several threads may ask at once."""
        chooser = replace(self.player)
        try:
            return chooser.choose_legal(position, limits)
        except Exception as error:
            raise self._failed(error) from error
        finally:
            chooser.close()

    def _failed(self, error: Exception) -> AgentFailed:
        fields = {"agent": self.name, "reason": f"{type(error).__name__}: {error}"}
        log.error("an agent failed", extra={"fields": fields})
        return AgentFailed(f"the agent {self.name!r} cannot play right now")


Agents = Mapping[str, Agent]

NOBODY: Final[Agents] = {}


def read_agents(texts: Iterable[str]) -> Agents:
    """Make the agents of ``NAME=SPEC`` texts; :class:`InvalidSetting` says what is wrong with one."""
    found: dict[str, Agent] = {}
    for text in texts:
        name, equals, spec = (part.strip() for part in text.partition("="))
        if not equals or not spec:
            raise InvalidSetting(f"--agent {text}: must be NAME=SPEC, such as robin=q,path=runs/q-3x3-s0")
        if not NAME.fullmatch(name):
            raise InvalidSetting(
                f"--agent {name}=…: a name has up to 24 lower-case letters, digits, _ and -, a letter first"
            )
        if name in LEVELS:
            raise InvalidSetting(f"--agent {name}=…: {name} is a level; choose another name")
        if name in found:
            raise InvalidSetting(f"--agent {name}=…: there are two of this name")
        try:
            chooser = player(spec)
            found[name] = Agent(name, chooser, _games(chooser))
        except OSError as error:
            raise InvalidSetting(f"--agent {name}={spec}: {error.filename}: {error.strerror}") from None
        except NoughtsError as error:
            raise InvalidSetting(f"--agent {name}={spec}: {error}") from None
    return found


def _games(chooser: Player) -> tuple[str, ...] | None:
    """The games that a player does not refuse: those with a name, and the one that it learned."""
    presets = {game_of(spec).spec for spec in all_presets()}
    known = {chooser.knowledge.game} if isinstance(chooser, Learned) else set()
    played = []
    for spec in sorted(presets | known):
        try:
            chooser.check_game(game_of(spec))
        except InvalidPlayer:
            continue
        played.append(spec)
    return None if presets <= set(played) else tuple(played)


def refuse_level(level: str, game: Game, agents: Agents) -> None:
    """Refuse a level that there is not, and an agent that cannot play a game."""
    if level in LEVELS:
        return
    agent = agents.get(level)
    if agent is None:
        there = ", ".join([*LEVELS, *agents])
        raise Problem(400, "unknown_level", f"there is no level {level!r} here; there are: {there}")
    try:
        plays = agent.plays(game)
    except AgentFailed as error:
        raise Problem(503, error.code, str(error), headers={"Retry-After": "60"}) from None
    if not plays:
        raise Problem(400, "agent_cannot_play", f"{level} is {agent.summary}; it cannot play {game.spec}")


def refuse_missing(level: str | None, agents: Agents) -> None:
    """Refuse to go on with an agent that this server had once."""
    if level is not None and level not in LEVELS and level not in agents:
        raise Problem(
            503, "agent_missing", f"this server has no agent {level!r} any more", headers={"Retry-After": "60"}
        )
