"""Edit the blind schedule: change, add, remove and move levels not yet begun.

An edit sends the whole new schedule. Begun levels stay, so that a hand can always be traced to the
blinds shown in the hall.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import (
    ActionKind,
    ClockState,
    Level,
    LevelKind,
    ScheduleChange,
    keeps_begun,
    schedule_changes,
    span_ms,
    validate_levels,
)
from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_levels, clock_past, clock_state
from clock.services import levels_replace
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.event.domain import schedule_files
from tournaments.event.domain.games import Mix, mixed_schedule
from tournaments.event.domain.planning.planner import raised
from tournaments.event.selectors import schedule
from tournaments.event.selectors.clock import rows_begun
from tournaments.event.services.clock import (
    clock_append,
    clock_put,
    is_latest_of_clock,
    operated_since,
)
from tournaments.models import Action, Event
from tournaments.post.selectors.announcements import Saying, in_each_language, in_language
from tournaments.post.services.messages import announce_itself

MOST_LEVELS = 100
KIND, SAVED = "schedule.edited", "schedule.saved"
WORDS = ("added", "removed", "changed", "moved")


def _words(payload: Mapping[str, Any]) -> dict[str, str]:
    texts = {
        "changed": _("%(count)s geändert"),
        "added": _("%(count)s dazu"),
        "removed": _("%(count)s entfernt"),
        "moved": _("%(count)s verschoben"),
    }
    counts = {word: payload.get(word, 0) for word in texts}
    texts_shown = [text % {"count": counts[word]} for word, text in texts.items() if counts[word]]
    return {"told": ", ".join(texts_shown)}


SCHEDULE_EDITED = Kind(
    "schedule.edited",
    lazy("Blindplan geändert: %(told)s"),
    Group.CLOCK,
    is_announced=True,
    words=_words,
)


@service(SCHEDULE_EDITED, Permission.MANAGE, Topic.CLOCK, Topic.SETTINGS)
def schedule_edit(change: Change, *, levels: Sequence[Level], based_on: Sequence[int]) -> None:
    """Give the clock this schedule. Rows keep their id; new ones have an id below 1.

    `based_on` are the ids of the rows shown in the editor.
    """
    before = clock_levels(change.event.clock)
    refuse_if_stale(before, based_on)
    if change.event.has_started:
        levels = _beside_the_plan(before, levels)
    changes = schedule_changes(before, levels)
    if not changes:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    _refuse_if_begun(change, levels)
    refuse_if_wrong(levels)
    if (obstacle := schedule.obstacle_to_games(levels, change.event.seats_per_table)) is not None:
        raise obstacle
    change.record(was_edited=change.event.clock.is_edited)
    schedule_replace(change, levels, is_edited=True)
    tell_the_hall(change, before, levels)
    counts = Counter(item.what for item in changes)
    change.record(changes=[_as_payload(item) for item in changes])
    change.record(**{word: counts[word] for word in WORDS})


@undoes(SCHEDULE_EDITED)
def schedule_unedit(change: Change, action: Action) -> None:
    """Restore the schedule replaced by an edit, as a further edit."""
    edit = ClockAction.objects.get(pk=action.payload["clock_action"])
    others = [KIND, "event.schedule_set", "event.schedule_planned"]
    later = Action.objects.filter(event=change.event, kind__in=others, sequence__gt=action.sequence)
    if edit.clock_id != change.event.clock_id or any(map(action_is_in_force, later)):
        raise _edited_since()
    edits = edit.clock.actions.filter(kind=edit.kind, sequence__lt=edit.sequence).count()
    before = clock_past(edit.clock).schedules[edits]
    _refuse_if_begun(change, before)
    now = clock_levels(edit.clock)
    saved = Action.objects.filter(event=change.event, kind=SAVED, sequence__gt=action.sequence)
    was_saved = any(map(action_is_in_force, saved))
    schedule_replace(change, before, is_edited=was_saved or action.payload.get("was_edited", True))
    # A restored row has its old id. Without added or removed rows, match by position.
    same = [replace(old, id=row.id) for old, row in zip(before, now, strict=False)]
    tell_the_hall(change, now, same if len(now) == len(before) else before)


def _edited_since() -> Refused:
    reason = _("Der Blindplan wurde seither noch einmal geändert. Das zuerst zurücknehmen.")
    return Refused(reason, code="needed")


def refuse_if_stale(levels: Sequence[Level], based_on: Sequence[int]) -> None:
    """Refuse an edit of an outdated schedule."""
    if [level.id for level in levels] != list(based_on):
        raise Refused(_("Der Blindplan wurde inzwischen geändert. Bitte neu laden."), code="stale")


SCHEDULE = Saying("schedule", "schedule", in_language)


def tell_the_hall(change: Change, before: Sequence[Level], after: Sequence[Level]) -> None:
    """Announce the changes once play has begun."""
    event, changes = change.event, schedule_changes(before, after)
    if not event.has_started:
        return
    texts = in_each_language(
        lambda _language: schedule.changes_in_words(event, changes, before, after)
    )
    if all(texts.values()):
        announce_itself(change, SCHEDULE, texts=texts)
        change.announce(Topic.MESSAGES)


def refuse_if_wrong(levels: Sequence[Level]) -> None:
    """Refuse an invalid schedule; warnings can be overruled."""
    if len(levels) > MOST_LEVELS:
        reason = _("Ein Blindplan hat höchstens %(most)d Zeilen.") % {"most": MOST_LEVELS}
        raise Refused(reason, code="too_many_levels")
    for problem in validate_levels(levels):
        if not problem.is_warning:
            raise Refused(schedule.problem_text(problem, levels), code=problem.code)


def _refuse_if_begun(change: Change, levels: Sequence[Level]) -> None:
    index, begun = rows_begun(change.event, change.at)
    if not keeps_begun(clock_levels(change.event.clock), levels, begun=begun, index=index):
        reason = _("Eine Stufe, die begonnen hat, bleibt, wie sie ist.")
        raise Refused(reason, code="level_has_begun")


def schedule_replace(change: Change, levels: Sequence[Level], *, is_edited: bool) -> None:
    """Replace the clock's schedule as part of a change."""
    row = levels_replace(
        clock=change.event.clock,
        levels=levels,
        at=change.at,
        recorded_at=change.action.recorded_at,
        is_edited=is_edited,
    )
    change.record(clock_action=row.pk)


