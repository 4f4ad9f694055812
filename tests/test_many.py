"""Questions by the array: every row is what the question about one hand says, whatever is known in it; wrong rows are
named before any work is done, and any bytes are safe."""

import itertools
import json
import pickle
import random
import subprocess
import sys
import threading
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from math import comb
from pathlib import Path

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from test_game import told_before_ctrl_c
from test_questions import any_rules

import uteh
from uteh import STANDARD, CardError, Category, PayTable, Rules, RulesError

ODDS = ("deals", "win", "tie", "lose", "win_unqualified", "tie_unqualified", "lose_unqualified")
# (board, later, dealer): how many of each are known.
SHAPES = [
    (board, later, dealer)
    for board in range(6)
    for later in range(3)
    if max(board - 3, 0) + later <= 2
    for dealer in range(3)
]


def deal(rng, n, board, later, dealer, dead=0):
    """Random rows of what is known; of `dead` places a random part is empty where it is a range."""
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (n, 1)), axis=1)
    widths = [2, board, later, dealer, dead if isinstance(dead, int) else dead[-1]]
    parts = np.split(decks[:, : sum(widths)], np.cumsum(widths)[:-1], axis=1)
    if not isinstance(dead, int) and n:
        counts = rng.integers(dead[0], dead[-1], n, endpoint=True)
        parts[4][np.arange(dead[-1]) >= counts[:, None]] = 255
    return dict(zip(("holes", "boards", "later", "dealer", "dead"), parts, strict=True))


def one_by_one(asked, row):
    """The same row as a question about one hand."""
    given = {name: cards[row].tolist() for name, cards in asked.items()}
    dead = [card for card in given["dead"] if card != 255]
    return {
        "hole": given["holes"],
        "board": given["boards"],
        "later": given["later"],
        "dealer": given["dealer"],
        "dead": dead,
    }


def check_odds(asked, rules):
    many = uteh.odds_many(**asked, rules=rules)
    for row in range(len(many)):
        one = uteh.odds(**one_by_one(asked, row), rules=rules)
        assert {name: getattr(many, name)[row] for name in ODDS} == {name: getattr(one, name) for name in ODDS}
        assert many.by_category[row].tolist() == [list(one.by_category[c]) for c in Category]
        assert many.equity[row] == float(one.equity)
    return many


def check_decisions(asked, rules, **options):
    many = uteh.decide_many(**asked, rules=rules, **options)
    for row in range(len(many)):
        one = uteh.decide(**one_by_one(asked, row), rules=rules, **options)
        assert many.street == one.street
        assert many.actions == tuple(one.values)
        numerators = [value * many.denominator for value in one.values.values()]
        assert many.numerators[row].tolist() == numerators
        assert many.values[row].tolist() == [float(value) for value in one.values.values()]
        assert many.actions[many.best[row]] is one.best
        assert many.margin is None if one.margin is None else many.margin[row] == float(one.margin)
    return many


# Rows and single questions --------------------------------------------------------------------------------------------


@pytest.mark.smoke
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "-".join(map(str, shape)))
def test_every_shape(shape):
    rng = np.random.default_rng([1, *shape])
    rules = Rules.named(Rules.names()[SHAPES.index(shape) % len(Rules.names())])
    unknown = 5 - shape[0] - shape[1]
    for dead in (0, 3, (0, 9), 45 - sum(shape) - (7 - sum(shape))):
        asked = deal(rng, 2 if unknown > 2 else 8, *shape, dead)
        check_odds(asked, rules)
        for street in ("preflop", "flop", "river")[: 1 if shape[0] < 3 else 3 if unknown == 0 else 2]:
            options = {"columns": ["values", "best", "margin"]} if isinstance(dead, tuple) and unknown > 2 else {}
            if options:
                many = uteh.decide_many(**asked, rules=rules, street=street, **options)
                one = [uteh.decide(**one_by_one(asked, row), rules=rules, street=street) for row in range(len(many))]
                assert many.values.tolist() == [[float(value) for value in d.values.values()] for d in one]
                assert [many.actions[best] for best in many.best] == [d.best for d in one]
            else:
                check_decisions(asked, rules, street=street)


