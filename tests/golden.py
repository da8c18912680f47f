"""Golden playthroughs: one recorded match per registered game, in ``tests/golden``.

``make records`` writes them again; a difference means the rules or the record format changed.
"""

from __future__ import annotations

import random
from pathlib import Path

from noughts.games import all_games
from noughts.match import MakeMove, Redo, StartGame, Store, Undo, dump

FOLDER = Path(__file__).parent / "golden"


def playthrough(name: str) -> str:
    """The record of a random match at the game's first preset, with an undo and a redo in it.

    A game without presets is played as it is without options.
    """
    kind = all_games()[name]
    spec = kind.presets[0].spec if kind.presets else kind().spec
    rng = random.Random(name)
    store = Store()
    at = 1.0
    store.dispatch(StartGame(game=spec, id=f"golden-{name}", at=at))
    while not store.state.is_over:
        at += 1.0
        move = store.state.game.move_name(store.state.position.legal_moves.pick(rng))
        store.dispatch(MakeMove(player=store.state.turn, move=move, at=at))
        if len(store.actions) == 4:
            store.dispatch(Undo(at=at + 0.25))
            store.dispatch(Redo(at=at + 0.5))
    return dump(store.actions)


def expected(name: str) -> str:
    """The record together with the position after each action."""
    from noughts.match import read

    text = playthrough(name)
    positions = "".join(f"{state.version} {state.status} {state.position.text}\n" for state in read(text).states)
    return text + "\n" + positions


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_name in all_games():
        (FOLDER / f"{game_name}.txt").write_text(expected(game_name), encoding="utf-8")
        print(f"wrote {game_name}")
