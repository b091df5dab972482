"""Kinds of log entries. Each is declared once, beside its service; all lists of kinds derive from
it.

A kind has a name and the consequences in its nature. Its service adds the permission and the topics
(`tournaments.changes.audit`). Nothing here knows a page or a package. Texts of log entries are
outside the chain, so that they can be erased: each is declared with its personal data.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.changes.access import Actor, Permission, Sentence, allows
from tournaments.models import Action


class Topic(StrEnum):
    """A part of an evening that pages fetch again after a change."""

    BUBBLE = "bubble"
    CLOCK = "clock"
    CONDUCT = "conduct"
    ENTRIES = "entries"
    HANDS = "hands"
    LOG = "log"
    MAIL = "mail"
    MESSAGES = "messages"
    REGISTRATIONS = "registrations"
    SETTINGS = "settings"
    TABLES = "tables"


class Part(StrEnum):
    """A part of a topic shown alone on some pages, so that many pages fetch only this."""

    LIST = "list"  # free places and the waiting list
    PLACES = "places"  # players out and their places
    STAGE = "stage"  # the present stage of play, such as hand-for-hand


class Group(StrEnum):
    """A group in the search of the log; `CLUB` has the entries without an event."""

    PEOPLE = "people"
    FEES = "fees"
    OUTS = "outs"
    TABLES = "tables"
    HANDS = "hands"
    CONDUCT = "conduct"
    BUBBLE = "bubble"
    CLOCK = "clock"
    MESSAGES = "messages"
    EVENT = "event"
    UNDONE = "undone"
    CLUB = "club"

    @property
    def label(self) -> Sentence:
        return _GROUP_LABELS[self]


_GROUP_LABELS: Mapping[Group, Sentence] = {
    Group.PEOPLE: _("Anmeldung"),
    Group.FEES: _("Kasse"),
    Group.OUTS: _("Ausgeschieden"),
    Group.TABLES: _("Tische und Auslosungen"),
    Group.HANDS: _("Hände und Zeitrufe"),
    Group.CONDUCT: _("Strafen und Abwesende"),
    Group.BUBBLE: _("Vor dem Geld"),
    Group.CLOCK: _("Uhr"),
    Group.MESSAGES: _("Durchsagen und Nachrichten"),
    Group.EVENT: _("Turnier"),
    Group.UNDONE: _("Rücknahmen"),
    Group.CLUB: _("Verein"),
}


class Places(StrEnum):
    """The effect of a kind on the list's places."""

    UNCHANGED = "unchanged"
    # It gives or frees places of the list. An undo must not give more than there are.
    OF_THE_LIST = "of the list"
    # It happens in the hall: places follow the seats, so an undo is always possible.
    OF_THE_HALL = "of the hall"


# Of an entry in another room of the day: the number of the one that it follows.
LED_BY = "led_by"


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """One kind of log entry.

    :param name: Past tense with a dot; it is written into the log and never changes.
    :param sentence: What happened, with the names in the entry's texts and numbers.
    :param group: Where the search of the log finds it.
    :param outcomes: Other sentences, by the `outcome` among the entry's numbers.
    :param moves_many: Whether it moves so many at once that slips are printed.
    :param frees_places: Whether those who wait are asked after it.
    :param frees_cash_seats: Whether those who wait at cash tables are asked after it.
    :param brings_in: Whether somebody may be in play by it who was not.
    :param opens_tables: Whether it may open tables that stay open when it is taken back.
    :param sets_stage: Whether everybody plays otherwise after it, and each player's page says so.
    :param is_quiet: Whether it is left out of the latest actions, because it comes so often.
    :param is_announced: Whether the hall may be told of it, by a text and a voice.
    :param outlives_the_end: Whether it may be taken back after the end.
    :param is_of_person: Whether undoing it would bring data or a registration of a person back.
    :param holds_contacts: Whether its texts hold addresses and phones, which are erased in time.
    :param is_discreet: Whether only the desk and directors read whom it is about.
    :param ends_by: The column of the event that names the entry of this kind which ended it.
    :param sets_time: Whether its time may be before that of the entry before it.
    :param words: What the sentence takes and is put into words when it is read, of the numbers.
    :param is_entered_anew: Whether taking it back cannot itself be taken back.
    :param irrevocable: Why it can never be taken back, where that needs saying.
    """

    name: str
    sentence: Sentence
    group: Group
    outcomes: Mapping[str, Sentence] = field(default_factory=dict)
    moves_players: bool = False
    moves_many: bool = False
    moves_button: bool = False
    places: Places = Places.UNCHANGED
    frees_places: bool = False
    frees_cash_seats: bool = False
    puts_out: bool = False
    brings_in: bool = False
    opens_tables: bool = False
    sets_stage: bool = False
    is_quiet: bool = False
    sets_time: bool = False
    is_announced: bool = False
    outlives_the_end: bool = False
    is_of_person: bool = False
    holds_contacts: bool = False
    is_discreet: bool = False
    ends_by: str = ""
    makes_event: bool = False
    sets_schedule: bool = False
    sets_settings: bool = False
    sets_rules: bool = False
    words: Callable[[Mapping[str, Any]], Mapping[str, str]] | None = None
    is_final: bool = False
    is_entered_anew: bool = False
    irrevocable: Sentence = ""

    def __post_init__(self) -> None:
        if self.name in _KINDS:
            raise ValueError(f"The kind {self.name} is declared twice.")
        if not self.sentence:
            raise ValueError(f"The kind {self.name} has no sentence.")
        _KINDS[self.name] = self

    def __str__(self) -> str:
        return self.name

    def sentence_of(self, payload: Mapping[str, Any]) -> Sentence:
        """Return the sentence of an entry with these numbers."""
        return self.outcomes.get(str(payload.get("outcome", "")), self.sentence)

    def words_of(self, payload: Mapping[str, Any]) -> Mapping[str, str]:
        """Return further words of the sentence, in the reader's language."""
        return self.words(payload) if self.words else {}

    @property
    def is_undoable(self) -> bool:
        """Whether entries of this kind can be undone."""
        return not (self.is_final or self.irrevocable)


