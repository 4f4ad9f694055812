"""The command line, run as a process: what it prints, its JSON, its exit statuses and its one line of complaint.

The numbers are exact and were computed independently of the package. What the functions behind the commands do with
their arguments is left to their own tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from solutions import solved

import uteh

pytest.importorskip("click")
pytest.importorskip("rich")

# What could reach the output from the surroundings stays out; TERM as most terminals have it.
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONPATH")},
    "PYTHONIOENCODING": "utf-8",
    "TERM": "xterm-256color",
}


def run(*arguments: str, code: str | None = None, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *(["-m", "uteh"] if code is None else ["-c", code]), *arguments]
    settings = {"capture_output": True, "encoding": "utf-8", "env": ENVIRONMENT, "timeout": 120, **options}
    return subprocess.run(command, check=False, **settings)


def printed(*arguments: str, **options: Any) -> str:
    """The stdout of a command that has to succeed in silence."""
    done = run(*arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def refused(*arguments: str, **options: Any) -> str:
    """The line of a command that has to refuse: exit status 2, nothing on stdout, one line on stderr."""
    done = run(*arguments, **options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("uteh: ")
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr[6:-1]


# --------------------------------------------------------------------------------------------------------------- decide


@pytest.mark.smoke
def test_decide_prints_exact_values() -> None:
    lines = rows(printed("decide", "KdQh", "--board", "4s5h6d8c9d"))
    assert ["fold", "-2.000000000", "-2", "best"] in lines
    assert ["1x", "-2.172727273", "-239/110"] in lines
    assert ["margin", "0.172727273", "(19/110)"] in lines


def test_decide_repeats_the_question() -> None:
    out = printed("decide", "10H jc", "--board", "qs,2♥,3d", "--dead", "ASKS", "--dealer", "9c", "--trips", "1/2")
    assert out.splitlines()[0] == "Th Jc, board Qs 2h 3d, dealer 9c, dead As Ks; trips 1/2; rules: standard"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["As", "Kd", "--board", "7h8h2c"], "As Kd, board 7h 8h 2c"),
        (["--board", "7h8h2c", "As Kd"], "As Kd, board 7h 8h 2c"),
        (["As", "--board", "7h8h2c", "Kd"], "As Kd, board 7h 8h 2c"),
    ],
)
def test_hole_may_be_several_words(words: list[str], first: str) -> None:
    out = printed("decide", *words)
    assert out.splitlines()[0] == f"{first}; rules: standard"
    assert ["check", "-0.690940861", "-369719/535095", "best"] in rows(out)


@pytest.mark.parametrize(("text", "name"), [("aKS", "AKs"), ("1010", "TT"), ("qjO", "QJo")])
def test_starting_hands_are_repeated_in_their_one_form(text: str, name: str) -> None:
    assert printed("odds", text).splitlines()[0] == f"{name}; rules: standard"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {}),
        (["--rules", "simulated"], {"rules": uteh.Rules.named("simulated")}),
        (["--street", "preflop", "--later", "2s"], {"street": "preflop", "later": "2s"}),
        (["--trips", "0.1"], {"trips": Fraction(1, 10)}),
        (["--trips", "1/3", "--payout-cap", "7.5"], {"trips": Fraction(1, 3), "payout_cap": Fraction(15, 2)}),
        (
            ["--rules", "california-bad-beat", "--trips", "1", "--bad-beat", "2", "--dead", "Ac", "--dealer", "2h"],
            {"rules": uteh.Rules.named("california-bad-beat"), "trips": 1, "bad_beat": 2, "dead": "Ac", "dealer": "2h"},
        ),
    ],
)
def test_decide_json_is_the_result(options: list[str], expected: dict[str, Any]) -> None:
    out = printed("decide", "AsKd", "--board", "7h8h2c", "--json", *options)
    assert json.loads(out) == uteh.decide("AsKd", "7h8h2c", **expected).to_dict()
    assert out.startswith('{\n  "schema": "uteh/1",\n')


def test_decide_marks_only_the_first_of_equal_actions() -> None:
    # A royal flush on the board ties whatever is bet; a fold loses two antes.
    lines = rows(printed("decide", "2c3d", "--board", "AsKsQsJsTs"))
    assert [line for line in lines if line[-1:] == ["best"]] == [["1x", "+0.000000000", "0", "best"]]


# ----------------------------------------------------------------------------------------------------------------- odds


@pytest.mark.smoke
def test_odds_prints_exact_counts() -> None:
    out = printed("odds", "AhKd", "--board", "Qh7s2c")
    assert out.splitlines()[0] == "Ah Kd, board Qh 7s 2c; rules: standard"
    lines = rows(out)
    assert ["win", "589,782", "55.1100%", "242,910"] in lines
    assert ["tie", "11,477", "1.0724%", "3,834"] in lines
    assert ["lose", "468,931", "43.8175%", "0"] in lines
    assert ["all", "1,070,190", "100.0000%", "246,744"] in lines
    assert ["equity", "0.556462404", "(1191041/2140380)"] in lines
    hands = [line for line in lines if line[-1:] and line[-1].endswith("%") and len(line) > 4]
    assert [" ".join(line[:-4]) for line in hands] == ["straight", "three of a kind", "two pair", "pair", "high card"]
    sums = [sum(int(line[place].replace(",", "")) for line in hands) for place in (-4, -3, -2)]
    assert sums == [589782, 11477, 468931]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {}),
        (["--rules", "auckland", "--dealer", "Ac"], {"rules": uteh.Rules.named("auckland"), "dealer": "Ac"}),
        (["--dead", "Ac Ad", "--later", "2s"], {"dead": "Ac Ad", "later": "2s"}),
    ],
)
def test_odds_json_is_the_result(options: list[str], expected: dict[str, Any]) -> None:
    out = printed("odds", "AhKd", "--board", "Qh7s2c", "--json", *options)
    assert json.loads(out) == uteh.odds("AhKd", "Qh7s2c", **expected).to_dict()


# ----------------------------------------------------------------------------------------------------------------- eval


@pytest.mark.smoke
def test_eval_prints_the_hand_in_words() -> None:
    out = printed("eval", "kc", "Kd 9d", "Ks,9h", "2c2d")
    assert out.splitlines() == [
        "cards        Kc Kd 9d Ks 9h 2c 2d",
        f"strength     {uteh.evaluate('KcKd9dKs9h')} of 7462",
        "category     full house",
        "description  kings full of nines",
        "best five    Ks Kd Kc 9h 9d",
    ]


def test_eval_json() -> None:
    assert json.loads(printed("eval", "Ah2c3d4s5h", "--json")) == {
        "schema": "uteh/1",
        "version": uteh.__version__,
        "cards": "Ah 2c 3d 4s 5h",
        "strength": 5854,  # the lowest straight: 1277 + 2860 + 858 + 858 classes are lower
        "category": "straight",
        "description": "straight, five high",
        "best_five": "5h 4s 3d 2c Ah",
    }


# ---------------------------------------------------------------------------------------------------------------- rules


def test_rules_lists_every_preset_in_one_line_each() -> None:
    head, *lines = rows(printed("rules"))
    assert head[:2] == ["edge", "exact"]
    assert [line[0] for line in lines] == list(uteh.Rules.names())
    # Published, or exact and computed elsewhere: standard, half an ante as the least on the river.
    edges = {line[0]: (line[1], line[2]) for line in lines}
    assert edges["standard"] == edges["oxford-downs"] == ("2.18497%", "50643648973/2317817502000")
    assert edges["simulated"] == ("-1.43848%", "-22227553493/1545211668000")
    assert " ".join(lines[-2][3:]) == "4x is the only raise before the flop"


def test_rules_json() -> None:
    presets = json.loads(printed("rules", "--json"))
    assert [preset["name"] for preset in presets] == list(uteh.Rules.names())
    assert presets[0]["house_edge"] == {"fraction": "50643648973/2317817502000", "float": 0.021849713762753353}
    for preset in presets:
        assert preset["about"] == uteh.Rules.about(preset["name"])
        assert uteh.Rules.from_dict(preset["fields"]) == uteh.Rules.named(preset["name"])
        assert {"schema", "version"}.isdisjoint(preset["fields"])


@pytest.mark.parametrize("name", uteh.Rules.names())
def test_rules_show_marks_what_differs(name: str) -> None:
    out = printed("rules", "show", name)
    assert " ".join(uteh.Rules.about(name).split()) in " ".join(out.split())
    marked = [line[1] for line in rows(out) if line[:1] == ["*"] and line[1] != "differs"]
    assert marked == list(uteh.Rules.named(name).diff(uteh.STANDARD))
    for field in uteh.STANDARD.to_dict().keys() - {"schema", "version"}:
        assert sum(line[:1] == [field] or line[:2] == ["*", field] for line in rows(out)) == 1, field


def test_rules_diff_says_what_each_field_costs() -> None:
    costs = uteh.compare_rules(uteh.STANDARD, uteh.Rules.named("oxford-downs"))
    out = printed("rules", "diff", "standard", "oxford-downs")
    assert out.startswith("from standard to oxford-downs; trips 1\n")
    found = {line[0]: line[-1] for line in rows(out) if line}
    assert found["trips_on_fold"] == found["together"] == str(costs.together) != "0"
    as_json = printed("rules", "diff", "standard", "oxford-downs", "--json", "--trips", "1")
    assert json.loads(as_json) == costs.to_dict()
    out = printed("rules", "diff", "standard", "california-bad-beat", "--trips", "0", "--bad-beat", "0")
    assert ["bad_beat_needs_trips", "no", "yes", "not", "alone"] in rows(out)
    assert printed("rules", "diff", "standard", "trainer") == "standard and trainer are the same\n"
    assert "trips: -1 is negative" in refused("rules", "diff", "standard", "auckland", "--trips", "-1")
    assert "no rules are called 'nowhere'" in refused("rules", "diff", "standard", "nowhere")


def test_rules_show_writes_values_as_people_do() -> None:
    lines = rows(printed("rules", "show", "simulated"))
    assert ["*", "river_min", "1/2", "(standard:", "1)"] in lines
    assert ["*", "trips", "50/40/30/9/7/4/3", "(standard:", "50/40/30/8/7/4/3)"] in lines
    assert ["preflop", "3,", "4"] in lines
    assert ["bad_beat", "none"] in lines


def test_rules_show_json_is_the_rule_set() -> None:
    assert json.loads(printed("rules", "show", "trainer", "--json")) == uteh.Rules.named("trainer").to_dict()


def test_rules_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        'preflop = [4]\nriver_min = 0.1\nqualifier = "high_card"\n\n[trips]\nflush = 1.5\nstraight = "4/3"\n'
    )
    rules = uteh.Rules(preflop=(4,), river_min="1/10", qualifier=None, trips=uteh.PayTable(flush="3/2", straight="4/3"))
    assert json.loads(printed("rules", "show", str(file), "--json")) == rules.to_dict()
    arguments = ["decide", "AsKd", "--board", "7h8h2c4s5s", "--rules", "house.toml", "--trips", "1"]
    expected = uteh.decide("AsKd", "7h8h2c4s5s", rules=rules, trips=1)
    assert json.loads(printed(*arguments, "--json", cwd=tmp_path)) == expected.to_dict()
    out = printed(*arguments, cwd=tmp_path)
    assert out.splitlines()[0] == "As Kd, board 7h 8h 2c 4s 5s; trips 1; rules: house.toml"
    # A table that does not start at the royal flush names its hands.
    shown = rows(printed("rules", "show", "house.toml", cwd=tmp_path))
    assert ["*", "trips", "flush", "3/2,", "straight", "4/3", "(standard:", "50/40/30/8/7/4/3)"] in shown


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"preflopp = [4]", ["house.toml", "preflopp", 'did you mean "preflop"?']),
        (b"preflop = [5]", ["house.toml", "preflop"]),
        (b"preflop = 4", ["house.toml", "preflop"]),
        (b"river_min = nan", ["house.toml", "river_min"]),
        (b"[blind]\nflush = -1.5", ["house.toml", "blind", "flush"]),
        (b"preflop = [4]\nflop = 2]", ["house.toml", "line 2"]),
        (b"flop = [2]\nflop = [2]", ["house.toml", "overwrite"]),
        (b"x = " + b"[" * 100_000, ["house.toml"]),
        (b"# \xff", ["house.toml", "UTF-8"]),
        (b"# " + b"x" * (1 << 20), ["house.toml", "too large"]),
    ],
)
def test_a_bad_rule_file_is_named_with_its_field(tmp_path: Path, content: bytes, named: list[str]) -> None:
    (tmp_path / "house.toml").write_bytes(content)
    line = refused("odds", "AsKd", "--board", "7h8h2c", "--rules", "house.toml", cwd=tmp_path)
    for word in named:
        assert word in line


def test_a_missing_rule_file_is_named(tmp_path: Path) -> None:
    assert "none.toml: No such file" in refused("rules", "show", "none.toml", cwd=tmp_path)
    assert "sub/none: No such file" in refused("rules", "show", "sub/none", cwd=tmp_path)
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml: " in refused("decide", "AsKd", "--rules", "folder.toml", cwd=tmp_path)


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.smoke
def test_version_is_that_of_the_package() -> None:
    assert printed("--version") == f"uteh {uteh.__version__}\n" == f"uteh {metadata.version('uteh')}\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["decide", "1h"], ["hole: '1h' is not a card (character 1)"]),
        (["decide", "As"], ["hole", "1 card", "2"]),
        (["decide", "As Kd Qd"], ["hole", "3 cards"]),
        (["decide", ""], ["hole", "0 cards"]),
        (["decide", "AsKd", "--board", "As2c3d"], ["As", "in the hole", "on the board"]),
        (
            ["decide", "AsKd", "--dealer", "2c", "--dead", "3c,2C"],
            ["2c", "in the dealer's hand", "among the dead cards"],
        ),
        (["odds", "AsKd", "--later", "2c", "--dead", "2c"], ["2c", "among the later cards", "among the dead cards"]),
        (["odds", "AsAs"], ["As", "twice"]),
        (["odds", "AsKd", "--board", "7h 8h XX"], ["board", "'XX'", "character 7"]),
        (["odds", "AsKd", "--board", "2c3c4c5c6c7c"], ["board", "6 cards"]),
        (["odds", "AsKd", "--dealer", "2c3c4c"], ["dealer", "3 cards"]),
        (["odds", "AsKd", "--later", "2c3c4c"], ["later", "3 cards"]),
        (["odds", "AKs", "--board", "7h8h2c"], ["hole", "'AKs'", "board"]),
        (["odds", "A\x1bs\nKd"], ["hole", "\\x1b"]),
        (["decide", "AsKd", "--street", "showdown"], ["street", "'showdown'"]),
        (["decide", "AsKd", "--board", "7h8h2c", "--street", "river"], ["river", "five board cards"]),
        (["decide", "AsKd", "--trips", "x"], ["trips", "'x'"]),
        (["decide", "AsKd", "--trips", "1e5"], ["trips", "'1e5'"]),
        (["decide", "AsKd", "--trips", "1/0"], ["trips", "'1/0'"]),
        (["decide", "AsKd", "--trips", "-1"], ["trips", "-1"]),
        (["decide", "AsKd", "--bad-beat", "1"], ["bad_beat", "no Bad Beat table"]),
        (["decide", "AsKd", "--payout-cap", ""], ["payout_cap"]),
        (["decide", "AsKd", "--rules", "trianer"], ["rules", "'trianer'", 'did you mean "trainer"?']),
        (["decide", "AsKd", "--rules", ""], ["rules"]),
        (["rules", "show", "nowhere"], ["rules", "'nowhere'", "standard, california"]),
        (["eval", "AsKd"], ["5, 6 or 7 cards", "2"]),
        (["eval", "AsKdQhJcTs9s8s7s"], ["5, 6 or 7 cards", "8"]),
        (["eval", "AsKdQhJcAs"], ["As", "twice"]),
        (["eval", "AsKdQhJc1s"], ["'1s'"]),
        # Usage
        (["decide"], ["HOLE", "uteh decide --help"]),
        (["eval"], ["CARDS", "uteh eval --help"]),
        (["decide", "AsKd", "--bord", "7h8h2c"], ["--bord", "uteh decide --help"]),
        (["decide", "AsKd", "--board"], ["--board"]),
        (["nothing"], ["nothing", "uteh --help"]),
        (["--nothing"], ["--nothing"]),
        (["rules", "nothing"], ["nothing"]),
        (["rules", "show"], ["NAME"]),
        (["rules", "--json", "show", "standard"], ["--json", "show"]),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(arguments: list[str], named: list[str]) -> None:
    line = refused(*arguments)
    for word in named:
        assert word in line
    if "--json" not in arguments and "--help" not in line:
        assert refused(*arguments, "--json") == line


@pytest.mark.skipif(os.name != "posix", reason="arguments that are no text exist on POSIX")
def test_an_argument_that_is_no_text_is_refused() -> None:
    command = [sys.executable, "-m", "uteh", "odds", b"A\xffs"]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_the_commands(arguments: list[str]) -> None:
    out = printed(*arguments)
    assert {"decide", "odds", "eval", "rules"} <= {line[0] for line in rows(out) if line}


@pytest.mark.parametrize("command", [["decide"], ["odds"], ["eval"], ["rules"], ["rules", "show"]])
def test_every_command_has_help(command: list[str]) -> None:
    assert printed(*command, "--help").startswith(f"Usage: uteh {' '.join(command)} ")


# ----------------------------------------------------------------------------------------------------- the surroundings


@pytest.mark.parametrize("missing", ["click", "rich"])
@pytest.mark.parametrize("arguments", [["--version"], ["decide", "AsKd"], []])
def test_without_the_extra_one_line_names_it(missing: str, arguments: list[str]) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from uteh.__main__ import main; sys.exit(main())"
    assert refused(*arguments, code=code) == 'the command line needs the "cli" extra: pip install "uteh[cli]"'


def test_the_command_line_imports_neither_numpy_nor_the_parts_of_rich() -> None:
    code = "import sys, uteh.__main__, uteh.cli; print(*sorted(sys.modules))"
    names = printed(code=code).split()
    assert "click" in names
    assert not [name for name in names if name.split(".")[0] in ("numpy", "rich")]


@pytest.mark.parametrize("arguments", [["decide", "AsKd", "--board", "7h8h2c"], ["rules", "show", "trainer"]])
def test_commands_do_not_import_numpy(arguments: list[str]) -> None:
    code = "import sys, uteh.cli; s = uteh.cli.main(); print('numpy' in sys.modules); sys.exit(s)"
    assert printed(*arguments, code=code).splitlines()[-1] == "False"


SHOW = ("rules", "show", "trainer")  # prints much, and computes nothing


@pytest.mark.skipif(os.name != "posix", reason="a pipe whose reader is gone is EPIPE on POSIX")
@pytest.mark.parametrize("arguments", [[*SHOW], [*SHOW, "--json"], ["decide", "AKs", "--help"], ["--version"]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run(*arguments, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = run(*SHOW, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, "uteh: cannot write: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="starts a shell")
def test_closed_streams_are_no_error() -> None:
    done = run(code=f"import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'uteh', *{SHOW}])")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_simulate() -> None:
    out = printed("simulate", "20000", "--seed", "5", "--rules", "board-trips", "--trips", "1/2", "--threads", "2")
    rules = uteh.Rules.named("board-trips")
    game = solved(rules, trips=Fraction(1, 2))
    result = uteh.simulate(20_000, strategy=game, rng=5, rules=rules, trips="1/2")
    assert out.startswith("rules: board-trips; trips 1/2; seed 5; 20,000 rounds\n")
    lines = rows(out)
    assert ["mean", f"{float(result.mean):+.9f}"] in lines
    assert ["standard", "error", f"{result.std_error:.9f}"] in lines
    assert ["exact", "value", f"{float(game.ev):+.9f}"] in lines
    assert ["trips", f"{float(result.totals['trips']):+,.1f}", f"{float(result.by_bet['trips']):+.6f}"] in lines
    for net, count in result.histogram.items():
        assert [str(net), f"{count:,}", f"{100 * count / 20_000:.4f}%"] in lines
    data = json.loads(printed("simulate", "300", "--seed", "5", "--start", "700", "--json"))
    assert data == {
        **uteh.simulate(300, strategy=solved(), rng=5, start=700).to_dict(),
        "seed": "5",
        "exact": {"fraction": "-50643648973/2317817502000", "float": float(Fraction("-50643648973/2317817502000"))},
    }
    # Without a seed there is one all the same, and it is said.
    found = json.loads(printed("simulate", "10", "--json"))
    assert found["histogram"] == uteh.simulate(10, strategy=solved(), rng=int(found["seed"])).to_dict()["histogram"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["0"], "0 is not in the range x>=1"),
        (["many"], "'many' is not a valid integer"),
        (["5", "--seed", "-1"], "--seed"),
        (["5", "--trips", "x"], "trips: 'x' is not a number"),
        (["5", "--bad-beat", "1"], "bad_beat"),
        (["5", "--start", str(2**63)], "start + n must be at most"),
        (["5", "--rules", "nowhere"], "nowhere"),
    ],
)
def test_simulate_refuses(arguments: list[str], message: str) -> None:
    assert message in refused("simulate", *arguments)


SIMULATE_UNTIL = """
import sys, uteh, uteh.simulation, uteh.__main__
real = uteh.simulation.simulate
def simulate(n, **options):
    played = real(min(n, 1000), **options)
    if options.get("start"):
        raise uteh.Interrupted("interrupted", played)
    return played
