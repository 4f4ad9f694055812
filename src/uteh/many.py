"""Questions by the array: `odds_many` and `decide_many` say for every row what `odds` and `decide` say for one hand.

The core reads, checks and answers the rows; this file brings the cards of all places to rows, lays out the columns, and
finds the one denominator that the values of all rows have.
"""

from __future__ import annotations

from math import comb, lcm

from . import _eval, _work
from .errors import CardError, RulesError
from .questions import STREETS, packed_rules, plan_for, street_asked
from .results import ColumnsResult
from .rules import STANDARD, Action, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from ._work import Progress
    from .cards import Cards
    from .questions import Plan, Street
    from .rules import Exact

__all__ = ["Decisions", "OddsArray", "decide_many", "odds_many"]

# Name of the argument, of the place in messages, how many cards.
_PLACES = (
    ("holes", "hole", range(2, 3)),
    ("boards", "board", range(6)),
    ("later", "later", range(3)),
    ("dealer", "dealer", range(3)),
    ("dead", "dead", range(53)),
)
_SLICE = (4096, 256, 32, 1, 1, 1)  # rows of the first slice, by unknown cards of the board
_LARGEST = 1 << 62  # sums below it can be told apart and subtracted in 64 bits
_EXACT = 1 << 52  # the same for float64


class OddsArray(ColumnsResult):
    """The odds of many hands: the attributes of `Odds` as arrays with a row for each hand, those that were asked for.

    Attributes
    ----------
    deals, win, tie, lose : ndarray of int64, shape (n,)
    win_unqualified, tie_unqualified, lose_unqualified : ndarray of int64, shape (n,)
    by_category : ndarray of int64, shape (n, 10, 3)
        (win, tie, lose) by the category of the player's final hand.
    equity : ndarray of float64, shape (n,)
        (win + tie / 2) / deals, correctly rounded.
    columns : tuple of str
        The names of those that are there.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_arrays", "rules")
    # In the order of the core's outputs.
    _columns = (
        "deals",
        "lose",
        "tie",
        "win",
        "lose_unqualified",
        "tie_unqualified",
        "win_unqualified",
        "by_category",
        "equity",
    )
    rules: Rules

    def __repr__(self) -> str:
        return f"OddsArray({len(self)} questions: {', '.join(self._arrays)})"


class Decisions(ColumnsResult):
    """The values of every action at many decisions of one street.

    Attributes
    ----------
    street : str
        "preflop", "flop" or "river".
    actions : tuple of Action
        What may be done, in the order fold, check, min, 1x to 4x.
    numerators : ndarray of int64, shape (n, a)
        The value of each action, in antes, times `denominator`.
    denominator : int
        The same for all rows.
    values : ndarray of float64, shape (n, a)
        The same values, correctly rounded.
    best : ndarray of uint8, shape (n,)
        The place in `actions` of the best one; of equal values the first, which risks least.
    margin : ndarray of float64, shape (n,), or None
        The lead of the best action over the second best; None where there is one action.
    columns : tuple of str
        Which of numerators, values, best and margin are there.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_arrays", "actions", "denominator", "rules", "street")
    _columns = ("numerators", "values", "best", "margin")
    actions: tuple[Action, ...]
    denominator: int
    rules: Rules
    street: Street

    def __repr__(self) -> str:
        actions = ", ".join(str(action) for action in self.actions)
        return f"Decisions({len(self)} on the {self.street}, actions {actions}: {', '.join(self._arrays)})"

    def _data(self) -> dict[str, Any]:
        return {
            "street": self.street,
            "actions": [str(action) for action in self.actions],
            "denominator": self.denominator,
            **super()._data(),
        }


