"""The tap for the next hand on the arbiter's phone, and what is in force at the tables."""

from uuid import uuid4

import pytest

from clock.domain import instant_ms
from clock.models import Level
from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, done, refused, sheet, shows, url_of, words_of
from tests.views.pages import page_of, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.models import ButtonMark, ClockCall, Event, Hand
from tournaments.play.services.calls import clock_call_start
from tournaments.play.services.hands import hand_begin
from tournaments.seating.services.chairs import table_halt
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=5)]


def tap(event, minute, number=1):
    f.drive(hand_begin, event, minute, table=f.table_of(event, number))


def test_one_tap_begins_a_hand_once_and_its_toast_takes_it_back(client, arno, event):
    key = {"X-Idempotency-Key": str(uuid4()), "HX-Request": "true"}
    for _time in range(2):
        assert client.post(url_of(event, "floor-hand", 1), headers=key).status_code == 200
    assert Hand.objects.count() == 1
    refused(client, event, "floor-hand", 1, sentence="eben erst eine Hand begonnen")
    assert "Hand 1 an Tisch 2" in done(client, event, "floor-hand", 2)
    client.post(url_of(event, "action-undo", f.last_action(event).pk))
    assert Hand.objects.live().get().table.number == 1
    refused(client, event, "floor-hand", 9, sentence="gibt es nicht mehr")
    assert client.get(url_of(event, "floor-in-force", 7)).status_code == 422
    planned = f.make_seated_event(4, name="Geplant")
    f.sign_browser_in(client, Role.ARBITER, planned)
    (only,) = planned.tables.values_list("number", flat=True)
    refused(client, planned, "floor-hand", only, sentence="noch nicht begonnen")


def test_the_table_says_what_is_in_force_and_believes_no_old_tap_for_ever(
    client, arno, event, minute
):
    tap(event, 1)
    minute(5)
    page = page_of(client, event, "floor-table", 1)
    shows(page, url_of(event, "floor-hand", 1), "Nächste Hand", "Hand 1 begann um 19:01:00")
    words = sheet(client, event, "floor-in-force", 1)
    assert words.startswith("1 / 1 gilt hier Stufe 1 Hand 1 begann")
    minute(85)
    page = page_of(client, event, "floor-table", 1)
    since = "Seit Hand 1 um 19:01:00 nichts getippt"
    shows(page, "gilt hier", "angenommen", "Stufe 5", since)


def test_the_table_says_who_posts_what_in_the_next_hand(client, arno, event, minute):
    minute(2)
    f.drive(hand_begin, event, 1, table=f.table_of(event, 1), button=1)
    names = {f.seat_of(entry)[1]: entry.registration.person.name for entry in f.at_table(event, 1)}
    panel = sheet(client, event, "floor-button", 1)
    assert panel == (
        f"Nächste Hand D 2 · SB 3 · BB 4 Button: {names[2]}. Small Blind: {names[3]}. "
        f"Big Blind: {names[4]}."
    )
    page = page_of(client, event, "floor-table", 1)
    assert 'id="floor-button"' in page
    assert page.count('class="seat-post seat-button"') == 1


def test_an_hour_after_the_last_tap_the_button_is_not_known_any_more(client, arno, event, minute):
    f.drive(hand_begin, event, 3, table=f.table_of(event, 1), button=1)
    minute(63)
    shows(page_of(client, event, "floor-table", 1), "Button zuletzt um 19:03 bekannt", "angenommen")


def test_a_dead_button_and_who_waits_are_said(client, minute):
    minute(3)
    event = f.make_running_event(9, seats=5, preset="tda-2024")
    f.sign_browser_in(client, Role.ARBITER, event)
    small = next(number for number, players in f.sizes(event).items() if players == 4)
    table = f.table_of(event, small)
    free = ({1, 2, 3, 4, 5} - {f.seat_of(entry)[1] for entry in f.at_table(event, small)}).pop()
    f.drive(hand_begin, event, 1, table=table, button=(free + 2) % 5 + 1)
    mover = f.at_table(event, 3 - small)[0]
    said = {"event": event, "by": SYSTEM, "reason": "Probe"}
    call_service(entry_move, **said, at=f.after(1.5), entry=mover, table=table, seat=free)
    name = mover.registration.person.name
    panel = sheet(client, event, "floor-button", small)
    assert f"{name} (Platz {free}) wartet, bis der Button vorbei ist." in panel
    holder = next(e for e in f.at_table(event, small) if f.seat_of(e)[1] == free % 5 + 1)
    f.out(event, holder, at=f.after(2))
    shows(sheet(client, event, "floor-button", small), "SB – · BB", "Small Blind: niemand.")
    f.drive(hand_begin, event, 3, table=table)
    panel = sheet(client, event, "floor-button", small)
    shows(panel, f"D {free % 5 + 1} ·", "Button: toter Button.")


