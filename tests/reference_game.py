"""The whole game board by board: the slow reference that `uteh.solve` is tested against.

It goes through every final board up to a renaming of the suits, each with all of its hole hands, and adds up what they
are worth for each of the ten flops that the board may have had. Hands are ranked and rounds are settled by `reference`;
nothing here knows of suit classes, and nothing comes from the package but the fields of a rule set, which may be plain
data as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import factorial, lcm
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from reference import (
    FOLD,
    LOSE,
    STREETS,
    TIE,
    WIN,
    categories,
    colex,
    five_table,
    may_fold,
    pays,
    plays,
    settle_strengths,
    subsets,
)

Array = NDArray[Any]

DEALS = 27_813_810_024_000
BOARDS = 134_459  # up to a renaming of the suits
HANDS = 990  # of the dealer, beside a board and a hole
RUNOUTS = 1_081  # of a flop, beside a hole
BLOCK = 64  # boards worked on at a time: what is counted for them stays in the cache
HOLES = subsets(52, 2)
FIRST, SECOND = HOLES.T.astype(np.intp)
FLOPS_OF_A_BOARD = tuple(combinations(range(5), 3))
PER_HOLE = 19_600 * RUNOUTS * HANDS


@dataclass(frozen=True)
class Game:
    """A rule set with its stakes, in antes."""

    rules: Any
    trips: Any = 0
    bad_beat: Any = 0
    payout_cap: Any = None


# What does not depend on rules ----------------------------------------------------------------------------------------


def canonical(cards: int) -> tuple[Array, Array]:
    """One of each group of sets of cards that a renaming of the suits makes of each other, and the size of the group.

    A renaming permutes the four sets of ranks, by suit; the one kept has them in falling order.
    """
    sets = subsets(52, cards)
    ranks = np.zeros((len(sets), 4), dtype=np.int32)
    for column in sets.T:
        ranks[np.arange(len(sets)), column & 3] |= 1 << (column >> 2).astype(np.int32)
    kept = (ranks[:, :-1] >= ranks[:, 1:]).all(axis=1)
    ranks = ranks[kept]
    same = np.stack([(ranks == ranks[:, [suit]]).sum(axis=1) for suit in range(4)])
    # A suit that is one of n equal ones counts n: their product is n**n, and n! renamings change nothing.
    fixed = np.array([0, 1, 4, 27, 256])
    renamings = np.prod(same, axis=0)
    size = np.full(len(ranks), 24)
    for n in (2, 3, 4):
        size[renamings == fixed[n]] = 24 // factorial(n)
    size[renamings == 16] = 6  # two pairs of equal suits
    return sets[kept], size


@cache
def hands_by_triple() -> Array:
    """uint16 (22100, 1326): strengths of three cards with two others, 0 where a card would be there twice."""
    table = np.zeros((22_100, 1326), dtype=np.uint16)
    hands = subsets(52, 5)
    for three in FLOPS_OF_A_BOARD:
        two = [i for i in range(5) if i not in three]
        table[colex([hands[:, i] for i in three]), colex([hands[:, i] for i in two])] = five_table()
    return table


@cache
def pair_number() -> Array:
    """int (52, 52): number of a pair of cards in either order."""
    table = np.zeros((52, 52), dtype=np.intp)
    table[FIRST, SECOND] = table[SECOND, FIRST] = np.arange(1326)
    return table


@cache
def bounds() -> tuple[Array, Array]:
    """The lowest and the highest strength of each category."""
    strengths = np.arange(1, 7463)
    kinds = categories()[1:]
    return (
        np.array([strengths[kinds == c].min() for c in range(10)]),
        np.array([strengths[kinds == c].max() for c in range(10)]),
    )


def flops_of(boards: Array) -> Array:
    """int (n, 10): numbers of the ten flops in each board."""
    return np.stack([colex([boards[:, i] for i in three]) for three in FLOPS_OF_A_BOARD], axis=1).astype(np.intp)


@dataclass
class Counts:
    """A block of boards with all 1,326 holes; those that share a card with the board are not `valid`."""

    where: slice  # which of the boards
    times: Array  # (m,): boards that each stands for
    flops: Array  # (m, 10)
    valid: Array  # (m, 1326)
    category: Array  # (m, 1326)
    at: Array  # (m, 1326): places of the board and the category in a table (m, 10)
    wins: Array  # (m, 1326): of the dealer's 990 hands, those that are beaten
    ties: Array
    below: Array  # (m, 53, 11): dealer's hands below each category, with each card; the last row is all of them
    board_category: Array  # (m,)

    def lower(self, category: int) -> Array:
        """(m, 1326): dealer's hands below a category that share no card with the hole."""
        table = np.ascontiguousarray(self.below[:, :, category])
        own = self.category < category
        return table[:, 52, None] - table.take(FIRST, axis=1) - table.take(SECOND, axis=1) + own


