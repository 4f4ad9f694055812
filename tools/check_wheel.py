"""Checks what is shipped: a wheel's files, size, metadata and exported symbols, and that an sdist leaves nothing out.

    python tools/check_wheel.py dist/uteh-0.1.0-*.whl [--sdist dist/uteh-0.1.0.tar.gz] [--tree .]

`PACKAGE` and `DIST_INFO` are the whole contents of a wheel: a file not named here is a mistake until it is added
to the list. tests/test_package.py holds an installed uteh to the same lists. Symbols are looked at where `nm` and
`readelf` are, in Linux wheels. It prints what it found and exits 1 at the first thing that is wrong.
"""

from __future__ import annotations

import argparse
import email
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

# The files of the package, next to the one compiled module.
PACKAGE = {
    "uteh/__init__.pxd",
    "uteh/__init__.py",
    "uteh/__main__.py",
    "uteh/_arrays.py",
    "uteh/_eval.pxd",
    "uteh/_eval.pyi",
    "uteh/_work.py",
    "uteh/banking.py",
    "uteh/cards.py",
    "uteh/cli.py",
    "uteh/costs.py",
    "uteh/errors.py",
    "uteh/files.py",
    "uteh/game.py",
    "uteh/hands.py",
    "uteh/include/uteh.h",
    "uteh/many.py",
    "uteh/py.typed",
    "uteh/questions.py",
    "uteh/results.py",
    "uteh/rules.py",
    "uteh/settlement.py",
    "uteh/side_bets.py",
    "uteh/tables.py",
}
MODULE = re.compile(r"uteh/_eval\.[\w.-]+\.(so|pyd)")
DIST_INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}
# What others may leave beside them: auditwheel its list of parts (none here), cibuildwheel's tools nothing.
DIST_INFO_MAY = {"sboms/auditwheel.cdx.json"}
REQUIRES = ["numpy"]
EXTRAS = {"bench", "cli", "dev", "test"}
LARGEST = 1_000_000
# Files of the tree that an sdist does without: what only a checkout uses.
NOT_IN_SDIST = re.compile(r"\.|build/|dist/")


def fail(message: str) -> None:
    sys.exit(f"check_wheel: {message}")


def names_of(names: set[str], kind: str) -> None:
    """Compare the names of a wheel's files with the lists above."""
    modules = {name for name in names if MODULE.fullmatch(name)}
    if len(modules) != 1:
        fail(f"{kind}: one compiled module is expected, there are {sorted(modules)}")
    info = {name.split("/", 1)[1] for name in names if re.match(r"uteh-[^/]+\.dist-info/", name)}
    rest = {name for name in names if not re.match(r"uteh-[^/]+\.dist-info/", name)} - modules
    for what, found, expected, may in (
        ("package", rest, PACKAGE, set()),
        ("dist-info", info, DIST_INFO, DIST_INFO_MAY),
    ):
        if missing := expected - found:
            fail(f"{kind}: {what} lacks {sorted(missing)}")
        if more := found - expected - may:
            fail(f"{kind}: {what} has {sorted(more)}, which tools/check_wheel.py does not name")


def metadata_of(text: str) -> None:
    """Hold the metadata to what pyproject.toml means to say."""
    meta = email.message_from_string(text)
    required = [line for line in meta.get_all("Requires-Dist", []) if "extra ==" not in line]
    if [re.match(r"[\w.-]+", line)[0] for line in required] != REQUIRES:
        fail(f"metadata: required are {required}, expected {REQUIRES}")
    if set(meta.get_all("Provides-Extra", [])) != EXTRAS:
        fail(f"metadata: extras are {meta.get_all('Provides-Extra')}, expected {sorted(EXTRAS)}")
    expected = {"Name": "uteh", "License-Expression": "MIT", "Requires-Python": ">=3.11", "License-File": "LICENSE"}
    for key, value in expected.items():
        if meta[key] != value:
            fail(f"metadata: {key} is {meta[key]!r}, expected {value!r}")
    if not meta.get_payload().strip():
        fail("metadata: the README is missing")


def symbols_of(module: Path) -> None:
    """One exported symbol, no debug information, no table of local symbols."""
    dynamic = subprocess.run(["nm", "-D", "--defined-only", module], check=True, capture_output=True, text=True).stdout
    exported = [line.split()[-1] for line in dynamic.splitlines()]
    if exported != ["PyInit__eval"]:
        fail(f"{module.name} exports {exported}, expected PyInit__eval alone")
    sections = subprocess.run(["readelf", "-SW", module], check=True, capture_output=True, text=True).stdout
    if left := re.findall(r"\.(?:z?debug\w*|symtab)", sections):
        fail(f"{module.name} was not stripped: {left}")


def wheel(path: Path) -> None:
    size = path.stat().st_size
    if size > LARGEST:
        fail(f"{path.name} has {size} bytes, more than {LARGEST}")
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        names_of(names, path.name)
        version = path.name.split("-")[1]
        metadata_of(archive.read(f"uteh-{version}.dist-info/METADATA").decode())
        (name,) = (name for name in names if MODULE.fullmatch(name))
        with tempfile.TemporaryDirectory() as folder:
            module = Path(archive.extract(name, folder))
            if module.read_bytes()[:4] == b"\x7fELF":
                symbols_of(module)
    print(f"{path.name}: {len(names)} files, {size} bytes, requires {', '.join(REQUIRES)}")


def sdist(path: Path, tree: Path | None) -> None:
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    if made := sorted(name for name in names if re.search(r"\.(so|pyd|pyc|o)$|__pycache__|_eval\.c$", name)):
        fail(f"{path.name} holds what a build made: {made}")
    if tree is not None:
        files = {file.relative_to(tree).as_posix() for file in tree.rglob("*") if file.is_file()}
        if missing := sorted(name for name in files - names if not NOT_IN_SDIST.match(name)):
            fail(f"{path.name} lacks {missing}; MANIFEST.in names what an sdist holds")
    print(f"{path.name}: {len(names)} names, {path.stat().st_size} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description="Check a wheel, and an sdist.")
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument("--sdist", type=Path, help="look into this one, too")
    parser.add_argument("--tree", type=Path, help="a clean tree, every file of which the sdist should hold")
    args = parser.parse_args()
    for path in args.wheels:
        wheel(path)
    if args.sdist is not None:
        sdist(args.sdist, args.tree)


if __name__ == "__main__":
    main()
