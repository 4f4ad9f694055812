"""Odds and decisions: published and independently computed figures, and the reference on thousands of random
questions."""

import itertools
import json
import pickle
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import uteh
from uteh import STANDARD, Action, CardError, Category, PayTable, Rules, RulesError

# Figures --------------------------------------------------------------------------------------------------------------
# Exact enumerations computed independently of this package, at least twice; the values of starting hands are published
# too (wizardofodds.com, Ultimate Texas Hold'em).


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("board", "win", "lose", "tie", "deals"),
    [
        ("Qh7s2c", 589_782, 468_931, 11_477, 1_070_190),
        ("Qh7s2cTd", 24_049, 21_095, 396, 45_540),
        ("Qh7s2cTd3h", 384, 597, 9, 990),
    ],
)
def test_odds_of_ace_king(board, win, lose, tie, deals):
    odds = uteh.odds("AhKd", board)
    assert (odds.win, odds.lose, odds.tie, odds.deals) == (win, lose, tie, deals)


def test_odds_of_ace_king_without_a_board():
    odds = uteh.odds("AhKd")
    assert (odds.win, odds.lose, odds.tie) == (1_352_291_878, 709_592_683, 35_687_839)
    assert odds.deals == 2_097_572_400
    assert odds == uteh.odds("AKo")


@pytest.mark.parametrize(
    ("hole", "values"),
    [
        ("AA", {"check": 2.192924106, "3x": 2.896998372, "4x": 3.601072638}),
        ("33", {"check": 0.007454228, "4x": 0.088455582}),
        ("22", {"check": -0.179478437, "4x": -0.287877699}),
        ("AKs", {"check": 0.986740230, "4x": 1.658326405}),
        ("K8o", {"check": -0.003953671, "4x": 0.166258855}),
        ("K4o", {"check": -0.206014324, "4x": -0.228811639}),
    ],
)
def test_values_of_starting_hands(hole, values):
    decision = uteh.decide(hole)
    assert decision.street == "preflop"
    for action, value in values.items():
        assert abs(decision.values[Action(action)] - Fraction(value)) <= Fraction(6, 10**10)
    assert decision.best == max(decision.values, key=decision.values.get)


# The reference --------------------------------------------------------------------------------------------------------


# Strategies are made once: hypothesis looks through each new one, which takes longer than drawing from it.
multiples = st.sets(st.integers(1, 4), max_size=4).map(lambda s: tuple(sorted(s)))
names_of_categories = st.sampled_from([category.name.lower() for category in Category])
entries = st.one_of(st.integers(0, 9), st.fractions(0, 50, max_denominator=4))
any_table, some_table = (
    st.dictionaries(names_of_categories, entries, min_size=least).map(lambda d: PayTable(**d)) for least in (0, 1)
)
fields = st.fixed_dictionaries(
    {
        "preflop": multiples,
        "flop": multiples,
        "river": multiples.filter(bool),
        "preflop_between": st.booleans(),
        "river_min": st.sampled_from([1, 1, Fraction(1, 2), Fraction(2, 3)]),
        "fold_preflop": st.booleans(),
        "fold_flop": st.booleans(),
        "qualifier": st.sampled_from([None, *Category]),
        "unqualified_ante": st.sampled_from(["push", "settle", "win_only", "lose_only", "always"]),
        "unqualified_play": st.sampled_from(["settle", "push"]),
        "blind": st.one_of(st.just(STANDARD.blind), any_table),
        "trips": st.one_of(st.just(STANDARD.trips), some_table, st.none()),
        "trips_on_fold": st.sampled_from(["hand", "board", "lose"]),
        "trips_when_not_won": st.sampled_from(["pay", "push", "lose"]),
        "bad_beat": st.one_of(st.none(), some_table),
        "hole_cards": st.sampled_from(["any", "both"]),
    }
)


@fields.map
def any_rules(drawn):
    """Any rule set, with the fields that bear on odds and decisions drawn at random."""
    drawn["preflop_between"] &= len(drawn["preflop"]) > 1
    return Rules(**drawn)


def street_reached(board, later):
    return 0 if len(board) < 3 else 2 if len(board) + len(later) == 5 else 1


def shuffled(cards):
    """Orders of cards, each drawn as one number, where `permutations` draws one for each card."""
    return st.integers(0, 2**24 - 1).map(lambda seed: random.Random(seed).sample(cards, len(cards)))