_KINDS: dict[str, Kind] = {}
FORMER: dict[str, Sentence] = {}
CONSEQUENCES: dict[str, Sentence] = {}


def tells_consequence(number: str, sentence: Sentence) -> None:
    """Declare the sentence of a further consequence, shown if an entry has this number."""
    CONSEQUENCES[number] = sentence


def former_kind(name: str, sentence: Sentence) -> None:
    """Keep the sentence of an earlier version's kind, still in logs."""
    FORMER[name] = sentence


def kinds() -> Iterator[Kind]:
    return iter(_KINDS.values())


def kind_of(name: str) -> Kind | None:
    """Return the kind of this name; None if unknown in this version."""
    return _KINDS.get(name)


def kind_names(wanted: Callable[[Kind], bool]) -> list[str]:
    """Return the names of matching kinds, to find their entries."""
    return [kind.name for kind in kinds() if wanted(kind)]


def describe(action: Action, *, names_all: bool = True) -> str:
    """Return an action and its further consequences in the reader's language.

    :param names_all: Whether the reader may know whom discreet ones are about.
    """
    payload = action.payload
    more = [str(text) % payload for number, text in CONSEQUENCES.items() if number in payload]
    kind = kind_of((action.undoes or action).kind)
    hides = not names_all and kind is not None and kind.is_discreet
    return ". ".join([_described(action, kind, hides=hides), *more])


def _described(action: Action, kind: Kind | None, *, hides: bool) -> str:
    about = action.undoes or action
    texts = action.text.data if hasattr(action, "text") else {}
    sentence = kind.sentence_of(about.payload) if kind else FORMER.get(about.kind)
    if action.undoes and action.undoes.undoes_id is not None and not hides:
        return gettext("Rücknahme zurückgenommen")
    if sentence is None and not action.undoes:
        return action.kind
    values: dict[str, Any] = defaultdict(lambda: "…" if hides else "?")
    if not hides:
        for name, value in about.payload.items():
            values[name] = ", ".join(map(str, value)) if isinstance(value, list) else value
        values |= {**(kind.words_of(about.payload) if kind else {}), **texts}
    told = str(sentence) % values
    return gettext("Zurückgenommen: %(action)s") % {"action": told} if action.undoes else told


class Holds(Enum):
    """The personal data in a text."""

    NAMES = "names"
    """Names in a list: an erased one is replaced."""
    WORDS = "words"
    """Typed text: an erased full name in it is replaced."""
    FORMER = "former"
    """A former name: erased with the person."""
    CONTACT = "contact"
    """A contact or a remark: erased with the person, and for the desk only."""
    DISCREET = "discreet"
    """Registrations to keep apart, by number: for the desk only."""
    NOTHING = "nothing"


FOR_THE_DESK = frozenset({Holds.FORMER, Holds.CONTACT, Holds.DISCREET})

TEXTS: dict[str, Holds] = {
    **dict.fromkeys(("name", "first", "second", "takers", "held"), Holds.NAMES),
    **dict.fromkeys(("text", "asked", "decided", "reason"), Holds.WORDS),
    **dict.fromkeys(("own_text_before", "own_text_after"), Holds.WORDS),
    **dict.fromkeys(("name_before", "name_said_before"), Holds.FORMER),
    **dict.fromkeys(("email_before", "email_said_before", "remark_before"), Holds.CONTACT),
    **dict.fromkeys(("phone_before", "phone_said_before"), Holds.CONTACT),
    "wishes": Holds.DISCREET,
    # An announcement of the program in German and English.
    **dict.fromkeys(("de", "en"), Holds.NOTHING),
    **dict.fromkeys(("before", "chips", "count", "digest", "key_before"), Holds.NOTHING),
    **dict.fromkeys(("level", "preset", "step", "version_before"), Holds.NOTHING),
    **dict.fromkeys(("schedule", "schedule_before"), Holds.NOTHING),
    **dict.fromkeys(("starts_at_before", "starts_at_after"), Holds.NOTHING),
    **dict.fromkeys(("rules_key_after", "rules_name_after", "rules_version_after"), Holds.NOTHING),
}


def declare_texts(holds: Holds, names: Iterable[str]) -> None:
    """Declare further texts; earlier declarations stay."""
    for name in names:
        TEXTS.setdefault(name, holds)


def holds(name: str) -> Holds:
    """Return the personal data in a text.

    :raises KeyError: It is not declared, so nobody would know how to erase it.
    """
    return TEXTS[name]


def texts_for(actor: Actor, texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of a log entry that the actor may read."""
    if allows(actor, Permission.CHECK_IN):
        return dict(texts)
    return {
        name: text
        for name, text in texts.items()
        if TEXTS.get(name, Holds.CONTACT) not in FOR_THE_DESK
    }
