"""Files of rounds: what `settle_csv` makes of a stream, and that `uteh settle` writes all of it or nothing.

What a round pays is compared with `reference.py`; here it is the way in and out that matters: amounts as decimals, the
name of whatever is wrong, and memory that does not grow with the file.
"""

from __future__ import annotations

import csv
import errno
import io
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import uteh
from uteh import files
from uteh.files import Counts, FileError, settle_csv, settle_file

ROUNDS = Path(__file__).parent.parent / "examples" / "rounds.csv"
HEADER = "hole,dealer,board,ante,play"
WIN = "Ah 7h,Kc Kd,Qh 9h 2h Ks 3c"  # a flush, which pays the Blind 3 to 2, beats three kings
PUSH = "Qc 9c,Ah 4c,Kd Jc 8s 5h 3d"  # the player loses to a dealer without a pair
ADDED = "result,player_hand,dealer_hand,qualifies,ante_net,blind_net,play_net,trips_net,bad_beat_net,net"
BETS = ("ante", "blind", "play", "trips", "bad_beat")


def settled(text: str | bytes, **options: Any) -> str:
    """What comes out of a text or of bytes, having gone through a stream of the same kind."""
    source, target = (
        (io.StringIO(text, newline=""), io.StringIO()) if isinstance(text, str) else (io.BytesIO(text), None)
    )
    out = target if target is not None else io.BytesIO()
    settle_csv(source, out, **options)
    value = out.getvalue()
    return value if isinstance(value, str) else value.decode("utf-8")


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def refusal(text: str | bytes, **options: Any) -> FileError:
    with pytest.raises(FileError) as caught:
        settled(text, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    return caught.value


# ------------------------------------------------------------------------------------------------------------- settling


@pytest.mark.smoke
def test_the_columns_that_come_out() -> None:
    out = settled(f"{HEADER}\n{WIN},10,20\n{PUSH},10,10\nAs Kd,7c 7d,2c 3d 4h 9s Jc,10,0\n")
    assert out.splitlines() == [
        f"{HEADER},{ADDED}",
        f'{WIN},10,20,win,"flush, A Q 9 7 2","three kings, Q 9",true,10,15,20,0,0,45',
        f'{PUSH},10,10,lose,"high card, K Q J 9 8","high card, A K J 8 5",false,0,-10,-10,0,0,-20',
        'As Kd,7c 7d,2c 3d 4h 9s Jc,10,0,fold,"high card, A K J 9 4","pair of sevens, J 9 4",true,-10,-10,0,0,0,-20',
    ]


@pytest.mark.smoke
def test_the_example_settles_as_the_reference_says(tmp_path: Path) -> None:
    out = tmp_path / "settled.csv"
    assert printed("settle", str(ROUNDS), "-o", str(out)) == ""
    rows = table(out.read_text("utf-8"))
    assert len(rows) == 1000
    totals = dict.fromkeys((*BETS, "net"), Fraction(0))
    for row in rows:
        expected = reference.settle(
            row["hole"],
            row["dealer"],
            row["board"],
            ante=row["ante"],
            play=row["play"],
            trips=row["trips"] or 0,
            street=row["street"],
            chips=True,
        )
        for bet in BETS:
            assert Fraction(row[f"{bet}_net"]) == expected[bet]
            totals[bet] += expected[bet]
        assert Fraction(row["net"]) == expected["net"]
        totals["net"] += expected["net"]
        assert row["result"] == {-2: "fold", -1: "lose", 0: "tie", 1: "win"}[expected["result"]]
        assert row["qualifies"] == ("true" if expected["qualifies"] else "false")
        assert row["player_hand"] == uteh.describe(expected["player_strength"])
        assert row["dealer_hand"] == uteh.describe(expected["dealer_strength"])
    for column, total in totals.items():
        name = "net" if column == "net" else f"{column}_net"
        assert sum(int(row[name]) for row in rows) == total
    assert {(row["street"], int(row["play"]) // int(row["ante"])) for row in rows} == {
        ("preflop", 4),
        ("preflop", 3),
        ("flop", 2),
        ("river", 1),
        ("river", 0),
    }
    assert {row["trips"] for row in rows} == {"", "5", "10", "25"}
    with ROUNDS.open(encoding="utf-8", newline="") as file:
        given_rows = list(csv.reader(file))
    assert [list(row.values())[: len(given_rows[0])] for row in rows] == given_rows[1:]


def test_the_example_is_what_its_readme_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(r"```python\n(.*?)```", (ROUNDS.parent / "README.md").read_text("utf-8"), re.DOTALL)
    assert found is not None
    monkeypatch.chdir(tmp_path)
    exec(found[1], {})
    assert (tmp_path / "rounds.csv").read_bytes() == ROUNDS.read_bytes().replace(b"\r\n", b"\n")


def test_optional_and_other_columns_in_any_order() -> None:
    rules = replace(uteh.Rules.named("california-bad-beat"), bad_beat_needs_trips=False)
    text = (
        "id,street,board,bad_beat,trips, play ,dealer,blind,hole,ante,note\n"
        "1,flop,Qh 9h 2h Ks 3c,,5,20,Kc Kd,10,Ah 7h,10,\n"
        "2,,Qh9h2hKs3c,1,,40,KcKd,,Ah7h,10,é\n"
        "3, river ,Qh9h2hKs3c, , 5 , 10 ,KcKd, ,Ah7h, 10.0 ,♥\n"
    )
    rows = table(settled(text.encode(), rules=rules))
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert [row["note"] for row in rows] == ["", "é", "♥"]
    assert rows[2][" play "] == " 10 "
    for row, bets in zip(
        rows,
        (
            {"play": 20, "trips": 5, "street": "flop"},
            {"play": 40, "bad_beat": 1},
            {"play": 10, "trips": 5, "street": "river"},
        ),
        strict=True,
    ):
        expected = uteh.settle("Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c", ante=10, rules=rules, **bets)
        assert [int(row[f"{bet}_net"]) for bet in BETS] == [getattr(expected, bet) for bet in BETS]
        assert int(row["net"]) == expected.net


UNITS = [1, "1", Fraction(1, 2), "0.5", Decimal("0.01"), "2.50", "25", 1000, "0.000001"]


@pytest.mark.parametrize("unit", UNITS)
@given(data=st.data())
def test_amounts_are_exact_in_every_unit(unit: Any, data: st.DataObject) -> None:
    chip = Fraction(unit)
    chips = [2 * data.draw(st.integers(0, 10**9)) for _ in range(3)]
    trips = [data.draw(st.integers(0, 10**9)) for _ in chips]

    def text(amount: Fraction) -> str:
        number = Decimal(amount.numerator) / Decimal(amount.denominator)
        return f"{number:f}" if data.draw(st.booleans()) else f"{number:.8f}"

    lines = [f"{WIN},{text(n * chip)},{text(4 * n * chip)},{text(t * chip)}" for n, t in zip(chips, trips, strict=True)]
    rows = table(settled("\n".join([f"{HEADER},trips", *lines]), unit=unit))
    for row, n, t in zip(rows, chips, trips, strict=True):
        expected = uteh.settle("Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c", ante=n * chip, play=4 * n * chip, trips=t * chip)
        for bet in BETS:
            assert Fraction(row[f"{bet}_net"]) == getattr(expected, bet)
        assert Fraction(row["net"]) == expected.net
        for name in ("net", "blind_net"):
            assert re.fullmatch(r"-?(0|[1-9]\d*)(\.\d*[1-9])?", row[name])


def test_winnings_that_are_no_whole_chip() -> None:
    text = f"{HEADER}\n{WIN},10,20\n{WIN},5,5\n"
    error = refusal(text)
    assert (error.line, error.column) == (3, "blind")
    assert str(error) == (
        "line 3: blind: the winnings of 5 are no whole number of chips of 1; "
        "use unit 0.5 or rules whose breakage rounds"
    )
    assert table(settled(text, unit="0.5"))[1]["blind_net"] == "7.5"
    for breakage, won in (("down", "7"), ("nearest", "8")):
        rules = replace(uteh.STANDARD, breakage=breakage)
        assert table(settled(text, rules=rules))[1]["blind_net"] == won
    rules = replace(uteh.STANDARD, breakage="down")
    assert table(settled(f"{HEADER}\n{WIN},0.15,0.15\n", rules=rules, unit="0.05"))[0]["blind_net"] == "0.2"


def test_no_unit_helps_where_a_third_is_won() -> None:
    rules = replace(uteh.STANDARD, blind=uteh.PayTable(flush="4/3"))
    error = refusal(f"{HEADER}\n{WIN},10,10\n", rules=rules)
    assert str(error).endswith("of chips of 1; use rules whose breakage rounds")


@pytest.mark.parametrize("rules", [uteh.STANDARD, replace(uteh.STANDARD, breakage="down")])
def test_explanations(rules: uteh.Rules) -> None:
    text = f"{HEADER},trips\n{WIN},10,20,5\n{PUSH},10,10,\n"
    out = settled(text, explain=True, rules=rules)
    assert out.splitlines()[0] == f"{HEADER},trips,{ADDED},explanation"
    first, second = (row["explanation"] for row in table(out))
    bets = {"ante": 10, "play": 20, "trips": 5, "rules": rules}
    assert first == "; ".join(uteh.settle("Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c", **bets).lines)
    assert second.startswith("Ante 10 pushes: the dealer has no pair; Play 10 loses: ")


def test_explanations_have_the_currency_of_the_file_unless_chips_are_rounded() -> None:
    text = f"{HEADER}\n{WIN},7.5,7.5\n"
    (row,) = table(settled(text, explain=True, unit="0.25"))
    assert row["explanation"].endswith("; Blind 7.5 wins 11.25: flush pays 3 to 2")
    (row,) = table(settled(text, explain=True, unit="2.5", rules=replace(uteh.STANDARD, breakage="down")))
    assert row["blind_net"] == "10"
    assert row["explanation"].startswith("in chips of 2.5: Ante 3 wins 3: ")
    assert row["explanation"].endswith("; Blind 3 wins 4: flush pays 3 to 2, 4.5 rounded down")


def test_a_header_alone_is_a_file_without_rounds() -> None:
    assert settled(HEADER) == f"{HEADER},{ADDED}\n"
    bad = io.StringIO()
    assert settle_csv(io.BytesIO(HEADER.encode()), io.BytesIO(), bad=bad) == Counts(0, 0)
    assert bad.getvalue() == f"line,reason,{HEADER}\n"


# ------------------------------------------------------------------------------------------------------ what CSV may be

PLAIN = f"{HEADER},note\n{WIN},10,20,é\n{PUSH},10,10,♥\n"


class Dripping(io.RawIOBase):
    """A stream that gives a few bytes at a time, and no hint of its length."""

    def __init__(self, data: bytes, step: int) -> None:
        self._data, self._step = io.BytesIO(data), step

    def read(self, size: int = -1) -> bytes:
        return self._data.read(self._step)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_and_byte_order_marks(end: str, mark: str, last: bool) -> None:
    text = mark + PLAIN.replace("\n", end)
    if not last:
        text = text.removesuffix(end)
    expected = settled(PLAIN)
    assert settled(text) == expected
    assert settled(text.encode()) == expected
    for step in (1, 2, 7):
        out = io.BytesIO()
        settle_csv(Dripping(text.encode(), step), out)
        assert out.getvalue().decode() == expected
    broken = text + ("" if last else end) + f"{WIN},10,25,{end}"
    assert (refusal(broken).line, refusal(broken.encode()).line) == (4, 4)


def test_blank_lines_are_left_out_and_counted() -> None:
    text = f"\n\n{HEADER}\n\n{WIN},10,20\n  \n\n{PUSH},10,10\n\n"
    assert settled(text) == settled(f"{HEADER}\n{WIN},10,20\n{PUSH},10,10\n")
    assert refusal(f"{text}{WIN},10,25\n").line == 10


def test_quoted_fields_come_out_as_they_were() -> None:
    notes = ['a "b"', "a,b", "two\nlines", "two\r\nlines", "a\rreturn", " blanks ", "", "=1+1"]
    source = io.StringIO(newline="")
    writer = csv.writer(source, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([*HEADER.split(","), "a, note"])
    writer.writerows(["Ah,7h", "Kc,Kd", "Qh,9h,2h,Ks,3c", "10", "20", note] for note in notes)
    out = settled(source.getvalue())
    assert [row["a, note"] for row in table(out)] == notes
    assert {row["hole"] for row in table(out)} == {"Ah,7h"}
    assert settled(source.getvalue().encode()) == out
    writer.writerow(["Ah,7h", "Kc,Kd", "Qh,9h,2h,Ks,3c", "10", "25", ""])
    # The lines before: the header, one a note, and one more for each of the three line ends within a field.
    assert refusal(source.getvalue()).line == 1 + len(notes) + 3 + 1


@given(
    cells=st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9), max_size=5)
)
def test_any_text_passes_through(cells: list[str]) -> None:
    source = io.StringIO(newline="")
    writer = csv.writer(source, quoting=csv.QUOTE_ALL)
    writer.writerow([*HEADER.split(","), "note"])
    writer.writerows(["Ah7h", "KcKd", "Qh9h2hKs3c", "10", "20", cell] for cell in cells)
    assert [row["note"] for row in table(settled(source.getvalue().encode()))] == cells


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ROUNDS.read_bytes()
    expected = settled(data)
    for block, piece in ((1, 100), (7, 64), (1000, 5000)):
        monkeypatch.setattr(files, "_BLOCK_ROWS", block)
        monkeypatch.setattr(files, "_PIECE", piece)
        assert settled(data) == expected
        assert refusal(data + f"{WIN},river,10,25,\n".encode()).line == 1002


def test_progress_is_told_in_bytes() -> None:
    data = ROUNDS.read_bytes() + b"\n" * 5
    told: list[tuple[int, int]] = []
    settle_csv(io.BytesIO(data), io.BytesIO(), progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (len(data), len(data))
    told.clear()
    settle_csv(Dripping(data, 10**6), io.BytesIO(), progress=lambda done, total: told.append((done, total)))
    assert not told


# ------------------------------------------------------------------------------------------------------------- bad rows

ROW_ERRORS = [
    ("1h Kd,Kc Kh,Qh 9h 2h Ks 3c,10,20", "hole", "'1h' is not a card"),
    ("As,Kc Kd,Qh 9h 2h Ks 3c,10,20", "hole", "1 card given, 2 needed"),
    # Nine cards in all, but not where they belong
    ("As,Kd Qc Jc,2c 3c 4c 5c 6c,10,20", "hole", "1 card"),
    ("As Ks Qs,Kd,2c 3c 4c 5c 6c,10,20", "hole", "3 cards"),
    ("As Ks,Kd,Jh 2c 3c 4c 5c 6c,10,20", "dealer", "1 card"),
    ("As Ks,Kd Kh Kc,2c 3c 4c 5c,10,20", "dealer", "3 cards"),
    (",As Ks Kd Kh,2c 3c 4c 5c 6c,10,20", "hole", "0 cards"),
    ("10h ,Kd Qc,2c3c4c5c6c7c  ,10,20", "hole", "1 card"),
    ("As Ks,Kd Kh,2c 3c 4c 5c,10,20", "board", "4 cards"),
    ("AKs,Kd Kh,2c 3c 4c 5c 6c,10,20", "hole", "'AK'"),
    ("As As,Kd Kh,2c 3c 4c 5c 6c,10,20", "hole", "As is given twice"),
    ("As Ks,Kd AS,2c 3c 4c 5c 6c,10,20", "dealer", "As is given twice"),
    ("As Ks,Kd Kh,2c 3c 4c 5c Kd,10,20", "board", "Kd is given twice"),
    ("As\x00Ks,Kd Kh,2c 3c 4c 5c 6c,10,20", "hole", "NUL"),
    (f"{WIN},ten,20", "ante", "'ten' is no decimal number"),
    (f"{WIN},10,", "play", "empty"),
    (f"{WIN}, ,20", "ante", "empty"),
    (f"{WIN},10,NaN", "play", "'NaN'"),
    (f"{WIN},inf,20", "ante", "'inf'"),
    (f"{WIN},10,1e400", "play", "'1e400'"),
    (f"{WIN},1e1,20", "ante", "'1e1'"),
    (f"{WIN},0x10,20", "ante", "'0x10'"),
    (f"{WIN},1_0,20", "ante", "'1_0'"),
    (f"{WIN},$10,20", "ante", "'$10'"),
    (f"{WIN},10,٢٠", "play", "'٢٠'"),
    (f'{WIN},"1,0",20', "ante", "'1,0'"),
    (f"{WIN},.,20", "ante", "'.'"),
    (f"{WIN},-,20", "ante", "'-'"),
    (f"{WIN},-10,20", "ante", "-10 is negative"),
    (f"{WIN},10,-20", "play", "-20 is negative"),
    (f"{WIN},10.5,20", "ante", "10.5 is no whole number of chips of 1"),
    (f"{WIN},10,25", "play", "25 on an Ante of 10"),
    (f"{WIN},10,50", "play", "50 on an Ante of 10"),
    (f"{WIN},9000000000000000000,9000000000000000000", "ante", "too large"),
    (f"{WIN},4000000000000000000,4000000000000000000", "ante", "too large"),
    (f"{WIN},{'9' * 30},20", "ante", "too large"),
    (f"{WIN},{'9' * 5000},20", "ante", "is no decimal number"),
    (f"{WIN},{'x' * 5000},20", "ante", "is no decimal number"),
    (f"{'x' * 5000},KcKd,Qh9h2hKs3c,10,20", "hole", "is not a card"),
    (f"{WIN},10,20,9", "blind", "9 is not the Ante of 10"),
    (f"{WIN},10,20,,-1", "trips", "negative"),
    (f"{WIN},10,20,,,5", "bad_beat", "no Bad Beat table"),
    (f"{WIN},10,20,,,,Flop", "street", "'Flop'"),
    (f"{WIN},10,20,,,,preflop", "play", "20 on an Ante of 10; the rules allow 3x or 4x before the flop"),
    (f"{WIN},10,0,,,,flop", "play", "0 is a fold"),
    (f"{WIN},10,20,,,,,,", None, "11 fields where the header has 10"),
    (f"{WIN},10", None, "4 fields where the header has 10"),
    ("x", None, "1 field where"),
    (f"{WIN},10,20,,,,,a\0b", "note", "NUL"),
]
OPTIONAL = ",blind,trips,bad_beat,street,note"


def padded(row: str) -> str:
    """A row of the needed columns with the optional ones left empty, if it has as many as the needed."""
    (cells,) = csv.reader([row])
    return row + "," * (10 - len(cells)) if 5 <= len(cells) < 10 else row


@pytest.mark.parametrize(("row", "column", "reason"), ROW_ERRORS)
def test_a_bad_row_is_named_by_line_and_column(row: str, column: str | None, reason: str) -> None:
    text = padded(row)
    good = padded(f"{WIN},10,20")
    for rows in ([good, "", text, f"{WIN},bad,20"], ['"Ah\n7h"' + good[5:], text]):
        error = refusal("\n".join([HEADER + OPTIONAL, *rows]))
        assert (error.line, error.column) == (4, column)
        assert reason in error.reason
        assert str(error) == f"line 4: {f'{column}: ' if column else ''}{error.reason}"


def test_amounts_in_messages_are_those_of_the_file() -> None:
    error = refusal(f"{HEADER}\n{WIN},0.10,0.25\n", unit="0.05")
    assert error.reason.startswith("0.25 on an Ante of 0.1; ")
    assert refusal(f"{HEADER}\n{WIN},0.12,0.24\n", unit="0.05").reason == "0.12 is no whole number of chips of 0.05"
    assert refusal(f"{HEADER}\n{WIN},0.10,0.201\n", unit="0.05").column == "play"


def test_bytes_that_are_no_text_are_named() -> None:
    good = f"{HEADER},note\n{WIN},10,20,é\n".encode()
    for cell, column in ((b"\xff", "note"), (b"\xc3", "note"), (b"\xed\xa0\x80", "note")):
        error = refusal(good + f"{WIN},10,20,".encode() + cell + b"\n")
        assert (error.line, error.column, error.reason) == (3, column, "not UTF-8 text")
    error = refusal(f"{HEADER}\n".encode() + b"A\xffs,Kc Kd,Qh 9h 2h Ks 3c,10,20\n")
    assert (error.line, error.column) == (2, "hole")
    error = refusal(b"\xff," + good)
    assert (error.line, error.column) == (1, None)
    for encoding in ("utf-16", "utf-16-le", "utf-32"):
        assert refusal(good.decode().encode(encoding)).line == 1


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, None, "the file is empty"),
        ("\n\n", 1, None, "the file is empty"),
        ("\ufeff", 1, None, "the file is empty"),
        ("hole,dealer,board,ante\n", 1, "play", "no such column"),
        ("\nHole,dealer,board,ante,play\n", 2, "hole", "no such column in the header, but 'Hole'"),
        ("hole;dealer;board;ante;play\n", 1, "hole", "semicolons where commas"),
        ("hole\tdealer\tboard\tante\tplay\n", 1, "hole", "tabs where commas"),
        (f"{HEADER},ante\n", 1, "ante", "twice"),
        (f"{HEADER}, note,note \n", 1, "note", "twice"),
        (f"{HEADER},,\n", 1, None, "two columns without a name"),
        (f"{HEADER},net\n", 1, "net", "the output has a column of its own with this name"),
        (f"{HEADER},player_hand\n", 1, "player_hand", "the output has"),
        (f"{HEADER},a\0b\n", 1, None, "the name of column 6: a NUL character"),
        (f"{WIN},10,20\n", 1, "hole", "no such column"),
        # What is no CSV
        (f'{HEADER}\n{WIN},10,"20\n', 2, None, "a quotation mark is not closed"),
        (f'{HEADER}\n\n{WIN},10,"20\n{WIN},10,20\n{WIN},10,20', 3, None, "a quotation mark is not closed"),
        (f'{HEADER}\n{WIN},10,"2"0\n', 2, None, "no CSV"),
        (f'{HEADER}\n{WIN},10,"20\n' + f"{WIN},10,20\n" * 5000, 2, None, "131,072 characters"),
        (f"{HEADER},{'x' * 200_000}\n", 1, None, "131,072 characters"),
        (f"{HEADER}\n{WIN},10,20\n{WIN},10,{'2' * 200_000}\n", 3, None, "131,072 characters"),
        (f"{HEADER}\n{WIN},10,{'2' * 3_000_000}\n", 2, None, "a line of more than 1,048,576 bytes"),
        (f"{HEADER}\n{WIN},10,20" + ',"\n"' * 600_000, 2, None, "a row of more than 1,048,576 bytes"),
    ],
)
def test_a_file_that_will_not_do(text: str, line: int, column: str | None, reason: str) -> None:
    for source in (text, text.encode()):
        error = refusal(source)
        assert (error.line, error.column) == (line, column)
        assert reason in error.reason


