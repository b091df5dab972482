"""The columns of a list of people, recognised by German or English headings; answers in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kinds of columns; others are ignored."""

    NAME = "name"
    FIRST = "first"
    LAST = "last"
    EMAIL = "email"
    PHONE = "phone"
    MEMBER = "member"
    REMARK = "remark"
    ANSWER = "answer"
    """Whether somebody comes, or the state of an order."""
    CANCELLED = "cancelled"
    """Filled if somebody does not come any more."""


BESIDE = (Kind.EMAIL, Kind.PHONE, Kind.MEMBER, Kind.REMARK, Kind.ANSWER, Kind.CANCELLED)
HEADINGS: dict[Kind, frozenset[str]] = {
    Kind.NAME: frozenset(
        {"name", "spieler", "spielername", "teilnehmer", "person",
         "player", "player name", "full name", "fullname", "entrant", "vor- und nachname",
         "vor und nachname", "vorname nachname", "nachname vorname", "name vorname",
         "vollständiger name", "voller name", "teilnehmername", "attendee",
         "ticket holder", "ticketinhaber", "guest name"}
    ),
    Kind.FIRST: frozenset(
        {"vorname", "vornamen", "rufname", "first name", "firstname", "given name", "forename",
         "first"}
    ),
    Kind.LAST: frozenset(
        {"nachname", "familienname", "zuname", "last name", "lastname", "surname", "family name",
         "last"}
    ),
    Kind.EMAIL: frozenset(
        {"e-mail", "email", "mail", "e-mail-adresse", "emailadresse", "email-adresse",
         "mailadresse", "e-mail adresse", "email adresse", "e-mail address", "email address",
         "e mail"}
    ),
    Kind.PHONE: frozenset(
        {"telefon", "telefonnummer", "tel", "tel.", "handy", "handynummer", "mobil", "mobilnummer",
         "mobiltelefon", "phone", "phone number", "mobile", "mobile number", "cell"}
    ),
    Kind.MEMBER: frozenset(
        {"mitglied", "vereinsmitglied", "ist mitglied", "member", "is member", "club member",
         "mitgliedschaft"}
    ),
    Kind.REMARK: frozenset(
        {"bemerkung", "bemerkungen", "anmerkung", "anmerkungen", "notiz", "notizen", "kommentar",
         "hinweis", "remark", "remarks", "note", "notes", "comment"}
    ),
    Kind.ANSWER: frozenset(
        {"kommt", "komme", "zusage", "zusage/absage", "antwort", "teilnahme", "dabei", "rsvp",
         "attending", "going", "response"}
    ),
    Kind.CANCELLED: frozenset(
        {"storniert", "storniert am", "stornierung", "stornierungsdatum", "abgesagt", "abgemeldet",
         "cancelled", "canceled", "cancelled at", "canceled at", "refunded"}
    ),
}  # fmt: skip
# Read if there is no other name.
NICKNAMES = frozenset({"nickname", "spitzname"})
_QUESTION = re.compile(r"\b(?:komm|dabei|teilnehm|nimmst|attend|coming|join)", re.IGNORECASE)
# "Order status", "Anmeldestatus", but not the state of a membership.
_STATE = re.compile(r"(?!.*(?:mitglied|member)).*status")
_WHOSE = re.compile(r"^(?:attendee|participant|teilnehmer)[ -]")
# What is added to a heading: a mark, a remark in brackets, the first of several.
_NUMBER = re.compile(r"\+?\d[\d /().-]*")
SHORTEST_PHONE = 6
_ADDED = re.compile(r"\s*(?:\([^)]*\)|\*|\b1)$")
# "Spieler/in", "Teilnehmer:innen".
_OF_ALL = re.compile(r"(?<=er)[/*:(-]*in(?:nen)?\)?$")
_AT_ITS_END = re.compile(r"[^\w?)*:]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The positions of columns: the name in one column, or in two to be joined in this order."""

    names: tuple[int, ...]
    email: int | None = None
    phone: int | None = None
    member: int | None = None
    remark: int | None = None
    answer: int | None = None
    cancelled: int | None = None
    days: tuple[int, ...] = ()
    """The answers of a poll of several days."""

    @property
    def read(self) -> frozenset[int]:
        others = (getattr(self, kind) for kind in BESIDE)
        return frozenset(self.names) | {index for index in others if index is not None}

    def kind_of(self, index: int) -> Kind | None:
        """Return the kind of a column.

        >>> [Columns(names=(1, 0), email=2).kind_of(index) for index in range(4)]
        [<Kind.LAST: 'last'>, <Kind.FIRST: 'first'>, <Kind.EMAIL: 'email'>, None]
        """
        if index in self.names:
            part = self.names.index(index)
            return Kind.NAME if len(self.names) == 1 else (Kind.FIRST, Kind.LAST)[part]
        return next((kind for kind in BESIDE if getattr(self, kind) == index), None)


def is_heading(cell: str) -> bool:
    """Tell whether a cell is a heading.

    >>> is_heading("Vorname"), is_heading("Eva")
    (True, False)
    """
    return heading_kind(cell) is not None


def heading_kind(heading: str) -> Kind | None:
    """Return the kind of column for a heading, None if unknown.

    >>> heading_kind(" E-Mail: "), heading_kind("Nick"), heading_kind("Phone 1")
    (<Kind.EMAIL: 'email'>, None, <Kind.PHONE: 'phone'>)
    >>> heading_kind("Kommst du am Donnerstag?"), heading_kind("Bist du Mitglied?")
    (<Kind.ANSWER: 'answer'>, None)
    >>> [heading_kind(heading).value for heading in ("Attendee Status", "Attendee Email")]
    ['answer', 'email']
    >>> heading_kind("Mitgliedsstatus")
    """
    plain, heading = _plain(heading), _AT_ITS_END.sub("", heading)
    if heading.rstrip(" *:").endswith("?") and _QUESTION.search(heading):
        return Kind.ANSWER
    if _STATE.fullmatch(plain):
        return Kind.ANSWER
    return next((kind for kind, words in HEADINGS.items() if plain in words), None)


def _plain(heading: str) -> str:
    words = re.sub(r"[_,]|(?<=name)/", " ", _AT_ITS_END.sub("", heading).casefold())
    plain = _OF_ALL.sub("", " ".join(words.strip(" :").split()))
    return _WHOSE.sub("", _ADDED.sub("", plain))


def columns_from(kinds: Sequence[Kind | None]) -> Columns | None:
    """Return the columns from their kinds, the first of each kind; None without a name.

    "Name" with a first name but no last name means the last name.

    >>> columns_from([Kind.LAST, Kind.FIRST, None, Kind.MEMBER]).names
    (1, 0)
    >>> columns_from([Kind.EMAIL])
    """
    known: dict[Kind, int] = {}
    for index, kind in enumerate(kinds):
        if kind is not None:
            known.setdefault(kind, index)
    first, last, name = known.get(Kind.FIRST), known.get(Kind.LAST), known.get(Kind.NAME)
    parts: tuple[int | None, ...]
    if first is not None and (last is None) != (name is None):
        parts = (first, name if last is None else last)
    elif name is not None:
        parts = (name,)
    else:
        parts = (first, last)
    names = tuple(part for part in parts if part is not None)
    if not names:
        return None
    beside: dict[str, Any] = {kind.value: known.get(kind) for kind in BESIDE}
    return Columns(names=names, **beside)


def columns_of(cells: Sequence[str]) -> Columns | None:
    """Return the columns of a row of headings, None without a name column.

    A nickname is the name if there is no other.

    >>> columns_of(["Nachname", "Vorname", "Mail"]).names
    (1, 0)
    >>> columns_of(["Name", "Vorname"]).names, columns_of(["Vorname", "Nachname", "Name"]).names
    ((1, 0), (2,))
    >>> columns_of(["Eva Lang", "eva@example.org"])
    """
    kinds = [heading_kind(cell) for cell in cells]
    return columns_from(kinds) or columns_from(
        [Kind.NAME if _plain(cell) in NICKNAMES else kind
         for cell, kind in zip(cells, kinds, strict=True)]
    )  # fmt: skip


def columns_guessed(cells: Sequence[str]) -> Columns | None:
    """Return the columns of a list without headings, from its first row; None if unclear.

    Recognised are a name of one or two cells beside an address or a phone number, and the row of
    days above a poll: its first cell is empty. Bare numbers count the lines.

    >>> columns_guessed(["Eva", "Lang", "eva@example.org"]).names
    (0, 1)
    >>> columns_guessed(["1", "Eva Lang", "0660 123456"])  # doctest: +ELLIPSIS
    Columns(names=(1,), email=None, phone=2, ...)
    >>> columns_guessed(["", "Fr 27.11."]).answer
    1
    >>> columns_guessed(["Nick", "Punkte"])
    """
    filled = [index for index, cell in enumerate(cells) if cell]
    if any(heading_kind(cells[index]) for index in filled):
        return None
    if filled and not cells[0]:
        if len(filled) > 1:
            return Columns(names=(0,), days=tuple(filled))
        return Columns(names=(0,), answer=filled[0])
    emails = [index for index in filled if "@" in cells[index]]
    numbers = [index for index in filled if _NUMBER.fullmatch(cells[index])]
    phones = [index for index in numbers if len(cells[index]) >= SHORTEST_PHONE]
    names = tuple(index for index in filled if index not in {*emails, *numbers})
    if len(names) not in ((1, 2) if emails or phones else (1,)):
        return None
    return Columns(names=names, email=(*emails, None)[0], phone=(*phones, None)[0])


# --- Answers: who comes


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    MAYBE = "maybe"
    NONE = "none"


_NOT = re.compile(
    r"^(?:nein|no|n|nope|na(?! (?:klar|sicher|logo|gut|gern|eh|no na))|nö|nee?|niet|0|false|falsch"
    r"|leider|void|failed|fehlgeschlagen|ungültig|unfortunately|sorry)\b|^[-–]$|[✗✘❌✖👎⛔🚫🔴]"
    r"|\bnicht\b|\bkeine?\b|storn|cancel|refund|erstattet|absag|abgesagt|abgemeldet|declin|delet"
    r"|gelöscht|abgelehnt|\bnot\b|\b(?:ca|wo)n['’]?t\b|\bbin raus\b|verhindert|entschuldigt"
    r"|\bkrank\b",
    re.IGNORECASE,
)
_PERHAPS = re.compile(
    r"^[?❓🤔🤷🟡(]|vielleicht|eventuell|^evt?l?\b|\bevtl\b|maybe|unsicher|tentativ|pending|offen"
    r"|ausstehend|^tb[acd]\b|^k\.?\s?a\b|\bunklar\b|\bwenn\b|\bfalls\b|\bnot sure\b"
    r"|weiß nicht|weiss nicht|\bmal sehen\b",
    re.IGNORECASE,
)


def answer_of(cell: str) -> Answer:
    """Return what a cell says; anything else than no and perhaps is a yes.

    >>> [answer_of(text).value for text in ("Ja, zu zweit", "Nein", "Storniert", "evtl.", "")]
    ['yes', 'no', 'no', 'maybe', 'none']
    >>> answer_of("weiß noch nicht").value
    'maybe'
    """
    text = cell.strip()
    if not text:
        return Answer.NONE
    if _PERHAPS.search(text) or re.search(r"noch nicht", text, re.IGNORECASE):
        return Answer.MAYBE
    return Answer.NO if _NOT.search(text) else Answer.YES
