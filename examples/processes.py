"""One run split over processes: each plays a range of the same rounds, and the results add up to the whole.

    python examples/processes.py [ROUNDS]

On one machine threads= does the same with less; processes can be anywhere, as long as they agree on the seed.
"""

import sys
from concurrent.futures import ProcessPoolExecutor

import uteh

SEED = 20261129
PART = 5_000_000


def play(start: int, rounds: int) -> uteh.Simulation:
    return uteh.simulate(rounds, rng=SEED, start=start)


def main(rounds: int) -> None:
    starts = range(0, rounds, PART)
    with ProcessPoolExecutor() as pool:
        whole = sum(pool.map(play, starts, [min(PART, rounds - start) for start in starts]))
    print(whole)
    (ranges,) = whole.dealt.values()
    print(f"{len(starts)} parts make up the rounds {ranges[0][0]:,} to {ranges[0][1] - 1:,}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000)
