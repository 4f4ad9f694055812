"""The instruction gate: how many instructions each kernel of the core takes, held to stored counts.

    python tools/count_instructions.py            compare; exit 1 if a kernel takes over 3% more than its stored count
    python tools/count_instructions.py --write    store the counts of this compiler and machine

Seconds vary from run to run; instructions do not. `count_instructions.c` runs a kernel on fixed input, valgrind's
callgrind counts what happens inside its function `measured`, and `instruction_counts.json` has one count a kernel for
each compiler, its version and its machine, with the flags below. A kernel that takes over 3% less asks for its new
count to be stored. For a compiler without counts they are printed, and the exit status is 77, as it is without valgrind
or a compiler. Counts change in a commit that says why.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "src" / "uteh" / "_core"
STORED = HERE / "instruction_counts.json"
COMPILER = "gcc"
FLAGS = ("-std=c99", "-O3", "-g0", "-fno-lto", "-static")
MARGIN = 0.03
SKIPPED = 77


def output(*command: object) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout.strip()


def compiler() -> str:
    return f"{COMPILER} {output(COMPILER, '-dumpfullversion')} {output(COMPILER, '-dumpmachine')}"


def count(program: Path, kernel: str, folder: Path) -> int | None:
    """Instructions of one kernel, or None where the processor lacks its path."""
    done = subprocess.run(
        [
            "valgrind",
            "--tool=callgrind",
            "--toggle-collect=measured",
            f"--callgrind-out-file={folder / 'out'}",
            str(program),
            kernel,
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode == SKIPPED:
        return None
    if done.returncode:
        sys.exit(f"{kernel}: {done.stderr}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def counts() -> dict[str, int | None]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "count"
        sources = [HERE / "count_instructions.c", *sorted(CORE.glob("*.c"))]
        output(COMPILER, *FLAGS, f"-I{CORE}", *sources, "-o", program)
        return {kernel: count(program, kernel, folder) for kernel in output(program).splitlines()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="store the counts")
    write = parser.parse_args().write
    if missing := [tool for tool in (COMPILER, "valgrind") if shutil.which(tool) is None]:
        print(f"SKIPPED: instructions: {', '.join(missing)}")
        return SKIPPED
    stored = json.loads(STORED.read_text(encoding="ascii")) if STORED.exists() else {}
    this = compiler()
    known = stored.get(this, {})
    print(this)
    found = counts()
    failed = False
    for kernel, number in found.items():
        before = known.get(kernel)
        if number is None:
            print(f"{kernel:24} SKIPPED: this processor lacks it")
            continue
        if before is None:
            word = "no count is stored"
        elif number > before * (1 + MARGIN):
            word, failed = f"FAILED: {number / before - 1:+.1%} over {before:,}", True
        elif number < before * (1 - MARGIN):
            word = f"better by {1 - number / before:.1%} than {before:,}: store it with --write"
        else:
            word = f"{number / before - 1:+.2%}"
        print(f"{kernel:24} {number:>12,}  {word}")
    if write:
        stored[this] = {kernel: number for kernel, number in found.items() if number is not None}
        STORED.write_text(json.dumps(dict(sorted(stored.items())), indent=1) + "\n", encoding="ascii")
        return 0
    if failed:
        return 1
    # A kernel without a count fails where the others have one: it was added without.
    if known and any(number is not None and kernel not in known for kernel, number in found.items()):
        print("FAILED: store the new kernel's count with --write")
        return 1
    if not known:
        print(f"SKIPPED: instructions: no counts for {this}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
