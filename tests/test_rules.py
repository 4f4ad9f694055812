"""Rules, pay tables, presets and their packing: what is allowed, what is refused, how values travel."""

from __future__ import annotations

import copy
import dataclasses
import enum
import inspect
import json
import os
import pickle
import re
import struct
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uteh.rules
from uteh.errors import RulesError
from uteh.rules import (
    PACKED_FIELDS,
    STANDARD,
    Action,
    Category,
    PayTable,
    Result,
    Rules,
    as_fraction,
    fraction_dict,
)

search = settings(derandomize=True, deadline=None, database=None, max_examples=60)

BETS = ("ante", "play", "blind", "trips", "bad_beat")
PLAY_FIRST = ("play", "ante", "blind", "trips", "bad_beat")
BACKWARD = BETS[::-1]

BLIND = {
    Category.ROYAL_FLUSH: Fraction(500),
    Category.STRAIGHT_FLUSH: Fraction(50),
    Category.FOUR_OF_A_KIND: Fraction(10),
    Category.FULL_HOUSE: Fraction(3),
    Category.FLUSH: Fraction(3, 2),
    Category.STRAIGHT: Fraction(1),
}
FROM_TRIPS = [category for category in reversed(Category) if category >= Category.THREE_OF_A_KIND]

# The contract's table of fields and defaults, in its order.
DEFAULTS = {
    "preflop": (3, 4),
    "flop": (2,),
    "river": (1,),
    "preflop_between": False,
    "river_min": Fraction(1),
    "fold_preflop": False,
    "fold_flop": False,
    "qualifier": Category.PAIR,
    "unqualified_ante": "push",
    "unqualified_play": "settle",
    "blind": BLIND,
    "trips": dict(zip(FROM_TRIPS, (50, 40, 30, 8, 7, 4, 3), strict=True)),
    "trips_on_fold": "hand",
    "trips_when_not_won": "pay",
    "bad_beat": None,
    "bad_beat_needs_trips": False,
    "hole_cards": "any",
    "wager_order": BETS,
    "losing_order": BETS,
    "fund_reading": "net",
    "breakage": "exact",
}

# What each published rule set changes in it.
PRESETS = {
    "standard": {},
    "california": {"losing_order": PLAY_FIRST},
    "california-bad-beat": {
        "bad_beat": dict(zip(FROM_TRIPS[1:], (7500, 500, 50, 30, 20, 9), strict=True)),
        "bad_beat_needs_trips": True,
    },
    "board-trips": {"trips_on_fold": "board"},
    "simulated": {
        "fold_preflop": True,  # "fold, check, or place a Play bet"; on the flop only "check or place a Play bet"
        "preflop_between": True,
        "river_min": Fraction(1, 2),
        "trips": dict(zip(FROM_TRIPS, (50, 40, 30, 9, 7, 4, 3), strict=True)),
    },
    "trainer": {},
    "pennsylvania-b": {
        "blind": {category: value for category, value in BLIND.items() if category != Category.STRAIGHT}
    },
    "auckland": {"hole_cards": "both"},
    "oxford-downs": {"trips_on_fold": "lose"},
    "pompano-trips": {"trips_when_not_won": "push"},
    "florida-trips": {
        "trips": dict(zip(FROM_TRIPS, (50, 40, 30, 10, 8, 6, 3), strict=True)),
        "trips_when_not_won": "lose",
    },
    "four-x-only": {"preflop": (4,)},
    "three-x-only": {"preflop": (3,)},
}


def plain(rules: Rules) -> dict[str, object]:
    """The fields of a rule set, its tables as ordinary dictionaries."""
    values = {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}
    return {name: dict(value.items()) if isinstance(value, PayTable) else value for name, value in values.items()}


payouts = st.one_of(st.integers(0, 10_000), st.fractions(0, 600, max_denominator=8))
tables = st.dictionaries(st.sampled_from([c.name.lower() for c in Category]), payouts).map(lambda d: PayTable(**d))
multiples = st.sets(st.integers(1, 4)).map(sorted).map(tuple)
orders = st.permutations(BETS).map(tuple)


# Strategies are made once: hypothesis looks through each new one, which takes longer than drawing from it.
fields = st.fixed_dictionaries(
    {
        "preflop": multiples,
        "flop": multiples,
        "river": multiples.filter(bool),
        "preflop_between": st.booleans(),
        "river_min": st.just(Fraction(1)) | st.fractions(Fraction(1, 20), 1, max_denominator=20),
        "fold_preflop": st.booleans(),
        "fold_flop": st.booleans(),
        "qualifier": st.sampled_from(Category),
        "unqualified_ante": st.sampled_from(("push", "settle", "win_only", "lose_only", "always")),
        "unqualified_play": st.sampled_from(("settle", "push")),
        "blind": tables,
        "trips": st.none() | tables,
        "trips_on_fold": st.sampled_from(("hand", "board", "lose")),
        "trips_when_not_won": st.sampled_from(("pay", "push", "lose")),
        "bad_beat": st.none() | tables,
        "bad_beat_needs_trips": st.booleans(),
        "hole_cards": st.sampled_from(("any", "both")),
        "wager_order": orders,
        "losing_order": st.none() | orders,
        "fund_reading": st.sampled_from(("net", "gross")),
        "breakage": st.sampled_from(("exact", "down", "nearest")),
    }
)


@fields.map
def any_rules(drawn: dict[str, Any]) -> Rules:
    drawn["preflop_between"] &= len(drawn["preflop"]) > 1
    drawn["bad_beat_needs_trips"] &= drawn["trips"] is not None and drawn["bad_beat"] is not None
    return Rules(**drawn)


# ---------------------------------------------------------------------------------------------------------------- names


