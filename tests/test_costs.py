"""What rules cost: published edges, and differences of solved games."""

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest
from solutions import known, solved

from uteh import STANDARD, Rules, RulesError, compare_rules, costs, house_edges

OXFORD, FLORIDA, CALIFORNIA = (Rules.named(name) for name in ("oxford-downs", "florida-trips", "california-bad-beat"))


def test_edges_of_the_presets():
    """Published or computed independently: 2.185% with Trips apart, whatever it pays; half an ante on the river."""
    edges = dict(zip(Rules.names(), house_edges(map(Rules.named, Rules.names())), strict=True))
    standard = Fraction(50643648973, 2317817502000)
    for name in ("standard", "california", "california-bad-beat", "board-trips", "trainer", "oxford-downs"):
        assert edges[name] == standard
    for name in ("pompano-trips", "florida-trips", "four-x-only"):  # 3x is never the best raise
        assert edges[name] == standard
    assert edges["simulated"] == -Fraction(22227553493, 1545211668000)
    for name in ("pennsylvania-b", "auckland", "three-x-only"):
        assert edges[name] == solved(Rules.named(name)).house_edge > standard


def test_a_raise_that_is_never_the_best_is_left_out_for_nothing(monkeypatch):
    """4x alone is worth what 3x and 4x are, without being solved again; 3x alone is not."""
    asked = []
    monkeypatch.setattr(costs, "solve", lambda rules, **given: asked.append(rules) or known(rules, **given))
    names = ("standard", "four-x-only", "three-x-only")
    edges = house_edges(map(Rules.named, names))
    assert [rules.preflop for rules in asked] == [(3, 4), (3,)]
    assert edges[0] == edges[1] == solved(Rules.named("four-x-only")).house_edge < edges[2]


def test_what_the_trips_rules_cost(known_games):
    """Every figure by the games themselves. Never folding costs 0.00189845 (by an independent enumeration); who loses
    Trips by a fold can still do a little better than that."""
    costs = compare_rules(OXFORD, FLORIDA)
    assert (costs.trips, costs.bad_beat) == (1, 0)
    before = solved(OXFORD, trips=1).ev
    assert costs.ev == before
    assert costs.together == before - solved(FLORIDA, trips=1).ev
    assert list(costs.alone) == list(costs.fields) == ["trips", "trips_on_fold", "trips_when_not_won"]
    for field, cost in costs.alone.items():
        variant = replace(OXFORD, **{field: getattr(FLORIDA, field)})
        assert cost == before - solved(variant, trips=1).ev
    assert 0.00189 < -costs.alone["trips_on_fold"] < 0.00189845
    assert sum(costs.alone.values()) != costs.together


def test_a_bet_that_rules_do_not_have_is_not_made(known_games):
    costs = compare_rules(STANDARD, CALIFORNIA)
    assert (costs.trips, costs.bad_beat) == (1, 1)
    assert costs.alone["bad_beat_needs_trips"] is None
    assert costs.ev == Fraction(-50643648973, 2317817502000) - Fraction(233985, 6689228)
    assert costs.other_ev == solved(CALIFORNIA, trips=1, bad_beat=1).ev
    assert costs.alone["bad_beat"] == costs.together
    none = replace(STANDARD, trips=None)
    assert compare_rules(none, STANDARD).together == Fraction(233985, 6689228)
    back = compare_rules(CALIFORNIA, STANDARD, trips=0)
    assert back.ev == back.other_ev == Fraction(-50643648973, 2317817502000)


def test_fields_without_bearing_cost_nothing(known_games):
    other = replace(
        STANDARD, wager_order=STANDARD.wager_order[::-1], fund_reading="gross", breakage="down", qualifier=None
    )
    costs = compare_rules(STANDARD, other)
    assert {name: cost for name, cost in costs.alone.items() if name != "qualifier"} == {
        "wager_order": 0,
        "losing_order": 0,
        "fund_reading": 0,
        "breakage": 0,
    }
    # Published for a dealer who always qualifies: +10.77190755% for the player.
    assert float(costs.together) == pytest.approx(-0.1077190755 - 0.0218497137627533, abs=1e-10)
    assert compare_rules(STANDARD, STANDARD).alone == {}


def test_results_are_values():
    costs = compare_rules(STANDARD, Rules.named("pennsylvania-b"))
    assert pickle.loads(pickle.dumps(costs)) == costs
    assert hash(costs) == hash(pickle.loads(pickle.dumps(costs)))
    data = costs.to_dict()
    assert data["schema"] == "uteh/1"
    assert data["together"]["fraction"] == str(costs.together)
    assert data["fields"]["blind"] == [STANDARD.to_dict()["blind"], costs.other.to_dict()["blind"]]
    assert repr(costs).startswith("RuleCosts(together=+0.037278271, blind=")
    seen = []
    edges = house_edges([STANDARD, costs.other], threads=2, progress=lambda done, total: seen.append((done, total)))
    assert costs.together == edges[1] - edges[0]
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: house_edges(STANDARD), TypeError, "rules must be an iterable of Rules"),
        (lambda: house_edges(["standard"]), TypeError, "rules must be Rules"),
        (lambda: compare_rules(STANDARD, "trainer"), TypeError, "other must be Rules"),
        (lambda: compare_rules(STANDARD, OXFORD, trips=-1), RulesError, "trips: -1 is negative"),
        (lambda: compare_rules(STANDARD, OXFORD, trips=0.5), TypeError, "trips: expected an exact number"),
        (lambda: compare_rules(STANDARD, OXFORD, threads=0), ValueError, "threads must be at least 1"),
    ],
)
def test_what_is_wrong_is_named(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()
