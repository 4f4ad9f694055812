"""Settling rounds: one at a time, from arrays by the columns asked for, whole tables, and CSV where that is there."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import numpy as np
from common import Case, batch, optional, random_rows, time_with

import uteh

SINGLE = 1_000
ROWS = 500_000
LINES = 100_000
# Columns, and check=.
COLUMNS = {
    "net": (("net",), True),
    "net, check=False": (("net",), False),
    "result": (("result",), True),
    "each bet and net": (("ante", "blind", "play", "trips", "bad_beat", "net"), True),
    "all columns": (None, True),
}


def cases() -> list[Case]:
    rows = random_rows(ROWS, 9)
    play = np.random.default_rng(1).choice(np.array([0, 10, 20, 30, 40]), ROWS)
    amounts = {"ante": 10, "trips": 10}
    hands = [(row[:2], row[2:4], row[4:]) for row in rows[:SINGLE].tolist()]
    plays = play[:SINGLE].tolist()

    def one(hole, dealer, board, bet):
        return uteh.settle(hole, dealer, board, play=bet, **amounts)

    rounds = [(*hand, bet) for hand, bet in zip(hands, plays, strict=True)]
    settled = [one(*arguments) for arguments in rounds]
    assert uteh.settle_many(rows[:SINGLE], play=plays, **amounts).net.tolist() == [each.net for each in settled]
    found = [
        Case("uteh.settle", batch(one, rounds), SINGLE),
        Case("uteh.settle, with .lines", batch(lambda *a: one(*a).lines, rounds), SINGLE),
    ]
    for name, (columns, check) in COLUMNS.items():
        out = uteh.settle_many(rows, play=play, columns=columns, **amounts)
        found.append(
            Case(
                f"uteh.settle_many, {name}",
                lambda columns=columns, check=check, out=out: uteh.settle_many(
                    rows, play=play, columns=columns, check=check, out=out, **amounts
                ),
                ROWS,
            )
        )
    return found + table_cases() + csv_cases(rows[:LINES], play[:LINES], amounts)


def table_cases() -> list[Case]:
    """Six seats against a player-dealer: without a fund, and with one that runs out at half of the tables."""
    tables, seats = ROWS // 6, 6
    rows = random_rows(tables, 19)
    rng = np.random.default_rng(2)
    ante = rng.integers(1, 10, (tables, seats)) * 2
    given = {
        "holes": np.ascontiguousarray(rows[:, :12]).reshape(tables, seats, 2),
        "dealers": np.ascontiguousarray(rows[:, 12:14]),
        "boards": np.ascontiguousarray(rows[:, 14:]),
        "ante": ante,
        "play": ante * rng.integers(0, 5, (tables, seats)),
        "trips": rng.integers(0, 3, (tables, seats)),
    }
    found = []
    for name, fund in (("without a fund", None), ("with a fund", 100)):
        for columns in (("net", "bank_net"), None):
            out = uteh.settle_tables(**given, fund=fund, columns=columns)
            found.append(
                Case(
                    f"uteh.settle_tables, a seat, {name}, {'all columns' if columns is None else ', '.join(columns)}",
                    lambda fund=fund, columns=columns, out=out: uteh.settle_tables(
                        **given, fund=fund, columns=columns, out=out
                    ),
                    tables * seats,
                )
            )
    return found


def csv_cases(rows: np.ndarray, play: np.ndarray, amounts: dict[str, int]) -> list[Case]:
    """`uteh settle` on a file, in this process: reading, settling and writing."""
    cli = optional("uteh.cli")
    if cli is None or "settle" not in cli.commands.commands:
        return []
    folder = tempfile.TemporaryDirectory()
    source, target = Path(folder.name, "rounds.csv"), Path(folder.name, "settled.csv")
    with source.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["hole", "dealer", "board", "ante", "play", "trips"])
        for row, bet in zip(rows.tolist(), play.tolist(), strict=True):
            cards = (uteh.format_cards(part).replace(" ", "") for part in (row[:2], row[2:4], row[4:]))
            writer.writerow([*cards, amounts["ante"], bet, amounts["trips"]])

    def settle_file(folder=folder):  # which keeps the folder as long as the case
        assert cli.main(["settle", str(source), "-o", str(target)]) == 0

    settle_file()
    with target.open(newline="") as file:
        nets = [float(line["net"]) for line in csv.DictReader(file)]
    assert nets == uteh.settle_many(rows, play=play, columns=["net"], **amounts).net.tolist()
    return [Case("uteh settle rounds.csv", settle_file, len(rows), "uteh.settle_many, all columns")]


def test_speed(benchmark, case):
    time_with(benchmark, case)