uteh.simulate = simulate
import uteh.cli
uteh.cli.BAR_SECONDS = 0
sys.exit(uteh.__main__.main())
"""


def test_simulate_shows_what_was_played_before_ctrl_c() -> None:
    done = run("simulate", "5000", "--seed", "5", code=SIMULATE_UNTIL)
    assert (done.returncode, done.stderr) == (130, "uteh: interrupted\n")
    assert done.stdout.startswith("rules: standard; seed 5; 2,000 rounds\n")
    assert ["mean", f"{float(uteh.simulate(2_000, strategy=solved(), rng=5).mean):+.9f}"] in rows(done.stdout)


def test_simulate_has_a_live_line() -> None:
    out, status = on_terminal("simulate", "5000", "--seed", "5", code=SIMULATE_UNTIL, columns=120)
    assert status == 130
    first = uteh.simulate(1_000, strategy=solved(), rng=5)
    assert f"1,000 rounds: {float(first.mean):+.6f} +- {first.std_error:.6f}" in out
    assert out.rfind("\x1b[?25h") > out.rfind("\x1b[?25l")  # the cursor is back


@pytest.mark.skipif(os.name != "posix", reason="SIGINT as a terminal sends it")
def test_ctrl_c_during_the_work() -> None:
    # The work never ends by itself, and says that it runs before the signal is sent: the marker is its progress.
    code = """
