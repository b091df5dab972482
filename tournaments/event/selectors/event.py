"""The present state of an event: entries, players left, chips in play. Reads only."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.utils.timezone import get_current_timezone, localtime

from clock.selectors import clock_levels, clock_state
from clock.snapshot import is_snapshot, read_once
from tournaments import models
from tournaments.changes.access import WORK, Role
from tournaments.event.domain.games import LimitKind, final_table_size, shows_big_bet
from tournaments.event.domain.hours import closes_at, closing_typed, end_of_level, is_past
from tournaments.event.domain.latecomers import last_late_position
from tournaments.event.selectors.clock import counted
from tournaments.event.selectors.hall import not_forgotten
from tournaments.event.selectors.settings.entries import OFFERED_BY
from tournaments.models import Event
from tournaments.models.log import Fact


def event_current() -> Event | None:
    """Return a visitor's likely event: running, else next planned, else the last."""
    loaded = ("clock", "club")
    running = Event.objects.running().select_related(*loaded).order_by("is_sample", "-starts_at")
    planned = Event.objects.planned().select_related(*loaded).order_by("is_sample", "starts_at")
    return (
        running.filter(is_sample=False).first()
        or planned.filter(is_sample=False).first()
        or running.first()
        or planned.first()
        or Event.objects.select_related(*loaded).order_by("-starts_at").first()
    )


def sells_again(event: Event) -> bool:
    """Tell whether any purchase is offered after the entry. No query."""
    return any(getattr(event, name) for name in OFFERED_BY)


@read_once
def without_chips(event: Event) -> dict[int, datetime]:
    """Return the entries without chips by id, each with the end of the time its seat is held.

    They may still buy: they post nothing, are not moved, and are undecided near the money.
    """
    if not sells_again(event):
        return {}
    rows = models.RebuyChance.objects.live().filter(event=event).order_by("until", "pk")
    return dict(rows.values_list("entry_id", "until"))


def registrations_live_count(event: Event) -> int:
    if event.is_clock_only:
        return counted(event).entries
    return figures(event, "registrations")["registrations"]


def registrations_placed_count(event: Event) -> int:
    """Return the number of registrations with a place, without the waiting list."""
    if event.is_clock_only:
        return counted(event).entries
    found = figures(event, "registrations", "waiting")
    return found["registrations"] - found["waiting"]


@dataclass(frozen=True, slots=True)
class Least:
    """The least number of registrations of a tournament, and when it is decided."""

    needed: int
    registered: int
    decided_at: datetime
    is_decided: bool

    @property
    def missing(self) -> int:
        return max(0, self.needed - self.registered)


def least_of(event: Event, now: datetime) -> Least | None:
    """Return the least number of registrations; None without one, or after the start."""
    if not event.least_entries or event.has_started or event.is_over:
        return None
    decided_at = event.starts_at - timedelta(hours=event.least_hours)
    registered = registrations_placed_count(event)
    return Least(event.least_entries, registered, decided_at, is_decided=now >= decided_at)


def entries_live_count(event: Event) -> int:
    if event.is_clock_only:
        return counted(event).entries
    return figures(event, "entries")["entries"]


def play_goes_on(event: Event) -> bool:
    """Tell whether the event is not over, and more than one player is left."""
    return not event.is_over and not (
        left_in_rooms(event) == 1 and eliminations_live_count(event) > 0
    )


def eliminations_live_count(event: Event) -> int:
    return figures(event, "outs")["outs"]


@read_once
def entry_is_out(entry: models.Entry) -> bool:
    return models.Elimination.objects.live().filter(entry=entry).exists()


def tables_live_count(event: Event) -> int:
    return figures(event, "tables")["tables"]


def is_stage(event: Event) -> bool:
    """Tell whether the event is a flight or a day of a contest."""
    return bool(figures(event, "stages")["stages"])


