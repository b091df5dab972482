"""The director's pages of a contest: flights in a row, terms, the next day."""

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import club_staff, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    command_of,
    number_given,
)
from tournaments.contests.forms.contests import ContestForm, StageForm
from tournaments.contests.selectors.contests import (
    day_begins_at,
    stacks_to_carry,
    stage_lines,
    stage_of,
    stages_of,
)
from tournaments.contests.selectors.places import pool_of_contest
from tournaments.contests.services.contests import contest_save, stage_remove, stage_save
from tournaments.contests.services.days import day_draw, pool_carry
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Contest, Event, Stage
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
def new(request: StaffRequest) -> HttpResponse:
    """Make a contest; an event given by its address becomes its first flight."""
    return _edit(request, None)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def change(request: StaffRequest, contest: int) -> HttpResponse:
    """Change a contest's name and terms."""
    return _edit(request, _own(contest))


def _edit(request: StaffRequest, row: Contest | None) -> HttpResponse:
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
def stage_new(request: StaffRequest, contest: int) -> HttpResponse:
    """Add an event as a flight or a day."""
    return _stage(request, _own(contest), None)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def stage_change(request: StaffRequest, stage: int) -> HttpResponse:
    """Change the label, the order or the end of a flight or a day."""
    row = _own_stage(stage)
    return _stage(request, row.contest, row)


def _stage(request: StaffRequest, row: Contest, stage: Stage | None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    asked = Event.objects.filter(slug=request.GET.get("turnier", "")).first()
    initial = {"event": asked.pk} if asked else {}
    form = StageForm(sent, events=_events(row, stage), stage=stage, initial=initial)
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
    context = {"form": form, "contest": row, "stage": stage, "club": club_get()}
    return render(request, FORM_PAGE, context, status=WRONG if form.errors else 200)


def _events(contest: Contest, stage: Stage | None) -> list[tuple[int, str]]:
    """Return the events that may become a flight or a day, or the stage's own."""
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
