"""The texts: examples print what they show, docstrings are complete, versions and links agree, nothing is private.

An example in the README is a `python` block in doctest form, or a `console` block of `$ uteh ...` lines with their
output; the blocks of each kind follow on from each other. A `csv` block is a file that the command lines may read; its
name stands in the text before it. Files that are not there (a wheel is tested without some of them) are skipped.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import uteh

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff")
MODULES = sorted(
    {"uteh", *(f"uteh.{path.stem}" for path in Path(uteh.__file__).parent.glob("*.py") if path.stem != "__main__")}
)
SECTIONS = ("Parameters", "Returns", "Raises", "Examples")


def text_of(name: str) -> str:
    path = ROOT / name
    if not path.is_file():
        pytest.skip(f"{name} is not here")
    return path.read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)


def run_examples(test: doctest.DocTest) -> int:
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    failed, attempted = runner.run(test, out=report.append)
    assert not failed, "".join(report)
    return attempted


@pytest.fixture(autouse=True)
def same_numpy_repr():
    """What arrays and NumPy's numbers print as depends on the version and on settings; here it does not."""
    np = pytest.importorskip("numpy")
    with np.printoptions(legacy=False, linewidth=75, threshold=1000):
        yield


# ------------------------------------------------------------------------------------------------------------- examples


def test_python_examples_of_the_readme():
    examples = "\n".join(blocks(text_of("README.md"), "python"))
    assert run_examples(doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)) >= 20


def command_lines(text: str) -> list[tuple[str, str]]:
    """(command, output) of every `$` line in the console blocks."""
    return [
        (command, output)
        for block in blocks(text, "console")
        for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", block, re.M)
    ]


def files_of(text: str) -> dict[str, str]:
    """The files in `csv` blocks, by the last name in backticks before each."""
    found = {}
    for match in re.finditer(r"^```csv\n(.*?)^```$", text, re.M | re.S):
        names = re.findall(r"`([\w-]+\.csv)`", text[: match.start()])
        found[names[-1]] = match[1]
    return found


def test_command_lines_of_the_readme(tmp_path):
    pytest.importorskip("click")
    pytest.importorskip("rich")
    readme = text_of("README.md")
    for name, content in files_of(readme).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    environ = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR", "PYTHONPATH")
    }
    environ["PYTHONIOENCODING"] = "utf-8"
    lines = command_lines(readme)
    assert lines
    for command, output in lines:
        program, *arguments = shlex.split(command)
        assert program == "uteh"
        done = subprocess.run(
            [sys.executable, "-m", "uteh", *arguments],
            capture_output=True,
            encoding="utf-8",
            env=environ,
            cwd=tmp_path,
            timeout=120,
        )
        assert (done.stdout, done.stderr, done.returncode) == (output, "", 0), command


def test_commands_named_in_the_readme_exist():
    pytest.importorskip("click")
    pytest.importorskip("rich")
    from uteh import cli

    section = text_of("README.md").split("\n## Command line\n")[1].split("\n## ")[0]
    named = {word for line in section.splitlines() for word in re.findall(r"(?:^\$ |`)uteh (\w+)", line)}
    assert named
    assert named <= set(cli.commands.commands)


def test_the_two_commands_of_the_readme():
    lines = text_of("README.md").splitlines()
    assert 'python -m pip install ".[cli]" && uteh decide AsKd --board 7h8h2c' in lines
    assert 'python -m pip install ".[test]" && python -m pytest' in lines


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        run_examples(test)


def test_examples_of_the_compiled_module():
    """The docstring of a compiled function starts with its signature, and the finder passes it over."""
    from uteh import _eval

    tried = 0
    for name, value in vars(_eval).items():
        if callable(value) and ">>>" in (value.__doc__ or ""):
            names = {**vars(_eval), "uteh": uteh}
            parser = doctest.DocTestParser()
            tried += run_examples(parser.get_doctest(value.__doc__, names, f"_eval.{name}", None, 0))
    assert tried


# ----------------------------------------------------------------------------------------------------------- docstrings


def sections(value: object) -> list[str]:
    lines = inspect.cleandoc(value.__doc__ or "").splitlines()
    return [line for line, rule in pairwise(lines) if line and rule == "-" * len(line)]


def parameters(value: object) -> list[str]:
    """The names in the signature; compiled functions write theirs as the first line of the docstring."""
    try:
        return list(inspect.signature(value).parameters)
    except ValueError:
        signature = re.match(r"\w+\((.*)\)", (value.__doc__ or "").splitlines()[0])
        return [part.split("=")[0].split()[-1] for part in signature[1].split(",") if part]


FUNCTIONS = [name for name in uteh.__all__ if callable(getattr(uteh, name)) and name[0].islower()]


