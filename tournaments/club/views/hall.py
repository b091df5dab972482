"""The club's hall: its plan, and which event has which tables now."""

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
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.club.forms.about import HallForm
from tournaments.club.services.club import club_hall_set
from tournaments.event.domain.hall_plan import numbers_text, plan_drawn
from tournaments.event.selectors.hall import hall_of, held_by_event, numbers_in_use
from tournaments.event.views.events import FORM_METHODS, WRONG

HERE = "club-hall"


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def hall(request: StaffRequest) -> HttpResponse:
    """Show the plan as drawn and as text; on POST, change it."""
    club = club_get()
    form = HallForm(request.POST or None, initial={"hall": club.hall})
    if request.method == "POST" and form.is_valid():
        try:
            action = club_hall_set(club_command_of(request), **form.cleaned_data)
            return action_response(request, action, sentence=_("Gespeichert."), go_to=reverse(HERE))
        except Refused as refusal:
            form.refuse(refusal)
    used = numbers_in_use(club)
    context = {
        "club": club,
        "form": form,
        "areas": plan_drawn(hall_of(club), dict.fromkeys(used, "own")),
        "events": [(name, numbers_text(found)) for name, found in held_by_event(used).items()],
    }
    return render(request, "club/hall.html", context, status=WRONG if form.errors else 200)
