"""The club's chip sets: add, change, delete."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.event.forms.schedule import ChipSetForm
from tournaments.event.services.chip_sets import chip_set_delete, chip_set_save
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import ChipSet

HERE = "club-settings"


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def new(request: StaffRequest) -> HttpResponse:
    """Add a chip set."""
    return _edit(request, None)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def change(request: StaffRequest, chips: int) -> HttpResponse:
    """Change a chip set of the club's own."""
    return _edit(request, get_object_or_404(ChipSet, pk=chips, revision=None))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def delete(request: StaffRequest, chips: int) -> HttpResponse:
    """Delete a chip set of the club's own."""
    row = get_object_or_404(ChipSet, pk=chips)
    action = chip_set_delete(club_command_of(request), chip_set=row)
    return action_response(request, action, go_to=reverse(HERE))


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
