"""The state of a registration on the player's own page. Reads only."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tournaments.changes.access import Role
from tournaments.changes.kinds import kind_names
from tournaments.door.selectors.places import (
    claimed_seat_of,
    noshow_planned_at,
    offer_of,
    place_number,
    position_of,
    waiting_of,
)
from tournaments.event.domain.cards import card_from_code
from tournaments.event.domain.games import Game
from tournaments.event.selectors.event import event_accepts_late, left_in_rooms
from tournaments.models import (
    DealerDraw,
    Elimination,
    Entry,
    Event,
    Expected,
    OnSite,
    PlaceOffer,
    Registration,
    Seating,
    Table,
)
from tournaments.people.domain.naming import shown_name
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.ranking import places_basis, places_from
from tournaments.seating.domain.moves import movers_in_order
from tournaments.seating.selectors.conduct import walking
from tournaments.seating.selectors.tables import table_views

# --- A player's nearness to a move to another table


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A player's rank in the order of moves from a table.

    `place` is None if the player to move would be drawn. `again_s` is the number of seconds until
    the button may be outdated.
    """

    table: int
    players: int
    place: int | None
    again_s: int | None


def rank_of(event: Event, seating: Seating | None, now: datetime) -> Rank | None:
    """Return a player's nearness to a move; None if no move is possible or it is unknown.

    In stud the free seat elsewhere decides the player to move (TDA 2024 11-A).
    """
    if seating is None or not event.has_started or event.is_over or event.game == Game.STUD:
        return None
    if Table.objects.live().filter(event=event).count() < 2:
        return None
    number = seating.table.number
    view = table_views(event, now, {number}, with_locks=False)[number]
    order = movers_in_order(view)
    return Rank(
        table=number,
        players=len(view.players),
        place=order.index(seating.seat) + 1 if seating.seat in order else None,
        again_s=int(event.rule_set.tap_holds.total_seconds()) + 1 if order else None,
    )


# --- Recent moves for a returning player, starting with that player's table


SHOWN_FOR = timedelta(minutes=30)
MOST_MOVES = 20


def recent_moves(event: Event, now: datetime, table: int | None) -> list[dict[str, Any]]:
    """Return the latest moves still valid: from or to `table` first, then the newest.

    `came_from` is the former table, None for a first seat.
    """
    moving = kind_names(lambda kind: kind.moves_players)
    rows = (
        Seating.objects.live()
        .filter(event=event, made_by__kind__in=moving, seated_at__gt=now - SHOWN_FOR)
        .select_related("table", "entry__registration__person")
        .order_by("-seated_at", "-pk")[:MOST_MOVES]
    )
    found = list(rows)
    left = Seating.objects.filter(
        entry__in=[row.entry_id for row in found],
        voided_by__in=[row.made_by_id for row in found],
    ).select_related("table")
    before = {(row.entry_id, row.voided_by_id): row.table.number for row in left}
    moves = [_move(row, before.get((row.entry_id, row.made_by_id)), table) for row in found]
    return sorted(moves, key=lambda move: not move["is_here"])


def _move(row: Seating, came_from: int | None, table: int | None) -> dict[str, Any]:
    who, number = row.entry.registration, row.table.number
    return {
        "at": row.seated_at,
        "name": shown_name(who.person.name, is_listed=who.is_listed, to_staff=False),
        "came_from": came_from,
        "table": number,
        "seat": row.seat,
        "is_here": table is not None and table in (came_from, number),
    }


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
    is_decided = event.is_over or (event.has_started and left_in_rooms(event) == 1)
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
    # Left recently for this one, also by an undone move.
    left = Seating.objects.filter(entry=entry, voided_by__recorded_at__gt=now - MOVED_FOR)
    left = left.exclude(table__number=seating.table.number, seat=seating.seat)
    latest = left.order_by("-voided_by__sequence").values_list("table__number", "seat")
    came_from = None if has_come else latest.first()
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
