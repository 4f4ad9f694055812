"""Bug reports from other poker programs, and questions that rules and strategy pages get wrong: the right answers.

`data/cases.json` holds one case an id, each with its public source and with how its answer was found; no answer was
computed with this package. `evidence` is "direct" where the source shows these very cards or figures, "adapted" where
it shows the mistake alone, and "requirement" where the case is about how a program behaves. The tests take both
questions and answers from there.
"""

import itertools
import json
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from solutions import solved

import uteh
from uteh import STANDARD, Action, CardError, Category, PayTable, Result, Rules
from uteh.hands import ranks

CASES = {case["id"]: case for case in json.loads((Path(__file__).parent / "data" / "cases.json").read_text("utf-8"))}
USED = defaultdict(list)  # case: the tests that take it

BETS = ("ante", "blind", "play", "trips", "bad_beat")
STREETS = {"preflop": 0, "flop": 1, "river": 2, None: 255}


def cases(*names):
    """Runs a test once for each of these cases, with `given` and `expected` from the data."""

    def decorate(test):
        for name in names:
            USED[name].append(test)
        params = [pytest.param(CASES[name]["input"], CASES[name]["expected"], id=name) for name in names]
        return pytest.mark.parametrize(("given", "expected"), params)(test)

    return decorate


def test_every_case_is_used_by_one_test():
    assert list(CASES) == sorted(CASES)
    assert len(USED) == len(CASES)
    for name in CASES:
        (test,) = USED[name]
        assert globals()[test.__name__] is test  # no other test has taken its place


# Hands ----------------------------------------------------------------------------------------------------------------


def words(cards):
    """A hand as the data names it: its category and its ranks, 2 to 14, each once; of a straight the highest alone."""
    strength = uteh.evaluate(cards)
    five = [card // 4 for card in uteh.best_five(cards)]
    assert list(ranks(strength)) == five
    kind = uteh.category(strength)
    straight = kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
    shown = five[:1] if straight else dict.fromkeys(five)
    return f"{kind} {'-'.join(str(rank + 2) for rank in shown)}"


def check_winners(board, hands, expected):
    seen = [f"{hand} {board}" for hand in hands]
    strengths = [uteh.evaluate(cards) for cards in seen]
    winners = [seat for seat, strength in enumerate(strengths, start=1) if strength == max(strengths)]
    assert winners == expected["winners"]
    assert (len(winners) > 1) == expected["tie"]
    assert [words(cards) for cards in seen] == expected["hands"]
    assert uteh.evaluate_many(uteh.parse_many(seen)).tolist() == strengths
    if "words" in expected:
        assert [uteh.describe(strength) for strength in strengths] == expected["words"]
    for cards, strength in expected.get("strengths", {}).items():
        assert uteh.evaluate(cards) == strength


@cases(
    "E01", "E02", "E03", "E04", "E06", "E07", "E09", "E10", "E11",
    "E12", "E13", "E14", "E17", "E18", "E19", "E20", "E23",
)  # fmt: skip
def test_winners(given, expected):
    check_winners(given["board"], given["hands"], expected)


@cases("E15")
def test_five_cards_play(given, expected):
    five = uteh.best_five(given["cards"])
    assert words(given["cards"]) == expected["hand"]
    assert len(set(five)) == expected["cards_used"]
    assert set(five) < set(uteh.parse_cards(given["cards"]))
    assert uteh.evaluate(five) == uteh.evaluate(given["cards"])


@cases("E22")
def test_every_order(given, expected):
    assert words(given["cards"]) == expected["hand"]
    orders = list(itertools.permutations(uteh.parse_cards(given["cards"])))
    assert len(orders) == expected["orderings"]
    strength = uteh.evaluate(given["cards"])
    assert {uteh.evaluate(cards) for cards in orders} == {strength}
    assert set(uteh.evaluate_many(orders).tolist()) == {strength}


@cases("E24")
def test_the_royal_flush_is_a_category_of_its_own(given, expected):
    strengths = [uteh.evaluate(cards) for cards in given["cards"]]
    assert [words(cards) for cards in given["cards"]] == expected["hands"]
    assert [given["blind_stake"] * STANDARD.blind[uteh.category(s)] for s in strengths] == expected["blind_pays"]


@pytest.mark.exhaustive
@cases("O12")
def test_seven_card_hands_by_category(given, expected):
    """All seven-card hands: a highest card over each six of those below it, which are the first rows of one array."""
    sixes = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(50, -1, -1), 6)), dtype=np.uint8)
    sixes = sixes.reshape(-1, 6)[::-1]
    counts, kings = Counter(), 0
    for high in range(6, 52):
        below = sixes[: math.comb(high, 6)]
        hands = np.column_stack([below, np.full(len(below), high, dtype=np.uint8)])
        strengths = np.bincount(uteh.evaluate_many(hands, check=False), minlength=7463)
        kings += int(strengths[7461])
        for strength in np.flatnonzero(strengths).tolist():
            counts[uteh.category(strength)] += int(strengths[strength])
    assert uteh.describe(7461) == "straight flush, king high"
    assert kings == expected["king_high_straight_flush"]
    assert counts == by_category(expected)
    assert counts.total() == expected["total"] == math.comb(52, 7)