def test_a_bad_row_before_the_end_of_csv_comes_first() -> None:
    assert refusal(f'{HEADER}\n{WIN},10,25\n{WIN},10,"20\n').line == 2


def test_explanation_and_the_columns_of_bad_rows_are_taken_only_where_they_are_written() -> None:
    assert settled(f"{HEADER},explanation,line,reason\n")
    assert refusal(f"{HEADER},explanation\n", explain=True).column == "explanation"
    for name in ("line", "reason"):
        assert refusal(f"{HEADER},{name}\n", bad=io.StringIO()).column == name


@pytest.mark.parametrize("unit", ["", "0", "-1", "x", "1e2", "1/3", Fraction(1, 3), 0, -1, Decimal("NaN"), "1" * 40])
def test_a_unit_is_a_positive_decimal(unit: Any) -> None:
    with pytest.raises(ValueError, match="unit"):
        settled(HEADER, unit=unit)


@pytest.mark.parametrize(
    "unit", [Decimal("Infinity"), Decimal("1e-999999"), Decimal("1e999999"), "0." + "0" * 25 + "1"]
)
def test_a_unit_beyond_all_measure_is_refused(unit: Any) -> None:
    with pytest.raises(ValueError, match="unit"):
        settled(HEADER, unit=unit)


@pytest.mark.parametrize("options", [{"unit": 0.5}, {"unit": True}, {"unit": None}, {"rules": "standard"}])
def test_wrong_types(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        settled(HEADER, **options)


def test_the_error_keeps_its_place_when_it_is_pickled() -> None:
    error = pickle.loads(pickle.dumps(refusal(f"{HEADER}\n{WIN},10,25\n")))
    assert (error.line, error.column) == (2, "play")
    assert str(error).startswith("line 2: play: 25 on an Ante of 10")


# --------------------------------------------------------------------------------------------------- skipping bad rows


def test_bad_rows_go_where_they_are_wanted() -> None:
    text = (
        f"{HEADER},note\n{WIN},10,20,1\n{WIN},10,25,2\n\n{WIN},10\n{PUSH},10,10,3\n"
        f'{WIN},10,20,"a, ""b""",too many\n{WIN},x,20,"two\nlines"\n{WIN},10,20,4\n'
    ).encode()
    text += f"{WIN},10,20,".encode() + b"\xff\n"
    good, bad = io.BytesIO(), io.BytesIO()
    assert settle_csv(io.BytesIO(text), good, bad=bad) == Counts(3, 5)
    assert [row["note"] for row in table(good.getvalue().decode())] == ["1", "3", "4"]
    assert bad.getvalue().endswith(b",10,20,\xff\n")  # as it was
    rows = list(csv.reader(io.StringIO(bad.getvalue().decode("utf-8", "surrogateescape"), newline=""), strict=True))
    assert rows[0] == ["line", "reason", *HEADER.split(","), "note"]
    assert [row[0] for row in rows[1:]] == ["3", "5", "7", "8", "11"]
    assert rows[1][1].startswith("play: 25 on an Ante of 10")
    assert rows[2][1:] == ["4 fields where the header has 6", "Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c", "10"]
    assert rows[3][2:] == ["Ah 7h", "Kc Kd", "Qh 9h 2h Ks 3c", "10", "20", 'a, "b"', "too many"]
    assert rows[4][-1] == "two\nlines"
    assert rows[5][1] == "note: not UTF-8 text"


def test_what_is_no_csv_cannot_be_skipped() -> None:
    assert refusal(f'{HEADER}\n{WIN},10,"20\n', bad=io.StringIO()).line == 2


def test_every_row_may_be_bad() -> None:
    good, bad = io.StringIO(), io.StringIO()
    text = f"{HEADER}\n" + f"{WIN},10,25\n" * 5000
    assert settle_csv(io.StringIO(text), good, bad=bad) == Counts(0, 5000)
    assert good.getvalue() == f"{HEADER},{ADDED}\n"
    assert [row["line"] for row in table(bad.getvalue())] == [str(line) for line in range(2, 5002)]


# --------------------------------------------------------------------------------------------------------------- memory


class Endless(io.RawIOBase):
    """A stream of one block of bytes after another that counts what was read."""

    def __init__(self, first: bytes, parts: Iterable[bytes]) -> None:
        self._rest, self._parts, self.given = first, iter(parts), 0

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size:
            part = next(self._parts, b"")
            if not part:
                break
            self._rest += part
        data, self._rest = self._rest[:size], self._rest[size:]
        self.given += len(data)
        return data


def forever(part: bytes) -> Iterable[bytes]:
    while True:
        yield part


@pytest.mark.parametrize(
    ("first", "part"),
    [
        (b"", b"\0" * 4096),
        (f"{HEADER}\n".encode(), b"x" * 4096),
        (f"{HEADER}\n{WIN},10,".encode(), b"2" * 4096),
        (f"{HEADER}\n".encode(), b",".ljust(4096, b",")),
        (f'{HEADER}\n{WIN},10,"'.encode(), b"2\n" * 2048),
        (f"{HEADER}\n{WIN},10,20".encode(), b',"\n"' * 1024),
        (f"{HEADER}\n{WIN},10,20".encode(), b',"\r\r"' * 1024),
        (b"\xef\xbb\xbf", b"\xff" * 4096),
    ],
)
def test_a_row_without_an_end_is_refused_after_a_few_megabytes(first: bytes, part: bytes) -> None:
    source = Endless(first, forever(part))
    with pytest.raises(FileError) as caught:
        settle_csv(source, io.BytesIO())
    assert caught.value.line == 1 + first.count(b"\n")
    assert source.given <= 4 << 20


def peak(source: Endless, **options: Any) -> int:
    class Nowhere:
        def write(self, data: bytes) -> None:
            pass

    tracemalloc.start()
    try:
        settle_csv(source, Nowhere(), bad=Nowhere(), **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_file() -> None:
    header, _, body = ROUNDS.read_bytes().partition(b"\n")
    settled(header + b"\n" + body)  # what is made once is not counted

    def copies(count: int) -> Iterable[bytes]:
        # Amounts that never come twice, so that whatever remembers them would grow
        for n in range(count):
            yield b"".join(f"{WIN},river,{2 * i},{2 * i},\n".encode() for i in range(n * 1000, n * 1000 + 1000))

    head = b"hole,dealer,board,street,ante,play,trips\n"
    small, large = (peak(Endless(head, copies(count))) for count in (4, 16))
    assert large < 2 * small + (12 << 20)  # caches fill up; all rows alone would be more
    assert large < 48 << 20


@pytest.mark.parametrize(
    "row",
    [
        f"{WIN},10,20,".encode() + b",".join([b"x" * 100_000] * 9) + b"\n",  # long fields
        f"{WIN},10,20,".encode() + b"," * 900_000 + b"\n",  # many of them
        b"\n" * 50_000,
    ],
)
def test_memory_does_not_grow_with_long_rows(row: bytes) -> None:
    header = HEADER + "".join(f",{i}" for i in range(9)) + "\n"
    assert peak(Endless(header.encode(), [row] * 24)) < 64 << 20


# ---------------------------------------------------------------------------------------------------------------- files

ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONPATH")},
    "PYTHONIOENCODING": "utf-8",
}
GOOD = f"{HEADER}\n{WIN},10,20\n{PUSH},10,10\n".encode()
BAD = f"{HEADER}\n{WIN},10,20\n{PUSH},10,25\n".encode()


def run(*arguments: str, code: str | None = None, **options: Any) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("click")
    pytest.importorskip("rich")
    command = [sys.executable, *(["-m", "uteh"] if code is None else ["-c", code]), *arguments]
    settings = {"capture_output": True, "encoding": "utf-8", "env": ENVIRONMENT, "timeout": 120, **options}
    return subprocess.run(command, check=False, **settings)


def printed(*arguments: str, **options: Any) -> str:
    done = run(*arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*arguments: str, status: int = 2, **options: Any) -> str:
    """The line of a command that has to refuse, with nothing on stdout."""
    done = run(*arguments, **options)
    assert (done.returncode, done.stdout or "") == (status, "")
    assert done.stderr.startswith("uteh: ")
    assert done.stderr.count("\n") == 1
    return done.stderr[6:-1]


def contents(folder: Path) -> dict[str, bytes | None]:
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.csv").write_bytes(GOOD)
    (tmp_path / "bad.csv").write_bytes(BAD)
    return tmp_path


@pytest.mark.smoke
def test_files_and_streams_give_the_same(folder: Path) -> None:
    expected = settled(GOOD)
    assert printed("settle", "good.csv", cwd=folder) == expected
    assert printed("settle", "good.csv", "-o", "-", cwd=folder) == expected
    assert printed("settle", "-", input=GOOD.decode(), cwd=folder) == expected
    assert set(contents(folder)) == {"good.csv", "bad.csv"}
    assert printed("settle", "good.csv", "-o", "out.csv", cwd=folder) == ""
    assert printed("settle", "-", "--output", "too.csv", input=GOOD.decode(), cwd=folder) == ""
    assert (folder / "out.csv").read_bytes() == (folder / "too.csv").read_bytes() == expected.encode()
    assert set(contents(folder)) == {"good.csv", "bad.csv", "out.csv", "too.csv"}


def test_options_reach_the_work(folder: Path) -> None:
    (folder / "house.toml").write_text('breakage = "down"\n')
    (folder / "odd.csv").write_text(f"{HEADER}\n{WIN},7.5,7.5\n")
    out = printed("settle", "odd.csv", "--unit", "2.5", "--rules", "house.toml", "--explain", cwd=folder)
    expected = settled(
        (folder / "odd.csv").read_bytes(), unit="2.5", rules=replace(uteh.STANDARD, breakage="down"), explain=True
    )
    assert out == expected
    assert "use unit 1.25 or" in refused("settle", "odd.csv", "--unit", "2.5", cwd=folder)
    assert "'nowhere'" in refused("settle", "odd.csv", "--rules", "nowhere", cwd=folder)
    assert "unit: 'x'" in refused("settle", "odd.csv", "--unit", "x", cwd=folder)
    assert "FILE" in refused("settle", cwd=folder)


def test_a_bad_row_is_one_line_and_nothing_is_written(folder: Path) -> None:
    (folder / "out.csv").write_bytes(b"old")
    before = contents(folder)
    reason = "line 3: play: 25 on an Ante of 10; the rules allow"
    assert refused("settle", "bad.csv", cwd=folder).startswith(f"bad.csv: {reason}")
    assert refused("settle", "bad.csv", "-o", "out.csv", cwd=folder).startswith(f"bad.csv: {reason}")
    assert refused("settle", "bad.csv", "-o", "new.csv", cwd=folder).startswith(f"bad.csv: {reason}")
    assert refused("settle", "-", input=BAD.decode(), cwd=folder).startswith(f"stdin: {reason}")
    assert contents(folder) == before


def test_nothing_leaves_before_the_last_row_has_passed(folder: Path) -> None:
    # More than the spool keeps in memory
    text = GOOD + f"{WIN},10,20\n".encode() * 90_000
    expected = settled(text)
    assert len(expected) > files._SPOOL
    (folder / "long.csv").write_bytes(text + f"{WIN},10,25\n".encode())
    assert "long.csv: line 90004: play" in refused("settle", "long.csv", cwd=folder)
    done = run("settle", "-", input=text.decode(), cwd=folder)
    assert (done.returncode, done.stdout) == (0, expected)


def test_skip_bad(folder: Path) -> None:
    done = run("settle", "bad.csv", "--skip-bad", "skipped.csv", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "uteh: 1 of 2 rows are bad and went to skipped.csv\n")
    assert done.stdout == settled(f"{HEADER}\n{WIN},10,20\n")
    (row,) = table((folder / "skipped.csv").read_text("utf-8"))
    assert row["line"] == "3"
    assert row["reason"].startswith("play: 25 on")
    assert row["board"] == "Kd Jc 8s 5h 3d"
    # Without a bad row, nothing old is left in it.
    assert printed("settle", "good.csv", "--skip-bad", "skipped.csv", "-o", "out.csv", cwd=folder) == ""
    assert (folder / "skipped.csv").read_text("utf-8") == f"line,reason,{HEADER}\n"
    assert (folder / "out.csv").read_text("utf-8") == settled(GOOD)
    assert len(contents(folder)) == 4


@pytest.mark.parametrize(
    "options",
    [["--skip-bad", "bad.csv"], ["--skip-bad", "./new.csv", "-o", "new.csv"], ["--skip-bad", "sub/../bad.csv"]],
)
def test_bad_rows_need_a_file_of_their_own(folder: Path, options: list[str]) -> None:
    (folder / "sub").mkdir()
    before = contents(folder)
    assert "a file of their own" in refused("settle", "bad.csv", *options, cwd=folder)
    assert contents(folder) == before


def test_the_output_may_be_the_input(folder: Path) -> None:
    assert printed("settle", "good.csv", "-o", "good.csv", cwd=folder) == ""
    assert (folder / "good.csv").read_text("utf-8") == settled(GOOD)
    assert "bad.csv" in refused("settle", "bad.csv", "-o", "bad.csv", cwd=folder)
    assert (folder / "bad.csv").read_bytes() == BAD
    assert len(contents(folder)) == 2


@pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")
def test_links_and_modes_stay(folder: Path) -> None:
    (folder / "sub").mkdir()
    real = folder / "sub" / "real.csv"
    real.write_bytes(b"old")
    real.chmod(0o640)
    (folder / "link.csv").symlink_to(real)
    settle_file(str(folder / "good.csv"), str(folder / "link.csv"))
    assert (folder / "link.csv").is_symlink()
    assert real.read_text("utf-8") == settled(GOOD)
    assert real.stat().st_mode & 0o777 == 0o640
    old = os.umask(0o027)
    try:
        settle_file(str(folder / "good.csv"), str(folder / "new.csv"))
    finally:
        os.umask(old)
    assert (folder / "new.csv").stat().st_mode & 0o777 == 0o640
    assert os.listdir(folder / "sub") == ["real.csv"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["none.csv"], "none.csv: No such file"),
        (["sub"], "sub: "),
        (["good.csv", "-o", "sub"], "sub: not a regular file"),
        (["good.csv", "-o", "none/out.csv"], "none/out.csv: "),
        (["good.csv", "--skip-bad", "none/out.csv"], "none/out.csv: "),
        (["good.csv", "-o", "out.csv", "--skip-bad", "sub"], "sub: not a regular file"),
        (["good.csv", "-o", ""], "regular file"),
    ],
)
def test_files_that_cannot_be_opened_are_named(folder: Path, arguments: list[str], named: str) -> None:
    (folder / "sub").mkdir()
    before = contents(folder)
    assert named in refused("settle", *arguments, cwd=folder)
    assert contents(folder) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom modes bind")
