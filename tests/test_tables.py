"""Tables with a player-dealer: the reference under random rules and both readings, what never changes about money over
ten million tables, every sentence, every refusal, and the order of the deal."""

import functools
import itertools
import pickle
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_table
import test_settlement
from reference import BETS

import uteh
from uteh import STANDARD, CardError, Result, Rules, RulesError, Seat, Wager, deal_table, settle_table, settle_tables

PRESETS = {name: Rules.named(name) for name in Rules.names()}
READINGS = ("net", "gross")
ROW_COLUMNS = (
    *BETS, "net", "returned", "uncovered", "result", "player_strength", "dealer_strength", "qualifies",
)  # fmt: skip
BY_BET = ("returned_by_bet", "uncovered_by_bet")
EXAMPLE = ([Seat("Qc 9c", Wager(10, 40)), Seat("Ks 8d", Wager(20, 80))], "Ah Ad", "Kd 8c 5h 3s 2d")
AMOUNTS = ("ante", "play", "trips", "bad_beat", "fee")


@functools.cache
def decks(seed, n):
    """n shuffled decks, read-only; every second one starts with eights and better, so that hands are strong."""
    rng = np.random.default_rng(seed)
    rows = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)
    high = rng.permuted(np.tile(np.arange(24, 52, dtype=np.uint8), (n, 1)), axis=1)
    low = rng.permuted(np.tile(np.arange(24, dtype=np.uint8), (n, 1)), axis=1)
    rows[::2] = np.hstack([high, low])[::2]
    rows.flags.writeable = False
    return rows


def random_wager(rnd, rules, step=1):
    """Legal bets in chips, of which `step` keeps winnings whole under exact breakage."""
    ante = rnd.randint(1, 12) * step
    multiples = sorted({0, *rules.preflop, *rules.flop, *rules.river})
    trips = rnd.choice([0, 0, rnd.randint(1, 9) * step]) if rules.trips is not None else 0
    bad_beat = rnd.choice([0, rnd.randint(1, 3) * step]) if rules.bad_beat is not None else 0
    if rules.bad_beat_needs_trips and not trips:
        bad_beat = 0
    return {
        "ante": ante,
        "play": ante * rnd.choice(multiples),
        "trips": trips,
        "bad_beat": bad_beat,
        "fee": rnd.choice([0, 0, 1, 3]),
    }


def random_table(rnd, rules, deck, most_wagers=3):
    n = rnd.randint(1, 6)
    deal = deal_table(deck, n, rnd.choice(["shuffler", "shoe", "board_first"]))
    step = test_settlement.unit(rules) if rules.breakage == "exact" else 1
    seats = [
        (hole, [random_wager(rnd, rules, step) for _ in range(rnd.randint(1, most_wagers))]) for hole in deal.holes
    ]
    most = sum(w["ante"] * 6 for _, wagers in seats for w in wagers)
    fund = rnd.choice([None, 0, rnd.randint(1, 30) * step, rnd.randint(1, most), most * 2])
    return seats, deal.dealer, deal.board, fund, rnd.choice([0, 2])


def compare(got, want):
    """A settled table with the reference's."""
    assert got.bank_net == want["bank_net"]
    assert got.fees == want["fees"]
    assert [len(wagers) for wagers in got.seats] == [len(wagers) for wagers in want["seats"]]
    numbers = []
    for mine, theirs in zip(itertools.chain(*got.seats), itertools.chain(*want["seats"]), strict=True):
        assert {bet: getattr(mine, bet) for bet in BETS} == {bet: theirs[bet] for bet in BETS}
        assert mine.net == theirs["net"]
        assert mine.result == theirs["result"]
        assert mine.returned_by_bet == theirs["returned"]
        assert mine.uncovered_by_bet == theirs["uncovered"]
        assert mine.returned == sum(theirs["returned"].values())
        assert mine.uncovered == sum(theirs["uncovered"].values())
        numbers.append((mine, theirs["order"]))
    # The sentences of the whole table come in the order in which the bets were settled.
    spoken = sorted(
        (order[bet], bet, mine)
        for mine, order in numbers
        for bet in BETS
        if mine._stakes[test_settlement.settlement._CORE.index(bet)]
    )
    assert len(got.lines) == len(spoken) + 1
    for line, (_, bet, _) in zip(got.lines, spoken, strict=False):
        assert f": {test_settlement.SPOKEN[bet]} " in line


