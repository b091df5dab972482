"""Before the seat: "I come later", "I am here", no-shows, check-in, starting stacks."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.door.selectors.places import (
    claimed_seat_of,
    entries_of_person,
    is_blinded,
    noshows,
    noshows_are_blinded,
    offer_of,
    waiting_of,
)
from tournaments.door.services.registration import live_registration
from tournaments.door.services.waiting_list import line_up, take_place
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    is_late_level,
    late_entry_of,
)
from tournaments.models import (
    Absence,
    Action,
    ChipMovement,
    Entry,
    Event,
    Expected,
    OnSite,
    Penalty,
    Registration,
    Seating,
    StackCount,
    StackWord,
)
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.services.seats import seat_by_draw, seats_are_drawn_singly

LATEST = timedelta(hours=12)


def _here(change: Change, row: Registration) -> None:
    Expected.objects.live().filter(registration=row).update(voided_by=change.action)
    OnSite.objects.create(registration=row, came_at=change.at, made_by=change.action)


def here_at_cash_table(change: Change, row: Registration) -> None:
    """Record a registered player as arrived on sitting down at a cash table."""
    is_expected = change.event.has_both and not row.is_cash_guest
    is_known = OnSite.objects.live().filter(registration=row).exists()
    if is_expected and not is_known and not row.entries.live().exists():
        _here(change, row)
        change.announce(Topic.REGISTRATIONS)


REGISTRATION_ARRIVED = Kind(
    "registration.arrived",
    lazy("Ist da: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_HALL,
)


@service(REGISTRATION_ARRIVED, Permission.WITHDRAW, Topic.REGISTRATIONS)
def registration_arrive(change: Change, *, registration: Registration) -> None:
    """Record that a player has arrived and waits for check-in or for a place.

    Arriving accepts an offered place; it is not offered to others.
    """
    row = live_registration(change, registration)
    if OnSite.objects.live().filter(registration=row).exists():
        raise Refused(_("Das ist schon bekannt: angekommen."), code="already_here")
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt."), code="checked_in")
    _here(change, row)
    waiting = waiting_of(row)
    offer = offer_of(waiting)
    if waiting is not None and offer is not None and change.at <= offer.expires_at:
        take_place(change, waiting)
        change.record(accepted=True)


REGISTRATION_EXPECTED = Kind(
    "registration.expected", lazy("Kommt später: %(name)s"), Group.PEOPLE, is_of_person=True
)


@service(REGISTRATION_EXPECTED, Permission.WITHDRAW, Topic.REGISTRATIONS)
def registration_expect(
    change: Change, *, registration: Registration, expected_at: datetime
) -> None:
    """Record the announced time of arrival; until then the player is no no-show."""
    row, event = live_registration(change, registration), change.event
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt."), code="checked_in")
    if expected_at <= change.at:
        raise Refused(_("Diese Uhrzeit ist schon vorbei."), code="past")
    if not allows(change.by, Permission.MANAGE):  # the director can check the player in anyway
        entry = late_entry_of(event, change.at)
        if not entry.is_open:
            raise Refused(_("Einsteigen geht nicht mehr."), code="too_late")
        if entry.ends_at is not None and expected_at > entry.ends_at:
            until = date_format(timezone.localtime(entry.ends_at), "H:i")
            text = _("Einsteigen geht nur bis %(until)s.") % {"until": until}
            raise Refused(text, code="too_late")
    if expected_at > max(event.starts_at, change.at) + LATEST:
        raise Refused(_("So spät ist das Turnier vorbei."), code="too_late")
    Expected.objects.live().filter(registration=row).update(voided_by=change.action)
    Expected.objects.create(registration=row, expected_at=expected_at, made_by=change.action)
    change.record(expected_ms=round(expected_at.timestamp() * 1000))


REGISTRATION_UNSAID = Kind(
    "registration.unsaid",
    lazy("Doch nicht da: %(name)s"),
    Group.PEOPLE,
    outcomes={
        "later": lazy("Kommt doch nicht später: %(name)s"),
        "seat": lazy("Doch nicht am Platz: %(name)s"),
    },
    is_of_person=True,
)


@service(REGISTRATION_UNSAID, Permission.WITHDRAW, Topic.REGISTRATIONS, Topic.CONDUCT)
def registration_unsay(change: Change, *, registration: Registration) -> None:
    """Undo the last statement from the player's page: "I sit here", "I am here", "I come later".

    Statements by staff stay. A place given on arrival stays too.
    """
    row = live_registration(change, registration)
    for outcome, facts in (
        ("seat", claimed_seat_of(row)),
        ("", OnSite.objects.live().filter(registration=row)),
        ("later", Expected.objects.live().filter(registration=row)),
    ):
        if facts.filter(made_by__role=change.by.role).update(voided_by=change.action):
            if outcome:
                change.record(outcome=outcome)
            return
    raise Refused(_("Da ist nichts zurückzunehmen."), code="nothing_said")


def noshows_settle(command: Command) -> Action:
    """Treat the no-shows as the rules of the event say."""
    service = noshows_blind if noshows_are_blinded(command.event) else noshows_release
    return service(command)


NOSHOWS_BLINDED = Kind(
    "noshows.blinded",
    lazy("Nicht gekommen, gesetzt: %(name)s"),
    Group.PEOPLE,
    brings_in=True,
    opens_tables=True,
    is_announced=True,
)


@service(NOSHOWS_BLINDED, Permission.CHECK_IN, Topic.REGISTRATIONS, Topic.ENTRIES, Topic.TABLES)
def noshows_blind(change: Change) -> None:
    """Seat no-shows by draw: their stacks pay the blinds until they arrive."""
    gone = _gone(change)
    entries = []
    for row in gone:
        entry = entry_make(change, row)
        seat_by_draw(change, entry)
        Absence.objects.create(
            event=change.event, entry=entry, left_at=change.at, made_by=change.action
        )
        entries.append(entry.pk)
    for single in ("entry", "registration", "chips", "table", "seat", "draw"):
        change.action.payload.pop(single, None)  # each of these holds only the last entry
    change.record(entries=entries, registrations=[row.pk for row in gone])
    change.announce("conduct")


NOSHOW_REMOVED = Kind(
    "noshow.removed",
    lazy("Nicht gekommen, Stapel aus dem Spiel: %(name)s"),
    Group.PEOPLE,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(NOSHOW_REMOVED, Permission.MANAGE, Topic.REGISTRATIONS, Topic.ENTRIES, Topic.TABLES)
def noshow_remove(change: Change, *, entry: Entry, stack: int) -> None:
    """Take the stack of one no-show from play: no entry, no place; a late arrival joins the line.

    The blinds that it paid stay in play.

    :param stack: The chips left in it.
    """
    event = change.event
    if not is_blinded(event, entry):
        raise Refused(_("Das geht nur bei einem Stapel, zu dem nie jemand kam."), code="has_come")
    own = ChipMovement.objects.live().filter(entry=entry)
    brought = sum(amount or 0 for amount in own.values_list("amount", flat=True))
    if not 0 <= stack <= chips_in_play(event)[0]:
        raise Refused(_("So viele Chips sind nicht im Spiel."), code="bad_stack")
    for model in (Seating, Absence, ChipMovement, StackCount, StackWord, Penalty):
        model.objects.live().filter(entry=entry).update(voided_by=change.action)
    Entry.objects.filter(pk=entry.pk).update(voided_by=change.action)
    reason = ChipMovement.Reason.BLINDED
    ChipMovement.objects.create(
        event=event, reason=reason, amount=brought - stack, made_by=change.action
    )
    row = entry.registration
    line_up(change, [row.pk])
    change.record(entry=entry.pk, registration=row.pk, stack=stack)
    change.tell(name=row.person.name)


NOSHOWS_RELEASED = Kind(
    "noshows.released",
    lazy("Nicht gekommen, Platz frei: %(name)s"),
    Group.PEOPLE,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(NOSHOWS_RELEASED, Permission.CHECK_IN, Topic.REGISTRATIONS)
def noshows_release(change: Change) -> None:
    """Release the places of no-shows; a late arrival joins the waiting list."""
    gone = [row.pk for row in _gone(change)]
    line_up(change, gone)
    change.record(registrations=gone)


def _gone(change: Change) -> list[Registration]:
    gone = noshows(change.event, change.at, by_itself=change.by.role == Role.SYSTEM)
    if not gone:
        raise Refused(_("Es fehlt niemand, dessen Zeit um ist."), code="none_due")
    change.tell(name=", ".join(row.person.name for row in gone))
    return gone


# --- Check-in: a registered player who is here gets an entry, a stack and a seat


ENTRY_CHECKED_IN = Kind(
    "entry.checked_in",
    lazy("Eingecheckt: %(name)s"),
    Group.PEOPLE,
    brings_in=True,
    opens_tables=True,
    is_announced=True,
)


@service(ENTRY_CHECKED_IN, Permission.CHECK_IN, Topic.REGISTRATIONS, Topic.ENTRIES, Topic.TABLES)
def entry_check_in(
    change: Change, *, registration: Registration, plays_at_both: bool = False
) -> None:
    """Check a person in: one entry, one starting stack and, in a rolling draw, a drawn seat.

    :param plays_at_both: Whether staff knows that the person is still in at another event.
    """
    event = change.event
    row = live_registration(change, registration)
    entries = entries_of_person(event, row)
    reason = obstacle_to_check_in(event, row, change, entries)
    if reason:
        raise Refused(reason, code="cannot_check_in")
    other = next((entry for entry in entries if entry.event_id != event.pk), None)
    if other is not None and not plays_at_both:
        seating, words = seating_of(other), {"name": row.person.name, "event": other.event.name}
        text = _("%(name)s ist noch bei „%(event)s“ dabei.")
        if seating is not None:
            words |= {"table": str(seating.table.number), "seat": str(seating.seat)}
            text = _("%(name)s sitzt noch bei „%(event)s“: Tisch %(table)s, Platz %(seat)s.")
        raise Refused(text % words, code=PLAYS_ELSEWHERE)
    entry = entry_make(change, row)
    if seats_are_drawn_singly(event):
        seat_by_draw(change, entry)


PLAYS_ELSEWHERE = "plays_elsewhere"


def obstacle_to_check_in(
    event: Event, registration: Registration, change: Change, entries: Sequence[Entry]
) -> str | None:
    """Return why this person cannot be checked in now, or None.

    :param entries: Those of `entries_of_person`.
    """
    if any(entry.registration_id == registration.pk for entry in entries):
        return _("Schon eingecheckt.")
    if registration.is_cash_guest:
        return _("Spielt nur Cash. Wer doch mitspielt, bekommt zuerst einen Platz im Turnier.")
    if waiting_of(registration) is not None:
        return _("Steht auf der Warteliste und hat noch keinen Platz.")
    may_overrule = allows(change.by, Permission.MANAGE)
    if event.has_started and not may_overrule and not is_late_level(event, change.at):
        return _("Die späte Anmeldung ist vorbei. Eine Ausnahme macht die Turnierleitung.")
    return None


def entry_make(change: Change, registration: Registration) -> Entry:
    """Create the entry and its stack, with the early bonus before the start if set."""
    event = change.event
    last = Entry.objects.filter(event=event).order_by("-number").values_list("number", flat=True)
    entry = Entry.objects.create(
        event=event,
        registration=registration,
        number=(last.first() or 0) + 1,
        entered_at=change.at,
        made_by=change.action,
    )
    brought = {ChipMovement.Reason.STARTING_STACK: event.starting_stack}
    if event.on_time_chips and not event.has_started:
        brought[ChipMovement.Reason.ON_TIME] = event.on_time_chips
    for reason, chips in brought.items():
        ChipMovement.objects.create(
            event=event, entry=entry, reason=reason, amount=chips, made_by=change.action
        )
    chips = sum(brought.values())
    change.record(entry=entry.pk, registration=registration.pk, chips=chips)
    return entry


# --- Starting stacks of their own: by points in the final of a league, or typed


STACKS_GIVEN = Kind(
    "stacks.given", lazy("Eigene Startstapel für %(entries)s Teilnehmer"), Group.PEOPLE
)


@service(STACKS_GIVEN, Permission.MANAGE, Topic.ENTRIES)
def stacks_give(change: Change, *, stacks: Mapping[int, int]) -> None:
    """Give entries a starting stack of their own before the start, in place of the usual one."""
    event = change.event
    if event.has_started:
        raise Refused(_("Das Turnier läuft schon."), code="started")
    if not stacks:
        raise Refused(_("Niemand davon ist eingecheckt."), code="nobody")
    if set(stacks) - set(event_alive_entry_ids(event)):
        raise Refused(_("Jemand davon ist nicht mehr eingecheckt."), code="not_alive")
    if any(not 0 < chips <= MOST_CHIPS for chips in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    had = ChipMovement.objects.live().filter(entry__in=stacks)
    had = had.filter(reason__in=(ChipMovement.Reason.STARTING_STACK, ChipMovement.Reason.CARRIED))
    had.update(voided_by=change.action)
    ChipMovement.objects.bulk_create(
        ChipMovement(
            event=event,
            entry_id=entry,
            reason=ChipMovement.Reason.CARRIED,
            amount=chips,
            made_by=change.action,
        )
        for entry, chips in sorted(stacks.items())
    )
    change.record(entries=len(stacks), chips=sum(stacks.values()))
