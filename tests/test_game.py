"""The whole game: published figures, single decisions, a solution board by board, and what holds for every rule set."""

import hashlib
import itertools
import json
import math
import os
import pickle
import random
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest
import reference_game
from solutions import solved

import uteh
from uteh import STANDARD, Action, CardError, Category, PayTable, Result, Rules, RulesError, _eval
from uteh.questions import plan_for

DEALS = 27_813_810_024_000
NAMES = tuple(uteh.solve().preflop)  # of the 169 starting hands
COMBINATIONS = {name: 6 if len(name) == 2 else 4 if name[2] == "s" else 12 for name in NAMES}
BETS = ("ante", "blind", "play", "trips", "bad_beat")


def percent(value, places=6):
    return f"{float(100 * value):.{places}f}"


# Figures --------------------------------------------------------------------------------------------------------------
# Exact enumerations computed independently of this package, at least twice; most are published too (wizardofodds.com,
# Ultimate Texas Hold'em: house edge, average bet, element of risk, standard deviation, values of starting hands).


@pytest.mark.smoke
def test_the_value_of_the_standard_game():
    game = uteh.solve()
    assert game.ev == game.base_ev == Fraction(-607_723_787_676, DEALS) == Fraction(-50643648973, 2317817502000)
    assert game.house_edge == -game.ev
    best = [decision.best for decision in game.preflop.values()]
    assert (len(best), best.count(Action.BET_4X), best.count(Action.BET_3X)) == (169, 69, 0)
    raised = sum(COMBINATIONS[name] for name, d in game.preflop.items() if d.best is Action.BET_4X)
    assert (raised, sum(COMBINATIONS.values())) == (500, 1326)
    for name, values in {
        "AA": {"4x": "3.601072638", "3x": "2.896998372", "check": "2.192924106"},
        "33": {"4x": "0.088455582", "check": "0.007454228"},
        "22": {"4x": "-0.287877699", "check": "-0.179478437"},
        "AKs": {"4x": "1.658326405", "check": "0.986740230"},
    }.items():
        for action, value in values.items():
            assert f"{float(game.preflop[name].values[Action(action)]):.9f}" == value


def test_figures_of_the_standard_game():
    game = solved()
    assert game.average_bet == Fraction(29163830173, 7023689400)
    assert percent(game.element_of_risk, 9) == "0.526218957"
    assert f"{game.std_dev:.12f}" == "4.939298891306"
    assert {action: percent(share) for action, share in game.frequencies.items()} == {
        "4x": "37.707391",
        "2x": "21.284622",
        "1x": "21.822149",
        "fold": "19.185839",
    }
    after = dict.fromkeys(Result, 0)
    for (action, _, result, _), deals in game.outcomes.items():
        if action == "4x":
            after[result] += deals
    raised = sum(after.values())
    shares = [percent(Fraction(after[result], raised), 4) for result in (Result.WIN, Result.LOSE, Result.TIE)]
    assert shares == ["58.8157", "38.4655", "2.7188"]


@pytest.mark.parametrize(
    ("changes", "edge"),
    [
        ({"unqualified_ante": "settle"}, "10.77190755"),
        ({"unqualified_ante": "win_only"}, "11.44424244"),
        ({"unqualified_ante": "lose_only"}, "-2.68788655"),
        ({"unqualified_play": "push"}, "-31.51646161"),
        ({"blind": "500/50/10/3/1/1"}, "-3.47072107"),
    ],
)
def test_values_of_variants(changes, edge):
    assert percent(uteh.solve(Rules(**changes), threads=None).ev, 8) == edge


def test_half_an_ante_on_the_river():
    """A player's edge; folds before the flop, which `simulated` allows too, are worth nothing."""
    ev = Fraction(22227553493, 1545211668000)
    assert solved(Rules(river_min="1/2")).ev == ev
    game = solved(Rules.named("simulated"))
    assert game.ev == ev
    assert {"min", "1x", "2x", "4x", "fold"} == set(game.frequencies)


def test_trips_beside_the_standard_game():
    """A bet on seven cards that changes no decision: its value adds."""
    game = solved(trips=1)
    trips = Fraction(-233985, 6689228)
    assert game.by_bet["trips"] == trips
    assert game.base_ev == solved().ev
    assert game.ev == game.base_ev + trips
    assert game.house_edge == -game.base_ev
    assert game.average_bet == solved().average_bet + 1
    assert game.element_of_risk == -game.ev / game.average_bet
    assert game.frequencies == solved().frequencies
    assert {bet: value for bet, value in game.by_bet.items() if bet != "trips"} == {
        bet: value for bet, value in solved().by_bet.items() if bet != "trips"
    }
    assert solved().by_bet["trips"] == solved().by_bet["bad_beat"] == 0


# Against single decisions ---------------------------------------------------------------------------------------------
# `decide` counts the boards and the dealer's hands for one hole at a time, by an engine of its own.


