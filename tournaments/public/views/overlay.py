"""Overlays for a stream: transparent pages that show the evening as it was told some time ago."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from clock.snapshot import snapshot
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import hall_url, open_to_all, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    undoable_response,
)
from tournaments.club.views.club import picture_answer
from tournaments.event.views.context import page_context
from tournaments.models import Event, LivePicture
from tournaments.public.selectors.told import (
    delayed,
    overlay_key,
    stream_delay,
    told_bags,
    told_left,
    told_outs,
    told_prizes,
    told_seats,
)
from tournaments.public.services.streaming import LONGEST, live_post, overlays_renew

MOST_OUTS = 9
MOST_PRIZES = 9
WRONG = 422


class OverlayForm(forms.Form):
    """The look and the table of overlays, as their addresses have them."""

    theme = forms.ChoiceField(
        label=_("Aussehen"),
        choices=(
            ("dark", _("dunkle Fläche")),
            ("light", _("helle Fläche")),
            ("clear", _("ohne Fläche")),
        ),
        initial="dark",
    )
    table = forms.IntegerField(label=_("Tisch"), min_value=1, max_value=9999, initial=1)


def _left(event: Event, at: datetime, _table: int) -> dict[str, Any]:
    left, entries = told_left(event, at)
    return {"left": left, "entries": entries}


def _payouts(event: Event, at: datetime, _table: int) -> dict[str, Any]:
    prizes, (left, _entries) = told_prizes(event, at), told_left(event, at)
    shown = list(enumerate(prizes[:MOST_PRIZES], 1))
    return {"prizes": shown, "next_place": min(left, len(prizes)), "left": left}


# What an overlay shows: its name, and what it reads beside the clock.
ELEMENTS: Mapping[str, tuple[Any, Callable[[Event, datetime, int], dict[str, Any]]]] = {
    "clock": (_("Uhr"), lambda _event, _at, _table: {}),
    "blinds": (_("Blinds"), lambda _event, _at, _table: {}),
    "left": (_("Spieler im Turnier"), _left),
    "payouts": (_("Preise"), _payouts),
    "seats": (
        _("Ein Tisch"),
        lambda event, at, table: {"table": table, "seats": told_seats(event, at, table)},
    ),
    "bags": (
        _("Größte Stapel"),
        lambda event, at, _table: {"bags": told_bags(event, at, MOST_OUTS)},
    ),
    "ticker": (
        _("Zuletzt ausgeschieden"),
        lambda event, at, _table: {"outs": told_outs(event, at, MOST_OUTS)},
    ),
}


LISTS = {"payouts", "seats", "bags", "ticker"}


@never_cache
@staff(Permission.MANAGE, people=False)
def overlays(request: StaffRequest) -> HttpResponse:
    """Show the secret addresses of all overlays, and each as it looks now."""
    event = request.event
    form = OverlayForm(request.GET or None, initial={})
    query = request.GET.urlencode() if form.is_bound and form.is_valid() else ""
    key = overlay_key(event)
    lines = []
    for element, (label, _read) in ELEMENTS.items():
        path = reverse("overlay", args=[event.slug, key, element]) + (f"?{query}" if query else "")
        lines.append(
            {
                "label": label,
                "path": path,
                "url": hall_url(request, path),
                "is_list": element in LISTS,
            }
        )
    context = page_context(request, event, request.actor) | {"form": form, "lines": lines}
    return render(request, "public/overlays.html", context, status=WRONG if form.errors else 200)


@staff(Permission.MANAGE, people=False, methods=("POST",))
def renew(request: StaffRequest) -> HttpResponse:
    """Renew the addresses of the overlays: the former ones end."""
    action = overlays_renew(command_of(request))
    here = reverse("overlays", args=[request.event.slug])
    return action_response(request, action, go_to=here)


@never_cache
@open_to_all(people=True)
def overlay(request: HttpRequest, slug: str, key: str, element: str) -> HttpResponse:
    """Show one element with the stream's delay."""
    event: Event = request.event  # type: ignore[attr-defined]
    if element not in ELEMENTS or not constant_time_compare(key, overlay_key(event)):
        raise Http404
    usual = {name: field.initial for name, field in OverlayForm.base_fields.items()}
    form = OverlayForm({**usual, **request.GET.dict()})
    if not form.is_valid():
        return HttpResponse(form.errors.as_text(), status=WRONG, content_type="text/plain")
    chosen, now = form.cleaned_data, present(event)
    snapshot(event, event.clock)
    delay = stream_delay(event)
    label, read = ELEMENTS[element]
    context = {
        **page_context(request, event),
        **delayed(event, now),
        "label": label,
        "template": f"public/overlay_{element}.html",
        "theme": chosen["theme"],
        "is_list": element in LISTS,
        **read(event, now - delay, chosen["table"]),
    }
    return render(request, "public/overlay.html", context)


# --- Posts on the live page: written by staff, their pictures seen by all


@never_cache
@staff(Permission.ANNOUNCE, people=False, methods=("GET", "HEAD", "POST"))
def post(request: StaffRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "public/post.html", {"event": request.event, "longest": LONGEST})
    file = request.FILES.get("picture")
    action = live_post(
        command_of(request),
        text=request.POST.get("text", ""),
        data=file.read() if file else b"",
    )
    return undoable_response(request, action)


@open_to_all()
def picture(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the picture of a post that stands."""
    rows = LivePicture.objects.filter(digest=digest, post__voided_by=None)
    row = rows.first()
    if row is None:
        raise Http404
    return picture_answer(bytes(row.data), row.media_type)
