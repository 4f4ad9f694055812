"""What it is worth to see cards before the first decision, solved exactly, beside the figures that have been published.

    python examples/exposed_card.py [CARD ...]

Without cards: the value of a round in antes to a player who sees one card of the dealer's, both, or one of the dealer's
and one of the flop's, and plays the best he can with it. Each takes 13 or 169 times as long as the game itself, seconds
to minutes. With cards, one of the dealer's or two: what a few hands do against them, and what knowing is worth.
"""

import sys
import time

import uteh

# Of an ante; one publisher gives two figures for one dealer card.
PUBLISHED = {(1, 0): ("13.5922%", "13.4316%"), (1, 1): ("22.3286%",), (2, 0): ("38.5816%",)}
HANDS = ("Ah Kd", "Kh 5d", "Qh 8h", "Jh Td", "7h 2d", "2h 2d")


def solve_all() -> None:
    for (dealer, flop), figures in PUBLISHED.items():
        start = time.perf_counter()
        game = uteh.solve(dealer_exposed=dealer, flop_exposed=flop, threads=None)
        percent = f"{float(100 * game.ev):.4f}%"
        shown = f"{dealer} of the dealer's" + (f", {flop} of the flop's" if flop else "")
        stands = [f"{figure} {'stands' if figure == percent else 'does not'}" for figure in figures]
        print(f"{shown}: {game.ev} = {percent} of an ante; published: {', '.join(stands)}")
        print(f"    {time.perf_counter() - start:.0f} s")


def ask(dealer: str) -> None:
    known = set(uteh.parse_cards(dealer))
    for hole in HANDS:
        if known & set(uteh.parse_cards(hole)):
            continue
        blind, sighted = uteh.decide(hole), uteh.decide(hole, dealer=dealer)
        gain = float(max(sighted.values.values()) - max(blind.values.values()))
        print(f"{hole}: {blind.best} without, {sighted.best} with {dealer}; worth {gain:+.5f} antes")


if __name__ == "__main__":
    try:
        if sys.argv[1:]:
            ask(" ".join(sys.argv[1:]))
        else:
            solve_all()
    except uteh.CardError as error:
        sys.exit(f"exposed_card.py: {error}")
