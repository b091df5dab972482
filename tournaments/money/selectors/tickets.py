"""Tickets of satellites: a person's open ones, all of the club, and their sums. Reads only."""

from dataclasses import dataclass
from datetime import date, datetime
from functools import cache

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.labels import money
from tournaments.models import Club, Event, Person, Registration, Stage, Ticket, TicketUse
from tournaments.money.domain.tickets import ticket_name
from tournaments.money.selectors.journal import open_cents
from tournaments.people.selectors.people import one_person

OF_A_TICKET = ("event", "serves", "registration__person")


def _unused(club: Club | int) -> QuerySet[Ticket]:
    """Return the tickets of the club not redeemed, expired ones too; the oldest first."""
    used = TicketUse.objects.live().filter(ticket=OuterRef("pk"))
    rows: QuerySet[Ticket] = Ticket.objects.live().filter(~Exists(used), event__club=club)
    return rows.select_related(*OF_A_TICKET).order_by("pk")


def _in_force(rows: QuerySet[Ticket], day: date) -> QuerySet[Ticket]:
    return rows.filter(Q(until=None) | Q(until__gte=day))


def tickets_open(club: Club | int, day: date) -> QuerySet[Ticket]:
    """Return the club's open tickets in one query."""
    return _in_force(_unused(club), day)


def tickets_of(person: Person, day: date) -> list[Ticket]:
    """Return a person's open tickets; those of merged people are theirs.

    Most clubs have none: then one query says so.
    """
    club = person.club_id
    if not Ticket.objects.live().filter(event__club=club).exists():
        return []
    people = one_person(club, person.pk)
    return list(tickets_open(club, day).filter(registration__person__in=people))


def tickets_for(registration: Registration, now: datetime) -> list[Ticket]:
    """Return the open tickets that may pay for this registration."""
    event = registration.event
    if event.is_sample or not event.fee_cents:
        return []
    found = tickets_of(registration.person, localtime(now).date())
    return [row for row in found if serves(row, event)]


def tickets_shown(registration: Registration, now: datetime) -> list[Ticket]:
    """Return the open tickets that a player's page shows: won here, or to pay here."""
    event = registration.event
    if not event.fee_cents or event.is_sample:
        return []
    found = tickets_of(registration.person, localtime(now).date())
    is_open = bool(found) and not event.is_over and open_cents(registration) > 0
    return [row for row in found if row.event_id == event.pk or (is_open and serves(row, event))]


def serves(ticket: Ticket, event: Event) -> bool:
    """Tell whether a ticket pays at this event: the one named, or a flight of the same day."""
    if ticket.event_id == event.pk:
        return False
    if ticket.serves_id in (None, event.pk):
        return True
    named = Stage.objects.live().filter(event=ticket.serves_id)
    of_its_day = named.filter(contest=OuterRef("contest"), order=OuterRef("order"))
    return Stage.objects.live().filter(Exists(of_its_day), event=event).exists()


def ticket_numbered(club: Club, number: int) -> Ticket | None:
    """Return the club's ticket of this number, redeemed or not."""
    rows = Ticket.objects.live().filter(event__club=club, pk=number)
    return rows.select_related(*OF_A_TICKET).first()


def registration_of_person(event: Event, person: Person) -> Registration | None:
    """Return a person's registration of an event, also under a merged name."""
    people = one_person(person.club_id, person.pk)
    rows = Registration.objects.live().filter(event=event, person__in=people)
    return rows.select_related("person").first()


def obstacle_to_redeem(
    ticket: Ticket, event: Event, registration: Registration | None, day: date
) -> Refused | None:
    """Return why a ticket cannot pay at this event now, or None.

    :param registration: The one to be paid; None while its person has none here.
    """
    used = TicketUse.objects.live().filter(ticket=ticket)
    use = used.select_related("made_by", "event", "registration__person").first()
    if use is not None:
        words = {
            "ticket": ticket.name,
            "at": localtime(use.made_by.at).strftime("%d.%m.%Y, %H:%M"),
            "name": use.registration.person.name,
            "event": use.event.name,
        }
        return Refused(
            _("%(ticket)s ist schon eingelöst: %(at)s, für %(name)s (%(event)s).") % words,
            code="ticket_used",
        )
    person = registration.person if registration else None
    owner = ticket.registration.person_id
    if person is not None and owner not in one_person(person.club_id, person.pk):
        return Refused(
            _("%(ticket)s gehört %(name)s.")
            % {"ticket": ticket.name, "name": ticket.registration.person.name},
            code="ticket_of_another",
        )
    if ticket.until is not None and ticket.until < day:
        return Refused(
            _("%(ticket)s galt bis %(day)s.")
            % {"ticket": ticket.name, "day": f"{ticket.until:%d.%m.%Y}"},
            code="ticket_expired",
        )
    if not serves(ticket, event):
        return Refused(
            _("%(ticket)s gilt für %(event)s.")
            % {"ticket": ticket.name, "event": ticket.serves or _("ein anderes Turnier")},
            code="ticket_elsewhere",
        )
    return None


def paid_by_ticket(registration: Registration) -> int:
    """Return the part of a player's payments made by tickets."""
    rows = TicketUse.objects.live().filter(registration=registration)
    return rows.aggregate(sum=Sum("cents"))["sum"] or 0


# --- All tickets of the club


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketSums:
    """The value of the club's tickets, in cents: `given = redeemed + open + expired + lost`.

    :param lost: Rests of redeemed tickets that were not kept.
    """

    given: int
    redeemed: int
    open: int
    expired: int

    @property
    def lost(self) -> int:
        return self.given - self.redeemed - self.open - self.expired

    @property
    def gone(self) -> int:
        return self.expired + self.lost


def ticket_lines(club: Club | int, day: date) -> list[dict[str, str]]:
    """Return the club's open tickets, the oldest first, in one query."""
    columns = ("pk", "event__slug", "registration__person__name", "serves__name", "until",
               "worth_cents")  # fmt: skip
    page = cache(lambda slug: reverse("ticket", args=[slug, 0]).removesuffix("0/"))
    amount = cache(money)
    return [
        {
            "number": ticket_name(pk),
            "address": f"{page(slug)}{pk}/",
            "who": who,
            "serves": serves or "–",
            "until": f"{until:%d.%m.%Y}" if until else "",
            "worth": amount(worth),
        }
        for pk, slug, who, serves, until, worth in tickets_open(club, day).values_list(*columns)
    ]


def ticket_sums(club: Club | int, day: date) -> TicketSums | None:
    """Return the sums over all evenings; None without tickets."""
    first = Ticket.objects.live().filter(event__club=club)
    # A rest is no new value: it was made where another ticket was redeemed.
    won = first.exclude(made_by__in=TicketUse.objects.filter(event__club=club).values("made_by"))
    given = _sum(won)
    if not given:
        return None
    used = TicketUse.objects.live().filter(event__club=club)
    unused = _unused(club)
    still = _sum(_in_force(unused, day))
    return TicketSums(
        given=given,
        redeemed=used.aggregate(sum=Sum(F("cents") + F("pool_cents")))["sum"] or 0,
        open=still,
        expired=_sum(unused) - still,
    )


def _sum(rows: QuerySet[Ticket]) -> int:
    return rows.order_by().aggregate(sum=Sum("worth_cents"))["sum"] or 0
