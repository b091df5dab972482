"""What a season costs: the standings of 50 evenings with 200 players each, and the page of them.

All rows are written straight into a database of their own, as the services would leave them. The
regulars are 400, of whom 200 come to each evening in an order of their own.
"""

import json
import random
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bench._child import in_child, set_up
from bench._report import Report

EVENINGS, PLAYERS, REGULARS = 50, 200, 400
BEGAN = datetime(2026, 1, 2, 18, tzinfo=UTC)
SEED, ROUNDS, MEASURE = 20_261_123, 7, "--measure"
FORMULA = "10 * wurzel(spieler) / wurzel(platz) + max(0; 9 - platz)"


def main(arguments: list[str]) -> int:
    """Measure in a child how long the standings take, read and kept, and how large the page is."""
    if MEASURE in arguments:
        set_up()
        print(json.dumps(_measure()))
        return 0
    report, figures = Report("seasons"), in_child("bench.seasons", MEASURE)
    for name, (value, unit, goal) in figures.items():
        report.add(name, value, unit, goal=goal)
    return report.show()


def _measure() -> dict[str, tuple[float, str, float | None]]:
    """Return value, unit and goal of each figure."""
    from tournaments.seasons.domain import points, standings
    from tournaments.seasons.selectors import evenings as kept
    from tournaments.seasons.selectors.leagues import league_events, league_standings

    league = _season()
    events = league_events(league)
    terms = league.reckoning
    formula = replace(terms, way=points.Way.FORMULA, formula=FORMULA)

    def read_anew() -> None:
        kept._KEPT.clear()
        standings.scores_of.cache_clear()
        kept.evenings_of(events)

    def reckoned_anew(how: points.Terms) -> None:
        standings.scores_of.cache_clear()
        points.formula_points.cache_clear()
        standings.standings(how, evenings)

    read = [_seconds(read_anew) for _ in range(3)]
    evenings = kept.evenings_of(events)
    own = [_seconds(lambda: reckoned_anew(formula)) for _ in range(ROUNDS)]
    pure = [_seconds(lambda: reckoned_anew(terms)) for _ in range(ROUNDS)]
    whole = [_seconds(lambda: league_standings(league, to_staff=False)) for _ in range(ROUNDS)]
    people = len(standings.standings(terms, evenings))
    return {
        "people_in_the_standings": (people, "people", None),
        "standings_from_all_evenings_ms": (_median(pure), "ms", 100),
        "standings_by_a_formula_ms": (_median(own), "ms", None),
        "standings_for_a_page_ms": (_median(whole), "ms", 100),
        "all_evenings_read_anew_ms": (_median(read), "ms", None),
        **_page(league),
    }


def _page(league) -> dict[str, tuple[float, str, float | None]]:
    from django.conf import settings
    from django.test import Client

    settings.ALLOWED_HOSTS.append("testserver")
    client, url = Client(), league.get_absolute_url()
    answer = client.get(url)
    assert answer.status_code == 200, answer.status_code
    took = [_seconds(lambda: client.get(url)) for _ in range(ROUNDS)]
    return {
        "page_kb": (len(answer.content) / 1000, "kB", 60),
        "page_ms": (_median(took), "ms", None),
    }


def _season():
    """Write the season: every evening with its entries, outs and knock-outs, one at each minute."""
    from tournaments.models import Club, League, Person

    rng = random.Random(SEED)
    club = Club.objects.create(name="Verein")
    people = Person.objects.bulk_create(
        Person(
            club=club, name=f"Spieler Nummer{n}", sort_name=f"spieler nummer{n:03}", plain_name=""
        )
        for n in range(REGULARS)
    )
    for number in range(EVENINGS):
        at = BEGAN + timedelta(days=7 * number)
        event = _event(club, number, at)
        made = _made(club, event, at)
        here = [(person, rng.random() > 0.1) for person in rng.sample(people, PLAYERS)]
        _outs(event, made, at, _entries(event, made, at, here))
        event.ended_by, event.started_by, event.log_hash = made, made, f"{number:064}"
        event.save()
    return League.objects.create(
        club=club, name="Liga", slug="liga", terms={"way": "root", "best": 30, "knockout": 50}
    )


def _event(club, number, at):
    from clock.models import Clock
    from tournaments.models import Event

    return Event.objects.create(
        club=club, name=f"Freitag {number + 1}", slug=f"freitag-{number + 1}", starts_at=at,
        clock=Clock.objects.create(), game="holdem", limit="no_limit", seats_per_table=9,
        capacity=PLAYERS, starting_stack=400, schedule_name="T200",
    )  # fmt: skip


def _made(club, event, at):
    """Return the entry of the log that all facts of an evening rest on."""
    from tournaments.models import Action

    return Action.objects.create(
        club=club, event=event, sequence=1, kind="bench", at=at, recorded_at=at, role="system"
    )


def _entries(event, made, at, here):
    """Register people, each listed or not, and give everybody a stack."""
    from tournaments.models import Entry, Registration

    rows = Registration.objects.bulk_create(
        Registration(
            event=event, person=person, registered_at=at, made_by=made, link_sealed="",
            link_hash=f"{event.slug}-{person.pk}", is_listed=is_listed,
        )
        for person, is_listed in here
    )  # fmt: skip
    return Entry.objects.bulk_create(
        Entry(event=event, registration=row, number=n, entered_at=at, made_by=made)
        for n, row in enumerate(rows, 1)
    )


def _outs(event, made, at, entries):
    """Put out all but the first, one each minute; the first knocked everybody out."""
    from tournaments.models import Elimination, Knockout

    outs = Elimination.objects.bulk_create(
        Elimination(
            event=event, entry=entry, way="bust", at=at + timedelta(minutes=n), sequence=n,
            made_by=made,
        )
        for n, entry in enumerate(entries[1:], 1)
    )  # fmt: skip
    Knockout.objects.bulk_create(
        Knockout(elimination=out, by=entries[0], made_by=made) for out in outs
    )


def _seconds(call) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2] * 1000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
