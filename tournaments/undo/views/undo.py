"""Undo with a preview, and the answer to a director's action."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import action_response, undoable_response
from tournaments.event.views.context import page_context
from tournaments.models import Action
from tournaments.undo.services.preview import Preview, undo_preview
from tournaments.undo.services.undo import action_undo, is_redoable
from tournaments.undo.views.preview_context import preview_shown


@staff(Permission.UNDO_OWN, people=False, methods=("POST",))
def undo(request: StaffRequest, action: int) -> HttpResponse:
    """Undo an action. The toast names it and offers a redo where possible.

    From a preview the request carries its version. If the event has changed since, a preview with
    the same content is accepted; otherwise the new one is shown.
    """
    row = _action_or_404(request, action)
    seen = request.POST.get("seen", "")
    if not seen.isdecimal() or len(seen) > 18:
        return _undone(request, action_undo(command_of(request), action=row))
    try:
        made = action_undo(command_of(request, seen=int(seen)), action=row)
    except Refused as refusal:
        if refusal.code != "overtaken":
            raise
        found = _try(request, row)
        if found.fingerprint != request.POST.get("shown"):
            return _sheet(request, row, found, is_overtaken=True)
        made = action_undo(command_of(request, seen=found.seen), action=row)
    return _undone(request, made)


@staff(Permission.UNDO_OWN, people=False, methods=("POST",))
def preview(request: StaffRequest, action: int) -> HttpResponse:
    """Show the changes an undo would make.

    A POST, although it is rolled back: it holds the event's lock for a moment, so no browser
    should fetch it in advance.
    """
    row = _action_or_404(request, action)
    return _sheet(request, row, _try(request, row))


def _undone(request: StaffRequest, made: Action) -> HttpResponse:
    return undoable_response(request, made) if is_redoable(made) else action_response(request, made)


def _action_or_404(request: StaffRequest, action: int) -> Action:
    rows = Action.objects.select_related("text", "device", "undoes__text")
    return get_object_or_404(rows, event=request.event, pk=action)


def _try(request: StaffRequest, action: Action) -> Preview:
    now = present(request.event)
    return undo_preview(event=request.event, by=request.actor, at=now, action=action)


def _sheet(
    request: StaffRequest, action: Action, found: Preview, *, is_overtaken: bool = False
) -> HttpResponse:
    context = {
        "event": request.event,
        "is_overtaken": is_overtaken,
        **preview_shown(found, action, request.actor),
    }
    template = "director/undo_preview.html"
    if not request.htmx:
        context = page_context(request, request.event, request.actor) | context
        template = "director/undo_preview_page.html"
    response = render(request, template, context, status=422 if is_overtaken else 200)
    if is_overtaken:
        # The button has no target of its own: the undo closes the sheet.
        response["HX-Retarget"], response["HX-Reswap"] = "#sheet", "innerHTML"
    return response
