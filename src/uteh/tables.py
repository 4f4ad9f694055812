"""Tables with a player-dealer: `settle_table` for one with a sentence for every bet, `settle_tables` for arrays of
them, and `deal_table` for the order in which the cards come.

What a bet wins under full cover is `settlement`'s; who is settled when, and what the fund still covers, is the core's
(`_core/table.c`). This file reads seats and amounts, says what is wrong with them, and puts what became of each bet
into words.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from . import _eval, _work, settlement
from .errors import CardError, RulesError
from .results import ColumnsResult, FrozenResult
from .rules import STANDARD, Result, Rules
from .settlement import Settlement, explain, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal

    from numpy.typing import ArrayLike, NDArray

    from .cards import Cards
    from .settlement import Amount, Street

    Procedure = Literal["shuffler", "shoe", "board_first"]

__all__ = [
    "Seat",
    "TableDeal",
    "TableSettlement",
    "TableSettlements",
    "Wager",
    "WagerSettlement",
    "deal_table",
    "settle_table",
    "settle_tables",
]

_CORE = ("ante", "play", "blind", "trips", "bad_beat")
_BETS = ("ante", "blind", "play", "trips", "bad_beat")
_SPOKEN = {"ante": "Ante", "blind": "Blind", "play": "Play", "trips": "Trips", "bad_beat": "Bad Beat"}
_AMOUNTS = ("ante", "play", "blind", "trips", "bad_beat", "fee")
_PROCEDURES = ("shuffler", "shoe", "board_first")
_CARDS, _CHECK, _WHOLE, _SETTLE, _FUND = range(5)  # steps of the core
_MOST_FUND = 1 << 62  # more than can ever move at a table
_MOST_SEATS = 22  # 52 cards, less seven, two a seat


@dataclass(frozen=True)
class Wager:
    """The bets of one player on one hand.

    Parameters
    ----------
    ante, play : int, float, Fraction or Decimal
        Amounts; a Play of 0 is a fold.
    blind : same, optional
        Must equal the Ante, which it is unless given.
    trips, bad_beat : same, default 0
    fee : same, default 0
        What the house takes from this player for the round, whatever the cards.

    Examples
    --------
    >>> Wager(10, 40, trips=5)
    Wager(ante=10, play=40, blind=None, trips=5, bad_beat=0, fee=0)
    """

    ante: Any
    play: Any
    blind: Any = None
    trips: Any = 0
    bad_beat: Any = 0
    fee: Any = 0


@dataclass(frozen=True)
class Seat:
    """A hand and who has bet on it.

    Parameters
    ----------
    hole : str or sequence of int or str
        Two cards.
    wagers : Wager, mapping, or sequence of them
        Of the player in the seat and, behind him, of others on the same hand (backline), in the order in which they are
        settled.

    Examples
    --------
    >>> Seat("Kh 9s", [Wager(10, 40), Wager(5, 20)]).hole
    'Kh 9s'
    """

    hole: Any
    wagers: Any


# Results --------------------------------------------------------------------------------------------------------------


class WagerSettlement(Settlement):
    """How one wager at a table was settled: a `Settlement`, less what the player-dealer's fund did not cover.

    Attributes
    ----------
    ante, blind, play, trips, bad_beat : int, float or Fraction
        The net win of each bet: what was paid or, negative, collected.
    net : int, float or Fraction
        Their sum, less the fee.
    returned : int, float or Fraction
        What went back to the player untouched: bets without action, and the part of a loss that was not covered.
    uncovered : int, float or Fraction
        What would have been paid or collected under full cover, and was not.
    returned_by_bet, uncovered_by_bet : dict of str to the same
        Both for each bet.
    fee : int, float or Fraction
    result : Result
    player_strength, dealer_strength : int
    qualifies : bool
    lines : tuple of str
        One sentence for each bet that was made, in the order in which they were settled.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_back", "_due", "_hands", "_left", "_nets", "_open", "_stakes", "_why", "fee", "net", "rules")  # type: ignore[assignment]
    fee: Any
    _due: tuple[Any, ...]  # the nets under full cover, in the core's order, as are
    _back: tuple[Any, ...]  # what was returned and
    _open: tuple[Any, ...]  # what was not covered
    # For each bet its number among all bets of the table, and what the player-dealer could still pay and collect before
    # it, None being no limit; None for a bet that was not made.
    _left: tuple[tuple[int, Any, Any] | None, ...]

    @property
    def returned(self) -> Any:
        return sum(self._back)

    @property
    def uncovered(self) -> Any:
        return sum(self._open)

    @property
    def returned_by_bet(self) -> dict[str, Any]:
        return {bet: self._back[_CORE.index(bet)] for bet in _BETS}

    @property
    def uncovered_by_bet(self) -> dict[str, Any]:
        return {bet: self._open[_CORE.index(bet)] for bet in _BETS}

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(sentence for _, sentence in self._sentences())

    def _sentences(self) -> Iterator[tuple[int, str]]:
        """The sentences in the order settled, each after its number among those of the table."""
        moved = sorted((left[0], i) for i, left in enumerate(self._left) if left is not None)
        for number, i in moved:
            yield number, self._sentence(i)

    def _sentence(self, i: int) -> str:
        _, player, dealer, board, _ = self._hands
        reasons, _ = self._why
        stake, due, net = self._stakes[i], self._due[i], self._nets[i]
        sentence = explain(_CORE[i], stake, due, reasons[i], False, self.rules, player, dealer, board)
        left = self._left[i]
        if left is None or left[1] is None:
            return sentence
        _, pay, take = left
        number = settlement._number
        head = f"{_SPOKEN[_CORE[i]]} {number(stake)}"
        because = sentence.partition(": ")[2]
        if pay <= 0 or take <= 0:
            lost = f"; it would have {'won ' + number(due) if due > 0 else 'lost'}" if due else ""
            return f"{head} has no action and is returned: the player-dealer's fund is used up{lost}"
        if due > net:
            return (
                f"{head} wins {number(net)} of {number(due)}: {because}; the player-dealer had {number(pay)} left to "
                f"pay, {number(self._open[i])} is not covered"
            )
        if due < net:
            return (
                f"{head} loses {number(-net)} and {number(self._back[i])} is returned: {because}; the player-dealer "
                f"had {number(take)} left to win"
            )
        return f"{sentence}; paid out of {number(pay)}" if due > 0 else sentence

    def __repr__(self) -> str:
        more = "".join(
            f", {name}={settlement._number(value)}"
            for name, value in (("returned", self.returned), ("uncovered", self.uncovered), ("fee", self.fee))
            if value
        )
        return f"Wager{super().__repr__()[:-1]}{more})"

    def _data(self) -> dict[str, Any]:
        data = super()._data()
        rules = data.pop("rules")
        json = settlement._json
        return {
            **data,
            "fee": json(self.fee),
            "returned": json(self.returned),
            "uncovered": json(self.uncovered),
            "returned_by_bet": {bet: json(amount) for bet, amount in self.returned_by_bet.items()},
            "uncovered_by_bet": {bet: json(amount) for bet, amount in self.uncovered_by_bet.items()},
            "rules": rules,
        }


