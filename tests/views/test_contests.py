"""The pages of a contest: the flights in a row, bags on the phone, the end of a day, day 2."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.bubble import report_all
from tests.flights import CHIPS, add, bag_all, by_name, day_after, flight, make_contest, played
from tests.pressing import HTMX, shows, url_of
from tests.views.pages import errors_of, page_of, text_of
from tests.views.test_held import late
from tournaments.changes.access import Role
from tournaments.contests.domain.carrying import Further
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import day_begins_at, feeding, stage_of, stages_of
from tournaments.contests.views import contests
from tournaments.door.services.registration import registration_create
from tournaments.event.services.lifecycle import event_update
from tournaments.models import BagWord, Carry, Contest
from tournaments.prizes.domain.plans import Rounding
from tournaments.screens.selectors.screens import screen_hand_for_hand

pytestmark = pytest.mark.django_db
TERMS = {
    "name": "Main Event", "forward": "best", "further": "bonus", "further_cents": "4000",
    "travel_cents": "", "begins": "rest",
}  # fmt: skip
STAGE = {"label": "1A", "order": "1", "percent": "12,5", "rounding": "up", "time": ""}


def test_a_contest_is_made_from_the_settings_of_a_tournament(dora):
    event = f.make_event()
    assert "Mehrere Flights" in page_of(dora, event, "event-settings")
    page = reverse("contest-new") + f"?turnier={event.slug}"
    assert "Mehrere Flights" in text_of(dora.get(page))
    answer = dora.post(page, TERMS)
    contest = Contest.objects.get()
    assert (contest.reckoning.further_cents, contest.reckoning.forward) == (400_000, "best")
    assert dora.get(answer.url).context["form"]["event"].initial == event.pk
    assert dora.post(answer.url, {**STAGE, "event": event.pk}).status_code == 302
    stage = stage_of(f.fresh(event))
    assert (stage.label, stage.rule.percent, stage.rule.rounding) == ("1A", 1250, "up")
    # From then on the link leads to the flights.
    assert dora.get(page).url == reverse("contest", args=[contest.pk])
    change = reverse("stage-edit", args=[stage.pk])
    assert dora.get(change).context["form"]["percent"].value() == "12,5"
    dora.post(change, {**STAGE, "event": event.pk, "percent": "", "players": "9"})
    assert stage_of(f.fresh(event)).rule.players == 9
    assert dora.post(reverse("stage-remove", args=[stage_of(f.fresh(event)).pk])).status_code == 302
    assert not stages_of(contest)


def test_a_share_that_cannot_be_is_red_at_its_field(dora):
    event = f.make_event()
    page = reverse("stage-new", args=[make_contest().pk])
    for percent in ("0", "-5", "101", "viel", "1,234"):
        sent = {**STAGE, "event": event.pk, "percent": percent}
        assert errors_of(dora.post(page, sent), "percent"), percent
    assert stage_of(f.fresh(event)) is None


def test_bags_are_typed_at_the_seat_and_by_the_player(client, dora):
    event = flight(make_contest(), "1A", names=("Anna", "Bert"))
    anna, bert = by_name(event, "Anna"), by_name(event, "Bert")
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Säcke" in page_of(client, event, "floor")
    shows(page_of(client, event, "bags"), "Anna", "fehlt")
    # Without Wi-Fi: the device signed in long before this evening, so the time is believed.
    typed = {"amount": "250", "number": "27"}
    tapped = late(client, event, "bag-say", anna.pk, at=f.after(10), data=typed)
    assert tapped.status_code == 200, tapped.content.decode()
    assert BagWord.objects.live().get(entry=anna).amount == 250
    client.cookies.clear()
    mine, other = anna.registration.link_token, bert.registration.link_token
    assert "Dein Sack" in text_of(client.get(reverse("player", args=[mine])))
    said = client.post(reverse("player-bag", args=[mine]), {"amount": "250"})
    assert said.status_code == 302
    assert BagWord.objects.live().filter(entry=anna).count() == 2
    wrong = client.post(reverse("player-bag", args=[other]), {"amount": "999999999"})
    assert wrong.status_code == 422


def test_a_day_is_ended_and_the_next_one_drawn(client, dora):
    contest = make_contest()
    event = flight(contest, "1A")
    assert "Noch 2 bis zum Ende des Flights" in page_of(dora, event, "director-due")
    assert client.get(url_of(event, "screen-state")).json()["to_end"] == 2
    f.out(event, by_name(event, "Cora"), at=f.after(10))
    f.out(event, by_name(event, "Doro"), at=f.after(11))
    assert "Der Flight ist zu Ende" in page_of(dora, event, "director-due")
    bag_all(event, Anna=CHIPS - 300, Bert=200)
    assert "Differenz -100" in page_of(dora, event, "day-end")
    assert dora.post(url_of(event, "day-end")).status_code == 422
    assert errors_of(dora.post(url_of(event, "day-end"), {"is_sure": "on"}), "reason")
    bag_all(event, first=2, Bert=300)
    assert dora.post(url_of(event, "day-end")).url == reverse("contest", args=[contest.pk])
    day = day_after(contest)
    assert "2 Personen kommen weiter" in text_of(dora.get(reverse("contest", args=[contest.pk])))
    assert "Tag 2 auslosen" in page_of(dora, day, "director-due")
    assert dora.post(url_of(day, "day-draw")).status_code == 302
    assert Carry.objects.live().count() == 2
    assert "<strong>300</strong>" in page_of(dora, day, "slips")
    own = by_name(event, "Anna").registration
    mine = text_of(client.get(reverse("player", args=[own.link_token])))
    shows(mine, "dein Sack 1A", but=("Du hast gewonnen",))
    listed = page_of(client, event, "bag-list")
    assert "1A: 2 von 4 weiter" in listed
    begins = day_begins_at(feeding(stage_of(day)))
    assert f"Stufe {begins.level} mit {begins.left.seconds // 60:02}:" in listed
    assert listed.index("Anna") < listed.index("Bert")


def test_the_rules_say_how_a_flight_ends_and_what_goes_on(client):
    contest = make_contest(further=Further.BONUS, further_cents=400_000)
    event = f.make_event(name="Flight 1A")
    add(contest, event, "1A", stop=StopRule(percent=1250, rounding=Rounding.UP, level=18))
    page = page_of(client, event, "rules")
    assert "1A endet bei 12,5 % der Einstiege, aufgerundet, nach Stufe 18." in page
    shows(page, "mit dem größten Stapel", "4.000")


def test_without_flights_no_page_speaks_of_them(client, dora):
    event = f.make_running_event(4)
    for name in ("director", "floor", "desk", "tournament", "results", "rules"):
        shows(page_of(dora, event, name), but=("Flight", "Säcke"))
    assert dora.get(url_of(event, "bags")).status_code == 404
    assert client.get(url_of(event, "bag-list")).status_code == 404


def test_the_bags_of_two_flights_are_one_list(client, monkeypatch):
    contest = make_contest()
    played(contest, "1A", Anna=CHIPS - 100, Bert=100)
    other = played(contest, "1B", Anna=200, Cora=CHIPS - 200)
    rows = client.get(url_of(other, "bag-list")).context["bags"]
    assert [(row.name, row.label, row.line.rank) for row in rows] == [
        ("Anna", "1A", 1), ("Cora", "1B", 2), ("Anna", "1B", 3), ("Bert", "1A", 4),
    ]  # fmt: skip
    # A long list is shown whole only when asked for.
    monkeypatch.setattr(contests, "MOST_LISTED", 3)
    short = client.get(url_of(other, "bag-list"))
    assert len(short.context["bags"]) == 3
    assert "Und 1 weitere" in text_of(short)
    assert len(client.get(url_of(other, "bag-list"), {"alle": "1"}).context["bags"]) == 4


def test_the_desk_reads_in_which_flight_a_person_is_through(client):
    contest = make_contest()
    played(contest, "1A", Anna=300, Bert=CHIPS - 300)
    again = f.make_event(name="Flight 1B")
    add(contest, again, "1B")
    f.sign_browser_in(client, Role.DESK)
    words = "Schon weiter mit 300 aus 1A."
    row = f.register(again, "Anna")
    assert words in page_of(client, again, "desk-check-in", row.pk)
    assert words in text_of(client.post(url_of(again, "desk-check-in", row.pk), headers=HTMX))
    other = f.register(again, "Cora")
    assert "Schon weiter" not in page_of(client, again, "desk-check-in", other.pk)


def test_hand_for_hand_is_led_for_all_rooms_from_their_page(
    dora, django_capture_on_commit_callbacks
):
    contest = make_contest()
    rooms = [f.make_running_event(6, seats=3, name=f"Tag {label}") for label in ("2A", "2B")]
    for event, label in zip(rooms, ("2A", "2B"), strict=True):
        add(contest, event, label)
    page = reverse("contest", args=[contest.pk])
    assert "Hand für Hand in allen Räumen ansagen" in text_of(dora.get(page))

    def press(name, **sent):
        with django_capture_on_commit_callbacks(execute=True):
            return dora.post(url_of(rooms[0], name), {**sent, "next": page})

    assert press("hand-for-hand-begin", rooms="1").url == page
    shown = text_of(dora.get(page))
    shows(shown, "Noch spielt: Tische 3, 4.", "In allen Räumen zusammen sind 12 im Spiel.")
    for event, tables in zip(rooms, ((1, 2), (3,)), strict=True):
        report_all(event, 0, tables=tables)
    panel = page_of(dora, rooms[0], "director-bubble")
    assert "In einem anderen Raum läuft die Hand noch. 2B: Tisch 4." in panel
    assert press("round-release", after="0").status_code == 422
    assert screen_hand_for_hand(f.fresh(rooms[0]))["elsewhere"] == "2B"
    report_all(rooms[1], 0, tables=(4,))
    assert press("round-release", after="0").url == page
    assert "Noch spielt: Tische 1, 2." in text_of(dora.get(page))
    for event, tables in zip(rooms, ((1, 2), (3, 4)), strict=True):
        report_all(event, 1, 14, tables=tables)
    assert press("hand-for-hand-end").url == page
    assert "Hand für Hand in allen Räumen ansagen" in text_of(dora.get(page))


def test_a_day_filled_from_bags_takes_no_registrations_of_its_own(client, dora):
    contest = make_contest()
    event = played(contest, "1A", Anna=300, Bert=CHIPS - 300)
    day = day_after(contest, stop=StopRule(), starts_at=f.after(24 * 60), late_registration_level=0)
    strangers, known, forms = Client(), client, HTMX
    page = page_of(strangers, day, "tournament")
    shows(page, "Für alle, die in einem Flight weitergekommen sind", but=("Platz sichern",))
    assert day.name not in page_of(strangers, event, "results")
    typed = {"name": "Zoe", "agrees_to_rules": "on"}
    answer = strangers.post(url_of(day, "register"), typed)
    assert "Hier spielt, wer in einem Flight weitergekommen ist" in text_of(answer)
    assert "wie im Sack" in page
    assert "Noch niemand angemeldet" not in page_of(dora, day, "director-due")
    asked = strangers.get("/api/v1/events").json()["items"]
    assert {row["name"]: row["registration"] for row in asked}["Tag 2"] == "bags"
    f.sign_browser_in(known, Role.DESK)
    assert "Neue Person" not in page_of(known, day, "desk", q="Zoe")
    refused = known.post(url_of(day, "desk-register"), {**typed, "only": "1"}, headers=forms)
    assert "Ohne Sack: Zoe" in text_of(refused)
    assert not known.get(url_of(day, "desk"), {"q": "Cora"}).context["regulars"]
    assert not day.registrations.live().exists()
    # Through in a flight: the desk may say in which room of the day; late entry lets others in.
    assert "Anna anmelden und einchecken" in page_of(known, day, "desk", q="Anna")
    f.drive(registration_create, day, 60, name="Anna")
    assert day.registrations.live().count() == 1
    f.drive(event_update, day, 61, settings={"late_registration_level": 2})
    assert "Platz sichern" in page_of(strangers, day, "tournament")
    f.drive(registration_create, day, 62, name="Zoe")
    assert day.registrations.live().count() == 2
