"""The desk: check-in with its seat, what is corrected and refused; found by a code or a name."""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils.timezone import localtime

from tests import factories as f
from tests.pressing import HTMX, shows, url_of
from tests.services.line import change, withdraw
from tests.views.desk import Nothing, actions, data_of, listed, post, refused
from tests.views.pages import assert_shown, page_of, text_of
from tournaments.changes.access import Role
from tournaments.models import Action, Entry, Event, OnSite, Person, Registration, Waiting

pytestmark = pytest.mark.django_db


def test_the_sheet_shows_the_data_to_be_confirmed(client, desk, event):
    told = {"email": "petra@example.org", "phone": "+43 1 234", "remark": "Platz am Rand"}
    row = f.register(event, is_listed=False, **told)
    sheet = text_of(client.get(url_of(event, "desk-check-in", row.pk), headers=HTMX))
    for value in ("Petra Probst", *told.values()):
        assert f'value="{value}"' in sheet
    shows(sheet, "Einchecken", but=("checked", "<html"))
    assert "<html" in page_of(client, event, "desk-check-in", row.pk)


def test_check_in_draws_a_seat_and_shows_it_large_with_slip_and_undo(client, desk, event):
    row, key = f.register(event), {"X-Idempotency-Key": str(uuid4())}
    answer = post(client, "desk-check-in", event, row.pk, data=data_of("Petra   Probst"), **key)
    assert answer.status_code == 200
    assert answer["HX-Retarget"] == "#desk-seat"
    assert "krru:close" in answer["HX-Trigger"]
    entry = Entry.objects.get(registration=row)
    for part in f.seat_of(entry):
        assert f"<dd>{part}</dd>" in text_of(answer)
    shows(text_of(answer), "Petra Probst", url_of(event, "slip", entry.pk))
    assert url_of(event, "action-undo", entry.made_by_id) in text_of(answer)
    made = actions(event)
    assert made[-1] == "entry.checked_in"
    assert "registration.corrected" not in made, "only blanks were others"
    again = post(client, "desk-check-in", event, row.pk, data=data_of("Petra   Probst"), **key)
    assert (again.status_code, text_of(again)) == (200, text_of(answer))
    assert actions(event) == made


def test_what_was_corrected_while_confirming_is_kept_with_the_check_in(client, desk, event):
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
    ("name", "data", "sentence"),
    [
        ("desk-check-in", data_of(""), "Bitte einen Namen angeben."),
        ("desk-correct", data_of("!!!"), "Bitte einen Namen angeben."),
        ("desk-register", data_of("x" * 201), "höchstens 200 Zeichen"),
        ("desk-check-in", data_of(email="nirgends"), "Das ist keine E-Mail-Adresse."),
        ("desk-register", data_of(phone="nie"), "Das ist keine Telefonnummer."),
        ("desk-correct", data_of(remark="x" * 301), "Zeichen"),
    ],
)
@pytest.mark.usefixtures("desk")
def test_bad_data_are_refused_beside_their_field(client, event, name, data, sentence):
    of_whom = [] if name == "desk-register" else [f.register(event).pk]
    answer = refused(client, name, event, *of_whom, data=data, sentence=sentence)
    shows(text_of(answer), 'aria-invalid="true"', but=("is_other",))


