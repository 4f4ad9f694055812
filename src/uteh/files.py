"""Files of rounds: CSV in, the same rows out with what every bet of them won.

`settle_csv` goes from stream to stream; `settle_file` is the same for files by name, whole or not at all. What a card
is and what a round pays is left to `cards`, `settlement` and `tables`: here blocks of rows become arrays and arrays
become text, and whatever is wrong with a row is put down to its line and column.
"""

from __future__ import annotations

import csv
import errno
import io
import os
import re
import sys
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from decimal import Decimal
from fractions import Fraction
from itertools import chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from . import settlement, tables
from .cards import parse_cards, parse_many
from .errors import CardError
from .hands import describe
from .rules import STANDARD, Result, Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import IO, Protocol

    import numpy as np
    from numpy.typing import NDArray

    from ._work import Progress

    class Source(Protocol):
        def read(self, size: int, /) -> bytes | str: ...

    class Target(Protocol):
        def write(self, data: Any, /) -> object: ...


__all__ = ["Counts", "FileError", "settle_csv", "settle_file"]

_CARDS = {"hole": 2, "dealer": 2, "board": 5}
_NEEDED = (*_CARDS, "ante", "play")
_OPTIONAL = ("blind", "trips", "bad_beat", "street")
_BETS = ("ante", "blind", "play", "trips", "bad_beat")
_ADDED = ("result", "player_hand", "dealer_hand", "qualifies", *(f"{bet}_net" for bet in _BETS), "net")
_EXPLANATION = "explanation"
# Rows that name their table and seat are settled table by table.
_OF_TABLE = ("table", "seat")
_TABLE_OPTIONAL = ("fund", "fee", "bank_fee")
_TABLE_ADDED = ("returned", "uncovered", "bank_net")
_SKIPPED = ("line", "reason")  # what a file of bad rows has before the columns of the input

# What bounds the memory, whatever a file holds: a block ends at the first of these counts, and a row or line that is
# longer than the third is refused. The csv module itself refuses fields of more than 131,072 characters.
_BLOCK_ROWS = 1 << 11  # as many as stay in the cache of a processor
_BLOCK_SIZE = 1 << 21  # bytes, or characters of a text stream, as all these sizes
_LONGEST = 1 << 20
_PIECE = 1 << 18  # what is read at a time
_CACHED = 1 << 16  # different texts of amounts that are remembered
_SPOOL = 1 << 23  # bytes of output for stdout that are kept in memory before a temporary file is made

_SPECIAL = re.compile(r'[,"\r\n]')
_AMOUNT = re.compile(r"(-?)(\d{0,30})(?:\.(\d{0,30}))?", re.ASCII)
_MOST_CHIPS = 1 << 62
_SAME_AS_ANTE = -1  # no amount, so free to stand for an empty blind
_NO_FUND = -2  # and for an empty fund
_MOST_WAGERS = 1 << 14  # at one table
_STREETS = {"": 255, "preflop": 0, "flop": 1, "river": 2}


class FileError(ValueError):
    """What is wrong with a file, and where.

    Attributes
    ----------
    reason : str
    line : int or None
        The line of the file in which the row starts, counted from 1, the header included.
    column : str or None
        The name of the column; None where the row as a whole is wrong.
    file : str or None
        The name of the file, where it was opened by name.
    """

    file: str | None = None

    def __init__(self, reason: str, line: int | None = None, column: str | None = None) -> None:
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column

    def __str__(self) -> str:
        parts = [] if self.file is None else [self.file]
        if self.line is not None:
            parts.append(f"line {self.line}")
        return ": ".join([*parts, self.what])

    @property
    def what(self) -> str:
        """Column and reason."""
        return self.reason if self.column is None else f"{_short(self.column)}: {self.reason}"


class Counts(NamedTuple):
    """How many rows were settled, and how many were bad and went to `bad`."""

    settled: int
    skipped: int


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."


# Streams --------------------------------------------------------------------------------------------------------------


