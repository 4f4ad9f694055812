"""What the benchmarks share: cases, random hands, and how a case is timed.

A bench file has a function `cases()`, which checks that all who are compared give the same answers and returns what is
to be timed, and one test that hands each case to pytest-benchmark. `run.py` times the cases of all files in one run.
"""

from __future__ import annotations

import importlib
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from math import ceil
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np

SEED = 20261201
ROUNDS = 7
RUN_SECONDS = 0.005
missing: list[str] = []  # packages that would be compared if they were installed


@dataclass(frozen=True)
class Case:
    """Something to time.

    Attributes
    ----------
    name : str
        Unique among all files.
    run : callable
        One run; it takes no arguments. What is short is put into a `batch`, and short runs are repeated.
    count : int
        How many things (hands, rows, calls) one run does.
    against : str
        The case that this one is set in relation to.
    less : str
        The case whose time is taken off before anything is reported.
    rounds : int
        Runs that are timed; the best counts.
    """

    name: str
    run: Callable[[], object]
    count: int = 1
    against: str = ""
    less: str = ""
    rounds: int = ROUNDS


def batch(function: Callable[..., object], arguments: Iterable[Sequence[Any]]) -> Callable[[], object]:
    """A run that calls function with each of the argument tuples, in a loop that costs some nanoseconds a turn."""
    calls = [tuple(one) for one in arguments]
    return lambda: deque(starmap(function, calls), maxlen=0)


def warm_up(case: Case) -> int:
    """Runs a case for the first time; returns how many runs in a row take at least five milliseconds, caches warm."""
    start = perf_counter()
    case.run()
    return max(1, ceil(RUN_SECONDS / (perf_counter() - start)))


def measure(cases: Sequence[Case]) -> dict[str, float]:
    """Seconds a thing by name of the case: the best of its rounds after a warm-up, all cases in turn in every round."""
    turns = {case.name: warm_up(case) for case in cases}
    best = {case.name: float("inf") for case in cases}
    for number in range(max(case.rounds for case in cases)):
        for case in cases:
            if number < case.rounds:
                start = perf_counter()
                for _ in range(turns[case.name]):
                    case.run()
                seconds = (perf_counter() - start) / turns[case.name]
                best[case.name] = min(best[case.name], seconds)
    return {case.name: (best[case.name] - (best[case.less] if case.less else 0)) / case.count for case in cases}


def time_with(benchmark: Any, case: Case) -> None:
    """The same case under pytest-benchmark, which reports seconds a run."""
    benchmark.extra_info["things a run"] = case.count
    benchmark.pedantic(case.run, rounds=case.rounds, iterations=warm_up(case))


def random_rows(n: int, width: int) -> np.ndarray:
    """n rows of different cards, uint8, the same every time."""
    rng = np.random.default_rng([SEED, width])
    hands = 52 // width  # from one deck
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (-(-n // hands), 1)), axis=1)
    return np.ascontiguousarray(decks[:, : hands * width].reshape(-1, width)[:n])


def optional(name: str) -> ModuleType | None:
    """A package to compare with, or None where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own affair
            return importlib.import_module(name)
    except ImportError:
        if name not in missing:
            missing.append(name)
        return None