def test_category():
    assert [(c.name, int(c)) for c in Category] == [
        ("HIGH_CARD", 0),
        ("PAIR", 1),
        ("TWO_PAIR", 2),
        ("THREE_OF_A_KIND", 3),
        ("STRAIGHT", 4),
        ("FLUSH", 5),
        ("FULL_HOUSE", 6),
        ("FOUR_OF_A_KIND", 7),
        ("STRAIGHT_FLUSH", 8),
        ("ROYAL_FLUSH", 9),
    ]
    assert str(Category.FOUR_OF_A_KIND) == "four of a kind"
    assert issubclass(Category, enum.IntEnum)


def test_result():
    assert {result.name: int(result) for result in Result} == {"FOLD": -2, "LOSE": -1, "TIE": 0, "WIN": 1}
    assert [str(result) for result in Result] == ["fold", "lose", "tie", "win"]
    assert issubclass(Result, enum.IntEnum)


def test_words_and_numbers_in_formats():
    assert f"{Result.WIN}, {Category.FULL_HOUSE:>12}" == "win,   full house"
    assert f"{Result.WIN:d} {Category.FULL_HOUSE:02d}" == "1 06"
    assert json.dumps([Result.LOSE, Category.FLUSH]) == "[-1, 5]"


def test_action():
    assert [(a.name, a.value) for a in Action] == [
        ("FOLD", "fold"),
        ("CHECK", "check"),
        ("MIN", "min"),
        ("BET_1X", "1x"),
        ("BET_2X", "2x"),
        ("BET_3X", "3x"),
        ("BET_4X", "4x"),
    ]
    assert str(Action.BET_4X) == "4x" == Action.BET_4X
    assert issubclass(Action, enum.StrEnum)


# -------------------------------------------------------------------------------------------------------- exact numbers


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (3, Fraction(3)),
        (-3, Fraction(-3)),
        (Category.FLUSH, Fraction(5)),
        (Fraction(3, 2), Fraction(3, 2)),
        (Decimal("1.5"), Fraction(3, 2)),
        (Decimal("-2e3"), Fraction(-2000)),
        (Decimal("0e999999999"), Fraction(0)),
        ("3", Fraction(3)),
        ("3/2", Fraction(3, 2)),
        ("3:2", Fraction(3, 2)),
        ("6:4", Fraction(3, 2)),
        ("1.5", Fraction(3, 2)),
        (" .5 ", Fraction(1, 2)),
        ("-1/2", Fraction(-1, 2)),
        ("+2", Fraction(2)),
    ],
)
def test_as_fraction(value, exact):
    result = as_fraction(value, "stake")
    assert result == exact
    assert type(result) is Fraction


@pytest.mark.parametrize(
    "value", [True, False, 1.5, float("nan"), None, b"1", [1], (3, 2), {"fraction": "1"}, 1j, object()]
)
def test_as_fraction_type(value):
    with pytest.raises(TypeError, match=r"^stake: "):
        as_fraction(value, "stake")


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "x", "1x", "1/0", "3:0", "1/2/3", "3:2:1", "1.5/2", "1 2", "--1", "1/-2", "nan", "inf", "1_0", "½"),
        *("1e999999999", "٣", "9" * 5000),  # none of these may take long, or be read
        *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("-Infinity")),
        *(Decimal("1e999999"), Decimal("1e-999999")),
    ],
)
def test_as_fraction_value(value):
    with pytest.raises(RulesError, match=r"^stake: ") as caught:
        as_fraction(value, "stake")
    assert len(str(caught.value)) < 200


@search
@given(st.fractions())
def test_fractions_survive(value):
    assert as_fraction(str(value), "x") == as_fraction(str(value).replace("/", ":"), "x") == value
    data = fraction_dict(value)
    assert list(data) == ["fraction", "float"]
    assert Fraction(data["fraction"]) == value
    assert data["float"] == float(value)


def test_fraction_dict():
    assert fraction_dict(Fraction(-1, 2)) == {"fraction": "-1/2", "float": -0.5}
    assert fraction_dict(Fraction(3)) == {"fraction": "3", "float": 3.0}


# ----------------------------------------------------------------------------------------------------------- pay tables


def test_pay_table_reads_like_a_mapping():
    table = PayTable(straight=1, royal_flush=500, flush=Fraction(3, 2))
    assert list(table) == [Category.ROYAL_FLUSH, Category.FLUSH, Category.STRAIGHT]
    assert list(table.keys()) == list(table)
    assert list(table.values()) == [500, Fraction(3, 2), 1]
    assert list(table.items()) == list(zip(table.keys(), table.values(), strict=True))
    assert dict(table) == dict(table.items())
    assert len(table) == 3
    assert table[Category.FLUSH] == table["flush"] == table[5] == Fraction(3, 2)
    assert all(type(key) is Category and type(value) is Fraction for key, value in table.items())
    assert Category.FLUSH in table
    assert Category.PAIR not in table
    assert "no such thing" not in table
    assert None not in table
    assert table.get(Category.PAIR) is None
    assert table.get(Category.PAIR, 0) == 0
    for missing in (Category.PAIR, "pair", 1, 10, "quads"):
        with pytest.raises(KeyError):
            table[missing]
    with pytest.raises(TypeError):
        table[1.0]


def test_pay_table_values_are_exact():
    same = [PayTable(flush=value) for value in (Fraction(3, 2), Decimal("1.5"), "1.5", "3/2", "3:2")]
    assert len(set(same)) == 1
    assert PayTable(pair=0)[Category.PAIR] == 0
    assert PayTable(pair=0) != PayTable()
    assert PayTable(pair=None) == PayTable()
    assert PayTable(pair=1) != {Category.PAIR: 1}
    assert PayTable(royal_flush=2**70)[Category.ROYAL_FLUSH] == 2**70


