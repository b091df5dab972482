"""The desk: check-in with its seat, what is corrected on the way, and what is refused."""

from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils.timezone import localtime

from tests import factories as f
from tests.pressing import HTMX, url_of
from tests.views.desk import Nothing, actions, data_of, post, refused
from tests.views.pages import text_of
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Entry, Event, Registration

pytestmark = pytest.mark.django_db


def test_the_sheet_shows_the_data_to_be_confirmed(client, desk, event):
    row = f.register(event, email="petra@example.org", is_listed=False)
    sheet = text_of(client.get(url_of(event, "desk-check-in", row.pk), headers=HTMX))
    assert 'value="Petra Probst"' in sheet
    assert 'value="petra@example.org"' in sheet
    assert "checked" not in sheet
    assert "Einchecken" in sheet
    assert "<html" not in sheet
    assert "<html" in text_of(client.get(url_of(event, "desk-check-in", row.pk)))


def test_check_in_draws_a_seat_and_shows_it_large_with_slip_and_undo(client, desk, event):
    row = f.register(event)
    answer = post(client, "desk-check-in", event, row.pk, data=data_of())
    assert answer.status_code == 200
    assert answer["HX-Retarget"] == "#desk-seat"
    assert "krru:close" in answer["HX-Trigger"]
    entry = Entry.objects.get(registration=row)
    table, seat = f.seat_of(entry)
    assert f"<dd>{table}</dd>" in text_of(answer)
    assert f"<dd>{seat}</dd>" in text_of(answer)
    assert "Petra Probst" in text_of(answer)
    assert url_of(event, "slip", entry.pk) in text_of(answer)
    assert url_of(event, "action-undo", entry.made_by_id) in text_of(answer)
    assert actions(event)[-1] == "entry.checked_in"


def test_what_was_corrected_while_confirming_is_kept_with_the_check_in(client, desk, event):
    row = f.register(event, "Petra Propst")
    data = {"name": "Petra Probst", "email": "p@example.org"}
    post(client, "desk-check-in", event, row.pk, data=data)
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.email, row.is_listed) == (*data.values(), False)
    assert actions(event)[-2:] == ["registration.corrected", "entry.checked_in"]


def test_without_data_the_check_in_leaves_them_as_they_are(client, desk, event):
    row = f.register(event, email="petra@example.org", is_listed=False)
    assert post(client, "desk-check-in", event, row.pk).status_code == 200
    assert "registration.corrected" not in actions(event)


def test_data_that_differ_only_in_spaces_are_no_correction(client, desk, event):
    row = f.register(event)
    answer = post(client, "desk-check-in", event, row.pk, data=data_of("Petra   Probst"))
    assert answer.status_code == 200
    assert "registration.corrected" not in actions(event)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (data_of(""), "Bitte einen Namen angeben."),
        (data_of("!!!"), "Bitte einen Namen angeben."),
        (data_of("x" * 201), "höchstens 200 Zeichen"),
        (data_of(email="nirgends"), "Das ist keine E-Mail-Adresse."),
        (data_of(phone="nie"), "Das ist keine Telefonnummer."),
        (data_of(remark="x" * 301), "Zeichen"),
    ],
)
@pytest.mark.parametrize("name", ["desk-check-in", "desk-correct"])
@pytest.mark.usefixtures("desk")
def test_bad_data_are_refused_beside_their_field(client, event, name, data, sentence):
    row = f.register(event)
    with Nothing(event):
        answer = post(client, name, event, row.pk, data=data)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert 'aria-invalid="true"' in text_of(answer)


def test_a_second_check_in_is_refused_in_a_sentence_and_corrects_nothing(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    otto = data_of("Otto Kurz")
    sentence = "Schon eingecheckt."
    answer = refused(client, "desk-check-in", event, row.pk, data=otto, sentence=sentence)
    table, seat = f.seat_of(Entry.objects.get())
    assert f"<dd>{table}</dd>" in text_of(answer)
    assert f"<dd>{seat}</dd>" in text_of(answer)
    at = localtime(Entry.objects.get().made_by.at).strftime("%H:%M")
    who = f"Das hat „Gerät im Test“ um {at} gemacht."
    assert who in text_of(answer)
    assert 'value="Petra Probst"' in text_of(answer)
    # By Enter in the search there is no sheet: the sentence stands below the button.
    answer = post(client, "desk-check-in", event, row.pk)
    assert answer.status_code == 422
    assert text_of(answer).startswith('<p class="refusal"')
    assert f"Schon eingecheckt. {who}" in text_of(answer)


def test_phone_and_remark_are_confirmed_with_the_rest(client, desk, event):
    row = f.register(event, phone="+43 1 234", remark="Platz am Rand")
    sheet = text_of(client.get(url_of(event, "desk-check-in", row.pk), headers=HTMX))
    assert 'value="+43 1 234"' in sheet
    assert 'value="Platz am Rand"' in sheet
    told = {"phone": "+43 1 999", "remark": "Platz am Gang"}
    post(client, "desk-correct", event, row.pk, data=data_of(**told))
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.phone, row.remark) == tuple(told.values())
    # What a form did not have at all stays.
    post(client, "desk-check-in", event, row.pk, data=data_of("Petra Propst"))
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.phone, row.remark) == ("Petra Propst", *told.values())


