"""Create, copy and change events. Their end is in `ending`."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.models import Clock, ScheduleTemplate
from clock.services import clock_create, clock_from_levels
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.event.domain.promise import commitment
from tournaments.event.domain.rules import rule_set_from
from tournaments.event.selectors.event import chips_in_play, event_alive_entry_ids, players_left
from tournaments.event.selectors.plans import plan_to_copy
from tournaments.event.selectors.settings.declared import setting_names, setting_of
from tournaments.event.services.clock import clock_keep_settings, clock_stop
from tournaments.event.services.names import first_free
from tournaments.event.services.settings import (
    cleaned,
    obstacle_of_prizes,
    refuse_against_schedule,
    refuse_what_cannot_be,
)
from tournaments.models import ChipSet, Entry, Event, EventHead, RulePreset, StackCount
from tournaments.people.domain.naming import spelled_out
from tournaments.people.selectors.people import registrations_live
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

WEEK = timedelta(days=7)
EVENT_CREATED = Kind(
    "event.created",
    lazy("Turnier angelegt: %(name)s"),
    Group.EVENT,
    outcomes={"cash": lazy("Abend angelegt: %(name)s")},
    makes_event=True,
    is_final=True,
)


@club_service(EVENT_CREATED, Permission.MANAGE)
def event_create(
    change: Change,
    /,
    *,
    name: str,
    starts_at: datetime,
    schedule: ScheduleTemplate,
    preset: RulePreset,
    level_minutes: int | None = None,
    breaks: Mapping[int, int] | None = None,
    chip_set: ChipSet | None = None,
    draw_secret: str = "",
    is_sample: bool = False,
    is_clock_only: bool = False,
    **settings: Any,
) -> None:
    """Create an event from templates; the schedule is copied into its clock.

    `breaks` are inserted: minutes by the number of the level of play before. `draw_secret` is
    random unless a simulation gives one to repeat its draws. `settings` are changeable ones, with
    game, limit, seats and capacity among them.
    """
    event = Event(
        name=name.strip(),
        starts_at=starts_at,
        schedule_name=schedule.name,
        clock=clock_create(template=schedule, level_minutes=level_minutes, breaks=breaks),
        chip_set=chip_set,
        rules=rule_set_from(preset.rules).as_data(),
        is_sample=is_sample,
        is_clock_only=is_clock_only,
        **{
            "starting_stack": schedule.starting_stack,
            "is_registration_open": not is_clock_only,
            **{name: cleaned(name, value) for name, value in settings.items()},
        },
    )
    _make(change, event, draw_secret=draw_secret)


def _make(
    change: Change, event: Event, *, draw_secret: str = "", source: Event | None = None
) -> None:
    """Save a new event of the club, with its own address and secret for draws.

    :param source: The event that it is a copy of. Its settings are not held against the schedule
        again: see `refuse_against_schedule`.
    :raises Refused: The event cannot be like this.
    """
    refuse_what_cannot_be(event)
    if source is None:
        refuse_against_schedule(event)
    stem = (slugify(spelled_out(event.name)) or "turnier")[:50].strip("-")
    wanted = f"{stem}-{event.starts_at:%Y-%m-%d}"
    alike = Event.objects.filter(slug__startswith=wanted).values_list("slug", flat=True)
    event.club, event.slug = change.club, first_free(wanted, alike)
    event.draw_secret = draw_secret or secrets.token_hex(32)
    event.save()
    EventHead.objects.create(event=event)
    own = {} if source is None else {"source": source.pk}
    # In the chain, so that no other secret can be claimed later.
    change.record(event=event.pk, **own, commitment=commitment(event.draw_secret), facts={})
    change.tell(name=event.name)
    if event.is_cash_only:
        change.record(outcome="cash")


EVENT_COPIED = Kind(
    "event.copied",
    lazy("Turnier kopiert: %(name)s"),
    Group.EVENT,
    outcomes={"cash": lazy("Abend kopiert: %(name)s")},
    makes_event=True,
    is_final=True,
)


@club_service(EVENT_COPIED, Permission.MANAGE)
def event_copy(
    change: Change,
    *,
    source: Event,
    name: str = "",
    starts_at: datetime | None = None,
    as_changed: bool = False,
) -> None:
    """Copy an event, a week later by default, without registrations.

    The schedule is that of the start, or `as_changed` the one with the evening's changes.
    """
    plan = plan_to_copy(source, as_changed=as_changed)
    clock = clock_from_levels(schedule_name=plan.name, levels=plan.levels, is_edited=plan.is_edited)
    begins = starts_at or source.starts_at + WEEK
    copied = setting_names(lambda setting: setting.is_column and setting.is_copied)
    event = Event(
        name=(name or source.name).strip(),
        starts_at=begins,
        clock=clock,
        is_registration_open=not source.is_clock_only,
        **{name: getattr(source, name) for name in copied} | {"schedule_name": plan.name},
    )
    _make(change, event, source=source)


EVENT_UPDATED = Kind(
    "event.updated",
    lazy("Einstellungen geändert"),
    Group.EVENT,
    sets_settings=True,
    places=Places.OF_THE_LIST,
)


@service(EVENT_UPDATED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK)
def event_update(change: Change, *, settings: Mapping[str, Any]) -> None:
    """Change settings of an event; refuse by name those fixed after the start."""
    event = change.event
    before = {name: getattr(event, name) for name in settings}
    settings = {name: cleaned(name, value) for name, value in settings.items()}
    changed = {name: value for name, value in settings.items() if before[name] != value}
    if not changed:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    for name in changed:
        setting = setting_of(name)
        if setting is None or not (setting.is_column and setting.is_changeable):
            raise Refused(_("Diese Einstellung gibt es nicht."), code="unknown_setting")
        if (obstacle := obstacle_to_change(event, name)) is not None:
            raise obstacle
    change.set(**changed)
    refuse_what_cannot_be(event)
    refuse_against_schedule(event, changed.keys())
    change.record(settings=sorted(changed))
    freeing = setting_names(lambda setting: setting.frees_places)
    change.frees_places = bool(changed.keys() & freeing)
    change.tell(**{f"{name}_before": _as_text(before[name]) for name in changed})
    change.tell(**{f"{name}_after": _as_text(changed[name]) for name in changed})
    texts = setting_names(lambda setting: setting.is_text)
    change.action.payload["before"] = {
        name: _as_json(before[name]) for name in changed if name not in texts
    }


def obstacle_to_change(event: Event, name: str) -> Refused | None:
    """Return why a setting is fixed, or None: for the service and the disabled field."""
    setting = setting_of(name)
    if setting is None:
        return None
    fixed = setting.fixed_after_start
    if name in ("fee_parts", "fee_rates") and event.bounty_kind:
        fixed = _("Um diese Bountys wird schon gespielt.")
    if fixed and event.has_started:
        return Refused(fixed, code="fixed_after_start")
    if (found := obstacle_of_prizes(event, setting)) is not None:
        return found
    if setting.fixed_after_check_in and Entry.objects.live().filter(event=event).exists():
        reason = _("Es sind schon Teilnehmer eingecheckt. Das lässt sich nicht mehr ändern.")
        return Refused(reason, code="fixed_after_check_in")
    return None


def fixed_after_start(name: str) -> Refused:
    setting = setting_of(name)
    assert setting is not None
    return Refused(setting.fixed_after_start, code="fixed_after_start")


def _as_json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _as_text(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:%Y-%m-%d %H:%M %z}" if isinstance(value, datetime) else str(value)


EVENT_SCHEDULE_SET = Kind(
    "event.schedule_set", lazy("Blindplan gewählt: %(schedule)s"), Group.EVENT, sets_schedule=True
)


@service(EVENT_SCHEDULE_SET, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK)
def event_schedule_set(
    change: Change,
    *,
    schedule: ScheduleTemplate,
    level_minutes: int | None = None,
    breaks: Mapping[int, int] | None = None,
) -> None:
    """Give the event another schedule before its start: a fresh copy, with the old one kept.

    `breaks` are inserted: minutes by the number of the level of play before.
    """
    refuse_other_schedule(change.event, schedule.starting_stack)
    clock = clock_create(template=schedule, level_minutes=level_minutes, breaks=breaks)
    schedule_give(change, clock, name=schedule.name, starting_stack=schedule.starting_stack)


def refuse_other_schedule(event: Event, starting_stack: int) -> None:
    """Refuse another schedule for the event.

    :raises Refused: Once it has started, or stacks are dealt that are not those of the schedule.
    """
    if event.has_started:
        raise fixed_after_start("schedule")
    seated = Entry.objects.live().filter(event=event).exists()
    if seated and starting_stack != event.starting_stack:
        reason = _("Es sind schon Stapel ausgegeben, die zu diesem Plan nicht passen.")
        raise Refused(reason, code="fixed_after_check_in")


def schedule_give(change: Change, clock: Clock, *, name: str, starting_stack: int) -> None:
    """Give the event a clock with another schedule as part of a change; keep the old clock."""
    event = change.event
    change.record(clock_before=event.clock_id, stack_before=event.starting_stack)
    change.tell(schedule_before=event.schedule_name, schedule=name)
    clock_keep_settings(change, event.clock, clock)
    change.set(clock=clock, schedule_name=name, starting_stack=starting_stack)
    change.record(clock=event.clock_id)
    refuse_against_schedule(event, {"seats_per_table"})


# --- The end of an event: cancelled, or over


EVENT_CANCELLED = Kind(
    "event.cancelled",
    lazy("Turnier abgesagt"),
    Group.EVENT,
    outcomes={"cash": lazy("Abend abgesagt")},
    outlives_the_end=True,
    ends_by="cancelled_by",
)


@service(EVENT_CANCELLED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.TABLES)
def event_cancel(change: Change, *, reason: str = "") -> None:
    """Cancel the event. All entries stay, and it can be undone."""
    clock_stop(change)
    change.set(cancelled_by=change.action)
    change.tell(reason=reason)
    if change.event.is_cash_only:
        change.record(outcome="cash")
    mail_write(change, MailKind.CANCELLED, registrations_live(change.event))


EVENT_ENDED = Kind(
    "event.ended",
    lazy("Turnier beendet"),
    Group.EVENT,
    outcomes={"cash": lazy("Abend beendet")},
    outlives_the_end=True,
    ends_by="ended_by",
)


@service(EVENT_ENDED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.TABLES)
def event_end(change: Change, *, stacks: Mapping[int, int] | None = None) -> None:
    """End the event, early or with a winner.

    With several players left, counted stacks (entry id to chips) rank them if all are counted;
    otherwise they share first place. A sum different from the chips in play is refused, unless
    confirmed.
    """
    event = change.event
    if not (event.has_started or event.is_cash_only):
        reason = _("Das Turnier hat noch nicht begonnen. Es lässt sich absagen.")
        raise Refused(reason, code="not_started")
    alive = event_alive_entry_ids(event)
    counted = stacks or {}
    if set(counted) - set(alive):
        raise Refused(_("Gezählt wird nur, wer noch im Spiel ist."), code="not_alive")
    if counted and set(counted) != set(alive):
        reason = _("Bitte die Chips aller zählen, die noch im Spiel sind, oder von niemandem.")
        raise Refused(reason, code="count_incomplete")
    if any(amount < 0 for amount in counted.values()):
        raise Refused(_("Ein Stapel kann nicht unter null sein."), code="negative_stack")
    if counted and not change.knowingly:
        refuse_if_not_in_play(event, sum(counted.values()))
    clock_stop(change)
    write_counts(change, counted)
    change.set(ended_by=change.action)
    change.record(
        players_left=players_left(event), stacks=[[k, v] for k, v in sorted(counted.items())]
    )
    if event.is_cash_only:
        change.record(outcome="cash")


def write_counts(change: Change, counted: Mapping[int, int]) -> None:
    """Record counted stacks by entry, replacing earlier counts."""
    StackCount.objects.live().filter(entry__in=counted).update(voided_by=change.action)
    StackCount.objects.bulk_create(
        StackCount(entry_id=entry, amount=amount, counted_at=change.at, made_by=change.action)
        for entry, amount in counted.items()
    )


def refuse_if_not_in_play(event: Event, total: int) -> None:
    """Compare counted chips with those in play; an uncounted stack allows fewer.

    :raises Refused: With both sums.
    """
    chips, is_exact = chips_in_play(event)
    if total == chips or (total < chips and not is_exact):
        return
    text = _("Gezählt sind %(total)s Chips, im Spiel sind %(chips)s. Bitte nachzählen.")
    if not is_exact:
        text = _(
            "Gezählt sind %(total)s Chips, im Spiel sind höchstens %(chips)s. Bitte nachzählen."
        )
    shown = {"total": intcomma(total), "chips": intcomma(chips)}
    raise Refused(text % shown, code="chips_differ")
