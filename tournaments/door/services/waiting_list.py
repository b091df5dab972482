"""The waiting list: free places are offered to its first, until a deadline."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import STAFF, Permission, Role
from tournaments.changes.audit import (
    Change,
    all_of,
    any_of,
    event_has,
    follows_change,
    frees_places,
    service,
    takes_back,
)
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.door.domain.places import waiting_list_next
from tournaments.door.selectors.places import (
    are_here,
    capacity_of,
    members_only,
    offer_of,
    offers_expired,
    only_here_are_next,
    people_through,
    waiting_list_of,
    waiting_live,
    waiting_of,
)
from tournaments.event.selectors.event import event_accepts_late
from tournaments.models import Event, PlaceOffer, Registration, Waiting
from tournaments.money.selectors.journal import payments
from tournaments.money.services.fees import payments_even
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write


@dataclass(slots=True)
class Admission:
    """How many more get a place; read before a new registration is written."""

    free: int
    ahead: int
    members_only: bool
    bags_only: bool

    def lets(self, *, is_member: bool) -> bool:
        """Tell whether one more gets a place; if so, use one up."""
        gets = self.free > self.ahead and (is_member or not self.members_only)
        if gets:
            self.free -= 1
        elif is_member or not self.members_only:
            self.ahead += 1
        return gets


def admission_at(event: Event, now: datetime) -> Admission:
    """Return the admission at an instant; call under the event's lock if it decides."""
    only, room = members_only(event, now), capacity_of(event)
    # The waiting list may be long: read it only if a place is free and people wait.
    is_read = room.free and room.waiting
    line = waiting_list_of(event, only_here=only_here_are_next(event, now)) if is_read else []
    ahead = sum(not waiter.is_asked and (waiter.is_member or not only) for waiter in line)
    return Admission(free=room.free, ahead=ahead, members_only=only, bags_only=room.bags_only)


def place_or_wait(change: Change, rows: Iterable[Registration], door: Admission) -> int:
    """Put registrations without a place on the waiting list in order; return how many.

    Guests of the cash tables need none.
    """
    rows = list(rows)
    if door.bags_only:
        _refuse_without_bag(change, rows)
    wanting = (row for row in rows if not row.is_reserved and not row.is_cash_guest)
    waiting = [row for row in wanting if not door.lets(is_member=row.person.is_member)]
    line_up(change, [row.pk for row in waiting])
    return len(waiting)


def line_up(change: Change, registrations: Iterable[int]) -> None:
    """Put registrations at the end of the waiting list, in this order."""
    own: dict[str, Any] = {"event": change.event, "since": change.at, "made_by": change.action}
    Waiting.objects.bulk_create([Waiting(registration_id=pk, **own) for pk in registrations])


def _refuse_without_bag(change: Change, rows: Sequence[Registration]) -> None:
    """Refuse registrations of a day to which players come from the flights; by staff with a bag."""
    people = {row.person_id: row.person.name for row in rows if not row.is_cash_guest}
    through = people_through(change.event, people) if change.by.role in STAFF else set()
    missing = [name for person, name in people.items() if person not in through]
    if not missing:
        return
    text = _("Hier spielt, wer in einem Flight weitergekommen ist.")
    if change.by.role in STAFF:
        text = _("%(text)s Ohne Sack: %(name)s.") % {"text": text, "name": missing[0]}
    raise Refused(text, code="bags_only")


@follows_change(frees_places)
def places_offer(change: Change) -> None:
    """Offer free places to the next in line, or give them where no answer is needed.

    Players already here need not answer. From the start on, only they are next.
    """
    event = change.event
    rows = _next(change)
    if not rows:
        return
    here = are_here(row.registration_id for row in rows) if event.offer_minutes else set()
    asks = event.offer_minutes and not only_here_are_next(event, change.action.recorded_at)
    asked = [row for row in rows if asks and row.registration_id not in here]
    if asked:
        _ask(change, asked)
    up = [row for row in rows if row not in asked]
    if up:
        Waiting.objects.filter(pk__in=[row.pk for row in up]).update(voided_by=change.action)
        change.record(moved_up=[row.registration_id for row in up])
        mail_write(change, MailKind.MOVED_UP, [row.registration for row in up])
    change.announce(Topic.REGISTRATIONS)


@follows_change(all_of(event_has("early_entries"), any_of(frees_places, takes_back)))
def early_prices_follow(change: Change) -> None:
    """Book payments anew if early prices now apply to others."""
    if change.event.early_fee_cents:
        payments_even(change, payments(change.event))


def _ask(change: Change, rows: list[Waiting]) -> None:
    """Offer a place to each of them, for the event's time but not beyond the start."""
    event = change.event
    # From the time of writing: a late worker must not shorten the deadline.
    now = change.action.recorded_at
    PlaceOffer.objects.bulk_create(
        PlaceOffer(
            event=event,
            waiting=row,
            offered_at=now,
            expires_at=min(now + timedelta(minutes=event.offer_minutes), event.starts_at),
            made_by=change.action,
        )
        for row in rows
    )
    change.record(offered=[row.registration_id for row in rows])
    mail_write(change, MailKind.OFFERED, [row.registration for row in rows])


