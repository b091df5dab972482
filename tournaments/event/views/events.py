"""Cancel an evening, or end it without a winner; what its forms share.

A form with an error comes back filled in, with status 422 and the reason next to the field.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from clock.selectors import clock_plan, clock_plan_begun, template_levels
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
from tournaments.event.domain.hours import lasting, next_evening, week_after
from tournaments.event.forms import event as forms
from tournaments.event.selectors import plans
from tournaments.event.selectors.chips import Stack, stack_notes, stack_of, stacks_counted_now
from tournaments.event.selectors.event import (
    chips_in_play,
    entry_names,
    event_alive_entry_ids,
    players_left,
    registrations_live_count,
)
from tournaments.event.selectors.labels import CASH_UNITS, DRAW_MODES, GAMES, LIMITS
from tournaments.event.selectors.level_words import breaks_in_words, plan_title
from tournaments.event.selectors.settings.cards import club_has_cash_games, sentence_of
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.event.selectors.settings.setting import Section
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.services import lifecycle
from tournaments.event.views.context import page_context
from tournaments.models import Action, ChipSet, Event, RulePreset

WRONG = 422
FORM_METHODS = ("GET", "HEAD", "POST")


def obstacles_of(event: Event) -> dict[str, str]:
    """Return the reasons of fixed settings, by name."""
    names = setting_names(lambda setting: setting.is_changeable)
    if event.is_over:
        return dict.fromkeys(names, _("Der Abend ist beendet."))
    found = {name: lifecycle.obstacle_to_change(event, name) for name in names}
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


# --- Cancel a tournament, or end it without a winner. Both can be undone


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def cancel(request: StaffRequest) -> HttpResponse:
    """Explain the cancellation, and do it."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    form = forms.CancelForm(sent)
    if sent is not None and form.is_valid():
        reason = form.cleaned_data["reason"]
        action = attempt(form, lambda: lifecycle.event_cancel(command_of(request), reason=reason))
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
    form = forms.StacksForm(sent, players=players, initial=initial)
    obstacle = _("Das Turnier ist schon beendet.") if event.is_over else ""
    if not (obstacle or event.has_started or event.is_cash_only):
        obstacle = _("Das Turnier hat noch nicht begonnen. Es lässt sich absagen.")
    if sent is not None and form.is_valid():
        stacks = form.stacks()
        command = replace(command_of(request), knowingly=form.cleaned_data["is_sure"])
        action = attempt(form, lambda: lifecycle.event_end(command, stacks=stacks))
        if action:
            is_ranked = not (event.is_clock_only or event.is_cash_only)
            then = "results" if is_ranked else "director"
            return action_response(request, action, go_to=reverse(then, args=[event.slug]))
    context = page_context(request, event, request.actor) | {
        "form": form,
        "obstacle": obstacle,
        "left": players_left(event),
        "winner": names[alive[0]] if len(alive) == 1 else "",
        "chips": chips,
        "is_exact": is_exact,
    }
    return render(request, "events/end.html", context, status=WRONG if form.errors else 200)


# --- Make an evening: like an earlier one, or of a few fields


USUAL_END, USUAL_SCHEDULE, USUAL_PLAYERS, USUAL_SEATS = time(0, 30), "T200", 20, 9
LIKE, WITH_CHANGES, PLAYED = "wie", "mit", "art"


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def new_event(request: StaffRequest) -> HttpResponse:
    """Offer an evening like an earlier one, or ask for the few fields of a new one."""
    asked = request.GET.get(PLAYED, "")
    if request.method == "POST" or asked in forms.ASKED:
        return _of_fields(request, asked if asked in forms.ASKED else Event.Kind.TOURNAMENT)
    slug = request.GET.get(LIKE)
    source = event_or_404(slug) if slug else plans.event_latest()
    if source is None:
        return _of_fields(request, Event.Kind.TOURNAMENT)
    context = _like(request, source) | {"has_cash": club_has_cash_games(source.club_id)}
    return render(request, "events/again.html", context)


# --- Of a few fields


