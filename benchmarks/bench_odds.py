"""Questions about one hand, by street; on the flop beside ranking every dealer's hand with `evaluate_many`."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from common import Case, batch, random_rows, time_with

import uteh

# Board cards of a street, and how many questions one run asks.
STREETS = {"preflop": (0, 1), "flop": (3, 20), "turn": (4, 200), "river": (5, 500)}


def every_dealer_hand(hole: tuple[int, ...], flop: tuple[int, ...]) -> np.ndarray:
    """Dealer's two cards and the board, for each of the 1,070,190 ways in which a hand can end after the flop."""
    live = [card for card in range(52) if card not in hole + flop]
    pairs = np.array(list(combinations(range(45), 2)))
    blocks = []
    for later in combinations(live, 2):
        rest = np.array([card for card in live if card not in later], dtype=np.uint8)
        board = np.tile(np.array(flop + later, dtype=np.uint8), (len(pairs), 1))
        blocks.append(np.hstack([rest[pairs], board]))
    return np.concatenate(blocks)


def cases() -> list[Case]:
    hole, flop = uteh.parse_cards("Ah Kd"), uteh.parse_cards("Qh 7s 2c")
    rows = every_dealer_hand(hole, flop)
    own = rows.copy()
    own[:, :2] = hole
    signs = np.sign(uteh.evaluate_many(own).astype(int) - uteh.evaluate_many(rows))
    counted = uteh.odds(hole, flop)
    assert (counted.win, counted.tie, counted.lose) == tuple(int((signs == sign).sum()) for sign in (1, 0, -1))

    out = np.empty(len(rows), dtype=np.uint16)
    ranked = f"uteh.evaluate_many, all {len(rows):,} dealer hands after a flop"
    found = [Case(ranked, lambda: uteh.evaluate_many(rows, out=out, check=False))]
    for street, (cards, questions) in STREETS.items():
        deals = random_rows(questions, 2 + cards).tolist()
        arguments = [(deal[:2], deal[2:]) for deal in deals]
        for function in (uteh.odds, uteh.decide):
            against = ranked if street == "flop" else ""
            found.append(Case(f"uteh.{function.__name__}, {street}", batch(function, arguments), questions, against))
    return found


def test_speed(benchmark, case):
    time_with(benchmark, case)
