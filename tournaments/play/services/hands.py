"""Hands: one tap per table when the next hand begins, the button, and their effects.

Every table taps every other minute. So a tap writes one row, notifies only pages that show hands,
and is left out of the last actions.
"""

from dataclasses import asdict
from datetime import datetime, timedelta

from django.db.models import Exists
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_state
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.rules import ButtonRule
from tournaments.event.services.clock_hands import clock_count_tap
from tournaments.models import (
    ButtonMark,
    Event,
    Hand,
    HandForHand,
    HandReport,
    Table,
    TableHalt,
)
from tournaments.play.selectors.eliminations import round_at
from tournaments.play.selectors.level_in_force import hand_latest
from tournaments.seating.domain.button import hand_from
from tournaments.seating.selectors.button import HandToCome, hand_to_come, is_stud
from tournaments.seating.selectors.tables import tables_halted
from tournaments.seating.services.seats import live_table

SHORTEST_HAND = timedelta(seconds=5)


HAND_BEGUN = Kind(
    "hand.begun",
    lazy("Hand %(hand)s an Tisch %(table)s"),
    Group.HANDS,
    moves_button=True,
    is_quiet=True,
)


@service(HAND_BEGUN, Permission.RUN_HANDS, Topic.HANDS)
def hand_begin(change: Change, *, table: Table, button: int | None = None) -> None:
    """Record that the table's next hand has begun: first riffle or dealer push (TDA 2024 23).

    Button and blinds are recorded if they follow from the last hand; `button` is the seat told by
    staff.
    """
    event = change.event
    row = live_table(event, table.pk)
    last = hand_latest(row)
    if obstacle := obstacle_to_begin(event, row, change.at, last):
        raise obstacle
    to_come = hand_to_come(event, row, change.at)
    seats = (
        _seats(event, row, to_come) if button is None else _seats_with_button(row, to_come, button)
    )
    number = to_come.number
    Hand.objects.create(
        table=row, number=number, began_at=change.at, made_by=change.action, **seats
    )
    change.record(table=row.number, hand=number)
    if seats:
        change.record(button=seats["button"])
    change.topics.discard("log")
    clock_count_tap(change, table=row.number, before=last.began_at if last else None)


def _seats(event: Event, table: Table, to_come: HandToCome) -> dict[str, int | None]:
    """Return the seats of the posts; in stud they are kept from the last hand."""
    if to_come.is_stud:
        known = to_come.known
        blinds = {"small_blind": known.small_blind, "big_blind": known.big_blind}
        return {"button": known.button, **blinds} if known.button is not None else {}
    return asdict(to_come.posts.positions) if to_come.posts else {}


def _seats_with_button(table: Table, to_come: HandToCome, button: int) -> dict[str, int | None]:
    """Return the seats of the posts for a button told by staff."""
    expected, view = to_come.posts, to_come.view
    _refuse_seat(table, button, is_stud=to_come.is_stud)
    if expected is not None and expected.button == button:
        return asdict(expected.positions)
    if len(view.playing) < 2:
        raise Refused(
            _("An Tisch %(number)d sitzen keine zwei.") % {"number": table.number}, code="too_few"
        )
    if button not in view.playing and (view.rule is ButtonRule.MOVING or len(view.playing) == 2):
        raise Refused(_("Auf Platz %(seat)d sitzt niemand.") % {"seat": button}, code="seat_empty")
    return asdict(hand_from(table.chairs, view.playing.keys(), button).positions)


BUTTON_MARKED = Kind(
    "button.marked",
    lazy("Button an Tisch %(table)s: Platz %(seat)s"),
    Group.TABLES,
    outcomes={"unknown": lazy("Button an Tisch %(table)s: nicht bekannt")},
    moves_button=True,
    is_quiet=True,
)


@service(BUTTON_MARKED, Permission.RUN_HANDS, Topic.HANDS)
def button_mark(change: Change, *, table: Table, seat: int | None) -> None:
    """Record the button of the current hand, or that it is unknown (`seat` None).

    Before the first hand it is that hand's button.
    """
    event = change.event
    row = live_table(event, table.pk)
    if seat is not None:
        _refuse_seat(row, seat, is_stud=is_stud(event, change.at))
    last = hand_latest(row)
    number = last.number if last else 0
    ButtonMark.objects.create(
        table=row, seat=seat, after_hand=number, marked_at=change.at, made_by=change.action
    )
    change.record(table=row.number, seat=seat, hand=number)
    if seat is None:
        change.record(outcome="unknown")
    change.topics.discard("log")


def _refuse_seat(table: Table, seat: int, *, is_stud: bool) -> None:
    if is_stud:
        raise Refused(_("Stud wird ohne Button gespielt."), code="no_button")
    if not 1 <= seat <= table.chairs:
        raise Refused(
            _("Tisch %(table)d hat die Plätze 1 bis %(seats)d.")
            % {"table": table.number, "seats": table.chairs},
            code="no_seat",
        )


def obstacle_to_begin(
    event: Event, table: Table, at: datetime, last: Hand | None
) -> Refused | None:
    """Return why no hand can begin at `at` after the last one, or None."""
    if last is not None and abs(at - last.began_at) < SHORTEST_HAND:
        return Refused(
            _("An Tisch %(number)d hat eben erst eine Hand begonnen.") % {"number": table.number},
            code="too_soon",
        )
    if last is not None and at < last.began_at:
        return Refused(
            _("An Tisch %(number)d hat seither schon eine andere Hand begonnen.")
            % {"number": table.number},
            code="overtaken",
        )
    return obstacle_to_play(event, table, at)


def obstacle_to_play(event: Event, table: Table, at: datetime) -> Refused | None:
    """Return why the table plays no hand at `at`, or None: for the service and the phone's button.

    Asked for that instant, so that a tap delayed on a phone counts if it was valid then. In
    hand-for-hand the clock is stopped; the table's own report decides.
    """
    if not event.has_started:
        return Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    halts = TableHalt.objects.live().filter(table=table, is_waived=False, made_by__at__lte=at)
    begun = HandForHand.objects.filter(event=event, began_at__lte=at)
    asked = Event.objects.filter(pk=event.pk).values_list(Exists(begun), Exists(halts))
    was_begun, may_be_halted = asked.get()
    if may_be_halted and table in tables_halted(event):
        return Refused(
            _("Tisch %(table)d ist angehalten, bis dort wieder genug sitzen.")
            % {"table": table.number},
            code="halted",
        )
    played = round_at(event, at) if was_begun else None
    if played is not None:
        reports = HandReport.objects.live().filter(round=played, table=table, reported_at__lte=at)
        text = _("Tisch %(table)d ist fertig gemeldet. Die nächste Hand wird erst freigegeben.")
        told = Refused(text % {"table": table.number}, code="reported")
        return told if reports.exists() else None
    state = clock_state(event.clock, at)
    if state.level.is_break and not state.is_waiting:
        return Refused(_("Jetzt ist Pause."), code="break")
    if not state.is_running and state.last_hands is None:
        return Refused(_("Die Uhr steht. Gespielt wird, wenn sie läuft."), code="clock_stands")
    return None