decks = {
    suits: shuffled([card for card in range(52) if card % 4 in suits])
    for suits in [(0, 1, 2, 3), *itertools.combinations(range(4), 2)]
}


@st.composite
def question(draw, most=16):
    """What somebody may know, with so many cards dead that the reference has few completions to go through."""
    deck = draw(decks[0, 1, 2, 3])
    hole, deck = deck[:2], deck[2:]
    board, deck = deck[: (n := draw(st.integers(0, 5)))], deck[n:]
    later, deck = deck[: (n := draw(st.integers(0, 2 - max(0, len(board) - 3))))], deck[n:]
    dealer, deck = deck[: (n := draw(st.integers(0, 2)))], deck[n:]
    dead = deck[: len(deck) - draw(st.integers(9, most))]
    return {"hole": hole, "board": board, "later": later, "dealer": dealer, "dead": dead}, street_reached(board, later)


@st.composite
def suited_question(draw):
    """The same with two suits alone alive, so that flushes, and boards of one suit, are common."""
    suits = draw(st.sampled_from(list(itertools.combinations(range(4), 2))))
    deck = draw(decks[suits])
    board = deck[2 : 2 + draw(st.integers(0, 5))]
    rest = deck[2 + len(board) :]
    out = [card for card in range(52) if card % 4 not in suits]
    return {"hole": deck[:2], "board": board, "later": [], "dealer": [], "dead": out + rest[12:]}, street_reached(
        board, []
    )


def for_reference(asked):
    """The reference takes later cards beside an incomplete flop only; behind a whole one they are turn and river."""
    if len(asked["board"]) < 3:
        return asked
    return {**asked, "board": [*asked["board"], *asked["later"]], "later": []}


def check_odds(asked, rules):
    odds = uteh.odds(**asked, rules=rules)
    expected = reference.odds(**for_reference(asked), rules=rules)
    assert [odds.by_category[c] for c in Category] == expected.pop("by_category")
    assert {name: getattr(odds, name) for name in expected} == expected
    assert odds.equity == Fraction(2 * odds.win + odds.tie, 2 * odds.deals)


# The two fields that bear on odds.
whose_hands_count = st.builds(
    Rules, qualifier=st.sampled_from([None, *Category]), hole_cards=st.sampled_from(["any", "both"])
)


@settings(max_examples=300)
@given(st.one_of(question(), suited_question()), whose_hands_count)
def test_odds_against_the_reference(asked, rules):
    check_odds(asked[0], rules)


@settings(max_examples=250)
@given(st.one_of(question(13), suited_question()), any_rules, st.data())
def test_decisions_against_the_reference(asked, rules, data):
    asked, reached = asked
    amount = st.sampled_from([0, 0, 1, 2, Fraction(1, 2)])
    stakes = {
        "trips": data.draw(amount) if rules.trips is not None else 0,
        "bad_beat": data.draw(amount) if rules.bad_beat is not None else 0,
        "payout_cap": data.draw(st.sampled_from([None, None, 0, 5, Fraction(21, 2), 100])),
    }
    street = data.draw(st.sampled_from([None, "preflop", "flop", "river"][: reached + 2]))
    reached = ("preflop", "flop", "river")[reached]
    decision = uteh.decide(**asked, street=street, rules=rules, **stakes)
    expected = reference.decide(**for_reference(asked), street=street or reached, rules=rules, **stakes)
    assert list(decision.values) == list(expected)
    assert decision.values == expected
    assert decision.street == (street or reached)
    # Exact ties go to the action that risks less, which stands first.
    assert decision.best == max(expected, key=expected.get)
    ordered = sorted(expected.values(), reverse=True)
    assert decision.margin == (ordered[0] - ordered[1] if len(ordered) > 1 else None)


@pytest.mark.parametrize("name", Rules.names())
def test_decisions_of_every_preset_with_a_full_deck(name):
    """Flop and river of the same random deals under each preset, side bets included, all 1,070,190 completions."""
    rules = Rules.named(name)
    rnd = random.Random(name)
    stakes = {"trips": 1, "bad_beat": 1 if rules.bad_beat is not None else 0}
    deck = rnd.sample(range(52), 7)
    decision = uteh.decide(deck[:2], deck[2:5], rules=rules, **stakes)
    assert decision.values == reference.decide(deck[:2], deck[2:5], rules=rules, **stakes)
    for _ in range(10):
        deck = rnd.sample(range(52), 7)
        decision = uteh.decide(deck[:2], deck[2:], rules=rules, **stakes)
        assert decision.values == reference.decide(deck[:2], deck[2:], rules=rules, **stakes)
        check_odds({"hole": deck[:2], "board": deck[2:], "later": [], "dealer": [], "dead": []}, rules)


