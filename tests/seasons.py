"""What tests of leagues begin with: evenings played to the end, and leagues over them."""

from collections.abc import Sequence
from datetime import timedelta

from tests import factories as f
from tests.calling import call_service
from tests.prepared import prepared
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, Event, League, Person
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.selectors.leagues import Standings, league_standings
from tournaments.seasons.services.leagues import Takes, league_save

PLAYERS = ("Anna Ast", "Bert Buch", "Carla Clement", "Dora Dinkel")
WEEK = timedelta(days=7)


@prepared
def evening(order: Sequence[str] = PLAYERS, *, number: int = 0, **settings) -> Event:
    """Play an evening to the end; `order` is who was how good, the winner first.

    Everybody is knocked out by who comes next in that order.
    """
    begins = f.START + number * WEEK
    settings = {"name": f"Freitag {number + 1}", "starts_at": begins, **settings}
    event = f.make_event(at=begins - timedelta(hours=1), **settings)
    rows = [f.register(event, name, at=begins - timedelta(minutes=30)) for name in order]
    entries = [f.check_in(event, row, at=begins - timedelta(minutes=20)) for row in rows]
    clock_start(Command(event=event, by=SYSTEM, at=begins))
    for minute, entry in enumerate(reversed(entries[1:]), start=1):
        at = begins + timedelta(minutes=10 * minute)
        taker = entries[entries.index(entry) - 1]
        said = {"event": event, "by": SYSTEM, "at": at}
        call_service(entries_eliminate, **said, entries=[entry])
        out = Elimination.objects.live().get(entry=entry)
        call_service(knockout_set, **said, eliminations=[out], takers=[taker])
    end(event, begins + timedelta(minutes=10 * len(entries)))
    return f.fresh(event)


def end(event: Event, at) -> None:
    if f.fresh(event).ended_by_id is None:
        call_service(event_end, event=f.fresh(event), by=SYSTEM, at=at)


@prepared
def make_league(name: str = "Liga 2026", terms: Terms | None = None, **own) -> League:
    takes = own.pop("takes", Takes())
    made = call_service(
        league_save, club=f.house(), by=SYSTEM, at=f.ARRIVAL, name=name,
        terms=terms or Terms(), takes=takes, **own,
    )  # fmt: skip
    return League.objects.select_related("club").get(pk=made.payload["league"])


def in_club(service, **own):
    return call_service(service, club=f.house(), by=SYSTEM, at=f.after(600), **own)


def standing(league: League, *, to_staff: bool = True) -> Standings:
    return league_standings(League.objects.get(pk=league.pk), to_staff=to_staff)


def points(league: League, *, to_staff: bool = True) -> dict[str, int]:
    """Return everybody's points, in hundredths, best first."""
    found = standing(league, to_staff=to_staff)
    return {found.name(row.person): row.points for row in found.rows}


def person(name: str) -> Person:
    return Person.objects.get(name=name)
