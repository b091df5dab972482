"""The desk: the list and its search, check-in with its seat, walk-ins, corrections, slips."""

from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tournaments.access import SYSTEM, Role
from tournaments.middleware import COOKIE
from tournaments.models import Action, Entry, Event, Person, Registration
from tournaments.services.eliminations import entries_eliminate
from tournaments.services.registration import registration_withdraw

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event():
    return f.make_event(capacity=20)


def url(name, event, *more):
    return reverse(name, args=[event.slug, *more])


def text(answer):
    return answer.content.decode()


def sign_in(client, role, event=None):
    found = f.sign_in(str(role), role, event)
    client.cookies[COOKIE] = found.token
    return found.actor


@pytest.fixture
def desk(client, event):
    return sign_in(client, Role.DESK, event)


def post(client, name, event, *more, data=None, **headers):
    return client.post(url(name, event, *more), data or {}, headers={**HTMX, **headers})


def data_of(name="Petra Probst", email="", **more):
    return {"name": name, "email": email, "is_listed": "on", **more}


def actions(event):
    return list(Action.objects.filter(event=event).order_by("pk").values_list("kind", flat=True))


class Nothing:
    """Expect that an event stays as it is."""

    def __init__(self, event):
        self.event = event

    def __enter__(self):
        self.before = self.state()

    def __exit__(self, *_problem):
        assert self.state() == self.before

    def state(self):
        people = Person.objects.order_by("pk").values_list("name", "email")
        return f.fresh(self.event).version, list(people), Entry.objects.count()


# Who may


@pytest.mark.parametrize("name", ["desk", "desk-list", "desk-register", "slips", "import"])
def test_strangers_and_arbiters_are_turned_away(client, event, name):
    assert client.get(url(name, event)).status_code == 403
    sign_in(client, Role.ARBITER, event)
    assert client.get(url(name, event)).status_code == 403
    sign_in(client, Role.DESK, event)
    assert client.get(url(name, event)).status_code == 200


def test_a_desk_of_another_event_gets_nowhere(client, event):
    row = f.register(event)
    sign_in(client, Role.DESK, f.make_event(name="Anderes"))
    with Nothing(event):
        assert post(client, "desk-check-in", event, row.pk).status_code == 403


def test_a_registration_of_another_event_is_not_found(client, desk, event):
    other = f.register(f.make_event(name="Anderes"))
    for name in ("desk-check-in", "desk-correct", "desk-withdraw"):
        assert post(client, name, event, other.pk, data=data_of()).status_code == 404
    assert client.get(url("slip", event, 999)).status_code == 404


def test_withdrawing_is_never_a_link(client, desk, event):
    assert client.get(url("desk-withdraw", event, f.register(event).pk)).status_code == 405


# The list


def test_an_empty_list_says_what_to_do_first(client, desk, event):
    answer = text(client.get(url("desk", event)))
    assert "Noch ist niemand angemeldet" in answer
    assert url("import", event) in answer


def test_the_list_shows_everybody_with_state_and_seat_and_the_numbers(client, desk):
    event = f.make_running_event(4, capacity=20)
    sign_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    loser = f.entries_of(event)[0]
    entries_eliminate(event=event, by=SYSTEM, at=f.after(3), entries=[loser])
    answer = text(client.get(url("desk", event)))
    assert "ausgeschieden" in answer
    assert "angemeldet" in answer
    assert [answer.count(f'<dd class="stat-value">{figure}<') for figure in (5, 4, 15)] == [1, 1, 1]
    assert answer.count('data-label="Tisch"') == 3
    seated = f.entries_of(event)[1]
    assert url("slip", event, seated.pk) in answer
    assert url("slip", event, loser.pk) not in answer


@pytest.mark.parametrize(
    "search", ["muller", "Müller", "mueller", "zoe m", "LÜDENSCHEID zoë", "  lud  "]
)
def test_search_finds_any_word_without_accents(client, desk, event, search):
    f.register(event, "Zoë Müller-Lüdenscheid")
    f.register(event, "Otto Kurz")
    answer = text(client.get(url("desk-list", event), {"q": search}))
    assert "Zoë" in answer
    assert "Otto" not in answer


