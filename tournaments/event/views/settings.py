"""The settings of an evening: six cards to read, one of them open to be changed."""

from copy import copy
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.selectors import clock_levels, clock_plan
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of, present
from tournaments.event.forms.settings import SettingsForm
from tournaments.event.selectors.level_words import breaks_in_words
from tournaments.event.selectors.plans import level_minutes_of
from tournaments.event.selectors.settings import cards
from tournaments.event.selectors.settings.setting import Section
from tournaments.event.services.lifecycle import event_update
from tournaments.event.views.clock import consequence_unseen
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt, obstacles_of
from tournaments.models import Event

CARD, FIELD, SEARCH, SENTENCE = "karte", "feld", "suche", "satz"


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def settings(request: StaffRequest) -> HttpResponse:
    """Show the cards, one of them open, or what is found; save the open card."""
    event, asked = request.event, request.GET.get(CARD, "")
    section = Section(asked) if asked in set(Section) else None
    obstacles = obstacles_of(event)
    if request.method == "POST":
        if section is None:
            raise Refused(_("Bitte eine Karte öffnen und dort speichern."), code="no_card")
        return _save(request, section, obstacles)
    typed = request.GET.get(SEARCH, "").strip()
    hits = cards.settings_found(event, typed)
    is_part = bool(request.headers.get("HX-Request"))
    if hits and not is_part:
        found = hits[0].setting
        assert found.section is not None
        query = urlencode({CARD: found.section, FIELD: found.fields[0]})
        return HttpResponseRedirect(f"{request.path}?{query}")
    context = {"typed": typed, "hits": hits}
    if section is not None:
        context |= _open(event, section, _form(request, section, obstacles))
    return _page(request, obstacles, context, is_part=is_part)


def _form(request: StaffRequest, section: Section, obstacles: dict[str, str]) -> SettingsForm:
    event, focus = request.event, request.GET.get(FIELD, "")
    sent = request.POST if request.method == "POST" else None
    shown = cards.settings_of_card(event, section, focus)
    today = timezone.localdate(present(event))
    return SettingsForm(
        sent, event=event, shown=shown, obstacles=obstacles, focus=focus, today=today
    )


def _save(request: StaffRequest, section: Section, obstacles: dict[str, str]) -> HttpResponse:
    """Save the card; or only say what its sentence would be."""
    event, form = request.event, _form(request, section, obstacles)
    is_valid = form.is_valid()
    if SENTENCE in request.GET:
        like = copy(event)  # with what is typed so far, as far as it can be read
        for name, value in form.changes().items():
            setattr(like, name, value)
        return HttpResponse(cards.sentence_of(like, section))
    asked = None
    if is_valid:
        changed = form.changes()
        asked = consequence_unseen(event, changed, request.POST.get("seen", ""))
        call = lambda: event_update(command_of(request), settings=changed)  # noqa: E731
        action = None if asked else attempt(form, call)
        if action:
            return action_response(request, action, go_to=request.path)
    context = _open(event, section, form) | {"asked": asked}
    return _page(request, obstacles, context, status=WRONG if form.errors else 200)


def _open(event: Event, section: Section, form: SettingsForm) -> dict[str, Any]:
    return {
        "section": section,
        "title": cards.CARDS[section],
        "form": form,
        "sentence": cards.sentence_of(event, section),
        "level_minutes": level_minutes_of(clock_plan(event.clock)),
        "schedule_breaks": breaks_in_words(clock_levels(event.clock)),
    }


def _page(
    request: StaffRequest,
    obstacles: dict[str, str],
    context: dict[str, Any],
    *,
    is_part: bool = False,
    status: int = 200,
) -> HttpResponse:
    event = request.event
    source = cards.copied_from(event)
    shown = cards.cards_of(event, obstacles, source)
    context = page_context(request, event, request.actor) | {
        "tab": "settings",
        "cards": shown,
        "source": source,
        "news": sum(len(card.others) + card.more for card in shown),
        "locks": obstacles,
        "schedule_obstacle": obstacles.get("schedule"),
        **context,
    }
    template = "events/settings_cards.html" if is_part else "events/settings.html"
    return render(request, template, context, status=status)
