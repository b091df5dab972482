"""Two people at once near the money: one hand is released once, one table reports once."""

import pytest

from tests import factories as f
from tests.bubble import begin, count_heads, in_the_money, make_event, report_all
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.models import HandReport, HandRound, MoneyReached
from tournaments.play.selectors.bubble import round_current
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.bubble import (
    hand_for_hand_begin,
    money_reach,
    round_release,
    table_report,
)
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = pytest.mark.django_db(transaction=True)
LATER = f.after(14)


@pytest.fixture
def event():
    return make_event()


def test_two_phones_report_the_same_table(event):
    begin(event)
    arnos = [f.make_arno(event), f.make_arno(event)]
    table = f.table_of(event, 1)
    found = at_once(
        *(call(table_report, event, at=LATER, by=arno, table=table, number=0) for arno in arnos)
    )
    assert_one_effect(found, "already_reported")
    assert HandReport.objects.live().count() == 1
    assert_sound(event)


def test_all_tables_report_at_once_and_the_next_hand_is_released_once(event):
    begin(event, by_itself=True)
    tables = [f.table_of(event, number) for number in (1, 2, 3)]
    at_once(*(call(table_report, event, at=LATER, table=table, number=0) for table in tables))
    assert round_current(event).number == 1
    assert HandRound.objects.live().count() == 2
    assert_sound(event)


def test_release_is_pressed_twice(event):
    begin(event)
    report_all(event, 0)
    doras = [f.make_dora(), f.make_dora()]
    found = at_once(*(call(round_release, event, at=LATER, by=dora, after=0) for dora in doras))
    assert_one_effect(found, "overtaken")
    assert HandRound.objects.live().count() == 2
    assert_sound(event)


def test_two_directors_begin_at_once(event):
    found = at_once(*[call(hand_for_hand_begin, event, at=LATER)] * 2)
    assert_one_effect(found, "already_begun")
    assert_sound(event)


def test_the_money_is_announced_once(event):
    in_the_money(event)
    count_heads(event)
    assert_one_effect(at_once(*[call(money_reach, event, at=f.after(31))] * 2), "already_reached")
    assert MoneyReached.objects.live().count() == 1
    assert_sound(event)


def test_two_tables_bust_one_each_at_once_and_share(event):
    begin(event)
    report_all(event, 0)
    f.drive(round_release, event, 12, after=0)
    entries = [f.at_table(event, table)[0] for table in (1, 2)]
    at_once(*(call(entries_eliminate, event, at=LATER, entries=[entry]) for entry in entries))
    assert places_of(f.fresh(event)) == {entry.pk: 8 for entry in entries}
    assert_sound(event)
