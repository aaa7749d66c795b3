"""Exceptions of boardprint."""

from __future__ import annotations

from typing import Optional


class SyntaxError(ValueError):  # noqa: A001 - it is used as `boardprint.SyntaxError`
    """A text that cannot be read, or a game that cannot be played.

    ``kind`` is a short name for programs (``syntax``, ``illegal-move``, ...), ``line`` and
    ``column`` count from 1, ``hint`` says what to do about it. Records of a collection
    have ``source`` and ``record`` too. What is not known is None.

    >>> import boardprint as bp
    >>> try:
    ...     bp.read("K5,1|k5,,8")
    ... except bp.SyntaxError as error:
    ...     print(error.kind, error.line, error.column)
    syntax 1 9
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "syntax",
        line: Optional[int] = None,
        column: Optional[int] = None,
        hint: Optional[str] = None,
        source: Optional[str] = None,
        record: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.line = line
        self.column = column
        self.hint = hint
        self.source = source
        self.record = record

    def __str__(self) -> str:
        place = [self.source, self.line, self.column]
        where = ":".join(str(part) for part in place if part is not None)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text}; {self.hint}" if self.hint else text

    def __reduce__(self):
        return _again, (self.message, self.kind, self.line, self.column, self.hint, self.source, self.record)


def _again(message, kind, line, column, hint, source, record):
    """Make an exception that was pickled."""
    return SyntaxError(
        message, kind=kind, line=line, column=column, hint=hint, source=source, record=record
    )
