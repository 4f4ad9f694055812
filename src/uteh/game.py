"""The whole game: `solve` finds the value of Ultimate Texas Hold'em under any rules, and what optimal play looks like.

The core (`_core/solve.h`) goes through all boards by suit classes. This file runs its stages and decides before the
flop. Everything else that a `Solution` knows is read off one table of how deals end, which the core counts along the
decisions that were found; it is computed when the first property that needs it is read.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

from . import _eval, _work
from .errors import CardError, RulesError
from .questions import Decision, decide, plan_for
from .results import FrozenResult
from .rules import STANDARD, Action, Category, Result, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .cards import Cards
    from .questions import Plan, Street
    from .rules import Exact

    # Deals by how they end: by last action (five plays, a fold), category of the player's and level, flat; then the
    # deals folded by the category of the board's.
    _Ends = tuple[int, ...]

__all__ = ["Solution", "solve"]

DEALS = 27_813_810_024_000
"""Deals of the game: C(52, 2) holes, C(50, 3) flops, C(47, 2) turns and rivers, C(45, 2) dealer hands."""

_PER_HOLE = 19_600 * 1_081 * 990  # deals of one hole
_HOLES, _CLASSES, _LEVELS, _FOLD = 1326, 169, 12, 5

# The core's stages, and about how long a unit of each takes, against the others; for progress alone.
_SETS, _RANKS, _ALL, _FLOPS, _COUNTS, _ENDS, _RIVERS = range(7)
_VALUES, _AFTER, _RIVER = (_SETS, _RANKS, _ALL, _FLOPS), (_SETS, _COUNTS, _ENDS), (_SETS, _RIVERS)
_WEIGHT = (1, 12, 3, 3, 4, 12, 8)

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
        27,813,810,024,000; each of them twice where one of the dealer's cards is shown, which may be either, and three
        times where one of the flop's is.
    dealer_exposed, flop_exposed : int
        Cards that the player sees before the first decision.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_lazy", "_run", "_stakes", "dealer_exposed", "flop_exposed", "rules")
    rules: Rules
    dealer_exposed: int
    flop_exposed: int
    _stakes: tuple[Fraction, Fraction, Fraction | None]  # Trips, Bad Beat, payout cap
    # The sum over all deals; where the player sees nothing also the sums of the actions by starting hand, the decisions
    # on the flop, and the ends of deals that are over before it.
    _run: tuple[int, tuple[tuple[int, ...], ...], bytes, _Ends]
    _lazy: dict[str, Any]  # what has been read already, and the number of threads for the rest

    # Storing and comparing --------------------------------------------------------------------------------------------

    @classmethod
    def _solved(cls, rules: Rules, stakes: Any, exposed: tuple[int, int], run: Any, threads: int = 1) -> Solution:
        return cls._of({"threads": threads}, run, stakes, *exposed, rules)

    def _compared(self) -> tuple[Any, ...]:
        return (self.rules, self._stakes, self.dealer_exposed, self.flop_exposed, self._run)

    def __reduce__(self) -> tuple[Any, ...]:
        exposed = (self.dealer_exposed, self.flop_exposed)
        return Solution._solved, (self.rules, self._stakes, exposed, self._run)

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
            "exposed": {"dealer": self.dealer_exposed, "flop": self.flop_exposed},
            "preflop": None
            if self._sees
            else {
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
        return DEALS * (2 if self.dealer_exposed == 1 else 1) * (3 if self.flop_exposed else 1)

    @property
    def _sees(self) -> bool:
        return bool(self.dealer_exposed or self.flop_exposed)

    @property
    def _plan(self) -> Plan:
        return self._plan_on("preflop")

    def _plan_on(self, street: Street) -> Plan:
        """The plan of a street's decisions; kept, because `plan_for` takes longer than most of what is asked of it."""
        plan: Plan | None = self._lazy.get(street)
        if plan is None:
            plan = self._lazy[street] = plan_for(self.rules, street, *self._stakes)
        return plan

    @property
    def ev(self) -> Fraction:
        return Fraction(self._run[0], self.deals * self._plan.unit)

    @property
    def preflop(self) -> dict[str, Decision]:
        if self._sees:
            raise RulesError("preflop: with exposed cards a decision is not one of the starting hand alone; ask action")
        plan = self._plan
        return {
            _name(n): Decision._of(
                plan.actions[0], _combinations(n) * _PER_HOLE * plan.unit, self._run[1][n], self.rules, "preflop"
            )
            for n in _ORDER
        }

    @property
    def by_bet(self) -> dict[str, Fraction]:
        return dict(self._once("by_bet", self._by_bet))

    def _by_bet(self) -> dict[str, Fraction]:
        plan = self._plan
        found = dict.fromkeys(_BETS, Fraction(0))
        for i, bet in enumerate(_CORE):
            if bet == "play" or plan.arguments[2][i]:
                record = _eval.plan(*plan.arguments, bet=i)[0]
                total = sum(value * count for value, count in self._nets(record))
                found[bet] = Fraction(total, self.deals * plan.unit)
        return found

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
        counts = dict.fromkeys((*reversed(self._plan.plays), Action.FOLD), 0)
        for action, _, levels in self._by_action():
            counts[action] += levels[0]
        return {action: Fraction(count, self.deals) for action, count in counts.items() if count}

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
        moment = sum(value * value * count for value, count in self._nets(self._plan.record))
        return Fraction(moment, self.deals * self._plan.unit**2) - self.ev**2

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
            Nothing (or the exposed card of the flop), the three cards of the flop, or all five.
        dealer : str or sequence, optional
            The dealer's cards that the player sees: as many as the game was solved with.

        Returns
        -------
        Action

        Raises
        ------
        CardError
            A ValueError that names the card and its place, or another number of cards.
        RulesError
            Another number of dealer cards than the game was solved with.

        Examples
        --------
        >>> game = solve()
        >>> str(game.action("Ks 5d")), str(game.action("Ks 5d", "9h 7c 2d"))
        ('4x', 'check')
        """
        known = len(_eval.parse_cards(dealer))
        if known != self.dealer_exposed:
            raise RulesError(f"dealer: the game was solved with {self.dealer_exposed} dealer cards shown, not {known}")
        # The checks of cards, by the function that has them.
        question, _, _ = _eval.question(hole, board, "", dealer, "", self.rules.packed)
        shown = _eval.board_shape(question)[1]
        if shown not in (self.flop_exposed, 3, 5):
            raise CardError(f"board: {shown} cards given; a decision is made on {self.flop_exposed}, 3 or 5")
        if self._sees:
            trips, bad_beat, cap = self._stakes
            return decide(
                hole, board, dealer=dealer, rules=self.rules, trips=trips, bad_beat=bad_beat, payout_cap=cap
            ).best
        if shown == 5:
            plan = self._plan_on("river")
            values = _eval.values(plan.record, question)
            return plan.actions[2][values.index(max(values))]
        place = bytearray(1)
        cards = bytes((*_eval.parse_cards(hole), *_eval.parse_cards(board)))
        self._strategy(cards, 2 + shown, place, 0, 1)
        return self._actions_at(2 + shown)[place[0]]

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
        if self._sees:
            raise RulesError("actions_many: the cards that the player sees are not in the rows; ask action")
        places = np.empty(n, dtype=np.uint8)
        _work.run(
            lambda first, last: self._strategy(rows, width, places, first, last),
            n,
            threads=threads,
            slice_size=_work.ROWS // 8,
        )
        found = [self.actions.index(action) for action in self._actions_at(width)]
        # Unchecked rows can repeat a card and then have no decision.
        table = np.zeros(256, dtype=np.uint8)
        table[: len(found)] = found
        return table[places]

    def _strategy(self, rows: Any, width: int, places: Any, first: int, last: int) -> None:
        decisions = b"" if width == 2 else self._run[2] if width == 5 else self._rivers
        _eval.strategy(rows, width, decisions, places, first, last)

    @property
    def _rivers(self) -> bytes:
        """The decisions on the river: 3.4 MB, or twice as much where there are more than four actions."""
        rivers: bytes = self._once("rivers", self._find_rivers)
        return rivers

    def _find_rivers(self) -> bytes:
        game = _Game(self._plan, self.rules, (), 0, self._lazy["threads"])
        rivers = bytearray(_eval.river_bytes(game.record))
        game.run(_RIVER, rivers=rivers)
        return bytes(rivers)

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
        counts: dict[int, int] = {}
        for value, count in self._nets(self._plan.record):
            counts[value] = counts.get(value, 0) + count
        return {Fraction(value, self._plan.unit): count for value, count in sorted(counts.items()) if count}

    def _outcomes(self) -> dict[tuple[Action, Category, Result, bool], int]:
        qualifier = int(self.rules.qualifier)
        found: dict[tuple[Action, Category, Result, bool], int] = {}
        for action, category, levels in self._by_action():
            for result, dealer, count in self._split(category, levels, folded=action is Action.FOLD):
                if count:
                    key = (action, Category(category), result, dealer >= qualifier)
                    found[key] = found.get(key, 0) + count
        return found

    # How deals end ----------------------------------------------------------------------------------------------------

    def _first(self, number: int) -> Action:
        """The decision before the flop."""
        sums = self._run[1][number]
        return self._plan.actions[0][sums.index(max(sums))]

    @property
    def _ends(self) -> _Ends:
        ends: _Ends = self._once("ends", self._find_ends)
        return ends

    def _find_ends(self) -> _Ends:
        threads = self._lazy["threads"]
        if self._sees:
            return _solve_exposed(
                self._plan, self.rules, self.dealer_exposed, self.flop_exposed, threads, None, ends=True
            )[1]
        game = _Game(self._plan, self.rules, (), 0, threads)
        actions = bytearray(game.places(self._run[1]))
        after = game.run(_AFTER, flops=bytearray(self._run[2]), first_actions=actions)
        return _plus(self._run[3], _eval.game_ends(game.record, after, None))

    def _by_action(self) -> Iterator[tuple[Action, int, tuple[int, ...]]]:
        """Last action, the player's category, and the counts of each level of strength."""
        actions = (*self._plan.plays, *[None] * (_FOLD - len(self._plan.plays)), Action.FOLD)
        for i, action in enumerate(actions):
            for category in range(10):
                start = (10 * i + category) * _LEVELS
                levels = self._ends[start : start + _LEVELS]
                if action is not None and levels[0]:
                    yield action, category, levels

    def _split(self, category: int, levels: tuple[int, ...], *, folded: bool) -> Iterator[tuple[Result, int, int]]:
        """Result, a category of the dealer's, and count: categories between which nothing depends stand as their
        lowest."""
        every, below, through, *rest = levels
        cuts = dict(zip(self._categories, rest, strict=False))
        if folded:
            starts, counts = [0, *cuts], [0, *cuts.values(), every]
            yield from zip([Result.FOLD] * len(starts), starts, _differences(counts), strict=True)
            return
        lower = {start: count for start, count in cuts.items() if start <= category}
        higher = {start: count for start, count in cuts.items() if start > category}
        wins, losses = [0, *lower], [category, *higher]
        yield from zip([Result.WIN] * len(wins), wins, _differences([0, *lower.values(), below]), strict=True)
        yield Result.TIE, category, through - below
        counts = [through, *higher.values(), every]
        yield from zip([Result.LOSE] * len(losses), losses, _differences(counts), strict=True)

    @property
    def _categories(self) -> tuple[int, ...]:
        categories: tuple[int, ...] | None = self._lazy.get("categories")
        if categories is None:
            categories = self._lazy["categories"] = _eval.plan_categories(self._plan.record, self.rules.packed)
        return categories

    def _nets(self, record: bytes) -> Iterator[tuple[int, int]]:
        """(net win by the payoffs of a plan's record, deals) in parts."""
        fold, plays = _eval.payoffs(record)
        place = {action: i for i, action in enumerate(self._plan.plays)}
        start = {Result.WIN: 0, Result.LOSE: 100}
        for action, category, levels in self._by_action():
            if action is Action.FOLD:
                continue
            table = plays[place[action]]
            for result, dealer, count in self._split(category, levels, folded=False):
                yield table[200 + category if result is Result.TIE else start[result] + 10 * category + dealer], count
        if self.rules.trips_on_fold == "board":  # then the board's category says what a fold pays
            yield from zip(fold, self._ends[-10:], strict=True)
        else:
            folds = self._ends[10 * _FOLD * _LEVELS : -10 : _LEVELS]
            yield from zip(fold, folds, strict=True)


