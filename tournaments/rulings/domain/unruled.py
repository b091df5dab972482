"""The error of the desk: the question has no answer as it stands. There is no guessing."""

from __future__ import annotations


class Unruled(ValueError):
    """An error in a question.

    `code` names it; the sentence is in `rulings.selectors.words`. `about` holds its numbers:
    players are counted from 1, cards are given by code.

    >>> no = Unruled("twice", card="As")
    >>> no.code, no.about
    ('twice', {'card': 'As'})
    """

    def __init__(self, code: str, **about: int | str) -> None:
        super().__init__(code, about)
        self.code = code
        self.about = about
