"""The rules of a tournament, all of them, for whoever plays by them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.changes.access import actor_of
from tournaments.changes.views.decorators import open_to_all
from tournaments.event.selectors.rule_texts import (
    differences,
    preset_of,
    rules_changed_at,
    rules_shown,
)
from tournaments.event.views.context import page_context


@open_to_all(people=True)
def rules(request: Any, slug: str) -> HttpResponse:
    """Show every procedure that TDA 2024 11-C wants told, and what the house adds."""
    event = request.event
    differing = differences(event, preset_of(event))
    context = page_context(request, event, actor_of(request.device, event)) | {
        "rules": rules_shown(event, frozenset(one.rule.name for one in differing)),
        "has_differences": bool(differing),
        "changed_at": rules_changed_at(event),
    }
    return render(request, "public/rules_page.html", context)
