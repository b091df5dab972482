"""The state of a registration on the player's own page. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.changes.access import Role
from tournaments.door.selectors.places import (
    claimed_seat_of,
    noshow_planned_at,
    offer_of,
    place_number,
    position_of,
    waiting_of,
)
from tournaments.event.domain.cards import card_from_code
from tournaments.event.selectors.event import event_accepts_late, players_left
from tournaments.models import (
    DealerDraw,
    Elimination,
    Entry,
    Expected,
    OnSite,
    PlaceOffer,
    Registration,
    Seating,
)
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.ranking import places_basis, places_from
from tournaments.seating.selectors.conduct import walking

MOVED_FOR = timedelta(minutes=10)
# For so long a player may undo a statement on the page with one tap.
SAID_FOR = timedelta(minutes=30)
LOST_BY = "noshows.released"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPicture:
    """The state of a player's own page.

    `face` is one of withdrawn, cancelled, absent (it began without the player), registered, line
    (on the waiting list), waiting (for a seat), seated, moved, out, winner. `number` is the place,
    or the position in line; `is_seat_open`: the player has not confirmed the seat. `here_by` is the
    deadline of arrival, `lost_at` when an absent player lost the place. `may_unsay`: the player's
    own statement can be undone; `is_open_field`: others may still enter.
    """

    registration: Registration
    face: str
    number: int = 0
    offer: PlaceOffer | None = None
    is_here: bool = False
    here_by: datetime | None = None
    lost_at: datetime | None = None
    may_unsay: bool = False
    expected_at: datetime | None = None
    is_seat_open: bool = False
    seating: Seating | None = None
    came_from: tuple[int, int] | None = None
    is_walking: bool = False
    place: int | None = None
    is_shared: bool = False
    is_provisional: bool = False
    is_open_field: bool = False
    is_overruled: bool = False
    is_disqualified: bool = False
    dealer_seat: int | None = None
    dealer_card: str = ""
    own_card: str = ""


def player_picture(registration: Registration, now: datetime) -> PlayerPicture:
    """Return the state of a registration in the evening."""
    event = registration.event
    if registration.voided_by_id is not None:
        return PlayerPicture(registration=registration, face="withdrawn")
    if event.cancelled_by_id is not None:
        return PlayerPicture(registration=registration, face="cancelled")
    entry = registration.entries.live().order_by("-number").first()
    if entry is not None:
        return _at_the_end(registration, entry, now) or _at_a_seat(registration, entry, now)
    if event.is_over:
        return PlayerPicture(registration=registration, face="absent")
    return _before_the_seat(registration, now)


def _before_the_seat(registration: Registration, now: datetime) -> PlayerPicture:
    """Return the picture of a listed player, with a place or in line."""
    waiting = waiting_of(registration)
    offer = offer_of(waiting)
    expected = Expected.objects.live().filter(registration=registration).first()
    here = OnSite.objects.live().select_related("made_by").filter(registration=registration).first()
    is_lost = waiting is not None and waiting.made_by.kind == LOST_BY
    return PlayerPicture(
        registration=registration,
        face="line" if waiting else "registered",
        number=position_of(waiting) if waiting else place_number(registration),
        # An expired offer no longer counts, even before a worker removes it.
        offer=offer if offer is not None and now <= offer.expires_at else None,
        is_here=here is not None,
        here_by=noshow_planned_at(registration.event) if waiting is None else None,
        lost_at=waiting.made_by.at if waiting is not None and is_lost else None,
        may_unsay=here is not None and here.made_by.role == Role.PLAYER,
        expected_at=expected.expected_at if expected is not None else None,
    )


def _at_the_end(registration: Registration, entry: Entry, now: datetime) -> PlayerPicture | None:
    """Return the picture of a player with a final place; None while still in."""
    event = registration.event
    out = Elimination.objects.live().filter(entry=entry).first()
    # Places are computed for all at once: not for each player still in.
    is_decided = event.is_over or (event.has_started and players_left(event) == 1)
    if out is None and not is_decided:
        return None
    basis = places_basis(event)
    places = places_from(basis)
    place = places.get(entry.pk)
    if place is None:
        return None
    return PlayerPicture(
        registration=registration,
        face="winner" if place == 1 else "out",
        place=place,
        is_shared=list(places.values()).count(place) > 1,
        is_provisional=out is not None
        and out.round_id is not None
        and entry.pk in provisional_entries(event),
        is_open_field=not is_decided
        and event.is_registration_open
        and event_accepts_late(event, now),
        is_overruled=entry.pk in basis.overruled,
        is_disqualified=out is not None and out.way == Elimination.Way.DISQUALIFIED,
    )


def _at_a_seat(registration: Registration, entry: Entry, now: datetime) -> PlayerPicture:
    seating = Seating.objects.live().select_related("table").filter(entry=entry).first()
    if seating is None:
        return PlayerPicture(registration=registration, face="waiting")
    event = registration.event
    is_walking = bool(walking(event, [entry.pk]))
    arrival = claimed_seat_of(registration).select_related("made_by").first()
    has_said = arrival is not None
    has_come = not is_walking and has_said
    came_from = None if has_come else _seat_before(seating, now)
    draw = DealerDraw.objects.live().filter(table=seating.table).order_by("-pk").first()
    dealt = draw.cards if draw is not None else []
    cards = {row["seat"]: card_from_code(row["card"]).symbol for row in dealt}
    own = next((row["seat"] for row in dealt if row["entry"] == entry.pk), 0)
    dealer_seat = dealt[0]["seat"] if dealt else None
    return PlayerPicture(
        registration=registration,
        face="moved" if came_from else "seated",
        seating=seating,
        came_from=came_from,
        is_walking=is_walking,
        may_unsay=arrival is not None
        and arrival.made_by.role == Role.PLAYER
        and arrival.arrived_at > now - SAID_FOR,
        is_seat_open=not (is_walking or has_said or event.is_over or came_from)
        and (not event.has_started or seating.seated_at > now - MOVED_FOR),
        dealer_seat=dealer_seat,
        dealer_card=cards.get(dealer_seat, ""),
        own_card=cards.get(own, ""),
    )


def _seat_before(seating: Seating, now: datetime) -> tuple[int, int] | None:
    """Return the table and seat left recently for this one, also by an undone move."""
    rows = Seating.objects.filter(
        entry=seating.entry_id, voided_by__recorded_at__gt=now - MOVED_FOR
    ).exclude(table__number=seating.table.number, seat=seating.seat)
    latest = rows.order_by("-voided_by__sequence").values_list("table__number", "seat")
    return latest.first()
