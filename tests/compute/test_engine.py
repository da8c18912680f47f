"""The engine remembers from move to move, repeats itself where it should, and keeps within its pool."""

import pickle
import random
import threading

import pytest

from noughts.compute.engine import Engine, EnginePool, think
from noughts.compute.limits import Limits
from noughts.errors import SearchError
from noughts.games import game
from noughts.players import player

EXHAUSTIVE = Limits(threads=1)
"""One thread and no other limit: the search ends with a proof, after the same number of nodes each time."""


def played(spec, moves):
    here = game(spec).start()
    for move in moves.split():
        here = here.play(move)
    return here


@pytest.mark.parametrize(
    ("spec", "moves"), [("6x6,k=4", "c3"), ("hex,size=4", "a1"), ("duel,size=4", "a1 d4 b1 c4 a2 d3 b2 c3")]
)
def test_an_engine_remembers_from_move_to_move(spec, moves):
    here = played(spec, moves)
    engine = Engine()
    first = engine.think(here, EXHAUSTIVE)
    assert first.proven is not None
    assert engine.bytes > 0
    after = here.play(first.best)
    known, anew = engine.think(after, EXHAUSTIVE), Engine().think(after, EXHAUSTIVE)
    assert known.proven.value == anew.proven.value == first.proven.flipped().value
    assert known.nodes < anew.nodes


@pytest.mark.parametrize("limits", [Limits(nodes=3000), Limits(depth=3)])
def test_a_search_limited_by_nodes_or_depth_repeats_whatever_came_before(limits):
    here = played("gomoku", "h8 i9 i8")
    engine = Engine()
    answers = []
    for before in (None, here, here.play("g8"), game("9x9,k=5").start().play("e5").play("e6")):
        if before is not None:
            engine.think(before, Limits(seconds=0.05))
        found = engine.think(here, limits)
        answers.append((found.best, found.score, found.depth, found.nodes, found.line, found.moves))
    assert answers == [answers[0]] * 4


def test_players_keep_their_engine_and_copies_start_empty():
    here = played("6x6,k=4", "c3")
    for spec in ("engine,threads=1,seconds=60", "perfect,seconds=60"):
        who = player(spec)
        engine = who._engine
        engine.think(here, EXHAUSTIVE)
        assert engine.bytes > 0
        copied = pickle.loads(pickle.dumps(who))
        assert copied == who
        assert copied._engine.bytes == 0
        who.close()
        assert engine.bytes == 0


def test_an_engine_given_with_the_limits_is_used():
    here, engine = played("6x6,k=4", "c3"), Engine()
    player("engine,threads=1,seconds=60").choose(here, Limits(engine=engine))
    assert engine.bytes > 0


def test_it_says_which_games_it_does_not_play():
    for spec in ("5x5,k=4,players=3", "30x30,k=5"):
        with pytest.raises(SearchError, match="the engine does not play"):
            think(game(spec).start())


def test_a_pool_lends_the_same_engine_again():
    pool = EnginePool(tables=2)
    with pool.borrow("a") as one:
        pass
    with pool.borrow("b"), pool.borrow("a") as again:
        assert again is one
    with pool.borrow("a") as first, pool.borrow("a") as second:
        assert first is not second


def test_a_pool_is_bounded_and_forgets_what_was_not_used_for_longest():
    pool, here = EnginePool(tables=3, memory=3 << 20), played("hex,size=4", "a1")
    engines = {}
    for key in "abcad":
        with pool.borrow(key) as engine:
            engine.think(here, EXHAUSTIVE)
            assert 0 < engine.bytes <= engine.memory == 1 << 20
            engines[key] = engine
    assert pool.bytes <= pool.memory
    with pool.borrow("a") as engine:
        assert engine is engines["a"]
    with pool.borrow("b") as engine:
        assert engine is not engines["b"]
    with pytest.raises(ValueError, match="has none to lend"):
        EnginePool(tables=0)


def test_many_threads_share_a_pool():
    pool, lent, most, lock = EnginePool(tables=2), set(), [], threading.Lock()

    def borrow(seed):
        rng = random.Random(seed)
        for _ in range(200):
            with pool.borrow(rng.randrange(5)) as engine:
                with lock:
                    assert engine not in lent
                    lent.add(engine)
                    most.append(len(lent))
                with lock:
                    lent.remove(engine)

    threads = [threading.Thread(target=borrow, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 800
    assert max(most) <= 2