def by_category(published):
    """{Category: hands} of the seven-card counts."""
    names = {
        Category.THREE_OF_A_KIND: "trips",
        Category.FOUR_OF_A_KIND: "quads",
        Category.STRAIGHT_FLUSH: "straight_flush_excl_royal",
        Category.ROYAL_FLUSH: "royal",
    }
    return {category: published[names.get(category, category.name.lower())] for category in Category}


# Cards ----------------------------------------------------------------------------------------------------------------


@cases("P01")
@pytest.mark.parametrize("function", [uteh.odds, uteh.decide])
def test_a_card_given_twice_is_named(function, given, expected):
    for question, card in zip(given["questions"], expected["named"], strict=True):
        with pytest.raises(CardError, match=f"^{card} is given twice"):
            function(**question)


@cases("P03")
def test_ten_may_be_written_with_digits(given, expected):
    check_winners(given["board"], given["hands"], expected)
    check_winners(given["same_board"], given["hands"], expected)
    assert uteh.parse_cards(given["board"]) == uteh.parse_cards(given["same_board"])
    assert words(expected["also"]["cards"]) == expected["also"]["hand"]


@cases("P04")
def test_no_token_is_dropped(given, expected):
    with pytest.raises(CardError, match=f"board: '{expected['board_names']}'"):
        uteh.odds("Ks As", given["board"])
    with pytest.raises(CardError, match=f"hole: '{expected['hole_names']}'"):
        uteh.odds(given["hole"])
    for text in given["texts"]:
        with pytest.raises(CardError, match="is not a card"):
            uteh.parse_cards(text)


@cases("P06")
def test_other_suit_signs_are_the_same_cards(given, expected):
    ways = [rank + sign for signs in given["suits"] for sign in signs + signs[0].upper() for rank in "23456789TJQKA"]
    deck = Counter(card for text in ways for card in uteh.parse_cards(text))
    assert len(ways) == 4 * expected["size"]
    assert len(deck) == expected["unique"] == expected["size"]
    assert set(Counter(uteh.format_cards([card])[1] for card in deck).values()) == {expected["per_suit"]}
    assert set(Counter(uteh.format_cards([card])[0] for card in deck).values()) == {expected["per_rank"]}
    assert set(deck.values()) == {4}
    # Nor does the core know of others.
    assert uteh.odds("As Ks").deals == math.comb(expected["size"] - 2, 5) * math.comb(expected["size"] - 7, 2)
    with pytest.raises(CardError):
        uteh.evaluate([0, 1, 2, 3, expected["size"]])


@cases("P07")
def test_five_to_seven_cards_are_a_hand(given, expected):
    for cards in given["evaluate"]:
        number = len(uteh.parse_cards(cards))
        with pytest.raises(ValueError, match=rf"\b{number}\b"):
            uteh.evaluate(cards)
        with pytest.raises(ValueError, match=rf"\b{number}\b"):
            uteh.evaluate_many(uteh.parse_many([cards]))
    assert [number for number in range(12) if is_a_hand(number)] == [5, 6, 7]


def is_a_hand(number):
    try:
        uteh.evaluate(list(range(number)))
    except CardError:
        return False
    return True


# Odds -----------------------------------------------------------------------------------------------------------------


def check_counts(odds, expected):
    assert (odds.win, odds.tie, odds.lose) == (expected["win"], expected["tie"], expected["lose"])
    assert all(type(count) is int for count in (odds.win, odds.tie, odds.lose, odds.deals))
    assert odds.equity == Fraction(2 * odds.win + odds.tie, 2 * odds.deals)


