"""Gives every bench file its cases, one test each: `python -m pytest -n 0 benchmarks/bench_odds.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        cases = metafunc.module.cases()
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])
