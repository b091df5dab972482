"""Mixed games: a rotation in the schedule with one press."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import action_response
from tournaments.event.domain.games import Mix
from tournaments.event.forms.mixed import MixForm
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.event.services.schedule.mixed import schedule_mixed
from tournaments.event.views.events import attempt, speak_beforehand
from tournaments.event.views.schedule import schedule_page, seen_rows


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def mix(request: StaffRequest) -> HttpResponse:
    """Give the games of a mix to the rows not yet begun."""
    event, form = request.event, MixForm(request.POST)
    if form.is_valid():
        choices = form.cleaned_data
        action = attempt(
            form,
            lambda: schedule_edit(
                command_of(request),
                levels=schedule_mixed(event, Mix(choices["mix"]), choices["hands"], present(event)),
                based_on=seen_rows(request),
            ),
        )
        if action:
            speak_beforehand(event)
            here = reverse("event-schedule", args=[event.slug])
            return action_response(request, action, go_to=here)
    return schedule_page(request, mix_form=form)
