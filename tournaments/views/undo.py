"""Taking back, and the answer to every action of the director: what was done, and its undo."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from tournaments.access import Permission
from tournaments.models import Action
from tournaments.services.undo import action_undo, is_redoable
from tournaments.views.frame import StaffRequest, acted, said, staff


@staff(Permission.UNDO_OWN, methods=("POST",))
def undo(request: StaffRequest, action: int) -> HttpResponse:
    """Take an action back. The toast says which, and can put it back where that is possible."""
    row = get_object_or_404(Action, event=request.event, pk=action)
    made = action_undo(**said(request), action=row)
    return done(request, made) if is_redoable(made) else acted(request, made)


def done(request: StaffRequest, action: Action, sentence: str = "") -> HttpResponse:
    """Answer an action with what it did and one tap that takes it back."""
    undo_url = reverse("action-undo", args=[request.event.slug, action.pk])
    return acted(request, action, sentence=sentence, undo_url=undo_url)
