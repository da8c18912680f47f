"""Grades of moves whose worth is known, with a proof withheld: a sample of ``benchmarks/reviews.py``."""

from dataclasses import replace

import pytest
from benchmarks.reviews import KINDS, known_moves, scores

SAMPLE = 8


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_blunders_are_found_and_sound_moves_are_not_blamed(kind):
    kind = replace(kind, nodes=kind.nodes // 2)
    moves = known_moves(kind, SAMPLE)
    assert [known.is_blunder for known in moves] == [True] * (SAMPLE // 2) + [False] * (SAMPLE // 2)
    found = scores(kind, moves, ("both proofs", "before withheld", "after withheld"))
    for mode, score in found.items():
        assert (score.found, score.blamed) == (SAMPLE // 2, 0), mode