def test_the_example_of_both_readings():
    net = settle_table(*EXAMPLE, fund=100)
    assert net.bank_net == -40
    assert [[wager.net for wager in wagers] for wagers in net.seats] == [[-60], [100]]
    gross = settle_table(*EXAMPLE, fund=100, rules=replace(STANDARD, fund_reading="gross"))
    ((first,), (second,)) = gross.seats
    assert (first.net, second.ante, second.play, second.uncovered, second.returned) == (-60, 20, 20, 60, 20)
    assert gross.bank_net == 20


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", PRESETS)
def test_presets_against_the_reference(name, reading):
    rules = replace(PRESETS[name], fund_reading=reading)
    rnd = random.Random(f"{name} {reading}")
    for deck in decks(1, 20).tolist():
        seats, dealer, board, fund, bank_fee = random_table(rnd, rules, deck)
        got = settle_table(
            [Seat(hole, [Wager(**w) for w in wagers]) for hole, wagers in seats],
            dealer, board, fund=fund, bank_fee=bank_fee, rules=rules,
        )  # fmt: skip
        compare(got, reference_table.settle_table(
            seats, dealer, board, fund=fund, bank_fee=bank_fee, rules=rules, chips=True
        ))  # fmt: skip


@pytest.mark.parametrize("i", range(0, len(test_settlement.CROSSED), 3))
def test_random_rules_against_the_reference(i):
    rules = replace(test_settlement.CROSSED[i], breakage="nearest")
    rnd = random.Random(i)
    for deck in decks(2, 10).tolist():
        seats, dealer, board, fund, bank_fee = random_table(rnd, rules, deck)
        got = settle_table(
            [{"hole": hole, "wagers": wagers} for hole, wagers in seats],
            dealer, board, fund=fund, bank_fee=bank_fee, rules=rules,
        )  # fmt: skip
        compare(got, reference_table.settle_table(
            seats, dealer, board, fund=fund, bank_fee=bank_fee, rules=rules, chips=True
        ))  # fmt: skip


@pytest.mark.parametrize("kind", [Fraction, Decimal, float])
def test_other_kinds_of_amounts(kind):
    """Quarters, which fractions, decimals and floats have exactly; a flush makes eighths of them."""
    rnd = random.Random(3)
    for deck in decks(3, 24).tolist():
        rules = replace(rnd.choice(list(PRESETS.values())), fund_reading=rnd.choice(READINGS))
        seats, dealer, board, fund, bank_fee = random_table(rnd, rules, deck)

        def quarter(amount):
            return None if amount is None else kind(amount) / 4

        given = [(hole, [{name: quarter(w[name]) for name in w} for w in wagers]) for hole, wagers in seats]
        got = settle_table(
            [Seat(hole, [Wager(**w) for w in wagers]) for hole, wagers in given],
            dealer, board, fund=quarter(fund), bank_fee=quarter(bank_fee), rules=rules,
        )  # fmt: skip
        assert type(got.bank_net) is (float if kind is float else Fraction)
        compare(got, reference_table.settle_table(
            given, dealer, board, fund=quarter(fund), bank_fee=quarter(bank_fee), rules=rules
        ))  # fmt: skip


# Arrays ---------------------------------------------------------------------------------------------------------------


def arrays(seed, t, s, rules, most_fund=400):
    """Tables of s seats as arrays of legal bets."""
    rng = np.random.default_rng(seed)
    cards = decks(seed, t)
    step = test_settlement.unit(rules) if rules.breakage == "exact" else 1
    ante = rng.integers(1, 13, (t, s)) * step
    multiples = np.array(sorted({0, *rules.preflop, *rules.flop, *rules.river}))
    trips = rng.integers(0, 5, (t, s)) * step if rules.trips is not None else 0
    bad_beat = rng.integers(0, 3, (t, s)) * step * (trips > 0) if rules.bad_beat is not None else 0
    return {
        "holes": np.ascontiguousarray(cards[:, : 2 * s]).reshape(t, s, 2),
        "dealers": cards[:, 2 * s : 2 * s + 2],
        "boards": cards[:, 2 * s + 2 : 2 * s + 7],
        "ante": ante,
        "play": ante * rng.choice(multiples, (t, s)),
        "trips": trips,
        "bad_beat": bad_beat,
        "fee": rng.integers(0, 3, (t, s)),
        "fund": rng.integers(0, most_fund, t) * step,
        "bank_fee": rng.integers(0, 4, t),
    }


