"""What a new process pays for its first answer, over a bare interpreter: the shortest of 25 starts of each kind."""

from __future__ import annotations

import subprocess
import sys

from common import Case, time_with

BARE = "a bare interpreter"
STARTS = {
    BARE: "pass",
    "import uteh": "import uteh",
    "import uteh, then evaluate": "import uteh; uteh.evaluate([0, 5, 10, 15, 20, 25, 30])",
    "import uteh, then decide on a flop": "import uteh; uteh.decide('AsKd', '7h8h2c')",
}


def start(code: str) -> None:
    # -I: no folder of the surroundings on the path, nothing from the environment.
    subprocess.run([sys.executable, "-I", "-c", code], check=True)


def cases() -> list[Case]:
    return [
        Case(name, lambda code=code: start(code), less="" if name == BARE else BARE, rounds=25)
        for name, code in STARTS.items()
    ]


def test_speed(benchmark, case):
    time_with(benchmark, case)
