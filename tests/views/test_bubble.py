"""The bubble on the director's page and on the arbiters' phones."""

import pytest
from django.urls import reverse

from clock.selectors import clock_state
from tests import factories as f
from tests.bubble import begin, count_heads, first_round, in_the_money, make_event, report_all
from tests.pressing import (
    done,
    followed,
    now,
    press,
    refused,
    sheet,
    shows,
    text_of,
    url_of,
    words_of,
)
from tests.views.test_moves import seen_in
from tournaments.changes.access import Role
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import HeadCheck
from tournaments.play.services.bubble import (
    heads_check,
    round_release,
)
from tournaments.play.services.conduct import entry_leave, entry_return, seating_arrive
from tournaments.play.views import bubble
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.services.tables import entry_move

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event()


def panel(client, event, name="director-bubble", *further):
    return words_of(client, event, name, *further)


def phone(client, event, table=1):
    return panel(client, event, "floor-hand-for-hand", table)


# The director


def test_the_panel_says_how_far_it_is_and_what_each_table_does(lead, event):
    assert "Noch 2 bis zum Geld 9 im Spiel, 7 Plätze bezahlt" in panel(lead, event)
    done(lead, event, "hand-for-hand-begin")
    shown = panel(lead, event)
    shows(shown, "laufende Hände 0 von 3 Tischen fertig", "Es fehlt die Meldung: Tische 1, 2, 3.")
    done(lead, event, "floor-reported", 1, round="0")
    assert "1 von 3 Tischen fertig" in panel(lead, event)
    for table in (2, 3):
        done(lead, event, "floor-reported", table, round="0")
    assert "disabled" not in lead.get(url_of(event, "director-bubble")).content.decode()
    done(lead, event, "round-release", after="0")
    assert "Hand für Hand: Hand 1" in panel(lead, event)


def test_the_panel_is_empty_where_there_is_nothing_to_say(client, monkeypatch):
    def shown(event, name="director-bubble"):
        f.sign_browser_in(client, Role.DIRECTOR, event)
        return panel(client, event, name)

    assert shown(make_event(paid=0, name="Ohne Preise")) == ""
    assert shown(f.make_seated_event(4, seats=2, name="Geplant", paid_places=2)) == ""
    far = make_event(8, 2, 1, name="Weit weg")
    assert shown(far) == ""
    assert "bis zum Geld 7 1 bezahlt" in shown(far, "director-facts")
    event = make_event(4, 3)
    assert shown(event) != ""
    f.drive(event_end, event, 60)
    assert shown(event) == ""
    monkeypatch.setattr(bubble, "MOST_TABLES", 2)
    many = make_event(8, 2, 4, name="Viele")
    assert "und 2 weitere Tische" in shown(many)
    count_heads(many)
    assert "Tisch 1 " not in shown(many)


def test_no_heads_are_counted_at_the_only_table(client):
    event = make_event(4, 4, 3, name="Klein")
    f.sign_browser_in(client, Role.DIRECTOR, event)
    shows(panel(client, event), "Noch einer bis zum Geld", but=("nicht gezählt", "Tisch 1"))
    f.out(event, f.entries_of(event)[0], at=f.after(20))
    assert "„Im Geld“ ansagen" in panel(client, event, "director-due")
    done(client, event, "money-reach")


def test_what_is_due_near_the_money(lead, event):
    assert "Noch 2 bis zum Geld" in panel(lead, event, "director-due")
    begin(event)
    due = panel(lead, event, "director-due")
    shows(due, but=("Hand für Hand ansagen", "Die Uhr ist angehalten"))
    report_all(event, 0)
    assert "Alle Tische sind fertig" in panel(lead, event, "director-due")
    in_the_money(event)
    assert "Noch nicht nachgezählt: Tische 1, 2, 3." in panel(lead, event)
    assert "Spieler zählen" in panel(lead, event, "director-due")
    count_heads(event, t1=3)
    shows(panel(lead, event, "director-due"), "Tisch 1: 3 gezählt, 2 eingetragen", "Tisch ansehen")
    count_heads(event, 31)
    assert "An jedem Tisch stimmt die Zahl" in panel(lead, event, "director-due")


def test_in_a_break_no_hand_is_released_and_it_begins_when_all_are_done(lead, event, minute):
    minute(22)
    row = event.clock.levels.order_by("position")[1]
    row.kind, row.duration_ms = "break", 15 * 60_000
    row.save()
    begin(event, 19)
    report_all(event, 0, 19)
    f.drive(round_release, event, 20, after=0)
    assert "Die Uhr ist angehalten" not in panel(lead, event, "director-due")
    report_all(event, 1, 21)
    assert "Jetzt ist Pause." in panel(lead, event, "director-bubble")
    assert "Nächste Hand freigeben" not in panel(lead, event, "director-due")
    assert "Jetzt ist Pause. Danach lässt sich" in phone(lead, event)
    refused(lead, event, "round-release", after="1", sentence="Jetzt ist Pause.")


