"""The clock's controls and the figures on the director's page."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clock.domain import ClockState
from clock.selectors import clock_state
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.selectors.clock import counts_hands, planned_start
from tournaments.event.selectors.event import (
    chips_in_play,
    entries_live_count,
    players_left,
    screen_figures,
)
from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.play.selectors.bubble import bubble_of
from tournaments.prizes.selectors.plans import paid_places


def page_now(request: StaffRequest) -> datetime:
    """Return the present time of the page, the same for all parts to share their reads."""
    found: datetime = request.__dict__.setdefault("_krru_now", present(request.event))
    return found


def clock_shown(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, page_now(request)
    state = clock_state(event.clock, now)
    return {
        "is_running": state.is_running,
        "is_waiting": state.is_waiting,
        "last_hands": state.last_hands,
        "counts_hands": counts_hands(state),
        "colour_up": _leaving_now(state),
        "next_colour_up": state.next_level.colour_up if state.next_level else (),
        "starts_at": planned_start(event),
        "is_ready": event.has_started or entries_live_count(event) > 0,
        # In hand-for-hand the clock stands for a reason; in a break it should run.
        "stands_for_hands": not (state.is_running or state.level.is_break)
        and bubble_of(event).round is not None,
    }


def _leaving_now(state: ClockState) -> tuple[int, ...]:
    """Return the chips leaving play now; those of the level after a break are exchanged in it."""
    if not state.has_started:
        return ()
    follows = state.next_level.colour_up if state.level.is_break and state.next_level else ()
    return state.level.colour_up or follows


def facts_shown(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    chips, is_exact = chips_in_play(event)
    paid = paid_places(event)
    return {
        "paid_places": paid,
        "figures": screen_figures(event, page_now(request)),
        "to_money": 0 if bubble_of(event).is_reached else max(0, players_left(event) - paid),
        "chips": chips,
        "chips_are_exact": is_exact,
    }


def end_shown(request: StaffRequest) -> dict[str, Any]:
    return {"forecast": forecast_of(request.event, page_now(request))}