@settings(max_examples=150)
@given(st.sampled_from(SHAPES), st.integers(0, 2**32), any_rules, st.data())
def test_any_rules(shape, seed, rules, data):
    unknown = 5 - shape[0] - shape[1]
    dead = (
        data.draw(st.sampled_from([0, 1, (0, 2), 30, (33, 36)])) if unknown < 3 else data.draw(st.sampled_from([0, 20]))
    )
    asked = deal(np.random.default_rng(seed), 1 if unknown > 3 else 3, *shape, dead)
    check_odds(asked, rules)
    amount = st.sampled_from([0, 1, Fraction(1, 2)])
    check_decisions(
        asked,
        rules,
        trips=data.draw(amount) if rules.trips is not None else 0,
        bad_beat=data.draw(amount) if rules.bad_beat is not None else 0,
        payout_cap=data.draw(st.sampled_from([None, 5, Fraction(21, 2)])),
    )


@pytest.mark.parametrize("name", Rules.names())
def test_thousands_of_rows(name):
    rng = np.random.default_rng(list(name.encode()))
    rules = Rules.named(name)
    stakes = {"trips": 1, "bad_beat": 1} if rules.bad_beat is not None else {"trips": 1}
    for board, n in ((5, 400), (4, 60), (3, 25)):
        for dealer, dead in ((0, 0), (1, 2), (0, (0, 4))):
            asked = deal(rng, n, board, 0, dealer, dead)
            check_odds(asked, rules)
            check_decisions(asked, rules, **stakes)


@pytest.mark.parametrize("both", ["any", "both"])
def test_thousands_of_states_against_the_reference(both):
    """Known cards of every kind, and so few live ones that the slow reference keeps up."""
    rng = np.random.default_rng([7, both == "both"])
    rules = Rules(hole_cards=both, qualifier=rng.choice([Category.PAIR, Category.TWO_PAIR]).item())
    for shape in SHAPES:
        left = 7 - sum(shape)
        asked = deal(rng, 25, *shape, 52 - 2 - sum(shape) - left - (3 if left < 5 else 1))
        odds = uteh.odds_many(**asked, rules=rules)
        decisions = uteh.decide_many(**asked, rules=rules, trips=1)
        for row in range(len(odds)):
            one = one_by_one(asked, row)
            if len(one["board"]) >= 3:
                one = {**one, "board": [*one["board"], *one["later"]], "later": []}
            expected = reference.odds(**one, rules=rules)
            assert odds.by_category[row].tolist() == [list(counts) for counts in expected.pop("by_category")]
            assert {name: getattr(odds, name)[row] for name in expected} == expected
            expected = reference.decide(**one, street=decisions.street, rules=rules, trips=1)
            numerators = decisions.numerators[row].tolist()
            assert [Fraction(n, decisions.denominator) for n in numerators] == list(expected.values())


# What is known and what is not ----------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.permutations(range(52)), st.sampled_from([(3, 0), (3, 1), (4, 0), (5, 0)]), st.integers(0, 30), any_rules)
def test_odds_are_averages_over_a_dead_card(deck, known, ndead, rules):
    """A completion is among those of every card that it does not need, dead."""
    board, later = known
    hole, deck = deck[:2], deck[2:]
    board, later, dead, live = deck[:board], deck[board : board + later], deck[5 : 5 + ndead], deck[5 + ndead :]
    live = [*deck[len(board) + len(later) : 5], *live]
    every = np.array([[*dead, card] for card in live], dtype=np.uint8)
    one = uteh.odds(hole, board, later=later, dead=dead, rules=rules)
    many = uteh.odds_many(hole, board, later=later, dead=every, rules=rules)
    spared = len(live) - (7 - len(board) - len(later))
    for name in ODDS:
        assert getattr(many, name).sum() == getattr(one, name) * spared
    counts = [list(one.by_category[c]) for c in Category]
    assert (many.by_category.sum(axis=0) == np.array(counts) * spared).all()


