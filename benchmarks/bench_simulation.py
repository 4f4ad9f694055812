"""Random rounds: dealing them, settling as many as no cache holds, and simulating by tables and by a function."""

from __future__ import annotations

import numpy as np
from common import SEED, Case, time_with

import uteh

ROWS = 4_194_304
ROUNDS = 4_000_000
ASKED = 500_000


def simple(street: str, cards: np.ndarray) -> np.ndarray:
    """A strategy that looks at a rank or two."""
    high = cards[:, :2].max(axis=1) >> 2
    if street == "preflop":
        return 4 * (high >= 11)
    paired = (cards[:, 2:] >> 2 == high[:, None]).any(axis=1)
    return 2 * paired if street == "flop" else (paired | (high >= 9)).astype(np.uint8)


def cases() -> list[Case]:
    rows = uteh.deal_many(ROWS, rng=SEED)
    play = np.random.default_rng(1).choice(np.array([0, 10, 20, 30, 40]), ROWS)
    game = uteh.solve()
    two = uteh.simulate(50_000, strategy=game, rng=1, threads=2)
    assert two == uteh.simulate(50_000, strategy=game, rng=1)
    net = uteh.settle_many(rows, ante=10, play=play, columns=["net"])
    every = uteh.settle_many(rows, ante=10, play=play)
    assert (net.net == every.net).all()
    dealt = np.empty_like(rows)

    def settled(columns, out):
        return lambda: uteh.settle_many(rows, ante=10, play=play, columns=columns, out=out)

    return [
        Case("uteh.deal_many, with out=", lambda: uteh.deal_many(ROWS, rng=SEED, out=dealt), ROWS),
        Case("uteh.settle_many, 4,194,304 rows, net alone", settled(["net"], None), ROWS),
        Case("uteh.settle_many, 4,194,304 rows, all columns into out=", settled(None, every), ROWS),
        Case("uteh.settle_many, 4,194,304 rows, all columns", settled(None, None), ROWS),
        Case("uteh.simulate, a Solution", lambda: uteh.simulate(ROUNDS, strategy=game, rng=SEED), ROUNDS),
        Case(
            "uteh.simulate, a Solution, two threads",
            lambda: uteh.simulate(2 * ROUNDS, strategy=game, rng=SEED, threads=2),
            2 * ROUNDS,
            "uteh.simulate, a Solution",
        ),
        Case("uteh.simulate, a function", lambda: uteh.simulate(ASKED, strategy=simple, rng=SEED), ASKED),
    ]


def test_speed(benchmark, case):
    time_with(benchmark, case)
