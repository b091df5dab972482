"""The club's blind schedules: rename, delete, export to a file and import from one."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.club.forms.club import ScheduleFileForm
from tournaments.club.views.club import club_page
from tournaments.event.domain.schedule_files import schedule_as_text
from tournaments.event.selectors.schedule import schedule_as_file
from tournaments.event.services.schedule.own import (
    schedule_delete,
    schedule_import,
    schedule_of_file,
    schedule_rename,
)
from tournaments.event.views.events import WRONG

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


@never_cache
@club_staff(Permission.MANAGE)
def as_file(request: StaffRequest, plan: int) -> HttpResponse:
    """Send a schedule as a file for another club."""
    row = get_object_or_404(ScheduleTemplate, pk=plan)
    response = HttpResponse(
        schedule_as_text(schedule_as_file(row)), content_type="application/json"
    )
    name = slugify(row.name) or "blindplan"
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def from_file(request: StaffRequest) -> HttpResponse:
    """Save a file's schedule among the club's own."""
    form = ScheduleFileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            schedule = schedule_of_file(form.cleaned_data["schedule"].read())
            action = schedule_import(club_command_of(request), schedule=schedule)
            return action_response(request, action, go_to=reverse(HERE))
        except Refused as refusal:
            form.add_error("schedule", str(refusal))
    page = club_page(club_get(), schedule_form=form)
    return render(request, "club/settings.html", page, status=WRONG)
