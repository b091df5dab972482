"""The forecast of the end: what it must never say, and how it follows what is known."""

from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.forecast import JUDGE
from clock.domain import ClockAction, ClockState, Level, LevelKind
from clock.domain.history import Past
from clock.domain.values import ActionKind
from tournaments.devtools.forecast_evenings import hall_at, played, spells_until, terms_drawn
from tournaments.forecast.domain.course import (
    MINUTE,
    Change,
    known_at,
    knowns_at,
    picture_of,
    spells_of,
    stretches_of,
)
from tournaments.forecast.domain.end import (
    LONGEST,
    End,
    Hall,
    Pace,
    Stretch,
    end_of,
    usual_minutes,
    usual_pace,
    with_minutes,
    without_next_break,
)
from tournaments.forecast.domain.rates import MODEL

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LEVEL, REST = Stretch(minutes=20, unit=0), Stretch(minutes=15, unit=0, is_break=True)
ROWS = [replace(LEVEL, unit=2 * 3**level // 2**level) for level in range(16)]
EVENING = Hall(left=30, entries=40, chips=8000, stretches=[*ROWS[:4], REST, *ROWS[4:]])


def end(hall: Hall, seed: int = 7) -> End:
    found = end_of(hall, np.random.default_rng(seed))
    assert found is not None
    return found


@settings(deadline=None, max_examples=40)
@given(
    left=st.integers(2, 500),
    more=st.integers(0, 500),
    stack=st.integers(1, 100_000),
    minutes=st.floats(0.5, 90),
    lost=st.integers(0, 300),
    to_come=st.floats(0, 30),
)
def test_a_band_holds_its_middle_and_lies_ahead(*, left, more, stack, minutes, lost, to_come):
    rows = [replace(row, minutes=minutes) for row in ROWS]
    pace = Pace(losses=lost, expected=tuple(10.0 for _kind in MODEL.kinds))
    hall = Hall(left=left, entries=left + more, chips=left * stack, stretches=rows, pace=pace)
    hall = replace(hall, to_come=to_come, late_through=3, stack=stack)
    found = end_of(hall, np.random.default_rng(1))
    if found is not None:
        assert 0 <= found.low <= found.minutes <= found.high <= LONGEST


@pytest.mark.parametrize(
    "hall",
    [
        replace(EVENING, left=1),
        replace(EVENING, left=0),
        replace(EVENING, chips=0),
        replace(EVENING, stretches=[]),
        replace(EVENING, stretches=[REST]),
        replace(EVENING, stretches=[LEVEL]),
        # Blinds that never bite.
        Hall(left=200, entries=200, chips=10**9, stretches=[Stretch(minutes=20, unit=2)]),
    ],
)
def test_nothing_is_said_where_nothing_can_be_foreseen(hall):
    assert end_of(hall, np.random.default_rng(1)) is None


EXPECTED = tuple(10.0 for _kind in MODEL.kinds)
SLOW = replace(EVENING, pace=Pace(losses=4, expected=EXPECTED))


@pytest.mark.parametrize(
    ("sooner", "later", "minutes"),
    [
        (replace(EVENING, left=6), EVENING, 0),
        (replace(EVENING, chips=4000), EVENING, 0),
        (EVENING, replace(EVENING, to_come=12, late_through=3, stack=400), 2),
        (EVENING, replace(EVENING, rebuy_share=0.8, rebuy_chips=400, rebuy_through=4), 2),
        (EVENING, replace(EVENING, addon_chips=8000, addon_at=4), 2),
        (replace(EVENING, pace=Pace(losses=25, expected=EXPECTED)), SLOW, 0),
        (replace(EVENING, pace=Pace(usual=1.5)), EVENING, 0),
        (without_next_break(EVENING), EVENING, 0),
        (with_minutes(EVENING, 10), EVENING, 20),
        (EVENING, with_minutes(EVENING, 40), 20),
    ],
    ids=[
        *("fewer players", "fewer chips", "some to come", "re-buys", "add-ons"),
        *("a quick evening", "a quick club", "no break", "short levels", "long levels"),
    ],
)
def test_what_makes_an_evening_end_sooner(sooner, later, minutes):
    assert end(sooner).minutes < end(later).minutes - minutes
    assert end(sooner) == end(sooner)


def test_a_break_that_is_on_cannot_be_dropped():
    assert usual_minutes(EVENING) == 20
    resting = replace(EVENING, stretches=[REST, *ROWS[4:]])
    assert without_next_break(resting) is resting
    adds = replace(EVENING, addon_chips=10, addon_at=4)
    assert without_next_break(adds).addon_at == 3


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), max_size=30))
def test_the_pace_of_a_club_is_drawn_towards_that_of_all(evenings):
    ratios = [(lost + 1) / (expected + 1) for lost, expected in evenings]
    found = usual_pace(evenings)
    assert min([1.0, *ratios]) <= found * (1 + 1e-9)
    assert found <= max([1.0, *ratios]) * (1 + 1e-9)


