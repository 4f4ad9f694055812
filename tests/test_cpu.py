"""Which instructions the kernels use: what the processor has, and what the environment variable UTEH_CPU asks for.

That every path gives the same answers is tested beside what the kernels do.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import uteh

NAMES = ("portable", "avx2", "avx512", "neon")


def run(code: str, path: str | None) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if name != "UTEH_CPU"}
    if path is not None:
        environ["UTEH_CPU"] = path
    return subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, timeout=60)


@pytest.mark.smoke
def test_what_is_available():
    features = uteh.cpu_features()
    assert list(features) == ["path", "available"]
    assert features["path"] in features["available"]
    assert features["available"] in [list(NAMES[:1]), list(NAMES[:2]), list(NAMES[:3]), ["portable", "neon"]]
    # A copy: what a caller does with it changes nothing.
    features["available"].clear()
    assert uteh.cpu_features()["available"]


def test_the_operating_system_agrees():
    info = Path("/proc/cpuinfo")
    if platform.machine() != "x86_64" or not info.is_file():
        pytest.skip("not Linux on x86-64")
    flags = next(line for line in info.read_text().splitlines() if line.startswith("flags")).split()
    avx2 = {"avx2", "bmi1", "bmi2", "popcnt", "abm"} <= set(flags)
    avx512 = avx2 and {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi"} <= set(flags)
    assert uteh.cpu_features()["available"] == list(NAMES[: 1 + avx2 + avx512])


def test_the_best_path_is_used():
    code = "import uteh; features = uteh.cpu_features(); assert features['path'] == features['available'][-1]"
    for nothing in (None, ""):
        assert run(code, nothing).returncode == 0


@pytest.mark.parametrize("path", NAMES)
def test_forced_by_the_environment(path):
    available = uteh.cpu_features()["available"]
    done = run("import uteh; print(uteh.cpu_features()['path'], uteh.evaluate('As Ks Qs Js Ts'))", path)
    if path in available:
        assert done.stdout.split() == [path, "7462"]
    else:
        assert done.returncode == 1
        expected = f"UTEH_CPU is '{path}'; this build has on this machine: {', '.join(available)}"
        assert done.stderr.splitlines()[-1] == f"ValueError: the environment variable {expected}"


@pytest.mark.parametrize("name", ["AVX2", "sse9", " portable", "1"])
def test_an_unknown_name_is_refused(name):
    done = run("import uteh; uteh.evaluate('As Ks Qs Js Ts')", name)
    assert done.returncode == 1
    assert repr(name) in done.stderr
    assert done.stderr.splitlines()[-1].startswith("ValueError: the environment variable UTEH_CPU is ")
