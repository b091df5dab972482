"""The ten poker hands in order, for everybody."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.changes.access import actor_of
from tournaments.changes.views.decorators import event_or_404, open_to_all
from tournaments.event.views.context import page_context
from tournaments.rulings.selectors.hands_page import ALL_HANDS, hands_shown


@open_to_all()
def hands(request: Any, slug: str) -> HttpResponse:
    """Show the ten hands with drawn cards and their frequency."""
    event = event_or_404(slug)
    context = page_context(request, event, actor_of(request.device, event))
    own = {"hands": hands_shown(), "whole": ALL_HANDS}
    return render(request, "rulings/hands.html", context | own)
