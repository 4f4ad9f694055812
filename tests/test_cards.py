"""Cards as text and ids: the one policy for reading them, and the errors that name what is wrong."""

import array
import itertools
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uteh

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
UNICODE = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}

hands = st.lists(st.integers(0, 51), unique=True, max_size=52)


@pytest.mark.smoke
def test_every_card_has_its_id():
    assert uteh.parse_cards(DECK) == tuple(range(52))
    assert uteh.parse_cards("".join(DECK)) == tuple(range(52))
    assert uteh.format_cards(range(52)) == " ".join(DECK)
    assert uteh.parse_cards("As Kd") == (51, 45)
    assert uteh.format_cards((51, 45)) == "As Kd"


@st.composite
def written(draw):
    """A list of ids, and one of the ways to write it."""
    ids = draw(hands)
    parts = []
    for card in ids:
        rank, suit = RANKS[card // 4], SUITS[card % 4]
        rank = draw(st.sampled_from([rank, rank.lower(), *(["10"] if rank == "T" else [])]))
        tail = draw(st.sampled_from(["", "\ufe0e", "\ufe0f"]))
        suit = draw(st.sampled_from([suit, suit.upper(), *(s + tail for s in UNICODE[suit])]))
        parts.append(rank + suit)
    separators = st.sampled_from(["", " ", "  ", ",", ", ", " , ", "\t", "\n"])
    text = "".join(itertools.chain.from_iterable((draw(separators) if i else "", part) for i, part in enumerate(parts)))
    blanks = st.sampled_from(["", " ", "\t "])
    return ids, draw(blanks) + text + draw(blanks)


@given(written())
def test_every_way_to_write_cards(case):
    ids, text = case
    assert uteh.parse_cards(text) == tuple(ids)


@given(hands)
def test_text_and_ids_round_trip(ids):
    text = uteh.format_cards(ids)
    assert uteh.parse_cards(text) == tuple(ids)
    assert uteh.parse_cards([DECK[card] for card in ids]) == tuple(ids)
    assert uteh.format_cards(text) == text


@pytest.mark.parametrize(
    "sequence",
    [
        (51, "Kd"),
        [51, 45],
        np.array([51, 45], dtype=np.int16),
        np.array([51, 45], dtype=np.uint8)[::1],
        np.array([[51, 0], [45, 0]])[:, 0],
        np.array(["As", "Kd"]),
        [np.uint8(51), np.int64(45)],
        array.array("i", [51, 45]),
        [np.str_("As"), "K♦"],
    ],
    ids=lambda s: type(s).__name__,
)
def test_sequences_of_ids_and_texts(sequence):
    assert uteh.parse_cards(sequence) == (51, 45)


# Each text with the part of it that the message has to quote.
BAD_TEXTS = {
    "1h": "1h",
    "Qx": "Qx",
    "AsQx7c": "Qx",
    "K": "K",
    "Kdd": "d",
    "Kd d": "d",
    "A s": "A",
    "AKs": "AK",
    "11h": "11h",
    "10": "10",
    "100h": "100",
    "As;Kd": ";",
    "As-Kd": "-Kd",
    "As\x00Kd": "\\x00",
    "XX": "XX",
    "joker": "jo",
    "As\N{NO-BREAK SPACE}Kd": "\\xa0",
    "A\ufe0f": "A",
    "🂡": "🂡",
    "Ａs": "Ａs",
    ",As": ",",
    "As,": ",",
    "As,,Kd": ",",
    "As, ,Kd": ",",
    "\ud800As": "\\ud800",
    "A\ud800": "\\ud800",
    "A" * 10_000_000: "AA",
    "x" * 10_000_000: "xxxxxxxxxxxxxxxx",
}


@pytest.mark.parametrize("text", BAD_TEXTS, ids=lambda t: ascii(t[:12]))
def test_bad_text_is_named(text):
    with pytest.raises(uteh.CardError) as caught:
        uteh.parse_cards(text)
    assert BAD_TEXTS[text] in str(caught.value)
    assert len(str(caught.value)) < 200
    assert isinstance(caught.value, ValueError)
    with pytest.raises(uteh.CardError) as caught:
        uteh.odds("2c 2d", text)
    assert str(caught.value).startswith("board: ")


@given(st.text(max_size=12))
def test_no_text_is_read_wrongly(text):
    """Whatever is accepted says the same cards when its characters are mapped to plain ones."""
    try:
        ids = uteh.parse_cards(text)
    except uteh.CardError:
        return
    plain = text.replace("\ufe0e", "").replace("\ufe0f", "").replace("10", "T").upper()
    for suit, signs in UNICODE.items():
        for sign in signs:
            plain = plain.replace(sign, suit.upper())
    assert "".join(c for c in plain if c not in " \t\n\r,") == "".join(DECK[card].upper() for card in ids)


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ([52], "52"),
        ([-1], "-1"),
        ([10**30], "large"),
        ([-(10**30)], "large"),
        ([10**4000 * 10**4000], "large"),
        (np.array([300]), "300"),
        (["As", "AsKd"], "AsKd"),
        (["As", ""], "''"),
        ([0, 51, 0], "2c is given twice, as card 1 and card 3"),
        ("As kd AS", "As is given twice, as card 1 and card 3"),
        (["As", 51], "As is given twice"),
        ([0] * 1000, "52"),
        ([*range(52), 0], "2c is given twice"),
        ("2c" * 60, "53"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_bad_cards_are_named(cards, named):
    with pytest.raises(uteh.CardError, match=r".") as caught:
        uteh.parse_cards(cards)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "cards",
    [None, 3, 3.5, True, b"AsKd", bytearray(b"As"), memoryview(b"As"), {51}, {51: 1}, [None], [3.0], [True], [b"As"],
     [[51]], [np.bool_(True)], [np.float64(3)], np.array([1.0]), np.array([True]), np.array([[51, 45]]), np.array(51),
     iter([51]), (card for card in [51]), object(), [object()]],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_other_types_are_type_errors(cards):
    with pytest.raises(TypeError) as caught:
        uteh.parse_cards(cards)
    assert "card" in str(caught.value)


class Fickle:
    """A sequence whose items change its own length and raise."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        item = self.items[i]
        if isinstance(item, Exception):
            raise item
        return item


def test_sequences_that_misbehave():
    assert uteh.parse_cards(Fickle([51, 45])) == (51, 45)
    with pytest.raises(ZeroDivisionError):
        uteh.parse_cards(Fickle([51, ZeroDivisionError()]))

    class Index:
        def __index__(self):
            raise RuntimeError("no index")

    with pytest.raises(RuntimeError):
        uteh.parse_cards([Index()])

    shrinking = list(range(7))

    class Shrink:
        def __index__(self):
            shrinking.clear()
            return 9

    shrinking[3] = Shrink()
    with pytest.raises(uteh.CardError):
        uteh.evaluate(shrinking)


def test_parse_many():
    rows = uteh.parse_many(["AsKd", "7c 7h", (0, "3♣")])
    assert rows.dtype == np.uint8
    assert rows.tolist() == [[51, 45], [20, 22], [0, 4]]
    assert rows.flags.writeable
    assert uteh.parse_many([]).shape == (0, 0)
    assert uteh.parse_many(["", ""]).shape == (2, 0)
    assert uteh.parse_many(text for text in ["As", "Kd"]).tolist() == [[51], [45]]
    assert uteh.parse_many(rows).tolist() == rows.tolist()


@pytest.mark.parametrize(
    ("rows", "row", "named"),
    [
        (["AsKd", "AsXx"], 1, "Xx"),
        (["AsKd", "7c7h", "AsAs"], 2, "As is given twice"),
        (["AsKd", "7c"], 1, "1 cards, but row 0 has 2"),
        (["1s"], 0, "1s"),
    ],
)
def test_parse_many_names_the_row(rows, row, named):
    with pytest.raises(uteh.CardError) as caught:
        uteh.parse_many(rows)
    assert caught.value.row == row
    assert f"row {row}: " in str(caught.value)
    assert named in str(caught.value)


def test_parse_many_types():
    for rows in ("AsKd", b"AsKd", None, 3):
        with pytest.raises(TypeError):
            uteh.parse_many(rows)
    with pytest.raises(TypeError) as caught:
        uteh.parse_many(["As", None])
    assert caught.value.row == 1


def test_parsing_from_many_threads():
    """The same text from eight threads at once; the module has no state to race for."""
    texts = [" ".join(DECK[(i * 7 + j * 3) % 52] for j in range(7)) for i in range(52)]
    expected = [uteh.evaluate(text) for text in texts]
    results = [None] * 8
    start = threading.Barrier(8)

    def work(k):
        start.wait()
        results[k] = [[uteh.evaluate(text) for text in texts] for _ in range(20)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(row == expected for result in results for row in result)