def test_numbers_that_are_none(lead, event):
    begin(event)
    for number in ("", "x", "9999999"):
        for address, sent in (
            (["round-release"], {"after": number}),
            (["floor-reported", 1], {"round": number}),
            (["floor-heads", 1], {"players": number}),
        ):
            refused(lead, event, *address, **sent, sentence="Bitte neu laden")


# The phones


def test_a_phone_reports_its_hand_and_sees_who_still_plays(client, arno, event):
    assert "Hand für Hand" not in phone(client, event)
    begin(event)
    assert "Hand für Hand ist angesagt" in phone(client, event)
    done(client, event, "floor-reported", 1, round="0")
    assert "Noch spielt: Tische 2, 3." in phone(client, event)
    refused(client, event, "floor-reported", 1, round="0", sentence="schon fertig gemeldet")
    report_all(event, 0, tables=(2, 3))
    assert "Alle sind fertig." in phone(client, event)
    f.drive(round_release, event, 12, after=0)
    assert "Hand für Hand: Hand 1 Nur diese eine Hand. Bei All-in" in phone(client, event)
    refused(
        client, event, "floor-reported", 1, round="0", sentence="Inzwischen läuft schon Hand 1."
    )
    one, two = f.at_table(event, 1)[:2]
    f.out(event, one, two, at=f.after(13))
    assert "Hier wird gerade keine Hand gespielt." in phone(client, event)


def test_a_phone_counts_heads(client, arno, event):
    shows(phone(client, event), "Bitte Spieler zählen", "Hier sitzen 3", "Andere Zahl")
    done(client, event, "floor-heads", 1, players="3")
    assert "Spieler gezählt Hier sitzen 3." in phone(client, event)
    done(client, event, "floor-heads", 2, players="2")
    assert "Tisch 2: 2 gezählt, 3 eingetragen" in phone(client, event, 2)
    refused(client, event, "floor-heads", 2, players="4", sentence="höchstens 3")
    refused(client, event, "floor-heads", 9, players="2", sentence="Tisch")
    assert HeadCheck.objects.live().count() == 2


def test_a_count_says_who_of_them_has_no_chips_or_is_on_the_way(client):
    event = make_event(8, rebuy_level=9, rebuy_hold_minutes=60)
    f.sign_browser_in(client, Role.ARBITER, event)
    sizes = f.sizes(event)
    to, one, other = sorted(sizes, key=sizes.get)
    assert "Davon" not in phone(client, event, one)
    f.out(event, f.at_table(event, one)[0], at=f.after(2))
    stays, mover = f.at_table(event, other)[:2]
    f.drive(seating_arrive, event, 3, seatings=[seating_of(stays)])
    (seat,) = {1, 2, 3} - {f.seat_of(entry)[1] for entry in f.at_table(event, to)}
    own = {"entry": mover, "table": f.table_of(event, to), "seat": seat, "reason": "Laut"}
    f.drive(entry_move, event, 4, **own)
    shows(phone(client, event, one), "Hier sitzen 3", "Davon einer ohne Chips.")
    shows(phone(client, event, to), "Hier sitzen 3", "Davon einer noch unterwegs.")
    f.drive(heads_check, event, 5, table=f.table_of(event, one), players=3)
    shows(phone(client, event, one), "Spieler gezählt Hier sitzen 3. Davon einer ohne Chips.")


def test_the_desk_looks_and_does_not_press(client, event):
    begin(event)
    f.sign_browser_in(client, Role.DESK, event)
    html = client.get(url_of(event, "floor-hand-for-hand", 1)).content.decode()
    shows(html, "Hand für Hand ist angesagt", but=("hx-post",))


def test_the_tables_page_asks_whether_anybody_is_out_before_the_hand_is_done(client, arno, event):
    begin(event)
    assert "Köpfe" not in phone(client, event)
    html = client.get(url_of(event, "floor-table", 1)).content.decode()
    assert 'id="floor-hand-for-hand"' in html
    asked = html[html.index("Ist jemand aus?") :]
    many, reported = url_of(event, "floor-many", 1), url_of(event, "floor-reported", 1)
    assert 0 < asked.index(f'hx-get="{many}"') < asked.index(f'hx-post="{reported}"')
    assert html.count(f'hx-post="{reported}"') == 1
    done(client, event, "floor-reported", 1, round="0")
    assert "Bitte Spieler zählen" in phone(client, event)
    assert phone(client, event, 7) == ""
    refused(client, event, "floor-reported", 7, round="0", sentence="Tisch")


