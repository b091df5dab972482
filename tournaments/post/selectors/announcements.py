"""The screens' present announcements, and a club's frequent texts. Reads only."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clock.domain import instant_ms
from clock.domain.wording import Language
from clock.speech import speech_url
from tournaments.changes.kinds import kind_names
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.models import Action, Event

SHOWN_FOR = timedelta(seconds=20)
IN_STOCK = 6
LOOKED_THROUGH = 60
MADE = "announcement.made"


def announcement_payload(event: Event, now: datetime) -> dict[str, Any]:
    """Return the screens' announcements: the newest of the last seconds, and the standing one.

    After an undo the one before returns, if still current. The new one has its voice's address. One
    query without any announcement.
    """
    rows = [row for row in _recent(event, now) if action_is_in_force(row)]
    new = next((row for row in rows if row.recorded_at > now - SHOWN_FOR), None)
    # A change's automatic announcement ends with the event; a typed one stays.
    staying = next(
        (row for row in rows if _stays(row) and (row.kind == MADE or not event.is_over)), None
    )
    return {
        "announcement": None if new is None else _as_data(new),
        "standing": "" if staying is None else staying.text.data["text"],
    }


def announcement_standing(event: Event) -> Action | None:
    """Return the standing announcement on the screens, if there is one."""
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
    rows = Action.objects.filter(
        payload__has_key="has_voice", event=event, kind__in=kinds, text__data__has_key="text"
    )
    return rows.select_related("text").order_by("-sequence")


def _recent(event: Event, now: datetime) -> QuerySet[Action]:
    return _announced(event).filter(Q(recorded_at__gt=now - SHOWN_FOR) | Q(payload__stays=True))


def _stays(action: Action) -> bool:
    return bool(action.payload.get("stays"))


def _as_data(action: Action) -> dict[str, Any]:
    text, language = action.text.data["text"], Language(action.payload["language"])
    return {
        "id": action.pk,
        "at": instant_ms(action.recorded_at),
        "text": text,
        "url": speech_url(text, language) if action.payload["has_voice"] else None,
    }
