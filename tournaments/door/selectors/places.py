"""Places, the waiting list, and offers of places."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.changes.access import Role
from tournaments.door.domain.places import Capacity, Waiter
from tournaments.event.domain.rules import NoShow
from tournaments.event.selectors.event import figures
from tournaments.event.selectors.hall import not_forgotten
from tournaments.event.selectors.settings.entries import CAPACITY_LIMIT
from tournaments.models import (
    Absence,
    Action,
    Arrival,
    Bag,
    ClockCall,
    DealShare,
    Elimination,
    Entry,
    Event,
    Expected,
    Knockout,
    LostStack,
    OnSite,
    PlaceOffer,
    Purchase,
    Registration,
    Stage,
    Waiting,
)
from tournaments.people.selectors.people import meant_by

COUNTED = ("registrations", "waiting", "offers", "outs", "reentries", "later_days")


def capacity_of(event: Event) -> Capacity:
    """Return the event's capacity, in a few counts over partial indexes.

    Once play has begun, each eliminated player frees a place.
    """
    read = figures(event, *COUNTED)
    rows = Registration.objects.live().filter(event=event, is_reserved=True, is_cash_guest=False)
    return capacity_counted(event, read, rows.count() if event.reserved_places else 0)


def capacity_counted(event: Event, counts: Mapping[str, int], reserved: int) -> Capacity:
    """Return the event's capacity from the counts of `event.figures`.

    :param reserved: Registrations with a place reserved by the director.
    """
    gone = counts["waiting"] + (counts["outs"] - counts["reentries"] if event.has_started else 0)
    # Without places held back, a reserved registration is an ordinary one.
    placed_reserved = reserved if event.reserved_places else 0
    return Capacity(
        capacity=CAPACITY_LIMIT if event.is_cash_only else event.capacity,
        reserved=min(event.reserved_places, event.capacity),
        placed=max(0, counts["registrations"] - gone - placed_reserved),
        placed_reserved=placed_reserved,
        offered=counts["offers"],
        waiting=counts["waiting"],
        bags_only=bool(counts["later_days"]) and not event.has_late_entry,
    )


def people_through(event: Event, people: Iterable[int]) -> set[int]:
    """Return those of these people who have a bag of a day before this one."""
    own = Stage.objects.live().filter(event=event)
    before = own.filter(contest=OuterRef("contest"), order__gt=OuterRef("order"))
    flights = Stage.objects.live().filter(Exists(before), event__head__cancelled_by=None)
    same = meant_by(event.club_id)
    meant = {who: same.get(who, who) for who in people}
    asked = {*meant, *meant.values(), *(gone for gone, to in same.items() if to in meant.values())}
    bags = Bag.objects.live().filter(event__in=flights.values("event"))
    rows = bags.filter(entry__registration__person__in=asked)
    through = {
        same.get(who, who) for who in rows.values_list("entry__registration__person", flat=True)
    }
    return {who for who, to in meant.items() if to in through}


def waiting_live(event: Event) -> QuerySet[Waiting]:
    return Waiting.objects.live().filter(event=event)


def waiting_list_of(event: Event, *, only_here: bool = False) -> list[Waiter]:
    """Return the waiting list in order, or only the players on it who are here."""
    asked = PlaceOffer.objects.live().filter(waiting=OuterRef("pk"))
    rows = waiting_live(event).annotate(is_asked=Exists(asked)).order_by("since", "pk")
    if only_here:
        here = OnSite.objects.live().filter(registration=OuterRef("registration"))
        rows = rows.filter(Exists(here))
    return [
        Waiter(registration=registration, is_member=is_member, is_asked=is_asked)
        for registration, is_member, is_asked in rows.values_list(
            "registration_id", "registration__person__is_member", "is_asked"
        )
    ]


def waiting_of(registration: Registration) -> Waiting | None:
    rows = Waiting.objects.live().select_related("made_by")
    return rows.filter(registration=registration).first()


def offer_of(waiting: Waiting | None) -> PlaceOffer | None:
    """Return the place offered to a waiting player, expired or not.

    Its deadline is never after the start, even if the start was moved forward since.
    """
    if waiting is None:
        return None
    rows = PlaceOffer.objects.live().filter(waiting=waiting)
    offer = rows.select_related("event__head__started_by").first()
    if offer is not None:
        offer.expires_at = deadline_of(offer)
    return offer


def deadline_of(offer: PlaceOffer) -> datetime:
    """Return the deadline of an offer: the given time, at the latest the start of play."""
    event = offer.event
    began = [event.started_by.at] if event.started_by is not None else []
    return min(offer.expires_at, event.starts_at, *began)


def only_here_are_next(event: Event, now: datetime) -> bool:
    """Tell whether only players who are here are next: play has begun, or should have."""
    return event.has_started or now >= event.starts_at


def are_here(registrations: Iterable[int]) -> set[int]:
    """Return the registrations among these whose players have arrived."""
    rows = OnSite.objects.live().filter(registration__in=list(registrations))
    return set(rows.values_list("registration_id", flat=True))


def position_of(waiting: Waiting) -> int:
    """Return the position on the waiting list, from 1."""
    before = waiting_live(waiting.event).filter(since__lt=waiting.since).count()
    same = waiting_live(waiting.event).filter(since=waiting.since, pk__lte=waiting.pk)
    return before + same.count()


def place_number(registration: Registration) -> int:
    """Return the number of this place in the order of giving, from 1."""
    event = registration.event
    rows = Registration.objects.live().filter(event=event, is_cash_guest=False)
    before = rows.filter(pk__lte=registration.pk).count()
    return before - waiting_live(event).filter(registration__lte=registration.pk).count()


def claimed_seat_of(registration: Registration) -> QuerySet[Arrival]:
    """Return the recorded arrival of the player at the assigned seat."""
    return Arrival.objects.live().filter(
        seating__entry__registration=registration, seating__voided_by=None
    )


def members_only(event: Event, now: datetime) -> bool:
    """Tell whether only members get places now."""
    return event.members_first_until is not None and now < event.members_first_until


def offers_expired(event: Event, now: datetime) -> list[PlaceOffer]:
    """Return the expired offers, earliest deadline first."""
    rows = PlaceOffer.objects.live().filter(event=event)
    if not only_here_are_next(event, now):
        rows = rows.filter(expires_at__lte=now)
    found = rows.select_related("waiting__registration__person", "event__head__started_by")
    return sorted(
        (offer for offer in found if deadline_of(offer) <= now),
        key=lambda offer: (deadline_of(offer), offer.pk),
    )


def noshow_due_at(event: Event) -> datetime | None:
    """Return the deadline for arrivals; None if there is none."""
    if not event.no_show_minutes or event.started_by is None or event.is_over:
        return None
    return event.started_by.at + timedelta(minutes=event.no_show_minutes)


def noshow_planned_at(event: Event) -> datetime | None:
    """Return the deadline for arrivals by the planned start, for use before the start."""
    if event.started_by is None and event.no_show_minutes and not event.is_over:
        return event.starts_at + timedelta(minutes=event.no_show_minutes)
    return noshow_due_at(event)


def noshows_are_blinded(event: Event) -> bool:
    """Tell whether no-shows are seated and blinded off; otherwise their places are freed."""
    return event.rule_set.no_show == NoShow.BLINDED


def is_blinded(event: Event, entry: Entry) -> bool:
    """Tell whether it is the stack of a no-show, in play and untouched by its player."""
    of_entry = {"event": event, "entry": entry, "entry__made_by__kind": "noshows.blinded"}
    never_here = Absence.objects.live().filter(**of_entry, made_by=F("entry__made_by"))
    played = (LostStack, Elimination, Purchase, ClockCall, DealShare)
    if not never_here.exists() or Knockout.objects.live().filter(by=entry).exists():
        return False
    if claimed_seat_of(entry.registration).filter(made_by__role=Role.PLAYER).exists():
        return False
    return not any(model.objects.live().filter(entry=entry).exists() for model in played)


def noshows(event: Event, now: datetime, *, by_itself: bool = False) -> list[Registration]:
    """Return registrations with a place, not here and without an announced later time.

    A player at a cash table is here.

    :param by_itself: Without those whom staff took back from a table: these wait for a press.
    """
    rows = noshows_found(event, now)
    return list(rows.exclude(pk__in=_taken_back(event)) if by_itself else rows)


def _taken_back(event: Event) -> set[int]:
    """Return the registrations of no-shows seated or released, and taken back since."""
    kinds = ("noshows.blinded", "noshows.released")
    undone = Action.objects.filter(event=event, undoes__kind__in=kinds, undone_by=None)
    told = undone.values_list("undoes__payload", flat=True)
    return {pk for payload in told for pk in payload.get("registrations", [])}


def noshows_found(event: Event, now: datetime) -> QuerySet[Registration]:
    """Return the same as an unevaluated query: there may be very many."""
    due_at = noshow_due_at(event)
    if due_at is None or now < due_at:
        return Registration.objects.none()
    of_row = {"registration": OuterRef("pk")}
    rows = (
        Registration.objects.live()
        .filter(event=event, is_cash_guest=False)
        .exclude(Exists(Entry.objects.live().filter(**of_row)))
        .exclude(Exists(Waiting.objects.live().filter(**of_row)))
        .exclude(Exists(OnSite.objects.live().filter(**of_row)))
        .exclude(Exists(Expected.objects.live().filter(**of_row, expected_at__gt=now)))
    )
    return rows.select_related("person").order_by("pk")


def noshow_instants(event: Event, now: datetime) -> list[datetime]:
    """Return the deadlines up to now that have passed for a player, earliest first.

    First the general deadline, then the announced times of late players.
    """
    due_at = noshow_due_at(event)
    if due_at is None or now < due_at:
        return []
    later = Expected.objects.live().filter(
        registration__event=event, expected_at__gt=due_at, expected_at__lte=now
    )
    return [due_at, *sorted(later.values_list("expected_at", flat=True))]


def events_with_places_due(now: datetime) -> list[Event]:
    """Return the open events where a deadline may have passed: offer, arrival, confirmation."""
    open_events = Event.objects.open()
    offers = PlaceOffer.objects.live().filter(event=OuterRef("pk"))
    expired = offers.filter(
        Q(expires_at__lte=now)
        | Q(event__starts_at__lte=now)
        | Q(event__head__started_by__isnull=False)
    )
    line = Waiting.objects.live().filter(event=OuterRef("pk"))
    opened = open_events.filter(Exists(line), members_first_until__lte=now)
    waits_out = Event.objects.running().filter(no_show_minutes__gt=0)
    confirmed = Event.objects.planned().filter(Exists(line), confirm_minutes__gt=0)
    found = open_events.filter(Exists(expired)) | opened | waits_out | confirmed
    return list(found.select_related("head__started_by", "club", "clock").order_by("pk"))


def entries_of_person(event: Event, registration: Registration) -> list[Entry]:
    """Return this registration's entries, and those with which the person is in elsewhere.

    Elsewhere are the club's other open events, without forgotten ones; a sample stands alone.
    """
    own = Q(registration=registration)
    is_out = Exists(Elimination.objects.live().filter(entry=OuterRef("pk")))
    is_open = Q(event__head__ended_by=None, event__head__cancelled_by=None)
    elsewhere = Q(registration__person=registration.person_id, event__is_sample=False)
    elsewhere = elsewhere & is_open & not_forgotten(event) & ~Q(event=event) & Q(~is_out)
    rows = Entry.objects.live().filter(own if event.is_sample else own | elsewhere)
    return list(rows.select_related("event__head").order_by("pk"))


# --- Unconfirmed online registrations; proof of the mail address


PROOF_DIGITS = 32
LAPSED = "registrations.lapsed"


def confirm_by(registration: Registration) -> datetime | None:
    """Return the deadline to confirm; None if confirmed or not required.

    Not required after registration by staff or after arrival.
    """
    event = registration.event
    is_asked = (
        event.confirm_minutes
        and registration.confirmed_at is None
        and registration.made_by.role == Role.VISITOR
        and not event.has_started
        and not event.is_over
    )
    limit = timedelta(minutes=event.confirm_minutes)
    return registration.registered_at + limit if is_asked else None


def unconfirmed(event: Event, now: datetime) -> list[Registration]:
    """Return the unconfirmed registrations to lose their place now, earliest deadline first.

    Only as many as wait without an offer, and only while no place is free. A player who lost a
    place this way takes none from others. A player who waited before keeps the place.
    """
    if not event.confirm_minutes or event.has_started or event.is_over:
        return []
    if capacity_of(event).free > 0:
        return []
    asked = PlaceOffer.objects.live().filter(waiting=OuterRef("pk"))
    line = Waiting.objects.live().filter(event=event).exclude(made_by__kind=LAPSED)
    wanted = line.exclude(Exists(asked)).count()
    of_row = {"registration": OuterRef("pk")}
    rows = (
        Registration.objects.live()
        .filter(
            event=event,
            confirmed_at=None,
            is_reserved=False,
            is_cash_guest=False,
            made_by__role=Role.VISITOR,
            registered_at__lte=now - timedelta(minutes=event.confirm_minutes),
        )
        .exclude(Exists(Entry.objects.live().filter(**of_row)))
        .exclude(Exists(OnSite.objects.live().filter(**of_row)))
        .exclude(Exists(Waiting.objects.filter(**of_row)))
    )
    return list(rows.select_related("person").order_by("registered_at", "pk")[:wanted])


def mailbox_proof(registration: Registration) -> str:
    """Return the secret that only a mail to the registration's address contains."""
    signed = f"{registration.pk}:{registration.email}"
    return salted_hmac("krru.mailbox", signed, algorithm="sha256").hexdigest()[:PROOF_DIGITS]


def is_proof(registration: Registration, given: str) -> bool:
    """Tell whether the request came by the link mailed to the present address."""
    return bool(registration.email) and constant_time_compare(given, mailbox_proof(registration))