def odds_many(
    holes: ArrayLike | Cards,
    boards: ArrayLike | Cards | None = None,
    *,
    later: ArrayLike | Cards | None = None,
    dealer: ArrayLike | Cards | None = None,
    dead: ArrayLike | Cards | None = None,
    rules: Rules = STANDARD,
    columns: Sequence[str] | None = None,
    out: OddsArray | Mapping[str, NDArray[Any]] | None = None,
    check: bool = True,
    threads: int | None = 1,
    progress: Progress | None = None,
) -> OddsArray:
    """Exact odds of many hands; each row is what `odds` says.

    Parameters
    ----------
    holes : array of int, shape (n, 2)
    boards : array of int, shape (n, 0 to 5), optional
        In dealing order; all rows have the same number of cards.
    later : array of int, shape (n, 0 to 2), optional
        Turn or river cards that are known beside the board.
    dealer : array of int, shape (n, 0 to 2), optional
        Cards of the dealer.
    dead : array of int, shape (n, k), optional
        Cards that can come nowhere any more; 255 stands for none, where rows have fewer than k. Each of the five may
        also be one set of cards for all rows: text, or a sequence of ids and texts.
    rules : Rules, optional
        `qualifier` and `hole_cards` bear on the odds.
    columns : sequence of str, optional
        Which attributes to compute; all unless given.
    out : OddsArray or mapping of arrays, optional
        Arrays to write the columns to, for instance an earlier result; contiguous, of the right type and shape.
    check : bool, default True
        False skips the search for wrong ids, repeated cards and too few live cards, for arrays the caller made himself.
        The answer to such a row is then without meaning; memory outside the arrays is never touched.
    threads : int or None, default 1
        None means one a core. The GIL is released, and the answer is the same for any number.
    progress : callable, optional
        Called in this thread as progress(done, n); an exception from it stops the work.

    Returns
    -------
    OddsArray

    Raises
    ------
    CardError
        A ValueError that names the row, the card and its place, before anything is written; the row, from 0, is in
        `.row`.
    TypeError, ValueError
        Arrays of another type or shape, or an unknown column.

    Examples
    --------
    >>> from uteh import parse_many
    >>> found = odds_many(parse_many(["AhKd", "5s4h"]), "Qc 7s 2c")
    >>> found.win, found.deals
    (array([566912, 190044]), array([1070190, 1070190]))
    >>> odds_many("AhKd", "Qc 7s 2c", dead=parse_many(["As", "2d"])).equity.round(6)
    array([0.513603, 0.548964])
    """
    from . import _arrays

    packed = packed_rules(rules)
    threads = _work.count_threads(threads)
    wanted = _arrays.wanted_columns(columns, OddsArray._columns)
    asked = _Asked(holes, boards, later, dealer, dead, packed, check, threads)
    kinds = {"by_category": ((asked.n, 10, 3), "int64"), "equity": ((asked.n,), "float64")}
    layout = {name: kinds.get(name, ((asked.n,), "int64")) for name in wanted}
    arrays = _arrays.outputs(out, OddsArray, layout, asked.inputs())
    outs = tuple(arrays.get(name) for name in OddsArray._columns)
    _work.run(
        lambda first, last: _eval.asked_odds(asked.places, packed, outs, first, last),
        asked.n,
        threads=threads,
        progress=progress,
        slice_size=_SLICE[asked.unknown],
    )
    return OddsArray._of(arrays, rules)