def _beside_the_plan(before: Sequence[Level], levels: Sequence[Level]) -> list[Level]:
    """Mark new breaks as unplanned, so that planned ones keep their numbers."""
    known = {level.id for level in before}
    has_breaks = any(level.is_planned_break for level in before)
    return [
        replace(level, is_unplanned=has_breaks)
        if level.is_break and level.id not in known
        else level
        for level in levels
    ]


def _as_payload(item: ScheduleChange) -> dict[str, Any]:
    level = item.level
    numbers = {
        "seconds": None if level.duration is None else int(level.duration.total_seconds()),
        "ante_kind": level.ante_kind.value,
        **{name: getattr(level, name) for name in ("hands", "limit", *schedule_files.AMOUNTS)},
        "colour_up": list(level.colour_up),
    }
    return {
        "what": item.what,
        "row": item.index + 1,
        "kind": level.kind.value,
        "names": list(item.names),
        **({} if item.what == "moved" else numbers),
    }


# --- Changes in the present level: correct its amounts, begin a break in it


AMOUNTS = ("small_blind", "big_blind", "small_bet", "bring_in", "ante")
LONGEST_BREAK_MINUTES = 180

LEVEL_CORRECTED = Kind(
    "clock.level_corrected",
    lazy("Laufende Stufe berichtigt: %(level)s"),
    Group.CLOCK,
    is_announced=True,
)


@service(LEVEL_CORRECTED, Permission.DRIVE_CLOCK, Topic.CLOCK, Topic.SETTINGS)
def level_correct(change: Change, *, amounts: Mapping[str, int], raises_next: bool = False) -> None:
    """Correct the amounts of the present level, by name; its time goes on. Announce it.

    `raises_next` raises the following levels that it has overtaken.
    """
    index = _state_in_play(change).index
    before = clock_levels(change.event.clock)
    after = levels_corrected(change.event, change.at, amounts, raises_next=raises_next)
    if after[index] == before[index]:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    refuse_if_wrong(after)
    _replace(change, after, is_edited=True)
    tell_the_hall(change, before, after)
    names = schedule_changes(before, after)[0].names
    pairs = {name: [getattr(rows[index], name) for rows in (before, after)] for name in names}
    change.record(amounts=pairs)
    change.tell(level=schedule.row_name(before, index))


def levels_corrected(
    event: Event, now: datetime, amounts: Mapping[str, int], *, raises_next: bool
) -> list[Level]:
    """Return the schedule with the present level's amounts corrected."""
    index, begun = clock_state(event.clock, now).index, rows_begun(event, now)[1]
    levels = list(clock_levels(event.clock))
    level = levels[index]
    given: dict[str, Any] = {name: amounts[name] for name in AMOUNTS if name in amounts}
    right = replace(level, **given)
    bet = right.small_bet or right.big_blind
    if level.big_bet and bet != (level.small_bet or level.big_blind):
        right = replace(right, big_bet=2 * bet)
    levels[index] = right
    return raised(levels, index, schedule.chip_values(event), begun) if raises_next else levels


@undoes(LEVEL_CORRECTED)
def _undo_correction(change: Change, action: Action) -> None:
    now = clock_levels(change.event.clock)
    before = _schedule_before(change, action)
    schedule_replace(change, before, is_edited=action.payload["was_edited"])
    tell_the_hall(
        change, now, [replace(old, id=row.id) for old, row in zip(before, now, strict=True)]
    )


