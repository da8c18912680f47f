"""The names under which Gymnasium and PettingZoo make the environments.

Every preset of every registered game has one, and ``Game`` takes any spec. A version is raised when
the same actions no longer lead to the same observations and rewards.
"""

from __future__ import annotations

import re

import gymnasium
import pettingzoo

from noughts.games import all_presets

__all__ = ["NAMESPACE", "register"]

NAMESPACE = "noughts"
VERSION = 0


def register() -> None:
    """Enter all names into both registries; those already there stay."""
    specs = {"game": "3x3", **{name: name for name in all_presets()}}
    here = __name__.rpartition(".")[0]
    for name, spec in specs.items():
        single = f"{NAMESPACE}/{_written(name)}-v{VERSION}"
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


def _written(name: str) -> str:
    """A name with capitals: those of the preset's title where that is the same word, ``TicTacToe``."""
    preset = all_presets().get(name)
    words = re.findall(r"\w+", preset.title if preset else name)
    title = "".join(word[:1].upper() + word[1:] for word in words)
    return title if title.lower() == name else name[:1].upper() + name[1:]
