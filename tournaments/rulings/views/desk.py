"""The rulings desk, for everybody; staff also writes down what was decided, and looks it up."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.domain import LimitKind
from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import event_or_404, open_to_all, staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import undoable_response
from tournaments.event.domain.games import game_named
from tournaments.event.selectors.event import players_left
from tournaments.event.views.context import page_context
from tournaments.models import Event, Table
from tournaments.play.selectors.level_in_force import table_in_force
from tournaments.rulings.selectors.book import anchors_of
from tournaments.rulings.selectors.desk_words import TOPICS, desk_words
from tournaments.rulings.selectors.rulings import rulings_found
from tournaments.rulings.services.rulings import ruling_note
from tournaments.seating.services.seats import live_table_by_number


@never_cache
@open_to_all()
def desk(request: Any, slug: str) -> HttpResponse:
    """Show the desk; `tisch` names the table whose level is in force."""
    event = event_or_404(slug)
    actor = actor_of(request.device, event)
    table = _table(event, request.GET.get("tisch", ""))
    is_staff = actor is not None and allows(actor, Permission.SEE_FLOOR)
    context = page_context(request, event, actor) | {
        "table": table,
        "may_note": is_staff and not event.is_over,
        "is_staff": is_staff,
        "has_small_font": True,
        "desk_data": _data(event, table, request),
        **(_found(event, "") if is_staff else {}),
    }
    return render(request, "rulings/desk.html", context)


@staff(Permission.SEE_FLOOR, people=False)
def rulings(request: StaffRequest) -> HttpResponse:
    """Show what was decided, for the page that is open; `q` are words to look for."""
    context = {"event": request.event, **_found(request.event, request.GET.get("q", ""))}
    return render(request, "rulings/rulings.html", context)


@staff(Permission.SEE_FLOOR, people=False, methods=("POST",), accepts_offline=True)
def note(request: StaffRequest) -> HttpResponse:
    """Write down what was decided."""
    posted = request.POST
    number = posted.get("table", "")
    table = live_table_by_number(request.event, int(number)) if _is_number(number) else None
    action = ruling_note(
        command_of(request),
        topic=posted.get("topic", ""),
        question=_question(posted.get("question", "{}")),
        asked=posted.get("asked", ""),
        decided=posted.get("decided", ""),
        table=table,
    )
    return undoable_response(request, action)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 8


def _question(text: str) -> dict[str, Any]:
    try:
        question = json.loads(text)
    except ValueError:
        question = None
    if not isinstance(question, dict):
        raise Refused(_("Das ist keine Frage, die gerechnet werden kann."), code="bad_question")
    return question


def _table(event: Event, number: str) -> Table | None:
    if not _is_number(number):
        return None
    return Table.objects.live().filter(event=event, number=int(number)).first()


def _found(event: Event, asked: str) -> dict[str, Any]:
    return {"rulings": rulings_found(event, asked), "asked": asked.strip(), "topics": TOPICS}


def _data(event: Event, table: Table | None, request: Any) -> dict[str, Any]:
    """Return what the page reckons with: the rules, and the amounts of the level in force."""
    rules = event.rule_set
    level = table_in_force(event, table, present(event)).level if table is not None else None
    played = game_named((level.game if level else "") or event.game)
    return {
        "game": played.bets_as if played else event.game,
        "played": played.name if played else level.game if level else "",
        "contest": played.key if played else "",
        "limit": (level.limit if level else "") or event.limit or LimitKind.NO_LIMIT.value,
        "rule": rules.minimum_raise.value,
        "cap": rules.raise_cap.value,
        "small_blind": level.small_blind if level else None,
        "big_blind": (level.big_blind or level.small_bet) if level else None,
        "big_bet": level.big_bet if level else None,
        "bring_in": level.bring_in if level else None,
        "event_heads_up": event.has_started and players_left(event) == 2,
        "rules_url": "" if event.is_clock_only else reverse("rules", args=[event.slug]),
        "anchors": anchors_of(event),
        "words": desk_words(),
    }
