"""The whole game: solving it, what a solution computes when it is first read, and asking it for actions."""

from __future__ import annotations

from fractions import Fraction

from common import Case, batch, random_rows, time_with

import uteh

STATES = 200_000


def cases() -> list[Case]:
    game = uteh.solve()
    # Published, and the sum of independent enumerations: wizardofodds.com, Ultimate Texas Hold'em.
    assert game.ev == Fraction(-50643648973, 2317817502000)
    one = "uteh.solve"
    found = [
        Case(one, uteh.solve),
        Case("uteh.solve, two threads", lambda: uteh.solve(threads=2), against=one),
        Case("and average bet, frequencies, variance", lambda: read(uteh.solve()), against=one, rounds=3),
        Case("and outcomes, net wins", lambda: everything(uteh.solve()), against=one, rounds=1),
        Case("uteh.solve, a dealer card shown, two threads", lambda: uteh.solve(dealer_exposed=1, threads=2), rounds=1),
    ]
    for street, width in (("preflop", 2), ("flop", 5), ("river", 7)):
        rows = random_rows(STATES, width)
        states = [(row[:2], row[2:]) for row in rows[:500].tolist()]
        found.append(Case(f"Solution.action, {street}", batch(game.action, states), len(states)))
        found.append(Case(f"Solution.actions_many, {street}", lambda rows=rows: game.actions_many(rows), STATES))
    return found


def read(game: uteh.Solution) -> tuple[object, ...]:
    return game.average_bet, game.frequencies, game.variance


def everything(game: uteh.Solution) -> tuple[object, ...]:
    return game.outcomes, game.net(), game._rivers


def test_speed(benchmark, case):
    time_with(benchmark, case)
