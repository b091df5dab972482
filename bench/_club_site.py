"""What `bench.lighthouse` looks at: a club with all it can say, evenings to come and one past.

Run as `python -m bench._club_site` with the server's environment.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from krru.devtools.serving import ServerProcess

PEOPLE = (
    "Anna Gruber", "Otto Lang", "Petra Probst", "Zoë Ende", "Jakob Eder", "Eva Lang",
    "Hannes Bauer", "Christoph Auer", "Wolfgang Mayr", "Maria Huber", "Ömer Özil", "Nora Nagel",
)  # fmt: skip
ABOUT = {
    "venue": "Gasthof Post",
    "address": "Hauptplatz 3, 4020 Linz",
    "contact": "info@pokerfreunde.example\n+43 660 1234567\nwww.pokerfreunde.example",
    "description": "Wir spielen jeden Freitag, vom Anfänger bis zum Könner.\n\nGäste willkommen.",
    "house_text": "Einlass ab 18 Uhr. Ab 18 Jahren, mit Ausweis. Parken im Hof.",
    "imprint": "Pokerfreunde Linz\nZVR 123456789\nObfrau: Maria Muster, Hauptplatz 3, 4020 Linz",
}


def laid_out(server: ServerProcess) -> dict[str, str]:
    """Make it, and return every address of it that can be written, by its name."""
    server.folder.mkdir(mode=0o700, exist_ok=True)
    told: dict[str, str] = server.ask("bench._club_site")
    return told


def main() -> None:
    """Make it, and print what it is."""
    from bench._child import set_up
    from bench._public_pages import addresses

    set_up()
    from django.db import transaction

    with transaction.atomic():
        told = _made()
    print(json.dumps(addresses(told)))


def _made() -> dict[str, Any]:
    from django.utils import timezone

    from tournaments.changes.access import SYSTEM
    from tournaments.changes.commands import ClubCommand
    from tournaments.club.services.about import club_about_set
    from tournaments.club.services.staff import club_update
    from tournaments.devtools.made import make_event

    now = timezone.now()
    begins = now - timedelta(days=7)
    own = {"capacity": 60, "fee_cents": 2000, "at": begins - timedelta(hours=2)}
    past = make_event("Novembercup", starts_at=begins, **own)
    club = ClubCommand(club=past.club, by=SYSTEM, at=begins - timedelta(hours=2))
    club_update(club, name="Pokerfreunde Linz", backup_folder="")
    club_about_set(club, **ABOUT)
    coming = make_event("Adventcup", starts_at=now + timedelta(days=4), **own)
    make_event("Jahresfinale", starts_at=now + timedelta(days=25), **own)
    _register(past, coming, early=begins - timedelta(minutes=40), now=now)
    entries = _play(past, begins)
    return {"past": past.slug, "coming": coming.slug, **_cash(club, now), **_league(club, entries)}


def _register(past: Any, coming: Any, *, early: datetime, now: datetime) -> None:
    """Check everybody in at the evening that is past, and put them on the list of the next."""
    from tournaments.changes.access import SYSTEM
    from tournaments.changes.commands import Command
    from tournaments.door.services.check_in import entry_check_in
    from tournaments.door.services.registration import registration_create
    from tournaments.models import Registration

    at_the_door = Command(event=past, by=SYSTEM, at=early)
    for name in PEOPLE:
        made = registration_create(at_the_door, name=name)
        row = Registration.objects.get(pk=made.payload["registration"])
        entry_check_in(at_the_door, registration=row)
        registration_create(Command(event=coming, by=SYSTEM, at=now), name=name)


def _play(past: Any, begins: datetime) -> list[Any]:
    """Play the evening to its end, and return the entries: the first has knocked all others out."""
    from tournaments.changes.access import SYSTEM
    from tournaments.changes.commands import Command
    from tournaments.event.services.clock import clock_start
    from tournaments.event.services.ending import event_end
    from tournaments.models import Elimination, Entry
    from tournaments.play.services.elimination_details import knockout_set
    from tournaments.play.services.eliminations import entries_eliminate

    system = partial(Command, event=past, by=SYSTEM)
    clock_start(system(at=begins))
    entries = list(Entry.objects.live().filter(event=past).order_by("number"))
    for place, entry in enumerate(entries[1:]):
        at = begins + timedelta(minutes=10 * (place + 1))
        out = entries_eliminate(system(at=at), entries=[entry])
        rows = list(Elimination.objects.filter(made_by=out))
        knockout_set(system(at=at), eliminations=rows, takers=[entries[0]])
    event_end(system(at=begins + timedelta(hours=4)))
    return entries


def _cash(club: Any, now: Any) -> dict[str, Any]:
    """Announce a cash evening with two tables, and share who pays whom."""
    from django.core import signing

    from tournaments.cashgame.services.tables import cash_table_open
    from tournaments.cashgame.views.settling import SALT
    from tournaments.changes.access import SYSTEM
    from tournaments.changes.commands import Command
    from tournaments.devtools.made import make_event

    begins = now + timedelta(days=2)
    own = {"kind": "cash_game", "capacity": 30}
    event = make_event("Cash am Sonntag", at=now, starts_at=begins, **own)
    stakes = {"game": "holdem", "limit": "no_limit", "seats": 9, "minimum": 20, "maximum": 100}
    for small in (50, 100):
        blinds = {"small_blind_cents": small, "big_blind_cents": 2 * small}
        cash_table_open(Command(event=event, by=SYSTEM, at=now), **stakes, **blinds)
    return {"cash": event.slug, "share": signing.dumps(event.pk, salt=SALT)}


def _league(club: Any, entries: list[Any]) -> dict[str, Any]:
    """Make a league, in which somebody shows a profile."""
    from tournaments.changes.views.personal import player_actor
    from tournaments.models import League
    from tournaments.seasons.domain.points import Terms
    from tournaments.seasons.services.leagues import Takes, league_save
    from tournaments.seasons.services.profiles import profile_open

    registration = entries[0].registration
    himself = replace(club, by=player_actor(registration))
    saved = league_save(club, name="Vereinsmeisterschaft", terms=Terms(), takes=Takes())
    league = League.objects.get(pk=saved.payload["league"])
    profile_open(himself, person=registration.person)
    return {"league": league.slug, "person": registration.person_id, "number": 1}


if __name__ == "__main__":
    main()