def random_game(seed):
    """Rules with every field that bears on decisions drawn at random, and stakes."""
    rnd = random.Random(seed)

    def multiples(least):
        return tuple(sorted(rnd.sample(range(1, 5), rnd.randint(least, 3))))

    def table(least):
        names = rnd.sample([category.name.lower() for category in Category], rnd.randint(least, 10))
        return PayTable(**{name: Fraction(rnd.randint(0, 40), rnd.choice([1, 1, 2, 3])) for name in names})

    preflop = multiples(0)
    rules = Rules(
        preflop=preflop,
        flop=multiples(0),
        river=multiples(1),
        preflop_between=rnd.random() < 0.3 and len(preflop) > 1,
        river_min=rnd.choice([1, 1, "1/2", "2/3"]),
        fold_preflop=rnd.random() < 0.5,
        fold_flop=rnd.random() < 0.5,
        qualifier=rnd.choice([None, *list(Category)[:6]]),
        unqualified_ante=rnd.choice(["push", "settle", "win_only", "lose_only", "always"]),
        unqualified_play=rnd.choice(["settle", "push"]),
        blind=rnd.choice([STANDARD.blind, table(0)]),
        trips=rnd.choice([STANDARD.trips, table(1)]),
        trips_on_fold=rnd.choice(["hand", "board", "lose"]),
        trips_when_not_won=rnd.choice(["pay", "push", "lose"]),
        bad_beat=rnd.choice([None, "7500/500/50/30/20/9", table(1)]),
        hole_cards=rnd.choice(["any", "any", "both"]),
    )
    stakes = {
        "trips": rnd.choice([0, 1, Fraction(1, 2), 5]),
        "bad_beat": 0 if rules.bad_beat is None else rnd.choice([0, 1, Fraction(1, 3)]),
        "payout_cap": rnd.choice([None, None, 0, 20, Fraction(21, 2)]),
    }
    return rules, stakes


def check_decisions(rules, stakes, hands):
    """The values of some starting hands, each from its own enumeration; the core gives up the GIL."""
    game = solved(rules, **stakes)
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda name: uteh.decide(name, rules=rules, **stakes), hands))
    assert [game.preflop[name] for name in hands] == alone
    for name, decision in zip(hands, alone, strict=True):
        assert list(game.preflop[name].values) == list(decision.values)
        assert game.preflop[name].best is decision.best
        assert game.preflop[name].margin == decision.margin


# Their games are those of other presets, but for what has no bearing on a decision.
SAME = ("california", "trainer")
SEEDS = [seed for seed in range(40) if random_game(seed)[0].hole_cards == "any"][:10]
SEEDS_BOTH = [seed for seed in range(40) if random_game(seed)[0].hole_cards == "both"][:5]


def preset(name):
    rules = Rules.named(name)
    return rules, {"trips": 1, "bad_beat": 0 if rules.bad_beat is None else 1}