@pytest.mark.parametrize("value", [-1, "-1", "-1/2", Decimal("-0.5"), Fraction(-1, 3), "x", Decimal("NaN")])
def test_pay_table_bad_value(value):
    with pytest.raises(RulesError, match="full_house"):
        PayTable(full_house=value)


@pytest.mark.parametrize("value", [1.5, True, [1], b"1"])
def test_pay_table_bad_type(value):
    with pytest.raises(TypeError, match="full_house"):
        PayTable(full_house=value)


def test_pay_table_keywords_only():
    with pytest.raises(TypeError):
        PayTable(500)
    with pytest.raises(TypeError, match="quads"):
        PayTable(quads=10)


def test_pay_table_is_immutable():
    table = PayTable(flush=6)
    for name in ("flush", "_entries"):
        with pytest.raises(AttributeError):
            setattr(table, name, 7)
        with pytest.raises(AttributeError):
            delattr(table, name)
    with pytest.raises(TypeError):
        table[Category.FLUSH] = 7
    assert table == PayTable(flush=6)


def test_pay_table_text():
    table = PayTable.parse("500/50/10/3/3:2/1", top="royal_flush")
    assert dict(table.items()) == BLIND
    assert table == PayTable.parse(" 500 / 50 / 10 / 3 / 1.5 / 1 ")
    assert str(table) == "500/50/10/3/3:2/1"
    assert repr(table) == (
        "PayTable(royal_flush=500, straight_flush=50, four_of_a_kind=10, full_house=3, flush='3/2', straight=1)"
    )
    assert PayTable.parse("9", top=Category.PAIR) == PayTable.parse("9", top="pair") == PayTable(pair=9)
    assert PayTable.parse("9", top="four of a kind") == PayTable(four_of_a_kind=9)
    assert len(PayTable.parse("1/1/1/1/1/1/1/1/1/1")) == 10
    assert str(PayTable(flush=2, pair="1/3")) == "flush 2, pair 1:3"
    assert str(PayTable()) == ""


@pytest.mark.parametrize(
    ("text", "top", "named"),
    [
        ("500/x/10", "royal_flush", "straight_flush: 'x'"),
        ("500//10", "royal_flush", "straight_flush: ''"),
        ("", "royal_flush", "royal_flush: ''"),
        ("500/50/3:0", "royal_flush", "four_of_a_kind: '3:0'"),
        ("500/-50", "royal_flush", "straight_flush"),
        ("1/2/3", "pair", "3 payouts, but only 2 categories from pair"),
        ("1/1/1/1/1/1/1/1/1/1/1", 9, "11 payouts"),
        ("1", "quads", "'quads'"),
        ("1", "full_hose", 'did you mean "full_house"'),
        ("1", 10, "10"),
        ("1", -1, "-1"),
    ],
)
def test_pay_table_bad_text(text, top, named):
    with pytest.raises(RulesError, match=re.escape(named)):
        PayTable.parse(text, top=top)


@pytest.mark.parametrize(("text", "top"), [(500, 9), (None, 9), (b"1", 9), ("1", None), ("1", 9.0), ("1", True)])
def test_pay_table_text_of_wrong_type(text, top):
    with pytest.raises(TypeError):
        PayTable.parse(text, top=top)


def test_pay_table_from_dict():
    table = PayTable(royal_flush=500, flush="3/2")
    assert table.to_dict() == {"royal_flush": 500, "flush": "3/2"}
    assert (
        PayTable.from_dict({Category.FLUSH: Decimal("1.5"), "royal_flush": {"fraction": "500", "float": 500.0}})
        == table
    )
    assert PayTable.from_dict({}) == PayTable()
    assert PayTable.from_dict(table) == table
    for bad, named in (({"flsh": 1}, '"flush"'), ({"flush": 1, Category.FLUSH: 2}, "twice"), ({"flush": {}}, "flush")):
        with pytest.raises(RulesError, match=named):
            PayTable.from_dict(bad)
    for bad in ({"flush": 1.5}, {"flush": None}, {2.0: 1}, {None: 1}, [("flush", 1)], "500", None):
        with pytest.raises(TypeError):
            PayTable.from_dict(bad)


@search
@given(tables, tables)
def test_pay_tables_survive(table, other):
    assert PayTable.from_dict(json.loads(json.dumps(table.to_dict()))) == table
    assert eval(repr(table), {"PayTable": PayTable}) == table
    assert pickle.loads(pickle.dumps(table)) == copy.copy(table) == copy.deepcopy(table) == table
    assert hash(pickle.loads(pickle.dumps(table))) == hash(table)
    assert "\n" not in repr(table)
    assert (table == other) == (dict(table.items()) == dict(other.items()))
    if table and " " not in str(table):
        assert PayTable.parse(str(table), top=table.keys()[0]) == table


# --------------------------------------------------------------------------------------------------------------- fields


def test_fields_and_defaults():
    assert plain(Rules()) == DEFAULTS
    assert [field.name for field in dataclasses.fields(Rules)] == list(DEFAULTS)
    assert list(inspect.signature(Rules).parameters) == list(DEFAULTS)
    assert Rules() == STANDARD
    assert hash(Rules()) == hash(STANDARD)
    assert repr(STANDARD) == "Rules()"
    for name in DEFAULTS:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(STANDARD, name, None)


TEXT_FIELDS = {
    "unqualified_ante": ("push", "settle", "win_only", "lose_only", "always"),
    "unqualified_play": ("settle", "push"),
    "trips_on_fold": ("hand", "board", "lose"),
    "trips_when_not_won": ("pay", "push", "lose"),
    "hole_cards": ("any", "both"),
    "fund_reading": ("net", "gross"),
    "breakage": ("exact", "down", "nearest"),
}
MULTIPLES = ("preflop", "flop", "river")
BOOLS = ("preflop_between", "fold_preflop", "fold_flop", "bad_beat_needs_trips")
TABLES = ("blind", "trips", "bad_beat")
ORDERS = ("wager_order", "losing_order")

