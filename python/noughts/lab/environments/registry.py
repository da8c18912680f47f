"""The names under which Gymnasium and PettingZoo make the environments.

Every preset of every registered game has one, and ``Game`` takes any spec. A version is raised when
the same actions no longer lead to the same observations and rewards.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from noughts.games import all_presets

__all__ = ["NAMESPACE", "register"]

NAMESPACE = "noughts"
VERSION = 0

_WRITTEN = {"tictactoe": "TicTacToe"}
"""Names that everybody writes in their own way; the others only get a capital."""


def register() -> None:
    """Enter all names into both registries; those already there stay."""
    specs = {"game": "3x3", **{name: name for name in all_presets()}}
    here = __name__.rpartition(".")[0]
    for name, spec in specs.items():
        title = _WRITTEN.get(name, name[:1].upper() + name[1:])
        single = f"{NAMESPACE}/{title}-v{VERSION}"
        if single not in gymnasium.registry:
            gymnasium.register(
                single,
                entry_point=f"{here}.single:GameEnv",
                vector_entry_point=f"{here}.vector:VectorGameEnv",
                kwargs={"game": spec},
            )
        several = f"{NAMESPACE}/{name}-v{VERSION}"
        if several not in pettingzoo.aec_registry:
            pettingzoo.register("aec", several, entry_point=f"{here}.aec:env", kwargs={"game": spec})
