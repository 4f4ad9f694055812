"""The player-dealer's side: sums of solved games, joint moments against every pair of hands on a board and against
random rounds, and funds that run out."""

import math
import pickle
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import reference
from solutions import solved

import uteh
from uteh import STANDARD, Rules, RulesError, Stakes, bank, banking

CALIFORNIA = Rules.named("california-bad-beat")
# Of two seats with an ante of 1, from all boards; the same sums gave a seat's value and variance as `solve` has them.
COVARIANCE = Fraction(1004549046703459053265052653, 231007952820833360172000000)
# Published: the value of the standard game, per ante.
EV = Fraction(-50643648973, 2317817502000)
TRIPS = Fraction(-233985, 6689228)


def test_expected_values_add_up():
    table = bank([10, Stakes(20, trips=5, fee=1), {"ante": "1/2", "fee": 2}], bank_fee=3, deviation=False)
    seats = (10 * EV, 20 * EV + 5 * TRIPS - 1, EV / 2 - 2)
    assert table.seats == seats
    assert table.ev == -sum(seats) - 3 - 3
    assert table.fees == 6
    assert table.break_even_fee == table.ev + 3 == -(Fraction(61, 2) * EV + 5 * TRIPS)
    assert table.ev + sum(table.seats) + table.fees == 0
    assert table.exact
    assert (table.variance, table.std_dev, table.std_error, table.rounds) == (None, None, 0, 0)


def test_one_seat_varies_as_its_game_does(known_games):
    table = bank([Stakes(20, trips=10)])
    game = solved(trips=Fraction(1, 2))
    assert table.variance == 400 * game.variance
    assert table.ev == -20 * game.ev
    assert table.std_dev == pytest.approx(20 * game.std_dev, rel=1e-14)


def records(rules, kinds):
    """What the core takes of each kind of seats: plans, decisions on the flop, and before it."""
    games = [solved(rules, trips=trips, bad_beat=bad_beat) for trips, bad_beat in kinds]
    firsts = tuple(bytes(each._plan.actions[0].index(each._first(n)) for n in range(169)) for each in games)
    return games, (tuple(each._plan.record for each in games), tuple(each._run[2] for each in games), firsts)


def board_number(board):
    return sum(math.comb(card, i) for i, card in enumerate(sorted(board), start=1))


