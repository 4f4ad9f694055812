"""What a round pays: `settle` for one round with a sentence for every bet, `settle_many` for arrays of rounds.

The rules of each bet are in the core (`_core/settle.c`), which gives a factor and a reason for every outcome; this file
reads amounts, says what is wrong with them, and has the sentence for each reason.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction

from . import _eval, _work
from .errors import RulesError
from .hands import category_of, describe
from .results import ColumnsResult, FrozenResult
from .rules import STANDARD, Category, Result, Rules, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal
    from typing import Any, Literal

    from numpy.typing import ArrayLike, NDArray

    from .cards import Cards
    from .rules import PayTable

    Amount = int | float | Fraction | Decimal
    Street = Literal["preflop", "flop", "river"]

__all__ = ["Settlement", "Settlements", "settle", "settle_many"]

# The core's order of bets, and the order of attributes and columns.
_CORE = ("ante", "play", "blind", "trips", "bad_beat")
_BETS = ("ante", "blind", "play", "trips", "bad_beat")
_SPOKEN = {"ante": "Ante", "blind": "Blind", "play": "Play", "trips": "Trips", "bad_beat": "Bad Beat"}
_FIELDS = (*_CORE, "payout_cap")
_STREETS = {"preflop": 0, "flop": 1, "river": 2}
_ANY_STREET = 255
_RESULTS = (Result.FOLD, Result.LOSE, Result.TIE, Result.WIN)

# Codes of `_core/settle.h`.
(
    _,
    _NOT_AMOUNT,
    _TOO_LARGE,
    _BLIND_UNLIKE,
    _PLAY_ILLEGAL,
    _FOLD_ILLEGAL,
    _NO_TABLE,
    _NEEDS_TRIPS,
    _BAD_STREET,
    _FRACTION,
) = range(10)

# A float beyond this is no longer exact in halves.
_HIGHEST_FLOAT = float(1 << 52)


class Settlement(FrozenResult):
    """How one round was settled.

    Attributes
    ----------
    ante, blind, play, trips, bad_beat : int, float or Fraction
        The net win of each bet: negative is lost, 0 is returned or was not bet. int where all amounts were ints, float
        where one was a float, otherwise Fraction.
    net : int, float or Fraction
        Their sum.
    result : Result
    player_strength, dealer_strength : int
    qualifies : bool
        Whether the dealer's hand does.
    lines : tuple of str
        One sentence for each bet that was made, in the order in which the rules settle them.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_hands", "_nets", "_stakes", "_why", "net", "rules")
    net: Any
    rules: Rules
    _nets: tuple[Any, ...]  # in the core's order, as are the stakes
    _stakes: tuple[Any, ...]
    # Result; strengths of player, dealer, and board where Trips asked for it; whether the dealer qualifies.
    _hands: tuple[int, int, int, int, bool]
    _why: tuple[bytes, int]  # a reason for each bet; a bit mask of the bets that the cap cut

    @property
    def ante(self) -> Any:
        return self._nets[0]

    @property
    def play(self) -> Any:
        return self._nets[1]

    @property
    def blind(self) -> Any:
        return self._nets[2]

    @property
    def trips(self) -> Any:
        return self._nets[3]

    @property
    def bad_beat(self) -> Any:
        return self._nets[4]

    @property
    def result(self) -> Result:
        return _RESULTS[self._hands[0] + 2]

    @property
    def player_strength(self) -> int:
        return self._hands[1]

    @property
    def dealer_strength(self) -> int:
        return self._hands[2]

    @property
    def qualifies(self) -> bool:
        return self._hands[4]

    @property
    def lines(self) -> tuple[str, ...]:
        result, player, dealer, board, _ = self._hands
        reasons, cut = self._why
        order = self.rules.losing_order if result < 0 else self.rules.wager_order
        return tuple(
            explain(
                bet, self._stakes[i], self._nets[i], reasons[i], bool(cut >> i & 1), self.rules, player, dealer, board
            )
            for bet in order
            if self._stakes[i := _CORE.index(bet)]
        )

    def __repr__(self) -> str:
        bets = ", ".join(
            f"{bet}={_number(getattr(self, bet))}" for bet in _BETS if self._stakes[_CORE.index(bet)] or bet == "play"
        )
        return f"Settlement({self.result}, net={_number(self.net)}, {bets})"

    def _data(self) -> dict[str, Any]:
        return {
            **{name: _json(getattr(self, name)) for name in (*_BETS, "net")},
            "result": str(self.result),
            "player_strength": self.player_strength,
            "dealer_strength": self.dealer_strength,
            "qualifies": self.qualifies,
            "lines": list(self.lines),
            "rules": self.rules.to_dict(),
        }


