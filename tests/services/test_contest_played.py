"""A contest of three flights played to the end of day 2, against books of its own."""

from random import Random

import pytest

from tests import factories as f
from tests.flights import add, bag_all, by_name, make_contest
from tournaments.contests.domain.carrying import Forward
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import nearing_of, stage_of
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.days import day_draw
from tournaments.event.selectors.event import chips_in_play, players_left, room_figures
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.forecast.domain.course import known_at
from tournaments.forecast.selectors.forecast import course_of
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import ChipMovement, Seating
from tournaments.play.selectors.ranking import places_of

pytestmark = [pytest.mark.django_db, pytest.mark.evening]
EVERYBODY = [f"Spieler {letter}" for letter in "ABCDEFGHIJKLMN"]
QUARTER = StopRule(percent=2500)


def shared_by_chance(rng, names, chips):
    """Return bags of at least one chip that add up."""
    cuts = sorted(rng.sample(range(1, chips), len(names) - 1))
    return {name: b - a for name, a, b in zip(names, [0, *cuts], [*cuts, chips], strict=True)}


def play_flight(rng, contest, label):
    """Play a flight down to its mark, and return its bags by name."""
    names = rng.sample(EVERYBODY, rng.randint(8, 12))
    event = f.make_event(name=f"Flight {label}", seats=6, on_time_chips=rng.choice([0, 50]))
    for name in names:
        f.check_in(event, f.register(event, name))
    add(contest, event, label, stop=QUARTER)
    f.drive(clock_start, event, 0)
    left, minute = list(names), 5
    # Halves count as one: a quarter of ten is three.
    goal = (len(names) * 25 + 50) // 100
    while len(left) > goal:
        assert nearing_of(stage_of(event), f.fresh(event), f.after(minute)).by is None
        first = by_name(event, rng.choice(left))
        mates = [row for row in f.at_table(event, f.seat_of(first)[0]) if row != first]
        hand = [first, *mates[: rng.choice([0, 0, 1])]]
        f.out(event, *hand, at=f.after(minute))
        left = [name for name in left if name not in {row.registration.person.name for row in hand}]
        minute += 2
    assert nearing_of(stage_of(event), f.fresh(event), f.after(minute)).by == "players"
    each = event.starting_stack + event.on_time_chips
    bags = shared_by_chance(rng, left, each * len(names))
    bag_all(event, **bags)
    f.drive(day_end, event, 40)
    assert facts_checked(f.fresh(event)).differences == []
    return bags


@pytest.mark.parametrize("way", [Forward.BEST, Forward.SUM])
@pytest.mark.parametrize("seed", range(2))
def test_three_flights_are_played_to_the_end_of_day_two(way, seed):
    rng = Random(f"{way} {seed}")
    contest = make_contest(forward=way)
    flights = [play_flight(rng, contest, label) for label in ("1A", "1B", "1C")]
    held = {}
    for bags in flights:
        for name, chips in bags.items():
            held.setdefault(name, []).append(chips)
    wanted = {name: sum(own) if way is Forward.SUM else max(own) for name, own in held.items()}
    day = f.make_event(name="Tag 2", seats=6)
    add(contest, day, "Tag 2", order=2, stop=StopRule())
    f.drive(day_draw, day, 60)
    total = sum(wanted.values())
    removed = sum(map(sum, held.values())) - total
    f.assert_logged(day, "day.drawn", entries=len(wanted), chips=total, removed=removed)
    moved = ChipMovement.objects.live().filter(event=day)
    assert {row.entry.registration.person.name: row.amount for row in moved} == wanted
    assert Seating.objects.live().filter(event=day).count() == len(wanted)
    sizes = sorted(f.sizes(day).values())
    assert sizes[-1] - sizes[0] <= 1
    f.drive(clock_start, day, 65)
    assert known_at(course_of(f.fresh(day)).changes, f.after(66)).chips == total
    minute = 70
    while players_left(f.fresh(day)) > 1:
        entry = rng.choice([row for row in f.entries_of(day) if f.seat_of(row)])
        f.out(day, entry, at=f.after(minute))
        assert chips_in_play(f.fresh(day)) == (total, True)
        left = players_left(f.fresh(day))
        assert room_figures(f.fresh(day))["average"] == total // left
        minute += 2
    f.drive(event_end, day, minute)
    assert sorted(places_of(f.fresh(day)).values()) == list(range(1, len(wanted) + 1))
    assert facts_checked(f.fresh(day)).differences == []