WRONG_TYPES = [
    *((f, v) for f in MULTIPLES for v in (3, None, "34", b"34", {3, 4}, {3: 4}, (3.0,), ("3",), (True,), (None,))),
    *((f, v) for f in BOOLS for v in (0, 1, None, "yes", 1.0)),
    *(("river_min", v) for v in (0.5, True, None, (1, 2), b"1")),
    *(("qualifier", v) for v in (True, 1.0, b"pair", (1,))),
    *((f, v) for f in TEXT_FIELDS for v in (None, 0, True, b"push", ("push",))),
    *(
        (f, v)
        for f in TABLES
        for v in (1, 1.5, True, b"1", ("royal_flush", 500), {"flush": 1.5}, {"flush": True}, {1.5: 1})
    ),
    ("blind", None),
    *(
        (f, v)
        for f in ORDERS
        for v in ("ante play blind trips bad_beat", 1, {*BETS}, (*BETS[:4], 4), (*BETS[:4], None))
    ),
    ("wager_order", None),
]


@pytest.mark.parametrize(("field", "value"), WRONG_TYPES)
def test_wrong_type(field, value):
    with pytest.raises(TypeError, match=rf"^{field}: "):
        Rules(**{field: value})
    with pytest.raises(TypeError, match=rf"^{field}: "):
        replace(STANDARD, **{field: value})


WRONG_VALUES = [
    *((f, v, "1 to 4") for f in MULTIPLES for v in ((0,), (5,), (-1,), (4, 3), (3, 3), (1, 2, 3, 4, 5))),
    ("river", (), "not empty"),
    *(("river_min", v, "at most 1") for v in (0, -1, 2, "3/2", Fraction(-1, 2), Decimal("1.0001"))),
    *(("river_min", v, "number") for v in ("half", "", "1/0", Decimal("NaN"), Decimal("Infinity"))),
    *(("qualifier", v, "high_card") for v in (-1, 10, "quads", "")),
    *((f, v, f'"{allowed[-1]}"') for f, allowed in TEXT_FIELDS.items() for v in ("", "sometimes", allowed[0].upper())),
    *((f, v, v) for f in TABLES for v in ("x/1",)),
    *((f, {"flush": -1}, "flush: -1") for f in TABLES),
    *((f, {"flsh": 1}, '"flush"') for f in TABLES),
    ("blind", "1/1/1/1/1/1/1/1/1/1/1", "11 payouts"),
    ("bad_beat", "1/1/1/1/1/1/1/1/1/1", "10 payouts"),
    *(
        (f, v, "bad_beat, each once")
        for f in ORDERS
        for v in ((), BETS[:4], BETS[:4] * 2, (*BETS[:4], "bonus"), (*BETS, "ante"))
    ),
]


@pytest.mark.parametrize(("field", "value", "named"), WRONG_VALUES)
def test_wrong_value(field, value, named):
    with pytest.raises(RulesError, match=rf"^{field}: .*{re.escape(named)}"):
        Rules(**{field: value})


def test_messages_show_the_value_and_stay_short():
    with pytest.raises(
        RulesError, match=r"^flop: \(2, 7\) is not allowed; allowed: increasing whole multiples from 1 to 4$"
    ):
        Rules(flop=(2, 7))
    with pytest.raises(RulesError) as caught:
        Rules(flop=(10**5000,))  # has no repr
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, allowed in TEXT_FIELDS.items() for v in allowed])
def test_every_allowed_text(field, value):
    assert getattr(Rules(**{field: value}), field) == value


def test_unknown_field():
    with pytest.raises(TypeError, match="flops"):
        Rules(flops=(2,))


@pytest.mark.parametrize("preflop", [(), (4,)])
def test_between_needs_two_multiples(preflop):
    with pytest.raises(RulesError, match=r"^preflop_between: .*preflop"):
        Rules(preflop=preflop, preflop_between=True)
    assert Rules(preflop=preflop).preflop == preflop


@pytest.mark.parametrize(
    ("tables", "missing"),
    [({}, "bad_beat"), ({"bad_beat": "1", "trips": None}, "trips"), ({"trips": None}, "trips and bad_beat")],
)
def test_bad_beat_needs_both_tables(tables, missing):
    with pytest.raises(RulesError, match=rf"^bad_beat_needs_trips: .*without a {missing} table"):
        Rules(bad_beat_needs_trips=True, **tables)
    assert Rules(bad_beat_needs_trips=True, bad_beat="1").bad_beat_needs_trips


def test_nothing_else_is_refused():
    odd = Rules(
        preflop=(), flop=(), river=(4,), river_min="1/100", blind={}, trips={}, bad_beat={}, qualifier="royal_flush"
    )
    assert odd.river == (4,)
    assert Rules(trips=None, trips_on_fold="board").trips is None


def test_one_form_for_equal_rules():
    class Order(str, enum.Enum):  # noqa: UP042  (its str() is not its value, which must not show)
        NET = "net"
        ANTE = "ante"

    one = Rules(
        preflop=[2, Category.TWO_PAIR + 1],
        flop=range(2, 3),
        river_min=Decimal("0.50"),
        qualifier="Two Pair",
        blind={"royal_flush": "500", Category.FLUSH: "1.5"},
        trips="50/40.0",
        bad_beat="7500/500",
        wager_order=[Order.ANTE, *BETS[1:]],
        losing_order=list(BACKWARD),
        fund_reading=Order.NET,
    )
    two = Rules(
        preflop=(2, 3),
        river_min="1/2",
        qualifier=2,
        blind=PayTable(flush=Fraction(3, 2), royal_flush=500),
        trips=PayTable(royal_flush=50, straight_flush=40),
        bad_beat=PayTable(straight_flush=7500, four_of_a_kind=500),
        losing_order=BACKWARD,
    )
    assert one == two
    assert hash(one) == hash(two)
    assert one.key == two.key
    assert repr(one) == repr(two)
    assert plain(one) == plain(two)
    assert {type(value) for value in (*one.preflop, *one.flop)} == {int}
    assert {type(value) for value in (*one.wager_order, one.fund_reading)} == {str}
    assert type(one.river_min) is Fraction
    assert type(one.qualifier) is Category