def test_what_may_not_be_written_is_named(folder: Path) -> None:
    (folder / "out.csv").write_bytes(b"old")
    (folder / "out.csv").chmod(0o444)
    assert refused("settle", "good.csv", "-o", "out.csv", cwd=folder) == "out.csv: Permission denied"
    (folder / "sub").mkdir(0o555)
    assert refused("settle", "good.csv", "-o", "sub/out.csv", cwd=folder) == "sub/out.csv: Permission denied"


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs /dev/null")
def test_a_device_is_not_replaced(folder: Path) -> None:
    for option in ("-o", "--skip-bad"):
        assert "/dev/null: not a regular file" in refused("settle", "good.csv", option, "/dev/null", cwd=folder)
    assert not os.path.isfile("/dev/null")


class Full:
    """A file on a disk that is full after so many bytes."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self._room = file, room

    def __enter__(self) -> Full:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._file.write(data)


@pytest.mark.parametrize("room", [0, 200])
def test_a_full_disk_leaves_everything_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    def opened(name: str, mode: str) -> Any:
        file = open(name, mode)  # noqa: SIM115 - its user closes it
        return Full(file, room) if mode == "xb" else file

    monkeypatch.setattr(files, "open", opened, raising=False)
    (folder / "out.csv").write_bytes(b"old")
    before = contents(folder)
    for options in ({}, {"skip_bad": str(folder / "skipped.csv")}):
        with pytest.raises(OSError, match="No space left") as caught:
            settle_file(str(folder / "good.csv"), str(folder / "out.csv"), **options)
        assert caught.value.filename is None
        assert contents(folder) == before


def test_a_file_that_cannot_take_its_place_leaves_no_trace(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(old: str, new: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", old, None, new)

    monkeypatch.setattr(os, "replace", refuse)
    before = contents(folder)
    with pytest.raises(PermissionError) as caught:
        settle_file(str(folder / "good.csv"), str(folder / "out.csv"))
    assert caught.value.filename == str(folder / "out.csv")
    assert contents(folder) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        pipes = {"capture_output": False, "stdout": full, "stderr": subprocess.PIPE}
        line = refused("settle", "good.csv", cwd=folder, status=1, **pipes)
    assert line == "cannot write: No space left on device"


def test_a_source_that_cannot_be_read_is_named() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(FileError, match="line 1: cannot be read"):
        settle_csv(Broken(), io.BytesIO())


@pytest.mark.skipif(os.name != "posix", reason="a pipe whose reader is gone is EPIPE on POSIX")
def test_a_closed_pipe_ends_quietly(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run("settle", "good.csv", cwd=folder, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(os.name != "posix", reason="starts a process with stdin closed")
def test_stdin_that_is_closed_is_one_line() -> None:
    code = "import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, '-m', 'uteh', 'settle', '-'])"
    assert refused(code=code) == "stdin is closed"


@pytest.mark.skipif(os.name != "posix", reason="SIGINT as a terminal sends it")
@pytest.mark.parametrize("options", [[], ["-o", "out.csv"], ["-o", "out.csv", "--skip-bad", "skipped.csv"]])
def test_ctrl_c_leaves_no_trace(folder: Path, options: list[str]) -> None:
    # All rows have been settled and written to temporary files when the marker comes, and then nothing ends by itself.
    code = """