@pytest.mark.parametrize("name", [name for name in Rules.names() if name not in (*SAME, "auckland")])
def test_presets_against_single_decisions(name):
    check_decisions(*preset(name), random.Random(name).sample(NAMES, 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_rules_against_single_decisions(seed):
    check_decisions(*random_game(seed), random.Random(seed).sample(NAMES, 1))


@pytest.mark.parametrize("qualifier", ["flush", "royal_flush"])
def test_a_qualifier_that_few_boards_allow(qualifier):
    """On most boards no hand at all qualifies."""
    check_decisions(Rules(qualifier=qualifier), {}, ["T9s"])


def test_both_hole_cards_against_a_single_decision():
    check_decisions(*preset("auckland"), ["T9s"])


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", Rules.names())
def test_presets_against_more_decisions(name):
    check_decisions(*preset(name), random.Random(f"{name} more").sample(NAMES, 3))


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", SEEDS_BOTH)
def test_random_rules_with_both_hole_cards_against_single_decisions(seed):
    check_decisions(*random_game(seed), random.Random(seed).sample(NAMES, 2))


def test_random_rules_are_all_kinds_of_rules():
    games = [random_game(seed) for seed in (*SEEDS, *SEEDS_BOTH)]
    for field in ("trips_on_fold", "trips_when_not_won", "unqualified_ante", "unqualified_play", "fold_flop"):
        assert len({getattr(rules, field) for rules, _ in games}) >= 2, field
    assert any(stakes["bad_beat"] for _, stakes in games)
    assert any(stakes["payout_cap"] is not None for _, stakes in games)
    assert any(rules.river_min < 1 for rules, _ in games)
    assert any(rules.trips_on_fold == "board" and stakes["trips"] for rules, stakes in games)


# Board by board -------------------------------------------------------------------------------------------------------

BOARD_BY_BOARD = {
    "any hole cards": [
        reference_game.Game(STANDARD),
        reference_game.Game(
            Rules(
                flop=(1, 3),
                river_min="1/2",
                fold_preflop=True,
                fold_flop=True,
                qualifier="three_of_a_kind",
                unqualified_ante="lose_only",
                unqualified_play="push",
                trips_on_fold="board",
                trips_when_not_won="lose",
                blind="50/20/10/3/3:2/1",
                bad_beat="20/15/9/6/4/2",
            ),
            trips="1/2",
            bad_beat=1,
        ),
    ],
    "both hole cards": [
        reference_game.Game(Rules(hole_cards="both", unqualified_ante="win_only", trips_on_fold="lose"), trips=1)
    ],
}


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("games", BOARD_BY_BOARD.values(), ids=BOARD_BY_BOARD)
def test_every_board(games):
    """All 169 starting hands and all outcomes, from 134,459 boards with all of their hole hands."""
    for game, slow in zip(games, reference_game.solve(games), strict=True):
        fast = uteh.solve(
            game.rules, trips=game.trips, bad_beat=game.bad_beat, payout_cap=game.payout_cap, threads=None
        )
        assert {name: decision.values for name, decision in fast.preflop.items()} == slow.values
        outcomes = {
            (str(action), int(category), int(result), qualifies): deals
            for (action, category, result, qualifies), deals in fast.outcomes.items()
        }
        assert outcomes == slow.outcomes()
        assert sum(outcomes.values()) == DEALS


# Properties -----------------------------------------------------------------------------------------------------------


one_thread = cache(uteh.solve)


@pytest.mark.smoke
@pytest.mark.parametrize("threads", [2, 3, None])
def test_threads_change_nothing(threads):
    rules, stakes = Rules.named("california-bad-beat"), {"trips": 1, "bad_beat": "1/2"}
    assert uteh.solve(rules, **stakes, threads=threads) == one_thread(rules, **stakes)


def test_a_solution_is_a_value():
    game, same, other = solved(), uteh.solve(), solved(trips=1)
    assert game == same
    assert hash(game) == hash(same)
    assert game != other
    assert game != uteh.solve(Rules(fold_flop=True))
    assert game != "something else"
    assert game.rules is STANDARD
    assert game.deals == DEALS == comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)
    assert "\n" not in repr(game)
    assert "-0.0218497" in repr(game)
    for name in ("rules", "ev", "anything", "_lazy"):
        with pytest.raises(AttributeError, match="frozen"):
            setattr(game, name, 1)
    with pytest.raises(AttributeError, match="frozen"):
        del game.rules
    for read in ("by_bet", "frequencies", "preflop", "outcomes"):  # a changed dict does not reach back
        getattr(game, read).clear()
        assert getattr(game, read)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(game, protocol)) == game
    # With what has been read already, and in another process.
    code = (
        "import pickle, sys, uteh\n"
        "game = pickle.load(sys.stdin.buffer)\n"
        "assert game == uteh.solve(), game\n"
        "print(hash(game.ev), game.average_bet)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(game), capture_output=True, env=os.environ, check=True
    )
    assert done.stdout.split() == str.encode(f"{hash(game.ev)} {game.average_bet}").split()


def test_a_solution_is_json_ready():
    game = solved(trips=1)
    data = game.to_dict()
    assert (data["schema"], data["version"]) == ("uteh/1", uteh.__version__)
    assert json.loads(json.dumps(data)) == data
    assert Rules.from_dict(data["rules"]) == game.rules
    assert data["deals"] == DEALS
    assert data["std_dev"] == game.std_dev
    one, nothing = {"fraction": "1", "float": 1.0}, {"fraction": "0", "float": 0.0}
    assert data["stakes"] == {"trips": one, "bad_beat": nothing, "payout_cap": None}
    for name in ("ev", "base_ev", "house_edge", "average_bet", "element_of_risk", "variance"):
        assert Fraction(data[name]["fraction"]) == getattr(game, name)
    for name in ("by_bet", "frequencies"):
        assert {key: Fraction(v["fraction"]) for key, v in data[name].items()} == getattr(game, name)
    assert list(data["preflop"]) == list(NAMES)
    assert NAMES[:4] == ("AA", "AKs", "AKo", "AQs")
    assert NAMES[-1] == "22"
    for name, decision in game.preflop.items():
        assert data["preflop"][name]["best"] == decision.best
        values = {action: Fraction(v["fraction"]) for action, v in data["preflop"][name]["values"].items()}
        assert values == decision.values


PROPERTIES = [(Rules.named("board-trips"), {"trips": 2}), *(random_game(seed) for seed in SEEDS[2:4])]


def check_net(rules, stakes):
    game = solved(rules, **stakes)
    net = game.net()
    assert sum(net.values()) == DEALS
    assert all(deals > 0 for deals in net.values())
    assert list(net) == sorted(net)
    assert sum(amount * deals for amount, deals in net.items()) / DEALS == game.ev
    assert sum(amount**2 * deals for amount, deals in net.items()) / DEALS == game.variance + game.ev**2
    assert game.std_dev == pytest.approx(float(game.variance) ** 0.5, rel=1e-15)
    cap = stakes.get("payout_cap")
    assert cap is None or max(net) <= cap