def test_qualifier():
    assert Rules(qualifier=None).qualifier is Category.HIGH_CARD
    assert Rules(qualifier=None) == Rules(qualifier=0) == Rules(qualifier="high_card") == Rules(qualifier="HIGH CARD")
    assert Rules(qualifier=None) != STANDARD


def test_rules_equal_only_rules():
    for other in ("standard", plain(STANDARD), Rules(trips=None), None):
        assert other != STANDARD
        assert not (other == STANDARD)  # noqa: SIM201  (each of the two has its own code)


# --------------------------------------------------------------------------------------------------------- losing_order


def test_losing_order_follows_until_it_is_given():
    variant = replace(STANDARD, wager_order=BACKWARD)
    assert variant.losing_order == BACKWARD
    assert replace(variant, wager_order=PLAY_FIRST).losing_order == PLAY_FIRST
    assert replace(variant, trips=None).losing_order == BACKWARD
    given_order = Rules(losing_order=PLAY_FIRST)
    assert given_order.losing_order == PLAY_FIRST
    assert given_order.wager_order == BETS
    assert replace(given_order, wager_order=BACKWARD).losing_order == PLAY_FIRST
    assert replace(given_order, losing_order=None) == STANDARD
    if sys.version_info >= (3, 13):
        assert copy.replace(STANDARD, wager_order=BACKWARD).losing_order == BACKWARD


def test_losing_order_read_from_other_rules_counts_as_given():
    assert Rules(wager_order=BACKWARD, losing_order=STANDARD.losing_order).losing_order == BETS
    assert replace(STANDARD, wager_order=BACKWARD, losing_order=STANDARD.losing_order).losing_order == BETS


def test_losing_order_the_same_is_not_given():
    spelled = Rules(losing_order=BETS)
    assert spelled == STANDARD
    assert spelled.key == STANDARD.key
    assert repr(spelled) == "Rules()"
    assert replace(spelled, wager_order=BACKWARD) == replace(STANDARD, wager_order=BACKWARD)
    assert type(STANDARD.losing_order) is tuple
    assert type(pickle.loads(pickle.dumps(STANDARD)).losing_order) is tuple


# -------------------------------------------------------------------------------------------------------------- presets


@pytest.mark.parametrize("name", PRESETS)
def test_preset(name):
    rules = Rules.named(name)
    assert plain(rules) == DEFAULTS | PRESETS[name]
    changed = {field: pair[1] for field, pair in STANDARD.diff(rules).items()}
    assert changed.keys() == PRESETS[name].keys()


def test_preset_names():
    assert list(Rules.names()) == list(PRESETS)
    assert Rules.names()[0] == "standard"
    assert Rules.named("standard") == STANDARD == Rules()
    assert Rules.named("trainer") == STANDARD


@pytest.mark.parametrize("name", PRESETS)
def test_about(name):
    text = Rules.about(name)
    assert text.endswith(".")
    assert "\n" not in text
    assert "  " not in text


# Tables that the published rules do not print.
FILLED = {
    "california": {"Blind", "Trips"},
    "california-bad-beat": {"Blind", "Trips", "Bad Beat"},
    "board-trips": set(),
    "simulated": {"Blind"},
    "trainer": {"Trips"},
}


@pytest.mark.parametrize("name", FILLED)
def test_about_tells_what_was_filled_in(name):
    told = set(re.findall(r"prints no (\w+(?: Beat)?) table; [^;.]*is filled in", Rules.about(name)))
    assert told == FILLED[name]
    if name == "trainer":
        assert "the numbers are not printed" in Rules.about(name)


def test_about_tells_the_minimum():
    assert "river_min 1/2" in Rules.about("simulated")


@pytest.mark.parametrize("ask", [Rules.named, Rules.about])
def test_unknown_preset(ask):
    with pytest.raises(RulesError, match=r'"trainer".*standard, california, .*three-x-only'):
        ask("trianer")
    with pytest.raises(RulesError, match="four-x-only"):
        ask("")
    for bad in (None, 1, b"standard", ["standard"]):
        with pytest.raises(TypeError, match="name"):
            ask(bad)


# ---------------------------------------------------------------------------------------------------------- round trips


def test_to_dict():
    data = Rules(losing_order=PLAY_FIRST, river_min="1/2", qualifier=None, bad_beat="3:2").to_dict()
    assert data.pop("version") == uteh.__version__
    assert data == {
        "schema": "uteh/1",
        "preflop": [3, 4],
        "flop": [2],
        "river": [1],
        "preflop_between": False,
        "river_min": {"fraction": "1/2", "float": 0.5},
        "fold_preflop": False,
        "fold_flop": False,
        "qualifier": "high_card",
        "unqualified_ante": "push",
        "unqualified_play": "settle",
        "blind": {
            "royal_flush": 500,
            "straight_flush": 50,
            "four_of_a_kind": 10,
            "full_house": 3,
            "flush": "3/2",
            "straight": 1,
        },
        "trips": {
            "royal_flush": 50,
            "straight_flush": 40,
            "four_of_a_kind": 30,
            "full_house": 8,
            "flush": 7,
            "straight": 4,
            "three_of_a_kind": 3,
        },
        "trips_on_fold": "hand",
        "trips_when_not_won": "pay",
        "bad_beat": {"straight_flush": "3/2"},
        "bad_beat_needs_trips": False,
        "hole_cards": "any",
        "wager_order": list(BETS),
        "losing_order": list(PLAY_FIRST),
        "fund_reading": "net",
        "breakage": "exact",
    }


