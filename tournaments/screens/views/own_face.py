"""The director's page of the club's own face of its walls: slides, and a grid of figures."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import open_to_all, panel_answer, panel_html, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    present,
)
from tournaments.club.views.club import picture_answer
from tournaments.event.views.context import page_context
from tournaments.models import Action, Slide
from tournaments.screens.selectors.own_face import (
    GRID,
    NAMES,
    figures_shown,
    own_face,
    picture_url,
    slides_of,
)
from tournaments.screens.services.own_face import (
    LONGEST_S,
    LONGEST_TEXT,
    MOST_SLIDES,
    SHORTEST_S,
    face_arrange,
    face_undo,
    slide_add,
    slide_move,
    slide_remove,
)

USUAL_S = 10


@never_cache
@staff(Permission.MANAGE, people=False)
def page(request: StaffRequest) -> HttpResponse:
    """Show the slides and the grid; render both for an htmx refresh, 204 if unchanged."""
    if request.htmx:
        return panel_answer(request, _both(request))
    context = page_context(request, request.event, request.actor)
    context["panel"] = panel_html(
        name="own-face",
        url=reverse("own-face", args=[request.event.slug]),
        trigger="krru:acted from:body",
        body=_both(request),
    )
    return render(request, "screens/own_face.html", context)


def _both(request: StaffRequest) -> SafeString:
    face = own_face(request.event.club)
    slides = [{"row": row, "picture": picture_url(row)} for row in slides_of(face)]
    context = {
        **_shown(request, face.figures),
        "event": request.event,
        "slides": slides,
        "face": face,
        "chosen": list(enumerate(face.figures, 1)),
        "names": [("", _("leer")), *NAMES.items()],
        "is_full": len(slides) >= MOST_SLIDES,
    }
    return render_to_string("screens/own_both.html", context)


@never_cache
@staff(Permission.MANAGE, people=False)
def preview(request: StaffRequest) -> HttpResponse:
    """Render the grid with the figures chosen in the form, before they are saved."""
    return render(request, "screens/own_grid.html", _shown(request, _figures(request.GET)))


def _shown(request: StaffRequest, figures: list[str]) -> dict[str, Any]:
    """Return the fields; a chosen figure without a value now shows a dash, not on a wall."""
    cells = figures_shown(request.event, figures, present(request.event))
    named = zip(figures, cells, strict=True)
    return {
        "cells": [cell or ([NAMES[name], ["–"]] if name in NAMES else []) for name, cell in named]
    }


def _figures(given: Any) -> list[str]:
    return [given.get(f"figure-{number}", "") for number in range(1, GRID + 1)]


@staff(Permission.MANAGE, people=False, methods=("POST",))
def arrange(request: StaffRequest) -> HttpResponse:
    """Choose the figures of the grid, and whether the face is shown in breaks."""
    action = face_arrange(
        club_command_of(request),
        figures=_figures(request.POST),
        in_breaks="in_breaks" in request.POST,
    )
    return _done(request, action)


@never_cache
@staff(Permission.MANAGE, people=False, methods=("GET", "HEAD", "POST"))
def add(request: StaffRequest) -> HttpResponse:
    """Ask for a slide, and add it."""
    if request.method != "POST":
        bounds = {"least": SHORTEST_S, "most": LONGEST_S, "usual": USUAL_S, "longest": LONGEST_TEXT}
        return render(request, "screens/own_slide.html", {"event": request.event, **bounds})
    file, seconds = request.FILES.get("picture"), request.POST.get("seconds", "")
    action = slide_add(
        club_command_of(request),
        text=request.POST.get("text", ""),
        seconds=int(seconds) if seconds.isdecimal() and len(seconds) < 5 else 0,
        data=file.read() if file else b"",
    )
    return _done(request, action)


@staff(Permission.MANAGE, people=False, methods=("POST",))
def remove(request: StaffRequest, slide: int) -> HttpResponse:
    """Remove a slide."""
    return _done(request, slide_remove(club_command_of(request), slide=slide))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def move(request: StaffRequest, slide: int) -> HttpResponse:
    """Show a slide one place earlier."""
    return _done(request, slide_move(club_command_of(request), slide=slide))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def undo(request: StaffRequest, face_action: int) -> HttpResponse:
    """Undo a change of the face."""
    rows = Action.objects.filter(club=request.event.club, event=None, kind__startswith="ownface.")
    row = get_object_or_404(rows.select_related("text"), pk=face_action)
    return _done(request, face_undo(club_command_of(request), action=row))


def _done(request: StaffRequest, action: Action) -> HttpResponse:
    undo_url = reverse("own-face-undo", args=[request.event.slug, action.pk])
    here = "" if request.htmx else reverse("own-face", args=[request.event.slug])
    return action_response(request, action, undo_url=undo_url, go_to=here)


@open_to_all()
def picture(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the picture of a slide."""
    row = Slide.objects.filter(digest=digest).first()
    if row is None:
        raise Http404
    return picture_answer(bytes(row.data), row.media_type)
