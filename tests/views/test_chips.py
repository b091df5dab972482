"""Chips: what everybody is dealt, a club's own, the chip race, and counts of stacks."""

import pytest
from django.test import Client
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.pressing import shows, url_of
from tests.races import in_race
from tests.views.pages import assert_refused, page_of, planned, text_of
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_end
from tournaments.models import (
    Action,
    ChipMovement,
    ChipRace,
    ChipSet,
    ClosingCall,
    Registration,
    StackCount,
)

pytestmark = pytest.mark.django_db
TYPED = {"name": "Koffer", "value_0": "25", "count_0": "400", "colour_0": "green",
         "value_1": "100", "count_1": "1.200", "colour_1": "black"}  # fmt: skip


def steffen(**own):
    return planned(chip_set=f.house().chip_sets.get(name="Steffen"), **own)


def test_the_page_says_what_everybody_gets_and_how_many_sets_that_takes(dora):
    event = steffen(seats=10, schedule="T100", capacity=40)
    text = page_of(dora, event, "event-chips")
    shows(text, "15 × 1", "Für 40 Spieler braucht es 4 Sätze.")
    assert "Einer reicht für höchstens 10 Spieler." in text
    assert "Für 9 Spieler reicht ein Satz." in page_of(dora, event, "event-chips", spieler="9")
    text = page_of(dora, event, "paper-chips", spieler="20")
    assert "alle 20" in text
    assert "300" in text  # twenty times fifteen
    event.chip_set = ChipSet.objects.create(
        club=event.club, name="Koffer", pieces=[{"value": 30, "count": 400}]
    )
    event.save()
    assert "kein Stapel von 100" in page_of(dora, event, "event-chips")
    assert "kein gleicher Stapel" in page_of(dora, event, "paper-chips")


def test_a_number_that_cannot_be_is_read_as_all_who_may_play(dora):
    event = steffen(seats=10, schedule="T100", capacity=30)
    for typed in ("", "0", "-3", "viele", "9999999", "²"):
        assert "Für 30 Spieler" in page_of(dora, event, "event-chips", spieler=typed)


def test_when_chips_leave_is_written_into_the_schedule_and_others_are_chosen(dora):
    event = steffen(seats=10, schedule="T100")
    assert not any(level.colour_up for level in clock_levels(event.clock))
    assert dora.post(url_of(event, "event-chips-plan")).status_code == 302
    marked = {level.number: level.colour_up for level in clock_levels(f.fresh(event).clock)}
    assert (marked[5], marked[8]) == ((1,), (5, 10))
    again = dora.get(url_of(event, "event-chips"))
    shows(text_of(again), "im Plan", but=("So in den Blindplan schreiben",))
    own = ChipSet.objects.create(
        club=event.club, name="Koffer", pieces=[{"value": 5, "count": 400, "colour": "red"}]
    )
    assert dora.post(url_of(event, "event-chips-choose"), {"chips": own.pk}).status_code == 302
    assert f.fresh(event).chip_set == own
    gone = dora.post(url_of(event, "event-chips-choose"), {"chips": "kein"})
    assert_refused(gone, "Diese Chips gibt es nicht mehr.")
    assert "20 × 5" in page_of(dora, event, "event-chips")


def test_a_club_enters_its_chips(dora):
    assert dora.post(reverse("chip-set-new"), TYPED).status_code == 302
    row = ChipSet.objects.get(name="Koffer")
    shipped = ChipSet.objects.get(name="Steffen")
    assert dora.get(reverse("chip-set", args=[shipped.pk])).status_code == 404
    assert [(piece["value"], piece["count"]) for piece in row.pieces] == [(25, 400), (100, 1200)]
    assert dora.get(reverse("chip-set", args=[row.pk])).context["form"]["count_1"].value() == 1200
    changed = dora.post(reverse("chip-set", args=[row.pk]), TYPED | {"count_0": "300"})
    assert changed.status_code == 302
    row.refresh_from_db()
    assert Action.objects.filter(kind="club.chip_set_saved").count() == 2
    assert row.pieces[0]["count"] == 300
    assert dora.post(reverse("chip-set-delete", args=[row.pk])).status_code == 302
    assert not ChipSet.objects.filter(pk=row.pk).exists()


