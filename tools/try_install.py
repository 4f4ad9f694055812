"""Builds the sdist and the wheel from it, installs the wheel where there is no compiler, and asks it for a decision.

    python tools/try_install.py

What a user without a compiler gets, in one command. It needs the `build` package, works in a temporary folder, and
leaves nothing behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ASK = "import uteh; print(uteh.decide('AsKd', '7h8h2c'))"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        dist, environment = Path(folder) / "dist", Path(folder) / "venv"
        # Without --wheel or --sdist, build makes the wheel out of the sdist, not out of this tree.
        subprocess.run([sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT)], check=True)
        (wheel,) = dist.glob("*.whl")
        venv.create(environment, with_pip=True, symlinks=os.name != "nt")
        python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
        # Nothing on the PATH, and a compiler that does not exist should anything look for one.
        alone = {**os.environ, "PATH": str(python.parent), "CC": "no-compiler"}
        install = [str(python), "-m", "pip", "install", "-q", "--only-binary", ":all:", str(wheel)]
        subprocess.run(install, check=True, env=alone)
        subprocess.run([str(python), "-c", ASK], check=True, env=alone, cwd=folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