CLOCK_BREAK_BEGUN = Kind("clock.break_begun", lazy("Pause von %(minutes)s Minuten"), Group.CLOCK)


@service(CLOCK_BREAK_BEGUN, Permission.DRIVE_CLOCK, Topic.CLOCK, Topic.SETTINGS)
def clock_break_now(change: Change, *, minutes: int) -> None:
    """Begin a break now; then the level goes on with its remaining time. The plan stays."""
    if not 1 <= minutes <= LONGEST_BREAK_MINUTES:
        reason = _("Möglich sind 1 bis %(most)d Minuten.") % {"most": LONGEST_BREAK_MINUTES}
        raise Refused(reason, code="bad_minutes")
    state, clock = _state_in_play(change), change.event.clock
    if state.last_hands is not None:
        reason = _("Es laufen letzte Hände: erst „Weiter“, dann die Pause.")
        raise Refused(reason, code="last_hands")
    length = timedelta(minutes=minutes)
    pause = Level(id=0, kind=LevelKind.BREAK, duration=length, is_unplanned=True)
    rows = list(clock_levels(clock))
    rows[state.index : state.index + 1] = [pause, _rest(state)]
    change.record(minutes=minutes, elapsed_ms=span_ms(state.elapsed), hands=state.hands)
    change.record(was_running=state.is_running, index=state.index)
    _replace(change, rows, is_edited=clock.is_edited)
    began = clock_levels(clock)[state.index].id
    clock_append(change, ActionKind.JUMPED, level_id=began, elapsed=timedelta())
    if not state.is_running:
        clock_append(change, ActionKind.STARTED)


@undoes(CLOCK_BREAK_BEGUN)
def _undo_break(change: Change, action: Action) -> None:
    if not is_latest_of_clock(action):
        raise operated_since()
    was = action.payload
    schedule_replace(change, _schedule_before(change, action), is_edited=was["was_edited"])
    clock = change.event.clock
    clock_put(
        change,
        clock_levels(clock)[was["index"]].id,
        timedelta(milliseconds=was["elapsed_ms"]),
        is_running=was["was_running"],
        stops=clock_anchor(clock).stops_after_break,
        hands=was["hands"],
    )


def _rest(state: ClockState) -> Level:
    """Return the rest of the level after a break, or the whole level if none is left."""
    level = state.level
    level = replace(level, rest_of=level.id if level.rest_of is None else level.rest_of)
    if level.hands is not None:
        return replace(level, hands=max(level.hands - state.hands, 1))
    return replace(level, duration=state.remaining or level.duration)


def _state_in_play(change: Change) -> ClockState:
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    state = clock_state(change.event.clock, change.at)
    if state.level.is_break:
        raise Refused(_("Es ist gerade Pause."), code="is_break")
    return state


def _replace(change: Change, levels: Sequence[Level], *, is_edited: bool) -> None:
    change.record(was_edited=change.event.clock.is_edited)
    schedule_replace(change, levels, is_edited=is_edited)
    change.record(edit=change.action.payload["clock_action"])


def _schedule_before(change: Change, action: Action) -> Sequence[Level]:
    """Return the schedule replaced by a change, if that is the latest."""
    edit = ClockAction.objects.get(pk=action.payload["edit"])
    edits = ClockAction.objects.filter(clock=change.event.clock_id, kind=edit.kind)
    if edit.clock_id != change.event.clock_id or edits.filter(sequence__gt=edit.sequence).exists():
        raise _edited_since()
    return clock_past(edit.clock).schedules[edits.filter(sequence__lt=edit.sequence).count()]


# --- Mixed games, and another pace; saving either is an edit of the schedule


def schedule_paced(event: Event, minutes: int, now: datetime) -> list[Level]:
    """Return the event's schedule with levels of so many minutes, as far as not yet begun."""
    index, begun = rows_begun(event, now)
    fixed, length = -1 if index is None else index, timedelta(minutes=minutes)
    return [
        replace(level, duration=length)
        if at > fixed and level.id not in begun and level.duration and not level.is_break
        else level
        for at, level in enumerate(clock_levels(event.clock))
    ]


def schedule_mixed(event: Event, mix: Mix, hands: int | None, now: datetime) -> Sequence[Level]:
    """Return the event's schedule with a mix in the rows not yet begun.

    :raises Refused: When stud is among them and the tables are too large for it.
    """
    levels = clock_levels(event.clock)
    index, begun = rows_begun(event, now)
    fixed = 0 if index is None else index + 1
    unit = min(schedule.chip_values(event), default=1)
    if begun & {level.id for level in levels[fixed:]}:
        reason = _("Eine spätere Stufe hat schon begonnen. Die Spiele bitte einzeln eintragen.")
        raise Refused(reason, code="level_has_begun")
    mixed = [*levels[:fixed], *mixed_schedule(levels[fixed:], mix, hands=hands, unit=unit)]
    if (obstacle := schedule.obstacle_to_games(mixed, event.seats_per_table)) is not None:
        raise obstacle
    return mixed
