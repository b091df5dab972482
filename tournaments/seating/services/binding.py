"""A draw of many rests on what was frozen for it, and on the number that came from the hall after.

The draw itself tells what it would be made of. To freeze it, its service is run as a trial and
rolled back at that point, so that what is frozen is what is drawn.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.changes.audit import Change, Service
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.promise import commitment
from tournaments.models import Draw, Event, FrozenDraw
from tournaments.seating.domain.draws import entry_item, seat_item
from tournaments.seating.domain.hall_numbers import (
    combined_number,
    digest_of,
    frozen_text,
    sits_item,
)
from tournaments.seating.domain.keep_apart import KeptApart
from tournaments.seating.selectors.balancing import next_draw_number
from tournaments.seating.selectors.hall_numbers import frozen_open, numbers_given
from tournaments.seating.selectors.keep_apart import keep_apart_as_data

MOST_CALLED_DIGITS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Lots:
    """What many are drawn among: entries, free seats by table, and how many sit there already."""

    kind: str
    entries: Sequence[int]
    free: Mapping[int, Collection[int]]
    sitting: Mapping[int, int]
    apart: KeptApart
    table: int = 0


@dataclass(slots=True)
class Trial(Change):
    """A change that only asks what would be drawn."""

    salt: str = ""


class Found(Exception):
    """What a trial was made for: the text that fixes the draw, and the wishes hashed in it."""

    def __init__(self, text: str, wishes: str) -> None:
        super().__init__(text)
        self.text, self.wishes = text, wishes


def tried(change: Change, draw: Service[...], *, salt: str, **own: Any) -> Found:
    """Return what a draw would be made of now; nothing remains of having tried.

    :raises Refused: When it could not be made.
    """
    action = copy(change.action)
    action.payload = {}
    trial = Trial(copy(change.subject), change.kind, action, change.by, change.at, salt=salt)
    try:
        with transaction.atomic():
            draw.body(trial, **own)
    except Found as found:
        return found
    raise AssertionError("The draw did not say what it is made of.")


def draw_bound(change: Change, lots: Lots, *, frozen: int, number: str) -> dict[str, Any]:
    """Return what the arithmetic of a draw of many takes; without a freeze, no hall number.

    :param frozen: The draw that was frozen and is to be made now, 0 for none.
    :param number: What was called out; empty when the phones gave numbers, or nobody did.
    """
    event = change.event
    next_number = next_draw_number(event)
    promise = {"secret": event.draw_secret, "hall_number": "", "draw_number": next_number}
    if isinstance(change, Trial):
        raise _found(event, lots, next_number, change.salt)
    if not frozen:
        if number:
            raise Refused(
                _("Erst die Saalzahl einholen: Vor der Zahl muss feststehen, was gelost wird."),
                code="not_frozen",
            )
        return promise
    row = frozen_open(event)
    if row is None or (row.pk, row.kind, row.table) != (frozen, lots.kind, lots.table):
        raise Refused(_("Diese Auslosung ist schon gemacht oder abgesagt."), code="not_frozen")
    if digest_of(_found(event, lots, next_number, row.salt).text) != row.digest:
        raise Refused(
            _("Was gelost wird, hat sich geändert. Bitte neu einholen."), code="overtaken"
        )
    promise["hall_number"] = _number_of(event, row, number)
    row.called, row.drawn_by = number, change.action
    row.save(update_fields=["called", "drawn_by"])
    change.record(frozen=row.digest)
    return promise


def refuse_used(event: Event, number: str) -> None:
    """Refuse what is no number that can be called out, and one that was.

    :raises Refused: It has other signs than digits, is too long, or another draw rests on it.
    """
    if not (number.isascii() and number.isdecimal()) or len(number) > MOST_CALLED_DIGITS:
        raise Refused(_("Die Saalzahl besteht nur aus Ziffern, höchstens 40."), code="bad_number")
    if event.hall_number == number or Draw.objects.filter(event=event, hall_number=number).exists():
        raise Refused(
            _("Die %(number)s war heute schon Saalzahl. Bitte eine andere rufen lassen.")
            % {"number": number},
            code="used_number",
        )


def new_salt() -> str:
    """Return what hides the wishes of a draw: the same for what is frozen and what is kept."""
    return secrets.token_hex(16)


def _number_of(event: Event, row: FrozenDraw, number: str) -> str:
    given = numbers_given(row)
    if not row.is_closed:
        if number:
            refuse_used(event, number)
        return number
    if number:
        raise Refused(
            _("Die Zahlen der Handys sind schon geschlossen: Eine gerufene zählt nicht mehr."),
            code="closed",
        )
    missing = sum(not one.number for one in given)
    if missing:
        raise Refused(
            _("Es fehlen noch Zahlen von %(count)s Handys.") % {"count": missing}, code="missing"
        )
    return combined_number([(one.registration_id, one.number, one.nonce) for one in given])


def _found(event: Event, lots: Lots, number: int, salt: str) -> Found:
    wishes = keep_apart_as_data(lots.apart)
    told = json.dumps({**wishes, "salt": salt}, sort_keys=True) if wishes else ""
    items = [entry_item(pk) for pk in sorted(lots.entries)]
    items += [
        seat_item(table, seat) for table in sorted(lots.free) for seat in sorted(lots.free[table])
    ]
    items += [sits_item(table, lots.sitting[table]) for table in sorted(lots.sitting)]
    kind = f"{lots.kind}:{lots.table}" if lots.table else lots.kind
    text = frozen_text(
        commitment=commitment(event.draw_secret),
        number=number,
        kind=kind,
        lots=items,
        wishes=digest_of(told) if told else "",
    )
    return Found(text, told)
