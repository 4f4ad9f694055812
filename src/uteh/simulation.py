"""Random rounds: `deal_many` deals them by their number, `simulate` plays them and counts how they end.

The core deals (`_core/deal.h` says how), decides and counts in blocks that stay in the cache; money is worked out here,
exactly, from what was counted. This file has the arguments, the strategies that are functions, and the result.
"""

from __future__ import annotations

import math
from fractions import Fraction

from . import _eval, _work
from .errors import Interrupted, RulesError
from .questions import plan_for
from .results import FrozenResult
from .rules import STANDARD, Action, Category, Result, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Literal, TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from .game import Solution
    from .rules import Exact

    Strategy: TypeAlias = Callable[[str, NDArray[np.uint8]], NDArray[Any]]
    # For each key, the rounds that were dealt from it: ranges in order, none touching the next.
    Dealt: TypeAlias = dict[int, tuple[tuple[int, int], ...]]

__all__ = ["Simulation", "deal_many", "simulate"]

_MOST = (1 << 63) - 1  # rounds of a key
_CHUNK = 1 << 27  # rounds between two times at which what has been counted is put together
_BLOCK = 1 << 15  # rounds that a function decides at once
_STREETS: tuple[Literal["preflop", "flop", "river"], ...] = ("preflop", "flop", "river")
_BETS = ("ante", "blind", "play", "trips", "bad_beat")
_CORE = ("ante", "play", "blind", "trips", "bad_beat")

# The core's turns (`_core/simulate.h`): the plays by size, then a fold, then a check.
_PLAYS = (Action.MIN, Action.BET_1X, Action.BET_2X, Action.BET_3X, Action.BET_4X)
_TURN = {action: turn for turn, action in enumerate((*_PLAYS, Action.FOLD, Action.CHECK))}
_FOLD, _CHECK = _TURN[Action.FOLD], _TURN[Action.CHECK]
_PLAY_ENDS = 300
_NONE = 255


# Dealing --------------------------------------------------------------------------------------------------------------


def deal_many(
    n: int, *, rng: Any = None, start: int = 0, out: NDArray[np.uint8] | None = None, threads: int | None = 1
) -> NDArray[np.uint8]:
    """Random rounds: nine different cards each, every order of every nine as likely as any other.

    Round i of a key depends on the key and i alone, so `deal_many(10, rng=7)[4:]` and `deal_many(6, rng=7, start=4)`
    are the same on every machine and for any number of threads; what a seed deals changes only in a major version. The
    generator is Philox4x64-10; a 64-bit word is turned into a deal by multiplications, and the few words that would
    make some deals more likely than others are dropped.

    Parameters
    ----------
    n : int
        How many rounds.
    rng : None, int, sequence of int, SeedSequence, BitGenerator or Generator, optional
        What `numpy.random.default_rng` takes: the source of the 128-bit key. A seed always gives the same key; a
        generator gives one and advances; None takes one from the operating system.
    start : int, default 0
        The number of the first round.
    out : ndarray of uint8, shape (n, 9), optional
        Where to write them; contiguous.
    threads : int or None, default 1
        None means one a core. The GIL is released.

    Returns
    -------
    ndarray of uint8, shape (n, 9)
        Player's two cards, dealer's two, board's five in dealing order: what `settle_many` takes.

    Raises
    ------
    ValueError
        A negative number, more rounds than a key has (2**63 - 1), or an `out` of another shape.
    TypeError
        An argument of another type.

    Examples
    --------
    >>> rows = deal_many(2, rng=7)
    >>> rows.shape, bool((rows[1:] == deal_many(1, rng=7, start=1)).all())
    ((2, 9), True)
    """
    import numpy as np

    from . import _arrays

    n, start = _rounds(n, start)
    threads = _work.count_threads(threads)
    rows = _arrays.output(out, (n, 9), np.uint8)
    key = _key(rng).to_bytes(16, "little")
    _work.run(
        lambda first, last: _eval.deal(key, start, rows, first, last), n, threads=threads, slice_size=_work.ROWS // 4
    )
    return rows


