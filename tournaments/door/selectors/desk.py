"""The desk's list: the state of each registration on the way to the seat. Reads only."""

from collections import Counter
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.lookups import IsNull
from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.door.domain.scans import scanned_ticket, scanned_token
from tournaments.door.selectors.paying import with_refund
from tournaments.door.selectors.places import (
    capacity_of,
    entries_of_person,
    noshows_found,
    people_through,
    waiting_list_of,
    waiting_live,
)
from tournaments.event.selectors.event import (
    figures,
    registrations_placed_count,
    takes_bags_only,
)
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    Expected,
    OnSite,
    Person,
    PlaceOffer,
    Registration,
    Seating,
    Ticket,
    Waiting,
    with_link,
)
from tournaments.money.domain.accounts import price_cents
from tournaments.money.selectors.journal import payments, prices_owed, with_open_fees
from tournaments.money.selectors.tickets import (
    obstacle_to_redeem,
    registration_of_person,
    ticket_numbered,
)
from tournaments.people.domain.naming import sort_key
from tournaments.people.selectors.people import (
    MOST_WORDS,
    has_come,
    holds_word,
    people_of,
    registrations_found,
    with_evenings,
)

# --- Registrations with arrival and seat: for the desk and the player's own page


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRow:
    registration: Registration
    entry: Entry | None
    table: int | None = None
    seat: int | None = None
    is_out: bool = False

    @property
    def name(self) -> str:
        return self.registration.person.name


def desk_row(registration: Registration) -> DeskRow:
    return desk_rows_of(registration.event, [registration])[0]


def emails_registered(event: Event) -> dict[str, list[str]]:
    """Return the addresses of registered people, by normalized name."""
    found: dict[str, list[str]] = {}
    rows = Registration.objects.live().filter(event=event)
    for plain_name, own, known in rows.values_list("person__plain_name", "email", "person__email"):
        found.setdefault(plain_name, []).append(own or known)
    return found


def desk_rows_of(event: Event, registrations: list[Registration]) -> list[DeskRow]:
    """Return the lines of these registrations, in their order."""
    of_these = {"event": event, "registration__in": registrations}
    entries = Entry.objects.live().filter(**of_these).order_by("number")
    seats = {"event": event, "entry__registration__in": registrations}
    seatings = Seating.objects.live().filter(**seats).select_related("table")
    outs = Elimination.objects.live().filter(**seats)
    entry_of = {entry.registration_id: entry for entry in entries}
    seat_of = {seating.entry_id: seating for seating in seatings}
    out = set(outs.values_list("entry_id", flat=True))
    return [
        _row(registration, entry_of.get(registration.pk), seat_of, out)
        for registration in registrations
    ]


def _row(
    registration: Registration, entry: Entry | None, seats: dict[int, Seating], out: set[int]
) -> DeskRow:
    seating = seats.get(entry.pk) if entry else None
    return DeskRow(
        registration=registration,
        entry=entry,
        table=seating.table.number if seating else None,
        seat=seating.seat if seating else None,
        is_out=entry is not None and entry.pk in out,
    )


# --- Regulars: people known to the club and not registered yet


SHORTEST_SEARCH = 3  # letters
MOST_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A person registered at an earlier event; `came`: and played there."""

    registration: Registration
    came: bool
    is_here: bool

    @property
    def person(self) -> Person:
        return self.registration.person


def people_not_registered(event: Event) -> QuerySet[Person]:
    """Return known people not registered at this event; for a sample event none."""
    if event.is_sample:
        return Person.objects.none()
    here = Registration.objects.live().filter(event=event, person=OuterRef("pk"))
    return people_of(event.club).exclude(Exists(here))


def regulars_found(event: Event, search: str) -> list[Person]:
    """Return the first matches (names that contain every word), with their events."""
    words = sort_key(search).split()[:MOST_WORDS]
    if event.is_over or sum(map(len, words)) < SHORTEST_SEARCH:
        return []
    rows = people_not_registered(event)
    for word in words:
        rows = rows.filter(holds_word(word, "sort_name"))
    found = list(with_evenings(rows, "-evenings", "sort_name", "pk")[:MOST_SHOWN])
    if not takes_bags_only(event):
        return found
    through = people_through(event, [person.pk for person in found])
    return [person for person in found if person.pk in through]


def taken_again(person: Person, last: Registration | None) -> dict[str, Any]:
    """Return the data to register a known person; the name is listed or not as last time."""
    return {
        "person": person.pk,
        "name": person.name,
        "is_listed": last.is_listed if last else False,
        "language": last.language if last else "",
    }


def evenings_with_guests(event: Event) -> QuerySet[Event]:
    """Return the club's other events with registrations, latest first."""
    there = Registration.objects.live().filter(event=OuterRef("pk"))
    rows = Event.objects.filter(Exists(there), club=event.club_id, is_sample=False)
    return rows.exclude(pk=event.pk).order_by("-starts_at", "-pk")


