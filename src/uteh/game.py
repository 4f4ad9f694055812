"""The whole game: `solve` finds the value of Ultimate Texas Hold'em under any rules, and what optimal play looks like.

The core (`_core/solve.h`) goes through all boards by suit classes. This file runs its stages, decides before the flop,
and reads everything else off sums over the same stages along the decisions that were found: each property of a
`Solution` is computed when it is first read.
"""

from __future__ import annotations

import math
from fractions import Fraction

from . import _eval, _work
from .errors import CardError, RulesError
from .questions import Decision, plan_for
from .results import FrozenResult
from .rules import STANDARD, Action, Category, Result, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .cards import Cards
    from .questions import Plan
    from .rules import Exact

    # Something to add up over the game: for each play, and for a fold, 210 numbers (win [player's category][dealer's],
    # lose, tie); and ten by the board's category that a fold adds.
    _Tally = tuple[list[list[int]], list[int], list[int]]

__all__ = ["Solution", "solve"]

DEALS = 27_813_810_024_000
"""Deals of the game: C(52, 2) holes, C(50, 3) flops, C(47, 2) turns and rivers, C(45, 2) dealer hands."""

_PER_HOLE = 19_600 * 1_081 * 990  # deals of one hole
_FLOPS, _HOLES, _CLASSES, _FIELDS, _TALLIES = 1755, 1326, 169, 3, 8

# What the core adds up.
_VALUES, _SUMS, _COUNTS, _RAISED = range(4)

# About how long a unit of each stage takes, against the others; for progress alone.
_STAGE_WEIGHT = (1, 600, 8, 4)

_BETS = ("ante", "blind", "play", "trips", "bad_beat")
_CORE = ("ante", "play", "blind", "trips", "bad_beat")


def _name(number: int) -> str:
    """The name of a starting hand by the core's number: a square of ranks, suited hands above the diagonal."""
    row, column = divmod(number, 13)
    ranks = "23456789TJQKA"
    if row == column:
        return ranks[row] * 2
    return f"{ranks[max(row, column)]}{ranks[min(row, column)]}{'s' if row < column else 'o'}"


def _combinations(number: int) -> int:
    row, column = divmod(number, 13)
    return 6 if row == column else 4 if row < column else 12


# Best hands first: pairs, then by ranks, suited before offsuit.
_ORDER = sorted(
    range(_CLASSES), key=lambda n: (-max(divmod(n, 13)), -min(divmod(n, 13)), divmod(n, 13)[0] > divmod(n, 13)[1])
)


