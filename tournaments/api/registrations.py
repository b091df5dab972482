"""Registrations and check-in: the actions of the desk."""

from django.shortcuts import get_object_or_404
from ninja import Path, Router

from tournaments.api.log import DONE, done
from tournaments.api.requests import ERRORS, ApiRequest, Id, Json, Key, Token, command_of, page
from tournaments.api.schemas import DeskPart, RegistrationIn, RegistrationOut, RegistrationPage
from tournaments.changes.access import Permission
from tournaments.door.selectors.desk import DeskRow, desk_row, desk_rows_of
from tournaments.door.selectors.places import waiting_live
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create, registration_withdraw
from tournaments.models import Registration
from tournaments.money.selectors.journal import open_by_registration, open_cents
from tournaments.people.selectors.people import contact_of, registrations_found

router = Router(tags=["Registrations"])
DESK = Token(Permission.CHECK_IN, people=True)
_ALL = "/events/{slug:slug}/registrations"
_ONE = _ALL + "/{num:registration}"


@router.get(_ALL, auth=DESK, response={200: RegistrationPage, **ERRORS})
def registrations(request: ApiRequest, slug: str, part: DeskPart) -> Json:
    """List the registrations by name, with entry and seat."""
    found = registrations_found(request.event, part.search, only_missing=part.only_missing)
    wanted = list(found[part.offset : part.offset + part.limit])
    waits = _waits(wanted)
    lines = desk_rows_of(request.event, wanted)
    still_open = open_by_registration(request.event, [row.pk for row in wanted])
    items = [_out(line, waits, still_open.get(line.registration.pk, 0)) for line in lines]
    return page(items, found.count(), part)


@router.post(_ALL, auth=DESK, response=DONE)
def register(request: ApiRequest, slug: str, key: Key, person: RegistrationIn) -> Json:
    """Register a person: with a place if one is free, else at the end of the waiting list."""
    return done(registration_create(command_of(request, key), **person.dict()))


@router.get(_ONE, auth=DESK, response={200: RegistrationOut, **ERRORS})
def registration(request: ApiRequest, slug: str, registration: Path[Id]) -> Json:
    """Return the state of one registration."""
    row = _row(request, registration)
    return _out(desk_row(row), _waits([row]), open_cents(row))


@router.post(f"{_ONE}/withdraw", auth=Token(Permission.WITHDRAW, people=True), response=DONE)
def withdraw(request: ApiRequest, slug: str, registration: Path[Id], key: Key) -> Json:
    """Withdraw a registration; the place goes to the next in line."""
    row = _row(request, registration, is_live=False)
    return done(registration_withdraw(command_of(request, key), registration=row))


@router.post(f"{_ONE}/check-in", auth=DESK, response=DONE)
def check_in(
    request: ApiRequest, slug: str, registration: Path[Id], key: Key, *, knowingly: bool = False
) -> Json:
    """Check a player in: an entry, a starting stack and, in a rolling draw, a drawn seat.

    After "in the money" only a director may, with `knowingly`: it undoes the announcement.
    """
    row = _row(request, registration, is_live=False)
    command = command_of(request, key, knowingly=knowingly)
    return done(entry_check_in(command, registration=row, plays_at_both=knowingly))


def _row(request: ApiRequest, pk: int, *, is_live: bool = True) -> Registration:
    """Return a registration; a withdrawn one only for an action, which then refuses or repeats."""
    rows = Registration.objects.live() if is_live else Registration.objects.all()
    return get_object_or_404(
        rows.select_related("person", "event__head"), event=request.event, pk=pk
    )


def _waits(rows: list[Registration]) -> frozenset[int]:
    if not rows:
        return frozenset()
    waiting = waiting_live(rows[0].event).filter(registration__in=rows)
    return frozenset(waiting.values_list("registration", flat=True))


def _out(line: DeskRow, waits: frozenset[int], still_open: int) -> Json:
    row, person = line.registration, line.registration.person
    return {
        "id": row.pk,
        **contact_of(row, with_person=row.owns_person),
        "name": person.name,
        "remark": row.remark,
        "is_listed": row.is_listed,
        "is_member": person.is_member,
        "says_member": row.says_member,
        "is_reserved": row.is_reserved,
        "is_cash_guest": row.is_cash_guest,
        "registered_at": row.registered_at,
        "state": _state(line, waits),
        "entry": line.entry.pk if line.entry else None,
        "table": line.table,
        "seat": line.seat,
        "rate": row.rate,
        "open_cents": still_open,
    }


def _state(line: DeskRow, waits: frozenset[int]) -> str:
    if line.is_out:
        return "out"
    if line.entry is not None:
        return "in"
    return "waiting" if line.registration.pk in waits else "registered"
