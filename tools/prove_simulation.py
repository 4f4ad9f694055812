"""Holds simulations to the exact game: the deals to chance, and optimal play to the distribution that `solve` computes.

    python tools/prove_simulation.py [--rounds N] [--deals N] [--seed N] [--threads N] [RULES[:TRIPS[:BAD_BEAT]] ...]

For the deals it counts each card at each of the nine places, and each ordered pair of cards at each pair of places. For
each rule set it plays, and compares the mean with the exact value in standard errors, and the net wins with the exact
distribution by a chi-square test in which the bins that expect under five are one. It exits 1 if a chance is below what
`main` allows. docs/simulation.md keeps the result of a long run; tests/test_simulation.py makes short ones.
"""

from __future__ import annotations

import argparse
import math
import sys
from fractions import Fraction
from itertools import combinations
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

import uteh

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ERRORS = 4.0  # standard errors between a mean and the exact value: a chance of 6.3e-5
LEAST_FIT = 1e-4  # for the net wins
LEAST_DEAL = 1e-5  # for each of the 45 tests of the deals


def chi_square_tail(x: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is above x: the upper incomplete gamma function."""
    a, x = freedom / 2, x / 2
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, 100_000):
            term *= x / (a + n)
            total += term
        return 1 - total * scale
    # The continued fraction from its end.
    rest = 0.0
    for n in range(10_000, 0, -1):
        rest = n * (n - a) / (x + 2 * n + 1 - a - rest)
    return scale / (x + 1 - a - rest)


def p_value(counts: Any, expected: Any) -> float:
    """The chance of a chi-square at least as high as that of some counts."""
    counts = np.asarray(counts, dtype=float).ravel()
    expected = np.broadcast_to(expected, counts.shape)
    return chi_square_tail(float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1)


def fit(result: uteh.Simulation, exact: Mapping[Fraction, int]) -> tuple[float, float, float, int]:
    """How a simulation fits an exact distribution, deals by net win: (deviation of the mean in exact standard errors,
    chi-square, its chance, degrees of freedom)."""
    deals, n = sum(exact.values()), result.rounds
    if strange := result.histogram.keys() - exact.keys():
        raise AssertionError(f"net wins that no deal has: {sorted(strange)}")
    mean = Fraction(sum(value * count for value, count in exact.items()), deals)
    square = Fraction(sum(value * value * count for value, count in exact.items()), deals)
    error = math.sqrt((square - mean**2) / n)
    bins: list[tuple[int, float]] = []
    rest_seen, rest = 0, 0.0
    for value, count in exact.items():
        seen, expected = result.histogram.get(value, 0), n * count / deals
        if expected < 5:
            rest_seen, rest = rest_seen + seen, rest + expected
        else:
            bins.append((seen, expected))
    if 0 < rest < 5:  # with the rarest of the others
        least = min(bins, key=lambda each: each[1])
        bins.remove(least)
        rest_seen, rest = rest_seen + least[0], rest + least[1]
    if rest:
        bins.append((rest_seen, rest))
    chi_square = sum((seen - expected) ** 2 / expected for seen, expected in bins)
    freedom = len(bins) - 1
    return float(result.mean - mean) / error, chi_square, chi_square_tail(chi_square, freedom), freedom


def deal_statistics(n: int, rng: Any) -> list[float]:
    """Chances of what n deals show: nine of each card at one place, then 36 of ordered pairs of cards at two. A round
    has one card at a place, so the cells of every test are those of a multinomial."""
    places, pairs = np.zeros((9, 52)), np.zeros((36, 52 * 52))
    for start in range(0, n, 1 << 19):
        rows = uteh.deal_many(min(1 << 19, n - start), rng=rng, start=start).astype(np.intp)
        for k in range(9):
            places[k] += np.bincount(rows[:, k], minlength=52)
        for pair, (j, k) in enumerate(combinations(range(9), 2)):
            pairs[pair] += np.bincount(rows[:, j] * 52 + rows[:, k], minlength=52 * 52)
    same = np.arange(52) * 53
    if pairs[:, same].any():
        raise AssertionError("a card was dealt twice")
    different = np.delete(pairs, same, axis=1)
    return [p_value(row, n / 52) for row in places] + [p_value(row, n / (52 * 51)) for row in different]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rules", nargs="*", default=["standard", "board-trips:1"])
    parser.add_argument("--rounds", type=int, default=1_000_000_000)
    parser.add_argument("--deals", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=20261129)
    parser.add_argument("--threads", type=int, help="without it, one a core")
    given = parser.parse_args()
    good = True
    chances = deal_statistics(given.deals, given.seed)
    print(f"seed {given.seed}, {given.deals:,} deals: chances of the 9 tests of one place and the 36 of two:")
    print("  " + " ".join(f"{chance:.3f}" for chance in chances))
    good &= min(chances) > LEAST_DEAL
    for text in given.rules:
        name, *bets = text.split(":")
        rules, stakes = uteh.Rules.named(name), dict(zip(("trips", "bad_beat"), bets, strict=False))
        game = uteh.solve(rules, threads=given.threads, **stakes)
        begin = perf_counter()
        result = uteh.simulate(
            given.rounds, strategy=game, rules=rules, rng=given.seed, threads=given.threads, **stakes
        )
        seconds = perf_counter() - begin
        deviation, chi_square, chance, freedom = fit(result, game.net())
        said = ", ".join(f"{bet} {amount}" for bet, amount in stakes.items())
        print(f"seed {given.seed}, {result.rounds:,} rounds in {seconds:.0f} s, rules {name}{said and '; ' + said}")
        print(
            f"  mean {float(result.mean):+.9f} +- {result.std_error:.9f}, exact {float(game.ev):+.9f}: {deviation:+.2f}"
        )
        print(f"  chi-square {chi_square:.2f} with {freedom} degrees of freedom: chance {chance:.4f}")
        good &= abs(deviation) < MOST_ERRORS and chance > LEAST_FIT
    print("all as it should be" if good else "TOO FAR OFF")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
