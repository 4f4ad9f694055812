"""Questions about one hand, by street, and beside dead cards; on the flop in relation to ranking every dealer's hand
with `evaluate_many`. Questions by the array in relation to the same asked one by one."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
from common import Case, batch, random_rows, time_with

import uteh

# Board cards of a street, and how many questions one run asks.
STREETS = {"preflop": (0, 1), "flop": (3, 20), "turn": (4, 200), "river": (5, 500)}
# The same with so many dead cards of mixed suits.
DEAD = (("preflop", 1), ("preflop", 3), ("preflop", 10), ("flop", 3), ("flop", 10), ("river", 3), ("river", 10))
# Rows of an array, and the dead cards of each.
ROWS = (
    ("preflop", 4, 0),
    ("flop", 400, 0),
    ("flop", 400, 3),
    ("turn", 4_000, 0),
    ("river", 100_000, 0),
    ("river", 100_000, 3),
)


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
    for street, dead in DEAD:
        cards, questions = STREETS[street]
        deals = random_rows(questions, 2 + cards + dead).tolist()
        arguments = [(deal[:2], deal[2 : 2 + cards], deal[2 + cards :]) for deal in deals]
        for function in (odds_beside, decide_beside):
            name = f"uteh.{function.__name__.split('_')[0]}, {street}, {dead} dead"
            found.append(Case(name, batch(function, arguments), questions))
    return found + by_the_array()


def odds_beside(hole: list[int], board: list[int], dead: list[int]) -> uteh.Odds:
    return uteh.odds(hole, board, dead=dead)


def decide_beside(hole: list[int], board: list[int], dead: list[int]) -> uteh.Decision:
    return uteh.decide(hole, board, dead=dead)


def by_the_array() -> list[Case]:
    found = []
    for street, n, dead in ROWS:
        cards, _ = STREETS[street]
        holes, boards, gone = np.split(random_rows(n, 2 + cards + dead), [2, 2 + cards], axis=1)
        asked = {"holes": holes.copy(), "boards": boards.copy(), "dead": gone.copy()}
        odds, decisions = uteh.odds_many(**asked), uteh.decide_many(**asked)
        one = uteh.odds(holes[-1], boards[-1], dead=gone[-1])
        assert (one.win, one.tie, one.lose) == (odds.win[-1], odds.tie[-1], odds.lose[-1])
        values = uteh.decide(holes[-1], boards[-1], dead=gone[-1]).values.values()
        assert decisions.values[-1].tolist() == [float(value) for value in values]
        what = f"{street}, a row" + (f", {dead} dead" if dead else "")
        for function, out in ((uteh.odds_many, odds), (uteh.decide_many, decisions)):
            against = f"uteh.{function.__name__.split('_')[0]}, {street}" + (f", {dead} dead" if dead else "")
            run = partial(function, **asked, out=out)
            found.append(Case(f"uteh.{function.__name__}, {what}", run, n, against))
    return found


def test_speed(benchmark, case):
    time_with(benchmark, case)
