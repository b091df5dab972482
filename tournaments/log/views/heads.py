"""The chain's heads, requested by phones and screens with saved heads."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.views.decorators.cache import never_cache

from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.views.decorators import event_or_404, open_to_all
from tournaments.log.selectors.log_heads import MOST_ASKED, heads_at


@never_cache
@open_to_all()
def heads(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the head at each entry given by `n`; null for a missing entry."""
    asked = {whole(raw, most=MOST_ID) for raw in request.GET.getlist("n")[: MOST_ASKED + 1]}
    if len(asked) > MOST_ASKED or None in asked:
        return HttpResponseBadRequest()
    event = event_or_404(slug, request)
    return JsonResponse({"heads": heads_at(event, {number for number in asked if number})})
