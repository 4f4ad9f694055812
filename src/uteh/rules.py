"""The rules of a game as one value: actions, pay tables, rule sets and their presets, and their packing for C.

Nothing here looks at a card. Hands are ranked in `hands`, bets are settled by the compiled core, which reads
`Rules.packed`; the order of that packing is `PACKED_FIELDS`. A new rule is a field of `Rules`, its check in
`Rules.__post_init__` and its place in `PACKED_FIELDS`. Modules that cost start-up time are imported where they are
used.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, fields
from fractions import Fraction

from .errors import RulesError

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would cost every start several ms
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal
    from typing import Any, Literal, TypeAlias, TypeVar, overload

    Exact: TypeAlias = int | Fraction | Decimal | str
    TableLike: TypeAlias = "PayTable | Mapping[str, Exact] | Mapping[Category, Exact] | str"
    UnqualifiedAnte: TypeAlias = Literal["push", "settle", "win_only", "lose_only", "always"]
    UnqualifiedPlay: TypeAlias = Literal["settle", "push"]
    TripsOnFold: TypeAlias = Literal["hand", "board", "lose"]
    TripsWhenNotWon: TypeAlias = Literal["pay", "push", "lose"]
    HoleCards: TypeAlias = Literal["any", "both"]
    FundReading: TypeAlias = Literal["net", "gross"]
    Breakage: TypeAlias = Literal["exact", "down", "nearest"]
    D = TypeVar("D")

__all__ = [
    "PACKED_FIELDS",
    "STANDARD",
    "Action",
    "Category",
    "PayTable",
    "Result",
    "Rules",
    "as_fraction",
    "fraction_dict",
]

SCHEMA = "uteh/1"


# ---------------------------------------------------------------------------------------------------------------- names


class _SpokenEnum(enum.IntEnum):
    """An IntEnum that prints as words; a numeric format such as ``d`` still prints the number."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    def __format__(self, spec: str) -> str:
        # IntEnum formats as an int, so f"{x}" and str(x) would disagree.
        if spec and spec[-1] in "bcdeEfFgGnoxX%":
            return int.__format__(self, spec)
        return str.__format__(str(self), spec)


class Category(_SpokenEnum):
    """The ten categories of a five-card hand, lowest first.

    Examples
    --------
    >>> str(Category.FULL_HOUSE), int(Category.FULL_HOUSE)
    ('full house', 6)
    >>> Category.FLUSH > Category.STRAIGHT
    True
    """

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class Result(_SpokenEnum):
    """How a round ended for the player; int8 in arrays.

    Examples
    --------
    >>> [str(result) for result in Result]
    ['fold', 'lose', 'tie', 'win']
    >>> int(Result.FOLD)
    -2
    """

    FOLD = -2
    LOSE = -1
    TIE = 0
    WIN = 1


class Action(enum.StrEnum):
    """What a player can do; a member is its text, and their order here is the order in which exact ties are broken.

    Examples
    --------
    >>> Action.BET_4X == "4x", str(Action.CHECK)
    (True, 'check')
    """

    FOLD = "fold"
    CHECK = "check"
    MIN = "min"
    BET_1X = "1x"
    BET_2X = "2x"
    BET_3X = "3x"
    BET_4X = "4x"


_BY_NAME = {category.name.lower(): category for category in Category}
_NAMES = tuple(_BY_NAME)  # by category number
_MULTIPLES = (Action.BET_1X, Action.BET_2X, Action.BET_3X, Action.BET_4X)
_BETS = ("ante", "play", "blind", "trips", "bad_beat")
_STREETS = ("preflop", "flop", "river")
_TABLES = ("blind", "trips", "bad_beat")

# The texts each such field allows, in the order of their numbers in the packed form.
_CHOICES: dict[str, tuple[str, ...]] = {
    "unqualified_ante": ("push", "settle", "win_only", "lose_only", "always"),
    "unqualified_play": ("settle", "push"),
    "trips_on_fold": ("hand", "board", "lose"),
    "trips_when_not_won": ("pay", "push", "lose"),
    "hole_cards": ("any", "both"),
    "fund_reading": ("net", "gross"),
    "breakage": ("exact", "down", "nearest"),
}


# -------------------------------------------------------------------------------------------------------------- helpers


def _show(value: object) -> str:
    """`repr`, short enough for a message, and never failing (an int of 5,000 digits has no repr)."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def _wrong_type(field: str, value: object, wanted: str) -> TypeError:
    return TypeError(f"{field}: expected {wanted}, not {type(value).__name__} {_show(value)}")


def _wrong_value(field: str, value: object, allowed: str) -> RulesError:
    return RulesError(f"{field}: {_show(value)} is not allowed; allowed: {allowed}")


def _nearest(word: str, known: tuple[str, ...]) -> str:
    """``; did you mean "x"?``, or nothing where no known name is close."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower().replace(" ", "_"), known, 1)
    return f'; did you mean "{close[0]}"?' if close else ""


