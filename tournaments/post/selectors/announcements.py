"""The announcement that the screens show now, if any. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from clock.domain import instant_ms
from clock.domain.wording import Language
from clock.speech import speech_url
from tournaments.changes.kinds import kind_names
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.models import Action, Event

SHOWN_FOR = timedelta(seconds=20)


def announcement_payload(event: Event, now: datetime) -> dict[str, Any] | None:
    """Return the newest announcement in force of the last seconds, with the address of its voice.

    One that was taken back gives way to the one before it, if that is still to be seen.
    """
    made = Action.objects.filter(
        payload__has_key="has_voice",
        event=event,
        kind__in=kind_names(lambda kind: kind.is_announced),
        recorded_at__gt=now - SHOWN_FOR,
    ).select_related("text")
    said = made.filter(text__data__has_key="text").order_by("-sequence")
    action = next((row for row in said if action_is_in_force(row)), None)
    if action is None:
        return None
    text = action.text.data["text"]
    language = Language(action.payload["language"])
    return {
        "id": action.pk,
        "at": instant_ms(action.recorded_at),
        "text": text,
        "url": speech_url(text, language) if action.payload["has_voice"] else None,
    }