def test_from_dict():
    assert Rules.from_dict({}) == STANDARD
    assert Rules.from_dict({"schema": "uteh/1", "version": "0.0.1"}) == STANDARD
    assert Rules.from_dict({"trips": None, "qualifier": None}) == Rules(trips=None, qualifier=None)
    assert Rules.from_dict({"river_min": "1/2"}).river_min == Fraction(1, 2)
    assert Rules.from_dict({"river_min": {"fraction": "1/2", "float": 0.5}}).river_min == Fraction(1, 2)
    assert Rules.from_dict({"blind": "500/50"}).blind == PayTable.parse("500/50")
    assert Rules.from_dict({"blind": {"flush": {"fraction": "3/2"}}}).blind == PayTable(flush="3/2")


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"flops": [2]}, r'^flops: .*"flop"'),
        ({"zzzzzz": 1}, r"^zzzzzz: .*preflop, flop, river"),
        ({"schema": "uteh/2"}, r"^schema: 'uteh/2' .*uteh/1"),
        ({"schema": None}, "^schema: "),
        ({"river_min": {"float": 0.5}}, "^river_min: "),
        ({"blind": {"flush": {"float": 1.5}}}, "^blind: flush: "),
        ({"flop": [7]}, "^flop: "),
    ],
)
def test_from_dict_refuses(data, named):
    with pytest.raises(RulesError, match=named):
        Rules.from_dict(data)


@pytest.mark.parametrize("data", [None, "standard", [("flop", [2])], 1, {1: 2}, {"flop": 2}, {"river_min": 0.5}])
def test_from_dict_types(data):
    with pytest.raises(TypeError):
        Rules.from_dict(data)


@search
@given(any_rules)
def test_rules_survive(rules):
    data = rules.to_dict()
    assert Rules.from_dict(data) == rules
    assert Rules.from_dict(json.loads(json.dumps(data))) == rules
    assert Rules(**{field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}) == rules
    assert eval(repr(rules), {"Rules": Rules, "PayTable": PayTable}) == rules
    assert "\n" not in repr(rules)
    for same in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules), replace(rules)):
        assert same == rules
        assert hash(same) == hash(rules)
        assert same.key == rules.key
        assert plain(same) == plain(rules)
        assert same.packed == rules.packed


@search
@given(any_rules, any_rules)
def test_diff_and_key(mine, theirs):
    diff = mine.diff(theirs)
    assert list(diff) == [name for name in DEFAULTS if getattr(mine, name) != getattr(theirs, name)]
    assert all(pair == (getattr(mine, name), getattr(theirs, name)) for name, pair in diff.items())
    assert (diff == {}) == (mine == theirs) == (mine.key == theirs.key)


@search
@given(any_rules, any_rules)
def test_replace_sets_what_it_is_told(mine, theirs):
    for name in set(DEFAULTS) - {"preflop", "preflop_between", "trips", "bad_beat", "bad_beat_needs_trips"}:
        assert getattr(replace(mine, **{name: getattr(theirs, name)}), name) == getattr(theirs, name)


def test_diff():
    assert STANDARD.diff(STANDARD) == {}
    assert STANDARD.diff(Rules(flop=(1, 2), trips=None)) == {
        "flop": ((2,), (1, 2)),
        "trips": (STANDARD.trips, None),
    }
    with pytest.raises(TypeError):
        STANDARD.diff("trainer")


def test_repr_shows_what_differs():
    assert repr(Rules(flop=(1, 2), qualifier=None)) == "Rules(flop=(1, 2), qualifier=None)"
    assert repr(Rules(trips="50/3:2", river_min="1/2")) == (
        "Rules(river_min='1/2', trips=PayTable(royal_flush=50, straight_flush='3/2'))"
    )


def test_keys_are_sha256_and_differ():
    keys = {Rules.named(name).key for name in Rules.names()}
    assert len(keys) == len(Rules.names()) - 1  # the trainer's rules are the standard ones
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)


OTHER_PROCESS = """
import pickle, sys
rules = pickle.load(sys.stdin.buffer)
pickle.dump([(one, one.key, hash(one) == hash(pickle.loads(pickle.dumps(one)))) for one in rules], sys.stdout.buffer)
"""


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_other_processes_agree(seed):
    mine = [Rules.named(name) for name in Rules.names()]
    for one in mine:
        assert one.packed
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        input=pickle.dumps(mine),
        env=os.environ | {"PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        timeout=60,
        check=True,
    )
    for one, (theirs, key, same_hash) in zip(mine, pickle.loads(done.stdout), strict=True):
        assert theirs == one
        assert hash(theirs) == hash(one)
        assert key == one.key
        assert same_hash


def test_pickles_carry_no_cache():
    fresh, used = Rules(flop=(1,)), Rules(flop=(1,))
    assert used.packed
    assert used.key
    assert pickle.dumps(used) == pickle.dumps(fresh)
    assert set(vars(pickle.loads(pickle.dumps(used)))) == set(DEFAULTS)
    assert set(vars(replace(used))) == set(DEFAULTS)
    assert used == fresh
    assert hash(used) == hash(fresh)
    assert repr(used) == repr(fresh)


# -------------------------------------------------------------------------------------------------------------- packing

