"""Questions about one hand, answered exactly: `odds` against the dealer, and `decide`, the value of every action.

The core goes through every completion of the board and counts the dealer's hands against each; this file reads the
question, lays out the rules and stakes for the core, and keeps the answers.
"""

from __future__ import annotations

import math
from fractions import Fraction

from . import _eval
from .errors import CardError, RulesError
from .results import FrozenResult
from .rules import STANDARD, Action, Category, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from .cards import Cards
    from .rules import Exact

    Street = Literal["preflop", "flop", "river"]

__all__ = ["Decision", "Odds", "decide", "odds"]

STREETS = ("preflop", "flop", "river")

_FOLD, _CHECK = -1, -2  # the core's codes; every other action is an index into the plays


class Odds(FrozenResult):
    """How often a hand wins, ties and loses against the dealer, over every completion of the board and of the dealer's
    hand.

    Attributes
    ----------
    deals, win, tie, lose : int
        Numbers of completions, unordered.
    win_unqualified, tie_unqualified, lose_unqualified : int
        The part of each in which the dealer does not qualify.
    by_category : dict
        (win, tie, lose) by the category of the player's final hand; all ten keys.
    equity : Fraction
        (win + tie / 2) / deals.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_counts", "rules")
    _counts: tuple[int, ...]  # by category lose, tie, win; then the unqualified lose, tie, win
    rules: Rules

    @property
    def deals(self) -> int:
        return sum(self._counts[:30])

    @property
    def win(self) -> int:
        return sum(self._counts[2:30:3])

    @property
    def tie(self) -> int:
        return sum(self._counts[1:30:3])

    @property
    def lose(self) -> int:
        return sum(self._counts[0:30:3])

    @property
    def win_unqualified(self) -> int:
        return self._counts[32]

    @property
    def tie_unqualified(self) -> int:
        return self._counts[31]

    @property
    def lose_unqualified(self) -> int:
        return self._counts[30]

    @property
    def by_category(self) -> dict[Category, tuple[int, int, int]]:
        counts = self._counts
        return {c: (counts[3 * c + 2], counts[3 * c + 1], counts[3 * c]) for c in Category}

    @property
    def equity(self) -> Fraction:
        return Fraction(2 * self.win + self.tie, 2 * self.deals)

    def __repr__(self) -> str:
        return f"Odds(win={self.win}, tie={self.tie}, lose={self.lose}, deals={self.deals})"

    def _data(self) -> dict[str, Any]:
        names = ("deals", "win", "tie", "lose", "win_unqualified", "tie_unqualified", "lose_unqualified")
        return {
            **{name: getattr(self, name) for name in names},
            "by_category": {
                category.name.lower(): dict(zip(("win", "tie", "lose"), counts, strict=True))
                for category, counts in self.by_category.items()
            },
            "equity": fraction_dict(self.equity),
            "rules": self.rules.to_dict(),
        }


class Decision(FrozenResult):
    """The value of every action at one decision, and the best of them.

    Attributes
    ----------
    street : str
        "preflop", "flop" or "river".
    values : dict
        {Action: Fraction}, the expected net win in antes over all bets when every later decision is the best one.
    best : Action
        The action of the greatest value; of equal values the first in the order fold, check, min, 1x to 4x, which risks
        least.
    margin : Fraction or None
        The lead of the best action over the second best; None where there is one action.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_actions", "_denominator", "_numerators", "rules", "street")
    street: Street
    rules: Rules
    _actions: tuple[Action, ...]
    _numerators: tuple[int, ...]
    _denominator: int

    @property
    def values(self) -> dict[Action, Fraction]:
        return {
            action: Fraction(numerator, self._denominator)
            for action, numerator in zip(self._actions, self._numerators, strict=True)
        }

    @property
    def best(self) -> Action:
        return self._actions[self._numerators.index(max(self._numerators))]

    @property
    def margin(self) -> Fraction | None:
        if len(self._numerators) < 2:
            return None
        first, second = sorted(self._numerators)[:-3:-1]
        return Fraction(first - second, self._denominator)

    def __repr__(self) -> str:
        values = ", ".join(f"{action}: {float(value):+.9f}" for action, value in self.values.items())
        return f"Decision({self.street}, best={self.best}, {values})"

    def _compared(self) -> tuple[Any, ...]:
        return (self.street, tuple(self.values.items()), self.rules)

    def _data(self) -> dict[str, Any]:
        return {
            "street": self.street,
            "values": {str(action): fraction_dict(value) for action, value in self.values.items()},
            "best": str(self.best),
            "margin": None if self.margin is None else fraction_dict(self.margin),
            "rules": self.rules.to_dict(),
        }