def is_later_day(event: Event) -> bool:
    """Tell whether the event is a further day of a contest."""
    return bool(figures(event, "later_days")["later_days"])


def ends_in_bags(event: Event) -> bool:
    """Tell whether players go on from it with bags: a flight, or a day before another."""
    return bool(figures(event, "goes_on")["goes_on"])


def takes_bags_only(event: Event) -> bool:
    """Tell whether players come only with a bag: to a further day without late entry."""
    return not event.has_late_entry and is_later_day(event)


def players_left(event: Event) -> int:
    """Return the number of players left."""
    if event.is_clock_only:
        return counted(event).left
    found = figures(event, "entries", "outs")
    return found["entries"] - found["outs"]


def figures(event: Event, *names: str) -> Mapping[str, int]:
    """Return these counts of live rows at an event (one query over partial indexes).

    For a snapshot all counts are read at once, as a page needs most of them.
    """
    return _all_figures(event) if is_snapshot(event) else _figures(event, names)


@read_once
def _all_figures(event: Event) -> Mapping[str, int]:
    return _figures(event, tuple(_subqueries()))


def live_value(
    model: type[Fact], function: str, column: str = "pk", where: Q | None = None, **only: Any
) -> Subquery:
    """Return a count or sum over the live rows of an event, for a query of events."""
    value = Func(F(column), function=function, output_field=IntegerField())
    rows: QuerySet[Any] = model.objects.live()
    return Subquery(
        rows.filter(where or Q(), event=OuterRef("pk"), **only).order_by().values(value=value)
    )


@cache
def _subqueries() -> Mapping[str, Subquery]:
    later = models.Stage.objects.live().filter(
        contest=OuterRef("contest"), order__gt=OuterRef("order")
    )
    return {
        "registrations": live_value(models.Registration, "COUNT", is_cash_guest=False),
        "entries": live_value(models.Entry, "COUNT"),
        "outs": live_value(models.Elimination, "COUNT"),
        "waiting": live_value(models.Waiting, "COUNT"),
        "offers": live_value(models.PlaceOffer, "COUNT"),
        "tables": live_value(models.Table, "COUNT"),
        # A player with a re-entry has a place again.
        "reentries": live_value(models.Purchase, "COUNT", what=models.What.REENTRY),
        "summons": live_value(models.Summons, "COUNT"),
        "stages": live_value(models.Stage, "COUNT"),
        "goes_on": live_value(models.Stage, "COUNT", where=Exists(later) | ~Q(stop={})),
        "later_days": live_value(models.Stage, "COUNT", order__gt=1),
        "chips": live_value(models.ChipMovement, "SUM", "amount"),
        "uncounted": live_value(models.ChipMovement, "COUNT", amount=None),
    }


def rooms_of(event: Event) -> list[Event]:
    """Return the events that share places and prizes with this one: rooms of one day.

    Any other event is alone, which is known without a query.
    """
    return day_rooms(event) if event.prizes.get("rooms") else [event]


@read_once
def day_rooms(event: Event) -> list[Event]:
    """Return all rooms of a further day of a contest; a flight pays its own places."""
    own = models.Stage.objects.live().filter(event=event, order__gt=1)
    here = Exists(own.filter(contest=OuterRef("contest"), order=OuterRef("order")))
    rows = models.Stage.objects.live().filter(here, event__head__cancelled_by=None)
    found = rows.select_related("event__head", "event__clock", "event__club").order_by("event")
    return [event if row.event_id == event.pk else row.event for row in found] or [event]


def left_in_rooms(event: Event) -> int:
    """Return the players left in all rooms of the day."""
    return sum(map(players_left, rooms_of(event)))


def _figures(event: Event, names: tuple[str, ...]) -> Mapping[str, int]:
    asked = [_subqueries()[name] for name in names]
    found = models.EventHead.objects.filter(pk=event.pk).values_list(*asked).get()
    return {name: value or 0 for name, value in zip(names, found, strict=True)}


