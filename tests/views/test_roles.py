"""Roles of the staff are declared once; every page that names one knows it by its declaration."""

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.changes.access import WORK, Work

pytestmark = pytest.mark.django_db
WHOLE = {"name": "Kasse", "task": "Geld zählen.", "home": "desk", "way": "Zur Kasse"}


@pytest.mark.parametrize("missing", WHOLE)
def test_a_role_of_the_staff_says_all_that_people_are_shown_of_it(missing):
    assert Work(**WHOLE).name == "Kasse"
    with pytest.raises(TypeError, match=missing):
        Work(**{name: value for name, value in WHOLE.items() if name != missing})
    for role, work in WORK.items():
        assert str(getattr(work, missing)).strip(), (role, missing)


@pytest.mark.parametrize("role", WORK)
def test_a_role_begins_at_its_home_and_is_shown_the_way_there(client, role):
    event = f.make_event()
    f.sign_browser_in(client, role, event)
    home = reverse(WORK[role].home, args=[event.slug])
    assert client.get(home).status_code == 200
    page = client.get(reverse("home")).content.decode()
    assert f'href="{home}">{WORK[role].way}</a>' in page


def test_links_are_offered_for_every_role_of_the_staff(dora, event):
    page = dora.get(reverse("staff", args=[event.slug])).content.decode()
    for role, work in WORK.items():
        assert f'value="{role}"' in page
        assert str(work.name) in page
        assert str(work.task) in page
