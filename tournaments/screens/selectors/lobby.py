"""The lobby: every event of the club that runs or is about to begin. Reads only.

A page gets all coming levels and instants once and counts by itself, until a stream of one of these
events tells of a change.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.cache import cache
from django.db.models import Q
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clock.domain import Level, instant_ms, instant_of
from clock.selectors import clock_anchor, clock_levels, clock_state
from clock.snapshot import snapshot
from clock.stream import PREFIX, stream_token
from tournaments.event.selectors.event import (
    average_stack,
    chips_in_play,
    entries_live_count,
    event_accepts_late,
    event_last_late_position,
    players_left,
    registrations_placed_count,
    takes_bags_only,
)
from tournaments.models import Club, Event, What
from tournaments.rebuys.selectors.offers import goods_of
from tournaments.screens.domain.lobby import Miss, order_of
from tournaments.screens.selectors.faces import BEGINS_WITHIN, BEGUN_WITHIN, hall_cash

MOST_STREAMS = 32
KEPT_S = 3600
OPEN = -1  # late entry without a known end: the clock stands


def lobby_events(club: Club, now: datetime) -> list[Event]:
    """Return the running events, and those that begin within half a day; no samples."""
    near = Q(starts_at__range=(now - BEGUN_WITHIN, now + BEGINS_WITHIN))
    rows = Event.objects.open().filter(club=club, is_sample=False)
    found = rows.filter(near | Q(head__started_by__isnull=False))
    return list(found.select_related("head", "clock", "club").order_by("starts_at", "pk"))


def lobby_of(club: Club, now: datetime) -> dict[str, Any]:
    """Return all that a lobby shows; kept until one of its events changes."""
    events = lobby_events(club, now)
    versions = ",".join(f"{event.pk}:{event.version}" for event in events)
    key = f"lobby/{club.pk}/{get_language()}/{versions}"
    rows: Any = cache.get_or_set(
        key, lambda: [row for event in events for row in _rows(event, now)], KEPT_S
    )

    def order(row: dict[str, Any]) -> tuple[bool, bool, int]:
        coming = (at for _what, at in row["coming"])
        return order_of(coming, instant_ms(now), is_cash=row["is_cash"])

    tokens = ",".join(stream_token(event.stream_topic) for event in events[:MOST_STREAMS])
    return {
        "now": instant_ms(now),
        "rows": sorted(rows, key=order),
        "streams": f"{PREFIX}{tokens}/" if tokens else "",
        "key": versions,
        "zone": settings.TIME_ZONE,
    }


def _rows(event: Event, now: datetime) -> Iterator[dict[str, Any]]:
    snapshot(event, event.clock)
    if not event.is_cash_only:
        yield _tournament(event, now)
    yield from _cash(event, now)


def _tournament(event: Event, now: datetime) -> dict[str, Any]:
    begins = _begins(event, now) if event.has_started else {}
    levels = clock_levels(event.clock)
    left, entries = players_left(event), entries_live_count(event)
    chips, is_exact = chips_in_play(event)
    average = average_stack(chips, left)
    late = event_last_late_position(event)
    return {
        "name": event.name,
        "url": reverse("tournament", args=[event.slug]),
        "is_cash": False,
        "levels": [[at, _level(levels[index])] for index, at in begins.items()],
        "stands": event.has_started and not clock_state(event.clock, now).is_running,
        "coming": _coming(event, begins),
        "late": (_end_of(begins, late) or OPEN) if event_accepts_late(event, now) else None,
        "field": _field(event, left, entries),
        "average": f"{'' if is_exact else '≈ '}{intcomma(average)}" if average else "",
    }


def _field(event: Event, left: int, entries: int) -> str:
    if event.has_started:
        return f"{intcomma(left)} / {intcomma(entries)}"
    placed = registrations_placed_count(event)
    if takes_bags_only(event):
        return intcomma(placed) if placed else ""
    return f"{intcomma(placed)} / {intcomma(event.capacity)}"


def _begins(event: Event, now: datetime) -> dict[int, int]:
    """Return the beginning of the present level and of those whose time is known, by index.

    The time after a level is not known while the clock stands.
    """
    state, levels = clock_state(event.clock, now), clock_levels(event.clock)
    stops = clock_anchor(event.clock).stops_after_break
    found = {state.index: instant_ms(state.level_began_at or now)}
    at, index = state.next_change_at, state.index
    while at is not None and index + 1 < len(levels):
        index += 1
        level = levels[index]
        found[index] = instant_ms(at)
        ends = level.duration is not None and not (stops and level.is_break)
        at = at + (level.duration or timedelta()) if ends else None
    return found


def break_next(event: Event, now: datetime) -> str:
    """Return the time of day at which the next break begins; empty if not known."""
    if not event.has_started or event.is_cash_only:
        return ""
    levels = clock_levels(event.clock)
    found = (at for index, at in _begins(event, now).items() if levels[index].is_break)
    at = next((one for one in found if one > instant_ms(now)), None)
    return time_format(localtime(instant_of(at)), "H:i") if at is not None else ""


def _end_of(begins: dict[int, int], last: int | None) -> int | None:
    return None if last is None else begins.get(last + 1)


def _coming(event: Event, begins: dict[int, int]) -> list[list[Any]]:
    if not event.has_started:
        return [[Miss.START.value, instant_ms(event.starts_at)]]
    levels = clock_levels(event.clock)
    found = [(at, Miss.BREAK) for index, at in begins.items() if levels[index].is_break]
    lasts = {Miss.LATE: event_last_late_position(event)}
    for good in goods_of(event):
        if good.what == What.REBUY:
            lasts[Miss.REBUY] = good.offer.last
        elif good.what == What.ADDON and good.offer.first in begins and good.offer.first:
            found.append((begins[good.offer.first], Miss.ADDON))
    ends = ((what, _end_of(begins, last)) for what, last in lasts.items())
    found += [(at, what) for what, at in ends if at is not None]
    # Of several at one instant the one missed for good comes first.
    in_order = sorted(found, key=lambda one: (one[0], list(Miss).index(one[1])))
    return [[what.value, at] for at, what in in_order]


def _level(level: Level) -> str:
    if level.is_break:
        return _("Pause")
    small, big = (level.small_blind, level.big_blind)
    if not big:
        small, big = level.small_bet, level.big_bet
    words = _("Stufe %(number)s") % {"number": level.number}
    return f"{words} · {intcomma(small)}/{intcomma(big)}" if big else words


def _cash(event: Event, now: datetime) -> Iterator[dict[str, Any]]:
    """Return a row for the tables of each stakes: free seats, and how many wait."""
    stakes: dict[str, list[dict[str, Any]]] = {}
    for table in hall_cash(event, now, with_names=False):
        stakes.setdefault(f"{table['game']} {table['stakes']}".strip(), []).append(table)
    for name, tables in stakes.items():
        waiting, free = (sum(found) for found in zip(*map(_seats, tables), strict=True))
        words = _("%(count)s warten") if waiting else _("%(count)s frei")
        yield {
            "name": name,
            "url": reverse("tournament", args=[event.slug]),
            "is_cash": True,
            "levels": [],
            "stands": False,
            "coming": [],
            "late": None,
            "field": words % {"count": waiting or free},
            "average": "",
        }


def _seats(table: dict[str, Any]) -> tuple[int, int]:
    """Return how many wait for a seat at a table, and its seats not kept for anybody."""
    kept = sum(1 for _name, until in table["line"] if until)
    return len(table["line"]) - kept, max(0, table["empty"] - kept)