def _of_fields(request: StaffRequest, played: str) -> HttpResponse:
    """Show the form, make what was typed, or only draw the evening of it."""
    club = club_get()
    now, chips = present(club), ChipSet.objects.filter(club=club).order_by("pk").first()
    asks = "plan" in request.GET
    sent = request.POST if request.method == "POST" else request.GET if asks else None
    form = forms.NewEventForm(
        sent, played=played, initial=_begins(now), today=timezone.localdate(now)
    )
    if sent is None and chips:
        form.initial["schedule"] = _fitting(form.templates, chips)
    if request.method == "POST" and form.is_valid():
        call = lambda: lifecycle.event_create(  # noqa: E731
            club_command_of(request), **_usual(form), **form.service_values(), chip_set=chips
        )
        action = attempt(form, call)
        if action:
            return action_response(request, action, go_to=_begun(action))
    context = {"form": form, "played": played, "latest": plans.event_latest()}
    context |= {"plan_url": f"{request.path}?{PLAYED}={played}", **_drawn(form, chips)}
    template = "events/plan.html" if asks else "events/new.html"
    return render(request, template, context, status=WRONG if form.errors and not asks else 200)


def _begins(now: datetime) -> dict[str, Any]:
    begins = next_evening(timezone.localtime(now))
    return {
        "name": _("Pokerabend"),
        "day": begins.date(),
        "time": begins.time(),
        "starts_at": begins,
        "ends": USUAL_END,
        "schedule": USUAL_SCHEDULE,
        "players": USUAL_PLAYERS,
        "seats_per_table": USUAL_SEATS,
    }


def _fitting(templates: Mapping[str, ScheduleTemplate], chips: ChipSet) -> str:
    """Return the usual schedule, or else the first that the club's chips fit."""
    for name in (USUAL_SCHEDULE, *templates):
        template = templates.get(name)
        if template and not stack_notes(
            template.starting_stack, template_levels(template, None, {}), chips
        ):
            return name
    return USUAL_SCHEDULE


def _usual(form: forms.NewEventForm) -> dict[str, Any]:
    """Return what the form does not ask: the usual, and the rules of the last evening."""
    last, presets = plans.event_latest(), RulePreset.objects.order_by("pk")
    own = presets.filter(key=last.rules.get("key")).first() if last else None
    found: dict[str, Any] = {
        "preset": own or presets[0],
        "game": Game.HOLDEM,
        "limit": LimitKind.NO_LIMIT,
    }
    schedule = form.templates.get(form.cleaned_data.get("schedule", ""))
    if schedule is None:
        usual = {"capacity": USUAL_PLAYERS, "seats_per_table": USUAL_SEATS}
        return found | usual | {"schedule": next(iter(form.templates.values()))}
    seats = {} if "seats_per_table" in form.fields else {"seats_per_table": USUAL_SEATS}
    breaks = plans.usual_breaks(schedule)
    return found | seats | {"breaks": breaks, "level_minutes": _minutes(form, schedule, breaks)}


def _minutes(
    form: forms.NewEventForm, schedule: ScheduleTemplate, breaks: dict[int, int]
) -> int | None:
    """Return the minutes of a level that the wished end gives; None as long as it is unknown."""
    values = form.values()
    begins, ends = values.get("time"), values.get("ends")
    if begins is None or ends is None or begins == ends:
        return None
    return plans.minutes_for(schedule, breaks, lasting(begins, ends), values.get("players") or 0)


def _drawn(form: forms.NewEventForm, chips: ChipSet | None) -> dict[str, Any]:
    values = form.values()
    schedule = form.templates.get(values.get("schedule", ""))
    if schedule is None:
        return {"plan": None}
    breaks, players = plans.usual_breaks(schedule), values.get("players") or 0
    stack = Stack(
        chips=schedule.starting_stack,
        levels=template_levels(schedule, _minutes(form, schedule, breaks), breaks),
        owned=chips,
        players=players,
        seats=values.get("seats_per_table") or 0,
    )
    return plan_shown(stack, values.get("starts_at"))


def plan_shown(stack: Stack, begins_at: datetime | None) -> dict[str, Any]:
    """Return the estimate of an evening, everybody's chips for it, and what does not fit."""
    is_known = stack.seats and stack.players
    places = forms.full_tables(stack.players, stack.seats) if is_known else 0
    return {
        "plan": plans.plan_of(stack.levels, stack.chips, begins_at, stack.players),
        "plan_notes": stack_notes(stack.chips, stack.levels, stack.owned),
        "pieces": stack.pieces if is_known else [],
        "places": places,
        "tables": places // stack.seats if places else 0,
    }