def average_stack(chips: int, left: int) -> int | None:
    """Return the average stack in whole chips, rounded down; None without players."""
    return chips // left if left else None


def room_figures(event: Event) -> dict[str, Any]:
    """Return players left, entries and the average stack, as shown on phones."""
    read = figures(event, "entries", "outs", "chips", "uncounted")
    entries, left, chips = read["entries"], read["entries"] - read["outs"], read["chips"]
    average = average_stack(chips, left)
    return {"left": left, "entries": entries, "average": average, "exact": not read["uncounted"]}


@read_once
def event_alive_entry_ids(event: Event) -> list[int]:
    out = models.Elimination.objects.live().filter(event=event).values("entry_id")
    alive = models.Entry.objects.live().filter(event=event).exclude(pk__in=out)
    return list(alive.order_by("number").values_list("pk", flat=True))


def chips_in_play(event: Event) -> tuple[int, bool]:
    """Return the chips in play by the ledger, and whether the number is exact.

    It is not exact while a stack that left play is uncounted.
    """
    if event.is_clock_only:
        return counted(event).chips, True
    found = figures(event, "chips", "uncounted")
    return found["chips"], not found["uncounted"]


def event_accepts_late(event: Event, now: datetime) -> bool:
    """Tell whether late registration is open: until its level or break ends, or "in the money"."""
    return is_late_level(event, now) and money_reached(event) is None


def is_late_level(event: Event, now: datetime) -> bool:
    """Tell whether the level or break of late registration has not ended."""
    if event.is_over or not event.has_started:
        return False
    last = event_last_late_position(event)
    return last is not None and clock_state(event.clock, now).index <= last


@read_once
def event_last_late_position(event: Event) -> int | None:
    """Return the index of the last level with late registration, None without any."""
    level, pause = event.late_registration_level, event.late_registration_break
    return last_late_position(clock_levels(event.clock), level=level, pause=pause)


def screen_figures(event: Event, now: datetime) -> dict[str, Any]:
    """Return the big screen's figures beside the clock."""
    left, entries = players_left(event), entries_live_count(event)
    chips, is_exact = chips_in_play(event)
    average = average_stack(chips, left)
    level = clock_state(event.clock, now).level
    tables = tables_live_count(event)
    return {
        "name": event.name,
        "version": event.version,
        "players_left": left,
        "entries": entries,
        "rebuys": counted(event).rebuys if event.is_clock_only else None,
        "registrations": registrations_placed_count(event),
        "average_stack": average,
        "average_is_exact": is_exact,
        "average_bb": _in_units(average, level.big_blind),
        "average_bets": _in_units(average, 0 if level.big_blind else level.small_bet),
        "tables": tables,
        "game": event.game,
        "limit": event.limit,
        "shows_big_bet": shows_big_bet(LimitKind(event.limit)),
        "status": event.status,
        "starts_at": event.starts_at.isoformat(),
        "is_final_table": is_final_table(event, left, tables),
        "sample": event.is_sample,
    }


def _in_units(average: int | None, unit: int) -> int | None:
    return average // unit if average is not None and unit else None


def is_final_table(event: Event, left: int, tables: int) -> bool:
    if not event.has_started or tables != 1 or left < 2:
        return False
    return left <= final_seats(event) and not ends_in_bags(event)


def final_seats(event: Event) -> int:
    """Return the seats of the final table: as set, or from the rules (TDA RP-9)."""
    return event.final_table_seats or final_table_size(event.seats_per_table)


@read_once
def money_reached(event: Event) -> models.MoneyReached | None:
    """Return the live announcement of "in the money", or None."""
    return models.MoneyReached.objects.live().filter(event=event).first()


def hand_for_hand_was_begun(event: Event) -> bool:
    """Tell whether hand-for-hand was ever announced, except undone announcements."""
    rows = models.HandForHand.objects.filter(event=event)
    return rows.exclude(voided_by__undoes__isnull=False).exists()


