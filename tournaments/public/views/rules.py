"""All rules of a tournament for players, and their earlier states."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from tournaments.changes.access import actor_of
from tournaments.changes.views.decorators import open_to_all
from tournaments.event.views.context import page_context
from tournaments.prizes.selectors.plans import paid_places
from tournaments.rules.selectors.book import chapters_after, chapters_before
from tournaments.rules.selectors.rule_history import rule_states
from tournaments.rules.selectors.rule_texts import (
    differences,
    differences_between,
    preset_of,
    rules_shown,
    rules_shown_then,
)
from tournaments.rulings.selectors.hands_page import ALL_HANDS, hands_shown


@open_to_all(people=True)
def rules(request: Any, slug: str) -> HttpResponse:
    """Show the rules, with every procedure to be announced by TDA 2024 11-C."""
    event = request.event
    preset = preset_of(event)
    differing = differences(event, preset)
    states = rule_states(event)
    context = page_context(request, event, actor_of(request.device, event)) | {
        "rules": rules_shown(event, differing, paid=paid_places(event)),
        "has_differences": bool(differing),
        "preset": preset,
        "states": states,
        "state": states[-1] if states else None,
        "before": chapters_before(event),
        "after": chapters_after(event),
        "hands": hands_shown(),
        "whole": ALL_HANDS,
    }
    return render(request, "public/rules_page.html", context)


@open_to_all(people=True)
def rules_then(request: Any, slug: str, number: int) -> HttpResponse:
    """Show the house rules after so many changes, with the differences to the present ones."""
    event = request.event
    states = rule_states(event)
    if not 1 <= number <= len(states):
        raise Http404
    state, latest = states[number - 1], states[-1]
    differing = differences_between(event, state.rules, latest.rules)
    context = page_context(request, event, actor_of(request.device, event)) | {
        "rules": rules_shown_then(event, state.rules, differing),
        "has_differences": bool(differing),
        "has_other_text": state.rules.own_text != latest.rules.own_text,
        "states": states,
        "state": state,
    }
    return render(request, "public/rules_then.html", context)