def one_by_one(given, rules, row, seated=None):
    """The table of a row by `settle_table`."""

    def amount(name, seat):
        value = given.get(name, 0)
        return value if np.ndim(value) == 0 else value[row, seat].item()

    here = [s for s in range(given["holes"].shape[1]) if seated is None or seated[row, s]]
    seats = [Seat(given["holes"][row, s].tolist(), Wager(**{name: amount(name, s) for name in AMOUNTS})) for s in here]
    table = settle_table(
        seats, given["dealers"][row].tolist(), given["boards"][row].tolist(),
        fund=given["fund"][row].item(), bank_fee=given["bank_fee"][row].item(), rules=rules,
    )  # fmt: skip
    return here, table


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", PRESETS)
def test_arrays_are_tables_one_by_one(name, reading):
    rules = replace(PRESETS[name], fund_reading=reading)
    given = arrays(4, 40, 1 + len(name) % 7, rules)
    many = settle_tables(**given, rules=rules, columns=uteh.tables._COLUMNS)
    for row in range(len(many)):
        here, table = one_by_one(given, rules, row)
        assert many.bank_net[row] == table.bank_net
        assert many.fees[row] == table.fees
        for s, (wager,) in zip(here, table.seats, strict=True):
            assert [getattr(many, column)[row, s] for column in ROW_COLUMNS] == [
                getattr(wager, column) for column in ROW_COLUMNS
            ]
            for column in BY_BET:
                assert getattr(many, column)[row, s].tolist() == list(getattr(wager, column).values())


def test_floats_are_halves_of_chips():
    rules = replace(STANDARD, fund_reading="gross")
    given = arrays(5, 200, 4, rules)
    whole = settle_tables(**given, rules=rules)
    names = (*AMOUNTS, "fund", "bank_fee")
    half = settle_tables(**{k: v / 2 if k in names else v for k, v in given.items()}, rules=rules)
    for column in whole.columns:
        mine, theirs = getattr(half, column), getattr(whole, column)
        money = theirs.dtype == np.int64
        assert mine.dtype == (np.float64 if money else theirs.dtype)
        assert np.array_equal(mine * 2 if money else mine, theirs)


def test_empty_seats():
    """What stands in a seat in which nobody sits is not looked at, be it a card that is dealt elsewhere."""
    given = arrays(6, 100, 5, STANDARD)
    seated = np.random.default_rng(6).random((100, 5)) < 0.6
    seated[0] = False
    full = {**given, "holes": np.where(seated[:, :, None], given["holes"], given["boards"][:, None, :2])}
    for name in AMOUNTS[:-1]:
        full[name] = np.where(seated, given[name], -7) if np.ndim(given[name]) else given[name]
    many = settle_tables(**full, seated=seated)
    wide = {**full, "holes": np.where(seated[:, :, None], full["holes"].astype(np.int64), -1)}
    assert settle_tables(**wide, seated=seated) == many
    assert (many.result[~seated] == -128).all()
    for column in (*BETS, "net", "returned", "uncovered", "player_strength"):
        assert not getattr(many, column)[~seated].any()
    assert many.bank_net[0] == -given["bank_fee"][0]
    for row in range(1, 100):
        if not seated[row].any():
            continue
        here, table = one_by_one(full, STANDARD, row, seated)
        assert many.bank_net[row] == table.bank_net
        assert [many.net[row, s] for s in here] == [wager.net for (wager,) in table.seats]
    assert np.array_equal(many.fees, np.where(seated, given["fee"], 0).sum(axis=1) + given["bank_fee"])


def test_threads_rows_and_columns_change_nothing():
    given = arrays(7, 3000, 3, STANDARD)
    many = settle_tables(**given)
    assert settle_tables(**given, threads=3, check=False) == many
    order = np.random.default_rng(7).permutation(3000)
    shuffled = settle_tables(**{k: v[order] if np.ndim(v) else v for k, v in given.items()})
    for column in many.columns:
        assert np.array_equal(getattr(shuffled, column), getattr(many, column)[order])
        alone = settle_tables(**given, columns=[column])
        assert alone.columns == (column,)
        assert np.array_equal(getattr(alone, column), getattr(many, column))
    out = settle_tables(**given)
    for array in out._arrays.values():
        array[...] = 1
    again = settle_tables(**given, out=out)
    assert again == many
    assert all(again._arrays[name] is out._arrays[name] for name in again.columns)


def test_one_amount_for_all():
    given = arrays(8, 50, 3, STANDARD)
    given |= {"ante": 10, "play": 20, "trips": 5, "fee": 1, "fund": np.full(50, 60), "bank_fee": np.full(50, 2)}
    spread = {name: np.full((50, 3), given[name]) for name in ("ante", "play", "trips", "fee")}
    assert settle_tables(**{**given, "fund": 60, "bank_fee": 2}) == settle_tables(**{**given, **spread})
    assert settle_tables(**{**given, "fund": None}) == settle_tables(**{**given, "fund": 10**9})
    assert settle_tables(**{**given, "fund": None, "ante": 10.0}) == settle_tables(
        **{**given, "fund": np.inf, "ante": 10.0}
    )