def _rounds(n: Any, start: Any) -> tuple[int, int]:
    numbers = []
    for name, value in (("n", n), ("start", start)):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be an int, not {type(value).__name__}")
        number = value.__index__()
        if number < 0:
            raise ValueError(f"{name} must be at least 0")
        numbers.append(number)
    if sum(numbers) > _MOST:
        raise ValueError(
            f"start + n must be at most 2**63 - 1, the number of rounds of a key; n is {_short(numbers[0])}"
        )
    return numbers[0], numbers[1]


def _short(number: int) -> str:
    return str(number) if number < 10**30 else "a number that large"


def _key(rng: Any) -> int:
    """128 bits from whatever `numpy.random.default_rng` takes; those of a seed do not depend on NumPy's default."""
    import numpy as np

    generator = getattr(rng, "bit_generator", None) or getattr(rng, "_bit_generator", None) or rng
    if isinstance(generator, np.random.BitGenerator):
        # Raw output is what NumPy promises never to change; some generators have 32 bits of it.
        words = [int(word) & 0xFFFFFFFF for word in generator.random_raw(4)]
    elif isinstance(rng, (str, bytes, bool, float)):
        raise TypeError(f"rng must be a seed or a generator, not {type(rng).__name__}")
    else:
        try:
            seeds = rng if hasattr(rng, "generate_state") else np.random.SeedSequence(rng)
            words = [int(word) for word in seeds.generate_state(4, np.uint32)]
        except TypeError:
            raise TypeError(f"rng must be a seed or a generator, not {type(rng).__name__}") from None
        except ValueError as error:
            raise ValueError(f"rng: {error}") from None
    return sum(word << (32 * i) for i, word in enumerate(words))


# The result -----------------------------------------------------------------------------------------------------------