def odds(
    hole: Cards,
    board: Cards = "",
    *,
    later: Cards = "",
    dealer: Cards = "",
    dead: Cards = "",
    rules: Rules = STANDARD,
) -> Odds:
    """Exact odds of a hand against the dealer.

    Parameters
    ----------
    hole : str or sequence of int or str
        Two cards, or, where nothing else is known, the name of a starting hand ("AKs", "QJo", "TT").
    board : str or sequence, optional
        0 to 5 cards in dealing order: flop, flop, flop, turn, river.
    later : str or sequence, optional
        0 to 2 turn or river cards that are known beside the board.
    dealer : str or sequence, optional
        0 to 2 cards of the dealer.
    dead : str or sequence, optional
        Any number of cards that can come nowhere any more.
    rules : Rules, optional
        `qualifier` and `hole_cards` bear on the odds.

    Returns
    -------
    Odds

    Raises
    ------
    CardError
        A ValueError that names the card and its place: no card, a card given twice, or a wrong number of cards.
    TypeError
        An argument of another type.

    Examples
    --------
    >>> odds("Ah Kd", "Qh 7s 2c")
    Odds(win=589782, tie=11477, lose=468931, deals=1070190)
    >>> odds("5s4h", "Ks Jh Th 8h 8c").equity
    Fraction(259, 1980)
    """
    packed = packed_rules(rules)
    question, _, _ = _eval.question(hole, board, later, dealer, dead, packed)
    return Odds._of(_eval.odds(question, packed), rules)


def decide(
    hole: Cards,
    board: Cards = "",
    *,
    later: Cards = "",
    dealer: Cards = "",
    dead: Cards = "",
    street: Street | None = None,
    rules: Rules = STANDARD,
    trips: Exact = 0,
    bad_beat: Exact = 0,
    payout_cap: Exact | None = None,
) -> Decision:
    """The exact value of every action that a player who has not bet yet may take.

    Parameters
    ----------
    hole, board, later, dealer, dead
        As for `odds`. What is known stays known at every later decision.
    street : {"preflop", "flop", "river"}, optional
        The decision asked about. Without it the board tells: 0 to 2 cards preflop, 3 or 4 flop, 5 river. It may be
        earlier than the cards tell, for a player who knows more than is open.
    rules : Rules, optional
    trips, bad_beat : int, Fraction, Decimal or str, optional
        Side bets in antes; they count in every value and, where a fold costs them, in the decisions.
    payout_cap : int, Fraction, Decimal or str, optional
        The most that a round pays, in antes.

    Returns
    -------
    Decision

    Raises
    ------
    CardError
        A ValueError that names the card and its place.
    RulesError
        A ValueError for a stake that the rules do not take, or amounts too large to be computed exactly.
    TypeError, ValueError
        An argument of another type, or a street that the cards do not reach.

    Examples
    --------
    >>> decide("Kd Qh", "4s 5h 6d 8c 9d").values
    {<Action.FOLD: 'fold'>: Fraction(-2, 1), <Action.BET_1X: '1x'>: Fraction(-239, 110)}
    >>> str(decide("As Kd", "7h 8h 2c").best)
    'check'
    """
    packed = packed_rules(rules)
    question, boards, hands = _eval.question(hole, board, later, dealer, dead, packed)
    street = street_asked(*_eval.board_shape(question), street)
    settled = plan_for(rules, street, trips, bad_beat, payout_cap)
    numerators = _eval.values(settled.record, question)
    deals = boards * _eval.splits(question) * hands
    return Decision._of(settled.actions[STREETS.index(street)], deals * settled.unit, numerators, rules, street)


