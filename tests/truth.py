"""The value of small games by plain recursion over the rules, without any other part of the package."""

from noughts.games import game

SMALL = [
    "3x3",
    "3x3,misere",
    "3x3,corners",
    "3x3,k=2,exact",
    "connect4,size=3,k=3",
    "hex,size=2",
    "hex,size=3",
    "duel,size=2",
    "duel,size=3x2,opening=peaceful",
]
"""Games whose every position this takes seconds for at most."""


class Truth:
    """Values by plain recursion: (score, plies) for the player to move, or (margin, 0) where tiles count."""

    def __init__(self, spec):
        self.game, self.known = game(spec), {}

    def of(self, position):
        if position not in self.known:
            self.known[position] = max((self.after(position, move) for move in position.legal_moves), key=self.rank)
        return self.known[position]

    def after(self, position, move):
        """The value of a move for the player who makes it."""
        following = position.play(move)
        if following.outcome is not None:
            outcome, mark = following.outcome, position.turn
            return (outcome.margin(mark), 0) if self.game.counts_tiles else (outcome.score(mark), 1)
        score, plies = self.of(following)
        return -score, plies + (not self.game.counts_tiles)

    @staticmethod
    def rank(worth):
        score, plies = worth
        return score, -plies if score > 0 else plies if score < 0 else 0

    def proven(self, worth):
        """The same as an analysis reports it, without the distance of draws and tiles."""
        score, plies = worth
        value = "win" if score > 0 else "loss" if score < 0 else "draw"
        if self.game.counts_tiles:
            return value, None, score
        return value, plies if score else None, None


def told(worth):
    distance = None if worth.margin is not None else worth.distance
    return worth.value, distance if worth.value != "draw" else None, worth.margin
