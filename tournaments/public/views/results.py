"""Results as a page, CSV and JSON; and the draws, so that anyone can recompute them."""

from collections import Counter
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.requests import present
from tournaments.contests.selectors.contests import ranked_behind
from tournaments.event.domain.promise import commitment
from tournaments.event.selectors.event import entries_live_count
from tournaments.event.views.context import page_context
from tournaments.models import Draw, Event
from tournaments.papers.domain.sheets import csv_text
from tournaments.payouts.selectors.prize_labels import PrizeWords, prizes_in_words
from tournaments.people.domain.naming import shown_name
from tournaments.play.selectors.eliminations import takers_of
from tournaments.play.selectors.ranking import best_of_each, standings
from tournaments.play.selectors.stacks import StackRound, stack_round_last
from tournaments.public.selectors.posters import next_evening
from tournaments.public.selectors.told import is_told_over, stream_delay, told_outs_of
from tournaments.public.views.public_cache import Context, cached_page, is_nobody
from tournaments.seating.selectors.draws import draw_pictures, draws_of

DRAWS_A_PAGE = 20


@open_to_all(people=True)
def results(request: Any, slug: str) -> HttpResponse:
    """Show the final places, or during play the present ones."""
    return _answer(request, slug, "public/results.html", partial(_results, request))


def _answer(
    request: Any, slug: str, template: str, context: Context, *, part: str = ""
) -> HttpResponse:
    """Return a page; strangers get the one rendered for all of them."""
    event = request.event
    if is_nobody(request):
        return HttpResponse(cached_page(request, slug, template, lambda: event, context, part=part))
    return render(request, template, context(event))


def _results(request: Any, event: Event) -> dict[str, Any]:
    actor = actor_of(request.device, event)
    to_staff = allows(actor, Permission.SEE_FLOOR)
    lines, takers = place_lines(event, to_staff=to_staff), takers_of(event)
    prizes = prizes_in_words(event, present(event))
    for line in lines:
        who = takers.get(line["entry"], []) if line["is_listed"] or to_staff else []
        line["takers"] = [name for name, is_listed in who if is_listed or to_staff]
        line["prize"] = prize_of(line, prizes)
    still_in = [line for line in lines if line["place"] is None]
    is_final = _is_final(event, to_staff=to_staff)
    follows_late = bool(event.stream_delay) and not to_staff
    counted = None if is_final or follows_late else stack_round_last(event)
    leaders = _leaders(still_in, counted) if counted else []
    placed = [line for line in lines if line["place"] is not None]
    is_decided = bool(placed) and not still_in
    return page_context(request, event, actor) | {
        "still_in": [line for line in still_in if line not in leaders],
        "left": len(still_in),
        "leaders": leaders,
        "counted": counted,
        "placed": placed,
        "winners": [line for line in placed if line["place"] == 1],
        "people": len(lines),
        "prizes": prizes,
        "entries": entries_live_count(event) if event.reentry_most else len(lines),
        "behind": ranked_behind(event, to_staff=to_staff) if is_decided else [],
        "next": next_evening(event, present()) if is_final else None,
        "is_decided": is_decided,
        "is_final": is_final,
        "follows_late": follows_late,
        "to_staff": to_staff,
        "may_correct": event.ended_by_id is not None and allows(actor, Permission.OVERRULE),
        "now": present(event),
    }


@open_to_all(people=True)
@never_cache
def results_csv(request: Any, slug: str) -> HttpResponse:
    """Send the places for spreadsheets; names cannot act as formulas."""
    event = request.event
    to_staff = _is_staff(request, event)
    prizes = prizes_in_words(event, present(event))
    headings = [_("Platz"), _("Name"), *([_("Preis")] if prizes else []), _("Ausgeschieden"),
                _("Festgelegt"), _("Disqualifiziert")]  # fmt: skip
    rows = [
        [
            line["place"],
            line["name"],
            *([prize_of(line, prizes)] if prizes else []),
            _local(line["out_at"]),
            "×" if line["is_overruled"] else "",
            "×" if line["is_dq"] else "",
        ]
        for line in place_lines(event, to_staff=to_staff)
    ]
    # The byte order mark tells spreadsheets that it is UTF-8.
    columns = len(headings) if to_staff else len(headings) - 1
    text = "\ufeff" + csv_text([row[:columns] for row in (headings, *rows)])
    kind = "text/csv; charset=utf-8"
    return HttpResponse(text, content_type=kind, headers=_file_headers(event, "csv"))


