"""Undo: a new action that voids the facts made by an action and revives those it voided.

One mechanism serves every kind, because facts name the actions that made and voided them. Three
kinds of change have an undo of their own: the clock (a compensating action), the event's settings,
and a person's data.

An undo is itself an action, and can be undone to restore the state before it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.services.seats import tables_taken_back
from tournaments.changes import access
from tournaments.changes.access import Actor, Permission
from tournaments.changes.audit import Change, service, topics_of, undo_of
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import LED_BY, Group, Kind, Topic, kind_of
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.event.selectors.event import day_rooms
from tournaments.event.services.clock import is_latest_of_clock
from tournaments.event.services.counts import refuse_if_count_is_off
from tournaments.event.services.event_undo import undo_clock
from tournaments.event.services.trying import rolled_back
from tournaments.models import Action, Entry, Event, EventHead, Message, Seating, Table, Waiting
from tournaments.models.log import Fact
from tournaments.money.services.fees import money_taken_back, payments_even
from tournaments.play.services.eliminations import refuse_if_nobody_is_left
from tournaments.privacy.services.privacy import refuse_if_erased
from tournaments.seating.services.seats import hall_turn, seat_by_draw
from tournaments.undo.domain.preview_diff import Difference, differences
from tournaments.undo.selectors.preview_state import EventState, lots_of, state_read
from tournaments.undo.services.dependencies import (
    FACTS,
    NeededFirst,
    facts_touched,
    keeps_tables,
    places_kept,
    places_settle,
    places_taken_before,
    refuse_if_ground_is_gone,
    refuse_if_left_hanging,
    refuse_if_needed,
    refuse_if_not_restorable,
    take_along,
)

BY_NAME = {model.__name__: model for model in FACTS}
ACTION_UNDONE = Kind(
    "action.undone",
    lazy("Zurückgenommen: %(action)s"),
    Group.UNDONE,
    brings_in=True,
    opens_tables=True,
    is_announced=True,
    outlives_the_end=True,
)


def rooms_of_action(action: Action) -> list[int]:
    return [room.pk for room in day_rooms(action.event)] if action.event else []


def in_the_other_rooms(action: Action) -> list[Action]:
    """Return the entries in force by which the other rooms of the day did the same."""
    others = [room for room in rooms_of_action(action) if room != action.event_id]
    same = {f"payload__{LED_BY}": action.payload[LED_BY]}
    rows = Action.objects.filter(**same, event__in=others, kind=action.kind)
    found = rows.select_related("event").order_by("event")
    return [row for row in found if action_is_in_force(row)]


@service(
    ACTION_UNDONE,
    Permission.UNDO_OWN,
    Topic.TABLES,
    Topic.ENTRIES,
    Topic.REGISTRATIONS,
    Topic.HANDS,
    Topic.BUBBLE,
    Topic.CONDUCT,
    after_the_end=True,
    rooms_of=rooms_of_action,
)
def action_undo(change: Change, *, action: Action, led_by: int | None = None) -> None:
    """Undo an action, or refuse with the obstacle; what all rooms of a day did, in each of them.

    :param led_by: The undo in another room that this one follows.
    """
    row = Action.objects.select_related("text").filter(event=change.event, pk=action.pk).first()
    if row is None:
        raise Refused(_("Diesen Eintrag gibt es hier nicht."), code="gone")
    row.event = change.event
    if not access.may_undo(change.by, row):
        raise Refused(access.REFUSALS[Permission.UNDO_ANY], code="not_allowed")
    if not action_is_in_force(row):
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    kind = kind_of(row.kind)
    _refuse_if_final(change, row, kind)
    change.action.undoes = row
    change.knowingly = True  # its purpose is to bring things back
    texts, taken = row.text.data if hasattr(row, "text") else {}, places_taken_before(row)
    change.record(undoes=row.pk, kind=row.kind)
    change.tell(**{name: texts.get(name, "") for name in ("name", "text")})
    change.announce(*topics_of(row.kind))
    own = undo_of(row.kind)
    if own:
        own(change, row)
    elif row.undoes is not None:
        change.announce(*topics_of(row.undoes.kind))
        _redo(change, row)
    else:
        _take_back(change, row)
        # An out that began a break can be undone whatever the clock did since.
        is_out = kind is not None and kind.puts_out
        if "clock_action" in row.payload and not (is_out and not is_latest_of_clock(row)):
            change.announce(Topic.CLOCK)
            undo_clock(change, row)
    payments_even(change, money_taken_back(change, row))
    tables_taken_back(change, row)
    places_settle(change, row, taken)
    if change.event.is_clock_only:
        refuse_if_count_is_off(change.event)
    elif change.event.has_started:
        refuse_if_nobody_is_left(change)
    if LED_BY in row.payload:
        _undo_in_the_other_rooms(change, row, led_by)


def _undo_in_the_other_rooms(change: Change, action: Action, led_by: int | None) -> None:
    change.record(**{LED_BY: led_by or change.action.pk})
    for twin in in_the_other_rooms(action) if led_by is None else ():
        assert twin.event is not None
        command = Command(event=twin.event, by=access.SYSTEM, at=change.at)
        try:
            action_undo(command, action=twin, led_by=change.action.pk)
        except Refused as refusal:
            raise Refused(f"{twin.event.name}: {refusal}", code=refusal.code) from refusal


def _refuse_if_final(change: Change, action: Action, kind: Kind | None) -> None:
    if change.event.is_over and not (kind and kind.outlives_the_end):
        raise Refused(_("Das Turnier ist beendet. Erst das Ende zurücknehmen."), code="over")
    if kind is None or not kind.is_undoable:
        reason = (kind and kind.irrevocable) or _("Das lässt sich nicht zurücknehmen.")
        raise Refused(reason, code="irrevocable")
    if kind.is_of_person:
        refuse_if_erased(action)


def _take_back(change: Change, action: Action) -> None:
    """Void the action's facts and revive those it voided, if nothing live depends on them."""
    touched = facts_touched(action)
    if Message in touched.made:
        change.announce(Topic.MESSAGES)
    made = refuse_if_needed(action, touched)
    homeless = refuse_if_not_restorable(action, touched)
    placed = places_kept(action) if Waiting in touched.voided else set()
    _void(change, action, made)
    change.record(revived=_revive(change, action, touched.voided, homeless, placed))
    if homeless:
        for entry in Entry.objects.filter(pk__in=homeless).order_by("pk"):
            seat_by_draw(change, entry)
    if action.payload.get("begins_event"):
        change.announce(Topic.CLOCK)
        change.set(started_by=None)