class Solution(FrozenResult):
    """The value of the game under optimal play, and that play.

    All amounts are in antes; those that are not probabilities are exact Fractions.

    Attributes
    ----------
    ev : Fraction
        Expected net win of all stakes.
    base_ev : Fraction
        The part of Ante, Blind and Play.
    by_bet : dict of str to Fraction
        The part of each bet: ante, blind, play, trips, bad_beat.
    house_edge : Fraction
        -base_ev, per ante.
    average_bet : Fraction
        All stakes of a round together; a fold has its Ante and Blind.
    element_of_risk : Fraction
        -ev / average_bet.
    variance : Fraction
        Of the net win of a round, in antes squared.
    std_dev : float
    frequencies : dict of Action to Fraction
        How often each final action comes: bets by their size, and folds.
    preflop : dict of str to Decision
        The 169 starting hands, from "AA" and "AKs" down.
    outcomes : dict
        {(Action, Category, Result, qualifies): deals}, by the final action, the category of the player's seven cards,
        and whether the dealer qualifies; after a fold the result is FOLD. The deals add up to `deals`.
    deals : int
        27,813,810,024,000.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_lazy", "_run", "_stakes", "rules")
    rules: Rules
    _stakes: tuple[Fraction, Fraction, Fraction | None]  # Trips, Bad Beat, payout cap
    _run: tuple[
        tuple[tuple[int, ...], ...], bytes
    ]  # sums of the preflop actions by starting hand; decisions on the flop
    _lazy: dict[str, Any]  # what has been read already, and the number of threads for the rest

    # Storing and comparing --------------------------------------------------------------------------------------------

    @classmethod
    def _solved(cls, rules: Rules, stakes: Any, run: Any, threads: int = 1) -> Solution:
        return cls._of({"threads": threads}, run, stakes, rules)

    def _compared(self) -> tuple[Any, ...]:
        return (self.rules, self._stakes, self._run)

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution._solved, (self.rules, self._stakes, self._run)

    def __repr__(self) -> str:
        return f"Solution(ev={float(self.ev):+.12f}, rules={self.rules!r})"

    def _data(self) -> dict[str, Any]:
        return {
            **{
                name: fraction_dict(getattr(self, name))
                for name in ("ev", "base_ev", "house_edge", "average_bet", "element_of_risk", "variance")
            },
            "std_dev": self.std_dev,
            "by_bet": {bet: fraction_dict(value) for bet, value in self.by_bet.items()},
            "frequencies": {str(action): fraction_dict(value) for action, value in self.frequencies.items()},
            "deals": self.deals,
            "preflop": {
                name: {
                    "best": str(decision.best),
                    "values": {str(action): fraction_dict(value) for action, value in decision.values.items()},
                }
                for name, decision in self.preflop.items()
            },
            "stakes": {
                name: None if value is None else fraction_dict(Fraction(value))
                for name, value in zip(("trips", "bad_beat", "payout_cap"), self._stakes, strict=True)
            },
            "rules": self.rules.to_dict(),
        }

    def _once(self, name: str, compute: Callable[[], Any]) -> Any:
        """A value computed by the first reader, under a lock so that others wait for it instead of computing it too."""
        if name not in self._lazy:
            with _lock():
                if name not in self._lazy:
                    self._lazy[name] = compute()
        return self._lazy[name]

    # The values -------------------------------------------------------------------------------------------------------

    @property
    def deals(self) -> int:
        return DEALS

    @property
    def _plan(self) -> Plan:
        plan: Plan | None = self._lazy.get("plan")
        if plan is None:
            trips, bad_beat, cap = self._stakes
            plan = self._lazy["plan"] = plan_for(self.rules, "preflop", trips, bad_beat, cap)
        return plan

    @property
    def ev(self) -> Fraction:
        return Fraction(sum(max(sums) for sums in self._run[0]), DEALS * self._plan.unit)

    @property
    def preflop(self) -> dict[str, Decision]:
        plan = self._plan
        return {
            _name(n): Decision._of(
                plan.actions[0], _combinations(n) * _PER_HOLE * plan.unit, self._run[0][n], self.rules, "preflop"
            )
            for n in _ORDER
        }

    @property
    def by_bet(self) -> dict[str, Fraction]:
        return dict(self._once("by_bet", self._by_bet))

    def _by_bet(self) -> dict[str, Fraction]:
        plan = self._plan
        bets = [bet for i, bet in enumerate(_CORE) if bet == "play" or plan.arguments[2][i]]
        tallies = [self._tally(_eval.plan(*plan.arguments, bet=_CORE.index(bet))[0]) for bet in bets]
        sums = zip(bets, self._totals(tallies), strict=True)
        found = {bet: Fraction(total, DEALS * plan.unit) for bet, total in sums}
        return {bet: found.get(bet, Fraction(0)) for bet in _BETS}

    def _tally(self, record: bytes) -> _Tally:
        """The payoffs of a plan's record as something to add up."""
        fold, plays = _eval.payoffs(record)
        if self.rules.trips_on_fold == "board":  # then the board's category says what a fold pays
            return (plays, [0] * 210, fold)
        return (plays, [fold[i // 10] for i in range(100)] * 2 + fold, [0] * 10)

    @property
    def base_ev(self) -> Fraction:
        if not self._stakes[0] and not self._stakes[1]:
            return self.ev
        return sum((self.by_bet[bet] for bet in ("ante", "blind", "play")), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        return -self.base_ev

    @property
    def frequencies(self) -> dict[Action, Fraction]:
        return dict(self._once("frequencies", self._frequencies))

    def _frequencies(self) -> dict[Action, Fraction]:
        """What is counted at each flop column tells the bets there, so only the river's actions need indicators."""
        plan, river = self._plan, self._plan.actions[2]
        ones, zeros, nothing = [1] * 210, [0] * 210, [0] * 10
        everything: _Tally = ([ones] * len(plan.plays), ones, nothing)
        folds: list[_Tally] = [
            (
                [ones if play is action else zeros for play in plan.plays],
                ones if action is Action.FOLD else zeros,
                nothing,
            )
            for action in river[:-1]
        ]
        before = self._before()
        raised, checked = self._sums(_SUMS, [everything, *folds])
        columns = [None, *(action for action in plan.actions[1] if action is not Action.CHECK)]
        counts = dict.fromkeys((*reversed(plan.plays), Action.FOLD), 0)
        for n in range(_CLASSES):
            action = self._first(n)
            if action is not Action.CHECK:
                counts[action] += 10 * raised[before.index(action) * _CLASSES + n]
                continue
            for c, bet in enumerate(columns):
                at_column = [checked[((t * len(columns) + c) * _FIELDS) * _CLASSES + n] for t in range(len(folds) + 1)]
                if bet is not None:
                    counts[bet] += at_column[0]
                    continue
                for river_action, count in zip(river[:-1], at_column[1:], strict=True):
                    counts[river_action] += count
                counts[river[-1]] += at_column[0] - sum(at_column[1:])
        return {action: Fraction(count, DEALS) for action, count in counts.items() if count}

    @property
    def average_bet(self) -> Fraction:
        trips, bad_beat, _ = self._stakes
        size = dict(zip(self._plan.plays, self._plan.sizes, strict=True))
        played = sum((size.get(action, Fraction(0)) * share for action, share in self.frequencies.items()), Fraction(0))
        return 2 + trips + bad_beat + played

    @property
    def element_of_risk(self) -> Fraction:
        return -self.ev / self.average_bet

    @property
    def variance(self) -> Fraction:
        variance: Fraction = self._once("variance", self._variance)
        return variance

    def _variance(self) -> Fraction:
        """Squares are added up in digits of 28 bits, because a sum of the squares themselves can leave 64 bits."""
        plays, fold, board = self._tally(self._plan.record)
        squares = [[value * value for value in table] for table in (*plays, fold, board)]
        tallies: list[_Tally] = []
        while any(map(any, squares)):
            *digits, last, board = [[value & 0xFFFFFFF for value in table] for table in squares]
            tallies.append((digits, last, board))
            squares = [[value >> 28 for value in table] for table in squares]
        moment = sum(total << (28 * i) for i, total in enumerate(self._totals(tallies)))
        return Fraction(moment, DEALS * self._plan.unit**2) - self.ev**2

    @property
    def std_dev(self) -> float:
        return math.sqrt(self.variance)

    @property
    def outcomes(self) -> dict[tuple[Action, Category, Result, bool], int]:
        return dict(self._once("outcomes", self._outcomes))

    # The strategy -----------------------------------------------------------------------------------------------------

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action there is, in the order of `Action`; `actions_many` gives places in it."""
        return tuple(Action)

    def action(self, hole: Cards, board: Cards = "", dealer: Cards = "") -> Action:
        """The optimal action of a player who has not bet yet.

        Parameters
        ----------
        hole : str or sequence of int or str
            Two cards.
        board : str or sequence, optional
            Nothing, the three cards of the flop, or all five.
        dealer : str or sequence, optional
            Only where the game was solved with cards of the dealer's shown, which is not built.

        Returns
        -------
        Action

        Raises
        ------
        CardError
            A ValueError that names the card and its place, or another number of cards.
        RulesError
            Dealer cards, for a game solved without.

        Examples
        --------
        >>> game = solve()
        >>> str(game.action("Ks 5d")), str(game.action("Ks 5d", "9h 7c 2d"))
        ('4x', 'check')
        """
        if (not isinstance(dealer, str) or dealer) and _eval.parse_cards(dealer):
            raise RulesError("dealer: the game was solved without dealer cards shown")
        # The checks of cards, by the function that has them.
        _eval.question(hole, board, "", "", "", self.rules.packed)
        own, shown = _eval.parse_cards(hole), _eval.parse_cards(board)
        if len(shown) not in (0, 3, 5):
            raise CardError(f"board: {len(shown)} cards given; a decision is made on 0, 3 or 5")
        place = bytearray(1)
        self._strategy(bytes((*own, *shown)), 2 + len(shown), place, 0, 1)
        return self._actions_at(2 + len(shown))[place[0]]

    def actions_many(self, cards: ArrayLike, *, check: bool = True, threads: int | None = 1) -> NDArray[np.uint8]:
        """The optimal action for many hands.

        Parameters
        ----------
        cards : array of int, shape (n, 2), (n, 5) or (n, 7)
            Hole cards, then nothing, the flop, or the whole board.
        check : bool, default True
            False skips the search for ids over 51 and repeated cards in uint8 arrays.
        threads : int or None, default 1
            None means one a core. The GIL is released.

        Returns
        -------
        ndarray of uint8, shape (n,)
            Places in `actions`.

        Raises
        ------
        CardError, TypeError, ValueError
            As `evaluate_many`.

        Examples
        --------
        >>> from uteh import parse_many
        >>> game = solve()
        >>> [str(game.actions[i]) for i in game.actions_many(parse_many(["Ks5d", "3h2c"]))]
        ['4x', 'check']
        """
        import numpy as np

        from . import _arrays

        if not isinstance(check, bool):
            raise TypeError(f"check must be a bool, not {type(check).__name__}")
        threads = _work.count_threads(threads)
        rows = _arrays.card_rows(cards, (2, 5, 7))
        n, width = rows.shape
        if check:
            _arrays.check_rows(rows, threads)
        places = np.empty(n, dtype=np.uint8)
        _work.run(
            lambda first, last: self._strategy(rows, width, places, first, last),
            n,
            threads=threads,
            slice_size=_work.ROWS // (16 if width == 7 else 1),
        )
        found = [self.actions.index(action) for action in self._actions_at(width)]
        # Unchecked rows can repeat a card and then have no decision.
        table = np.zeros(256, dtype=np.uint8)
        table[: len(found)] = found
        return table[places]

    def _strategy(self, rows: Any, width: int, places: Any, first: int, last: int) -> None:
        _eval.strategy(rows, width, self._plan.record, self.rules.packed, self._run[1], places, first, last)

    def _actions_at(self, width: int) -> tuple[Action, ...]:
        """What the core's places mean for rows of so many cards."""
        if width == 2:
            firsts: tuple[Action, ...] = self._once("firsts", lambda: tuple(self._first(n) for n in range(_CLASSES)))
            return firsts
        return self._plan.actions[1 if width == 5 else 2]

    # Distributions ----------------------------------------------------------------------------------------------------

    def net(self) -> dict[Fraction, int]:
        """The distribution of the net win of a round.

        Returns
        -------
        dict of Fraction to int
            Deals by net win in antes, from the lowest up; they add up to `deals`.
        """
        return dict(self._once("net", self._net))

    def _net(self) -> dict[Fraction, int]:
        plays, fold, board = self._tally(self._plan.record)
        reachable = _reachable()
        by_board = self.rules.trips_on_fold == "board"
        values = {table[i] for table in plays[: len(self._plan.plays)] for i in reachable}
        values |= set(board if by_board else fold)
        indicators: list[_Tally] = [
            (
                [[int(v == value and i in reachable) for i, v in enumerate(table)] for table in plays],
                [0] * 210 if by_board else [int(v == value) for v in fold],
                [int(v == value) for v in board] if by_board else [0] * 10,
            )
            for value in sorted(values)
        ]
        checked = self._counted(indicators)
        before = self._counted_before(indicators)
        counts = {}
        for i, value in enumerate(sorted(values)):
            count = sum(checked[i]) + sum(before[i].values())
            if count:
                counts[Fraction(value, self._plan.unit)] = count
        return counts

    def _outcomes(self) -> dict[tuple[Action, Category, Result, bool], int]:
        plan, qualifier = self._plan, int(self.rules.qualifier)
        ends = [
            (category, result, qualifies)
            for category in range(10)
            for result in (Result.WIN, Result.TIE, Result.LOSE, Result.FOLD)
            for qualifies in (False, True)
            if _possible(category, result, qualifies, qualifier)
        ]
        zeros, nothing = [0] * 210, [0] * 10
        found: dict[tuple[Action, Category, Result, bool], int] = {}

        def add(action: Action, end: tuple[int, Result, bool], count: int) -> None:
            if count:
                key = (action, Category(end[0]), end[1], end[2])
                found[key] = found.get(key, 0) + count

        # After a check, the columns of the river and the flop are counted apart: an indicator serves an action of each.
        columns: list[list[Action]] = [list(plan.actions[2])]
        columns += [[action] for action in plan.actions[1] if action is not Action.CHECK]
        for turn in range(max(map(len, columns))):
            now = [column[turn] if turn < len(column) else None for column in columns]
            for folds in (False, True):
                taken = {action for action in now if action is not None and (action is Action.FOLD) == folds}
                mine = [end for end in ends if (end[1] is Result.FOLD) == folds] if taken else []
                indicators: list[_Tally] = []
                for end in mine:
                    table = _indicator(*end, qualifier)
                    plays = [table if play in taken else zeros for play in plan.plays]
                    indicators.append((plays, table if folds else zeros, nothing))
                for end, counts in zip(mine, self._counted(indicators), strict=True):
                    for action, count in zip(now, counts, strict=True):
                        if action is not None and action in taken:
                            add(action, end, count)
        indicators = []
        for end in ends:
            table = _indicator(*end, qualifier)
            folds = end[1] is Result.FOLD
            indicators.append(([zeros if folds else table] * len(plan.plays), table if folds else zeros, nothing))
        for end, by_action in zip(ends, self._counted_before(indicators), strict=True):
            for action, count in by_action.items():
                add(action, end, count)
        return found

    # Sums over the game -----------------------------------------------------------------------------------------------

    def _first(self, number: int) -> Action:
        """The decision before the flop."""
        sums = self._run[0][number]
        return self._plan.actions[0][sums.index(max(sums))]

    def _totals(self, tallies: Sequence[_Tally]) -> list[int]:
        """The sum of each tally over all deals, along the decisions of this solution."""
        before = self._before()
        totals = []
        for batch in _batches(tallies, _TALLIES):
            raised, checked = self._sums(_SUMS, batch)
            columns = len(checked) // (len(batch) * _FIELDS * _CLASSES)
            for t in range(len(batch)):
                total = 0
                for n in range(_CLASSES):
                    action = self._first(n)
                    if action is Action.CHECK:
                        total += sum(checked[((t * columns + c) * _FIELDS) * _CLASSES + n] for c in range(columns))
                    else:
                        total += 10 * raised[(t * len(before) + before.index(action)) * _CLASSES + n]
                totals.append(total)
        return totals

    def _counted(self, indicators: Sequence[_Tally]) -> list[list[int]]:
        """How many deals with a check before the flop each indicator counts, by flop column (the river's first)."""
        checks = [n for n in range(_CLASSES) if self._first(n) is Action.CHECK]
        counts = []
        for batch in _batches(indicators, _FIELDS * _TALLIES):
            packed = [_pack(group, 21) for group in _batches(batch, _FIELDS)]
            _, checked = self._sums(_COUNTS, packed)
            columns = len(checked) // (len(packed) * _FIELDS * _CLASSES)
            for i in range(len(batch)):
                tally, field = divmod(i, _FIELDS)
                starts = [((tally * columns + c) * _FIELDS + field) * _CLASSES for c in range(columns)]
                counts.append([sum(checked[start + n] for n in checks) for start in starts])
        return counts

    def _counted_before(self, indicators: Sequence[_Tally]) -> list[dict[Action, int]]:
        """How many deals with a bet or a fold before the flop each indicator counts, by that action."""
        before = self._before()
        hands = {action: [n for n in range(_CLASSES) if self._first(n) is action] for action in before}
        if not any(hands.values()):
            return [{} for _ in indicators]
        counts: list[dict[Action, int]] = []
        for batch in _batches(indicators, 2 * _TALLIES):
            raised, _ = self._sums(_RAISED, [_pack(group, 32) for group in _batches(batch, 2)])
            for i in range(len(batch)):
                tally, field = divmod(i, 2)
                starts = {action: (tally * len(before) + b) * _CLASSES for b, action in enumerate(before)}
                counts.append(
                    {
                        action: 10 * sum(raised[start + n][field] for n in hands[action])
                        for action, start in starts.items()
                        if hands[action]
                    }
                )
        return counts

    def _before(self) -> list[Action]:
        return [action for action in self._plan.actions[0] if action is not Action.CHECK]

    def _sums(self, what: int, tallies: Sequence[_Tally]) -> tuple[list[Any], list[int]]:
        zeros = [0] * 210
        records = tuple((*plays, *[zeros] * (5 - len(plays)), fold, board) for plays, fold, board in tallies)
        game = _eval.game(self._plan.record, self.rules.packed, what, True, records)
        stages = range(2) if what == _RAISED else range(4)
        return _add_up(game, stages, bytearray(self._run[1]), self._lazy["threads"], None)


def _batches(items: Sequence[_Tally], size: int) -> list[Sequence[_Tally]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _pack(indicators: Sequence[_Tally], width: int) -> _Tally:
    """Several indicators in one tally, each in bits of its own."""

    def together(tables: Sequence[list[int]]) -> list[int]:
        return [sum(value << (width * i) for i, value in enumerate(values)) for values in zip(*tables, strict=True)]

    plays = [together(tables) for tables in zip(*(plays for plays, _, _ in indicators), strict=True)]
    return (plays, together([fold for _, fold, _ in indicators]), together([board for _, _, board in indicators]))


def _reachable() -> set[int]:
    """The places of a payoff that a round can end in: a win over a category that is no higher, a loss to one that is no
    lower."""
    wins = {10 * player + dealer for player in range(10) for dealer in range(player + 1)}
    losses = {100 + 10 * player + dealer for player in range(10) for dealer in range(player, 10)}
    return wins | losses | set(range(200, 210))


def _possible(category: int, result: Result, qualifies: bool, qualifier: int) -> bool:
    if result is Result.WIN:
        return category >= qualifier if qualifies else qualifier > 0
    if result is Result.TIE:
        return qualifies == (category >= qualifier)
    if result is Result.LOSE:
        return qualifies or category < qualifier
    return qualifies or qualifier > 0


def _indicator(category: int, result: Result, qualifies: bool, qualifier: int) -> list[int]:
    """1 where the player's category, the result (any, for a fold) and the dealer's qualification are these."""
    dealers = [int((d >= qualifier) == qualifies) for d in range(10)]
    table = [0] * 210
    if result in (Result.WIN, Result.FOLD):
        table[10 * category : 10 * category + 10] = dealers
    if result in (Result.LOSE, Result.FOLD):
        table[100 + 10 * category : 110 + 10 * category] = dealers
    if result in (Result.TIE, Result.FOLD):
        table[200 + category] = dealers[category]
    return table


_LOCKS: list[Any] = []


def _lock() -> Any:
    """One lock for all solutions; made on first use, since threading costs some start-up time."""
    if not _LOCKS:
        import threading

        _LOCKS.append(threading.RLock())
    return _LOCKS[0]


def _add_up(
    game: bytes, stages: range, decisions: bytearray, threads: int, progress: _work.Progress | None
) -> tuple[list[Any], list[int]]:
    """Runs the core's stages and returns what it adds up."""
    size = _eval.game_scratch(game)
    shared = bytearray(size)
    scratches: dict[int, bytearray] = {}
    units = [_eval.game_units(stage) for stage in stages]
    whole = sum(n * _STAGE_WEIGHT[stage] for n, stage in zip(units, stages, strict=True))
    before = 0
    for stage, count in zip(stages, units, strict=True):
        weight = _STAGE_WEIGHT[stage]

        def step(first: int, last: int, stage: int = stage) -> None:
            if threads == 1:
                scratch = shared
            else:
                from threading import get_ident

                if get_ident() not in scratches:
                    scratches[get_ident()] = bytearray(size)
                scratch = scratches[get_ident()]
            _eval.game_range(game, stage, first, last, shared, scratch, decisions)

        def told(done: int, _: int, before: int = before, weight: int = weight) -> None:
            if progress is not None:
                progress(before + done * weight, whole)

        _work.run(
            step,
            count,
            threads=threads,
            progress=None if progress is None else told,
            slice_size=max(1, count // (64 if threads == 1 else 32 * threads)),
        )
        for scratch in scratches.values():
            _eval.game_merge(game, shared, scratch)
        before += count * weight
    return _eval.game_sums(game, shared)


def solve(
    rules: Rules = STANDARD,
    *,
    trips: Exact = 0,
    bad_beat: Exact = 0,
    payout_cap: Exact | None = None,
    dealer_exposed: int = 0,
    flop_exposed: int = 0,
    threads: int | None = 1,
    progress: _work.Progress | None = None,
) -> Solution:
    """Solve the whole game: 27,813,810,024,000 deals, exactly.

    Parameters
    ----------
    rules : Rules, optional
    trips, bad_beat : int, Fraction, Decimal or str, default 0
        Side bets in antes; play is optimal for all stakes together.
    payout_cap : int, Fraction, Decimal or str, optional
        The most that a round pays, in antes.
    dealer_exposed, flop_exposed : int, default 0
        Cards that the player sees before the first decision; only 0 is built.
    threads : int or None, default 1
        None means one a core; the answer is the same. What the solution computes later uses as many.
    progress : callable, optional
        Called as progress(done, total) in the caller's thread; an exception from it ends the work.

    Returns
    -------
    Solution

    Raises
    ------
    RulesError
        A ValueError for a stake that the rules do not take, amounts too large to be computed exactly, or exposed cards.
    TypeError
        An argument of another type; floats are not exact.

    Examples
    --------
    >>> game = solve()
    >>> game.ev
    Fraction(-50643648973, 2317817502000)
    >>> str(game.preflop["AKs"].best)
    '4x'
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    for name, value in (("dealer_exposed", dealer_exposed), ("flop_exposed", flop_exposed)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be an int, not {type(value).__name__}")
        if value:
            raise RulesError(f"{name}: only 0 is built, not {value}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {type(progress).__name__}")
    workers = _work.count_threads(threads)
    stakes = (
        as_fraction(trips, "trips"),
        as_fraction(bad_beat, "bad_beat"),
        None if payout_cap is None else as_fraction(payout_cap, "payout_cap"),
    )
    plan = plan_for(rules, "preflop", *stakes)
    # 2,118,760 boards of 990 dealer hands are added up in 64 bits.
    if plan.largest * 2_118_760 * 990 >= 1 << 62:
        raise RulesError(
            "trips, bad_beat, payout_cap or a pay table: the amounts are too large or too fine to be computed exactly"
        )
    # What comes out for a flop and a hole fits 32 bits, so sums modulo 2**32 are exact.
    wide = plan.largest * 1_081 * 990 >= 1 << 31
    game = _eval.game(plan.record, rules.packed, _VALUES, wide, ())
    decisions = bytearray(_FLOPS * _HOLES)
    raised, checked = _add_up(game, range(4), decisions, workers, progress)
    columns = len(checked) // (_FIELDS * _CLASSES)
    before = [action for action in plan.actions[0] if action is not Action.CHECK]
    sums = tuple(
        tuple(
            sum(checked[column * _FIELDS * _CLASSES + n] for column in range(columns))
            if action is Action.CHECK
            else 10 * raised[before.index(action) * _CLASSES + n]
            for action in plan.actions[0]
        )
        for n in range(_CLASSES)
    )
    return Solution._solved(rules, stakes, (sums, bytes(decisions)), workers)