def test_what_is_no_case_is_said_at_its_field(dora):
    for own, sentence in (
        ({"name": ""}, "Der Satz braucht einen Namen."),
        ({"value_1": "25"}, "Diesen Wert gibt es oben schon."),
        ({"count_1": ""}, "Wert und Anzahl gehören zusammen."),
        ({"value_1": ""}, "Wert und Anzahl gehören zusammen."),
        ({"count_0": "-4"}, "Mindestens 1."),
        ({"colour_0": "durchsichtig"}, "durchsichtig"),
        ({"value_0": "", "count_0": "", "value_1": "", "count_1": ""}, "mindestens einen Chip"),
    ):
        assert_refused(dora.post(reverse("chip-set-new"), TYPED | own), sentence)
    assert not ChipSet.objects.filter(name="Koffer").exists()


@pytest.fixture
def event():
    chips = f.house().chip_sets.get(name="Steffen")
    return in_race(f.make_running_event(8, seats=6, chip_set=chips), 1)


def typed(event, *counts, **more):
    sitting = f.at_table(event, 1)
    pieces = zip(sitting, counts, strict=False)
    return {f"count_{entry.pk}_1": str(count) for entry, count in pieces} | more


def test_the_list_says_which_tables_are_done(client, arno, event):
    assert "Chip Race" in page_of(client, event, "floor")
    before = page_of(client, event, "chip-races")
    shows(before, "Die Chips zu 1 werden zu solchen zu 5.", but=("fertig",))
    page = url_of(event, "floor-race", 1)
    client.post(page, {})
    assert client.post(page, typed(event, 2)).status_code == 422
    assert ChipRace.objects.count() == 1
    assert "fertig" in page_of(client, event, "chip-races")


def test_the_step_at_a_table_says_who_won_and_is_taken_back(client, arno, event):
    page = url_of(event, "floor-race", 1)
    assert "hat sonst nichts" in text_of(client.get(page))
    answer = client.post(page, typed(event, 4, 3, 8))
    assert (answer.status_code, answer.url) == (302, page)
    shows(text_of(client.get(page)), "gibt 8 her", "gewinnt")
    race = ChipRace.objects.get()
    assert f"{race.draw.number}: Chip Race" in page_of(client, event, "draws")
    undo = client.post(url_of(event, "action-undo", race.made_by_id), {"next": page})
    assert (undo.status_code, undo.url) == (302, page)
    assert not ChipMovement.objects.live().filter(reason="chip_race").exists()
    assert "Karten geben und eintauschen" in text_of(client.get(page))


def test_what_is_no_number_of_chips_is_said_at_its_field(client, arno, event):
    for wrong in ("-1", "viele", "99999"):
        assert client.post(url_of(event, "floor-race", 1), typed(event, wrong)).status_code == 422
    assert not ChipRace.objects.exists()


def test_when_no_chips_leave_the_pages_say_so(client):
    event = f.make_running_event(6)
    f.sign_browser_in(client, Role.ARBITER, event)
    for name, args in (("chip-races", ()), ("floor-race", (1,))):
        assert "Jetzt gehen keine Chips aus dem Spiel." in page_of(client, event, name, *args)
    assert client.post(url_of(event, "floor-race", 1), {}).status_code == 422
    assert client.get(url_of(event, "floor-race", 9)).status_code == 404


@pytest.fixture
def in_break():
    return in_race(f.make_running_event(8, seats=6))


@pytest.fixture
def counter(client, in_break):
    """An arbiter who counts stacks, signed in on the test's browser."""
    return f.sign_browser_in(client, Role.ARBITER, in_break)


def typed_stacks(event, *stacks, table=1):
    sitting = f.at_table(event, table)
    return {f"stack_{e.pk}": str(chips) for e, chips in zip(sitting, stacks, strict=False)}