@cases("O01", "O03", "O04", "O06", "O07", "O10")
def test_odds(given, expected):
    for question, answer in zip(given["questions"], expected["answers"], strict=True):
        odds = uteh.odds(**question)
        check_counts(odds, answer)
        assert odds.deals == odds.win + odds.tie + odds.lose == answer["total"]
        if "equity" in answer:
            assert odds.equity == Fraction(answer["equity"])
        if "win_pct" in answer:
            assert round(100 * odds.win / odds.deals, 3) == answer["win_pct"]
        if "dealer" in question:  # seen from the other side
            other = uteh.odds(question["dealer"], question.get("board", ""), dealer=question["hole"])
            assert (other.lose, other.tie, other.win) == (odds.win, odds.tie, odds.lose)
            assert odds.equity + other.equity == 1


@cases("O11")
def test_known_cards_are_in_no_runout(given, expected):
    for asked, runouts, hands in zip(given["questions"], expected["runouts"], expected["dealer_hands"], strict=True):
        question = {name: cards for name, cards in asked.items() if name != "known"}
        assert uteh.odds(**question).deals == runouts * hands


@cases("O13")
def test_numbers_of_deals_do_not_overflow(given, expected):
    odds = uteh.odds("As Kd")
    deals = math.comb(52, 2) * odds.deals
    flops = math.comb(5, 3)
    assert deals == expected["unordered_board"] > expected["int32_max"]
    assert deals * flops == expected["with_flop_order"]
    # 500 to 1 on every win and every deal weighed: whole numbers beyond float64, which an average must not go through.
    rules = Rules(blind=PayTable(**{category.name.lower(): 500 for category in Category}))
    value = uteh.decide("As Kd", rules=rules).values[Action.BET_4X]
    ante = (odds.win - odds.win_unqualified) - (odds.lose - odds.lose_unqualified)
    assert value * odds.deals == ante + 4 * (odds.win - odds.lose) + 500 * odds.win - odds.lose


# Decisions ------------------------------------------------------------------------------------------------------------


@cases("U01", "U04", "U05", "U07")
def test_decisions(given, expected):
    for question, answer in zip(given["questions"], expected["answers"], strict=True):
        decision = uteh.decide(**question)
        for action, value in answer["values"].items():
            if isinstance(value, str):
                assert decision.values[Action(action)] == Fraction(value)
            else:
                assert abs(decision.values[Action(action)] - Fraction(value)) <= Fraction(expected["tolerance"])
        assert decision.best == answer["best"]
        assert decision.values[decision.best] == max(decision.values.values())
        if "win" in answer:
            check_counts(uteh.odds(**question), answer)


@cases("U03")
def test_every_starting_hand(given, expected):
    """The best action of the 169 starting hands, each with the number of its holdings."""
    pairs = list(itertools.combinations("AKQJT98765432", 2))
    holdings = {rank * 2: 6 for rank in "AKQJT98765432"}
    holdings |= {a + b + "s": 4 for a, b in pairs} | {a + b + "o": 12 for a, b in pairs}
    preflop = solved().preflop
    assert preflop.keys() == holdings.keys()
    best = {hand: decision.best for hand, decision in preflop.items()}
    times = Counter(best.values())
    assert times[Action.BET_3X] == expected["times_3x_is_best"]
    assert times[Action.BET_4X] == expected["times_4x"]
    assert times[Action.CHECK] == expected["times_check"]
    raised = sum(number for hand, number in holdings.items() if best[hand] == Action.BET_4X)
    assert sum(holdings.values()) == 1326
    assert raised == expected["raised_holdings"]
    assert round(raised / 1326, 8) == expected["raise_frequency"]


# The whole game -------------------------------------------------------------------------------------------------------


@cases("H01")
def test_the_value_of_the_game_over_each_denominator(given, expected):
    game = solved(Rules.named(given["rules"]))
    assert game.ev == Fraction(expected["ev_per_ante_exact"])
    assert float(game.ev) == expected["ev_per_ante"]
    assert round(float(100 * game.house_edge), 8) == expected["house_edge_pct"]
    assert round(float(100 * game.element_of_risk), 5) == expected["per_unit_wagered_pct"]
    assert round(float(50 * game.house_edge), 5) == expected["per_ante_plus_blind_pct"]
    assert round(float(game.average_bet), 9) == expected["avg_total_bet"]
    for action, name in {"4x": "raise4", "2x": "bet2", "1x": "bet1", "fold": "fold"}.items():
        assert round(float(game.frequencies[Action(action)]), 8) == expected[name]


