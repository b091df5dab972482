"""The desk: walk-ins, corrections and withdrawals, slips on paper."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import url_of
from tests.views.desk import Nothing, actions, data_of, post, refused
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Action, Entry, OnSite, Person, Registration, Waiting

pytestmark = pytest.mark.django_db


# Walk-ins


def test_somebody_walks_in_and_is_registered_and_checked_in_at_once(client, desk, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    answer = post(client, "desk-register", event, data=data_of("Zoë Zufall"), **key)
    assert answer.status_code == 200
    assert '<p class="desk-seat-name">Zoë Zufall</p>' in text_of(answer)
    again = post(client, "desk-register", event, data=data_of("Zoë Zufall"), **key)
    assert text_of(again) == text_of(answer)
    assert actions(event)[-2:] == ["registration.created", "entry.checked_in"]
    assert Entry.objects.count() == Registration.objects.count() == 1


def test_somebody_is_only_registered(client, desk, event):
    answer = post(client, "desk-register", event, data=data_of("Zoë Zufall", only="1"))
    assert "Angemeldet: Zoë Zufall" in text_of(answer)
    assert url_of(event, "action-undo", Action.objects.latest("pk").pk) in text_of(answer)
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (data_of("  "), "Bitte einen Namen angeben."),
        (data_of(email="nirgends"), "Das ist keine E-Mail-Adresse."),
    ],
)
def test_a_walk_in_with_bad_data_is_refused_beside_the_field(client, desk, event, data, sentence):
    with Nothing(event):
        answer = post(client, "desk-register", event, data=data)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert "is_other" not in text_of(answer)


def test_a_namesake_is_asked_for_and_then_taken(client, desk, event):
    f.register(event)
    with Nothing(event):
        answer = post(client, "desk-register", event, data=data_of())
    assert answer.status_code == 422
    assert "Petra Probst ist schon angemeldet." in text_of(answer)
    assert 'name="is_other" value="same"' in text_of(answer)
    answer = post(client, "desk-register", event, data=data_of(is_other="same", email="p@x.at"))
    assert answer.status_code == 200
    assert Person.objects.filter(name="Petra Probst").count() == 2
    # At the desk two of one name can be told apart.
    f.register(event, "Otto Kurz")
    both = text_of(client.get(url_of(event, "desk-list"), {"q": "petra"}))
    assert both.count('class="desk-note muted"') == 2
    assert "p@x.at" in both
    assert "desk-note muted" not in text_of(client.get(url_of(event, "desk-list"), {"q": "otto"}))


def test_a_full_event_refuses_and_nothing_is_half_done(client, desk, event):
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"capacity": 2})
    f.register(event, "Eins")
    f.register(event, "Zwei")
    with Nothing(event):
        answer = post(client, "desk-register", event, data=data_of())
    assert answer.status_code == 422
    assert "Alle Plätze sind vergeben." in text_of(answer)


def test_when_all_places_are_given_a_walk_in_is_put_in_line_if_that_is_asked(client, desk, event):
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"capacity": 2})
    f.register(event, "Eins")
    f.register(event, "Zwei")
    answer = post(client, "desk-register", event, data=data_of(only="1"))
    assert answer.status_code == 200
    assert Waiting.objects.live().get().registration.person.name == "Petra Probst"
    assert OnSite.objects.live().get().registration.person.name == "Petra Probst"
    assert "Warteliste 1" in text_of(client.get(url_of(event, "desk-list")))


def test_a_member_known_from_before_stays_one(client, desk, event):
    row = f.register(event, is_member=True)
    assert "checked" in text_of(client.get(url_of(event, "desk-correct", row.pk)))
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=row)
    post(client, "desk-register", event, data=data_of())
    assert Person.objects.get().is_member
    assert ">Mitglied<" in text_of(client.get(url_of(event, "desk-list")))


def test_a_walk_in_who_may_not_be_checked_in_is_not_registered_either(client):
    event = f.make_running_event(4)
    f.sign_browser_in(client, Role.DESK, event)
    with Nothing(event):
        answer = post(client, "desk-register", event, data=data_of())
    assert answer.status_code == 422
    assert "Die späte Anmeldung ist vorbei." in text_of(answer)


# Correcting and withdrawing


def test_data_are_corrected_also_after_check_in_and_taken_back(client, desk, event):
    row = f.register(event, "Petra Propst")
    f.check_in(event, row)
    data = {"name": "Petra Probst", "email": "p@example.org"}
    answer = post(client, "desk-correct", event, row.pk, data=data)
    assert answer.status_code == 200
    assert "Daten berichtigt: Petra Probst" in text_of(answer)
    made = Action.objects.latest("pk").pk
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.email, row.is_listed) == (*data.values(), False)
    assert post(client, "action-undo", event, made).status_code == 200
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.email, row.is_listed) == ("Petra Propst", "", True)


def test_nothing_to_correct_is_said(client, desk, event):
    row = f.register(event)
    refused(client, "desk-correct", event, row.pk, sentence="Es hat sich nichts geändert.")


def test_somebody_withdraws_and_comes_back_by_the_undo(client, desk, event):
    row = f.register(event)
    answer = post(client, "desk-withdraw", event, row.pk)
    assert answer.status_code == 200
    assert "Abgemeldet: Petra Probst" in text_of(answer)
    assert "Petra" not in text_of(client.get(url_of(event, "desk-list")))
    post(client, "action-undo", event, Action.objects.latest("pk").pk)
    assert "Petra" in text_of(client.get(url_of(event, "desk-list")))


def test_who_is_checked_in_cannot_be_withdrawn(client, desk, event):
    row = f.register(event)
    f.check_in(event, row)
    with Nothing(event):
        answer = post(client, "desk-withdraw", event, row.pk)
    assert answer.status_code == 422
    assert "Schon eingecheckt." in text_of(answer)
    assert url_of(event, "desk-withdraw", row.pk) not in text_of(
        client.get(url_of(event, "desk-correct", row.pk))
    )


def test_after_the_end_nothing_is_offered(client, desk, event):
    row = f.register(event)
    sheet = url_of(event, "desk-check-in", row.pk)
    event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    answer = text_of(client.get(url_of(event, "desk")))
    assert "Neue Person" not in answer
    assert "Einchecken<" not in answer
    assert "Einchecken" not in text_of(client.get(sheet))
    with Nothing(event):
        assert post(client, "desk-check-in", event, row.pk, data=data_of()).status_code == 422


# Slips


def test_every_seat_gets_a_slip_with_a_code_of_its_own(client, django_assert_max_num_queries):
    event = f.make_seated_event(14, seats=6)
    f.sign_browser_in(client, Role.DESK, event)
    with django_assert_max_num_queries(16):
        answer = text_of(client.get(url_of(event, "slips")))
    assert answer.count('<article class="slip">') == answer.count('<div class="slip-qr">') == 14
    assert "14 Platzzettel" in answer
    assert "?from=" not in answer


def test_a_large_field_is_printed_in_batches_of_tables(client, monkeypatch):
    monkeypatch.setattr("tournaments.papers.views.papers.MOST_SLIPS", 10)
    event = f.make_seated_event(14, seats=5)
    f.sign_browser_in(client, Role.DESK, event)
    first = text_of(client.get(url_of(event, "slips")))
    assert "Tische 1 bis 2" in first
    assert 'href="?from=3"' in first
    counts = [first.count('class="slip"')]
    counts.append(text_of(client.get(url_of(event, "slips"), {"from": "3"})).count('class="slip"'))
    assert sum(counts) == 14


def test_without_seats_there_are_no_slips_and_the_page_says_when(client, desk, event):
    assert "Noch sitzt niemand" in text_of(client.get(url_of(event, "slips")))


def test_one_slip_leads_to_the_players_own_page(client, desk, event, monkeypatch):
    links = []
    monkeypatch.setattr(
        "tournaments.papers.views.papers.qr_svg", lambda link: links.append(link) or "qr"
    )
    row = f.register(event)
    entry = f.check_in(event, row)
    answer = text_of(client.get(url_of(event, "slip", entry.pk)))
    assert "Petra Probst" in answer
    assert answer.count('class="slip"') == 1
    assert links[0].endswith(reverse("player", args=[row.link_token]))
    assert links[0].startswith("http://testserver/p/")


def test_the_desk_is_told_that_somebody_still_plays_elsewhere(client):
    early = f.make_running_event(4, name="Nachmittag")
    late = f.make_event(name="Abend")
    f.sign_browser_in(client, Role.DESK, late)
    player = f.entries_of(early)[0]
    again = f.register(late, player.registration.person.name)
    assert again.person == player.registration.person
    told = text_of(post(client, "desk-check-in", late, again.pk))
    assert "Spielt gerade auch bei „Nachmittag“" in told
    f.out(early, player, at=f.after(5))
    page = text_of(client.get(url_of(late, "desk-list"), {"shown": again.pk}))
    assert "Spielt gerade auch" not in page


def test_the_desk_is_told_that_somebody_is_checked_in_at_two_that_begin_together(client):
    one, other = f.make_event(name="Saal"), f.make_event(name="Stüberl")
    f.sign_browser_in(client, Role.DESK, other)
    f.check_in(one, f.register(one))
    told = text_of(post(client, "desk-check-in", other, f.register(other).pk))
    assert "Ist auch bei „Saal“ eingecheckt." in told
