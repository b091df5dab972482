"""The desk: who may work there, the list and its search."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, url_of
from tests.views.desk import Nothing, data_of, post
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, Person, Registration, Waiting
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


# Who may


@pytest.mark.parametrize(
    "name", ["desk", "desk-list", "desk-register", "slips", "import", "papers", "paper-seats"]
)
def test_strangers_and_arbiters_are_turned_away(client, event, name):
    assert client.get(url_of(event, name)).status_code == 403
    f.sign_browser_in(client, Role.ARBITER, event)
    assert client.get(url_of(event, name)).status_code == 403
    f.sign_browser_in(client, Role.DESK, event)
    assert client.get(url_of(event, name)).status_code == 200


def test_a_desk_of_another_event_gets_nowhere(client, event):
    row = f.register(event)
    f.sign_browser_in(client, Role.DESK, f.make_event(name="Anderes"))
    with Nothing(event):
        assert post(client, "desk-check-in", event, row.pk).status_code == 403


def test_a_registration_of_another_event_is_not_found(client, desk, event):
    other = f.register(f.make_event(name="Anderes"))
    for name in ("desk-check-in", "desk-correct", "desk-withdraw"):
        assert post(client, name, event, other.pk, data=data_of()).status_code == 404
    assert client.get(url_of(event, "slip", 999)).status_code == 404


def test_withdrawing_is_never_a_link(client, desk, event):
    assert client.get(url_of(event, "desk-withdraw", f.register(event).pk)).status_code == 405


# The list


def test_an_empty_list_says_what_to_do_first(client, desk, event):
    answer = text_of(client.get(url_of(event, "desk")))
    assert "Noch ist niemand angemeldet" in answer
    assert url_of(event, "import") in answer


def test_the_list_shows_everybody_with_state_and_seat_and_the_numbers(client, desk):
    event = f.make_running_event(4, capacity=20)
    f.sign_browser_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    loser = f.entries_of(event)[0]
    entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(3)), entries=[loser])
    answer = text_of(client.get(url_of(event, "desk")))
    assert "ausgeschieden" in answer
    assert "angemeldet" in answer
    # Who is out has left his place to somebody else.
    assert [answer.count(f'<dd class="stat-value">{figure}<') for figure in (5, 4, 16)] == [1, 1, 1]
    assert answer.count('data-label="Tisch"') == 3
    seated = f.entries_of(event)[1]
    assert url_of(event, "slip", seated.pk) in answer
    assert url_of(event, "slip", loser.pk) not in answer


@pytest.mark.parametrize(
    "search", ["muller", "Müller", "mueller", "zoe m", "LÜDENSCHEID zoë", "  lud  "]
)
def test_search_finds_any_word_without_accents(client, desk, event, search):
    f.register(event, "Zoë Müller-Lüdenscheid")
    f.register(event, "Otto Kurz")
    answer = text_of(client.get(url_of(event, "desk-list"), {"q": search}))
    assert "Zoë" in answer
    assert "Otto" not in answer


def test_who_is_not_found_can_be_registered_under_the_name_that_was_typed(client, desk, event):
    answer = text_of(client.get(url_of(event, "desk-list"), {"q": "<Nixda> & Co"}))
    assert "Niemand mit „&lt;Nixda&gt; &amp; Co“" in answer
    assert f"{url_of(event, 'desk-register')}?name=%3CNixda%3E%20%26%20Co" in answer
    sheet = text_of(client.get(url_of(event, "desk-register"), {"name": "Nixda"}, headers=HTMX))
    assert 'value="Nixda"' in sheet
    assert "<html" not in sheet


def test_only_who_is_missing(client, desk, event):
    f.check_in(event, f.register(event, "Petra Probst"))
    f.register(event, "Otto Kurz")
    answer = text_of(client.get(url_of(event, "desk-list"), {"only": "missing"}))
    assert "Otto" in answer
    assert "Petra" not in answer
    f.check_in(event, Registration.objects.get(person__name="Otto Kurz"))
    assert "Alle sind da" in text_of(client.get(url_of(event, "desk-list"), {"only": "missing"}))


@pytest.fixture
def crowd():
    """Return how an event is filled with registrations, at once."""

    def fill(event, number):
        action = Action.objects.filter(event=event).latest("pk")
        people = Person.objects.bulk_create(
            Person(club=event.club, name=f"P {n}", sort_name=f"p {n:05}", plain_name=f"p {n}")
            for n in range(number)
        )
        return Registration.objects.bulk_create(
            Registration(event=event, person=person, link_token=f"t{person.pk}",
                         registered_at=f.ARRIVAL, made_by=action)
            for person in people
        )  # fmt: skip

    return fill


@pytest.mark.parametrize("number", [300, pytest.param(10_111, marks=pytest.mark.long)])
def test_a_large_field_shows_the_first_sixty_in_a_fixed_number_of_queries(
    client, django_assert_max_num_queries, crowd, number
):
    event = f.make_event(capacity=20_000)
    f.sign_browser_in(client, Role.DESK, event)
    f.check_in(event, f.register(event, "Aaron Anfang"))
    crowd(event, number)
    with django_assert_max_num_queries(34):
        answer = text_of(client.get(url_of(event, "desk")))
    assert answer.count('class="desk-name"') == 60
    assert f"Die ersten 60 von {number + 1:,}.".replace(",", ".") in answer
    with django_assert_max_num_queries(28):
        last = str(number - 1)
        assert f"P {last}" in text_of(client.get(url_of(event, "desk-list"), {"q": last}))


@pytest.mark.parametrize("number", [300, pytest.param(5_000, marks=pytest.mark.long)])
def test_many_who_wait_never_came_or_paid_cost_no_more_queries(
    client, django_assert_max_num_queries, crowd, number
):
    event = f.make_running_event(4, capacity=20_000)
    settings = {"no_show_minutes": 15, "fee_cents": 1000}
    event_update(Command(event=event, by=SYSTEM, at=f.after(1)), settings=settings)
    f.sign_browser_in(client, Role.DESK, event)
    rows = crowd(event, number)
    action = Action.objects.filter(event=event).latest("pk")
    waits = (
        Waiting(event=event, registration=row, since=f.ARRIVAL, made_by=action) for row in rows[::2]
    )
    Waiting.objects.bulk_create(waits)
    with django_assert_max_num_queries(34):
        page = text_of(client.get(url_of(event, "desk")))
    assert f"{number // 2} Personen sind nicht gekommen" in page
    with django_assert_max_num_queries(28):
        line = text_of(client.get(url_of(event, "desk-list"), {"only": "waiting"}))
    assert "Warteliste 60" in line
    with django_assert_max_num_queries(28):
        assert "kassieren" in text_of(client.get(url_of(event, "desk-list"), {"only": "unpaid"}))