class TableSettlement(FrozenResult):
    """How a table was settled. The nets of all wagers, `bank_net` and `fees` add up to 0.

    Attributes
    ----------
    seats : tuple of tuple of WagerSettlement
        The wagers of each seat.
    bank_net : int, float or Fraction
        What the player-dealer won, after his own fee.
    fees : int, float or Fraction
        What the house took, from the player-dealer too.
    fund, bank_fee : int, float, Fraction or None
        As they were given.
    lines : tuple of str
        One sentence for each bet, in the order in which they were settled, and one for the player-dealer.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("bank_fee", "bank_net", "fees", "fund", "rules", "seats")
    seats: tuple[tuple[WagerSettlement, ...], ...]
    bank_net: Any
    fees: Any
    fund: Any
    bank_fee: Any
    rules: Rules

    @property
    def lines(self) -> tuple[str, ...]:
        spoken = []
        for s, wagers in enumerate(self.seats, 1):
            for w, wager in enumerate(wagers, 1):
                who = f"Seat {s}" if len(wagers) == 1 else f"Seat {s}, wager {w}"
                spoken += [(number, f"{who}: {sentence}") for number, sentence in wager._sentences()]
        return (*(sentence for _, sentence in sorted(spoken)), self._of_the_bank())

    def _of_the_bank(self) -> str:
        number = settlement._number
        result = self.bank_net + self.bank_fee
        verb = f"wins {number(result)}" if result > 0 else f"loses {number(-result)}" if result else "breaks even"
        fund = "" if self.fund is None else f" with a fund of {number(self.fund)}"
        fee = f", and {number(self.bank_net)} after a fee of {number(self.bank_fee)}" if self.bank_fee else ""
        return f"Player-dealer {verb}{fund}{fee}"

    def __repr__(self) -> str:
        number = settlement._number
        nets = ", ".join("+".join(number(wager.net) for wager in wagers) for wagers in self.seats)
        return f"TableSettlement(bank_net={number(self.bank_net)}, seats=[{nets}], fees={number(self.fees)})"

    def _data(self) -> dict[str, Any]:
        json = settlement._json
        rules = self.rules.to_dict()
        return {
            "seats": [
                [{name: value for name, value in wager._data().items() if name != "rules"} for wager in wagers]
                for wagers in self.seats
            ],
            **{name: json(getattr(self, name)) for name in ("bank_net", "fees", "fund", "bank_fee")},
            "lines": list(self.lines),
            "rules": rules,
        }


# One table ------------------------------------------------------------------------------------------------------------


def settle_table(
    seats: Sequence[Seat | Mapping[str, Any]],
    dealer: Cards,
    board: Cards,
    *,
    fund: Amount | None = None,
    bank_fee: Amount = 0,
    street: Street | Sequence[Street | None] | None = None,
    rules: Rules = STANDARD,
) -> TableSettlement:
    """Settle one table against a player-dealer.

    Hands that were folded are settled first, then the others, both seat by seat. On one hand the wagers follow one
    another; of a wager, bet by bet in `rules.wager_order`, or in `rules.losing_order` if it lost or was folded.

    Each bet is paid or collected as far as the fund covers it. Under the fund reading "net" the player-dealer's running
    result stays within plus or minus the fund, under "gross" every amount that moves uses the fund up. Once a side is
    used up, no later bet has action and all of it goes back.

    Parameters
    ----------
    seats : sequence of Seat or mapping
        From the player-dealer's left. Mappings with the names of `Seat` and `Wager` will do.
    dealer, board : str or sequence of int or str
        Two cards of the player-dealer, and five.
    fund : int, float, Fraction or Decimal, optional
        The most that the player-dealer can lose and win; without it everything is covered. Fees are not paid from it.
    bank_fee : same, default 0
        What the house takes from the player-dealer.
    street : {"preflop", "flop", "river"}, or a sequence of them or None, one a seat, optional
        When the hands were bet or folded; without it any amount that is legal on some street passes.
    rules : Rules, optional

    Returns
    -------
    TableSettlement
        Amounts are ints where all that were given are (whole chips, see `rules.breakage`), floats where one was a
        float, otherwise Fractions.

    Raises
    ------
    CardError
        A ValueError that names the card and where it stands.
    RulesError
        A ValueError that names the seat, the wager and the bet, counted from 0 as in ``seats[0].wagers[1]``.
    TypeError
        An argument of another type.

    Examples
    --------
    >>> seats = [Seat("Qc 9c", Wager(10, 40)), Seat("Ks 8d", Wager(20, 80))]
    >>> table = settle_table(seats, "Ah Ad", "Kd 8c 5h 3s 2d", fund=100)
    >>> table
    TableSettlement(bank_net=-40, seats=[-60, 100], fees=0)
    >>> for line in table.lines[-3:]:
    ...     print(line)
    Seat 2: Play 80 wins 80: two pair, kings and eights, 5 beats pair of aces, K 8 5; paid out of 140
    Seat 2: Blind 20 pushes: two pair is not in the table
    Player-dealer loses 40 with a fund of 100
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    holes, wagers = _read_seats(seats)
    streets = _streets_of(street, len(holes))
    _refuse_repeats(
        [*((f"seats[{s}].hole", hole, 2) for s, hole in enumerate(holes)), ("dealer", dealer, 2), ("board", board, 5)]
    )
    kind, fund, bank_fee = _one_kind(wagers, fund, bank_fee)
    covered = []
    for s, (hole, of_seat) in enumerate(zip(holes, wagers, strict=True)):
        for where, amounts in of_seat:
            bets = {name: amount for name, amount in amounts.items() if name != "fee"}
            try:
                covered.append((s, amounts["fee"], settle(hole, dealer, board, **bets, street=streets[s], rules=rules)))
            except RulesError as error:
                raise _error_at(where, error, s) from None
    moved = _cover(covered, fund, kind, rules)
    numbers = _order(covered, rules)
    pay = take = fund
    settled: dict[int, WagerSettlement] = {}
    left: list[list[tuple[int, Any, Any] | None]] = [[None] * 5 for _ in covered]
    for number, (row, bet) in enumerate(numbers):
        left[row][bet] = (number, pay, take)
        if fund is not None:
            net = moved[row][0][bet]
            gone = abs(net)
            pay, take = (pay - gone, take - gone) if rules.fund_reading == "gross" else (pay - net, take + net)
    nothing = kind(0)
    for row, (_, fee, full) in enumerate(covered):
        nets, back, open_ = moved[row]
        settled[row] = WagerSettlement._of(
            back,
            full._nets,
            full._hands,
            tuple(left[row]),
            nets,
            open_,
            full._stakes,
            full._why,
            fee,
            sum(nets) - fee,
            rules,
        )
    by_seat: list[list[WagerSettlement]] = [[] for _ in holes]
    for row, (s, _, _) in enumerate(covered):
        by_seat[s].append(settled[row])
    bank = -sum((sum(wager._nets) for wager in settled.values()), nothing) - bank_fee
    fees = sum((fee for _, fee, _ in covered), nothing) + bank_fee
    return TableSettlement._of(bank_fee, bank, fees, fund, rules, tuple(map(tuple, by_seat)))