import sys, uteh, uteh.game, uteh.__main__
real = uteh.game.solve
def solve(*arguments, **options):
    told = []
    def progress(done, total):
        if not told:
            told.append(print("at work", file=sys.stderr, flush=True))
    while True:
        real(*arguments, **{**options, "progress": progress})
uteh.solve = solve
sys.exit(uteh.__main__.main())
"""
    command = [sys.executable, "-c", code, "solve"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, env=ENVIRONMENT, **pipes) as process:
        assert process.stderr.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert (out, err) == ("", "uteh: interrupted\n")


def test_ctrl_c_while_modules_are_imported() -> None:
    code = """
import sys, builtins
real = builtins.__import__
def interrupted(name, *rest):
    if name == "click":
        raise KeyboardInterrupt
    return real(name, *rest)
builtins.__import__ = interrupted
from uteh.__main__ import main
sys.exit(main())
"""
    done = run("rules", code=code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "uteh: interrupted\n")


# ------------------------------------------------------------------------------------------------------------ terminals


def on_terminal(
    *arguments: str, code: str | None = None, columns: int = 80, environment: dict[str, str] | None = None
) -> tuple[str, int]:
    """What a command writes to a terminal, stdout and stderr together, and its exit status."""
    pty = pytest.importorskip("pty")
    fcntl = pytest.importorskip("fcntl")
    termios = pytest.importorskip("termios")
    import struct

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    command = [sys.executable, *(["-m", "uteh"] if code is None else ["-c", code]), *arguments]
    settings = {"stdin": theirs, "stdout": theirs, "stderr": theirs, "env": {**ENVIRONMENT, **(environment or {})}}
    with subprocess.Popen(command, **settings) as process:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 65536):
                written += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
        status = process.wait(timeout=120)
    return written.decode("utf-8").replace("\r\n", "\n"), status


def test_colours_only_on_a_terminal_that_may_have_them() -> None:
    arguments = ("decide", "AsKd", "--board", "7h8h2c")
    plain = printed(*arguments)
    assert "\x1b" not in plain
    assert "\x1b" not in printed(*arguments, env={**ENVIRONMENT, "FORCE_COLOR": "1"})
    coloured, status = on_terminal(*arguments)
    assert status == 0
    assert "\x1b[1m" in coloured
    bare, status = on_terminal(*arguments, environment={"NO_COLOR": "1"})
    assert status == 0
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


@pytest.mark.parametrize("columns", [10, 44, 60])
def test_a_narrow_terminal_loses_no_digit(columns: int) -> None:
    options = {"columns": columns, "environment": {"NO_COLOR": "1"}}
    out, status = on_terminal("decide", "AsKd", "--dead", "2c", "--trips", "1/7", **options)
    assert status == 0
    assert "…" not in out
    decision = uteh.decide("AsKd", dead="2c", trips="1/7")
    for value in decision.values.values():
        assert f"{value.numerator}/" in out
        assert str(value.denominator) in out
    out, status = on_terminal("odds", "AsKd", "--board", "7h8h2c", **options)
    assert status == 0
    assert "…" not in out
    assert "1,070,190" in out


BAR = """
import sys, uteh.cli, uteh.__main__
ticks = iter([0.0, *[{seconds}] * 1_000_000])  # the start, then every time the progress is told
uteh.cli.monotonic = lambda: next(ticks)
sys.exit(uteh.__main__.main())
"""


def test_a_bar_on_stderr_once_work_takes_two_seconds() -> None:
    arguments = ("solve", "--json")
    slow, status = on_terminal(*arguments, code=BAR.format(seconds=2.0))
    assert status == 0
    assert "solving" in slow
    quick, status = on_terminal(*arguments, code=BAR.format(seconds=1.9))
    assert status == 0
    assert json.loads(quick) == solved().to_dict()
    assert json.loads(printed(*arguments, code=BAR.format(seconds=2.0))) == json.loads(quick)  # stderr is a pipe here


def test_ctrl_c_under_a_bar_leaves_the_terminal_in_order() -> None:
    code = (
        BAR.replace(
            "sys.exit(",
            """