def as_fraction(value: Exact, field: str) -> Fraction:
    """An exact number as a Fraction.

    Parameters
    ----------
    value : int, Fraction, Decimal or str
        Text is a whole number, a decimal, or two whole numbers with ``/`` or ``:`` between them.
    field : str
        The name that an error message gives the value.

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError
        For bool and float, which are no exact amounts, and for every other type.
    RulesError
        For text that is no number, a zero denominator, and decimals that are not finite.

    Examples
    --------
    >>> as_fraction("3:2", "flush")
    Fraction(3, 2)
    >>> as_fraction("1.5", "flush") == as_fraction("3/2", "flush")
    True
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(int(value))
    if isinstance(value, Fraction):
        return Fraction(value.numerator, value.denominator)
    if isinstance(value, str):
        text = value.strip()
        # No exponents: "1e999999999" would ask Fraction for a number of a billion digits.
        if not text.strip("0123456789+-./:"):
            try:
                return Fraction(text.replace(":", "/"))
            except (ValueError, ZeroDivisionError):
                pass
        raise RulesError(f"{field}: {_show(value)} is not a number such as 3, 3/2, 3:2 or 1.5")
    from decimal import Decimal

    if isinstance(value, Decimal):
        if not value.is_finite():
            raise RulesError(f"{field}: {value} is not a finite number")
        if value and max(abs(value.adjusted()), -int(value.as_tuple().exponent)) > 1000:
            raise RulesError(f"{field}: {_show(value)} is too large or too fine; at most 1,000 places")
        return Fraction(value) if value else Fraction(0)
    raise _wrong_type(field, value, "an exact number (int, Fraction, Decimal or text)")


def fraction_dict(value: Fraction) -> dict[str, str | float]:
    """A Fraction as every `.to_dict()` of the package writes it: exact text, and a float for convenience.

    Examples
    --------
    >>> fraction_dict(Fraction(-1, 2))
    {'fraction': '-1/2', 'float': -0.5}
    >>> fraction_dict(Fraction(3))
    {'fraction': '3', 'float': 3.0}
    """
    return {"fraction": str(value), "float": float(value)}


def _from_json(value: Any, field: str) -> Any:
    """Undo `fraction_dict`; everything else passes."""
    if isinstance(value, dict):
        if "fraction" not in value or not value.keys() <= {"fraction", "float"}:
            raise RulesError(f'{field}: {_show(value)} is not a number; allowed: {{"fraction": "1/2"}}')
        return value["fraction"]
    return value


def _is_mapping(value: object) -> bool:
    """Duck-typed, because collections.abc.Mapping would accept fewer of the mappings people have."""
    return hasattr(value, "keys") and hasattr(value, "__getitem__")


def _as_category(value: object, field: str) -> Category:
    """A Category from itself, its number or its name in either case, with blanks or underscores."""
    if isinstance(value, Category):
        return value
    allowed = ", ".join(_NAMES)
    if isinstance(value, str):
        name = value.strip().lower().replace(" ", "_").replace("-", "_")
        if name not in _BY_NAME:
            raise RulesError(f"{field}: {_show(value)} is no category; allowed: {allowed}{_nearest(name, _NAMES)}")
        return _BY_NAME[name]
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= 9:
            return Category(value)
        raise RulesError(f"{field}: {_show(value)} is no category; allowed: 0 to 9, or {allowed}")
    raise _wrong_type(field, value, "a Category, its number or its name")


def _sequence(value: Any, field: str, wanted: str) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes, bytearray, dict)) or not (
        hasattr(value, "__len__") and hasattr(value, "__getitem__")
    ):
        raise _wrong_type(field, value, wanted)
    return tuple(value)


# ----------------------------------------------------------------------------------------------------------- pay tables


class PayTable:
    """What a bet pays by category, to one; immutable, compared by value.

    Parameters
    ----------
    royal_flush, straight_flush, four_of_a_kind, full_house, flush : int, Fraction, Decimal or str, optional
    straight, three_of_a_kind, two_pair, pair, high_card : int, Fraction, Decimal or str, optional
        The payout to one. 0 returns the stake. What a category that is left out does is the bet's affair: the Blind
        pushes, Trips and Bad Beat lose.

    Raises
    ------
    TypeError
        An entry of another type: floats are not exact.
    RulesError
        An entry that is negative or no number; the message names it.

    Notes
    -----
    Reads like a mapping whose keys are categories, from the top one downward. Wherever a category is asked for, its
    number or its name will do.

    Examples
    --------
    >>> table = PayTable.parse("500/50/10/3/3:2/1")
    >>> table
    PayTable(royal_flush=500, straight_flush=50, four_of_a_kind=10, full_house=3, flush='3/2', straight=1)
    >>> table[Category.FLUSH]
    Fraction(3, 2)
    >>> Category.PAIR in table, table.get(Category.PAIR), len(table)
    (False, None, 6)
    >>> str(table)
    '500/50/10/3/3:2/1'
    """

    __slots__ = ("_entries",)
    _entries: tuple[Fraction | None, ...]  # by category number; None where the table has no entry

    def __init__(
        self,
        *,
        royal_flush: Exact | None = None,
        straight_flush: Exact | None = None,
        four_of_a_kind: Exact | None = None,
        full_house: Exact | None = None,
        flush: Exact | None = None,
        straight: Exact | None = None,
        three_of_a_kind: Exact | None = None,
        two_pair: Exact | None = None,
        pair: Exact | None = None,
        high_card: Exact | None = None,
    ) -> None:
        given = (
            high_card,
            pair,
            two_pair,
            three_of_a_kind,
            straight,
            flush,
            full_house,
            four_of_a_kind,
            straight_flush,
            royal_flush,
        )
        entries: list[Fraction | None] = []
        for name, value in zip(_NAMES, given, strict=True):
            entry = None if value is None else as_fraction(value, name)
            if entry is not None and entry < 0:
                raise RulesError(f"{name}: {_show(value)} is negative; allowed: 0 (a push) or more")
            entries.append(entry)
        object.__setattr__(self, "_entries", tuple(entries))

    @classmethod
    def parse(cls, text: str, top: Category | int | str = "royal_flush") -> PayTable:
        """A table from payouts with slashes between them, for the categories from `top` downward.

        Parameters
        ----------
        text : str
            Such as ``"500/50/10/3/3:2/1"``; each part is a whole number, a decimal or a ratio with a colon.
        top : Category, int or str, default "royal_flush"
            The category of the first part. A Bad Beat table starts at "straight_flush", as a royal flush cannot lose.

        Raises
        ------
        RulesError
            A part that is no payout, or more parts than categories.

        Examples
        --------
        >>> PayTable.parse("20/9", top="straight")
        PayTable(straight=20, three_of_a_kind=9)
        """
        if not isinstance(text, str):
            raise _wrong_type("pay table", text, "text")
        first = _as_category(top, "top")
        parts = text.split("/")
        if len(parts) > first + 1:
            raise RulesError(
                f"pay table {_show(text)}: {len(parts)} payouts, but only {first + 1} categories from "
                f"{_NAMES[first]} downward"
            )
        entries: dict[str, Fraction] = {}
        for place, part in enumerate(parts):
            name = _NAMES[first - place]
            try:
                entries[name] = as_fraction(part, name)
            except RulesError:
                raise RulesError(
                    f"pay table {_show(text)}: {name}: {_show(part)} is not a payout such as 500, 3:2 or 1.5"
                ) from None
        return cls(**entries)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any] | Mapping[Category, Any]) -> PayTable:
        """The table that `to_dict` wrote; categories as keys and ``{"fraction": ...}`` as values will do too.

        Raises
        ------
        RulesError
            A name that is no category, or a category that stands there twice.

        Examples
        --------
        >>> PayTable.from_dict({"royal_flush": 500, "flush": "3/2"})
        PayTable(royal_flush=500, flush='3/2')
        """
        if isinstance(mapping, cls):
            return mapping
        if not _is_mapping(mapping):
            raise _wrong_type("pay table", mapping, "a mapping from category to payout")
        source: Any = mapping
        entries: dict[str, Any] = {}
        for key in source:
            name = _NAMES[_as_category(key, "pay table")]
            if name in entries:
                raise RulesError(f"pay table: {name} is given twice")
            value = _from_json(source[key], name)
            if value is None:  # absent is written by leaving a name out; a null here is a slip
                raise _wrong_type(name, value, "an exact number (int, Fraction, Decimal or text)")
            entries[name] = value
        return cls(**entries)

    def to_dict(self) -> dict[str, int | str]:
        """Names and payouts, from the top category downward, fit for JSON and TOML.

        Examples
        --------
        >>> PayTable(flush=Fraction(3, 2), royal_flush=500).to_dict()
        {'royal_flush': 500, 'flush': '3/2'}
        """
        return {
            _NAMES[category]: value.numerator if value.denominator == 1 else str(value)
            for category, value in self.items()
        }

    def __getitem__(self, category: Category | int | str) -> Fraction:
        try:
            value = self._entries[_as_category(category, "category")]
        except RulesError:
            value = None
        if value is None:
            raise KeyError(category)
        return value

    if TYPE_CHECKING:

        @overload
        def get(self, category: Category | int | str) -> Fraction | None: ...
        @overload
        def get(self, category: Category | int | str, default: D) -> Fraction | D: ...

    def get(self, category: Category | int | str, default: Any = None) -> Any:
        """The payout of a category, or `default` where the table has none."""
        try:
            return self[category]
        except KeyError:
            return default

    def __contains__(self, category: object) -> bool:
        try:
            return self._entries[_as_category(category, "category")] is not None
        except (RulesError, TypeError):
            return False

    def __iter__(self) -> Iterator[Category]:
        return (category for category in reversed(Category) if self._entries[category] is not None)

    def __len__(self) -> int:
        return len(self._entries) - self._entries.count(None)

    def keys(self) -> tuple[Category, ...]:
        """The categories of the table, the top one first."""
        return tuple(self)

    def values(self) -> tuple[Fraction, ...]:
        """The payouts, in the order of `keys`."""
        return tuple(value for value in reversed(self._entries) if value is not None)

    def items(self) -> tuple[tuple[Category, Fraction], ...]:
        """Pairs of category and payout, the top category first."""
        return tuple(zip(self.keys(), self.values(), strict=True))

    def __eq__(self, other: object) -> bool:
        return self._entries == other._entries if isinstance(other, PayTable) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._entries)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a PayTable cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a PayTable cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {_NAMES[category]: value for category, value in self.items()})

    def __repr__(self) -> str:
        return f"PayTable({', '.join(f'{name}={value!r}' for name, value in self.to_dict().items())})"

    def __str__(self) -> str:
        keys = self.keys()
        payouts = [str(value).replace("/", ":") for value in self.values()]
        if not keys or keys[0] - keys[-1] == len(keys) - 1:
            return "/".join(payouts)
        # With a gap, slashes alone would not say which category a payout belongs to.
        return ", ".join(f"{_NAMES[category]} {payout}" for category, payout in zip(keys, payouts, strict=True))


def _rebuild(cls: type[Any], changes: dict[str, Any]) -> Any:
    """What pickles call: through the constructor, so that a pickle from elsewhere is checked too."""
    return cls(**changes)


# ------------------------------------------------------------------------------------------------------------ rule sets

PACKED_FIELDS: tuple[tuple[str, int], ...] = (
    ("unit", 1),
    ("preflop", 1),
    ("flop", 1),
    ("river", 1),
    ("preflop_between", 1),
    ("river_min_num", 1),
    ("river_min_den", 1),
    ("fold_preflop", 1),
    ("fold_flop", 1),
    ("qualifier", 1),
    ("unqualified_ante", 1),
    ("unqualified_play", 1),
    ("blind", 10),
    ("has_trips", 1),
    ("trips", 10),
    ("trips_on_fold", 1),
    ("trips_when_not_won", 1),
    ("has_bad_beat", 1),
    ("bad_beat", 10),
    ("bad_beat_needs_trips", 1),
    ("both", 1),
    ("wager_order", 5),
    ("losing_order", 5),
    ("fund_gross", 1),
    ("breakage", 1),
)
"""Name and number of int64 values of each part of `Rules.packed`, in order: the members of the C struct."""

_BLIND = PayTable.parse("500/50/10/3/3:2/1")
_TRIPS = PayTable.parse("50/40/30/8/7/4/3")
_UNIT_MAX = 1000
_PACKED_MAX = 2**40


class _LosingOrder:
    """The attribute `Rules.losing_order`: readers get a tuple, `dataclasses.replace` gets what was given.

    An order that was not given is stored as None and follows `wager_order`. `dataclasses.replace` reads every field and
    hands it to the constructor, so it has to see the None, or a variant with another `wager_order` would keep the old
    losing order as if it had been given. A tuple with a mark on it could not do this: handed to `Rules(...)` by a
    caller who means that very order, it would be taken for "not given".
    """

    def __get__(self, rules: Rules | None, owner: type[Rules] | None = None) -> tuple[str, ...] | None:
        if rules is None:
            return None  # the default of the field, read by @dataclass
        given: tuple[str, ...] | None = rules.__dict__["losing_order"]
        if given is None:
            import sys

            # `replace` itself on Python 3.11 and 3.12, `_replace` (also `copy.replace`) from 3.13 on
            reader = sys._getframe(1)
            if reader.f_code.co_name in ("replace", "_replace") and reader.f_globals.get("__name__") == "dataclasses":
                return None
            return rules.wager_order
        return given

    def __set__(self, rules: Rules, value: object) -> None:  # only reached through object.__setattr__: Rules is frozen
        rules.__dict__["losing_order"] = value


@dataclass(frozen=True)
class Rules:
    """The rules of a table; frozen, hashable, compared by value. `Rules()` is the standard game.

    Parameters
    ----------
    preflop : sequence of int, default (3, 4)
        Multiples of the Ante that a Play bet may have before the flop: increasing, each 1 to 4; empty forbids it.
        Source: California player-dealer rules, Round of Play, item 1; only 4x in UK and Bosnian house rules, only 3x
        on a published variant page.
    flop : sequence of int, default (2,)
        The same after the flop. Source: California player-dealer rules, Round of Play, item 3.
    river : sequence of int, default (1,)
        The same on the river; not empty. Source: California player-dealer rules, Round of Play, item 5.
    preflop_between : bool, default False
        Any amount from the lowest to the highest preflop multiple, of which there must be two.
        Source: the rules page of a simulated game, "3x to 4x the Ante".
    river_min : int, Fraction, Decimal or str, default 1
        Smallest river Play in antes, above 0 and at most 1; any size from there to 1x is legal. Kept as a Fraction.
        Source: the rules page of a simulated game, "up to 1x their Ante".
    fold_preflop : bool, default False
        The player may fold before the flop. Source: the rules page of a simulated game.
    fold_flop : bool, default False
        The player may fold on the flop. Source: the trade's custom where early folds are taken at all; none of the
        published rules behind the presets allows it.
    qualifier : Category, int, str or None, default Category.PAIR
        Lowest dealer category that qualifies; None means that every hand does and is kept as Category.HIGH_CARD.
        Source: California player-dealer rules, item 8; all published rules behind the presets ask for a pair.
    unqualified_ante : {"push", "settle", "win_only", "lose_only", "always"}, default "push"
        The Ante when the dealer does not qualify. "push" returns it; "settle" as if qualified; "win_only" pays the
        higher hand, else pushes; "lose_only" loses the lower hand, else pushes; "always" pays it unless folded, ties
        too. A tie pushes in the first four. Source: California player-dealer rules, item 8a, for "push"; the others
        are house variants.
    unqualified_play : {"settle", "push"}, default "settle"
        The Play bet when the dealer does not qualify: as if qualified, or returned.
        Source: California player-dealer rules, item 8b, for "settle"; "push" is a house variant.
    blind : PayTable, mapping or str, default 500/50/10/3/3:2/1
        What a winning hand pays the Blind, by category; one that is not in the table pushes. Text starts at the royal
        flush. Source: printed rules of a cardroom with a board-first deal; 58 Pa. Code 653a.12(b) for others.
    trips : PayTable, mapping, str or None, default 50/40/30/8/7/4/3
        What the player's hand pays Trips, by category; one that is not in the table loses. Text starts at the royal
        flush; None: no such bet. Source: printed rules of a cardroom with a board-first deal.
    trips_on_fold : {"hand", "board", "lose"}, default "hand"
        Trips after a fold: on the player's seven cards, on the five board cards alone, or lost. Source: California
        player-dealer rules, note to item 17; a cardroom's printed rules ("board"); Oxford Downs house rules ("lose").
    trips_when_not_won : {"pay", "push", "lose"}, default "pay"
        A hand in the Trips table that does not beat the dealer: paid; pushed if it loses or ties; or lost if it loses
        and pushed if it ties. A fold is decided by `trips_on_fold` alone. Source: California player-dealer rules, item
        17; Pompano house rules ("push"); a published side-bet page on Florida ("lose").
    bad_beat : PayTable, mapping, str or None, default None
        What Bad Beat pays when either side loses with a hand in the table, by the losing hand's category; a tie and a
        fold lose. Text starts at the straight flush; None: no such bet.
        Source: California player-dealer rules with a Bad Beat bonus; the published two-way table.
    bad_beat_needs_trips : bool, default False
        Bad Beat only beside a Trips bet; both tables must be there.
        Source: California player-dealer rules with a Bad Beat bonus, Round of Play, item 3.
    hole_cards : {"any", "both"}, default "any"
        The best five of seven cards, or hands in which exactly both hole cards play: for both sides, qualification,
        Blind and Trips. Source: California player-dealer rules, item 9a; Auckland house rules ("both").
    wager_order : sequence of str, default ("ante", "play", "blind", "trips", "bad_beat")
        The order in which the bets of a hand are settled: those five names, each once.
        Source: California player-dealer rules with a Bad Beat bonus, item 11.
    losing_order : sequence of str or None, default None
        The same for a hand that loses. None follows `wager_order`, also in a variant made by `dataclasses.replace`;
        reading the attribute always gives a tuple. An order equal to `wager_order` counts as not given, so that equal
        rules have equal variants. Source: California player-dealer rules, item 11a.
    fund_reading : {"net", "gross"}, default "net"
        How a player-dealer's fund is used up: his running net result stays within plus or minus the fund, or every
        settled amount, won or lost, counts. Source: California player-dealer rules with a Bad Beat bonus, item 12,
        whose text allows either.
    breakage : {"exact", "down", "nearest"}, default "exact"
        Winnings that are no whole chip: an error, rounded down, or rounded to the nearest chip (half up).
        Source: house practice; no published rules behind the presets mention it.

    Attributes
    ----------
    key : str
        SHA-256 of the fields, in hex.
    packed : bytes
        The fields as native int64, in the order of `PACKED_FIELDS`.

    Raises
    ------
    TypeError
        A value of the wrong type; the message names the field.
    RulesError
        A value that is not allowed, `preflop_between` without two preflop multiples, or `bad_beat_needs_trips`
        without both tables; the message names field, value and what is allowed.

    Examples
    --------
    >>> from dataclasses import replace
    >>> rules = replace(STANDARD, trips="50/40/30/9/7/4/3", qualifier=None)
    >>> rules.qualifier
    <Category.HIGH_CARD: 0>
    >>> sorted(rules.diff(STANDARD))
    ['qualifier', 'trips']
    >>> Rules.named("four-x-only")
    Rules(preflop=(4,))
    """

    preflop: tuple[int, ...] = (3, 4)
    flop: tuple[int, ...] = (2,)
    river: tuple[int, ...] = (1,)
    preflop_between: bool = False
    river_min: Fraction = Fraction(1)
    fold_preflop: bool = False
    fold_flop: bool = False
    qualifier: Category = Category.PAIR
    unqualified_ante: str = "push"
    unqualified_play: str = "settle"
    blind: PayTable = _BLIND
    trips: PayTable | None = _TRIPS
    trips_on_fold: str = "hand"
    trips_when_not_won: str = "pay"
    bad_beat: PayTable | None = None
    bad_beat_needs_trips: bool = False
    hole_cards: str = "any"
    wager_order: tuple[str, ...] = _BETS
    losing_order: tuple[str, ...] = _LosingOrder()  # type: ignore[assignment]  # read through the descriptor
    fund_reading: str = "net"
    breakage: str = "exact"

    if TYPE_CHECKING:
        # What the generated constructor takes: __post_init__ turns these into the types of the fields.
        def __init__(
            self,
            preflop: Sequence[int] = ...,
            flop: Sequence[int] = ...,
            river: Sequence[int] = ...,
            preflop_between: bool = ...,
            river_min: Exact = ...,
            fold_preflop: bool = ...,
            fold_flop: bool = ...,
            qualifier: Category | int | str | None = ...,
            unqualified_ante: UnqualifiedAnte = ...,
            unqualified_play: UnqualifiedPlay = ...,
            blind: TableLike = ...,
            trips: TableLike | None = ...,
            trips_on_fold: TripsOnFold = ...,
            trips_when_not_won: TripsWhenNotWon = ...,
            bad_beat: TableLike | None = ...,
            bad_beat_needs_trips: bool = ...,
            hole_cards: HoleCards = ...,
            wager_order: Sequence[str] = ...,
            losing_order: Sequence[str] | None = ...,
            fund_reading: FundReading = ...,
            breakage: Breakage = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Check every field and bring it to its one form, so that equal rules compare equal."""
        given = dict(self.__dict__)
        clean: dict[str, Any] = {}
        for name in _STREETS:
            clean[name] = _multiples(given[name], name, may_be_empty=name != "river")
        for name in ("preflop_between", "fold_preflop", "fold_flop", "bad_beat_needs_trips"):
            if not isinstance(given[name], bool):
                raise _wrong_type(name, given[name], "True or False")
        clean["river_min"] = as_fraction(given["river_min"], "river_min")
        if not 0 < clean["river_min"] <= 1:
            raise _wrong_value("river_min", given["river_min"], "above 0, at most 1")
        qualifier = given["qualifier"]
        clean["qualifier"] = Category.HIGH_CARD if qualifier is None else _as_category(qualifier, "qualifier")
        for name, choices in _CHOICES.items():
            if not isinstance(given[name], str):
                raise _wrong_type(name, given[name], "text")
            if given[name] not in choices:
                raise _wrong_value(name, given[name], ", ".join(f'"{choice}"' for choice in choices))
            clean[name] = choices[choices.index(given[name])]  # plain text, also where an enum's member was given
        clean["blind"] = _table(given["blind"], "blind", "royal_flush")
        for name, top in (("trips", "royal_flush"), ("bad_beat", "straight_flush")):
            clean[name] = None if given[name] is None else _table(given[name], name, top)
        clean["wager_order"] = _order(given["wager_order"], "wager_order")
        if given["losing_order"] is not None:
            losing = _order(given["losing_order"], "losing_order")
            clean["losing_order"] = None if losing == clean["wager_order"] else losing
        if given["preflop_between"] and len(clean["preflop"]) < 2:
            raise RulesError(
                f"preflop_between: True is not allowed with preflop {clean['preflop']}; allowed: False, or two or more "
                "multiples"
            )
        if given["bad_beat_needs_trips"] and (clean["trips"] is None or clean["bad_beat"] is None):
            missing = " and ".join(name for name in ("trips", "bad_beat") if clean[name] is None)
            raise RulesError(
                f"bad_beat_needs_trips: True is not allowed without a {missing} table; allowed: False, or both tables"
            )
        self.__dict__.update(clean)

    # ------------------------------------------------------------------------------------------------------- presets

    @staticmethod
    def names() -> tuple[str, ...]:
        """The names of the rule sets that `named` knows; "standard" is the first.

        Examples
        --------
        >>> Rules.names()[:3]
        ('standard', 'california', 'california-bad-beat')
        """
        return tuple(_PRESETS)

    @staticmethod
    def named(name: str) -> Rules:
        """A published rule set by name; `about` tells its source and which tables were filled in.

        Raises
        ------
        RulesError
            For an unknown name; the message lists the names.

        Examples
        --------
        >>> Rules.named("standard") == STANDARD == Rules()
        True
        >>> Rules.named("oxford-downs").trips_on_fold
        'lose'
        """
        changes = _preset(name)[0]
        if name not in _named:  # one object a name, so that what it caches is shared
            _named[name] = Rules(**changes)
        return _named[name]

    @staticmethod
    def about(name: str) -> str:
        """One paragraph on a named rule set: its source, how it differs, and which of its tables were filled in.

        Raises
        ------
        RulesError
            For an unknown name; the message lists the names.

        Examples
        --------
        >>> Rules.about("four-x-only")
        '4x is the only raise before the flop. Source: UK and Bosnian house rules. Everything else is standard.'
        """
        return _preset(name)[1]

    # ------------------------------------------------------------------------------------------------ as data, compared

    def to_dict(self) -> dict[str, Any]:
        """Every field, JSON-ready, with "schema" and "version"; `from_dict` reads it back.

        Examples
        --------
        >>> data = STANDARD.to_dict()
        >>> data["schema"], data["qualifier"], data["river_min"]
        ('uteh/1', 'pair', {'fraction': '1', 'float': 1.0})
        >>> Rules.from_dict(data) == STANDARD
        True
        """
        from . import __version__

        return {"schema": SCHEMA, "version": __version__, **self._data()}

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Rules:
        """Rules from the names and values of fields, as `to_dict` writes them; fields left out have their defaults.

        Parameters
        ----------
        mapping : mapping
            Numbers are int, text or ``{"fraction": "1/2"}``, tables mappings or text. "schema" and "version" may be
            there; the schema must be "uteh/1". The text "none" stands for None, which TOML does not have, where a
            field takes it: no Trips, no Bad Beat, no qualifier.

        Raises
        ------
        RulesError
            An unknown field or schema, and all that the constructor refuses.

        Examples
        --------
        >>> Rules.from_dict({"preflop": [4], "river_min": "1/2"})
        Rules(preflop=(4,), river_min='1/2')
        """
        if not _is_mapping(mapping):
            raise _wrong_type("rules", mapping, "a mapping from field to value")
        data = {key: mapping[key] for key in mapping}
        if data.pop("schema", SCHEMA) != SCHEMA:
            raise _wrong_value("schema", mapping["schema"], f'"{SCHEMA}"')
        data.pop("version", None)
        known = tuple(field.name for field in fields(cls))
        for key in data:
            if not isinstance(key, str):
                raise _wrong_type("rules", key, "text as the name of a field")
            if key not in known:
                hint = _nearest(key, known) or f"; known: {', '.join(known)}"
                raise RulesError(f"{key}: no such rule{hint}")
        if "river_min" in data:
            data["river_min"] = _from_json(data["river_min"], "river_min")
        for name in ("qualifier", "trips", "bad_beat"):
            if isinstance(data.get(name), str) and data[name].strip().lower() == "none":
                data[name] = None
        return cls(**data)

    @property
    def key(self) -> str:
        """SHA-256 of the fields in hex: equal for equal rules, in every process and on every machine.

        Examples
        --------
        >>> len(STANDARD.key), STANDARD.key == Rules.named("standard").key
        (64, True)
        """
        cached: str | None = self.__dict__.get("_key")
        if cached is None:
            from hashlib import sha256
            from json import dumps

            text = dumps(self._data(), sort_keys=True, separators=(",", ":"))
            cached = self.__dict__["_key"] = sha256(text.encode("ascii")).hexdigest()
        return cached

    def diff(self, other: Rules) -> dict[str, tuple[Any, Any]]:
        """The fields in which two rule sets differ, each with its two values.

        Examples
        --------
        >>> STANDARD.diff(Rules.named("auckland"))
        {'hole_cards': ('any', 'both')}
        """
        if not isinstance(other, Rules):
            raise _wrong_type("other", other, "Rules")
        pairs = {field.name: (getattr(self, field.name), getattr(other, field.name)) for field in fields(self)}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Category):
                value = _NAMES[value]
            elif isinstance(value, PayTable):
                value = value.to_dict()
            elif isinstance(value, Fraction):
                value = fraction_dict(value)
            elif isinstance(value, tuple):
                value = list(value)
            data[field.name] = value
        return data

    def _changes(self) -> dict[str, Any]:
        """The fields that differ from the defaults, as stored: what is enough to build this value again."""
        stored = {field.name: (self.__dict__[field.name], field.default) for field in fields(self)}
        return {name: value for name, (value, default) in stored.items() if value != default}

    def __reduce__(self) -> tuple[Any, ...]:
        # Fields only: what is cached in the instance stays out, and a field that is new to the reader gets its default.
        return _rebuild, (type(self), self._changes())

    def __repr__(self) -> str:
        parts = []
        for name, value in self._changes().items():
            if isinstance(value, Category):  # in forms that the constructor takes without further imports
                value = _NAMES[value] if value else None
            elif isinstance(value, Fraction):
                value = str(value)
            parts.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"

    # ---------------------------------------------------------------------------------------------------- for engines

    def actions(self, street: Literal["preflop", "flop", "river"]) -> tuple[Action, ...]:
        """What a player who has not bet yet may do, in the order fold, check, min, 1x to 4x.

        Parameters
        ----------
        street : {"preflop", "flop", "river"}

        Notes
        -----
        Amounts between two multiples are no actions of their own: every value is linear in the amount, so one of the
        two ends is best.

        Raises
        ------
        ValueError
            For another street.

        Examples
        --------
        >>> [str(action) for action in STANDARD.actions("preflop")]
        ['check', '3x', '4x']
        >>> [str(action) for action in Rules(river_min="1/2").actions("river")]
        ['fold', 'min', '1x']
        """
        if not isinstance(street, str):
            raise _wrong_type("street", street, '"preflop", "flop" or "river"')
        if street not in _STREETS:
            raise ValueError(f'street: {_show(street)} is not allowed; allowed: "preflop", "flop", "river"')
        multiples = self.preflop if street == "preflop" else self.flop if street == "flop" else self.river
        first: tuple[Action, ...]
        if street == "river":
            first = (Action.FOLD,)
            if self.river_min < 1:
                first = (Action.FOLD, Action.MIN)
                multiples = tuple(sorted({1, *multiples}))  # "from the minimum to 1x" includes 1x, listed or not
        elif self.fold_preflop if street == "preflop" else self.fold_flop:
            first = (Action.FOLD, Action.CHECK)
        else:
            first = (Action.CHECK,)
        return first + tuple(_MULTIPLES[multiple - 1] for multiple in multiples)

    @property
    def packed(self) -> bytes:
        """The rules as native int64 values in the order of `PACKED_FIELDS`; made once for each instance.

        Pay tables are in units of one over the least common denominator of all three.

        Raises
        ------
        RulesError
            If that denominator is above 1,000, or a packed value above 2**40; the message names table or entry.

        Examples
        --------
        >>> len(STANDARD.packed) == 8 * sum(count for _, count in PACKED_FIELDS)
        True
        """
        cached: bytes | None = self.__dict__.get("_packed")
        if cached is None:
            from struct import pack

            values = self._packed_values()
            flat = [number for name, _ in PACKED_FIELDS for number in values[name]]
            cached = self.__dict__["_packed"] = pack(f"={len(flat)}q", *flat)
        return cached

    def _packed_values(self) -> dict[str, list[int]]:
        tables: dict[str, PayTable | None] = {name: getattr(self, name) for name in _TABLES}
        lowest = {
            name: math.lcm(*(value.denominator for value in table.values())) if table is not None else 1
            for name, table in tables.items()
        }
        unit = math.lcm(*lowest.values())
        if unit > _UNIT_MAX:
            named = " and ".join(name for name, denominator in lowest.items() if denominator > 1)
            raise RulesError(
                f"{named}: the payouts have the common denominator {_show(unit)}; at most {_UNIT_MAX:,} can be computed"
            )

        def scaled(name: str, absent: int) -> list[int]:
            table = tables[name]
            numbers = []
            for category in Category:
                value = None if table is None else table.get(category)
                if value is not None and value * unit > _PACKED_MAX:
                    raise RulesError(f"{name}.{_NAMES[category]}: {_show(value)} is too large to be computed")
                numbers.append(absent if value is None else int(value * unit))
            return numbers

        if self.river_min.denominator > _PACKED_MAX:  # the numerator is no larger
            raise RulesError(f"river_min: {_show(self.river_min)} is too fine to be computed")

        choice = {name: choices.index(getattr(self, name)) for name, choices in _CHOICES.items()}
        return {
            "unit": [unit],
            "preflop": [sum(1 << multiple for multiple in self.preflop)],
            "flop": [sum(1 << multiple for multiple in self.flop)],
            "river": [sum(1 << multiple for multiple in self.river)],
            "preflop_between": [int(self.preflop_between)],
            "river_min_num": [self.river_min.numerator],
            "river_min_den": [self.river_min.denominator],
            "fold_preflop": [int(self.fold_preflop)],
            "fold_flop": [int(self.fold_flop)],
            "qualifier": [int(self.qualifier)],
            "unqualified_ante": [choice["unqualified_ante"]],
            "unqualified_play": [choice["unqualified_play"]],
            "blind": scaled("blind", 0),  # a winning hand that is not in the table pushes
            "has_trips": [int(self.trips is not None)],
            "trips": scaled("trips", -1),  # a hand that is not in the table loses its stake
            "trips_on_fold": [choice["trips_on_fold"]],
            "trips_when_not_won": [choice["trips_when_not_won"]],
            "has_bad_beat": [int(self.bad_beat is not None)],
            "bad_beat": scaled("bad_beat", -1),
            "bad_beat_needs_trips": [int(self.bad_beat_needs_trips)],
            "both": [choice["hole_cards"]],
            "wager_order": [_BETS.index(bet) for bet in self.wager_order],
            "losing_order": [_BETS.index(bet) for bet in self.losing_order],
            "fund_gross": [choice["fund_reading"]],
            "breakage": [choice["breakage"]],
        }


