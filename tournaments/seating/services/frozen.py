"""The hall number of a draw of many: the draw is frozen, the hall gives numbers, it is made.

Here are the steps before it is made. That is done by its own service, which takes what was frozen
(`binding.draw_bound`). What is frozen holds as long as exactly that would be drawn; whatever
changes it makes it void.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, Service, follows_change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, tells_consequence
from tournaments.models import Action, Draw, Event, FrozenDraw, HallNumber, Registration, Table
from tournaments.seating.domain.hall_numbers import digest_of, is_number, is_seal, opens
from tournaments.seating.selectors.hall_numbers import (
    frozen_open,
    list_of,
    may_give,
    numbers_given,
)
from tournaments.seating.services.binding import Found, new_salt, tried
from tournaments.seating.services.breaking import final_table_draw, table_break, tables_redraw
from tournaments.seating.services.seats import seats_draw

DRAWS: dict[str, Service[...]] = {
    "field": seats_draw,
    "redraw": tables_redraw,
    "final": final_table_draw,
    "break": table_break,
}

DRAW_FROZEN = Kind(
    "draw.frozen", lazy("Auslosung %(draw)s eingefroren, die Saalzahl wird geholt"), Group.TABLES
)


@service(DRAW_FROZEN, Permission.RESEAT, Topic.NUMBERS)
def draw_freeze(
    change: Change, *, purpose: str, table: Table | None = None, reason: str = ""
) -> None:
    """Fix what is going to be drawn, before anybody can know the number that it will rest on."""
    event = change.event
    if frozen_open(event) is not None:
        raise Refused(_("Es wird schon eine Saalzahl geholt."), code="already_frozen")
    if purpose not in DRAWS:
        raise Refused(_("Diese Auslosung gibt es nicht."), code="bad_purpose")
    salt = new_salt()
    found = tried(change, DRAWS[purpose], salt=salt, **_own(purpose, table, reason))
    number = int(found.text.split("|")[1])
    row = FrozenDraw.objects.create(
        event=event,
        kind=purpose,
        table=table.number if table is not None and purpose == "break" else 0,
        number=number,
        text=found.text,
        digest=digest_of(found.text),
        salt=salt,
        made_by=change.action,
    )
    change.record(frozen=row.digest, draw=number, purpose=purpose, table=row.table)
    change.tell(reason=reason, wishes=found.wishes)
    change.set(frozen=row)
    change.push(whose="all")


def _own(purpose: str, table: Table | None, reason: str) -> dict[str, Any]:
    if purpose != "break":
        return {}
    if table is None:
        raise Refused(_("Diesen Tisch gibt es nicht mehr."), code="table_gone")
    return {"table": table, "reason": reason}


DRAW_CALLED_OFF = Kind(
    "draw.called_off",
    lazy("Auslosung %(draw)s abgesagt, ohne Saalzahl"),
    Group.TABLES,
    is_final=True,
)


@service(DRAW_CALLED_OFF, Permission.RESEAT, Topic.NUMBERS)
def draw_call_off(change: Change, *, frozen: int) -> None:
    """Give up a frozen draw. That stays to be seen: somebody may not have liked what came."""
    row = _open(change.event, frozen)
    _void(change, row)
    change.record(draw=row.number, frozen=row.digest)


NUMBER_SEALED = Kind(
    "number.sealed",
    lazy("Ein Handy hat für Auslosung %(draw)s eine Zahl hinterlegt"),
    Group.TABLES,
    is_quiet=True,
    is_final=True,
)


@service(NUMBER_SEALED, Permission.GIVE_NUMBER, Topic.NUMBERS)
def number_seal(change: Change, *, registration: Registration, frozen: int, seal: str) -> None:
    """Keep the seal of a player's number; until the list is closed, another replaces it."""
    own = _own_registration(change, registration)
    row = _open(change.event, frozen)
    if row.is_closed:
        raise Refused(_("Die Liste ist schon geschlossen."), code="closed")
    if not may_give(own):
        raise Refused(_("Eine Zahl gibt, wer im Turnier ist."), code="not_present")
    if not is_seal(seal):
        raise Refused(_("Bitte eine Zahl mit einer bis neun Ziffern."), code="bad_number")
    HallNumber.objects.update_or_create(frozen=row, registration=own, defaults={"seal": seal})
    change.record(registration=own.pk, draw=row.number, seal=seal)


NUMBERS_CLOSED = Kind(
    "numbers.closed",
    lazy("Zahlen für Auslosung %(draw)s geschlossen: %(numbers)s Handys"),
    Group.TABLES,
    is_final=True,
)


