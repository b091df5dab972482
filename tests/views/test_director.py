"""The dashboard and its panels, in every state of an evening, also of one without names."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.addresses import OF_PEOPLE
from tests.buying import TERMS
from tests.pressing import HTMX, done, refused, shows, text_of, url_of
from tests.services.dealing import mark
from tests.test_access import ADDRESSES
from tests.views.pages import TOMORROW, assert_refused, assert_shown, sent_by, shown_in
from tests.views.pages import text_of as html_of
from tournaments.dashboard.views import dashboard
from tournaments.event.selectors.clock import counted
from tournaments.event.services.clock import clock_adjust, clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import Action, Event
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = [pytest.mark.django_db, pytest.mark.running(4)]
PANELS = ["director-facts", "director-tables", "director-due", "director-log"]


def page(client, event, name="director"):
    response = client.get(reverse(name, args=[event.slug]))
    assert response.status_code == 200
    return text_of(response)


def out(event, *entries, minute=20):
    f.out(event, *entries, at=f.after(minute), is_one_hand=False)
    return f.fresh(event)


def undo_url(event, action=None):
    return reverse("action-undo", args=[event.slug, (action or f.last_action(event)).pk])


def test_an_empty_tournament_says_what_to_do_first_and_a_cancelled_one_has_no_controls(dora):
    shown = page(dora, f.make_event())
    shows(shown, "Noch kein Tisch", "Noch niemand angemeldet", "0 von 60 Plätzen")
    assert "Noch ist nichts geschehen" in shown
    event = f.make_event()
    f.drive(event_cancel, event, -60)
    response = dora.get(reverse("director", args=[event.slug]))
    assert "steps" not in response.content.decode()
    assert "Das Turnier ist abgesagt" in text_of(response)
    assert "clock-main" not in response.content.decode()


def test_before_the_start_it_shows_steps_seats_and_dealers(dora):
    event = f.make_seated_event(14)
    response = dora.get(reverse("director", args=[event.slug]))
    html, shown = response.content.decode(), text_of(response)
    assert re.search(r'is-now"\s+aria-current="step">\s*<span>Auslosung', html)
    shows(shown, "Uhr starten", "Erste Geber an 2 Tischen")
    assert html.count('class="table-card"') == 2
    shows(shown, "Absagen", but=("Beenden …",))
    f.register(event, "Petra Probst")
    html = dora.get(reverse("director-tables", args=[event.slug])).content.decode()
    assert re.search(r'is-now"\s+aria-current="step">\s*<span>Anmeldung', html)


def test_in_play_it_shows_figures_and_who_has_to_move(dora, minute):
    event = f.make_running_event(20)
    event = out(event, *f.at_table(event, 2)[:4])
    minute(22)
    asked = dora.get(reverse("director", args=[event.slug])).content.decode()
    shows(asked, 'id="ask-move-', but=("is-moving",))
    for number in (1, 2):
        mark(event, 21, None, number)
    response = dora.get(reverse("director", args=[event.slug]))
    html, shown = response.content.decode(), text_of(response)
    shows(shown, "16 von 20", "4.000")
    assert html.count("table-card is-short") == 1
    assert html.count("is-moving") == 2
    shows(shown, "10 und 6. Nach 2 Umzügen: 8 und 8.", "Anhalten")
    assert "steps" not in html
    f.drive(entry_disqualify, event, 22, entry=f.entries_of(event)[0], reason="Betrug")
    shows(page(dora, event, "director-facts"), "≈ 4.000", "≈ 266")


def test_the_map_tells_two_namesakes_of_the_evening_apart_and_counts_who_has_no_chips(dora):
    event = f.make_running_event(12, seats=6, **TERMS)
    for number, name in ((1, "Josef Huber"), (2, "Josef Hueber")):
        person = f.at_table(event, number)[0].registration.person
        person.name = name
        person.save()
    out(event, f.at_table(event, 2)[1], minute=1)
    shown = page(dora, event, "director-tables")
    shows(shown, "Josef Hub.", "Josef Hue.", "6 spielen", "5 spielen 1 ohne Chips")


def test_a_winner_leads_to_the_places_and_the_end(dora):
    event = f.make_running_event(3)
    out(event, *f.entries_of(event)[1:])
    response = dora.get(reverse("director", args=[event.slug]))
    told = text_of(response)
    assert told.index("Spieler 001 hat gewonnen") < told.index("Die Uhr läuft noch")
    assert re.search(r'is-now"\s+aria-current="step">\s*<span>Ende', response.content.decode())
    for name in ("results", "event-end"):
        assert reverse(name, args=[event.slug]) in response.content.decode()
    f.drive(event_end, event, 30)
    but = ("Beenden …", "Tisch öffnen", "Die Uhr läuft noch")
    shows(page(dora, event), "Das Turnier ist beendet", but=but)


def test_a_large_hall_is_shown_as_counts(dora, monkeypatch):
    monkeypatch.setattr(dashboard, "MOST_MAPS", 2)
    event = f.make_running_event(28)
    html = dora.get(reverse("director-tables", args=[event.slug])).content.decode()
    assert "seat-map" not in html
    assert html.count(f'href="{reverse("floor-table", args=[event.slug, 2])}"') == 1
    assert "3 Tische, 28 sitzen." in html


def test_a_panel_that_shows_the_same_already_answers_nothing(dora):
    event, asked = f.make_running_event(14), {}
    html = dora.get(reverse("director", args=[event.slug])).content.decode()
    for url in (reverse(name, args=[event.slug]) for name in PANELS):
        on_page = re.search(rf'hx-get="{url}".*? name="shown" value="(\w+)"', html, re.DOTALL)[1]
        asked[url] = shown_in(dora.get(url))
        assert asked[url] == {"shown": on_page}
        assert dora.get(url, asked[url]).status_code == 204
    out(event, *f.at_table(event, 2)[:2])
    assert {dora.get(url, shown).status_code for url, shown in asked.items()} == {200}


def test_an_undo_is_offered_says_what_it_took_back_and_can_be_taken_back(dora):
    event = f.make_seated_event(4)
    start = f.drive(clock_start, event, 0)
    entry, second = f.entries_of(event)[:2]
    out(event, entry)
    url = undo_url(event)
    out(event, second, minute=21)
    assert url in dora.get(reverse("director-log", args=[event.slug])).content.decode()
    answer = dora.post(url, headers=HTMX)
    assert "Zurückgenommen: Ausgeschieden: Spieler 001" in text_of(answer)
    assert f.seat_of(entry) is not None
    html = dora.get(reverse("director-log", args=[event.slug])).content.decode()
    assert url not in html
    assert html.count("zurückgenommen") == 1
    redo = undo_url(event)
    assert redo in answer.content.decode()
    # Others build on the start.
    needed = dora.post(undo_url(event, start), headers=HTMX)
    assert_refused(needed, "Es ist schon jemand ausgeschieden.")
    assert dora.post(redo, headers=HTMX).status_code == 200
    assert f.seat_of(entry) is None


def test_an_undo_that_cannot_be_taken_back_does_not_offer_it(dora, event):
    assert_shown(dora.post(undo_url(event), headers=HTMX), but=("Rückgängig",))
    assert not f.fresh(event).has_started


# One line of the log


def test_the_same_pressed_repeatedly_is_one_line_and_an_undo_sent_twice_is_done_once(dora, event):
    for minute in (1, 2, 3):
        f.drive(clock_adjust, event, minute, seconds=300)
    log = page(dora, event, "director-log")
    assert log.count("5 Minuten mehr") == 2  # read out with its button, too
    assert "3 Mal" in log
    out(event, f.entries_of(event)[0])
    assert page(dora, event, "director-log").count("Ausgeschieden: Spieler 001") == 2
    url = undo_url(event)
    headers = {**HTMX, "X-Idempotency-Key": "6d8b2b6e-5a59-4f3c-8f68-1f0f5a3f9c11"}
    assert dora.post(url, headers=headers).status_code == 200
    count = Action.objects.filter(event=event).count()
    assert dora.post(url, headers=headers).status_code == 200
    assert Action.objects.filter(event=event).count() == count
    assert dora.post(url, headers=HTMX).status_code == 422


@pytest.fixture
def clock_only():
    return f.make_event(is_clock_only=True)


def count(event, minute, what="entries", step=1):
    f.drive(count_change, event, minute, what=what, step=step)


def test_three_counters_have_their_keys_and_tell_a_count_with_its_undo(
    dora, clock_only, django_assert_max_num_queries
):
    with django_assert_max_num_queries(40):
        page = html_of(dora.get(url_of(clock_only, "director")))
    for key in "azedrf":
        assert f'data-key="{key}"' in page
    shows(page, "Chips je Re-buy", "Uhr starten", but=("Saalzahl", "Auslosungen", "Nachmelden"))
    shows(page, but=("Tisch öffnen", "eingecheckt"))
    for data, sentence in (
        ({"what": "entries", "step": -1}, "Weniger als null"),
        ({"what": "entries", "step": "x"}, "ganze Zahl"),
        ({"what": "", "step": 1}, "einzeln"),
        ({"what": "rebuys", "step": 1, "chips": "viele"}, "ganze Zahl von Chips"),
    ):
        refused(dora, clock_only, "count-change", sentence=sentence, **data)
    assert "1 Einstiege" in done(dora, clock_only, "count-change", what="entries", step=1)
    done(dora, clock_only, "count-change", what="rebuys", step=1, chips="150")
    assert counted(clock_only).chips == 350
    assert "350" in html_of(dora.get(url_of(clock_only, "director-counts")))


def test_an_evening_without_names_is_ended_when_one_is_left(dora, clock_only):
    for _time in range(3):
        count(clock_only, -60)
    f.drive(clock_start, clock_only, 0)
    count(clock_only, 5, "left", -1)
    assert "hat gewonnen" not in html_of(dora.get(url_of(clock_only, "director-due")))
    page = html_of(dora.get(url_of(clock_only, "event-end")))
    shows(page, "2 sind noch im Spiel. Die Uhr bleibt stehen.", but=("Chips", "Ergebnis"))
    count(clock_only, 6, "left", -1)
    due = html_of(dora.get(url_of(clock_only, "director-due")))
    shows(due, "Einer ist übrig und hat gewonnen", "Turnier beenden …")
    assert "Einer ist übrig und hat gewonnen." in html_of(dora.get(url_of(clock_only, "event-end")))
    answer = dora.post(url_of(clock_only, "event-end"), follow=True)
    assert (answer.status_code, answer.request["PATH_INFO"]) == (
        200,
        url_of(clock_only, "director"),
    )
    assert f.fresh(clock_only).is_over
    # No last hands are asked for once it is over.
    assert "Das Turnier ist beendet." in html_of(dora.get(url_of(clock_only, "clock-last-hands")))


def test_pages_of_people_are_not_there_and_say_why_and_every_other_is(dora, clock_only):
    assert len(OF_PEOPLE) > 90
    # Scripts are told so once they have shown a token: tests/api/test_reads.py.
    for name in (page for page in OF_PEOPLE if not page.startswith("api-")):
        wanted = ADDRESSES[name].pattern.converters
        url = reverse(name, kwargs={arg: clock_only.slug if arg == "slug" else 1 for arg in wanted})
        method = dora.post if dora.get(url).status_code == 405 else dora.get
        answer = method(url)
        assert answer.status_code == 404, name
        assert "läuft nur die Uhr" in html_of(answer), name
    for name in ("director", "tournament", "screen", "staff", "event-settings", "event-schedule",
                 "event-copy", "event-end", "event-cancel", "director-log-all"):  # fmt: skip
        answer = dora.get(url_of(clock_only, name))
        assert answer.status_code == 200, name
        assert not any(f'"{url_of(clock_only, gone)}"' in html_of(answer)
                       for gone in ("desk", "floor", "results", "draws")), name  # fmt: skip


def test_the_choice_is_made_with_the_evening(dora):
    url = f"{reverse('new-event')}?art=clock"
    page = dora.get(url)
    assert not {"seats_per_table", "fee_cents"} & page.context["form"].fields.keys()
    day = TOMORROW + timedelta(days=1)
    typed = {"name": "Nur Uhr", "day": day, "time": "19:00"}
    answer = dora.post(url, sent_by(page.context["form"], **typed))
    assert answer.status_code == 302, answer.context["form"].errors
    made = Event.objects.get(name="Nur Uhr")
    assert made.is_clock_only
    assert not made.is_registration_open


def test_home_tells_what_was_counted(client, clock_only, django_assert_max_num_queries):
    for minute in range(5):
        count(clock_only, minute - 9)
    assert "Ohne Anmeldung" in html_of(client.get("/"))
    f.drive(clock_start, clock_only, 0)
    count(clock_only, 9, "left", -1)
    with django_assert_max_num_queries(12):
        page = html_of(client.get("/"))
    shows(page, "4 von 5 im Spiel", but=("#anmelden",))
    f.drive(event_end, clock_only, 99)
    page = html_of(client.get("/"))
    shows(page, "Beendet, 5 haben mitgespielt", url_of(clock_only, "tournament"))
    assert url_of(clock_only, "results") not in page


def test_the_last_hands_are_chosen_and_counted_by_key(dora, clock_only):
    f.drive(clock_start, clock_only, 0)
    panel = html_of(dora.get(url_of(clock_only, "director-clock")))
    shows(panel, "Noch 3 Hände", but=('data-key="h"',))
    sheet = html_of(dora.get(url_of(clock_only, "clock-last-hands")))
    assert all(f'value="{hands}"' in sheet for hands in range(1, 21))
    assert 'value="21"' not in sheet
    refused(dora, clock_only, "clock-last-hands", hands="21", sentence="1 bis 20 Hände")
    done(dora, clock_only, "clock-last-hands", hands="2")
    for left in ("Noch 2 Hände.", "Noch eine Hand."):
        shows(html_of(dora.get(url_of(clock_only, "director-clock"))), left, 'data-key="h"')
        done(dora, clock_only, "clock-hand")
    assert 'data-key="h"' not in html_of(dora.get(url_of(clock_only, "director-clock")))
    refused(dora, clock_only, "clock-hand", sentence="Hände werden gerade nicht gezählt")