def _read_seats(seats: Any) -> tuple[list[Any], list[list[tuple[str, dict[str, Any]]]]]:
    """The holes, and of each seat its wagers: where one stands, and its amounts."""
    if isinstance(seats, (str, bytes, Seat)) or hasattr(seats, "keys") or not hasattr(seats, "__iter__"):
        raise TypeError(f"seats must be a sequence of Seats, not {type(seats).__name__}")
    holes, wagers = [], []
    for s, seat in enumerate(seats):
        place = f"seats[{s}]"
        fields = _fields_of(seat, Seat, ("hole", "wagers"), ("hole", "wagers"), place)
        holes.append(fields["hole"])
        given = fields["wagers"]
        alone = isinstance(given, Wager) or hasattr(given, "keys")
        if not alone and (isinstance(given, (str, bytes)) or not hasattr(given, "__iter__")):
            raise TypeError(f"{place}.wagers must be a Wager or a sequence of them, not {type(given).__name__}")
        of_seat = []
        for w, wager in enumerate([given] if alone else given):
            where = place if alone else f"{place}.wagers[{w}]"
            amounts = _fields_of(wager, Wager, _AMOUNTS, ("ante", "play"), where)
            if amounts.get("blind") is None:
                amounts["blind"] = amounts["ante"]
            of_seat.append((where, {name: amounts.get(name, 0) for name in _AMOUNTS}))
        if not of_seat:
            raise ValueError(f"{place}.wagers: there is none; a seat without a wager is left out")
        wagers.append(of_seat)
    if not holes:
        raise ValueError("seats: there is none")
    return holes, wagers


