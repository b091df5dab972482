"""What the columns of a list of people hold, told by their headings in German or English.

Nothing here reads files; a list is rows of texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

HEADINGS: dict[str, frozenset[str]] = {
    "name": frozenset(
        {"name", "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "person",
         "player", "player name", "full name", "fullname", "entrant", "vor- und nachname",
         "vor und nachname", "vorname nachname", "nachname vorname", "teilnehmer*in",
         "spieler*in", "vollständiger name", "voller name"}
    ),
    "first": frozenset(
        {"vorname", "vornamen", "rufname", "first name", "firstname", "given name", "forename",
         "first"}
    ),
    "last": frozenset(
        {"nachname", "familienname", "zuname", "last name", "lastname", "surname", "family name",
         "last"}
    ),
    "email": frozenset(
        {"e-mail", "email", "mail", "e-mail-adresse", "emailadresse", "email-adresse",
         "mailadresse", "e-mail adresse", "email adresse", "e-mail address", "email address",
         "e mail"}
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Where things stand: the name in one column or, to be joined in this order, in two."""

    names: tuple[int, ...]
    email: int | None = None


def heading_kind(heading: str) -> str | None:
    """Return what a column of this heading holds: name, first, last, email; None if unknown.

    >>> heading_kind(" E-Mail: "), heading_kind("Nick")
    ('email', None)
    """
    plain = " ".join(heading.casefold().replace("_", " ").strip(" :").split())
    return next((kind for kind, words in HEADINGS.items() if plain in words), None)


def columns_of(cells: Sequence[str]) -> Columns | None:
    """Return the columns that a row of headings names, None if it names no person.

    "Name" beside a first name and no last name is the last name.

    >>> columns_of(["Nachname", "Vorname", "Mail"])
    Columns(names=(1, 0), email=2)
    >>> columns_of(["Name", "Vorname"]), columns_of(["Vorname", "Nachname", "Name"])
    (Columns(names=(1, 0), email=None), Columns(names=(2,), email=None))
    >>> columns_of(["Eva Lang", "eva@example.org"])
    """
    known: dict[str, int] = {}
    for index, cell in enumerate(cells):
        kind = heading_kind(cell)
        if kind is not None:
            known.setdefault(kind, index)
    first, last, name = known.get("first"), known.get("last"), known.get("name")
    parts: tuple[int | None, ...]
    if first is not None and (last is None) != (name is None):
        parts = (first, name if last is None else last)
    elif name is not None:
        parts = (name,)
    else:
        parts = (first, last)
    names = tuple(part for part in parts if part is not None)
    return Columns(names=names, email=known.get("email")) if names else None


def columns_guessed(cells: Sequence[str]) -> Columns | None:
    """Return the columns of a list without headings, judged by its first row; None when in doubt.

    Only two kinds can be told: nothing but names, or one or two cells of name with an address.

    >>> columns_guessed(["Eva", "Lang", "eva@example.org"]), columns_guessed(["Eva Lang"])
    (Columns(names=(0, 1), email=2), Columns(names=(0,), email=None))
    >>> columns_guessed(["Nick", "Punkte"])
    """
    filled = [index for index, cell in enumerate(cells) if cell]
    emails = [index for index in filled if "@" in cells[index]]
    names = tuple(index for index in filled if index not in emails)
    is_clear = len(names) in (1, 2) if emails else len(names) == 1
    if not is_clear or any(heading_kind(cells[index]) for index in filled):
        return None
    return Columns(names=names, email=emails[0] if emails else None)