@settings(max_examples=60)
@given(st.permutations(range(52)), st.sampled_from([3, 4, 5]), st.integers(0, 30), any_rules)
def test_knowing_more_is_never_worth_less(deck, nboard, ndead, rules):
    """Averaged over the card that may be known, a bet or a fold is worth what it is worth without; a check, and the
    best action, at least that."""
    hole, board, dead, live = (
        deck[:2],
        deck[2 : 2 + nboard],
        deck[7 : 7 + ndead],
        [*deck[2 + nboard : 7], *deck[7 + ndead :]],
    )
    street = ("flop", "flop", "river")[nboard - 3]
    stakes = {"trips": 1 if rules.trips is not None else 0}
    one = uteh.decide(hole, board, dead=dead, street=street, rules=rules, **stakes)
    every = np.array(live, dtype=np.uint8)[:, None]
    told = [{"dealer": every, "dead": dead}, {"dead": [[*dead, card] for card in live]}]
    if nboard < 5:
        told.append({"later": every, "dead": dead})
    for known in told:
        many = uteh.decide_many(hole, board, **known, street=street, rules=rules, **stakes)
        sums = many.numerators.sum(axis=0).tolist()
        for action, total in zip(many.actions, sums, strict=True):
            mean = Fraction(total, many.denominator * len(live))
            if action is uteh.Action.CHECK:
                assert mean >= one.values[action]
            else:
                assert mean == one.values[action]
        best = Fraction(int(many.numerators.max(axis=1).sum()), many.denominator * len(live))
        assert best >= one.values[one.best]


def test_a_card_seen_before_the_flop():
    """On average over the card, raising is worth what it is worth without; and so is checking where the card is of the
    flop, which would be seen before the next decision, while a card that would stay hidden is worth something."""
    hole = uteh.parse_cards("Ks 5d")
    live = [[card] for card in range(52) if card not in hole]
    one = uteh.decide(hole)
    for place in ("dealer", "boards"):
        many = uteh.decide_many(hole, **{place: live})
        means = [Fraction(total, many.denominator * 50) for total in many.numerators.sum(axis=0).tolist()]
        values = dict(zip(many.actions, means, strict=True))
        check = values.pop("check")
        assert check == one.values["check"] if place == "boards" else check > one.values["check"]
        assert values == {action: one.values[action] for action in values}
    assert str(uteh.decide(hole, dealer="As").best) == "check" != str(uteh.decide(hole, dealer="2c").best)


# Rows, sets and empty places ------------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_one_set_of_cards_for_all_rows():
    holes = uteh.parse_many(["AhKd", "5s4h", "QcQd"])
    boards = np.tile(np.array(uteh.parse_cards("Qh7s2c"), dtype=np.uint8), (3, 1))
    expected = uteh.odds_many(holes, boards, dead=np.full((3, 1), 3))
    for board in ("Qh 7s 2c", uteh.parse_cards("Qh7s2c"), ["Qh", "7s", 0], np.array([42, 23, 0])):
        for dead in ("2s", [3], (3,), np.array([3]), [[3], [3], [3]], np.full((3, 4), [3, 255, 255, 255])):
            assert uteh.odds_many(holes, board, dead=dead) == expected
    assert uteh.odds_many("AhKd", boards, dead="2s").win.tolist() == [expected.win[0]] * 3
    assert len(uteh.odds_many("AhKd", "Qh7s2c", dead="2s")) == 1
    for nothing in (None, "", (), [], np.empty((3, 0), dtype=np.uint8), [[], [], []]):
        assert (
            uteh.odds_many(holes, boards, dealer=nothing, later=nothing, dead=nothing).deals.tolist() == [1_070_190] * 3
        )
    decisions = uteh.decide_many(holes, "Qh7s2c", dead="2s")
    assert decisions == uteh.decide_many(holes, boards, dead=[[255, 3]] * 3)
    assert decisions.numerators.shape == (3, 2)


@pytest.mark.parametrize("dtype", ["int8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i2"])
def test_any_integers_and_strides(dtype):
    rng = np.random.default_rng(4)
    asked = deal(rng, 20, 4, 0, 1, 3)
    expected = uteh.odds_many(**asked), uteh.decide_many(**asked)
    wide = {name: cards.astype(dtype) for name, cards in asked.items()}
    assert (uteh.odds_many(**wide), uteh.decide_many(**wide)) == expected
    strided = {name: np.repeat(np.asfortranarray(cards), 2, axis=1)[:, ::2] for name, cards in wide.items()}
    assert (uteh.odds_many(**strided), uteh.decide_many(**strided)) == expected
    lists = {name: cards.tolist() for name, cards in asked.items()}
    assert (uteh.odds_many(**lists), uteh.decide_many(**lists)) == expected