@open_to_all(people=True)
@never_cache
def results_json(request: Any, slug: str) -> HttpResponse:
    """Send the places as JSON; `is_final` tells whether they are final."""
    event = request.event
    to_staff = _is_staff(request, event)
    lines, prizes = place_lines(event, to_staff=to_staff), prizes_in_words(event, present(event))
    data = {
        "event": event.name,
        "slug": event.slug,
        "starts_at": event.starts_at.isoformat(),
        "status": event.status,
        "is_final": _is_final(event, to_staff=to_staff),
        "places": [
            _as_json(line, to_staff=to_staff)
            | ({"prize": prize_of(line, prizes)} if prizes else {})
            for line in lines
        ],
    }
    plain = {"ensure_ascii": False, "indent": 1}
    headers = _file_headers(event, "json")
    return JsonResponse(data, json_dumps_params=plain, headers=headers)


@open_to_all(people=True)
def draws(request: Any, slug: str) -> HttpResponse:
    """Show the commitment, every draw, and after the end the secret."""
    page = Paginator(draws_of(request.event), DRAWS_A_PAGE).get_page(request.GET.get("seite"))
    context = partial(_draws, request, page)
    return _answer(request, slug, "public/draws.html", context, part=str(page.number))


def _draws(request: Any, page: Page[Draw], event: Event) -> dict[str, Any]:
    actor = actor_of(request.device, event)
    to_staff, with_wishes = (
        allows(actor, permission) for permission in (Permission.SEE_FLOOR, Permission.CHECK_IN)
    )
    pictures = draw_pictures(event, list(page), to_staff=to_staff, with_wishes=with_wishes)
    return page_context(request, event, actor) | {
        "page": page,
        "draws": pictures,
        "is_to_check": event.is_over or any(one.secret for one in pictures),
        "commitment": commitment(event.draw_secret),
        "secret": event.draw_secret if event.is_over else "",
    }


def prize_of(line: dict[str, Any], prizes: PrizeWords | None) -> str:
    """Return the prize of a place in words; of a player still in, none."""
    return prizes.by_entry.get(line["entry"], "") if prizes and line["place"] is not None else ""


def _is_final(event: Event, *, to_staff: bool) -> bool:
    is_known = to_staff or is_told_over(event, present(event))
    return event.ended_by_id is not None and is_known


def _is_staff(request: Any, event: Event) -> bool:
    return allows(actor_of(request.device, event), Permission.SEE_FLOOR)


def _leaders(still_in: list[dict[str, Any]], counted: StackRound) -> list[dict[str, Any]]:
    """Return counted players still in, the largest stack first; equal stacks share a rank."""
    found = [line for line in still_in if line["entry"] in counted.stacks]
    for line in found:
        line["stack"] = counted.stacks[line["entry"]]
        line["rank"] = 1 + sum(chips > line["stack"] for chips in counted.stacks.values())
    return sorted(found, key=lambda line: line["rank"])


def place_lines(event: Event, *, to_staff: bool) -> list[dict[str, Any]]:
    """Return the places with names for this reader.

    Disqualifications are shown to staff only; others follow an evening by the stream's delay.
    """
    every, now = standings(event), present(event)
    if not to_staff and event.stream_delay and not is_told_over(event, now):
        # Players count as in until their out is told.
        out = told_outs_of(event, now - stream_delay(event))
        told = (row if row.entry in out else replace(row, place=None, out_at=None) for row in every)
        every = sorted(told, key=lambda row: row.place is not None)
    sharing = Counter(line.place for line in every)
    return [
        {
            "entry": line.entry,
            "is_listed": line.is_listed,
            "place": line.place,
            "is_shared": line.place is not None and sharing[line.place] > 1,
            "is_provisional": line.is_provisional,
            "is_overruled": line.is_overruled,
            "name": shown_name(line.name, is_listed=line.is_listed, to_staff=to_staff),
            # The times of an evening entered afterwards are not known.
            "out_at": None if event.earlier else line.out_at,
            "is_dq": to_staff and line.is_disqualified,
        }
        for line in best_of_each(every)
    ]


def _as_json(line: dict[str, Any], *, to_staff: bool) -> dict[str, Any]:
    data = {
        "place": line["place"],
        "name": line["name"],
        "out_at": line["out_at"].isoformat() if line["out_at"] else None,
        "is_provisional": line["is_provisional"],
        "is_overruled": line["is_overruled"],
    }
    return data | ({"is_disqualified": line["is_dq"]} if to_staff else {})


def _file_headers(event: Event, ending: str) -> dict[str, str]:
    stand = _("ergebnis") if _is_final(event, to_staff=False) else _("zwischenstand")
    name = f"{event.slug}-{stand}.{ending}"
    return {"Content-Disposition": f'attachment; filename="{name}"', "X-Robots-Tag": "noindex"}


def _local(at: datetime | None) -> str:
    return f"{localtime(at):%Y-%m-%d %H:%M}" if at else ""