@pytest.mark.parametrize(
    ("rules", "kinds", "board"),
    [
        (STANDARD, [(0, 0)], "9c 7c 5c 3c 2h"),  # a flush, and no pair on the board
        (STANDARD, [(0, 0), (1, 0)], "Ac Kc Ah 9d 2s"),
        (CALIFORNIA, [(1, 1), (0, 0)], "Kc Tc 9d 9h 4s"),
        (Rules(trips_on_fold="lose", river_min="1/2"), [(2, 0)], "Qc Jc 8d 5h 2s"),
        (Rules.named("board-trips"), [(3, 0)], "7c 7d 7h 5c 4d"),
        (Rules.named("auckland"), [(1, 0)], "Jc Tc 9d 8h 2s"),
    ],
)
def test_one_board_against_every_pair_of_hands(rules, kinds, board):
    """All dealer hands and all ordered pairs of holes on a board, with each of its ten flops."""
    from uteh import _eval

    cards = reference.ids(board)
    # The board that stands for all that differ by names of suits: falling ranks by suit.
    ranks = sorted((sorted((c // 4 for c in cards if c % 4 == s), reverse=True) for s in range(4)), reverse=True)
    masks = sorted((sum(1 << r for r in of_suit) for of_suit in ranks), reverse=True)
    cards = sorted(4 * r + s for s, mask in enumerate(masks) for r in range(13) if mask >> r & 1)
    games, arguments = records(rules, kinds)
    scratch = bytearray(_eval.pairs_scratch())
    number = board_number(cards)
    got = _eval.pairs_range(*arguments, rules.hole_cards == "both", scratch, number, number + 1)
    times = math.factorial(4)
    for same in {mask: masks.count(mask) for mask in masks}.values():
        times //= math.factorial(same)

    rest = [c for c in range(52) if c not in cards]
    hands = np.array([(a, b) for a in rest for b in rest if a < b], dtype=np.uint8)
    n = len(hands)
    apart = (hands[:, None, :, None] != hands[None, :, None, :]).all(axis=(2, 3))
    want = [[0] * len(kinds), [0] * len(kinds), [[0] * len(kinds) for _ in kinds]]
    rows = np.empty((n, n, 9), dtype=np.uint8)  # player's hand, dealer's hand
    rows[:, :, :2], rows[:, :, 2:4], rows[:, :, 4:] = hands[:, None], hands[None], np.array(cards, dtype=np.uint8)
    settled = {}  # by kind and Play: each hole against each of the dealer's hands
    # By kind, each hole's net win, and the sum of those of the holes that share no card with it.
    nets, others = ([np.zeros((n, n)) for _ in kinds] for _ in range(2))
    for flop in combinations(cards, 3):
        shown = np.array([*flop, *(c for c in cards if c not in flop)], dtype=np.uint8)
        for k, (each, (trips, bad_beat)) in enumerate(zip(games, kinds, strict=True)):
            plays = banking._plays(each, hands, np.tile(shown, (n, 1)), 4, rules, 1)
            now = np.empty((n, n))
            for play in set(plays.tolist()):
                if (k, play) not in settled:
                    settled[k, play] = apart * (each._plan.unit / 4) * uteh.settle_many(
                        rows.reshape(-1, 9), ante=4, play=play, trips=4 * trips, bad_beat=4 * bad_beat,
                        rules=rules, columns=["net"], check=False,
                    ).net.reshape(n, n)  # fmt: skip
                now[plays == play] = settled[k, play][plays == play]
            # Most holes play as they did on the flop before, so that the sums are carried on.
            changed = np.flatnonzero((now != nets[k]).any(axis=1))
            others[k] += apart[:, changed].astype(float) @ (now - nets[k])[changed]
            nets[k] = now
            want[0][k] += int(now.sum())
            want[1][k] += int((now * now).sum())
        for k, one in enumerate(nets):
            for m, other in enumerate(others):
                if m >= k:
                    want[2][k][m] += int((one * other).sum())
    assert got[0] == [times * value for value in want[0]]
    assert got[1] == [times * value for value in want[1]]
    assert got[2] == [[times * value for value in row] for row in want[2]]


def test_two_seats_from_what_is_known(monkeypatch, known_games):
    """The algebra of seats of several kinds, with joint moments that stand for the core's."""
    kinds = [(Fraction(0), Fraction(0)), (Fraction(1, 2), Fraction(0))]
    joint = {
        (STANDARD.packed, *pair): value
        for pair, value in {
            (kinds[0], kinds[0]): Fraction(5),
            (kinds[1], kinds[1]): Fraction(7),
            (kinds[0], kinds[1]): Fraction(6),
        }.items()
    }
    monkeypatch.setattr(banking, "_known", joint)
    table = bank([10, Stakes(20, trips=10), 30])
    one, other = solved(), solved(trips=Fraction(1, 2))
    assert table.variance == (
        (100 + 900) * one.variance
        + 400 * other.variance
        + 2 * 10 * 30 * (5 - one.ev**2)
        + 2 * (10 + 30) * 20 * (6 - one.ev * other.ev)
    )


def test_more_kinds_than_the_core_takes_at_once():
    kinds = list(range(9))
    runs = banking._halves(kinds)
    assert max(map(len, runs)) <= 4
    for one in kinds:
        for other in kinds:
            assert any(one in run and other in run for run in runs)


def test_random_rounds_agree_with_the_exact_answer():
    """The covariance of two seats, 4.34855, and the values of 300,000 rounds: within five standard errors each."""
    stakes = banking._read_seats([1, 1, 1], STANDARD)
    games = {banking._kind(stakes[0]): solved()}
    mean, variance = banking._dealt(stakes, games, Fraction(10**9), STANDARD, 300_000, 1, 1, None)
    exact = float(3 * games[banking._kind(stakes[0])].variance + 6 * COVARIANCE)
    assert abs(mean + 3 * float(EV)) < 5 * math.sqrt(exact / 300_000)
    assert variance == pytest.approx(exact, rel=0.1)  # a royal flush in it moves the variance by some percent


@pytest.mark.parametrize("reading", ["net", "gross"])
def test_a_fund_that_can_run_out(reading, known_games):
    rules = Rules(fund_reading=reading)
    table = bank([10, Stakes(10, trips=5)], fund=60, bank_fee=1, rules=rules, rounds=50_000, rng=5)
    assert not table.exact
    assert table.rounds == 50_000
    assert 0 < table.std_error < 1
    assert table.std_error == pytest.approx(table.std_dev / math.sqrt(50_000))
    assert table.std_dev < 60
    assert table.break_even_fee == pytest.approx(table.ev + 1)
    again = bank([10, Stakes(10, trips=5)], fund=60, bank_fee=1, rules=rules, rounds=50_000, rng=5, threads=2)
    assert again == table
    assert bank([10, 10], fund=60, rules=rules, rounds=1000, rng=6).ev != table.ev


def test_a_fund_that_cannot_run_out_changes_nothing(known_games):
    # Ante 1, Blind 500 and Play 4 for one seat: 505.
    table = bank([1], fund=505)
    assert table.exact
    assert table.variance == solved().variance
    assert not bank([1], fund=504, rounds=2, rng=1).exact


def test_results_are_values():
    table = bank([10, "5/2"], fund=10**6, deviation=False)
    assert pickle.loads(pickle.dumps(table)) == table
    assert hash(table) == hash(pickle.loads(pickle.dumps(table)))
    data = table.to_dict()
    assert data["ev"] == {"fraction": str(table.ev), "float": float(table.ev)}
    assert data["seats"][1]["ante"] == {"fraction": "5/2", "float": 2.5}
    assert data["variance"] is None
    assert repr(table).startswith("Bank(ev=+0.2731")
    dealt = bank([10], fund=5, rounds=100, rng=2)
    assert dealt.to_dict()["ev"] == dealt.ev
    assert "std_error=" in repr(dealt)


@pytest.mark.parametrize(
    ("seats", "options", "error", "message"),
    [
        ([], {}, ValueError, "seats: 1 to 22 are needed, not 0"),
        ([1] * 23, {}, ValueError, "seats: 1 to 22 are needed, not 23"),
        ("10", {}, TypeError, "seats must be a sequence of Stakes"),
        (10, {}, TypeError, "seats must be a sequence of Stakes"),
        ([10, 0], {}, RulesError, r"seats\[1\]\.ante: 0 is no bet"),
        ([10, -1], {}, RulesError, r"seats\[1\]\.ante: -1 is negative"),
        ([10, 0.5], {}, TypeError, r"seats\[1\]\.ante: expected an exact number"),
        ([{"ante": 10, "side": 1}], {}, ValueError, r"seats\[0\]: 'side' is none of ante, trips"),
        ([{"trips": 10}], {}, ValueError, r"seats\[0\]: ante is missing"),
        ([Stakes(10, bad_beat=1)], {}, RulesError, r"seats\[0\]\.bad_beat: a stake is given, but the rules"),
        ([Stakes(10, bad_beat=1)], {"rules": CALIFORNIA}, RulesError, r"seats\[0\]\.bad_beat: these rules take"),
        ([10], {"fund": -1}, RulesError, "fund: -1 is negative"),
        ([10], {"bank_fee": -1}, RulesError, "bank_fee: -1 is negative"),
        ([10], {"rules": "standard"}, TypeError, "rules must be Rules"),
        ([10], {"deviation": 1}, TypeError, "deviation must be a bool"),
        ([10], {"rounds": 1}, ValueError, "rounds must be at least 2"),
        ([10], {"rounds": 1.5}, TypeError, "rounds must be an int"),
        ([10], {"threads": 0}, ValueError, "threads must be at least 1"),
        ([10], {"progress": 1}, TypeError, "progress must be callable"),
    ],
)
def test_what_is_wrong_is_named(seats, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        bank(seats, **options)