def schedule_of(last: Event) -> dict[str, Any]:
    """Return an evening's schedule with its breaks, if it still exists.

    A schedule with its own breaks needs no others, and one in its own minutes none.
    """
    template = ScheduleTemplate.objects.filter(name=last.schedule_name).first()
    minutes = plans.level_minutes_of(clock_plan_begun(last.clock))
    if template is None:
        return {"level_minutes": minutes}
    kinds = Counter(template.levels.values_list("kind", flat=True))
    breaks = {} if kinds["break"] else plans.breaks_after(clock_plan_begun(last.clock))
    return {
        "schedule": template.name,
        "level_minutes": None if minutes == template.level_minutes else minutes,
        "break_after": forms.breaks_text([n for n in breaks if n < kinds["play"]], kinds["play"]),
        "break_minutes": max(breaks.values(), default=plans.USUAL_BREAK_MINUTES),
    }


def schedule_shown(form: forms.ScheduleForm, event: Event) -> dict[str, Any]:
    """Return the estimate of another schedule for an event."""
    values = form.values()
    template = form.templates.get(values.get("schedule", ""))
    if template is None or "level_minutes" in form.errors:
        return {"plan": None}
    levels = template_levels(template, values.get("level_minutes"), form.breaks())
    stack = replace(stack_of(event), chips=template.starting_stack, levels=levels)
    return plan_shown(stack, event.starts_at)


# --- Like an earlier one


def _like(request: StaffRequest, source: Event) -> dict[str, Any]:
    now = present(source.club)
    begins = _a_week_later(source, now)
    with_changes = WITH_CHANGES in request.GET
    copied = _plans(source)
    levels = copied[-1 if with_changes else 0].levels
    sections = [Section.PLACES, Section.MONEY] if event_has_money(source) else [Section.PLACES]
    if source.is_cash_only:
        sections = []
    players = registrations_live_count(source) or source.capacity
    return {
        "source": source,
        "begins": begins,
        "day": timezone.localtime(source.starts_at),
        "is_last": LIKE not in request.GET,
        "sentences": [sentence_of(source, section) for section in sections],
        "plan": None
        if source.is_cash_only
        else plans.plan_of(levels, source.starting_stack, begins, players),
        "with_changes": with_changes,
        "pressed": plans.breaks_pressed(source),
        "changed": _plan_words(copied[-1]) if copied[0].levels != clock_plan(source.clock) else "",
        "others": [one for one in plans.events_to_copy() if one.pk != source.pk][:2],
    }


def _a_week_later(source: Event, now: datetime) -> datetime:
    return week_after(timezone.localtime(source.starts_at), timezone.localdate(now))


def _plans(source: Event) -> list[plans.CopiedPlan]:
    """Return the plan to copy; after it the one as played, where that is another."""
    plan, played = plans.plan_to_copy(source), plans.plan_to_copy(source, as_changed=True)
    is_one = source.is_cash_only or plan.levels == played.levels
    return [plan] if is_one else [plan, played]


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def copy(request: StaffRequest, slug: str) -> HttpResponse:
    """Copy this tournament, a week later by default."""
    source = event_or_404(slug)
    now = present(source.club)
    begins = _a_week_later(source, now)
    initial = {"name": source.name, "day": begins.date(), "time": begins.time()}
    sent = request.POST if request.method == "POST" else None
    copied = _plans(source)
    form = forms.CopyForm(
        sent,
        plans=[_plan_words(one) for one in copied],
        initial=initial,
        today=timezone.localdate(now),
    )
    if sent is not None and form.is_valid():
        call = lambda: lifecycle.event_copy(  # noqa: E731
            club_command_of(request),
            source=source,
            name=form.cleaned_data["name"],
            starts_at=form.cleaned_data["starts_at"],
            as_changed=bool(form.cleaned_data.get("plan")),
        )
        action = attempt(form, call)
        if action:
            return action_response(request, action, go_to=_begun(action, source))
    context = page_context(request, source, request.actor) | {
        "form": form,
        "game": GAMES.get(source.game),
        "limit": LIMITS.get(source.limit),
        "draw_mode": DRAW_MODES.get(source.draw_mode),
        "unit": CASH_UNITS.get(source.cash_unit),
        "plan": _plan_words(copied[0]),
    }
    return render(request, "events/copy.html", context, status=WRONG if form.errors else 200)


def _plan_words(plan: plans.CopiedPlan) -> str:
    """Return a plan in one line: name, minutes of a level, breaks."""
    minutes = plans.level_minutes_of(plan.levels)
    told = [plan_title(plan.name, is_edited=plan.is_edited)]
    if minutes:
        told.append(_("%(minutes)s Minuten je Stufe") % {"minutes": minutes})
    return ", ".join([*told, breaks_in_words(plan.levels)])


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
