"""The player-dealer's side: `bank` says what banking a table is worth per round, and how much it varies.

Every seat plays as `game.solve` finds best. What banking is worth is the sum of the seats; how much it varies asks how
two seats go together that share the board and the dealer's hand, which the core adds up board by board
(`_core/pairs.c`). Where the fund can run out, rounds are dealt at random and settled by `tables.settle_tables`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from . import _eval, _work, game
from .errors import RulesError
from .results import FrozenResult
from .rules import STANDARD, Action, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from .game import Solution
    from .rules import Exact

__all__ = ["Bank", "Stakes", "bank"]

_BOARDS = 2_598_960
_KINDS = 4  # that the core takes at once
_MOST_SEATS = 22
_BLOCK = 1 << 16  # rounds that are dealt at once
_SIZES = {Action.BET_1X: 1, Action.BET_2X: 2, Action.BET_3X: 3, Action.BET_4X: 4}


@dataclass(frozen=True)
class Stakes:
    """What a seat bets each round, before it sees its cards.

    Parameters
    ----------
    ante : int, Fraction, Decimal or str
        Above 0; the Blind is the same.
    trips, bad_beat : same, default 0
    fee : same, default 0
        What the house takes from this player each round.

    Examples
    --------
    >>> Stakes(10, trips=5)
    Stakes(ante=10, trips=5, bad_beat=0, fee=0)
    """

    ante: Any
    trips: Any = 0
    bad_beat: Any = 0
    fee: Any = 0


class Bank(FrozenResult):
    """What banking a table is worth per round, in the unit of the stakes.

    Attributes
    ----------
    ev : Fraction or float
        Expected win of the player-dealer, after the fee: a Fraction where it is exact, else the mean of what was dealt.
    variance : Fraction, float or None
        Of his win; None where it was not asked for.
    std_dev : float or None
    std_error : float
        The standard error of `ev`; 0 where it is exact.
    rounds : int
        How many were dealt; 0 where the answer is exact.
    break_even_fee : Fraction or float
        The fee with which `ev` is 0; below 0 if banking loses without any.
    fees : Fraction
        What the house takes per round, from everybody.
    seats : tuple of Fraction
        The expected win of each seat after its fee, if the fund did not run out.
    fund, bank_fee : Fraction or None
    stakes : tuple of Stakes
    exact : bool
    rules : Rules
    """

    __slots__ = ()
    _fields = ("bank_fee", "ev", "fees", "fund", "rounds", "rules", "seats", "stakes", "variance")
    ev: Any
    variance: Any
    rounds: int
    fees: Fraction
    seats: tuple[Fraction, ...]
    fund: Fraction | None
    bank_fee: Fraction
    stakes: tuple[Stakes, ...]
    rules: Rules

    @property
    def exact(self) -> bool:
        return self.rounds == 0

    @property
    def std_dev(self) -> float | None:
        return None if self.variance is None else math.sqrt(self.variance)

    @property
    def std_error(self) -> float:
        return 0.0 if self.exact else math.sqrt(self.variance / self.rounds)

    @property
    def break_even_fee(self) -> Any:
        return self.ev + self.bank_fee

    def __repr__(self) -> str:
        error = "" if self.exact else f", std_error={self.std_error:.6f}"
        deviation = "" if self.std_dev is None else f", std_dev={self.std_dev:.6f}"
        return f"Bank(ev={float(self.ev):+.9f}{error}{deviation}, seats={len(self.seats)})"

    def _data(self) -> dict[str, Any]:
        def written(value: Any) -> Any:
            return fraction_dict(value) if isinstance(value, Fraction) else value

        return {
            **{name: written(getattr(self, name)) for name in ("ev", "variance", "std_dev", "std_error", "rounds")},
            **{name: written(getattr(self, name)) for name in ("break_even_fee", "fees", "fund", "bank_fee", "exact")},
            "seats": [
                {name: written(getattr(stakes, name)) for name in ("ante", "trips", "bad_beat", "fee")}
                | {"ev": fraction_dict(ev)}
                for stakes, ev in zip(self.stakes, self.seats, strict=True)
            ],
            "rules": self.rules.to_dict(),
        }


def bank(
    seats: Sequence[Stakes | Any],
    *,
    fund: Exact | None = None,
    bank_fee: Exact = 0,
    rules: Rules = STANDARD,
    deviation: bool = True,
    rounds: int = 1_000_000,
    rng: Any = None,
    threads: int | None = 1,
    progress: _work.Progress | None = None,
) -> Bank:
    """The expected win of banking a round against seats that play optimally, and its deviation.

    The answer is exact where the fund cannot run out, that is, where it covers all that the seats could win or lose
    together; otherwise `rounds` are dealt at random, and `std_error` says how far the mean may be off. Every seat plays
    as if it sat alone and its bets were covered. Exact winnings are never rounded, whatever `rules.breakage` says.

    Parameters
    ----------
    seats : sequence of Stakes, mapping or int, Fraction, Decimal or str
        1 to 22, from the player-dealer's left; a number is an Ante alone, a mapping has the names of `Stakes`.
    fund : int, Fraction, Decimal or str, optional
        The most that the player-dealer can lose and win in a round; without it everything is covered.
    bank_fee : int, Fraction, Decimal or str, default 0
        What the house takes from the player-dealer each round.
    rules : Rules, optional
    deviation : bool, default True
        False leaves out an exact deviation, which with two seats or more takes minutes of one core, once for
        side bets in the same proportion to the Ante; `solve` has the variance of one seat.
    rounds : int, default 1,000,000
        How many to deal where the fund can run out; at least 2.
    rng : optional
        What `numpy.random.default_rng` takes, for those rounds.
    threads : int or None, default 1
        None means one a core; the answer is the same.
    progress : callable, optional
        Called as progress(done, total) in the caller's thread; an exception from it ends the work.

    Returns
    -------
    Bank

    Raises
    ------
    RulesError
        A ValueError that names the seat and the stake, or amounts that are too large to be computed exactly.
    TypeError, ValueError
        An argument of another type; floats are not exact.

    Examples
    --------
    >>> table = bank([10, Stakes(20, trips=5, fee=1)], bank_fee="1/2", deviation=False)
    >>> table.break_even_fee, table.fees
    (Fraction(4935098671, 5943121800), Fraction(3, 2))
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    if not isinstance(deviation, bool):
        raise TypeError(f"deviation must be a bool, not {type(deviation).__name__}")
    if isinstance(rounds, bool) or not isinstance(rounds, int):
        raise TypeError(f"rounds must be an int, not {type(rounds).__name__}")
    if rounds < 2:
        raise ValueError(f"rounds must be at least 2, not {rounds}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {type(progress).__name__}")
    workers = _work.count_threads(threads)
    stakes = _read_seats(seats, rules)
    most = None if fund is None else _amount(fund, "fund")
    fee = _amount(bank_fee, "bank_fee")
    games: dict[tuple[Fraction, Fraction], Solution] = {}
    for each in stakes:
        kind = _kind(each)
        if kind not in games:
            games[kind] = game.solve(rules, trips=kind[0], bad_beat=kind[1], threads=workers)
    evs = tuple(each.ante * games[_kind(each)].ev - each.fee for each in stakes)
    fees = sum((each.fee for each in stakes), fee)
    if most is None or most >= _reach(stakes, games, rules):
        # The players' fees go to the house: what the seats lose before them is what the player-dealer wins.
        ev = -sum((net + each.fee for each, net in zip(stakes, evs, strict=True)), Fraction(0)) - fee
        exact = _variance(stakes, games, rules, workers, progress) if deviation else None
        return Bank._of(fee, ev, fees, most, 0, rules, evs, stakes, exact)
    mean, variance = _dealt(stakes, games, most, rules, rounds, rng, workers, progress)
    return Bank._of(fee, mean - float(fee), fees, most, rounds, rules, evs, stakes, variance)