def test_staff_counts_table_by_table_on_the_phone(client, counter, in_break):
    page = url_of(in_break, "stack-counts")
    assert page in page_of(client, in_break, "floor")
    assert "noch nicht gezählt" in text_of(client.get(page))
    each = in_break.starting_stack
    here, there = len(f.at_table(in_break, 1)), len(f.at_table(in_break, 2))
    answer = client.post(url_of(in_break, "stack-count", 1), typed_stacks(in_break, *[each] * here))
    assert (answer.status_code, answer.url) == (302, page)
    assert f"Gezählt: {here} von 8" in text_of(client.get(page))
    stacks = typed_stacks(in_break, each - 1, *[each] * (there - 1), table=2)
    client.post(url_of(in_break, "stack-count", 2), stacks)
    assert "Gezählt ist ein Chip weniger als im Spiel" in text_of(client.get(page))
    client.post(url_of(in_break, "stack-count", 2), typed_stacks(in_break, each, table=2))
    assert "Alle sind gezählt, und die Summe stimmt." in text_of(client.get(page))
    assert "value=" in page_of(client, in_break, "stack-count", 1)


def test_the_director_is_told_what_is_left_of_a_count(client, dora, in_break):
    page = url_of(in_break, "director")
    assert "Stapel fertig zählen" not in text_of(client.get(page))
    client.post(url_of(in_break, "stack-count", 1), typed_stacks(in_break, 250))
    assert "Gezählt: 1 von 8. Es fehlt an: 1, 2." in text_of(client.get(page))
    for table in (1, 2):
        client.post(
            url_of(in_break, "stack-count", table), typed_stacks(in_break, *[200] * 6, table=table)
        )
    assert "zu viel gezählt" not in text_of(client.get(page))
    client.post(url_of(in_break, "stack-count", 1), typed_stacks(in_break, 250))
    assert "50 Chips zu viel gezählt" in text_of(client.get(page))


def test_what_is_no_stack_is_said_at_its_field(client, counter, in_break):
    page = url_of(in_break, "stack-count", 1)
    for wrong in ("0", "-5", "viele", "9" * 30):
        assert_refused(client.post(page, typed_stacks(in_break, wrong)))
    assert_refused(client.post(page, typed_stacks(in_break, "19800")), "im Spiel sind")
    assert not StackCount.objects.exists()


def test_without_play_and_without_the_table_nothing_is_counted(client, counter, in_break):
    assert client.get(url_of(in_break, "stack-count", 9)).status_code == 404
    f.drive(event_end, in_break, 30)
    for name, args in (("stack-counts", ()), ("stack-count", (1,))):
        assert "Gerade wird nicht gespielt" in page_of(client, in_break, name, *args)
    assert_refused(client.post(url_of(in_break, "stack-count", 1), typed_stacks(in_break, 5)))


def test_everybody_reads_who_leads_and_a_player_his_own(client, counter, in_break):
    zeno = Client()
    assert "Chips, gezählt um" not in page_of(zeno, in_break, "results")
    one, two = f.at_table(in_break, 1)[:2]
    unlisted = Registration.objects.filter(pk=one.registration_id)
    unlisted.update(is_listed=False)
    client.post(url_of(in_break, "stack-count", 1), typed_stacks(in_break, 150, 90))
    page = page_of(zeno, in_break, "results")
    shows(page, "Chips, gezählt um", "Nach Chips", but=(one.registration.person.name,))
    own = text_of(zeno.get(reverse("player-card", args=[two.registration.link_token])))
    shows(own, 'dein Stapel</dt> <dd class="stat-value">90</dd>', "2. von 2, gezählt um")


def test_it_is_announced_and_players_read_it(dora, in_break):
    one = f.entries_of(in_break)[0].registration
    own = reverse("player-card", args=[one.link_token])
    assert "Sperrstunde" not in text_of(Client().get(own))
    assert dora.post(url_of(in_break, "closing-announce")).status_code in (200, 302)
    call = ClosingCall.objects.live().get()
    assert "Gespielt wird bis zum Ende von Stufe 3." in text_of(Client().get(own))
    preview = text_of(dora.post(url_of(in_break, "undo-preview", call.made_by_id)))
    assert "Sperrstunde angesagt" in preview
    dora.post(url_of(in_break, "action-undo", call.made_by_id))
    assert "Sperrstunde" not in text_of(Client().get(own))


def test_what_was_counted_stands_there_when_the_tournament_is_ended(dora, in_break):
    sitting = f.at_table(in_break, 1)
    typed_stacks = {f"stack_{entry.pk}": str(in_break.starting_stack) for entry in sitting}
    dora.post(url_of(in_break, "stack-count", 1), typed_stacks)
    page = page_of(dora, in_break, "event-end")
    assert page.count(f'value="{in_break.starting_stack}"') == len(sitting)
