"""What a club keeps for its evenings: blind schedules, chip sets, rule presets."""

from __future__ import annotations

import csv
import io
from typing import Any

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
from tournaments.event.forms.schedule import ChipSetForm
from tournaments.event.selectors.schedule import schedule_as_file
from tournaments.event.services.chip_sets import chip_set_delete, chip_set_save
from tournaments.event.services.schedule.own import (
    read_in_words,
    schedule_delete,
    schedule_import,
    schedule_of_file,
    schedule_rename,
)
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import ChipSet, RulePreset
from tournaments.rules.services.rules import preset_delete, preset_rename

HERE = "club-settings"
ROWS: dict[str, Any] = {"preset": RulePreset, "schedule": ScheduleTemplate, "chip_set": ChipSet}
RENAMES: dict[str, Any] = {"preset": preset_rename, "schedule": schedule_rename}
DELETES: dict[str, Any] = {
    "preset": preset_delete, "schedule": schedule_delete, "chip_set": chip_set_delete,
}  # fmt: skip


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def rename(request: StaffRequest, what: str, **key: str | int) -> HttpResponse:
    name = request.POST.get("name", "")
    action = RENAMES[what](club_command_of(request), **{what: _row(what, key)}, name=name)
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def delete(request: StaffRequest, what: str, **key: str | int) -> HttpResponse:
    action = DELETES[what](club_command_of(request), **{what: _row(what, key)})
    return action_response(request, action, go_to=reverse(HERE))


def _row(what: str, key: dict[str, str | int]) -> Any:
    (value,) = key.values()
    return get_object_or_404(ROWS[what], **{"key" if what == "preset" else "pk": value})


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


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def chip_set_new(request: StaffRequest) -> HttpResponse:
    """Add a chip set."""
    return _edit(request, None)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def chip_set(request: StaffRequest, chips: int) -> HttpResponse:
    """Change a chip set of the club's own."""
    return _edit(request, get_object_or_404(ChipSet, pk=chips, revision=None))


def _edit(request: StaffRequest, row: ChipSet | None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = ChipSetForm(sent, chip_set=row)
    if sent is not None and form.is_valid():
        data = form.cleaned_data
        command = club_command_of(request)
        action = attempt(
            form,
            lambda: chip_set_save(command, name=data["name"], pieces=data["pieces"], chip_set=row),
        )
        if action:
            return action_response(request, action, go_to=reverse(HERE))
    context = {"form": form, "chip_set": row, "club": club_get()}
    return render(request, "club/chip_set.html", context, status=WRONG if form.errors else 200)
