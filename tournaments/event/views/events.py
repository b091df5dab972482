"""Cancel an evening, or end it without a winner; what its forms share.

A form with an error comes back filled in, with status 422 and the reason next to the field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.tasks import speech_prepare
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of, present
from tournaments.event.domain.games import LimitKind, shows_big_bet
from tournaments.event.forms.event import CancelForm, StacksForm
from tournaments.event.selectors.chips import stacks_counted_now
from tournaments.event.selectors.event import (
    chips_in_play,
    entry_names,
    event_alive_entry_ids,
    players_left,
    registrations_live_count,
)
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.event.services.lifecycle import event_cancel, event_end, obstacle_to_change
from tournaments.event.views.context import page_context
from tournaments.models import Action, Event

WRONG = 422
FORM_METHODS = ("GET", "HEAD", "POST")


def obstacles_of(event: Event) -> dict[str, str]:
    """Return the reasons of fixed settings, by name."""
    names = setting_names(lambda setting: setting.is_changeable)
    if event.is_over:
        return dict.fromkeys(names, _("Der Abend ist beendet."))
    found = {name: obstacle_to_change(event, name) for name in names}
    return {name: str(obstacle) for name, obstacle in found.items() if obstacle}


def attempt(form: Refusable, call: Callable[[], Action]) -> Action | None:
    """Return a service's action, or None with its refusal in the form."""
    try:
        return call()
    except Refused as refusal:
        form.refuse(refusal)
        return None


def speak_beforehand(event: Event) -> None:
    """Let a worker speak a schedule's announcements in advance for a fast load of screens."""
    shown = shows_big_bet(LimitKind(event.limit))
    speech_prepare.delay(event.clock_id, shows_big_bet=shown)


# --- Cancel a tournament, or end it without a winner. Both can be undone


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def cancel(request: StaffRequest) -> HttpResponse:
    """Explain the cancellation, and do it."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    form = CancelForm(sent)
    if sent is not None and form.is_valid():
        reason = form.cleaned_data["reason"]
        action = attempt(form, lambda: event_cancel(command_of(request), reason=reason))
        if action:
            return action_response(request, action, go_to=reverse("director", args=[event.slug]))
    context = page_context(request, event, request.actor) | {
        "form": form,
        "obstacle": _("Das Turnier ist schon beendet.") if event.is_over else "",
        "registrations": registrations_live_count(event),
    }
    return render(request, "events/cancel.html", context, status=WRONG if form.errors else 200)


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def end(request: StaffRequest) -> HttpResponse:
    """Explain the end, ask for the remaining players' chips, and end the tournament."""
    event = request.event
    alive = event_alive_entry_ids(event)
    names = entry_names(set(alive))
    sent = request.POST if request.method == "POST" else None
    counts = len(alive) > 1
    players = {entry: names[entry] for entry in alive} if counts else {}
    chips, is_exact = chips_in_play(event)
    known = stacks_counted_now(event, present(event)) if event.has_started and counts else {}
    initial = {f"stack_{entry}": chips for entry, chips in known.items()}
    form = StacksForm(sent, players=players, initial=initial)
    if sent is not None and form.is_valid():
        stacks = form.stacks()
        command = replace(command_of(request), knowingly=form.cleaned_data["is_sure"])
        action = attempt(form, lambda: event_end(command, stacks=stacks))
        if action:
            is_ranked = not (event.is_clock_only or event.is_cash_only)
            then = "results" if is_ranked else "director"
            return action_response(request, action, go_to=reverse(then, args=[event.slug]))
    context = page_context(request, event, request.actor) | {
        "form": form,
        "obstacle": _obstacle_to_end(event),
        "left": players_left(event),
        "winner": names[alive[0]] if len(alive) == 1 else "",
        "chips": chips,
        "is_exact": is_exact,
    }
    return render(request, "events/end.html", context, status=WRONG if form.errors else 200)


def _obstacle_to_end(event: Event) -> str:
    if event.is_over:
        return _("Das Turnier ist schon beendet.")
    if not (event.has_started or event.is_cash_only):
        return _("Das Turnier hat noch nicht begonnen. Es lässt sich absagen.")
    return ""
