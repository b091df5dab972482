"""The dashboard and its panels: what each shows in every state of an evening, and to whom."""

import re

import pytest
from django.db import connection
from django.urls import reverse

from clock.servertime import server_time
from tests import factories as f
from tests.pressing import HTMX, text_of
from tests.services.dealing import mark
from tests.views.pages import shown_in
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.dashboard.views import dashboard
from tournaments.event.services.clock import clock_adjust, clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import Action
from tournaments.people.domain.naming import short_names
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.seating.services.tables import table_open

pytestmark = pytest.mark.django_db
PANELS = ["director-facts", "director-tables", "director-due", "director-log"]


def page(client, event, name="director"):
    response = client.get(reverse(name, args=[event.slug]))
    assert response.status_code == 200
    return text_of(response)


def out(event, *entries, minute=20):
    for entry in entries:
        entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(minute)), entries=[entry])
    return f.fresh(event)


def won_event():
    event = f.make_running_event(3)
    return out(event, *f.entries_of(event)[1:])


@pytest.mark.parametrize("name", ["director", *PANELS])
def test_only_directors_see_it(client, name):
    event = f.make_running_event(4)
    url = reverse(name, args=[event.slug])
    assert client.get(url).status_code == 403
    for role in (Role.ARBITER, Role.DESK):
        f.sign_browser_in(client, role, event)
        assert client.get(url).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, f.make_event(name="Anderes Turnier"))
    assert client.get(url).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert client.get(url).status_code == 200
    assert client.post(url).status_code == 405


def test_an_unknown_tournament_is_not_found(dora):
    assert dora.get(reverse("director", args=["gibt-es-nicht"])).status_code == 404


def test_an_empty_tournament_says_what_to_do_first(dora):
    shown = page(dora, f.make_event())
    assert "Noch kein Tisch" in shown
    assert "Noch niemand angemeldet" in shown
    assert "Noch ist nichts geschehen" in shown
    assert "0 von 60 Plätzen" in shown


def test_before_the_start_it_shows_steps_seats_and_dealers(dora):
    event = f.make_seated_event(14)
    response = dora.get(reverse("director", args=[event.slug]))
    html, shown = response.content.decode(), text_of(response)
    assert re.search(r'is-now"\s+aria-current="step">\s*<span>Auslosung', html)
    assert "Uhr starten" in shown
    assert "Erste Geber an 2 Tischen" in shown
    assert html.count('class="table-card"') == 2
    assert "Absagen" in shown
    assert "Beenden …" not in shown


def test_the_step_is_registration_while_somebody_is_missing(dora):
    event = f.make_seated_event(4)
    f.register(event, "Petra Probst")
    html = dora.get(reverse("director-tables", args=[event.slug])).content.decode()
    assert re.search(r'is-now"\s+aria-current="step">\s*<span>Anmeldung', html)


def test_a_cancelled_tournament_has_no_steps_and_no_controls(dora):
    event = f.make_event()
    event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    response = dora.get(reverse("director", args=[event.slug]))
    assert "steps" not in response.content.decode()
    assert "Das Turnier ist abgesagt" in text_of(response)
    assert "clock-main" not in response.content.decode()


def test_in_play_it_shows_figures_and_who_has_to_move(dora, monkeypatch):
    event = f.make_running_event(20)
    event = out(event, *f.at_table(event, 2)[:4])
    monkeypatch.setattr(server_time, "now", lambda: f.after(22))
    assert "is-moving" not in dora.get(reverse("director", args=[event.slug])).content.decode()
    for number in (1, 2):
        mark(event, 21, None, number)
    response = dora.get(reverse("director", args=[event.slug]))
    html, shown = response.content.decode(), text_of(response)
    assert "16 von 20" in shown
    assert "4.000" in shown
    assert html.count("table-card is-short") == 1
    assert html.count("is-moving") == 1
    assert "An Tisch 2 fehlen 4" in shown
    assert "Anhalten" in shown
    assert "steps" not in html


def test_an_uncounted_stack_makes_the_figures_approximate(dora):
    event = f.make_running_event(4)
    entry_disqualify(
        Command(event=event, by=SYSTEM, at=f.after(9)),
        entry=f.entries_of(event)[0],
        reason="Betrug",
    )
    shown = page(dora, event, "director-facts")
    assert "≈ 800" in shown
    assert "≈ 266" in shown


def test_a_winner_leads_to_the_places_and_the_end(dora):
    event = won_event()
    response = dora.get(reverse("director", args=[event.slug]))
    assert "Spieler 001 hat gewonnen" in text_of(response)
    assert reverse("results", args=[event.slug]) in response.content.decode()
    assert reverse("event-end", args=[event.slug]) in response.content.decode()
    event_end(Command(event=event, by=SYSTEM, at=f.after(30)))
    shown = page(dora, event)
    assert "Das Turnier ist beendet" in shown
    assert "Beenden …" not in shown
    assert "Tisch öffnen" not in shown


def test_names_on_seats_are_short_and_never_the_same():
    names = ["Anna Berger", "Anna Binder", "Ödön von Horváth", "Cher"]
    assert short_names(names) == {
        "Anna Berger": "Anna Berger",
        "Anna Binder": "Anna Binder",
        "Ödön von Horváth": "Ödön H.",
        "Cher": "Cher",
    }