LEVELS = (
    Level(id=1, number=1, duration=20 * MINUTE, big_blind=2),
    Level(id=2, number=2, hands=8, big_blind=4),
    Level(id=3, kind=LevelKind.BREAK, duration=10 * MINUTE),
)


def state_at(levels: tuple[Level, ...], minute: int) -> ClockState:
    started = ClockAction(kind=ActionKind.STARTED, at=NOON)
    return Past((started,), (levels,)).state(NOON + minute * MINUTE)


ENDLESS = Level(id=1, number=1, big_blind=2)


@pytest.mark.parametrize(
    ("levels", "stretches"),
    [
        # Hands take minutes, and a break at the end is nothing.
        (LEVELS, [Stretch(minutes=15.0, unit=2), Stretch(minutes=20.0, unit=4)]),
        # A level without an end before others cannot be foreseen.
        ((ENDLESS, *LEVELS[1:]), []),
        ((ENDLESS,), [Stretch(minutes=0, unit=2)]),
    ],
)
def test_what_is_still_to_be_played(levels, stretches):
    assert stretches_of(levels, state_at(levels, 5)) == stretches


def test_breaks_and_pauses_are_not_played():
    levels = (LEVELS[0], LEVELS[2], replace(LEVELS[0], id=4, number=2, big_blind=4))
    actions = (
        ClockAction(kind=ActionKind.STARTED, at=NOON),
        ClockAction(kind=ActionKind.PAUSED, at=NOON + 8 * MINUTE),
        ClockAction(kind=ActionKind.STARTED, at=NOON + 16 * MINUTE),
    )
    changes = [Change(at=NOON, left=9, entries=9, chips=900)]
    spells = list(spells_of(Past(actions, (levels,)), changes, NOON, NOON + 48 * MINUTE))
    # Eight minutes, twelve more, and ten of the next level; looked at in steps of four.
    assert sum(spell.minutes for spell in spells) == pytest.approx(30, abs=4)
    assert {spell.unit for spell in spells} == {2, 4}


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(-3, 3)), max_size=20))
def test_many_instants_are_known_as_each_alone_by_what_happened_until_then(rows):
    """What was taken back counts until then."""
    changes = sorted(
        (Change(at=NOON + minute * MINUTE, left=left) for minute, left in rows),
        key=lambda change: change.at,
    )
    instants = [NOON + minute * MINUTE for minute in range(0, 70, 7)]
    known = [known_at(changes, at) for at in instants]
    assert list(knowns_at(changes, instants)) == known
    for found, minute in zip(known, range(0, 70, 7), strict=True):
        assert found.left == sum(left for at, left in rows if at <= minute)


def test_on_simulated_evenings_of_a_kind_that_was_not_fitted_chips_are_kept_and_the_band_holds():
    held = []
    for seed in range(9000, 9060):
        rng = Random(seed)
        evening = played(terms_drawn(rng), JUDGE, rng)
        terms, last = evening.terms, evening.moments[-1]
        assert last.left == 1
        assert last.entries == terms.entries
        assert last.lost == last.entries - 1 + last.bought
        bought = (last.entries + last.bought) * terms.stack
        assert last.chips == pytest.approx(bought, abs=2) or terms.addon_chips
        assert sum(spell.minutes for spell in spells_until(evening, evening.ended)) > 0
        at = evening.ended / 2
        found = end(hall_at(evening, at))
        held.append(found.low <= evening.ended - at <= found.high)
    assert sum(held) / len(held) > 0.7


def test_a_true_end_beyond_all_forecasts_is_in_the_picture():
    rows = [(0.0, 100.0, 200.0, 300.0), (100.0, 150.0, 210.0, 260.0)]
    assert picture_of(rows, truth=400.0).truth == 0
