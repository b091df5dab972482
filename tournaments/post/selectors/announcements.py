"""Announcements on the screens, a club's frequent texts, a player's messages. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from clock.domain import instant_ms
from clock.domain.wording import Language
from clock.speech import speech_url
from tournaments.changes.kinds import kind_names
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.models import Action, Entry, Event, Message, Registration, Seating
from tournaments.people.selectors.people import registrations_found

SHOWN_FOR = timedelta(seconds=20)
IN_STOCK = 6
LOOKED_THROUGH = 60


SAYINGS: dict[str, Saying] = {}


@dataclass(frozen=True, slots=True)
class Saying:
    """An announcement of the program. The log keeps its name and data; readers get their words.

    A newer one of the same subject overtakes it, and so does the end of what it is about.
    """

    name: str
    subject: str
    words: Callable[..., str]
    holds: Callable[[Event], bool] = lambda event: not event.is_over

    def __post_init__(self) -> None:
        SAYINGS[self.name] = self


def in_each_language(words: Callable[[Language], str]) -> dict[str, str]:
    """Return a text in every language, for a saying of values that pass."""
    found = {}
    for language in Language:
        with override(language.value):
            found[language.value] = words(language)
    return found


def in_language(**texts: str) -> str:
    """Return the text of `in_each_language` for the reader; empty once erased."""
    return texts.get(_language(), "")


def _language() -> Language:
    told = (get_language() or "")[:2]
    return Language(told) if told in set(Language) else Language.GERMAN


def said_by(action: Action) -> str:
    """Return the text of an announcement or message; empty once erased."""
    texts = action.text.data if hasattr(action, "text") else {}
    if told := action.payload.get("says"):
        name, data = told
        known = {language: texts[language] for language in Language if language in texts}
        return SAYINGS[name].words(**data, **known)
    text: str = texts.get("text", "")
    return text


def without_overtaken(event: Event, newest_first: list[Action]) -> list[Action]:
    """Leave out announcements of the program overtaken by a newer one or by the end."""
    subjects: set[str] = set()
    found = []
    for action in newest_first:
        if told := action.payload.get("says"):
            saying = SAYINGS[told[0]]
            if saying.subject in subjects or not saying.holds(event):
                continue
            subjects.add(saying.subject)
        found.append(action)
    return found


def announcement_payload(event: Event, now: datetime) -> dict[str, Any]:
    """Return the screens' announcements: the newest of the last seconds, and the standing one.

    After an undo the one before returns, if still current. The new one has its voice's address. One
    query without any announcement.
    """
    recent = Q(recorded_at__gt=now - SHOWN_FOR) | Q(payload__stays=True)
    in_force = [row for row in _announced(event).filter(recent) if action_is_in_force(row)]
    rows = [row for row in without_overtaken(event, in_force) if said_by(row)]
    new = next((row for row in rows if row.recorded_at > now - SHOWN_FOR), None)
    staying = next((row for row in rows if row.payload.get("stays")), None)
    return {
        "announcement": None if new is None else _as_data(new),
        "standing": "" if staying is None else said_by(staying),
    }


def announcement_standing(event: Event) -> Action | None:
    staying = _announced(event).filter(payload__stays=True)
    return next(filter(action_is_in_force, staying), None)


def announcement_stock(event: Event) -> list[str]:
    """Return texts to announce with one press: the club's latest, then the usual ones."""
    return list(dict.fromkeys(_texts(event)))[:IN_STOCK]


def _texts(event: Event) -> Iterator[str]:
    rows = Action.objects.filter(
        club=event.club, kind="announcement.made", text__data__has_key="text"
    )
    for row in rows.select_related("text").order_by("-pk")[:LOOKED_THROUGH]:
        yield row.text.data["text"]
    yield _("Bitte die Plätze einnehmen.")
    yield _("Das Essen ist fertig.")
    yield _("Gleich geht es weiter.")
    yield _("Bitte die Chips zählen und eintüten.")
    yield _("Die Anmeldung schließt gleich.")
    yield _("Bitte leiser sprechen, es wird noch gespielt.")


def _announced(event: Event) -> QuerySet[Action]:
    kinds = kind_names(lambda kind: kind.is_announced)
    rows = Action.objects.filter(payload__has_key="has_voice", event=event, kind__in=kinds)
    return rows.select_related("text").order_by("-sequence")


def _as_data(action: Action) -> dict[str, Any]:
    text, typed = said_by(action), action.payload.get("language")
    language = Language(typed) if typed else _language()
    return {
        "id": action.pk,
        "at": instant_ms(action.recorded_at),
        "text": text,
        "url": speech_url(text, language) if action.payload["has_voice"] else None,
    }


# --- A player's messages: announcements, to the table, to the player


KEPT_FOR = timedelta(hours=12)
MOST = 3
MOST_READ = 20  # some of them are overtaken
MOST_FOUND = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageShown:
    id: int
    text: str
    at: datetime
    is_for_all: bool
    table: int | None


def topic_for(entry: int) -> str:
    """Return the stream's topic for messages to one player."""
    return f"messages-e{entry}"


def messages_unread(
    registration: Registration, *, now: datetime, after: int = 0
) -> list[MessageShown]:
    """Return the messages newer than the last read one, newest first.

    A message to a table is for the players there when it was sent, also after a move.
    """
    if registration.voided_by_id is not None:
        return []
    since = max(registration.registered_at, now - KEPT_FOR)
    rows = (
        Message.objects.live()
        .filter(event=registration.event_id, pk__gt=after, sent_at__gte=since)
        .filter(_is_for(registration))
        .select_related("table", "made_by__text")
        .order_by("-pk")
    )
    by_action = {row.made_by: row for row in rows[:MOST_READ]}
    kept = without_overtaken(registration.event, list(by_action))
    return [_shown(by_action[action]) for action in kept if said_by(action)][:MOST]


def _is_for(registration: Registration) -> Q:
    entries = list(Entry.objects.live().filter(registration=registration).values_list("pk"))
    ids = [pk for (pk,) in entries]
    sat_there = Seating.objects.filter(
        Q(voided_by=None) | Q(voided_by__gt=OuterRef("made_by")),
        entry__in=ids,
        table=OuterRef("table"),
        made_by__lt=OuterRef("made_by"),
    )
    to_all = Q(table=None, entry=None)
    return to_all | Q(entry__in=ids) | (Q(table__isnull=False) & Q(Exists(sat_there)))


def _shown(row: Message) -> MessageShown:
    return MessageShown(
        id=row.pk,
        text=said_by(row.made_by),
        at=row.sent_at,
        is_for_all=row.table_id is None and row.entry_id is None,
        table=row.table.number if row.table else None,
    )


def entry_topic(registration: Registration) -> str:
    """Return the message topic of a player's page, empty before check-in."""
    entry = Entry.objects.live().filter(registration=registration).order_by("-number").first()
    return topic_for(entry.pk) if entry else ""


def entries_found(event: Event, search: str) -> QuerySet[Entry]:
    people = registrations_found(event, search).values("pk")
    rows = Entry.objects.live().filter(event=event, registration__in=people)
    return rows.select_related("registration__person").order_by(
        "registration__person__sort_name", "number"
    )[:MOST_FOUND]
