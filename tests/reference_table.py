"""The slow, obvious reference for tables with a player-dealer: seats, funds and fees, in plain Python and Fractions.

It is written from the published rules of Californian cardrooms and from the definitions of the terms alone, and shares
nothing with the package. What one wager wins under full cover is `reference.settle`'s; here is only who is settled
when, and what the player-dealer's fund still covers.

- Hands that were folded are settled before the player-dealer's cards are turned over, the others after it; both from
  the player-dealer's left, seat by seat. On one hand the wagers follow one another, each bet by bet.
- "net": the player-dealer may not win or lose more than the fund, so the sum of what was paid and collected stays
  between minus and plus the fund. "gross": each chip that moves, whichever way, uses up one of the fund.
- Once nothing is left on a side (of the two, or of the one fund), every later bet goes back to the player untouched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import reference

BETS = reference.BETS


def settle_table(
    seats: Sequence[tuple[Any, Sequence[Mapping[str, Any]]]],
    dealer: Any,
    board: Any,
    *,
    fund: Any = None,
    bank_fee: Any = 0,
    street: str | None = None,
    rules: Any = reference.STANDARD,
    chips: bool = False,
) -> dict[str, Any]:
    """Every wager of a table: {"seats": [[wager]], "bank_net", "fees"}.

    A seat is its hole and its wagers, which have the amounts of `reference.settle` and a `fee`. A wager comes back as
    {bet: net}, "returned" and "uncovered" ({bet: amount}), "net" after the fee, "result", and "order": the numbers of
    its bets among all bets of the table, in the order settled.
    """
    dues: list[list[dict[str, Any]]] = []
    for hole, wagers in seats:
        dues.append([])
        for wager in wagers:
            stakes = {name: amount for name, amount in wager.items() if name != "fee"}
            dues[-1].append(reference.settle(hole, dealer, board, **stakes, street=street, rules=rules, chips=chips))

    paid = collected = Fraction(0)
    over = False

    def left_to_pay() -> Fraction:
        if rules.fund_reading == "gross":
            return Fraction(fund) - paid - collected
        return Fraction(fund) - paid + collected

    def left_to_collect() -> Fraction:
        if rules.fund_reading == "gross":
            return Fraction(fund) - paid - collected
        return Fraction(fund) + paid - collected

    answer: list[list[dict[str, Any]]] = [[{} for _ in wagers] for _, wagers in seats]
    number = 0
    for folded in (True, False):
        for s, (_, wagers) in enumerate(seats):
            for w, wager in enumerate(wagers):
                due = dues[s][w]
                if (due["result"] == reference.FOLD) != folded:
                    continue
                stakes = {
                    "ante": Fraction(wager["ante"]),
                    "blind": Fraction(wager["ante"]),
                    "play": Fraction(wager["play"]),
                    "trips": Fraction(wager.get("trips", 0)),
                    "bad_beat": Fraction(wager.get("bad_beat", 0)),
                }
                net, returned, uncovered, order = {}, {}, {}, {}
                losing = due["result"] in (reference.FOLD, reference.LOSE)
                for bet in rules.losing_order if losing else rules.wager_order:
                    order[bet] = number
                    number += 1
                    if fund is not None and (left_to_pay() <= 0 or left_to_collect() <= 0):
                        over = True
                    if over:  # no action any more
                        net[bet] = Fraction(0)
                        returned[bet] = stakes[bet]
                        uncovered[bet] = abs(due[bet])
                    elif due[bet] >= 0:
                        net[bet] = due[bet] if fund is None else min(due[bet], left_to_pay())
                        paid += net[bet]
                        returned[bet] = Fraction(0)
                        uncovered[bet] = due[bet] - net[bet]
                    else:
                        taken = -due[bet] if fund is None else min(-due[bet], left_to_collect())
                        collected += taken
                        net[bet] = -taken
                        returned[bet] = stakes[bet] - taken
                        uncovered[bet] = -due[bet] - taken
                fee = Fraction(wager.get("fee", 0))
                answer[s][w] = {
                    **net,
                    "returned": returned,
                    "uncovered": uncovered,
                    "net": sum(net.values(), Fraction(0)) - fee,
                    "result": due["result"],
                    "order": order,
                }
    fees = sum((Fraction(w.get("fee", 0)) for _, wagers in seats for w in wagers), Fraction(bank_fee))
    return {"seats": answer, "bank_net": collected - paid - Fraction(bank_fee), "fees": fees}


Dealt = tuple[list[tuple[int, ...]], tuple[int, ...], tuple[int, ...]]


def deal_table(deck: Sequence[int], seats: int, procedure: str) -> Dealt:
    """(holes, player-dealer's hand, board), card by card from the top, as the three published procedures have it."""
    cards = iter(deck)
    hands: list[list[int]] = [[] for _ in range(seats + 1)]  # the player-dealer's comes last
    board: list[int] = []
    if procedure == "board_first":
        board = [next(cards) for _ in range(5)]
    if procedure == "shoe":
        for _ in range(2):
            for hand in hands:
                hand.append(next(cards))
    else:
        for hand in hands:
            hand.append(next(cards))
            hand.append(next(cards))
    if procedure != "board_first":
        board = [next(cards) for _ in range(5)]
    return [tuple(hand) for hand in hands[:-1]], tuple(hands[-1]), tuple(board)