def _fields_of(value: Any, cls: type, names: Sequence[str], needed: Sequence[str], where: str) -> dict[str, Any]:
    if isinstance(value, cls):
        return {name: getattr(value, name) for name in names}
    if not hasattr(value, "keys") or not hasattr(value, "__getitem__"):
        raise TypeError(f"{where} must be a {cls.__name__} or a mapping, not {type(value).__name__}")
    fields = {name: value[name] for name in value}
    for name in fields:
        if name not in names:
            raise ValueError(f"{where}: {str(name)[:40]!r} is none of {', '.join(names)}")
    for name in needed:
        if name not in fields:
            raise ValueError(f"{where}: {name} is missing")
    return fields


def _streets_of(street: Any, n: int) -> list[Any]:
    if street is None or isinstance(street, str):
        streets = [street] * n
    elif hasattr(street, "__iter__") and hasattr(street, "__len__"):
        streets = list(street)
        if len(streets) != n:
            raise ValueError(f"street: {len(streets)} are given for {n} seats")
    else:
        raise TypeError(f"street must be text or a sequence of them, not {type(street).__name__}")
    for each in streets:
        if each is not None:
            settlement._street(each)
    return streets


def _refuse_repeats(places: Sequence[tuple[str, Any, int]]) -> None:
    """Reads the cards of every place; a CardError names the first that is wrong."""
    taken: dict[int, str] = {}
    for place, cards, count in places:
        try:
            ids = _eval.parse_cards(cards)
        except (CardError, TypeError) as error:
            raise type(error)(f"{place}: {error}") from None
        if len(ids) != count:
            raise CardError(f"{place}: {len(ids)} cards given, {count} needed")
        for card in ids:
            if card in taken:
                raise CardError(_twice(card, taken[card], place))
            taken[card] = place


def _twice(card: int, first: str, second: str) -> str:
    from .cards import format_cards

    places = f" in {first}" if first == second else f": in {first} and in {second}"
    return f"{format_cards((card,))} is given twice{places}"


def _error_at(where: str, error: Exception, seat: int | None = None, row: int | None = None) -> Exception:
    """The same error, about a place."""
    new = type(error)(f"{where}: {error}")
    if isinstance(new, (RulesError, CardError)):
        new.row = row
    return new


def _one_kind(wagers: list[list[tuple[str, dict[str, Any]]]], fund: Any, bank_fee: Any) -> tuple[type, Any, Any]:
    """All amounts of a table as one kind, those of the wagers in place: ints, Fractions where one is a Fraction or a
    Decimal, floats where one is a float."""
    kinds: set[type] = set()

    def read(value: Any, name: str, where: str) -> Any:
        try:
            amount, kind = settlement._amount(value, name)
        except (RulesError, TypeError) as error:
            raise (_error_at(where, error) if where else error) from None
        if name in ("fee", "fund", "bank_fee") and not amount >= 0:
            text = f"{name}: {settlement._shown(amount)} is negative or no number"
            raise RulesError(f"{where}: {text}" if where else text)
        kinds.add(kind)
        return amount

    for of_seat in wagers:
        for where, amounts in of_seat:
            for name in amounts:
                amounts[name] = read(amounts[name], name, where)
    if isinstance(fund, float) and fund == float("inf"):
        fund = None
    fund = None if fund is None else read(fund, "fund", "")
    bank_fee = read(bank_fee, "bank_fee", "")
    kind = float if float in kinds else Fraction if Fraction in kinds else int
    if kind is int:
        return kind, fund, bank_fee

    def convert(value: Any, name: str, where: str) -> Any:
        try:
            return kind(value)
        except OverflowError:
            text = f"{name}: {settlement._shown(value)} is too large beside a float"
            raise RulesError(f"{where}: {text}" if where else text) from None

    for of_seat in wagers:
        for where, amounts in of_seat:
            for name in amounts:
                amounts[name] = convert(amounts[name], name, where)
    return kind, None if fund is None else convert(fund, "fund", ""), convert(bank_fee, "bank_fee", "")


def _order(covered: Sequence[tuple[int, Any, Settlement]], rules: Rules) -> list[tuple[int, int]]:
    """The bets of a table as (wager, bet) in the order in which they are settled."""
    orders = [[_CORE.index(bet) for bet in order] for order in (rules.wager_order, rules.losing_order)]
    return [
        (row, bet)
        for folded in (True, False)
        for row, (_, _, full) in enumerate(covered)
        if (full._hands[0] == Result.FOLD) == folded
        for bet in orders[full._hands[0] < 0]
        if full._stakes[bet]
    ]


