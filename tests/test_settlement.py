"""Settlement: the reference on rows under every rule set, properties of money, every sentence, every refusal."""

import functools
import itertools
import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
import threading
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import BETS, CUT_ORDER, STREETS

import uteh
from uteh import STANDARD, CardError, Category, PayTable, Result, Rules, RulesError, settlement

MONEY = (*BETS, "net")
COLUMNS = (*MONEY, "result", "player_strength", "dealer_strength", "qualifies")
DTYPES = {"result": np.int8, "player_strength": np.uint16, "dealer_strength": np.uint16, "qualifies": np.bool_}
SPOKEN = {"ante": "Ante", "blind": "Blind", "play": "Play", "trips": "Trips", "bad_beat": "Bad Beat"}
READINGS = ("push", "settle", "win_only", "lose_only", "always")
PRESETS = {name: Rules.named(name) for name in Rules.names()}

# Deals, rule sets, bets -----------------------------------------------------------------------------------------------

# A whole deck for most rows; in the other decks straight flushes, quads and ties are common.
DECKS = (
    (range(52), 0.5),
    ([card for card in range(52) if card % 4 < 2], 0.15),
    ([card for card in range(52) if card % 4 < 2 and card // 4 >= 6], 0.15),
    ([card for card in range(52) if card // 4 >= 8], 0.2),
)


@functools.cache
def deals(seed, n):
    """n rows of nine different cards, read-only."""
    rng = np.random.default_rng(seed)
    parts = []
    for deck, share in DECKS:
        left = math.ceil(n * share)
        while left:
            some = min(left, 100_000)
            parts.append(np.array(deck, dtype=np.uint8)[np.argsort(rng.random((some, len(deck))), axis=1)[:, :9]])
            left -= some
    rows = rng.permutation(np.concatenate(parts))[:n]
    rows.flags.writeable = False
    return rows


def random_table(rnd, least=0):
    """Entries of nothing, whole ones and fractions, for some of the categories."""
    found = {}
    while len(found) < least or rnd.random() < 0.85:
        entry = rnd.choice(
            [0, rnd.randint(1, 9), rnd.randint(10, 500), Fraction(rnd.randint(1, 60), rnd.choice([2, 3, 4]))]
        )
        found[rnd.choice(list(Category))] = entry
    return found


def random_rules(rnd, **given):
    def multiples(least=0):
        return tuple(sorted(rnd.sample(range(1, 5), rnd.randint(least, 4))))

    preflop = multiples()
    trips = rnd.choice([STANDARD.trips, random_table(rnd, 1), random_table(rnd, 4), None])
    bad_beat = rnd.choice([None, random_table(rnd, 1), random_table(rnd, 5)])
    losing = tuple(rnd.sample(STANDARD.wager_order, 5))
    fields = {
        "preflop": preflop,
        "flop": multiples(),
        "river": multiples(1),
        "preflop_between": len(preflop) > 1 and rnd.random() < 0.5,
        "river_min": rnd.choice([1, 1, Fraction(1, 2), Fraction(1, 3), Fraction(5, 7)]),
        "fold_preflop": rnd.random() < 0.5,
        "fold_flop": rnd.random() < 0.5,
        "qualifier": rnd.choice([None, *Category, Category.PAIR, Category.PAIR]),
        "unqualified_ante": rnd.choice(READINGS),
        "unqualified_play": rnd.choice(["settle", "push"]),
        "blind": rnd.choice([STANDARD.blind, random_table(rnd), random_table(rnd, 4)]),
        "trips": trips,
        "trips_on_fold": rnd.choice(["hand", "board", "lose"]),
        "trips_when_not_won": rnd.choice(["pay", "push", "lose"]),
        "bad_beat": bad_beat,
        "bad_beat_needs_trips": trips is not None and bad_beat is not None and rnd.random() < 0.5,
        "hole_cards": rnd.choice(["any", "any", "both"]),
        "wager_order": tuple(rnd.sample(STANDARD.wager_order, 5)),
        "losing_order": rnd.choice([None, losing]),
        "fund_reading": rnd.choice(["net", "gross"]),
        "breakage": rnd.choice(["down", "nearest", "exact"]),
    }
    return Rules(**{**fields, **given})


def crossed_rules():
    """Every crossing of the four fields that decide over a bet by one of several readings; the others are random."""
    rnd = random.Random(20)
    choices = (READINGS, ("settle", "push"), ("hand", "board", "lose"), ("pay", "push", "lose"))
    for i, (ante, play, on_fold, not_won) in enumerate(itertools.product(*choices)):
        yield random_rules(
            rnd,
            unqualified_ante=ante,
            unqualified_play=play,
            trips=(STANDARD.trips, random_table(rnd, 4), random_table(rnd, 2), None)[i % 11 % 4],
            trips_on_fold=on_fold,
            trips_when_not_won=not_won,
            bad_beat_needs_trips=False,
            hole_cards="both" if i % 3 == 1 else "any",
            breakage=("down", "nearest", "exact", "down", "nearest")[i // 2 % 5],
        )


CROSSED = list(crossed_rules())


def unit(rules):
    """What stakes are multiples of so that nothing breaks."""
    return math.lcm(*(pays.denominator for t in (rules.blind, rules.trips, rules.bad_beat) if t for pays in t.values()))


def bets(seed, n, rules, *, street=True, cap=True, most=400):
    """Arrays of legal bets on all streets that are open, in chips; under exact breakage, ones that never break."""
    rng = np.random.default_rng(seed)
    step = unit(rules) if rules.breakage == "exact" else 1
    ante = rng.integers(1, most, n) * step
    streets = rng.integers(0, 3, n)
    play = np.zeros(n, dtype=np.int64)
    for number, name in enumerate(STREETS):
        choices = [multiple * ante for multiple in getattr(rules, name)]
        if reference.may_fold(rules, name):
            choices.append(np.zeros(n, dtype=np.int64))
        if name == "preflop" and rules.preflop_between:
            choices.append(rng.integers(rules.preflop[0] * ante, rules.preflop[-1] * ante + 1))
        if name == "river" and rules.river_min < 1:
            least = -(-rules.river_min.numerator * ante // rules.river_min.denominator)
            choices += [least, rng.integers(least, ante + 1), ante]
        here = streets == number
        if not choices:
            streets[here] = 2  # the river comes last and always has a fold
            continue
        play[here] = np.choose(rng.integers(len(choices), size=n), choices)[here]
    ante[(play == 0) & (rng.random(n) < 0.02)] = 0
    trips = rng.integers(1, most, n) * step * (rng.random(n) < 0.8) * (rules.trips is not None)
    bad_beat = rng.integers(1, most, n) * step * (rng.random(n) < 0.8) * (rules.bad_beat is not None)
    if rules.bad_beat_needs_trips:
        bad_beat[trips == 0] = 0
    streets[rng.random(n) < 0.1] = 255
    caps = np.where(rng.random(n) < 0.1, 0, (ante * rng.exponential(3, n)).astype(np.int64))
    return {
        "ante": ante,
        "play": play,
        "trips": trips,
        "bad_beat": bad_beat,
        "street": streets.astype(np.uint8) if street else None,
        "payout_cap": caps if cap else None,
    }


def for_reference(stakes):
    return {name: stakes.get(name, 0) for name in ("ante", "play", "trips", "bad_beat")} | {
        "payout_cap": stakes.get("payout_cap")
    }


def same(got, want, rows, scale=1):
    """All columns, exactly; the reference has money in units of 1/scale."""
    assert got.columns == COLUMNS
    for name in COLUMNS:
        mine, right = getattr(got, name), want[name]
        assert mine.dtype == DTYPES.get(name, np.int64)
        if name in MONEY:
            assert not (right % scale).any()
            right = right // scale
        different = np.flatnonzero(mine != right)
        if len(different):
            row = different[0]
            text = uteh.format_cards(rows[row].tolist())
            pytest.fail(f"{name}: {len(different)} rows, the first {row} ({text}): {mine[row]}, {right[row]} is right")


def check(rows, rules, stakes, threads=1):
    got = uteh.settle_many(rows, **stakes, rules=rules, threads=threads)
    want = reference.settle_rows(rows, **for_reference(stakes), rules=rules, chips=True)
    same(got, want, rows, want["den"])
    assert (got.net == sum(getattr(got, bet) for bet in BETS)).all()


def halves(stakes):
    """The same bets in halves of a chip, as floats."""
    money = ("ante", "play", "trips", "bad_beat", "payout_cap")
    return {name: value / 2 if name in money and value is not None else value for name, value in stakes.items()}


def check_floats(rows, rules, stakes):
    """A bet's net is the double next to the exact one; sums and cuts are exact where the tables are in halves."""
    got = uteh.settle_many(rows, **halves(stakes), rules=rules)
    want = reference.settle_rows(rows, **for_reference(stakes), rules=rules)
    exact = unit(rules) & (unit(rules) - 1) == 0
    for name in MONEY:
        mine, right = getattr(got, name), want[name] / (2 * want["den"])
        assert mine.dtype == np.float64
        assert not np.signbit(mine[mine == 0]).any()
        if exact or (stakes["payout_cap"] is None and name != "net"):
            assert np.array_equal(mine, right), name
        else:
            np.testing.assert_allclose(mine, right, rtol=1e-12, atol=1e-9, err_msg=name)
    for name in COLUMNS[len(MONEY) :]:
        assert np.array_equal(getattr(got, name), want[name]), name


# The reference on arrays ----------------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_standard_rules_against_the_reference():
    rows = deals(1, 4_000)
    for street, cap in itertools.product([True, False], repeat=2):
        check(rows, STANDARD, bets(2, len(rows), STANDARD, street=street, cap=cap))


def test_the_rows_have_everything():
    """Otherwise agreement would prove little: every category on both sides, with every result and on boards."""
    rows = deals(1, 50_000)
    got = uteh.settle_many(rows, ante=2, play=2)
    for result in (Result.LOSE, Result.TIE, Result.WIN):
        chosen = got.result == result
        own, theirs = (uteh.category(s[chosen]) for s in (got.player_strength, got.dealer_strength))
        assert set(theirs if result == Result.WIN else own) >= set(range(9))
        assert set(own if result == Result.WIN else theirs) >= set(range(10)) - (
            {0} if result == Result.LOSE else set()
        )
    assert set(uteh.category(uteh.evaluate_many(np.ascontiguousarray(rows[:, 4:])))) >= set(range(9))


@pytest.mark.parametrize("name", PRESETS)
def test_presets_against_the_reference(name):
    rules = PRESETS[name]
    rows = deals(1, 50_000)
    for i, (street, cap) in enumerate(itertools.product([True, False], repeat=2)):
        some = rows[i * 12_500 : (i + 1) * 12_500]
        stakes = bets(i, len(some), rules, street=street, cap=cap)
        check(some, rules, stakes)
        check_floats(some[:3_000], rules, {k: v if v is None else v[:3_000] for k, v in stakes.items()})


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_bets_for_all_rows(name):
    """Amounts given once, and bets that are not made at all."""
    rules = PRESETS[name]
    rows = deals(3, 1_500)
    side = [{}, {"trips": 4}, {"trips": 6, "bad_beat": 2}] if rules.bad_beat else [{}, {"trips": 4}]
    for street in STREETS:
        plays = [*reference.plays(rules, street).values(), *([0] if reference.may_fold(rules, street) else [])]
        for play, side_bets, cap in itertools.product(plays, side, [None, 25]):
            stakes = {"ante": 10, "play": int(play * 10), **side_bets, "street": street, "payout_cap": cap}
            check(rows, rules, stakes)
            check(rows, rules, {**stakes, "ante": np.full(len(rows), 10)})
            check(rows, rules, {**stakes, "play": np.full(len(rows), int(play * 10)), "street": None})
            assert not uteh.settle_many(rows, **stakes, rules=rules).bad_beat.any() or "bad_beat" in side_bets


@pytest.mark.parametrize("i", range(len(CROSSED)))
def test_random_rules_against_the_reference(i):
    rules = CROSSED[i]
    rows = deals(4, 60_000)[i * 600 % 57_000 :][:3_000]
    check(rows, rules, bets(i, len(rows), rules, street=i % 4 > 1, cap=i % 4 % 2 == 0))
    check(rows, rules, bets(-i % 1000, len(rows), rules, street=i % 4 < 2, cap=False, most=9))
    check_floats(rows, rules, bets(i, len(rows), rules, cap=i % 2 == 0))


def test_the_random_rules_have_everything():
    assert len(CROSSED) == 90
    for field in ("preflop_between", "fold_preflop", "fold_flop", "qualifier", "hole_cards", "breakage", "river_min"):
        values = {getattr(rules, field) for rules in CROSSED}
        assert len(values) == {"qualifier": 10, "breakage": 3, "river_min": 4}.get(field, 2), field
    assert sum(rules.trips is None for rules in CROSSED) >= 10
    assert sum(rules.bad_beat is not None for rules in CROSSED) >= 30
    assert sum(unit(rules) > 2 for rules in CROSSED) >= 30
    with_nothing = [rules for rules in CROSSED if rules.trips and 0 in rules.trips.values()]
    assert {(r.trips_on_fold, r.trips_when_not_won) for r in with_nothing} == set(
        itertools.product(["hand", "board", "lose"], ["pay", "push", "lose"])
    )


@pytest.mark.parametrize(
    ("largest", "unit_"),
    [(100_000, 1), (100_000, 1000), (99_999, 999), (100_000, 512), (100_000, 640), (12, 997), (100_000, 3), (5, 2)],
)
def test_steep_and_fine_tables(largest, unit_):
    """Payouts up to 100,000 to 1 with denominators up to 1,000, under every breakage."""
    rnd = random.Random(unit_)
    rows = deals(5, 8_000)

    def table():
        entries = [Fraction(rnd.randint(1, 5 * unit_), unit_) for _ in Category]
        entries[-1], entries[-2] = Fraction(largest), largest - Fraction(1, unit_)
        return PayTable(**{c.name.lower(): entry for c, entry in zip(Category, entries, strict=True)})

    for breakage in ("down", "nearest", "exact"):
        rules = Rules(blind=table(), trips=table(), bad_beat=table(), breakage=breakage)
        assert unit(rules) == unit_ or unit_ in (640, 999)
        check(rows, rules, bets(6, len(rows), rules, cap=False))
        check(rows, rules, bets(7, len(rows), rules, most=3))
        if unit_ in (1, 2, 512):
            check_floats(rows, rules, bets(8, len(rows), rules))


def test_a_denominator_above_a_thousand_is_refused():
    rules = Rules(
        blind={"flush": Fraction(1, 7)}, trips={"flush": Fraction(1, 11)}, bad_beat={"flush": Fraction(1, 13)}
    )
    for settle in (lambda: uteh.settle(*FLUSH, ante=1, play=1, rules=rules), lambda: many(ante=1, play=1, rules=rules)):
        with pytest.raises(RulesError, match=r"blind and trips and bad_beat.*1001"):
            settle()


@pytest.mark.parametrize("name", ["standard", "california-bad-beat", "auckland"])
def test_exact_breakage_names_the_first_broken_win(name):
    rules = PRESETS[name]
    assert rules.breakage == "exact"
    rows = deals(9, 4_000)
    for seed, first in enumerate([0, 100, 255, 256, 1_000, 3_000]):
        stakes = {**bets(seed, len(rows), rules, street=False, cap=False), "payout_cap": None}
        stakes["ante"] += np.arange(len(rows)) >= first  # odd antes break on flushes, from here on
        stakes["play"] = np.where(np.arange(len(rows)) % 5 == 0, 0, 2 * stakes["ante"])
        want = reference.settle_rows(rows, **for_reference(stakes), rules=rules)
        broken = (want["blind"] > 0) & (want["blind"] % want["den"] != 0)
        row = int(np.argmax(broken))
        assert broken.any()
        assert row >= first
        before = filled(len(rows))
        for threads in (1, 2):
            with pytest.raises(
                RulesError, match=rf"row {row}: blind: the winnings of {stakes['ante'][row]} "
            ) as caught:
                uteh.settle_many(rows, **stakes, rules=rules, out=before, threads=threads)
            assert caught.value.row == row
        untouched(before)
        one = {name: value if value is None else int(value[row]) for name, value in stakes.items()}
        hand = rows[row].tolist()
        with pytest.raises(RulesError, match=f"^blind: the winnings of {one['ante']} .*whole chip"):
            uteh.settle(hand[:2], hand[2:4], hand[4:], **one, rules=rules)


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", PRESETS)
def test_a_million_rows_against_the_reference(name):
    rules = PRESETS[name]
    rows = deals(10, 1_000_000)
    check(rows, rules, bets(11, len(rows), rules, cap=False), threads=2)
    check(rows, rules, bets(12, len(rows), rules, street=False))


# One round ------------------------------------------------------------------------------------------------------------


def as_kind(kind, quarters, rnd):
    """An amount in quarters of a chip as one of the kinds that `settle` takes."""
    exact = Fraction(quarters, 4)
    if kind == "mixed":
        kind = rnd.choice(["int", "Fraction", "Decimal"] if exact.denominator == 1 else ["Fraction", "Decimal"])
    if kind == "mixed floats":
        kind = rnd.choice(["int", "float", "Decimal"] if exact.denominator == 1 else ["float", "Fraction"])
    return {
        "int": int,
        "Fraction": Fraction,
        "float": float,
        "Decimal": lambda q: Decimal(q.numerator) / q.denominator,
    }[kind](exact)


KINDS = ("int", "Fraction", "Decimal", "float", "mixed", "mixed floats")


@pytest.mark.parametrize("kind", KINDS)
def test_one_round_is_a_row_is_the_reference(kind):
    """settle, settle_many and the reference: every net, exactly, and of the right type."""
    rnd = random.Random(kind)
    rules_of = [*PRESETS.values(), *CROSSED[::7]]
    rows = deals(13, 600)
    done = 0
    for i, rules in enumerate(rules_of):
        some = rows[i * 22 : i * 22 + 22]
        stakes = bets(i, len(some), rules, street=i % 2 == 0, cap=i % 3 > 0, most=60)
        if kind == "int":
            at_once = uteh.settle_many(some, **stakes, rules=rules)
        for row, cards in enumerate(some.tolist()):
            hand = cards[:2], cards[2:4], cards[4:]
            number = 255 if stakes["street"] is None else int(stakes["street"][row])
            street = None if number == 255 else STREETS[number]
            chips = {name: int(stakes[name][row]) for name in ("ante", "play", "trips", "bad_beat")}
            if stakes["payout_cap"] is not None:
                chips["payout_cap"] = int(stakes["payout_cap"][row])
            given = {
                name: as_kind(kind, amount * 4 if kind == "int" else amount, rnd) for name, amount in chips.items()
            }
            got = uteh.settle(*hand, **given, street=street, rules=rules)
            exact = {name: Fraction(amount) for name, amount in given.items()}
            want = reference.settle(*hand, **exact, street=street, rules=rules, chips=kind == "int")
            types = {type(amount) for amount in given.values()}
            money = float if float in types else int if types == {int} else Fraction
            for name in MONEY:
                mine = getattr(got, name)
                assert type(mine) is money, (name, mine)
                if money is float and unit(rules) not in (1, 2, 4):
                    assert mine == pytest.approx(float(want[name]), rel=1e-12, abs=1e-12), name
                else:
                    assert mine == want[name], name
            for name in COLUMNS[len(MONEY) :]:
                assert getattr(got, name) == want[name], name
            assert isinstance(got.result, Result)
            assert isinstance(got.qualifies, bool)
            assert got.rules is rules
            if kind == "int":
                assert {name: getattr(at_once, name)[row] for name in COLUMNS} == {n: want[n] for n in COLUMNS}
            elif kind == "float":
                alone = uteh.settle_many([cards], **given, street=street, rules=rules)
                assert all(getattr(alone, name)[0] == getattr(got, name) for name in COLUMNS)
            done += 1
    assert done >= 500


def test_breakage_is_bet_by_bet_and_before_the_cap():
    """Blind 3:2 of 5 is 7.5, Trips 7/3 of 5 is 11 2/3: each is broken alone, then the sum of the rest is cut."""
    for breakage, blind, trips in [("down", 7, 11), ("nearest", 8, 12)]:
        rules = Rules(trips={"flush": Fraction(7, 3)}, breakage=breakage)
        got = uteh.settle(*FLUSH, ante=5, play=10, trips=5, rules=rules)
        assert (got.ante, got.play, got.blind, got.trips, got.net) == (5, 10, blind, trips, 15 + blind + trips)
        cut = uteh.settle(*FLUSH, ante=5, play=10, trips=5, payout_cap=15 + trips + blind - 1, rules=rules)
        assert (cut.blind, cut.trips) == (blind - 1, trips)
        for exact in (Fraction, Decimal):
            free = uteh.settle(*FLUSH, ante=exact(5), play=10, trips=5, rules=rules)
            assert (free.blind, free.trips) == (Fraction(15, 2), Fraction(35, 3))
        assert uteh.settle(*FLUSH, ante=5.0, play=10, rules=rules).blind == 7.5
    half = Rules(blind={"flush": Fraction(1, 2)}, breakage="nearest")
    assert [uteh.settle(*FLUSH, ante=n, play=n, rules=half).blind for n in range(1, 6)] == [1, 1, 2, 2, 3]
    fraction = uteh.settle(*FLUSH, ante=Fraction(5), play=10, rules=STANDARD)  # exact breakage is about chips alone
    assert fraction.blind == Fraction(15, 2)


def test_losses_never_break():
    for breakage in ("exact", "down", "nearest"):
        rules = Rules(blind={"flush": Fraction(3, 7)}, breakage=breakage)
        hole, dealer, board = FLUSH
        lost = uteh.settle(dealer, hole, board, ante=5, play=20, trips=3, rules=rules)
        assert (lost.ante, lost.blind, lost.play, lost.trips, lost.net) == (-5, -5, -20, 9, -21)


def test_the_cap_cuts_in_order():
    """All five bets win: a cap one lower at a time takes Blind, Trips, Bad Beat, Play, Ante, each to nothing."""
    rules = Rules(bad_beat={"three_of_a_kind": 2})
    stakes = {"ante": 2, "play": 4, "trips": 1, "bad_beat": 2}
    full = uteh.settle(*FLUSH, **stakes, rules=rules)
    wins = {bet: getattr(full, bet) for bet in BETS}
    assert wins == {"ante": 2, "blind": 3, "play": 4, "trips": 7, "bad_beat": 4}
    for cap in range(23):
        left, expected = max(0, 20 - cap), dict(wins)
        for bet in CUT_ORDER:
            less = min(left, expected[bet])
            expected[bet] -= less
            left -= less
        for kind in (int, Fraction, float):
            given = {name: kind(amount) for name, amount in stakes.items()}
            got = uteh.settle(*FLUSH, **given, payout_cap=kind(cap), rules=rules)
            assert {bet: getattr(got, bet) for bet in BETS} == expected
            assert got.net == min(cap, 20)
            if kind is not Fraction:
                at_once = many(**given, payout_cap=kind(cap), rules=rules)
                assert {bet: getattr(at_once, bet)[0] for bet in BETS} == expected
    # losing bets are not set against it: the Trips here is lost
    lost = uteh.settle("Ah Kd", "2c 7d", "As 7h 8h Jc 4s", ante=10, play=40, trips=5, payout_cap=45)
    assert (lost.ante, lost.blind, lost.play, lost.trips, lost.net) == (10, 0, 35, -5, 40)


def test_a_wide_cap_does_not_cut_fractions():
    """A cap that is far above what is won, with amounts in fine fractions."""
    royal = "Ah Kh", "2c 3c", "Qh Jh Th 9d 9s"
    for ante, trips, cap in [(Fraction(100), Fraction(1, 10**12), 100_000), (Fraction(2**45), Fraction(0), 2**60)]:
        got = uteh.settle(*royal, ante=ante, play=ante, trips=trips, payout_cap=cap)
        assert (got.blind, got.trips) == (500 * ante, 50 * trips)
        assert got == uteh.settle(*royal, ante=ante, play=ante, trips=trips)


# What the rules allow -------------------------------------------------------------------------------------------------


def legal(ante, play, rules, street=None):
    """`reference.legal`, but 1x is no river bet of rules that list other multiples alone and have no range."""
    if street is None:
        return any(legal(ante, play, rules, name) for name in STREETS)
    if street == "river" and rules.river_min == 1:
        return play in [0, *(multiple * ante for multiple in reference.plays(rules, street).values())]
    return reference.legal(ante, play, rules, street)


ON = [
    (None, None),
    *((name, name) for name in STREETS),
    *((name, [i]) for i, name in enumerate(STREETS)),
    (None, [255]),
]


@pytest.mark.parametrize("rules", [*PRESETS.values(), *CROSSED[::6]], ids=lambda rules: rules.key[:6])
def test_the_plays_that_are_accepted(rules):
    """Every amount from nothing to 5 antes in twelfths: what passes on a street is what the reference calls legal."""
    ante = 12
    one_row = deals(3, 1_500)[:1]
    cards = one_row[0].tolist()
    hand = cards[:2], cards[2:4], cards[4:]

    def passes(kind, n, name, street):
        """Whether a Play of n twelfths of the Ante is accepted; if not, the error must be about the Play."""
        in_array = kind in ("chips", "floats")
        scale = {"chips": 24, "one": 24, "floats": 0.125, "exact": Fraction(1, 7)}[kind]
        settle = functools.partial(uteh.settle_many, one_row) if in_array else functools.partial(uteh.settle, *hand)
        try:
            settled = settle(ante=ante * scale, play=n * scale, street=street if in_array else name, rules=rules)
        except RulesError as error:
            assert str(error).startswith("row 0: play: " if in_array else "play: ")  # noqa: PT017
            assert error.row == (0 if in_array else None)  # noqa: PT017
            return False
        assert (settled.result == Result.FOLD) == (n == 0)
        return True

    for name, street in ON:
        allowed = [n for n in range(61) if legal(Fraction(ante), Fraction(n), rules, name)]
        for actions in [reference.plays(rules, name)] if name else []:
            assert {int(a * ante) for a in actions.values() if a * ante % 1 == 0} <= set(allowed)
            assert (0 in allowed) == reference.may_fold(rules, name)
            assert {n for n in allowed if n % 6 == 0} >= {int(m * ante) for m in getattr(rules, name)}
        accepted = {
            kind: [n for n in range(61) if passes(kind, n, name, street)]
            # one round takes the name of a street alone, which comes twice
            for kind in (("chips", "floats", "one", "exact") if street == name else ("chips", "floats"))
        }
        assert accepted == dict.fromkeys(accepted, allowed), name
        # the same on many rows at once, where plainly legal rows take a shorter way, and with one row that is not legal
        if not allowed:
            continue
        plays = np.resize(np.array(allowed), 700) * 24
        rows = deals(3, 1_500)[:700]
        wide = None if street is None else street if isinstance(street, str) else np.resize(street, 700)
        assert len(uteh.settle_many(rows, ante=np.full(700, ante * 24), play=plays, street=wide, rules=rules)) == 700
        for row, wrong in zip([0, 255, 256, 511, 699], sorted(set(range(61)) - set(allowed))[::7], strict=False):
            plays = np.resize(np.array(allowed), 700) * 24
            plays[row] = wrong * 24
            plays[row + 1 :: 3] = -1
            with pytest.raises(RulesError, match=f"row {row}: play: ") as caught:
                uteh.settle_many(rows, ante=np.full(700, ante * 24), play=plays, street=wide, rules=rules)
            assert caught.value.row == row


def test_a_play_one_chip_off_is_refused():
    for ante in (10, 999, 10**9, 10**12 + 7):
        for multiple in (1, 2, 3, 4):
            assert many(ante=2 * ante, play=2 * multiple * ante).ante[0] == 2 * ante
            for off in (-1, 1):
                with pytest.raises(RulesError, match="play"):
                    many(ante=2 * ante, play=2 * multiple * ante + off)
                with pytest.raises(RulesError, match="play"):
                    uteh.settle(*FLUSH, ante=2 * ante, play=2 * multiple * ante + off)


def test_decimal_fractions_as_floats_are_legal():
    """3 times 0.1 is 0.30000000000000004: a Play is legal where it is what people would write."""
    for tenths in range(1, 400):
        ante = tenths / 10
        for multiple in (1, 2, 3, 4):
            assert many(ante=ante, play=tenths * multiple / 10).columns == COLUMNS
        for play in (ante * 2.5, ante * 1.001, ante * 2.999999, ante * 4.00001, ante * 5):
            with pytest.raises(RulesError, match="play"):
                many(ante=ante, play=play)


def test_the_message_says_what_is_allowed():
    simulated = PRESETS["simulated"]
    for street, rules, words in [
        ("preflop", STANDARD, ["25 on an Ante of 10", "3x or 4x before the flop"]),
        ("flop", STANDARD, ["25 on an Ante of 10", "2x on the flop"]),
        ("river", STANDARD, ["25 on an Ante of 10", "1x on the river"]),
        (None, STANDARD, ["3x or 4x before the flop", "2x on the flop", "1x on the river"]),
        ("preflop", simulated, ["3x to 4x before the flop"]),
        ("river", simulated, ["1/2 to 1x on the river"]),
    ]:
        for settle in (functools.partial(uteh.settle, *FLUSH), many):
            with pytest.raises(RulesError) as caught:
                settle(ante=10, play=25, street=street, rules=rules)
            assert all(word in str(caught.value) for word in words)
            others = {"before the flop", "on the flop", "on the river"} - {" ".join(w.split()[-3:]) for w in words}
            assert street is None or not any(other in str(caught.value) for other in others)
    for street in ("preflop", "flop"):
        for settle in (functools.partial(uteh.settle, *FLUSH), many):
            with pytest.raises(RulesError, match="play: 0 is a fold.*" + {"preflop": "before", "flop": "on"}[street]):
                settle(ante=10, play=0, street=street)


# Properties of money --------------------------------------------------------------------------------------------------


@st.composite
def hands(draw):
    """Nine cards as hole, dealer, board; some from small decks, some where both sides hold the same ranks."""
    kind = draw(st.sampled_from([*DECKS, None]))
    if kind is None:
        ranks = draw(st.lists(st.integers(0, 12), min_size=2, max_size=2, unique=True))
        suits = draw(st.permutations(range(4)))
        four = [ranks[0] * 4 + suits[0], ranks[1] * 4 + suits[1], ranks[0] * 4 + suits[2], ranks[1] * 4 + suits[3]]
        rest = st.sampled_from([card for card in range(52) if card not in four])
        cards = [*four, *draw(st.lists(rest, min_size=5, max_size=5, unique=True))]
    else:
        cards = draw(st.lists(st.sampled_from(list(kind[0])), min_size=9, max_size=9, unique=True))
    return cards[:2], cards[2:4], cards[4:]


rule_sets = st.one_of(
    st.sampled_from(list(PRESETS.values())), st.integers(0, 10**6).map(lambda seed: random_rules(random.Random(seed)))
)


@st.composite
def rounds(draw, fold=None, cap=True, rules=rule_sets):
    """A hand, rules and legal bets in Fractions."""
    rules = draw(rules)
    amount = st.integers(1, 400).map(lambda n: Fraction(n, 4))
    ante = draw(amount)
    street = draw(st.sampled_from(STREETS))
    plays = [n * ante for n in reference.plays(rules, street).values()]
    if street == "preflop" and rules.preflop_between:
        plays.append((plays[0] + plays[-1]) / 2)
    if reference.may_fold(rules, street):
        plays.append(Fraction(0))
    if fold is not None:
        plays = [play for play in plays if (play == 0) == fold]
    assume(plays)
    trips = draw(st.one_of(st.just(Fraction(0)), amount)) if rules.trips is not None else Fraction(0)
    may = rules.bad_beat is not None and (trips > 0 or not rules.bad_beat_needs_trips)
    stakes = {
        "ante": ante,
        "play": draw(st.sampled_from(plays)),
        "trips": trips,
        "bad_beat": draw(st.one_of(st.just(Fraction(0)), amount)) if may else Fraction(0),
        "street": draw(st.sampled_from([street, None])),
    }
    if cap:
        stakes["payout_cap"] = draw(st.one_of(st.none(), st.integers(0, 4000).map(lambda n: Fraction(n, 4))))
    return draw(hands()), stakes, rules


def nets(settled):
    return {name: getattr(settled, name) for name in MONEY}


@settings(max_examples=120)
@given(rounds())
def test_net_is_the_sum_and_no_bet_loses_more_than_its_stake(asked):
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    assert got.net == sum(getattr(got, bet) for bet in BETS)
    for bet in BETS:
        assert getattr(got, bet) >= -stakes["ante" if bet == "blind" else bet]
    if stakes["payout_cap"] is not None:
        assert sum(max(0, getattr(got, bet)) for bet in BETS) <= stakes["payout_cap"]
    free = uteh.settle(*hand, **{**stakes, "payout_cap": None}, rules=rules)
    for bet in BETS:
        assert min(0, getattr(free, bet)) <= getattr(got, bet) <= getattr(free, bet)
    assert got.result == free.result


@settings(max_examples=60)
@given(rounds(fold=True))
def test_a_fold_loses_ante_and_blind_and_nothing_else_of_the_base_bets(asked):
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    assert got.result is Result.FOLD
    assert (got.ante, got.blind, got.play) == (-stakes["ante"], -stakes["ante"], 0)
    assert got.bad_beat == -stakes["bad_beat"]


@settings(max_examples=120)
@given(rounds(fold=False))
def test_a_tie_moves_no_base_bet(asked):
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    assert got.result == (got.player_strength > got.dealer_strength) - (got.player_strength < got.dealer_strength)
    if got.result == Result.TIE:
        assert got.blind == got.play == 0
        assert got.bad_beat == -stakes["bad_beat"]
        if rules.unqualified_ante == "always" and not got.qualifies:
            assert got.ante == stakes["ante"] or (stakes["payout_cap"] is not None and 0 <= got.ante < stakes["ante"])
        else:
            assert got.ante == 0


def test_many_ties_move_no_base_bet():
    rows = deals(1, 50_000)
    for reading, qualifier in itertools.product(READINGS[:4], [None, Category.PAIR, Category.ROYAL_FLUSH]):
        rules = Rules(unqualified_ante=reading, qualifier=qualifier, trips=None)
        got = uteh.settle_many(rows, ante=10, play=20, rules=rules)
        ties = got.player_strength == got.dealer_strength
        assert ties.sum() > 1_000
        assert not any(getattr(got, name)[ties].any() for name in MONEY)
        assert not got.result[ties].any()


@settings(max_examples=200)
@given(rounds(cap=False))
def test_winnings_are_table_times_stake(asked):
    """Each bet from the contract's words, the strengths and the board's category."""
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    own, theirs = uteh.category(got.player_strength), uteh.category(got.dealer_strength)
    assert got.qualifies == (theirs >= rules.qualifier)
    ante, play, trips, bad_beat = (stakes[bet] for bet in ("ante", "play", "trips", "bad_beat"))
    if got.result == Result.WIN:
        assert got.blind == ante * rules.blind.get(own, 0)
        assert got.play == (play if got.qualifies or rules.unqualified_play == "settle" else 0)
        assert got.ante == (ante if got.qualifies or rules.unqualified_ante not in ("push", "lose_only") else 0)
    elif got.result == Result.LOSE:
        assert got.blind == -ante
        assert got.play == (-play if got.qualifies or rules.unqualified_play == "settle" else 0)
        lower = {"push": 0, "settle": -ante, "win_only": 0, "lose_only": -ante, "always": ante}[rules.unqualified_ante]
        assert got.ante == (-ante if got.qualifies else lower)
    if trips:
        table = rules.trips
        if got.result == Result.FOLD:
            shown = uteh.category(uteh.evaluate(hand[2])) if rules.trips_on_fold == "board" else own
            pays = -1 if rules.trips_on_fold == "lose" else table.get(shown, -1)
        elif own not in table:
            pays = -1
        elif got.result == Result.WIN or rules.trips_when_not_won == "pay":
            pays = table[own]
        else:
            pays = -1 if rules.trips_when_not_won == "lose" and got.result == Result.LOSE else 0
        assert got.trips == trips * pays
    if bad_beat and got.result in (Result.WIN, Result.LOSE):
        assert got.bad_beat == bad_beat * rules.bad_beat.get(min(own, theirs), -1)


@settings(max_examples=100)
@given(rounds(), st.sampled_from([Fraction(1, 3), Fraction(2), Fraction(7, 5), Fraction(1000)]))
def test_scaled_stakes_scale_the_nets(asked, factor):
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    scaled = {k: v * factor if isinstance(v, Fraction) else v for k, v in stakes.items()}
    again = uteh.settle(*hand, **scaled, rules=rules)
    assert nets(again) == {name: value * factor for name, value in nets(got).items()}
    assert again.result == got.result


@settings(max_examples=80)
@given(rounds(), st.permutations(range(4)), st.permutations(range(5)))
def test_names_of_suits_and_the_order_of_cards_change_nothing(asked, suits, order):
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    renamed = [[card // 4 * 4 + suits[card % 4] for card in cards] for cards in hand]
    assert uteh.settle(*renamed, **stakes, rules=rules) == got
    hole, dealer, board = hand
    for other in [(hole[::-1], dealer, board), (hole, dealer[::-1], board), (hole, dealer, [board[i] for i in order])]:
        assert uteh.settle(*other, **stakes, rules=rules) == got
        assert uteh.settle(*other, **stakes, rules=rules).lines == got.lines
    assert uteh.settle(*(uteh.format_cards(cards) for cards in hand), **stakes, rules=rules) == got


def test_a_blind_that_is_given_is_the_ante():
    rows = deals(3, 1_500)
    ante = np.arange(2, 3_002, 2)
    assert uteh.settle_many(rows, ante=ante, blind=ante.copy(), play=ante) == uteh.settle_many(
        rows, ante=ante, play=ante
    )
    assert uteh.settle_many(rows, ante=ante * 0 + 10, blind=10, play=10) == uteh.settle_many(rows, ante=10, play=10)
    assert uteh.settle(*FLUSH, ante=10, blind=10, play=10) == uteh.settle(*FLUSH, ante=10, play=10)


@pytest.mark.parametrize("name", ["california-bad-beat", "auckland", "board-trips"])
def test_row_order_and_threads_change_nothing(name):
    rules = PRESETS[name]
    some = deals(1, 50_000)
    stakes = bets(14, len(some), rules)
    got = uteh.settle_many(some, **stakes, rules=rules)
    order = np.random.default_rng(15).permutation(len(some))
    mixed = {k: v[order] for k, v in stakes.items()}
    again = uteh.settle_many(some[order], **mixed, rules=rules)
    assert all(np.array_equal(getattr(again, name), getattr(got, name)[order]) for name in COLUMNS)
    for first, last in [(0, 1), (1, 258), (255, 600), (49_000, 50_000)]:
        part = uteh.settle_many(some[first:last], **{k: v[first:last] for k, v in stakes.items()}, rules=rules)
        assert all(np.array_equal(getattr(part, name), getattr(got, name)[first:last]) for name in COLUMNS)
    rows = np.tile(some, (14, 1))  # several slices
    wide = {k: np.tile(v, 14) for k, v in stakes.items()}
    for threads in (1, 2, 5, None):
        all_of_it = uteh.settle_many(rows, **wide, rules=rules, threads=threads)
        assert all(np.array_equal(getattr(all_of_it, name), np.tile(getattr(got, name), 14)) for name in COLUMNS)
    wide["play"][650_000] = wide["play"][390_000] = -3
    wide["trips"][[400_000, 699_999]] = -2
    for threads in (1, 2, 3):
        with pytest.raises(RulesError, match="row 390000: play: -3") as caught:
            uteh.settle_many(rows, **wide, rules=rules, threads=threads)
        assert caught.value.row == 390_000


def test_columns():
    rules = PRESETS["california-bad-beat"]
    rows = deals(3, 1_500)
    for cap in (False, True):
        stakes = bets(16, len(rows), rules, cap=cap)
        for asked in (stakes, halves(stakes), {**stakes, "bad_beat": 0}, {**stakes, "bad_beat": 0, "trips": 0}):
            full = uteh.settle_many(rows, **asked, rules=rules)
            rnd = random.Random(16)
            subsets = [(name,) for name in COLUMNS] + [tuple(rnd.sample(COLUMNS, rnd.randint(2, 9))) for _ in range(20)]
            for columns in subsets:
                part = uteh.settle_many(rows, **asked, rules=rules, columns=columns)
                assert part.columns == columns
                for name in columns:
                    assert getattr(part, name).dtype == getattr(full, name).dtype
                    assert np.array_equal(getattr(part, name), getattr(full, name))
                for name in set(COLUMNS) - set(columns):
                    with pytest.raises(AttributeError, match=f"{name} was not among"):
                        getattr(part, name)
    assert uteh.settle_many(rows, **stakes, rules=rules, columns=iter(["net", "result"])).columns == ("net", "result")


def test_out():
    rows = deals(3, 1_500)
    full = uteh.settle_many(rows, ante=10, play=20)
    out = filled(len(rows))
    got = uteh.settle_many(rows, ante=10, play=20, out=out)
    assert got == full
    assert all(getattr(got, name) is out[name] for name in COLUMNS)
    again = uteh.settle_many(rows, ante=4, play=0, trips=2, out=got)
    assert all(getattr(again, name) is out[name] for name in COLUMNS)
    assert again == uteh.settle_many(rows, ante=4, play=0, trips=2)
    assert got != full  # the arrays are the caller's, and have changed
    part = filled(len(rows))
    net = uteh.settle_many(rows, ante=10, play=20, columns=("net",), out=part)
    assert net.columns == ("net",)
    assert net.net is part["net"]
    assert np.array_equal(net.net, full.net)
    del part["net"]
    untouched(part)
    assert uteh.settle_many(rows, ante=10, play=20, columns=("net", "ante"), out=full).columns == ("net", "ante")
    floats = uteh.settle_many(rows, ante=0.5, play=1.5, out=filled(len(rows), float))
    assert floats == uteh.settle_many(rows, ante=0.5, play=1.5)


# Sentences ------------------------------------------------------------------------------------------------------------

FLUSH = "Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c"  # a flush against three kings
BEATEN = FLUSH[1], FLUSH[0], FLUSH[2]
NO_PAIR = "Qc 9c", "Ah 4c", "Kd Jc 8s 5h 3d"  # the dealer has no pair, and is higher
HIGHER = "Ah 4c", "Qc 9c", "Kd Jc 8s 5h 3d"
TIED = "2c 3d", "2d 3h", "As Ks Qd Jc 9h"  # the board's ace high
TIED_TRIPS = "2c 4d", "2d 4h", "As Ah Ad Jc 9h"  # three aces on the board
PAIR = "Ah 4c", "Qc 9c", "Ad Jc 9s 5h 3d"  # a pair of aces beats a pair of nines
TRIPS_BOARD = "2c 4d", "Kc Kd", "As Ah Ad Jc 9h"


@pytest.mark.smoke
def test_the_sentences_of_the_contract():
    assert uteh.settle(*FLUSH, ante=10, play=20).lines[2] == "Blind 10 wins 15: flush pays 3 to 2"
    assert uteh.settle(*NO_PAIR, ante=10, play=10).lines[0] == "Ante 10 pushes: the dealer has no pair"
    assert uteh.settle(*FLUSH, ante=10, play=20, trips=5).lines == (
        "Ante 10 wins 10: flush, A Q 9 7 2 beats three kings, Q 9",
        "Play 20 wins 20: flush, A Q 9 7 2 beats three kings, Q 9",
        "Blind 10 wins 15: flush pays 3 to 2",
        "Trips 5 wins 35: flush pays 7 to 1",
    )


BEAT = {"bad_beat": {"three_of_a_kind": 9, "pair": 0}}
SENTENCES = {  # reason: deal, stakes, rules, bet, how the sentence starts, what else it says
    "even money": (FLUSH, {}, {}, "Ante", "Ante 10 wins 10: ", ["flush, A Q 9 7 2 beats three kings, Q 9"]),
    "play even money": (FLUSH, {}, {}, "Play", "Play 20 wins 20: ", ["flush, A Q 9 7 2 beats three kings, Q 9"]),
    "beaten": (BEATEN, {}, {}, "Ante", "Ante 10 loses: ", ["three kings, Q 9 is beaten by flush, A Q 9 7 2"]),
    "play beaten": (BEATEN, {}, {}, "Play", "Play 20 loses: ", ["is beaten by flush"]),
    "blind beaten": (BEATEN, {}, {}, "Blind", "Blind 10 loses: ", ["is beaten by flush"]),
    "tied": (TIED_TRIPS, {}, {}, "Ante", "Ante 10 pushes: ", ["both have three aces, J 9"]),
    "blind tied": (TIED, {}, {}, "Blind", "Blind 10 pushes: ", ["both have high card, A K Q J 9"]),
    "play tied": (TIED, {}, {}, "Play", "Play 20 pushes: ", ["both have high card, A K Q J 9"]),
    "bad beat tied": (TIED, {"bad_beat": 5}, BEAT, "Bad Beat", "Bad Beat 5 loses: ", ["both have"]),
    "folded": (FLUSH, {"play": 0}, {}, "Ante", "Ante 10 loses: ", ["the hand was folded"]),
    "blind folded": (FLUSH, {"play": 0}, {}, "Blind", "Blind 10 loses: ", ["the hand was folded"]),
    "trips folded": (
        FLUSH,
        {"play": 0, "trips": 5},
        {"trips_on_fold": "lose"},
        "Trips",
        "Trips 5 loses: ",
        ["the hand was folded"],
    ),
    "bad beat folded": (
        FLUSH,
        {"play": 0, "bad_beat": 5},
        BEAT,
        "Bad Beat",
        "Bad Beat 5 loses: ",
        ["the hand was folded"],
    ),
    "unqualified": (NO_PAIR, {}, {}, "Ante", "Ante 10 pushes: ", ["the dealer has no pair"]),
    "unqualified, higher": (HIGHER, {}, {}, "Ante", "Ante 10 pushes: ", ["the dealer has no pair"]),
    "unqualified play": (
        NO_PAIR,
        {},
        {"unqualified_play": "push"},
        "Play",
        "Play 20 pushes: ",
        ["the dealer has no pair"],
    ),
    "less than trips": (
        PAIR,
        {},
        {"qualifier": "three_of_a_kind"},
        "Ante",
        "Ante 10 pushes: ",
        ["the dealer has less than three of a kind"],
    ),
    "less than a flush": (PAIR, {}, {"qualifier": "flush"}, "Ante", "Ante 10 pushes: ", ["less than a flush"]),
    "always": (NO_PAIR, {}, {"unqualified_ante": "always"}, "Ante", "Ante 10 wins 10: ", ["the dealer has no pair"]),
    "always tied": (TIED, {}, {"unqualified_ante": "always"}, "Ante", "Ante 10 wins 10: ", ["the dealer has no pair"]),
    "win_only": (NO_PAIR, {}, {"unqualified_ante": "win_only"}, "Ante", "Ante 10 pushes: ", ["the dealer has no pair"]),
    "win_only, won": (HIGHER, {}, {"unqualified_ante": "win_only"}, "Ante", "Ante 10 wins 10: ", ["A K J 8 5 beats"]),
    "lose_only": (
        HIGHER,
        {},
        {"unqualified_ante": "lose_only"},
        "Ante",
        "Ante 10 pushes: ",
        ["the dealer has no pair"],
    ),
    "lose_only, lost": (NO_PAIR, {}, {"unqualified_ante": "lose_only"}, "Ante", "Ante 10 loses: ", ["is beaten by"]),
    "table pays": (FLUSH, {}, {}, "Blind", "Blind 10 wins 15: ", ["flush pays 3 to 2"]),
    "trips pays": (BEATEN, {"trips": 5}, {}, "Trips", "Trips 5 wins 15: ", ["three of a kind pays 3 to 1"]),
    "trips pays after a fold": (
        FLUSH,
        {"play": 0, "trips": 5},
        {},
        "Trips",
        "Trips 5 wins 35: ",
        ["flush pays 7 to 1"],
    ),
    "no entry": (PAIR, {}, {}, "Blind", "Blind 10 pushes: ", ["a pair is not in the table"]),
    "an entry of nothing": (PAIR, {}, {"blind": {"pair": 0}}, "Blind", "Blind 10 pushes: ", ["a pair is returned"]),
    "trips of nothing": (
        PAIR,
        {"trips": 5},
        {"trips": {"pair": 0}},
        "Trips",
        "Trips 5 pushes: ",
        ["a pair is returned"],
    ),
    "trips lost": (PAIR, {"trips": 5}, {}, "Trips", "Trips 5 loses: ", ["a pair is not in the table"]),
    "trips not won": (
        BEATEN,
        {"trips": 5},
        {"trips_when_not_won": "push"},
        "Trips",
        "Trips 5 pushes: ",
        ["three of a kind pays only when it wins"],
    ),
    "trips tied": (
        TIED_TRIPS,
        {"trips": 5},
        {"trips_when_not_won": "lose"},
        "Trips",
        "Trips 5 pushes: ",
        ["three of a kind pays only when it wins"],
    ),
    "trips not won and lost": (
        BEATEN,
        {"trips": 5},
        {"trips_when_not_won": "lose"},
        "Trips",
        "Trips 5 loses: ",
        ["three of a kind pays only when it wins"],
    ),
    "board pays": (
        TRIPS_BOARD,
        {"play": 0, "trips": 5},
        {"trips_on_fold": "board"},
        "Trips",
        "Trips 5 wins 15: ",
        ["after a fold the board plays", "three of a kind pays 3 to 1"],
    ),
    "board pushes": (
        PAIR,
        {"play": 0, "trips": 5},
        {"trips_on_fold": "board", "trips": {"high_card": 0, "pair": 2}},
        "Trips",
        "Trips 5 pushes: ",
        ["after a fold the board plays", "returned"],
    ),
    "board loses": (
        FLUSH,
        {"play": 0, "trips": 5},
        {"trips_on_fold": "board"},
        "Trips",
        "Trips 5 loses: ",
        ["after a fold the board plays", "high card is not in the table"],
    ),
    "bad beat pays, player": (
        BEATEN,
        {"bad_beat": 5},
        BEAT,
        "Bad Beat",
        "Bad Beat 5 wins 45: ",
        ["the losing hand's three of a kind pays 9 to 1"],
    ),
    "bad beat pays, dealer": (
        FLUSH,
        {"bad_beat": 5},
        BEAT,
        "Bad Beat",
        "Bad Beat 5 wins 45: ",
        ["the losing hand's three of a kind pays 9 to 1"],
    ),
    "bad beat pushes": (
        PAIR,
        {"bad_beat": 5},
        BEAT,
        "Bad Beat",
        "Bad Beat 5 pushes: ",
        ["the losing hand, a pair, is returned"],
    ),
    "bad beat loses": (
        HIGHER,
        {"bad_beat": 5},
        BEAT,
        "Bad Beat",
        "Bad Beat 5 loses: ",
        ["the losing hand, high card, is not in the table"],
    ),
    "both hole cards": (
        TRIPS_BOARD,
        {},
        {"hole_cards": "both"},
        "Ante",
        "Ante 10 loses: ",
        ["three aces, 4 2 is beaten by aces full of kings"],
    ),
}


@pytest.mark.parametrize("reason", SENTENCES)
def test_the_sentence_for_every_reason(reason):
    deal, stakes, fields, bet, start, words = SENTENCES[reason]
    rules = Rules(**fields)
    for kind in (int, Fraction, float):
        given = {name: kind(amount) for name, amount in {"ante": 10, "play": 20, **stakes}.items()}
        line = next(line for line in uteh.settle(*deal, **given, rules=rules).lines if line.startswith(f"{bet} "))
        assert line.startswith(start)
        assert all(word in line for word in words), line
        assert "cap" not in line
        assert "rounded" not in line


@pytest.mark.parametrize(
    ("kind", "ante", "play", "trips", "lines"),
    [
        (int, 2, 4, 1, ["Ante 2 wins 2: ", "Play 4 wins 4: ", "Blind 2 wins 3: ", "Trips 1 wins 7: "]),
        (
            Fraction,
            "5/2",
            "5",
            "1/3",
            ["Ante 2.5 wins 2.5: ", "Play 5 wins 5: ", "Blind 2.5 wins 3.75: ", "Trips 1/3 wins 7/3: "],
        ),
        (
            Decimal,
            "0.50",
            "1.0",
            "0.05",
            ["Ante 0.5 wins 0.5: ", "Play 1 wins 1: ", "Blind 0.5 wins 0.75: ", "Trips 0.05 wins 0.35: "],
        ),
        (
            float,
            "0.5",
            "1",
            "2.5",
            ["Ante 0.5 wins 0.5: ", "Play 1 wins 1: ", "Blind 0.5 wins 0.75: ", "Trips 2.5 wins 17.5: "],
        ),
        (
            float,
            "0.1",
            "0.2",
            "0.3",
            ["Ante 0.1 wins 0.1: ", "Play 0.2 wins 0.2: ", "Blind 0.1 wins 0.15: ", "Trips 0.3 wins 2.1: "],
        ),
        (
            int,
            10**12,
            2 * 10**12,
            0,
            [f"Ante 1{'0' * 12} ", f"Play 2{'0' * 12} ", f"Blind 1{'0' * 12} wins 15{'0' * 11}: "],
        ),
    ],
)
def test_amounts_are_printed_as_people_write_them(kind, ante, play, trips, lines):
    settled = uteh.settle(*FLUSH, ante=kind(ante), play=kind(play), trips=kind(trips))
    assert [line[: len(start)] for line, start in zip(settled.lines, lines, strict=True)] == lines


def test_breakage_and_cap_are_said():
    table = {"blind": {"flush": Fraction(3, 2)}}
    for breakage, wins, words in [("down", 7, "7.5 rounded down"), ("nearest", 8, "7.5 rounded to the nearest chip")]:
        line = uteh.settle(*FLUSH, ante=5, play=10, rules=Rules(**table, breakage=breakage)).lines[2]
        assert line == f"Blind 5 wins {wins}: flush pays 3 to 2, {words}"
        whole = uteh.settle(*FLUSH, ante=4, play=8, rules=Rules(**table, breakage=breakage)).lines[2]
        assert whole == "Blind 4 wins 6: flush pays 3 to 2"
    for cap, blind, ante in [
        (40, "wins 10", "wins 10"),
        (30, "wins nothing", "wins 10"),
        (5, "wins nothing", "wins 5"),
        (0, "wins nothing", "wins nothing"),
    ]:
        for kind in (int, Fraction, float):
            lines = uteh.settle(*FLUSH, ante=kind(10), play=kind(20), payout_cap=kind(cap)).lines
            assert lines[2].startswith(f"Blind 10 {blind}: flush pays 3 to 2")
            assert lines[2].endswith(", cut by the payout cap")
            assert lines[0].startswith(f"Ante 10 {ante}: ")
            assert lines[0].endswith("cap") == (ante != "wins 10")
    lines = uteh.settle(*FLUSH, ante=10, play=20, payout_cap=45).lines
    assert not any("cap" in line for line in lines)


def test_a_win_that_breaks_to_nothing_is_said():
    line = uteh.settle(*FLUSH, ante=1, play=2, rules=Rules(blind={"flush": Fraction(1, 2)}, breakage="down")).lines[2]
    assert re.fullmatch("Blind 1 (pushes|wins nothing): flush pays 1 to 2, 0.5 rounded down", line)


@settings(max_examples=120)
@given(rounds())
def test_one_sentence_for_each_bet_that_is_made(asked):
    hand, stakes, rules = asked
    got = uteh.settle(*hand, **stakes, rules=rules)
    order = rules.losing_order if got.result in (Result.LOSE, Result.FOLD) else rules.wager_order
    made = [bet for bet in order if stakes["ante" if bet == "blind" else bet]]
    assert len(got.lines) == len(made)
    for bet, line in zip(made, got.lines, strict=True):
        name, stake, verb, reason = re.fullmatch(r"(Ante|Blind|Play|Trips|Bad Beat) (\S+) ([^:]+): (.+)", line).groups()
        assert name == SPOKEN[bet]
        assert Fraction(stake) == stakes["ante" if bet == "blind" else bet]
        net = getattr(got, bet)
        cut = reason.endswith(", cut by the payout cap")
        if net > 0:
            assert Fraction(verb.removeprefix("wins ")) == net
        else:
            assert verb == ("loses" if net < 0 else "wins nothing" if cut else "pushes")
            assert net in (0, -stakes["ante" if bet == "blind" else bet])
        free = uteh.settle(*hand, **{**stakes, "payout_cap": None}, rules=rules)
        assert cut == (getattr(free, bet) != net)
        assert "\n" not in line


# Results --------------------------------------------------------------------------------------------------------------


def test_a_settlement_is_a_value():
    given = {"ante": 10, "play": 20, "trips": 5}
    one, same_again = uteh.settle(*FLUSH, **given), uteh.settle(*FLUSH, **given)
    assert one == same_again
    assert hash(one) == hash(same_again)
    assert one != uteh.settle(*FLUSH, **{**given, "trips": 6})
    assert one != uteh.settle(*BEATEN, **given)
    assert one != uteh.settle(*FLUSH, **given, rules=PRESETS["california"])
    assert one != (10, 20)
    assert one.rules is STANDARD
    assert repr(one) == "Settlement(win, net=80, ante=10, blind=15, play=20, trips=35)"
    for kind in (int, Fraction, float):
        for deal in (FLUSH, BEATEN, NO_PAIR):
            settled = uteh.settle(*deal, ante=kind(10), play=kind(10), trips=kind(1), payout_cap=kind(12))
            again = pickle.loads(pickle.dumps(settled))
            assert again == settled
            assert again.lines == settled.lines
            assert [type(getattr(again, name)) for name in MONEY] == [kind] * 6
            assert "\n" not in repr(settled)
    for name in (*COLUMNS, "lines", "rules", "other"):
        with pytest.raises(AttributeError):
            setattr(one, name, 1)
        with pytest.raises(AttributeError):
            delattr(one, name)
    with pytest.raises(AttributeError):
        one.fee  # noqa: B018
    assert one == same_again


def test_settlement_to_dict():
    for kind in (int, Fraction, float):
        settled = uteh.settle(*FLUSH, ante=kind(10), play=kind(20), trips=kind(5))
        data = settled.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert (data["schema"], data["version"]) == ("uteh/1", uteh.__version__)
        assert Rules.from_dict(data["rules"]) == STANDARD
        assert data["lines"] == list(settled.lines)
        assert (data["result"], data["qualifies"]) == ("win", True)
        assert (data["player_strength"], data["dealer_strength"]) == (settled.player_strength, settled.dealer_strength)
        blind = {"fraction": "15", "float": 15.0} if kind is Fraction else 15
        assert data["blind"] == blind
        assert type(data["blind"]) is (dict if kind is Fraction else kind)
    third = uteh.settle(*BEATEN, ante=Fraction(1, 3), play=Fraction(1, 3)).to_dict()
    assert third["ante"] == {"fraction": "-1/3", "float": -1 / 3}


def test_settlements_are_values():
    rows = deals(3, 1_500)
    one, again = (uteh.settle_many(rows, ante=10, play=20, trips=4) for _ in range(2))
    assert one == again
    assert one != uteh.settle_many(rows, ante=10, play=20, trips=2)
    assert one != uteh.settle_many(rows, ante=10.0, play=20.0, trips=4.0)  # floats are another type
    assert one != uteh.settle_many(rows, ante=10, play=20, trips=4, columns=COLUMNS[:9])
    assert one != uteh.settle_many(rows, ante=10, play=20, trips=4, rules=PRESETS["oxford-downs"])
    assert one != 5
    assert len(one) == 1_500
    assert one.columns == COLUMNS
    assert one.rules is STANDARD
    assert repr(one) == f"Settlements(1500 rounds: {', '.join(COLUMNS)})"
    copied = pickle.loads(pickle.dumps(one))
    assert copied == one
    assert copied.columns == one.columns
    with pytest.raises(TypeError):
        hash(one)
    for name in (*COLUMNS, "rules", "other"):
        with pytest.raises(AttributeError, match="frozen"):
            setattr(one, name, 1)
        with pytest.raises(AttributeError):
            delattr(one, name)
    with pytest.raises(AttributeError, match="no attribute 'lines'"):
        one.lines  # noqa: B018
    part = uteh.settle_many(rows, ante=10, play=20, columns=("net", "result"))
    with pytest.raises(AttributeError, match=r"blind was not among the columns asked for \(net, result\)"):
        part.blind  # noqa: B018
    for settled in (part, uteh.settle_many(rows[:3], ante=0.5, play=1.5), uteh.settle_many(rows[:0], ante=1, play=1)):
        data = settled.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert data["schema"] == "uteh/1"
        assert all(data[name] == getattr(settled, name).tolist() for name in settled.columns)
        assert pickle.loads(pickle.dumps(settled)) == settled


# Arrays of every make -------------------------------------------------------------------------------------------------

ROWS = np.array(
    [uteh.parse_cards(" ".join(deal)) for deal in (FLUSH, BEATEN, NO_PAIR, TIED, PAIR, TRIPS_BOARD)], dtype=np.uint8
)
ROWS.flags.writeable = False


def many(cards=ROWS, **given):
    return uteh.settle_many(cards, **given)


def filled(n, money=np.int64):
    """Arrays for all results, holding 77."""
    return {
        name: np.ones(n, dtype=bool) if name == "qualifies" else np.full(n, 77, dtype=DTYPES.get(name, money))
        for name in COLUMNS
    }


def untouched(out):
    for name, values in out.items():
        assert (values == (1 if name == "qualifies" else 77)).all(), name


def test_cards_of_every_make():
    rows = deals(3, 1_500)
    stakes = bets(17, len(rows), STANDARD)
    want = uteh.settle_many(rows, **stakes)
    padded = np.zeros((1_500, 20), dtype=np.uint8)
    padded[:, 1:19:2] = rows
    for cards in (
        np.asfortranarray(rows),
        padded[:, 1:19:2],
        rows.repeat(2, axis=0)[::2],
        rows[::-1].copy()[::-1],
        rows.tolist(),
        *(rows.astype(dtype) for dtype in ("i1", "u2", "i2", ">i2", "i4", ">u4", "i8", ">i8", "u8")),
    ):
        assert uteh.settle_many(cards, **stakes) == want
    assert uteh.settle_many(rows, **stakes, check=False) == want


@pytest.mark.parametrize(
    "dtype",
    ["i1", "u1", "i2", ">i2", "u2", "i4", ">i4", "u4", "i8", ">i8", "u8", ">u8", "f2", "f4", ">f4", "f8", ">f8", "g"],
)
def test_amounts_of_every_make(dtype):
    """Small types hold the stakes but not the winnings: they are widened before anything is multiplied."""
    rows = deals(3, 1_500)
    ante = np.resize(np.arange(2, 32, 2), 1_500)
    play, trips = ante * np.resize([0, 1, 2, 3, 4], 1_500), np.resize([0, 126, 3], 1_500)
    cap = np.resize([100, 127, 0], 1_500)
    plain = {"ante": ante, "play": play, "trips": trips, "payout_cap": cap}
    floats = np.dtype(dtype).kind == "f"
    want = uteh.settle_many(
        rows, **{name: values.astype(float) if floats else values for name, values in plain.items()}
    )
    assert want.net.dtype == (np.float64 if floats else np.int64)
    typed = {name: values.astype(dtype) for name, values in plain.items()}
    spaced = {name: np.repeat(values, 3)[::3] for name, values in typed.items()}
    for values in typed.values():
        values.flags.writeable = False
    assert uteh.settle_many(rows, **typed) == want
    assert uteh.settle_many(rows, **spaced) == want
    assert uteh.settle_many(rows, **{name: values[::-1].copy()[::-1] for name, values in typed.items()}) == want
    if not floats:
        assert uteh.settle_many(rows, **{**typed, "ante": ante.tolist()}) == want
    for scalar in (np.dtype(dtype).type(10), np.array(10, dtype=dtype), np.full(len(rows), 10, dtype=dtype)):
        got = uteh.settle_many(rows, ante=scalar, play=20, trips=scalar)
        assert got == uteh.settle_many(rows, ante=10.0 if floats else 10, play=20, trips=10)
    one = uteh.settle(*FLUSH, ante=np.dtype(dtype).type(100), play=100)
    assert (one.blind, one.net) == (150, 350)
    assert type(one.blind) is (float if floats else int)


def test_one_float_makes_floats_of_all():
    for name in ("ante", "play", "trips", "payout_cap"):
        given = {"ante": 10, "play": 20, "trips": 1, "payout_cap": 99}
        for value in (float(given[name]), np.full(len(ROWS), given[name], dtype=np.float32)):
            got = many(**{**given, name: value})
            assert got.net.dtype == got.blind.dtype == np.float64
            assert np.array_equal(got.net, many(**given).net)


def test_streets_of_every_make():
    rows = deals(3, 1_500)
    stakes = bets(18, len(rows), STANDARD)
    street = stakes.pop("street")
    want = uteh.settle_many(rows, **stakes, street=street)
    for asked in (street.astype(np.int64), street.tolist(), np.repeat(street, 2)[::2], street.astype(">u2")):
        assert uteh.settle_many(rows, **stakes, street=asked) == want
    for asked in (0, np.uint8(0), np.array(0), "preflop"):
        assert uteh.settle_many(rows, ante=10, play=30, street=asked) == uteh.settle_many(rows, ante=10, play=30)
        with pytest.raises(RulesError, match="row 0: play"):
            uteh.settle_many(rows, ante=10, play=20, street=asked)


def test_no_rows_and_one():
    for cards in (np.zeros((0, 9), dtype=np.uint8), np.zeros((0, 9), dtype=np.int64)):
        for asked in ({"ante": 10, "play": 20}, {"ante": [], "play": np.zeros(0), "street": np.zeros(0, np.uint8)}):
            for threads in (1, 2):
                got = uteh.settle_many(cards, **asked, threads=threads)
                assert len(got) == 0
                assert all(getattr(got, name).shape == (0,) for name in COLUMNS)
                assert got.player_strength.dtype == np.uint16
    assert uteh.settle_many(np.zeros((0, 9), np.uint8), ante=10, play=20).net.dtype == np.int64
    for asked in ({"ante": 10, "play": 20}, {"ante": [10], "play": [20], "street": [1]}):
        got = uteh.settle_many(ROWS[:1], **asked)
        assert (got.net.tolist(), got.result.tolist(), got.qualifies.tolist()) == ([45], [1], [True])
    for n in (255, 256, 257, 512, 513):
        assert uteh.settle_many(np.tile(ROWS[0], (n, 1)), ante=10, play=20).net.tolist() == [45] * n


def test_inputs_are_left_alone():
    rows = deals(3, 1_500).copy()
    stakes = bets(19, len(rows), STANDARD)
    before = {name: values.copy() for name, values in stakes.items()}
    uteh.settle_many(rows, **stakes)
    assert np.array_equal(rows, deals(3, 1_500))
    assert all(np.array_equal(stakes[name], before[name]) for name in stakes)


# Refusals -------------------------------------------------------------------------------------------------------------


def refused(error, match, row=None, cards=ROWS, **given):
    """One clear error; whatever type the results would have, nothing is written to them."""
    stakes = {"ante": 10, "play": 20, **given}
    with pytest.raises(error, match=match) as caught:
        uteh.settle_many(cards, **stakes)
    assert type(caught.value) in (error, CardError, RulesError)
    assert getattr(caught.value, "row", None) == row
    assert row is None or str(caught.value).startswith(f"row {row}: ")
    for money, threads in itertools.product((np.int64, np.float64), (1, 2)):
        out = filled(len(cards), money)
        with pytest.raises((TypeError, ValueError)):
            uteh.settle_many(cards, **{"threads": threads, **stakes}, out=out)
        untouched(out)


def with_bad(name, row, *values, dtype=None):
    """Amounts for the rows, with bad ones from a row on."""
    good = {"ante": 10, "blind": 10, "play": 20, "trips": 3, "bad_beat": 2, "payout_cap": 100}[name]
    amounts = [good] * len(ROWS)
    amounts[row : row + len(values)] = values[: len(amounts) - row]
    return np.array(amounts, dtype=dtype) if dtype else amounts


ALL_BETS = Rules(bad_beat={"pair": 2})
GIVEN = ("ante", "play", "blind", "trips", "bad_beat", "payout_cap")


@pytest.mark.smoke
@pytest.mark.parametrize("name", GIVEN)
def test_amounts_that_are_none(name):
    for row in (0, 3, 5):
        for bad in (-1, -(2**62), -(2**63)):
            refused(
                RulesError, f"{name}: {bad} is negative", row, **{name: with_bad(name, row, bad, -7)}, rules=ALL_BETS
            )
        for bad in (math.nan, -math.inf, math.inf, -0.5, -1e-300, -1e300):
            values = with_bad(name, row, bad, -7.0, dtype=float)
            refused(RulesError, f"{name}: ", row, **{name: values}, rules=ALL_BETS)
        for dtype in ("f2", "f4"):
            values = (
                with_bad(name, row, math.nan, math.inf, dtype=dtype)
                if row < 5
                else with_bad(name, 5, math.nan, dtype=dtype)
            )
            refused(RulesError, f"{name}: nan", row, **{name: values}, rules=ALL_BETS)
        for bad in (2**63, 2**64 - 1):
            refused(RulesError, f"{name}: ", row, **{name: with_bad(name, row, bad, dtype=np.uint64)}, rules=ALL_BETS)
            if name != "payout_cap":
                refused(RulesError, f"{name}: ", row, **{name: with_bad(name, row, bad)}, rules=ALL_BETS)
        if name != "payout_cap":
            for bad in (2**62, 2**63 - 1):
                refused(RulesError, f"{name}: {bad}.*large", row, **{name: with_bad(name, row, bad)}, rules=ALL_BETS)
            for bad in (2.0**52 + 1, 1e17, 1e300, 1.7e308):
                refused(RulesError, f"{name}: ", row, **{name: with_bad(name, row, bad, dtype=float)}, rules=ALL_BETS)
    for bad in (-1, math.nan, math.inf, 2**63, -(2**63), np.int8(-1), np.float32("nan"), np.array(-1)):
        refused(RulesError, f"{name}: ", 0, **{name: bad}, rules=ALL_BETS)


@pytest.mark.parametrize("name", GIVEN)
def test_one_round_with_amounts_that_are_none(name):
    too_large = (
        []
        if name == "payout_cap"
        else [2**62, 2**63, 10**400, Fraction(2**62), Fraction(10**40, 3), Decimal("1e30"), 1e17]
    )
    none = [-1, -(2**63), -(10**40), math.nan, -math.inf, math.inf, -0.5, -1e300, Fraction(-1, 3), Decimal(-1)]
    odd = [Decimal("nan"), Decimal("sNaN"), Decimal("inf"), Decimal("-inf"), Decimal("1e5000"), Decimal("1e-5000")]
    for bad in (*too_large, *none, *odd):
        given = {"ante": 10, "play": 20, name: bad}
        with pytest.raises(RulesError, match=f"^{name}: ") as caught:
            uteh.settle(*FLUSH, **given, rules=ALL_BETS)
        assert caught.value.row is None


class Amount:
    """A number to nobody."""


@pytest.mark.parametrize("name", GIVEN)
def test_amounts_of_a_wrong_type(name):
    none = [] if name in ("blind", "payout_cap") else [None]
    alone = [True, np.True_, "10", b"10", Amount(), 1j, np.datetime64(1, "s"), np.timedelta64(1, "s"), {}, *none]
    for bad in (*alone, [10], np.array([10]), (10, 10)):
        with pytest.raises(TypeError, match=f"^{name} must be"):
            uteh.settle(*FLUSH, **{"ante": 10, "play": 20, name: bad})
    kinds = [bool, str, "S2", complex, "datetime64[s]", "timedelta64[s]"]
    arrays = [np.ones(len(ROWS)).astype(kind) for kind in kinds[:4]] + [np.arange(6).astype(kind) for kind in kinds[4:]]
    odd = [
        [10] * 5 + [None],
        [Fraction(10)] * 6,
        [Decimal(10)] * 6,
        [Amount()] * 6,
        Fraction(10),
        Decimal(10),
        np.array("10"),
    ]
    for bad in (*alone, *arrays, *odd):
        refused(TypeError, f"^{name} must ", **{name: bad}, rules=ALL_BETS)


@pytest.mark.parametrize("name", GIVEN)
def test_amounts_of_a_wrong_shape(name):
    n = len(ROWS)
    for shape in [(n, 1), (1, n), (n + 1,), (n - 1,), (0,), (1,), (n, 2), (1, 1), (n, 9)]:
        for bad in (np.full(shape, 10), np.full(shape, 10.0)):
            refused(ValueError, rf"^{name} has the shape {re.escape(str(shape))}", **{name: bad}, rules=ALL_BETS)
    refused(ValueError, f"^{name}", **{name: [10, [10, 10], 10, 10, 10, 10]}, rules=ALL_BETS)


@pytest.mark.parametrize("bad", [10**400, -(10**400)], ids=["huge", "negative"])
@pytest.mark.parametrize("name", GIVEN)
def test_amounts_above_everything(name, bad):
    refused(RulesError, f"{name}: ", 0, **{name: bad}, rules=ALL_BETS)
    refused(RulesError, f"{name}: ", 3, **{name: with_bad(name, 3, bad)}, rules=ALL_BETS)


def test_a_list_of_ints_stays_one():
    """A cap that is too large to matter, or an error, but no floats where no amount is one."""
    try:
        got = many(ante=10, play=20, payout_cap=[30, 30, 30, 30, 30, 2**63])
    except RulesError as error:
        assert error.row == 5  # noqa: PT017
    else:
        assert got.net.dtype == np.int64


@pytest.mark.parametrize("bad", [10**400, Fraction(10**400), -(10**400)], ids=["int", "Fraction", "negative"])
def test_one_amount_above_everything_beside_a_float(bad):
    with pytest.raises(RulesError, match=r"^ante: "):
        uteh.settle(*FLUSH, ante=bad, play=2.0)


@pytest.mark.parametrize(
    ("name", "bad"), [("ante", Fraction(10**5000)), ("payout_cap", -(10**5000))], ids=["ante", "cap"]
)
def test_amounts_of_more_digits_than_python_prints(name, bad):
    with pytest.raises(RulesError, match=f"^{name}: "):
        uteh.settle(*FLUSH, **{"ante": 10, "play": 20, name: bad})


def test_one_round_with_arrays_of_no_dimension():
    assert uteh.settle(*FLUSH, ante=np.array(10), play=20).net == 45
    assert uteh.settle(*FLUSH, ante=np.array(10.0), play=20).net == 45
    for bad in (np.array(True), np.array("10"), np.array(1j)):
        with pytest.raises(TypeError, match=r"^ante must be"):
            uteh.settle(*FLUSH, ante=bad, play=20)


def test_bools_among_objects_are_refused():
    refused(
        TypeError, "^ante must ", ante=np.array([10, 10, True, 10, 10, 10], dtype=object), play=[20, 20, 2, 20, 20, 20]
    )


def test_the_amount_in_the_message_is_the_one_that_was_given():
    bad = with_bad("trips", 2, 2**64 - 1, dtype=np.uint64)
    refused(RulesError, "trips: 18446744073709551615 ", 2, trips=bad, rules=ALL_BETS)


@pytest.mark.parametrize(
    "later",
    [{"trips": with_bad("trips", 4, 2**63, dtype=np.uint64)}, {"street": [1, 1, 1, 1, 7, 1]}],
    ids=["above int64", "street"],
)
def test_the_first_bad_row_is_named_whatever_is_wrong(later):
    refused(ValueError, "play: -1", 1, play=with_bad("play", 1, -1), **later, rules=ALL_BETS)


def test_bets_that_the_rules_forbid():
    for row in (0, 2, 5):
        refused(RulesError, "blind: 11 is not the Ante of 10", row, blind=with_bad("blind", row, 11, 9))
        refused(RulesError, "blind: 10.5 is not the Ante of 10", row, blind=with_bad("blind", row, 10.5, dtype=float))
        for bad in (25, 19, 50, 1):
            refused(
                RulesError, f"play: {bad} on an Ante of 10; the rules allow", row, play=with_bad("play", row, bad, -1)
            )
            refused(RulesError, f"play: {bad} on an Ante", row, play=with_bad("play", row, bad, dtype=float))
        refused(RulesError, "trips: 3 is bet, but the rules have no Trips", 0, trips=3, rules=Rules(trips=None))
        none = [0] * 6
        none[row] = 3
        refused(
            RulesError, "trips: 3 is bet, but the rules have no Trips table", row, trips=none, rules=Rules(trips=None)
        )
        refused(RulesError, "bad_beat: 3 is bet, but the rules have no Bad Beat table", row, bad_beat=none)
        needs = PRESETS["california-bad-beat"]
        trips = with_bad("trips", row, 0)
        refused(RulesError, "bad_beat: 2 is bet, but .* beside a Trips bet", row, bad_beat=2, trips=trips, rules=needs)
        refused(RulesError, "bad_beat: 3 is bet, but .* beside a Trips bet", row, bad_beat=none, rules=needs)
        refused(RulesError, "bad_beat: 0.5 is bet", row, bad_beat=np.array(none) / 6, rules=needs)
        refused(RulesError, "payout_cap: -1 ", row, payout_cap=with_bad("payout_cap", row, -1))
    assert len(many(ante=10, play=20, trips=0, rules=Rules(trips=None))) == 6
    one = functools.partial(uteh.settle, *FLUSH)
    for asked, rules, words in [
        ({"blind": 11}, STANDARD, "^blind: 11 is not the Ante of 10"),
        ({"blind": Fraction(21, 2)}, STANDARD, "^blind: 10.5 is not the Ante of 10"),
        ({"play": Fraction(25)}, STANDARD, "^play: 25 on an Ante of 10"),
        ({"play": 25.0}, STANDARD, "^play: 25 on an Ante of 10"),
        ({"trips": 3}, Rules(trips=None), "^trips: 3 is bet, but the rules have no Trips"),
        ({"bad_beat": 3}, STANDARD, "^bad_beat: 3 is bet, but the rules have no Bad Beat"),
        ({"bad_beat": 3}, PRESETS["california-bad-beat"], "^bad_beat: 3 .* beside a Trips bet"),
        ({"payout_cap": -1}, STANDARD, "^payout_cap: -1 is negative"),
    ]:
        with pytest.raises(RulesError, match=words) as caught:
            one(**{"ante": 10, "play": 20, **asked}, rules=rules)
        assert caught.value.row is None


def test_cards_that_are_none():
    for row, (first, second) in itertools.product((0, 5), itertools.combinations(range(9), 2)):
        bad = ROWS.copy()
        bad[row, second] = bad[row, first]
        card = uteh.format_cards([int(bad[row, first])])
        refused(CardError, f"^row {row}: {card} is given twice, in columns {first} and {second}$", row, cards=bad)
        refused(CardError, f"^row {row}: {card} is given twice", row, cards=bad.astype(np.int64))
    for column in range(9):
        for value in (52, 64, 127, 128, 255):
            bad = ROWS.copy()
            bad[3, column] = value
            refused(CardError, f"^row 3: column {column}: {value} is not a card id", 3, cards=bad)
        for value in (-1, 52, 255, 256, 307, -256, 2**40):
            wide = ROWS.astype(np.int64)
            wide[3, column] = value
            wide[4, 0] = -9
            refused(CardError, f"^row 3: column {column}: {value} is not a card id", 3, cards=wide)
            with pytest.raises(CardError, match="row 3"):
                uteh.settle_many(wide, ante=10, play=20, check=False)
    for shape in [(6, 8), (6, 10), (9,), (6, 9, 1), (9, 6), (0,), (6, 0)]:
        with pytest.raises(ValueError, match=rf"cards has the shape {re.escape(str(shape))}; \(n, 9\) is needed"):
            uteh.settle_many(np.zeros(shape, dtype=np.uint8), ante=10, play=20)
    for cards in (
        ROWS.astype(float),
        ROWS.astype(bool),
        ROWS.astype(object),
        ROWS.astype(str),
        "As" * 9,
        None,
        [["As"] * 9],
    ):
        with pytest.raises(TypeError, match=r"^cards must"):
            uteh.settle_many(cards, ante=10, play=20)
    for deal, words in [
        (("Ah Ah", "Kc Kd", "Qh 9h 2h Ks 3c"), "Ah is given twice in the hole"),
        (("Ah 7h", "Ah Kd", "Qh 9h 2h Ks 3c"), "Ah is given twice: in the hole and in the dealer's hand"),
        (("Ah 7h", "Kc Kd", "Qh 9h 7h Ks 3c"), "7h is given twice: in the hole and on the board"),
        (("Ah 7h", "Kc Kd", "Qh 9h Kc Ks 3c"), "Kc is given twice: .*dealer"),
        (("Ah", "Kc Kd", "Qh 9h 2h Ks 3c"), "hole"),
        (("Ah 7h", "Kc Kd Jd", "Qh 9h 2h Ks 3c"), "dealer"),
        (("Ah 7h", "Kc Kd", "Qh 9h 2h Ks"), "board"),
        (("Ah 7x", "Kc Kd", "Qh 9h 2h Ks 3c"), "7x"),
        (([50, 52], "Kc Kd", "Qh 9h 2h Ks 3c"), "52"),
    ]:
        for ante in (10, 10.0, Fraction(10)):
            with pytest.raises(CardError, match=words):
                uteh.settle(*deal, ante=ante, play=20)


def test_streets_that_are_none():
    for row in (0, 3, 5):
        for bad in (3, 4, 100, 254, -1, 256, 2**40):
            streets = np.full(6, 1)
            streets[row:] = bad
            refused(ValueError, f"street: {bad} is not 0", row, street=streets)
    for bad in ("turn", "", "Flop", "FLOP", "x" * 500):
        refused(ValueError, "^street must be", street=bad)
        with pytest.raises(ValueError, match=r"^street must be"):
            uteh.settle(*FLUSH, ante=10, play=20, street=bad)
    for bad in (np.ones(6), 1.0, True, np.ones(6, bool), ["flop"] * 6, np.ones(6, object), b"flop", 1j):
        refused(TypeError, "^street must ", street=bad)
    for bad in (1, True, 1.0, b"flop", [1], ["flop"]):
        with pytest.raises(TypeError, match=r"^street must be text"):
            uteh.settle(*FLUSH, ante=10, play=20, street=bad)
    for shape in [(6, 1), (7,), (5,), (1,), (0,)]:
        refused(ValueError, rf"^street has the shape {re.escape(str(shape))}", street=np.ones(shape, dtype=np.uint8))


def test_other_arguments_that_are_none():
    for bad in ("standard", None, {}, Rules):
        refused(TypeError, "^rules must be Rules", rules=bad)
        with pytest.raises(TypeError, match=r"^rules must be Rules"):
            uteh.settle(*FLUSH, ante=10, play=20, rules=bad)
    for bad in (1, 0, None, "True", np.True_):
        refused(TypeError, "^check must be a bool", check=bad)
    for bad, error in [(0, ValueError), (-1, ValueError), (True, TypeError), (1.0, TypeError), ("2", TypeError)]:
        refused(error, "^threads must", threads=bad)
    for bad in ("net", 5):
        refused(TypeError, "^columns must be a sequence", columns=bad)
    for bad in (["nets"], ["net", "lines"], [1], [["net"]], [None]):
        refused(ValueError, "^columns: .* is none of", columns=bad)
    for bad in ([], (), ["net", "net"], ["net", "ante", "net"]):
        refused(ValueError, "^columns: each name once, and at least one", columns=bad)
    with pytest.raises(TypeError):
        uteh.settle_many(ROWS, 10, 20)  # amounts are named
    for missing in ("ante", "play"):
        with pytest.raises(TypeError, match=missing):
            uteh.settle_many(ROWS, **({"ante": 10, "play": 20} | {missing: 5}) | {missing: None})


def test_out_that_is_none():
    n = len(ROWS)

    def refused_out(error, match, **changes):
        out = {**filled(n), **changes}
        with pytest.raises(error, match=match):
            uteh.settle_many(ROWS, ante=10, play=20, out=out)
        untouched({name: values for name, values in out.items() if name not in changes})

    for name in COLUMNS:
        dtype = np.dtype(DTYPES.get(name, np.int64))
        other = "int32" if dtype != np.int32 else "int64"
        refused_out(
            TypeError, rf"out.{name} must have the dtype {dtype}, not {other}", **{name: np.zeros(n, dtype=other)}
        )
        refused_out(TypeError, f"out.{name} must be an array, not list", **{name: [0] * n})
        for shape in [(n + 1,), (n - 1,), (n, 1), ()]:
            refused_out(ValueError, rf"out.{name} has the shape", **{name: np.zeros(shape, dtype=dtype)})
        refused_out(ValueError, f"out.{name} must be contiguous", **{name: np.zeros(2 * n, dtype=dtype)[::2]})
        fixed = np.zeros(n, dtype=dtype)
        fixed.flags.writeable = False
        refused_out(ValueError, f"out.{name} is read-only", **{name: fixed})
        lacking = filled(n)
        del lacking[name]
        with pytest.raises(ValueError, match=f"out has no array for {name}"):
            uteh.settle_many(ROWS, ante=10, play=20, out=lacking)
        untouched(lacking)
    refused_out(TypeError, "dtype", net=np.zeros(n, dtype=">i8"))
    for bad in (np.zeros(n), [1], 5, "net"):
        with pytest.raises(TypeError, match=r"^out must be Settlements or a mapping"):
            uteh.settle_many(ROWS, ante=10, play=20, out=bad)
    floats = uteh.settle_many(ROWS, ante=10.0, play=20)
    with pytest.raises(TypeError, match=r"out.ante must have the dtype int64, not float64"):
        uteh.settle_many(ROWS, ante=10, play=20, out=floats)
    with pytest.raises(TypeError, match=r"out.ante must have the dtype float64, not int64"):
        uteh.settle_many(ROWS, ante=10.0, play=20, out=filled(n))
    with pytest.raises(ValueError, match="out has no array for ante"):
        uteh.settle_many(ROWS, ante=10, play=20, out=uteh.settle_many(ROWS, ante=10, play=20, columns=["net"]))


def test_out_that_shares_memory_with_the_input():
    n = len(ROWS)
    cards, street = ROWS.copy(), np.full(n, 1, dtype=np.uint8)
    amounts = {"ante": np.full(n, 10), "play": np.full(n, 20), "trips": np.full(n, 3), "payout_cap": np.full(n, 50)}
    given = {**amounts, "street": street}
    shared = [(values, "net") for values in amounts.values()] + [(values, "blind") for values in amounts.values()]
    shared += [(street.view(bool), "qualifies"), (street.view(np.int8), "result")]
    shared += [(cards.reshape(-1)[7 : 7 + n].view(np.int8), "result"), (cards.reshape(-1)[-n:].view(bool), "qualifies")]
    for array, name in shared:
        with pytest.raises(ValueError, match=f"out.{name} shares memory with the input"):
            uteh.settle_many(cards, **given, out={**filled(n), name: array})
    assert np.array_equal(cards, ROWS)
    assert (street == 1).all()
    assert (amounts["ante"] == 10).all()


def test_out_arrays_that_share_memory_with_each_other():
    shared = np.zeros(len(ROWS), dtype=np.int64)
    with pytest.raises(ValueError, match="shares memory"):
        uteh.settle_many(ROWS, ante=10, play=20, columns=["ante", "net"], out={"ante": shared, "net": shared})


# Large amounts --------------------------------------------------------------------------------------------------------


def largest(accepts):
    """The largest int that passes, between 1 and 2**63."""
    low, high = 1, 2**63
    assert accepts(low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if accepts(middle) else (low, middle)
    return low


STEEP = PayTable(**{c.name.lower(): Fraction(99_999_999, 1000) for c in Category})
WHOLE = PayTable(**{c.name.lower(): 100_000 for c in Category})
FINE = PayTable(**{c.name.lower(): Fraction(1, 997) for c in Category})


@pytest.mark.parametrize(
    "rules",
    [
        Rules(bad_beat={"pair": 7500, "three_of_a_kind": 9}, breakage="down"),
        Rules(blind=STEEP, trips=STEEP, bad_beat=STEEP, breakage="nearest", preflop=(1, 2, 3, 4), river=(1, 2, 3, 4)),
        Rules(blind=WHOLE, trips=WHOLE, bad_beat=WHOLE),
        Rules(blind=FINE, trips=FINE, bad_beat=FINE, breakage="down", preflop=(1, 4), preflop_between=True),
        Rules(blind={}, trips={}, bad_beat={}, preflop=(1, 2, 3, 4), river_min=Fraction(1, 3)),
        Rules(
            river_min=Fraction(999_999, 1_000_000), bad_beat={"flush": 1}, breakage="nearest", unqualified_ante="always"
        ),
    ],
    ids=["usual", "steep", "whole", "fine", "none", "fine minimum"],
)
def test_nothing_wraps_at_the_largest_amounts(rules):
    """The largest accepted amounts give what Python's integers give; one more is refused, in arrays and alone."""
    rows = deals(1, 50_000)[:60]

    def accepts(settle, **amounts):
        def attempt(n):
            given = {name: value(n) for name, value in amounts.items()}
            try:
                settle(**given, rules=rules)
            except RulesError as error:
                assert "large" in str(error) or "exactly" in str(error)  # noqa: PT017
                return False
            return True

        return attempt

    def itself(n):
        return n

    def nothing(n):
        return 0

    def six(n):
        return 6

    one, rows_at_once = functools.partial(uteh.settle, *TIED), functools.partial(uteh.settle_many, ROWS[3:4])
    for shape in (
        {"ante": six, "play": nothing, "trips": itself},
        {"ante": six, "play": nothing, "trips": nothing, "bad_beat": itself},
        {"ante": itself, "play": nothing, "trips": itself, "bad_beat": itself},
        {"ante": itself, "play": itself, "trips": itself, "bad_beat": itself},
        {"ante": itself, "play": lambda n: 2 * n, "trips": itself, "bad_beat": itself},
        {"ante": itself, "play": lambda n: max(rules.preflop) * n, "trips": itself, "bad_beat": itself},
    ):
        top = largest(accepts(rows_at_once, **shape))
        assert top == largest(accepts(one, **shape))
        assert top > 2**20
        for more in (top + 1, 2 * top, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 - 1):
            assert not accepts(one, **shape)(more)
            assert not accepts(rows_at_once, **shape)(more)
            assert not accepts(rows_at_once, **{k: lambda n, f=f: np.full(1, f(n)) for k, f in shape.items()})(more)
        given = {name: value(top) for name, value in shape.items()}
        arrays = {name: np.full(len(rows), value) for name, value in given.items()}
        cap = {"payout_cap": 2**63 - 1}
        at_once = [uteh.settle_many(rows, **amounts, rules=rules) for amounts in (given, arrays, given | cap)]
        for row, cards in enumerate(rows.tolist()):
            hand = cards[:2], cards[2:4], cards[4:]
            want = reference.settle(*hand, **given, rules=rules, chips=True)
            for got in at_once:
                assert {name: int(getattr(got, name)[row]) for name in MONEY} == {name: want[name] for name in MONEY}
            assert nets(uteh.settle(*hand, **given, rules=rules)) == {name: want[name] for name in MONEY}
        small = uteh.settle_many(rows, **given, payout_cap=12_345, rules=rules)
        wins = sum(np.maximum(getattr(small, bet), 0) for bet in BETS)
        assert ((wins <= 12_345) & (wins >= 0)).all()


def test_large_floats_are_exact_in_halves():
    """Amounts in halves up to where a double no longer has them."""
    rows = deals(3, 1_500)[:100]
    for ante in (0.5, 2.0**30 + 0.5, 2.0**38 + 0.5):
        got = uteh.settle_many(rows, ante=ante, play=3 * ante, trips=ante)
        for row, cards in enumerate(rows.tolist()):
            exact = Fraction(ante)
            want = reference.settle(cards[:2], cards[2:4], cards[4:], ante=exact, play=3 * exact, trips=exact)
            assert {name: Fraction(float(getattr(got, name)[row])) for name in MONEY} == {
                name: want[name] for name in MONEY
            }


# Others at work -------------------------------------------------------------------------------------------------------


def test_unchecked_rows_may_hold_anything():
    """No bytes crash the kernels, whatever they say."""
    rows = np.random.default_rng(20).integers(0, 256, size=(100_000, 9), dtype=np.uint8)
    for rules in (PRESETS["board-trips"], PRESETS["auckland"]):
        for cards in (rows, np.repeat(rows[:, :1], 9, axis=1)):
            got = uteh.settle_many(
                cards, ante=10, play=np.resize([0, 20], len(rows)), trips=5, rules=rules, check=False
            )
            assert got.player_strength.max() <= 7462


def test_another_thread_writes_into_cards_and_amounts():
    """Checked once, then read again while they change: any answer will do, a crash will not."""
    rules = uteh.rules.Rules(trips_on_fold="board", bad_beat={"pair": Fraction(7, 3)}, breakage="nearest")
    cards = np.tile(deals(3, 1_500), (40, 1))
    n = len(cards)
    ante = np.full(n, 10)
    shared = {"ante": ante, "blind": ante.copy(), "play": 2 * ante, "trips": ante.copy(), "bad_beat": ante.copy()}
    shared["payout_cap"] = np.full(n, 60)
    floats = {name: values.astype(float) for name, values in shared.items()}
    street = np.full(n, 1, dtype=np.uint8)
    stop = threading.Event()

    def write():
        rng = np.random.default_rng(21)
        while not stop.is_set():
            at = rng.integers(n, size=300)
            kept = cards[at]
            cards[at] = rng.integers(0, 256, size=(300, 9), dtype=np.uint8)
            for name, values in shared.items():
                values[at] = rng.integers(-(2**63), 2**63 - 1, size=300)
                floats[name][at] = rng.standard_normal(300) * 1e300
            street[at] = rng.integers(0, 256, size=300)
            cards[at] = kept
            for name, values in shared.items():
                values[at] = floats[name][at] = {"play": 20, "payout_cap": 60}.get(name, 10)
            street[at] = 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for i in range(150):
            try:
                given = floats if i % 3 == 0 else shared
                uteh.settle_many(cards, **given, street=street, rules=rules, threads=1 + i % 2, check=i % 5 == 0)
            except ValueError as error:
                assert 0 <= error.row < n  # noqa: PT017
    finally:
        stop.set()
        writer.join()


def test_many_threads_settle_at_once():
    """The same rules met first by eight threads, each with its own rows."""
    rules = Rules(blind={"flush": Fraction(5, 3)}, trips={"pair": Fraction(1, 8)}, breakage="nearest")
    rows = deals(3, 1_500)
    answers = []

    def work():
        settled = uteh.settle_many(rows, ante=10, play=20, trips=5, rules=rules)
        alone = [
            uteh.settle(c[:2], c[2:4], c[4:], ante=10, play=20, trips=5, rules=rules).net for c in rows[:200].tolist()
        ]
        answers.append((settled, alone))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(settled == answers[0][0] and alone == settled.net[:200].tolist() for settled, alone in answers)


def test_the_reasons_are_those_of_the_core():
    header = Path(__file__).resolve().parent.parent / "src" / "uteh" / "_core" / "settle.h"
    if not header.is_file():
        pytest.skip("not a checkout or an sdist")
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    names = re.findall(r"UTEH_(\w+)", re.search(r"enum \{([^}]*UTEH_REASONS[^}]*)\}", text)[1])
    assert names[-1] == "REASONS"
    assert names[:-1] == [reason.name for reason in sorted(settlement._Why)]


@pytest.mark.parametrize("path", uteh.cpu_features()["available"])
def test_every_path_settles_the_same(path):
    """Another path is another process; what it settles is compared by its hash."""
    code = """
import hashlib, numpy as np, uteh
rows = uteh.deal_many(20_011, rng=3)
play = np.array([0, 10, 20, 30, 40])[rows[:, 0] % 5]
found = hashlib.sha256()
for rules in (uteh.STANDARD, uteh.Rules.named("board-trips"), uteh.Rules.named("auckland")):
    for n in (0, 1, 31, 32, 33, 255, 256, 257, 20_011):
        for amounts in ({"ante": 10, "trips": 5}, {"ante": np.full(n, 10), "trips": rows[:n, 1] * 2}, {"ante": 10.0}):
            settled = uteh.settle_many(rows[:n], play=play[:n], rules=rules, **amounts)
            for column in settled.columns:
                found.update(np.ascontiguousarray(getattr(settled, column)).tobytes())
print(found.hexdigest())
"""
    hashes = []
    for forced in (path, "portable"):
        environ = {**os.environ, "UTEH_CPU": forced}
        done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, timeout=120)
        assert done.stderr == ""
        hashes.append(done.stdout)
    assert hashes[0] == hashes[1]


def test_results_that_no_cache_holds():
    """So many rows that they are written past the caches: the same as in parts."""
    n = 700_001
    rows = uteh.deal_many(n, rng=4)
    play = np.array([0, 2, 4, 6, 8])[rows[:, 0] % 5]
    whole = uteh.settle_many(rows, ante=2, play=play, trips=4)
    for start in range(0, n, 100_000):
        part = uteh.settle_many(rows[start : start + 100_000], ante=2, play=play[start : start + 100_000], trips=4)
        for column in part.columns:
            assert np.array_equal(getattr(part, column), getattr(whole, column)[start : start + 100_000]), column
    # Places that are no multiples of sixteen bytes.
    for offset in (1, 2, 3):
        room = np.full(n + 4, -9, dtype=np.int64)
        out = {"net": room[offset : offset + n]}
        uteh.settle_many(rows, ante=2, play=play, trips=4, columns=["net"], out=out)
        assert np.array_equal(out["net"], whole.net)
        assert (room[:offset] == -9).all()
        assert (room[offset + n :] == -9).all()