import sys, uteh.files, uteh.__main__
real = uteh.files.settle_csv
def settle_csv(*arguments, **options):
    counts = real(*arguments, **options)
    print("at work", file=sys.stderr, flush=True)
    while True:
        pass
uteh.files.settle_csv = settle_csv
sys.exit(uteh.__main__.main())
"""
    pytest.importorskip("click")
    pytest.importorskip("rich")
    before = contents(folder)
    command = [sys.executable, "-c", code, "settle", "good.csv", *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", "cwd": folder}
    with subprocess.Popen(command, env=ENVIRONMENT, **pipes) as process:
        assert process.stderr.readline() == "at work\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "uteh: interrupted\n")
    assert contents(folder) == before


def test_the_bar_ends_before_anything_goes_to_stdout(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdout:
        buffer = io.BytesIO()

        def flush(self) -> None:
            pass

    class Bar:
        told: list[tuple[int, int]]

        def __enter__(self) -> Callable[[int, int], object]:
            self.told = []
            return lambda done, total: self.told.append((done, total))

        def __exit__(self, *_: object) -> None:
            assert not Stdout.buffer.getvalue()

    monkeypatch.setattr(sys, "stdout", Stdout())
    bar = Bar()
    assert settle_file(str(folder / "good.csv"), bar=bar) == Counts(2, 0)
    assert bar.told[-1] == (len(GOOD), len(GOOD))
    assert Stdout.buffer.getvalue().decode() == settled(GOOD)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_read_once(folder: Path) -> None:
    pytest.importorskip("click")
    os.mkfifo(folder / "pipe")
    command = [sys.executable, "-m", "uteh", "settle", "pipe", "-o", "out.csv"]
    with subprocess.Popen(command, env=ENVIRONMENT, cwd=folder) as process:
        (folder / "pipe").write_bytes(GOOD)
        assert process.wait(timeout=120) == 0
    assert (folder / "out.csv").read_text("utf-8") == settled(GOOD)


# -------------------------------------------------------------------------------------------------------------- tables

TABLE_HEADER = "table,seat,hole,dealer,board,ante,play,trips,fund,fee,bank_fee"
TABLE_ADDED = f"{ADDED},returned,uncovered,bank_net"
DEAL = "Ah Ad,Kd 8c 5h 3s 2d"
GROSS = replace(uteh.STANDARD, fund_reading="gross")


def test_rows_of_a_table_are_settled_together() -> None:
    out = settled(
        f"{TABLE_HEADER}\nA,1,Qc 9c,{DEAL},10,40,0,100,0,1\nA,2,Ks 8d,{DEAL},20,80,,100,2,1\n"
        f"B,2,Ks 8d,{DEAL},20,80,,,,\n",
        rules=GROSS,
    )
    hands = '"two pair, kings and eights, 5","pair of aces, K 8 5",true'
    assert out.splitlines() == [
        f"{TABLE_HEADER},{TABLE_ADDED}",
        f'A,1,Qc 9c,{DEAL},10,40,0,100,0,1,lose,"high card, K Q 9 8 5","pair of aces, K 8 5",true,'
        "-10,-10,-40,0,0,-60,0,0,19",
        f"A,2,Ks 8d,{DEAL},20,80,,100,2,1,win,{hands},20,0,20,0,0,38,20,60,19",
        f"B,2,Ks 8d,{DEAL},20,80,,,,,win,{hands},20,0,80,0,0,100,0,0,-100",
    ]


def rows_of_tables(n: int, seed: int = 1) -> tuple[str, list[Any]]:
    """A file of n tables with backline wagers, funds and fees, and each of them settled by itself."""
    rnd = random.Random(seed)
    lines = ["seat,table,dealer,hole,board,note,ante,play,bad_beat,trips,fund,bank_fee,fee"]
    tables = []
    rules = uteh.Rules.named("california-bad-beat")
    for number in range(n):
        deal = uteh.deal_table(rnd.sample(range(52), 52), rnd.randint(1, 6))
        fund, bank_fee = rnd.choice([None, 0, rnd.randint(1, 200)]), rnd.randint(0, 3)
        seats = []
        for seat, hole in enumerate(deal.holes):
            wagers = []
            for _ in range(rnd.choice([1, 1, 1, 3])):
                ante = 2 * rnd.randint(1, 9)
                trips = rnd.randint(0, 3)
                wager = {
                    "ante": ante,
                    "play": ante * rnd.choice([0, 1, 2, 3, 4]),
                    "trips": trips,
                    "fee": rnd.randint(0, 2),
                }
                wager["bad_beat"] = rnd.randint(0, 2) if trips else 0
                wagers.append(wager)
                cards = [uteh.format_cards(cards) for cards in (deal.dealer, rnd.sample(hole, 2), deal.board)]
                amounts = [wager[name] for name in ("ante", "play", "bad_beat", "trips")]
                money = ["" if fund is None else fund, bank_fee, wager["fee"]]
                lines.append(",".join(map(str, [3 * seat + 1, f"T{number}", *cards, "x", *amounts, *money])))
            seats.append(uteh.Seat(hole, wagers))
        tables.append(uteh.settle_table(seats, deal.dealer, deal.board, fund=fund, bank_fee=bank_fee, rules=rules))
    return "\n".join(lines) + "\n", tables


@pytest.mark.parametrize("rows", [1, 7, 1 << 11])
def test_a_file_of_tables_is_its_tables_one_by_one(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Wherever the blocks of rows end."""
    monkeypatch.setattr(files, "_BLOCK_ROWS", rows)
    text, tables = rows_of_tables(150)
    rules = uteh.Rules.named("california-bad-beat")
    found = table(settled(text, rules=rules, explain=True))
    expected = [(each, wager) for each in tables for wagers in each.seats for wager in wagers]
    assert len(found) == len(expected)
    for row, (each, wager) in zip(found, expected, strict=True):
        assert [int(row[f"{bet}_net"]) for bet in BETS] == [getattr(wager, bet) for bet in BETS]
        assert [int(row[name]) for name in ("net", "returned", "uncovered")] == [
            wager.net,
            wager.returned,
            wager.uncovered,
        ]
        assert int(row["bank_net"]) == each.bank_net
        assert row["result"] == str(wager.result)
        assert row["explanation"] == "; ".join(wager.lines)


