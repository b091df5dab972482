"""What the club and a tournament say of themselves to everybody: set, checked, shown."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, Club

pytestmark = pytest.mark.django_db
TYPED = {
    "venue": "Gasthof Post",
    "address": "Hauptplatz 3, 4020 Linz",
    "contact": "info@klub.at\r\n+43 660 1234",
    "description": "Jeden Freitag.\r\n\r\nAlle sind <b>willkommen</b>.",
    "house_text": "Einlass ab 18.",
    "imprint": "Verein Linz\r\nZVR 123",
}


def save(client, **own):
    return client.post(reverse("club-about"), {**TYPED, **own})


def test_the_club_says_where_it_plays_and_whom_to_ask(dora):
    f.house()
    assert save(dora).status_code == 302
    club = Club.objects.get()
    assert (club.venue, club.contact) == ("Gasthof Post", "info@klub.at\n+43 660 1234")
    made = Action.objects.get(kind="club.about_set")
    assert made.payload["about"] == sorted(TYPED)
    page = text_of(dora.get(reverse("club-settings")))
    assert 'value="Gasthof Post"' in page
    assert "&lt;b&gt;willkommen" in page


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("contact", "javascript:alert(1)", "weder Mailadresse"),
        ("contact", "\n".join(["a@b.at"] * 7), "Höchstens 6 Zeilen"),
        ("venue", "x" * 121, "120"),
        ("imprint", "x" * 6001, "6000"),
    ],
)
def test_what_cannot_be_shown_is_refused_beside_its_field(dora, field, value, said):
    f.house()
    answer = save(dora, **{field: value})
    assert answer.status_code == 422
    assert said in str(answer.context["about_form"].errors[field])
    assert Club.objects.get().venue == ""
    assert not Action.objects.filter(kind="club.about_set").exists()


def test_a_tournament_says_otherwise_for_its_evening_and_takes_it_back(dora):
    event = f.make_event()
    save(dora)
    change = Command(event=event, by=SYSTEM, at=f.ARRIVAL)
    made = event_update(change, settings={"venue": "Kulturhaus ", "contact": "https://kh.at"})
    about = f.fresh(event).about
    assert (about.venue, about.address, about.house_text) == ("Kulturhaus", "", "Einlass ab 18.")
    assert [one.href for one in about.contacts] == ["https://kh.at"]
    f.undo(event, made)
    assert f.fresh(event).about.place == "Gasthof Post, Hauptplatz 3, 4020 Linz"
    with pytest.raises(Refused, match="weder Mailadresse"):
        event_update(change, settings={"contact": "ruf an"})
    assert f.fresh(event).contact == ""


def test_the_settings_of_a_tournament_ask_for_it_in_a_section_of_its_own(client):
    event = f.make_event()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    page = reverse("event-settings", args=[event.slug])
    fields = client.get(page).context["form"]
    sent = {
        name: fields[name].value() for name in fields.fields if fields[name].value() is not None
    }
    typed = {"venue": "Kulturhaus", "description": "Eins\r\n\r\nZwei"}
    sent = {k: v for k, v in sent.items() if v is not False} | typed
    for name in fields.fields:
        sent[f"initial-{name}"] = fields[name].initial if fields[name].initial is not None else ""
    sent["initial-description"] = ""
    answer = client.post(page, sent)
    assert answer.status_code == 302, answer.context["form"].errors
    event = f.fresh(event)
    assert (event.venue, event.description) == ("Kulturhaus", "Eins\n\nZwei")
