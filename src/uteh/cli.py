"""The command line: it reads arguments and rule files, asks the package, and shows the answer as tables or as JSON.

What a card, a rule or an amount may be is left to the functions that are called: text goes to them as it was typed,
and what they refuse becomes one line on stderr and exit status 2. A new command is one function under
`@commands.command()`; it prints with `_show` or `_show_json`. Only click is imported at the top: the parts of rich cost
more than most of the answers they show.
"""

from __future__ import annotations

import io
import os
import re
import sys
import textwrap
from contextlib import contextmanager
from time import monotonic

import click

import uteh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from fractions import Fraction
    from typing import Any, TypeVar

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.measure import Measurement
    from rich.table import Table

    from .game import Solution
    from .questions import Street
    from .rules import Action, Rules
    from .simulation import Simulation

    F = TypeVar("F", bound=Callable[..., object])

__all__ = ["commands", "main"]

BAR_SECONDS = 2.0  # work that takes longer shows a progress bar
_WIDE = 1000  # columns where stdout is no terminal: nothing is cut or wrapped for programs
_TOML_MOST = 1 << 20  # bytes; a rule set or a table has some hundreds, and /dev/zero has no end


# ----------------------------------------------------------------------------------------------------- start and finish


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the name of the program; without it, those of this process.

    Returns
    -------
    int
        0; 2 for bad input; 1 where the output cannot be written; 141, as shells report it of other programs, where the
        reader of a pipe has gone. With 1 and 2 there is one line on stderr.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C; `uteh.__main__` makes the last line of it.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # started with the stream closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):  # a file name, say, that the terminal's encoding does not have
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return 141
    except OSError as error:
        _drop_output()
        _complain(f"{error.filename}: {error.strerror}" if error.filename else f"cannot write: {error.strerror}")
        return 2 if error.filename else 1


def _run(arguments: Sequence[str]) -> int:
    # Not click's own main(): that writes usage blocks, and takes Ctrl-C and closed pipes for itself.
    try:
        with commands.make_context("uteh", list(arguments)) as context:
            commands.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        text = error.format_message().rstrip(".")
        path = error.ctx.command_path if error.ctx is not None else "uteh"
        _complain(f"{text[:1].lower()}{text[1:]}; see {path} --help")
        return 2
    except click.ClickException as error:
        _complain(error.format_message())
        return error.exit_code
    except (ValueError, TypeError) as error:  # what the package refuses; CardError and RulesError are ValueErrors
        _complain(str(error))
        return 2
    return 0