def test_no_rows():
    none = np.empty((0, 2), dtype=np.uint8)
    odds = uteh.odds_many(none, np.empty((0, 3), dtype=np.uint8))
    assert (len(odds), odds.by_category.shape, odds.equity.shape) == (0, (0, 10, 3), (0,))
    decisions = uteh.decide_many(none, "7h8h2c", dead=np.empty((0, 4), dtype=np.uint8))
    assert (decisions.numerators.shape, decisions.values.shape, decisions.margin.shape) == ((0, 2), (0, 2), (0,))
    assert decisions.denominator == 2 * comb(43, 2) * comb(41, 2)


def test_ragged_rows_share_a_denominator_where_there_is_one():
    asked = deal(np.random.default_rng(2), 200, 5, 0, 0, (0, 3))
    decisions = check_decisions(asked, STANDARD)
    # 45 to 42 live cards: the dealer's hands, in half antes.
    assert decisions.denominator == 2 * np.lcm.reduce([comb(live, 2) for live in range(42, 46)])
    asked = deal(np.random.default_rng(2), 60, 2, 0, 0, (0, 9))
    with pytest.raises(ValueError, match=r"dead: rows with 0, 1, .* and 9 dead cards have no common denominator"):
        uteh.decide_many(**asked)
    few = {name: cards[:3] for name, cards in asked.items()}
    found = uteh.decide_many(**few, columns=["values", "best"])
    for row in range(3):
        one = uteh.decide(**one_by_one(few, row))
        assert found.values[row].tolist() == [float(value) for value in one.values.values()]
    with pytest.raises(AttributeError, match="numerators was not among the columns asked for"):
        _ = found.numerators


def test_amounts_at_the_edge():
    """What float64 cannot hold is divided as integers; what 64 bits cannot hold is refused before the flop, where sums
    have the most terms."""
    table = PayTable(straight=100_000, flush=Fraction(99_999_999, 1000), pair=Fraction(1, 1000), high_card=100_000)
    rules = Rules(blind=table, trips=table)
    asked = deal(np.random.default_rng(8), 20, 3, 0, 0)
    check_decisions(asked, rules, trips=3)
    flops = uteh.decide_many(**asked, rules=rules, trips=3, columns=["values", "margin"])
    assert flops.values.tolist() == uteh.decide_many(**asked, rules=rules, trips=3).values.tolist()
    assert flops.columns == ("values", "margin")
    with pytest.raises(RulesError, match=r"numerators of 64 bits; decide\(\) has no such limit"):
        uteh.decide_many("AsKd", rules=rules, trips=3)
    assert uteh.decide("AsKd", rules=rules, trips=3)


def test_one_action():
    rules = Rules(flop=())
    decisions = uteh.decide_many("AsKd", uteh.parse_many(["7h8h2c", "7h8h2d"]), rules=rules)
    assert (decisions.margin, decisions.best.tolist(), decisions.numerators.shape) == (None, [0, 0], (2, 1))
    assert decisions == pickle.loads(pickle.dumps(decisions))
    assert decisions.to_dict()["margin"] is None
    with pytest.raises(ValueError, match="margin is None where check is the only action"):
        uteh.decide_many("AsKd", "7h8h2c", rules=rules, columns=["margin"])


# Results --------------------------------------------------------------------------------------------------------------