def _next(change: Change) -> list[Waiting]:
    """Return the next in line, as many as places are free; usually none."""
    event = change.event
    if event.is_over or not Waiting.objects.live().filter(event=event).exists():
        return []
    if event.has_started and not event_accepts_late(event, change.at):
        return []
    room = capacity_of(event)
    if not room.free:
        return []
    line = waiting_list_of(event, only_here=only_here_are_next(event, change.action.recorded_at))
    ids = waiting_list_next(line, free=room.free, members_only=members_only(event, change.at))
    rows = waiting_live(event).filter(registration__in=ids).select_related("registration__person")
    return list(rows.order_by("since", "pk"))


LINE_MOVED = Kind(
    "line.moved", lazy("Warteliste aufgerückt"), Group.PEOPLE, places=Places.OF_THE_LIST
)


@service(LINE_MOVED, Permission.MANAGE, Topic.REGISTRATIONS)
def line_move(change: Change) -> None:
    """Offer the places open to all from a date on; until then members came first."""
    places_offer(change)
    if not {"offered", "moved_up"} & change.action.payload.keys():
        raise Refused(_("Es ist kein Platz frei, oder niemand wartet."), code="nothing_to_move")


OFFER_ACCEPTED = Kind(
    "offer.accepted",
    lazy("Platz angenommen: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    places=Places.OF_THE_LIST,
)


@service(OFFER_ACCEPTED, Permission.WITHDRAW, Topic.REGISTRATIONS)
def offer_accept(change: Change, *, registration: Registration) -> None:
    """Accept the offered place; by the player, or by the desk for the player."""
    waiting = _waiting(change, registration)
    offer = offer_of(waiting)
    if offer is None:
        raise Refused(_("Gerade ist kein Platz frei. Du bleibst auf der Warteliste."),
                      code="no_offer")  # fmt: skip
    if change.at > offer.expires_at:
        raise Refused(_("Die Frist ist vorbei, der Platz geht an den Nächsten."), code="expired")
    take_place(change, waiting)


OFFER_DECLINED = Kind(
    "offer.declined",
    lazy("Platz abgelehnt: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(OFFER_DECLINED, Permission.WITHDRAW, Topic.REGISTRATIONS)
def offer_decline(change: Change, *, registration: Registration) -> None:
    """Decline the offered place; it goes to the next, the player to the end of the line."""
    waiting = _waiting(change, registration)
    if offer_of(waiting) is None:
        raise Refused(_("Dieses Angebot gibt es nicht mehr."), code="no_offer")
    _to_the_end(change, [waiting])


OFFERS_EXPIRED = Kind(
    "offers.expired",
    lazy("Frist abgelaufen: %(name)s"),
    Group.PEOPLE,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(OFFERS_EXPIRED, Permission.MANAGE, Topic.REGISTRATIONS)
def offers_expire(change: Change) -> None:
    """Withdraw expired offers; their places go to the next in line."""
    expired = list(offers_expired(change.event, change.at))
    if not expired:
        raise Refused(_("Keine Frist ist abgelaufen."), code="none_expired")
    _to_the_end(change, [offer.waiting for offer in expired])
    change.record(registrations=[offer.waiting.registration_id for offer in expired])
    change.tell(name=", ".join(offer.waiting.registration.person.name for offer in expired))


PLACE_GIVEN = Kind(
    "place.given",
    lazy("Platz vergeben: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    places=Places.OF_THE_LIST,
)


@service(PLACE_GIVEN, Permission.MANAGE, Topic.REGISTRATIONS)
def place_give(change: Change, *, registration: Registration) -> None:
    """Give a place out of turn: one held back if available, else an additional one."""
    waiting = _waiting(change, registration)
    room = capacity_of(change.event)
    if offer_of(waiting) is None and not room.free and not room.free_reserved:
        raise Refused(
            _("Alle Plätze sind vergeben. Mehr Plätze gibt es in den Einstellungen."), code="full"
        )
    take_place(change, waiting)
    mail_write(change, MailKind.MOVED_UP, [waiting.registration])


def leave_the_line(change: Change, registration: Registration) -> None:
    waiting = waiting_of(registration)
    if waiting is not None:
        take_place(change, waiting)


def take_place(change: Change, waiting: Waiting) -> None:
    """End the wait and the offer: a place was given, or none is wanted."""
    PlaceOffer.objects.live().filter(waiting=waiting).update(voided_by=change.action)
    Waiting.objects.filter(pk=waiting.pk).update(voided_by=change.action)


def _to_the_end(change: Change, waitings: list[Waiting]) -> None:
    ids = [row.pk for row in waitings]
    PlaceOffer.objects.live().filter(waiting__in=ids).update(voided_by=change.action)
    Waiting.objects.filter(pk__in=ids).update(voided_by=change.action)
    line_up(change, [row.registration_id for row in waitings])


def _waiting(change: Change, registration: Registration) -> Waiting:
    """Return who waits, and note it in the log."""
    by = change.by
    if by.role == Role.PLAYER and by.registration_id != registration.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    rows = waiting_live(change.event).select_related("registration__person", "event__head")
    row = rows.filter(registration=registration.pk).first()
    if row is None:
        raise Refused(_("Diese Anmeldung wartet auf keinen Platz."), code="not_waiting")
    change.record(registration=row.registration_id)
    change.tell(name=row.registration.person.name)
    return row
