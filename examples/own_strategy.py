"""A strategy of one's own, in ten lines of NumPy: raise aces, pairs and two big cards, bet what hits, call with a pair.

    python examples/own_strategy.py [ROUNDS]

It is compared with optimal play on the same rounds, so most of the luck is the same for both.
"""

import sys

import numpy as np

import uteh


def simple(street: str, cards: np.ndarray) -> np.ndarray:
    """The multiple of the Ante to bet, or 0, for each hand: hole cards, then the flop or the whole board."""
    ranks = cards >> 2
    high, low = ranks[:, :2].max(axis=1), ranks[:, :2].min(axis=1)
    if street == "preflop":
        return 4 * ((high == 12) | (high == low) & (low > 0) | (low >= 8))
    hits = (ranks[:, 2:] == high[:, None]).any(axis=1) | (ranks[:, 2:] == low[:, None]).any(axis=1)
    if street == "flop":
        return 2 * (hits | (high == low))
    strength = uteh.evaluate_many(cards, check=False)
    return (hits | (uteh.category(strength) >= uteh.Category.TWO_PAIR) | (high >= 11)).astype(int)


def main(rounds: int) -> None:
    for name, strategy in (("simple", simple), ("optimal", "optimal")):
        result = uteh.simulate(rounds, strategy=strategy, rng=1)
        plays = ", ".join(f"{action} {float(share):.2%}" for action, share in result.frequencies.items())
        print(f"{name:8} {float(result.mean):+.5f} +- {result.std_error:.5f} antes a round; {plays}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