def _revive(
    change: Change,
    action: Action,
    models: Collection[type[Fact]],
    homeless: set[int],
    placed: set[int],
) -> dict[str, list[int]]:
    """Revive the facts voided by an action and return them.

    Except the seats of `homeless` entries, and the waiting of players who keep their place.
    """
    if Table in models:
        hall_turn(change.event)  # before any drawer
    revived: dict[str, list[int]] = {}
    for model in models:
        rows: QuerySet[Any] = model.objects.filter(voided_by=action)
        if model is Seating and homeless:
            rows = rows.exclude(entry_id__in=homeless)
        if model is Waiting and placed:
            rows = rows.exclude(pk__in=placed)
        ids = list(rows.values_list("pk", flat=True))
        if ids:
            rows.update(voided_by=None)
            revived[model.__name__] = ids
    for name, ids in revived.items():
        refuse_if_left_hanging(BY_NAME[name], ids)
    return revived


def _void(change: Change, action: Action, made: Mapping[type[Fact], list[int]]) -> None:
    """Void the facts made by an action with their dependents, but tables with others at them now.

    Both name this change, so that its undo revives both.
    """
    for model, keys in made.items():
        rows, ids = model.objects.live().filter(made_by=action), keys
        if model is Table and keeps_tables(action):
            rows = rows.exclude(Exists(Seating.objects.live().filter(table=OuterRef("pk"))))
            ids = list(rows.values_list("pk", flat=True))
        rows.update(voided_by=change.action)
        take_along(change.action, model, ids)


def is_redoable(undo: Action) -> bool:
    """Tell whether an undo can be undone; kinds with a special undo cannot."""
    undone = undo.undoes
    if undone is None or undone.undoes_id is not None or undo_of(undone.kind):
        return False
    kind = kind_of(undone.kind)
    if kind is not None and kind.is_entered_anew:
        return False
    return "clock_action" not in undone.payload