def test_rivers_of_one_suit():
    """Boards with three, four and five cards of a suit, straight flushes among them, against every dealer hand."""
    rnd = random.Random(5)
    for suited in (3, 4, 5):
        for both in ("any", "both"):
            for _ in range(25):
                suit = rnd.randrange(4)
                low = rnd.randrange(13)
                ranks = rnd.sample(range(13), 13) if rnd.random() < 0.5 else [(low + i) % 13 for i in range(13)]
                of_suit = [4 * rank + suit for rank in ranks]
                rest = rnd.sample([card for card in range(52) if card % 4 != suit], 52 - 13)
                board = of_suit[:suited] + rest[: 5 - suited]
                hole = rnd.sample([card for card in range(52) if card not in board], 2)
                asked = {"hole": hole, "board": board, "later": [], "dealer": [], "dead": []}
                check_odds(asked, replace(STANDARD, hole_cards=both))


# Properties -----------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.permutations(range(52)), st.permutations(range(4)))
def test_renaming_suits_changes_nothing(deck, suits):
    def renamed(cards):
        return [card - card % 4 + suits[card % 4] for card in cards]

    hole, board, dead = deck[:2], deck[2:5], deck[5:8]
    assert uteh.decide(hole, board, dead=dead) == uteh.decide(renamed(hole), renamed(board), dead=renamed(dead))
    assert uteh.odds(hole, board, dead=dead) == uteh.odds(renamed(hole), renamed(board), dead=renamed(dead))


def test_completions_add_up():
    """The odds of a flop are the sum over its turns, those of a turn over its rivers, and over the dealer's cards."""
    hole, board = uteh.parse_cards("Ah 9h"), uteh.parse_cards("Th 8h 8c")
    live = [card for card in range(52) if card not in hole + board]
    flop = uteh.odds(hole, board)
    assert 2 * flop.win == sum(uteh.odds(hole, (*board, card)).win for card in live)
    # Each dealer hand has two cards, each of which may be the one shown.
    assert 2 * flop.tie == sum(uteh.odds(hole, board, dealer=(card,)).tie for card in live)
    assert flop.lose == sum(uteh.odds(hole, board, dealer=pair).lose for pair in itertools.combinations(live, 2))
    river = (*board, live[0], live[9])
    assert uteh.odds(hole, river) == uteh.odds(hole, board, later=river[3:])
    assert uteh.decide(hole, river, street="flop") == uteh.decide(hole, board, later=river[3:], street="flop")


def test_knowing_more_is_never_worth_less():
    hole, board = "Ks 5d", "9h 7c 2d"
    blind_to_it = max(uteh.decide(hole, board).values.values())
    live = [card for card in range(52) if card not in uteh.parse_cards(hole + board)]
    told = [max(uteh.decide(hole, board, dealer=(card,)).values.values()) for card in live]
    assert sum(told) / len(told) > blind_to_it
    told = [max(uteh.decide(hole, board, later=(card,)).values.values()) for card in live]
    assert sum(told) / len(told) > blind_to_it


def test_exact_ties_risk_less():
    """A royal on the board: a tie costs nothing, so 1x is worth 0, and more is worth no more."""
    board, hole = "Ah Kh Qh Jh Th", "2c 3d"
    assert uteh.decide(hole, board).values == {Action.FOLD: -2, Action.BET_1X: 0}
    everything = Rules(river=(1, 2, 3, 4))
    decision = uteh.decide(hole, board, rules=everything)
    assert decision.best is Action.BET_1X
    assert decision.margin == 0
    certain = uteh.decide("2c 3d", "Ks Kh Kd Kc Qs", dealer="As 4c")
    assert certain.values == {Action.FOLD: -2, Action.BET_1X: -3}
    assert certain.best is Action.FOLD


def test_starting_hand_names():
    assert uteh.odds("TT", dead="", dealer=()) == uteh.odds("Ts Th")
    assert uteh.decide(" q10S ").values == uteh.decide("Qs Ts").values
    for known in ({"board": "2c"}, {"dealer": "2c"}, {"dead": "2c"}, {"later": "2c"}):
        (place,) = known
        with pytest.raises(CardError, match=f"'AKs' names a starting hand.*{place}"):
            uteh.odds("AKs", **known)
    for name in ("AK", "TTs", "TTo", "KAs", "AKx", "AKso", "AsKs AKs", "1010s"):
        with pytest.raises(CardError, match="hole"):
            uteh.odds(name)


