"""Arrays in and out: dtypes, shapes, strides and `out=`, and errors that name the row. The only file that imports NumPy
at its top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _eval, _work
from .errors import CardError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from .results import ColumnsResult


def card_rows(cards: Any, widths: Sequence[int], name: str = "cards") -> NDArray[np.uint8]:
    """Rows of card ids as uint8 in C order; a copy only where the caller's array is something else.

    Wider integers are checked before they are narrowed, so that no id can wrap into a legal one. Ids and repeats within
    uint8 are left to `check_rows`.
    """
    array = integers(cards, name)
    allowed = " or ".join(str(width) for width in widths)
    if array.ndim != 2 or array.shape[1] not in widths:
        raise ValueError(f"{name} has the shape {array.shape}; (n, {allowed}) is needed")
    if array.dtype != np.uint8:
        bad = (array < 0) | (array > 51)
        if bad.any():
            row, column = (int(i) for i in np.argwhere(bad)[0])
            raise row_error(f"column {column}: {array[row, column]} is not a card id (0 to 51)", row)
    return np.ascontiguousarray(array, dtype=np.uint8)


NO_CARD = 255  # an empty place in rows of known cards, where there may be one


def known_cards(
    values: Any, name: str, place: str, widths: range, padded: bool = False
) -> tuple[NDArray[np.uint8], int, bool]:
    """Cards of a place as (ids, cards a row, whether there are rows).

    Rows of ids are as `card_rows` makes them; one set of cards for all rows is None, text, or a sequence of ids and
    texts.
    """
    needed = f"{widths[0]} to {widths[-1]}" if len(widths) > 1 else f"{widths[0]}"
    try:
        array = np.asarray("" if values is None else values)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name}: {error}") from None
    if array.ndim < 2:
        if hasattr(values, "dtype"):
            integers(values, name)
        try:
            ids = np.array(_eval.parse_cards("" if values is None else values), dtype=np.uint8)
        except (CardError, TypeError) as error:
            hint = "; rows of texts are read by parse_many" if "is not one card" in str(error) else ""
            raise type(error)(f"{name}: {error}{hint}") from None
        if len(ids) not in widths:
            hint = f"; one a row has the shape (n, 1) and not ({len(ids)},)" if 1 in widths and array.ndim else ""
            raise CardError(f"{name}: {len(ids)} cards given, {needed} needed{hint}")
        return ids, len(ids), False
    if array.size == 0 and not hasattr(values, "dtype"):
        array = array.astype(np.uint8)  # lists of nothing have no type
    elif array.dtype.kind in "USTO" and not hasattr(values, "dtype"):
        raise TypeError(f"{name} must hold integers; texts are read by parse_many")
    array = integers(array, name)
    if array.ndim != 2 or array.shape[1] not in widths:
        raise ValueError(
            f"{name} has the shape {array.shape}; (n, {needed}) is needed, or one set of cards for all rows"
        )
    if array.dtype != np.uint8:
        bad = (array < 0) | (array > 51)
        if padded:
            bad &= array != NO_CARD
        if bad.any():
            row, column = (int(i) for i in np.argwhere(bad)[0])
            raise row_error(f"{place}: {array[row, column]} is not a card id (0 to 51)", row)
    return np.ascontiguousarray(array, dtype=np.uint8), array.shape[1], True


def integers(values: Any, name: str) -> NDArray[Any]:
    """An array of any integer dtype; bools, floats, objects and texts are TypeErrors."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be an array of integers, not {type(values).__name__}")
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name}: {error}") from None
    if array.dtype.kind not in "iu":
        hint = "; texts are read by parse_many" if array.dtype.kind in "UST" and name == "cards" else ""
        raise TypeError(f"{name} must hold integers, not {array.dtype}{hint}")
    return array


def row_error(message: str, row: int) -> CardError:
    error = CardError(f"row {row}: {message}")
    error.row = row
    return error


def check_rows(rows: NDArray[np.uint8], threads: int = 1) -> None:
    """Raises for the first row that has an id over 51 or a repeated card."""
    n, width = rows.shape
    found: list[int] = []

    def step(first: int, last: int) -> None:
        bad = _eval.check_rows(rows, width, first, last)
        if bad < last:
            found.append(bad)

    _work.run(step, n, threads=threads, slice_size=_work.ROWS)
    if found:
        row = min(found)
        # Another thread may have mended the row since: then there is nothing to say of it.
        problem = _eval.row_error(rows[row].copy())
        raise row_error(problem or "changed while it was being checked", row)