def test_no_tables():
    nothing = {name: array[:0] if np.ndim(array) else array for name, array in arrays(9, 1, 2, STANDARD).items()}
    many = settle_tables(**nothing)
    assert len(many) == 0
    assert many.net.shape == (0, 2)


def test_many_wagers_on_one_hand():
    """More than a block of the core: all are settled against one fund, in the order given."""
    wagers = [Wager(2, 8 * (i % 3 > 0)) for i in range(700)]
    table = settle_table([Seat("Ks 8d", wagers), Seat("Qc 9c", Wager(10, 40))], *EXAMPLE[1:], fund=1001)
    want = reference_table.settle_table(
        [("Ks 8d", [{"ante": w.ante, "play": w.play} for w in wagers]), ("Qc 9c", [{"ante": 10, "play": 40}])],
        *EXAMPLE[1:], fund=1001,
    )  # fmt: skip
    compare(table, want)


# What never changes ---------------------------------------------------------------------------------------------------


def check_money(given, many, rules, full=True):
    """The invariants on every row of `many`, which has every column; `full` compares with full cover, too."""
    stakes = np.stack(
        [np.broadcast_to(given[name], many.net.shape) for name in ("ante", "ante", "play", "trips", "bad_beat")], axis=2
    )
    nets = np.stack([getattr(many, bet) for bet in BETS], axis=2)
    back, gone = many.returned_by_bet, many.uncovered_by_bet
    assert np.array_equal(many.net.sum(axis=1) + many.bank_net + many.fees, np.zeros(len(many), dtype=np.int64))
    assert np.array_equal(nets.sum(axis=2) - given["fee"], many.net)
    assert np.array_equal(back.sum(axis=2), many.returned)
    assert np.array_equal(gone.sum(axis=2), many.uncovered)
    # What had action and what went back are the stake: a loss has the action that was collected, everything else that
    # is settled has all of it, and what came too late has none.
    assert ((back >= 0) & (back <= stakes)).all()
    assert np.array_equal((back + -nets)[(nets < 0)], stakes[nets < 0])
    assert not back[nets > 0].any()
    partly = (nets == 0) & (back > 0)
    assert np.array_equal(back[partly], stakes[partly])
    # The player-dealer keeps within the fund.
    fund = given["fund"]
    moved = -nets.sum(axis=(1, 2))
    assert (np.abs(moved) <= fund).all()
    if rules.fund_reading == "gross":
        assert (np.abs(nets).sum(axis=(1, 2)) <= fund).all()
    if not full:
        return None
    # Under full cover, all that is due.
    covered = settle_tables(**{**given, "fund": None}, rules=rules, columns=BETS)
    due = np.stack([getattr(covered, bet) for bet in BETS], axis=2)
    assert np.array_equal(np.abs(due), np.abs(nets) + gone)
    assert (nets * due >= 0).all()
    enough = np.abs(due).sum(axis=(1, 2)) < fund
    assert not back[enough].any()
    assert not gone[enough].any()
    return partly.any(axis=(1, 2)).sum(), enough.sum()


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", PRESETS)
def test_money_neither_comes_nor_goes(name, reading):
    rules = replace(PRESETS[name], fund_reading=reading)
    given = arrays(10, 2000, 4, rules)
    short, enough = check_money(given, settle_tables(**given, rules=rules, columns=uteh.tables._COLUMNS), rules)
    assert short > 100
    assert enough > 100


@pytest.mark.exhaustive
def test_money_neither_comes_nor_goes_over_ten_million_tables():
    """All presets, both readings: 26 times 400,000 tables of two seats, with other bets and funds each time."""
    tables = 0
    for i, (name, reading) in enumerate(itertools.product(PRESETS, READINGS)):
        rules = replace(PRESETS[name], fund_reading=reading)
        for part in range(4):
            given = arrays(100 + part, 100_000, 2, rules, most_fund=150)
            rng = np.random.default_rng([i, part])
            order = rng.permutation(100_000)
            for place in ("holes", "dealers", "boards"):
                given[place] = given[place][order]
            given["fund"] = rng.permutation(given["fund"])
            many = settle_tables(**given, rules=rules, columns=uteh.tables._COLUMNS, check=False)
            check_money(given, many, rules, full=False)
            tables += 100_000
    assert tables >= 10_000_000


# Sentences ------------------------------------------------------------------------------------------------------------


