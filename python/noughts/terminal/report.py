"""Analyses and reviews on a screen: the same words in colour and in plain text.

On the board a filled cell is proven and a coloured figure is an estimate; without colour, signs are
proven and figures are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.markup import escape

from noughts.analysis import Analysis, Estimate, Evaluation, Grade, GradedMove, Proven, Review
from noughts.board.drawing import draw
from noughts.core import Game, Move
from noughts.terminal import words
from noughts.terminal.screen import Screen

__all__ = ["show_analysis", "show_review"]

BAR_WIDTH = 30
"""Characters in the evaluation bar."""

MAX_ESTIMATES_LISTED = 8
"""How many moves that are only estimated are listed."""

MAX_MOVES_NAMED = 12
"""How many moves of the same value, or of a line, are named."""

_SIGNS = {"win": "+", "draw": "=", "loss": "-"}
_FILLED = {"win": "bold black on green", "draw": "bold black on yellow", "loss": "bold white on red"}
_PLAIN = {"win": "green", "draw": "yellow", "loss": "red"}

_GRADES: dict[Grade, tuple[str, str]] = {
    "best": ("", "green"),
    "good": ("", "green"),
    "inaccuracy": ("?!", "yellow"),
    "mistake": ("?", "orange1"),
    "blunder": ("??", "bold red"),
    "unknown": ("", "dim"),
}


def show_analysis(analysis: Analysis, screen: Screen) -> None:
    """Print a position with the value of every move on its board, and all that is known about it."""
    for line in _analysis(analysis, screen):
        screen.show(line)


def show_review(review: Review, screen: Screen) -> None:
    """Print every move of a match with its grade and what would have been better."""
    for line in _review(review, screen):
        screen.show(line)


def _analysis(analysis: Analysis, screen: Screen) -> Iterator[str]:
    position, name = analysis.position, analysis.position.game.move_name
    yield f"[bold]{escape(position.game.spec)}[/]: {position.result()}"
    yield ""
    yield _board(analysis, screen)
    yield from _legend(analysis)
    yield ""
    yield from _verdict(analysis)
    if analysis.best and position.outcome is None:
        yield f"hint     {words.hint(analysis)}"
        yield f"best     [bold]{_names(map(name, analysis.best))}[/]"
    if len(analysis.line) > 1:
        yield f"line     {_names(map(name, analysis.line))}"
    for number, threat in enumerate(analysis.threats):
        yield f"{'' if number else 'threats':<9}{words.threat(threat, position)}"
    yield from _moves(analysis)
    if analysis.method != "rules":
        yield from _effort(analysis.nodes, analysis.seconds, analysis.stopped, screen)


def _verdict(analysis: Analysis) -> Iterator[str]:
    """The evaluation in words, and between two players as a bar."""
    mark, worth = analysis.position.turn, analysis.evaluation
    if analysis.position.outcome is not None:
        return
    yield f"[bold]{words.summary(analysis)}[/] {words.METHODS[analysis.method]}".rstrip()
    if worth is None:
        return
    if isinstance(worth, Estimate) and analysis.bounds != ("loss", "win"):
        yield f"         between {analysis.bounds[0]} and {analysis.bounds[1]}, proven"
    marks = analysis.position.game.marks
    if len(marks) == 2 and (isinstance(worth, Proven) or worth.clear):
        # Always the first mark on the left, whoever is to move.
        mine = worth.score if mark == marks[0] else -worth.score
        filled = round(BAR_WIDTH * (mine + 1) / 2)
        solid, rest = ("█", "░") if isinstance(worth, Proven) else ("▓", "░")
        yield f"{marks[0]} [green]{solid * filled}[/][red]{rest * (BAR_WIDTH - filled)}[/] {marks[1]}"


def _board(analysis: Analysis, screen: Screen) -> str:
    """The board with a sign or a figure in every cell that can be played, the best ones starred."""
    position = analysis.position
    decided = frozenset(position.outcome.cells) if position.outcome and position.outcome.tiles is None else frozenset()

    def symbol(cell: int) -> str:
        mark = position.cells.get(cell)
        if mark is not None:
            return f"[bold {screen.colour(position, mark)}{' underline' if cell == position.last else ''}]{mark}[/]"
        return _sign(analysis.moves.get(cell))

    around = position.last if position.last is not None and position.last >= 0 else max(analysis.best, default=0)
    marked = frozenset(analysis.best) | decided
    return draw(position.game.grid, position.game.layout, symbol, marked=marked, around=max(around, 0))


def _sign(worth: Evaluation | None) -> str:
    if worth is None:
        return "[dim]·[/]"
    if isinstance(worth, Proven):
        return f"[{_FILLED[worth.value]}]{_SIGNS[worth.value]}[/]"
    return f"[{_shade(worth)}]{min(9, int(10 * worth.share)) if worth.clear else '?'}[/]"


def _shade(worth: Estimate) -> str:
    if not worth.clear:
        return "dim"
    return "green" if worth.share > 0.6 else "red" if worth.share < 0.4 else "yellow"


def _legend(analysis: Analysis) -> Iterator[str]:
    """What the signs on the board mean, as far as they are there."""
    if analysis.position.outcome is not None:
        return
    signs = []
    if any(isinstance(worth, Proven) for worth in analysis.moves.values()):
        signs.append("proven: + win, = draw, - loss")
    estimates = [worth for worth in analysis.moves.values() if isinstance(worth, Estimate)]
    if any(worth.clear for worth in estimates):
        signs.append("estimate: 0 (lost) to 9 (won)")
    if any(not worth.clear for worth in estimates):
        signs.append("? unclear")
    if any(worth is None for worth in analysis.moves.values()):
        signs.append("· not known")
    yield f"[dim]{'; '.join([*signs, '* best'])}[/]"


def _moves(analysis: Analysis) -> Iterator[str]:
    """The moves by value: proven ones together, estimates one by one, the rest counted."""
    name = analysis.position.game.move_name
    proven: dict[Proven, list[Move]] = {}
    guessed: list[tuple[Move, Estimate]] = []
    known = [(move, worth) for move, worth in analysis.moves.items() if worth is not None]
    for move, worth in sorted(known, key=lambda item: item[1].rank, reverse=True):
        if isinstance(worth, Proven):
            proven.setdefault(worth, []).append(move)
        else:
            guessed.append((move, worth))
    if proven or guessed:
        yield ""
        yield "[bold]moves[/]"
    for value, moves in proven.items():
        text = words.evaluation(value)
        yield f"  [{_PLAIN[value.value]}]{text:<26}[/] {_names(map(name, sorted(moves)), plain=True)}"
    for move, guess in guessed[:MAX_ESTIMATES_LISTED]:
        yield f"  [{_shade(guess)}]{words.evaluation(guess):<26}[/] {name(move)}"
    if len(guessed) > MAX_ESTIMATES_LISTED:
        yield f"  and {len(guessed) - MAX_ESTIMATES_LISTED} more that are estimated lower"
    unknown = sum(worth is None for worth in analysis.moves.values())
    if unknown:
        yield f"  {unknown} not known"


def _names(names: Iterable[str], *, plain: bool = False) -> str:
    """Some of the names, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - MAX_MOVES_NAMED} more" if len(listed) > MAX_MOVES_NAMED + 1 else ""
    return " ".join(listed[:MAX_MOVES_NAMED] if more else listed) + (more if plain or not more else f"[dim]{more}[/]")