def _multiples(value: Any, field: str, *, may_be_empty: bool) -> tuple[int, ...]:
    items = _sequence(value, field, "a sequence of whole multiples of the Ante")
    for item in items:
        if not isinstance(item, int) or isinstance(item, bool):
            raise _wrong_type(field, item, "whole multiples of the Ante")
    rising = list(items) == sorted(set(items))
    if not rising or not all(1 <= item <= 4 for item in items) or not (items or may_be_empty):
        raise _wrong_value(
            field, items, f"increasing whole multiples from 1 to 4{'' if may_be_empty else ', not empty'}"
        )
    return tuple(int(item) for item in items)


def _table(value: Any, field: str, top: str) -> PayTable:
    if isinstance(value, PayTable):
        return value
    try:
        if isinstance(value, str):
            return PayTable.parse(value, top)
        if _is_mapping(value):
            return PayTable.from_dict(value)
    except RulesError as error:
        raise RulesError(f"{field}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{field}: {error}") from None
    raise _wrong_type(field, value, "a PayTable, a mapping or text")


def _order(value: Any, field: str) -> tuple[str, ...]:
    items = _sequence(value, field, "a sequence of the names of bets")
    for item in items:
        if not isinstance(item, str):
            raise _wrong_type(field, item, "the names of bets")
    if sorted(items) != sorted(_BETS):
        raise _wrong_value(field, items, f"{', '.join(_BETS)}, each once, in any order")
    return tuple(_BETS[_BETS.index(item)] for item in items)