def settle_csv(
    source: Source,
    target: Target,
    *,
    rules: Rules = STANDARD,
    unit: int | str | Fraction | Decimal = 1,
    bad: Target | None = None,
    explain: bool = False,
    progress: Progress | None = None,
) -> Counts:
    """Settle every row of a CSV stream.

    The first row names the columns: hole, dealer, board, ante, play and, where wanted, blind, trips, bad_beat, street,
    in any order. Other columns are copied. An empty blind equals the Ante, an empty trips or bad_beat is 0, an empty
    street is unknown. Blank lines are left out, and lines may end as they like. The output has the columns of the
    input, then result, player_hand, dealer_hand, qualifies (true, false), ante_net, blind_net, play_net, trips_net,
    bad_beat_net, net and, if asked for, explanation; UTF-8, a line feed after each row.

    With the columns table and seat, rows that follow one another and have the same table are settled together, as
    `uteh.settle_table` does: seats in rising order, several rows of one seat being wagers on one hand, and dealer,
    board, fund and bank_fee the same in all of them. fund (empty: no limit), fee and bank_fee are there where they are
    wanted. Then net is after the fee, and returned, uncovered and the table's bank_net follow it. A table that has a
    bad row is bad as a whole.

    Parameters
    ----------
    source : binary or text stream
        Read from where it stands to its end. Bytes are UTF-8, with or without a byte order mark.
    target : binary or text stream
        Written block by block, so what an error leaves there is a part; a stream with an `encoding` is given text.
    rules : Rules, optional
    unit : int, str, Fraction or Decimal, default 1
        The chip, in the currency of the amounts: every amount is a whole number of chips and so, unless
        `rules.breakage` rounds, is every winning.
    bad : binary or text stream, optional
        Gets the rows that cannot be settled, after their line and the reason; without it the first of them raises.
    explain : bool, default False
        Adds the column explanation: a sentence for each bet.
    progress : callable, optional
        Called with the bytes read and those there are, where `source` is a binary stream that can tell.

    Returns
    -------
    Counts

    Raises
    ------
    FileError
        A ValueError with `.line` and `.column`: a header that will not do, a bad row if there is no `bad`, and what is
        no CSV at all: an unclosed quotation mark, a row or line of more than 1 MiB, a field of more than 131,072
        characters.
    ValueError, TypeError
        A unit that is no positive decimal, or rules that are no Rules.

    Examples
    --------
    >>> import io
    >>> rounds = io.StringIO("hole,dealer,board,ante,play\\nAh7h,KcKd,Qh9h2hKs3c,7.5,15\\n")
    >>> settled = io.StringIO()
    >>> settle_csv(rounds, settled, unit="0.25")
    Counts(settled=1, skipped=0)
    >>> settled.getvalue().splitlines()[1]
    'Ah7h,KcKd,Qh9h2hKs3c,7.5,15,win,"flush, A Q 9 7 2","three kings, Q 9",true,7.5,11.25,15,0,0,33.75'
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {type(rules).__name__}")
    chip = _Chip(unit)
    total = _size(source) if progress is not None else None
    reader = _Rows(source)
    blocks = reader.blocks()
    (header,), (line,) = next(blocks, ([[]], [1]))
    work = _kind_of_work(header, line)(header, line, rules, chip, explain, bad is not None)
    blocks = work.blocks(blocks)
    out = _Writer(target)
    out.write(_joined([[*header, *work.added]]))
    skips = None if bad is None else _Writer(bad)
    if skips is not None:
        skips.write(_joined([[*_SKIPPED, *header]]))
    settled = skipped = 0
    for rows, lines in blocks:
        try:
            results = work.settle(rows, reader.odd)
        except ValueError as error:
            good, refused = work.sort(rows, lines)
            if skips is None and refused:
                raise refused[0][0] from None
            if len(good) == len(rows):  # then it is no row that is wrong
                raise error
            if skips is not None:
                skips.write(_joined([[str(problem.line), problem.what, *row] for problem, row in refused]))
            skipped += len(refused)
            results = work.settle(good, False)
        out.write(results)
        settled += len(results)
        if progress is not None and total is not None:
            progress(min(reader.read, total), total)
    return Counts(settled, skipped)


def _size(source: Source) -> int | None:
    """The bytes from here to the end of a stream, or None."""
    if hasattr(source, "encoding"):
        return None
    stream: Any = source
    try:
        if not stream.seekable():
            return None
        here: int = stream.tell()
        size: int = stream.seek(0, os.SEEK_END) - here
        stream.seek(here)
    except (AttributeError, OSError, ValueError):
        return None
    return size


class _Rows:
    """The rows of a CSV stream, in blocks."""

    def __init__(self, source: Source) -> None:
        self.read = 0  # bytes or characters
        self.odd = False  # whether there was anything in it that no text has: a NUL, or bytes that are not UTF-8
        self._source = source
        self._ended = 0  # the line in which the latest row ended
        self._csv = csv.reader(chain.from_iterable(self._lines()), strict=True)

    def blocks(self) -> Iterator[tuple[list[list[str]], list[int]]]:
        """Rows and the lines in which they start: the first row alone, then many at a time."""
        most = 1
        failure = None
        more = True
        while more:
            rows: list[list[str]] = []
            lines: list[int] = []
            full = self.read + _BLOCK_SIZE
            more = False
            try:
                for row in self._csv:
                    if row:
                        rows.append(row)
                        lines.append(self._ended + 1)
                    self._ended = self._csv.line_num
                    if len(rows) == most or self.read > full:
                        more = True
                        break
            except csv.Error as error:
                failure = FileError(_csv_problem(str(error)), self._ended + 1)
            except FileError as error:
                failure = error
            if rows:  # before the failure: something may be wrong with them, and it comes first
                yield rows, lines
                most = _BLOCK_ROWS
            if failure is not None:
                raise failure

    def _lines(self) -> Iterator[Iterable[str]]:
        """The text in pieces of whole lines, a piece being an iterable of them."""
        for text in self._pieces():
            if "\0" in text:
                self.odd = True
            yield io.StringIO(text, newline="")

    def _pieces(self) -> Iterator[str]:
        rest: Any = None  # what follows the last end of a line
        ended = held = 0  # where the latest row ended, and how much, at least, came in since
        first = True
        while True:
            try:
                part: Any = self._source.read(_PIECE)
            except OSError as error:
                raise FileError(f"cannot be read: {error.strerror}", self._csv.line_num + 1) from error
            self.read += len(part)
            data = part if rest is None else rest + part
            feed, back = (b"\n", b"\r") if isinstance(data, bytes) else ("\n", "\r")
            # A carriage return that comes last may have its line feed in the next part.
            cut = max(data.rfind(feed), data.rfind(back, 0, -1)) + 1 if part else len(data)
            if len(data) - cut > _LONGEST:
                raise FileError(f"a line of more than {_LONGEST:,} bytes", self._csv.line_num + 1)
            rest = data[cut:]
            if cut:
                text = self._text(data[:cut])
                yield text.removeprefix("\ufeff") if first else text
                first = False
                if ended != self._ended:
                    ended, held = self._ended, 0
                else:
                    held += cut
                if held > _LONGEST and part:
                    raise FileError(
                        f"a row of more than {_LONGEST:,} bytes; is a quotation mark not closed?", self._ended + 1
                    )
            if not part:
                return

    def _text(self, data: bytes | str) -> str:
        if isinstance(data, str):
            return data
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            self.odd = True
            return data.decode("utf-8", "surrogateescape")


def _csv_problem(message: str) -> str:
    if message.startswith("field larger"):
        return f"a field of more than {csv.field_size_limit():,} characters; is a quotation mark not closed?"
    return "a quotation mark is not closed" if message == "unexpected end of data" else f"no CSV: {message}"


class _Writer:
    """Writes lines on a text or binary stream."""

    def __init__(self, stream: Target) -> None:
        self._stream = stream
        self._is_text = hasattr(stream, "encoding")

    def write(self, lines: Iterable[str]) -> None:
        text = "\n".join([*lines, ""])
        self._stream.write(text if self._is_text else text.encode("utf-8", "surrogateescape"))


def _joined(rows: list[list[str]]) -> list[str]:
    """Rows as lines of CSV, without their ends."""
    lines = list(map(",".join, rows))
    # Few files have anything to quote; a look at all of it at once costs a fraction of what looking at each cell does.
    text = "\n".join(lines)
    plain = text.count(",") == sum(map(len, rows)) - len(rows) and text.count("\n") == len(rows) - 1
    if plain and '"' not in text and "\r" not in text:
        return lines
    return [",".join(map(_quoted, row)) for row in rows]


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


# Rows -----------------------------------------------------------------------------------------------------------------


class _Work:
    """What is done with the rows of one file."""

    needed: tuple[str, ...] = _NEEDED
    optional: tuple[str, ...] = _OPTIONAL
    adds: tuple[str, ...] = _ADDED

    def __init__(self, header: list[str], line: int, rules: Rules, chip: _Chip, explain: bool, skips: bool) -> None:
        self._rules = rules
        self._chip = chip
        self._explain = explain
        self._header = header
        self._width = len(header)
        self.added = (*self.adds, _EXPLANATION) if explain else self.adds
        self._places = _places(header, line, self.added, skips, self.needed, self.optional)
        # Dicts that fill themselves: looking up a known text costs a tenth of reading it.
        self._amounts = {name: _Cache(chip.reader(name)) for name in (*_BETS, *_TABLE_OPTIONAL)}
        self._streets = _Cache(_street)
        self._hands = _Cache(lambda strength: _quoted(describe(strength)))
        self._nets = _Cache(chip.text)
        self._results = {int(result): str(result) for result in Result}

    def blocks(
        self, blocks: Iterator[tuple[list[list[str]], list[int]]]
    ) -> Iterator[tuple[list[list[str]], list[int]]]:
        """The blocks as this work takes them."""
        return blocks

    def settle(self, rows: list[list[str]], odd: bool) -> list[str]:
        """The lines of the output; a ValueError that may name no row where any of them is bad."""
        if not rows:
            return []
        if set(map(len, rows)) != {self._width} or (odd and any(map(_text_problem, chain.from_iterable(rows)))):
            raise ValueError("to be looked into row by row")
        import numpy as np

        cards = np.hstack([self._cards(rows, name, count) for name, count in _CARDS.items()])
        settled = settlement.settle_many(cards, **self._bets(rows), rules=self._rules)
        added: list[Iterable[str]] = [
            self._looked_up(settled.result, self._results),
            self._looked_up(settled.player_strength, self._hands),
            self._looked_up(settled.dealer_strength, self._hands),
            self._looked_up(settled.qualifies, {False: "false", True: "true"}),
            *(self._looked_up(getattr(settled, name), self._nets) for name in (*_BETS, "net")),
        ]
        if self._explain:
            added.append([_quoted(self._sentences(row)) for row in rows])
        return list(map(",".join, zip(_joined(rows), *added, strict=True)))

    def _bets(self, rows: list[list[str]]) -> dict[str, Any]:
        """The amounts of the bets, and the streets where there are any, as arrays."""
        import numpy as np

        amounts: dict[str, Any] = {
            bet: np.array(self._column(rows, bet, self._amounts[bet]), dtype=np.int64)
            for bet in _BETS
            if bet in self._places
        }
        if "blind" in amounts:
            amounts["blind"] = np.where(amounts["blind"] == _SAME_AS_ANTE, amounts["ante"], amounts["blind"])
        if "street" in self._places:
            amounts["street"] = np.array(self._column(rows, "street", self._streets), dtype=np.uint8)
        return amounts

    def _cards(self, rows: list[list[str]], name: str, count: int) -> NDArray[np.uint8]:
        ids = parse_many(map(itemgetter(self._places[name]), rows))
        if ids.shape[1] != count:
            raise CardError(f"{name}: {count} cards needed")
        return ids

    def _column(self, rows: list[list[str]], name: str, cache: dict[str, int]) -> list[int]:
        return list(map(cache.__getitem__, map(itemgetter(self._places[name]), rows)))

    @staticmethod
    def _looked_up(values: NDArray[Any], texts: dict[Any, str]) -> Iterable[str]:
        return map(texts.__getitem__, values.tolist())

    def sort(
        self, rows: list[list[str]], lines: list[int]
    ) -> tuple[list[list[str]], list[tuple[FileError, list[str]]]]:
        """The good rows, and the bad ones with what is wrong with them."""
        good = []
        bad = []
        for row, line in zip(rows, lines, strict=True):
            if len(row) == 1 and not row[0].strip():  # a line of blanks
                continue
            problem = self._problem(row)
            if problem is None:
                good.append(row)
            else:
                column, reason = problem
                bad.append((FileError(reason, line, column), row))
        return good, bad

    def _problem(self, row: list[str]) -> tuple[str | None, str] | None:
        """Column and reason, where a row cannot be settled."""
        if len(row) != self._width:
            return None, f"{len(row)} field{'s' * (len(row) != 1)} where the header has {self._width}"
        for place, cell in enumerate(row):
            problem = _text_problem(cell)
            if problem:
                return self._header[place].strip() or f"field {place + 1}", problem
        seen: list[int] = []
        for name, count in _CARDS.items():
            try:
                ids = parse_cards(row[self._places[name]])
            except CardError as error:
                return name, str(error)
            if len(ids) != count:
                return name, f"{len(ids)} card{'s' * (len(ids) != 1)} given, {count} needed"
            seen += ids
            if len(set(seen)) < len(seen):
                try:
                    self._settlement(row, {"ante": 0, "play": 0})
                except CardError as error:
                    return name, str(error)
        amounts: dict[str, Any] = {}
        for name in (*_BETS, *_TABLE_OPTIONAL, "street"):
            if name in self._places:
                try:
                    cache = self._streets if name == "street" else self._amounts[name]
                    amounts[name] = cache[row[self._places[name]]]
                except ValueError as error:
                    return name, str(error)
        return self._bets_problem(row)

    def _bets_problem(self, row: list[str]) -> tuple[str, str] | None:
        try:
            self._settlement(row, self._stakes(row, Fraction))
        except ValueError as error:
            # In the currency of the file; the message starts with the name of the bet.
            name, _, reason = str(error).partition(": ")
            return name, reason
        try:
            self._settlement(row, self._stakes(row, int))
        except ValueError as error:
            name, _, reason = str(error).partition(": ")
            if "whole chip" not in reason:
                return name, reason
            bet = name if name in self._places and row[self._places[name]].strip() else "ante"
            amount = _short(row[self._places[bet]].strip())
            smaller = self._chip.smaller(settlement._unit(self._rules))
            return name, (
                f"the winnings of {amount} are no whole number of chips of {self._chip}; use "
                f"{'' if smaller is None else f'unit {smaller} or '}rules whose breakage rounds"
            )
        return None

    def _stakes(self, row: list[str], kind: type[int] | type[Fraction]) -> dict[str, Any]:
        """The bets of a row as `settle` takes them: ints in chips, or Fractions in the currency of the file."""
        stakes: dict[str, Any] = {}
        for bet in _BETS:
            if bet in self._places:
                chips = self._amounts[bet][row[self._places[bet]]]
                if chips == _SAME_AS_ANTE:
                    continue
                stakes[bet] = chips if kind is int else chips * self._chip.value
        if "street" in self._places:
            stakes["street"] = row[self._places["street"]].strip() or None
        return stakes

    def _settlement(self, row: list[str], stakes: dict[str, Any]) -> settlement.Settlement:
        hole, dealer, board = (row[self._places[name]] for name in _CARDS)
        return settlement.settle(hole, dealer, board, **stakes, rules=self._rules)

    def _sentences(self, row: list[str]) -> str:
        # Chips are what is rounded; where nothing can be, the sentences have the currency of the file.
        if self._chip.value == 1 or self._rules.breakage != "exact":
            lines = self._settlement(row, self._stakes(row, int)).lines
            unit = "" if self._chip.value == 1 else f"in chips of {self._chip}: "
            return unit + "; ".join(lines)
        return "; ".join(self._settlement(row, self._stakes(row, Fraction)).lines)


class _TableWork(_Work):
    """The same for rows of tables: a block holds whole tables, and a bad row spoils its table."""

    needed = (*_OF_TABLE, *_NEEDED)
    optional = (*_OPTIONAL, *_TABLE_OPTIONAL)
    adds = (*_ADDED, *_TABLE_ADDED)

    def blocks(
        self, blocks: Iterator[tuple[list[list[str]], list[int]]]
    ) -> Iterator[tuple[list[list[str]], list[int]]]:
        """Blocks that end where a table does. That a table comes again later is found out here, where its rows would
        otherwise be settled as another one, unseen. The names are kept: memory grows with the number of tables."""
        self._again: dict[int, int] = {}  # lines of a block that start a table seen before, and where it was
        again: dict[int, int] = {}
        seen: dict[str, int] = {}
        rows: list[list[str]] = []
        lines: list[int] = []
        name: str | None = None
        for more, their_lines in blocks:
            cut = 0
            for row, line in zip(more, their_lines, strict=True):
                if len(row) == 1 and not row[0].strip():  # a line of blanks
                    continue
                before, name = name, self._name(row, name)
                if name != before:
                    cut = len(rows)
                    if name is not None and seen.setdefault(name, line) != line:
                        again[line] = seen[name]
                rows.append(row)
                lines.append(line)
            if cut:
                self._again = {line: again.pop(line) for line in lines[:cut] if line in again}
                yield rows[:cut], lines[:cut]
                rows, lines = rows[cut:], lines[cut:]
            if len(rows) > _MOST_WAGERS:
                raise FileError(f"more than {_MOST_WAGERS:,} rows of one table", lines[0], "table")
        if rows:
            self._again = again
            yield rows, lines

    def _name(self, row: list[str], before: str | None) -> str | None:
        """The name of a row's table; a row that is too short to have one spoils the table before it."""
        at = self._places["table"]
        return row[at].strip() if len(row) > at else before

    def _groups(self, rows: list[list[str]]) -> list[int]:
        """Where each table starts, and the number of rows."""
        starts: list[int] = []
        name: str | None = None
        for i, row in enumerate(rows):
            before, name = name, self._name(row, name)
            if i == 0 or name != before:
                starts.append(i)
        return [*starts, len(rows)]

    def settle(self, rows: list[list[str]], odd: bool) -> list[str]:
        if not rows:
            return []
        if set(map(len, rows)) != {self._width} or (odd and any(map(_text_problem, chain.from_iterable(rows)))):
            raise ValueError("to be looked into row by row")
        if self._again:
            raise ValueError("to be looked into table by table")
        import numpy as np

        start = np.array(self._groups(rows), dtype=np.int64)
        first = np.repeat(start[:-1], np.diff(start))  # of each row's table
        hole, dealer, board = (self._cards(rows, name, count) for name, count in _CARDS.items())
        hole = np.sort(hole, axis=1)
        seat = np.array(list(map(_seat_number, map(itemgetter(self._places["seat"]), rows))), dtype=np.int64)
        amounts = self._bets(rows)
        money = {
            name: np.array(self._column(rows, name, self._amounts[name]), dtype=np.int64)
            for name in _TABLE_OPTIONAL
            if name in self._places
        }
        inside = first[1:] == first[:-1]
        step = seat[1:] - seat[:-1]
        same_hole = (hole[1:] == hole[:-1]).all(axis=1)
        alike: list[Any] = [dealer, board, *(money[name][:, None] for name in ("fund", "bank_fee") if name in money)]
        if (inside & ((step < 0) | ((step == 0) != same_hole))).any() or any(
            (array != array[first]).any() for array in alike
        ):
            raise ValueError("to be looked into table by table")
        fund = money.get("fund")
        settled = tables.settle_ragged(
            hole,
            dealer[start[:-1]],
            board[start[:-1]],
            start,
            **amounts,
            fee=money.get("fee"),
            fund=None if fund is None else np.where(fund == _NO_FUND, tables._MOST_FUND, fund)[start[:-1]],
            bank_fee=money["bank_fee"][start[:-1]] if "bank_fee" in money else None,
            rules=self._rules,
        )
        bank = np.repeat(settled["bank_net"], np.diff(start))
        added: list[Iterable[str]] = [
            self._looked_up(settled["result"], self._results),
            self._looked_up(settled["player_strength"], self._hands),
            self._looked_up(settled["dealer_strength"], self._hands),
            self._looked_up(settled["qualifies"], {False: "false", True: "true"}),
            *(self._looked_up(settled[name], self._nets) for name in (*_BETS, "net", "returned", "uncovered")),
            self._looked_up(bank, self._nets),
        ]
        if self._explain:
            places = start.tolist()
            added.append([_quoted(text) for a, b in pairwise(places) for text in self._told(rows[a:b])])
        return list(map(",".join, zip(_joined(rows), *added, strict=True)))

    def _table(
        self, rows: list[list[str]], kind: type[int] | type[Fraction]
    ) -> tuple[tables.TableSettlement, list[list[int]]]:
        """A table by itself, and the rows of each seat's wagers."""
        by_seat: dict[int, list[int]] = {}
        for i, row in enumerate(rows):
            by_seat.setdefault(_seat_number(row[self._places["seat"]]), []).append(i)
        seats = []
        for of_seat in by_seat.values():
            wagers = []
            for i in of_seat:
                stakes = self._stakes(rows[i], kind)
                stakes.pop("street", None)  # row by row it has been looked at
                wagers.append(tables.Wager(**stakes, fee=self._money(rows[i], "fee", kind) or 0))
            seats.append(tables.Seat(rows[of_seat[0]][self._places["hole"]], wagers))
        dealer, board = (rows[0][self._places[name]] for name in ("dealer", "board"))
        table = tables.settle_table(
            seats,
            dealer,
            board,
            fund=self._money(rows[0], "fund", kind),
            bank_fee=self._money(rows[0], "bank_fee", kind) or 0,
            rules=self._rules,
        )
        return table, list(by_seat.values())

    def _money(self, row: list[str], name: str, kind: type[int] | type[Fraction]) -> Any:
        if name not in self._places:
            return None
        chips = self._amounts[name][row[self._places[name]]]
        if chips == _NO_FUND:
            return None
        return chips if kind is int else chips * self._chip.value

    def _told(self, rows: list[list[str]]) -> list[str]:
        """The sentences of each row of a table."""
        whole = self._chip.value == 1 or self._rules.breakage != "exact"
        unit = "" if not whole or self._chip.value == 1 else f"in chips of {self._chip}: "
        table, places = self._table(rows, int if whole else Fraction)
        told = [""] * len(rows)
        for wagers, of_seat in zip(table.seats, places, strict=True):
            for wager, i in zip(wagers, of_seat, strict=True):
                told[i] = unit + "; ".join(wager.lines)
        return told

    def sort(
        self, rows: list[list[str]], lines: list[int]
    ) -> tuple[list[list[str]], list[tuple[FileError, list[str]]]]:
        good: list[list[str]] = []
        bad: list[tuple[FileError, list[str]]] = []
        places = self._groups(rows)
        for a, b in pairwise(places):
            of_table, their_lines = rows[a:b], lines[a:b]
            problems = self._problems(of_table, their_lines)
            if not problems:
                good += of_table
                continue
            first = min(problems)
            for i, (row, line) in enumerate(zip(of_table, their_lines, strict=True)):
                column, reason = problems.get(i, ("table", f"another row of it is bad, in line {their_lines[first]}"))
                bad.append((FileError(reason, line, column), row))
        self._again.clear()
        # Where a row raises, it is the one that is wrong, not one before it in the same table.
        bad.sort(key=lambda one: one[0].reason.startswith("another row of it is bad"))
        return good, bad

    def _problems(self, rows: list[list[str]], lines: list[int]) -> dict[int, tuple[str | None, str]]:
        """Columns and reasons, by the row of a table."""
        found: dict[int, tuple[str | None, str]] = {}
        for i, row in enumerate(rows):
            problem = self._problem(row)
            if problem is None:
                try:
                    _seat_number(row[self._places["seat"]])
                except ValueError as error:
                    problem = "seat", str(error)
            if problem is not None:
                found[i] = problem
        if lines[0] in self._again:
            found.setdefault(
                0, ("table", f"the rows of a table follow one another; it was there in line {self._again[lines[0]]}")
            )
        if found:
            return found
        numbers = [_seat_number(row[self._places["seat"]]) for row in rows]
        cards = {name: [parse_cards(row[self._places[name]]) for row in rows] for name in _CARDS}
        where: dict[int, int] = {}
        for i, row in enumerate(rows):
            for name in ("dealer", "board"):
                if cards[name][i] != cards[name][0]:
                    return {i: (name, f"not that of line {lines[0]}, where the table starts")}
            for name in ("fund", "bank_fee"):
                if self._money(row, name, int) != self._money(rows[0], name, int):
                    return {i: (name, f"not that of line {lines[0]}, where the table starts")}
            if i and numbers[i] < numbers[i - 1]:
                return {i: ("seat", f"{numbers[i]} comes after {numbers[i - 1]}; seats are in rising order")}
            again = i > 0 and numbers[i] == numbers[i - 1]
            if again and set(cards["hole"][i]) != set(cards["hole"][i - 1]):
                return {i: ("hole", f"not that of line {lines[i - 1]}, which has the same seat")}
            for card in cards["hole"][i]:
                if not again and card in where:
                    name = "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]
                    return {i: ("hole", f"{name} is given twice: here and in line {lines[where[card]]}")}
                where[card] = i
        limit = settlement._cells(self._rules)[1] // len(rows)
        for i, row in enumerate(rows):
            for name in (*_BETS, "fee", "bank_fee"):
                if (self._money(row, name, int) or 0) > limit:
                    return {i: (name, f"{_short(row[self._places[name]].strip())} is too large to be settled exactly")}
        return {}


