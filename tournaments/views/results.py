"""Places as a page, CSV and JSON; and the draws, so that anyone can recompute them."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.access import Permission, actor_of, allows
from tournaments.domain.draws import commitment
from tournaments.domain.sheets import csv_text
from tournaments.models import Event
from tournaments.selectors.draws import draw_pictures, draws_of
from tournaments.selectors.people import shown_name
from tournaments.selectors.ranking import Standing, standings
from tournaments.views.context import page_context
from tournaments.views.frame import event_or_404, open_to_all

DRAWS_A_PAGE = 60


@open_to_all()
def results(request: Any, slug: str) -> HttpResponse:
    """Show the final places, or while play goes on those so far."""
    event = event_or_404(slug)
    actor = actor_of(request.device, event)
    lines = _lines(request, event)
    context = page_context(request, event, actor) | {
        "still_in": [line for line in lines if line["place"] is None],
        "placed": [line for line in lines if line["place"] is not None],
        "is_final": _is_final(event),
    }
    return render(request, "public/results.html", context)


@open_to_all()
def results_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the places as a file that spreadsheets open; names cannot act as formulas."""
    event = event_or_404(slug)
    rows = [
        [line["place"], line["name"], _clock_time(line["out_at"])]
        for line in _lines(request, event)
    ]
    headings = [_("Platz"), _("Name"), _("Ausgeschieden")]
    # The mark at the front tells spreadsheets that it is UTF-8.
    text = "\ufeff" + csv_text([headings, *rows])
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.csv"'
    return response


@open_to_all()
def results_json(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(slug)
    return JsonResponse(
        {
            "event": event.name,
            "slug": event.slug,
            "starts_at": event.starts_at.isoformat(),
            "status": event.status,
            "is_final": _is_final(event),
            "places": [
                {
                    "place": line["place"],
                    "name": line["name"],
                    "out_at": line["out_at"].isoformat() if line["out_at"] else None,
                    "is_disqualified": line["is_disqualified"],
                }
                for line in _lines(request, event)
            ],
        },
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )


@open_to_all()
def draws(request: Any, slug: str) -> HttpResponse:
    """Show the promise, every draw, and when all is over the secret."""
    event = event_or_404(slug)
    actor = actor_of(request.device, event)
    page = Paginator(draws_of(event), DRAWS_A_PAGE).get_page(request.GET.get("seite"))
    to_staff = allows(actor, Permission.SEE_FLOOR)
    context = page_context(request, event, actor) | {
        "page": page,
        "draws": draw_pictures(event, list(page), to_staff=to_staff),
        "commitment": commitment(event.draw_secret),
        "secret": event.draw_secret if event.is_over else "",
    }
    return render(request, "public/draws.html", context)


def _is_final(event: Event) -> bool:
    return event.ended_by_id is not None


def _lines(request: Any, event: Event) -> list[dict[str, Any]]:
    """Return the places with names as this reader may see them."""
    to_staff = allows(actor_of(request.device, event), Permission.SEE_FLOOR)
    return [_line(standing, to_staff=to_staff) for standing in standings(event)]


def _line(standing: Standing, *, to_staff: bool) -> dict[str, Any]:
    name = shown_name(standing.name, is_listed=standing.is_listed, to_staff=to_staff)
    return {
        "place": standing.place,
        "name": name,
        "out_at": standing.out_at,
        "is_disqualified": standing.is_disqualified,
    }


def _clock_time(at: Any) -> str:
    from django.utils import timezone

    return f"{timezone.localtime(at):%H:%M}" if at else ""