def _amount(value: Any, name: str) -> Fraction:
    amount = as_fraction(value, name)
    if amount < 0:
        raise RulesError(f"{name}: {value} is negative")
    return amount


def _read_seats(seats: Any, rules: Rules) -> tuple[Stakes, ...]:
    if isinstance(seats, (str, bytes, Stakes)) or hasattr(seats, "keys") or not hasattr(seats, "__iter__"):
        raise TypeError(f"seats must be a sequence of Stakes, not {type(seats).__name__}")
    names = ("ante", "trips", "bad_beat", "fee")
    found = []
    for s, seat in enumerate(seats):
        if isinstance(seat, Stakes):
            given = {name: getattr(seat, name) for name in names}
        elif hasattr(seat, "keys") and hasattr(seat, "__getitem__"):
            given = {name: seat[name] for name in seat}
            for name in given:
                if name not in names:
                    raise ValueError(f"seats[{s}]: {str(name)[:40]!r} is none of {', '.join(names)}")
            if "ante" not in given:
                raise ValueError(f"seats[{s}]: ante is missing")
        else:
            given = {"ante": seat}
        amounts = {name: _amount(given.get(name, 0), f"seats[{s}].{name}") for name in names}
        if not amounts["ante"]:
            raise RulesError(f"seats[{s}].ante: 0 is no bet")
        for name, table in (("trips", rules.trips), ("bad_beat", rules.bad_beat)):
            if amounts[name] and table is None:
                raise RulesError(f"seats[{s}].{name}: a stake is given, but the rules have no such table")
        if amounts["bad_beat"] and not amounts["trips"] and rules.bad_beat_needs_trips:
            raise RulesError(f"seats[{s}].bad_beat: these rules take Bad Beat only beside a Trips bet")
        found.append(Stakes(**amounts))
    if not 1 <= len(found) <= _MOST_SEATS:
        raise ValueError(f"seats: 1 to {_MOST_SEATS} are needed, not {len(found)}")
    return tuple(found)