def _cover(
    covered: Sequence[tuple[int, Any, Settlement]], fund: Any, kind: type, rules: Rules
) -> list[tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]]:
    """For each wager what moved, what was returned and what was not covered, by bet."""
    nothing = (kind(0),) * 5
    if fund is None:
        return [(full._nets, nothing, nothing) for _, _, full in covered]
    from array import array
    from math import lcm

    n = len(covered)
    scale = 1
    if kind is Fraction:
        amounts = [amount for _, _, full in covered for amount in (*full._nets, *full._stakes)]
        scale = lcm(*(amount.denominator for amount in amounts), fund.denominator)
    code = "d" if kind is float else "q"
    most = sum(abs(net) for _, _, full in covered for net in full._nets) * scale
    if kind is not float and max(most, *(sum(full._stakes) * scale for _, _, full in covered)) >= _MOST_FUND:
        raise RulesError("the amounts of this table are too large or too fine to be settled exactly")
    whole = (lambda amount: amount) if kind is float else (lambda amount: int(amount * scale))
    limit = whole(fund) if kind is float else min(whole(fund), _MOST_FUND)
    stakes = [array(code, [whole(full._stakes[bet]) for _, _, full in covered]) for bet in range(5)]
    nets = [array(code, [whole(full._nets[bet]) for _, _, full in covered]) for bet in range(5)]
    results = array("b", [full._hands[0] for _, _, full in covered])
    back, open_ = array(code, [0] * (5 * n)), array(code, [0] * (5 * n))
    cells, _ = settlement._cells(rules)
    _eval.settle_tables(
        cells,
        rules.packed,
        _FUND,
        (n, n, None, True, 0),
        (None,) * 4,
        tuple(stakes),
        None,
        kind is float,
        (array(code, [limit]), None, None),
        (*nets, results, *(None,) * 8, back, open_),
        0,
        1,
    )

    def amounts_of(values: Any) -> tuple[Any, ...]:
        return tuple(values) if kind is not Fraction else tuple(Fraction(value, scale) for value in values)

    in_core = [_BETS.index(bet) for bet in _CORE]
    return [
        (
            amounts_of([net[row] for net in nets]),
            amounts_of([back[5 * row + place] for place in in_core]),
            amounts_of([open_[5 * row + place] for place in in_core]),
        )
        for row in range(n)
    ]


# Dealing --------------------------------------------------------------------------------------------------------------


class TableDeal(FrozenResult):
    """The cards of a table; unpacks as holes, dealer, board.

    Attributes
    ----------
    holes : tuple of tuple of int
        Two cards a seat, from the player-dealer's left.
    dealer : tuple of int
    board : tuple of int
        In dealing order.
    """

    __slots__ = ()
    _fields = ("board", "dealer", "holes")
    holes: tuple[tuple[int, int], ...]
    dealer: tuple[int, int]
    board: tuple[int, int, int, int, int]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.holes, self.dealer, self.board))

    def __repr__(self) -> str:
        from .cards import format_cards

        holes = ", ".join(format_cards(hole) for hole in self.holes)
        return f"TableDeal({holes}; dealer {format_cards(self.dealer)}; board {format_cards(self.board)})"

    def _data(self) -> dict[str, Any]:
        from .cards import format_cards

        return {
            "holes": [format_cards(hole) for hole in self.holes],
            "dealer": format_cards(self.dealer),
            "board": format_cards(self.board),
        }


def deal_table(deck: Cards, seats: int, procedure: Procedure = "shuffler") -> TableDeal:
    """Deal a table from the top of a deck, as the published procedures have it.

    Parameters
    ----------
    deck : str or sequence of int or str
        Different cards in the order in which they come; as many as are needed, or more.
    seats : int
        1 to 22.
    procedure : {"shuffler", "shoe", "board_first"}, default "shuffler"
        "shuffler": two cards to each seat, two to the player-dealer, then the board. "shoe": one card to each seat and
        the player-dealer, a second one likewise, then the board. "board_first": the board, two cards to each seat, two
        to the player-dealer. Source: California player-dealer rules with a Bad Beat bonus, item 5, for the first two;
        printed rules of a cardroom for the third.

    Returns
    -------
    TableDeal

    Raises
    ------
    CardError
        A ValueError that names what is no card, a card that is given twice, or how many are missing.
    TypeError, ValueError
        Another number of seats, or another procedure.

    Examples
    --------
    >>> deal_table("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc", 2, "shoe")
    TableDeal(2c 5c, 3c 6c; dealer 4c 7c; board 8c 9c Tc Jc Qc)
    """
    try:
        cards = _eval.parse_cards(deck)
    except (CardError, TypeError) as error:
        raise type(error)(f"deck: {error}") from None
    if isinstance(seats, bool) or not hasattr(seats, "__index__"):
        raise TypeError(f"seats must be an int, not {type(seats).__name__}")
    n = seats.__index__()
    if not 1 <= n <= _MOST_SEATS:
        raise ValueError(f"seats must be 1 to {_MOST_SEATS}, not {settlement._shown(n)}")
    if not isinstance(procedure, str):
        raise TypeError(f"procedure must be text, not {type(procedure).__name__}")
    if procedure not in _PROCEDURES:
        raise ValueError(f"procedure must be {', '.join(_PROCEDURES)}, not {procedure[:40]!r}")
    if len(cards) < 2 * n + 7:
        raise CardError(f"deck: {len(cards)} cards given, {2 * n + 7} needed for {n} seats")
    hands, board = cards[5 : 2 * n + 7], cards[:5]
    if procedure != "board_first":
        hands, board = cards[: 2 * n + 2], cards[2 * n + 2 : 2 * n + 7]
    if procedure == "shoe":
        pairs = [(hands[i], hands[n + 1 + i]) for i in range(n + 1)]
    else:
        pairs = [(hands[2 * i], hands[2 * i + 1]) for i in range(n + 1)]
    return TableDeal._of(board, pairs[-1], tuple(pairs[:-1]))


# Many tables ----------------------------------------------------------------------------------------------------------

_ROW_COLUMNS = (
    "ante",
    "blind",
    "play",
    "trips",
    "bad_beat",
    "net",
    "returned",
    "uncovered",
    "result",
    "player_strength",
    "dealer_strength",
    "qualifies",
)
_TABLE_COLUMNS = ("bank_net", "fees")
_BY_BET = ("returned_by_bet", "uncovered_by_bet")
_COLUMNS = (*_ROW_COLUMNS, *_TABLE_COLUMNS, *_BY_BET)
# The columns among the core's outputs.
_OUTS = (
    "ante",
    "play",
    "blind",
    "trips",
    "bad_beat",
    "result",
    "player_strength",
    "dealer_strength",
    "qualifies",
    None,
    "net",
    "bank_net",
    "returned",
    "uncovered",
    *_BY_BET,
)


