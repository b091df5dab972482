"""Add-ons and new entries: chips, seats, places, refusals and undos."""

import pytest

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tournaments.door.selectors.places import capacity_of
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.models import Entry
from tournaments.money.selectors.fees import owed_cents
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.public.selectors.posters import posters_current
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter, rebuy_buy

pytestmark = pytest.mark.django_db


def test_an_add_on_is_for_those_in_once_and_in_its_break_alone():
    event = evening(addon_level=0, addon_break=1, breaks={1: 10})
    one, two = f.entries_of(event)[:2]
    with f.refused("not_yet", event):
        do(addon_buy, event, 1, entry=one)
    do(addon_buy, event, 21, entry=one)
    assert chips_in_play(event) == (1700, True)
    with f.refused("too_often", event):
        do(addon_buy, event, 22, entry=one)
    lose(event, two, 23)
    with f.refused("lost_all", event):
        do(addon_buy, event, 24, entry=two)
    do(rebuy_decline, event, 24, entry=two)
    with f.refused("is_out", event):
        do(addon_buy, event, 25, entry=two)
    with f.refused("too_late", event):
        do(addon_buy, event, 31, entry=f.entries_of(event)[2])


def test_a_re_entry_is_a_new_stack_with_a_drawn_seat():
    event = evening(rebuy_level=0)
    one = f.entries_of(event)[0]
    with f.refused("is_in", event):
        do(entry_reenter, event, 1, entry=one)
    lose(event, one, 1)
    do(entry_reenter, event, 5, entry=one)
    new = Entry.objects.live().filter(registration=one.registration).latest("number")
    assert (new.pk != one.pk, f.seat_of(new) is not None) == (True, True)
    assert (players_left(event), chips_in_play(event)) == (6, (1400, True))
    assert owed_cents(one.registration) == 2000
    assert places_of(event)[one.pk] == 7
    lose(event, new, 6)
    with f.refused("too_often", event):
        do(entry_reenter, event, 7, entry=new)
    with f.refused("too_late", event):
        do(entry_reenter, event, 61, entry=new)


def test_krru_a_disqualified_player_never_enters_again():
    event = evening(reentry_most=5)
    one = f.entries_of(event)[0]
    do(entry_disqualify, event, 1, entry=one, reason="Betrug", stack=200)
    with f.refused("disqualified", event):
        do(entry_reenter, event, 2, entry=one)
    with f.refused("disqualified", event):
        do(rebuy_buy, event, 2, entry=one, stack=0)


def test_whoever_entered_anew_does_not_come_back_with_the_old_stack_too():
    event = evening(rebuy_level=0)
    one = f.entries_of(event)[0]
    out = lose(event, one, 1)
    anew = do(entry_reenter, event, 2, entry=one)
    with f.refused("needed", event):
        undo(event, out)
    undo(event, anew)
    undo(event, out)
    assert (players_left(event), chips_in_play(event)) == (6, (1200, True))
    assert owed_cents(one.registration) == 1000


def test_who_entered_anew_takes_his_place_again():
    event = evening(rebuy_level=0, capacity=6)
    one, two = f.entries_of(event)[:2]
    lose(event, one, 1)
    assert (capacity_of(f.fresh(event)).free, poster_free(event)) == (1, 1)
    do(entry_reenter, event, 2, by=f.make_desk(event), entry=one)
    assert (capacity_of(f.fresh(event)).free, poster_free(event)) == (0, 0)
    lose(event, two, 3)
    f.register(event, "Lea Late", at=f.after(4))
    with f.refused("full", event):
        do(entry_reenter, event, 5, by=f.make_desk(event), entry=two)
    do(entry_reenter, event, 6, by=f.make_dora(event), entry=two)


def poster_free(event):
    posters, _samples = posters_current(f.after(5))
    return next(poster.free for poster in posters if poster.event == event)
