"""The exceptions of the package, and nothing else: this file imports nothing.

Every error a caller can cause is a TypeError (a wrong type) or one of the ValueErrors below (a wrong value). An error
about one row of an array carries that row, counted from 0, in `.row`.
"""


class CardError(ValueError):
    """A text, id or repetition that is not a legal set of cards; the message names the card and where it stands.

    Attributes
    ----------
    row : int or None
        The row of the array the error is about, counted from 0; None where no array was given.
    """

    row: int | None = None


class RulesError(ValueError):
    """A value outside a rule set's table, or a rule field that a function does not honour; the message names the
    field."""

    row: int | None = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work whose part so far is of use; the exception keeps it in `.result`."""

    def __init__(self, message: str = "interrupted", result: object = None) -> None:
        super().__init__(message)
        self.result = result
