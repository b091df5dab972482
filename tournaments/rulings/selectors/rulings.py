"""The rulings of an event, latest first, searched by words and table. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from tournaments.models import Action, Event, Ruling
from tournaments.rulings.domain import desk
from tournaments.rulings.selectors.addresses import Facts, address_of
from tournaments.rulings.selectors.answers import lines_of
from tournaments.rulings.selectors.labels import TOPICS

MOST = 30
MOST_WORDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A ruling for display.

    :param address: The question on cards or bets, as an address of the desk.
    :param answered: The desk's answer.
    """

    row: Ruling
    asked: str
    decided: str
    by: str
    address: str
    answered: list[str]


def rulings_found(event: Event, asked: str = "") -> list[Shown]:
    """Return the rulings that contain every word; a number alone also matches the table."""
    rows = Ruling.objects.live().filter(event=event)
    for word in asked.split()[:MOST_WORDS]:
        says = Q(made_by__text__data__asked__icontains=word)
        says |= Q(made_by__text__data__decided__icontains=word)
        if word.isascii() and word.isdecimal() and len(word) < 8:
            says |= Q(table__number=int(word))
        rows = rows.filter(says)
    rows = rows.select_related("table", "made_by__text", "made_by__device")
    return [_shown(row) for row in rows.order_by("-decided_at", "-pk")[:MOST]]


def _shown(row: Ruling) -> Shown:
    action: Action = row.made_by
    topic = desk.Topic(row.topic)
    texts = action.text.data if hasattr(action, "text") else {}
    is_asked = topic in TOPICS and bool(row.question)
    told = action.payload.get("question")
    # An entry from before answers were stored: compute it from the question.
    answer = action.payload.get("answer") or (desk.answer(topic, row.question) if is_asked else {})
    return Shown(
        row=row,
        asked=texts.get("asked", ""),
        decided=texts.get("decided", ""),
        by=action.device.name if action.device else "",
        address=address_of(topic, Facts(told)) if told else "",
        answered=lines_of(topic, row.question, answer) if is_asked else [],
    )