@service(NUMBERS_CLOSED, Permission.RESEAT, Topic.NUMBERS)
def numbers_close(change: Change, *, frozen: int) -> None:
    """Fix the list of the seals. The phones open their numbers now, none comes to it any more."""
    row = _open(change.event, frozen)
    if row.is_closed:
        raise Refused(_("Die Liste ist schon geschlossen."), code="closed")
    given = numbers_given(row)
    if not given:
        raise Refused(_("Noch kein Handy hat eine Zahl gegeben."), code="no_numbers")
    row.closed_by = change.action
    row.save(update_fields=["closed_by"])
    change.record(draw=row.number, numbers=len(given), list=digest_of(list_of(given)))
    change.push(whose="all")


NUMBER_OPENED = Kind(
    "number.opened",
    lazy("Ein Handy hat seine Zahl für Auslosung %(draw)s geöffnet"),
    Group.TABLES,
    is_quiet=True,
    is_final=True,
)


@service(NUMBER_OPENED, Permission.GIVE_NUMBER, Topic.NUMBERS)
def number_open(
    change: Change, *, registration: Registration, frozen: int, number: str, nonce: str
) -> None:
    """Take the number that was sealed."""
    own = _own_registration(change, registration)
    row = _open(change.event, frozen)
    if not row.is_closed:
        raise Refused(_("Die Liste ist noch nicht geschlossen."), code="not_closed")
    given = HallNumber.objects.filter(frozen=row, registration=own).first()
    if given is None:
        raise Refused(_("Von dir steht keine Zahl auf der Liste."), code="not_listed")
    if given.number:
        raise Refused(_("Deine Zahl ist schon geöffnet."), code="opened")
    if not is_number(number) or not opens(given.seal, number, nonce):
        raise Refused(_("Das ist nicht die Zahl, die du hinterlegt hast."), code="other_number")
    given.number, given.nonce = number, nonce
    given.save(update_fields=["number", "nonce"])
    change.record(registration=own.pk, draw=row.number, number=number, nonce=nonce)


def _own_registration(change: Change, registration: Registration) -> Registration:
    """Return the registration of the player who acts: nobody gives a number for somebody else."""
    found = Registration.objects.live().filter(event=change.event, pk=registration.pk).first()
    if found is None or change.by.registration_id != found.pk:
        raise Refused(_("Eine Zahl gibt jeder auf seiner eigenen Seite."), code="not_allowed")
    found.event = change.event
    return found


def _open(event: Event, frozen: int) -> FrozenDraw:
    row = frozen_open(event)
    if row is None or row.pk != frozen:
        raise Refused(_("Diese Auslosung ist schon gemacht oder abgesagt."), code="not_frozen")
    return row


def _void(change: Change, row: FrozenDraw) -> None:
    row.voided_by = change.action
    row.save(update_fields=["voided_by"])
    change.set(frozen=None)
    change.announce(Topic.NUMBERS)
    change.push(whose="all")


tells_consequence(
    "freeze_void", lazy("Was gelost wird, hat sich geändert: Die Saalzahl muss neu geholt werden.")
)
_OF_NUMBERS = (DRAW_FROZEN, DRAW_CALLED_OFF, NUMBER_SEALED, NUMBERS_CLOSED, NUMBER_OPENED)


@follows_change
def void_if_changed(change: Change) -> None:
    """Void what is frozen as soon as something else would be drawn."""
    if not isinstance(change.subject, Event) or change.kind in _OF_NUMBERS:
        return
    row = frozen_open(change.event)
    if row is not None and _what_would_be_drawn(change, row) != row.digest:
        _void(change, row)
        change.record(freeze_void=row.number)


def _what_would_be_drawn(change: Change, row: FrozenDraw) -> str:
    table = Table.objects.live().filter(event=row.event_id, number=row.table).first()
    if change.event.is_over:
        return ""
    try:
        own = _own(row.kind, table, "-")
        found: Found = tried(change, DRAWS[row.kind], salt=row.salt, **own)
    except Refused:
        return ""
    return digest_of(found.text)


@undoes(DRAW_FROZEN)
def _undo_frozen(change: Change, action: Action) -> None:
    row = FrozenDraw.objects.get(made_by=action)
    if row.drawn_by_id and Draw.objects.live().filter(made_by=row.drawn_by_id).exists():
        raise Refused(_("Mit dieser Saalzahl wurde schon ausgelost."), code="needed")
    # Of one that is spent, nothing is left to take back.
    if row.is_open:
        _void(change, row)