def _kind(stakes: Stakes) -> tuple[Fraction, Fraction]:
    """What a seat's play depends on: its side bets, in antes."""
    return stakes.trips / stakes.ante, stakes.bad_beat / stakes.ante


def _reach(stakes: Sequence[Stakes], games: dict[Any, Solution], rules: Rules) -> Fraction:
    """A fund that no round can use up: under the net reading all that the seats could win together, or lose; under the
    gross one, all that could move."""
    highest = {
        name: max([Fraction(0), *(table.values() if table is not None else ())])
        for name, table in (("blind", rules.blind), ("trips", rules.trips), ("bad_beat", rules.bad_beat))
    }
    won = lost = moved = Fraction(0)
    for each in stakes:
        play = each.ante * max(games[_kind(each)]._plan.sizes)
        sides = each.trips + each.bad_beat
        up = (
            each.ante * (1 + highest["blind"])
            + play
            + each.trips * highest["trips"]
            + each.bad_beat * highest["bad_beat"]
        )
        down = 2 * each.ante + play + sides
        won += up
        lost += down
        moved += max(up, down) + sides  # a side bet can be lost where the others win
    return moved if rules.fund_reading == "gross" else max(won, lost)


# The deviation --------------------------------------------------------------------------------------------------------

# Sums of products by rules and two kinds: what minutes of work found.
_known: dict[Any, Fraction] = {}


def _variance(
    stakes: Sequence[Stakes],
    games: dict[Any, Solution],
    rules: Rules,
    threads: int,
    progress: _work.Progress | None,
) -> Fraction:
    antes: dict[Any, list[Fraction]] = {}
    for each in stakes:
        antes.setdefault(_kind(each), []).append(each.ante)
    total = Fraction(0)
    for kind, of_kind in antes.items():
        total += games[kind].variance * sum(ante * ante for ante in of_kind)
    if len(stakes) == 1:
        return total
    kinds = list(antes)
    joint = _joint(kinds, games, rules, threads, progress)
    for k, one in enumerate(kinds):
        for other in kinds[k:]:
            covariance = joint[one, other] - games[one].ev * games[other].ev
            mine, theirs = antes[one], antes[other]
            # Ordered pairs of different seats.
            weight = sum(mine) ** 2 - sum(ante * ante for ante in mine) if one == other else 2 * sum(mine) * sum(theirs)
            total += covariance * weight
    return total


def _joint(
    kinds: list[Any], games: dict[Any, Solution], rules: Rules, threads: int, progress: _work.Progress | None
) -> dict[Any, Fraction]:
    """The expected product of the net wins of two seats with an ante of 1, for every two kinds."""
    runs = [kinds] if len(kinds) <= _KINDS else _halves(kinds)
    wanted = {(one, other) for k, one in enumerate(kinds) for other in kinds[k:]}
    found = {pair: _known[rules.packed, *pair] for pair in wanted if (rules.packed, *pair) in _known}
    runs = [run for run in runs if any((a, b) in wanted and (a, b) not in found for a in run for b in run)]
    for number, run in enumerate(runs):

        def told(done: int, total: int, number: int = number) -> None:
            if progress is not None:
                progress(number * total + done, len(runs) * total)

        sums = _products([games[kind] for kind in run], rules, threads, told)
        for k, one in enumerate(run):
            for m, other in enumerate(run[k:], k):
                unit = games[one]._plan.unit * games[other]._plan.unit
                value = Fraction(sums[k][m], game.DEALS * math.comb(43, 2) * unit)
                found[one, other] = found[other, one] = value
                if len(_known) < 1024:
                    _known[rules.packed, one, other] = _known[rules.packed, other, one] = value
    return found


def _halves(kinds: list[Any]) -> list[list[Any]]:
    """Sets of at most four in which every two come together."""
    pairs = [kinds[i : i + 2] for i in range(0, len(kinds), 2)]
    return [one + other for i, one in enumerate(pairs) for other in pairs[i + 1 :]]


