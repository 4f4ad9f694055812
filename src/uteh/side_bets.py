"""Side bets by themselves: `side_bet` says what a pay table is worth, exactly, to a player who never folds.

The core (`_core/side.c`) counts hands by category where something is known of the board; where nothing is, or a hole
alone, the counts of the whole game's first stages are read (`game.py`). What a bet pays for a category and a result is
here; it is what `_core/settle.c` says of the same bet.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from . import _eval, _work, game
from .errors import CardError
from .questions import plan_for
from .results import FrozenResult
from .rules import STANDARD, Action, Category, PayTable, Rules, _table, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from .cards import Cards
    from .rules import PayTable, TableLike

    Bet = Literal["trips", "bad_beat", "cards5", "cards7"]

__all__ = ["SideBet", "side_bet"]

_BETS = ("trips", "bad_beat", "cards5", "cards7")
_LOSE, _TIE, _WIN = range(3)


class SideBet(FrozenResult):
    """What a side bet is worth, per unit bet.

    Attributes
    ----------
    counts : dict of Category to int
        How often each category comes that the bet is paid by: that of the player's hand or, for Bad Beat, of the hand
        that loses. All ten keys.
    deals : int
        Equally likely completions of all that the bet depends on. The counts add up to it; of Bad Beat, less `ties`.
    ties : int
        Deals in which player and dealer tie; 0 where the dealer does not matter.
    ev : Fraction
        Expected net win.
    variance : Fraction
    std_dev : float
    table : PayTable
    bet : str
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_by_result", "bet", "rules", "table")
    # By category lose, tie, win: a category's deals if the dealer does not matter are all ties. For Bad Beat the
    # category is that of the losing hand.
    _by_result: tuple[tuple[int, int, int], ...]
    bet: Bet
    rules: Rules
    table: PayTable

    @property
    def counts(self) -> dict[Category, int]:
        if self.bet == "bad_beat":
            return {category: lose + win for category, (lose, _, win) in zip(Category, self._by_result, strict=True)}
        return {category: sum(counts) for category, counts in zip(Category, self._by_result, strict=True)}

    @property
    def deals(self) -> int:
        return sum(map(sum, self._by_result))

    @property
    def ties(self) -> int:
        return sum(tie for _, tie, _ in self._by_result) if _asks_the_dealer(self.bet, self.rules) else 0

    def net(self) -> dict[Fraction, int]:
        """The distribution of the net win.

        Returns
        -------
        dict of Fraction to int
            Deals by net win per unit bet, from the lowest up; they add up to `deals`.
        """
        found: dict[Fraction, int] = {}
        for category, counts in zip(Category, self._by_result, strict=True):
            for result, count in enumerate(counts):
                if count:
                    net = _net(self.bet, self.table, self.rules, category, result)
                    found[net] = found.get(net, 0) + count
        return dict(sorted(found.items()))

    @property
    def ev(self) -> Fraction:
        return sum((net * count for net, count in self.net().items()), Fraction(0)) / self.deals

    @property
    def variance(self) -> Fraction:
        return sum((net * net * count for net, count in self.net().items()), Fraction(0)) / self.deals - self.ev**2

    @property
    def std_dev(self) -> float:
        return math.sqrt(self.variance)

    def __repr__(self) -> str:
        return f"SideBet({self.bet}, ev={float(self.ev):+.9f}, table={str(self.table)!r}, deals={self.deals})"

    def _data(self) -> dict[str, Any]:
        return {
            "bet": self.bet,
            "table": self.table.to_dict(),
            "counts": {category.name.lower(): count for category, count in self.counts.items()},
            "ties": self.ties,
            "deals": self.deals,
            "ev": fraction_dict(self.ev),
            "variance": fraction_dict(self.variance),
            "std_dev": self.std_dev,
            "rules": self.rules.to_dict(),
        }


def _asks_the_dealer(bet: str, rules: Rules) -> bool:
    return bet == "bad_beat" or (bet == "trips" and rules.trips_when_not_won != "pay")