class TableSettlements(ColumnsResult):
    """How many tables were settled, as arrays of t tables with s seats: those that were asked for.

    Attributes
    ----------
    ante, blind, play, trips, bad_beat, net, returned, uncovered : ndarray of int64 or float64, shape (t, s)
        As for `WagerSettlement`.
    result : ndarray of int8, shape (t, s)
        -2 fold, -1 lose, 0 tie, 1 win, -128 where nobody sits.
    player_strength, dealer_strength : ndarray of uint16, shape (t, s)
        The player's is 0 where nobody sits.
    qualifies : ndarray of bool, shape (t, s)
    bank_net, fees : ndarray of int64 or float64, shape (t,)
        `net` summed over the seats, `bank_net` and `fees` add up to 0.
    returned_by_bet, uncovered_by_bet : ndarray of int64 or float64, shape (t, s, 5)
        For ante, blind, play, trips, bad_beat.
    columns : tuple of str
        The names of those that are there.
    rules : Rules
    """

    __slots__ = ()
    _fields = ("_arrays", "rules")
    _columns = _COLUMNS
    rules: Rules

    def __repr__(self) -> str:
        return f"TableSettlements({len(self)} tables: {', '.join(self._arrays)})"


def settle_tables(
    holes: ArrayLike,
    dealers: ArrayLike,
    boards: ArrayLike,
    *,
    ante: ArrayLike,
    play: ArrayLike,
    blind: ArrayLike | None = None,
    trips: ArrayLike = 0,
    bad_beat: ArrayLike = 0,
    fee: ArrayLike = 0,
    fund: ArrayLike | None = None,
    bank_fee: ArrayLike = 0,
    seated: ArrayLike | None = None,
    street: Street | ArrayLike | None = None,
    rules: Rules = STANDARD,
    columns: Sequence[str] | None = None,
    out: TableSettlements | Mapping[str, NDArray[Any]] | None = None,
    check: bool = True,
    threads: int | None = 1,
) -> TableSettlements:
    """Settle many tables of equally many seats, one wager a seat; each is settled as `settle_table` says.

    Parameters
    ----------
    holes : array of int, shape (t, s, 2)
        The players' cards; the seats from the player-dealer's left.
    dealers, boards : array of int, shape (t, 2) and (t, 5)
    ante, play, blind, trips, bad_beat, fee : int, float, or array of them, shape (t, s)
        Chips (any integer type, giving int64) or, where one amount is float, floats (giving float64). A Play of 0 is a
        fold.
    fund, bank_fee : the same, shape (t,)
        Without a fund everything is covered; among floats, infinity is no limit.
    seated : array of bool, shape (t, s), optional
        False where nobody sits: cards and amounts there are not looked at. Everybody unless given.
    street : text, or array of uint8, shape (t, s), optional
        0 preflop, 1 flop, 2 river, 255 unknown. Without it, any amount that is legal on some street passes.
    rules : Rules, optional
    columns : sequence of str, optional
        Which attributes to compute; all but the two by bet unless given.
    out : TableSettlements or mapping of arrays, optional
        Arrays to write the columns to, for instance an earlier result; contiguous, of the right type and shape.
    check : bool, default True
        False skips the search for ids over 51 and repeated cards in uint8 arrays. Amounts are always checked.
    threads : int or None, default 1
        None means one a core. The GIL is released.

    Returns
    -------
    TableSettlements

    Raises
    ------
    CardError, RulesError
        ValueErrors that name the row, the seat and the card or bet, before anything is written; all are counted from 0,
        and the row is in `.row`.
    TypeError, ValueError
        Arrays of another type or shape, or an unknown column.

    Examples
    --------
    >>> holes = [[[43, 29], [47, 26]]]  # Qs 9d, Ks 8h
    >>> many = settle_tables(holes, [[50, 49]], [[45, 24, 14, 7, 1]], ante=[[10, 20]], play=[[40, 80]], fund=[100])
    >>> many.net.tolist(), many.bank_net.tolist()
    ([[-60, 100]], [-40])
    """
    import numpy as np

    from . import _arrays

    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    if not isinstance(check, bool):
        raise TypeError(f"check must be a bool, not {type(check).__name__}")
    threads = _work.count_threads(threads)
    wanted = _arrays.wanted_columns(columns, _COLUMNS, (*_ROW_COLUMNS, *_TABLE_COLUMNS))
    hole_array = _arrays.integers(holes, "holes")
    if hole_array.ndim != 3 or hole_array.shape[2] != 2 or hole_array.shape[1] < 1:
        raise ValueError(f"holes has the shape {hole_array.shape}; (t, s, 2) is needed, with a seat or more")
    t, s, _ = hole_array.shape
    n = t * s
    if s > _MOST_SEATS:
        raise ValueError(f"holes: {s} seats; 52 cards are enough for {_MOST_SEATS}")
    who = None if seated is None else _seated(seated, (t, s))
    cards = (
        _ids(hole_array, "holes", (t, s, 2), who),
        _ids(_arrays.integers(dealers, "dealers"), "dealers", (t, 2), None),
        _ids(_arrays.integers(boards, "boards"), "boards", (t, 5), None),
    )
    places = {
        "ante": ante,
        "play": play,
        "blind": ante if blind is None else blind,
        "trips": trips,
        "bad_beat": bad_beat,
    }
    both = {name: _grid(value, (t, s), name) for name, value in {**places, "fee": fee}.items()}
    both |= {
        name: _grid(value, (t,), name) for name, value in (("fund", fund), ("bank_fee", bank_fee)) if value is not None
    }
    floats = any(array.dtype.kind == "f" for array, _ in both.values())
    kind = np.float64 if floats else np.int64
    arrays = {name: np.ascontiguousarray(array, dtype=kind) for name, (array, _) in both.items()}
    streets, given_streets = _grid_of_streets(street, (t, s))
    if who is not None:
        there = who.reshape(-1).astype(bool)
        for name in _AMOUNTS:
            arrays[name] = np.where(there, arrays[name], kind(0))
        if streets is not None:
            streets = np.where(there, streets, np.uint8(settlement._ANY_STREET))
    inputs = [*cards, *arrays.values(), *(() if who is None else (who,)), *(() if streets is None else (streets,))]
    shapes = {**dict.fromkeys(_TABLE_COLUMNS, (t,)), **dict.fromkeys(_BY_BET, (t, s, 5))}
    columns_of = {name: (shapes.get(name, (t, s)), settlement._TYPES.get(name, kind)) for name in wanted}
    results = _arrays.outputs(out, TableSettlements, columns_of, inputs)
    cells, limit = settlement._cells(rules)
    limit //= s
    _check_money(both, arrays, limit, floats, (t, s), who)
    if "fund" in arrays:
        np.minimum(arrays["fund"], kind(_MOST_FUND) if not floats else np.inf, out=arrays["fund"])
    amounts = tuple(arrays[name] for name in _CORE)
    money = tuple(arrays.get(name) for name in ("fund", "fee", "bank_fee"))
    # The nets of every bet that is ever made, and the results, are needed whether they are asked for or not.
    work = dict(results)
    for name in _CORE:
        if name not in work and (arrays[name].size > 1 or arrays[name].any()):
            work[name] = np.empty(n, dtype=kind)
    work.setdefault("result", np.empty(n, dtype=np.int8))
    outs = tuple(work.get(name) if name is not None else None for name in _OUTS)
    layout = (n, s, None, False, limit)

    def run(step: int, first: int, last: int) -> tuple[int, int, int]:
        return _eval.settle_tables(
            cells, rules.packed, step, layout, (*cards, who), amounts, streets, floats, money, outs, first, last
        )

    def look(step: int) -> tuple[int, int, int] | None:
        bad: list[tuple[int, int, int]] = []

        def part(first: int, last: int) -> None:
            found, code, field = run(step, first, last)
            if found < (last if step == _CARDS else last * s):
                bad.append((found, code, field))

        _work.run(part, t, threads=threads, slice_size=max(1, _work.ROWS // 4 // s))
        return min(bad) if bad else None

    if check and (found := look(_CARDS)):
        raise _card_error(found[0], *(array[found[0]].copy() for array in (*cards, *(() if who is None else (who,)))))
    for step in (_CHECK, _WHOLE):
        if found := look(step):
            row, seat = divmod(found[0], s)
            values = [settlement._item(both[name][1], found[0]) for name in _CORE]
            where = settlement._ANY_STREET if given_streets is None else settlement._item(given_streets, found[0])
            code = found[1] if step == _CHECK else settlement._FRACTION
            error = settlement._bet_error(code, found[2], values, where, rules)
            raise _error_at(f"row {row}: seat {seat}", error, seat, row) from None
    _work.run(
        lambda first, last: run(_SETTLE, first, last), t, threads=threads, slice_size=max(1, _work.ROWS // 4 // s)
    )
    if "fees" in results:
        each = arrays["fee"].reshape(t, s).sum(axis=1) if arrays["fee"].size > 1 or n == 1 else arrays["fee"] * s
        results["fees"][...] = each + arrays["bank_fee"]
    return TableSettlements._of(results, rules)


def settle_ragged(
    holes: NDArray[Any],
    dealers: NDArray[Any],
    boards: NDArray[Any],
    start: NDArray[Any],
    *,
    ante: NDArray[Any],
    play: NDArray[Any],
    blind: NDArray[Any] | None = None,
    trips: NDArray[Any] | None = None,
    bad_beat: NDArray[Any] | None = None,
    fee: NDArray[Any] | None = None,
    fund: NDArray[Any] | None = None,
    bank_fee: NDArray[Any] | None = None,
    street: NDArray[Any] | None = None,
    rules: Rules = STANDARD,
) -> dict[str, NDArray[Any]]:
    """Tables of any lengths: `start` has the first row of each, and the number of rows. A row is a wager, and rows that
    follow one another may have one hole. Cards are uint8, amounts int64 chips; a ValueError, which names nothing, where
    anything is wrong."""
    import numpy as np

    n, t = int(start[-1]), len(start) - 1
    cells, limit = settlement._cells(rules)
    nothing = np.zeros(1, dtype=np.int64)
    amounts = tuple(
        nothing if array is None else array for array in (ante, play, ante if blind is None else blind, trips, bad_beat)
    )
    by_table = limit // np.diff(start)
    by_row = np.repeat(by_table, np.diff(start))
    for money, most in ((fee, by_row), (bank_fee, by_table), *((array, by_row) for array in amounts)):
        if money is not None and ((money < 0) | (money > most)).any():
            raise ValueError("an amount is wrong")
    if fund is not None:
        if (fund < 0).any():
            raise ValueError("a fund is wrong")
        fund = np.minimum(fund, _MOST_FUND)
    found = {name: np.empty(n, dtype=settlement._TYPES.get(name, "int64")) for name in _ROW_COLUMNS}
    found["bank_net"] = np.empty(t, dtype=np.int64)
    outs = tuple(found.get(name) if name is not None else None for name in _OUTS)
    for step, end in ((_CARDS, t), (_CHECK, n), (_WHOLE, n), (_SETTLE, t)):
        at, _, _ = _eval.settle_tables(
            cells,
            rules.packed,
            step,
            (n, 0, start, True, limit),
            (holes, dealers, boards, None),
            amounts,
            street,
            False,
            (fund, fee, bank_fee),
            outs,
            0,
            t,
        )
        if at < end:
            raise ValueError("a card or a bet is wrong")
    return found


def _seated(seated: Any, shape: tuple[int, int]) -> NDArray[Any]:
    import numpy as np

    array = np.asarray(seated)
    if array.dtype.kind != "b":
        raise TypeError(f"seated must hold bools, not {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"seated has the shape {array.shape}; {shape} is needed")
    return np.ascontiguousarray(array).view(np.uint8)


def _ids(array: NDArray[Any], name: str, shape: tuple[int, ...], seated: NDArray[Any] | None) -> NDArray[Any]:
    """Card ids as uint8 in C order, checked before they are narrowed."""
    import numpy as np

    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}; {shape} is needed")
    if array.dtype != np.uint8:
        bad = (array < 0) | (array > 51)
        if seated is not None:
            bad &= seated.astype(bool)[:, :, None]
        if bad.any():
            row, *rest = (int(i) for i in np.argwhere(bad)[0])
            place = f"seat {rest[0]}" if len(rest) == 2 else name.removesuffix("s")
            error = CardError(f"row {row}: {place}: {array[(row, *rest)]} is not a card id (0 to 51)")
            error.row = row
            raise error
        if seated is not None:
            array = np.where(seated.astype(bool)[:, :, None], array, 0)
    return np.ascontiguousarray(array, dtype=np.uint8)


def _grid(values: Any, shape: tuple[int, ...], name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Amounts of one shape, or one for all, as `_arrays.amounts` gives them, flat."""
    import numpy as np

    from . import _arrays

    if isinstance(values, (str, bytes, bool)):
        raise TypeError(f"{name} must be a number or an array of numbers, not {type(values).__name__}")
    try:
        found = np.shape(values)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if found not in ((), shape):
        raise ValueError(f"{name} has the shape {found}; {shape} is needed, or one number for all")
    if len(found) == 2:
        values = values.reshape(-1) if hasattr(values, "reshape") else [x for row in values for x in row]
    n = 1
    for length in shape:
        n *= length
    return _arrays.amounts(values, n, name)


def _grid_of_streets(street: Any, shape: tuple[int, int]) -> tuple[Any, Any]:
    import numpy as np

    if street is not None and not isinstance(street, str):
        array = np.asarray(street)
        if array.shape not in ((), shape):
            raise ValueError(f"street has the shape {array.shape}; {shape} is needed, or one for all")
        street = array.reshape(-1) if array.ndim else array
    return settlement._streets(street, shape[0] * shape[1])


def _check_money(
    both: dict[str, tuple[NDArray[Any], NDArray[Any]]],
    arrays: dict[str, NDArray[Any]],
    limit: int,
    floats: bool,
    shape: tuple[int, int],
    seated: NDArray[Any] | None,
) -> None:
    """The amounts that are no bets: funds and fees."""
    import numpy as np

    for name in ("fee", "fund", "bank_fee"):
        if name not in arrays:
            continue
        array = arrays[name]
        bad = ~(array >= 0)
        if name != "fund":
            bad |= array > (settlement._HIGHEST_FLOAT if floats else limit)
        if bad.any():
            at = int(np.argmax(bad))
            amount = settlement._item(both[name][1], at)
            row, seat = divmod(at, shape[1]) if name == "fee" else (at, None)
            if seated is not None and name == "fee" and len(both[name][1]) == 1:  # the first who has to pay it
                row, seat = divmod(int(np.argmax(seated.reshape(-1) != 0)), shape[1])
            wrong = "too large to be settled exactly" if amount > 0 else "negative or no number"
            place = f"row {row}: " + (f"seat {seat}: " if seat is not None else "")
            error = RulesError(f"{place}{name}: {settlement._shown(amount)} is {wrong}")
            error.row = row
            raise error


def _card_error(
    row: int, holes: NDArray[Any], dealer: NDArray[Any], board: NDArray[Any], seated: NDArray[Any] | None = None
) -> CardError:
    """The error for a table that the core found."""
    from . import _arrays

    taken: dict[int, str] = {}
    places = [("the player-dealer's hand", dealer), ("the board", board)]
    places += [(f"seat {s}", hole) for s, hole in enumerate(holes) if seated is None or seated[s]]
    for place, cards in places:
        for card in cards.tolist():
            if card > 51:
                return _arrays.row_error(f"{place}: {card} is not a card id (0 to 51)", row)
            if card in taken:
                return _arrays.row_error(_twice(card, taken[card], place), row)
            taken[card] = place
    return _arrays.row_error("changed while it was being checked", row)