@pytest.mark.smoke
def test_results_are_values():
    asked = deal(np.random.default_rng(3), 4, 3, 0, 0)
    other = {
        **asked,
        "holes": asked["holes"][:, ::-1],
        "dead": "".join(uteh.format_cards([int(asked["boards"][0, 0])])),
    }
    other["boards"] = np.roll(asked["boards"], 1, axis=1)
    for function, kind in ((uteh.odds_many, uteh.OddsArray), (uteh.decide_many, uteh.Decisions)):
        result = function(**asked)
        assert type(result) is kind
        assert result == function(**{**asked, "boards": other["boards"], "holes": other["holes"]})
        assert result != function(**{**asked, "holes": np.roll(asked["holes"], 1, axis=0)}, check=False)
        assert result != function(**asked, columns=result.columns[:2])
        assert result != function(**asked, rules=Rules(breakage="down"))
        assert result != "something else"
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(result, protocol)) == result
        assert "\n" not in repr(result)
        assert repr(result).startswith(f"{kind.__name__}(4 ")
        assert len(result) == 4
        assert result.rules is STANDARD
        for name in ("rules", result.columns[0], "anything"):
            with pytest.raises(AttributeError, match="frozen"):
                setattr(result, name, 1)
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            _ = result.nothing
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)
        data = result.to_dict()
        assert (data["schema"], data["version"]) == ("uteh/1", uteh.__version__)
        assert json.loads(json.dumps(data)) == data
        assert Rules.from_dict(data["rules"]) == STANDARD
    assert data["actions"] == ["check", "2x"]
    assert data["numerators"][0] == result.numerators[0].tolist()
    assert [Fraction(n, data["denominator"]) for n in data["numerators"][1]] == list(
        uteh.decide(**one_by_one({**asked}, 1)).values.values()
    )


def test_columns_and_out():
    rng = np.random.default_rng(5)
    first, second = deal(rng, 50, 5, 0, 0, 1), deal(rng, 50, 5, 0, 0, 1)
    for function in (uteh.odds_many, uteh.decide_many):
        everything, expected = function(**first), function(**second)
        for name in everything.columns:
            some = function(**first, columns=[name])
            assert some.columns == (name,)
            assert (getattr(some, name) == getattr(everything, name)).all()
        arrays = {name: getattr(everything, name) for name in everything.columns}
        again = function(**second, out=everything)
        assert again == expected
        assert all(getattr(again, name) is arrays[name] for name in arrays)
        assert function(**first, out=arrays) == function(**first)
        name = everything.columns[0]
        wrong = [
            ({name: arrays[name].astype("int32")}, TypeError, f"out.{name} must have the dtype int64"),
            ({name: arrays[name][:-1]}, ValueError, f"out.{name} has the shape"),
            ({name: [1, 2]}, TypeError, f"out.{name} must be an array"),
            ({}, ValueError, f"out has no array for {name}"),
            (3, TypeError, "out must be"),
        ]
        for out, error, message in wrong:
            with pytest.raises(error, match=message):
                function(**first, out=out, columns=[name])
    shared = np.empty((50, 2))
    with pytest.raises(ValueError, match=r"out\.tie shares memory"):
        uteh.odds_many(**first, out=dict.fromkeys(("win", "tie"), np.empty(50, dtype=np.int64)), columns=["win", "tie"])
    with pytest.raises(ValueError, match="shares memory"):
        uteh.decide_many(
            **first, out={"values": shared, "margin": shared.reshape(-1)[:50]}, columns=["values", "margin"]
        )
    for columns, error in (
        ((), ValueError),
        (["winn"], ValueError),
        ("win", TypeError),
        (["win", "win"], ValueError),
        (3, TypeError),
    ):
        with pytest.raises(error, match="columns"):
            uteh.odds_many(**first, columns=columns)


# Wrong input ----------------------------------------------------------------------------------------------------------


def rows_of(*texts):
    return uteh.parse_many(texts)


HOLES = ("AhKd", "5s4h", "QcQd")
BOARDS = ("2c3c4c", "2c3c4c", "2c3c4c")


