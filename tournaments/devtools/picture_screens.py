"""The faces of the big screen for the screenshots, each made just before its picture is taken.

Made through the services, as the rest of the scene is. Needs Django set up, and a scene that has
been played.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from clock.domain import Level, LevelKind
from clock.selectors import clock_levels
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.club.services.theme import club_colour_set, club_logo_remove, club_logo_set
from tournaments.devtools.picture_evening import MINUTE, Evening
from tournaments.event.services.clock import clock_pause, clock_stop_after_breaks
from tournaments.event.services.clock_hands import clock_last_hands
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.models import Club, Event, Screen
from tournaments.play.services.bubble import (
    hand_for_hand_begin,
    heads_check,
    money_reach,
    round_release,
    table_report,
)
from tournaments.post.services.announcements import announcement_made
from tournaments.screens.services.screens import screen_claim, screen_make
from tournaments.seating.selectors.tables import table_counts, tables_live
from tournaments.seating.services.tables import final_table_draw

SECOND = timedelta(seconds=1)
# Level 5 of T200 begins after four levels of 20 minutes, and a break put in after it follows.
FIFTH, BREAK = 80 * MINUTE, 100 * MINUTE
LOGO = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32">
<rect width="96" height="32" rx="4" fill="#7a1f2b"/>
<path d="M16 5C12 12 6 15 6 20a5 5 0 0 0 9 3l-2 5h6l-2-5a5 5 0 0 0 9-3c0-5-6-8-10-15Z" fill="#fff"/>
<path d="M36 9h8l6 7 6-7h8L54 19v6h-8v-6Z" fill="#fff"/></svg>"""


class Faces:
    """A club whose big screens are to be looked at."""

    def __init__(self, club: Club) -> None:
        self.club = club
        roles = (Role.DIRECTOR, Role.DESK, Role.ARBITER)
        self.evening = Evening(club, timezone.now(), dict.fromkeys(roles, SYSTEM))
        sample = (settings.FIXTURES / "sample.json").read_text("utf-8")
        self.people = json.loads(sample)["people"]

    def under_way(self, played: timedelta, *, players: int = 18, **own: Any) -> Event:
        """Return an event whose clock has run so long."""
        begun = timezone.now() - played
        event = self.evening.event("Vereinsturnier", begun, **own)
        self.evening.arrive(event, self.people[:players], begun - 5 * MINUTE, players)
        self.evening.begin(event, begun)
        return event

    def command(self, event: Event, ago: timedelta = MINUTE) -> Command:
        return Command(event=event, by=SYSTEM, at=timezone.now() - ago)

    def before(self) -> Event:
        starts_at = timezone.now() + 4.6 * MINUTE
        event = self.evening.event("Vereinsturnier", starts_at)
        self.evening.arrive(event, self.people[:23], starts_at - 10 * MINUTE, 21)
        return event

    def warning(self) -> Event:
        return self.under_way(FIFTH - 40 * SECOND)

    def level(self) -> Event:
        return self.under_way(FIFTH + SECOND)

    def paused(self) -> Event:
        event = self.under_way(FIFTH + 8 * MINUTE)
        clock_pause(self.command(event))
        return event

    def with_break(self, *colour_up: int, played: timedelta = BREAK + 2 * MINUTE) -> Event:
        event = self.under_way(played)
        levels = list(clock_levels(event.clock))
        pause = Level(id=0, kind=LevelKind.BREAK, duration=10 * MINUTE, colour_up=colour_up)
        wanted = [*levels[:5], pause, *levels[5:]]
        begun = timezone.now() - played
        schedule_edit(
            Command(event=event, by=SYSTEM, at=begun + MINUTE),
            levels=wanted,
            based_on=[level.id for level in levels],
        )
        clock_stop_after_breaks(Command(event=event, by=SYSTEM, at=begun + 2 * MINUTE), stops=True)
        return event

    def waiting(self) -> Event:
        return self.with_break(played=BREAK + 11 * MINUTE)

    def last_hands(self) -> Event:
        event = self.under_way(FIFTH + 8 * MINUTE)
        clock_last_hands(self.command(event), hands=3)
        return event

    def hand_for_hand(self) -> Event:
        event = self.under_way(FIFTH + 8 * MINUTE, players=36, paid_places=5)
        hand_for_hand_begin(self.command(event))
        tables = tables_live(event)
        for table in tables:
            table_report(self.command(event), table=table, number=0)
        round_release(self.command(event), after=0)
        for table in tables[:2]:
            table_report(self.command(event), table=table, number=1)
        return event

    def final_table(self) -> Event:
        event = self.under_way(FIFTH + 8 * MINUTE, paid_places=5)
        self.evening.play(event, timezone.now() - 30 * MINUTE, MINUTE, 9)
        if len(tables_live(event)) > 1:
            final_table_draw(self.command(event))
        return event

    def money(self) -> Event:
        event = self.under_way(FIFTH + 8 * MINUTE, players=12, paid_places=5)
        self.evening.play(event, timezone.now() - 30 * MINUTE, MINUTE, 5)
        for table in tables_live(event):
            (players,) = [row.players for row in table_counts(event) if row.number == table.number]
            heads_check(self.command(event), table=table, players=players)
        money_reach(self.command(event, 2 * SECOND))
        return event

    def announcement(self) -> Event:
        event = self.under_way(FIFTH + 8 * MINUTE)
        announcement_made(self.command(event, SECOND), text="Das Essen ist fertig, Mahlzeit.")
        return event

    def theme(self) -> Event:
        """Dress the club: pictures have its colour until it is undressed."""
        command = ClubCommand(club=self.club, by=SYSTEM, at=timezone.now())
        club_colour_set(command, colour="#c8505f")
        club_logo_set(command, data=LOGO)
        return self.under_way(FIFTH + 8 * MINUTE)

    def undress(self) -> None:
        """Give the club back the look of the house."""
        command = ClubCommand(club=self.club, by=SYSTEM, at=timezone.now())
        club_colour_set(command, colour="")
        club_logo_remove(command)

    def paired(self, event: Event, shows: str) -> str:
        """Pair a screen that shows this, and return its secret."""
        secret, at = f"picture-screen-{shows}", timezone.now()
        screen = screen_make(club=self.club, secret=secret, at=at)
        screen_claim(
            ClubCommand(club=self.club, by=SYSTEM, at=at),
            code=screen.code,
            name=f"Beamer {shows}",
            event=event,
        )
        Screen.objects.filter(pk=screen.pk).update(shows=shows)
        return secret

    def code(self, at: datetime) -> str:
        """Make a screen that nobody has claimed, and return its secret."""
        secret = "picture-screen-code"
        screen = screen_make(club=self.club, secret=secret, at=at)
        Screen.objects.filter(pk=screen.pk).update(code="K7M2RX")
        return secret


# In the order in which they are taken.
FACES: Mapping[str, Callable[[Faces], Event]] = {
    "before": Faces.before,
    "warning": Faces.warning,
    "level": Faces.level,
    "break": Faces.with_break,
    "colour-up": lambda faces: faces.with_break(1),
    "waiting": Faces.waiting,
    "paused": Faces.paused,
    "last-hands": Faces.last_hands,
    "hand-for-hand": Faces.hand_for_hand,
    "money": Faces.money,
    "final-table": Faces.final_table,
    "announcement": Faces.announcement,
}