def test_a_large_hall_is_shown_as_counts(dora, monkeypatch):
    monkeypatch.setattr(dashboard, "MOST_MAPS", 2)
    event = f.make_running_event(28)
    html = dora.get(reverse("director-tables", args=[event.slug])).content.decode()
    assert "seat-map" not in html
    assert html.count(f'href="{reverse("floor-table", args=[event.slug, 2])}"') == 1
    assert "3 Tische, 28 sitzen." in html


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_that_shows_the_same_already_answers_nothing(dora, name):
    event = f.make_running_event(14)
    url = reverse(name, args=[event.slug])
    asked = shown_in(dora.get(url))
    assert dora.get(url, asked).status_code == 204
    out(event, *f.at_table(event, 2)[:2])
    assert dora.get(url, asked).status_code == 200


def test_the_page_holds_the_panels_as_they_are_fetched(dora):
    event = f.make_running_event(12)
    html = dora.get(reverse("director", args=[event.slug])).content.decode()
    for name in PANELS:
        url = reverse(name, args=[event.slug])
        shown = re.search(rf'hx-get="{url}".*? name="shown" value="(\w+)"', html, re.DOTALL)[1]
        answer = dora.get(url, {"shown": shown})
        assert answer.status_code == 204, name


def test_queries_do_not_grow_with_the_field(dora, django_assert_max_num_queries):
    def queries(event):
        with django_assert_max_num_queries(120) as captured:
            dora.get(reverse("director", args=[event.slug]))
        return len(captured)

    small, large = f.make_running_event(12), f.make_running_event(48, name="Großes Turnier")
    queries(small)  # what is looked up once and kept
    assert queries(large) <= queries(small) + 1, connection.vendor


def test_the_log_offers_an_undo_for_what_can_be_taken_back(dora):
    event = f.make_running_event(4)
    first, second = f.entries_of(event)[:2]
    out(event, first)
    action = f.last_action(event)
    out(event, second, minute=21)
    url = reverse("action-undo", args=[event.slug, action.pk])
    assert url in dora.get(reverse("director-log", args=[event.slug])).content.decode()
    assert dora.post(url, headers=HTMX).status_code == 200
    html = dora.get(reverse("director-log", args=[event.slug])).content.decode()
    assert url not in html
    assert html.count("zurückgenommen") == 1


# Taking back


def test_an_undo_says_what_it_took_back_and_can_be_taken_back(dora):
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    out(event, entry)
    action = f.last_action(event)
    answer = dora.post(reverse("action-undo", args=[event.slug, action.pk]), headers=HTMX)
    assert "Zurückgenommen: Ausgeschieden: Spieler 001" in text_of(answer)
    assert f.seat_of(entry) is not None
    redo = reverse("action-undo", args=[event.slug, f.last_action(event).pk])
    assert redo in answer.content.decode()
    assert dora.post(redo, headers=HTMX).status_code == 200
    assert f.seat_of(entry) is None


def test_an_undo_that_cannot_be_taken_back_does_not_offer_it(dora):
    event = f.make_seated_event(4)
    action = clock_start(Command(event=event, by=SYSTEM, at=f.START))
    answer = dora.post(reverse("action-undo", args=[event.slug, action.pk]), headers=HTMX)
    assert answer.status_code == 200
    assert "Rückgängig" not in text_of(answer)
    assert not f.fresh(event).has_started


def test_the_same_undo_sent_twice_is_done_once(dora):
    event = f.make_running_event(4)
    out(event, f.entries_of(event)[0])
    url = reverse("action-undo", args=[event.slug, f.last_action(event).pk])
    headers = {**HTMX, "X-Idempotency-Key": "6d8b2b6e-5a59-4f3c-8f68-1f0f5a3f9c11"}
    assert dora.post(url, headers=headers).status_code == 200
    count = Action.objects.filter(event=event).count()
    assert dora.post(url, headers=headers).status_code == 200
    assert Action.objects.filter(event=event).count() == count
    assert dora.post(url, headers=HTMX).status_code == 422


def test_an_undo_is_refused_with_a_sentence(dora):
    event = f.make_event()
    table_open(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    opened = f.last_action(event)
    f.check_in(event, f.register(event))
    version = f.fresh(event).version
    answer = dora.post(reverse("action-undo", args=[event.slug, opened.pk]), headers=HTMX)
    assert answer.status_code == 422
    assert "Erst zurücknehmen" in text_of(answer)
    assert f.fresh(event).version == version


def test_arbiters_take_back_their_own_and_strangers_nothing(client):
    event = f.make_running_event(5)
    first, second = f.entries_of(event)[:2]
    out(event, first)
    url = reverse("action-undo", args=[event.slug, f.last_action(event).pk])
    assert client.post(url, headers=HTMX).status_code == 403
    arno = f.sign_browser_in(client, Role.ARBITER, event)
    assert client.post(url, headers=HTMX).status_code == 422
    entries_eliminate(Command(event=event, by=arno, at=f.after(21)), entries=[second])
    own = reverse("action-undo", args=[event.slug, f.last_action(event).pk])
    assert client.get(own).status_code == 405
    assert client.post(own, headers=HTMX).status_code == 200


def test_actions_of_another_tournament_are_not_found(dora):
    event, other = f.make_running_event(4), f.make_running_event(4, name="Anderes Turnier")
    url = reverse("action-undo", args=[event.slug, f.last_action(other).pk])
    assert dora.post(url, headers=HTMX).status_code == 404


# One line of the log


def test_the_same_pressed_repeatedly_is_one_line_with_the_latest_undo(dora):
    event = f.make_running_event(4)
    for minute in (1, 2, 3):
        clock_adjust(Command(event=event, by=SYSTEM, at=f.after(minute)), seconds=300)
    log = page(dora, event, "director-log")
    assert log.count("5 Minuten mehr") == 2  # read out with its button, too
    assert "3 Mal" in log
    out(event, f.entries_of(event)[0])
    assert page(dora, event, "director-log").count("Ausgeschieden: Spieler 001") == 2
