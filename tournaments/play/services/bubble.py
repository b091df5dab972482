"""The bubble: hand-for-hand and its rounds, head counts, "in the money".

Hand-for-hand is announced at an instant; the hands running then are round 0 (TDA 2024 RP-8-A). Then
all tables play one hand at a time: rounds 1, 2 and so on. Each is released to all tables at once
when every table has reported the one before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind, ClockState, Level
from clock.domain.wording import level_text
from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_levels, clock_state
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, any_of, follows_change, kind_in, kind_is, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.games import LimitKind, shows_big_bet
from tournaments.event.selectors.event import money_reached, play_goes_on
from tournaments.event.services.clock import (
    clock_go_on,
    clock_put,
    clock_stop,
    clock_take,
    level_after,
)
from tournaments.models import (
    Event,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    MoneyReached,
    Table,
)
from tournaments.play.selectors.bubble import (
    BY_ITSELF,
    bubble_of,
    first_decide,
    hand_for_hand_live,
    hand_still_runs,
    releases_itself,
    round_current,
    tables_awaited,
    undecided,
    waits_for_break,
    why_not_in_the_money,
)
from tournaments.play.selectors.rooms import (
    ROOMS,
    awaited_elsewhere,
    other_rooms,
    rooms_behind,
    rooms_together,
)
from tournaments.play.services.rooms import in_other_rooms, of_one_pool
from tournaments.post.selectors.announcements import Saying, in_each_language, in_language
from tournaments.post.services.messages import announce_itself
from tournaments.seating.selectors.tables import tables_live
from tournaments.seating.services.chairs import TABLE_HALTED
from tournaments.seating.services.seats import live_table
from tournaments.seating.services.tables import TABLE_CLOSED

BEGUN = Saying("hand_for_hand_begun", "bubble", lambda: _(
    "Ab jetzt wird Hand für Hand gespielt. Bitte die laufende Hand beenden, dann warten."
), play_goes_on)  # fmt: skip
ENDED = Saying("hand_for_hand_ended", "bubble", lambda: _(
    "Hand für Hand ist beendet. Ab jetzt spielt jeder Tisch für sich."
), play_goes_on)  # fmt: skip
REACHED = Saying("money_reached", "bubble", lambda: _(
    "Wir sind im Geld. Wer jetzt ausscheidet, bekommt einen Preis."
), play_goes_on)  # fmt: skip
LEVEL = Saying("level", "level", in_language)

HAND_FOR_HAND_BEGUN = Kind(
    "hand_for_hand.begun",
    lazy("Hand für Hand angesagt"),
    Group.BUBBLE,
    is_announced=True,
    sets_stage=True,
)


@service(HAND_FOR_HAND_BEGUN, Permission.LEAD_BUBBLE, Topic.BUBBLE, Topic.CLOCK)
def hand_for_hand_begin(change: Change, *, by_itself: bool = False, rooms: bool = False) -> None:
    """Announce hand-for-hand: the running hands are finished, then round 1 (TDA 2024 RP-8).

    The clock stops; each round takes its minutes off. With `by_itself` a round is released once all
    tables have reported, otherwise the director releases it.

    :param rooms: Whether all running events of this day of the contest play it together.
    """
    if rooms and not other_rooms(change.event):
        raise Refused(_("Es spielt kein anderer Raum an diesem Tag."), code="one_room")
    if obstacle := obstacle_to_hand_for_hand(change.event, change.at, rooms=rooms):
        raise obstacle
    own = {"began_at": change.at, "made_by": change.action}
    row = HandForHand.objects.create(event=change.event, **own)
    HandRound.objects.create(hand_for_hand=row, number=0, **own)
    clock_stop(change)
    change.record(**{BY_ITSELF: by_itself})
    announce_itself(change, BEGUN)
    if rooms:
        change.record(**{ROOMS: True})
        begun = partial(hand_for_hand_begin, by_itself=by_itself, rooms=True)
        in_other_rooms(change, lambda event: hand_for_hand_live(event) is None, begun)


def obstacle_to_hand_for_hand(event: Event, at: datetime, *, rooms: bool = False) -> Refused | None:
    """Return why hand-for-hand cannot begin now, or None: for the service and the grey button.

    :param rooms: Whether all rooms of the day begin it together; then one table may be enough.
    """
    if not event.has_started:
        return Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if hand_for_hand_live(event) is not None:
        return Refused(_("Es wird schon Hand für Hand gespielt."), code="already_begun")
    if clock_state(event.clock, at).level.is_break:
        return Refused(_("Gerade ist Pause. Danach lässt es sich ansagen."), code="break")
    if names := undecided(event):
        return Refused(first_decide(names), code="undecided")
    if not rooms and len(tables_live(event)) < 2:
        return Refused(
            _("An einem einzigen Tisch braucht es kein Hand für Hand."), code="one_table"
        )
    return None


TABLE_REPORTED = Kind(
    "table.reported",
    lazy("Tisch %(table)s: Hand %(round)s fertig"),
    Group.BUBBLE,
    outcomes={"running": lazy("Tisch %(table)s: laufende Hand fertig")},
    is_quiet=True,
    is_announced=True,
)


@service(TABLE_REPORTED, Permission.RUN_HANDS, Topic.BUBBLE)
def table_report(change: Change, *, table: Table, number: int) -> None:
    """Report that a table has finished its hand of round `number`, the one its phone showed."""
    current = _current(change.event, number)
    if change.at < current.began_at:
        raise _overtaken(current)
    row = live_table(change.event, table.pk)
    if HandReport.objects.live().filter(round=current, table=row).exists():
        raise Refused(
            _("Tisch %(table)d ist schon fertig gemeldet.") % {"table": row.number},
            code="already_reported",
        )
    _report(change, current, [row])
    change.record(table=row.number, round=current.number)
    if not current.number:
        change.record(outcome="running")
    change.topics.discard("log")
    if tables_awaited(change.event, current):
        return
    if _all_are_done(change) and releases_itself(current.hand_for_hand):
        _release(change, current)


def _report(change: Change, current: HandRound, tables: Sequence[Table]) -> None:
    HandReport.objects.bulk_create(
        HandReport(round=current, table=row, reported_at=change.at, made_by=change.action)
        for row in tables
    )


def _all_are_done(change: Change) -> bool:
    """Begin a break that waited for the last table; tell whether the next hand may follow."""
    change.announce("entries")  # places are no longer provisional
    begin_break(change)
    return obstacle_to_release(change.event, (), change.at) is None


ROUND_RELEASED = Kind(
    "round.released",
    lazy("Hand %(released)s freigegeben"),
    Group.BUBBLE,
    outcomes={"waits": lazy("Alle Tische fertig, die nächste Hand wartet")},
    is_announced=True,
)


@service(ROUND_RELEASED, Permission.LEAD_BUBBLE, Topic.BUBBLE)
def round_release(change: Change, *, after: int, all_done: bool = False) -> None:
    """Release the hand after round `after` to all tables at once, when all have reported.

    :param all_done: Whether the director reports the tables that have not; a break that is due
        then comes before the next hand.
    """
    current = _current(change.event, after)
    awaited = tables_awaited(change.event, current)
    if awaited and all_done:
        _report(change, current, awaited)
        change.record(tables=[row.number for row in awaited])
        if not _all_are_done(change):
            change.record(outcome="waits")
            return
    else:
        obstacle = obstacle_to_release(change.event, [row.number for row in awaited], change.at)
        if obstacle:
            raise obstacle
    _release(change, current)


def obstacle_to_release(event: Event, awaited: Sequence[int], at: datetime) -> Refused | None:
    """Return why the next hand cannot be released, or None: for the service and the grey button."""
    if awaited:
        return Refused(hand_still_runs(awaited), code="tables_missing")
    pause = waits_for_break(event, at)
    if pause:
        return Refused(pause, code="break")
    elsewhere = awaited_elsewhere(event, at)
    return Refused(elsewhere, code="rooms_missing") if elsewhere else None


HAND_FOR_HAND_ENDED = Kind(
    "hand_for_hand.ended",
    lazy("Hand für Hand beendet (Hände: %(rounds)s)"),
    Group.BUBBLE,
    is_announced=True,
    sets_stage=True,
)


@service(HAND_FOR_HAND_ENDED, Permission.LEAD_BUBBLE, Topic.BUBBLE, Topic.CLOCK)
def hand_for_hand_end(change: Change) -> None:
    """Return to normal play once the round is over everywhere; restart a clock stopped for it."""
    row = hand_for_hand_live(change.event)
    current = round_current(change.event)
    if row is None or current is None:
        raise Refused(_("Es wird nicht Hand für Hand gespielt."), code="no_hand_for_hand")
    awaited = [table.number for table in tables_awaited(change.event, current)]
    if awaited:
        raise Refused(hand_still_runs(awaited), code="tables_missing")
    if rooms_behind(change.event):
        raise Refused(awaited_elsewhere(change.event, change.at), code="rooms_missing")
    if row.made_by.payload.get(ROOMS):
        in_other_rooms(change, lambda event: bool(rooms_together(event)), hand_for_hand_end)
    HandForHand.objects.filter(pk=row.pk).update(voided_by=change.action)
    change.record(rounds=current.number)
    _go_on(change, row)
    announce_itself(change, ENDED)


HEADS_CHECKED = Kind(
    "heads.checked", lazy("Tisch %(table)s: %(players)s gezählt"), Group.BUBBLE, is_quiet=True
)


@service(HEADS_CHECKED, Permission.COUNT_HEADS, Topic.BUBBLE)
def heads_check(change: Change, *, table: Table, players: int) -> None:
    """Record a head count of a table; its agreement is checked when read."""
    row = live_table(change.event, table.pk)
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if not 0 <= players <= row.chairs:
        raise Refused(
            _("An Tisch %(table)d sitzen höchstens %(most)d.")
            % {"table": row.number, "most": row.chairs},
            code="bad_count",
        )
    HeadCheck.objects.create(
        table=row, players=players, checked_at=change.at, made_by=change.action
    )
    change.record(table=row.number, players=players)
    change.topics.discard("log")


MONEY_REACHED = Kind(
    "money.reached",
    lazy("Im Geld: noch %(left)s im Spiel, %(paid)s Plätze bezahlt"),
    Group.BUBBLE,
    is_announced=True,
    sets_stage=True,
)


@service(MONEY_REACHED, Permission.LEAD_BUBBLE, Topic.BUBBLE)
def money_reach(change: Change) -> None:
    """Announce that all remaining players are paid; needs agreeing counts of all tables."""
    event = change.event
    bubble = bubble_of(event)
    if bubble.is_reached:
        raise Refused(_("„Im Geld“ ist schon angesagt."), code="already_reached")
    if bubble.hindrance is not None:
        raise Refused(why_not_in_the_money(bubble), code=bubble.hindrance.value)
    for room in of_one_pool(event):
        elsewhere = bubble_of(room)
        if not elsewhere.is_reached and elsewhere.hindrance is not None:
            text = f"{room.name}: {why_not_in_the_money(elsewhere)}"
            raise Refused(text, code=elsewhere.hindrance.value)
    MoneyReached.objects.create(
        event=event, left=bubble.left, announced_at=change.at, made_by=change.action
    )
    change.record(left=bubble.left, paid=bubble.paid)
    announce_itself(change, REACHED)
    in_other_rooms(change, lambda room: money_reached(room) is None, money_reach, of_one_pool)


def _current(event: Event, number: int) -> HandRound:
    """Return the current round, if it still has this number."""
    current = round_current(event)
    if current is None:
        raise Refused(_("Es wird nicht Hand für Hand gespielt."), code="no_hand_for_hand")
    if current.number != number:
        raise _overtaken(current)
    return current


def _overtaken(current: HandRound) -> Refused:
    return Refused(
        _("Inzwischen läuft schon Hand %(number)d.") % {"number": current.number},
        code="overtaken",
    )


def _release(change: Change, current: HandRound) -> None:
    """Begin the next round at all tables. Its minutes come off before its cards are dealt.

    So a level that follows is announced in time and applies to this hand.
    """
    event, number, row = change.event, current.number + 1, current.hand_for_hand
    HandRound.objects.create(
        hand_for_hand=row, number=number, began_at=change.at, made_by=change.action
    )
    change.record(released=number)
    state = clock_state(event.clock, change.at)
    before, level = state.level, _take_minutes(change, row, state)
    if level is not None and not level.is_break:
        shown = shows_big_bet(LimitKind(event.limit))
        texts = in_each_language(
            lambda language: level_text(level, before, language, shows_big_bet=shown)
        )
        announce_itself(change, LEVEL, texts=texts)
    if row.made_by.payload.get(ROOMS):
        in_other_rooms(
            change,
            lambda event: any(
                room.event.pk == event.pk and room.round.number == current.number
                for room in rooms_together(event)
            ),
            partial(round_release, after=current.number),
        )


def _take_minutes(change: Change, row: HandForHand, state: ClockState) -> Level | None:
    """Take a round's minutes off the level; return the level reached, if a new one."""
    taken = timedelta(minutes=change.event.rule_set.hand_for_hand_minutes)
    if not state.is_waiting:
        return clock_take(change, taken)
    level, rest = level_after(clock_levels(change.event.clock), state.level.id, taken)
    clock_put(change, level.id, rest, is_running=False, stops=_stops_then(row))
    return level