def _differences(counts: Sequence[int]) -> list[int]:
    return [b - a for a, b in pairwise(counts)]


def _plus(ends: _Ends, more: _Ends, times: int = 1) -> _Ends:
    return tuple(a + times * b for a, b in zip(ends, more, strict=True))


_LOCKS: list[Any] = []


def _lock() -> Any:
    """One lock for all solutions; made on first use, since threading costs some start-up time."""
    if not _LOCKS:
        import threading

        _LOCKS.append(threading.RLock())
    return _LOCKS[0]


class _Game:
    """One run of the core: a plan, with or without cards that the player sees."""

    def __init__(self, plan: Plan, rules: Rules, dealer: tuple[int, ...], flop_exposed: int, threads: int) -> None:
        # What comes out for a flop and a hole fits 32 bits, so sums modulo 2**32 are exact.
        wide = plan.largest * 1_081 * 990 >= 1 << 31
        self.plan = plan
        self.record = _eval.game(plan.record, rules.packed, wide, dealer, flop_exposed)
        self.which, self.numbers = _eval.game_hands(self.record)
        self.threads = threads

    def run(
        self,
        stages: Sequence[int],
        flops: bytearray | None = None,
        first_actions: bytearray | None = None,
        rivers: bytearray | None = None,
        progress: _work.Progress | None = None,
    ) -> bytearray:
        """Runs stages and returns their scratch; progress is called with weighed units of these stages."""
        record, threads = self.record, self.threads
        after = max(stages) >= _COUNTS
        size = _eval.game_scratch(record, after)
        shared = bytearray(size)
        scratches = [shared]  # one a thread: the first may add to what is shared, and has nothing to be merged
        units = [_eval.game_units(record, stage) for stage in stages]
        whole = sum(n * _WEIGHT[stage] for n, stage in zip(units, stages, strict=True))
        before = 0
        if threads > 1:
            from threading import Lock

            lock = Lock()
        for stage, count in zip(stages, units, strict=True):
            taken: dict[int, bytearray] = {}  # of this stage's threads

            def step(first: int, last: int, stage: int = stage, taken: dict[int, bytearray] = taken) -> None:
                scratch = shared
                if threads > 1:
                    from threading import get_ident

                    with lock:
                        if get_ident() not in taken:
                            if len(taken) == len(scratches):
                                scratches.append(bytearray(size))
                            taken[get_ident()] = scratches[len(taken)]
                        scratch = taken[get_ident()]
                _eval.game_range(record, after, stage, first, last, shared, scratch, flops, first_actions, rivers)

            def told(done: int, _: int, before: int = before, weight: int = _WEIGHT[stage]) -> None:
                if progress is not None:
                    progress(before + done * weight, whole)

            _work.run(
                step,
                count,
                # Two threads would write the bits of one byte of a river table.
                threads=1 if stage == _RIVERS else threads,
                progress=None if progress is None else told,
                slice_size=max(1, count // (64 if threads == 1 else 32 * threads)),
            )
            if stage in (_RANKS, _FLOPS, _COUNTS, _ENDS):
                for scratch in scratches[1:]:
                    _eval.game_merge(record, stage, shared, scratch)
            before += count * _WEIGHT[stage]
        return shared

    def sums(self, values: bytearray) -> list[tuple[int, ...]]:
        """The sum of each action before the flop by starting hand, from the scratch of the values; with numbers that no
        hand has."""
        raised, checked = _eval.game_sums(self.record, values, self.which, self.numbers)
        actions = self.plan.actions[0]
        bets = [action for action in actions if action is not Action.CHECK]
        return [
            tuple(
                checked[n] if action is Action.CHECK else raised[n * len(bets) + bets.index(action)]
                for action in actions
            )
            for n in range(self.numbers)
        ]

    def places(self, sums: Sequence[tuple[int, ...]]) -> bytes:
        """The place of the best action before the flop for each hole (and exposed card)."""
        best = bytes(values.index(max(values)) for values in sums)
        none = (1 << 32) - 1
        return bytes(0 if n == none else best[n] for n in memoryview(self.which).cast("I"))


def _dealers(count: int) -> list[tuple[tuple[int, ...], int]]:
    """The dealer's cards that a player may see, up to renaming of suits, and how many there are of each."""
    if count == 0:
        return [((), 1)]
    if count == 1:
        return [((4 * rank,), 4) for rank in range(13)]
    pairs: list[tuple[tuple[int, ...], int]] = [((4 * rank, 4 * rank + 1), 6) for rank in range(13)]
    others = [(4 * a, 4 * b + s, 4 + 8 * s) for a in range(13) for b in range(a) for s in range(2)]
    return pairs + [((a, b), times) for a, b, times in others]


def _solve_exposed(
    plan: Plan,
    rules: Rules,
    dealer_exposed: int,
    flop_exposed: int,
    threads: int,
    progress: _work.Progress | None,
    *,
    ends: bool,
) -> tuple[int, _Ends]:
    """The sum over all deals, and where asked for how they end: one game for each set of cards that may be shown."""
    dealers = _dealers(dealer_exposed)
    total, found = 0, (0,) * (10 * (_FOLD + 1) * _LEVELS + 10)
    for i, (dealer, times) in enumerate(dealers):
        game = _Game(plan, rules, dealer, flop_exposed, threads)

        def told(done: int, whole: int, i: int = i) -> None:
            if progress is not None:
                progress(i * whole + done, len(dealers) * whole)

        flops = bytearray(_eval.game_units(game.record, _FLOPS) * _HOLES) if ends else None
        values = game.run(_VALUES, flops=flops, progress=None if progress is None else told)
        sums = game.sums(values)
        total += times * sum(map(max, sums))
        if not ends:
            continue
        actions = bytearray(game.places(sums))
        if not flop_exposed:
            found = _plus(found, _eval.game_ends(game.record, values, actions), times)
        del values
        after = game.run(_AFTER, flops=flops, first_actions=actions)
        found = _plus(found, _eval.game_ends(game.record, after, None), times)
    return total, found


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
        Cards that the player sees before the first decision: up to two of the dealer's, and up to one of the flop's.
        Each set of dealer cards is a game of its own, which takes its time: 13 or 169 times that of a game without.
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
    for name, value, most in (("dealer_exposed", dealer_exposed, 2), ("flop_exposed", flop_exposed, 1)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be an int, not {type(value).__name__}")
        if not 0 <= value <= most:
            raise RulesError(f"{name}: 0 to {most} cards can be solved for, not {value}")
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
    exposed = (dealer_exposed, flop_exposed)
    if any(exposed):
        total, _ = _solve_exposed(plan, rules, *exposed, workers, progress, ends=False)
        return Solution._solved(rules, stakes, exposed, (total, (), b"", ()), workers)
    game = _Game(plan, rules, (), 0, workers)
    flops = bytearray(_eval.game_units(game.record, _FLOPS) * _HOLES)
    values = game.run(_VALUES, flops=flops, progress=progress)
    sums = tuple(game.sums(values))
    first_ends = _eval.game_ends(game.record, values, bytearray(game.places(sums)))
    return Solution._solved(rules, stakes, exposed, (sum(map(max, sums)), sums, bytes(flops), first_ends), workers)
