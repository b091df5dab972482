"""Shared by the money pages: an event without money has none."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.views.requests import View
from tournaments.event.views.context import adds_to_navigation
from tournaments.models import Event
from tournaments.money.selectors.journal import event_has_money


def of_money(view: View) -> View:
    """Answer 404 for an event without money. Goes below `@staff`."""

    @wraps(view)
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not event_has_money(request.event):
            raise Http404(_("An diesem Abend geht es um nichts."))
        return view(request, *args, **kwargs)

    return run


@adds_to_navigation
def drawer_page(event: Event, actor: Actor) -> tuple[str, str] | None:
    """Return the drawers page, if the event has money and the actor may take it."""
    if event.is_clock_only or not allows(actor, Permission.TAKE_MONEY):
        return None
    if not event_has_money(event):
        return None
    return _("Kassa"), reverse("drawer", args=[event.slug])