def check_sums(rules, stakes):
    game = solved(rules, **stakes)
    assert sum(game.outcomes.values()) == DEALS
    assert all(deals > 0 for deals in game.outcomes.values())

    assert tuple(game.by_bet) == BETS
    assert sum(game.by_bet.values()) == game.ev
    assert sum(game.by_bet[bet] for bet in ("ante", "blind", "play")) == game.base_ev == -game.house_edge
    for bet in ("trips", "bad_beat"):
        assert stakes.get(bet, 0) or game.by_bet[bet] == 0

    assert sum(game.frequencies.values()) == 1
    size = {Action.FOLD: 0, Action.MIN: rules.river_min, **{Action(f"{n}x"): n for n in range(1, 5)}}
    counts = dict.fromkeys(game.frequencies, 0)
    for (action, category, result, _), deals in game.outcomes.items():
        assert isinstance(category, Category)
        assert (result is Result.FOLD) == (action is Action.FOLD)
        counts[action] += deals
    assert game.frequencies == {action: Fraction(deals, DEALS) for action, deals in counts.items()}
    sides = stakes.get("trips", 0) + stakes.get("bad_beat", 0)
    assert game.average_bet == 2 + sides + sum(size[action] * share for action, share in game.frequencies.items())
    assert game.element_of_risk == -game.ev / game.average_bet

    assert game.ev == sum(COMBINATIONS[n] * max(d.values.values()) for n, d in game.preflop.items()) / 1326
    assert all(decision.street == "preflop" for decision in game.preflop.values())
    assert all(tuple(decision.values) == rules.actions("preflop") for decision in game.preflop.values())


def test_sums_agree():
    check_sums(STANDARD, {})


def test_the_distribution():
    """A game of few different net wins, one of them above the cap; the Bad Beat pays by the dealer's hand too."""
    rules = Rules(preflop=(), flop=(), blind=PayTable(flush="3/2"), bad_beat=PayTable(pair=1, flush=30))
    check_net(rules, {"bad_beat": 1, "payout_cap": 30})


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("rules", "stakes"), PROPERTIES)
def test_sums_agree_under_more_rules(rules, stakes):
    check_sums(rules, stakes)
    check_net(rules, stakes)


def test_outcomes_say_what_the_bets_win():
    """Ante, Blind and Play of the standard game, settled by the words of the rules."""
    won = {"ante": 0, "blind": 0, "play": 0}
    for (action, category, result, qualifies), deals in solved().outcomes.items():
        if result is Result.FOLD:
            won["ante"] -= deals
            won["blind"] -= deals
            continue
        sign = int(result)
        won["play"] += sign * int(str(action)[0]) * deals
        won["ante"] += sign * deals if qualifies else 0
        won["blind"] += (STANDARD.blind.get(category, 0) if sign > 0 else sign) * deals
        # A hand that loses or ties without the dealer's qualifying has no pair itself.
        assert qualifies or sign > 0 or category == Category.HIGH_CARD
        assert qualifies or action != Action.FOLD
    assert {bet: Fraction(amount) / DEALS for bet, amount in won.items()} == {bet: solved().by_bet[bet] for bet in won}


def test_first_reads_from_many_threads_are_one():
    """Eight threads ask for the same at once; each answer is computed by one of them."""
    game, asked = uteh.solve(Rules(flop=())), ["by_bet", "variance"] * 4
    start = threading.Barrier(len(asked))
    computed = []

    def once(name, compute):
        computed.append(name)
        return compute()

    real = type(game)._once

    def watched(self, name, compute):
        return real(self, name, lambda: once(name, compute))

    def read(name):
        start.wait()
        return getattr(game, name)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(len(asked)) as pool:
        patch.setattr(type(game), "_once", watched)
        answers = list(pool.map(read, asked))
    assert answers == answers[:2] * 4
    assert sorted(computed) == ["by_bet", "ends", "variance"]
    alone = uteh.solve(Rules(flop=()))
    assert [getattr(alone, name) for name in asked[:2]] == answers[:2]


def test_more_freedom_is_never_worth_less():
    plain = uteh.solve(Rules(flop=(2,), river=(1,), preflop=(4,))).ev
    for freedom in (
        {"preflop": (3, 4)},
        {"preflop": (1, 4)},
        {"flop": (2, 3)},
        {"river": (1, 2)},
        {"fold_preflop": True},
        {"fold_flop": True},
        {"river_min": "9/10"},
        {"river_min": "1/10"},
    ):
        changed = {"flop": (2,), "river": (1,), "preflop": (4,), **freedom}
        assert uteh.solve(Rules(**changed), threads=None).ev >= plain, freedom
    # Half as small a bet on the river, then half of that.
    values = [solved(Rules(river_min=least)).ev for least in (1, "1/2", "1/4")]
    assert values[0] < values[1] < values[2]