# Results --------------------------------------------------------------------------------------------------------------


def test_results_are_values():
    odds, decision = uteh.odds("AhKd", "Qh7s2c"), uteh.decide("AhKd", "Qh7s2c")
    for result, same, other in [
        (odds, uteh.odds("AhKd", "Qh7s2c"), uteh.odds("AhKd", "Qh7s3c")),
        (decision, uteh.decide("AhKd", "Qh7s2c"), uteh.decide("AhKd", "Qh7s3c")),
    ]:
        assert result == same
        assert hash(result) == hash(same)
        assert result != other
        assert result != "something else"
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(result, protocol)) == result
        assert "\n" not in repr(result)
        with pytest.raises(AttributeError, match="frozen"):
            result.rules = STANDARD
        with pytest.raises(AttributeError, match="frozen"):
            result.anything = 1
        with pytest.raises(AttributeError, match="frozen"):
            del result.rules
        data = result.to_dict()
        assert data["schema"] == "uteh/1"
        assert data["version"] == uteh.__version__
        assert json.loads(json.dumps(data)) == data
        assert Rules.from_dict(data["rules"]) == result.rules
    assert odds.rules is STANDARD
    # A changed dict does not reach back into the result.
    odds.by_category.clear()
    decision.values.clear()
    assert len(odds.by_category) == 10
    assert list(decision.values) == ["check", "2x"]
    assert decision.to_dict()["values"]["2x"]["fraction"] == str(decision.values[Action.BET_2X])
    assert sum(sum(counts) for counts in odds.by_category.values()) == odds.deals == 1_070_190
    assert decision != uteh.decide("AhKd", "Qh7s2c", rules=Rules.named("trainer").__class__(breakage="down"))


def test_stakes_may_be_written_in_many_ways():
    same = [uteh.decide("7c7d", "7h2s2dKcKd", trips=t) for t in (Fraction(1, 2), Decimal("0.5"), "1/2", "0.5")]
    assert all(decision == same[0] for decision in same)
    assert same[0].values[Action.FOLD] == -2 + 4  # sevens full pays 8 to 1 on half an ante, after a fold too
    assert uteh.decide("7c7d", "7h2s2dKcKd", payout_cap=10**30) == uteh.decide("7c7d", "7h2s2dKcKd")


# Wrong input ----------------------------------------------------------------------------------------------------------


