"""The slow, obvious reference that the compiled core is tested against: hands, settlement, odds and decisions.

It is written from the rules of poker and of Ultimate Texas Hold'em alone and shares nothing with the package: no
import, no table, no code. Seven cards are the best of all 21 choices of five, an expected value is the plain average
over every deal, and every result is an exact integer or fraction. What it leaves out: fees, tables with several seats,
the player-dealer's fund, and the solution of the whole game.

Cards are ids, ``rank * 4 + suit`` with ranks 2..A = 0..12 and suits c d h s = 0..3; text such as "Ah Kd" will do in the
functions about one hand. Strengths run from 1 (7-5-4-3-2) to 7462 (royal flush), higher is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cards = str | Sequence[int]
Array = NDArray[Any]

(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
) = range(10)

CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)

FOLD, LOSE, TIE, WIN = -2, -1, 0, 1
BETS = ("ante", "blind", "play", "trips", "bad_beat")
CUT_ORDER = ("blind", "trips", "bad_beat", "play", "ante")
STREETS = ("preflop", "flop", "river")


def ids(cards: Cards) -> tuple[int, ...]:
    """The card ids of a text like "AhKd" or of a sequence of ids."""
    if isinstance(cards, str):
        text = cards.replace(" ", "")
        return tuple("23456789TJQKA".index(r) * 4 + "cdhs".index(s) for r, s in zip(text[::2], text[1::2], strict=True))
    return tuple(int(card) for card in cards)


# ---------------------------------------------------------------------------------------------------------- one hand


def _key(ranks: Iterable[int], flush: bool) -> tuple[int, tuple[int, ...]]:
    """Category and the five ranks in the order in which they are compared: what decides between two hands."""
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    spoken = tuple(rank for rank in order for _ in range(counts[rank]))
    shape = sorted(counts.values(), reverse=True)
    if shape == [4, 1]:
        return FOUR_OF_A_KIND, spoken
    if shape == [3, 2]:
        return FULL_HOUSE, spoken
    if shape == [3, 1, 1]:
        return THREE_OF_A_KIND, spoken
    if shape == [2, 2, 1]:
        return TWO_PAIR, spoken
    if shape == [2, 1, 1, 1]:
        return PAIR, spoken
    if spoken == (12, 3, 2, 1, 0):  # the ace is low
        return (STRAIGHT_FLUSH if flush else STRAIGHT), (3, 2, 1, 0, 12)
    if spoken[0] - spoken[4] == 4:
        if not flush:
            return STRAIGHT, spoken
        return (ROYAL_FLUSH if spoken[0] == 12 else STRAIGHT_FLUSH), spoken
    return (FLUSH if flush else HIGH_CARD), spoken


@cache
def classes() -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The 7,462 classes of five-card hands as (category, ranks in the order compared), weakest first."""
    keys = set()
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] != ranks[4]:  # there are only four cards of a rank
            keys.add(_key(ranks, False))
        if len(set(ranks)) == 5:
            keys.add(_key(ranks, True))
    return tuple(sorted(keys))


@cache
def _strengths() -> dict[tuple[int, tuple[int, ...]], int]:
    return {key: strength for strength, key in enumerate(classes(), start=1)}