def _net(bet: str, table: PayTable, rules: Rules, category: Category, result: int) -> Fraction:
    """The net win of one unit; for Bad Beat the category is that of the losing hand."""
    pays = table.get(category)
    if pays is None or (bet == "bad_beat" and result == _TIE):
        return Fraction(-1)
    if bet == "trips" and result != _WIN and rules.trips_when_not_won != "pay":
        return Fraction(-1 if rules.trips_when_not_won == "lose" and result == _LOSE else 0)
    return pays


def side_bet(
    table: TableLike,
    bet: Bet = "trips",
    *,
    hole: Cards = "",
    board: Cards = "",
    rules: Rules = STANDARD,
    threads: int | None = 1,
    progress: _work.Progress | None = None,
) -> SideBet:
    """The exact value of a side bet to a player who never folds.

    What a fold costs Trips depends on how a hand is played, which `solve` with a `trips` stake knows; so it does the
    deviation of an Ante and Trips together.

    Parameters
    ----------
    table : PayTable, mapping or str
        What each category pays to one; a category that is not in it loses. Text starts at the royal flush, for Bad Beat
        at the straight flush.
    bet : {"trips", "bad_beat", "cards5", "cards7"}, default "trips"
        "trips" is paid by the player's hand, as `rules` have it. "bad_beat" by the hand that loses, on either side.
        "cards5" by the hole and the flop, "cards7" by the best five of all seven cards, whatever else the rules say
        (the two kinds of progressives).
    hole : str or sequence of int or str, optional
        Two cards or, with no board, the name of a starting hand.
    board : str or sequence of int or str, optional
        0 to 5 cards in dealing order. Of five-card bets a turn and a river are cards that do not come any more.
    rules : Rules, optional
        `hole_cards` and `trips_when_not_won` bear on Trips, `hole_cards` on Bad Beat.
    threads : int or None, default 1
        None means one a core; the answer is the same.
    progress : callable, optional
        Called as progress(done, total) during long work; an exception from it ends the work.

    Returns
    -------
    SideBet

    Raises
    ------
    CardError
        A ValueError that names the card and its place.
    RulesError
        A ValueError that names what is wrong with the table.
    TypeError, ValueError
        An argument of another type, or another bet.

    Examples
    --------
    >>> side_bet("50/40/30/8/7/4/3").ev
    Fraction(-233985, 6689228)
    >>> side_bet("50/40/30/8/7/4/3", hole="Td Tc", board="Ts 9s 2d").ev
    Fraction(6060, 1081)
    >>> side_bet("500/50/40/30/20/10/3", "cards5", hole="AsKs").deals
    19600
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    if not isinstance(bet, str):
        raise TypeError(f"bet must be text, not {type(bet).__name__}")
    if bet not in _BETS:
        raise ValueError(f"bet must be {', '.join(_BETS)}, not {bet[:40]!r}")
    pays = _table(table, "table", "straight_flush" if bet == "bad_beat" else "royal_flush")
    workers = _work.count_threads(threads)
    own, shown = _known(hole, board, rules)
    dealers = _asks_the_dealer(bet, rules)
    both = rules.hole_cards == "both" and bet in ("trips", "bad_beat")
    kind = "cards7" if bet == "trips" and not (dealers or both) else bet
    key = (kind, both, dealers)
    counts: tuple[tuple[int, int, int], ...]
    if not own and not shown and key in _of_nothing:
        counts = _of_nothing[key]
    elif bet == "cards5" or not (dealers or both):
        flop, later = (shown[:3], shown[3:]) if bet == "cards5" else (shown, ())
        cards = _count((*own, *flop), later, 5 if bet == "cards5" else 7, False, False, False, workers, progress)
        counts = tuple((0, cards[category], 0) for category in Category)
    elif shown:
        found = _count((*own, *shown), (), 0, bool(own), both, dealers, workers, progress)
        counts = tuple((found[3 * c], found[3 * c + 1], found[3 * c + 2]) for c in Category)
        if bet == "bad_beat":
            counts = tuple((lose, tie, found[30 + c]) for c, (lose, tie, _) in enumerate(counts))
    else:
        counts = _before_the_flop(own, bet, rules, dealers, workers, progress)
    if not own and not shown:
        _of_nothing[key] = counts
    return SideBet._of(counts, bet, rules, pays)


# Counts where nothing is known, by what they depend on: every table is paid by them.
_of_nothing: dict[tuple[str, bool, bool], tuple[tuple[int, int, int], ...]] = {}


def _known(hole: Any, board: Any, rules: Rules) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids of hole and board, after every check; the name of a starting hand stands for one of its holes."""
    try:
        empty = not len(hole) or (isinstance(hole, str) and not hole.strip(" \t,"))
    except TypeError:
        empty = False
    shown = _eval.parse_cards(board) if empty else None
    if empty:
        assert shown is not None
        if len(shown) > 5:
            raise CardError(f"board: {len(shown)} cards given, 0 to 5 needed")
        return (), shown
    _eval.question(hole, board, "", "", "", rules.packed)
    shown = _eval.parse_cards(board)
    try:
        return _eval.parse_cards(hole), shown
    except CardError:
        name = hole.strip().upper().replace("10", "T")
        return _eval.parse_cards(f"{name[0]}s{name[1]}{'s' if name[2:] == 'S' else 'h'}"), shown


