"""The chain's heads, requested by phones and screens with saved heads."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.views.decorators.cache import never_cache

from tournaments.changes.views.decorators import event_or_404, open_to_all
from tournaments.log.selectors.log_heads import MOST_ASKED, heads_at

LONGEST_NUMBER = 18


@never_cache
@open_to_all()
def heads(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the head at each entry given by `n`; null for a missing entry."""
    asked = request.GET.getlist("n")
    if len(asked) > MOST_ASKED or not all(map(_is_number, asked)):
        return HttpResponseBadRequest()
    event = event_or_404(slug, request)
    return JsonResponse({"heads": heads_at(event, {int(raw) for raw in asked})})


def _is_number(raw: str) -> bool:
    return raw.isascii() and raw.isdecimal() and len(raw) <= LONGEST_NUMBER