def test_sentences_say_who_was_paid_from_what():
    gross = replace(STANDARD, fund_reading="gross")
    assert settle_table(*EXAMPLE, fund=100, bank_fee=1, rules=gross).lines == (
        "Seat 1: Ante 10 loses: high card, K Q 9 8 5 is beaten by pair of aces, K 8 5",
        "Seat 1: Play 40 loses: high card, K Q 9 8 5 is beaten by pair of aces, K 8 5",
        "Seat 1: Blind 10 loses: high card, K Q 9 8 5 is beaten by pair of aces, K 8 5",
        "Seat 2: Ante 20 wins 20: two pair, kings and eights, 5 beats pair of aces, K 8 5; paid out of 40",
        "Seat 2: Play 80 wins 20 of 80: two pair, kings and eights, 5 beats pair of aces, K 8 5; the player-dealer had "
        "20 left to pay, 60 is not covered",
        "Seat 2: Blind 20 has no action and is returned: the player-dealer's fund is used up",
        "Player-dealer wins 20 with a fund of 100, and 19 after a fee of 1",
    )
    seats = [Seat("Ks 8d", [Wager(20, 80), Wager(5, 0)]), Seat("Kh 9s", Wager(10, 40, trips=5))]
    table = settle_table(seats, "Qc Qd", "Kd 8c 5h 3s 2d", fund=17)
    assert table.lines == (
        "Seat 1, wager 2: Ante 5 loses: the hand was folded",
        "Seat 1, wager 2: Blind 5 loses: the hand was folded",
        "Seat 1, wager 1: Ante 20 wins 20: two pair, kings and eights, 5 beats pair of queens, K 8 5; paid out of 27",
        "Seat 1, wager 1: Play 80 wins 7 of 80: two pair, kings and eights, 5 beats pair of queens, K 8 5; the "
        "player-dealer had 7 left to pay, 73 is not covered",
        "Seat 1, wager 1: Blind 20 has no action and is returned: the player-dealer's fund is used up",
        "Seat 2: Ante 10 has no action and is returned: the player-dealer's fund is used up; it would have won 10",
        "Seat 2: Play 40 has no action and is returned: the player-dealer's fund is used up; it would have won 40",
        "Seat 2: Blind 10 has no action and is returned: the player-dealer's fund is used up",
        "Seat 2: Trips 5 has no action and is returned: the player-dealer's fund is used up; it would have lost",
        "Player-dealer loses 17 with a fund of 17",
    )
    table = settle_table([EXAMPLE[0][0]], *EXAMPLE[1:], fund=15)
    assert table.seats[0][0].lines[1:] == (
        "Play 40 loses 5 and 35 is returned: high card, K Q 9 8 5 is beaten by pair of aces, K 8 5; the player-dealer "
        "had 5 left to win",
        "Blind 10 has no action and is returned: the player-dealer's fund is used up; it would have lost",
    )
    assert table.lines[-1] == "Player-dealer wins 15 with a fund of 15"
    assert (
        settle_table([Seat("7c 2d", Wager(10, 10))], "9s 9c", "Ah Kh Qh Jh Th").lines[-1] == "Player-dealer breaks even"
    )


def test_without_a_fund_the_sentences_are_those_of_settle():
    table = settle_table(*EXAMPLE)
    for seat, (wager,) in zip(EXAMPLE[0], table.seats, strict=True):
        alone = uteh.settle(seat.hole, *EXAMPLE[1:], ante=seat.wagers.ante, play=seat.wagers.play)
        assert wager.lines == alone.lines
        assert (wager.net, wager.result, wager.qualifies) == (alone.net, alone.result, alone.qualifies)


# Results --------------------------------------------------------------------------------------------------------------


def test_results_are_values():
    table = settle_table(*EXAMPLE, fund=100, bank_fee=1)
    again = settle_table(*EXAMPLE, fund=100, bank_fee=1)
    assert table == again
    assert hash(table) == hash(again)
    assert pickle.loads(pickle.dumps(table)) == table
    assert table != settle_table(*EXAMPLE, fund=99, bank_fee=1)
    assert "\n" not in repr(table) + repr(table.seats[0][0])
    assert isinstance(table.seats[0][0], uteh.Settlement)
    with pytest.raises(AttributeError, match="frozen"):
        table.bank_net = 3
    data = table.to_dict()
    assert data["schema"] == "uteh/1"
    assert (data["bank_net"], data["fees"], data["fund"]) == (-41, 1, 100)
    assert data["seats"][1][0]["net"] == 100
    assert data["rules"] == STANDARD.to_dict()
    assert table.seats[1][0].to_dict()["uncovered_by_bet"]["play"] == 0
    half = settle_table(*EXAMPLE, fund=Fraction(1, 2))
    assert half.to_dict()["bank_net"] == {"fraction": "1/2", "float": 0.5}
    assert pickle.loads(pickle.dumps(Seat("AsKs", Wager(1, 4)))) == Seat("AsKs", Wager(1, 4))
    many = settle_tables(**arrays(11, 3, 2, STANDARD))
    assert pickle.loads(pickle.dumps(many)) == many
    assert repr(many).startswith("TableSettlements(3 tables: ante, ")
    assert many.to_dict()["net"] == many.net.tolist()
    with pytest.raises(AttributeError, match="returned_by_bet was not among the columns"):
        _ = many.returned_by_bet