@cases("H03")
def test_a_flush_is_paid_three_to_two(given, expected):
    value = solved(Rules(blind=given["blind"])).ev
    assert round(float(value), 10) == expected["ev_per_ante"]
    assert round(float(value - solved().ev), 10) == expected["difference"]


@cases("H08")
def test_values_with_a_mistake_in_the_rules(given, expected):
    for mistake, changes in given["rules"].items():
        value = float(solved(Rules(**changes)).ev)
        assert value == expected[mistake] or round(value, 10) == expected[mistake]


@cases("H06")
def test_losing_hands_where_nobody_folds(given, expected):
    """Trips that pays every hand, and is lost by a fold, is never folded; a Bad Beat of thousands tells hands apart."""
    names = ("high_card", "pair", "two_pair", "t", "s", "f", "fh", "q", "sf", "royal")
    everything = PayTable(**{category.name.lower(): 10 for category in Category})
    thousands = PayTable(**{category.name.lower(): 1000 * (category + 1) for category in Category})
    rules = Rules(preflop=(), flop=(), blind={}, trips=everything, trips_on_fold="lose", bad_beat=thousands)
    counts = Counter()
    for amount, deals in solved(rules, trips=1, bad_beat=1).net().items():
        counts[round(amount / 1000)] += deals
    flops = math.comb(5, 3)
    assert counts == Counter(
        {0: flops * expected["tie"]}
        | {place: flops * expected["losing_hand"][name] for place, name in enumerate(names, 1) if name != "royal"}
    )
    assert expected["losing_hand"]["royal"] == 0
    assert counts.total() == flops * expected["total"]
    game = uteh.solve(replace(rules, bad_beat=given["bad_beat"]), trips=1, bad_beat=1)
    assert float(game.by_bet["bad_beat"]) == pytest.approx(expected["ev"], abs=1e-15)


@pytest.mark.exhaustive
@cases("H07")
def test_what_trips_costs_if_a_fold_loses_it(given, expected):
    """A stake of almost nothing, lost by a fold, leaves all decisions but those between equal values."""
    rules = Rules(trips=given["trips"], trips_on_fold="lose")
    game = uteh.solve(rules, trips=Fraction(1, 100_000))
    folds = Counter()
    for (action, category, _, _), deals in game.outcomes.items():
        if action == Action.FOLD:
            folds[category] += deals
    shares = {category: Fraction(deals, game.deals) for category, deals in folds.items() if category in rules.trips}
    assert shares.keys() == {Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND}
    assert round(float(shares[Category.THREE_OF_A_KIND]), 11) == expected["p_fold_with_trips"]
    assert round(float(shares[Category.FOUR_OF_A_KIND]), 12) == expected["p_fold_with_quads"]
    cost = sum(share * (rules.trips[category] + 1) for category, share in shares.items())
    assert round(float(cost), 8) == expected["cost_per_trips_unit"]
    # A whole ante is reason enough to fold no paying hand; decisions before the river may answer to that.
    assert 0 < solved().ev - solved(rules, trips=1).base_ev < expected["cost_to_base_game_of_never_folding"]


# Pay tables -----------------------------------------------------------------------------------------------------------


@cases("H04")
def test_trips_tables(given, expected):
    """Trips on seven cards that nobody can throw away: the sum over all hands, of which O12 says how many there are."""
    counts = by_category(CASES["O12"]["expected"])
    hands = CASES["O12"]["expected"]["total"]
    for text, ev in zip(given["tables"], expected["ev"], strict=True):
        table = Rules(trips=text).trips
        assert table == PayTable.parse(text)
        assert sum(counts[c] * table.get(c, -1) for c in Category) / Fraction(hands) == Fraction(ev)


# Settlement -----------------------------------------------------------------------------------------------------------


def settle(deal, stakes, rules=STANDARD):
    """One round, settled alone and as a row of an array; `stakes` may be the whole input of a case."""
    cards = [deal["player"], deal["dealer"], deal["board"]]
    stakes = {name: stakes[name] for name in ("ante", "blind", "play", "trips", "bad_beat", "street") if name in stakes}
    one = uteh.settle(*cards, **stakes, rules=rules)
    rows = uteh.settle_many(uteh.parse_many([" ".join(cards)]), **stakes, rules=rules)
    for name in (*BETS, "net", "result", "player_strength", "dealer_strength", "qualifies"):
        assert getattr(rows, name).tolist() == [getattr(one, name)]
    assert one.net == sum(getattr(one, bet) for bet in BETS)
    return one