@pytest.mark.smoke
@pytest.mark.parametrize("function", [uteh.odds_many, uteh.decide_many])
@pytest.mark.parametrize(
    ("changed", "row", "message"),
    [
        ({"boards": rows_of("2c3c4c", "2c3c4c", "2cQd4c")}, 2, "Qd is given twice: in the hole and on the board"),
        ({"holes": [[1, 2], [3, 3], [5, 6]]}, 1, "2s is given twice in the hole"),
        ({"holes": np.array([[1, 2], [3, 52], [5, 5]], dtype=np.uint8)}, 1, "hole: 52 is not a card id (0 to 51)"),
        ({"holes": [[1, 2], [3, 300], [5, 6]]}, 1, "hole: 300 is not a card id (0 to 51)"),
        ({"boards": [[1, 2, 3], [4, 5, 6], [7, 8, -1]]}, 2, "board: -1 is not a card id (0 to 51)"),
        ({"boards": np.array([[255, 2, 3]] * 3)}, 0, "board: 255 is not a card id (0 to 51)"),
        ({"dealer": rows_of("2d", "4c", "2c")}, 1, "4c is given twice: on the board and in the dealer's hand"),
        ({"dead": [[50, 255], [255, 47], [255, 255]]}, 0, "Ah is given twice: in the hole and among the dead cards"),
        ({"dead": [[255, 7], [7, 7], [255, 255]]}, 1, "3s is given twice among the dead cards"),
        ({"dead": [[255, 7], [7, 8], [256, 255]]}, 2, "dead: 256 is not a card id (0 to 51)"),
        ({"dead": [[255, 7], [7, -1], [8, 255]]}, 1, "dead: -1 is not a card id (0 to 51)"),
        ({"later": rows_of("5d", "6d", "QcQd"[:2])}, 2, "Qc is given twice: in the hole and among the later cards"),
        ({"dead": "4h"}, 1, "4h is given twice: in the hole and among the dead cards"),
    ],
)
def test_wrong_rows_are_named(function, changed, row, message):
    asked = {"holes": rows_of(*HOLES), "boards": rows_of(*BOARDS), **changed}
    for threads in (1, 2):
        with pytest.raises(CardError) as caught:
            function(**asked, threads=threads)
        assert str(caught.value) == f"row {row}: {message}"
        assert caught.value.row == row


def test_the_first_wrong_row_is_named_before_anything_is_written():
    asked = deal(np.random.default_rng(6), 5000, 5, 0, 0, 0)
    asked["holes"][4000, 0] = asked["boards"][4000, 4]
    asked["holes"][4900, 1] = 77
    for function in (uteh.odds_many, uteh.decide_many):
        good = function(**{name: cards[:4000] for name, cards in asked.items()})
        out = {
            name: np.zeros((5000, *getattr(good, name).shape[1:]), getattr(good, name).dtype) for name in good.columns
        }
        for threads in (1, 2, None):
            with pytest.raises(CardError, match=r"row 4000: .* is given twice: in the hole and on the board"):
                function(**asked, out=out, threads=threads)
        assert not any(array.any() for array in out.values())


def test_too_few_live_cards():
    """A board of four needs three live cards more."""
    hole, board, rest = [0, 1], [2, 3, 4, 5], list(range(6, 52))
    assert uteh.odds_many([hole], [board], dead=[rest[3:]]).deals.tolist() == [3]
    dead = np.array([[*rest[4:], 255, 255], [*rest[3:], 255], [*rest[2:]], [*rest[3:], 255]])
    with pytest.raises(CardError, match="row 2: dead: 2 cards are left, 3 are needed") as caught:
        uteh.odds_many(hole, board, dead=dead)
    assert caught.value.row == 2


