"""As last week: who was there is registered again, as chosen."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.pressing import HTMX, url_of
from tests.views.desk import Nothing
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Event, Registration, Waiting
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def last_week():
    made = f.make_event(name="Donnerstag", capacity=2)
    f.check_in(made, f.register(made, "Eva Lang", is_listed=False, language="en"))
    f.register(made, "Otto Kurz")
    f.register(made, "Zoë Müller")
    return made


def ticked(page):
    boxes = re.findall(r'name="person" value="(\d+)"\s*(checked)?', text_of(page))
    return {int(pk): bool(checked) for pk, checked in boxes}


def test_a_copy_asks_who_comes_again_and_registers_whom_one_chose(dora, last_week):
    day = timezone.localdate() + timedelta(days=7)
    sent = {"name": "Donnerstag", "day": day.isoformat(), "time": "19:00"}
    answer = dora.post(reverse("event-copy", args=[last_week.slug]), sent)
    copied = Event.objects.exclude(pk=last_week.pk).get()
    assert answer.url == f"{url_of(copied, 'carry-over')}?von={last_week.slug}"
    people = {row.name: row.person_id for row in Registration.objects.filter(event=last_week)}
    page = dora.get(answer.url)
    assert ticked(page) == {people["Eva Lang"]: True, people["Otto Kurz"]: False,
                            people["Zoë Müller"]: False}  # fmt: skip
    assert all(ticked(dora.get(answer.url + "&wer=alle")).values())
    assert not any(ticked(dora.get(answer.url + "&wer=niemand")).values())
    assert not Registration.objects.filter(event=copied).exists()
    data = {"von": last_week.slug, "person": [*people.values(), "77777", "x"]}
    key = {**HTMX, "X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        answer = dora.post(url_of(copied, "carry-over"), data, headers=key)
        assert answer["HX-Redirect"] == url_of(copied, "desk")
    assert "davon auf der Warteliste: 1." in text_of(dora.get(url_of(copied, "desk")))
    rows = Registration.objects.filter(event=copied).order_by("pk")
    # What they agreed to stays: Eva does not want to be named.
    assert list(rows.values_list("person", "is_listed", "language")) == [
        (people["Eva Lang"], False, "en"),
        (people["Otto Kurz"], True, "de"),
        (people["Zoë Müller"], True, "de"),
    ]
    assert Waiting.objects.live().filter(event=copied).count() == 1
    assert "angemeldet" in text_of(dora.get(url_of(copied, "carry-over")))
    made = f.last_action(copied)
    assert made.kind == "registration.imported"
    action_undo(Command(event=f.fresh(copied), by=SYSTEM, at=f.ARRIVAL), action=made)
    assert not Registration.objects.live().filter(event=copied).exists()


def test_nobody_chosen_or_gone_meanwhile_is_refused(dora, last_week, event):
    for person in ([], ["x"]):
        with Nothing(event):
            sent = {"von": last_week.slug, "person": person}
            answer = dora.post(url_of(event, "carry-over"), sent, headers=HTMX)
        assert answer.status_code == 422
        assert "Niemand ist ausgewählt." in text_of(answer)
    assert dora.get(url_of(event, "carry-over"), {"von": "nirgends"}).status_code == 404


def test_the_first_evening_has_nobody_to_carry_over(dora, event):
    f.make_event(name="Beispiel", is_sample=True)
    assert "Es war noch niemand da" in text_of(dora.get(url_of(event, "carry-over")))
