"""Who is registered, who is here, where each sits: for the desk and for a player's own page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from tournaments.domain.cards import card_from_code
from tournaments.domain.naming import initials, sort_key
from tournaments.models import DealerDraw, Elimination, Entry, Event, Registration, Seating
from tournaments.selectors.event import players_left, registrations_live
from tournaments.selectors.ranking import place_of

FIRST_SEATS = frozenset({"entry.checked_in", "seats.drawn"})
MOVED_FOR = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRow:
    """One line of the desk's list."""

    registration: Registration
    entry: Entry | None
    table: int | None = None
    seat: int | None = None
    is_out: bool = False

    @property
    def name(self) -> str:
        return self.registration.person.name


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPicture:
    """What a player's own page shows now."""

    registration: Registration
    face: str  # withdrawn | registered | waiting | seated | out
    number: int = 0
    entry: Entry | None = None
    seating: Seating | None = None
    place: int | None = None
    is_moved: bool = False
    is_disqualified: bool = False
    dealer_seat: int | None = None
    dealer_card: str = ""


def desk_rows(event: Event, *, search: str = "", most: int | None = None) -> list[DeskRow]:
    """Return the registrations by name, with entry and seat, in a fixed number of queries."""
    found = desk_found(event, search)
    registrations = list(found[:most] if most else found)
    return _rows(event, registrations, narrow=most is not None)


def desk_found(event: Event, search: str) -> QuerySet[Registration]:
    """Return the registrations whose names hold every word of the search."""
    rows = registrations_live(event).order_by("person__sort_name", "pk")
    for word in sort_key(search).split():
        rows = rows.filter(person__sort_name__contains=word)
    return rows


def _rows(event: Event, registrations: list[Registration], *, narrow: bool) -> list[DeskRow]:
    entries = Entry.objects.live().filter(event=event).order_by("number")
    seatings = Seating.objects.live().filter(event=event).select_related("table")
    outs = Elimination.objects.live().filter(event=event)
    if narrow:
        entries = entries.filter(registration__in=registrations)
        seatings = seatings.filter(entry__registration__in=registrations)
        outs = outs.filter(entry__registration__in=registrations)
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


def people_listed(event: Event) -> tuple[list[str], int]:
    """Return the names of those who let themselves be listed, and how many others come."""
    rows = registrations_live(event).order_by("person__sort_name", "pk")
    names = [row.person.name for row in rows if row.is_listed]
    return names, len(rows) - len(names)


def entries_seated(event: Event) -> list[Seating]:
    """Return who sits where, by table and seat, for the slips."""
    rows = Seating.objects.live().filter(event=event)
    return list(
        rows.select_related("table", "entry__registration__person").order_by(
            "table__number", "seat"
        )
    )


def shown_name(name: str, *, is_listed: bool, to_staff: bool) -> str:
    """Return a name as the reader may see it: initials of those who do not want to be listed."""
    return name if is_listed or to_staff else initials(name)


def player_picture(registration: Registration, now: datetime) -> PlayerPicture:
    """Return where a registration stands in the evening."""
    if registration.voided_by_id is not None:
        return PlayerPicture(registration=registration, face="withdrawn")
    entry = registration.entries.live().order_by("-number").first()
    if entry is None:
        before = registrations_live(registration.event).filter(pk__lte=registration.pk)
        return PlayerPicture(
            registration=registration, face="registered", number=before.count()
        )
    event = registration.event
    out = Elimination.objects.live().filter(entry=entry).first()
    # All places are worked out for one: not for everybody who is still in.
    is_decided = out is not None or event.is_over or (
        event.has_started and players_left(event) == 1
    )
    place = place_of(event, entry) if is_decided else None
    if out is not None or place is not None:
        return PlayerPicture(
            registration=registration,
            face="out",
            entry=entry,
            place=place,
            is_disqualified=out is not None and out.way == Elimination.Way.DISQUALIFIED,
        )
    return _at_a_seat(registration, entry, now)


def _at_a_seat(registration: Registration, entry: Entry, now: datetime) -> PlayerPicture:
    seating = Seating.objects.live().select_related("table", "made_by").filter(entry=entry).first()
    if seating is None:
        return PlayerPicture(registration=registration, face="waiting", entry=entry)
    draw = DealerDraw.objects.live().filter(table=seating.table).order_by("-pk").first()
    moved = seating.made_by.kind not in FIRST_SEATS and _has_sat_before(entry)
    return PlayerPicture(
        registration=registration,
        face="seated",
        entry=entry,
        seating=seating,
        is_moved=moved and now - seating.seated_at < MOVED_FOR,
        dealer_seat=draw.cards[0]["seat"] if draw else None,
        dealer_card=card_from_code(draw.cards[0]["card"]).symbol if draw else "",
    )


def _has_sat_before(entry: Entry) -> bool:
    return Seating.objects.filter(entry=entry, voided_by__isnull=False).exists()