def test_the_same_request_again_has_one_effect_and_the_same_answer(client, desk, event):
    row, key = f.register(event, "Petra Propst"), {"X-Idempotency-Key": str(uuid4())}
    first = post(client, "desk-check-in", event, row.pk, data=data_of(), **key)
    before = actions(event)
    again = post(client, "desk-check-in", event, row.pk, data=data_of(), **key)
    assert again.status_code == 200
    assert text_of(again) == text_of(first)
    assert actions(event) == before


def test_a_plain_form_goes_back_to_the_list_with_the_seat_large(client, desk, event):
    row = f.register(event)
    data = data_of(next=url_of(event, "desk"))
    answer = client.post(url_of(event, "desk-check-in", row.pk), data, follow=True)
    assert answer.redirect_chain == [(f"{url_of(event, 'desk')}?shown={row.pk}", 302)]
    assert '<p class="desk-seat-name">Petra Probst</p>' in text_of(answer)


def test_when_the_whole_field_is_drawn_later_the_desk_says_so(client):
    event = f.make_event(draw_mode=Event.DrawMode.FIELD)
    f.sign_browser_in(client, Role.DESK, event)
    row = f.register(event)
    answer = text_of(post(client, "desk-check-in", event, row.pk, data=data_of()))
    assert "Der Platz wird später ausgelost." in answer
    assert url_of(event, "slip", Entry.objects.get().pk) not in answer
    assert "da, noch ohne Platz" in text_of(client.get(url_of(event, "desk")))
    single = client.get(url_of(event, "slip", Entry.objects.get().pk))
    assert "Der Platz ist noch nicht ausgelost." in text_of(single)


def test_after_late_registration_the_desk_is_refused_and_the_director_not(client):
    event = f.make_running_event(4)
    row = f.register(event)
    f.sign_browser_in(client, Role.DESK, event)
    refused(client, "desk-check-in", event, row.pk, sentence="Die späte Anmeldung ist vorbei.")
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert post(client, "desk-check-in", event, row.pk, data=data_of()).status_code == 200


def test_who_withdrew_meanwhile_is_refused_and_the_sheet_says_so(client, desk, event):
    row = f.register(event)
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=row)
    assert "gilt nicht mehr" in text_of(client.get(url_of(event, "desk-check-in", row.pk)))
    refused(client, "desk-check-in", event, row.pk, sentence="Diese Anmeldung gilt nicht mehr.")


def test_the_seat_shown_large_follows_the_evening_and_goes_with_its_undo(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    shown = {"shown": row.pk}
    answer = text_of(client.get(url_of(event, "desk-list"), shown))
    assert f'id="seat-of-{row.pk}"' in answer
    assert 'hx-swap-oob="true"' in answer
    made_by = Entry.objects.get().made_by_id
    assert post(client, "action-undo", event, made_by).status_code == 200
    answer = text_of(client.get(url_of(event, "desk-list"), shown))
    assert f'<div id="seat-of-{row.pk}" hx-swap-oob="delete">' in answer
    assert "seat-of" not in text_of(client.get(url_of(event, "desk-list"), {"shown": "x"}))
    assert "delete" in text_of(client.get(url_of(event, "desk-list"), {"shown": "9" * 30}))


def test_a_desk_offers_to_take_back_only_what_it_did_itself(client, desk, event):
    row = f.register(event)
    f.check_in(event, row)
    address = url_of(event, "desk-correct", row.pk)
    assert "Einchecken zurücknehmen" not in text_of(client.get(address))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Einchecken zurücknehmen" in text_of(client.get(address))


@pytest.mark.django_db(transaction=True)
def test_two_desks_check_the_same_person_in_at_once_with_one_effect():
    event = f.make_event()
    row = f.register(event)
    tokens = [f.sign_in(name, Role.DESK, event).token for name in ("Links", "Rechts")]
    start, found = Barrier(2), []

    def press(token):
        client = Client()
        client.cookies[COOKIE] = token
        start.wait()
        found.append(post(client, "desk-check-in", event, row.pk, data=data_of()))
        connections.close_all()

    threads = [Thread(target=press, args=[token]) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    connection.close()
    assert sorted(answer.status_code for answer in found) == [200, 422]
    refusal = next(answer for answer in found if answer.status_code == 422)
    assert "Schon eingecheckt." in text_of(refusal)
    assert Entry.objects.filter(event=event).count() == 1