def test_a_second_check_in_is_refused_in_a_sentence_and_corrects_nothing(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    otto = data_of("Otto Kurz")
    sentence = "Schon eingecheckt."
    answer = refused(client, "desk-check-in", event, row.pk, data=otto, sentence=sentence)
    table, seat = f.seat_of(Entry.objects.get())
    shows(text_of(answer), f"<dd>{table}</dd>", f"<dd>{seat}</dd>")
    at = localtime(Entry.objects.get().made_by.at).strftime("%H:%M")
    who = f"Das hat „Gerät im Test“ um {at} gemacht."
    shows(text_of(answer), who, 'value="Petra Probst"')
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


@pytest.mark.planned(draw_mode=Event.DrawMode.FIELD)
def test_when_the_whole_field_is_drawn_later_the_desk_says_so(client, desk, event):
    row = f.register(event)
    answer = text_of(post(client, "desk-check-in", event, row.pk, data=data_of()))
    assert "Der Platz wird später ausgelost." in answer
    assert url_of(event, "slip", Entry.objects.get().pk) not in answer
    assert "da, noch ohne Platz" in page_of(client, event, "desk")
    single = client.get(url_of(event, "slip", Entry.objects.get().pk))
    assert "Der Platz ist noch nicht ausgelost." in text_of(single)


def test_the_seat_shown_large_follows_the_evening_and_goes_with_its_undo(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    shown = {"shown": row.pk}
    answer = listed(client, event, **shown)
    shows(answer, f'id="seat-of-{row.pk}"', 'hx-swap-oob="true"')
    made_by = Entry.objects.get().made_by_id
    assert post(client, "action-undo", event, made_by).status_code == 200
    answer = listed(client, event, **shown)
    assert f'<div id="seat-of-{row.pk}" hx-swap-oob="delete">' in answer
    assert "seat-of" not in listed(client, event, shown="x")
    assert "delete" in listed(client, event, shown="9" * 18)


def test_a_desk_offers_to_take_back_only_what_it_did_itself(client, desk, event):
    row = f.register(event)
    f.check_in(event, row)
    address = url_of(event, "desk-correct", row.pk)
    assert "Einchecken zurücknehmen" not in text_of(client.get(address))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Einchecken zurücknehmen" in text_of(client.get(address))


# --- Found at the desk: by a player's code, by a name, and people of the club not yet registered


GERMAN_KEYS = str.maketrans("/:-_yzYZ", "-Öß?zyZY")
TITLE = "Im Verein bekannt, noch nicht angemeldet"


def link_of(row):
    return "http://192.168.1.5:8000" + reverse("player", args=[row.link_token])


def own_page(client, row):
    return text_of(client.get(reverse("player", args=[row.link_token])))


# A player's code


@pytest.mark.usefixtures("desk")
def test_a_scanned_code_opens_the_sheet_of_its_person_and_one_that_opens_none_is_told_plainly(
    client, event
):
    f.register(event, "Otto Kurz")
    petra = f.register(event)
    sheet = url_of(event, "desk-check-in", petra.pk)
    for typed in (link_of(petra), link_of(petra).translate(GERMAN_KEYS)):
        shows(listed(client, event, q=typed), f'data-scanned hx-get="{sheet}"', but=("Otto",))
    assert client.get(url_of(event, "desk"), {"q": link_of(petra)}).url == sheet
    elsewhere = link_of(f.register(f.make_event(name="Sonntagsturnier")))
    answer = listed(client, event, q=elsewhere)
    shows(answer, "Dieser Code gehört zu „Sonntagsturnier“", but=("data-scanned hx-get", "Petra"))
    assert "Sonntagsturnier" in page_of(client, event, "desk", q=elsewhere)
    assert "Diesen Code gibt es nicht" in listed(client, event, q="http://krru.test/p/nirgendwo/")
    withdraw(event, "Petra Probst", 0)
    assert "Petra Probst ist abgemeldet" in listed(client, event, q=link_of(petra))


def test_a_code_opened_on_a_device_of_the_desk_offers_the_check_in(client, desk, event):
    change(event, 0, capacity=2)
    petra, _paul, vera = (f.register(event, name) for name in ("Petra Probst", "Paul", "Vera"))
    assert f'href="{url_of(event, "desk-check-in", petra.pk)}"' in own_page(client, petra)
    f.check_in(event, petra)
    assert "Schon eingecheckt: Tisch 1" in own_page(client, petra)
    assert "Steht auf der Warteliste an Stelle 1." in own_page(client, vera)
    withdraw(event, "Vera", 0)
    assert "Diese Anmeldung gilt nicht mehr." in own_page(client, vera)


@pytest.mark.parametrize("role", [None, Role.ARBITER, Role.DESK])
def test_of_another_device_it_offers_nothing(client, event, role):
    is_elsewhere = role == Role.DESK
    if role:
        where = f.make_event(name="Sonntagsturnier") if is_elsewhere else event
        f.sign_browser_in(client, role, where)
    page = own_page(client, f.register(event))
    assert "/einchecken/" not in page
    assert ("Dieser Code gehört zu „Freitagsturnier“" in page) is is_elsewhere


# A name


def test_the_only_one_found_or_still_missing_may_be_checked_in_with_enter(client, desk, event):
    petra = f.register(event)
    f.register(event, "Paul Probst")
    for typed, is_one in (("probst", False), ("petra", True), ("", False)):
        assert ('id="desk-enter"' in listed(client, event, q=typed)) is is_one, typed
    f.check_in(event, petra)
    assert 'id="desk-enter"' not in listed(client, event, q="petra")
    assert "ist schon eingecheckt: Tisch 1, Platz" in listed(client, event, q="petra")
    huber, hueber = (f.register(event, name) for name in ("Josef Huber", "Josef Hueber"))
    assert "desk-enter" not in listed(client, event, q="josef")
    f.check_in(event, huber)
    assert url_of(event, "desk-check-in", hueber.pk) in listed(client, event, q="josef")
    assert "Josef Hueber gleich einchecken" in listed(client, event, q="josef")
    f.check_in(event, hueber)
    assert "desk-enter" not in listed(client, event, q="josef")


@pytest.mark.usefixtures("desk", "last_week")
def test_the_desk_asks_about_names_alike_as_the_form_does(client, event):
    there = f.register(event, "Jörg Müller", is_listed=False)
    paula = Person.objects.get(name="Paula Später")
    for typed, sentence, leads_to in (
        ("Mueller Jorg", "Jörg Müller ist schon angemeldet.", ("desk-check-in", there.pk)),
        ("Spaeter Paula", "Der Verein kennt Paula Später.", ("desk-known", paula.pk)),
    ):
        answer = refused(client, "desk-register", event, data=data_of(typed), sentence=sentence)
        assert url_of(event, *leads_to) in text_of(answer)
    key = {"X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        told = data_of("Spaeter Paula", is_other="alike")
        assert post(client, "desk-register", event, data=told, **key).status_code == 200
    assert Registration.objects.filter(event=event).count() == 2


# Regulars


@pytest.fixture
def last_week():
    made = f.make_event(name="Letzte Woche")
    f.check_in(made, f.register(made, "Hannes Kern", is_listed=False, email="h@example.org"))
    f.register(made, "Paula Später")
    return made


@pytest.fixture
def hannes(last_week):
    return Person.objects.get(name="Hannes Kern")


@pytest.mark.usefixtures("desk", "last_week")
def test_regulars_are_found_by_name_and_only_their_names_are_told(client, event):
    text = listed(client, event, q="kern han")
    shows(text, TITLE, "Hannes Kern", "1 Abend", 'id="desk-enter"', but=("h@example.org",))
    assert "Hannes Kern anmelden und einchecken" in listed(
        client, event, q="hannes kern", enter="1"
    )
    for typed, more in (("ha", {}), ("example", {}), ("hannes", {"only": "waiting"})):
        assert TITLE not in listed(client, event, q=typed, **more), typed
    # Who is there already is in the list, and Enter checks him in as ever.
    f.register(event, "Hannes Kern")
    shows(listed(client, event, q="hannes"), "gleich einchecken", but=(TITLE,))


def test_a_regular_is_registered_and_checked_in_by_one_press(client, desk, hannes, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        answer = post(client, "desk-known", event, hannes.pk, data={"both": "1"}, **key)
        assert_shown(answer, '<p class="desk-seat-name">Hannes Kern</p>')
    row = Registration.objects.get(event=event)
    # He did not want to be named the last time.
    assert (row.person, row.is_listed, row.email) == (hannes, False, "")
    assert actions(event)[-2:] == ["registration.created", "entry.checked_in"]
    with Nothing(event):
        assert post(client, "desk-known", event, hannes.pk).status_code == 404


@pytest.mark.usefixtures("desk", "last_week")
def test_the_one_chosen_of_two_of_a_name_is_taken(client, event):
    other = f.make_event(name="Anderswo")
    second = f.register(other, "Hannes Kern", is_namesake=True).person
    answer = post(client, "desk-known", event, second.pk, data={"only": "1"})
    assert "Angemeldet: Hannes Kern" in text_of(answer)
    assert Registration.objects.get(event=event).person == second
    assert not Entry.objects.filter(event=event).exists()


@pytest.mark.planned(capacity=2)
def test_in_a_full_house_a_regular_waits_and_is_here(client, desk, event, hannes):
    for name in ("Eins", "Zwei"):
        f.register(event, name)
    refused(client, "desk-known", event, hannes.pk, sentence="Alle Plätze sind vergeben.")
    answer = post(client, "desk-known", event, hannes.pk, data={"only": "1"})
    assert "Hannes Kern steht auf der Warteliste." in text_of(answer)
    assert Waiting.objects.live().count() == OnSite.objects.live().count() == 1
    made = Action.objects.filter(event=event, kind="registration.created").latest("pk")
    assert post(client, "action-undo", event, made.pk).status_code == 200
    assert not Waiting.objects.live().exists()
    post(client, "desk-known", event, hannes.pk, data={"only": "1"})
    withdraw(event, "Eins", 0)
    assert not Waiting.objects.live().exists()


@pytest.mark.planned(is_sample=True)
def test_people_are_no_regulars_of_invented_evenings(client, desk, event, hannes):
    assert TITLE not in listed(client, event, q="hannes")
    with Nothing(event):
        assert post(client, "desk-known", event, hannes.pk).status_code == 404
