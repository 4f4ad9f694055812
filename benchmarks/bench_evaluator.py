"""Hand strengths: one hand from Python, beside other packages, and arrays of hands on every path of the kernels.

Every package gets its cards in the form it likes best: ids, its own card objects made beforehand, or text. Before
anything is timed, each has to put the same hands in the same order. No other package takes an array of hands; pokerfast
has a C function for it, which its own Python code calls through ctypes, and that is what is timed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from common import Case, batch, optional, random_rows, time_with

import uteh
from uteh import _eval

HANDS = 2_000
ROWS = 1 << 22

Peer = tuple[str, Callable[..., int], list[tuple[Any, ...]], bool]


def peers(texts: list[list[str]]) -> Iterator[Peer]:
    """Name, function, arguments of each call, and whether lower is better."""
    if pkrbot := optional("pkrbot"):
        cards = [[pkrbot.Card(card) for card in hand] for hand in texts]
        yield "pkrbot.evaluate, cards", pkrbot.evaluate, [(hand,) for hand in cards], False
        split = [([card.rank for card in hand], [card.suit for card in hand]) for hand in cards]
        yield "pkrbot.evaluate, ranks and suits", pkrbot.evaluate, split, False
        yield (
            "pkrbot.evaluate, text",
            lambda hand: pkrbot.evaluate([pkrbot.Card(card) for card in hand]),
            [(hand,) for hand in texts],
            False,
        )
    if eval7 := optional("eval7"):
        cards = [[eval7.Card(card) for card in hand] for hand in texts]
        yield "eval7.evaluate, cards", eval7.evaluate, [(hand,) for hand in cards], False
        yield (
            "eval7.evaluate, text",
            lambda hand: eval7.evaluate([eval7.Card(card) for card in hand]),
            [(hand,) for hand in texts],
            False,
        )
    if phevaluator := optional("phevaluator"):
        ids = [tuple(uteh.parse_cards(hand)) for hand in texts]  # the same ids
        yield "phevaluator.evaluate_cards, ids", phevaluator.evaluate_cards, ids, True
        yield "phevaluator.evaluate_cards, text", phevaluator.evaluate_cards, [tuple(hand) for hand in texts], True
    if holdem_hand_evaluator := optional("holdem_hand_evaluator"):
        yield (
            "holdem_hand_evaluator.evaluate_hand, text",
            holdem_hand_evaluator.evaluate_hand,
            [("".join(hand),) for hand in texts],
            False,
        )
    if treys := optional("treys"):
        evaluate, new = treys.Evaluator().evaluate, treys.Card.new
        cards = [[new(card) for card in hand] for hand in texts]
        yield "treys.Evaluator.evaluate, cards", evaluate, [(hand[:5], hand[5:]) for hand in cards], True
        yield (
            "treys.Evaluator.evaluate, text",
            lambda hand: evaluate([new(card) for card in hand[:5]], [new(card) for card in hand[5:]]),
            [(hand,) for hand in texts],
            True,
        )


def same_order(strengths: np.ndarray, scores: np.ndarray) -> bool:
    """Whether scores are higher, equal or lower exactly where strengths are."""
    by_strength = np.argsort(strengths, kind="stable")
    steps = np.diff(strengths[by_strength].astype(np.int64))
    return bool(np.array_equal(np.sign(steps), np.sign(np.diff(scores[by_strength]))))


def cases() -> list[Case]:
    rows = {width: random_rows(ROWS, width) for width in (5, 6, 7)}
    ids = rows[7][:HANDS].tolist()
    texts = [uteh.format_cards(hand).split() for hand in ids]
    strengths = np.array([uteh.evaluate(hand) for hand in ids])
    joined = [("".join(hand),) for hand in texts]
    assert [uteh.evaluate(*text) for text in joined] == strengths.tolist()

    by_ids, by_text = "uteh.evaluate, ids", "uteh.evaluate, text"
    found = [
        Case(by_ids, batch(uteh.evaluate, [(hand,) for hand in ids]), HANDS),
        Case(by_text, batch(uteh.evaluate, joined), HANDS),
    ]
    for name, function, arguments, lower_is_better in peers(texts):
        scores = np.array([function(*one) for one in arguments], dtype=np.int64)
        assert same_order(strengths, -scores if lower_is_better else scores), f"{name} puts hands in another order"
        against = by_text if name.endswith("text") else by_ids
        found.append(Case(name, batch(function, arguments), HANDS, against))

    return found + arrays(rows)


def arrays(rows: dict[int, np.ndarray]) -> list[Case]:
    """Arrays with `out=` given and touched: the call as it is, then the other paths of this machine, then pokerfast."""
    out = np.zeros(ROWS, dtype=np.uint16)
    used = uteh.cpu_features()["path"]
    found = []
    for width, hands in rows.items():
        first = [uteh.evaluate(hand) for hand in hands[:HANDS].tolist()]
        for check in (True, False):
            assert uteh.evaluate_many(hands[:HANDS], check=check).tolist() == first
            name = f"uteh.evaluate_many, {width} cards, {used}{'' if check else ', check=False'}"
            found.append(
                Case(name, lambda hands=hands, check=check: uteh.evaluate_many(hands, out=out, check=check), ROWS)
            )
    for path in uteh.cpu_features()["available"]:
        if path == used:
            continue
        for check in (True, False):
            name = f"the same kernels, 7 cards, {path}{'' if check else ', no check'}"
            found.append(Case(name, lambda path=path, check=check: on_path(rows[7], out, path, check), ROWS))
    if (rank := pokerfast()) is not None:
        scores = np.zeros(ROWS, dtype=np.uint16)
        rank(rows[7], scores)
        assert same_order(uteh.evaluate_many(rows[7]), scores), "pokerfast puts hands in another order"
        against = f"uteh.evaluate_many, 7 cards, {used}, check=False"
        found.append(Case("pokerfast's pf_evaluate, 7 cards", lambda: rank(rows[7], scores), ROWS, against))
    return found


def on_path(hands: np.ndarray, out: np.ndarray, path: str, check: bool) -> None:
    """What evaluate_many does, on a path that is not the one in use."""
    if check:
        assert _eval.check_rows(hands, hands.shape[1], 0, len(hands), path) == len(hands)
    _eval.strengths(hands, hands.shape[1], out, 0, len(hands), path)


def pokerfast() -> Callable[[np.ndarray, np.ndarray], object] | None:
    """pokerfast's C function on arrays, or None where it is not installed or has changed: it is no public one."""
    if (equity := optional("pokerfast.equity")) is None:
        return None
    try:
        library = equity._load()
        function = library.pf_evaluate
    except (AttributeError, OSError, RuntimeError):
        return None
    text, number = ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint16)
    return lambda hands, out: function(
        ctypes.cast(hands.ctypes.data, text), len(hands), hands.shape[1], ctypes.cast(out.ctypes.data, number)
    )


def test_speed(benchmark, case):
    time_with(benchmark, case)