def test_who_is_not_found_can_be_registered_under_the_name_that_was_typed(client, desk, event):
    answer = text(client.get(url("desk-list", event), {"q": "<Nixda> & Co"}))
    assert "Niemand mit „&lt;Nixda&gt; &amp; Co“" in answer
    assert f"{url('desk-register', event)}?name=%3CNixda%3E%20%26%20Co" in answer
    sheet = text(client.get(url("desk-register", event), {"name": "Nixda"}, headers=HTMX))
    assert 'value="Nixda"' in sheet
    assert "<html" not in sheet


def test_only_who_is_missing(client, desk, event):
    f.check_in(event, f.register(event, "Petra Probst"))
    f.register(event, "Otto Kurz")
    answer = text(client.get(url("desk-list", event), {"missing": "1"}))
    assert "Otto" in answer
    assert "Petra" not in answer
    f.check_in(event, Registration.objects.get(person__name="Otto Kurz"))
    assert "Alle sind da" in text(client.get(url("desk-list", event), {"missing": "1"}))


def test_a_large_field_shows_the_first_hundred_in_a_fixed_number_of_queries(
    client, django_assert_max_num_queries
):
    event = f.make_event(capacity=20_000)
    sign_in(client, Role.DESK, event)
    f.check_in(event, f.register(event, "Aaron Anfang"))
    action = Action.objects.filter(event=event).latest("pk")
    people = Person.objects.bulk_create(
        Person(club=event.club, name=f"P {n}", sort_name=f"p {n:05}", plain_name=f"p {n}")
        for n in range(10_111)
    )
    Registration.objects.bulk_create(
        Registration(event=event, person=person, link_token=f"t{person.pk}",
                     registered_at=f.ARRIVAL, made_by=action)
        for person in people
    )  # fmt: skip
    with django_assert_max_num_queries(16):
        answer = text(client.get(url("desk", event)))
    assert answer.count('class="desk-name"') == 100
    assert "Die ersten 100 von 10.112." in answer
    with django_assert_max_num_queries(12):
        assert "P 10110" in text(client.get(url("desk-list", event), {"q": "10110"}))


# Check-in


def test_the_sheet_shows_the_data_to_be_confirmed(client, desk, event):
    row = f.register(event, email="petra@example.org", is_listed=False)
    sheet = text(client.get(url("desk-check-in", event, row.pk), headers=HTMX))
    assert 'value="Petra Probst"' in sheet
    assert 'value="petra@example.org"' in sheet
    assert "checked" not in sheet
    assert "Einchecken" in sheet
    assert "<html" not in sheet
    assert "<html" in text(client.get(url("desk-check-in", event, row.pk)))


def test_check_in_draws_a_seat_and_shows_it_large_with_slip_and_undo(client, desk, event):
    row = f.register(event)
    answer = post(client, "desk-check-in", event, row.pk, data=data_of())
    assert answer.status_code == 200
    assert answer["HX-Retarget"] == "#desk-seat"
    assert "krru:close" in answer["HX-Trigger"]
    entry = Entry.objects.get(registration=row)
    table, seat = f.seat_of(entry)
    assert f"<dd>{table}</dd>" in text(answer)
    assert f"<dd>{seat}</dd>" in text(answer)
    assert f"Petra Probst sitzt an Tisch {table}, Platz {seat}." in text(answer)
    assert url("slip", event, entry.pk) in text(answer)
    assert text(answer).count(url("action-undo", event, entry.made_by_id)) == 2
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
    ],
)
@pytest.mark.parametrize("name", ["desk-check-in", "desk-correct"])
@pytest.mark.usefixtures("desk")
def test_bad_data_are_refused_beside_their_field(client, event, name, data, sentence):
    row = f.register(event)
    with Nothing(event):
        answer = post(client, name, event, row.pk, data=data)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert 'aria-invalid="true"' in text(answer)


