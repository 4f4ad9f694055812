"""What a strength means: its category, its five ranks, its name, and the five cards that play; and strengths of whole
arrays.

The strength of one hand is `evaluate`, in the compiled module.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from . import _work
from ._eval import evaluate, parse_cards
from .rules import Category

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, overload

    import numpy as np
    from numpy.typing import NDArray

    from .cards import Cards

__all__ = ["best_five", "category", "describe", "evaluate_many"]

# The lowest strength of each category, then one more than the highest. The numbers of classes (1277, 2860, 858, 858,
# 10, 1277, 156, 156, 9, 1) are the well-known 7,462 distinct five-card hands; a test holds the category of every
# strength to the reference.
FIRST = (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7462, 7463)

_SINGULAR = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def evaluate_many(
    cards: Any, *, out: NDArray[np.uint16] | None = None, check: bool = True, threads: int | None = 1
) -> NDArray[np.uint16]:
    """Strengths of many hands of 5, 6 or 7 cards; see `evaluate`. `cpu_features` says by which instructions.

    Parameters
    ----------
    cards : array of int, shape (n, 5), (n, 6) or (n, 7)
        Card ids, one hand a row. Only uint8 in C order is read in place; other integers and strides are copied.
    out : ndarray of uint16, shape (n,), optional
        Where to put the strengths.
    check : bool, default True
        False skips the search for ids over 51 and repeated cards in uint8 arrays: what such a row then gives is
        meaningless, but no memory outside the arrays is touched.
    threads : int or None, default 1
        None means one a core. The GIL is released.

    Returns
    -------
    ndarray of uint16, shape (n,)
        1 to 7462, higher is better.

    Raises
    ------
    CardError
        A ValueError that names row and card, before anything is written; the row, from 0, is in `.row`.
    TypeError
        An array that does not hold integers (bool, float, object, text), or an `out` of another dtype.
    ValueError
        Another shape, or an `out` that does not fit.

    Examples
    --------
    >>> from uteh import parse_many
    >>> evaluate_many(parse_many(["As Ks Qs Js Ts", "7c 5d 4h 3s 2c"]))
    array([7462,    1], dtype=uint16)
    """
    from . import _arrays, _eval

    if not isinstance(check, bool):
        raise TypeError(f"check must be a bool, not {type(check).__name__}")
    threads = _work.count_threads(threads)
    rows = _arrays.card_rows(cards, (5, 6, 7))
    n, width = rows.shape
    result = _arrays.output(out, (n,), "uint16", (rows,))
    if check:
        _arrays.check_rows(rows, threads)
    _work.run(
        lambda first, last: _eval.strengths(rows, width, result, first, last),
        n,
        threads=threads,
        slice_size=_work.ROWS,
    )
    return result


if TYPE_CHECKING:

    @overload
    def category(strength: int) -> Category: ...
    @overload
    def category(strength: NDArray[np.integer[Any]]) -> NDArray[np.uint8]: ...


def category(strength: Any) -> Any:
    """The category of a strength, or of every strength in an array.

    Parameters
    ----------
    strength : int or array of int
        1 to 7462, as `evaluate` and `evaluate_many` give them.

    Returns
    -------
    Category, or ndarray of uint8 in the shape of the array

    Raises
    ------
    TypeError
        Something else than integers.
    ValueError
        A strength outside 1 to 7462; for an array, the message names the first place.

    Examples
    --------
    >>> category(7462)
    <Category.ROYAL_FLUSH: 9>
    >>> str(category(1277))
    'high card'
    """
    if (hasattr(strength, "__array__") and getattr(strength, "ndim", 1) > 0) or isinstance(strength, (list, tuple)):
        return _categories(strength)
    return category_of(_strength(strength))


def _categories(strengths: Any) -> NDArray[np.uint8]:
    import numpy as np

    from . import _arrays

    array = _arrays.integers(strengths, "strength")
    bad = (array < 1) | (array > 7462)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        error = ValueError(f"row {place[0]}: {array[place]} is not a strength (1 to 7462)")
        error.row = place[0]  # type: ignore[attr-defined]
        raise error
    return np.searchsorted(np.array(FIRST[1:]), array, side="right").astype(np.uint8)


def _strength(value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or getattr(value, "ndim", 0) > 0:
        raise TypeError(f"a strength is an int, not {type(value).__name__}")
    number: int = value.__index__()
    if not 1 <= number <= 7462:
        raise ValueError(
            f"{number} is not a strength (1 to 7462)" if abs(number) < 1e9 else "not a strength (1 to 7462)"
        )
    return number


def category_of(strength: int) -> Category:
    """The category of a strength that is known to be one."""
    return Category(sum(strength >= first for first in FIRST[1:]))


@lru_cache(None)
def _unpaired() -> list[tuple[int, ...]]:
    """The 1,277 sets of five ranks that are no straight, lowest first, each from its highest rank down."""
    straights = {tuple(range(top, top - 5, -1)) for top in range(4, 13)} | {(12, 3, 2, 1, 0)}
    return sorted(ranks for ranks in combinations(range(12, -1, -1), 5) if ranks not in straights)


def _pick(count: int, others: list[int], place: int) -> tuple[int, ...]:
    """The place-th set of `count` ranks out of others, lowest first, from its highest rank down."""
    return sorted(combinations(sorted(others, reverse=True), count))[place]


@lru_cache(8192)
def ranks(strength: int) -> tuple[int, ...]:
    """The five ranks of a strength in the order they are spoken: trips before the pair, the wheel as 5 4 3 2 A."""
    kind = category_of(strength)
    place = strength - FIRST[kind]
    everything = list(range(13))
    if kind in (Category.HIGH_CARD, Category.FLUSH):
        return _unpaired()[place]
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        top = 12 if kind == Category.ROYAL_FLUSH else place + 3
        return tuple(rank % 13 for rank in range(top, top - 5, -1))
    if kind == Category.TWO_PAIR:
        pairs, kicker = divmod(place, 11)
        high, low = _pick(2, everything, pairs)
        return (high, high, low, low, [r for r in everything if r not in (high, low)][kicker])
    repeats, kickers = {
        Category.PAIR: (2, 3),
        Category.THREE_OF_A_KIND: (3, 2),
        Category.FULL_HOUSE: (3, 1),
        Category.FOUR_OF_A_KIND: (4, 1),
    }[kind]
    sets = {3: 220, 2: 66, 1: 12}[kickers]
    main, rest = divmod(place, sets)
    side = _pick(kickers, [r for r in everything if r != main], rest)
    return (main,) * repeats + (side * 2 if kind == Category.FULL_HOUSE else side)


def best_five(cards: Cards) -> tuple[int, ...]:
    """The five cards that play, out of 5, 6 or 7, in the order they are spoken.

    Trips stand before the pair, the wheel is 5 4 3 2 A, and of equal ranks the higher id comes first; where two cards
    would do equally well, the higher id plays.

    Parameters
    ----------
    cards : str or sequence of int or str

    Returns
    -------
    tuple of int
        Five ids.

    Raises
    ------
    CardError, TypeError
        As `evaluate`.

    Examples
    --------
    >>> from uteh import format_cards
    >>> format_cards(best_five("Kc Kd 4d Ks 7h 7c"))
    'Ks Kd Kc 7h 7c'
    >>> format_cards(best_five("Ah 2c 3d 4s 5h Kd Kc"))
    '5h 4s 3d 2c Ah'
    """
    ids = parse_cards(cards)
    strength = evaluate(ids)
    pool = sorted(ids, reverse=True)
    if category_of(strength) in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        suits = [card % 4 for card in ids]
        pool = [card for card in pool if suits.count(card % 4) >= 5]
    five = []
    for rank in ranks(strength):
        card = next(card for card in pool if card // 4 == rank)
        pool.remove(card)
        five.append(card)
    return tuple(five)


def _plural(rank: int) -> str:
    return _SINGULAR[rank] + ("es" if rank == 4 else "s")


def describe(strength: int) -> str:
    """A strength in words.

    Parameters
    ----------
    strength : int
        1 to 7462.

    Raises
    ------
    TypeError, ValueError
        As `category`.

    Examples
    --------
    >>> from uteh import evaluate
    >>> describe(evaluate("Kc Kd 9d Ks 9h"))
    'kings full of nines'
    >>> describe(7462), describe(1)
    ('royal flush', 'high card, 7 5 4 3 2')
    """
    strength = _strength(strength)
    five = ranks(strength)
    spoken = ["23456789TJQKA"[rank] for rank in five]
    match category_of(strength):
        case Category.HIGH_CARD:
            return "high card, " + " ".join(spoken)
        case Category.PAIR:
            return f"pair of {_plural(five[0])}, " + " ".join(spoken[2:])
        case Category.TWO_PAIR:
            return f"two pair, {_plural(five[0])} and {_plural(five[2])}, {spoken[4]}"
        case Category.THREE_OF_A_KIND:
            return f"three {_plural(five[0])}, " + " ".join(spoken[3:])
        case Category.STRAIGHT:
            return f"straight, {_SINGULAR[five[0]]} high"
        case Category.FLUSH:
            return "flush, " + " ".join(spoken)
        case Category.FULL_HOUSE:
            return f"{_plural(five[0])} full of {_plural(five[3])}"
        case Category.FOUR_OF_A_KIND:
            return f"four {_plural(five[0])}, {spoken[4]}"
        case Category.STRAIGHT_FLUSH:
            return f"straight flush, {_SINGULAR[five[0]]} high"
        case _:
            return "royal flush"