def test_a_bad_row_spoils_its_table() -> None:
    text, tables = rows_of_tables(40)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split(",")[1] == "T7")
    of_table = [i for i, line in enumerate(lines) if line.split(",")[1] == "T7"]
    cells = lines[of_table[-1]].split(",")
    cells[6] = "-5"
    lines[of_table[-1]] = ",".join(cells)
    text = "\n".join(lines)
    rules = uteh.Rules.named("california-bad-beat")
    error = refusal(text, rules=rules)
    assert (error.line, error.column) == (of_table[-1] + 1, "ante")
    out, bad = io.StringIO(), io.StringIO()
    counts = settle_csv(io.StringIO(text), out, bad=bad, rules=rules)
    wagers = sum(len(wagers) for each in tables for wagers in each.seats)
    assert counts == Counts(wagers - len(of_table), len(of_table))
    reasons = {int(row["line"]): row["reason"] for row in table(bad.getvalue())}
    assert sorted(reasons) == [i + 1 for i in of_table]
    assert reasons.pop(of_table[-1] + 1).startswith("ante: ")
    assert set(reasons.values()) <= {f"table: another row of it is bad, in line {of_table[-1] + 1}"}
    nets = [int(row["bank_net"]) for row in table(out.getvalue())]
    assert nets == [each.bank_net for i, each in enumerate(tables) if i != 7 for w in each.seats for _ in w]
    assert at == of_table[0]


