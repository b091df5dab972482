"""The club's blind schedules: rename, delete, export to a file and import from one."""

from __future__ import annotations

import csv
import io

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff, open_to_all
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.club.forms.club import ScheduleFileForm
from tournaments.club.views.club import club_page
from tournaments.event.domain.schedule_files import (
    schedule_as_table,
    schedule_as_text,
    schedule_schema,
)
from tournaments.event.selectors.schedule import schedule_as_file
from tournaments.event.services.schedule.own import (
    read_in_words,
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
    """Send a schedule as a file for another club, or as a table for a spreadsheet."""
    row = get_object_or_404(ScheduleTemplate, pk=plan)
    schedule, name = schedule_as_file(row), slugify(row.name) or "blindplan"
    if request.GET.get("als") == "csv":
        out = io.StringIO()
        csv.writer(out, delimiter=";").writerows(schedule_as_table(schedule))
        response = HttpResponse(f"\ufeff{out.getvalue()}", content_type="text/csv; charset=utf-8")
        name += ".csv"
    else:
        response = HttpResponse(schedule_as_text(schedule), content_type="application/json")
        name += ".json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@open_to_all()
def schema(request: HttpRequest) -> HttpResponse:
    """Send the JSON Schema of a schedule's file; any site may ask."""
    response = JsonResponse(schedule_schema(), json_dumps_params={"indent": 2})
    response["Content-Type"] = "application/schema+json"
    response["Access-Control-Allow-Origin"] = "*"
    return response


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def from_file(request: StaffRequest) -> HttpResponse:
    """Save a file's schedule among the club's own."""
    form = ScheduleFileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            data, usual = form.content()
            told = {name: form.cleaned_data[name] for name in ("name", "stack")}
            read = schedule_of_file(data, usual=usual, **told)
            action = schedule_import(club_command_of(request), schedule=read.schedule)
            sentence = read_in_words(read)
            return action_response(request, action, sentence=sentence, go_to=reverse(HERE))
        except Refused as refusal:
            form.add_error("schedule", str(refusal))
    page = club_page(club_get(), schedule_form=form)
    return render(request, "club/settings.html", page, status=WRONG)
