"""Create, copy and change tournaments.

A form with an error comes back filled in, with status 422 and the reason next to the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from clock.selectors import clock_levels, clock_plan, clock_plan_begun
from clock.tasks import speech_prepare
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable
from tournaments.changes.views.decorators import club_staff, event_or_404, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    command_of,
    present,
)
from tournaments.event.domain.games import Game, LimitKind, shows_big_bet
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.forms.event import (
    CLOCK_ONLY,
    USUAL_BREAK_MINUTES,
    CancelForm,
    CopyForm,
    NewEventForm,
    PlanFields,
    StacksForm,
    breaks_text,
    breaks_typed,
)
from tournaments.event.forms.fields import PHASES
from tournaments.event.forms.settings import SettingsForm
from tournaments.event.selectors.chips import stack_notes, stacks_counted_now
from tournaments.event.selectors.event import (
    chips_in_play,
    entry_names,
    event_alive_entry_ids,
    players_left,
    registrations_live_count,
)
from tournaments.event.selectors.labels import CASH_UNITS, DRAW_MODES, GAMES, LIMITS
from tournaments.event.selectors.level_words import breaks_in_words, plan_title
from tournaments.event.selectors.plans import (
    CopiedPlan,
    Plan,
    breaks_after,
    event_latest,
    level_minutes_of,
    plan_of,
    plan_to_copy,
)
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.event.selectors.settings.entries import OFFERED_BY
from tournaments.event.services.lifecycle import (
    event_cancel,
    event_copy,
    event_create,
    event_end,
    event_update,
    obstacle_to_change,
)
from tournaments.event.views.clock import consequence_unseen
from tournaments.event.views.context import page_context
from tournaments.models import Action, ChipSet, Event

WRONG = 422
FORM_METHODS = ("GET", "HEAD", "POST")
EVENING_HOUR = 19
TOO_LATE_FOR_TODAY_HOUR = 17
USUAL = {
    "schedule": "T200",
    "break_after": "",
    "break_minutes": USUAL_BREAK_MINUTES,
    "game": Game.HOLDEM,
    "limit": LimitKind.NO_LIMIT,
    "seats_per_table": 9,
    "capacity": 40,
    "late_registration_level": "0",
    "draw_mode": Event.DrawMode.ROLLING,
}


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def new_event(request: StaffRequest) -> HttpResponse:
    """Create a tournament with one short form, or return the estimate of the chosen schedule."""
    club = club_get()
    today = timezone.localdate(present(club))
    if request.method == "POST":
        form = NewEventForm(request.POST, initial=suggested(present(club)), today=today)
        action = form.is_valid() and attempt(
            form,
            lambda: event_create(
                club_command_of(request),
                **form.service_values(),
                chip_set=ChipSet.objects.filter(club=club).order_by("pk").first(),
            ),
        )
        if action:
            return action_response(request, action, go_to=_begun(action))
        return render(request, "events/new.html", _new_page(form), status=WRONG)
    if "plan" in request.GET:
        form = NewEventForm(request.GET, today=today)
        context = _planned(form)
        for phase in form.phases():
            phase.field.widget.attrs["hx-swap-oob"] = "true"
        return render(request, "events/plan_answer.html", context)
    form = NewEventForm(initial=suggested(present(club)), today=today)
    return render(request, "events/new.html", _new_page(form))


def _new_page(form: NewEventForm) -> dict[str, Any]:
    """Return the page's context; the part behind "mehr" is open if it has an error."""
    more = setting_names(lambda setting: setting.is_behind_more)
    return {
        **_planned(form),
        "last": event_latest(),
        "is_more_open": any(name in form.errors for name in more),
    }


def _planned(form: NewEventForm) -> dict[str, Any]:
    """Return the form and its estimate; it offers only breaks of the plan."""
    chips = ChipSet.objects.filter(club=club_get()).order_by("pk").first()
    shown = plan_shown(form, chips)
    plan = shown["plan"]
    form.know_breaks(breaks_planned([line.level for line in plan.lines]) if plan else [])
    return {"form": form, **shown}


def plan_shown(
    form: PlanFields, chips: ChipSet | None, starts_at: datetime | None = None
) -> dict[str, Any]:
    """Return the estimate from the fields filled in so far, and what does not fit."""
    plan = _plan(form, starts_at)
    levels = [line.level for line in plan.lines] if plan else []
    notes = stack_notes(plan.starting_stack, levels, chips) if plan else []
    return {"plan": plan, "plan_notes": notes}


def _plan(form: PlanFields, starts_at: datetime | None) -> Plan | None:
    if form.is_bound:
        form.is_valid()  # validates once; again, a service's refusal would be lost
        values, breaks = dict(form.cleaned_data), form.breaks()
    else:
        values = dict(form.initial)
        template = form.templates.get(values.get("schedule", ""))
        after = breaks_typed(values.get("break_after", ""), template)
        breaks = dict.fromkeys(after, values.get("break_minutes", USUAL_BREAK_MINUTES))
    template = form.templates.get(values.get("schedule", ""))
    if template is None or "level_minutes" in form.errors:
        return None
    minutes, stack = values.get("level_minutes"), values.get("starting_stack")
    return plan_of(template, minutes, values.get("starts_at", starts_at), breaks, stack)