def test_what_a_fold_forfeits_is_played_for():
    """Trips lost by a fold is worth less, though no hand that it pays is folded any more."""
    kept, lost = solved(trips=1), solved(Rules.named("oxford-downs"), trips=1)
    assert lost.ev < kept.ev
    assert lost.frequencies[Action.FOLD] < kept.frequencies[Action.FOLD]


def test_stakes_may_be_written_in_many_ways():
    same = [uteh.solve(trips=trips) for trips in (Fraction(1, 2), Decimal("0.5"), "1/2")]
    assert all(game == same[0] for game in same)
    assert uteh.solve(payout_cap=10**30).preflop == solved().preflop
    assert -2 < uteh.solve(payout_cap=0).ev < uteh.solve(payout_cap=10).ev < solved().ev


# The strategy ---------------------------------------------------------------------------------------------------------

FREE = Rules(flop=(1, 2, 3), river=(1, 2), river_min="1/2", fold_flop=True, fold_preflop=True, qualifier=None)


@pytest.mark.parametrize("rules", [STANDARD, FREE, Rules(hole_cards="both")], ids=["standard", "free", "both"])
def test_the_strategy_is_what_single_decisions_say(rules):
    """Random states of every street, alone and as arrays, against `decide`, which knows no solution."""
    game, rnd = solved(rules), random.Random(7)
    deals = [rnd.sample(range(52), 7) for _ in range(300)]
    # Two thirds of the flops have two suits or one, so that renaming suits is put to the test.
    deals[:200] = [
        rnd.sample([card for card in range(52) if card % 4 in suits or card % 7 == 0], 7)
        for suits in (rnd.sample(range(4), 1 + i % 2) for i in range(200))
    ]
    rows = np.array(deals, dtype=np.uint8)
    assert game.actions == tuple(Action)
    for width, count in ((7, 300), (5, 120)):
        expected = [uteh.decide(deal[:2], deal[2:width], rules=rules).best for deal in deals[:count]]
        found = game.actions_many(np.ascontiguousarray(rows[:count, :width]))
        assert found.dtype == np.uint8
        assert [game.actions[place] for place in found] == expected
        assert [game.action(deal[:2], deal[2:width]) for deal in deals[:count]] == expected
    names = [uteh.format_cards(deal[:2]) for deal in deals]
    assert [game.actions[place] for place in game.actions_many(rows[:, :2])] == [game.action(name) for name in names]


