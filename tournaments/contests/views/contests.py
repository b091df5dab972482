"""Pages of a contest: flights in a row, terms, the next day; bags, the end of a day, their list."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import club_staff, open_to_all, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    command_of,
    number_given,
    optional_number,
    present,
    undoable_response,
    whole_number,
)
from tournaments.contests.domain.carrying import Begins, Reached
from tournaments.contests.forms.contests import ContestForm, DayEndForm, StageForm
from tournaments.contests.selectors.bags import (
    bags_of,
    day_of_bags,
    listed_bags,
    reckoning_of,
    tables_of_bags,
)
from tournaments.contests.selectors.contests import (
    day_begins_at,
    nearing_of,
    pool_of_contest,
    stacks_to_carry,
    stage_lines,
    stage_of,
    stages_of,
)
from tournaments.contests.services.bags import bag_say, day_end, last_hands_draw
from tournaments.contests.services.contests import contest_save, stage_remove, stage_save
from tournaments.contests.services.days import day_draw, pool_carry
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Contest, Entry, Event, Stage
from tournaments.payouts.selectors.prizes import pools_left
from tournaments.play.selectors.rooms import common_round, rooms_playing

FORM_PAGE = "contests/edit.html"


@never_cache
@club_staff(Permission.MANAGE)
def contest(request: StaffRequest, contest: int) -> HttpResponse:
    """Show the flights and days of a contest in a row."""
    row = _own(contest)
    stages = stages_of(row)
    context = {
        "club": row.club,
        "contest": row,
        "days": _days(stages),
        "pool": pool_of_contest(stages),
    }
    return render(request, "contests/contest.html", context)


def _days(stages: list[Stage]) -> list[dict[str, Any]]:
    """Return the stages by order; of a day not yet drawn, how many would come with what."""
    lines = stage_lines(stages)
    days = []
    for order in sorted({row.order for row in stages}):
        own = [line for line in lines if line.stage.order == order]
        before = [row for row in stages if row.order == order - 1]
        running = [row for row in stages if row.order == order and row.event.status == "running"]
        rooms = rooms_playing(running) if len(running) > 1 else []
        common = common_round(rooms)
        comes = stacks_to_carry(own[0].stage) if before and not own[0].entries else []
        held = pools_left([row.event for row in before]) if own[0].entries else {}
        days.append(
            {
                "lines": own,
                "running": running[0].event if len(running) > 1 else None,
                "rooms": rooms,
                "common": common,
                "is_playing": not common.is_released,
                "comes": len(comes),
                "chips": sum(one.chips for one in comes),
                "removed": sum(one.removed for one in comes),
                "begins": day_begins_at(before) if comes else None,
                "pool": sum(held.values()),
            }
        )
    return days


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def edit(request: StaffRequest, contest: int | None = None) -> HttpResponse:
    """Make a contest, or change its name and terms.

    An event given by its address becomes the first flight of a new one.
    """
    row = None if contest is None else _own(contest)
    sent = request.POST if request.method == "POST" else None
    source = Event.objects.filter(slug=request.GET.get("turnier", "")).first()
    if row is None and source is not None and (stage := stage_of(source)) is not None:
        return HttpResponseRedirect(reverse("contest", args=[stage.contest_id]))
    form = ContestForm(sent, contest=row, name=source.name if source else "")
    if sent is not None and form.is_valid():
        made = attempt(
            form,
            lambda: contest_save(
                club_command_of(request),
                name=form.cleaned_data["name"],
                terms=form.terms(),
                contest=row,
            ),
        )
        if made:
            there = reverse("contest", args=[made.payload["contest"]])
            if row is None:
                asked = f"?turnier={source.slug}" if source else ""
                there = reverse("stage-new", args=[made.payload["contest"]]) + asked
            return action_response(request, made, sentence=_("Gespeichert."), go_to=there)
    context = {"form": form, "contest": row, "club": club_get()}
    return render(request, FORM_PAGE, context, status=WRONG if form.errors else 200)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def stage_edit(request: StaffRequest, contest: int = 0, stage: int | None = None) -> HttpResponse:
    """Add an event as a flight or a day, or change the label, the order or the end of one."""
    own = None if stage is None else _own_stage(stage)
    row = own.contest if own else _own(contest)
    sent = request.POST if request.method == "POST" else None
    asked = Event.objects.filter(slug=request.GET.get("turnier", "")).first()
    initial = {"event": asked.pk} if asked else {}
    form = StageForm(sent, events=_events(row, own), stage=own, initial=initial)
    if sent is not None and form.is_valid():
        data = form.cleaned_data
        made = attempt(
            form,
            lambda: stage_save(
                club_command_of(request),
                contest=row,
                event=Event(pk=data["event"]),
                label=data["label"],
                order=data["order"],
                stop=form.stop(),
            ),
        )
        if made:
            return action_response(request, made, go_to=reverse("contest", args=[row.pk]))
    context = {"form": form, "contest": row, "stage": own, "club": club_get()}
    return render(request, FORM_PAGE, context, status=WRONG if form.errors else 200)


def _events(contest: Contest, stage: Stage | None) -> list[tuple[int, str]]:
    if stage is not None:
        rows = Event.objects.filter(pk=stage.event_id)
    else:
        taken = Stage.objects.live().values("event")
        rows = Event.objects.open().filter(club=contest.club_id, is_clock_only=False)
        rows = rows.exclude(pk__in=taken).exclude(kind=Event.Kind.CASH_GAME)
    named = rows.order_by("starts_at", "pk")
    return [(row.pk, f"{row.name}, {localtime(row.starts_at):%d.%m. %H:%M}") for row in named]


@club_staff(Permission.MANAGE, methods=("POST",))
def stage_drop(request: StaffRequest, stage: int) -> HttpResponse:
    """Take a flight without entries out of the contest."""
    row = _own_stage(stage)
    action = stage_remove(club_command_of(request), stage=row)
    return action_response(request, action, go_to=reverse("contest", args=[row.contest_id]))


@staff(Permission.RESEAT, people=True, methods=("POST",))
def draw(request: StaffRequest) -> HttpResponse:
    """Draw the seats of this day for everybody through."""
    action = day_draw(command_of(request), number=number_given(request))
    return action_response(request, action, go_to=reverse("director", args=[request.event.slug]))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def take_pool(request: StaffRequest) -> HttpResponse:
    """Take over what the flights hold since the day was drawn."""
    action = pool_carry(command_of(request))
    stage = stage_of(request.event)
    assert stage is not None
    return action_response(request, action, go_to=reverse("contest", args=[stage.contest_id]))


def _own(contest: int) -> Contest:
    row = Contest.objects.select_related("club").filter(club=club_get(), pk=contest).first()
    if row is None:
        raise Http404(_("Dieses Turnier mit Flights gibt es nicht."))
    return row


def _own_stage(stage: int) -> Stage:
    rows = Stage.objects.live().select_related("contest", "event__head")
    row = rows.filter(contest__club=club_get(), pk=stage).first()
    if row is None:
        raise Http404(_("Diesen Flight gibt es hier nicht mehr."))
    return row


# --- Bags: a list of seats, the end of the day, the public list


# Of more tables the page shows a list, and the seats of one at a time.
MOST_TABLES = 4
# A list of thousands takes seconds; it is shown whole when asked for, to print it.
MOST_LISTED = 300


@never_cache
@staff(Permission.COUNT_HEADS, people=True)
def bags(request: StaffRequest) -> HttpResponse:
    """Show each seat with its bag, to be typed on the phone; of many tables one at a time."""
    event, stage = request.event, _stage(request.event)
    found = bags_of(event)
    tables, asked = tables_of_bags(found), request.GET.get("tisch", "")
    one = [table for table in tables if str(table.number) == asked]
    is_many = not one and len(tables) > MOST_TABLES
    context = page_context(request, event, request.actor) | {
        "stage": stage,
        "is_open": event.has_started and not event.is_over,
        "tables": [] if is_many else one or tables,
        "links": tables if is_many else [],
        "is_one": bool(one),
        "address": reverse("bags", args=[event.slug]),
        "reckoning": reckoning_of(event, found),
        "may_manage": allows(request.actor, Permission.MANAGE),
    }
    return render(request, "contests/bags.html", context)


@staff(Permission.COUNT_HEADS, people=True, methods=("POST",), accepts_offline=True)
def bag(request: StaffRequest, entry: int) -> HttpResponse:
    """Note the chips of one bag."""
    row = Entry.objects.filter(event=request.event, pk=entry).first()
    if row is None:
        raise Http404(_("Diesen Spieler gibt es hier nicht."))
    action = bag_say(
        command_of(request),
        entry=row,
        amount=whole_number(request, "amount"),
        number=optional_number(request, "number"),
        is_paper=request.POST.get("paper") == "1",
    )
    return undoable_response(request, action)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def draw_hands(request: StaffRequest) -> HttpResponse:
    """Draw the number of last hands."""
    return undoable_response(request, last_hands_draw(command_of(request)))


@never_cache
@staff(Permission.MANAGE, people=True, methods=FORM_METHODS)
def end(request: StaffRequest) -> HttpResponse:
    """Show the bags by table with their sum, and end the day."""
    event, stage = request.event, _stage(request.event)
    sent = request.POST if request.method == "POST" else None
    form = DayEndForm(sent)
    if sent is not None and form.is_valid():
        data = form.cleaned_data
        command = replace(command_of(request), knowingly=data["is_sure"])
        action = attempt(form, lambda: day_end(command, reason=data["reason"]))
        if action:
            return action_response(
                request, action, go_to=reverse("contest", args=[stage.contest_id])
            )
    found = bags_of(event)
    context = page_context(request, event, request.actor) | {
        "stage": stage,
        "form": form,
        "tables": tables_of_bags(found),
        "reckoning": reckoning_of(event, found),
        "nearing": nearing_of(stage, event, present(event)),
    }
    return render(request, "contests/day_end.html", context, status=WRONG if form.errors else 200)


@never_cache
@open_to_all(people=True)
def bag_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every bag of the flights of this event's day, to read and to print."""
    event: Event = request.event  # type: ignore[attr-defined]
    stage = _stage(event)
    day = day_of_bags(event)
    assert day is not None
    actor = actor_of(request.device, event)  # type: ignore[attr-defined]
    is_staff = allows(actor, Permission.SEE_FLOOR)
    found = listed_bags(day.flights, day.big_blind, to_staff=is_staff)
    context: dict[str, Any] = page_context(request, event) | {
        "stage": stage,
        "lines": stage_lines(day.flights),
        "bags": found if "alle" in request.GET else found[:MOST_LISTED],
        "more": 0 if "alle" in request.GET else max(0, len(found) - MOST_LISTED),
        "day": day.day,
        "begins": day.begins,
        "left": _left(stage, day.begins),
        "big_blind": day.big_blind,
    }
    return render(request, "contests/bag_list.html", context)


def _left(stage: Stage, begins: Reached | None) -> str:
    """Return the minutes left of the level at which the next day begins; empty for a whole one."""
    if begins is None or stage.contest.reckoning.begins is not Begins.REST:
        return ""
    minutes, seconds = divmod(int(begins.left.total_seconds()), 60)
    return f"{minutes:02}:{seconds:02}"


def _stage(event: Event) -> Stage:
    stage = stage_of(event)
    if stage is None:
        raise Http404(_("Dieses Turnier hat keine Flights."))
    return stage
