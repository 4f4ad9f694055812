"""Side bets by themselves: published counts, an enumeration by ranks and suits, and going through every deal where few
are left."""

import itertools
import math
import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import reference
from solutions import solved

import uteh
from uteh import STANDARD, CardError, Category, PayTable, Rules, RulesError, side_bet

TRIPS = "50/40/30/8/7/4/3"
BAD_BEAT = "7500/500/50/30/20/9"
PROGRESSIVE = "500/100/50/40/30/20/9"


def by_rank_and_suit():
    """How many of all seven-card hands are of each category: multisets of ranks, less the ways in which each is a
    flush, and flushes by their ranks. It shares no step with going through the hands."""
    multisets = [m for m in itertools.combinations_with_replacement(range(13), 7) if max(Counter(m).values()) <= 4]
    # Cards in the order of their ranks, suits in turn: no suit has more than two of them.
    rows = np.array(multisets, dtype=np.uint8) * 4 + np.arange(7, dtype=np.uint8) % 4
    categories = reference.categories()[reference.rank_seven(rows)].tolist()
    counts = Counter()
    for multiset, category in zip(multisets, categories, strict=True):
        ways, by_suited = 1, [1]  # of the suits; the same by the number of cards in one suit
        for n in Counter(multiset).values():
            ways *= math.comb(4, n)
            without, among = math.comb(3, n), math.comb(3, n - 1)
            by_suited = [
                without * (by_suited[i] if i < len(by_suited) else 0) + among * (by_suited[i - 1] if i else 0)
                for i in range(len(by_suited) + 1)
            ]
        counts[category] += ways - 4 * sum(by_suited[5:])
    for n in (5, 6, 7):
        for ranks in itertools.combinations(range(13), n):
            five = max(reference.rank5([4 * rank for rank in some]) for some in itertools.combinations(ranks, 5))
            counts[reference.category_of(five)] += 4 * math.comb(39, 7 - n)
    return [counts[category] for category in range(10)]


@pytest.fixture(scope="module")
def seven():
    return by_rank_and_suit()


@pytest.mark.parametrize(
    ("table", "ev"),
    [
        ("50/40/30/8/7/4/3", Fraction(-233985, 6689228)),
        ("50/40/30/8/6/5/3", Fraction(-48987, 2572780)),
        ("50/40/30/9/7/4/3", Fraction(-301629, 33446140)),
        ("50/40/20/7/6/5/3", Fraction(-22717, 367540)),
    ],
)
def test_trips_tables(table, ev, seven):
    bet = side_bet(table)
    assert bet.deals == math.comb(52, 7) == sum(seven)
    assert list(bet.counts.values()) == seven
    pays = dict(zip(range(9, 2, -1), map(int, table.split("/")), strict=True))
    assert bet.ev == ev == Fraction(sum(n * pays.get(c, -1) for c, n in enumerate(seven)), sum(seven))
    square = Fraction(sum(n * pays.get(c, -1) ** 2 for c, n in enumerate(seven)), sum(seven))
    assert bet.variance == square - ev**2
    assert bet.std_dev == pytest.approx(math.sqrt(square - ev**2), rel=1e-15)
    assert bet.ties == 0
    assert side_bet(table, "cards7").counts == bet.counts


def test_five_cards():
    """All 2,598,960 hands."""
    counts = np.bincount(reference.categories()[reference.five_table()], minlength=10).tolist()
    bet = side_bet(PROGRESSIVE, "cards5")
    assert list(bet.counts.values()) == counts
    assert bet.deals == math.comb(52, 5)


def test_the_published_bad_beat():
    bet = side_bet(BAD_BEAT, "bad_beat")
    assert float(bet.ev) == pytest.approx(-0.147868196927036, abs=1e-15)
    assert bet.deals == 2_781_381_002_400
    assert bet.ties == 113_130_263_816
    assert sum(bet.counts.values()) + bet.ties == bet.deals
    assert bet.counts[Category.ROYAL_FLUSH] == 0
    assert bet.counts[Category.STRAIGHT_FLUSH] == 10_300_592


def left(*known):
    return [card for card in range(52) if card not in known]


def rows(*parts):
    """Cards in rows: ids that stand in all of them, and arrays of a row each."""
    n = max((len(part) for part in parts if isinstance(part, np.ndarray)), default=1)
    return np.hstack(
        [part if isinstance(part, np.ndarray) else np.tile(np.array(part, np.uint8), (n, 1)) for part in parts]
    ).astype(np.uint8)


def choices(cards, k):
    return np.array(list(itertools.combinations(cards, k)), dtype=np.uint8).reshape(math.comb(len(cards), k), k)


def counted(strengths):
    return np.bincount(reference.categories()[strengths], minlength=10).tolist()


