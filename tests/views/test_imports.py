"""Lists from files: the preview, its confirmation, and what happened in between."""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import factories as f
from tests.pressing import HTMX, url_of
from tests.views.desk import Nothing
from tests.views.importing import CSV, confirm, hidden, names, reasons, upload
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Action, Person, Registration
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


def test_a_preview_changes_nothing_and_is_then_taken_over_in_one_action(client, desk, event):
    with Nothing(event):
        preview = upload(client, event, CSV)
    assert preview.status_code == 200
    assert "2 Personen übernehmen" in text_of(preview)
    assert "liste.csv, 2 Zeilen." in text_of(preview)
    assert reasons(preview) == {}
    before = Action.objects.count()
    answer = confirm(client, event, preview)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == url_of(event, "desk")
    assert names(event) == [("Eva Lang", "eva@example.org"), ("Jörg Strauß", "")]
    assert Action.objects.count() == before + 1
    assert "2 Personen sind angemeldet." in text_of(client.get(url_of(event, "desk")))


def test_a_plain_form_confirms_too_and_names_stay_unlisted_if_wanted(client, desk, event):
    preview = upload(client, event, CSV)
    data = {
        "people": hidden(preview, "people"),
        "idempotency_key": hidden(preview, "idempotency_key"),
    }
    for _press in range(2):
        answer = client.post(url_of(event, "import-confirm"), data)
        assert answer.status_code == 302
        assert answer["Location"] == url_of(event, "desk")
    assert len(names(event)) == 2
    assert not Registration.objects.filter(is_listed=True).exists()


def test_confirmed_twice_it_has_one_effect(client, desk, event):
    preview = upload(client, event, CSV)
    key = {**HTMX, "X-Idempotency-Key": str(uuid4())}
    assert confirm(client, event, preview, headers=key).status_code == 204
    with Nothing(event):
        assert confirm(client, event, preview, headers=key).status_code == 204
        other = confirm(client, event, preview)
    assert other.status_code == 422
    assert "Eva Lang ist schon angemeldet. „So lesen“ zeigt die Vorschau neu." in text_of(other)
    assert text_of(other).startswith('<p class="refusal"')


def test_only_a_preview_of_this_event_can_be_confirmed(client, desk, event):
    other = f.make_event(name="Anderes")
    f.sign_browser_in(client, Role.DIRECTOR)
    preview = upload(client, other, CSV)
    with Nothing(event):
        answers = [
            confirm(client, event, preview),
            confirm(client, event, preview, people=hidden(preview, "people")[:-1] + "x"),
            client.post(url_of(event, "import-confirm"), headers=HTMX),
        ]
    assert [answer.status_code for answer in answers] == [422] * 3
    assert "Die Vorschau gilt nicht mehr." in text_of(answers[0])


def test_what_happened_since_the_preview_counts(client, desk, event):
    preview = upload(client, event, CSV)
    f.register(event, "Eva Lang")
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 422
    event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 422


def test_an_import_is_taken_back_whole(client, desk, event):
    confirm(client, event, upload(client, event, CSV))
    action_undo(Command(event=event, by=SYSTEM, at=f.ARRIVAL), action=Action.objects.latest("pk"))
    assert names(event) == []


def test_strangers_and_arbiters_confirm_nothing(client, desk, event):
    preview = upload(client, event, CSV)
    client.cookies.clear()
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 403
    f.sign_browser_in(client, Role.ARBITER, event)
    with Nothing(event):
        assert confirm(client, event, preview).status_code == 403
        assert upload(client, event, CSV).status_code == 403


@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_many_rows_are_shown_and_taken_over_in_few_queries(
    client, django_assert_max_num_queries, number
):
    event = f.make_event(capacity=20_000)
    f.sign_browser_in(client, Role.DESK, event)
    rows = [f"Spieler {n:05},spieler{n}@example.org" for n in range(number)]
    rows[200:203] = ["", ",x@example.org", "Spieler 00001,"]
    with django_assert_max_num_queries(20):
        preview = upload(client, event, "Name,E-Mail\n" + "\n".join(rows))
    assert reasons(preview) == {203: "Der Name fehlt.", 204: "Steht schon in Zeile 3."}
    assert f"{number - 3:,} Personen übernehmen".replace(",", ".") in text_of(preview)
    assert len(preview.content) < 200_000
    assert confirm(client, event, preview).status_code == 204
    assert Registration.objects.filter(event=event).count() == number - 3


@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    known=st.lists(
        st.tuples(st.sampled_from(["Eva", "Otto"]), st.sampled_from(["", "a@x.at", "b@x.at"])),
        max_size=3,
    ),
    coming=st.integers(0, 3),
    rows=st.lists(
        st.tuples(
            st.sampled_from(["Eva", "EVA", "Otto", ""]),
            st.sampled_from(["", "a@x.at", "b@x.at", "A@x.at", "nirgends"]),
        ),
        min_size=1,
        max_size=6,
    ),
)
@pytest.mark.usefixtures("desk")
def test_what_the_preview_accepts_the_service_takes(client, event, known, coming, rows):
    """Whoever the club knows, registered here or not, with whatever address."""
    Registration.objects.all().delete()
    other = f.make_event(name="Letztes Mal")
    for number, (name, email) in enumerate(known):
        where = event if number < coming else other
        f.register(where, name, email=email, is_namesake=True)
    data = "Name;E-Mail\n" + "\n".join(f"{name};{email}" for name, email in rows)
    preview = upload(client, event, data)
    if hidden(preview, "people") is not None:
        assert confirm(client, event, preview).status_code == 204
    Registration.objects.all().delete()
    Person.objects.all().delete()
