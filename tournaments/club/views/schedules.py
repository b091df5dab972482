"""The club's own blind schedules: called otherwise, deleted."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, club_command_of
from tournaments.changes.views.responses import action_response
from tournaments.event.services.own_schedules import schedule_delete, schedule_rename

HERE = "club-settings"


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def rename(request: StaffRequest, plan: int) -> HttpResponse:
    row = get_object_or_404(ScheduleTemplate, pk=plan)
    name = request.POST.get("name", "")
    action = schedule_rename(club_command_of(request), schedule=row, name=name)
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def delete(request: StaffRequest, plan: int) -> HttpResponse:
    row = get_object_or_404(ScheduleTemplate, pk=plan)
    action = schedule_delete(club_command_of(request), schedule=row)
    return action_response(request, action, go_to=reverse(HERE))
