"""The blind schedules as STEFFEN prints them: all 45 levels, written out here a second time."""

import json

import pytest
from django.conf import settings

from clock.domain import validate_levels
from clock.models import ScheduleTemplate
from clock.selectors import clock_levels
from clock.services import clock_create, schedules_load

FILE = settings.FIXTURES / "schedules.json"
# Small blind/big blind/big bet of each level.
PRINTED = {
    "T100": (
        "1/1/2 1/2/4 2/3/6 3/5/10 5/10/20 10/15/30 15/25/50 25/50/100 50/75/150 50/100/200 "
        "75/150/300 100/200/400 125/250/500 150/300/600 200/400/800"
    ),
    "T200": (
        "1/1/2 1/2/4 2/4/8 4/8/15 8/15/30 12/25/50 20/40/80 30/60/120 50/100/200 75/150/300 "
        "100/200/400 150/300/600 200/400/800 250/500/1000 300/600/1200"
    ),
    "T300": (
        "1/2/4 2/4/8 3/6/12 5/10/20 10/20/40 15/30/60 25/50/100 50/100/200 75/150/300 100/200/400 "
        "150/300/600 200/400/800 250/500/1000 325/650/1300 400/800/1600"
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_steffen_all_levels_as_printed(name):
    data = json.loads(FILE.read_text(encoding="utf-8"))
    (schedule,) = [row for row in data["schedules"] if row["name"] == name]
    written = [
        f"{row['small_blind']}/{row['big_blind']}/{row['big_bet']}" for row in schedule["levels"]
    ]
    assert written == PRINTED[name].split()
    assert len(written) == 15
    assert schedule["starting_stack"] == int(name[1:])
    assert schedule["level_minutes"] == 20


@pytest.mark.django_db
def test_they_load_into_sound_clocks_and_one_changed_by_hand_survives_loading_again():
    for template in schedules_load(FILE):
        levels = clock_levels(clock_create(template=template))
        assert len(levels) == template.levels.count()
        assert validate_levels(levels) == []
    changed = ScheduleTemplate.objects.get(name="T100")
    changed.levels.filter(position__gt=4).delete()
    assert schedules_load(FILE) == []
    assert changed.levels.count() == 5
