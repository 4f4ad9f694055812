"""Builds the one compiled module, `uteh._eval`, from Cython and the C99 core; everything else is in pyproject.toml."""

import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []
else:
    # -g0 and -s: no debug information in wheels, whatever flags the Python of the build was configured with.
    # CPython's own flags have -fwrapv, which keeps loops over int indices from becoming vectors. Nothing overflows.
    compile_args = ["-O3", "-std=c99", "-g0", "-fvisibility=hidden", "-fno-wrapv"]
    link_args = [] if sys.platform == "darwin" else ["-Wl,-s"]

extension = Extension(
    "uteh._eval",
    sources=["src/uteh/_eval.pyx", *sorted(path.as_posix() for path in Path("src/uteh/_core").glob("*.c"))],
    depends=[*sorted(path.as_posix() for path in Path("src/uteh").glob("*/*.h"))],
    include_dirs=["src/uteh"],
    extra_compile_args=compile_args,
    extra_link_args=link_args,
)
setup(ext_modules=cythonize([extension], build_dir="build/cython"))
