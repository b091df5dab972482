"""Open a rehearsal, and show the scenes at its tables."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import club_staff, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    command_of,
    undoable_response,
    whole_number,
)
from tournaments.event.views.events import WRONG, attempt
from tournaments.models import Event, SelfPlay, Table
from tournaments.practice.domain.rehearsal import SPEEDS, USUAL_SPEED
from tournaments.practice.forms.rehearsal import RehearsalForm
from tournaments.practice.selectors.rehearsal import scene_of, self_play_of
from tournaments.practice.services.rehearsal import rehearsal_open, sample_remove
from tournaments.practice.services.self_play import evening_halt, evening_play, evening_step


@never_cache
@club_staff(Permission.MANAGE, methods=("GET", "HEAD", "POST"))
def rehearse(request: StaffRequest) -> HttpResponse:
    """Open an event with seated invented people, and go to its page."""
    sent = request.POST if request.method == "POST" else None
    form = RehearsalForm(sent)
    if sent is not None and form.is_valid():
        asked = dict(form.cleaned_data)
        are_here = not asked.pop("are_to_come")
        action = attempt(
            form, lambda: rehearsal_open(club_command_of(request), are_here=are_here, **asked)
        )
        if action:
            slug = Event.objects.values_list("slug", flat=True).get(pk=action.payload["event"])
            return action_response(request, action, go_to=reverse("director", args=[slug]))
    return render(
        request, "events/rehearsal.html", {"form": form}, status=WRONG if form.errors else 200
    )


@never_cache
@staff(Permission.SEE_FLOOR, people=False)
def scene(request: StaffRequest, number: int) -> HttpResponse:
    """Show the scene of a table's hand; empty for a real event."""
    return render(request, "floor/rehearsal.html", shown(request.event, number))


def shown(event: Event, number: int) -> dict[str, Any]:
    """Return a table's scene for its page; none for an event that is no rehearsal."""
    table = Table.objects.live().filter(event=event, number=number).first()
    is_played = event.is_sample and event.has_started and not event.is_over
    picture = scene_of(event, table) if is_played and table is not None else None
    return {"event": event, "number": number, "scene": picture}


# --- Remove the sample event in one click


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def sample_gone(request: StaffRequest) -> HttpResponse:
    action = sample_remove(club_command_of(request), event=request.event)
    return action_response(request, action, go_to=reverse("home"))


# --- The buttons of a rehearsal's self-play


def self_play_shown(request: StaffRequest) -> dict[str, Any]:
    """Return the self-play's data for the director's page."""
    event = request.event
    speed = self_play_of(event)
    last = SelfPlay.objects.filter(event=event).values_list("speed", flat=True).first()
    chosen = speed or last or USUAL_SPEED
    return {"is_playing": speed is not None, "chosen": chosen, "speeds": SPEEDS}


@staff(Permission.MANAGE, people=False, methods=("POST",))
def play(request: StaffRequest) -> HttpResponse:
    speed = whole_number(request, "speed")
    return action_response(request, evening_play(command_of(request), speed=speed))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def halt(request: StaffRequest) -> HttpResponse:
    return action_response(request, evening_halt(command_of(request)))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def step(request: StaffRequest) -> HttpResponse:
    return undoable_response(request, evening_step(command_of(request)))