# -------------------------------------------------------------------------------------------------------------- presets

_BLIND_FILLED = "The source prints no Blind table; 500/50/10/3/3:2/1 is filled in."
_TRIPS_FILLED = "The source prints no Trips table; 50/40/30/8/7/4/3 is filled in."

# Name: what differs from the standard rules, and what a reader should know about the source.
_PRESETS: dict[str, tuple[dict[str, Any], str]] = {
    "standard": (
        {},
        "The game as most tables offer it: raise 3x or 4x before the flop, 2x on the flop, 1x on the river or fold; "
        "the dealer qualifies with a pair, else the Ante pushes. Blind 500/50/10/3/3:2/1, Trips 50/40/30/8/7/4/3. What "
        "published California, cardroom and training rules have in common.",
    ),
    "california": (
        {"losing_order": ("play", "ante", "blind", "trips", "bad_beat")},
        "California player-dealer rules: the player-dealer banks, seats settle from his left, and of a losing hand the "
        'Play is collected before Ante and Blind (item 11a). Trips pays after a fold too. Its "three of the community '
        'cards" (item 7) gives way to "any of the seven" (item 9a). ' + f"{_BLIND_FILLED} {_TRIPS_FILLED}",
    ),
    "california-bad-beat": (
        {"bad_beat": "7500/500/50/30/20/9", "bad_beat_needs_trips": True},
        "California player-dealer rules with a fund limit and a Bad Beat bonus, which wins when either side loses "
        "with three of a kind or better and may be bet only beside Trips. Bets settle in the order Ante, Play, Blind, "
        "Trips, Bad Beat (item 11), which is taken for losing hands too although another item collects the Play first. "
        "The fund limits the player-dealer's net result; the text allows the gross reading as well. Its \"three of the "
        'community cards" gives way to "any of the seven", and its definition of four of a kind is a misprint. '
        f"{_BLIND_FILLED} {_TRIPS_FILLED} It prints no Bad Beat table; the published two-way table "
        "7500/500/50/30/20/9, from the straight flush, is filled in.",
    ),
    "board-trips": (
        {"trips_on_fold": "board"},
        "Printed rules of a cardroom with a player-dealer and a board-first deal: after a fold, Trips pays on the five "
        "board cards alone. Both tables are printed there: Blind 500/50/10/3/3:2/1, Trips 50/40/30/8/7/4/3.",
    ),
    "simulated": (
        {
            "preflop_between": True,
            "river_min": Fraction(1, 2),
            "fold_preflop": True,
            "trips": "50/40/30/9/7/4/3",
        },
        "The rules page of a simulated game: the player may fold before the flop, or bet any amount from 3x to 4x, and "
        'on the river anything "up to 1x". No minimum is named; the smaller it is the better for the player, and at '
        "zero no best play exists, so half an ante is taken (river_min 1/2), with which the player has an edge. A fold "
        "forfeits all bets but Trips, which the page keeps active. Trips 50/40/30/9/7/4/3 is printed there. "
        f"{_BLIND_FILLED}",
    ),
    "trainer": (
        {},
        "The rules page of a trainer, the same as standard: exactly 1x on the river, and Trips wins after a fold, as "
        'in the many casinos it mentions. Its "typical" Blind table is taken to be 500/50/10/3/3:2/1: the numbers are '
        f"not printed. {_TRIPS_FILLED}",
    ),
    "pennsylvania-b": (
        {"blind": "500/50/10/3/3:2"},
        "A straight pushes the Blind. Source: 58 Pa. Code 653a.12(b), table B. Everything else is standard, the Trips "
        "table included.",
    ),
    "auckland": (
        {"hole_cards": "both"},
        "Both hole cards must play, for player and dealer. Source: published house rules, Auckland. Everything else is "
        "standard, both tables included.",
    ),
    "oxford-downs": (
        {"trips_on_fold": "lose"},
        "A fold loses Trips too. Source: published house rules, Oxford Downs. Everything else is standard, both tables "
        "included.",
    ),
    "pompano-trips": (
        {"trips_when_not_won": "push"},
        "Trips pays only if the player wins; a paying hand that loses or ties pushes. Source: published house rules, "
        "Pompano. Everything else is standard, both tables included.",
    ),
    "florida-trips": (
        {"trips": "50/40/30/10/8/6/3", "trips_when_not_won": "lose"},
        "Trips 50/40/30/10/8/6/3, lost unless the player wins; a tie pushes. Source: a published side-bet page. "
        "Everything else is standard, the Blind table included.",
    ),
    "four-x-only": (
        {"preflop": (4,)},
        "4x is the only raise before the flop. Source: UK and Bosnian house rules. Everything else is standard.",
    ),
    "three-x-only": (
        {"preflop": (3,)},
        "3x is the only raise before the flop. Source: a published variant page. Everything else is standard.",
    ),
}


def _preset(name: str) -> tuple[dict[str, Any], str]:
    if not isinstance(name, str):
        raise _wrong_type("name", name, "text")
    if name not in _PRESETS:
        known = tuple(_PRESETS)
        close = _nearest(name.replace("_", "-"), known)
        raise RulesError(f"name: no rules are called {_show(name)}{close or '.'} Known: {', '.join(known)}")
    return _PRESETS[name]


STANDARD = Rules()
"""The standard rules, `Rules()`."""

_named: dict[str, Rules] = {"standard": STANDARD}