def count(where: slice, boards: Array, times: Array, both: bool) -> Counts:
    m = len(boards)
    rows = np.arange(m)
    table, pair = hands_by_triple(), pair_number()
    flops = flops_of(boards)
    strength = table[flops].max(axis=1)  # both hole cards and three of the board
    board = table[flops[:, 0], pair[boards[:, 3], boards[:, 4]]]
    if not both:
        with_one = np.zeros((m, 52), dtype=np.uint16)
        for four in combinations(range(5), 4):
            three = FLOPS_OF_A_BOARD.index(four[:3])
            np.maximum(with_one, table[flops[:, three, None], pair[boards[:, four[3]]]], out=with_one)
        np.maximum(strength, with_one[:, FIRST], out=strength)
        np.maximum(strength, with_one[:, SECOND], out=strength)
        np.maximum(strength, board[:, None], out=strength)
    used = np.zeros((m, 52), dtype=bool)
    used[rows[:, None], boards] = True
    valid = ~(used[:, FIRST] | used[:, SECOND])
    strength *= valid

    # Strengths of each board numbered upward without gaps, 0 for no hand.
    present = np.zeros((m, 7464), dtype=np.int16)
    present[rows[:, None], strength + 1] = 1
    present[:, :2] = 0
    number = np.cumsum(present, axis=1, dtype=np.int16)  # of strengths below each
    below = number[:, [*bounds()[0], 7463]].astype(np.intp) + 1
    rank = np.take_along_axis(number, strength.astype(np.intp), axis=1) + valid
    size = int(rank.max()) + 2
    # Hands of each strength with each card, and in row 52 all of them; the sum over those below, and up to each.
    places = [((rows * 53)[:, None] + cards) * size + rank for cards in (FIRST, SECOND, 52)]
    hands = np.bincount(np.concatenate(places[:2]).reshape(-1), minlength=m * 53 * size).reshape(m, 53, size)
    hands = hands.astype(np.int32)
    hands[:, :, 0] = 0
    hands[:, 52] = hands[:, :52].sum(axis=1) // 2
    up_to = np.cumsum(hands, axis=2, dtype=np.int32)
    sums = up_to + ((up_to - hands) << 16)
    # A hole shares a card with those that hold its first or its second, itself counted twice.
    flat = sums.reshape(-1)
    found = flat[places[2]] - flat[places[0]] - flat[places[1]] + 1
    wins = found >> 16
    low = np.take_along_axis(up_to, (below - 1)[:, None, :], axis=2)
    kind = categories().take(strength)
    at = (rows * 10)[:, None] + kind
    return Counts(where, times, flops, valid, kind, at, wins, (found & 0xFFFF) - wins, low, categories()[board])


def blocks() -> Iterator[tuple[slice, Array, Array]]:
    boards, times = canonical(5)
    assert len(boards) == BOARDS
    assert times.sum() == 2_598_960
    for start in range(0, len(boards), BLOCK):
        where = slice(start, start + BLOCK)
        yield where, boards[where], times[where]


# What does ------------------------------------------------------------------------------------------------------------