# The order of the C struct: a change here is a change there.
LAYOUT = (
    ("unit", 1),
    ("preflop", 1),
    ("flop", 1),
    ("river", 1),
    ("preflop_between", 1),
    ("river_min_num", 1),
    ("river_min_den", 1),
    ("fold_preflop", 1),
    ("fold_flop", 1),
    ("qualifier", 1),
    ("unqualified_ante", 1),
    ("unqualified_play", 1),
    ("blind", 10),
    ("has_trips", 1),
    ("trips", 10),
    ("trips_on_fold", 1),
    ("trips_when_not_won", 1),
    ("has_bad_beat", 1),
    ("bad_beat", 10),
    ("bad_beat_needs_trips", 1),
    ("both", 1),
    ("wager_order", 5),
    ("losing_order", 5),
    ("fund_gross", 1),
    ("breakage", 1),
)


def unpack(packed: bytes) -> dict[str, int | list[int]]:
    """The parts of a packed rule set by name; those of one value as that value."""
    numbers = list(struct.unpack(f"={len(packed) // 8}q", packed))
    parts: dict[str, int | list[int]] = {}
    for name, count in LAYOUT:
        values, numbers = numbers[:count], numbers[count:]
        parts[name] = values[0] if count == 1 else values
    assert not numbers
    return parts


def test_packed_order():
    assert PACKED_FIELDS == LAYOUT


def test_packed_standard():
    assert isinstance(STANDARD.packed, bytes)
    assert STANDARD.packed is STANDARD.packed
    assert unpack(STANDARD.packed) == {
        "unit": 2,
        "preflop": 0b11000,
        "flop": 0b100,
        "river": 0b10,
        "preflop_between": 0,
        "river_min_num": 1,
        "river_min_den": 1,
        "fold_preflop": 0,
        "fold_flop": 0,
        "qualifier": 1,
        "unqualified_ante": 0,
        "unqualified_play": 0,
        "blind": [0, 0, 0, 0, 2, 3, 6, 20, 100, 1000],
        "has_trips": 1,
        "trips": [-1, -1, -1, 6, 8, 14, 16, 60, 80, 100],
        "trips_on_fold": 0,
        "trips_when_not_won": 0,
        "has_bad_beat": 0,
        "bad_beat": [-1] * 10,
        "bad_beat_needs_trips": 0,
        "both": 0,
        "wager_order": [0, 1, 2, 3, 4],
        "losing_order": [0, 1, 2, 3, 4],
        "fund_gross": 0,
        "breakage": 0,
    }


def test_packed_everything_changed():
    rules = Rules(
        preflop=(1, 2, 3, 4),
        flop=(),
        river=(1, 2),
        preflop_between=True,
        river_min="2/5",
        fold_preflop=True,
        fold_flop=True,
        qualifier="three_of_a_kind",
        unqualified_ante="always",
        unqualified_play="push",
        blind={"flush": "1/3", "pair": 0},
        trips={"pair": "1/4", "high_card": 0},
        trips_on_fold="lose",
        trips_when_not_won="lose",
        bad_beat="7500/1:2",
        bad_beat_needs_trips=True,
        hole_cards="both",
        wager_order=BACKWARD,
        losing_order=PLAY_FIRST,
        fund_reading="gross",
        breakage="nearest",
    )
    assert unpack(rules.packed) == {
        "unit": 12,
        "preflop": 0b11110,
        "flop": 0,
        "river": 0b110,
        "preflop_between": 1,
        "river_min_num": 2,
        "river_min_den": 5,
        "fold_preflop": 1,
        "fold_flop": 1,
        "qualifier": 3,
        "unqualified_ante": 4,
        "unqualified_play": 1,
        "blind": [0, 0, 0, 0, 0, 4, 0, 0, 0, 0],
        "has_trips": 1,
        "trips": [0, 3, -1, -1, -1, -1, -1, -1, -1, -1],
        "trips_on_fold": 2,
        "trips_when_not_won": 2,
        "has_bad_beat": 1,
        "bad_beat": [-1, -1, -1, -1, -1, -1, -1, 6, 90000, -1],
        "bad_beat_needs_trips": 1,
        "both": 1,
        "wager_order": [4, 3, 2, 1, 0],
        "losing_order": [1, 0, 2, 3, 4],
        "fund_gross": 1,
        "breakage": 2,
    }


@pytest.mark.parametrize(
    ("field", "part", "values"),
    [
        ("unqualified_ante", "unqualified_ante", ("push", "settle", "win_only", "lose_only", "always")),
        ("unqualified_play", "unqualified_play", ("settle", "push")),
        ("trips_on_fold", "trips_on_fold", ("hand", "board", "lose")),
        ("trips_when_not_won", "trips_when_not_won", ("pay", "push", "lose")),
        ("hole_cards", "both", ("any", "both")),
        ("fund_reading", "fund_gross", ("net", "gross")),
        ("breakage", "breakage", ("exact", "down", "nearest")),
        ("qualifier", "qualifier", tuple(Category)),
    ],
)
def test_packed_numbers_of_names(field, part, values):
    assert [unpack(Rules(**{field: value}).packed)[part] for value in values] == list(range(len(values)))


def test_packed_without_side_bets():
    parts = unpack(Rules(trips=None).packed)
    assert (parts["has_trips"], parts["trips"]) == (0, [-1] * 10)
    parts = unpack(Rules(trips={}).packed)
    assert (parts["has_trips"], parts["trips"]) == (1, [-1] * 10)


def test_packed_unit_limit():
    assert unpack(Rules(blind={"flush": "1/1000"}).packed)["unit"] == 1000
    for tables, named in (
        ({"blind": {"flush": "1/1001"}}, "^blind: "),
        ({"blind": {}, "trips": {"flush": "1/7", "pair": "1/1000"}}, "^trips: "),
        ({"blind": {"flush": "1/1000"}, "bad_beat": {"flush": "1/3"}}, "^blind and bad_beat: "),
        ({"blind": {"flush": f"1/{10**4000}"}}, "^blind: "),
    ):
        rules = Rules(**tables)  # only engines mind
        with pytest.raises(RulesError, match=named):
            rules.packed  # noqa: B018