# Places


def test_places_are_provisional_until_every_table_has_reported(client, arno, event):
    begun = (now(event) - f.START).total_seconds() / 60
    begin(event, begun)
    report_all(event, 0, begun)
    f.drive(round_release, event, begun, after=0)
    entry = f.at_table(event, 1)[0]
    answer = followed(client, press(client, event, "floor-out", entry.pk))
    shows(text_of(answer), "Platz 9", "Vorläufig")
    own = reverse("player", args=[entry.registration.link_token])
    assert "Vorläufig" in text_of(client.get(own))
    assert "vorläufig" in text_of(client.get(url_of(event, "results")))
    told = client.get(url_of(event, "results-json")).json()["places"]
    assert [line["is_provisional"] for line in told if line["place"]] == [True]
    report_all(event, 1, (now(event) - f.START).total_seconds() / 60)
    assert "Vorläufig" not in text_of(client.get(own))
    assert "vorläufig" not in text_of(client.get(url_of(event, "results")))


# The director's hand on clock and bubble from one page, after twenty-five minutes


@pytest.fixture
def later(lead, minute):
    minute(25)
    return lead


def state(event):
    return clock_state(f.fresh(event).clock, f.after(25))


def test_the_clock_is_set_and_a_break_begun_from_the_page(later, event):
    assert "noch zu spielen" in sheet(later, event, "clock-jump")
    seen = seen_in(press(later, event, "clock-set", time="12:30"))
    assert "Uhr auf 12:30 gestellt" in done(later, event, "clock-set", time="12:30", seen=seen)
    assert state(event).remaining.total_seconds() == 750
    for typed in ("", "abc", "-5", "12:75", "1000"):
        refused(later, event, "clock-set", time=typed)
    assert "Small Blind" in sheet(later, event, "level-correct")
    values = {"small_blind": "1", "big_blind": "1.000", "ante": "x"}
    refused(later, event, "level-correct", sentence="Bitte ganze Zahlen", **values)
    done(later, event, "level-correct", small_blind="1", big_blind="2", ante="1")
    assert "10" in sheet(later, event, "clock-break")
    refused(later, event, "clock-break", minutes="lang", sentence="Bitte ganze Minuten")
    done(later, event, "clock-break", minutes="10")
    assert state(event).level.is_break
    assert "Es ist gerade Pause." in sheet(later, event, "level-correct")


def test_what_the_clock_does_in_hand_for_hand_is_asked(later, event):
    asks = url_of(event, "clock-in-round")
    page = url_of(event, "director-clock")
    assert asks not in later.get(page).content.decode()
    begin(event)
    assert asks in later.get(page).content.decode()
    assert "Erst wenn alle Tische" in sheet(later, event, "clock-in-round")
    report_all(event, 0)
    assert "Erst wenn alle Tische" not in sheet(later, event, "clock-in-round")


def test_after_the_burst_heads_are_counted_then_it_is_announced_then_ended(later, event):
    def due():
        words = words_of(later, event, "director-due")
        assert "Nächste Hand freigeben" not in words
        return words

    first_round(event)
    in_the_money(event)
    report_all(event, 1, 23)
    assert "Spieler zählen" in due()
    for table, players in f.sizes(event).items():
        assert f"Tisch {table} gezählt" in due()
        done(later, event, "floor-heads", table, players=str(players))
    assert "„Im Geld“ ansagen" in due()
    done(later, event, "money-reach")
    assert "Hand für Hand beenden" in due()
    assert panel(later, event) != ""
    done(later, event, "hand-for-hand-end")
    assert "Hand für Hand" not in due()
    assert panel(later, event) == ""


def test_what_is_due_hears_of_everything_it_shows(later, event):
    """Seats taken, stacks brought, who is back: all of it is told as conduct."""
    html = later.get(url_of(event, "director")).content.decode()
    panel = html[html.index('id="director-due"') :][:900]
    away = f.drive(entry_leave, event, 20, entry=f.entries_of(event)[0])
    back = f.drive(entry_return, event, 21, entry=f.entries_of(event)[0])
    for action in (away, back):
        assert any(f"krru:{topic} from:body" in panel for topic in action.news["changed"])


def test_nothing_is_said_of_the_bubble_while_somebody_may_come_in(client):
    """Ten players in level 1, five paid: hand-for-hand was offered to a field that grows."""
    event = make_event(late_registration_level=3)
    f.drive(clock_pause, event, 2)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Hand für Hand" not in panel(client, event)
    f.drive(event_update, event, 3, settings={"late_registration_level": 0})
    assert "Hand für Hand ansagen" in panel(client, event)
