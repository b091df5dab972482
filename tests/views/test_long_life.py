"""What a past of many evenings costs today: as many statements, and pages of the same size."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse

from tests import factories as f
from tests.costs import statements
from tests.seasons import PLAYERS, evening
from tournaments.changes.access import Role
from tournaments.models import Person, Registration
from tournaments.money.services.fees import fee_pay

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]


def past(evenings, *, begin=0):
    """Play evenings that the same people came to, each with a tablet that is used once."""
    for number in range(begin, begin + evenings):
        event = evening(PLAYERS[:2], number=number - 500, fee_cents=1_000)
        f.sign_in(f"Tablet {number}", Role.DESK, event, at=event.starts_at - timedelta(hours=1))
        known = Person.objects.filter(name="Anna Ast").order_by("pk").first()
        row = Registration.objects.get(event=event, person__name="Anna Ast")
        Registration.objects.filter(pk=row.pk).update(person=known)
        f.drive(fee_pay, event, 0, registration=row)
    return event, Registration.objects.get(pk=row.pk)


def cost(client, name, *arguments):
    """Return statements, steps of SQLite and bytes of a page, once it was asked for."""
    url, steps = reverse(name, args=arguments), Counter()
    client.get(url)
    connection.connection.set_progress_handler(lambda: steps.update(hundreds=1), 100)
    with statements() as asked:
        answer = client.get(url)
    connection.connection.set_progress_handler(None, 0)
    assert answer.status_code == 200, answer.content[:300]
    return len(asked), steps["hundreds"], len(answer.content)


# The evenings of half of the past: more than the pages show of it.
EVENINGS = 6
# By name: how to ask for it, and how often its steps and bytes may be those of half of the past.
PAGES = {
    "own-data": (lambda event, row: [row.link_token], 1.1, 1.05),
    # All that is known of a person, asked for once.
    "own-data-json": (lambda event, row: [row.link_token], 2, 2),
    # A scan for the tokens of scripts, and one for former devices, grow.
    "staff": (lambda event, row: [event.slug], 1.7, 1.05),
    "people": (lambda event, row: [], 2, 1.05),
    "home": (lambda event, row: [], 1.3, 1.05),
    # Its sums go over all entries; so that they grow no faster than those, nothing is asked by row.
    "club-statistics": (lambda event, row: [], 2, 1.4),
}


def test_twice_the_past_costs_no_page_a_statement_more(client, monkeypatch):
    monkeypatch.setattr("tournaments.public.views.public.MOST_PAST", 5)
    monkeypatch.setattr("tournaments.privacy.views.privacy.PAGE_EVENINGS", EVENINGS - 1)
    event, row = past(EVENINGS)
    f.sign_browser_in(client, Role.DIRECTOR)
    before = costs(client, event, row)
    after = costs(client, *past(EVENINGS, begin=EVENINGS))
    for name, (_arguments, *growth) in PAGES.items():
        print(name, before[name], after[name])
        assert after[name][0] <= before[name][0], name
        for now, then, most in zip(after[name][1:], before[name][1:], growth, strict=True):
            assert now <= most * then, name


def costs(client, event, row):
    return {name: cost(client, name, *page[0](event, row)) for name, page in PAGES.items()}
