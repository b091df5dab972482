"""An evening with only cash tables is made, kept and ended in words of its own."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.services.cashgames import make_cash_event, open_table, say, sit, undo_last
from tests.views.pages import NOW, TOMORROW, card_with, planned, save, text_of
from tournaments.cashgame.selectors.layout import closed_tables
from tournaments.cashgame.services.hands import cash_hand_begin
from tournaments.cashgame.services.seats import cash_move, cash_out
from tournaments.cashgame.services.tables import cash_last_hands, cash_table_close
from tournaments.changes.access import COOKIE, Role
from tournaments.changes.selectors.log import describe
from tournaments.door.selectors.desk import guests_of
from tournaments.door.selectors.places import are_here, noshows
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Event, Waiting
from tournaments.people.selectors.people import evenings_of, people_of, with_evenings
from tournaments.screens.selectors.faces import hall_cash_end
from tournaments.seasons.selectors.statistics import profile_of, statistics_of

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]
ASKED = {"name": "Cashrunde", "day": TOMORROW.isoformat(), "time": "19:30"}
OF_A_TOURNAMENT = (
    r"Turnier(?!leitung|seite)|Einchecken|Startgeld|Blindplan|Startstapel|Re-buy|Plätzen frei"
)


def test_a_cash_evening_needs_nothing_of_a_tournament(dora):
    url = f"{reverse('new-event')}?art=cash_game"
    form = dora.get(url).context["form"]
    assert list(form.fields) == ["name", "day", "time", "cash_unit"]
    assert dora.post(reverse("new-event"), ASKED).status_code == 422
    assert dora.post(url, ASKED | {"name": "", "cash_unit": "matches"}).status_code == 422
    assert dora.post(url, ASKED | {"cash_unit": "matches"}).status_code == 302
    event = Event.objects.get()
    assert (event.kind, event.cash_unit, event.fee_cents) == ("cash_game", "matches", 0)
    made = Action.objects.get(kind="event.created")
    assert describe(made) == "Abend angelegt: Cashrunde"


def test_the_next_evening_is_like_the_last_and_others_are_offered(dora):
    planned(fee_cents=1250, name="Omaha-Abend", starts_at=NOW - timedelta(days=9))
    page = text_of(dora.get(reverse("new-event")))
    assert "Cash Game" not in page
    cash = {"cash_unit": "points"}
    assert dora.post(f"{reverse('new-event')}?art=cash_game", ASKED | cash).status_code == 302
    again = dora.get(reverse("new-event"))
    assert (again.context["source"].name, again.context["plan"]) == ("Cashrunde", None)
    assert [one.name for one in again.context["others"]] == ["Omaha-Abend"]
    assert "?art=cash_game" in text_of(again)


def test_no_page_of_a_cash_evening_speaks_of_a_tournament(client):
    event = make_cash_event(name="Runde", capacity=2)
    for name in ("Anna", "Bert", "Cleo"):
        f.register(event, name)
    assert not Waiting.objects.filter(event=event).exists()
    client.cookies[COOKIE] = f.sign_in("Leitung", Role.DIRECTOR, event).token
    names = ("event-settings", "event-end", "event-cancel", "tournament", "desk", "director",
             "paper-poster", "papers")  # fmt: skip

    def said(name):
        page = text_of(client.get(reverse(name, args=[event.slug])))
        main = page[page.index("<main") : page.index("</main>")]
        shown = re.sub(r"<[^>]+>", "|", re.sub(r"<(option|script)\b.*?</\1>", "", main))
        return re.findall(rf"[^|]*(?:{OF_A_TOURNAMENT})[^|]*", shown)

    assert {name: said(name) for name in names} == {name: [] for name in names}
    assert "Cash Game, 3 angemeldet" in text_of(client.get(reverse("home")))
    f.drive(event_end, event, 60)
    assert said("director") == said("event-settings") == said("tournament") == []


def test_the_settings_of_a_cash_evening_are_saved_and_its_copy_has_no_plan(dora):
    event = make_cash_event(starts_at=planned().starts_at, at=f.after(0), name="Runde")
    assert save(dora, event, "cash_unit", cash_unit="points").status_code == 302
    event.refresh_from_db()
    assert event.cash_unit == "points"
    assert "fee_cents" not in dora.get(card_with(event, "fee_cents")).context["form"].fields
    page = text_of(dora.get(reverse("event-copy", args=[event.slug])))
    assert "Abend kopieren" in page
    assert "Blindplan" not in page


# --- Who plays cash was there; an evening that ends with money on a table names it


def test_who_plays_cash_beside_a_tournament_is_no_no_show():
    event = f.make_running_event(2, kind="both", no_show_minutes=10, late_registration_level=9)
    f.register(event, "Anna")
    sit(event, open_table(event), "Gustav", 1)
    assert [row.person.name for row in noshows(event, f.after(30))] == ["Anna"]


def test_who_sits_down_at_a_cash_table_is_there_until_that_is_taken_back(client):
    event = f.make_event(kind="both")
    petra = sit(event, open_table(event), "Petra Probst", 1)
    own = reverse("player", args=[petra.link_token])
    shown = text_of(client.get(own))
    assert "Wir wissen, dass du da bist" in shown
    assert shown.index("Bisher gekauft") < shown.index("Du bist angemeldet")
    assert are_here([petra.pk]) == {petra.pk}
    f.undo(event)
    assert not are_here([petra.pk])
    assert "Wir wissen, dass du da bist" not in text_of(client.get(own))


def test_who_played_cash_was_there_and_who_only_came_was_not(event):
    table = open_table(event)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    say(cash_out, event, registration=petra, cents=5000)
    otto = f.register(event, "Otto Kurz")
    sit(event, table, "Anna Berger", 2, 5000)
    undo_last(event)
    other = f.make_event()
    came = {guest.registration.person.name: guest.came for guest in guests_of(event, other)}
    assert came == {"Petra Probst": True, "Otto Kurz": False, "Anna Berger": False}
    evenings = dict(with_evenings(people_of(event.club)).values_list("name", "evenings"))
    assert (evenings["Petra Probst"], evenings["Otto Kurz"]) == (1, 0)
    assert [row.has_played for row in evenings_of(petra.person)] == [True]
    assert [row.has_played for row in evenings_of(otto.person)] == [False]
    say(event_end, event, minute=180)
    assert profile_of(petra.person).cash == 1
    assert profile_of(otto.person).cash == 0
    found = statistics_of(event.club)
    assert [(one.people, one.minutes) for one in found.evenings] == [(1, 180)]
    assert found.different == 1


def test_the_end_names_what_lies_on_tables_and_keeps_it_due(client, event):
    table = open_table(event)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    otto = sit(event, table, "Otto Kurz", 2, 10_000)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    asked = text_of(client.get(reverse("event-end", args=[event.slug])))
    assert "An Cash-Tisch 1 liegen noch 150 €, 2 sitzen." in asked
    assert "Abend beenden" in asked
    say(event_end, event)
    page = text_of(client.get(reverse("director", args=[event.slug])))
    assert "An Cash-Tisch 1 liegen noch 150 €, 2 sitzen" in page
    assert "Ergebnis ansehen" not in page
    say(cash_out, event, registration=petra, cents=5000)
    say(cash_out, event, registration=otto, cents=10_000)
    say(cash_table_close, event, table=table)
    assert "An Cash-Tisch 1" not in text_of(client.get(reverse("director", args=[event.slug])))


def test_after_the_end_no_screen_speaks_of_hands_and_closed_tables_add_up(client, event):
    main, feeder = open_table(event), open_table(event)
    petra = sit(event, feeder, "Petra Probst", 1, 5000)
    say(cash_last_hands, event, hands=3)
    say(cash_move, event, registration=petra, table=main, seat=1, stack_cents=5000)
    say(cash_out, event, registration=petra, cents=5000)
    for table in (main, feeder):
        say(cash_table_close, event, table=table)
    assert [one.carried_cents for one in closed_tables(event)] == [5000, -5000]
    say(event_end, event)
    event.refresh_from_db()
    assert hall_cash_end(event) == {"ends": None, "last": None}
    f.sign_browser_in(client, Role.DIRECTOR, event)
    page = text_of(client.get(reverse("cash-game", args=[event.slug])))
    assert "Das Cash Game ist zu Ende." in page
    assert "Noch 3 Hände" not in page
    third = open_table(event)
    with f.refused("over", event):
        say(cash_hand_begin, event, table=third)
