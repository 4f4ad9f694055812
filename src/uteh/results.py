"""What every result object of the package shares: it is frozen, compares by value, pickles, and writes itself as
JSON-ready data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from numpy.typing import NDArray

    from .rules import Rules


def _reader(place: int) -> Callable[[FrozenResult], Any]:
    return lambda result: result._values[place]


def _rebuild(cls: type[FrozenResult], values: tuple[object, ...]) -> FrozenResult:
    return cls._of(*values)


class FrozenResult:
    """A base for results: subclasses name what they store in `_fields` and build themselves with `_of`.

    The values are one tuple, because a result is made in a microsecond or two and every slot would cost a part of it;
    each field is a property that reads its place.
    """

    __slots__ = ("_values",)
    _fields: tuple[str, ...] = ()
    _values: tuple[Any, ...]

    def __init_subclass__(cls) -> None:
        for place, name in enumerate(cls._fields):
            setattr(cls, name, property(_reader(place)))

    @classmethod
    def _of(cls, *values: object) -> Self:
        """A result from the values of its fields, in their order."""
        self = cls.__new__(cls)
        _set_values(self, values)
        return self

    def _stored(self) -> tuple[Any, ...]:
        return self._values

    def _compared(self) -> tuple[Any, ...]:
        """What makes two results equal; what is stored, unless a subclass can store one value in two ways."""
        return self._stored()

    def _data(self) -> dict[str, Any]:
        """The result as JSON-ready data, without the head."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data, with its schema and the version of the package."""
        from . import __version__
        from .rules import SCHEMA

        return {"schema": SCHEMA, "version": __version__, **self._data()}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._stored())


class ColumnsResult(FrozenResult):
    """A base for results with many rows: the first field, `_arrays`, has the columns that were asked for by name, and
    each of them is an attribute; another field is `rules`."""

    __slots__ = ()
    _columns: tuple[str, ...] = ()  # all that there are
    _arrays: dict[str, Any]
    rules: Rules

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._arrays)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name in type(self)._columns:
            arrays = object.__getattribute__(self, "_arrays")
            if name in arrays:
                return arrays[name]  # type: ignore[no-any-return]
            raise AttributeError(f"{name} was not among the columns asked for ({', '.join(arrays)})")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _data(self) -> dict[str, Any]:
        columns = {name: None if values is None else values.tolist() for name, values in self._arrays.items()}
        return {**columns, "rules": self.rules.to_dict()}

    def __len__(self) -> int:
        return len(next(array for array in self._arrays.values() if array is not None))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = self._compared(), other._compared()
        return mine[1:] == theirs[1:] and _same_arrays(mine[0], theirs[0])

    __hash__ = None  # type: ignore[assignment]  # arrays can change


def _same_arrays(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    import numpy as np

    return tuple(mine) == tuple(theirs) and all(
        getattr(mine[name], "dtype", None) == getattr(theirs[name], "dtype", None)
        and np.array_equal(mine[name], theirs[name])
        for name in mine
    )


# The slot itself: instances refuse to be written to.
_set_values: Callable[[FrozenResult, tuple[object, ...]], None] = FrozenResult.__dict__["_values"].__set__