def _seat_number(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(f"{_short(text)!r} is no whole number" if text else "empty, but a number is needed")
    return int(text)


def _kind_of_work(header: list[str], line: int) -> type[_Work]:
    """Which work a file asks for."""
    names = {cell.strip() for cell in header}
    if names.issuperset(_OF_TABLE):
        return _TableWork
    if "fund" in names:
        missing = next(name for name in _OF_TABLE if name not in names)
        raise FileError(
            f"no such column in the header, which a fund needs beside {' and '.join(_OF_TABLE)}", line, missing
        )
    return _Work


def _places(
    header: list[str], line: int, added: Sequence[str], skips: bool, needed: Sequence[str], optional: Sequence[str]
) -> dict[str, int]:
    """Where the columns stand."""
    places: dict[str, int] = {}
    for place, cell in enumerate(header):
        problem = _text_problem(cell)
        if problem:
            raise FileError(f"the name of column {place + 1}: {problem}", line)
        name = cell.strip()
        if name in places:
            if not name:
                raise FileError("the header has two columns without a name", line)
            raise FileError("the header has this column twice", line, name)
        if name in added:
            raise FileError("the output has a column of its own with this name", line, name)
        if skips and name in _SKIPPED:
            raise FileError("the file of bad rows has a column of its own with this name", line, name)
        places[name] = place
    for name in needed:
        if name in places:
            continue
        if not header:
            reason = f"the file is empty; its first line names the columns: {', '.join(_NEEDED)}"
            raise FileError(reason, line)
        reason = "no such column in the header"
        for character, spoken in ((";", "semicolons"), ("\t", "tabs")):
            if len(header) == 1 and character in header[0]:
                reason += f", which has {spoken} where commas separate columns"
        near = next((cell for cell in places if cell.casefold() == name), None)
        raise FileError(f"{reason}, but {near!r}" if near is not None else reason, line, name)
    return {name: place for name, place in places.items() if name in (*needed, *optional)}


def _text_problem(cell: str) -> str | None:
    if "\0" in cell:
        return "a NUL character"
    if not cell.isascii():
        try:
            cell.encode("utf-8")
        except UnicodeEncodeError:
            return "not UTF-8 text"
    return None


def _street(text: str) -> int:
    number = _STREETS.get(text.strip())
    if number is None:
        raise ValueError(f"{_short(text)!r} is not preflop, flop or river")
    return number


# Amounts --------------------------------------------------------------------------------------------------------------


# What an amount is that is left out.
_EMPTY = {"blind": _SAME_AS_ANTE, "trips": 0, "bad_beat": 0, "fee": 0, "bank_fee": 0, "fund": _NO_FUND}


class _Cache(dict[Any, Any]):
    """Answers of a function, some of them remembered."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: Any) -> Any:
        value = self._function(key)
        if len(self) < _CACHED:
            self[key] = value
        return value


class _Chip:
    """The unit of a file: its amounts as whole numbers of chips, and back. All exact."""

    def __init__(self, unit: int | str | Fraction | Decimal) -> None:
        if isinstance(unit, bool) or not isinstance(unit, (int, str, Fraction, Decimal)):
            raise TypeError(f"unit must be an int, text, Fraction or Decimal, not {type(unit).__name__}")
        problem = ValueError(f"unit: {_short(str(unit))!r} is no positive decimal number")
        if isinstance(unit, str):
            found = _AMOUNT.fullmatch(unit.strip())
            if found is None or not (found[2] or found[3]):
                raise problem
        elif isinstance(unit, Decimal) and not (unit.is_finite() and abs(unit.adjusted()) < 40):
            raise problem
        self.value = Fraction(unit)
        self._places = 0  # decimals of the unit
        while (self.value * 10**self._places).denominator > 1 and self._places <= 18:
            self._places += 1
        if not 0 < self.value <= 10**18 or self._places > 18:
            raise problem
        self._size = int(self.value * 10**self._places)

    def __str__(self) -> str:
        return self.text(1)

    def reader(self, bet: str) -> Callable[[str], int]:
        """A function from the text of an amount to chips."""
        empty = _EMPTY.get(bet)

        def read(text: str) -> int:
            text = text.strip()
            if not text and empty is not None:
                return empty
            found = _AMOUNT.fullmatch(text)
            if found is None or not (found[2] or found[3]):
                raise ValueError(f"{_short(text)!r} is no decimal number" if text else "empty, but an amount is needed")
            sign, whole, part = found[1], found[2], (found[3] or "").rstrip("0")
            chips, rest = divmod(int(f"{whole}{part.ljust(self._places, '0')}" or "0"), self._size)
            if rest or len(part) > self._places:
                raise ValueError(f"{_short(text)} is no whole number of chips of {self}")
            if chips and sign:
                raise ValueError(f"{_short(text)} is negative")
            if chips > _MOST_CHIPS:
                raise ValueError(f"{_short(text)} is too large to be settled exactly")
            return chips

        return read

    def text(self, chips: int) -> str:
        """So many chips as a decimal in the currency of the file."""
        digits = str(abs(chips) * self._size).rjust(self._places + 1, "0")
        whole = len(digits) - self._places
        part = digits[whole:].rstrip("0")
        return f"{'-' if chips < 0 else ''}{digits[:whole]}{'.' if part else ''}{part}"

    def smaller(self, pieces: int) -> str | None:
        """The chip of which so many make one of these; None where that is no decimal."""
        try:
            return str(_Chip(self.value / pieces))
        except ValueError:
            return None


# Files ----------------------------------------------------------------------------------------------------------------


def settle_file(
    name: str,
    output: str | None = None,
    skip_bad: str | None = None,
    *,
    rules: Rules = STANDARD,
    unit: int | str | Fraction | Decimal = 1,
    explain: bool = False,
    bar: AbstractContextManager[Progress | None] | None = None,
) -> Counts:
    """Settle a CSV file, wholly or not at all.

    Parameters
    ----------
    name : str
        The file; "-" is stdin.
    output : str, optional
        The file to write, which may be `name` again; without it, or with "-", stdout. A file comes into being, or is
        replaced, in one step when everything has been settled; to stdout, the first byte goes out then.
    skip_bad : str, optional
        The file for the bad rows, in place before the output is; without it, the first bad row raises.
    rules, unit, explain
        As for `settle_csv`.
    bar : context manager, optional
        Gives what `settle_csv` takes as `progress`, and is left before anything goes to stdout.

    Returns
    -------
    Counts

    Raises
    ------
    FileError, ValueError, TypeError
        As from `settle_csv`; the reason starts with the name of the file. Also one file in two places.
    OSError
        With `.filename` where a file cannot be opened or replaced, without where it cannot be written to its end.
    """
    if output == "-":
        output = None
    if skip_bad is not None:
        for other in (name if name != "-" else None, output):
            if other is not None and _same_file(skip_bad, other):
                raise ValueError(f"{skip_bad}: the bad rows need a file of their own")
    with ExitStack() as stack:
        # Left in the opposite order: the bad rows are in place before the output that lacks them.
        target = stack.enter_context(_stdout() if output is None else _replaced(output))
        bad = None if skip_bad is None else stack.enter_context(_replaced(skip_bad))
        try:
            with _opened(name) as source, nullcontext() if bar is None else bar as progress:
                return settle_csv(source, target, rules=rules, unit=unit, bad=bad, explain=explain, progress=progress)
        except FileError as error:
            error.file = "stdin" if name == "-" else name
            raise


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name != "-":
        with open(name, "rb") as file:
            yield file
        return
    if sys.stdin is None:
        raise ValueError("stdin is closed")
    yield sys.stdin.buffer


@contextmanager
def _stdout() -> Iterator[IO[bytes]]:
    """A spool that goes to stdout if all went well."""
    from shutil import copyfileobj
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(_SPOOL) as spool:
        yield spool
        spool.seek(0)
        sys.stdout.flush()
        copyfileobj(spool, sys.stdout.buffer, _PIECE)
        sys.stdout.buffer.flush()


@contextmanager
def _replaced(name: str) -> Iterator[IO[bytes]]:
    """A new file beside the named one that takes its place if all went well, and otherwise leaves no trace."""
    from secrets import token_hex

    path = os.path.realpath(name)  # a link stays, and what it points to is replaced
    exists = os.path.exists(path)
    if exists and not os.path.isfile(path):
        raise ValueError(f"{name}: not a regular file, so it cannot be replaced")
    temporary = os.path.join(os.path.dirname(path), f".uteh-{token_hex(8)}.tmp")
    try:
        with _errors_about(name):
            if exists and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            file = open(temporary, "xb")  # noqa: SIM115 - it is closed before it takes its place
        with file:
            if exists:
                os.chmod(temporary, os.stat(path).st_mode & 0o777)
            yield file
        with _errors_about(name):
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


@contextmanager
def _errors_about(name: str) -> Iterator[None]:
    """Says the name that the caller knows in place of that of a temporary file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
