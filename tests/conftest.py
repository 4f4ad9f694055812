"""Settings of the whole suite: hypothesis without chance, clock or memory, so that a run is the same everywhere."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "uteh", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("uteh")
