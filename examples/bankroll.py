"""What a bankroll goes through: the optimal strategy, round after round, and the band that chance allows it.

    python examples/bankroll.py [SEED] [--rounds N] [-o bankroll.png]

Plots the net win of ten sessions, in antes, against the exact expectation and two standard deviations on both sides.
This needs matplotlib.
"""

import argparse

import numpy as np

import uteh

SESSIONS = 10
SIZE = {uteh.Action.BET_1X: 1, uteh.Action.BET_2X: 2, uteh.Action.BET_3X: 3, uteh.Action.BET_4X: 4}


def nets(game: uteh.Solution, rows: np.ndarray) -> np.ndarray:
    """The net win of each round, in half antes: a flush pays the Blind 3 to 2."""
    sizes = np.array([SIZE.get(action, 0) for action in game.actions])
    play = np.zeros(len(rows), dtype=np.int64)
    left = np.arange(len(rows))
    for columns in ([0, 1], [0, 1, 4, 5, 6], [0, 1, 4, 5, 6, 7, 8]):
        play[left] = sizes[game.actions_many(rows[left][:, columns])]
        left = left[play[left] == 0]
    return uteh.settle_many(rows, ante=2, play=2 * play, columns=["net"]).net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10_000, help="in a session")
    parser.add_argument("-o", "--output", default="bankroll.png")
    arguments = parser.parse_args()
    game = uteh.solve()
    rows = uteh.deal_many(SESSIONS * arguments.rounds, rng=arguments.seed)
    paths = np.cumsum(nets(game, rows).reshape(SESSIONS, -1), axis=1) / 2

    import matplotlib

    matplotlib.use("Agg")  # a file, no window
    from matplotlib import pyplot

    n = np.arange(1, arguments.rounds + 1)
    mean, spread = float(game.ev) * n, 2 * game.std_dev * np.sqrt(n)
    figure, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
    axes.plot(n, paths.T, linewidth=0.7)
    axes.fill_between(n, mean - spread, mean + spread, color="black", alpha=0.08)
    axes.plot(n, mean, color="black", linewidth=1)
    axes.set(xlabel="rounds", ylabel="antes won", title=f"Optimal play, ten sessions, seed {arguments.seed}")
    figure.savefig(arguments.output)
    print(
        f"{arguments.output}: {SESSIONS} sessions of {arguments.rounds:,} rounds, {paths[:, -1].mean():+.1f} antes each"
    )


if __name__ == "__main__":
    main()