def test_the_strategy_before_the_flop_is_that_of_the_starting_hands():
    game = solved()
    for a, b in itertools.combinations(range(52), 2):
        low, high = sorted((a // 4, b // 4))
        name = "23456789TJQKA"[high] + "23456789TJQKA"[low] + ("" if low == high else "s" if a % 4 == b % 4 else "o")
        assert game.action((a, b)) is game.preflop[name].best


def test_the_strategy_renames_suits():
    """Every way to rename the suits of a state leaves its action alone; a preflop choice of 1,326 holes is 169."""
    game, rnd = solved(), random.Random(8)
    rows = np.array([rnd.sample(range(52), 5) for _ in range(500)], dtype=np.uint8)
    actions = game.actions_many(rows)
    for suits in itertools.permutations(range(4)):
        renamed = rows - rows % 4 + np.array(suits, dtype=np.uint8)[rows % 4]
        assert np.array_equal(game.actions_many(renamed), actions)
    assert np.array_equal(game.actions_many(rows, threads=2), actions)
    assert np.array_equal(pickle.loads(pickle.dumps(game)).actions_many(rows), actions)


def test_wrong_questions_to_the_strategy():
    game = solved()
    for arguments, error, message in [
        (("AsKd", "7h8h"), CardError, "board: 2 cards given"),
        (("AsKd", "7h8h2c3c"), CardError, "board: 4 cards given"),
        (("AsAs",), CardError, "As is given twice"),
        (("AsKd", "As8h2c"), CardError, "As is given twice: in the hole and on the board"),
        (("As",), CardError, "hole: 1 cards given"),
        (("AsKd", "7h8h2c", "Qc"), RulesError, "dealer"),
        ((None,), TypeError, "hole"),
    ]:
        with pytest.raises(error, match=message):
            game.action(*arguments)
    for cards, error in [
        (np.zeros((3, 6), dtype=np.uint8), ValueError),
        (np.zeros((3, 2), dtype=np.uint8), CardError),
        (np.array([[0, 52]]), CardError),
        (np.zeros((3, 5)), TypeError),
        ("AsKd", TypeError),
    ]:
        with pytest.raises(error):
            game.actions_many(cards)
    anything = np.random.default_rng(9).integers(0, 256, size=(20_000, 7), dtype=np.uint8)
    for width in (2, 5, 7):
        rows = np.ascontiguousarray(anything[:, :width])
        assert game.actions_many(rows, check=False).max() < len(game.actions)
    assert game.actions_many(np.zeros((0, 5), dtype=np.uint8)).shape == (0,)


# Bounds and wrong input -----------------------------------------------------------------------------------------------


def test_generous_tables_do_not_overflow():
    """100,000 to 1 and a denominator of 1,000."""
    table = PayTable(straight=100_000, flush=Fraction(99_999_999, 1000), pair=Fraction(1, 1000), high_card=100_000)
    rules = Rules(blind=table, trips=table)
    check_decisions(rules, {"trips": 3}, ["T9s", "72o"])
    game = solved(rules, trips=3)
    assert game.variance > 10**9


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"rules": None}, TypeError, "rules must be Rules, not NoneType"),
        ({"rules": "standard"}, TypeError, "rules must be Rules, not str"),
        ({"rules": Rules}, TypeError, "rules must be Rules"),
        ({"trips": 0.5}, TypeError, "trips"),
        ({"trips": True}, TypeError, "trips"),
        ({"trips": None}, TypeError, "trips"),
        ({"trips": -1}, RulesError, "trips: -1 is negative"),
        ({"trips": "half"}, RulesError, "trips"),
        ({"trips": Decimal("NaN")}, RulesError, "trips"),
        ({"trips": 1, "rules": Rules(trips=None)}, RulesError, "trips"),
        ({"bad_beat": 1}, RulesError, "bad_beat"),
        ({"bad_beat": 1.0}, TypeError, "bad_beat"),
        ({"bad_beat": 1, "rules": Rules.named("california-bad-beat")}, RulesError, "only beside a Trips bet"),
        ({"payout_cap": -1}, RulesError, "payout_cap: -1 is negative"),
        ({"payout_cap": 1.5}, TypeError, "payout_cap"),
        ({"payout_cap": False}, TypeError, "payout_cap"),
        ({"trips": 10**15}, RulesError, "too large"),
        ({"trips": 10**8}, RulesError, "too large or too fine"),
        ({"trips": Fraction(1, 10**15)}, RulesError, "too large or too fine"),
        ({"payout_cap": Fraction(1, 10**15)}, RulesError, "too large or too fine"),
        ({"rules": Rules(blind=PayTable(flush=10**30))}, RulesError, "blind"),
        ({"rules": Rules(blind=PayTable(flush=Fraction(1, 1001)))}, RulesError, "blind"),
        ({"dealer_exposed": 3}, RulesError, "dealer_exposed"),
        ({"dealer_exposed": -1}, RulesError, "dealer_exposed"),
        ({"dealer_exposed": 1.0}, TypeError, "dealer_exposed"),
        ({"dealer_exposed": False}, TypeError, "dealer_exposed"),
        ({"flop_exposed": 2}, RulesError, "flop_exposed"),
        ({"flop_exposed": "0"}, TypeError, "flop_exposed"),
        ({"threads": 0}, ValueError, "threads"),
        ({"threads": -2}, ValueError, "threads"),
        ({"threads": 1.0}, TypeError, "threads"),
        ({"threads": True}, TypeError, "threads"),
        ({"progress": 3}, TypeError, "progress"),
    ],
)
def test_wrong_arguments(keywords, error, message):
    with pytest.raises(error, match=message):
        uteh.solve(**keywords)


def test_stakes_are_named():
    with pytest.raises(TypeError):
        uteh.solve(STANDARD, 1)
    with pytest.raises(TypeError):
        uteh.solve(trip=1)


# Long work ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_progress(threads):
    calls = []
    game = uteh.solve(threads=threads, progress=lambda *args: calls.append((*args, threading.get_ident())))
    done, totals, callers = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert done[0] > 0 or threads > 1
    assert len(set(done)) > 5
    assert set(totals) == {done[-1]}
    assert set(callers) == {threading.get_ident()}
    assert game == solved()

    class EnoughError(Exception):
        pass

    for patience in (0, 5):
        left = itertools.count(patience, -1)

        def stop(done, total, left=left):
            if next(left) <= 0:
                raise EnoughError

        with pytest.raises(EnoughError):
            uteh.solve(threads=threads, progress=stop)


def told_before_ctrl_c(call):
    """What a call of the package tells `progress`, in a process that sends itself the signal from within the work when
    it is told for the second time."""
    code = (
        "import os, signal, uteh\n"
        "calls = []\n"
        "def progress(done, total):\n"
        "    calls.append(done)\n"
        "    if len(calls) == 2:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "try:\n"
        f"    {call}\n"
        "except KeyboardInterrupt:\n"
        "    print(calls)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX here")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_the_work(threads):
    """The slice that is under way at the signal is the last."""
    assert len(told_before_ctrl_c(f"uteh.solve(threads={threads}, progress=progress)")) in (2, 3)


# The command line -----------------------------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "COLUMNS", "PYTHONPATH")},
    "PYTHONIOENCODING": "utf-8",
}


def run(*arguments, **options):
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=False, **options)


@pytest.fixture
def command():
    pytest.importorskip("click")
    pytest.importorskip("rich")
    return lambda *arguments, **options: run("-m", "uteh", "solve", *arguments, **options)


