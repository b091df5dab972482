"""Refusals, the expected failures.

A `Refused` is shown next to the pressed control, and nothing has changed. Every other exception is
a bug.
"""

from typing import Any


class Refused(Exception):
    """The reason why an action is not allowed.

    `reason` is for people: a text, or a lazy text translated when shown. `code` is for programs and
    tests and is never translated.

    >>> refusal = Refused("Der Platz ist besetzt.", code="seat_taken")
    >>> str(refusal), refusal.code
    ('Der Platz ist besetzt.', 'seat_taken')
    """

    def __init__(self, reason: Any, code: str = "refused") -> None:
        # Pass both to Exception, so that a refusal can be pickled for another process.
        super().__init__(reason, code)
        self.reason = reason
        self.code = code

    def __str__(self) -> str:
        # Rendered here and not in __init__, so that a lazy text is in the reader's language.
        return str(self.reason)