@pytest.mark.parametrize("name", uteh.__all__)
def test_public_names_have_a_docstring(name):
    value = getattr(uteh, name)
    doc = inspect.cleandoc(value.__doc__ or "")
    first = doc.splitlines()[1 if re.match(r"\w+\(", doc) else 0 :]
    summary = next(line for line in first if line)
    assert summary[0].isupper()
    assert len(summary) > 10


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_document_arguments_results_and_errors(name):
    function = getattr(uteh, name)
    found = sections(function)
    # What gives back nothing but text may say so in its first line.
    text = getattr(function, "__annotations__", {}).get("return") == "str"
    expected = [section for section in SECTIONS if section != "Returns" or section in found or not text]
    if not parameters(function):
        expected = [section for section in expected if section in found or section not in ("Parameters", "Raises")]
    assert [section for section in found if section in SECTIONS] == expected
    if not parameters(function):
        return
    described = inspect.cleandoc(function.__doc__).split("Parameters\n")[1].split("\n\n")[0]
    heads = {
        word
        for line in described.splitlines()[1:]
        if line[:1].strip()
        for word in re.findall(r"\w+", line.split(":")[0])
    }
    assert set(parameters(function)) <= heads


@pytest.mark.parametrize("name", [name for name in uteh.__all__ if isinstance(getattr(uteh, name), type)])
def test_classes_document_what_they_hold(name):
    value = getattr(uteh, name)
    if issubclass(value, BaseException):
        return
    assert {"Attributes", "Parameters", "Examples"} & set(sections(value))


# ---------------------------------------------------------------------------------------------------- texts as a whole


def test_the_changelog_starts_with_this_version():
    newest = re.search(r"^## (\S+)", text_of("CHANGELOG.md"), re.M)
    assert newest[1] == uteh.__version__


def test_the_citation_is_that_of_this_version():
    lines = [line.split(": ", 1) for line in text_of("CITATION.cff").splitlines() if re.match(r"[\w-]+: ", line)]
    fields = {key: value.strip('"') for key, value in lines}
    assert fields["version"] == uteh.__version__
    assert fields["cff-version"] == "1.2.0"
    assert {"message", "title", "license", "type"} <= set(fields)
    assert re.search(r"^authors:\n  - name: \S", text_of("CITATION.cff"), re.M)


def test_what_is_called_missing_is_missing():
    section = text_of("README.md").split("\n## What it does not do yet\n")[1].split("\n## ")[0]
    names = [
        name
        for line in section.splitlines()
        if line.startswith("- `")
        for name in re.findall(r"`(\w+)`", line.split(":")[0])
    ]
    assert names
    assert not set(names) & set(uteh.__all__)


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".md")])
def test_links_into_the_repository(name):
    text = text_of(name)
    if not (ROOT / "src").is_dir():
        pytest.skip("not a checkout or an sdist")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    anchors = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.M)}
    for link in links:
        path, _, anchor = link.partition("#")
        assert (ROOT / path).exists() if path else anchor in anchors, link
    # Paths in backticks are claims, too, where the folder is there: an sdist lacks those of the gate.
    for path in re.findall(r"`((?:src|tests|tools|benchmarks|docs|examples|\.github|\.ci)/[\w./-]*)`", text):
        assert (ROOT / path).exists() or not (ROOT / path.split("/")[0]).exists(), path


def test_every_source_file_has_its_line_in_the_orientation():
    text = text_of("CONTRIBUTING.md")
    source = ROOT / "src" / "uteh"
    if not source.is_dir():
        pytest.skip("not a checkout or an sdist")
    files = [*source.glob("*.py"), *source.glob("*.pyx"), *(source / "_core").glob("*.c")]
    missing = [path.name for path in files if not re.search(rf"[`/]{re.escape(path.name)}`", text)]
    assert not missing


def test_nothing_private_is_named():
    """The texts speak of the package alone: of no place where it was made, and of no one's tracker or conversation."""
    private = re.compile(r"/work/|/tmp/\w|\bshared/|\bsession \d|\bhelper agent|\bco-authored|\bassistant\b", re.I)
    tracker = re.compile(r"\bissues? #?\d", re.I)
    folders = ("src", "tools", "tests", "benchmarks", "docs", "examples", ".ci", ".github")
    kinds = {".py", ".pyx", ".pxd", ".pyi", ".c", ".h", ".md", ".toml", ".yml", ".txt", ".json", ".cff", ""}
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in folders:
        files += (path for path in (ROOT / folder).rglob("*") if path.is_file())
    found = []
    for path in files:
        if path.suffix not in kinds or "__pycache__" in path.parts or path == Path(__file__).resolve():
            continue
        if path.name == "tables.c":  # numbers, 650 kB of them
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        # The cases name where they were found: trackers of other projects.
        for pattern in (private,) if path.parent.name == "data" else (private, tracker):
            found += [f"{path.relative_to(ROOT)}: {match[0]!r}" for match in pattern.finditer(text)]
    assert not found
