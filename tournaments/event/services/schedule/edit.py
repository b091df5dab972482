"""Edit the blind schedule: change, add, remove and move levels not yet begun.

An edit sends the whole new schedule. Begun levels stay, so that a hand can always be traced to the
blinds shown in the hall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import Level, ScheduleChange, keeps_begun, schedule_changes, validate_levels
from clock.models import ClockAction
from clock.selectors import clock_levels, clock_past
from clock.services import levels_replace
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.event.selectors.clock import rows_begun
from tournaments.event.selectors.schedule_problems import obstacle_to_stud, problem_text
from tournaments.event.selectors.schedule_words import changes_in_words
from tournaments.models import Action
from tournaments.post.services.announcements import LONGEST, announce

MOST_LEVELS = 100
KIND, SAVED = "schedule.edited", "schedule.saved"
WORDS = ("added", "removed", "changed", "moved")


def _words(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the number of rows by kind of change, without zeros."""
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
    if (obstacle := obstacle_to_stud(levels, change.event.seats_per_table)) is not None:
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
        raise Refused(
            _("Der Blindplan wurde seither noch einmal geändert. Das zuerst zurücknehmen."),
            code="needed",
        )
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


def refuse_if_stale(levels: Sequence[Level], based_on: Sequence[int]) -> None:
    """Refuse an edit of an outdated schedule.

    :raises Refused: When the rows have other ids.
    """
    if [level.id for level in levels] != list(based_on):
        raise Refused(_("Der Blindplan wurde inzwischen geändert. Bitte neu laden."), code="stale")


def tell_the_hall(change: Change, before: Sequence[Level], after: Sequence[Level]) -> None:
    """Announce the changes once play has begun."""
    changes = schedule_changes(before, after)
    if change.event.has_started and changes:
        announce(change, changes_in_words(changes, before, after)[:LONGEST])
        change.announce(Topic.MESSAGES)


def refuse_if_wrong(levels: Sequence[Level]) -> None:
    """Refuse an invalid schedule; warnings can be overruled."""
    if len(levels) > MOST_LEVELS:
        raise Refused(
            _("Ein Blindplan hat höchstens %(most)d Zeilen.") % {"most": MOST_LEVELS},
            code="too_many_levels",
        )
    for problem in validate_levels(levels):
        if not problem.is_warning:
            raise Refused(problem_text(problem, levels), code=problem.code)


def _refuse_if_begun(change: Change, levels: Sequence[Level]) -> None:
    index, begun = rows_begun(change.event, change.at)
    if not keeps_begun(clock_levels(change.event.clock), levels, begun=begun, index=index):
        raise Refused(
            _("Eine Stufe, die begonnen hat, bleibt, wie sie ist."), code="level_has_begun"
        )


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
    """Return a change for the log: the row and its values, in numbers."""
    level = item.level
    numbers = {
        "seconds": None if level.duration is None else int(level.duration.total_seconds()),
        "hands": level.hands,
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "small_bet": level.small_bet,
        "big_bet": level.big_bet,
        "ante": level.ante,
        "ante_kind": level.ante_kind.value,
        "bring_in": level.bring_in,
        "limit": level.limit,
        "colour_up": list(level.colour_up),
    }
    return {
        "what": item.what,
        "row": item.index + 1,
        "kind": level.kind.value,
        "names": list(item.names),
        **({} if item.what == "moved" else numbers),
    }