def check_round(settled, expected):
    """The bets, the hands and the rest, so far as the case says something of them."""
    for name in (*BETS, "net"):
        if name in expected:
            assert getattr(settled, name) == expected[name], name
    if "player" in expected:
        assert str(uteh.category(settled.player_strength)) == expected["player"]
    if "dealer" in expected:
        assert str(uteh.category(settled.dealer_strength)) == expected["dealer"]
    if "dealer_qualifies" in expected:
        assert settled.qualifies is expected["dealer_qualifies"]
    if "result" in expected:
        assert str(settled.result) == expected["result"]


@cases("S01", "S02", "S05", "S06", "S07")
def test_rounds(given, expected):
    settled = settle(given, given)
    check_round(settled, expected)
    strengths = settled.player_strength, settled.dealer_strength
    assert settled.result is Result((strengths[0] > strengths[1]) - (strengths[0] < strengths[1]))
    assert strengths[0] == uteh.evaluate(f"{given['player']} {given['board']}")
    assert strengths[1] == uteh.evaluate(f"{given['dealer']} {given['board']}")


@cases("S04")
def test_odd_stakes(given, expected):
    """Three to two on 25: exact in fractions and floats; in whole chips as the rules say, by default not at all."""
    stakes = {name: given[name] for name in ("ante", "blind", "play", "trips")}
    check_round(settle(given, {name: float(amount) for name, amount in stakes.items()}), expected)
    cards = (given["player"], given["dealer"], given["board"])
    exact = uteh.settle(*cards, **{name: Fraction(amount) for name, amount in stakes.items()})
    check_round(exact, expected)
    for breakage, blind in expected["whole_chips"].items():
        rules = replace(STANDARD, breakage=breakage)
        if blind == "refused":
            with pytest.raises(ValueError):  # noqa: PT011 - the same round passes below with other rules
                uteh.settle(*cards, **stakes, rules=rules)
            with pytest.raises(ValueError, match="row 0") as caught:
                uteh.settle_many(uteh.parse_many([" ".join(cards)]), **stakes, rules=rules)
            assert caught.value.row == 0
        else:
            settled = settle(given, stakes, rules)
            check_round(settled, {**expected, "blind": blind, "net": expected["ante"] + expected["play"] + blind})


@cases("S08")
def test_which_cards_may_play(given, expected):
    assert STANDARD.hole_cards == expected["default"]
    for hole_cards in ("any", "both"):
        check_round(settle(given, given, Rules(hole_cards=hole_cards)), expected[hole_cards])


@cases("S09")
def test_trips_after_a_fold(given, expected):
    for name, answers in expected.items():
        for deal, answer in zip(given["deals"], answers, strict=True):
            settled = settle(deal, given, Rules.named(name))
            check_round(settled, answer)
            assert settled.result is Result.FOLD
            assert (settled.ante, settled.blind, settled.play) == (-given["ante"], -given["blind"], 0)


@cases("S10")
def test_trips_beside_a_hand_that_does_not_win(given, expected):
    for name, answers in expected.items():
        for deal, trips in zip(given["deals"], answers, strict=True):
            settled = settle(deal, given, Rules.named(name))
            if trips is not None:
                assert settled.trips == trips


@cases("S12")
def test_a_fund_that_runs_out(given, expected):
    seats = [
        uteh.Seat(seat["hole"], {name: amount for name, amount in seat.items() if name != "hole"})
        for seat in given["seats"]
    ]
    table = uteh.settle_table(seats, given["dealer"], given["board"], fund=given["fund"])
    for (wager,), of_seat in zip(table.seats, expected["seats"], strict=True):
        assert {name: getattr(wager, name) for name in of_seat} == of_seat
    assert table.bank_net == expected["fund_left"] - given["fund"]