def decide_many(
    holes: ArrayLike | Cards,
    boards: ArrayLike | Cards | None = None,
    *,
    later: ArrayLike | Cards | None = None,
    dealer: ArrayLike | Cards | None = None,
    dead: ArrayLike | Cards | None = None,
    street: Street | None = None,
    rules: Rules = STANDARD,
    trips: Exact = 0,
    bad_beat: Exact = 0,
    payout_cap: Exact | None = None,
    columns: Sequence[str] | None = None,
    out: Decisions | Mapping[str, NDArray[Any]] | None = None,
    check: bool = True,
    threads: int | None = 1,
    progress: Progress | None = None,
) -> Decisions:
    """The exact value of every action in many hands; each row is what `decide` says.

    Parameters
    ----------
    holes, boards, later, dealer, dead : array of int, or one set of cards for all rows
        As for `odds_many`.
    street : {"preflop", "flop", "river"}, optional
        The decision asked about, for all rows; without it the number of board cards tells.
    rules : Rules, optional
    trips, bad_beat, payout_cap : int, Fraction, Decimal or str, optional
        In antes, for all rows; as for `decide`.
    columns : sequence of str, optional
        Which of numerators, values, best and margin to compute; all unless given.
    out, check, threads, progress
        As for `odds_many`.

    Returns
    -------
    Decisions

    Raises
    ------
    CardError
        A ValueError that names the row, the card and its place, before anything is written; the row, from 0, is in
        `.row`.
    RulesError
        A ValueError for a stake that the rules do not take, or for amounts with which the numerators could leave 64
        bits; `decide` goes further.
    TypeError, ValueError
        Arguments of another type or shape; a street that the cards do not reach; rows with so many different numbers
        of dead cards that their values have no common denominator within 64 bits.

    Examples
    --------
    >>> from uteh import parse_many
    >>> found = decide_many(parse_many(["AsKd", "QhQd"]), "7h 8h 2c")
    >>> [str(found.actions[place]) for place in found.best]
    ['check', '2x']
    >>> found.numerators[0], found.denominator
    (array([-1478876, -1533776]), 2140380)
    >>> decide_many("AsKd", "7h 8h 2c", dead=[[46], [47], [255]]).margin.round(6)
    array([0.061515, 0.08069 , 0.02565 ])
    """
    from . import _arrays

    packed = packed_rules(rules)
    threads = _work.count_threads(threads)
    wanted = _arrays.wanted_columns(columns, Decisions._columns)
    asked = _Asked(holes, boards, later, dealer, dead, packed, check, threads, street)
    plan = plan_for(rules, asked.street, trips, bad_beat, payout_cap)
    actions = plan.actions[STREETS.index(asked.street)]
    one = len(actions) == 1
    if one and wanted == ("margin",):
        raise ValueError(f"columns: margin is None where {actions[0]} is the only action")
    denominators, common, exact, fits = asked.denominators(plan)
    if not fits and ("numerators" in wanted or not exact):
        counts = sorted(52 - asked.known - live for live in denominators)
        raise ValueError(
            f"dead: rows with {', '.join(map(str, counts[:-1]))} and {counts[-1]} dead cards have no common "
            f"denominator within 64 bits; ask about them apart{', or for columns without numerators' if exact else ''}"
        )
    kinds = {
        "numerators": ((asked.n, len(actions)), "int64"),
        "values": ((asked.n, len(actions)), "float64"),
        "best": ((asked.n,), "uint8"),
        "margin": ((asked.n,), "float64"),
    }
    layout = {name: kinds[name] for name in wanted if not (one and name == "margin")}
    arrays = _arrays.outputs(out, Decisions, layout, asked.inputs())
    results: dict[str, Any] = {name: arrays.get(name) for name in wanted}
    if not exact:
        import numpy as np

        arrays.setdefault("numerators", np.empty((asked.n, len(actions)), dtype=np.int64))
    outs = tuple(arrays.get(name) for name in Decisions._columns)
    _work.run(
        lambda first, last: _eval.asked_values(asked.places, packed, plan.record, denominators, outs, first, last),
        asked.n,
        threads=threads,
        progress=progress,
        slice_size=_SLICE[asked.unknown],
    )
    if not exact:
        _divide(arrays, common)
    return Decisions._of(results, actions, common, rules, asked.street)


def _divide(arrays: dict[str, Any], denominator: int) -> None:
    """Values and margins from numerators that float64 cannot hold: Python divides ints with one rounding."""
    import numpy as np

    numerators = arrays["numerators"]
    if "values" in arrays:
        arrays["values"].flat = [number / denominator for number in numerators.ravel().tolist()]
    if "margin" in arrays:
        second, first = np.sort(numerators, axis=1)[:, -2:].T
        arrays["margin"][:] = [number / denominator for number in (first - second).tolist()]