def test_heads_up_the_small_blind_has_the_button(client, minute):
    minute(2)
    event = f.make_running_event(2, seats=2)
    f.sign_browser_in(client, Role.ARBITER, event)
    f.drive(hand_begin, event, 1, table=f.table_of(event, 1), button=1)
    assert "D+SB 2 · BB 1 Button und Small Blind" in sheet(client, event, "floor-button", 1)


def test_nobody_is_named_while_the_button_is_unknown_or_stud_is_played(client, arno, event):
    assert "Button nicht bekannt." in sheet(client, event, "floor-button", 1)
    stud = f.make_running_event(5, seats=5, game="stud", limit="split_limit", name="Stud")
    f.sign_browser_in(client, Role.ARBITER, stud)
    (only,) = stud.tables.values_list("number", flat=True)
    panel = sheet(client, stud, "floor-button", only)
    shows(panel, "Stud: kein Button, keine Blinds.", but=("Button setzen",))
    Event.objects.filter(pk=stud.pk).update(game="holdem")
    f.drive(hand_begin, stud, 1, table=f.table_of(stud, 1), button=4)
    Event.objects.filter(pk=stud.pk).update(game="stud")
    assert "der Button bleibt auf Platz 4" in sheet(client, stud, "floor-button", only)


def test_one_tap_on_a_seat_says_where_the_button_is_unless_the_table_is_gone(client, arno, event):
    asked = sheet(client, event, "floor-button-mark", 1)
    shows(asked, "Wo ist der Button?", but=("Nicht bekannt",))
    key = {"X-Idempotency-Key": str(uuid4()), "HX-Request": "true"}
    for _time in range(2):
        answer = client.post(url_of(event, "floor-button-mark", 1), {"seat": "3"}, headers=key)
        assert "Button an Tisch 1: Platz 3" in text_of(answer)
    assert ButtonMark.objects.get().seat == 3
    assert "Nicht bekannt" in sheet(client, event, "floor-button-mark", 1)
    assert "nicht bekannt" in done(client, event, "floor-button-mark", 1, seat="")
    client.post(url_of(event, "action-undo", f.last_action(event).pk))
    assert ButtonMark.objects.live().get().seat == 3
    assert sheet(client, event, "floor-button", 9) == ""
    assert client.get(url_of(event, "floor-button-mark", 9)).status_code == 422
    refused(client, event, "floor-button-mark", 9, sentence="gibt es nicht mehr", seat="2")


def test_one_tap_on_a_seat_begins_the_hand_with_the_button_there(client, arno, event):
    done(client, event, "floor-button-mark", 1, seat="4", begins="on")
    hand = Hand.objects.live().get()
    assert (hand.button, hand.small_blind, hand.big_blind) == (4, 5, 1)
    assert not ButtonMark.objects.exists()
    again = {"seat": "5", "begins": "on"}
    refused(client, event, "floor-button-mark", 1, sentence="eben erst", **again)
    assert Hand.objects.live().get().button == 4


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"seat": "sechs"}, "Das ist kein Platz."),
        ({"seat": "6"}, "Tisch 1 hat die Plätze 1 bis 5."),
        ({"seat": "0", "begins": "on"}, "Tisch 1 hat die Plätze 1 bis 5."),
    ],
)
def test_a_seat_that_is_none_is_refused(client, arno, event, data, sentence):
    refused(client, event, "floor-button-mark", 1, sentence=sentence, **data)