@cases("S14")
def test_illegal_amounts(given, expected):
    """Each alone, and as one row among legal ones, which the error names."""
    cards = ("Ac 4h", "Qc 9c", "Kd Jc 8s 5h 3d")
    ante = given["ante"]

    def refused(row):
        stakes = {"ante": ante, **{name: row[name] for name in ("play", "blind", "street") if name in row}}
        with pytest.raises(ValueError):  # noqa: PT011 - settle_many's message is looked at
            uteh.settle(*cards, **stakes)

    for row in given["rows"]:
        refused(row)
    legal = given["allowed"]["standard"]
    for place, row in itertools.product((0, 3, len(legal)), given["rows"]):
        rows = [*legal[:place], row, *legal[place:]]
        with pytest.raises(ValueError, match=rf"\brow {place}\b") as caught:
            settle_rows(cards, ante, rows)
        assert caught.value.row == place
    for name, rows in given["allowed"].items():
        rules = Rules.named(name)
        many = settle_rows(cards, ante, rows, rules)
        alone = [uteh.settle(*cards, ante=ante, rules=rules, **row) for row in rows]
        assert many.net.tolist() == [settled.net for settled in alone]
    for row in given["allowed"]["simulated"]:
        refused(row)


def settle_rows(cards, ante, rows, rules=STANDARD):
    return uteh.settle_many(
        uteh.parse_many([" ".join(cards)] * len(rows)),
        ante=ante,
        play=np.array([row["play"] for row in rows]),
        blind=np.array([row.get("blind", ante) for row in rows]),
        street=np.array([STREETS[row.get("street")] for row in rows], dtype=np.uint8),
        rules=rules,
    )


@cases("S16")
def test_trips_tables_of_casinos(given, expected):
    for name, answers in expected.items():
        table = given["tables"][name]
        rules = Rules(trips=table) if isinstance(table, dict) else Rules.named(name)
        for deal, trips in zip(given["deals"], answers, strict=True):
            check_round(settle(deal, given, rules), {"player": deal["hand"], "trips": trips})


@cases("S17")
def test_payout_cap(given, expected):
    stakes = {name: given[name] for name in ("ante", "blind", "play", "trips")}
    cards = (given["player"], given["dealer"], given["board"])
    check_round(settle(given, given), expected["uncapped"])
    capped = uteh.settle(*cards, **stakes, payout_cap=given["cap"])
    assert capped.net == expected["capped_net"]
    assert all(0 <= getattr(capped, bet) <= expected["uncapped"].get(bet, 0) for bet in BETS)
    rows = uteh.settle_many(uteh.parse_many([" ".join(cards)]), **stakes, payout_cap=given["cap"])
    assert rows.net.tolist() == [expected["capped_net"]]


# The package ----------------------------------------------------------------------------------------------------------


@cases("B02")
def test_no_table_is_read_from_a_file(given, expected, tmp_path):
    code = (
        "import sys, uteh\n"
        "uteh.evaluate, uteh.odds, uteh.decide, uteh.STANDARD, uteh.evaluate('As Ks Qs Js Ts')\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: event == 'open' and opened.append(args[0]))\n"
        "assert uteh.evaluate('As Ks Qs Js Ts') == 7462\n"
        "assert uteh.odds('5s4h', 'KsJhTh8h8c').tie == 259\n"
        "assert not [name for name in opened if not str(name).endswith(('.py', '.pyc'))], opened\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path)
    code_only = {".py", ".pyc", ".pyi", ".pyx", ".pxd", ".c", ".h", ".so", ".pyd"}
    files = [path for path in Path(uteh.__file__).parent.rglob("*") if path.is_file() and path.name != "py.typed"]
    assert {path.suffix for path in files} <= code_only


@cases("C02")
def test_threads_give_the_same_from_the_first_call_on(given, expected):
    """In a fresh process: threads that start together, the first of them with nothing set up yet."""
    counts = tuple(expected["odds"][name] for name in ("win", "tie", "lose"))
    code = f"""
import sys, threading, zlib
import numpy as np
import uteh

rng = np.random.default_rng(1)
hands = rng.integers(0, 52, (2 * {given["hands"]}, 7), dtype=np.uint8)
ordered = np.sort(hands, axis=1)
hands = hands[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)][:{given["hands"]}]
assert len(hands) == {given["hands"]}
strengths, odds = set(), set()

def work(start, threads):
    start.wait()
    strengths.add(zlib.crc32(uteh.evaluate_many(hands, threads=threads).tobytes()))
    answer = uteh.odds("AsTh", "AhKdJc")
    odds.add((answer.win, answer.tie, answer.lose))

for number in {sorted(given["threads"], reverse=True)}:
    start = threading.Barrier(number)
    threads = [threading.Thread(target=work, args=(start, threads)) for threads in [1, 2, 8, None, 1, 2, 8, 1][:number]]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
assert len(strengths) == 1 and odds == {{{counts}}}, (strengths, odds)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=os.environ)
