"""What rules cost: the house edge of rule sets, and what each field in which two of them differ costs the player.

Everything is `game.solve`'s; here is only which games have to be solved. Fields that do not bear on the value of a game
(the order in which bets are settled, a fund, breakage, bets that are not made) are taken out first, so that rule sets
which differ in nothing else are solved once.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from . import _work
from .errors import RulesError
from .game import solve
from .results import FrozenResult
from .rules import STANDARD, Rules, as_fraction, fraction_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .game import Solution
    from .rules import Exact

__all__ = ["RuleCosts", "compare_rules", "house_edges"]

# Fields that no value depends on, and those that bear on a side bet alone.
_ORDERS = ("wager_order", "losing_order", "fund_reading", "breakage")
_OF_TRIPS = ("trips", "trips_on_fold", "trips_when_not_won")
_OF_BAD_BEAT = ("bad_beat", "bad_beat_needs_trips")

_Game = tuple[Rules, Fraction, Fraction]


class RuleCosts(FrozenResult):
    """What it costs the player to go from one rule set to another, in antes; less than 0 is a gain.

    Attributes
    ----------
    fields : dict of str to tuple
        The fields that differ, each with its two values.
    alone : dict of str to Fraction or None
        What each of them costs if it alone changes; None where the rules cannot be without another change.
    together : Fraction
        What all of them cost. It is the sum of the others only where no change bears on another.
    ev, other_ev : Fraction
        Expected net win of all stakes under optimal play, before and after.
    trips, bad_beat : Fraction
        The stakes in antes; rules that do not have a bet do not take it.
    rules, other : Rules
    """

    __slots__ = ()
    _fields = ("alone", "bad_beat", "ev", "other", "other_ev", "rules", "trips")
    alone: Any
    ev: Fraction
    other_ev: Fraction
    trips: Fraction
    bad_beat: Fraction
    rules: Rules
    other: Rules

    @property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        return self.rules.diff(self.other)

    @property
    def together(self) -> Fraction:
        return self.ev - self.other_ev

    def __hash__(self) -> int:
        return hash((self.rules, self.other, self.trips, self.bad_beat))

    def __repr__(self) -> str:
        alone = ", ".join(
            f"{name}={'?' if cost is None else f'{float(cost):+.9f}'}" for name, cost in self.alone.items()
        )
        return f"RuleCosts(together={float(self.together):+.9f}{', ' if alone else ''}{alone})"

    def _data(self) -> dict[str, Any]:
        mine, theirs = self.rules.to_dict(), self.other.to_dict()
        return {
            "fields": {name: [mine[name], theirs[name]] for name in self.fields},
            "alone": {name: None if cost is None else fraction_dict(cost) for name, cost in self.alone.items()},
            "together": fraction_dict(self.together),
            "ev": fraction_dict(self.ev),
            "other_ev": fraction_dict(self.other_ev),
            "stakes": {"trips": fraction_dict(self.trips), "bad_beat": fraction_dict(self.bad_beat)},
            "rules": mine,
            "other": theirs,
        }


def _reduced(rules: Rules, trips: Fraction, bad_beat: Fraction) -> _Game:
    """The game with the fields that bear on its value alone; a bet that the rules do not have is not made."""
    if rules.trips is None:
        trips = Fraction(0)
    if rules.bad_beat is None or (rules.bad_beat_needs_trips and not trips):
        bad_beat = Fraction(0)
    changes: dict[str, Any] = {name: getattr(STANDARD, name) for name in _ORDERS}
    changes["losing_order"] = None
    changes["bad_beat_needs_trips"] = False  # the stakes have been seen to
    if not trips:
        changes |= {"trips": None, "trips_on_fold": "hand", "trips_when_not_won": "pay"}
    if not bad_beat:
        changes["bad_beat"] = None
    return replace(rules, **changes), trips, bad_beat


def _evs(games: Iterable[_Game], threads: int | None, progress: _work.Progress | None) -> dict[_Game, Fraction]:
    """The value of each game, all stakes together; equal ones are solved once."""
    found: dict[_Game, Fraction] = {}
    solved: list[tuple[_Game, Solution]] = []
    distinct = list(dict.fromkeys(games))
    for i, (rules, trips, bad_beat) in enumerate(distinct):
        wider = next((game for one, game in solved if _is_enough(one, game, distinct[i])), None)
        if wider is not None:
            found[distinct[i]] = wider.ev
            continue
        told: Callable[[int, int], object] | None = None
        if progress is not None:

            def told(done: int, total: int, i: int = i) -> None:
                progress(i * total + done, len(distinct) * total)

        game = solve(rules, trips=trips, bad_beat=bad_beat, threads=threads, progress=told)
        solved.append((distinct[i], game))
        found[distinct[i]] = game.ev
    return found


def _is_enough(one: _Game, game: Solution, other: _Game) -> bool:
    """Whether a solved game is worth what another is that lacks some of its raises before the flop: it is if none of
    these is ever the best action."""
    (rules, *stakes), (narrower, *same) = one, other
    if stakes != same or not set(narrower.preflop) < set(rules.preflop):
        return False
    if replace(rules, preflop=narrower.preflop, preflop_between=narrower.preflop_between) != narrower:
        return False
    allowed = narrower.actions("preflop")
    return all(decision.best in allowed for decision in game.preflop.values())


def house_edges(
    rules: Iterable[Rules], *, threads: int | None = 1, progress: _work.Progress | None = None
) -> tuple[Fraction, ...]:
    """The house edge of each of several rule sets: what Ante, Blind and Play cost the player under optimal play.

    Parameters
    ----------
    rules : iterable of Rules
        Those whose games differ in side bets or in the order of settlement alone are solved once.
    threads : int or None, default 1
        None means one a core; the answer is the same.
    progress : callable, optional
        Called as progress(done, total) in the caller's thread; an exception from it ends the work.

    Returns
    -------
    tuple of Fraction
        Per ante.

    Raises
    ------
    RulesError
        A ValueError for amounts too large to be computed exactly.
    TypeError
        What is no Rules.

    Examples
    --------
    >>> one, other = house_edges([STANDARD, Rules.named("california")])
    >>> one == other, f"{float(one):.5%}"
    (True, '2.18497%')
    """
    if isinstance(rules, Rules) or not hasattr(rules, "__iter__"):
        raise TypeError(f"rules must be an iterable of Rules, not {type(rules).__name__}")
    given = tuple(rules)
    for each in given:
        _is_rules(each, "rules")
    games = [_reduced(each, Fraction(0), Fraction(0)) for each in given]
    evs = _evs(games, threads, progress)
    return tuple(-evs[game] for game in games)


def compare_rules(
    rules: Rules,
    other: Rules,
    *,
    trips: Exact | None = None,
    bad_beat: Exact | None = None,
    threads: int | None = 1,
    progress: _work.Progress | None = None,
) -> RuleCosts:
    """What each field in which two rule sets differ costs the player, exactly, alone and together.

    Parameters
    ----------
    rules, other : Rules
        From the first to the second.
    trips, bad_beat : int, Fraction, Decimal or str, optional
        Stakes in antes, which rules that do not have the bet do not take. Unless given, 1 where a field of that bet
        differs (Trips too where the rules take Bad Beat beside it alone), otherwise 0.
    threads : int or None, default 1
        None means one a core; the answer is the same.
    progress : callable, optional
        Called as progress(done, total) in the caller's thread; an exception from it ends the work.

    Returns
    -------
    RuleCosts

    Raises
    ------
    RulesError
        A ValueError for a stake that is negative, or amounts too large to be computed exactly.
    TypeError
        An argument of another type; floats are not exact.

    Examples
    --------
    >>> costs = compare_rules(STANDARD, Rules.named("pennsylvania-b"))
    >>> costs
    RuleCosts(together=+0.037278271, blind=+0.037278271)
    >>> compare_rules(STANDARD, Rules.named("california")).together
    Fraction(0, 1)
    """
    _is_rules(rules, "rules")
    _is_rules(other, "other")
    differ = rules.diff(other)
    stakes = []
    needs = rules.bad_beat_needs_trips or other.bad_beat_needs_trips
    of_bad_beat = any(name in differ for name in _OF_BAD_BEAT)
    of_trips = any(name in differ for name in _OF_TRIPS) or (of_bad_beat and needs)
    for name, value, concerned in (("trips", trips, of_trips), ("bad_beat", bad_beat, of_bad_beat)):
        amount = Fraction(int(concerned)) if value is None else as_fraction(value, name)
        if amount < 0:
            raise RulesError(f"{name}: {value} is negative")
        stakes.append(amount)
    alone: dict[str, _Game | None] = {}
    for name, (_, theirs) in differ.items():
        try:
            alone[name] = _reduced(replace(rules, **{name: theirs}), *stakes)
        except RulesError:
            alone[name] = None
    before, after = _reduced(rules, *stakes), _reduced(other, *stakes)
    evs = _evs([before, after, *(game for game in alone.values() if game is not None)], threads, progress)
    costs = {name: None if game is None else evs[before] - evs[game] for name, game in alone.items()}
    return RuleCosts._of(costs, stakes[1], evs[before], other, evs[after], rules, stakes[0])


def _is_rules(value: object, name: str) -> None:
    if not isinstance(value, Rules):
        raise TypeError(f"{name} must be Rules, not {type(value).__name__}")
