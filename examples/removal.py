"""Effects of removal: what it is worth to know that one card is dead, exactly.

    python examples/removal.py HOLE [BOARD]
    python examples/removal.py

For a holding ("Ks 5d", or "Ks 5d" "9h 7c 2d") it prints what each action is worth and how that changes with each other
card dead, and whether the best action is another one then: the table that counters use. Without one it prints the
change of the whole game's value, in antes, to a player who knows of the dead card from the start; only the rank of the
card counts. The first takes seconds at most, the second a minute on two cores.
"""

import sys
from fractions import Fraction
from itertools import combinations

import uteh

DECK = range(52)


def holding(hole: str, board: str) -> None:
    without = uteh.decide(hole, board)
    known = uteh.parse_cards([*uteh.parse_cards(hole), *uteh.parse_cards(board)])
    live = [card for card in DECK if card not in known]
    told = uteh.decide_many(hole, board, dead=[[card] for card in live], threads=None)
    print(f"{without.street:9}" + "".join(f"{action:>12}" for action in told.actions) + "  best")
    print(f"{'as it is':9}" + "".join(f"{float(value):12.6f}" for value in without.values.values()), f" {without.best}")
    for card, numerators, best in zip(live, told.numerators.tolist(), told.best.tolist(), strict=True):
        changes = (
            Fraction(numerator, told.denominator) - value
            for numerator, value in zip(numerators, without.values.values(), strict=True)
        )
        other = told.actions[best] if told.actions[best] is not without.best else ""
        print(
            f"{uteh.format_cards([card]):9}" + "".join(f"{float(change):+12.6f}" for change in changes),
            f" {other}".rstrip(),
        )


def holes_beside(dead: int) -> dict[tuple[int, ...], int]:
    """Every hole of the other 51 cards, one for all that differ only by names of suits, with their number."""
    found: dict[tuple[int, ...], int] = {}
    for hole in combinations([card for card in DECK if card != dead], 2):
        # The dead card's suit keeps its name; the others are named in the order in which they are met.
        names = {dead % 4: 3}
        for card in reversed(hole):
            names.setdefault(card % 4, len(names) - 1)
        alike = tuple(sorted(card - card % 4 + names[card % 4] for card in hole))
        found[alike] = found.get(alike, 0) + 1
    return found


def value_beside(dead: int) -> Fraction:
    """The game's value to a player who knows that this card (a spade) is dead."""
    holes = holes_beside(dead)
    told = uteh.decide_many([list(hole) for hole in holes], dead=[dead], threads=None, columns=["numerators"])
    total = sum(best * count for best, count in zip(told.numerators.max(axis=1).tolist(), holes.values(), strict=True))
    return Fraction(total, told.denominator * sum(holes.values()))


def game() -> None:
    value = uteh.solve(threads=None).ev
    print(f"{'dead':6}{'value':>12}{'change':>12}")
    print(f"{'none':6}{float(value):12.6f}")
    average = Fraction(0)
    for rank in range(12, -1, -1):
        with_it = value_beside(4 * rank + 3)
        average += with_it / 13
        print(f"{uteh.format_cards([4 * rank])[0]:6}{float(with_it):12.6f}{float(with_it - value):+12.6f}", flush=True)
    print(f"{'any':6}{float(average):12.6f}{float(average - value):+12.6f}")


if __name__ == "__main__":
    try:
        if len(sys.argv) > 3:
            sys.exit("removal.py: a hole and a board at most, each as one argument")
        if len(sys.argv) > 1:
            holding(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
        else:
            game()
    except ValueError as error:
        sys.exit(f"removal.py: {error}")