def suggested(now: datetime) -> dict[str, Any]:
    """Return a new evening's initial values: the next date, and what was last."""
    last, form_defaults = event_latest(), dict(USUAL)
    like = event_latest(with_tournament=True) or last
    if last is None or like is None:
        begins = _next_evening(now)
        values: dict[str, Any] = {"name": _("Pokerabend")}
    else:
        begins = _week_after(last.starts_at, now)
        suggested_names = setting_names(lambda setting: setting.is_suggested)
        values = {name: getattr(like, name) for name in suggested_names} | {
            **schedule_of(like),
            # Breaks belong to that evening's schedule; a new one may have none.
            **{name: str(getattr(like, name)) for name in PHASES},
            "rules": like.rules.get("key"),
            "paid_places": like.paid_places or None,
            "name": last.name,
            "kind": CLOCK_ONLY if last.is_clock_only else last.kind,
            "cash_unit": last.cash_unit,
        }
    return {
        **form_defaults,
        **values,
        "day": begins.date(),
        "time": begins.time().replace(second=0, microsecond=0),
        "starts_at": begins,
    }


def schedule_of(last: Event) -> dict[str, Any]:
    """Return an evening's schedule with its breaks, if it still exists.

    A schedule with its own breaks needs no others, and one in its own minutes none.
    """
    template = ScheduleTemplate.objects.filter(name=last.schedule_name).first()
    minutes = level_minutes_of(clock_plan_begun(last.clock))
    if template is None:
        return {"level_minutes": minutes}
    kinds = Counter(template.levels.values_list("kind", flat=True))
    breaks = {} if kinds["break"] else breaks_after(clock_plan_begun(last.clock))
    return {
        "schedule": template.name,
        "level_minutes": None if minutes == template.level_minutes else minutes,
        "break_after": breaks_text([n for n in breaks if n < kinds["play"]], kinds["play"]),
        "break_minutes": max(breaks.values(), default=USUAL_BREAK_MINUTES),
    }


def _next_evening(now: datetime) -> datetime:
    local = timezone.localtime(now)
    late = timedelta(days=local.hour >= TOO_LATE_FOR_TODAY_HOUR)
    return (local + late).replace(hour=EVENING_HOUR, minute=0, second=0, microsecond=0)