def rank5(cards: Cards) -> int:
    """Strength of five cards."""
    cards = ids(cards)
    if len(set(cards)) != 5 or len(cards) != 5:
        raise ValueError("five different cards, please")
    return _strengths()[_key([card // 4 for card in cards], len({card % 4 for card in cards}) == 1)]


def rank(cards: Cards) -> int:
    """Strength of five, six or seven cards: the best choice of five."""
    return max(rank5(five) for five in combinations(ids(cards), 5))


def rank_hand(hole: Cards, board: Cards, hole_cards: str = "any") -> int:
    """Strength of two hole cards and five board cards, with any five of the seven or with both hole cards playing."""
    hole, board = ids(hole), ids(board)
    if hole_cards == "both":
        return max(rank5(hole + three) for three in combinations(board, 3))
    return rank(hole + board)


def category_of(strength: int) -> int:
    """Category 0 (high card) .. 9 (royal flush) of a strength."""
    return classes()[_index(strength)][0]


def ranks_of(strength: int) -> tuple[int, ...]:
    """The five ranks of a strength in the order in which they are spoken; the wheel is 5 4 3 2 A."""
    return classes()[_index(strength)][1]


def _index(strength: int) -> int:
    if not 1 <= strength <= 7462:
        raise ValueError(f"no such strength: {strength}")
    return int(strength) - 1


@cache
def categories() -> Array:
    """uint8 (7463,): the category of every strength (entry 0 is unused)."""
    return np.array([0, *(category for category, _ in classes())], dtype=np.uint8)


# -------------------------------------------------------------------------------------------------------- many hands


@cache
def subsets(n: int, k: int) -> Array:
    """uint8 (C(n, k), k): all k-subsets of 0..n-1 in colex order, each ascending."""
    if not 0 <= k <= n:
        raise ValueError(f"cannot choose {k} cards from {n}")
    out = np.empty((comb(n, k), k), dtype=np.uint8)
    start = 0
    for top in range(k - 1, n) if k else ():
        stop = start + comb(top, k - 1)
        out[start:stop, :-1] = subsets(n - 1, k - 1)[: stop - start]
        out[start:stop, -1] = top
        start = stop
    return out


@cache
def _choose(k: int) -> Array:
    return np.array([comb(card, k) for card in range(52)], dtype=np.int32)


def colex(columns: Iterable[Array]) -> Array:
    """int32: number of each subset in colex order, from its cards by ascending columns: the sum of C(card_i, i)."""
    return np.asarray(sum(_choose(i)[column] for i, column in enumerate(columns, start=1)), dtype=np.int32)


@cache
def five_table() -> Array:
    """uint16 (2598960,): the strength of every five-card hand, by colex number."""
    plain = np.zeros(13**5, dtype=np.uint16)
    suited = np.zeros(13**5, dtype=np.uint16)
    for ranks in combinations_with_replacement(range(13), 5):
        at = sum(r * 13**i for i, r in enumerate(ranks))
        if ranks[0] != ranks[4]:
            plain[at] = _strengths()[_key(ranks, False)]
        if len(set(ranks)) == 5:
            suited[at] = _strengths()[_key(ranks, True)]
    hands = subsets(52, 5)  # ascending cards have ascending ranks
    at = np.zeros(len(hands), dtype=np.int32)
    flush = np.ones(len(hands), dtype=bool)
    for i in range(5):
        at += (hands[:, i] >> 2).astype(np.int32) * np.int32(13**i)
        flush &= (hands[:, i] & 3) == (hands[:, 0] & 3)
    table: Array = np.where(flush, suited[at], plain[at])
    table.flags.writeable = False
    return table


def _best(arr: Array, choices: Sequence[tuple[int, ...]] | None = None, block: int = 1 << 15) -> Array:
    """The best five cards of each row: of all choices, or of the given columns (which are then sorted one by one)."""
    table = five_table()
    arr = np.asarray(arr, dtype=np.uint8)
    out = np.zeros(len(arr), dtype=np.uint16)
    for start in range(0, len(arr), block):
        rows = arr[start : start + block]
        best = out[start : start + block]
        if choices is not None:
            for columns in choices:
                five = np.ascontiguousarray(np.sort(rows[:, columns], axis=1).T)
                np.maximum(best, table[colex(five)], out=best)
            continue
        cards = np.ascontiguousarray(np.sort(rows, axis=1).T)
        term = {(i, j): _choose(j + 1)[cards[i]] for i in range(len(cards)) for j in range(5)}
        for columns in combinations(range(len(cards)), 5):
            number = term[columns[0], 0] + term[columns[1], 1]
            for j in range(2, 5):
                number += term[columns[j], j]
            np.maximum(best, table[number], out=best)
    return out


def rank_five(arr: Array) -> Array:
    """uint16 (n,): strengths of an (n, 5) array of cards."""
    return _best(arr, [(0, 1, 2, 3, 4)])


def rank_six(arr: Array) -> Array:
    """uint16 (n,): strengths of an (n, 6) array of cards."""
    return _best(arr)


def rank_seven(arr: Array) -> Array:
    """uint16 (n,): strengths of an (n, 7) array of cards."""
    return _best(arr)


def rank_both(hole: Array, board: Array) -> Array:
    """uint16 (n,): strengths where both hole cards (n, 2) must play with three of the board (n, 5)."""
    return _best(np.concatenate([hole, board], axis=1), [(0, 1, *three) for three in combinations(range(2, 7), 3)])


def rank_hands(hole: Array, board: Array, hole_cards: str = "any") -> Array:
    """uint16 (n,): strengths of hole (n, 2) and board (n, 5) under either reading of the hole cards."""
    return rank_both(hole, board) if hole_cards == "both" else rank_seven(np.concatenate([hole, board], axis=1))


def all_seven(block: int = 1 << 20) -> Iterator[tuple[Array, Array]]:
    """Every seven-card hand once, in blocks of at most `block` rows: cards uint8 (n, 7), ascending, and strengths.

    With the three highest cards fixed, the 21 choices of five are four low cards and one high (3), three low and two
    high (12), or two low and three high (6). In colex order each group is a slice of the table, indexed by the number
    of the low cards, so the second and third group are maximised over the triples before they are spread.
    """
    low = subsets(49, 4)
    if block < len(low):
        raise ValueError(f"block must be at least {len(low)}")
    table = five_table()
    triple_of = [colex([low[:, i] for i in range(4) if i != out]).astype(np.intp) for out in range(4)]
    triples = subsets(49, 3)
    pair_of = [colex([triples[:, i] for i in range(3) if i != out]).astype(np.intp) for out in range(3)]
    cards, strengths, used = np.empty((block, 7), np.uint8), np.empty(block, np.uint16), 0
    for c in range(4, 50):
        pairs, threes, fours = comb(c, 2), comb(c, 3), comb(c, 4)
        for b in range(c + 1, 51):
            for a in range(b + 1, 52):
                if used + fours > block:
                    yield cards[:used], strengths[:used]
                    cards, strengths, used = np.empty((block, 7), np.uint8), np.empty(block, np.uint16), 0
                rows = cards[used : used + fours]
                rows[:, :4] = low[:fours]
                rows[:, 4:] = (c, b, a)
                best = strengths[used : used + fours]
                used += fours
                first = comb(c, 3) + comb(b, 4) + comb(a, 5)
                with_three = table[first : first + pairs]
                with_two = np.zeros(threes, dtype=np.uint16)
                for number in pair_of:
                    np.maximum(with_two, with_three[number[:threes]], out=with_two)
                for lower, higher in ((b, a), (c, a), (c, b)):
                    first = comb(lower, 4) + comb(higher, 5)
                    np.maximum(with_two, table[first : first + threes], out=with_two)
                best[:] = table[comb(a, 5) : comb(a, 5) + fours]
                for high in (b, c):
                    np.maximum(best, table[comb(high, 5) : comb(high, 5) + fours], out=best)
                for number in triple_of:
                    np.maximum(best, with_two[number[:fours]], out=best)
    yield cards[:used], strengths[:used]


# ------------------------------------------------------------------------------------------------------------- rules


def pays(table: Any) -> dict[int, Fraction]:
    """A pay table as {category: Fraction}, from a mapping by category number or name, or None."""
    return _pays(table) if isinstance(table, Hashable) else _pays.__wrapped__(table)


@cache
def _pays(table: Any) -> dict[int, Fraction]:
    if table is None:
        return {}
    return {
        CATEGORIES.index(key.lower()) if isinstance(key, str) else int(key): Fraction(value)
        for key, value in table.items()
    }


def _table(top: int, *entries: int | Fraction) -> dict[int, Fraction]:
    return {top - i: Fraction(entry) for i, entry in enumerate(entries)}


BLIND = _table(ROYAL_FLUSH, 500, 50, 10, 3, Fraction(3, 2), 1)
TRIPS = _table(ROYAL_FLUSH, 50, 40, 30, 8, 7, 4, 3)
BAD_BEAT = _table(STRAIGHT_FLUSH, 7500, 500, 50, 30, 20, 9)


@dataclass(frozen=True)
class Plain:
    """The fields of a rule set as plain data, with the standard game's values."""

    preflop: tuple[int, ...] = (3, 4)
    flop: tuple[int, ...] = (2,)
    river: tuple[int, ...] = (1,)
    preflop_between: bool = False
    river_min: Fraction = Fraction(1)
    fold_preflop: bool = False
    fold_flop: bool = False
    qualifier: int | None = PAIR
    unqualified_ante: str = "push"
    unqualified_play: str = "settle"
    blind: Mapping[Any, Any] = field(default_factory=lambda: BLIND)
    trips: Mapping[Any, Any] | None = field(default_factory=lambda: TRIPS)
    trips_on_fold: str = "hand"
    trips_when_not_won: str = "pay"
    bad_beat: Mapping[Any, Any] | None = None
    bad_beat_needs_trips: bool = False
    hole_cards: str = "any"
    wager_order: tuple[str, ...] = ("ante", "play", "blind", "trips", "bad_beat")
    losing_order: tuple[str, ...] = ("ante", "play", "blind", "trips", "bad_beat")
    fund_reading: str = "net"
    breakage: str = "exact"


STANDARD = Plain()

PRESETS = {
    "standard": STANDARD,
    # California player-dealer rules: losing hands are collected Play, Ante, Blind
    "california": replace(STANDARD, losing_order=("play", "ante", "blind", "trips", "bad_beat")),
    # California player-dealer rules with the Bad Beat bonus, which is made only beside Trips
    "california-bad-beat": replace(STANDARD, bad_beat=BAD_BEAT, bad_beat_needs_trips=True),
    # a folded hand's Trips pays on the five community cards alone
    "board-trips": replace(STANDARD, trips_on_fold="board"),
    # simulated game: fold before the flop, anything from 3x to 4x, up to 1x on the river, full house 9 on Trips
    "simulated": replace(
        STANDARD,
        fold_preflop=True,
        preflop_between=True,
        river_min=Fraction(1, 2),
        trips=_table(ROYAL_FLUSH, 50, 40, 30, 9, 7, 4, 3),
    ),
    "trainer": STANDARD,
    # 58 Pa. Code 653a.12(b), table B: a straight pushes the Blind
    "pennsylvania-b": replace(STANDARD, blind=_table(ROYAL_FLUSH, 500, 50, 10, 3, Fraction(3, 2))),
    "auckland": replace(STANDARD, hole_cards="both"),
    "oxford-downs": replace(STANDARD, trips_on_fold="lose"),
    "pompano-trips": replace(STANDARD, trips_when_not_won="push"),
    "florida-trips": replace(
        STANDARD,
        trips=_table(ROYAL_FLUSH, 50, 40, 30, 10, 8, 6, 3),
        trips_when_not_won="lose",
        trips_on_fold="lose",
    ),
    "four-x-only": replace(STANDARD, preflop=(4,)),
    "three-x-only": replace(STANDARD, preflop=(3,)),
}


def plays(rules: Any, street: str) -> dict[str, Fraction]:
    """{action: antes} of the Play bets that are weighed on a street."""
    if street != "river":
        return {f"{n}x": Fraction(n) for n in getattr(rules, street)}
    smallest = Fraction(rules.river_min)
    if smallest == 1:
        return {f"{n}x": Fraction(n) for n in rules.river}
    return {"min": smallest} | {f"{n}x": Fraction(n) for n in sorted({1, *rules.river})}


def may_fold(rules: Any, street: str) -> bool:
    """Whether a hand may be folded on a street."""
    return bool({"preflop": rules.fold_preflop, "flop": rules.fold_flop, "river": True}[street])


def legal(ante: Fraction, play: Fraction, rules: Any, street: str | None = None) -> bool:
    """Whether the rules allow this Play on the street, or on some street; 0 is a fold."""
    if street is None:
        return any(legal(ante, play, rules, name) for name in STREETS)
    if play == 0:
        return may_fold(rules, street)
    allowed = [n * ante for n in plays(rules, street).values()]
    if play in allowed:
        return True
    if street == "preflop":
        return bool(rules.preflop_between and allowed) and min(allowed) <= play <= max(allowed)
    return street == "river" and Fraction(rules.river_min) * ante <= play <= ante


def _side_bets_allowed(trips: Fraction, bad_beat: Fraction, rules: Any) -> None:
    if trips < 0 or bad_beat < 0:
        raise ValueError("a bet is not negative")
    if trips and rules.trips is None:
        raise ValueError("these rules have no Trips")
    if bad_beat and rules.bad_beat is None:
        raise ValueError("these rules have no Bad Beat")
    if bad_beat and rules.bad_beat_needs_trips and not trips:
        raise ValueError("Bad Beat is made only beside a Trips bet")


# -------------------------------------------------------------------------------------------------------- settlement


def break_chips(amount: Fraction | int, breakage: str) -> Fraction:
    """A net win in whole chips: a fractional win is refused, cut, or rounded half up; losses are whole already."""
    amount = Fraction(amount)
    if amount <= 0 or amount.denominator == 1:
        return amount
    if breakage == "exact":
        raise ValueError(f"a win of {amount} is no whole number of chips")
    if breakage == "down":
        return Fraction(amount.numerator // amount.denominator)
    if breakage == "nearest":
        return Fraction((2 * amount.numerator + amount.denominator) // (2 * amount.denominator))
    raise ValueError(f"no such breakage: {breakage}")


def _no_repeats(*groups: Sequence[int]) -> None:
    cards = [card for group in groups for card in group]
    if len(set(cards)) != len(cards) or not all(0 <= card < 52 for card in cards):
        raise ValueError("cards are 0..51, each once")


def settle(
    hole: Cards,
    dealer: Cards,
    board: Cards,
    *,
    ante: Any,
    play: Any,
    blind: Any = None,
    trips: Any = 0,
    bad_beat: Any = 0,
    street: str | None = None,
    payout_cap: Any = None,
    rules: Any = STANDARD,
    chips: bool = False,
) -> dict[str, Any]:
    """Net win of every bet of one hand, in Fractions; `play` 0 is a fold; `chips` applies the rules' breakage."""
    hole, dealer, board = ids(hole), ids(dealer), ids(board)
    _no_repeats(hole, dealer, board)
    if (len(hole), len(dealer), len(board)) != (2, 2, 5):
        raise ValueError("two, two and five cards, please")
    ante, play, trips, bad_beat = Fraction(ante), Fraction(play), Fraction(trips), Fraction(bad_beat)
    if ante < 0 or play < 0 or (blind is not None and Fraction(blind) != ante):
        raise ValueError("no negative bets; the Blind equals the Ante")
    _side_bets_allowed(trips, bad_beat, rules)
    if not legal(ante, play, rules, street):
        raise ValueError(f"a Play of {play} on an Ante of {ante} is not allowed")

    player_strength = rank_hand(hole, board, rules.hole_cards)
    dealer_strength = rank_hand(dealer, board, rules.hole_cards)
    player_category, dealer_category = category_of(player_strength), category_of(dealer_strength)
    qualifies = rules.qualifier is None or dealer_category >= rules.qualifier
    if play == 0:
        result = FOLD
    elif player_strength > dealer_strength:
        result = WIN
    elif player_strength < dealer_strength:
        result = LOSE
    else:
        result = TIE

    net = {
        "ante": ante * _ante_odds(result, qualifies, rules.unqualified_ante),
        "blind": ante * _blind_odds(result, player_category, pays(rules.blind)),
        "play": play * _play_odds(result, qualifies, rules.unqualified_play),
        "trips": trips * _trips_odds(result, player_category, category_of(rank5(board)), rules),
        "bad_beat": bad_beat * _bad_beat_odds(result, min(player_category, dealer_category), pays(rules.bad_beat)),
    }
    if chips:
        net = {bet: break_chips(amount, rules.breakage) for bet, amount in net.items()}
    if payout_cap is not None:
        excess = sum(amount for amount in net.values() if amount > 0) - Fraction(payout_cap)
        for bet in CUT_ORDER:
            if excess > 0 and net[bet] > 0:
                cut = min(excess, net[bet])
                net[bet] -= cut
                excess -= cut
    return {
        **net,
        "net": sum(net.values(), Fraction(0)),
        "result": result,
        "player_strength": player_strength,
        "dealer_strength": dealer_strength,
        "qualifies": qualifies,
    }


def _ante_odds(result: int, qualifies: bool, reading: str) -> int:
    """Even money; a dealer who does not qualify changes it by one of five readings."""
    if result == FOLD:
        return -1
    if qualifies or reading == "settle":
        return result
    if reading == "push":
        return 0
    if reading == "win_only":
        return 1 if result == WIN else 0
    if reading == "lose_only":
        return -1 if result == LOSE else 0
    if reading == "always":
        return 1
    raise ValueError(f"no such reading: {reading}")


def _blind_odds(result: int, category: int, table: Mapping[int, Fraction]) -> Fraction | int:
    """Pays by the winning hand; a win below the table and a tie push; everything else loses."""
    if result == WIN:
        return table.get(category, 0)
    return 0 if result == TIE else -1


def _play_odds(result: int, qualifies: bool, reading: str) -> int:
    """Even money, whether or not the dealer qualifies, unless the rules push it then."""
    if result == FOLD or (not qualifies and reading == "push"):
        return 0
    return result


def _trips_odds(result: int, category: int, board_category: int, rules: Any) -> Fraction | int:
    """Pays by the player's hand; a hand that is not in the table loses."""
    table = pays(rules.trips)
    if result == FOLD:
        if rules.trips_on_fold == "lose":
            return -1
        return table.get(board_category if rules.trips_on_fold == "board" else category, -1)
    if category not in table:
        return -1
    if result == WIN or rules.trips_when_not_won == "pay":
        return table[category]
    if rules.trips_when_not_won == "lose" and result == LOSE:
        return -1
    return 0


def _bad_beat_odds(result: int, losing_category: int, table: Mapping[int, Fraction]) -> Fraction | int:
    """Pays by the hand that was beaten, on either side; a tie and a fold lose."""
    if result in (WIN, LOSE):
        return table.get(losing_category, -1)
    return -1


def _den(rules: Any) -> int:
    """The common denominator of the pay tables."""
    return lcm(*(odds.denominator for t in (rules.blind, rules.trips, rules.bad_beat) for odds in pays(t).values()))


def _odds_array(table: Any, otherwise: int, den: int) -> Array:
    """int64 (10,): what each category pays, times den; `otherwise` for those that are not in the table."""
    listed = pays(table)
    return np.array([int(listed.get(category, Fraction(otherwise)) * den) for category in range(10)], dtype=np.int64)


def settle_strengths(
    player: Array,
    dealer: Array,
    board: Array,
    ante: Any,
    play: Any,
    trips: Any = 0,
    bad_beat: Any = 0,
    rules: Any = STANDARD,
    *,
    payout_cap: Any = None,
    chips: bool = False,
) -> dict[str, Any]:
    """The same settlement for arrays: integer amounts, strengths of the player, the dealer and the board alone.

    The nets are int64 in units of 1/den, with den under "den". Nothing is checked.
    """
    den = _den(rules)
    category = categories()
    player, dealer = np.asarray(player, dtype=np.int32), np.asarray(dealer, dtype=np.int32)
    shape = player.shape
    ante, play, trips, bad_beat = (
        np.broadcast_to(np.asarray(amount, dtype=np.int64), shape) for amount in (ante, play, trips, bad_beat)
    )
    fold = play == 0
    win, tie, lose = (player > dealer) & ~fold, (player == dealer) & ~fold, (player < dealer) & ~fold
    qualifies = category[dealer] >= (HIGH_CARD if rules.qualifier is None else int(rules.qualifier))
    even = win.astype(np.int64) - lose

    if_not = {
        "push": np.zeros_like(even),
        "settle": even,
        "win_only": win.astype(np.int64),
        "lose_only": -lose.astype(np.int64),
        "always": np.ones_like(even),
    }[rules.unqualified_ante]
    net = {"ante": np.where(fold, -1, np.where(qualifies, even, if_not)) * ante * den}

    blind = np.where(win, _odds_array(rules.blind, 0, den)[category[player]], np.where(tie, 0, -den))
    net["blind"] = blind * ante

    net["play"] = np.where(qualifies | (rules.unqualified_play == "settle"), even, 0) * play * den

    listed = np.array([c in pays(rules.trips) for c in range(10)])[category[player]]
    trips_pay = _odds_array(rules.trips, -1, den)
    odds = trips_pay[category[player]]
    if rules.trips_when_not_won == "push":
        odds = np.where(listed & ~win, 0, odds)
    elif rules.trips_when_not_won == "lose":
        odds = np.where(listed & tie, 0, np.where(listed & ~win, -den, odds))
    if rules.trips_on_fold == "lose":
        odds = np.where(fold, -den, odds)
    else:
        shown = np.asarray(board) if rules.trips_on_fold == "board" else player
        odds = np.where(fold, trips_pay[category[shown]], odds)
    net["trips"] = odds * trips

    beaten = _odds_array(rules.bad_beat, -1, den)[category[np.minimum(player, dealer)]]
    net["bad_beat"] = np.where(win | lose, beaten, -den) * bad_beat

    if chips:
        for bet, amount in net.items():
            part = (amount > 0) & (amount % den != 0)
            if rules.breakage == "exact":
                if part.any():
                    raise ValueError(f"row {int(np.argmax(part))}: the {bet} wins no whole number of chips")
                continue
            whole = amount // den if rules.breakage == "down" else (2 * amount + den) // (2 * den)
            net[bet] = np.where(part, whole * den, amount)
    if payout_cap is not None:
        limit = np.asarray(payout_cap, dtype=np.int64) * den
        excess = sum((np.maximum(amount, 0) for amount in net.values()), np.zeros(shape, dtype=np.int64)) - limit
        for bet in CUT_ORDER:
            cut = np.clip(np.minimum(excess, net[bet]), 0, None)
            net[bet] = net[bet] - cut
            excess = excess - cut

    return {
        **net,
        "net": sum(net.values(), np.zeros(shape, dtype=np.int64)),
        "result": np.where(fold, FOLD, even).astype(np.int8),
        "player_strength": player.astype(np.uint16),
        "dealer_strength": dealer.astype(np.uint16),
        "qualifies": qualifies,
        "den": den,
    }


@lru_cache(maxsize=8)
def _rank_rows(cards: bytes, hole_cards: str) -> tuple[Array, Array, Array]:
    """Strengths of player, dealer and board alone of nine cards a row; the same rows come with many bets and rules."""
    rows = np.frombuffer(cards, dtype=np.uint8).reshape(-1, 9)
    hole, dealer, board = rows[:, :2], rows[:, 2:4], rows[:, 4:]
    return rank_hands(hole, board, hole_cards), rank_hands(dealer, board, hole_cards), rank_five(board)


def settle_rows(
    cards: Array,
    ante: Any,
    play: Any,
    trips: Any = 0,
    bad_beat: Any = 0,
    rules: Any = STANDARD,
    *,
    payout_cap: Any = None,
    chips: bool = False,
) -> dict[str, Any]:
    """`settle` for an (n, 9) array of cards (player 2, dealer 2, board 5) and integer amounts, see settle_strengths."""
    return settle_strengths(
        *_rank_rows(np.asarray(cards, dtype=np.uint8).tobytes(), rules.hole_cards),
        ante,
        play,
        trips,
        bad_beat,
        rules,
        payout_cap=payout_cap,
        chips=chips,
    )


# ------------------------------------------------------------------------------------------------ odds and decisions


class _State:
    """What is known about a deal, what is open, and every completion of it."""

    def __init__(self, hole: Cards, board: Cards, later: Cards, dealer: Cards, dead: Cards, hole_cards: str) -> None:
        self.hole, self.board, self.later, self.dealer = ids(hole), ids(board), ids(later), ids(dealer)
        self.hole_cards = hole_cards
        _no_repeats(self.hole, self.board, self.later, self.dealer, ids(dead))
        if len(self.hole) != 2 or len(self.board) > 5 or len(self.dealer) > 2 or len(self.later) > 2:
            raise ValueError("two hole cards, at most five board cards, two dealer cards and two later cards, please")
        if self.later and len(self.board) >= 3:
            raise ValueError("later cards are known while the flop is not")
        gone = {*self.hole, *self.board, *self.later, *self.dealer, *ids(dead)}
        self.live = np.array([card for card in range(52) if card not in gone], dtype=np.uint8)
        self.flop_open = 3 - min(3, len(self.board))
        self.board_open = 5 - len(self.board) - len(self.later)
        self.dealer_open = 2 - len(self.dealer)
        if len(self.live) < self.board_open + self.dealer_open:
            raise ValueError("too few cards are left")
        self.boards = comb(len(self.live), self.board_open)
        self.hands = comb(len(self.live) - self.board_open, self.dealer_open)

    def completions(self) -> Array:
        """uint8 (boards, board_open): the cards that complete the board, as positions in `live`, ascending."""
        return subsets(len(self.live), self.board_open)

    def strengths(self, rows: int = 1 << 15) -> Iterator[tuple[slice, Array, Array, Array]]:
        """Blocks of boards: which ones, strengths of player (m,), board alone (m,) and dealer's hands (m, hands)."""
        step = max(1, rows // self.hands)
        known = np.array(self.board + self.later, dtype=np.uint8)
        second = subsets(len(self.live) - self.board_open, self.dealer_open)
        for start in range(0, self.boards, step):
            extra = self.completions()[start : start + step]
            m = len(extra)
            board = np.concatenate([np.tile(known, (m, 1)), self.live[extra]], axis=1)
            free = np.ones((m, len(self.live)), dtype=bool)
            np.put_along_axis(free, extra.astype(np.intp), False, axis=1)
            left = self.live[np.nonzero(free)[1]].reshape(m, -1)
            dealt = left[:, second.reshape(-1)].reshape(m * self.hands, self.dealer_open)
            dealer = np.concatenate([np.tile(np.array(self.dealer, np.uint8), (len(dealt), 1)), dealt], axis=1)
            yield (
                slice(start, start + m),
                rank_hands(np.tile(np.array(self.hole, np.uint8), (m, 1)), board, self.hole_cards),
                rank_five(board),
                rank_hands(dealer, np.repeat(board, self.hands, axis=0), self.hole_cards).reshape(m, self.hands),
            )


def odds(
    hole: Cards,
    board: Cards = (),
    *,
    later: Cards = (),
    dealer: Cards = (),
    dead: Cards = (),
    rules: Any = STANDARD,
) -> dict[str, Any]:
    """Wins, ties and losses over every unordered completion of the board and the dealer's hand."""
    state = _State(hole, board, later, dealer, dead, rules.hole_cards)
    qualifier = HIGH_CARD if rules.qualifier is None else int(rules.qualifier)
    counts = np.zeros((10, 2, 3), dtype=np.int64)  # player's category, dealer qualifies or not, win tie lose
    for _, players, _, hands in state.strengths():
        player = np.repeat(players, state.hands).astype(np.int32)
        dealers = hands.reshape(-1)
        outcome = 1 - np.sign(player - dealers.astype(np.int32))
        unqualified = categories()[dealers] < qualifier
        cell = categories()[player].astype(np.int64) * 6 + unqualified * 3 + outcome
        counts += np.bincount(cell, minlength=60).reshape(10, 2, 3)
    win, tie, lose = (int(n) for n in counts.sum(axis=(0, 1)))
    win_unqualified, tie_unqualified, lose_unqualified = (int(n) for n in counts[:, 1].sum(axis=0))
    return {
        "deals": state.boards * state.hands,
        "win": win,
        "tie": tie,
        "lose": lose,
        "win_unqualified": win_unqualified,
        "tie_unqualified": tie_unqualified,
        "lose_unqualified": lose_unqualified,
        "by_category": [tuple(int(n) for n in row) for row in counts.sum(axis=1)],
    }


def decide(
    hole: Cards,
    board: Cards = (),
    *,
    later: Cards = (),
    dealer: Cards = (),
    dead: Cards = (),
    street: str | None = None,
    trips: Any = 0,
    bad_beat: Any = 0,
    payout_cap: Any = None,
    rules: Any = STANDARD,
) -> dict[str, Fraction]:
    """{action: expected net win in antes over all bets, playing optimally from then on}, in the order fold .. 4x.

    Every complete board has a sum over the dealer's hands for each amount of Play. The river decision takes the best
    of these sums on each board; the flop decision adds up the boards of each flop and takes the best; the decision
    before the flop adds up the flops. Cards that are known at the start stay known to the player.
    """
    state = _State(hole, board, later, dealer, dead, rules.hole_cards)
    natural = "preflop" if len(state.board) < 3 else "flop" if len(state.board) < 5 else "river"
    street = natural if street is None else street
    if STREETS.index(street) > STREETS.index(natural):
        raise ValueError(f"the board does not reach the {street}")
    trips, bad_beat = Fraction(trips), Fraction(bad_beat)
    _side_bets_allowed(trips, bad_beat, rules)
    cap = None if payout_cap is None else Fraction(payout_cap)
    ahead = STREETS[STREETS.index(street) :]
    amounts = {amount for name in ahead for amount in plays(rules, name).values()}

    # whole numbers: an ante is `unit` chips, and nets come in 1/den chips
    unit = lcm(*(amount.denominator for amount in (trips, bad_beat, Fraction(cap or 0), *amounts)))
    scale = unit * _den(rules)
    most = [max(pays(t).values(), default=Fraction(0)) + 1 for t in (rules.blind, rules.trips, rules.bad_beat)]
    largest = (5 + most[0] + trips * most[1] + bad_beat * most[2]) * scale
    if largest * state.boards * comb(state.board_open, state.flop_open) * state.hands >= 2**62:
        raise OverflowError("too many deals for 64-bit sums")

    # sums over the dealer's hands, for every complete board and each amount of Play, of which 0 is a fold
    bets = [Fraction(0), *amounts]
    chips = np.array([[int(amount * unit)] for amount in bets])
    sums = np.empty((len(bets), state.boards), dtype=np.int64)
    for where, players, boards, hands in state.strengths():
        of_all = np.broadcast_arrays(
            np.repeat(players, state.hands), hands.reshape(-1), np.repeat(boards, state.hands), chips
        )
        settled = settle_strengths(
            *of_all[:3],
            unit,
            of_all[3],
            int(trips * unit),
            int(bad_beat * unit),
            rules=rules,
            payout_cap=None if cap is None else int(cap * unit),
        )
        sums[:, where] = settled["net"].reshape(len(bets), -1, state.hands).sum(axis=2)
    folded, played = sums[0], dict(zip(amounts, sums[1:], strict=True))

    def actions(name: str, fold: Array, check: Array | None, play: dict[Fraction, Array]) -> dict[str, Array]:
        """The sums of the actions of a street, in order."""
        found = {"fold": fold} if may_fold(rules, name) else {}
        if check is not None:
            found["check"] = check
        return found | {action: play[amount] for action, amount in plays(rules, name).items()}

    river = actions("river", folded, None, played)
    if street == "river":
        return _averages(river, state.hands * scale)
    after_flop = np.maximum.reduce(list(river.values()))

    flops = comb(len(state.live), state.flop_open)
    by_flop = {amount: _by_flop(state, played[amount], flops) for amount in plays(rules, "flop").values()}
    flop = actions("flop", _by_flop(state, folded, flops), _by_flop(state, after_flop, flops), by_flop)
    ways = state.boards * comb(state.board_open, state.flop_open) // flops  # turns and rivers after one flop
    if street == "flop":
        return _averages(flop, ways * state.hands * scale)
    before_flop = np.maximum.reduce(list(flop.values()))

    spread = flops * ways // state.boards  # each complete board is counted once for every flop in it
    played = {amount: sums * spread for amount, sums in played.items()}
    preflop = actions("preflop", folded * spread, before_flop, played)
    return _averages(preflop, flops * ways * state.hands * scale)


def _by_flop(state: _State, values: Array, flops: int) -> Array:
    """Sums of the boards' values for every flop, over the choices of which open cards are the flop's."""
    extra = state.completions()
    total = np.zeros(flops, dtype=np.int64)
    for columns in combinations(range(state.board_open), state.flop_open):
        number = colex([extra[:, i] for i in columns]) if columns else np.zeros(len(extra), dtype=np.int32)
        np.add.at(total, number, values)
    return total


def _averages(sums: Mapping[str, Array], deals: int) -> dict[str, Fraction]:
    return {action: Fraction(int(values.sum()), deals) for action, values in sums.items()}