def test_streets_seat_by_seat():
    seats = [Seat("Qc 9c", Wager(10, 40)), Seat("Ks 8d", Wager(20, 20))]
    settle_table(seats, *EXAMPLE[1:], street=["preflop", "river"])
    with pytest.raises(RulesError, match=r"^seats\[1\]: play: 20 on an Ante of 20; the rules allow 3x or 4x before"):
        settle_table(seats, *EXAMPLE[1:], street="preflop")
    settle_table(seats, *EXAMPLE[1:], street=["preflop", None])


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"seats": [Seat("Qc 9c", Wager(10, 25))]}, RulesError, r"seats\[0\]: play: 25 on an Ante of 10"),
        (
            {"seats": [Seat("Qc 9c", [Wager(10, 40), Wager(10, 40, blind=5)])]},
            RulesError,
            r"seats\[0\]\.wagers\[1\]: blind: 5 is not the Ante of 10",
        ),
        ({"seats": [Seat("Qc 9c", Wager(10, 40, fee=-1))]}, RulesError, r"seats\[0\]: fee: -1 is negative"),
        ({"seats": [Seat("Qc 9c", Wager(10, 40, bad_beat=1))]}, RulesError, r"seats\[0\]: bad_beat: 1 is bet, but"),
        ({"seats": [Seat("Qc 9c", Wager("10", 40))]}, TypeError, r"seats\[0\]: ante must be an int"),
        ({"seats": [Seat("Qc 9c", 10)]}, TypeError, r"seats\[0\]\.wagers must be a Wager or a sequence"),
        ({"seats": [Seat("Qc 9c", [10])]}, TypeError, r"seats\[0\]\.wagers\[0\] must be a Wager or a mapping"),
        ({"seats": [Seat("Qc 9c", [])]}, ValueError, r"seats\[0\]\.wagers: there is none"),
        ({"seats": [{"hole": "Qc 9c"}]}, ValueError, r"seats\[0\]: wagers is missing"),
        ({"seats": [{"hole": "Qc 9c", "wagers": {"ante": 1}}]}, ValueError, r"seats\[0\]: play is missing"),
        ({"seats": [{"hole": "Qc 9c", "bet": 3, "wagers": []}]}, ValueError, r"seats\[0\]: 'bet' is none of hole"),
        ({"seats": []}, ValueError, "seats: there is none"),
        ({"seats": Seat("Qc 9c", Wager(10, 40))}, TypeError, "seats must be a sequence of Seats"),
        ({"seats": [("Qc 9c", Wager(10, 40))]}, TypeError, r"seats\[0\] must be a Seat or a mapping"),
        ({"seats": [Seat("Qc 9x", Wager(10, 40))]}, CardError, r"seats\[0\]\.hole: '9x' is not a card"),
        ({"seats": [Seat("Qc", Wager(10, 40))]}, CardError, r"seats\[0\]\.hole: 1 cards given, 2 needed"),
        ({"dealer": "Ah Kd"}, CardError, "Kd is given twice: in dealer and in board"),
        (
            {"seats": [Seat("Qc 9c", Wager(10, 40)), Seat("9c 9d", Wager(10, 40))]},
            CardError,
            r"9c is given twice: in seats\[0\]\.hole and in seats\[1\]\.hole",
        ),
        ({"board": "Kd 8c 5h 3s"}, CardError, "board: 4 cards given, 5 needed"),
        ({"fund": -1}, RulesError, "fund: -1 is negative"),
        ({"fund": float("nan")}, RulesError, "fund: nan is no amount"),
        ({"fund": "100"}, TypeError, "fund must be an int"),
        ({"bank_fee": Decimal(-1)}, RulesError, "bank_fee: -1 is negative"),
        ({"rules": "standard"}, TypeError, "rules must be Rules"),
        ({"street": ["river"]}, ValueError, "street: 1 are given for 2 seats"),
        ({"street": ["river", "turn"]}, ValueError, "street must be"),
        ({"street": 3}, TypeError, "street must be text"),
        ({"seats": [Seat("Qc 9c", Wager(2**58, 2**60))]}, RulesError, r"seats\[0\]: ante: \d+ is too large"),
        (
            {"seats": [Seat("Qc 9c", [Wager(2**47, 2**49)] * 8000)], "fund": 1},
            RulesError,
            "the amounts of this table are too large",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_table_is_named(change, error, message):
    given = {"seats": EXAMPLE[0], "dealer": EXAMPLE[1], "board": EXAMPLE[2], "fund": 100, **change}
    with pytest.raises(error, match=f"^{message}"):
        settle_table(given.pop("seats"), given.pop("dealer"), given.pop("board"), **given)


def changed(given, **cells):
    """The arrays with some cells set: name=(place, value)."""
    new = {name: np.array(value) for name, value in given.items()}
    for name, (place, value) in cells.items():
        new[name][place] = value
    return new


@pytest.mark.parametrize(
    ("cells", "error", "message"),
    [
        ({"play": ((7, 2), 1)}, RulesError, r"row 7: seat 2: play: 1 on an Ante of \d+; the rules allow"),
        ({"ante": ((7, 1), -1)}, RulesError, "row 7: seat 1: ante: -1 is negative"),
        ({"trips": ((7, 1), 1 << 58)}, RulesError, r"row 7: seat 1: trips: \d+ is too large to be settled exactly"),
        ({"fee": ((7, 1), -2)}, RulesError, "row 7: seat 1: fee: -2 is negative"),
        ({"fee": ((7, 1), 1 << 60)}, RulesError, r"row 7: seat 1: fee: \d+ is too large"),
        ({"fund": (7, -2)}, RulesError, "row 7: fund: -2 is negative"),
        ({"bank_fee": (7, -2)}, RulesError, "row 7: bank_fee: -2 is negative"),
        ({"holes": ((7, 1, 0), 60)}, CardError, "row 7: seat 1: 60 is not a card id"),
        ({"boards": ((7, 4), 99)}, CardError, "row 7: the board: 99 is not a card id"),
    ],
)
def test_what_is_wrong_with_a_row_is_named(cells, error, message):
    given = arrays(12, 30, 3, STANDARD)
    for threads in (1, 2):
        with pytest.raises(error, match=f"^{message}") as caught:
            settle_tables(**changed(given, **cells), threads=threads)
        assert caught.value.row == 7
    # The first of several rows is the one.
    with pytest.raises(error, match=f"^{message}"):
        settle_tables(**changed(changed(given, **cells), ante=((20, 0), -1)))


def test_repeats_across_a_table_are_named():
    given = arrays(12, 30, 3, STANDARD)
    hole = given["holes"][7, 0, 1]
    name = uteh.format_cards([int(hole)])
    for place, at, words in (
        ("holes", (7, 2, 0), "in seat 0 and in seat 2"),
        ("boards", (7, 3), "in the board and in seat 0"),
        ("dealers", (7, 1), "in the player-dealer's hand and in seat 0"),
    ):
        with pytest.raises(CardError, match=f"^row 7: {name} is given twice: {words}$") as caught:
            settle_tables(**changed(given, **{place: (at, hole)}))
        assert caught.value.row == 7
        settle_tables(**changed(given, **{place: (at, hole)}), check=False)
    with pytest.raises(CardError, match=r"^row 7: seat 1: -1 is not a card id"):
        settle_tables(**{**given, "holes": changed({"h": given["holes"].astype(int)}, h=((7, 1, 1), -1))["h"]})


def test_winnings_that_are_no_whole_chip():
    """A flush pays 3 to 2 on an odd Blind."""
    holes = uteh.parse_many(["QcQs", "Ah7h"]).reshape(1, 2, 2)
    given = {"holes": holes, "dealers": uteh.parse_many(["KcKd"]), "boards": uteh.parse_many(["Qh9h2hKs3c"])}
    with pytest.raises(RulesError, match=r"^row 0: seat 1: blind: the winnings of 5 are no whole chip") as caught:
        settle_tables(**given, ante=5, play=10)
    assert caught.value.row == 0
    down = settle_tables(**given, ante=5, play=10, rules=replace(STANDARD, breakage="down"))
    assert down.blind.tolist() == [[-5, 7]]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"holes": np.zeros((30, 3), np.uint8)}, ValueError, r"holes has the shape \(30, 3\); \(t, s, 2\) is needed"),
        ({"holes": np.zeros((30, 0, 2), np.uint8)}, ValueError, "holes has the shape"),
        ({"holes": np.zeros((30, 23, 2), np.uint8)}, ValueError, "holes: 23 seats"),
        ({"holes": np.zeros((30, 3, 2))}, TypeError, "holes must hold integers"),
        ({"boards": np.zeros((30, 4), np.uint8)}, ValueError, r"boards has the shape \(30, 4\); \(30, 5\) is needed"),
        ({"ante": np.ones(30, int)}, ValueError, r"ante has the shape \(30,\); \(30, 3\) is needed, or one number"),
        ({"ante": [[1, 2], [3]]}, ValueError, "ante: "),
        ({"ante": "10"}, TypeError, "ante must be a number"),
        ({"fund": np.ones((30, 3), int)}, ValueError, r"fund has the shape \(30, 3\); \(30,\) is needed"),
        ({"seated": np.ones((30, 3), int)}, TypeError, "seated must hold bools"),
        ({"seated": np.ones((30,), bool)}, ValueError, "seated has the shape"),
        ({"street": np.zeros(30, int)}, ValueError, "street has the shape"),
        ({"street": np.full((30, 3), 7)}, RulesError, "row 0: seat 0: street: 7 is not 0"),
        ({"columns": ["profit"]}, ValueError, "columns: 'profit' is none of ante"),
        ({"columns": ["net", "net"]}, ValueError, "columns: each name once"),
        ({"columns": "net"}, TypeError, "columns must be a sequence"),
        ({"out": 3}, TypeError, "out must be TableSettlements"),
        ({"out": {}}, ValueError, "out has no array for ante"),
        ({"check": 1}, TypeError, "check must be a bool"),
        ({"rules": None}, TypeError, "rules must be Rules"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
    ],
)
def test_what_is_wrong_with_the_arrays_is_named(change, error, message):
    with pytest.raises(error, match=f"^{message}"):
        settle_tables(**{**arrays(12, 30, 3, STANDARD), **change})


