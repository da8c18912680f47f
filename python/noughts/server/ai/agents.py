"""Agents: players that the operator of a server gave a name, for clients to play against as against a level.

A client only ever sends the name. What is behind it, a path or a command, stays with the operator: no answer and
no error shows it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Final

from noughts.core import Game, Position
from noughts.errors import InvalidPlayer, NoughtsError
from noughts.games import all_presets
from noughts.games import game as game_of
from noughts.players import Choice, Limits, Player, player
from noughts.players.learned import Learned
from noughts.players.levels import all_levels
from noughts.server.errors import AgentFailed, AgentMissing, InvalidSetting, Refused

__all__ = ["NO_AGENTS", "Agent", "Agents", "check_agent_exists", "check_level", "played_games", "read_agents"]

log = logging.getLogger("noughts.server")

NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,23}")


@dataclass(frozen=True, slots=True)
class Agent:
    """A player under a name."""

    name: str
    player: Player
    games: tuple[str, ...] | None
    """The specs of the games that it plays, or ``None`` for every one."""

    @property
    def summary(self) -> str:
        """A description for clients."""
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

NO_AGENTS: Final[Agents] = {}


def read_agents(texts: Iterable[str]) -> Agents:
    """Make the agents of ``NAME=SPEC`` texts; :class:`InvalidSetting` says what is wrong with one."""
    found: dict[str, Agent] = {}
    for text in texts:
        name, equals, spec = (part.strip() for part in text.partition("="))
        if not equals or not spec:
            raise InvalidSetting(f"--agent {text}: must be NAME=SPEC, e.g. robin=q,path=runs/q-3x3-s0")
        if not NAME.fullmatch(name):
            raise InvalidSetting(
                f"--agent {name}=…: a name has up to 24 lower-case letters, digits, _ and -, a letter first"
            )
        if name in all_levels():
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
    """The games that a player does not refuse, out of all presets and the one that it learned."""

    def plays(game: Game) -> bool:
        try:
            chooser.check_game(game)
        except InvalidPlayer:
            return False
        return True

    return played_games(plays, {chooser.knowledge.game} if isinstance(chooser, Learned) else set())


def played_games(plays: Callable[[Game], bool], more: Set[str] = frozenset()) -> tuple[str, ...] | None:
    """The specs of the games that somebody plays, out of all presets and ``more``; ``None`` if that is every preset."""
    presets = {game_of(spec).spec for spec in all_presets()}
    played = tuple(spec for spec in sorted(presets | more) if plays(game_of(spec)))
    return None if presets <= set(played) else played


def check_level(level: str, game: Game, agents: Agents) -> None:
    """Refuse an unknown level, and a level or an agent that cannot play a game."""
    known = all_levels().get(level)
    if known is not None:
        if not known.plays(game):
            there = ", ".join(name for name, kind in all_levels().items() if kind.plays(game))
            raise Refused("level_cannot_play", f"the level {level} cannot play {game.spec}; there are: {there}")
        return
    agent = agents.get(level)
    if agent is None:
        there = ", ".join([*all_levels(), *agents])
        raise Refused("unknown_level", f"there is no level {level!r} here; there are: {there}")
    if not agent.plays(game):
        raise Refused("agent_cannot_play", f"{level} is {agent.summary}; it cannot play {game.spec}")


def check_agent_exists(level: str | None, agents: Agents) -> None:
    """Raise :class:`AgentMissing` for a level that is an agent this server does not have any more."""
    if level is not None and level not in all_levels() and level not in agents:
        raise AgentMissing(f"this server has no agent {level!r} any more")