def guests_of(source: Event, event: Event) -> list[Guest]:
    """Return the people registered at another event by name, marked if already here."""
    rows = Registration.objects.live().filter(event=source, person__erased_at=None)
    here = Registration.objects.live().filter(event=event, person=OuterRef("person"))
    found = rows.annotate(came=has_come(), is_here=Exists(here)).select_related("person")
    return [
        Guest(registration=row, came=row.came, is_here=row.is_here)
        for row in found.order_by("person__sort_name", "pk")
    ]


MOST_NAMED = 20


class Only(StrEnum):
    """The filters of the desk's list."""

    ALL = ""
    MISSING = "missing"
    WAITING = "waiting"
    UNPAID = "unpaid"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskLine(DeskRow):
    """One person at the desk; `position` is the place on the waiting list.

    `mark` distinguishes people with the same name.
    """

    mark: str = ""
    position: int | None = None
    offer: PlaceOffer | None = None
    came_at: datetime | None = None
    expected_at: datetime | None = None
    paid_cents: int = 0
    owed_cents: int = 0

    @property
    def open_cents(self) -> int:
        """Return the amount still to pay; zero without a place."""
        return 0 if self.position else max(0, self.owed_cents - self.paid_cents)

    @property
    def credit_cents(self) -> int:
        """Return the overpaid amount."""
        return 0 if self.position else max(0, self.paid_cents - self.owed_cents)

    @property
    def may_check_in(self) -> bool:
        return self.entry is None and self.position is None and not self.registration.is_cash_guest


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorNumbers:
    """The places of an event and the players here; an eliminated player frees a place."""

    registered: int
    here: int
    out: int
    free: int
    waiting: int
    offered: int
    held_back: int


@dataclass(frozen=True, slots=True)
class Refund:
    """A refund due: to a withdrawn registration that had paid, or of an overpayment."""

    registration: Registration
    back_cents: int
    is_gone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """The result of a scanned code; `registration` is None for an unknown link.

    `ticket` is the scanned one, `why_not` the reason why it pays for nothing here.
    """

    registration: Registration | None
    is_elsewhere: bool = False
    is_gone: bool = False
    ticket: Ticket | None = None
    why_not: str = ""


def door_numbers(event: Event) -> DoorNumbers:
    room = capacity_of(event)
    entries = Entry.objects.live().filter(event=event)
    # A player with a re-entry is not gone.
    gone = figures(event, "outs", "reentries")
    return DoorNumbers(
        registered=registrations_placed_count(event),
        here=entries.values("registration").distinct().count(),
        out=gone["outs"] - gone["reentries"],
        free=room.free,
        waiting=room.waiting - room.offered,
        offered=room.offered,
        held_back=room.free_reserved,
    )


def desk_only(event: Event, search: str, only: Only) -> QuerySet[Registration]:
    """Return the registrations of the list, by name; the waiting ones in line order."""
    rows = registrations_found(event, search, only_missing=only == Only.MISSING)
    line = Waiting.objects.live().filter(registration=OuterRef("pk"))
    if only == Only.WAITING:
        since = Subquery(line.values("since")[:1])
        return rows.filter(Exists(line)).order_by(since, "pk")
    if only == Only.MISSING:
        return rows.exclude(Exists(line))
    if only == Only.UNPAID:
        return with_open_fees(event, rows.exclude(Exists(line)))
    return rows