def _redo(change: Change, undo: Action) -> None:
    undone = undo.undoes
    assert undone is not None
    if not is_redoable(undo):
        raise Refused(
            _("Diese Rücknahme lässt sich nicht zurücknehmen. Bitte neu eintragen."),
            code="cannot_redo",
        )
    touched = facts_touched(undo)
    if Message in touched.voided:
        change.announce(Topic.MESSAGES)
    made = refuse_if_needed(undo, touched)
    revived: dict[str, list[int]] = undo.payload.get("revived", {})
    for name, ids in revived.items():
        rows: QuerySet[Fact] = BY_NAME[name].objects.filter(pk__in=ids)
        if rows.filter(voided_by__isnull=False).exists():
            raise Refused(_("Seither hat sich dort etwas geändert. Bitte neu eintragen."),
                          code="overtaken")  # fmt: skip
        rows.update(voided_by=undone)
        take_along(change.action, BY_NAME[name], ids)
    refuse_if_not_restorable(undo, touched)
    _void(change, undo, made)
    placed = places_kept(undo) if Waiting in touched.voided else set()
    _revive(change, undo, touched.voided, set(), placed)
    refuse_if_ground_is_gone(undone, [BY_NAME[name] for name in revived])


# --- Preview of a change: it is really made, then rolled back


# The most actions tried one by one to find those to undo first.
MOST_STEPS = 8
COMPARED = (
    "status", "left", "entries", "chips", "tables", "registrations", "anchor", "levels",
    "settings", "person", "cash",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """The reason why something cannot be done, and the actions to undo first.

    `first` is in the order of undoing, the first one in front. It `is_whole` if no other obstacle
    remains after that.
    """

    reason: Refused
    first: tuple[Action, ...] = ()
    is_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Preview:
    """An event before and after a tried change. `after` is None when it is refused."""

    now: datetime
    before: EventState
    after: EventState | None = None
    obstacle: Obstacle | None = None

    @property
    def seen(self) -> int:
        return self.before.version

    @cached_property
    def people(self) -> list[Difference]:
        return differences(lots_of(self.before), lots_of(self.after)) if self.after else []

    @cached_property
    def fingerprint(self) -> str:
        """A hash equal for two previews with the same content, whatever happened in between.

        Passing time alone makes no difference.
        """
        was, now = self.before.money, (self.after or self.before).money
        money = [(one, was[one], now[one]) for one in was if was[one] != now[one]]
        facts = [
            room and [getattr(room, name) for name in COMPARED]
            for room in (self.before, self.after)
        ]
        return sha256(repr([self.people, money, *facts]).encode()).hexdigest()[:32]


def undo_preview(*, event: Event, by: Actor, at: datetime, action: Action) -> Preview:
    """Try to undo an action, and return the differences or what must be undone first."""
    person, command = action.payload.get("person"), Command(event=event, by=by, at=at)
    before = state_read(event.pk, person=person)
    after, obstacle = None, None
    rooms = rooms_of_action(action) if LED_BY in action.payload else []
    with rolled_back():
        if _version_locked(event, *rooms) != before.version:
            before = state_read(event.pk, person=person)
        try:
            tried = action_undo(command, action=action)
            after = state_read(event.pk, tried=tried, person=person)
        except Refused as refusal:
            obstacle = Obstacle(reason=refusal)
    if obstacle is not None and isinstance(obstacle.reason, NeededFirst):
        with rolled_back():
            _version_locked(event, *rooms_of_action(action))
            first, is_whole = _needed_first(command, obstacle.reason, action)
        obstacle = Obstacle(reason=obstacle.reason, first=first, is_whole=is_whole)
    return Preview(now=at, before=before, after=after, obstacle=obstacle)


def _version_locked(event: Event, *others: int) -> int:
    heads = EventHead.objects.select_for_update().filter(pk__in=(event.pk, *others))
    return dict(heads.order_by("pk").values_list("pk", "version"))[event.pk]


def _needed_first(
    command: Command, reason: NeededFirst, asked: Action
) -> tuple[tuple[Action, ...], bool]:
    """Undo one obstacle after the other. Return them in that order."""
    waiting: list[Action] = [asked, reason.later]
    done: list[Action] = []
    for _step in range(2 * MOST_STEPS):
        try:
            action_undo(command, action=waiting[-1])
        except NeededFirst as needed:
            if needed.later in (*waiting, *done):
                break
            waiting.append(needed.later)
        except Refused:
            break
        else:
            done.append(waiting.pop())
        if not waiting:
            return tuple(done[:-1]), True
    return (*done, *reversed(waiting[1:])), False