def _complain(text: str) -> None:
    """One line on stderr, whatever the text holds."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))
    print(f"uteh: {line}", file=sys.stderr)


def _drop_output() -> None:
    """Sends what is still buffered nowhere, so that Python does not try once more, and complain, when it ends."""
    target = os.open(os.devnull, os.O_WRONLY)
    os.dup2(target, sys.stdout.fileno())
    os.close(target)


# --------------------------------------------------------------------------------------------------------------- output


def _show(*parts: RenderableType) -> None:
    """Lines and tables on stdout: in the width and colours of a terminal, plain and uncut for everything else."""
    from rich.console import Console
    from rich.measure import Measurement

    terminal = sys.stdout.isatty()
    console = Console(
        force_terminal=terminal,
        color_system="auto" if terminal and not os.environ.get("NO_COLOR") else None,
        width=None if terminal else _WIDE,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if terminal:
        columns = console.width
        for part in parts:
            # Where not even the narrowest form fits, the terminal may break the lines: no digit is lost.
            least = Measurement.get(console, console.options.update(max_width=_WIDE), part).minimum
            console.width = max(columns, least)
            console.print(part)
        return
    with console.capture() as captured:
        console.print(*parts, sep="\n")
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _show_json(data: object) -> None:
    import json

    print(json.dumps(data, indent=2, ensure_ascii=False))


def _table(columns: Iterable[str], rows: Iterable[Sequence[object]], wrap: Sequence[str] = ()) -> Table:
    """A table for `_show`.

    Parameters
    ----------
    columns : iterable of str
        The heads; ">" before one makes it a column of numbers, which stand to the right.
    rows : iterable of sequence
        A mark, which is not shown but makes the row bold if it is true, then the cells. A Fraction is written exactly.
    wrap : sequence of str
        The columns that may be broken on a narrow terminal: text between words, a Fraction after its stroke.
    """
    from fractions import Fraction

    from rich import box
    from rich.table import Table

    rows = [tuple(row) for row in rows]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for place, column in enumerate(columns, 1):
        name = column.removeprefix(">")
        texts = [name, *(str(row[place]) for row in rows)]
        pieces = [piece for text in texts for piece in (_broken(text) if name in wrap else text).split("\n")]
        table.add_column(
            name,
            justify="left" if name == column else "right",
            no_wrap=name not in wrap,
            min_width=max(map(len, pieces)),  # else rich would cut to make things fit
        )
    for mark, *cells in rows:
        shown = [_Exact(cell) if isinstance(cell, Fraction) else str(cell) for cell in cells]
        table.add_row(*shown, style="bold" if mark else None)
    return table


def _broken(text: str) -> str:
    """A text where lines may end: between words and, in a fraction, after the stroke."""
    return re.sub(r"\s+|^(-?\d+/)(?=\d+$)", r"\1\n", text)


class _Exact:
    """A fraction in a cell: on one line where it fits, else broken after the stroke."""

    def __init__(self, value: Fraction) -> None:
        self.text = str(value)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        yield Text(self.text if len(self.text) <= options.max_width else _broken(self.text), justify="right")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement(max(map(len, _broken(self.text).split("\n"))), len(self.text))


def _decimal(value: Fraction, places: int = 9, sign: str = "+") -> str:
    from decimal import Decimal

    return f"{Decimal(value.numerator) / value.denominator:{sign}.{places}f}"


def _share(part: int, whole: int) -> str:
    from fractions import Fraction

    return _decimal(Fraction(100 * part, whole), 4, "") + "%"


@contextmanager
def _progress(label: str) -> Iterator[Callable[..., None] | None]:
    """What the package takes as progress=: a bar on stderr, if that is a terminal, from two seconds on to the end. A
    third argument is a new label."""
    if not sys.stderr.isatty():
        yield None
        return
    start = monotonic()
    shown: list[Callable[[int, int, str], object]] = []
    stop: list[Callable[[], object]] = []

    def progress(done: int, total: int, label: str = label) -> None:
        if not shown and done < total and monotonic() - start >= BAR_SECONDS:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            task = bar.add_task(label)
            shown.append(lambda done, total, label: bar.update(task, completed=done, total=total, description=label))
            stop.append(bar.stop)
            bar.start()
        for update in shown:
            update(done, total, label)

    try:
        yield progress
    finally:
        for end in stop:
            end()


# ---------------------------------------------------------------------------------------------------------------- input


def _rules(text: str) -> Rules:
    """What --rules names: a TOML file if the text ends in .toml or has a path separator in it, else a preset."""
    if not text.endswith(".toml") and not any(separator in text for separator in (os.sep, os.altsep) if separator):
        try:
            return uteh.Rules.named(text)
        except uteh.RulesError as error:
            raise _BadInput(f"rules: {str(error).removeprefix('name: ')}") from None

    try:
        return uteh.Rules.from_dict(_toml(text, "rules"))
    except (ValueError, TypeError) as error:  # RulesErrors are ValueErrors
        raise _BadInput(f"rules: {text}: {error}") from None


def _toml(name: str, place: str) -> dict[str, Any]:
    """What a TOML file says; `place` starts the message about one that will not do."""
    import tomllib
    from decimal import Decimal

    try:
        with open(name, "rb") as file:
            content = file.read(_TOML_MOST + 1)
        if len(content) > _TOML_MOST:
            raise ValueError(f"too large for a {place} file".replace("rules file", "rule file"))
        # Decimal: what stands in the file is exact, and so is what the package takes.
        return tomllib.loads(content.decode("utf-8"), parse_float=Decimal)
    except OSError as error:
        problem = error.strerror or str(error)
    except UnicodeDecodeError:
        problem = "not UTF-8 text, which TOML files are"
    except RecursionError:
        problem = "nested too deep"
    except ValueError as error:  # TOMLDecodeError is one
        problem = str(error)
    raise _BadInput(f"{place}: {name}: {problem}")


class _BadInput(click.ClickException):
    exit_code = 2


def _asked(hole: str, rules: str, *more: str, **places: str) -> str:
    """The question in one line, cards as the package writes them; it has been answered, so the cards are right."""
    try:
        parts = [uteh.format_cards(hole)]
    except uteh.CardError:  # the name of a starting hand
        name = hole.strip().upper().replace("10", "T")
        parts = [name[:2] + name[2:].lower()]
    for place, cards in places.items():
        if formatted := uteh.format_cards(cards):
            parts.append(f"{place} {formatted}")
    return "; ".join([", ".join(parts), *more, f"rules: {rules}"])


_rules_option = click.option(
    "--rules",
    default="standard",
    metavar="NAME|FILE.toml",
    help="A preset (see uteh rules) or a TOML file of rule fields.",
)
_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")


def _question(command: F) -> F:
    """The arguments that say what is known: `decide` and `odds` share them."""
    for decorate in (
        _json_option,
        _rules_option,
        click.option("--dead", default="", metavar="CARDS", help="Cards that are out of play."),
        click.option("--dealer", default="", metavar="CARDS", help="0 to 2 cards of the dealer."),
        click.option("--later", default="", metavar="CARDS", help="Turn or river cards known while the flop is not."),
        click.option("--board", default="", metavar="CARDS", help="0 to 5 cards in dealing order."),
        click.argument("hole", nargs=-1, required=True),
    ):
        command = decorate(command)
    return command


# ------------------------------------------------------------------------------------------------------------- commands


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog='Cards: AsKd, "As Kd", 10h or Unicode suits. Exit status: 0, 2 for bad input, 130 for Ctrl-C.',
)
@click.version_option(uteh.__version__, prog_name="uteh", message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Ultimate Texas Hold'em, exactly."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command()
@_question
@click.option("--street", metavar="STREET", help="preflop, flop or river; without it the board tells.")
@click.option("--trips", default="0", metavar="ANTES", help="The Trips bet, exactly: 1, 1/2 or 0.5.")
@click.option("--bad-beat", default="0", metavar="ANTES", help="The Bad Beat bet.")
@click.option("--payout-cap", metavar="ANTES", help="The most that a round pays.")
def decide(
    hole: tuple[str, ...],
    board: str,
    later: str,
    dealer: str,
    dead: str,
    rules: str,
    as_json: bool,
    street: Street | None,
    trips: str,
    bad_beat: str,
    payout_cap: str | None,
) -> None:
    """The exact value of every action, and the best one.

    HOLE is two cards or, where nothing else is known, a starting hand such as AKs. Values are the
    expected net win over all bets, in antes.
    """
    text = " ".join(hole)
    decision = uteh.decide(
        text,
        board,
        later=later,
        dealer=dealer,
        dead=dead,
        street=street,
        rules=_rules(rules),
        trips=trips,
        bad_beat=bad_beat,
        payout_cap=payout_cap,
    )
    if as_json:
        _show_json(decision.to_dict())
        return
    cap = [] if payout_cap is None else [f"payout cap {payout_cap.strip()}"]
    best, margin = decision.best, decision.margin
    _show(
        _asked(text, rules, *_side_bets(trips, bad_beat), *cap, board=board, later=later, dealer=dealer, dead=dead),
        "",
        _table(
            (decision.street, ">antes", ">exact", ""),
            [
                (action == best, action, _decimal(value), value, "best" if action == best else "")
                for action, value in decision.values.items()
            ],
            wrap=["exact"],
        ),
        "",
        f"margin {_decimal(margin, sign='')} ({margin})" if margin is not None else "margin: there is one action",
    )


@commands.command()
@_question
def odds(hole: tuple[str, ...], board: str, later: str, dealer: str, dead: str, rules: str, as_json: bool) -> None:
    """How often a hand wins, ties and loses against the dealer.

    HOLE is two cards or, where nothing else is known, a starting hand such as AKs. Every completion
    of the board and of the dealer's hand counts once.
    """
    text = " ".join(hole)
    answer = uteh.odds(text, board, later=later, dealer=dealer, dead=dead, rules=_rules(rules))
    if as_json:
        _show_json(answer.to_dict())
        return
    deals = answer.deals
    rows = (
        ("win", answer.win, answer.win_unqualified),
        ("tie", answer.tie, answer.tie_unqualified),
        ("lose", answer.lose, answer.lose_unqualified),
        ("all", deals, answer.win_unqualified + answer.tie_unqualified + answer.lose_unqualified),
    )
    _show(
        _asked(text, rules, board=board, later=later, dealer=dealer, dead=dead),
        "",
        _table(
            ("", ">deals", ">share", ">dealer does\nnot qualify"),
            [(False, name, f"{count:,}", _share(count, deals), f"{part:,}") for name, count, part in rows],
        ),
        "",
        f"equity {_decimal(answer.equity, sign='')} ({answer.equity})",
        "",
        _table(
            ("player's hand", ">win", ">tie", ">lose", ">share"),
            [
                (False, category, *(f"{count:,}" for count in counts), _share(sum(counts), deals))
                for category, counts in reversed(answer.by_category.items())
                if any(counts)
            ],
        ),
    )


@commands.command("eval")
@click.argument("cards", nargs=-1, required=True)
@_json_option
def evaluate(cards: tuple[str, ...], as_json: bool) -> None:
    """What 5, 6 or 7 cards are worth.

    Their strength from 1 to 7462, in words, and the five cards that play.
    """
    from .rules import SCHEMA

    ids = uteh.parse_cards(" ".join(cards))
    strength = uteh.evaluate(ids)
    data: dict[str, Any] = {
        "cards": uteh.format_cards(ids),
        "strength": strength,
        "category": uteh.category(strength).name.lower(),
        "description": uteh.describe(strength),
        "best_five": uteh.format_cards(uteh.best_five(ids)),
    }
    if as_json:
        _show_json({"schema": SCHEMA, "version": uteh.__version__, **data})
        return
    data["strength"] = f"{strength} of 7462"
    data["category"] = str(uteh.category(strength))
    width = max(map(len, data)) + 2
    _show(*(f"{name.replace('_', ' '):{width}}{value}" for name, value in data.items()))


@commands.command()
@click.argument("file")
@click.option("-o", "--output", metavar="FILE", help="Where the settled rounds go, instead of stdout.")
@click.option(
    "--skip-bad", metavar="FILE", help="Where bad rows go, with line and reason; without it they stop the work."
)
@_rules_option
@click.option("--unit", default="1", metavar="AMOUNT", help="The chip: amounts and winnings are multiples of it.")
@click.option("--explain", is_flag=True, help="Add a column with a sentence for each bet.")
def settle(file: str, output: str | None, skip_bad: str | None, rules: str, unit: str, explain: bool) -> None:
    """Settle the rounds of a CSV file.

    FILE has the columns hole, dealer, board, ante, play and may have blind, trips, bad_beat, street;
    - is stdin. Its rows come out with the result, both hands and the net win of every bet, all of
    them or none: nothing is written before the last row has been settled. With the columns table and
    seat, and where wanted fund, fee, bank_fee, the rows of a table are settled against one fund.
    """
    from .files import settle_file

    bar = _progress("settling")
    counts = settle_file(file, output, skip_bad, rules=_rules(rules), unit=unit, explain=explain, bar=bar)
    if counts.skipped:
        _complain(f"{counts.skipped:,} of {sum(counts):,} rows are bad and went to {skip_bad}")


@commands.command()
@click.argument("file", metavar="FILE.toml")
@click.option("--rules", metavar="NAME|FILE.toml", help="A preset or a file, if FILE.toml names no rules of its own.")
@_json_option
def table(file: str, rules: str | None, as_json: bool) -> None:
    """Settle one table with a player-dealer, bet by bet.

    FILE.toml has dealer and board; fund, bank_fee and rules where they are wanted; and for each seat,
    from the player-dealer's left, a [[seat]] with hole, ante, play and, where wanted, trips, bad_beat,
    fee, street. Several wagers on one hand are a list: wagers = [{ante = 10, play = 40}, ...].
    """
    asked, named = _table_file(file, rules)
    try:
        settled = uteh.settle_table(**asked)
    except (ValueError, TypeError) as error:
        raise _BadInput(f"table: {file}: {_counted_from_one(str(error))}") from None
    if as_json:
        _show_json(settled.to_dict())
        return
    from .settlement import _number

    *spoken, bank = settled.lines
    first = settled.seats[0][0]
    fund = "" if settled.fund is None else f"; fund {_number(settled.fund)}, {settled.rules.fund_reading}"
    _show(
        f"rules: {named}{fund}",
        f"player-dealer {uteh.format_cards(asked['dealer'])}, board {uteh.format_cards(asked['board'])}: "
        f"{uteh.describe(first.dealer_strength)}, {'qualifies' if first.qualifies else 'does not qualify'}",
        "",
        *spoken,
        bank,
        "",
        _table(
            ("seat", "hand", "result", ">net", ">returned", ">not covered", ">fee"),
            [
                *(
                    (
                        False,
                        f"{s}" if len(wagers) == 1 else f"{s}, wager {w}",
                        uteh.describe(wager.player_strength),
                        wager.result,
                        *map(_number, (wager.net, wager.returned, wager.uncovered, wager.fee)),
                    )
                    for s, wagers in enumerate(settled.seats, 1)
                    for w, wager in enumerate(wagers, 1)
                ),
                (
                    True,
                    "bank",
                    uteh.describe(first.dealer_strength),
                    "",
                    _number(settled.bank_net),
                    "",
                    "",
                    _number(settled.bank_fee),
                ),
            ],
        ),
    )


def _table_file(name: str, rules: str | None) -> tuple[dict[str, Any], str]:
    """The arguments of `settle_table` from a file, and what its rules are called."""
    data = _toml(name, "table")

    def refuse(problem: str) -> _BadInput:
        return _BadInput(f"table: {name}: {problem}")

    known = ("dealer", "board", "fund", "bank_fee", "rules", "seat")
    for key in data:
        if key not in known:
            raise refuse(f"{key[:40]!r} is none of {', '.join(known)}")
    for key in ("dealer", "board", "seat"):
        if key not in data:
            raise refuse(f"{key} is missing")
    if not isinstance(data["seat"], list) or not all(isinstance(seat, dict) for seat in data["seat"]):
        raise refuse("seat: each seat is a [[seat]]")
    asked: dict[str, Any] = {key: data[key] for key in ("dealer", "board", "fund", "bank_fee") if key in data}
    asked["street"] = [seat.pop("street", None) for seat in data["seat"]]
    asked["seats"] = [
        seat
        if "wagers" in seat
        else {
            **{key: value for key, value in seat.items() if key == "hole"},
            "wagers": {key: value for key, value in seat.items() if key != "hole"},
        }
        for seat in data["seat"]
    ]
    of_file = data.get("rules")
    if of_file is not None and rules is not None:
        raise refuse("rules: the file names its rules, and so does --rules")
    if isinstance(of_file, dict):
        try:
            return {**asked, "rules": uteh.Rules.from_dict(of_file)}, "of the file"
        except (ValueError, TypeError) as error:
            raise refuse(f"rules: {error}") from None
    if of_file is not None and not isinstance(of_file, str):
        raise refuse("rules: a preset, the name of a rule file, or a table of rule fields")
    called = of_file or rules or "standard"
    return {**asked, "rules": _rules(called)}, called


def _counted_from_one(message: str) -> str:
    """A message of `settle_table`, with seats and wagers counted as people do."""
    message = re.sub(r"in seats\[(\d+)\]\.hole", lambda place: f"in seat {int(place[1]) + 1}", message)
    message = re.sub(r"seats\[(\d+)\]", lambda place: f"seat {int(place[1]) + 1}", message)
    message = re.sub(r"\.wagers\[(\d+)\]", lambda place: f", wager {int(place[1]) + 1}", message)
    return re.sub(r"(seat \d+)\.(hole|wagers)", r"\1: \2", message)


@commands.command()
@click.argument("seats", nargs=-1, required=True, metavar="ANTE[,TRIPS[,BAD BEAT]]...")
@click.option("--fund", metavar="AMOUNT", help="The most that the player-dealer can win and lose in a round.")
@click.option("--fee", default="0", metavar="AMOUNT", help="What the house takes from each seat.")
@click.option("--bank-fee", default="0", metavar="AMOUNT", help="What it takes from the player-dealer.")
@_rules_option
@click.option("--no-deviation", is_flag=True, help="Leave out the exact deviation, minutes of one core.")
@click.option(
    "--rounds", type=click.IntRange(min=2), default=1_000_000, metavar="N", help="To deal if the fund can run out."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Where those rounds start; another answer each time without.",
)
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Threads; without it, one a core.")
@_json_option
def bank(
    seats: tuple[str, ...],
    fund: str | None,
    fee: str,
    bank_fee: str,
    rules: str,
    no_deviation: bool,
    rounds: int,
    seed: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """What banking a round is worth against seats that play optimally.

    Each seat is its Ante and, after commas, its Trips and Bad Beat. The answer is exact unless the
    fund can run out, in which case rounds are dealt at random.
    """
    stakes = []
    for number, seat in enumerate(seats, 1):
        parts = seat.split(",")
        if len(parts) > 3:
            raise _BadInput(f"seat {number}: {seat!r} has more than an Ante, Trips and Bad Beat")
        names = ("ante", "trips", "bad_beat")
        stakes.append({**dict(zip(names, parts, strict=False)), "fee": fee})
    with _progress("banking") as progress:
        try:
            table = uteh.bank(
                stakes,
                fund=fund,
                bank_fee=bank_fee,
                rules=_rules(rules),
                deviation=not no_deviation,
                rounds=rounds,
                rng=seed,
                threads=threads,
                progress=progress,
            )
        except (ValueError, TypeError) as error:
            place = re.sub(r"^seats\[(\d+)\]\.?", lambda place: f"seat {int(place[1]) + 1}: ", str(error))
            raise _BadInput(place) from None
    if as_json:
        _show_json(table.to_dict())
        return

    def row(name: str, value: Any) -> tuple[object, ...]:
        return (False, name, f"{float(value):+.9f}", "" if isinstance(value, float) else value)

    limit = "" if table.fund is None else f"; fund {table.fund}, {table.rules.fund_reading}"
    _show(
        f"rules: {rules}{limit}; {'exact' if table.exact else f'{table.rounds:,} rounds'}",
        "",
        _table(
            ("banking, a round", ">", ">exact"),
            [
                row("expected win", table.ev),
                *([] if table.exact else [row("its standard error", table.std_error)]),
                *([] if table.std_dev is None else [row("standard deviation", table.std_dev)]),
                row("break-even fee", table.break_even_fee),
                row("fees, of everybody", table.fees),
            ],
            wrap=["exact"],
        ),
        "",
        _table(
            ("seat", ">ante", ">trips", ">bad beat", ">fee", ">expected win", ">exact"),
            [
                (False, number, each.ante, each.trips, each.bad_beat, each.fee, f"{float(ev):+.9f}", ev)
                for number, (each, ev) in enumerate(zip(table.stakes, table.seats, strict=True), 1)
            ],
            wrap=["exact"],
        ),
        *([] if table.exact else ["", "the seats' expected wins are those without a limit"]),
    )


@commands.command()
@_rules_option
@click.option("--trips", default="0", metavar="ANTES", help="The Trips bet, exactly: 1, 1/2 or 0.5.")
@click.option("--bad-beat", default="0", metavar="ANTES", help="The Bad Beat bet.")
@click.option("--payout-cap", metavar="ANTES", help="The most that a round pays.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Threads; without it, one a core.")
@_json_option
def solve(rules: str, trips: str, bad_beat: str, payout_cap: str | None, threads: int | None, as_json: bool) -> None:
    """The value of the whole game, and what optimal play looks like.

    Values are in antes. The house edge is of the Ante, Blind and Play per ante; the element of risk
    is of all stakes per unit bet. The starting hands that are bet or folded at once are listed.
    """
    with _progress("solving") as progress:
        game = uteh.solve(
            _rules(rules),
            trips=trips,
            bad_beat=bad_beat,
            payout_cap=payout_cap,
            threads=threads,
            progress=progress,
        )
    if as_json:
        _show_json(game.to_dict())
        return
    cap = [] if payout_cap is None else [f"payout cap {payout_cap.strip()}"]
    first = sorted({decision.best for decision in game.preflop.values()} - {uteh.Action.CHECK}, reverse=True)
    _show(
        "; ".join([f"rules: {rules}", *_side_bets(trips, bad_beat), *cap]),
        "",
        _table(
            ("whole game", ">", ">exact"),
            [
                (True, "expected value, antes", _decimal(game.ev), game.ev),
                (False, "house edge, of an ante", _percent(game.house_edge), game.house_edge),
                (False, "element of risk", _percent(game.element_of_risk), game.element_of_risk),
                (False, "average bet, antes", _decimal(game.average_bet, sign=""), game.average_bet),
                (False, "standard deviation, antes", f"{game.std_dev:.9f}", ""),
            ],
            wrap=["exact"],
        ),
        "",
        _table(
            ("bet", ">antes", ">exact"),
            [(False, bet.replace("_", " "), _decimal(value), value) for bet, value in game.by_bet.items() if value],
            wrap=["exact"],
        ),
        "",
        _table(
            ("final action", ">share", ">exact"),
            [(False, action, _percent(share, 4), share) for action, share in game.frequencies.items()],
            wrap=["exact"],
        ),
        *(part for action in first for part in ("", *_starting_hands(game, action))),
    )


@commands.command()
@click.argument("rounds", type=click.IntRange(min=1), default=10_000_000)
@_rules_option
@click.option("--trips", default="0", metavar="ANTES", help="The Trips bet, exactly: 1, 1/2 or 0.5.")
@click.option("--bad-beat", default="0", metavar="ANTES", help="The Bad Beat bet.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Which rounds; without it, new ones.")
@click.option("--start", type=click.IntRange(min=0), default=0, metavar="N", help="The number of the first round.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Threads; without it, one a core.")
@_json_option
def simulate(
    rounds: int,
    rules: str,
    trips: str,
    bad_beat: str,
    seed: int | None,
    start: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Play random rounds by the optimal strategy, and compare with the exact value.

    ROUNDS is ten million unless given. The same seed plays the same rounds everywhere; the seed of
    a run without one is printed. After Ctrl-C the rounds that were finished are shown.
    """
    if seed is None:
        import secrets

        seed = secrets.randbits(64)
    with _progress("solving") as progress:
        game = uteh.solve(_rules(rules), trips=trips, bad_beat=bad_beat, threads=threads, progress=progress)
    result = uteh.simulate(0, strategy=game, rules=game.rules, trips=trips, bad_beat=bad_beat)
    interrupted: KeyboardInterrupt | None = None
    with _progress("simulating") as live:
        size = rounds if live is None else 1 << 18
        try:
            while result.rounds < rounds:
                begin = monotonic()
                result += uteh.simulate(
                    min(size, rounds - result.rounds),
                    strategy=game,
                    rules=game.rules,
                    trips=trips,
                    bad_beat=bad_beat,
                    rng=seed,
                    start=start + result.rounds,
                    threads=threads,
                )
                size = 2 * size if monotonic() - begin < 0.1 else size
                if live is not None:
                    live(result.rounds, rounds, f"{result.rounds:,} rounds: {_estimate(result)}")
        except uteh.Interrupted as error:
            interrupted = error
            result += error.result
        except KeyboardInterrupt as error:
            interrupted = error
    if as_json:
        from .rules import fraction_dict

        _show_json({**result.to_dict(), "seed": str(seed), "exact": fraction_dict(game.ev)})
    elif result.rounds:
        _show_simulation(result, game, [f"rules: {rules}", *_side_bets(trips, bad_beat), f"seed {seed}"], start)
    if interrupted is not None:
        raise interrupted


