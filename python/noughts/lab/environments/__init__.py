"""Environments for learners: Gymnasium's for one, PettingZoo's for every seat, and thousands at once.

Importing this package enters them into both libraries' registries: ``noughts/TicTacToe-v0`` and so on
for each preset, and ``noughts/Game-v0`` for any spec.
"""

from __future__ import annotations

try:
    import gymnasium  # noqa: F401
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"the environments need {missing.name}: install noughts[lab]", name=missing.name
    ) from missing

from noughts.lab.environments.aec import GameAEC, env, raw_env
from noughts.lab.environments.picture import picture
from noughts.lab.environments.registry import register
from noughts.lab.environments.single import GameEnv
from noughts.lab.environments.vector import VectorGameEnv
from noughts.lab.environments.view import View

__all__ = ["GameAEC", "GameEnv", "VectorGameEnv", "View", "env", "picture", "raw_env", "register"]

register()
