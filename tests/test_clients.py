"""The C and Cython API: two clients are built outside the source tree, against the installed package alone, and run.

The lock file has every signature that a client may have been compiled with. It changes only with `UTEH_ABI` or a major
version.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
import reference

import uteh
from uteh import _eval

HERE = Path(__file__).resolve().parent
CLIENTS = HERE / "clients"
LOCK = HERE / "data" / "c_api.txt"
BUILD = """
import sys, uteh
from setuptools import Extension, setup
name, source = sys.argv.pop(1), sys.argv.pop(1)
setup(name=name, script_args=["-q", "build_ext", "--inplace"], packages=[], py_modules=[], ext_modules=[
    Extension(name, [source], include_dirs=[*sys.argv[1:], uteh.get_include()],
              extra_compile_args=["-O0"])])
"""


def build(folder: Path, source: str, text: str, *include: str) -> Path:
    """Compiles a client in a folder of its own; the path of the module."""
    for needed in ("setuptools", "Cython") if source.endswith(".pyx") else ("setuptools",):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    compiler = (sysconfig.get_config_var("CC") or "").split()
    if not compiler or shutil.which(compiler[0]) is None:
        pytest.skip("no C compiler")
    (folder / source).write_text(text, encoding="utf-8")
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CFLAGS")}
    done = subprocess.run(
        [sys.executable, "-c", BUILD, source.partition(".")[0], source, *include],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (module,) = [file for file in folder.iterdir() if file.suffix in (".so", ".pyd")]
    return module


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.name.partition(".")[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def simulator(tmp_path_factory):
    text = (CLIENTS / "simulator.pyx").read_text(encoding="utf-8")
    return load(build(tmp_path_factory.mktemp("cython"), "simulator.pyx", text))


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    return load(build(tmp_path_factory.mktemp("c"), "river.c", (CLIENTS / "river.c").read_text(encoding="utf-8")))


def test_the_cython_client_agrees_with_settlement(simulator):
    """Its rounds, dealt and paid with the API, and paid by the package: one sum, and every branch was taken."""
    n = 20_000
    cards, multiples = np.zeros((n, 9), dtype=np.uint8), np.zeros(n, dtype=np.uint8)
    total = simulator.simulate(cards, multiples, 20261129)
    assert np.unique(multiples).tolist() == [0, 1, 4]
    settled = uteh.settle_many(cards, ante=2, play=2 * multiples.astype(np.int64))
    assert total == settled.net.sum()
    assert set(settled.result.tolist()) == {-2, -1, 0, 1}
    # The deals are fair enough: each card comes 9 n / 52 times, five standard deviations of room for each of 52.
    seen = np.bincount(cards.ravel(), minlength=52)
    expected = 9 * n / 52
    assert abs(seen - expected).max() < 5.5 * (expected * 43 / 52) ** 0.5
    again, same = np.zeros_like(cards), np.zeros_like(multiples)
    assert simulator.simulate(again, same, 20261129) == total
    assert np.array_equal(again, cards)


def test_the_c_client_counts_what_odds_counts(river):
    rng = np.random.default_rng(31)
    for _ in range(50):
        cards = rng.permutation(52)[:7].tolist()
        odds = uteh.odds(cards[:2], cards[2:])
        assert river.count(bytes(cards)) == (odds.win, odds.tie, odds.lose)
    for bad in (b"", bytes(6), bytes(7), bytes([0, 1, 2, 3, 4, 5, 52])):
        with pytest.raises(ValueError, match="seven different card ids"):
            river.count(bad)


CHANGED = {
    "another ABI": ("#define UTEH_ABI 1", "#define UTEH_ABI 2"),
    "another size": ("} uteh_api;", "    void (*more)(void);\n} uteh_api;"),
}


@pytest.mark.parametrize("change", CHANGED)
def test_another_header_is_refused(tmp_path, change):
    header = Path(uteh.get_include(), "uteh.h").read_text(encoding="utf-8")
    before, after = CHANGED[change]
    assert header.count(before) == 1
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "uteh.h").write_text(header.replace(before, after), encoding="utf-8")
    text = (CLIENTS / "river.c").read_text(encoding="utf-8")
    module = build(tmp_path, "river.c", text, str(tmp_path / "include"))
    told = r"^uteh has C API 1 of \d+ bytes; this module was compiled with \d of \d+ bytes$"
    with pytest.raises(ImportError, match=told):
        load(module)


# The lock -------------------------------------------------------------------------------------------------------------


class Api(ctypes.Structure):
    """include/uteh.h's struct."""

    _fields_ = (
        ("abi", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("strength", ctypes.CFUNCTYPE(ctypes.c_uint16, ctypes.c_char_p, ctypes.c_int)),
        ("strength_rows", ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int, ctypes.c_void_p)),
        ("first_bad_row", ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int)),
        ("category", ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_uint16)),
    )


