"""The whole game: `solve` finds the value of Ultimate Texas Hold'em under any rules, and what optimal play looks like.

The core (`_core/solve.h`) goes through all boards by suit classes. This file runs its stages, decides before the flop, and reads everything
else off sums over the same stages along the decisions that were found: each property of a `Solution` is computed when it is first read.
"""

from __future__ import annotations

from fractions import Fraction

from . import _eval, _work
from .errors import RulesError
from .questions import Decision, plan_for
from .results import FrozenResult
from .rules import STANDARD, Action, Category, Result, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .questions import Plan
    from .rules import Exact

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
_ORDER = sorted(range(_CLASSES), key=lambda n: (-max(divmod(n, 13)), -min(divmod(n, 13)), divmod(n, 13)[0] > divmod(n, 13)[1]))


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
        {(Action, Category, Result, qualifies): deals}, by the final action, the category of the player's seven cards, and whether the
        dealer qualifies; after a fold the result is FOLD. The deals add up to `deals`.
    deals : int
        27,813,810,024,000.
    rules : Rules
    """

    __slots__ = ("_lazy", "_run", "_stakes", "rules")
    rules: Rules
    _stakes: tuple[Fraction, Fraction, Fraction | None]  # Trips, Bad Beat, payout cap
    _run: tuple[tuple[tuple[int, ...], ...], bytes]  # sums of the preflop actions by starting hand; decisions on the flop
    _lazy: dict[str, Any]  # what has been read already

    # Storing and comparing ----------------------------------------------------------------------------------------------------

    @classmethod
    def _solved(cls, rules: Rules, stakes: Any, run: Any) -> Solution:
        return cls._of({}, run, stakes, rules)

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

    # The values ---------------------------------------------------------------------------------------------------------------

    @property
    def deals(self) -> int:
        return DEALS

    @property
    def _plan(self) -> Plan:
        trips, bad_beat, cap = self._stakes
        return plan_for(self.rules, "preflop", trips, bad_beat, cap)

    @property
    def ev(self) -> Fraction:
        return Fraction(sum(max(sums) for sums in self._run[0]), DEALS * self._plan.unit)

    @property
    def preflop(self) -> dict[str, Decision]:
        plan = self._plan
        return {
            _name(n): Decision._of(plan.actions[0], _combinations(n) * _PER_HOLE * plan.unit, self._run[0][n], self.rules, "preflop")
            for n in _ORDER
        }

    @property
    def by_bet(self) -> dict[str, Fraction]:
        return dict(self._once("by_bet", self._by_bet))

    def _by_bet(self) -> dict[str, Fraction]:
        plan = self._plan
        tallies, bets = [], [bet for i, bet in enumerate(_CORE) if bet == "play" or plan.arguments[2][i]]
        boards = False
        for bet in bets:
            record, _ = _eval.plan(*plan.arguments, _CORE.index(bet))
            fold, plays = _eval.payoffs(record)
            # A fold that Trips settles on the board is the one payoff that the two hands do not decide.
            boards = boards or (bet == "trips" and self.rules.trips_on_fold == "board")
            tallies.append((plays, None if boards and bet == "trips" else _by_player(fold)))
        if boards:
            # What is left of the whole when everything else is known.
            known = [i for i, bet in enumerate(bets) if bet != "trips"]
            sums = self._totals([tallies[i] for i in known])
            found = {bets[i]: Fraction(total, DEALS * plan.unit) for i, total in zip(known, sums, strict=True)}
            found["trips"] = self.ev - sum(found.values())
        else:
            sums = self._totals(tallies)
            found = {bet: Fraction(total, DEALS * plan.unit) for bet, total in zip(bets, sums, strict=True)}
        return {bet: found.get(bet, Fraction(0)) for bet in _BETS}

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
        actions = (*reversed(self._plan.plays), Action.FOLD)
        ones, zeros = [1] * 210, [0] * 210
        tallies = []
        for action in actions:
            plays = [ones if play == action else zeros for play in self._plan.plays]
            tallies.append((plays, ones if action is Action.FOLD else zeros))
        counts = self._totals(tallies)
        return {action: Fraction(count, DEALS) for action, count in zip(actions, counts, strict=True) if count}

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
        plan = self._plan
        fold, plays = _eval.payoffs(plan.record)
        if self.rules.trips_on_fold == "board" and self._stakes[0]:
            return self._variance_by_boards(fold, plays)
        return self._second_moment(plays, _by_player(fold)) - self.ev**2

    def _second_moment(self, plays: list[list[int]], fold: list[int]) -> Fraction:
        """Squares are added up in digits of 28 bits, because a sum of the squares themselves can leave 64 bits."""
        tables = [[value * value for value in table] for table in (*plays, fold)]
        digits = []
        while any(map(any, tables)):
            digits.append([[value & 0xFFFFFFF for value in table] for table in tables])
            tables = [[value >> 28 for value in table] for table in tables]
        sums = self._totals([(tally[:-1], tally[-1]) for tally in digits])
        total = sum(value << (28 * i) for i, value in enumerate(sums))
        return Fraction(total, DEALS * self._plan.unit**2)

    def _variance_by_boards(self, fold: list[int], plays: list[list[int]]) -> Fraction:
        """Where a fold is settled on the board, the core's own payoff of a fold is: its square comes as the value of a plan that is
        played by the same decisions."""
        raise RulesError("trips_on_fold: the variance of a Trips bet that a fold settles on the board is not built")

    @property
    def std_dev(self) -> float:
        return float(self.variance) ** 0.5

    @property
    def outcomes(self) -> dict[tuple[Action, Category, Result, bool], int]:
        return dict(self._once("outcomes", self._outcomes))

    def net(self) -> dict[Fraction, int]:
        """The distribution of the net win of a round.

        Returns
        -------
        dict of Fraction to int
            Deals by net win in antes, from the lowest up; they add up to `deals`.

        Raises
        ------
        RulesError
            With side bets whose win needs more than `outcomes` says: Bad Beat, or Trips on the board after a fold.
        """
        return dict(self._once("net", self._net))

    def _net(self) -> dict[Fraction, int]:
        trips, bad_beat, _ = self._stakes
        if bad_beat:
            raise RulesError("bad_beat: the distribution with a Bad Beat stake is not built")
        if trips and self.rules.trips_on_fold == "board":
            raise RulesError("trips_on_fold: the distribution with a Trips bet that a fold settles on the board is not built")
        plan = self._plan
        fold, plays = _eval.payoffs(plan.record)
        counts: dict[int, int] = {}
        qualifier = int(self.rules.qualifier)
        for (action, category, result, qualifies), count in self.outcomes.items():
            c = int(category)
            if result is Result.FOLD:
                net = fold[c]
            else:
                play = plays[plan.plays.index(action)]
                # Any category on the right side of the qualifier will do.
                if result is Result.WIN:
                    net = play[10 * c + (c if qualifies else 0)]
                elif result is Result.LOSE:
                    net = play[100 + 10 * c + (max(c, qualifier) if qualifies else c)]
                else:
                    net = play[200 + c]
            counts[net] = counts.get(net, 0) + count
        return {Fraction(net, plan.unit): counts[net] for net in sorted(counts)}

    def _outcomes(self) -> dict[tuple[Action, Category, Result, bool], int]:
        plan, qualifier = self._plan, int(self.rules.qualifier)
        results = (Result.WIN, Result.TIE, Result.LOSE)
        found: dict[tuple[Action, Category, Result, bool], int] = {}

        def add(action: Action, category: int, result: Result, qualifies: bool, count: int) -> None:
            if count:
                key = (action, Category(category), result, qualifies)
                found[key] = found.get(key, 0) + count

        cells = [(c, result, q) for c in range(10) for result in results for q in (False, True) if _possible(c, result, q, qualifier)]
        zeros = [0] * 210
        # After a check: three counts to a tally; each flop column has its own action, so one tally serves the river's and the flop's.
        flop_bets = [action for action in plan.actions[1] if action is not Action.CHECK]
        river = list(plan.actions[2])
        jobs: list[tuple[Action | None, tuple[tuple[int, Result, bool], ...]]] = []
        for action in river:
            for i in range(0, len(wanted := _fold_cells() if action is Action.FOLD else cells), 3):
                jobs.append((action, tuple(wanted[i : i + 3])))
        alone = [action for action in flop_bets if action not in river]
        for start in range(0, len(jobs), _TALLIES):
            batch = jobs[start : start + _TALLIES]
            tallies = []
            for action, packed in batch:
                table = zeros
                for field, cell in enumerate(packed):
                    table = [a + (b << (21 * field)) for a, b in zip(table, _indicator(*cell, qualifier), strict=True)]
                plays = [
                    table if play is action or (action is river[-1] and play in alone) else zeros for play in plan.plays
                ]
                tallies.append((plays, table if action is Action.FOLD else zeros))
            _, checked = self._sums(_COUNTS, tallies)
            columns = 1 + len(flop_bets)
            for t, (action, packed) in enumerate(batch):
                for column in range(columns):
                    taken = action if column == 0 else flop_bets[column - 1]
                    if column and not (taken is action or (action is river[-1] and taken in alone)):
                        continue
                    for field, cell in enumerate(packed):
                        at = ((t * columns + column) * _FIELDS + field) * _CLASSES
                        count = sum(checked[at + n] for n in range(_CLASSES) if self._first(n) is Action.CHECK)
                        add(taken, cell[0], Result.FOLD if taken is Action.FOLD else cell[1], cell[2], count)
        # Bets and folds before the flop: two counts to a tally, by starting hand.
        before = [action for action in plan.actions[0] if action is not Action.CHECK]
        taken_before = {self._first(n) for n in range(_CLASSES)} - {Action.CHECK}
        if taken_before:
            pairs = [cells[i : i + 2] for i in range(0, len(cells), 2)]
            for start in range(0, len(pairs), _TALLIES):
                tallies = []
                for pair in pairs[start : start + _TALLIES]:
                    table = _indicator(*pair[0], qualifier)
                    if len(pair) == 2:
                        table = [a + (b << 32) for a, b in zip(table, _indicator(*pair[1], qualifier), strict=True)]
                    tallies.append(([table] * len(plan.plays), table))
                raised, _ = self._sums(_RAISED, tallies)
                for t, pair in enumerate(pairs[start : start + _TALLIES]):
                    for b, action in enumerate(before):
                        at = (t * len(before) + b) * _CLASSES
                        for field, cell in enumerate(pair):
                            count = 10 * sum(raised[at + n][field] for n in range(_CLASSES) if self._first(n) is action)
                            add(action, cell[0], Result.FOLD if action is Action.FOLD else cell[1], cell[2], count)
        return found

    # Sums over the game -------------------------------------------------------------------------------------------------------

    def _first(self, number: int) -> Action:
        """The decision before the flop."""
        sums = self._run[0][number]
        return self._plan.actions[0][sums.index(max(sums))]

    def _totals(self, tallies: Sequence[tuple[list[list[int]], list[int]]]) -> list[int]:
        """The sum of each tally over all deals, along the decisions of this solution."""
        before = [action for action in self._plan.actions[0] if action is not Action.CHECK]
        totals = []
        for start in range(0, len(tallies), _TALLIES):
            batch = tallies[start : start + _TALLIES]
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

    def _sums(self, what: int, tallies: Sequence[tuple[list[list[int]], list[int]]]) -> tuple[list[Any], list[int]]:
        zeros = [0] * 210
        records = tuple(tuple([*plays, *[zeros] * (5 - len(plays)), fold]) for plays, fold in tallies)
        game = _eval.game(self._plan.record, self.rules.packed, what, True, records)
        return _add_up(game, range(2) if what == _RAISED else range(4), bytearray(self._run[1]), 1, None)


def _by_player(by_category: list[int]) -> list[int]:
    """A payoff that the player's category decides, as a table."""
    return [by_category[i // 10] for i in range(100)] * 2 + by_category


def _possible(category: int, result: Result, qualifies: bool, qualifier: int) -> bool:
    if result is Result.WIN:
        return category >= qualifier if qualifies else qualifier > 0
    if result is Result.TIE:
        return qualifies == (category >= qualifier)
    return qualifies or category < qualifier


def _indicator(category: int, result: Result | None, qualifies: bool, qualifier: int) -> list[int]:
    """1 where the player's category, the result (any, if None) and the dealer's qualification are these."""
    dealers = [int((d >= qualifier) == qualifies) for d in range(10)]
    table = [0] * 210
    if result in (Result.WIN, None):
        table[10 * category : 10 * category + 10] = dealers
    if result in (Result.LOSE, None):
        table[100 + 10 * category : 110 + 10 * category] = dealers
    if result in (Result.TIE, None):
        table[200 + category] = dealers[category]
    return table


def _fold_cells() -> list[tuple[int, Any, bool]]:
    return [(c, None, q) for c in range(10) for q in (False, True)]


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

                scratch = scratches.setdefault(get_ident(), bytearray()) or scratches.setdefault(get_ident(), bytearray())
                if not scratch:
                    scratch = scratches[get_ident()] = bytearray(size)
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
        None means one a core; the answer is the same.
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
        raise RulesError("trips, bad_beat, payout_cap or a pay table: the amounts are too large or too fine to be computed exactly")
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
    return Solution._solved(rules, stakes, (sums, bytes(decisions)))