class Simulation(FrozenResult):
    """What simulated rounds came to, exactly; amounts are in antes.

    Simulations of different rounds under the same rules, stakes and strategy add up with `+`, and `sum()` takes them.

    Attributes
    ----------
    rounds : int
    mean : Fraction
        Net win of a round, over all bets.
    std_error : float
        Of the mean: `std_dev` over the root of the rounds. nan with fewer than two rounds.
    std_dev : float
        Of the net win of a round, estimated from these. nan with fewer than two rounds.
    histogram : dict of Fraction to int
        Rounds by net win, from the lowest up.
    totals, by_bet : dict of str to Fraction
        What each bet won in all, and a round: ante, blind, play, trips, bad_beat.
    frequencies : dict of Action to Fraction
        How often each final action came: bets by their size, and folds.
    outcomes : dict
        {(Action, Category, Result, qualifies): rounds}, as `Solution.outcomes`.
    strategy : str
        "optimal", or the name of what decided.
    dealt : dict of int to tuple
        {key: ((first, last + 1), ...)}: the rounds, by the 128-bit key they were dealt from.
    stakes : dict of str to Fraction
        Trips and Bad Beat, in antes.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_counts", "_dealt", "_stakes", "rules", "strategy")
    rules: Rules
    strategy: str
    _counts: tuple[tuple[int, int], ...]  # (the core's number of an end, how many rounds ended so), those there are
    _dealt: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    _stakes: tuple[Fraction, Fraction]

    @property
    def rounds(self) -> int:
        return sum(count for _, count in self._counts)

    @property
    def dealt(self) -> Dealt:
        return dict(self._dealt)

    @property
    def stakes(self) -> dict[str, Fraction]:
        return dict(zip(("trips", "bad_beat"), self._stakes, strict=True))

    @property
    def histogram(self) -> dict[Fraction, int]:
        values: dict[Fraction, int] = {}
        for value, count in self._worth(-1):
            values[value] = values.get(value, 0) + count
        return dict(sorted(values.items()))

    @property
    def mean(self) -> Fraction:
        return sum((value * count for value, count in self._worth(-1)), Fraction(0)) / self._some()

    @property
    def std_dev(self) -> float:
        n = self.rounds
        if n < 2:
            return math.nan
        worth = list(self._worth(-1))
        total = sum((value * count for value, count in worth), Fraction(0))
        squares = sum((value * value * count for value, count in worth), Fraction(0))
        return math.sqrt((squares - total * total / n) / (n - 1))

    @property
    def std_error(self) -> float:
        return self.std_dev / math.sqrt(max(self.rounds, 1))

    @property
    def totals(self) -> dict[str, Fraction]:
        return {
            bet: sum((value * count for value, count in self._worth(_CORE.index(bet))), Fraction(0)) for bet in _BETS
        }

    @property
    def by_bet(self) -> dict[str, Fraction]:
        n = self._some()
        return {bet: total / n for bet, total in self.totals.items()}

    @property
    def frequencies(self) -> dict[Action, Fraction]:
        n = self._some()
        counts = dict.fromkeys((*reversed(_PLAYS), Action.FOLD), 0)
        for end, count in self._counts:
            counts[_end(end)[0]] += count
        return {action: Fraction(count, n) for action, count in counts.items() if count}

    @property
    def outcomes(self) -> dict[tuple[Action, Category, Result, bool], int]:
        found: dict[tuple[Action, Category, Result, bool], int] = {}
        for end, count in self._counts:
            action, result, own, theirs, _ = _end(end)
            key = (action, Category(own), result, theirs >= self.rules.qualifier)
            found[key] = found.get(key, 0) + count
        return found

    def _some(self) -> int:
        if not self._counts:
            raise ValueError("no rounds were simulated")
        return self.rounds

    def _worth(self, bet: int) -> Iterator[tuple[Fraction, int]]:
        """What each end wins on all bets together (below 0) or one of the core's, and how many rounds ended so."""
        unit, fold, plays = _payoffs(self.rules, self._stakes, bet)
        by_board = self.rules.trips_on_fold == "board"
        for end, count in self._counts:
            action, result, own, theirs, board = _end(end)
            if result is Result.FOLD:
                value = fold[board if by_board else own]
            else:
                place = {Result.WIN: 10 * own + theirs, Result.LOSE: 100 + 10 * own + theirs, Result.TIE: 200 + own}
                value = plays[_PLAYS.index(action)][place[result]]
            yield Fraction(value, unit), count

    def __add__(self, other: object) -> Simulation:
        if not isinstance(other, Simulation):
            return NotImplemented
        if self.rules != other.rules:
            raise RulesError(
                f"simulations under different rules do not add up: {', '.join(self.rules.diff(other.rules))}"
            )
        for name in ("stakes", "strategy"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ValueError(f"simulations of different {name} do not add up: {_said(mine)} and {_said(theirs)}")
        dealt = self.dealt
        for key, ranges in other._dealt:
            dealt[key] = _join(dealt.get(key, ()), ranges)
        counts = dict(self._counts)
        for end, count in other._counts:
            counts[end] = counts.get(end, 0) + count
        return Simulation._of(
            tuple(sorted(counts.items())), tuple(sorted(dealt.items())), self._stakes, self.rules, self.strategy
        )

    def __radd__(self, other: object) -> Simulation:
        # sum() starts with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __repr__(self) -> str:
        shown = f"mean={float(self.mean):+.6f} +- {self.std_error:.6f}, " if self._counts else ""
        return f"Simulation({self.rounds:,} rounds, {shown}strategy={self.strategy!r}, rules={self.rules!r})"

    def _data(self) -> dict[str, Any]:
        n = self.rounds
        return {
            "rounds": n,
            "mean": fraction_dict(self.mean) if n else None,
            "std_error": self.std_error if n > 1 else None,
            "std_dev": self.std_dev if n > 1 else None,
            "histogram": [{"net": fraction_dict(value), "rounds": count} for value, count in self.histogram.items()],
            "totals": {bet: fraction_dict(total) for bet, total in self.totals.items()},
            "frequencies": {str(action): fraction_dict(share) for action, share in self.frequencies.items()}
            if n
            else {},
            "strategy": self.strategy,
            "dealt": [
                {"key": f"{key:032x}", "ranges": [list(range_) for range_ in ranges]} for key, ranges in self._dealt
            ],
            "stakes": {name: fraction_dict(value) for name, value in self.stakes.items()},
            "rules": self.rules.to_dict(),
        }


def _end(number: int) -> tuple[Action, Result, int, int, int]:
    """(final action, result, categories of player, dealer, and board after a fold that asks for it) of the core's
    number."""
    turn, rest = divmod(number, _PLAY_ENDS)
    if turn < _FOLD:
        result, hands = divmod(rest, 100)
        return _PLAYS[turn], Result(result - 1), hands // 10, hands % 10, 0
    number -= _FOLD * _PLAY_ENDS
    return Action.FOLD, Result.FOLD, number // 100, number // 10 % 10, number % 10


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {amount}" for name, amount in value.items())
    return str(value)


def _join(mine: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges of rounds put together; rounds that are in both are refused."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted((*mine, *theirs)):
        if joined and start < joined[-1][1]:
            raise ValueError(
                f"simulations of the same rounds do not add up: both have round {start:,}; give the second a start="
            )
        if joined and start == joined[-1][1]:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return tuple(joined)


def _payoffs(rules: Rules, stakes: tuple[Fraction, Fraction], bet: int) -> tuple[int, list[int], list[list[int]]]:
    """(what an ante is, what folds win by category, what plays win) for all bets (below 0) or one of the core's."""
    chips = math.lcm(*(amount.denominator for amount in stakes), rules.river_min.denominator)
    amounts = (chips, 0, chips, *(int(stake * chips) for stake in stakes))
    sizes = (int(rules.river_min * chips), *(chips * m for m in range(1, 5)))
    packed = rules.packed
    record, _ = _eval.plan(packed, 0, amounts, sizes, -1, ((-2,), (-2,), (-1,)), bet)
    fold, plays = _eval.payoffs(record)
    return chips * memoryview(packed).cast("q")[0], fold, plays


# Playing --------------------------------------------------------------------------------------------------------------


def simulate(
    n: int,
    *,
    strategy: Literal["optimal"] | Solution | Strategy = "optimal",
    rules: Rules = STANDARD,
    trips: Exact = 0,
    bad_beat: Exact = 0,
    rng: Any = None,
    start: int = 0,
    threads: int | None = 1,
    progress: _work.Progress | None = None,
) -> Simulation:
    """Play random rounds and count how they end; memory does not grow with n.

    Parameters
    ----------
    n : int
        How many rounds.
    strategy : "optimal", Solution or callable, default "optimal"
        "optimal" solves the game for these rules and stakes first. A Solution plays what is optimal under its own rules
        and stakes, which must be allowed by these rules. A function is called as `strategy(street, cards)` with
        "preflop", "flop" or "river" and the hands that have not bet yet, uint8 of shape (m, 2), (m, 5) or (m, 7): hole
        cards, then the flop or the whole board. It returns m integers: the multiple of the Ante to bet, or 0, a check
        or on the river a fold. It is not asked on a street where the rules allow no bet.
    rules : Rules, optional
    trips, bad_beat : int, Fraction, Decimal or str, default 0
        Side bets in antes.
    rng, start
        Which rounds: as in `deal_many`, which deals the same ones.
    threads : int or None, default 1
        None means one a core; the answer is the same. Functions are then called from several threads at once.
    progress : callable, optional
        Called as progress(done, total) in the caller's thread; an exception from it ends the work.

    Returns
    -------
    Simulation

    Raises
    ------
    Interrupted
        A KeyboardInterrupt, after Ctrl-C; `.result` is the Simulation of the rounds that were finished.
    RulesError
        A ValueError: a stake that the rules do not take; an action of the strategy that they do not allow, naming the
        round.
    ValueError
        A negative number, more rounds than a key has (2**63 - 1), or an answer of a function that has another shape.
    TypeError
        An argument or an answer of another type.

    Examples
    --------
    >>> result = simulate(10_000, rng=1)
    >>> result.rounds, result.mean, f"{result.std_error:.3f}"
    (10000, Fraction(-24, 625), '0.041')
    >>> def timid(street, cards):  # never raises, never folds
    ...     return [int(street == "river")] * len(cards)
    >>> float(simulate(10_000, rng=1, strategy=timid).mean)
    -0.4172
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    n, start = _rounds(n, start)
    workers = _work.count_threads(threads)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {type(progress).__name__}")
    stakes = (as_fraction(trips, "trips"), as_fraction(bad_beat, "bad_beat"))
    plan_for(rules, "preflop", *stakes, None)  # refuses what the rules do not take
    if isinstance(strategy, str) and strategy != "optimal":
        raise ValueError(f'strategy must be "optimal", a Solution or a function, not {strategy[:40]!r}')
    name = _name_of(strategy, rules, stakes)
    key = _key(rng)
    tally = _Tally()

    def result() -> Simulation:
        counts, ranges = tally.total()
        dealt = ((key, ranges),) if ranges else ()
        return Simulation._of(counts, dealt, stakes, rules, name)

    def play(first: int, last: int) -> None:
        step(start + tally.done + first, start + tally.done + last)

    def tell(done: int, _: int) -> None:
        assert progress is not None
        progress(tally.done + done, n)

    try:
        step = _stepper(strategy, rules, stakes, key, workers, tally)
        while tally.done < n:
            _work.run(
                play,
                min(n - tally.done, _CHUNK),
                threads=workers,
                progress=None if progress is None else tell,
                slice_size=1 << 14,
            )
            tally.close()
        return result()
    except KeyboardInterrupt:
        told = result()
        raise Interrupted(f"interrupted after {told.rounds:,} of {n:,} rounds", told) from None


class _Tally:
    """What has been counted, and for which rounds. Each thread adds to a page of its own in one call of the core, which
    no signal can split; a finished chunk's pages are put together in one assignment, so that an interruption finds the
    rounds counted once."""

    def __init__(self) -> None:
        empty: tuple[dict[int, int], tuple[tuple[int, int], ...]] = ({}, ())
        self._state: tuple[Any, dict[int, tuple[bytearray, list[tuple[int, int]]]]] = (empty, {})
        self.done = 0

    def page(self) -> tuple[bytearray, list[tuple[int, int]]]:
        """The calling thread's."""
        from threading import get_ident

        pages = self._state[1]
        return pages.get(get_ident()) or pages.setdefault(get_ident(), (bytearray(8 * _eval.ends()), []))

    def _sum(self) -> tuple[dict[int, int], tuple[tuple[int, int], ...]]:
        (counts, ranges), pages = self._state
        counts = dict(counts)
        for totals, done in list(pages.values()):
            for end, count in enumerate(memoryview(totals).cast("q")):
                if count:
                    counts[end] = counts.get(end, 0) + count
            ranges = _join(ranges, done)
        return counts, ranges

    def close(self) -> None:
        counts, ranges = self._sum()
        self._state = ((counts, ranges), {})
        self.done = sum(stop - start for start, stop in ranges)

    def total(self) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        counts, ranges = self._sum()
        return tuple(sorted(counts.items())), ranges


def _name_of(strategy: Any, rules: Rules, stakes: tuple[Fraction, Fraction]) -> str:
    """What two simulations must have in common to be added."""
    from .game import Solution

    if isinstance(strategy, Solution):
        if strategy.rules == rules and strategy._stakes == (*stakes, None) and not strategy._sees:
            return "optimal"
        own = dict(zip(("trips", "bad_beat", "payout_cap"), strategy._stakes, strict=True))
        bets = "".join(f", {name} {amount}" for name, amount in own.items() if amount)
        return f"optimal for rules {strategy.rules.key[:16]}{bets}"
    if strategy == "optimal":
        return "optimal"
    if not callable(strategy):
        raise TypeError(f'strategy must be "optimal", a Solution or a function, not {type(strategy).__name__}')
    function = strategy if hasattr(strategy, "__qualname__") else type(strategy)
    return f"{function.__module__}.{function.__qualname__}"


def _stepper(
    strategy: Any, rules: Rules, stakes: tuple[Fraction, Fraction], key: int, workers: int, tally: _Tally
) -> Callable[[int, int], None]:
    """What plays a range of rounds."""
    from .game import Solution, solve

    key_bytes = key.to_bytes(16, "little")
    if callable(strategy) and not isinstance(strategy, Solution):
        return _asking(strategy, rules, key_bytes, tally)
    solution = strategy
    if not isinstance(solution, Solution):
        solution = solve(rules, trips=stakes[0], bad_beat=stakes[1], threads=workers)
    if solution._sees:
        raise RulesError("strategy: a Solution of a player who sees cards that others do not cannot be simulated")
    plan = solution._plan
    before, flops, rivers = solution._actions_at(2), solution._run[2], solution._rivers
    if solution.rules != rules:
        used = (set(before), {plan.actions[1][place] for place in set(flops) - {_NONE}}, set(plan.actions[2]))
        for place, street in enumerate(_STREETS):
            for action in sorted(used[place] - set(rules.actions(street)), key=list(Action).index):
                raise RulesError(f"strategy: {action} on the {street}, which the rules of the rounds do not allow")
        if Action.MIN in used[2] and solution.rules.river_min != rules.river_min:
            raise RulesError(
                f"strategy: its smallest river bet is {solution.rules.river_min} of an ante, that of the rules of the "
                f"rounds {rules.river_min}"
            )
    first, flop, river = ([_TURN[action] for action in actions] for actions in (before, *plan.actions[1:]))
    packed = len(flop) <= 2
    if packed:  # two actions need a bit, and a table an eighth the size is the faster one
        import numpy as np

        flops = np.packbits(np.frombuffer(flops, dtype=np.uint8) == 1, bitorder="little").tobytes()
    player = _eval.player(key_bytes, rules.packed, first, flop, river, packed, 2 if len(river) <= 4 else 4)

    def step(first: int, last: int) -> None:
        totals, done = tally.page()
        _eval.simulate(player, flops, rivers, first, last, totals, done)

    return step


def _asking(strategy: Strategy, rules: Rules, key: bytes, tally: _Tally) -> Callable[[int, int], None]:
    """The same where a function decides."""
    import numpy as np

    player = _eval.player(key, rules.packed, [_CHECK] * 169, [_CHECK], [_FOLD])
    turns = {}
    for street in _STREETS:
        allowed = np.full(256, _NONE, dtype=np.uint8)
        allowed[0] = _FOLD if street == "river" else _CHECK
        for multiple in _multiples(rules, street):
            allowed[multiple] = _TURN[Action(f"{multiple}x")]
        turns[street] = allowed
    columns = {"preflop": [0, 1], "flop": [0, 1, 4, 5, 6], "river": [0, 1, 4, 5, 6, 7, 8]}

    def step(first: int, last: int) -> None:
        for at in range(first, last, _BLOCK):
            play(at, min(at + _BLOCK, last))

    def play(first: int, last: int) -> None:
        n = last - first
        rows = np.empty((n, 9), dtype=np.uint8)
        _eval.deal(key, first, rows, 0, n)
        actions = np.full(n, _CHECK, dtype=np.uint8)
        left = np.arange(n)
        for street in _STREETS:
            if not len(left):
                break
            if _multiples(rules, street):
                said = _answer(strategy, street, rows[left][:, columns[street]])
                taken = turns[street][said] if said.dtype == np.uint8 else _narrow(said, turns[street])
                if (taken == _NONE).any():
                    place = int(np.argmax(taken == _NONE))
                    raise RulesError(
                        f"strategy: {said[place]} on the {street} of round {first + int(left[place]):,}; the rules "
                        f"allow 0 or {', '.join(map(str, _multiples(rules, street)))}"
                    )
                actions[left] = taken
                left = left[taken == _CHECK]
        totals, done = tally.page()
        _eval.count_rounds(player, rows, actions, first, last, totals, done)

    return step


def _multiples(rules: Rules, street: str) -> tuple[int, ...]:
    """The whole multiples of the Ante that may be bet on a street."""
    if street == "preflop" and rules.preflop_between:
        return tuple(range(rules.preflop[0], rules.preflop[-1] + 1))
    if street == "river" and rules.river_min < 1:
        return tuple(sorted({1, *rules.river}))
    multiples: tuple[int, ...] = getattr(rules, street)
    return multiples


def _answer(strategy: Strategy, street: str, cards: NDArray[np.uint8]) -> NDArray[Any]:
    """What the function says, one integer a hand."""
    import numpy as np

    m = len(cards)
    said = np.asarray(strategy(street, cards))
    if said.dtype.kind not in "iu":
        raise TypeError(f"strategy: integers are needed on the {street}, it returned {said.dtype}")
    if said.shape != (m,):
        raise ValueError(f"strategy: the shape ({m},) is needed on the {street}, it returned {said.shape}")
    return said


def _narrow(said: NDArray[Any], turns: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Turns by multiples of any integer type."""
    import numpy as np

    fits = (said >= 0) & (said < 256)
    return np.where(fits, turns[np.where(fits, said, 0).astype(np.uint8)], _NONE).astype(np.uint8)