def test_the_command_prints_the_game(command):
    done = command()
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["rules:", "standard"]
    for line in (
        "expected value, antes -0.021849714 -50643648973/2317817502000",
        "house edge, of an ante 2.1849714% 50643648973/2317817502000",
        "element of risk 0.5262190% 50643648973/9624063957090",
        "average bet, antes 4.152209546 29163830173/7023689400",
        "standard deviation, antes 4.939298891",
        "4x 37.7074% 250/663",
        "4x before the flop: 69 of 169 starting hands, 500 of 1,326 holdings",
        "AA KK QQ JJ TT 99 88 77 66 55 44 33",
    ):
        assert line.split() in lines
    bets = {line[0]: line[-1] for line in lines if line and line[0] in BETS}
    assert {bet: Fraction(value) for bet, value in bets.items()} == {b: v for b, v in solved().by_bet.items() if v}
    shown = done.stdout.split("holdings\n")[1].split()
    assert sorted(shown) == sorted(name for name, d in solved().preflop.items() if d.best is Action.BET_4X)


def test_the_json_of_the_command(command):
    done = command("--trips", "1.0", "--threads", "1", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == solved(trips=1).to_dict()


@pytest.mark.exhaustive
def test_the_json_of_the_command_with_house_rules(command, tmp_path):
    rules = Rules(preflop=(4,), flop=(), bad_beat={"flush": "3/2"})
    (tmp_path / "house.toml").write_text("preflop = [4]\nflop = []\n[bad_beat]\nflush = 1.5\n")
    stakes = ["--trips", "1/2", "--bad-beat", "0.25", "--payout-cap", "1000"]
    done = command("--rules", "house.toml", *stakes, "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    game = solved(rules, trips=Fraction(1, 2), bad_beat=Fraction(1, 4), payout_cap=1000)
    assert json.loads(done.stdout) == game.to_dict()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--rules", "standrad"], ["rules", "standrad", 'did you mean "standard"?']),
        (["--rules", "absent.toml"], ["absent.toml"]),
        (["--trips", "-1"], ["trips: -1 is negative"]),
        (["--trips", "x"], ["trips", "'x'"]),
        (["--bad-beat", "1"], ["bad_beat"]),
        (["--payout-cap", "-1"], ["payout_cap: -1 is negative"]),
        (["--threads", "0"], ["threads", "0"]),
        (["--threads", "two"], ["threads", "two"]),
        (["standard"], ["standard"]),
    ],
)
def test_the_command_refuses_in_one_line(command, arguments, named):
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("uteh: ")
    assert done.stderr.count("\n") == 1
    for word in named:
        assert word in done.stderr


def test_the_example():
    example = ROOT / "examples" / "pay_tables.py"
    if not example.is_file():
        pytest.skip("the examples are not here")
    done = run(str(example), "standard", "four-x-only")
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = [line.split() for line in done.stdout.splitlines()]
    assert head == ["rules", "house", "edge", "element", "of", "risk", "standard", "deviation"]
    # 3x is never the best bet, so that leaving it out changes nothing.
    assert lines == [[name, "2.18497%", "0.52622%", "4.93930"] for name in ("standard", "four-x-only")]
    done = run(str(example), "standrad")
    assert done.returncode == 1
    assert 'did you mean "standard"?' in done.stderr


# Exposed cards --------------------------------------------------------------------------------------------------------


def sums_with(rules, stakes, dealer, flop_exposed):
    """Sums of the actions before the flop by hole (and exposed card), with the dealer's cards known."""
    plan = plan_for(rules, "preflop", stakes.get("trips", 0), stakes.get("bad_beat", 0), stakes.get("payout_cap"))
    game = uteh.game._Game(plan, rules, dealer, flop_exposed, 1)
    which = memoryview(game.which).cast("I").tolist()
    return plan, game.sums(game.run(uteh.game._VALUES)), which, Counter(which)


def check_exposed(rules, stakes, generator, known, flop_exposed):
    """What a game with known cards adds up for a starting hand is what single decisions say of it."""
    dealer = tuple(generator.sample(range(52), known))
    plan, sums, which, sizes = sums_with(rules, stakes, dealer, flop_exposed)
    deals = math.comb(50 - known, 3) * math.comb(47 - known, 2) * math.comb(45 - known, 2 - known)
    if flop_exposed:  # the flop's other two cards
        deals = math.comb(49 - known, 2) * math.comb(47 - known, 2) * math.comb(45 - known, 2 - known)
    for _ in range(3):
        low, high, *board = generator.sample([card for card in range(52) if card not in dealer], 2 + flop_exposed)
        low, high = sorted((low, high))
        place = high * (high - 1) // 2 + low
        number = which[place * 52 + board[0] if board else place]
        decision = uteh.decide((high, low), board, dealer=dealer, rules=rules, **stakes)
        expected = [value * sizes[number] * deals * plan.unit for value in decision.values.values()]
        assert list(sums[number]) == expected