def test_a_second_check_in_is_refused_in_a_sentence_and_corrects_nothing(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    with Nothing(event):
        answer = post(client, "desk-check-in", event, row.pk, data=data_of("Otto Kurz"))
    assert answer.status_code == 422
    assert "Schon eingecheckt." in text(answer)
    assert text(answer).startswith('<p class="refusal"')


def test_the_same_request_again_has_one_effect_and_the_same_answer(client, desk, event):
    row, key = f.register(event, "Petra Propst"), {"X-Idempotency-Key": str(uuid4())}
    first = post(client, "desk-check-in", event, row.pk, data=data_of(), **key)
    before = actions(event)
    again = post(client, "desk-check-in", event, row.pk, data=data_of(), **key)
    assert again.status_code == 200
    assert text(again) == text(first)
    assert actions(event) == before


def test_a_plain_form_goes_back_to_the_list_with_the_seat_as_message(client, desk, event):
    row = f.register(event)
    data = data_of(next=url("desk", event))
    answer = client.post(url("desk-check-in", event, row.pk), data, follow=True)
    assert answer.redirect_chain == [(url("desk", event), 302)]
    assert "Petra Probst sitzt an Tisch" in text(answer)


def test_when_the_whole_field_is_drawn_later_the_desk_says_so(client):
    event = f.make_event(draw_mode=Event.DrawMode.FIELD)
    sign_in(client, Role.DESK, event)
    row = f.register(event)
    answer = text(post(client, "desk-check-in", event, row.pk, data=data_of()))
    assert "Der Platz wird später ausgelost." in answer
    assert url("slip", event, Entry.objects.get().pk) not in answer
    assert "da, noch ohne Platz" in text(client.get(url("desk", event)))
    single = client.get(url("slip", event, Entry.objects.get().pk))
    assert "Der Platz ist noch nicht ausgelost." in text(single)


def test_after_late_registration_the_desk_is_refused_and_the_director_not(client):
    event = f.make_running_event(4)
    row = f.register(event)
    sign_in(client, Role.DESK, event)
    with Nothing(event):
        answer = post(client, "desk-check-in", event, row.pk, data=data_of())
    assert answer.status_code == 422
    assert "Die späte Anmeldung ist vorbei." in text(answer)
    sign_in(client, Role.DIRECTOR, event)
    assert post(client, "desk-check-in", event, row.pk, data=data_of()).status_code == 200


def test_who_withdrew_meanwhile_is_refused_and_the_sheet_says_so(client, desk, event):
    row = f.register(event)
    registration_withdraw(event=event, by=SYSTEM, at=f.ARRIVAL, registration=row)
    assert "gilt nicht mehr" in text(client.get(url("desk-check-in", event, row.pk)))
    with Nothing(event):
        answer = post(client, "desk-check-in", event, row.pk, data=data_of())
    assert answer.status_code == 422
    assert "Diese Anmeldung gilt nicht mehr." in text(answer)


def test_the_seat_shown_large_follows_the_evening_and_goes_with_its_undo(client, desk, event):
    row = f.register(event)
    post(client, "desk-check-in", event, row.pk, data=data_of())
    shown = {"shown": row.pk}
    answer = text(client.get(url("desk-list", event), shown))
    assert f'id="seat-of-{row.pk}"' in answer
    assert 'hx-swap-oob="true"' in answer
    made_by = Entry.objects.get().made_by_id
    assert post(client, "action-undo", event, made_by).status_code == 200
    answer = text(client.get(url("desk-list", event), shown))
    assert f'<div id="seat-of-{row.pk}" hx-swap-oob="delete">' in answer
    assert "seat-of" not in text(client.get(url("desk-list", event), {"shown": "x"}))
    assert "delete" in text(client.get(url("desk-list", event), {"shown": "9" * 30}))


def test_a_desk_offers_to_take_back_only_what_it_did_itself(client, desk, event):
    row = f.register(event)
    f.check_in(event, row)
    address = url("desk-correct", event, row.pk)
    assert "Einchecken zurücknehmen" not in text(client.get(address))
    sign_in(client, Role.DIRECTOR, event)
    assert "Einchecken zurücknehmen" in text(client.get(address))


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
    assert "Schon eingecheckt." in text(refusal)
    assert Entry.objects.filter(event=event).count() == 1