def _go_on(change: Change, row: HandForHand) -> None:
    """Restart the clock, if it was stopped for hand-for-hand and not operated since.

    A break goes on or ends as usual.
    """
    clock, stopped = change.event.clock, row.made_by.payload.get("clock_action")
    driven = ClockAction.objects.filter(clock=clock, pk__gt=stopped or 0, kind__in=DRIVEN)
    if stopped is None or driven.filter(undone_by=None).exists():
        return
    state = clock_state(clock, change.at)
    if not state.level.is_break:
        clock_go_on(change)
        return
    stops, level, elapsed = _stops_then(row), state.level, state.elapsed
    if state.is_waiting:
        level, elapsed = level_after(clock_levels(clock), level.id, timedelta())
    clock_put(change, level.id, elapsed, is_running=True, stops=stops)


# --- The clock in hand-for-hand: stopped; rounds take minutes off; breaks run in full


DRIVEN = (ActionKind.STARTED, ActionKind.PAUSED, ActionKind.LAST_HANDS_SET)
STOPS_BEFORE = "stops_before"  # log field of the report that started a break


def begin_break(change: Change) -> None:
    """Start the break the rounds have reached, once all tables are done; stop at its end."""
    clock = change.event.clock
    state, stops = clock_state(clock, change.at), clock_anchor(clock).stops_after_break
    if not state.level.is_break or state.is_waiting or (state.is_running and stops):
        return
    clock_put(change, state.level.id, state.elapsed, is_running=True, stops=True)
    change.record(**{STOPS_BEFORE: stops})


@follows_change(any_of(kind_is("moves_many"), kind_in(TABLE_CLOSED, TABLE_HALTED)))
def begin_break_without_report(change: Change) -> None:
    """Begin the break if the last awaited table will not report any more.

    Such a table was broken, closed, halted or redrawn.
    """
    current = round_current(change.event)
    if current is None or tables_awaited(change.event, current):
        return
    state = clock_state(change.event.clock, change.at)
    if not state.is_running and not state.elapsed:  # otherwise the clock was operated since
        begin_break(change)


def _stops_then(row: HandForHand) -> bool:
    """Return whether the clock stopped after breaks before hand-for-hand."""
    rows = HandReport.objects.live().filter(round__hand_for_hand=row)
    report = rows.filter(made_by__payload__has_key=STOPS_BEFORE).order_by("-pk").first()
    if report is None:
        return clock_anchor(row.event.clock).stops_after_break
    return bool(report.made_by.payload[STOPS_BEFORE])
