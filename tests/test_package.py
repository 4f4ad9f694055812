"""The package as it is installed: version, names, files, requirements, and what an import does and does not bring in.

No clock is read here: what an import costs is held down by the modules that it may load.
"""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

import uteh

ROOT = Path(__file__).resolve().parent.parent


def python(code: str, folder: Path, *options: str) -> str:
    """Standard output of a new interpreter that runs `code` in `folder`."""
    environ = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONOPTIMIZE")}
    done = subprocess.run(
        [sys.executable, *options, "-c", code], cwd=folder, env=environ, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def modules_after(statements: str, folder: Path) -> set[str]:
    """What `statements` import, over an interpreter that has just started."""
    code = f"import sys; before = set(sys.modules); {statements}; print(sorted(set(sys.modules) - before))"
    return set(ast.literal_eval(python(code, folder)))


def tool(name: str) -> Path:
    path = ROOT / "tools" / name
    if not path.is_file():
        pytest.skip(f"tools/{name} is not here; only a checkout or an sdist has it")
    return path


@pytest.mark.smoke
def test_version_is_the_same_everywhere():
    assert uteh.__version__ == importlib.metadata.version("uteh")
    project = ROOT / "pyproject.toml"
    if project.is_file():
        assert tomllib.loads(project.read_text())["project"]["version"] == uteh.__version__
    citation = ROOT / "CITATION.cff"
    if citation.is_file():
        assert re.search(r"^version: \"?([^\"\n]+)\"?$", citation.read_text(), re.M)[1] == uteh.__version__


@pytest.mark.smoke
@pytest.mark.parametrize("name", uteh.__all__)
def test_public_name_resolves(name):
    value = getattr(uteh, name)
    assert value is getattr(uteh, name)
    assert getattr(value, "__name__", name) == name


def test_public_names_are_listed_once():
    assert len(set(uteh.__all__)) == len(uteh.__all__)
    assert set(uteh.__all__) <= set(dir(uteh))
    assert set(uteh.__all__) == set(uteh._HOME)
    names: dict[str, object] = {}
    exec("from uteh import *", names)
    assert set(uteh.__all__) <= set(names)


def test_type_checkers_see_the_same_names():
    """The block that only type checkers read imports each name from the file that it is taken from."""
    seen = {}
    for node in ast.walk(ast.parse(Path(uteh.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            seen.update({alias.name: node.module for alias in node.names})
    assert seen == uteh._HOME


@pytest.mark.smoke
def test_unknown_name():
    with pytest.raises(AttributeError, match=r"^module 'uteh' has no attribute 'evaluate_all'$"):
        uteh.evaluate_all  # noqa: B018
    with pytest.raises(ImportError):
        exec("from uteh import evaluate_all")


@pytest.mark.smoke
def test_import_brings_nothing_in(tmp_path):
    assert modules_after("import uteh", tmp_path) == {"uteh"}


@pytest.mark.smoke
def test_one_hand_brings_in_the_compiled_module_alone(tmp_path):
    loaded = modules_after("import uteh; uteh.evaluate([0, 5, 10, 15, 20, 25, 30])", tmp_path)
    assert {name for name in loaded if name.partition(".")[0] == "uteh"} == {"uteh", "uteh._eval", "uteh.errors"}
    assert not loaded & {"numpy", "dataclasses", "enum", "fractions", "inspect", "re", "typing"}


@pytest.mark.smoke
def test_a_decision_needs_no_numpy(tmp_path):
    loaded = modules_after("import uteh; uteh.decide('AsKd', '7h8h2c')", tmp_path)
    assert "uteh._eval" in loaded
    assert not {name for name in loaded if name.partition(".")[0] in ("numpy", "click", "rich", "asyncio", "json")}


def test_arrays_bring_numpy_in(tmp_path):
    assert "numpy" in modules_after("import uteh; uteh.parse_many(['AsKd'])", tmp_path)


@pytest.mark.parametrize("option", ["-O", "-OO", "-I", "-B"])
def test_options_of_the_interpreter(option, tmp_path):
    code = "import uteh; print(uteh.evaluate('As Ks Qs Js Ts'), uteh.odds('AsKd', '7h8h2c4c9d').deals)"
    assert python(code, tmp_path, option).split() == ["7462", "990"]


def test_files_of_the_installed_package():
    """Exactly the files that tools/check_wheel.py names, and what the installer adds."""
    spec = importlib.util.spec_from_file_location("check_wheel", tool("check_wheel.py"))
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    files = {file.as_posix() for file in importlib.metadata.files("uteh")}
    if "uteh/__init__.py" not in files:
        pytest.skip("uteh is installed in editable mode: its files are the tree's")
    added = (
        r"(uteh-[^/]+\.dist-info/(INSTALLER|REQUESTED|direct_url\.json|uv_cache\.json))|.*\.pyc|\.\./.*/uteh(\.exe)?"
    )
    files = {file for file in files if not re.fullmatch(added, file)}
    check.names_of(files, "installed")
    for file in importlib.metadata.files("uteh"):
        if file.as_posix() in files:
            assert file.locate().is_file()


@pytest.mark.smoke
def test_numpy_is_the_only_requirement():
    required = [line for line in importlib.metadata.requires("uteh") if "extra ==" not in line]
    assert [re.match(r"[\w-]+", line)[0] for line in required] == ["numpy"]


def test_where_the_compiled_module_is_from():
    """The suite tests what was installed: both halves of the package come from one folder."""
    from uteh import _eval

    assert Path(_eval.__file__).parent == Path(uteh.__file__).parent
    assert (Path(uteh.__file__).parent / "py.typed").is_file()


def test_free_threading_is_declared(tmp_path):
    """A free-threaded interpreter keeps its GIL off when it imports uteh; any other has it on."""
    code = "import sys; from uteh import evaluate; print(getattr(sys, '_is_gil_enabled', lambda: True)())"
    off = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    assert python(code, tmp_path).strip() == str(not off)


def test_tables_regenerate():
    script = tool("make_tables.py")
    if not (ROOT / "src" / "uteh" / "_core" / "tables.c").is_file():
        pytest.skip("src/uteh/_core/tables.c is not here; only a checkout or an sdist has it")
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