def output(
    out: Any, shape: tuple[int, ...], dtype: Any, inputs: Sequence[NDArray[Any]] = (), name: str = "out"
) -> NDArray[Any]:
    """The caller's array for results, checked, or a new one."""
    if out is None:
        return np.empty(shape, dtype=dtype)
    dtype = np.dtype(dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{name} must be an array, not {type(out).__name__}")
    if out.dtype != dtype:
        raise TypeError(f"{name} must have the dtype {dtype}, not {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"{name} has the shape {out.shape}; {shape} is needed")
    if not out.flags.c_contiguous:
        raise ValueError(f"{name} must be contiguous")
    if not out.flags.writeable:
        raise ValueError(f"{name} is read-only")
    if any(np.may_share_memory(out, array) for array in inputs):
        raise ValueError(f"{name} shares memory with the input")
    return out


def wanted_columns(columns: Any, known: Sequence[str], default: Sequence[str] | None = None) -> tuple[str, ...]:
    """The columns asked for, checked; without any, the default ones, which are all unless given."""
    if columns is None:
        return tuple(known if default is None else default)
    if isinstance(columns, (str, bytes)) or not hasattr(columns, "__iter__"):
        raise TypeError(f"columns must be a sequence of names, not {type(columns).__name__}")
    wanted = tuple(columns)
    for name in wanted:
        if name not in known:
            raise ValueError(f"columns: {name!r} is none of {', '.join(known)}")
    if not wanted or len(set(wanted)) != len(wanted):
        raise ValueError("columns: each name once, and at least one")
    return wanted


def outputs(
    out: Any,
    kind: type[ColumnsResult],
    layout: Mapping[str, tuple[tuple[int, ...], Any]],
    inputs: Sequence[NDArray[Any]],
) -> dict[str, NDArray[Any]]:
    """The arrays of columns, each with its shape and dtype: those of `out`, a result or a mapping, or new ones."""
    existing = out._arrays if isinstance(out, kind) else out
    if existing is not None and not hasattr(existing, "keys"):
        raise TypeError(f"out must be {kind.__name__} or a mapping of arrays, not {type(out).__name__}")
    results: dict[str, NDArray[Any]] = {}
    for name, (shape, dtype) in layout.items():
        if existing is None:
            results[name] = output(None, shape, dtype)
            continue
        if name not in existing or existing[name] is None:
            raise ValueError(f"out has no array for {name}")
        # Two columns in one array would lose one.
        results[name] = output(existing[name], shape, dtype, [*inputs, *results.values()], f"out.{name}")
    return results


def whole(values: Any, n: int, name: str) -> NDArray[Any]:
    """Integers of shape (n,), or one for all rows as shape (1,)."""
    return _spread(integers(values, name), n, name)


def amounts(values: Any, n: int, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Integers or floats of shape (n,), or one for all rows as shape (1,): as int64 or float64, and as they were given.

    An integer that int64 cannot hold is -1 in the first of the two, which every check of amounts refuses.
    """
    if isinstance(values, (str, bytes, bool)) or values is None:
        raise TypeError(f"{name} must be a number or an array of numbers, not {type(values).__name__}")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if array.dtype.kind == "f" and not hasattr(values, "dtype"):
        # NumPy makes floats of a list of ints on both sides of 2**63; they are looked at as what they are.
        objects = np.asarray(values, dtype=object)
        if all(isinstance(value, int) for value in objects.flat):
            array = objects
    if array.dtype.kind == "O":
        for value in array.flat:
            if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
                raise TypeError(f"{name} must hold integers or floats, not {type(value).__name__}")
    elif array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold integers or floats, not {array.dtype}")
    given = _spread(array, n, name)
    if array.dtype.kind == "f":
        return np.ascontiguousarray(given, dtype=np.float64), given
    if array.dtype.kind == "i":
        return np.ascontiguousarray(given, dtype=np.int64), given
    unfit = np.asarray((given > np.iinfo(np.int64).max) | (given < np.iinfo(np.int64).min), dtype=bool)
    return np.ascontiguousarray(np.where(unfit, -1, given), dtype=np.int64), given


def _spread(array: NDArray[Any], n: int, name: str) -> NDArray[Any]:
    if array.ndim == 0:
        return array.reshape(1)
    if array.shape != (n,):
        raise ValueError(f"{name} has the shape {array.shape}; ({n},) is needed, or one number for all rows")
    return array