def entry_names(entry_ids: set[int]) -> dict[int, str]:
    rows = models.Entry.objects.filter(pk__in=entry_ids)
    return dict(rows.values_list("pk", "registration__person__name"))


def is_only_practice(event: Event) -> bool:
    """Tell whether it is a sample beside real evenings, closed to strangers' registrations."""
    return event.is_sample and Event.objects.filter(club=event.club_id, is_sample=False).exists()


# --- The end of late registration as a time of day, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEntry:
    """The end of late registration. `ends_at` is None while unknown.

    `is_open`: late registration is possible now; before the start it always is.
    """

    ends_at: datetime | None
    is_open: bool


def late_entry_of(event: Event, now: datetime) -> LateEntry:
    """Return the end of late registration if the clock runs as planned from now on.

    Without late registration it is the start. A stopped clock is assumed to go on at once, to
    stay on the safe side.
    """
    last = event_last_late_position(event)
    if not event.has_started:
        ends_at = max(event.starts_at, now) if last is None else row_ends_at(event, last, now)
        return LateEntry(ends_at=ends_at, is_open=True)
    if last is None or not event_accepts_late(event, now):
        return LateEntry(ends_at=None, is_open=False)
    return LateEntry(ends_at=row_ends_at(event, last, now), is_open=True)


def row_ends_at(event: Event, row: int, now: datetime) -> datetime | None:
    """Return the end of a row still to come, if the clock runs on; None with hands before."""
    since = now if event.has_started else max(event.starts_at, now)
    return end_of_level(clock_levels(event.clock), clock_state(event.clock, now), row, since)


# --- The announcement of closing time, its last level and its end


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """Closing time as announced.

    :param number: Of the last level that is played; None if the schedule has it no longer.
    :param is_over: Whether that level is over: stacks are to be counted.
    :param ends_at: When it will be, as far as that can be told.
    """

    number: int | None
    is_over: bool
    ends_at: datetime | None


def closing_of(event: Event, now: datetime) -> Closing | None:
    """Return the announced closing time; None without one."""
    row = models.ClosingCall.objects.live().filter(event=event).first()
    if row is None:
        return None
    levels, state = clock_levels(event.clock), clock_state(event.clock, now)
    here = next((at for at, level in enumerate(levels) if level.id == row.level_id), None)
    is_over = is_past(state, here)
    return Closing(
        number=None if here is None else levels[here].number,
        is_over=is_over,
        ends_at=None if is_over or here is None else row_ends_at(event, here, now),
    )


def event_closes_at(event: Event) -> datetime | None:
    """Return when the hall must be empty on this evening; None if not set."""
    closing = closing_typed(event.closing_time)
    if closing is None:
        return None
    local = localtime(event.starts_at).replace(tzinfo=None)
    return closes_at(local, closing).replace(tzinfo=get_current_timezone())


def others_served(event: Event, device: models.StaffDevice) -> list[tuple[Event, Role]]:
    """Return the other events under way with this device's highest role there, in one query.

    They follow in the order of their start, the next after this event first and round again.
    """
    grants = models.Grant.objects.filter(Q(event=None) | Q(event=OuterRef("pk")), device=device)
    held = {f"is_{role}": Exists(grants.filter(role=role, revoked_at=None)) for role in WORK}
    rows = Event.objects.under_way().filter(not_forgotten(event, ""), club=event.club_id)
    rows = rows.exclude(pk=event.pk)
    found = []
    for row in rows.annotate(**held).order_by("starts_at", "pk"):
        role = next((role for role in WORK if getattr(row, f"is_{role}")), None)
        if role is not None:
            found.append((row, role))
    here = (event.starts_at, event.pk)
    return sorted(found, key=lambda pair: (pair[0].starts_at, pair[0].pk) < here)