@pytest.mark.parametrize("function", [uteh.odds_many, uteh.decide_many])
@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"holes": "As"}, CardError, "holes: 1 cards given, 2 needed"),
        ({"holes": "AKs"}, CardError, "holes: 'AK' is not a card"),
        ({"holes": ["AhKd", "5s4h"]}, CardError, "holes: 'AhKd' is not one card; rows of texts are read by parse_many"),
        ({"holes": [["Ah", "Kd"]]}, TypeError, "holes must hold integers; texts are read by parse_many"),
        ({"holes": np.ones((3, 2))}, TypeError, "holes must hold integers, not float64"),
        ({"holes": np.ones((3, 2), dtype=bool)}, TypeError, "holes must hold integers, not bool"),
        ({"holes": np.ones((3, 2), dtype=object)}, TypeError, "holes must hold integers, not object"),
        ({"holes": np.ones(2)}, TypeError, "holes must hold integers, not float64"),
        ({"holes": [[1, 2], [3]]}, ValueError, "holes: "),
        ({"holes": [[1, 2, 3]]}, ValueError, r"holes has the shape \(1, 3\); \(n, 2\) is needed, or one set"),
        ({"holes": [[[1, 2]]]}, ValueError, r"holes has the shape \(1, 1, 2\)"),
        ({"holes": 3}, TypeError, "holes: cards are text or a sequence"),
        ({"holes": None}, CardError, "holes: 0 cards given, 2 needed"),
        ({"holes": b"AhKd"}, TypeError, "holes: "),
        ({"holes": [[1, 2]]}, ValueError, "boards has 3 rows, and holes 1"),
        ({"boards": [[1, 2, 3, 4, 5, 6]] * 3}, ValueError, r"boards has the shape \(3, 6\); \(n, 0 to 5\) is needed"),
        ({"boards": "2c 3x"}, CardError, "boards: '3x' is not a card"),
        ({"boards": "2c 3c 2c"}, CardError, "boards: 2c is given twice, as card 1 and card 3"),
        ({"later": [[1, 2, 3]] * 3}, ValueError, "later has the shape"),
        ({"boards": [[1, 2, 3, 4]] * 3, "later": [[5, 6]] * 3}, CardError, "later: 2 cards given beside a board of 4"),
        ({"dealer": [7, 8, 9]}, CardError, r"dealer: 3 cards given, 0 to 2 needed; one a row has the shape \(n, 1\)"),
        ({"dead": [[7] * 53] * 3}, ValueError, r"dead has the shape \(3, 53\)"),
        ({"dead": [255]}, CardError, "dead: 255 is not a card id"),
        ({"dead": [[7], [8]]}, ValueError, "dead has 2 rows, and holes 3"),
        ({"check": 1}, TypeError, "check must be a bool"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
        ({"threads": 1.5}, TypeError, "threads must be"),
        ({"progress": 3}, TypeError, "progress must be callable"),
        ({"rules": "standard"}, TypeError, "rules must be Rules"),
    ],
)
def test_wrong_arguments(function, changed, error, message):
    asked = {"holes": rows_of(*HOLES), "boards": rows_of(*BOARDS), **changed}
    with pytest.raises(error, match=f"^{message}") as caught:
        function(**asked)
    assert getattr(caught.value, "row", None) is None


def test_wrong_streets_and_stakes():
    for changed, error, message in (
        ({"street": "river"}, CardError, "a river decision needs five board cards, and 3 are given"),
        ({"street": "turn"}, ValueError, "street must be"),
        ({"street": 1}, TypeError, "street must be text"),
        ({"trips": -1}, RulesError, "trips: -1 is negative"),
        ({"trips": 0.5}, TypeError, "trips"),
        ({"bad_beat": 1}, RulesError, "no Bad Beat table"),
    ):
        with pytest.raises(error, match=message):
            uteh.decide_many(rows_of(*HOLES), rows_of(*BOARDS), **changed)
    assert uteh.decide_many(rows_of(*HOLES), rows_of(*BOARDS), street="preflop").actions[0] == "check"


# Safety, threads, signals ---------------------------------------------------------------------------------------------


def test_any_bytes_are_safe():
    """Unchecked rows of any bytes get some answer; good rows among them get theirs."""
    rng = np.random.default_rng(9)
    for shape in SHAPES:
        unknown = 5 - shape[0] - shape[1]
        n = 3 if unknown > 2 else 40
        good = deal(rng, n, *shape, (0, 6))
        wild = {name: rng.integers(0, 256, cards.shape, dtype=np.uint8) for name, cards in good.items()}
        wild["dead"][::2] = 255
        for rules in (STANDARD, Rules(hole_cards="both")):
            odds = uteh.odds_many(**wild, rules=rules, check=False)
            assert odds.by_category.sum(axis=(1, 2)).tolist() == odds.deals.tolist()
            uteh.decide_many(**wild, rules=rules, check=False, columns=["values", "best", "margin"])
        mixed = {name: np.where(np.arange(n)[:, None] % 2, good[name], wild[name]) for name in good}
        assert (
            uteh.odds_many(**mixed, check=False, columns=["win"]).win[1::2]
            == uteh.odds_many(**good, columns=["win"]).win[1::2]
        ).all()


@pytest.mark.parametrize("threads", [2, 3, None])
def test_threads_change_nothing(threads):
    rng = np.random.default_rng(10)
    for board, n in ((5, 20_000), (4, 2_000), (3, 300), (0, 4)):
        asked = deal(rng, n, board, 0, 0, 2)
        assert uteh.odds_many(**asked) == uteh.odds_many(**asked, threads=threads)
        assert uteh.decide_many(**asked) == uteh.decide_many(**asked, threads=threads)