def desk_lines(event: Event, registrations: list[Registration]) -> list[DeskLine]:
    """Return the desk's lines of these registrations, in a few queries."""
    of_rows = {"registration__in": registrations}
    waits = set(waiting_live(event).filter(**of_rows).values_list("registration", flat=True))
    # The line may be long: read it only if one of these is waiting.
    line = waiting_list_of(event) if waits else []
    position = {waiter.registration: number for number, waiter in enumerate(line, start=1)}
    offers = PlaceOffer.objects.live().filter(waiting__registration__in=waits)
    offered = {row.waiting.registration_id: row for row in offers.select_related("waiting")}
    came = OnSite.objects.live().filter(**of_rows).values_list("registration", "came_at")
    comes = Expected.objects.live().filter(**of_rows).values_list("registration", "expected_at")
    came_of, comes_of = dict(came), dict(comes)
    paid = payments(event, [row.pk for row in registrations])
    owed = prices_owed(event, [row.pk for row in registrations])
    names = Counter(row.person.plain_name for row in registrations)
    return [
        DeskLine(
            **{field.name: getattr(row, field.name) for field in fields(DeskRow)},
            mark=_mark(row.registration) if names[row.registration.person.plain_name] > 1 else "",
            position=position.get(row.registration.pk),
            offer=offered.get(row.registration.pk),
            came_at=came_of.get(row.registration.pk),
            expected_at=comes_of.get(row.registration.pk),
            paid_cents=paid.get(row.registration.pk, 0),
            owed_cents=sum(map(price_cents, owed[row.registration.pk])),
        )
        for row in desk_rows_of(event, registrations)
    ]


def _mark(row: Registration) -> str:
    """Return a detail the desk can ask for to tell namesakes apart."""
    contact = row.email or row.person.email or row.phone or row.person.phone
    at = timezone.localtime(row.registered_at).strftime("%d.%m. %H:%M")
    return contact or _("angemeldet %(at)s") % {"at": at}


def desk_line(registration: Registration) -> DeskLine:
    return desk_lines(registration.event, [registration])[0]


def plays_elsewhere(registration: Registration) -> Event | None:
    """Return another event, running or about to begin, in which this person is still in."""
    found = entries_of_person(registration.event, registration)
    return next((row.event for row in found if row.event_id != registration.event_id), None)


def refunds_due(event: Event) -> list[Refund]:
    """Return the first of the refunds due: withdrawn registrations, then overpayments."""
    rows = with_refund(event).order_by(IsNull(F("voided_by"), True), "person__sort_name", "pk")
    return [Refund(row, row.back, row.voided_by_id is not None) for row in rows[:MOST_NAMED]]


def noshow_names(event: Event, now: datetime) -> tuple[list[str], int]:
    """Return the first names of the no-shows due, and how many there are."""
    gone = noshows_found(event, now)
    return [row.person.name for row in gone[:MOST_NAMED]], gone.count()


def scanned(event: Event, search: str, now: datetime) -> Scanned | None:
    """Return the result of a scanned or typed link or ticket; None for any other text."""
    number = scanned_ticket(search)
    if number is not None:
        return _scanned_ticket(event, number, now)
    token = scanned_token(search)
    if token is None:
        return None
    rows = Registration.objects.select_related("person", "event__head")
    row = with_link(rows, token).first()
    if row is None:
        return Scanned(registration=None)
    elsewhere = row.event_id != event.pk
    return Scanned(registration=row, is_elsewhere=elsewhere, is_gone=row.voided_by_id is not None)


def _scanned_ticket(event: Event, number: int, now: datetime) -> Scanned:
    ticket = ticket_numbered(event.club, number)
    if ticket is None:
        return Scanned(registration=None)
    here = registration_of_person(event, ticket.registration.person)
    why_not = obstacle_to_redeem(ticket, event, here, localtime(now).date())
    return Scanned(
        registration=here if why_not is None else None,
        is_elsewhere=here is None,
        ticket=ticket,
        why_not=str(why_not or ""),
    )
