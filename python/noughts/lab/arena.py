"""The arena: players meet each other, seats swapped, openings varied, on all cores."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from noughts.core import Game, Mark
from noughts.errors import InvalidPlayer, NoughtsError
from noughts.games import game as game_of
from noughts.lab.rating import Rating, Score, Sprt, rate
from noughts.lab.workers import workers as place
from noughts.match import Action, MakeMove, Resign, StartGame, Store, save
from noughts.players import player, seeded

__all__ = ["Arena", "Meeting", "Played", "arena", "play_meeting"]

Progress = Callable[[int, int], None]
"""Told how many games are done and how many there are at most."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game to be played: who sits where, and how it opens."""

    number: int
    game: str
    players: tuple[str, ...]
    """The spec of each seat's player, in the order of the game's marks."""
    entrants: tuple[int, ...]
    """The entrant in each seat."""
    opening: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Played:
    """How a meeting went."""

    meeting: Meeting
    winner: int | None
    """The entrant who won, or ``None`` for a draw."""
    plies: int
    failure: str = ""
    """Why a player forfeited, if one did."""
    actions: tuple[Action, ...] = ()
    attempts: tuple[int, ...] = (0, 0)
    """Each seat's attempts at illegal moves."""


@dataclass
class Arena:
    """The results of an arena."""

    game: str
    players: tuple[str, ...]
    seed: int
    scores: dict[tuple[int, int], Score] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    games: int = 0
    plies: int = 0
    attempts: dict[int, int] = field(default_factory=dict)
    """Each player's attempts at illegal moves, where there were any."""
    sprt: str | None = None
    """What the sequential test found: ``better``, ``not better``, or nothing yet."""

    def add(self, played: Played) -> None:
        """Count a game."""
        one, two = sorted(played.meeting.entrants)
        result = Score(draws=1) if played.winner is None else Score(wins=1) if played.winner == one else Score(losses=1)
        self.scores[one, two] = self.scores.get((one, two), Score()) + result
        self.games += 1
        self.plies += played.plies
        for entrant, tried in zip(played.meeting.entrants, played.attempts, strict=True):
            if tried:
                self.attempts[entrant] = self.attempts.get(entrant, 0) + tried
        if played.failure:
            self.failures.append(f"game {played.meeting.number + 1}: {played.failure}")

    def ratings(self) -> list[Rating]:
        """The players' ratings in the order they were named."""
        return rate(self.scores, len(self.players))

    def total(self, entrant: int) -> Score:
        """All games of one player."""
        total = Score()
        for (one, two), score in self.scores.items():
            if entrant == one:
                total += score
            elif entrant == two:
                total += score.reversed()
        return total

    def to_json(self) -> dict[str, object]:
        """The results as a JSON object."""
        return {
            "game": self.game,
            "seed": self.seed,
            "games": self.games,
            "mean_length": round(self.plies / self.games, 2) if self.games else 0,
            "players": [
                {
                    "player": spec,
                    "wins": self.total(i).wins,
                    "draws": self.total(i).draws,
                    "losses": self.total(i).losses,
                    "elo": round(rating.elo, 1),
                    "error": round(rating.error, 1),
                    "invalid_attempts": self.attempts.get(i, 0),
                }
                for i, (spec, rating) in enumerate(zip(self.players, self.ratings(), strict=True))
            ],
            "pairs": [
                {"first": one, "second": two, "wins": s.wins, "draws": s.draws, "losses": s.losses}
                for (one, two), s in sorted(self.scores.items())
            ],
            "failures": self.failures,
            "sprt": self.sprt,
        }


def arena(
    players: Sequence[str],
    game: Game,
    games: int,
    *,
    seed: int = 0,
    opening_plies: int = 2,
    workers: int | None = None,
    on: str = "local",
    records: Path | None = None,
    sprt: Sprt | None = None,
    progress: Progress | None = None,
) -> Arena:
    """Let every two players meet in ``games`` games.

    Games come in pairs that open alike with the seats swapped. The same seed gives the same games,
    as long as the players count positions rather than seconds. A player that fails loses that game.
    With ``sprt``, two players meet until the test is decided, ``games`` times at most.
    """
    if len(game.marks) != 2:
        raise InvalidPlayer(f"the arena is for two players; {game} has {len(game.marks)} players")
    if len(players) < 2 or (sprt is not None and len(players) != 2):
        raise InvalidPlayer("the arena needs at least two players, and exactly two with a sequential test")
    for spec in players:
        player(spec).check_game(game)
    result = Arena(game.spec, tuple(players), seed)
    schedule = list(_schedule(players, game, games, seed, opening_plies))
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    for played in place(on, workers).map(play_meeting, schedule):
        result.add(played)
        if records is not None:
            save(records / f"{played.meeting.number + 1:05}.jsonl", played.actions)
        if progress is not None:
            progress(result.games, len(schedule))
        if sprt is not None and result.games % 2 == 0:
            result.sprt = sprt.verdict(result.scores[0, 1])
            if result.sprt is not None:
                break
    return result


def _schedule(players: Sequence[str], game: Game, games: int, seed: int, opening_plies: int) -> Iterator[Meeting]:
    """All meetings, pair by pair of games: an opening, and the same with the seats swapped."""
    rng = random.Random(f"arena {seed}")
    number = itertools.count()
    for round_ in range((games + 1) // 2):
        for one, two in itertools.combinations(range(len(players)), 2):
            opening = _opening(game, rng, opening_plies)
            for entrants in ((one, two), (two, one))[: games - 2 * round_]:
                specs = tuple(players[entrant] for entrant in entrants)
                yield Meeting(next(number), game.spec, specs, entrants, opening, rng.getrandbits(48))


def _opening(game: Game, rng: random.Random, plies: int) -> tuple[str, ...]:
    """Random first moves that do not end the game."""
    for _ in range(100):
        position, moves = game.start(), []
        for _ in range(plies):
            if position.outcome is not None:
                break
            moves.append(position.legal_moves.pick(rng))
            position = position.play_unchecked(moves[-1])
        if position.outcome is None:
            break
    else:
        return ()
    return tuple(game.move_name(move) for move in moves)


def play_meeting(meeting: Meeting) -> Played:
    """Play one game to its end. A player that fails forfeits it, with the reason."""
    game = game_of(meeting.game)
    store = Store()
    seats = dict(zip(game.marks, meeting.players, strict=True))
    store.dispatch(StartGame(game=meeting.game, id=f"arena-{meeting.number + 1}", players=seats))
    store.play_line(meeting.opening)
    failure, attempts = "", {mark: Counter[str]() for mark in game.marks}
    minds = {
        mark: seeded(player(spec, mark=mark), meeting.seed + seat) for seat, (mark, spec) in enumerate(seats.items())
    }
    try:
        while not store.state.is_over:
            mark = store.state.turn
            try:
                choice = minds[mark].choose_legal(store.state.position, attempts=attempts[mark])
                store.dispatch(MakeMove(player=mark, move=game.move_name(choice.move)))
            except (NoughtsError, OSError) as error:
                failure = f"{seats[mark]} as {mark} forfeits: {error}"
                store.dispatch(Resign(player=mark, reason=str(error)))
    finally:
        for mind in minds.values():
            mind.close()
    tried = tuple(attempts[mark].total() for mark in game.marks)
    winner = _entrant(meeting, game.marks, store.state.winner)
    return Played(meeting, winner, len(store.state.history), failure, store.actions, tried)


def _entrant(meeting: Meeting, marks: tuple[Mark, ...], winner: str | None) -> int | None:
    return meeting.entrants[marks.index(winner)] if winner in marks else None
