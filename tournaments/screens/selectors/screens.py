"""Big screens on pages, and their content in a hall: seats by name, moves, places, the money.

Names are those of the hall, see `people.selectors.hall`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clock.domain import instant_ms
from clock.realtime import topics_heard
from tournaments.changes.kinds import kind_names
from tournaments.event.selectors.labels import money
from tournaments.models import Club, Entry, Event, Screen, Seating
from tournaments.payouts.selectors.bounties import top_hunters
from tournaments.people.selectors.people import names_shown
from tournaments.play.selectors.bubble import round_current, tables_awaited
from tournaments.play.selectors.ranking import places_basis, places_from
from tournaments.play.selectors.rooms import rooms_behind
from tournaments.seating.selectors.tables import tables_live

LANGUAGES = ("de", "en")
# The themes of a screen: clock/static/clock/screen-dress.css has the colours.
THEMES = ("night", "felt", "ink")
# `own` is the last change of the club's own face.
DEFAULTS: dict[str, Any] = {
    "own": 0,
    "voice": True,
    "volume": 80,
    "signal": "gong",
    "quiet": False,
    "language": "de",
    "theme": "night",
}
SILENT_AFTER = timedelta(seconds=60)
MOST_MOVES = 40
MOST_HUNTERS = 20


class Alive(StrEnum):
    """Whether a screen is alive: recently heard, silent, or unknown."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ScreenPicture:
    """A screen for the director."""

    screen: Screen
    settings: dict[str, Any]
    alive: Alive

    @property
    def is_silent(self) -> bool:
        return self.alive is Alive.NO

    @property
    def is_blocked(self) -> bool:
        """Tell whether the browser blocks its sound."""
        has_sound = not self.settings["quiet"]
        return has_sound and self.screen.sound_state == Screen.Sound.BLOCKED


def screen_settings(screen: Screen) -> dict[str, Any]:
    """Return all settings of a screen, with defaults."""
    return {**DEFAULTS, **screen.settings}


def screen_config(screen: Screen) -> dict[str, Any]:
    """Return a screen's configuration. Sent with every change: no personal data."""
    return {
        "version": screen.version,
        "is_claimed": screen.is_claimed,
        "event": screen.event_id if screen.is_claimed else None,
        "shows": screen.shows,
        **screen_settings(screen),
    }


def screens_claimed(club: Club) -> QuerySet[Screen]:
    rows = Screen.objects.filter(club=club, retired_by=None).exclude(claimed_by=None)
    return rows.select_related("event__head").order_by("name", "pk")


def screen_pictures(
    club: Club, now: datetime, *, event: Event | None = None
) -> list[ScreenPicture]:
    """Return the club's screens, or those of one event, each with its state."""
    rows = screens_claimed(club)
    screens = list(rows.filter(event=event) if event is not None else rows)
    heard = topics_heard([screen.stream_topic for screen in screens])
    return [
        ScreenPicture(screen, screen_settings(screen), _alive(screen, heard, now))
        for screen in screens
    ]


def _alive(screen: Screen, heard: set[str] | None, now: datetime) -> Alive:
    if screen.seen_at is not None and now - screen.seen_at <= SILENT_AFTER:
        return Alive.YES
    if heard is None:
        return Alive.UNKNOWN
    return Alive.YES if screen.stream_topic in heard else Alive.NO


def screen_hand_for_hand(event: Event) -> dict[str, Any] | None:
    """Return the present round of hand-for-hand, and the number of tables done.

    `elsewhere` are the other rooms still playing it.

    Round 0 means the hands running at the announcement. `since` is the announcement's time, in
    milliseconds since 1970. One query without hand-for-hand.
    """
    current = round_current(event)
    if current is None:
        return None
    tables, awaited = len(tables_live(event)), len(tables_awaited(event, current))
    return {
        "round": current.number,
        "reported": tables - awaited,
        "tables": tables,
        "elsewhere": ", ".join(room.label for room in rooms_behind(event)),
        "since": instant_ms(current.hand_for_hand.began_at),
    }


def hall_seating(event: Event) -> list[list[Any]]:
    """Return [name, table, seat] of all seated players, by name (two queries)."""
    names = names_shown(event, in_hall=True)
    rows = (
        Seating.objects.live()
        .filter(event=event)
        .order_by("entry__registration__person__sort_name", "entry_id")
        .values_list("entry__registration", "table__number", "seat")
    )
    return [[names[registration], table, seat] for registration, table, seat in rows]


def hall_moves(event: Event) -> list[list[Any]]:
    """Return [when, name, from table, from seat, table, seat] of recent moves, newest first.

    `when` is in milliseconds since 1970. A first seat is no move.
    """
    moving = kind_names(lambda kind: kind.moves_players)
    moved = {
        row.entry_id: row
        for row in Seating.objects.live()
        .filter(Q(made_by__kind__in=moving) | Q(made_by__undoes__isnull=False), event=event)
        .select_related("made_by", "table", "entry")
        .order_by("-made_by_id", "table__number", "seat")[:MOST_MOVES]
    }
    actions = {row.made_by_id for row in moved.values()}
    left = Seating.objects.filter(voided_by__in=actions, entry__in=moved).select_related("table")
    names = names_shown(event, in_hall=True)
    came_from = {row.entry_id: (row.table.number, row.seat) for row in left}
    return [
        [
            instant_ms(row.made_by.recorded_at),
            names[row.entry.registration_id],
            *came_from[entry],
            row.table.number,
            row.seat,
        ]
        for entry, row in moved.items()
        if came_from.get(entry, (row.table.number, row.seat)) != (row.table.number, row.seat)
    ]


def hall_places(
    event: Event, prizes: Mapping[int, str] | None = None, *, in_hall: bool = True
) -> list[list[Any]]:
    """Return [place, name] of all players with a place, the best first.

    A place set by the director is marked after the name. With `prizes` the prize follows.
    """
    basis = places_basis(event)
    found, overruled = places_from(basis), basis.overruled
    names = names_shown(event, in_hall=in_hall)
    rows = (
        Entry.objects.live()
        .filter(event=event)
        .order_by("registration__person__sort_name", "pk")
        .values_list("pk", "registration")
    )
    marked = _("%(name)s (festgelegt)")
    placed = [
        [
            found[entry],
            marked % {"name": names[person]} if entry in overruled else names[person],
            *([] if prizes is None else [prizes.get(entry, "")]),
        ]
        for entry, person in rows
        if entry in found
    ]
    return sorted(placed, key=lambda row: row[0])


def hall_hunters(
    event: Event, many: int = MOST_HUNTERS, *, in_hall: bool = True
) -> list[list[Any]]:
    """Return [name, bounties taken, amount won] of all bounty winners, the most first."""
    lines = top_hunters(event, many)
    names = names_shown(event, in_hall=in_hall) if lines else {}
    return [[names[line.registration], line.heads_taken, money(line.won)] for line in lines]