def test_the_largest_amounts_that_pass_do_not_wrap():
    """At the limit of a table of 22 seats every win is exact, against Python's own integers."""
    rules = replace(STANDARD, blind="500/50/10/3/1/1")
    deck = decks(13, 400)[1::2]
    t, s = len(deck), 22
    _, limit = test_settlement.settlement._cells(rules)
    ante = limit // s // 4
    given = {
        "holes": np.ascontiguousarray(deck[:, :44]).reshape(t, s, 2),
        "dealers": deck[:, 44:46], "boards": deck[:, 46:51],
        "ante": np.full((t, s), ante), "play": np.full((t, s), 4 * ante), "trips": np.full((t, s), limit // s),
    }  # fmt: skip
    many = settle_tables(**given, fund=np.full(t, 2**63 - 1), rules=rules)
    for row in range(0, t, 10):
        want = 0
        for seat in range(s):
            cards = (given["holes"][row, seat], given["dealers"][row], given["boards"][row])
            alone = reference.settle(*cards, ante=ante, play=4 * ante, trips=limit // s, rules=rules)
            assert many.net[row, seat] == alone["net"]
            want -= alone["net"]
        assert many.bank_net[row] == want
    with pytest.raises(RulesError, match="row 0: seat 0: trips: "):
        settle_tables(**{**given, "trips": np.full((t, s), limit // s + 1)}, rules=rules)


# Dealing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("procedure", ["shuffler", "shoe", "board_first"])
@pytest.mark.parametrize("seats", [1, 2, 6, 22])
def test_dealing(procedure, seats):
    deck = decks(14, 1)[0].tolist()
    holes, dealer, board = deal_table(deck, seats, procedure)
    assert (list(holes), dealer, board) == reference_table.deal_table(deck, seats, procedure)
    assert len({*itertools.chain(*holes), *dealer, *board}) == 2 * seats + 7
    least = deal_table(uteh.format_cards(deck[: 2 * seats + 7]), seats, procedure)
    assert least == deal_table(deck, seats, procedure)
    assert pickle.loads(pickle.dumps(least)) == least
    assert least.to_dict()["board"] == uteh.format_cards(board)


def test_the_default_procedure_is_the_shuffler():
    deck = list(range(52))
    assert deal_table(deck, 3) == deal_table(deck, 3, "shuffler") != deal_table(deck, 3, "shoe")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("2c 2c", 1), CardError, "deck: 2c is given twice"),
        (("2c 3c", 1), CardError, "deck: 2 cards given, 9 needed for 1 seats"),
        ((range(52), 0), ValueError, "seats must be 1 to 22, not 0"),
        ((range(52), 23), ValueError, "seats must be 1 to 22, not 23"),
        ((range(52), True), TypeError, "seats must be an int"),
        ((range(52), 2, "hand"), ValueError, "procedure must be shuffler, shoe, board_first, not 'hand'"),
        ((range(52), 2, 3), TypeError, "procedure must be text"),
        ((7, 2), TypeError, "deck: "),
    ],
)
def test_what_is_wrong_with_a_deal_is_named(arguments, error, message):
    with pytest.raises(error, match=f"^{message}"):
        deal_table(*arguments)


def test_results_have_names():
    table = settle_table(*EXAMPLE)
    assert [wager.result for (wager,) in table.seats] == [Result.LOSE, Result.WIN]