class Payoffs:
    """Net wins by category, settled by `reference`, in 1/scale antes."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        trips, bad_beat = Fraction(game.trips), Fraction(game.bad_beat)
        cap = None if game.payout_cap is None else Fraction(game.payout_cap)
        self.amounts = sorted({a for street in ("preflop", "flop", "river") for a in plays(rules, street).values()})
        unit = lcm(*(a.denominator for a in (trips, bad_beat, Fraction(cap or 0), *self.amounts)))
        tables = (rules.blind, rules.trips, rules.bad_beat)
        self.scale = unit * lcm(*(odds.denominator for table in tables for odds in pays(table).values()))
        low, high = bounds()

        def settled(player: Array, dealer: Array, board: Array, play: Fraction) -> Array:
            net: Array = settle_strengths(
                *np.broadcast_arrays(player, dealer, board),
                unit,
                int(play * unit),
                int(trips * unit),
                int(bad_beat * unit),
                rules,
                payout_cap=None if cap is None else int(cap * unit),
            )["net"]
            # Sums over the run-outs of a flop are kept in 32 bits.
            assert abs(net).max() * HANDS * RUNOUTS < 1 << 31
            return net.astype(np.int32)

        self.fold = settled(low[:, None], low[:1], low[None, :], Fraction(0))  # player's category, the board's
        # Player's category, the dealer's; within one category there are wins, ties and losses.
        self.win = {a: settled(high[:, None], low[None, :], low[:1], a) for a in self.amounts}
        self.lose = {a: settled(low[:, None], high[None, :], low[:1], a) for a in self.amounts}
        self.tie = {a: settled(low, low, low[:1], a) for a in self.amounts}
        self.unit = unit
        self.even = all(
            ((table[b] - table[a]) % int((b - a) * unit) == 0).all()
            and ((table[c] - table[a]) * int((b - a) * unit) == (table[b] - table[a]) * int((c - a) * unit)).all()
            for table in (self.win, self.lose, self.tie)
            for a, b, c in combinations(self.amounts, 3)
        )

    def plays(self, counts: Counts, amounts: Sequence[Fraction]) -> dict[Fraction, Array]:
        """The sums for several amounts; where every payoff rises evenly, all from those of the first two."""
        found = {amount: self.play(counts, amount) for amount in (amounts[:2] if self.even else amounts)}
        if len(found) < len(amounts):
            first, second = (found[amount] for amount in amounts[:2])
            chips = [int(amount * self.unit) for amount in amounts]
            step = (second - first) // (chips[1] - chips[0])
            found |= {a: first + (chip - chips[0]) * step for a, chip in zip(amounts[2:], chips[2:], strict=True)}
        return found

    def play(self, counts: Counts, amount: Fraction) -> Array:
        """int32 (m, 1326): the sum of the net wins over the dealer's 990 hands."""
        win, lose, tie = self.win[amount], self.lose[amount], self.tie[amount]
        own_win, own_lose = np.diag(win), np.diag(lose)
        kind = counts.category
        value = counts.wins * (own_win - own_lose).take(kind)
        if (tie != own_lose).any():
            value += counts.ties * (tie - own_lose).take(kind)
        # As if the dealer had the player's category; what other categories add to that.
        more = np.tril(win - own_win[:, None], -1) + np.triu(lose - own_lose[:, None], 1)
        whole = np.broadcast_to(HANDS * own_lose, (len(kind), 10))
        if more.any():
            # Whole numbers below 2**53; their products in floating point are faster.
            table = (np.diff(counts.below, axis=2).astype(np.float64) @ more.T.astype(np.float64)).astype(np.int32)
            whole = whole + table[:, 52]
            cards = np.ascontiguousarray(table.transpose(1, 0, 2)).reshape(-1)
            of_card = (np.arange(52) * (10 * len(kind))).astype(np.intp)
            value -= cards.take(counts.at + of_card.take(FIRST))
            value -= cards.take(counts.at + of_card.take(SECOND))
        value += whole.reshape(-1).take(counts.at)
        return value

    def folded(self, counts: Counts) -> Array:
        return (HANDS * self.fold.T).take(counts.board_category, axis=0).reshape(-1).take(counts.at)


def _with_first(actions: Mapping[str, Array]) -> tuple[Array, Array]:
    """The value of the best action, and its place: of equal ones the first."""
    best, place = None, None
    for i, value in enumerate(actions.values()):
        if best is None:
            best, place = value.copy(), np.zeros(value.shape, dtype=np.uint8)
        else:
            np.copyto(place, np.uint8(i), where=value > best)
            np.maximum(best, value, out=best)
    return best, place