def _estimate(result: Simulation) -> str:
    return f"{_decimal(result.mean, 6)} +- {result.std_error:.6f}"


def _show_simulation(result: Simulation, game: Solution, asked: list[str], start: int) -> None:
    away = float(result.mean - game.ev) / result.std_error if result.std_error > 0 else None
    first = f" from number {start:,}" if start else ""
    _show(
        "; ".join([*asked, f"{result.rounds:,} rounds{first}"]),
        "",
        _table(
            ("net win of a round, antes", ">"),
            [
                (True, "mean", _decimal(result.mean)),
                (False, "standard error", f"{result.std_error:.9f}"),
                (False, "exact value", _decimal(game.ev)),
                *([] if away is None else [(False, "mean minus exact, standard errors", f"{away:+.2f}")]),
                (False, "standard deviation", f"{result.std_dev:.6f}"),
            ],
        ),
        "",
        _table(
            ("bet", ">in all", ">a round"),
            [
                (False, bet.replace("_", " "), _decimal(total, 1, "+,"), _decimal(result.by_bet[bet], 6))
                for bet, total in result.totals.items()
                if total
            ],
        ),
        "",
        _table(
            ("final action", ">share"),
            [(False, action, _percent(share, 4)) for action, share in result.frequencies.items()],
        ),
        "",
        _table(
            (">net win, antes", ">rounds", ">share"),
            [(False, net, f"{count:,}", _share(count, result.rounds)) for net, count in result.histogram.items()],
        ),
    )


