"""Names of cards: ids as text, and many texts as an array. Reading one text or sequence is `parse_cards`, in the
compiled module."""

from __future__ import annotations

from ._eval import parse_cards, parse_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Cards = str | Sequence[int | str] | NDArray[np.integer]

__all__ = ["format_cards", "parse_cards", "parse_many"]

_TEXT = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def format_cards(cards: Cards) -> str:
    """Cards as text: rank upper case, suit lower case, one blank between.

    Parameters
    ----------
    cards : str or sequence of int or str
        Anything that `parse_cards` takes.

    Raises
    ------
    CardError
        A ValueError that names what is no card, or a card given twice.
    TypeError
        Something that is neither text nor a sequence of ids and texts.

    Examples
    --------
    >>> format_cards((51, 45))
    'As Kd'
    >>> format_cards("10H,jc")
    'Th Jc'
    """
    return " ".join([_TEXT[card] for card in parse_cards(cards)])


def parse_many(hands: Iterable[Cards]) -> NDArray[np.uint8]:
    """The ids of many hands of equally many cards.

    Parameters
    ----------
    hands : iterable of str or sequence of int or str
        One entry a row; each is anything that `parse_cards` takes.

    Returns
    -------
    ndarray of uint8, shape (n, k)
        (0, 0) where there are no hands.

    Raises
    ------
    CardError
        A ValueError that names row and card: no such card, a card twice in a row, or a row of another length than row
        0. The row, from 0, is in `.row`.
    TypeError
        An entry that is neither text nor a sequence.

    Examples
    --------
    >>> parse_many(["AsKd", "7c 7h"])
    array([[51, 45],
           [20, 22]], dtype=uint8)
    """
    ids, rows, width = parse_rows(hands)

    import numpy as np

    # frombuffer over a bytearray is writable, and the array keeps the bytearray alive.
    return np.frombuffer(ids, dtype=np.uint8).reshape(rows, width)