def _json(amount: Any) -> Any:
    return fraction_dict(amount) if isinstance(amount, Fraction) else amount


def _number(amount: Any) -> str:
    """An amount as people write it: whole, decimal where that is exact, otherwise a fraction."""
    if isinstance(amount, float):
        return f"{amount:.15g}"
    if isinstance(amount, int):
        return str(amount)
    value = Fraction(amount)
    rest = value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest != 1 or value.denominator > 10**9:
        return str(value)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(abs(value.numerator * 10**places // value.denominator)).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}")


def _shown(amount: Any) -> str:
    """An amount for a message: Python prints no int of thousands of digits, and nobody reads one of a hundred."""
    if not isinstance(amount, float) and max(abs(amount.numerator), amount.denominator) >= 10**30:
        return "a number that large or fine"
    return _number(amount)


def _odds(payout: Fraction) -> str:
    return f"{payout.numerator} to {payout.denominator}"


def _lacks(qualifier: Category) -> str:
    """What a dealer's hand that does not qualify lacks."""
    return (
        "the dealer has no pair"
        if qualifier == Category.PAIR
        else f"the dealer has less than {_with_article(qualifier)}"
    )


def _with_article(category: Category) -> str:
    plain = str(category)
    return (
        plain
        if category in (Category.HIGH_CARD, Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)
        else f"a {plain}"
    )


def explain(
    bet: str, stake: Any, net: Any, reason: int, cut: bool, rules: Rules, player: int, dealer: int, board: int
) -> str:
    """The sentence for one bet, as a dealer would say it; `reason` is the core's code (`_core/settle.h`)."""
    if net > 0:
        verb = f"wins {_number(net)}"
    elif net < 0:
        verb = "loses"
    else:
        verb = "wins nothing" if cut else "pushes"
    table = {"blind": rules.blind, "trips": rules.trips, "bad_beat": rules.bad_beat}.get(bet)
    # The hand that the bet's table is read by.
    if reason in _BY_BOARD:
        hand = category_of(board)
    elif bet == "bad_beat" and player > dealer:
        hand = category_of(dealer)
    else:
        hand = category_of(player)
    sentence = f"{_SPOKEN[bet]} {_number(stake)} {verb}: {_because(reason, hand, table, rules, player, dealer)}"
    if cut:
        return f"{sentence}, cut by the payout cap"
    if reason in _PAID and table is not None and isinstance(stake, int):
        full = stake * (table.get(hand) or Fraction(0))
        if full != net:
            rounded = "down" if rules.breakage == "down" else "to the nearest chip"
            return f"{sentence}, {_number(full)} rounded {rounded}"
    return sentence


class _Why(IntEnum):
    """The core's reasons, in the order of the enum in `_core/settle.h`."""

    NO_STAKE = 0
    EVEN_MONEY = 1
    BEATEN = 2
    TIED = 3
    FOLDED = 4
    UNQUALIFIED_PUSH = 5
    UNQUALIFIED_PAID = 6
    TABLE_PAYS = 7
    TABLE_PUSH = 8
    TABLE_LOSES = 9
    NOT_WON_PUSHED = 10
    NOT_WON_LOST = 11
    BOARD_PAYS = 12
    BOARD_PUSH = 13
    BOARD_LOSES = 14
    LOSING_HAND_PAYS = 15
    LOSING_HAND_PUSH = 16
    LOSING_HAND_LOSES = 17


_BY_BOARD = (_Why.BOARD_PAYS, _Why.BOARD_PUSH, _Why.BOARD_LOSES)
_PAID = (_Why.TABLE_PAYS, _Why.BOARD_PAYS, _Why.LOSING_HAND_PAYS)


def _because(reason: int, hand: Category, table: PayTable | None, rules: Rules, player: int, dealer: int) -> str:
    match reason:
        case _Why.EVEN_MONEY | _Why.BEATEN | _Why.TIED:
            if player == dealer:
                return f"both have {describe(player)}"
            return f"{describe(player)} {'beats' if player > dealer else 'is beaten by'} {describe(dealer)}"
        case _Why.FOLDED:
            return "the hand was folded"
        case _Why.UNQUALIFIED_PUSH | _Why.UNQUALIFIED_PAID:
            return _lacks(rules.qualifier)
        case _Why.TABLE_PAYS:
            return _pays(hand, table)
        case _Why.TABLE_PUSH:
            named = table is not None and hand in table
            return f"{_with_article(hand)} is {'returned' if named else 'not in the table'}"
        case _Why.TABLE_LOSES:
            return f"{_with_article(hand)} is not in the table"
        case _Why.NOT_WON_PUSHED | _Why.NOT_WON_LOST:
            return f"{_with_article(hand)} pays only when it wins"
        case _Why.BOARD_PAYS:
            return f"after a fold the board plays, {_pays(hand, table)}"
        case _Why.BOARD_PUSH:
            return f"after a fold the board plays, and {_with_article(hand)} is returned"
        case _Why.BOARD_LOSES:
            return f"after a fold the board plays, and {_with_article(hand)} is not in the table"
        case _Why.LOSING_HAND_PAYS:
            return f"the losing hand's {_pays(hand, table)}"
        case _Why.LOSING_HAND_PUSH:
            return f"the losing hand, {_with_article(hand)}, is returned"
        case _:
            return f"the losing hand, {_with_article(hand)}, is not in the table"


def _pays(hand: Category, table: PayTable | None) -> str:
    payout = table.get(hand) if table is not None else None
    return f"{hand} pays {_odds(payout)}" if payout else f"{hand} pays nothing"


# One round ------------------------------------------------------------------------------------------------------------


def settle(
    hole: Cards,
    dealer: Cards,
    board: Cards,
    *,
    ante: Amount,
    play: Amount,
    blind: Amount | None = None,
    trips: Amount = 0,
    bad_beat: Amount = 0,
    street: Street | None = None,
    payout_cap: Amount | None = None,
    rules: Rules = STANDARD,
) -> Settlement:
    """Settle one round.

    Parameters
    ----------
    hole, dealer, board : str or sequence of int or str
        Two, two and five cards.
    ante, play : int, float, Fraction or Decimal
        Amounts; a Play of 0 is a fold. Ints are whole chips: winnings that are none follow `rules.breakage`. Fractions
        and Decimals are exact and give Fractions; a float makes every net a float.
    blind : same, optional
        Must equal the Ante, which it is unless given.
    trips, bad_beat : same, default 0
    street : {"preflop", "flop", "river"}, optional
        When the Play bet or the fold was made; without it, any amount that is legal on some street passes.
    payout_cap : same, optional
        The most that the bets of the round win together, losing bets not offset.
    rules : Rules, optional

    Returns
    -------
    Settlement

    Raises
    ------
    CardError
        A ValueError that names the card and its place.
    RulesError
        A ValueError that names the bet: an amount that the rules forbid, or, under exact breakage, winnings that are no
        whole chip.
    TypeError
        An argument of another type.

    Examples
    --------
    >>> round_ = settle("Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c", ante=10, play=20)
    >>> round_
    Settlement(win, net=45, ante=10, blind=15, play=20)
    >>> round_.lines[2]
    'Blind 10 wins 15: flush pays 3 to 2'
    >>> settle("Qc 9c", "Ah 4c", "Kd Jc 8s 5h 3d", ante=10, play=10).lines[0]
    'Ante 10 pushes: the dealer has no pair'
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    cells, limit = _cells(rules)
    number = _ANY_STREET if street is None else _street(street)
    stakes: tuple[Any, ...] = (ante, play, ante if blind is None else blind, trips, bad_beat)
    kind: type = int
    for amount in stakes:
        if type(amount) is not int:
            stakes, payout_cap, kind = _amounts(stakes, payout_cap)
            break
    else:
        if payout_cap is not None and type(payout_cap) is not int:
            stakes, payout_cap, kind = _amounts(stakes, payout_cap)
    if kind is float:
        return _settle_floats(cells, hole, dealer, board, stakes, number, payout_cap, rules)
    scale = 1
    chips: tuple[Any, ...] = stakes
    cap: Any = payout_cap
    if kind is Fraction:
        scale = _common(stakes, payout_cap)
        chips = tuple([int(amount * scale) for amount in stakes])
        cap = None if payout_cap is None else int(payout_cap * scale)
    for i, amount in enumerate(chips):
        if not -limit <= amount <= limit:
            raise _bet_error(_NOT_AMOUNT if amount < 0 else _TOO_LARGE, i, stakes, number, rules)
    if cap is None:
        cap = -1
    elif cap < 0:
        raise RulesError(f"payout_cap: {_shown(payout_cap)} is negative")
    else:
        cap = min(cap, (1 << 62) // (_unit(rules) if kind is Fraction else 1))
    whole = kind is int
    answer = _eval.settle_round(
        cells, hole, dealer, board, chips[0], chips[1], chips[2], chips[3], chips[4], cap, number, whole
    )
    if len(answer) == 2:
        raise _bet_error(*answer, (*stakes, payout_cap), number, rules)
    net, hands, why = answer
    if kind is Fraction:
        unit = scale * _unit(rules)
        net = tuple([Fraction(amount, unit) for amount in net])
    return Settlement._of(hands, net, stakes, why, sum(net), rules)


def _settle_floats(
    cells: bytes,
    hole: Cards,
    dealer: Cards,
    board: Cards,
    stakes: tuple[float, ...],
    street: int,
    cap: Any,
    rules: Rules,
) -> Settlement:
    """The batch kernel on one row, so that floats mean the same in both."""
    from array import array

    # Ranking with bets of nothing checks the cards before the amounts.
    ranked = _eval.settle_round(cells, hole, dealer, board, 0, 0, 0, 0, 0, -1, street=_ANY_STREET, whole=True)
    row = bytes([*_eval.parse_cards(hole), *_eval.parse_cards(dealer), *_eval.parse_cards(board)])
    amounts = tuple(None if amount is None else array("d", [amount]) for amount in (*stakes, cap))
    where = None if street == _ANY_STREET else bytes([street])
    nothing: tuple[Any, ...] = (None,) * 11
    _, code, field = _eval.settle_rounds(cells, 0, row, amounts, True, where, nothing, 0, 1)
    if code:
        raise _bet_error(code, field, (*stakes, cap), street, rules)
    nets = [array("d", [0.0]) for _ in range(6)]
    result, reasons = array("b", [0]), bytearray(5)
    outs = (*nets, result, None, None, None, reasons)
    _eval.settle_rounds(cells, 2, row, amounts, True, where, outs, 0, 1)
    net = tuple([values[0] for values in nets[:5]])
    uncut = [array("d", [0.0]) for _ in range(5)]
    cut = 0
    if cap is not None:
        _eval.settle_rounds(cells, 2, row, (*amounts[:5], None), True, where, (*uncut, *nothing[5:]), 0, 1)
        cut = sum(1 << i for i, values in enumerate(uncut) if values[0] != net[i])
    _, (folded, player, dealer_strength, board_strength, qualifies), _ = ranked
    # A round of nothing is a fold, so the board was ranked where a fold's Trips asks for it.
    hands = (result[0], player, dealer_strength, board_strength if result[0] == folded else 0, qualifies)
    return Settlement._of(hands, net, stakes, (bytes(reasons), cut), nets[5][0], rules)


_known_cells: dict[bytes, tuple[bytes, int]] = {}


def _cells(rules: Rules) -> tuple[bytes, int]:
    """The core's table of outcomes for a rule set, made once for each."""
    packed = rules.packed
    found = _known_cells.get(packed)
    if found is None:
        if len(_known_cells) >= 64:
            _known_cells.clear()
        found = _known_cells[packed] = _eval.cells(packed)
    return found


def _unit(rules: Rules) -> int:
    return memoryview(rules.packed).cast("q")[0]  # `unit`, the first packed field


def _street(street: Any) -> int:
    if not isinstance(street, str):
        raise TypeError(f"street must be text, not {type(street).__name__}")
    number = _STREETS.get(street)
    if number is None:
        raise ValueError(f'street must be "preflop", "flop" or "river", not {street[:40]!r}')
    return number


def _amounts(stakes: tuple[Any, ...], cap: Any) -> tuple[tuple[Any, ...], Any, type]:
    """Amounts of one kind: ints, Fractions where one is a Fraction or Decimal, floats where one is a float."""
    values: list[Any] = []
    kind: type = int
    for name, value in zip(_FIELDS, (*stakes, cap), strict=True):
        if value is None and name == "payout_cap":
            values.append(None)
            continue
        amount, its_kind = _amount(value, name)
        values.append(amount)
        if its_kind is float or kind is int:
            kind = its_kind
    converted: list[Any] = []
    for name, value in zip(_FIELDS, values, strict=True):
        try:
            converted.append(None if value is None else kind(value))
        except OverflowError:
            raise RulesError(f"{name}: {_shown(value)} is too large beside a float") from None
    return tuple(converted[:5]), converted[5], kind


def _amount(value: Any, name: str) -> tuple[Any, type]:
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):  # NumPy's scalars, and its arrays of one number
        value = float(value) if value.dtype.kind == "f" else value.item()
    if not isinstance(value, (bool, str, bytes)) and not hasattr(value, "ndim"):
        if isinstance(value, float):
            if not -_HIGHEST_FLOAT <= value <= _HIGHEST_FLOAT and not (name == "payout_cap" and value < float("inf")):
                raise RulesError(
                    f"{name}: {value} is {'no amount' if value != value or value < 0 else 'too large for a float'}"
                )
            return value, float
        if isinstance(value, Fraction):
            return value, Fraction
        if hasattr(value, "__index__"):
            return value.__index__(), int
        from decimal import Decimal

        if isinstance(value, Decimal):
            if not value.is_finite() or (value and abs(value.adjusted()) > 1000):
                raise RulesError(f"{name}: {value} is no amount")
            return Fraction(value), Fraction
    raise TypeError(f"{name} must be an int, float, Fraction or Decimal, not {type(value).__name__}")


def _common(stakes: tuple[Any, ...], cap: Any) -> int:
    from math import lcm

    return lcm(*(amount.denominator for amount in stakes), 1 if cap is None else cap.denominator)


def _bet_error(
    code: int, field: int, amounts: Sequence[Any], street: int, rules: Rules, row: int | None = None
) -> RulesError:
    """The message for what the core found wrong with the bets of a round."""
    name = _FIELDS[field]
    amount, ante = amounts[field], amounts[0]
    shown = _shown(amount)
    if code == _NOT_AMOUNT and amount > 0 and amount != float("inf"):
        code = _TOO_LARGE  # what int64 cannot hold reaches the core as no amount
    if code == _NOT_AMOUNT:
        text = f"{name}: {shown} is negative or no number"
    elif code == _TOO_LARGE:
        text = f"{name}: {shown} is too large to be settled exactly"
    elif code == _BLIND_UNLIKE:
        text = f"blind: {shown} is not the Ante of {_number(ante)}"
    elif code == _FOLD_ILLEGAL:
        text = f"play: 0 is a fold, and the rules allow none {_when(street)}"
    elif code == _PLAY_ILLEGAL:
        text = f"play: {shown} on an Ante of {_number(ante)}; the rules allow {_allowed(street, rules)}"
    elif code == _NO_TABLE:
        text = f"{name}: {shown} is bet, but the rules have no {_SPOKEN[name]} table"
    elif code == _NEEDS_TRIPS:
        text = f"bad_beat: {shown} is bet, but these rules take Bad Beat only beside a Trips bet"
    elif code == _FRACTION:
        text = f"{name}: the winnings of {shown} are no whole chip, which exact breakage refuses"
    else:
        text = f"street: {_shown(street)} is not 0 (preflop), 1 (flop), 2 (river) or 255 (unknown)"
    error = RulesError(text if row is None else f"row {row}: {text}")
    error.row = row
    return error


def _when(street: int) -> str:
    return ("before the flop", "on the flop", "on the river")[street]


def _allowed(street: int, rules: Rules) -> str:
    """The amounts that a street allows, or all of them, in words."""
    parts = []
    for number, multiples in enumerate((rules.preflop, rules.flop, rules.river)):
        if street not in (number, _ANY_STREET):
            continue
        words = [f"{m}x" for m in multiples]
        if number == 0 and rules.preflop_between:
            words = [f"{words[0]} to {words[-1]}"]
        if number == 2 and rules.river_min < 1:
            words = [f"{rules.river_min} to 1x", *(word for word in words if word != "1x")]
        parts.append(f"{' or '.join(words) or 'nothing'} {_when(number)}")
    return ", ".join(parts)


# Many rounds ----------------------------------------------------------------------------------------------------------

_COLUMNS = (
    "ante",
    "blind",
    "play",
    "trips",
    "bad_beat",
    "net",
    "result",
    "player_strength",
    "dealer_strength",
    "qualifies",
)
_TYPES = {"result": "int8", "player_strength": "uint16", "dealer_strength": "uint16", "qualifies": "bool"}
# The places of the columns among the core's outputs.
_OUTS = (
    "ante",
    "play",
    "blind",
    "trips",
    "bad_beat",
    "net",
    "result",
    "player_strength",
    "dealer_strength",
    "qualifies",
)


class Settlements(ColumnsResult):
    """How many rounds were settled: the attributes of `Settlement` as arrays of shape (n,), those that were asked for.

    Attributes
    ----------
    ante, blind, play, trips, bad_beat, net : ndarray of int64 or float64
    result : ndarray of int8
        -2 fold, -1 lose, 0 tie, 1 win.
    player_strength, dealer_strength : ndarray of uint16
    qualifies : ndarray of bool
    columns : tuple of str
        The names of those that are there.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_arrays", "rules")
    _columns = _COLUMNS
    rules: Rules

    def __repr__(self) -> str:
        return f"Settlements({len(self)} rounds: {', '.join(self._arrays)})"


def settle_many(
    cards: ArrayLike,
    *,
    ante: ArrayLike,
    play: ArrayLike,
    blind: ArrayLike | None = None,
    trips: ArrayLike = 0,
    bad_beat: ArrayLike = 0,
    street: Street | ArrayLike | None = None,
    payout_cap: ArrayLike | None = None,
    rules: Rules = STANDARD,
    columns: Sequence[str] | None = None,
    out: Settlements | Mapping[str, NDArray[Any]] | None = None,
    check: bool = True,
    threads: int | None = 1,
) -> Settlements:
    """Settle many rounds; what a round pays is what `settle` says.

    Parameters
    ----------
    cards : array of int, shape (n, 9)
        Player's two cards, dealer's two, board's five.
    ante, play, blind, trips, bad_beat, payout_cap : int, float, or array of them, shape (n,)
        Chips (any integer type, giving int64) or, where one is float, floats (giving float64). A Play of 0 is a fold.
    street : text, or array of uint8, shape (n,), optional
        0 preflop, 1 flop, 2 river, 255 unknown. Without it, any amount that is legal on some street passes.
    rules : Rules, optional
    columns : sequence of str, optional
        Which attributes to compute; all unless given.
    out : Settlements or mapping of arrays, optional
        Arrays to write the columns to, for instance an earlier result; contiguous, of the right type and length.
    check : bool, default True
        False skips the search for ids over 51 and repeated cards in uint8 arrays. Amounts are always checked.
    threads : int or None, default 1
        None means one a core. The GIL is released.

    Returns
    -------
    Settlements

    Raises
    ------
    CardError, RulesError
        ValueErrors that name the row and the card or bet, before anything is written; the row, from 0, is in `.row`.
    TypeError, ValueError
        Arrays of another type or shape, or an unknown column.

    Examples
    --------
    >>> from uteh import parse_many
    >>> rows = parse_many(["Ah 7h Kc Kd Qh 9h 2h Ks 3c", "Qc 9c Ah 4c Kd Jc 8s 5h 3d"])
    >>> settle_many(rows, ante=10, play=[20, 10]).net
    array([ 45, -20])
    """
    import numpy as np

    from . import _arrays

    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    if not isinstance(check, bool):
        raise TypeError(f"check must be a bool, not {type(check).__name__}")
    threads = _work.count_threads(threads)
    cells, _ = _cells(rules)
    wanted = _arrays.wanted_columns(columns, _COLUMNS)
    rows = _arrays.card_rows(cards, (9,))
    n = len(rows)
    given = {
        "ante": ante,
        "play": play,
        "blind": ante if blind is None else blind,
        "trips": trips,
        "bad_beat": bad_beat,
    }
    if payout_cap is not None:
        given["payout_cap"] = payout_cap
    both = {name: _arrays.amounts(value, n, name) for name, value in given.items()}
    floats = any(array.dtype.kind == "f" for array, _ in both.values())
    kind = np.float64 if floats else np.int64
    arrays = {name: np.ascontiguousarray(array, dtype=kind) for name, (array, _) in both.items()}
    amounts = tuple(arrays.get(name) for name in _FIELDS)
    streets, given_streets = _streets(street, n)
    inputs = [rows, *arrays.values(), *([] if streets is None else [given_streets])]
    layout = {name: ((n,), _TYPES.get(name, kind)) for name in wanted}
    results = _arrays.outputs(out, Settlements, layout, inputs)
    if check:
        _arrays.check_rows(rows, threads)
    outs = (*(results.get(name) for name in _OUTS), None)

    def refuse(step: int) -> None:
        bad: list[tuple[int, int, int]] = []

        def look(first: int, last: int) -> None:
            row, code, field = _eval.settle_rounds(cells, step, rows, amounts, floats, streets, outs, first, last)
            if row < last:
                bad.append((row, code, field))

        _work.run(look, n, threads=threads, slice_size=_work.ROWS // 4)
        if bad:
            row, code, field = min(bad)
            values = [_item(both[name][1], row) if name in both else None for name in _FIELDS]
            where = _ANY_STREET if given_streets is None else _item(given_streets, row)
            raise _bet_error(code if step == 0 else _FRACTION, field, values, where, rules, row)

    refuse(0)
    refuse(1)
    _work.run(
        lambda first, last: _eval.settle_rounds(cells, 2, rows, amounts, floats, streets, outs, first, last),
        n,
        threads=threads,
        slice_size=_work.ROWS // 4,
    )
    return Settlements._of(results, rules)


def _item(array: NDArray[Any], row: int) -> Any:
    """A row's number as Python's own, from an array that may hold one for all rows."""
    value = array[row if len(array) > 1 else 0]
    return value.item() if hasattr(value, "item") else value


def _streets(street: Any, n: int) -> tuple[Any, Any]:
    """Streets as uint8, where one that is none is a number that the core refuses; and as they were given."""
    import numpy as np

    from . import _arrays

    if street is None:
        return None, None
    if isinstance(street, str):
        array = np.array([_street(street)], dtype=np.uint8)
    else:
        array = _arrays.whole(street, n, "street")
    known = (array >= 0) & (array <= 2) | (array == _ANY_STREET)
    return np.ascontiguousarray(np.where(known, array, 254), dtype=np.uint8), array