@pytest.mark.parametrize(
    ("hole", "board"), [("As Ks", "Qs 2d 2h"), ("7c 2d", "7d 7h 7s Kc"), ("9s 8s", "7s 6s 5s 2c 2d")]
)
def test_trips_of_a_hand_and_a_board(hole, board):
    own, shown = reference.ids(hole), reference.ids(board)
    rest = choices(left(*own, *shown), 5 - len(shown))
    cards = rows(own, shown, rest)
    assert list(side_bet(TRIPS, hole=hole, board=board).counts.values()) == counted(reference.rank_seven(cards))
    both = side_bet(TRIPS, hole=hole, board=board, rules=Rules(hole_cards="both"))
    assert list(both.counts.values()) == counted(reference.rank_both(cards[:, :2], cards[:, 2:]))
    # A progressive on seven cards does not ask which of them are the hole.
    assert (
        side_bet(TRIPS, "cards7", hole=hole, board=board, rules=Rules(hole_cards="both")).counts
        == side_bet(TRIPS, hole=hole, board=board).counts
    )
    flop = rows(own, shown[:3])
    assert list(side_bet(TRIPS, "cards5", hole=hole, board=board).counts.values()) == counted(reference.rank_five(flop))


def test_boards_without_a_hand():
    shown = reference.ids("Qs Js 2d")
    cards = rows(shown, choices(left(*shown), 4))
    assert list(side_bet(TRIPS, board="Qs Js 2d").counts.values()) == counted(reference.rank_seven(cards))
    five = rows(shown, choices(left(*shown), 2))
    assert list(side_bet(TRIPS, "cards5", board="Qs Js 2d").counts.values()) == counted(reference.rank_five(five))
    # A turn and a river are no part of five cards, and come no more.
    later = reference.ids("Ts 9s")
    five = rows(shown, choices(left(*shown, *later), 2))
    assert list(side_bet(TRIPS, "cards5", board="Qs Js 2d Ts 9s").counts.values()) == counted(reference.rank_five(five))
    one = side_bet(TRIPS, "cards5", board="Qs")
    assert one.deals == math.comb(51, 4)
    cards = rows(reference.ids("Qs"), choices(left(*reference.ids("Qs")), 4))
    assert list(one.counts.values()) == counted(reference.rank_five(cards))


def duels(own, shown, both=False):
    """(player's, dealer's) strengths over every completion of a board and both hands; own may be empty."""
    rank = reference.rank_both if both else lambda hole, board: reference.rank_seven(np.hstack([hole, board]))
    found = []
    for rest in itertools.combinations(left(*own, *shown), 5 - len(shown)):
        board = (*shown, *rest)
        hands = choices(left(*board), 2)
        strengths = rank(hands, rows(board, np.zeros((len(hands), 0), np.uint8)))
        mine = [i for i, hand in enumerate(hands.tolist()) if not own or set(hand) == set(own)]
        for i in mine:
            apart = ~np.isin(hands, hands[i]).any(axis=1)
            found.append((np.full(apart.sum(), strengths[i]), strengths[apart]))
    return tuple(np.concatenate(part) for part in zip(*found, strict=True))


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize(
    ("hole", "board"), [("As Ks", "Qs Qd 2h 9c"), ("", "7d 7h 7s Kc 4s"), ("9s 8s", "7s 6s 5s 2c 2d")]
)
def test_bets_on_both_hands_over_every_deal(hole, board, both):
    player, dealer = duels(reference.ids(hole), reference.ids(board), both)
    rules = Rules(hole_cards="both" if both else "any")
    bet = side_bet(BAD_BEAT, "bad_beat", hole=hole, board=board, rules=rules)
    apart = player != dealer
    assert bet.deals == len(player)
    assert bet.ties == len(player) - apart.sum()
    assert list(bet.counts.values()) == counted(np.minimum(player, dealer)[apart])
    pays = dict(zip(range(8, 2, -1), map(int, BAD_BEAT.split("/")), strict=True))
    loser = reference.categories()[np.minimum(player, dealer)].tolist()
    nets = Counter(pays.get(c, -1) if a else -1 for c, a in zip(loser, apart.tolist(), strict=True))
    assert bet.net() == nets
    # Trips that asks for a win.
    own = reference.categories()[player].tolist()
    pays = dict(zip(range(9, 2, -1), map(int, TRIPS.split("/")), strict=True))
    results = (np.sign(player.astype(int) - dealer)).tolist()
    for when, lost, tied in (("push", 0, 0), ("lose", -1, 0)):
        given = Counter(
            -1 if c not in pays else (lost, tied, pays[c])[r + 1] for c, r in zip(own, results, strict=True)
        )
        bet = side_bet(TRIPS, hole=hole, board=board, rules=replace(rules, trips_when_not_won=when))
        assert bet.net() == given
        assert bet.deals == len(player)
        assert bet.ev == Fraction(sum(n * net for net, n in given.items()), len(player))