def test_where_no_hand_begins_the_reason_stands_in_its_place(client, arno, event, minute):
    Level.objects.filter(clock=event.clock, position=1).update(
        kind="break", duration_ms=15 * 60_000, big_blind=0
    )
    minute(19)
    assert "Keine neue Hand" not in words_of(client, event, "floor-button", 1)
    minute(21)
    told = words_of(client, event, "floor-button", 1)
    assert "Keine neue Hand Jetzt ist Pause." in told
    assert "Nächste Hand" not in told.partition("Keine neue Hand")[2]
    halted = f.make_running_event(20, name="Kurz")
    f.out(halted, *f.at_table(halted, 2)[:3])
    f.drive(table_halt, halted, 10, table=f.table_of(halted, 2))
    f.sign_browser_in(client, Role.ARBITER, halted)
    minute(12)
    number = f.table_of(halted, 2).number
    told = words_of(client, halted, "floor-button", number)
    assert f"Keine neue Hand Tisch {number} ist angehalten" in told


def test_the_desk_sees_the_button_and_what_is_in_force_and_sets_neither(client, desk, event):
    assert "Button setzen" not in sheet(client, event, "floor-button", 1)
    assert url_of(event, "floor-hand", 1) not in page_of(client, event, "floor-table", 1)
    assert "Angesagt" in sheet(client, event, "floor-in-force", 2)


def test_the_director_sees_buttons_and_which_tables_still_play_the_old_level(
    client, lead, event, minute
):
    f.drive(hand_begin, event, 19, table=f.table_of(event, 1), button=1)
    tap(event, 19, 2)
    minute(21)
    assert page_of(client, event, "director-tables").count("seat-button") == 1
    done(client, event, "floor-hand", 2)
    page = page_of(client, event, "director")
    shows(page, "Noch nicht in Kraft", "Tisch 1: noch Stufe 1, 1 / 1", but=("Tisch 2: noch Stufe",))
    done(client, event, "floor-hand", 1)
    assert "noch Stufe" not in page_of(client, event, "director-in-force")


# --- The count for a player: what the sheet offers, shows and refuses


@pytest.fixture
def petra(event):
    return f.at_table(event, 1)[0]


def made(event, petra):
    action = f.drive(clock_call_start, event, 5, entry=petra)
    return ClockCall.objects.get(made_by=action)


def test_one_tap_starts_the_count_or_the_watch_before_it(client, lead, event, petra):
    assert "Clock erst nach 30 Sekunden" in sheet(client, event, "floor-player", petra.pk)
    start = url_of(event, "floor-call-start", petra.pk)
    html = text_of(client.post(start, headers=HTMX))
    row = ClockCall.objects.get()
    shows(html, "data-call ", f'data-ends-at="{instant_ms(row.began_at) + 10_000}"')
    shows(html, "Hat gehandelt", but=("Check",))
    refused(client, event, "floor-call-over", row.pk, outcome="dead", sentence="läuft noch")
    done(client, event, "floor-call-stop", row.pk)
    client.post(start, {"watch": "1"}, headers=HTMX)
    assert ClockCall.objects.latest("pk").has_watch


def test_what_it_came_to_is_tapped_once_the_time_is_out(client, lead, event, petra):
    row = made(event, petra)
    refused(client, event, "floor-call-over", row.pk, outcome="check", sentence="kein Ausgang")
    refused(client, event, "floor-call-over", row.pk, sentence="kein Ausgang")
    assert "Hand tot" in done(client, event, "floor-call-over", row.pk, outcome="dead")
    assert "schon eingetragen" in sheet(client, event, "floor-call", row.pk)
    refused(client, event, "floor-call-stop", row.pk, sentence="schon eingetragen")


def test_tda_offers_the_check(client):
    event = f.make_running_event(4, preset="tda-2024")
    f.sign_browser_in(client, Role.ARBITER, event)
    row = made(event, f.entries_of(event)[0])
    assert "Check" in sheet(client, event, "floor-call", row.pk)
    done(client, event, "floor-call-over", row.pk, outcome="check")


def test_an_open_count_is_found_again_until_it_is_taken_back(client, lead, event, petra):
    row = made(event, petra)
    found = url_of(event, "floor-call", row.pk)
    assert found in page_of(client, event, "floor-table", 1)
    assert found in page_of(client, event, "floor-player", petra.pk)
    other = f.at_table(event, 1)[1]
    assert "Erst sagen, wie es ausging" in sheet(client, event, "floor-player", other.pk)
    f.undo(event)
    assert client.get(found).status_code == 404


def test_krru_an_arbiter_reads_who_may(client, arno, event, petra):
    assert "Das macht die Turnierleitung: Clock" in sheet(client, event, "floor-player", petra.pk)
    refused(client, event, "floor-call-start", petra.pk, sentence="nur die Turnierleitung")
    assert not ClockCall.objects.exists()