# Games in which the core's paths do different things: the usual one, known cards, and other numbers of categories,
# plays and columns.
PATHS = [
    (STANDARD, {}, (), 0),
    (STANDARD, {}, (), 1),
    (STANDARD, {}, (50, 17), 0),
    (Rules(hole_cards="both", qualifier="three_of_a_kind", river=(1, 2)), {}, (), 0),
    (Rules(qualifier="full_house", preflop=(3,), flop=(1, 2), fold_flop=True), {}, (), 0),
    (Rules(qualifier=None, trips_on_fold="lose", blind="500/50/10/3/2/1"), {"trips": 1}, (), 0),
]


def fingerprints():
    """What the core finds of each game: sums before the flop, decisions, and how deals end."""
    found = []
    for rules, stakes, dealer, flop_exposed in PATHS:
        plan = plan_for(rules, "preflop", stakes.get("trips", 0), 0, None)
        game = uteh.game._Game(plan, rules, dealer, flop_exposed, 1)
        flops = bytearray(_eval.game_units(game.record, uteh.game._FLOPS) * 1326)
        values = game.run(uteh.game._VALUES, flops=flops)
        sums = game.sums(values)
        actions = bytearray(game.places(sums))
        ends = [] if flop_exposed else [_eval.game_ends(game.record, values, actions)]
        after = game.run(uteh.game._AFTER, flops=flops, first_actions=actions)
        ends.append(_eval.game_ends(game.record, after, None))
        found.append(hashlib.sha256(repr((sums, ends)).encode() + flops).hexdigest())
    return found


@pytest.mark.skipif(uteh.cpu_features()["path"] == "portable", reason="one path")
def test_every_path_finds_the_same():
    done = subprocess.run(
        [sys.executable, "-c", "import test_game; print(*test_game.fingerprints())"],
        env={**os.environ, "UTEH_CPU": "portable", "PYTHONPATH": os.fspath(Path(__file__).parent)},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.stderr == ""
    assert done.stdout.split() == fingerprints()


@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("flop_exposed", [0, 1])
def test_exposed_cards_against_single_decisions(known, flop_exposed):
    check_exposed(STANDARD, {}, random.Random(known + 2 * flop_exposed), known, flop_exposed)


@pytest.mark.parametrize("seed", range(6))
def test_exposed_cards_under_random_rules_against_single_decisions(seed):
    check_exposed(*random_game(seed), random.Random(seed), seed % 3, seed // 3 % 2 if seed % 3 else 1)


def test_one_dealer_card_shown():
    """Of the figures published for this, 13.5922% and 13.4316% of an ante, the first stands. Either of the dealer's
    cards may be shown, so there are twice as many deals."""
    game = uteh.solve(dealer_exposed=1)
    assert abs(game.ev - Fraction("0.135922")) <= Fraction(5, 10**7)
    assert game.deals == 2 * DEALS
    assert sum(game.outcomes.values()) == game.deals
    assert sum(value * count for value, count in game.net().items()) == game.ev * game.deals
    assert sum(game.by_bet.values()) == game.ev
    assert sum(game.frequencies.values()) == 1
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(RulesError, match="preflop"):
        _ = game.preflop
    with pytest.raises(RulesError, match="1 dealer cards shown, not 0"):
        game.action("KsQd")
    with pytest.raises(RulesError, match="actions_many"):
        game.actions_many(np.zeros((1, 2), dtype=np.uint8), check=False)
    assert game.action("KsQd", "9h7c2d", "2c") is uteh.decide("KsQd", "9h7c2d", dealer="2c").best
    assert json.loads(json.dumps(game.to_dict()))["exposed"] == {"dealer": 1, "flop": 0}


@pytest.mark.parametrize(
    ("rules", "trips"),
    [(STANDARD, 0), (Rules(fold_preflop=True, trips_on_fold="board", river_min=Fraction(1, 2)), 1)],
    ids=["standard", "folds"],
)
def test_a_flop_card_shown(rules, trips):
    """Each deal comes three times; what a solution knows adds up to one value, and knowing is worth something."""
    game = uteh.solve(rules, trips=trips, flop_exposed=1)
    assert game.deals == 3 * DEALS
    assert sum(game.outcomes.values()) == game.deals
    assert sum(value * count for value, count in game.net().items()) == game.ev * game.deals
    assert sum(game.by_bet.values()) == game.ev > solved(rules, trips=trips).ev
    assert sum(game.frequencies.values()) == 1


@pytest.mark.exhaustive
def test_a_dealer_card_and_a_flop_card_shown():
    """22.3286% of an ante is published. Both of the dealer's cards (38.5816%) take 169 games, too long for a test;
    `examples/exposed_card.py` solves them, and single games with two cards are held to single decisions above."""
    game = uteh.solve(dealer_exposed=1, flop_exposed=1, threads=None)
    assert abs(game.ev - Fraction("0.223286")) <= Fraction(5, 10**7)
