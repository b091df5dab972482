"""The club's own rule presets: rename, delete."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.models import RulePreset
from tournaments.rules.services.rules import preset_delete, preset_rename

HERE = "club-settings"


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def rename(request: StaffRequest, preset: str) -> HttpResponse:
    row = get_object_or_404(RulePreset, key=preset)
    name = request.POST.get("name", "")
    action = preset_rename(club_command_of(request), preset=row, name=name)
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def delete(request: StaffRequest, preset: str) -> HttpResponse:
    row = get_object_or_404(RulePreset, key=preset)
    action = preset_delete(club_command_of(request), preset=row)
    return action_response(request, action, go_to=reverse(HERE))
