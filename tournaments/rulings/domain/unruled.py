"""The desk's own no: a question that cannot be answered as it stands. Nothing is guessed."""

from __future__ import annotations


class Unruled(ValueError):
    """Say what is wrong with a question.

    `code` names it; the sentence for people stands in `rulings.selectors.words`. `about` holds its
    numbers: players are counted from 1, cards are told by their codes.

    >>> no = Unruled("twice", card="As")
    >>> no.code, no.about
    ('twice', {'card': 'As'})
    """

    def __init__(self, code: str, **about: int | str) -> None:
        super().__init__(code, about)
        self.code = code
        self.about = about