def _starting_hands(game: Solution, action: Action) -> list[str]:
    """The starting hands that take an action at once: how many, then pairs, suited and offsuit ones."""
    hands = [name for name, decision in game.preflop.items() if decision.best is action]
    holes = sum(6 if len(name) == 2 else 4 if name[2] == "s" else 12 for name in hands)
    lines: dict[str, list[str]] = {}
    for name in hands:
        lines.setdefault("pairs" if len(name) == 2 else name[2], []).append(name)
    title = f"{action} before the flop: {len(hands)} of 169 starting hands, {holes:,} of 1,326 holdings"
    room = max(20, min(80, _text_width(80)))
    return [
        title,
        *(
            textwrap.fill(" ".join(lines[kind]), room, initial_indent="  ", subsequent_indent="  ")
            for kind in ("pairs", "s", "o")
            if kind in lines
        ),
    ]


def _side_bets(trips: str, bad_beat: str) -> list[str]:
    return [f"{name} {amount.strip()}" for name, amount in (("trips", trips), ("bad beat", bad_beat)) if amount != "0"]


def _percent(value: Fraction, places: int = 7) -> str:
    return _decimal(100 * value, places, "") + "%"


@commands.group(invoke_without_command=True)
@_json_option
@click.pass_context
def rules(context: click.Context, as_json: bool) -> None:
    """List the rule presets with their house edge, look into one, or compare two."""
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"--json stands after {context.invoked_subcommand!r}, not before it", context)
        return
    from .rules import fraction_dict

    named = [(name, uteh.Rules.about(name), uteh.Rules.named(name)) for name in uteh.Rules.names()]
    with _progress("solving") as progress:
        edges = uteh.house_edges([preset for _, _, preset in named], threads=None, progress=progress)
    if as_json:
        _show_json(
            [
                {"name": name, "about": about, "house_edge": fraction_dict(edge), "fields": _fields(preset)}
                for (name, about, preset), edge in zip(named, edges, strict=True)
            ]
        )
        return
    texts, exact = [_percent(edge, 5) for edge in edges], [str(edge) for edge in edges]
    width, digits, fraction = (max(map(len, column)) + 2 for column in (uteh.Rules.names(), texts, exact))
    columns = _text_width(_WIDE)
    if columns < 120:  # the fraction gives way to words
        exact, fraction = [""] * len(exact), 0
    room = max(20, columns - width - digits - fraction - 2)
    _show(
        f"{'':{width}}{'edge':>{digits}}{'exact' if fraction else '':>{fraction}}  of Ante, Blind and Play, per ante",
        *(
            f"{name:{width}}{text:>{digits}}{value:>{fraction}}  "
            f"{textwrap.shorten(_summary(about), room, break_on_hyphens=False, placeholder=' ...')}"
            for (name, about, _), text, value in zip(named, texts, exact, strict=True)
        ),
    )