@pytest.mark.smoke
@pytest.mark.parametrize("function", [uteh.odds, uteh.decide])
def test_wrong_cards_are_named_with_their_place(function):
    cases = [
        (("As",), {}, "hole: 1 cards given, 2 needed"),
        (("AsKdQc",), {}, "hole: 3 cards given, 2 needed"),
        (("",), {}, "hole: 0 cards given, 2 needed"),
        (((),), {}, "hole: 0 cards given, 2 needed"),
        (("1h As", "Kd Qx 7c"), {}, "hole: '1h' is not a card"),
        (("As Ks", "Kd Qx 7c"), {}, "board: 'Qx' is not a card"),
        (("As 8s", "Ac Kd Ks 8s 3s"), {}, "8s is given twice: in the hole and on the board"),
        (("JcJc",), {}, "Jc is given twice in the hole"),
        (("As Ks", "2c 3c 4c 5c 6c 7c"), {}, "board: 6 cards given, 0 to 5 needed"),
        (("As Ks", "2c 3c 2c"), {}, "2c is given twice on the board"),
        (("As Ks",), {"dealer": "Ks"}, "Ks is given twice: in the hole and in the dealer's hand"),
        (("As Ks",), {"dealer": "2c 3c 4c"}, "dealer: 3 cards given, 0 to 2 needed"),
        (("As Ks",), {"dead": "2c As"}, "As is given twice: in the hole and among the dead cards"),
        (("As Ks", "2c"), {"dead": "2c"}, "2c is given twice: on the board and among the dead cards"),
        (("As Ks", "2c"), {"later": "2c"}, "2c is given twice: on the board and among the later cards"),
        (
            ("As Ks",),
            {"dealer": "2c", "dead": "2c"},
            "2c is given twice: in the dealer's hand and among the dead cards",
        ),
        (("As Ks",), {"later": "2c 3c 4c"}, "later: 3 cards given, 0 to 2 needed"),
        (("As Ks", "2c 3c 4c 5c"), {"later": "6c 7c"}, "later: 2 cards given beside a board of 4"),
        (([51, 52],), {}, "hole: 52 is not a card id"),
        (([51, -1],), {}, "hole: -1 is not a card id"),
        (("As Ks",), {"dead": list(range(47))}, "dead: 3 cards are left, 7 are needed"),
        (("As 2c", [1, 2, 3, 4, 5]), {"dead": range(6, 50)}, "dead: 1 cards are left, 2 are needed"),
    ]
    for args, keywords, message in cases:
        with pytest.raises(CardError) as caught:
            function(*args, **keywords)
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize("function", [uteh.odds, uteh.decide])
def test_wrong_types_are_type_errors(function):
    for keywords in [
        {"hole": None}, {"hole": 3}, {"hole": b"AsKd"}, {"hole": [1.5, 2]}, {"hole": [True, 2]}, {"hole": {1, 2}},
        {"board": None}, {"later": 3}, {"dealer": 2.5}, {"dead": {"As"}}, {"dead": None}, {"rules": None},
        {"rules": "standard"}, {"rules": Rules}, {"progress": 3},
    ]:  # fmt: skip
        with pytest.raises(TypeError):
            function(**{"hole": "AhKd", "board": "Qh7s2c", **keywords})
    with pytest.raises(TypeError):
        function("AhKd", "Qh7s2c", flop=True)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"street": "river"}, CardError, "river decision needs five board cards, and 3 are given"),
        ({"street": "flop", "board": "Qh7s"}, CardError, "flop decision needs three flop cards, and 2 are given"),
        ({"street": "turn"}, ValueError, "street"),
        ({"street": "Flop"}, ValueError, "street"),
        ({"street": 1}, TypeError, "street"),
        ({"trips": -1}, RulesError, "trips: -1 is negative"),
        ({"trips": 0.5}, TypeError, "trips"),
        ({"trips": True}, TypeError, "trips"),
        ({"trips": None}, TypeError, "trips"),
        ({"trips": "half"}, RulesError, "trips"),
        ({"trips": Decimal("NaN")}, RulesError, "trips"),
        ({"bad_beat": 1}, RulesError, "bad_beat"),
        ({"bad_beat": "-1"}, RulesError, "bad_beat"),
        ({"bad_beat": 1, "rules": Rules.named("california-bad-beat")}, RulesError, "only beside a Trips bet"),
        ({"trips": 1, "rules": Rules(trips=None)}, RulesError, "trips"),
        ({"payout_cap": -1}, RulesError, "payout_cap"),
        ({"payout_cap": 1.5}, TypeError, "payout_cap"),
        ({"trips": 10**15}, RulesError, "too large"),
        ({"trips": Fraction(1, 10**15)}, RulesError, "too large or too fine"),
        ({"payout_cap": Fraction(1, 10**15)}, RulesError, "too large or too fine"),
        ({"rules": Rules(blind=PayTable(flush=10**30))}, RulesError, "blind"),
        ({"rules": Rules(blind=PayTable(flush=Fraction(1, 1001)))}, RulesError, "blind"),
    ],
)
def test_wrong_arguments_of_decide(keywords, error, message):
    with pytest.raises(error, match=message):
        uteh.decide(**{"hole": "AhKd", "board": "Qh7s2c", **keywords})


def test_generous_tables_do_not_overflow():
    """100,000 to 1 and a denominator of 1,000: the same as the reference's unbounded arithmetic."""
    table = PayTable(straight=100_000, flush=Fraction(99_999_999, 1000), pair=Fraction(1, 1000), high_card=100_000)
    rules = Rules(blind=table, trips=table)
    decision = uteh.decide("9h8h", "Th7h2c", rules=rules, trips=3)
    assert decision.values == reference.decide("9h8h", "Th7h2c", rules=rules, trips=3)


def test_results_do_not_depend_on_what_was_asked_before():
    """Dead cards added and taken away again leave nothing behind."""
    first = uteh.decide("Ks5d", "9c8d2h")
    assert uteh.decide("Ks5d", "9c8d2h", dead="Kh9d") != first
    assert uteh.decide("Ks5d", "9c8d2h") == first
    generator = np.random.default_rng(3)
    asked = [generator.permutation(52)[:7] for _ in range(50)]
    answers = [uteh.decide(deck[:2], deck[2:]) for deck in asked]
    assert [uteh.decide(deck[:2], deck[2:]) for deck in reversed(asked)] == answers[::-1]