def test_a_board_is_all_its_rivers():
    for bet, table in (("bad_beat", BAD_BEAT), ("trips", TRIPS)):
        rules = Rules(trips_when_not_won="push")
        whole = side_bet(table, bet, board="Qs Js 2d 9h", rules=rules)
        parts = [
            side_bet(table, bet, board=f"Qs Js 2d 9h {uteh.format_cards([c])}", rules=rules)
            for c in left(*uteh.parse_cards("QsJs2d9h"))
        ]
        for category in Category:
            assert whole.counts[category] == sum(part.counts[category] for part in parts)
        assert whole.ties == sum(part.ties for part in parts)


def test_a_starting_hand_against_its_odds():
    """The counts of one hand before the flop, from another kernel."""
    odds = uteh.odds("9s 8s")
    rules = Rules(trips_when_not_won="lose")
    bet = side_bet(TRIPS, hole="98s", rules=rules)
    assert bet == side_bet(TRIPS, hole="8d 9d", rules=rules)
    table = PayTable.parse(TRIPS)
    nets = Counter()
    for category, (win, tie, lose) in odds.by_category.items():
        pays = table.get(category)
        nets += Counter({-1: win + tie + lose}) if pays is None else Counter({pays: win, 0: tie}) + Counter({-1: lose})
    assert bet.net() == nets
    beat = side_bet(BAD_BEAT, "bad_beat", hole="98s")
    assert beat.ties == odds.tie
    assert sum(beat.counts.values()) == odds.win + odds.lose


def test_a_starting_hand_that_has_to_play():
    """The counts of the solver's stages, and those of every board gone through."""
    from uteh import _eval

    record, units = _eval.side(uteh.parse_cards("Ts 9d"), (), 0, True, True, False)
    counts = bytearray(40 * 8)
    _eval.side_range(record, 0, units, counts)
    by_board = memoryview(counts).cast("q").tolist()[1:30:3]
    bet = side_bet(TRIPS, hole="T9o", rules=Rules(hole_cards="both"))
    assert list(bet.counts.values()) == by_board
    assert bet.deals == math.comb(50, 5)


def test_zero_pushes_and_what_is_missing_loses():
    table = PayTable(flush=0, straight=Fraction(1, 2))
    bet = side_bet(table, hole="As Ks", board="Qs 2s 9d 9h")
    flushes = bet.counts[Category.FLUSH]
    assert bet.net() == {Fraction(-1): 46 - flushes, Fraction(0): flushes}
    assert flushes == 9


def test_what_the_solver_says_of_a_hand_that_never_folds():
    """Trips pays after a fold too, so its part of the game is the side bet's value."""
    assert solved(trips=Fraction(1, 2)).by_bet["trips"] == side_bet(STANDARD.trips).ev / 2


def test_results_are_values():
    bet = side_bet(TRIPS, hole="As Ks", board="Qs 2d 2h")
    assert pickle.loads(pickle.dumps(bet)) == bet
    assert bet == side_bet(TRIPS, hole=(51, 47), board="Qs 2d 2h", threads=3)
    assert hash(bet) == hash(pickle.loads(pickle.dumps(bet)))
    data = bet.to_dict()
    assert data["schema"] == "uteh/1"
    assert data["ev"] == {"fraction": str(bet.ev), "float": float(bet.ev)}
    assert sum(data["counts"].values()) == data["deals"] == 1081
    assert repr(bet).startswith("SideBet(trips, ev=")
    seen = []
    side_bet(TRIPS, board="Qs 2d 2h", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("50/x",), {}, RulesError, "table: pay table '50/x': straight_flush: 'x' is not a payout"),
        ((None,), {}, TypeError, "table: "),
        ((TRIPS, "straight"), {}, ValueError, "bet must be trips, bad_beat, cards5, cards7, not 'straight'"),
        ((TRIPS, 3), {}, TypeError, "bet must be text"),
        ((TRIPS,), {"hole": "As"}, CardError, "hole: 1 cards given, 2 needed"),
        ((TRIPS,), {"hole": "As As"}, CardError, "As is given twice"),
        ((TRIPS,), {"hole": "As Ks", "board": "As"}, CardError, "As is given twice: in the hole and on the board"),
        ((TRIPS,), {"hole": "AKs", "board": "Qs"}, CardError, "hole: 'AKs' names a starting hand"),
        ((TRIPS,), {"board": "2c 3c 4c 5c 6c 7c"}, CardError, "board: 6 cards given"),
        ((TRIPS,), {"board": "2c 2c"}, CardError, "2c is given twice"),
        ((TRIPS,), {"hole": 7}, TypeError, "hole: cards are text"),
        ((TRIPS,), {"rules": "standard"}, TypeError, "rules must be Rules"),
        ((TRIPS,), {"threads": 0}, ValueError, "threads must be at least 1"),
    ],
)
def test_what_is_wrong_is_named(arguments, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        side_bet(*arguments, **options)