@rules.command("diff")
@click.argument("one", metavar="NAME|FILE.toml")
@click.argument("other", metavar="NAME|FILE.toml")
@click.option("--trips", metavar="ANTES", help="The Trips bet; without it 1 where its rules differ, else 0.")
@click.option("--bad-beat", metavar="ANTES", help="The Bad Beat bet, likewise.")
@_json_option
def rules_diff(one: str, other: str, trips: str | None, bad_beat: str | None, as_json: bool) -> None:
    """What each field in which two rule sets differ costs the player.

    In antes, under optimal play, exactly: each field by itself put into the first rules, and all
    together. Less than 0 is a gain.
    """
    with _progress("solving") as progress:
        costs = uteh.compare_rules(
            _rules(one), _rules(other), trips=trips, bad_beat=bad_beat, threads=None, progress=progress
        )
    if as_json:
        _show_json(costs.to_dict())
        return
    stakes = _side_bets(str(costs.trips), str(costs.bad_beat))
    if not costs.fields:
        _show(f"{one} and {other} are the same")
        return
    _show(
        "; ".join([f"from {one} to {other}", *stakes]),
        "",
        _table(
            ("field", one, other, ">cost, antes", ">exact"),
            [
                *(
                    (
                        False,
                        field,
                        *(_field_text(field, value) for value in values),
                        *(("not alone", "") if cost is None else (_decimal(cost), cost)),
                    )
                    for (field, values), cost in zip(costs.fields.items(), costs.alone.values(), strict=True)
                ),
                (True, "together", "", "", _decimal(costs.together), costs.together),
            ],
            wrap=[one, other, "exact"],
        ),
        "",
        f"expected value {_decimal(costs.ev)} -> {_decimal(costs.other_ev)} antes",
    )


