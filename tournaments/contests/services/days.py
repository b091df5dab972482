"""The next day: bags become stacks, seats are drawn, and the clock stands at its level.

The one pool of a contest goes on with them: what the flights hold, in both journals.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind
from clock.selectors import clock_levels
from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change, follows_change, kind_in, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.contests.domain.carrying import Begins, Carried, Forward
from tournaments.contests.selectors.contests import (
    day_begins_at,
    feeding,
    stacks_to_carry,
    stage_of,
    through_in,
    through_words,
)
from tournaments.contests.services.bags import in_words, own_stage
from tournaments.door.services.arrivals import ENTRY_CHECKED_IN
from tournaments.event.services.clock import clock_append
from tournaments.models import (
    Bag,
    Carry,
    ChipMovement,
    Elimination,
    Entry,
    Event,
    EventHead,
    Posting,
    Registration,
    Stage,
)
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.prizes import pools_left
from tournaments.people.services.people import register_again
from tournaments.seating.services.seats import draw_field, refuse_drawn

DAY_DRAWN = Kind(
    "day.drawn",
    lazy("Plätze für den nächsten Tag ausgelost: %(entries)s Teilnehmer, %(chips)s Chips"),
    Group.TABLES,
    words=in_words,
)


@service(
    DAY_DRAWN,
    Permission.RESEAT,
    Topic.TABLES,
    Topic.ENTRIES,
    Topic.REGISTRATIONS,
    Topic.CLOCK,
)
def day_draw(change: Change, *, number: str = "") -> None:
    """Bring everybody through to this day: registered, with the stack of the bag, at a drawn seat.

    The entry holds the head of each flight's log: with its own it proves them all.

    :param number: A hall number called out for this draw; empty keeps the one in force.
    """
    stage = own_stage(change.event)
    flights = feeding(stage)
    rows = EventHead.objects.select_for_update().filter(event__in=[row.event_id for row in flights])
    heads = rows.order_by("pk").values_list("pk", "log_sequence", "log_hash")
    locked = [list(head) for head in heads]
    _refuse_day(change, flights)
    stacks = stacks_to_carry(stage)
    entries = _entries(change, stacks)
    _carry(change, stacks, entries)
    draw_field(change, [entry.pk for entry in entries.values()], number=number)
    _set_clock(change, stage, flights)
    _carry_over(change, flights)
    _owe_bonuses(change, stage, stacks, entries)
    change.record(heads=locked, chips=sum(one.chips for one in stacks))


def _refuse_day(change: Change, flights: Sequence[Stage]) -> None:
    event = change.event
    if not flights:
        raise Refused(_("Vor diesem Tag gibt es keinen Flight."), code="no_flights")
    refuse_drawn(event)
    running = [row.label for row in flights if not row.event.is_over]
    if running:
        raise Refused(
            _("Noch nicht beendet: %(labels)s.") % {"labels": ", ".join(running)}, code="running"
        )
    if event.fee_cents:
        raise Refused(
            _("Für einen weiteren Tag zahlt niemand noch einmal: Das Startgeld von %(event)s muss "
              "null sein.")
            % {"event": event.name},
            code="has_fee",
        )  # fmt: skip


def _entries(change: Change, stacks: Sequence[Carried]) -> dict[int, Entry]:
    event = change.event
    people = [one.person for one in stacks]
    here = Registration.objects.live().filter(event=event, person__in=people)
    known: dict[int, Registration] = {row.person_id: row for row in here}
    missing = [one for one in stacks if one.person not in known]
    bags = {one.bag: one.person for one in missing}
    rows = Bag.objects.filter(pk__in=bags).select_related("entry__registration")
    if bags:
        before = {bags[row.pk]: row.entry.registration for row in rows.order_by("pk")}
        known |= {row.person_id: row for row in register_again(change, before)}
    first = Entry.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
    entries = Entry.objects.bulk_create(
        Entry(
            event=event,
            registration=known[person],
            number=position,
            entered_at=change.at,
            made_by=change.action,
        )
        for position, person in enumerate(people, start=first + 1)
    )
    return dict(zip(people, entries, strict=True))


def _carry(change: Change, stacks: Sequence[Carried], entries: Mapping[int, Entry]) -> None:
    ChipMovement.objects.bulk_create(
        ChipMovement(
            event=change.event,
            entry=entries[one.person],
            reason=ChipMovement.Reason.CARRIED,
            amount=one.chips,
            made_by=change.action,
        )
        for one in stacks
    )
    Carry.objects.bulk_create(
        Carry(
            bag_id=bag,
            entry=entries[one.person],
            is_removed=bag != one.bag and bool(one.removed),
            made_by=change.action,
        )
        for one in stacks
        for bag in (one.bag, *one.further)
    )
    change.record(removed=sum(one.removed for one in stacks))


def _owe_bonuses(
    change: Change, stage: Stage, stacks: Sequence[Carried], entries: Mapping[int, Entry]
) -> None:
    each = stage.contest.reckoning.bonus_cents
    total = each * sum(len(one.further) for one in stacks)
    if not total:
        return
    _write(change, [(change.event.pk, Account.POOL, total)])
    Posting.objects.bulk_create(
        Posting(
            event=change.event,
            registration_id=entries[one.person].registration_id,
            account=Account.BONUS,
            amount_cents=-each * len(one.further),
            made_by=change.action,
        )
        for one in stacks
        if one.further
    )
    change.record(bonus_cents=total)


def _set_clock(change: Change, stage: Stage, flights: Sequence[Stage]) -> None:
    begins, reached = stage.contest.reckoning.begins, day_begins_at(flights)
    if begins is Begins.OWN or reached is None:
        return
    levels = clock_levels(change.event.clock)
    level = next((row for row in levels if row.number == reached.level), None)
    if level is None:
        raise Refused(
            _("Der Blindplan dieses Tages hat keine Stufe %(level)s.") % {"level": reached.level},
            code="no_such_level",
        )
    rest = level.duration or reached.left
    elapsed = max(rest - reached.left, rest * 0) if begins is Begins.REST else rest * 0
    clock_append(change, ActionKind.JUMPED, level_id=level.id, elapsed=elapsed)
    change.record(level=reached.level)


@follows_change(kind_in(ENTRY_CHECKED_IN))
def _one_flight_at_a_time(change: Change) -> None:
    """Refuse a flight to a player still in another, or through with a first bag that counts."""
    stage = stage_of(change.event)
    if stage is None:
        return
    entry = Entry.objects.select_related("registration").get(pk=change.action.payload["entry"])
    person = entry.registration.person_id
    others = Stage.objects.live().filter(contest=stage.contest, order=stage.order)
    flights = list(others.exclude(pk=stage.pk).select_related("event__head"))
    own = through_in(stage, person)
    if own and stage.contest.reckoning.forward is Forward.FIRST:
        raise Refused(through_words(own[:1]), code="through")
    running = {row.event_id: row.label for row in flights if row.event.status == "running"}
    playing = Entry.objects.live().filter(event__in=running, registration__person=person)
    out = Elimination.objects.live().filter(event__in=running).values("entry")
    if allows(change.by, Permission.MANAGE):
        return
    if (still := playing.exclude(pk__in=out).first()) is not None:
        raise Refused(
            _("Spielt noch in %(label)s. Eine Ausnahme macht die Turnierleitung.")
            % {"label": running[still.event_id]},
            code="still_playing",
        )


# --- The one pool of a contest


POOL_CARRIED = Kind(
    "pool.carried",
    lazy("Preisgeld der Flights übernommen"),
    Group.FEES,
    outlives_the_end=True,
)


@service(POOL_CARRIED, Permission.MANAGE, Topic.REGISTRATIONS, Topic.SETTINGS, after_the_end=True)
def pool_carry(change: Change) -> None:
    """Take over what the flights hold since the last time: a payment booked late."""
    flights = feeding(own_stage(change.event))
    heads = EventHead.objects.filter(event__in=[row.event_id for row in flights])
    list(heads.select_for_update().order_by("pk"))
    if not Carry.objects.live().filter(entry__event=change.event).exists():
        raise Refused(_("Erst wird der Tag ausgelost. Dann geht das Preisgeld mit."),
                      code="not_drawn")  # fmt: skip
    if not _carry_over(change, flights):
        raise Refused(_("Das Preisgeld der Flights ist schon da."), code="nothing_left")


def _carry_over(change: Change, flights: Sequence[Stage]) -> int:
    """Book the pools of the flights over to this day; return their sum.

    No cash moves: each journal balances by what goes on, or came.
    """
    held = pools_left([row.event for row in flights])
    left = {event: cents for event, cents in held.items() if cents}
    total = sum(left.values())
    if left:
        here = change.event.pk
        _write(change, ((event, Account.POOL, cents) for event, cents in left.items()))
        _write(change, ((event, Account.FORWARD, -cents) for event, cents in left.items()))
        _write(change, [(here, Account.POOL, -total), (here, Account.FORWARD, total)])
        change.record(pools=[[event, cents] for event, cents in left.items()])
    return total


def _write(change: Change, rows: Iterable[tuple[int, Account, int]]) -> None:
    Posting.objects.bulk_create(
        Posting(event=Event(pk=event), account=account, amount_cents=cents, made_by=change.action)
        for event, account, cents in rows
    )
