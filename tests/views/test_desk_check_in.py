"""The desk: check-in with its seat, what is corrected on the way, and what is refused."""

from uuid import uuid4

import pytest
from django.utils.timezone import localtime

from tests import factories as f
from tests.pressing import HTMX, shows, url_of
from tests.views.desk import Nothing, actions, data_of, post, refused
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.models import Entry, Event, Registration

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("desk")
def test_the_sheet_shows_the_data_to_be_confirmed(client, event):
    told = {"email": "petra@example.org", "phone": "+43 1 234", "remark": "Platz am Rand"}
    row = f.register(event, is_listed=False, **told)
    sheet = text_of(client.get(url_of(event, "desk-check-in", row.pk), headers=HTMX))
    for value in ("Petra Probst", *told.values()):
        assert f'value="{value}"' in sheet
    shows(sheet, "Einchecken", but=("checked", "<html"))
    assert "<html" in text_of(client.get(url_of(event, "desk-check-in", row.pk)))


@pytest.mark.usefixtures("desk")
def test_check_in_draws_a_seat_and_shows_it_large_with_slip_and_undo(client, event):
    row, key = f.register(event), {"X-Idempotency-Key": str(uuid4())}
    answer = post(client, "desk-check-in", event, row.pk, data=data_of("Petra   Probst"), **key)
    assert answer.status_code == 200
    assert answer["HX-Retarget"] == "#desk-seat"
    assert "krru:close" in answer["HX-Trigger"]
    entry = Entry.objects.get(registration=row)
    for part in f.seat_of(entry):
        assert f"<dd>{part}</dd>" in text_of(answer)
    assert "Petra Probst" in text_of(answer)
    assert url_of(event, "slip", entry.pk) in text_of(answer)
    assert url_of(event, "action-undo", entry.made_by_id) in text_of(answer)
    made = actions(event)
    assert made[-1] == "entry.checked_in"
    assert "registration.corrected" not in made, "only blanks were others"
    again = post(client, "desk-check-in", event, row.pk, data=data_of("Petra   Probst"), **key)
    assert (again.status_code, text_of(again)) == (200, text_of(answer))
    assert actions(event) == made


@pytest.mark.usefixtures("desk")
def test_what_was_corrected_while_confirming_is_kept_with_the_check_in(client, event):
    row = f.register(event, "Petra Propst", phone="+43 1 234", remark="Platz am Rand")
    kept = f.register(event, "Otto Kurz", email="otto@example.org", is_listed=False)
    post(client, "desk-check-in", event, kept.pk)
    assert "registration.corrected" not in actions(event), "nothing was sent along"
    told = {"phone": "+43 1 999", "remark": "Platz am Gang"}
    post(client, "desk-correct", event, row.pk, data=data_of("Petra Propst", **told))
    # What a form did not have at all stays.
    data = {"name": "Petra Probst", "email": "p@example.org"}
    post(client, "desk-check-in", event, row.pk, data=data)
    row = Registration.objects.select_related("person").get(pk=row.pk)
    assert (row.person.name, row.person.email, row.is_listed) == (*data.values(), False)
    assert (row.person.phone, row.remark) == tuple(told.values())
    assert actions(event)[-2:] == ["registration.corrected", "entry.checked_in"]


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


def test_the_seat_shown_large_follows_the_evening_and_goes_with_its_undo(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    shown = {"shown": row.pk}
    answer = text_of(client.get(url_of(event, "desk-list"), shown))
    shows(answer, f'id="seat-of-{row.pk}"', 'hx-swap-oob="true"')
    made_by = Entry.objects.get().made_by_id
    assert post(client, "action-undo", event, made_by).status_code == 200
    answer = text_of(client.get(url_of(event, "desk-list"), shown))
    assert f'<div id="seat-of-{row.pk}" hx-swap-oob="delete">' in answer
    assert "seat-of" not in text_of(client.get(url_of(event, "desk-list"), {"shown": "x"}))
    assert "delete" in text_of(client.get(url_of(event, "desk-list"), {"shown": "9" * 18}))


def test_a_desk_offers_to_take_back_only_what_it_did_itself(client, desk, event):
    row = f.register(event)
    f.check_in(event, row)
    address = url_of(event, "desk-correct", row.pk)
    assert "Einchecken zurücknehmen" not in text_of(client.get(address))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Einchecken zurücknehmen" in text_of(client.get(address))