def _renamed_holes(suits: Sequence[int]) -> Array:
    renamed = (HOLES & ~np.uint8(3)) | np.array(suits, dtype=np.uint8)[HOLES & 3]
    return pair_number()[renamed[:, 0], renamed[:, 1]]


def _renamed_flops(flops: Array, suits: Sequence[int]) -> Array:
    renamed = (flops & ~np.uint8(3)) | np.array(suits, dtype=np.uint8)[flops & 3]
    return colex(np.sort(renamed, axis=1).T).astype(np.intp)


def starting_hands() -> Array:
    """The name of the starting hand of each of the 1,326 holes."""
    ranks = "23456789TJQKA"
    return np.array(
        [
            ranks[b // 4] + ranks[a // 4] + ("" if a // 4 == b // 4 else "s" if a % 4 == b % 4 else "o")
            for a, b in HOLES.tolist()
        ]
    )


class Solver:
    """The values and decisions of one game."""

    def __init__(self, game: Game) -> None:
        self.rules, self.pay = game.rules, Payoffs(game)
        self.by_street = {street: plays(self.rules, street) for street in ("preflop", "flop", "river")}
        self.lock = Lock()
        # Before the flop, and for each flop: the best after a check, and every action that is no check.
        self.preflop = {action: np.zeros(1326, dtype=np.int64) for action in self.names("preflop")}
        self.flop = np.zeros((22_100, len(self.names("flop")), 1326), dtype=np.int32)
        self.at_river = np.zeros((BOARDS, 1326), dtype=np.uint8)
        self.finals = list(dict.fromkeys(a for street in STREETS for a in self.names(street) if a != "check"))
        self.sums = np.zeros((4, 10 * len(self.finals)), dtype=np.int64)

    def names(self, street: str) -> list[str]:
        first = ["fold"] if may_fold(self.rules, street) else []
        return [*first, *([] if street == "river" else ["check"]), *self.by_street[street]]

    def add(self, counts: Counts) -> None:
        played, folded = self.pay.plays(counts, self.pay.amounts), self.pay.folded(counts)
        river = {"fold": folded} | {a: played[x] for a, x in self.by_street["river"].items()}
        best, self.at_river[counts.where] = _with_first(river)

        def value(street: str, action: str) -> Array:
            return (
                {"fold": folded, "check": best}[action]
                if action in ("fold", "check")
                else played[self.by_street[street][action]]
            )

        # A quarter of the boards that each stands for: 1, 3 or 6, since five cards cannot be of two suits alike.
        weight = ((counts.times // 4)[:, None] * counts.valid).astype(np.int32)
        rows = np.stack([value("flop", action) * weight for action in self.names("flop")], axis=1)
        with self.lock:
            for action, sums in self.preflop.items():
                if action != "check":
                    sums += 4 * (value("preflop", action) * weight).sum(axis=0, dtype=np.int64)
            for flops, row in zip(counts.flops.tolist(), rows, strict=True):
                for flop in flops:
                    to = self.flop[flop]
                    np.add(to, row, to)

    def decide(self) -> None:
        """Flop and preflop decisions, from the sums over boards of one for each group."""
        flops, times = canonical(3)
        assert len(flops) == 1755
        renamings = list(permutations(range(4)))
        exact = {}
        for i, action in enumerate(self.names("flop")):
            total = np.zeros((1755, 1326), dtype=np.int64)
            for suits in renamings:
                total += self.flop[_renamed_flops(flops, suits)[:, None], i, _renamed_holes(suits)]
            assert not (total % 6).any()
            exact[action] = total // 6
        del self.flop
        best, place = _with_first(exact)
        at_flop = np.zeros((22_100, 1326), dtype=np.uint8)
        for suits in renamings:
            at_flop[_renamed_flops(flops, suits)[:, None], _renamed_holes(suits)] = place
        hole_of = starting_hands()
        self.values: dict[str, dict[str, Fraction]] = {}
        after_check = (best * times[:, None]).sum(axis=0)
        # By starting hand, since a board stood for its renamings while the hole did not.
        self.at_preflop = np.zeros(1326, dtype=np.uint8)
        for hand in dict.fromkeys(hole_of.tolist()):
            where = hole_of == hand
            deals = int(where.sum()) * PER_HOLE * self.pay.scale
            sums = {a: int(s[where].sum()) * 10 for a, s in self.preflop.items()}
            sums["check"] = int(after_check[where].sum())
            self.values[hand] = {a: Fraction(s, deals) for a, s in sums.items()}
            self.at_preflop[where] = list(sums.values()).index(max(sums.values()))
        # Four bits for each action, so that a sum over the ten flops of a board counts them all.
        self.chosen = np.uint32(1) << (4 * at_flop).astype(np.uint32)

    def tally(self, counts: Counts) -> None:
        """Adds the outcomes of a block of boards."""
        qualifier = 0 if self.rules.qualifier is None else int(self.rules.qualifier)
        # Places of the actions of a street among the final ones.
        final = {s: np.array([self.finals.index(a) if a != "check" else 0 for a in self.names(s)]) for s in STREETS}
        weight = (counts.times[:, None] * counts.valid).astype(np.float64)
        columns = (counts.wins, counts.ties, counts.lower(qualifier))
        sums = np.zeros((4, self.sums.shape[1]))

        def lead(action: Array, ways: Array | int, holes: Array) -> None:
            """Adds what holes are worth of which so many of the ten flops lead to an action."""
            at = (10 * action + counts.category.take(holes, axis=1)).reshape(-1)
            times = (ways * weight.take(holes, axis=1)).reshape(-1)
            sums[3] += np.bincount(at, weights=times, minlength=len(sums[3]))
            for total, column in zip(sums, columns, strict=False):
                each = times * column.take(holes, axis=1).reshape(-1)
                total += np.bincount(at, weights=each, minlength=len(total))

        # Sums over boards by final action and category; which hands qualify is then a matter of the category.
        check = self.names("preflop").index("check")
        raised, checked = np.flatnonzero(self.at_preflop != check), np.flatnonzero(self.at_preflop == check)
        if len(raised):
            lead(final["preflop"][self.at_preflop[raised]], 10, raised)
        chosen = sum(self.chosen[flops] for flops in counts.flops.T).take(checked, axis=1)
        for i, action in enumerate(self.names("flop")):
            ways = chosen >> np.uint32(4 * i) & np.uint32(15)
            if action == "check":
                lead(final["river"].take(self.at_river[counts.where].take(checked, axis=1)), ways, checked)
            elif ways.any():
                lead(final["flop"][i], ways, checked)
        with self.lock:
            self.sums += sums.astype(np.int64)  # whole, and far below 2**53

    def outcomes(self) -> dict[tuple[str, int, int, bool], int]:
        """Deals by final action, the player's category, the result, and whether the dealer qualifies."""
        qualifier = 0 if self.rules.qualifier is None else int(self.rules.qualifier)
        found = {}
        for action, sums in zip(self.finals, np.hsplit(self.sums, len(self.finals)), strict=True):
            for kind, (wins, ties, unqualified, boards) in enumerate(sums.T.tolist()):
                loses = HANDS * boards - wins - ties
                if action == "fold":
                    cells = {(FOLD, False): unqualified, (FOLD, True): HANDS * boards - unqualified}
                elif kind >= qualifier:
                    cells = {
                        (WIN, False): unqualified,
                        (WIN, True): wins - unqualified,
                        (TIE, True): ties,
                        (LOSE, True): loses,
                    }
                else:
                    qualified = HANDS * boards - unqualified
                    cells = {
                        (WIN, False): wins,
                        (TIE, False): ties,
                        (LOSE, False): loses - qualified,
                        (LOSE, True): qualified,
                    }
                found |= {(action, kind, *cell): deals for cell, deals in cells.items() if deals}
        return found


def solve(games: Sequence[Game], threads: int = 2) -> list[Solver]:
    """Games that agree in `hole_cards`, in one go."""
    (both,) = {game.rules.hole_cards == "both" for game in games}
    solvers = [Solver(game) for game in games]
    hands_by_triple(), pair_number(), bounds()

    def run(step: str) -> None:
        def work(block: tuple[slice, Array, Array]) -> None:
            counts = count(*block, both)
            for solver in solvers:
                getattr(solver, step)(counts)

        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(work, blocks()):
                pass

    run("add")
    for solver in solvers:
        solver.decide()
    run("tally")
    return solvers