def _review(review: Review, screen: Screen) -> Iterator[str]:
    game, last = review.positions[0].game, review.positions[-1]
    result = f"{review.resigned} resigned" if review.resigned else last.result()
    yield f"[bold]{escape(game.spec)}[/]: {len(review.moves)} moves, {result}"
    yield ""
    if not review.moves:
        yield "there is no move to review"
        return
    yield "[bold]   # move       grade                    what it changed[/]"
    for graded in review.moves:
        yield _row(graded, review, screen)
    yield ""
    yield from _summaries(review)
    yield from _effort(review.nodes, review.seconds, review.stopped, screen, left="earlier moves are not known")


def _effort(nodes: int, seconds: float, stopped: str | None, screen: Screen, *, left: str = "") -> Iterator[str]:
    """What the work took, for those who want details; that it was stopped by hand, for everybody."""
    ended = ": ".join(filter(None, (f"stopped by {words.STOPS[stopped]}", left))) if stopped else ""
    figures = f"{nodes:,} positions in {seconds:.2f} s" if screen.details else ""
    if screen.details or stopped == "cancelled":
        yield ""
        yield f"[dim]{', '.join(filter(None, (figures, ended)))}[/]"


def _row(graded: GradedMove, review: Review, screen: Screen) -> str:
    game = review.positions[0].game
    name = game.move_name
    sign, style = _GRADES[graded.grade]
    basis = (
        "" if graded.grade == "unknown" else "forced" if graded.forced else "proven" if graded.proven else "estimate"
    )
    grade = f"{words.GRADES[graded.grade]} {sign}"
    row = f"{graded.ply:>4} {graded.mark} {name(graded.move):<8} [{style}]{grade:<14}[/] {basis:<9} "
    row += _why(graded, game, screen)
    if graded.better is not None:
        row += f"; better [bold]{name(graded.better)}[/]"
        then = [name(move) for move in graded.line[1:5]]
        row += f" [dim]({' '.join(then)}{' …' if len(graded.line) > 5 else ''})[/]" if then else ""
    return row.rstrip()


def _why(graded: GradedMove, game: Game, screen: Screen) -> str:
    """What speaks for the move or against it; with details, what it changed as well."""
    said = "" if graded.reason is None else words.reason(graded.reason, game)
    change = _change(graded) if screen.details or not said else ""
    return ": ".join(filter(None, (said, change)))


def _change(graded: GradedMove) -> str:
    before, after = (None if worth is None else words.evaluation(worth) for worth in (graded.before, graded.after))
    if after is None:
        return "" if before is None else f"{before} before"
    if before is None or before == after or graded.grade == "best":
        return after
    return f"{before} → {after}"


def _summaries(review: Review) -> Iterator[str]:
    summaries = review.summaries
    shown = [grade for grade in _GRADES if any(summary.grades[grade] for summary in summaries)]
    yield (
        "[bold]player  moves  "
        + "".join(f"{words.GRADES[grade]:<{len(grade) + 2}}" for grade in shown)
        + "best or good[/]"
    )
    for summary in summaries:
        counts = "".join(f"{summary.grades[grade]:<{len(grade) + 2}}" for grade in shown)
        share = "" if summary.accuracy is None else f"{summary.accuracy:.0%}"
        yield f"{summary.mark:<7} {summary.moves:<6} {counts}{share}".rstrip()
