"""The desk's people, walk-ins and corrections; slips and everything else on paper."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import shows, url_of
from tests.views.desk import Nothing, actions, data_of, listed, post, refused
from tests.views.pages import assert_shown, bare, page_of, text_of
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Action, Entry, Person, Registration
from tournaments.papers.selectors import papers

pytestmark = pytest.mark.django_db


# Walk-ins


def test_somebody_walks_in_and_is_registered_and_checked_in_at_once(client, desk, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    answer = post(client, "desk-register", event, data=data_of("Zoë Zufall"), **key)
    assert_shown(answer, '<p class="desk-seat-name">Zoë Zufall</p>')
    again = post(client, "desk-register", event, data=data_of("Zoë Zufall"), **key)
    assert text_of(again) == text_of(answer)
    assert actions(event)[-2:] == ["registration.created", "entry.checked_in"]
    assert Entry.objects.count() == Registration.objects.count() == 1
    answer = post(client, "desk-register", event, data=data_of("Uwe Später", only="1"))
    assert "Angemeldet: Uwe Später" in text_of(answer)
    assert url_of(event, "action-undo", Action.objects.latest("pk").pk) in text_of(answer)
    assert Entry.objects.count() == 1


def test_a_walk_in_who_may_not_be_checked_in_is_not_registered_either(client):
    late = f.make_running_event(4, name="Läuft")
    f.sign_browser_in(client, Role.DESK, late)
    refused(client, "desk-register", late, sentence="Die späte Anmeldung ist vorbei.")


def test_a_namesake_is_asked_for_and_then_taken(client, desk, event):
    f.register(event)
    sentence = "Petra Probst ist schon angemeldet."
    answer = refused(client, "desk-register", event, sentence=sentence)
    assert 'name="is_other" value="same"' in text_of(answer)
    answer = post(client, "desk-register", event, data=data_of(is_other="same", email="p@x.at"))
    assert answer.status_code == 200
    assert Person.objects.filter(name="Petra Probst").count() == 2


# Correcting and withdrawing


def test_data_are_corrected_also_after_check_in_and_taken_back(client, desk, event):
    row = f.register(event, "Petra Propst")
    same, sentence = data_of("Petra Propst"), "Es hat sich nichts geändert."
    refused(client, "desk-correct", event, row.pk, sentence=sentence, data=same)
    f.check_in(event, row)
    data = {"name": "Petra Probst", "email": "p@example.org"}
    answer = post(client, "desk-correct", event, row.pk, data=data)
    assert_shown(answer, "Daten berichtigt: Petra Probst")
    made = Action.objects.latest("pk").pk
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.email, row.is_listed) == (*data.values(), False)
    assert post(client, "action-undo", event, made).status_code == 200
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.email, row.is_listed) == ("Petra Propst", "", True)


def test_somebody_withdraws_and_comes_back_by_the_undo_until_the_check_in(client, desk, event):
    row = f.register(event)
    assert_shown(post(client, "desk-withdraw", event, row.pk), "Abgemeldet: Petra Probst")
    assert "Petra" not in listed(client, event)
    post(client, "action-undo", event, Action.objects.latest("pk").pk)
    assert "Petra" in listed(client, event)
    f.check_in(event, row)
    refused(client, "desk-withdraw", event, row.pk, sentence="Schon eingecheckt.")
    sheet = page_of(client, event, "desk-correct", row.pk)
    assert url_of(event, "desk-withdraw", row.pk) not in sheet


def test_after_the_end_nothing_is_offered(client, desk, event):
    row = f.register(event)
    sheet = url_of(event, "desk-check-in", row.pk)
    f.drive(event_cancel, event, -60)
    shows(page_of(client, event, "desk"), but=("Neue Person", "Einchecken<"))
    assert "Einchecken" not in text_of(client.get(sheet))
    with Nothing(event):
        assert post(client, "desk-check-in", event, row.pk, data=data_of()).status_code == 422


def test_every_seat_gets_a_slip_with_a_code_of_its_own(
    client, monkeypatch, django_assert_max_num_queries
):
    event = f.make_seated_event(14, seats=6)
    f.sign_browser_in(client, Role.DESK, event)
    with django_assert_max_num_queries(16):
        answer = page_of(client, event, "slips")
    assert answer.count('<article class="slip">') == answer.count('<div class="slip-qr">') == 14
    shows(answer, "14 Platzzettel", but=("?from=",))
    links = []
    how = "tournaments.papers.views.papers.qr_svg"
    monkeypatch.setattr(how, lambda link: links.append(link) or "qr")
    entry = f.entries_of(event)[0]
    answer = page_of(client, event, "slip", entry.pk)
    assert entry.registration.person.name in answer
    assert answer.count('class="slip"') == 1
    assert links == [f"http://testserver{reverse('player', args=[entry.registration.link_token])}"]


def test_a_large_field_is_printed_in_batches_of_tables(client, monkeypatch):
    monkeypatch.setattr("tournaments.papers.views.papers.MOST_SLIPS", 10)
    event = f.make_seated_event(14, seats=5)
    f.sign_browser_in(client, Role.DESK, event)
    first = page_of(client, event, "slips")
    shows(first, "Tische 1 bis 2", 'href="?from=3"')
    second = page_of(client, event, "slips", **{"from": "3"})
    assert first.count('class="slip"') + second.count('class="slip"') == 14
    empty = f.make_event(name="Leer")
    f.sign_browser_in(client, Role.DESK, empty)
    assert "Noch sitzt niemand" in page_of(client, empty, "slips")


def test_the_desk_is_told_that_somebody_plays_or_is_checked_in_elsewhere(client):
    early = f.make_running_event(4, name="Nachmittag")
    late, beside = f.make_event(name="Abend"), f.make_event(name="Stüberl")
    f.sign_browser_in(client, Role.DESK)
    player = f.entries_of(early)[0]
    again = f.register(late, player.registration.person.name)
    assert again.person == player.registration.person
    told = text_of(post(client, "desk-check-in", late, again.pk, data={"both": "1"}))
    assert "Spielt gerade auch bei „Nachmittag“" in told
    f.out(early, player, at=f.after(5))
    assert "Spielt gerade auch" not in listed(client, late, shown=again.pk)
    other = f.register(beside, player.registration.person.name)
    told = text_of(post(client, "desk-check-in", beside, other.pk, data={"both": "1"}))
    assert "Ist auch bei „Abend“ eingecheckt." in told


@pytest.fixture
def seated(client):
    event = f.make_seated_event(14, seats=6)
    f.sign_browser_in(client, Role.DESK, event)
    return event


def test_the_poster_says_what_when_where_and_has_the_code(client, desk, event):
    assert "nur bis zum Start" in page_of(client, event, "paper-poster")
    told = {"venue": "Gasthof Post", "address": "Hauptplatz 3", "contact": "info@klub.at"}
    f.drive(event_update, event, -60, settings=told | {"fee_cents": 1250})
    answer = bare(page_of(client, event, "paper-poster"))
    shows(answer, "<h1>Freitagsturnier</h1>", "Freitag, 20. November 2026", "19:00 Uhr")
    shows(answer, "12,50 €", "http://testserver/t/")
    assert len(re.findall(r'<div class="sheet-qr" data-opens="[^"]+\?da=[^"]+"><svg', answer)) == 1
    shows(answer, "<strong>Gasthof Post</strong>", "info@klub.at")
    assert "<dt>Startstapel</dt><dd>200</dd>" in answer


def test_seats_are_listed_by_name(client, desk, event, django_assert_max_num_queries):
    assert "Noch sitzt niemand" in page_of(client, event, "paper-seats")
    assert "Noch steht kein Tisch bereit" in page_of(client, event, "paper-tables")
    for name in ("Zoë Ende", "Ägidius Anfang", "Anna Anders"):
        f.check_in(event, f.register(event, name))
    with django_assert_max_num_queries(16):
        answer = page_of(client, event, "paper-seats")
    assert answer.index("Ägidius") < answer.index("Anna") < answer.index("Zoë")
    assert answer.count('class="seats-letter"') == 2
    assert answer.count('<th scope="row">') == 3


def test_the_table_plan_shows_every_seat_and_slips_come_on_labels_too(
    client, seated, django_assert_max_num_queries
):
    with django_assert_max_num_queries(18):
        answer = page_of(client, seated, "paper-tables")
    assert "Tisch 3" in answer
    links = page_of(client, seated, "papers")
    for name in ("slips", "paper-poster", "paper-seats", "paper-tables", "paper-blank"):
        assert f'href="{url_of(seated, name)}' in links
    assert answer.count("<li>Spieler") == 14
    assert answer.count("<li></li>") == 3 * 6 - 14
    answer = page_of(client, seated, "slips", papier="etikett")
    shows(answer, "pages/label", 'class="slips slips-labels"')
    assert answer.count('<article class="slip">') == 14
    assert "pages/label" not in page_of(client, seated, "slips")
    entry = f.entries_of(seated)[0]
    single = page_of(client, seated, "slip", entry.pk, papier="etikett")
    assert single.count('<article class="slip">') == 1


def test_sheets_for_emergencies_are_empty_but_for_the_schedule(client, desk, event):
    f.register(event)
    answer = page_of(client, event, "paper-blank")
    assert "Petra" not in answer
    assert answer.count('<article class="sheet"') == 3
    assert ">1 / 2</span>" in bare(answer)
    assert answer.count("Tisch ____") == 6
    # Where only the clock runs, there is no paper of people.
    clock_only = f.make_event(is_clock_only=True, name="Nur Uhr")
    f.sign_browser_in(client, Role.DESK, clock_only)
    assert page_of(client, clock_only, "paper-blank").count('<article class="sheet"') == 1
    assert url_of(clock_only, "paper-poster") in page_of(client, clock_only, "papers")
    assert client.get(url_of(clock_only, "paper-seats")).status_code == 404


def test_every_table_in_play_has_an_emergency_sheet(client):
    event = f.make_seated_event(14, seats=2)
    f.sign_browser_in(client, Role.DESK, event)
    answer = page_of(client, event, "paper-blank")
    assert [f"Tisch {number}</h2>" in bare(answer) for number in (7, 8)] == [True, False]
    assert answer.count("Tisch ____") == 5


def test_a_list_of_two_sheets_is_split_evenly(monkeypatch):
    monkeypatch.setattr(papers, "NAMES_ON_A_SHEET", 12)
    sheets = papers.seats_by_name(f.make_seated_event(14, seats=6))
    assert [sum(len(seats) for _letter, seats in sheet) for sheet in sheets] == [7, 7]
    assert papers.seats_by_name(f.make_event(name="Leer")) == []
