"""Answers to actions and refusals: the changes for htmx, a redirect for a plain form."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Topic
from tournaments.changes.selectors.log import describe
from tournaments.changes.views.requests import StaffRequest, is_offline_tap, question
from tournaments.models import Action, Event


def action_response(
    request: HttpRequest,
    action: Action,
    *,
    sentence: str = "",
    undo_url: str = "",
    go_to: str = "",
) -> HttpResponse:
    """Answer an action: changes and a toast with undo for htmx, else a redirect.

    The page's panels fetch themselves again on this answer, as on the stream's message about other
    actions; the version prevents doing it twice.
    """
    text = sentence or describe(action)
    if go_to or not request.headers.get("HX-Request"):
        messages.success(request, text)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Redirect": go_to})
        return HttpResponseRedirect(go_to or _safe_back(request))
    context = {"text": text, "undo_url": undo_url}
    response = render(request, "parts/action_toast.html", context)
    response["HX-Reswap"] = "none"
    return with_trigger(response, action, closes=True)


def with_trigger(response: HttpResponse, action: Action, *, closes: bool = False) -> HttpResponse:
    """Announce the changes to the acting page, in the form of the stream's messages.

    :param closes: Whether open dialogs close; not when the answer is shown in one.
    """
    text: dict[str, Any] = {"krru:acted": action.news or _everything(action)}
    if closes:
        text["krru:close"] = True
    response["HX-Trigger"] = json.dumps(text)
    return response


def _everything(action: Action) -> dict[str, Any]:
    """Return the news of a repeated request: fetch all topics."""
    versions = Event.objects.filter(pk=action.event_id or 0).values_list("version", flat=True)
    return {"version": versions.first() or 0, "changed": list(Topic)}


def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Answer a refusal: the sentence for htmx, else a page. Always 422."""
    if is_offline_tap(request):
        return question(str(refusal), refusal.code, 422)
    context = {"reason": str(refusal), "code": refusal.code, "back": _safe_back(request)}
    template = "parts/refusal.html" if request.headers.get("HX-Request") else "422.html"
    return render(request, template, context, status=422)


def _safe_back(request: HttpRequest) -> str:
    back = request.POST.get("next") or request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        return back
    return "/"


def undoable_response(request: StaffRequest, action: Action, sentence: str = "") -> HttpResponse:
    """Answer an action with its sentence and an undo button."""
    undo_url = reverse("action-undo", args=[request.event.slug, action.pk])
    return action_response(request, action, sentence=sentence, undo_url=undo_url)