def capsule(value, name: bytes) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return get(value, name)


def capsule_name(value) -> str:
    get = ctypes.pythonapi.PyCapsule_GetName
    get.restype, get.argtypes = ctypes.c_char_p, (ctypes.py_object,)
    return get(value).decode()


def test_the_lock_of_signatures():
    """What Cython clients are checked against on import, and the members of the C struct in their order."""
    lines = [f"pxd {name}: {capsule_name(value)}" for name, value in sorted(_eval.__pyx_capi__.items())]
    header = Path(uteh.get_include(), "uteh.h").read_text(encoding="utf-8")
    struct = re.search(r"typedef struct \{\n(.*?)\n\} uteh_api;", header, re.S)[1]
    members = re.sub(r"/\*.*?\*/", "", struct, flags=re.S)
    lines += [f"h {' '.join(member.split())}" for member in members.split(";") if member.strip()]
    lines += re.findall(r"^#define (UTEH_ABI \d+)$", header, re.M)
    assert "\n".join(lines) + "\n" == LOCK.read_text(encoding="utf-8")


def test_the_pxd_declares_nothing_else():
    """A cdef extern line would give clients undefined symbols, a class or a memoryview would tie them to a layout."""
    text = (Path(_eval.__file__).parent / "_eval.pxd").read_text(encoding="utf-8")
    code = [line for line in text.splitlines() if line and not line.startswith(("#", "from libc.stdint cimport "))]
    assert all(re.fullmatch(r"cdef \w+ (\w+)\([\w ,*]*\) noexcept nogil", line) for line in code)
    assert {re.match(r"cdef \w+ (\w+)", line)[1] for line in code} == set(_eval.__pyx_capi__)


def test_the_functions_of_the_struct():
    """Called through ctypes, with every argument that is out of range, too: nothing is read or written then."""
    api = Api.from_address(capsule(_eval._C_API, b"uteh._eval._C_API"))
    assert (api.abi, api.size) == (1, ctypes.sizeof(Api))
    rows = np.random.default_rng(37).permuted(np.tile(np.arange(52, dtype=np.uint8), (500, 1)), axis=1)[:, :9]
    for k, rank in ((5, reference.rank_five), (6, reference.rank_six), (7, reference.rank_seven)):
        hands = np.ascontiguousarray(rows[:, :k])
        out = np.zeros(len(hands), dtype=np.uint16)
        api.strength_rows(hands.tobytes(), len(hands), k, out.ctypes.data)
        assert np.array_equal(out, rank(hands))
        assert [api.strength(hand.tobytes(), k) for hand in hands] == out.tolist()
        for n in (0, -1, -(2**62), -(2**63)):
            api.strength_rows(None, n, k, None)
    for k in (-1, 0, 4, 8, 2**31 - 1):
        api.strength_rows(None, 500, k, None)
        assert api.strength(None, k) == 0
    for k in range(1, 10):
        hands = np.ascontiguousarray(rows[:, :k])
        assert api.first_bad_row(hands.tobytes(), 500, k) == 500
        hands[123, k - 1] = hands[123, 0] if k > 1 else 52
        assert api.first_bad_row(hands.tobytes(), 500, k) == 123
        assert {api.first_bad_row(None, n, k) for n in (0, -1, -(2**62), -(2**63))} == {0}
    for k in (-1, 0, 10):
        assert api.first_bad_row(None, 500, k) == 0
    assert [api.category(s) for s in range(1, 7463)] == [int(uteh.category(s)) for s in range(1, 7463)]
    assert {api.category(s) for s in (0, 7463, 8191, 8192, 65535)} == {255}


def test_the_page_shows_what_is_tested():
    page = HERE.parent / "docs" / "c_api.md"
    if not page.is_file():
        pytest.skip("docs/c_api.md is not here")
    text = page.read_text(encoding="utf-8")
    for kind, name in (("cython", "simulator.pyx"), ("c", "river.c")):
        (shown,) = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)
        assert shown == (CLIENTS / name).read_text(encoding="utf-8")
