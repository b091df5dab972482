"""The pages of a count: all tables, one table, and where everybody reads who leads."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.pressing import url_of
from tests.races import in_race
from tests.views.pages import text_of
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Registration, StackCount

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return in_race(f.make_running_event(8, seats=6))


def typed(event, *stacks, table=1):
    sitting = f.at_table(event, table)
    return {f"stack_{e.pk}": str(chips) for e, chips in zip(sitting, stacks, strict=False)}


def test_staff_counts_table_by_table_on_the_phone(client, arno, event):
    page = url_of(event, "stack-counts")
    assert page in client.get(url_of(event, "floor")).content.decode()
    assert "noch nicht gezählt" in text_of(client.get(page))
    each = event.starting_stack
    here, there = len(f.at_table(event, 1)), len(f.at_table(event, 2))
    answer = client.post(url_of(event, "stack-count", 1), typed(event, *[each] * here))
    assert (answer.status_code, answer.url) == (302, page)
    assert f"Gezählt: {here} von 8" in text_of(client.get(page))
    stacks = typed(event, each - 1, *[each] * (there - 1), table=2)
    client.post(url_of(event, "stack-count", 2), stacks)
    assert "Gezählt ist ein Chip weniger als im Spiel" in text_of(client.get(page))
    client.post(url_of(event, "stack-count", 2), typed(event, each, table=2))
    assert "Alle sind gezählt, und die Summe stimmt." in text_of(client.get(page))
    assert "value=" in client.get(url_of(event, "stack-count", 1)).content.decode()


def test_the_director_is_told_what_is_left_of_a_count(client, dora, event):
    page = url_of(event, "director")
    assert "Stapel fertig zählen" not in text_of(client.get(page))
    client.post(url_of(event, "stack-count", 1), typed(event, 250))
    assert "Gezählt: 1 von 8. Es fehlt an: 1, 2." in text_of(client.get(page))
    for table in (1, 2):
        client.post(url_of(event, "stack-count", table), typed(event, *[200] * 6, table=table))
    assert "zu viel gezählt" not in text_of(client.get(page))
    client.post(url_of(event, "stack-count", 1), typed(event, 250))
    assert "50 Chips zu viel gezählt" in text_of(client.get(page))


@pytest.mark.parametrize("wrong", ["0", "-5", "viele", "9" * 30])
def test_what_is_no_stack_is_said_at_its_field(client, arno, event, wrong):
    answer = client.post(url_of(event, "stack-count", 1), typed(event, wrong))
    assert answer.status_code == 422
    assert not StackCount.objects.exists()


def test_more_than_there_is_names_both_sums(client, arno, event):
    answer = client.post(url_of(event, "stack-count", 1), typed(event, 99 * event.starting_stack))
    assert answer.status_code == 422
    assert "im Spiel sind" in text_of(answer)
    assert not StackCount.objects.exists()


def test_without_play_and_without_the_table_nothing_is_counted(client, arno, event):
    assert client.get(url_of(event, "stack-count", 9)).status_code == 404
    f.drive(event_end, event, 30)
    for name, args in (("stack-counts", ()), ("stack-count", (1,))):
        assert "Gerade wird nicht gespielt" in text_of(client.get(url_of(event, name, *args)))
    assert client.post(url_of(event, "stack-count", 1), typed(event, 5)).status_code == 422


def test_everybody_reads_who_leads_and_a_player_his_own(client, arno, event):
    zeno = Client()
    assert "Chips, gezählt um" not in text_of(zeno.get(url_of(event, "results")))
    one, two = f.at_table(event, 1)[:2]
    hidden = Registration.objects.filter(pk=one.registration_id)
    hidden.update(is_listed=False)
    client.post(url_of(event, "stack-count", 1), typed(event, 150, 90))
    page = text_of(zeno.get(url_of(event, "results")))
    assert "Chips, gezählt um" in page
    assert "Nach Chips" in page
    assert one.registration.person.name not in page
    own = text_of(zeno.get(reverse("player-card", args=[two.registration.link_token])))
    assert 'dein Stapel</dt> <dd class="stat-value">90</dd>' in own
    assert "2. von 2, gezählt um" in own