def test_packed_size_limit():
    assert unpack(Rules(blind={"flush": 2**40}).packed)["blind"][5] == 2**40
    for changes, named in (
        ({"blind": {"flush": 2**40 + 1}}, r"^blind\.flush: "),
        ({"blind": {"flush": 2**39 + 1, "pair": "1/2"}}, r"^blind\.flush: "),
        ({"trips": {"pair": 2**64}}, r"^trips\.pair: "),
        ({"bad_beat": {"straight": 10**5000}}, r"^bad_beat\.straight: "),
        ({"river_min": Fraction(1, 2**40 + 1)}, "^river_min: "),
    ):
        rules = Rules(**changes)
        with pytest.raises(RulesError, match=named):
            rules.packed  # noqa: B018


@search
@given(any_rules)
def test_packed_says_the_tables(rules):
    lowest = [
        value.denominator for table in (rules.blind, rules.trips, rules.bad_beat) if table for value in table.values()
    ]
    parts = unpack(rules.packed)
    unit = parts["unit"]
    assert all(unit % denominator == 0 for denominator in lowest)
    assert not any(
        all((unit // prime) % denominator == 0 for denominator in lowest) for prime in (2, 3, 5, 7) if unit % prime == 0
    )
    for name, absent in (("blind", 0), ("trips", -1), ("bad_beat", -1)):
        table = getattr(rules, name)
        for category in Category:
            payout = None if table is None else table.get(category)
            assert parts[name][category] == (absent if payout is None else payout * unit)


# -------------------------------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize(
    ("rules", "street", "actions"),
    [
        (Rules(), "preflop", "check 3x 4x"),
        (Rules(), "flop", "check 2x"),
        (Rules(), "river", "fold 1x"),
        (Rules(fold_preflop=True), "preflop", "fold check 3x 4x"),
        (Rules(fold_preflop=True), "flop", "check 2x"),
        (Rules(fold_flop=True), "flop", "fold check 2x"),
        (Rules(fold_flop=True), "preflop", "check 3x 4x"),
        (Rules(preflop=()), "preflop", "check"),
        (Rules(flop=(1, 2, 3, 4)), "flop", "check 1x 2x 3x 4x"),
        (Rules(river=(1, 3)), "river", "fold 1x 3x"),
        (Rules(river_min="1/2"), "river", "fold min 1x"),
        (Rules(river_min="1/2", river=(2, 4)), "river", "fold min 1x 2x 4x"),
        (Rules(river=(2,)), "river", "fold 2x"),
        (Rules(preflop_between=True), "preflop", "check 3x 4x"),
        (Rules.named("simulated"), "preflop", "fold check 3x 4x"),
        (Rules.named("simulated"), "flop", "check 2x"),
        (Rules.named("simulated"), "river", "fold min 1x"),
        (Rules.named("four-x-only"), "preflop", "check 4x"),
        (Rules.named("three-x-only"), "preflop", "check 3x"),
    ],
)
def test_actions(rules, street, actions):
    assert " ".join(rules.actions(street)) == actions
    assert {type(action) for action in rules.actions(street)} == {Action}


@search
@given(any_rules, st.sampled_from(["preflop", "flop", "river"]))
def test_actions_keep_the_order_of_ties(rules, street):
    places = [list(Action).index(action) for action in rules.actions(street)]
    assert places == sorted(set(places))


@pytest.mark.parametrize("street", ["turn", "", "Flop", "preflop "])
def test_actions_on_no_street(street):
    with pytest.raises(ValueError, match=f"street: '{street}'"):
        STANDARD.actions(street)


@pytest.mark.parametrize("street", [None, 0, b"flop", ["flop"]])
def test_actions_street_type(street):
    with pytest.raises(TypeError, match="street"):
        STANDARD.actions(street)


# --------------------------------------------------------------------------------------------------------------- module


def test_import_brings_nothing_heavy():
    """What only `key`, `to_dict` and `packed` need is not loaded before they are called, and NumPy never."""
    code = (
        "import sys, uteh; before = set(sys.modules); import uteh.rules; "
        "print(*sorted({'numpy', 'json', 'hashlib', 'typing', 'difflib'} & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == ""


def test_public_names():
    assert all(hasattr(uteh.rules, name) for name in uteh.rules.__all__)


def test_none_is_written_as_text_where_a_file_has_no_word_for_it():
    none = Rules.from_dict({"trips": "none", "bad_beat": "None", "qualifier": "none"})
    assert none == Rules(trips=None, bad_beat=None, qualifier=None)
    with pytest.raises(RulesError, match="blind"):
        Rules.from_dict({"blind": "none"})


def test_the_core_has_the_fields_in_the_packed_order():
    """The C struct is filled by copying, so that its members have to be PACKED_FIELDS, name by name."""
    from uteh import _eval

    assert _eval.rules_size() == sum(count for _, count in PACKED_FIELDS)
    header = Path(__file__).resolve().parent.parent / "src" / "uteh" / "_core" / "settle.h"
    if not header.is_file():
        pytest.skip("not a checkout or an sdist")
    body = header.read_text().split("} uteh_rules;")[0].rsplit("typedef struct {", 1)[1]
    members = [
        (name, int(count or 1))
        for line in re.findall(r"int64_t ([^;]+);", re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL))
        for name, count in re.findall(r"(\w+)(?:\[(\d+)\])?", line)
    ]
    assert members == list(PACKED_FIELDS)
