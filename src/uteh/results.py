"""What every result object of the package shares: it is frozen, compares by value, pickles, and writes itself as JSON-ready data."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self


def _rebuild(cls: type[FrozenResult], values: tuple[object, ...]) -> FrozenResult:
    return cls._of(*values)


class FrozenResult:
    """A base for results: subclasses name what they store in `__slots__` and build themselves with `_of`."""

    __slots__: tuple[str, ...] = ()

    @classmethod
    def _of(cls, *values: object) -> Self:
        """A result from the values of its slots, in their order."""
        self = cls.__new__(cls)
        for name, value in zip(cls.__slots__, values, strict=True):
            object.__setattr__(self, name, value)
        return self

    def _stored(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in type(self).__slots__])

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