class _Asked:
    """The cards of all rows, checked."""

    def __init__(
        self,
        holes: Any,
        boards: Any,
        later: Any,
        dealer: Any,
        dead: Any,
        packed: bytes,
        check: bool,
        threads: int,
        street: Street | None = None,
    ) -> None:
        from . import _arrays

        if not isinstance(check, bool):
            raise TypeError(f"check must be a bool, not {type(check).__name__}")
        self.places = tuple(
            _arrays.known_cards(values, name, place, widths, padded=name == "dead")
            for values, (name, place, widths) in zip((holes, boards, later, dealer, dead), _PLACES, strict=True)
        )
        rows = {
            name: len(cards) for (cards, _, by_row), (name, _, _) in zip(self.places, _PLACES, strict=True) if by_row
        }
        self.n = next(iter(rows.values()), 1)
        for name, length in rows.items():
            if length != self.n:
                raise ValueError(f"{name} has {length} rows, and {next(iter(rows))} {self.n}")
        _, board, late, self.dealer, self.dead = (width for _, width, _ in self.places)
        if max(board - 3, 0) + late > 2:
            raise CardError(f"later: {late} cards given beside a board of {board}; turn and river are two cards")
        self.flop = min(board, 3)
        self.unknown = 5 - board - late
        self.known = 2 + board + late + self.dealer  # beside the dead cards
        self.street = street_asked(self.flop, board + late, street)
        if check:
            self._check(packed, threads)

    def _check(self, packed: bytes, threads: int) -> None:
        found: list[int] = []

        def look(first: int, last: int) -> None:
            row = _eval.asked_check(self.places, packed, first, last)
            if row < last:
                found.append(row)

        _work.run(look, self.n, threads=threads, slice_size=_work.ROWS // 4)
        if not found:
            return
        from . import _arrays

        row = min(found)
        # Ids above 51 are fit for a list alone.
        hole, board, later, dealer, dead = (
            (cards[row] if by_row else cards).tolist() for cards, _, by_row in self.places
        )
        dead = [card for card in dead if card != _arrays.NO_CARD]
        try:
            _eval.question(hole, board, later, dealer, dead, packed)
        except CardError as error:
            raise _arrays.row_error(str(error), row) from None
        raise _arrays.row_error("changed while it was being checked", row)

    def inputs(self) -> list[NDArray[Any]]:
        return [cards for cards, _, by_row in self.places if by_row]

    def denominators(self, plan: Plan) -> tuple[dict[int, tuple[int, int]], int, bool, bool]:
        """({live cards: (denominator, what brings it to the common one)}, the common one, whether float64 holds every
        sum, whether int64 holds every sum over the common one)."""
        from . import _arrays

        dead, _, by_row = self.places[4]
        lives = {52 - self.known - self.dead}
        if by_row and self.n:
            import numpy as np

            empty = np.count_nonzero(dead == _arrays.NO_CARD, axis=1)
            lives = {52 - self.known - self.dead + int(count) for count in np.unique(empty)}
        splits = comb(self.unknown, 3 - self.flop)
        sums = {
            live: comb(max(live, 0), self.unknown) * comb(max(live - self.unknown, 0), 2 - self.dealer) * splits
            for live in lives
        }
        most = max(sums.values()) * plan.largest
        if most >= _LARGEST:
            raise RulesError(
                "trips, bad_beat, payout_cap or a pay table: the amounts are too large or too fine for numerators "
                "of 64 bits; decide() has no such limit"
            )
        # Without a check, rows may have too few live cards for any deal.
        common = lcm(*(deals for deals in sums.values() if deals))
        scales = {live: common // deals if deals else 0 for live, deals in sums.items()}
        fits = max(deals * scales[live] for live, deals in sums.items()) * plan.largest < _LARGEST
        table = {live: (deals * plan.unit, scales[live] if fits else 0) for live, deals in sums.items() if live >= 0}
        return table, common * plan.unit, most < _EXACT, fits