real = uteh.solve
def solve(*arguments, progress, **options):
    def told(done, total):
        progress(done, total)
        raise KeyboardInterrupt
    return real(*arguments, progress=told, **options)
uteh.solve = solve
sys.exit(""",
        )
    ).format(seconds=2.0)
    out, status = on_terminal("solve", code=code)
    assert status == 130
    assert "solving" in out
    assert out.endswith("uteh: interrupted\n")
    assert out.rfind("\x1b[?25h") > out.rfind("\x1b[?25l")  # the cursor is back


# --------------------------------------------------------------------------------------------------------------- tables

TABLE = """
dealer = "Ah Ad"
board = "Kd 8c 5h 3s 2d"
fund = 100
bank_fee = 1

[[seat]]
hole = "Qc 9c"
ante = 10
play = 40

[[seat]]
hole = "Ks 8d"
wagers = [{ante = 20, play = 80, fee = 1}, {ante = 5, play = 0, trips = 2}]
"""


def table_file(folder: Path, text: str = TABLE) -> str:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_table_prints_every_bet_as_a_dealer_calls_it(tmp_path: Path) -> None:
    text = printed("table", table_file(tmp_path))
    seats = [
        uteh.Seat("Qc 9c", uteh.Wager(10, 40)),
        uteh.Seat("Ks 8d", [uteh.Wager(20, 80, fee=1), uteh.Wager(5, 0, trips=2)]),
    ]
    settled = uteh.settle_table(seats, "Ah Ad", "Kd 8c 5h 3s 2d", fund=100, bank_fee=1)
    lines = text.splitlines()
    assert lines[:2] == [
        "rules: standard; fund 100, net",
        "player-dealer Ah Ad, board Kd 8c 5h 3s 2d: pair of aces, K 8 5, qualifies",
    ]
    assert tuple(lines[3 : 3 + len(settled.lines)]) == settled.lines
    assert [row[-1] for row in rows(text)[-4:]] == ["0", "1", "0", "1"]
    assert json.loads(printed("table", table_file(tmp_path), "--json")) == settled.to_dict()


def test_table_takes_rules_from_its_file_or_from_the_option(tmp_path: Path) -> None:
    gross = table_file(tmp_path, TABLE + '[rules]\nfund_reading = "gross"\n')
    assert json.loads(printed("table", gross, "--json"))["bank_net"] == 43
    assert "name its rules" not in refused("table", gross, "--rules", "standard")
    named = table_file(tmp_path, 'rules = "california"\n' + TABLE)
    assert json.loads(printed("table", named, "--json"))["rules"]["losing_order"][0] == "play"
    plain = table_file(tmp_path)
    assert json.loads(printed("table", plain, "--json", "--rules", "california"))["rules"]["losing_order"][0] == "play"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("play = 40", "play = 45"), "seat 1: play: 45 on an Ante of 10"),
        (("ante = 5, play = 0", "ante = 5, play = 7"), "seat 2, wager 2: play: 7 on an Ante of 5"),
        (("Ks 8d", "Ks Qc"), "Qc is given twice: in seat 1 and in seat 2"),
        (("Ks 8d", "Ks Xd"), "seat 2: hole: 'Xd' is not a card"),
        (("fund = 100", "fond = 100"), "'fond' is none of dealer, board, fund"),
        (('dealer = "Ah Ad"', ""), "dealer is missing"),
        (("ante = 10", "anti = 10"), "seat 1: 'anti' is none of ante, play, blind"),
        (("ante = 10", 'ante = 10\nstreet = "turn"'), "street must be"),
        (("fund = 100", "fund = -1"), "fund: -1 is negative"),
        (("fund = 100", "rules = 3"), "rules: a preset"),
        (("fund = 100", "rules = {preflop = 3}"), "rules: preflop"),
        (("[[seat]]", "[seat]"), ""),
    ],
)
def test_what_is_wrong_with_a_table_is_one_line(tmp_path: Path, change: tuple[str, str], named: str) -> None:
    path = table_file(tmp_path, TABLE.replace(*change, 1))
    assert f"table: {path}: {named}" in refused("table", path)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "nowhere.toml: No such file" in refused("table", str(tmp_path / "nowhere.toml"))


# ------------------------------------------------------------------------------------------------------------- banking


def test_bank_prints_what_banking_is_worth(known_games: None) -> None:
    out = printed("bank", "10", "20,5", "--fee", "1", "--bank-fee", "1/2", "--no-deviation")
    table = uteh.bank([10, uteh.Stakes(20, 5)], deviation=False)
    found = {" ".join(line[:-2]): line[-1] for line in rows(out) if len(line) > 3}
    assert out.startswith("rules: standard; exact\n")
    assert found["expected win"] == str(table.ev - Fraction(1, 2))
    assert found["break-even fee"] == str(table.ev)
    assert found["fees, of everybody"] == "5/2"
    assert [line[-1] for line in rows(out)[-2:]] == [str(ev - 1) for ev in table.seats]
    as_json = printed("bank", "10", "20,5", "--no-deviation", "--json")
    assert json.loads(as_json) == table.to_dict()


def test_bank_deals_rounds_where_the_fund_can_run_out(known_games: None) -> None:
    arguments = ("bank", "10", "--fund", "50", "--rounds", "2000", "--seed", "3")
    table = uteh.bank([10], fund=50, rounds=2000, rng=3)
    assert json.loads(printed(*arguments, "--json")) == table.to_dict()
    out = printed(*arguments)
    assert out.startswith("rules: standard; fund 50, net; 2,000 rounds\n")
    assert ["its", "standard", "error", f"{table.std_error:+.9f}"] in rows(out)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["10", "x"], "seat 2: ante: 'x' is not a number"),
        (["10", "0"], "seat 2: ante: 0 is no bet"),
        (["10,1,1"], "seat 1: bad_beat: a stake is given"),
        (["10,1,1,1"], "seat 1: '10,1,1,1' has more than"),
        (["10", "--fund", "-3"], "fund: -3 is negative"),
    ],
)
def test_what_is_wrong_with_a_bank_is_one_line(arguments: list[str], named: str) -> None:
    assert refused("bank", *arguments).startswith(named)
