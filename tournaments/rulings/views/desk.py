"""The rulings desk, for everybody; staff also records rulings and searches them."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import event_or_404, open_to_all, staff
from tournaments.changes.views.requests import StaffRequest, command_of, present, undoable_response
from tournaments.event.views.context import page_context
from tournaments.models import CashTable, Event, Table
from tournaments.rulings.selectors.desk_page import asked, evening_of, page_of
from tournaments.rulings.selectors.rulings import ALL_HANDS, hands_shown, rulings_found
from tournaments.rulings.services.rulings import ruling_note
from tournaments.seating.services.seats import live_table_by_number


@never_cache
@open_to_all()
def desk(request: Any, slug: str) -> HttpResponse:
    """Answer the question in the address; the event supplies missing facts.

    `tisch` is the table whose level is in force. Each press becomes part of the address.
    """
    event = event_or_404(slug)
    table = _numbered(Table, event, request.GET.get("tisch", ""))
    cash = _numbered(CashTable, event, request.GET.get("cash", ""))
    evening = evening_of(event, table, present(event), cash)
    found = asked(evening, request.GET)
    address = f"tisch={table.number}&{found.address}" if table else found.address
    address = f"cash={cash.number}&{address}" if cash else address
    if "press" in request.GET and not request.htmx and not found.no:
        return redirect(f"{request.path}?{address}")
    actor = actor_of(request.device, event)
    is_staff = actor is not None and allows(actor, Permission.SEE_FLOOR)
    book_url = "" if event.is_clock_only else reverse("rules", args=[event.slug])
    context = page_of(event, found, book_url) | {
        "event": event,
        "table": table,
        "cash": cash,
        "evening": evening,
        "address": address,
        "may_note": is_staff and not event.is_over,
    }
    if request.htmx and not request.htmx.history_restore_request:
        answer = render(request, "rulings/question.html", context)
        answer["HX-Replace-Url"] = f"{request.path}?{address}"
        return answer
    context |= page_context(request, event, actor) | {"is_staff": is_staff, "has_small_font": True}
    return render(request, "rulings/desk.html", context | (_found(event, "") if is_staff else {}))


@staff(Permission.SEE_FLOOR, people=False)
def rulings(request: StaffRequest) -> HttpResponse:
    """Show the rulings, for an open page; `q` is the search text."""
    context = {"event": request.event, **_found(request.event, request.GET.get("q", ""))}
    return render(request, "rulings/rulings.html", context)


@staff(Permission.SEE_FLOOR, people=False, methods=("POST",), accepts_offline=True)
def note(request: StaffRequest) -> HttpResponse:
    """Record a ruling; `address` is that of the question on the page."""
    posted, event = request.POST, request.event
    number = posted.get("table", "")
    asked = whole(number)
    table = None if asked is None else live_table_by_number(event, asked)
    action = ruling_note(
        command_of(request),
        address=posted.get("address", ""),
        asked=posted.get("asked", ""),
        decided=posted.get("decided", ""),
        table=table,
    )
    return undoable_response(request, action)


def _numbered(model: type[Table] | type[CashTable], event: Event, number: str) -> Any:
    asked = whole(number)
    return None if asked is None else model.objects.live().filter(event=event, number=asked).first()


def _found(event: Event, words: str) -> dict[str, Any]:
    return {"rulings": rulings_found(event, words), "words": words.strip()}


# --- The ten poker hands in order, for everybody


@open_to_all()
def hands(request: Any, slug: str) -> HttpResponse:
    """Show the ten hands with drawn cards and their frequency."""
    event = event_or_404(slug)
    context = page_context(request, event, actor_of(request.device, event))
    own = {"hands": hands_shown(), "whole": ALL_HANDS}
    return render(request, "rulings/hands.html", context | own)