def test_many_threads_ask_at_once():
    rng = np.random.default_rng(11)
    asked = [deal(rng, 300, 5, 0, 0, (0, 2)) for _ in range(6)]
    expected = [(uteh.odds_many(**one), uteh.decide_many(**one)) for one in asked]
    found = [None] * 6

    def work(i):
        found[i] = [(uteh.odds_many(**asked[i]), uteh.decide_many(**asked[i])) for _ in range(5)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[one] * 5 for one in expected]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("function", [uteh.odds_many, uteh.decide_many])
def test_progress(function, threads):
    asked = deal(np.random.default_rng(12), 600, 4, 0, 0, 0)
    told = []
    function(**asked, threads=threads, progress=lambda *args: told.append((*args, threading.get_ident())))
    assert told[-1] == (600, 600, threading.get_ident())
    assert {total for _, total, _ in told} == {600}
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)

    def stop(done, total):
        raise KeyError(done)

    with pytest.raises(KeyError):
        function(**asked, threads=threads, progress=stop)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX here")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_the_work(threads):
    """The slice that is under way at the signal is the last."""
    call = f"uteh.decide_many([[51, 45]] * 10_000, threads={threads}, progress=progress)"
    told = told_before_ctrl_c(call)
    assert len(told) in (2, 3)
    assert told[-1] < 10_000


def test_symmetry():
    """Suits renamed row by row, and cards of a place in another order, change nothing."""
    rnd = random.Random(13)
    asked = deal(np.random.default_rng(13), 30, 3, 0, 1, 4)
    names = [rnd.choice(list(itertools.permutations(range(4)))) for _ in range(30)]
    renamed = {
        name: (cards - cards % 4 + np.take_along_axis(np.array(names, dtype=np.uint8), (cards % 4).astype(int), axis=1))
        for name, cards in asked.items()
        if name != "later"
    }
    shuffled = {name: cards[:, ::-1] for name, cards in renamed.items()}
    assert uteh.odds_many(**shuffled) == uteh.odds_many(**asked)
    assert uteh.decide_many(**shuffled) == uteh.decide_many(**asked)


# The example ----------------------------------------------------------------------------------------------------------

REMOVAL = Path(__file__).resolve().parent.parent / "examples" / "removal.py"


def removal(*arguments):
    if not REMOVAL.is_file():
        pytest.skip("the examples are not here")
    return subprocess.run([sys.executable, REMOVAL, *arguments], capture_output=True, text=True, check=False)


def test_the_table_of_a_holding():
    done = removal("Ac Kd", "7h 8h 2c")
    assert (done.returncode, done.stderr) == (0, "")
    head, without, *lines = (line.split() for line in done.stdout.splitlines())
    assert head == ["flop", "check", "2x", "best"]
    assert without == ["as", "it", "is", "-0.687398", "-0.711400", "check"]
    assert len(lines) == 47
    one = uteh.decide("AcKd", "7h8h2c")
    for card, *changes in lines:
        with_it = uteh.decide("AcKd", "7h8h2c", dead=card)
        for change, (action, value) in zip(changes, with_it.values.items(), strict=False):
            assert abs(float(change) - float(value - one.values[action])) < 1e-6
        assert changes[2:] == ([] if with_it.best == one.best else [str(with_it.best)])
    for wrong, message in (
        (("AcKd", "7h8h2c", "3"), "a hole and a board at most"),
        (("AcAc",), "Ac is given twice"),
        (("AcKd", "Ac"), "Ac is given twice"),
    ):
        done = removal(*wrong)
        assert (done.returncode, done.stdout) == (1, "")
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_game_beside_a_dead_card():
    """Holes that the example takes for alike are worth the same, and it takes all of them."""
    if not REMOVAL.is_file():
        pytest.skip("the examples are not here")
    spec = spec_from_file_location("removal", REMOVAL)
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    holes = example.holes_beside(51)
    assert sum(holes.values()) == comb(51, 2)
    kings = {hole: n for hole, n in holes.items() if hole[0] // 4 == 11 == hole[1] // 4}
    # Two kings beside the ace of spades: one of spades, or none; each with three others.
    assert sorted(kings.values()) == [3, 3]
    # A hand of two ranks: both of spades, either of them, neither and suited, neither and off suit.
    assert sorted(n for hole, n in holes.items() if {card // 4 for card in hole} == {3, 8}) == [1, 3, 3, 3, 6]
