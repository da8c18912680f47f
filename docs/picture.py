"""Draw ``docs/play.svg``: a real game of 4x4 in the terminal, as ``noughts play`` shows it."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from noughts.games import game
from noughts.match import MakeMove
from noughts.players import player
from noughts.terminal.line import LineGame
from noughts.terminal.screen import Screen

WANTED = ("b2", "c3", "b3", "c2", "d4", "a4", "d1")
"""What X plays, as far as it is still free."""


def main() -> None:
    """Play the moves against the AI and save the last screen."""
    console = Console(record=True, file=io.StringIO(), width=60, force_terminal=True, highlight=False)
    screen = Screen(console=console)
    rival = player("minimax")
    line = LineGame.begin(game("4x4"), {"X": "human", "O": "minimax"}, screen)
    while not line.state.is_over:
        move = next(move for move in WANTED if move in line.state.position.legal_moves)
        line.store.dispatch(MakeMove(player="X", move=move))
        before = line.state.position
        choice = rival.choose(before)
        name = before.game.move_name(choice.move)
        line.store.dispatch(MakeMove(player="O", move=name))
    console.print(f"[bold]X to move:[/] {move}")
    screen.say(f"O plays {name}: {choice.note}")
    screen.board(line.state.position)
    screen.say(line.outcome(), style="bold")
    console.print("[bold]play again? \\[y/n][/] ")
    # The reader's own monospace font: no page should fetch one from elsewhere.
    frame = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    console.save_svg(str(Path(__file__).parent / "play.svg"), title="noughts play 4x4", code_format=frame)


if __name__ == "__main__":
    main()
