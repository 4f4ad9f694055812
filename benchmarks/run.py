"""Times everything in one run and prints one table: `python benchmarks/run.py [--json]`.

All cases take turns; each figure is the best of seven runs after a warm-up (25 for starts of a process). The clock of
the processor is measured before and after with clock.c, because two machines, or one machine on two days, can only be
compared at one clock: the last column is the figure as it would be at 3.5 GHz, figure * GHz / 3.5. Install what is
compared with `python -m pip install ".[cli,bench]"`; what is not there is left out.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import bench_evaluator
import bench_game
import bench_import
import bench_odds
import bench_settlement
from common import Case, measure, missing

FILES = (bench_evaluator, bench_odds, bench_game, bench_settlement, bench_import)
PACKAGES = ("uteh", "numpy", "pkrbot", "eval7", "phevaluator", "holdem-hand-evaluator", "treys", "pokerfast")
CLOCK = Path(__file__).resolve().with_name("clock.c")
MARK = 3.5  # GHz
BUSY = 0.9  # below this share of the processor, clock.c had to wait


class Clock:
    """The clock of the processor in GHz, as clock.c reads it; None without a C compiler.

    On a busy machine it reads too little and the figures are too long, so the highest reading is the one to use.
    """

    def __init__(self, folder: str) -> None:
        self.program = Path(folder, "clock")
        self.shares: list[float] = []  # of the processor that each reading had
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is not None:
            subprocess.run([compiler, "-O2", str(CLOCK), "-o", str(self.program)], check=True)

    def read(self) -> float | None:
        if not self.program.exists():
            return None
        start, used = perf_counter(), children_seconds()
        reading = float(subprocess.run([str(self.program)], check=True, capture_output=True, text=True).stdout)
        self.shares.append((children_seconds() - used) / (perf_counter() - start))
        return reading


def children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()} ({platform.machine()})"


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def report(
    cases: list[Case], seconds: dict[str, float], clocks: list[float | None], shares: list[float]
) -> dict[str, object]:
    """Everything that was measured, JSON-ready."""
    ghz = max((clock for clock in clocks if clock is not None), default=None)
    figures = []
    for case in cases:
        each = seconds[case.name]
        figures.append(
            {
                "name": case.name,
                "seconds": each,
                "seconds_at_3.5_ghz": None if ghz is None else each * ghz / MARK,
                "ratio": each / seconds[case.against] if case.against else None,
                "against": case.against or None,
                "over": case.less or None,
            }
        )
    return {
        "machine": processor(),
        "system": platform.platform(),
        "versions": versions(),
        "missing": missing,
        "ghz": {"start": clocks[0], "end": clocks[-1], "used": ghz, "shares": shares},
        "figures": figures,
    }


def amount(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def rate(seconds: float) -> str:
    if seconds <= 0:
        return "-"
    return f"{1e-6 / seconds:,.3g} million" if seconds < 1e-5 else f"{1 / seconds:,.0f}"


def show(data: dict[str, object]) -> str:
    head = ("", "each", "a second", "ratio", f"each at {MARK} GHz")
    rows = [head]
    for figure in data["figures"]:
        name = figure["name"] + (" (over the bare interpreter)" if figure["over"] else "")
        ratio = "-" if figure["ratio"] is None else f"{figure['ratio']:.2f}"
        each = figure["seconds"]
        rows.append(
            (name, amount(each), "-" if figure["over"] else rate(each), ratio, amount(figure["seconds_at_3.5_ghz"]))
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = [
        f"{row[0]:{widths[0]}}  "
        + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]
    lines.insert(1, "-" * len(lines[0]))
    clock = data["ghz"]
    reading = (
        "no C compiler, so no clock" if clock["used"] is None else f"{clock['start']} GHz before, {clock['end']} after"
    )
    busy = any(share < BUSY for share in clock["shares"])
    notes = [
        f"{data['machine']}, {data['system']}",
        f"clock: {reading}",
        *(["THE MACHINE IS BUSY: clock.c had to wait for the processor, and so had all else"] if busy else []),
        ", ".join(f"{name} {version}" for name, version in data["versions"].items()),
        *([f"not installed: {', '.join(missing)}"] if missing else []),
        "ratio: to uteh.evaluate or evaluate_many with the same kind of cards; odds and decide on a flop: to ranking",
        "every dealer hand; odds_many and decide_many: to odds and decide; uteh settle: to settle_many",
    ]
    return "\n".join([*notes, "", *lines])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    as_json = parser.parse_args().json
    cases = [case for file in FILES for case in file.cases()]
    assert len({case.name for case in cases}) == len(cases)
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock(folder)
        clocks = [clock.read()]
        seconds = measure(cases)
        clocks.append(clock.read())
    data = report(cases, seconds, clocks, clock.shares)
    print(json.dumps(data, indent=2) if as_json else show(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