@pytest.mark.parametrize(
    ("rows", "line", "column", "reason"),
    [
        ([f"A,1,Qc 9c,{DEAL},10,40", f"A,2,Ks 8d,Ah As,{DEAL[6:]},20,80"], 3, "dealer", "not that of line 2"),
        ([f"A,1,Qc 9c,{DEAL},10,40", "A,2,Ks 8d,Ah Ad,Kd 8c 5h 2d 3s,20,80"], 3, "board", "not that of line 2"),
        ([f"A,2,Qc 9c,{DEAL},10,40", f"A,1,Ks 8d,{DEAL},20,80"], 3, "seat", "1 comes after 2"),
        ([f"A,2,Qc 9c,{DEAL},10,40", f"A,2,Ks 8d,{DEAL},20,80"], 3, "hole", "not that of line 2, which has"),
        ([f"A,1,Qc 9c,{DEAL},10,40", f"A,2,9c Qc,{DEAL},20,80"], 3, "hole", "9c is given twice: here and in line 2"),
        ([f"A,1,Qc 9c,{DEAL},10,40", f"A,2,Ks 9c,{DEAL},20,80"], 3, "hole", "9c is given twice: here and in line 2"),
        ([f"A,x,Qc 9c,{DEAL},10,40"], 2, "seat", "'x' is no whole number"),
        ([f"A,,Qc 9c,{DEAL},10,40"], 2, "seat", "empty"),
        ([f"A,1,Qc 9c,{DEAL},10,45"], 2, "play", "45 on an Ante of 10"),
        ([f"A,1,Qc 9c,{DEAL},10,40", "A,2"], 3, None, "2 fields where the header has 7"),
        (
            [f"A,1,Qc 9c,{DEAL},10,40", f"B,1,Qc 9c,{DEAL},10,40", f"A,2,Ks 8d,{DEAL},20,80"],
            4, "table", "the rows of a table follow one another; it was there in line 2",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_table_is_named(rows: list[str], line: int, column: str | None, reason: str) -> None:
    error = refusal("\n".join(["table,seat,hole,dealer,board,ante,play", *rows]))
    assert (error.line, error.column) == (line, column)
    assert error.reason.startswith(reason)


@pytest.mark.parametrize(
    ("cells", "column", "reason"),
    [
        (["100,0,0", "90,0,0"], "fund", "not that of line 2"),
        (["100,0,0", ",0,0"], "fund", "not that of line 2"),
        (["100,0,1", "100,0,0"], "bank_fee", "not that of line 2"),
        (["100,0,0", "100,-1,0"], "fee", "-1 is negative"),
        (["100,0,0", "100,99999999999999999,0"], "fee", "99999999999999999 is too large"),
        (["100,0,0", "1.5,0,0"], "fund", "1.5 is no whole number of chips of 1"),
    ],
)
def test_funds_and_fees_that_are_wrong_are_named(cells: list[str], column: str, reason: str) -> None:
    rows = [f"A,1,Qc 9c,{DEAL},10,40,0,{cells[0]}", f"A,2,Ks 8d,{DEAL},20,80,0,{cells[1]}"]
    error = refusal("\n".join([TABLE_HEADER, *rows]))
    assert (error.line, error.column) == (3, column)
    assert error.reason.startswith(reason)


def test_a_row_that_is_too_short_for_a_table_belongs_to_the_one_before() -> None:
    """The rows after it are not settled as a table of their own."""
    rows = [f"A,1,Qc 9c,{DEAL},10,40", "x", f"A,3,Ks 8d,{DEAL},20,80", "", f"B,1,Ks 8d,{DEAL},20,80"]
    out, bad = io.StringIO(), io.StringIO()
    text = "\n".join(["hole,seat,table,dealer,board,ante,play", *(",".join(swap(row)) for row in rows)])
    assert settle_csv(io.StringIO(text), out, bad=bad) == Counts(1, 3)


def swap(row: str) -> list[str]:
    name, *rest = row.split(",")
    return [row] if not rest else [rest[1], rest[0], name, *rest[2:]]


def test_a_fund_needs_tables_and_seats() -> None:
    error = refusal(f"table,fund,{HEADER}\nA,10,{WIN},10,20\n")
    assert (error.line, error.column) == (1, "seat")
    # Without a fund, a column called table is one among others.
    assert settled(f"table,{HEADER}\nA,{WIN},10,20\n").startswith(f"table,{HEADER},{ADDED}\n")


def test_halves_of_a_chip_and_tables() -> None:
    row = f"A,1,Ks 8d,{DEAL},7.5,30,,10.25,0.25,0.75"
    out = table(settled(f"{TABLE_HEADER}\n{row}\n", unit="0.25", explain=True))
    assert (out[0]["net"], out[0]["bank_net"], out[0]["uncovered"]) == ("10", "-11", "27.25")
    assert "Play 30 wins 2.75 of 30" in out[0]["explanation"]
