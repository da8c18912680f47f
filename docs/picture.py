"""Draw ``docs/play.svg`` and ``docs/analysis.svg``: what the terminal shows of a real game and of its analysis."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from noughts.analysis import analyse, review
from noughts.games import game
from noughts.match import MakeMove
from noughts.players import Limits, player
from noughts.terminal import words
from noughts.terminal.line import LineGame
from noughts.terminal.report import show_analysis, show_review
from noughts.terminal.screen import Screen

WANTED = ("b2", "c3", "b3", "c2", "d4", "a4", "d1")
"""What X plays, as far as it is still free."""


def recorder(width: int) -> Console:
    """A terminal that keeps what it shows."""
    return Console(record=True, file=io.StringIO(), width=width, force_terminal=True, highlight=False)


def keep(console: Console, name: str, title: str) -> None:
    """Save what was shown as a picture."""
    # The reader's own monospace font: no page should fetch one from elsewhere.
    frame = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    console.save_svg(str(Path(__file__).parent / name), title=title, code_format=frame)


def play() -> None:
    """Play the moves against the AI and save the last screen."""
    console = recorder(60)
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
    screen.say(f"O plays {name}: {words.explain(choice.note, before.game)}")
    screen.board(line.state.position)
    screen.say(line.outcome(), style="bold")
    console.print("[bold]play again? \\[y/n][/] ")
    keep(console, "play.svg", "noughts play 4x4")


def analysis() -> None:
    """Analyse a position and review the moves that led to it."""
    positions = [game("6x6,k=4").start()]
    for move in ("b2", "c3", "d3", "c4", "c2", "e5"):
        positions.append(positions[-1].play(move))
    console = recorder(100)
    screen = Screen(console=console)
    show_analysis(analyse(positions[-1], Limits(seconds=20)), screen)
    screen.say()
    show_review(review(positions, Limits(seconds=60)), screen)
    keep(console, "analysis.svg", "noughts analyse 6x6,k=4 b2 c3 d3 c4 c2 e5")


def main() -> None:
    """Draw both."""
    play()
    analysis()


if __name__ == "__main__":
    main()
