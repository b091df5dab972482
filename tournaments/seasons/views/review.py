"""The public page after an event: to print and to share."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.changes.access import actor_of
from tournaments.changes.views.decorators import open_to_all
from tournaments.event.views.context import page_context
from tournaments.models import Event
from tournaments.public.views.previews import Head, head_of, public_url
from tournaments.public.views.public_cache import cached_page, is_nobody
from tournaments.seasons.domain.review import HEIGHT, WIDTH
from tournaments.seasons.selectors.review import Review, review_of

TEMPLATE = "seasons/review.html"


@open_to_all(people=True)
def review(request: Any, slug: str) -> HttpResponse:
    """Show the review of an event; before its end, a notice."""

    def context(event: Event) -> dict[str, Any]:
        return _context(request, event)

    if is_nobody(request):
        return HttpResponse(cached_page(request, slug, TEMPLATE, lambda: request.event, context))
    return render(request, TEMPLATE, context(request.event))


def _context(request: Any, event: Event) -> dict[str, Any]:
    found = review_of(event)
    return page_context(request, event, actor_of(request.device, event)) | {
        "review": found,
        "width": WIDTH,
        "height": HEIGHT,
        "preview": _head(request, event, found) if found else None,
    }


def _head(request: Any, event: Event, found: Review) -> Head:
    """Return the preview of the link in chats: winner, entries, duration."""
    of_event = head_of(request, event)
    winners = ", ".join(line.name for line in found.winners)
    people = ngettext("Eine Person hat mitgespielt", "%(n)s haben mitgespielt", found.people) % {
        "n": found.people
    }
    began, ended = (time_format(localtime(at), "H:i") for at in (found.began_at, found.ended_at))
    sentence = (
        _("Gewonnen: %(names)s") % {"names": winners} if winners else "",
        people,
        _("Gespielt von %(began)s bis %(ended)s") % {"began": began, "ended": ended},
    )
    return Head(
        title=_("%(event)s: Rückblick") % {"event": event.name},
        text=". ".join(filter(None, sentence)) + ".",
        site=of_event.site,
        url=public_url(request, reverse("review", args=[event.slug])),
        image=of_event.image,
    )
