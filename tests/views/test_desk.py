"""The desk's list: what it shows, its search, and what it costs with many people."""

import re

import pytest

from tests import factories as f
from tests.pressing import HTMX, shows, url_of, words_of
from tests.views.desk import listed
from tests.views.pages import page_of, text_of
from tournaments.changes.access import Role
from tournaments.models import Action, Person, Registration, Waiting

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_an_empty_list_says_what_to_do_first_and_one_has_only_who_is_missing(client, desk, event):
    shows(page_of(client, event, "desk"), "Noch ist niemand angemeldet", url_of(event, "import"))
    answer = listed(client, event, q="<Nixda> & Co")
    assert "Niemand mit „&lt;Nixda&gt; &amp; Co“" in answer
    assert f"{url_of(event, 'desk-register')}?q=%3CNixda%3E%20%26%20Co" in answer
    sheet = text_of(client.get(url_of(event, "desk-register"), {"q": "Nixda"}, headers=HTMX))
    shows(sheet, 'value="Nixda"', but=("<html",))
    f.check_in(event, f.register(event, "Petra Probst"))
    otto = f.register(event, "Otto Kurz")
    shows(listed(client, event, only="missing"), "Otto", but=("Petra",))
    f.check_in(event, otto)
    assert "Alle sind da" in listed(client, event, only="missing")


def test_the_list_shows_everybody_with_state_and_seat_and_the_numbers(client, desk):
    event = f.make_running_event(4, capacity=20)
    f.sign_browser_in(client, Role.DESK, event)
    f.register(event, "Petra Probst")
    loser = f.entries_of(event)[0]
    f.out(event, loser)
    answer = page_of(client, event, "desk")
    shows(answer, "ausgeschieden", "angemeldet")
    # Who is out has left his place to somebody else.
    assert [answer.count(f'<dd class="stat-value">{figure}<') for figure in (5, 4, 16)] == [1, 1, 1]
    assert answer.count('data-label="Tisch"') == 3
    seated = f.entries_of(event)[1]
    assert url_of(event, "slip", seated.pk) in answer
    assert url_of(event, "slip", loser.pk) not in answer


def test_search_finds_any_word_without_accents(client, desk, event):
    f.register(event, "Zoë Müller-Lüdenscheid")
    f.register(event, "Otto Kurz")
    for search in ("muller", "Müller", "mueller", "zoe m", "LÜDENSCHEID zoë", "  lud  "):
        shows(listed(client, event, q=search), "Zoë", but=("Otto",))


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


@pytest.mark.usefixtures("desk")
@pytest.mark.planned(capacity=20_000)
@pytest.mark.parametrize("number", [130, pytest.param(10_111, marks=pytest.mark.long)])
def test_a_large_field_shows_the_first_sixty_in_a_fixed_number_of_queries(
    client, event, django_assert_max_num_queries, crowd, number
):
    f.check_in(event, f.register(event, "Aaron Anfang"))
    crowd(event, number)
    with django_assert_max_num_queries(34):
        answer = page_of(client, event, "desk")
    assert answer.count('class="desk-name"') == 60
    assert f"Die ersten 60 von {number + 1:,}.".replace(",", ".") in answer
    with django_assert_max_num_queries(28):
        last = str(number - 1)
        assert f"P {last}" in listed(client, event, q=last)


@pytest.mark.usefixtures("desk")
@pytest.mark.running(4, capacity=20_000, no_show_minutes=15, fee_cents=1000)
@pytest.mark.parametrize("number", [130, pytest.param(5_000, marks=pytest.mark.long)])
def test_many_who_wait_never_came_or_paid_cost_no_more_queries(
    client, event, django_assert_max_num_queries, crowd, number
):
    rows = crowd(event, number)
    action = Action.objects.filter(event=event).latest("pk")
    waits = (
        Waiting(event=event, registration=row, since=f.ARRIVAL, made_by=action) for row in rows[::2]
    )
    Waiting.objects.bulk_create(waits)
    with django_assert_max_num_queries(34):
        page = page_of(client, event, "desk")
    assert f"{number // 2} Personen sind nicht gekommen" in page
    with django_assert_max_num_queries(28):
        line = listed(client, event, only="waiting")
    assert "Warteliste 60" in line
    with django_assert_max_num_queries(28):
        assert "kassieren" in listed(client, event, only="unpaid")


def test_two_of_one_name_are_told_apart(client, desk, event):
    f.register(event, "Hans Müller", email="hans@example.org")
    f.register(event, "Hans Müller", is_namesake=True)
    f.register(event, "Anna Lang", email="anna@example.org")
    page = words_of(client, event, "desk")
    assert "hans@example.org" in page
    assert re.search(r"Hans Müller.{0,40} angemeldet \d\d\.\d\d\. \d\d:\d\d", page)
    shows(page, "angemeldet 3 da 0 Plätze frei 17", but=("anna@example.org",))
