"""Set the club's public texts."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, club_command_of
from tournaments.changes.views.responses import action_response
from tournaments.club.forms.about import AboutForm
from tournaments.club.services.about import club_about_set
from tournaments.club.views.club import HERE, club_page
from tournaments.event.views.events import WRONG


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def about(request: StaffRequest) -> HttpResponse:
    """Save them, or show the error beside its field."""
    form = AboutForm(request.POST)
    if form.is_valid():
        try:
            action = club_about_set(club_command_of(request), **form.cleaned_data)
            return action_response(request, action, sentence=_("Gespeichert."), go_to=reverse(HERE))
        except Refused as refusal:
            form.refuse(refusal)
    context = club_page(club_get(), about_form=form)
    return render(request, "club/settings.html", context, status=WRONG)
