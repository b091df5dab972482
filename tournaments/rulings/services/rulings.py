"""Rulings are written down: what was asked and decided, and the question that was reckoned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Ruling, Table
from tournaments.rulings.domain import desk
from tournaments.rulings.domain.unruled import Unruled
from tournaments.rulings.selectors.words import sentence_of
from tournaments.seating.services.seats import live_table

LONGEST = 300
LONGEST_QUESTION = 6000
LONGEST_CODE = 16

RULING_NOTED = Kind(
    "ruling.noted",
    lazy("Entscheidung an Tisch %(table)s: %(decided)s"),
    Group.CONDUCT,
    outcomes={"anywhere": lazy("Entscheidung: %(decided)s")},
)


@service(RULING_NOTED, Permission.SEE_FLOOR, Topic.CONDUCT)
def ruling_note(
    change: Change,
    *,
    topic: str,
    decided: str,
    asked: str = "",
    question: Mapping[str, Any] | None = None,
    table: Table | None = None,
) -> None:
    """Write down what was decided, with the cards or bets that it was about."""
    row = live_table(change.event, table.pk) if table is not None else None
    words = {"asked": asked.strip(), "decided": decided.strip()}
    if not words["decided"]:
        raise Refused(_("Bitte dazuschreiben, wie entschieden wurde."), code="no_decision")
    if max(map(len, words.values())) > LONGEST:
        raise Refused(
            _("Frage und Entscheidung haben höchstens je %(most)d Zeichen.") % {"most": LONGEST},
            code="long_words",
        )
    if topic not in tuple(desk.Topic):
        raise Refused(_("Das ist keine Frage, die gerechnet werden kann."), code="bad_question")
    reckoned = question or {}
    _check(desk.Topic(topic), reckoned)
    Ruling.objects.create(
        event=change.event,
        table=row,
        topic=topic,
        question=dict(reckoned),
        decided_at=change.at,
        made_by=change.action,
    )
    place = {"table": row.number} if row is not None else {"outcome": "anywhere"}
    change.record(topic=topic, **place)
    change.tell(**words)


def _check(topic: desk.Topic, question: Mapping[str, Any]) -> None:
    """Refuse a question that the rules cannot answer, or that holds more than codes and numbers."""
    try:
        if len(json.dumps(question)) > LONGEST_QUESTION or not _is_plain(question):
            raise ValueError("Not made by the desk.")
        desk.answer(topic, question)
    except Unruled as no:
        raise Refused(sentence_of(no), code="unruled") from no
    except ValueError as error:
        raise Refused(
            _("Das ist keine Frage, die gerechnet werden kann."), code="bad_question"
        ) from error


def _is_plain(value: object) -> bool:
    """Tell whether a value holds only numbers and codes, and so nobody's name."""
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(part) for key, part in value.items())
    if isinstance(value, list):
        return all(_is_plain(part) for part in value)
    if isinstance(value, str):
        return len(value) <= LONGEST_CODE and value.isascii() and " " not in value
    return value is None or isinstance(value, int)
