"""Found at the desk: by a player's code, by a name, and people of the club not yet registered."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import shows, url_of
from tests.services.line import change, withdraw
from tests.views.desk import Nothing, actions, data_of, post, refused
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.models import Action, Entry, OnSite, Person, Registration, Waiting

pytestmark = pytest.mark.django_db
GERMAN_KEYS = str.maketrans("/:-_yzYZ", "-Öß?zyZY")
TITLE = "Im Verein bekannt, noch nicht angemeldet"


def link_of(row):
    return "http://192.168.1.5:8000" + reverse("player", args=[row.link_token])


def own_page(client, row):
    return text_of(client.get(reverse("player", args=[row.link_token])))


def found(client, event, typed, **more):
    return text_of(client.get(url_of(event, "desk-list"), {"q": typed, **more}))


# A player's code


@pytest.mark.usefixtures("desk")
def test_a_scanned_code_opens_the_sheet_of_its_person(client, event):
    f.register(event, "Otto Kurz")
    petra = f.register(event)
    sheet = url_of(event, "desk-check-in", petra.pk)
    for typed in (link_of(petra), link_of(petra).translate(GERMAN_KEYS)):
        answer = found(client, event, typed)
        shows(answer, f'data-scanned hx-get="{sheet}"', but=("Otto",))
    assert client.get(url_of(event, "desk"), {"q": link_of(petra)}).url == sheet


@pytest.mark.usefixtures("desk")
def test_a_code_that_opens_no_sheet_is_told_plainly(client, event):
    elsewhere = link_of(f.register(f.make_event(name="Sonntagsturnier")))
    answer = found(client, event, elsewhere)
    shows(answer, "Dieser Code gehört zu „Sonntagsturnier“", but=("data-scanned hx-get", "Petra"))
    assert "Sonntagsturnier" in text_of(client.get(url_of(event, "desk"), {"q": elsewhere}))
    assert "Diesen Code gibt es nicht" in found(client, event, "http://krru.test/p/nirgendwo/")
    petra = f.register(event)
    withdraw(event, "Petra Probst", 0)
    assert "Petra Probst ist abgemeldet" in found(client, event, link_of(petra))


@pytest.mark.usefixtures("desk")
def test_a_code_opened_on_a_device_of_the_desk_offers_the_check_in(client, event):
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


@pytest.mark.usefixtures("desk")
def test_the_only_one_found_may_be_checked_in_with_enter(client, event):
    petra = f.register(event)
    f.register(event, "Paul Probst")
    for typed, is_one in (("probst", False), ("petra", True), ("", False)):
        assert ('id="desk-enter"' in found(client, event, typed)) is is_one, typed
    f.check_in(event, petra)
    assert 'id="desk-enter"' not in found(client, event, "petra")
    assert "ist schon eingecheckt: Tisch 1, Platz" in found(client, event, "petra")


@pytest.mark.usefixtures("desk")
def test_where_all_others_are_in_the_one_missing_is_meant(client, event):
    huber, hueber = (f.register(event, name) for name in ("Josef Huber", "Josef Hueber"))
    assert "desk-enter" not in found(client, event, "josef")
    f.check_in(event, huber)
    assert url_of(event, "desk-check-in", hueber.pk) in found(client, event, "josef")
    assert "Josef Hueber gleich einchecken" in found(client, event, "josef")
    f.check_in(event, hueber)
    assert "desk-enter" not in found(client, event, "josef")


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
    text = found(client, event, "kern han")
    for words in (TITLE, "Hannes Kern", "1 Abend", 'id="desk-enter"'):
        assert words in text
    assert "h@example.org" not in text
    for typed, more in (("ha", {}), ("example", {}), ("hannes", {"only": "waiting"})):
        assert TITLE not in found(client, event, typed, **more), typed
    # Who is there already is in the list, and Enter checks him in as ever.
    f.register(event, "Hannes Kern")
    text = found(client, event, "hannes")
    assert TITLE not in text
    assert "gleich einchecken" in text


@pytest.mark.usefixtures("desk")
def test_a_regular_is_registered_and_checked_in_by_one_press(client, hannes, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        answer = post(client, "desk-known", event, hannes.pk, data={"both": "1"}, **key)
        assert answer.status_code == 200
        assert '<p class="desk-seat-name">Hannes Kern</p>' in text_of(answer)
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


def test_in_a_full_house_a_regular_waits_and_is_here(client, hannes):
    event = f.make_event(capacity=2)
    f.sign_browser_in(client, Role.DESK, event)
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


def test_people_are_no_regulars_of_invented_evenings(client, hannes):
    event = f.make_event(is_sample=True)
    f.sign_browser_in(client, Role.DESK, event)
    assert TITLE not in found(client, event, "hannes")
    with Nothing(event):
        assert post(client, "desk-known", event, hannes.pk).status_code == 404
