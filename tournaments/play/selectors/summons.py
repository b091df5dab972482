"""Open calls for the director: table, time, word. Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as lazy

from tournaments.event.selectors.event import figures
from tournaments.models import Event, Summons, Table

# In the order shown on the phone.
WORDS = {
    "rule": lazy("Regelfrage"),
    "dispute": lazy("Streit"),
    "chips": lazy("Chips stimmen nicht"),
    "cards": lazy("Karten tauschen"),
    "manner": lazy("Benehmen"),
    "other": lazy("Bitte kommen"),
}


def summons_live(event: Event) -> list[Summons]:
    """Return the unsettled calls, earliest first."""
    if not figures(event, "summons")["summons"]:
        return []
    rows = Summons.objects.live().filter(event=event, table__voided_by=None)
    return list(rows.select_related("table").order_by("called_at", "pk"))


def summons_of(table: Table) -> Summons | None:
    return Summons.objects.live().filter(table=table).first()


def word_of(reason: str) -> str:
    return str(WORDS.get(reason, reason))


def called_words(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the call's word from a log entry, in the reader's language."""
    return {"word": word_of(str(payload.get("reason", "")))}