def _count(
    known: tuple[int, ...],
    dead: tuple[int, ...],
    cards: int,
    hole: bool,
    both: bool,
    dealers: bool,
    threads: int,
    progress: _work.Progress | None,
) -> list[int]:
    record, units = _eval.side(known, dead, cards, hole, both, dealers)
    parts: list[list[int]] = []

    def step(first: int, last: int) -> None:
        part = bytearray(40 * 8)
        _eval.side_range(record, first, last, part)
        parts.append(memoryview(part).cast("q").tolist())

    _work.run(step, units, threads=threads, progress=progress, slice_size=4)
    return [sum(counts) for counts in zip(*parts, strict=True)]


def _before_the_flop(
    own: tuple[int, ...], bet: str, rules: Rules, dealers: bool, threads: int, progress: _work.Progress | None
) -> tuple[tuple[int, int, int], ...]:
    """Counts over all boards and dealer hands, of one hole or all: how a game ends in which everybody bets at once. A
    Bad Beat that pays every category differently has the dealer's told apart."""
    every = PayTable(**{category.name.lower(): 1 + int(category) for category in Category})
    bettors = replace(STANDARD, preflop=(4,), trips=None, bad_beat=every, hole_cards=rules.hole_cards)
    plan = plan_for(bettors, "preflop", 0, 1, None)
    one = game._Game(plan, bettors, (), 0, threads)
    values = one.run((game._SETS, game._RANKS), progress=progress)
    bet_at_once, nobody = plan.actions[0].index(Action.BET_4X), 255
    actions = bytearray([nobody if own else bet_at_once]) * game._HOLES
    if own:
        low, high = sorted(own)
        actions[high * (high - 1) // 2 + low] = bet_at_once
    ends = _eval.game_ends(one.record, values, actions)
    found = [[0, 0, 0] for _ in range(10)]
    start = 10 * plan.plays.index(Action.BET_4X)
    for category in range(10):
        levels = ends[(start + category) * game._LEVELS : (start + category + 1) * game._LEVELS]
        # Each board stands there for its ten splits into flop, turn and river.
        whole, below, through, *lower = (count // 10 for count in levels)
        lose, tie = whole - through, through - below
        if bet == "bad_beat":  # the losing hand's category, whosever it is
            found[category][_LOSE] += lose
            found[0][_TIE] += tie
            passed = [0, *lower[:category], below]
            for dealer in range(category + 1):
                found[dealer][_LOSE] += passed[dealer + 1] - passed[dealer]
        elif dealers:
            found[category] = [lose, tie, below]
        else:
            found[category][_TIE] = whole // 990
    return tuple((lose, tie, win) for lose, tie, win in found)
