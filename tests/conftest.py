"""Settings of the whole suite: hypothesis without chance, clock or memory, so that a run is the same everywhere; and a
fixture of several files."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "uteh", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("uteh")


@pytest.fixture
def known_games(monkeypatch):
    """What the package solves on the way to something else is taken from the solutions that tests share."""
    import solutions

    for place in ("uteh.game.solve", "uteh.costs.solve"):
        monkeypatch.setattr(place, solutions.known)