def packed_rules(rules: Rules) -> bytes:
    """The core's record of a rule set, or a TypeError."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    return rules.packed


def street_asked(flop: int, known: int, street: Street | None) -> Street:
    """The street of a decision with so many flop and board cards known: the one asked for, or what the cards tell."""
    reached = 2 if known == 5 and flop == 3 else 1 if flop == 3 else 0
    if street is None:
        return STREETS[reached]  # type: ignore[return-value]
    if not isinstance(street, str):
        raise TypeError(f"street must be text, not {type(street).__name__}")
    if street not in STREETS:
        raise ValueError(f'street must be "preflop", "flop" or "river", not {street[:40]!r}')
    if STREETS.index(street) > reached:
        needed = "five board cards" if street == "river" else "three flop cards"
        raise CardError(f"board: a {street} decision needs {needed}, and {known} are given")
    return street


class Plan(FrozenResult):
    """Rules and stakes as the core decides by them at one street."""

    __slots__ = ()
    _fields = ("actions", "arguments", "largest", "plays", "record", "sizes", "unit")
    actions: tuple[tuple[Action, ...], ...]  # by street
    arguments: tuple[bytes, int, tuple[int, ...], tuple[int, ...], int, tuple[tuple[int, ...], ...]]  # of _eval.plan
    largest: int  # payoff, in 1/unit of an ante
    plays: tuple[Action, ...]  # those with a Play bet, in the order of the core's payoffs
    record: bytes
    sizes: tuple[Fraction, ...]  # of the plays, in antes
    unit: int  # what one ante is in the payoffs


_plans: dict[tuple[Any, ...], Plan] = {}


def plan_for(rules: Rules, street: Street, trips: Exact, bad_beat: Exact, payout_cap: Exact | None) -> Plan:
    """The core's record for a street's decisions; made once for each set of rules and stakes."""
    stakes = (
        _stake(trips, "trips"),
        _stake(bad_beat, "bad_beat"),
        None if payout_cap is None else _stake(payout_cap, "payout_cap"),
    )
    key = (rules.packed, street, stakes)
    plan = _plans.get(key)
    if plan is None:
        if len(_plans) >= 256:
            _plans.clear()
        plan = _plans[key] = _make_plan(rules, street, *stakes)
    return plan


def _stake(value: Exact, name: str) -> Fraction | int:
    if type(value) is int and value == 0:
        return 0
    amount = as_fraction(value, name)
    if amount < 0:
        raise RulesError(f"{name}: {value} is negative")
    return amount


def _make_plan(
    rules: Rules, street: Street, trips: Fraction | int, bad_beat: Fraction | int, payout_cap: Fraction | int | None
) -> Plan:
    if trips and rules.trips is None:
        raise RulesError("trips: a stake is given, but the rules have no Trips table")
    if bad_beat and rules.bad_beat is None:
        raise RulesError("bad_beat: a stake is given, but the rules have no Bad Beat table")
    if bad_beat and not trips and rules.bad_beat_needs_trips:
        raise RulesError("bad_beat: these rules take Bad Beat only beside a Trips bet")
    by_street = tuple(rules.actions(name) for name in STREETS)  # type: ignore[arg-type]
    size = {Action.MIN: rules.river_min, **{Action(f"{m}x"): Fraction(m) for m in range(1, 5)}}
    plays = tuple(
        sorted(
            {action for actions in by_street for action in actions if action in size}, key=lambda action: size[action]
        )
    )
    # Everything is counted in chips, so many to an ante that every stake and the cap are whole.
    amounts = [Fraction(1), Fraction(trips), Fraction(bad_beat), *(size[action] for action in plays)]
    if payout_cap is not None:
        amounts.append(Fraction(payout_cap))
    chips = math.lcm(*(amount.denominator for amount in amounts))
    packed = rules.packed
    pay_unit = memoryview(packed).cast("q")[0]  # `unit`, the first packed field
    stakes = (chips, 0, chips, int(trips * chips), int(bad_beat * chips))
    sizes = tuple(int(size[action] * chips) for action in plays)
    # The core adds 1,081 run-outs of 990 dealer hands in 64 bits before it hands a sum over.
    tables = [table for table in (rules.blind, rules.trips, rules.bad_beat) if table is not None]
    highest = max([Fraction(1), *(entry for table in tables for entry in table.values())])
    most = int((sum(stakes) + max(sizes)) * highest * pay_unit)
    if most * 1_100_000 >= 1 << 62:
        raise RulesError(
            "trips, bad_beat, payout_cap or a pay table: the amounts are too large or too fine to be computed exactly"
        )
    # A cap above everything that can be paid is none.
    cap = -1 if payout_cap is None else min(int(payout_cap * chips) * pay_unit, most)
    code = {Action.FOLD: _FOLD, Action.CHECK: _CHECK, **{action: i for i, action in enumerate(plays)}}
    actions = tuple(tuple(code[action] for action in street_actions) for street_actions in by_street)
    arguments = (packed, STREETS.index(street), stakes, sizes, cap, actions)
    record, largest = _eval.plan(*arguments)
    return Plan._of(
        by_street, arguments, largest, plays, record, tuple(size[action] for action in plays), chips * pay_unit
    )