@rules.command("show")
@click.argument("name", metavar="NAME|FILE.toml")
@_json_option
def rules_show(name: str, as_json: bool) -> None:
    """Every field of a rule set; those that differ from the standard rules are marked."""
    shown = _rules(name)
    if as_json:
        _show_json(shown.to_dict())
        return
    standard = uteh.STANDARD
    differs = shown.diff(standard)
    about = uteh.Rules.about(name) if name in uteh.Rules.names() else ""
    _show(
        f"rules: {name}",
        *([textwrap.fill(about, min(80, _text_width(80)), break_on_hyphens=False)] if about else []),
        "",
        _table(
            ("", "field", "value"),
            [
                (
                    field in differs,
                    "*" if field in differs else "",
                    field,
                    _field_text(field, getattr(shown, field))
                    + (f" (standard: {_field_text(field, getattr(standard, field))})" if field in differs else ""),
                )
                for field in _fields(shown)
            ],
            wrap=["value"],
        ),
        "",
        f"* differs from standard: {', '.join(differs)}" if differs else "the same as standard",
    )


def _fields(shown: Rules) -> dict[str, Any]:
    return {field: value for field, value in shown.to_dict().items() if field not in ("schema", "version")}


def _field_text(field: str, value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, uteh.PayTable):
        # Payouts with strokes start at the royal flush or, for Bad Beat, one below; other tables are written out.
        top = uteh.Category.STRAIGHT_FLUSH if field == "bad_beat" else uteh.Category.ROYAL_FLUSH
        entries = value.items()
        if entries and entries[0][0] == top:
            return str(value)
        return ", ".join(f"{category} {payout}" for category, payout in entries) or "pays nothing"
    return str(value)


def _summary(about: str) -> str:
    """The first clause of a paragraph."""
    return re.split(r"[.:;](?: |$)", about, maxsplit=1)[0]


def _text_width(otherwise: int) -> int:
    """Columns of the terminal, or what is given if stdout is none."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else otherwise