def _week_after(begins: datetime, now: datetime) -> datetime:
    """Return the same weekday and time, after that evening and after today."""
    local, today = timezone.localtime(begins), timezone.localdate(now)
    weeks = max(1, (today - local.date()).days // 7 + 1)
    return local + timedelta(days=7 * weeks)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def copy(request: StaffRequest, slug: str) -> HttpResponse:
    """Copy this tournament, a week later by default."""
    source = event_or_404(slug)
    now = present(source.club)
    begins = _week_after(source.starts_at, now)
    initial = {"name": source.name, "day": begins.date(), "time": begins.time()}
    sent = request.POST if request.method == "POST" else None
    plan, changed = plan_to_copy(source), plan_to_copy(source, as_changed=True)
    is_one = source.is_cash_only or plan.levels == changed.levels
    plans = [plan] if is_one else [plan, changed]
    form = CopyForm(
        sent,
        plans=[_plan_words(one) for one in plans],
        initial=initial,
        today=timezone.localdate(now),
    )
    if sent is not None:
        action = form.is_valid() and attempt(
            form,
            lambda: event_copy(
                club_command_of(request),
                source=source,
                name=form.cleaned_data["name"],
                starts_at=form.cleaned_data["starts_at"],
                as_changed=bool(form.cleaned_data.get("plan")),
            ),
        )
        if action:
            return action_response(request, action, go_to=_begun(action, source))
    context = page_context(request, source, request.actor) | {
        "form": form,
        "game": GAMES.get(source.game),
        "limit": LIMITS.get(source.limit),
        "draw_mode": DRAW_MODES.get(source.draw_mode),
        "unit": CASH_UNITS.get(source.cash_unit),
        "plan": _plan_words(plan),
    }
    return render(request, "events/copy.html", context, status=WRONG if form.errors else 200)


def _plan_words(plan: CopiedPlan) -> str:
    """Return a plan in one line: name, minutes of a level, breaks."""
    minutes = level_minutes_of(plan.levels)
    told = [plan_title(plan.name, is_edited=plan.is_edited)]
    if minutes:
        told.append(_("%(minutes)s Minuten je Stufe") % {"minutes": minutes})
    return ", ".join([*told, breaks_in_words(plan.levels)])


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def settings(request: StaffRequest) -> HttpResponse:
    """Show all settings; fixed ones are disabled with the reason."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    obstacles = obstacles_of(event)
    today = timezone.localdate(present(event))
    form = SettingsForm(sent, event=event, obstacles=obstacles, today=today)
    asked = None
    if sent is not None and form.is_valid():
        changed = form.changes()
        asked = consequence_unseen(event, changed, request.POST.get("seen", ""))
        action = (
            None
            if asked
            else attempt(form, lambda: event_update(command_of(request), settings=changed))
        )
        if action:
            return action_response(
                request, action, go_to=reverse("event-settings", args=[event.slug])
            )
    context = page_context(request, event, request.actor) | {
        "form": form,
        "asked": asked,
        "tab": "settings",
        "is_more_open": bool(form.errors) or any(getattr(event, name) for name in OFFERED_BY),
        "level_minutes": level_minutes_of(clock_plan(event.clock)),
        "schedule_obstacle": obstacles.get("schedule"),
        "schedule_breaks": breaks_in_words(clock_levels(event.clock)),
    }
    return render(request, "events/settings.html", context, status=WRONG if form.errors else 200)


def obstacles_of(event: Event) -> dict[str, str]:
    """Return the reasons of fixed settings, by name."""
    names = setting_names(lambda setting: setting.is_changeable)
    if event.is_over:
        return dict.fromkeys(names, _("Der Abend ist beendet."))
    found = {name: obstacle_to_change(event, name) for name in names}
    return {name: str(obstacle) for name, obstacle in found.items() if obstacle}


def attempt(form: Refusable, call: Callable[[], Action]) -> Action | None:
    """Return a service's action, or None with its refusal in the form."""
    try:
        return call()
    except Refused as refusal:
        form.refuse(refusal)
        return None


def speak_beforehand(event: Event) -> None:
    """Let a worker speak a schedule's announcements in advance for a fast load of screens."""
    shown = shows_big_bet(LimitKind(event.limit))
    speech_prepare.delay(event.clock_id, shows_big_bet=shown)


def _begun(action: Action, source: Event | None = None) -> str:
    """Start speaking the new event's announcements; return the next page's address.

    For a copy it is the page to carry over the last time's players, if there were any.
    """
    event = Event.objects.get(pk=action.payload["event"])
    speak_beforehand(event)
    of_people = source is not None and not (source.is_sample or source.is_clock_only)
    if source is not None and of_people and registrations_live_count(source):
        return f"{reverse('carry-over', args=[event.slug])}?von={source.slug}"
    return reverse("director", args=[event.slug])


# --- Cancel a tournament, or end it without a winner. Both can be undone


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def cancel(request: StaffRequest) -> HttpResponse:
    """Explain the cancellation, and do it."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    form = CancelForm(sent)
    if sent is not None and form.is_valid():
        reason = form.cleaned_data["reason"]
        action = attempt(form, lambda: event_cancel(command_of(request), reason=reason))
        if action:
            return action_response(request, action, go_to=reverse("director", args=[event.slug]))
    context = page_context(request, event, request.actor) | {
        "form": form,
        "obstacle": _("Das Turnier ist schon beendet.") if event.is_over else "",
        "registrations": registrations_live_count(event),
    }
    return render(request, "events/cancel.html", context, status=WRONG if form.errors else 200)


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def end(request: StaffRequest) -> HttpResponse:
    """Explain the end, ask for the remaining players' chips, and end the tournament."""
    event = request.event
    alive = event_alive_entry_ids(event)
    names = entry_names(set(alive))
    sent = request.POST if request.method == "POST" else None
    counts = len(alive) > 1
    players = {entry: names[entry] for entry in alive} if counts else {}
    chips, is_exact = chips_in_play(event)
    known = stacks_counted_now(event, present(event)) if event.has_started and counts else {}
    initial = {f"stack_{entry}": chips for entry, chips in known.items()}
    form = StacksForm(sent, players=players, initial=initial)
    if sent is not None and form.is_valid():
        stacks = form.stacks()
        command = replace(command_of(request), knowingly=form.cleaned_data["is_sure"])
        action = attempt(form, lambda: event_end(command, stacks=stacks))
        if action:
            is_ranked = not (event.is_clock_only or event.is_cash_only)
            then = "results" if is_ranked else "director"
            return action_response(request, action, go_to=reverse(then, args=[event.slug]))
    context = page_context(request, event, request.actor) | {
        "form": form,
        "obstacle": _obstacle_to_end(event),
        "left": players_left(event),
        "winner": names[alive[0]] if len(alive) == 1 else "",
        "chips": chips,
        "is_exact": is_exact,
    }
    return render(request, "events/end.html", context, status=WRONG if form.errors else 200)


def _obstacle_to_end(event: Event) -> str:
    if event.is_over:
        return _("Das Turnier ist schon beendet.")
    if not (event.has_started or event.is_cash_only):
        return _("Das Turnier hat noch nicht begonnen. Es lässt sich absagen.")
    return ""
