"""Announcements from the laptop or a phone: a small form, and its result."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from clock.domain.wording import Language
from clock.tasks import speech_make
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.models import Event
from tournaments.post.selectors.announcements import announcement_standing, announcement_stock
from tournaments.post.services.announcements import LONGEST, announcement_made, announcement_text


@staff(Permission.ANNOUNCE, people=False, methods=("GET", "HEAD", "POST"))
def announce(request: StaffRequest) -> HttpResponse:
    """Ask for a text and announce it on every screen in this device's language."""
    if request.method != "POST":
        return render(request, "floor/announce.html", _form(request.event))
    text = announcement_text(request.POST.get("stock") or request.POST.get("text", ""))
    language = Language.ENGLISH if get_language() == "en" else Language.GERMAN
    has_voice = "voice" in request.POST
    action = announcement_made(
        command_of(request),
        text=text,
        has_voice=has_voice,
        language=language,
        stays="stays" in request.POST,
    )
    if has_voice:
        speech_make.delay(text, language.value)
    return undoable_response(request, action)


def _form(event: Event) -> dict[str, Any]:
    standing = announcement_standing(event)
    context = {"event": event, "most": LONGEST, "stock": announcement_stock(event)}
    if standing is None:
        return context
    take_away = reverse("action-undo", args=[event.slug, standing.pk])
    return {**context, "standing": standing.text.data["text"], "take_away": take_away}
