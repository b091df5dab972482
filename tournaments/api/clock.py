"""The clock: its state, and its controls for the director."""

from datetime import timedelta

from ninja import Router

from clock.selectors import clock_state
from tournaments.api.events import level_out
from tournaments.api.log import DONE, done
from tournaments.api.requests import FOR_ALL, READS, ApiRequest, Json, Key, Token, command_of
from tournaments.api.schemas import ClockOut, ShiftIn
from tournaments.changes.access import Permission
from tournaments.changes.views.requests import present
from tournaments.event.services.clock import (
    clock_adjust,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
)
from tournaments.screens.views.big_screen import address_told, screen_payload

router = Router(tags=["Clock"])
DRIVES = Token(Permission.DRIVE_CLOCK)
_CLOCK = "/events/{slug:slug}/clock"


@router.get(_CLOCK, **FOR_ALL, response={200: ClockOut, **READS})
def clock(request: ApiRequest, slug: str) -> Json:
    """Return the clock's present state. No need to poll every second: count down by yourself."""
    event = request.event
    now = present(event)
    state = clock_state(event.clock, now)
    return {
        "now": now,
        "version": event.version,
        "has_started": state.has_started,
        "is_running": state.is_running,
        "is_waiting": state.is_waiting,
        "level": level_out(state.level),
        "elapsed_seconds": _seconds(state.elapsed),
        "remaining_seconds": _seconds(state.remaining),
        "last_hands": state.last_hands,
        "hands": state.hands,
        "level_began_at": state.level_began_at,
        "next_change_at": state.next_change_at,
        "next_level": level_out(state.next_level) if state.next_level else None,
        "next_break": level_out(state.next_break) if state.next_break else None,
        "seconds_to_break": _seconds(state.time_to_break),
    }


@router.get("/events/{slug:slug}/screen", **FOR_ALL, response={200: Json, **READS})
def screen(request: ApiRequest, slug: str) -> Json:
    """Return a big screen's data to run by itself. Its times are milliseconds.

    `clock` holds the levels and the anchor to count from, `stream` the address of server-sent
    events for every change. Later versions may add further parts.
    """
    return screen_payload(request.event) | address_told(request)


@router.post(f"{_CLOCK}/start", auth=DRIVES, response=DONE)
def start(request: ApiRequest, slug: str, key: Key) -> Json:
    """Start the clock, or resume after a pause; the first start begins the tournament."""
    return done(clock_start(command_of(request, key)))


@router.post(f"{_CLOCK}/pause", auth=DRIVES, response=DONE)
def pause(request: ApiRequest, slug: str, key: Key) -> Json:
    """Stop the clock."""
    return done(clock_pause(command_of(request, key)))


@router.post(f"{_CLOCK}/next", auth=DRIVES, response=DONE)
def next_level(request: ApiRequest, slug: str, key: Key) -> Json:
    """Go to the beginning of the next level or break."""
    return done(clock_next_level(command_of(request, key)))


@router.post(f"{_CLOCK}/previous", auth=DRIVES, response=DONE)
def previous_level(request: ApiRequest, slug: str, key: Key) -> Json:
    """Go back to the beginning of the level before."""
    return done(clock_previous_level(command_of(request, key)))


@router.post(f"{_CLOCK}/adjust", auth=DRIVES, response=DONE)
def adjust(request: ApiRequest, slug: str, key: Key, shift: ShiftIn) -> Json:
    """Give the players time, or remove it from the level."""
    return done(clock_adjust(command_of(request, key), seconds=shift.seconds))


def _seconds(span: timedelta | None) -> int | None:
    return None if span is None else span // timedelta(seconds=1)
