"""What the published rules cost: house edge, element of risk and standard deviation of every rule set, solved exactly.

    python examples/pay_tables.py [NAME ...]

The house edge is per ante, the element of risk per unit of all bets, the standard deviation that of a round in antes;
there are no side bets. A rule set takes a fraction of a second.
"""

import sys

import uteh


def main(names: list[str]) -> None:
    width = max(len(name) for name in names)
    print(f"{'rules':{width}}  house edge  element of risk  standard deviation")
    for name in names:
        game = uteh.solve(uteh.Rules.named(name), threads=None)
        edge, risk = (f"{float(100 * value):.5f}%" for value in (game.house_edge, game.element_of_risk))
        print(f"{name:{width}}  {edge:>10}  {risk:>15}  {game.std_dev:18.5f}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:] or list(uteh.Rules.names()))
    except uteh.RulesError as error:
        sys.exit(f"pay_tables.py: {error}")