def _products(solutions: Sequence[Solution], rules: Rules, threads: int, progress: _work.Progress) -> list[list[int]]:
    """The sums of products over all deals of two seats, in the payoffs' units."""
    from threading import get_ident

    plans = tuple(each._plan.record for each in solutions)
    decisions = tuple(each._run[2] for each in solutions)
    firsts = tuple(bytes(map(each._plan.actions[0].index, each._actions_at(2))) for each in solutions)
    scratches: dict[int, bytearray] = {}
    parts: list[list[list[int]]] = []

    def step(first: int, last: int) -> None:
        me = get_ident()
        if me not in scratches:
            scratches[me] = bytearray(_eval.pairs_scratch())
        scratch = scratches[me]
        answer = _eval.pairs_range(plans, decisions, firsts, rules.hole_cards == "both", scratch, first, last)
        if answer is None:
            raise RulesError(
                "trips, bad_beat or a pay table: the amounts are too large or too fine for an exact deviation; "
                "deviation=False leaves it out"
            )
        parts.append(answer[2])

    _work.run(step, _BOARDS, threads=threads, progress=progress, slice_size=256)
    return [[sum(part[k][m] for part in parts) for m in range(len(plans))] for k in range(len(plans))]


# Rounds at random -----------------------------------------------------------------------------------------------------


def _dealt(
    stakes: Sequence[Stakes],
    games: dict[Any, Solution],
    fund: Fraction,
    rules: Rules,
    rounds: int,
    rng: Any,
    threads: int,
    progress: _work.Progress | None,
) -> tuple[float, float]:
    """Mean and variance of the player-dealer's win before his fee over random rounds."""
    import numpy as np

    from .tables import settle_tables

    generator = np.random.default_rng(rng)
    n = len(stakes)
    # Chips so small that every stake, the fund and every winning is whole.
    amounts = [each for seat in stakes for each in (seat.ante, seat.trips, seat.bad_beat)]
    sizes = [size for solution in games.values() for size in solution._plan.sizes]
    unit = math.lcm(*(amount.denominator for amount in (*amounts, fund))) * math.lcm(
        *(size.denominator for size in sizes)
    )
    unit *= memoryview(rules.packed).cast("q")[0]
    if max(amounts) * unit >= 1 << 40 or fund * unit >= 1 << 62:
        raise RulesError("seats or fund: the amounts are too large or too fine to be dealt")
    ante = np.array([int(seat.ante * unit) for seat in stakes], dtype=np.int64)
    trips = np.array([int(seat.trips * unit) for seat in stakes], dtype=np.int64)
    bad_beat = np.array([int(seat.bad_beat * unit) for seat in stakes], dtype=np.int64)
    total = squares = done = 0
    while done < rounds:
        t = min(_BLOCK, rounds - done)
        deck = generator.permuted(np.broadcast_to(np.arange(52, dtype=np.uint8), (t, 52)), axis=1)
        holes = np.ascontiguousarray(deck[:, : 2 * n]).reshape(t, n, 2)
        dealers, boards = deck[:, 2 * n : 2 * n + 2], np.ascontiguousarray(deck[:, 2 * n + 2 : 2 * n + 7])
        play = np.empty((t, n), dtype=np.int64)
        for s, seat in enumerate(stakes):
            play[:, s] = _plays(games[_kind(seat)], holes[:, s], boards, int(seat.ante * unit), rules, threads)
        spread = [np.ascontiguousarray(np.broadcast_to(each, (t, n))) for each in (ante, trips, bad_beat)]
        settled = settle_tables(
            holes,
            dealers,
            boards,
            ante=spread[0],
            play=play,
            trips=spread[1],
            bad_beat=spread[2],
            fund=int(fund * unit),
            rules=rules,
            columns=["bank_net"],
            check=False,
            threads=threads,
        )
        nets = settled.bank_net.tolist()
        total += sum(nets)
        squares += sum(net * net for net in nets)
        done += t
        if progress is not None:
            progress(done, rounds)
    mean = Fraction(total, rounds)
    variance = (Fraction(squares) - rounds * mean * mean) / (rounds - 1)
    return float(mean / unit), float(variance / unit**2)


def _plays(
    solution: Solution, holes: NDArray[Any], boards: NDArray[Any], ante: int, rules: Rules, threads: int
) -> NDArray[np.int64]:
    """What each hand bets in the end, in chips; 0 is a fold."""
    import numpy as np

    size = {action: Fraction(0) for action in Action}
    size |= {action: Fraction(multiple) for action, multiple in _SIZES.items()}
    size[Action.MIN] = rules.river_min
    chips = np.array([int(size[action] * ante) for action in solution.actions], dtype=np.int64)
    check = solution.actions.index(Action.CHECK)
    places = solution.actions_many(holes, check=False, threads=threads)
    for shown in (3, 5):
        rest = np.flatnonzero(places == check)
        rows = np.hstack([holes[rest], boards[rest, :shown]])
        places[rest] = solution.actions_many(rows, check=False, threads=threads)
    return chips[places]
