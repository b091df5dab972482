"""Notices of a held seat, a bag, the next day and a prize."""

import pytest

from tests import factories as f
from tests.buying import evening, lose
from tests.flights import add, bag_all, by_name, make_contest
from tests.services.listening import by_bot, run
from tests.services.test_prizes import planned, played
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.days import day_draw
from tournaments.event.services.clock import clock_start
from tournaments.models import Listener, Notice, RebuyChance
from tournaments.payouts.services.prizes import prizes_freeze

pytestmark = pytest.mark.django_db


def lines(bot, chat=1):
    return [text.splitlines()[1] for text in bot.told(chat)]


def test_a_seat_held_for_a_re_buy_is_told_until_it_lapses(bot):
    event = evening()
    entry = f.entries_of(event)[0]
    by_bot(entry.registration, 1)
    lose(event, entry, 1)
    row = RebuyChance.objects.live().get()
    run(1)
    (line,) = lines(bot)
    assert line.startswith("Dein Platz wird bis")
    assert Notice.objects.get().lapses_at == row.until


def test_a_bag_and_the_seat_of_the_next_day_are_told_on_the_same_phone(bot):
    contest = make_contest()
    names = [f"Spieler {letter}" for letter in "ABCDEF"]
    event = f.make_event(name="Flight 1A", seats=6)
    for name in names:
        f.check_in(event, f.register(event, name))
    add(contest, event, "1A", stop=StopRule(players=2))
    f.drive(clock_start, event, 0)
    anna = by_name(event, names[0])
    by_bot(anna.registration, 1)
    for minute, name in enumerate(names[2:], start=5):
        f.out(event, by_name(event, name), at=f.after(minute))
    chips = event.starting_stack * len(names)
    bag_all(event, **{names[0]: chips - 300, names[1]: 300})
    f.drive(day_end, event, 40)
    run(41)
    assert lines(bot)[-1].startswith("Dein Sack ist versiegelt:")
    day = f.make_event(name="Tag 2", seats=6, at=f.after(45))
    add(contest, day, "2", order=2)
    f.drive(day_draw, day, 60)
    run(61)
    assert lines(bot)[-1].startswith("Dein Platz: Tisch")
    assert bot.told(1)[-1].startswith("Tag 2")
    assert Notice.objects.latest("pk").kind == "day2"
    assert Listener.objects.filter(event=day).count() == 1


def test_a_prize_is_told_once_it_is_fixed_and_waits(bot):
    event = planned(6)
    entries = f.entries_of(event)
    for chat, entry in enumerate(entries, start=1):
        by_bot(entry.registration, chat, 2)
    f.drive(prizes_freeze, event, 5)
    run(6)
    assert bot.messages == []
    event, places = played(event)
    run(20)
    told = {place: lines(bot, entries.index(entry) + 1) for place, entry in enumerate(places, 1)}
    assert all("Dein Preis liegt bereit: " in told[place][0] for place in (1, 2, 3))
    assert [told[place] for place in (4, 5, 6)] == [[], [], []]
    run(21)
    assert [len(told[place]) for place in (1, 2, 3)] == [1, 1, 1]
