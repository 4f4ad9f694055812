"""Solutions that tests share: in one process a game is solved once, however many tests ask about it."""

from functools import lru_cache

import uteh
from uteh import STANDARD, Rules, Solution

_NONE = {"trips": 0, "bad_beat": 0, "payout_cap": None}  # a cap of 0 is one
_solve = uteh.solve  # also where `known_games` of conftest.py replaces it


def solved(rules: Rules = STANDARD, **stakes) -> Solution:
    """What `solve` says, on all cores; what has been read of a solution is not computed again either."""
    made = {name: stake for name, stake in stakes.items() if stake != _NONE[name]}
    return _solved(rules, tuple(sorted(made.items())))


@lru_cache(maxsize=64)
def _solved(rules: Rules, stakes) -> Solution:
    return _solve(rules, threads=None, **dict(stakes))


def known(rules: Rules = STANDARD, *, threads=1, progress=None, payout_cap=None, **stakes) -> Solution:
    """In the place of `solve` within the package."""
    assert payout_cap is None
    return solved(rules, **stakes)
