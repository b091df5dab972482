"""An evening with only cash tables is made, kept and ended in words of its own."""

import re

import pytest
from django.urls import reverse

from tests import factories as f
from tests.services.cashgames import make_cash_event
from tests.views.pages import FILLED, NOW, TOMORROW, planned, settings_of, text_of
from tournaments.changes.access import COOKIE, Role
from tournaments.changes.selectors.log import describe
from tournaments.event.services.lifecycle import event_end
from tournaments.event.views.events import suggested
from tournaments.models import Action, Event, Waiting

pytestmark = pytest.mark.django_db
ASKED = {"name": "Cashrunde", "day": TOMORROW.isoformat(), "time": "19:30"}
OF_A_TOURNAMENT = (
    r"Turnier(?!leitung|seite)|Einchecken|Startgeld|Blindplan|Startstapel|Re-buy|Plätzen frei"
)


def test_the_form_asks_first_what_is_played_and_cash_needs_nothing_of_a_tournament(dora):
    form = dora.get(reverse("new-event")).content.decode()
    assert form.index('name="kind"') < form.index('name="name"') < form.index('name="cash_unit"')
    assert dora.post(reverse("new-event"), {**ASKED, "kind": "tournament"}).status_code == 422
    wrong = {
        "kind": "cash_game",
        "cash_unit": "matches",
        "fee_cents": "viel",
        "seats_per_table": "1",
    }
    assert dora.post(reverse("new-event"), {**wrong, "name": ""}).status_code == 422
    assert dora.post(reverse("new-event"), ASKED | wrong).status_code == 302
    event = Event.objects.get()
    assert (event.kind, event.cash_unit, event.fee_cents) == ("cash_game", "matches", 0)
    made = Action.objects.get(kind="event.created")
    assert describe(made) == "Abend angelegt: Cashrunde"


def test_the_next_evening_is_like_the_last_and_a_tournament_like_the_last_tournament(dora):
    planned(fee_cents=1250, name="Omaha-Abend")
    assert dora.post(reverse("new-event"), {**ASKED, "kind": "cash_game"}).status_code == 302
    found = suggested(NOW)
    assert (found["name"], found["kind"], found["fee_cents"]) == ("Cashrunde", "cash_game", 1250)
    both = dora.post(reverse("new-event"), FILLED | {"kind": "both", "cash_unit": "points"})
    assert both.status_code == 302
    assert Event.objects.filter(kind="both", cash_unit="points", capacity=40).exists()


def test_no_page_of_a_cash_evening_speaks_of_a_tournament(client):
    event = make_cash_event(name="Runde", capacity=2)
    for name in ("Anna", "Bert", "Cleo"):
        f.register(event, name)
    assert not Waiting.objects.filter(event=event).exists()
    client.cookies[COOKIE] = f.sign_in("Leitung", Role.DIRECTOR, event).token
    names = ("event-settings", "event-end", "event-cancel", "tournament", "desk", "director",
             "paper-poster", "papers")  # fmt: skip

    def said(name):
        page = text_of(client.get(reverse(name, args=[event.slug])))
        main = page[page.index("<main") : page.index("</main>")]
        shown = re.sub(r"<[^>]+>", "|", re.sub(r"<(option|script)\b.*?</\1>", "", main))
        return re.findall(rf"[^|]*(?:{OF_A_TOURNAMENT})[^|]*", shown)

    assert {name: said(name) for name in names} == {name: [] for name in names}
    assert "Cash Game, 3 angemeldet" in text_of(client.get(reverse("home")))
    f.drive(event_end, event, 60)
    assert said("director") == said("event-settings") == said("tournament") == []


def test_the_settings_of_a_cash_evening_are_saved_and_its_copy_has_no_plan(dora):
    event = make_cash_event(starts_at=planned().starts_at, at=f.after(0), name="Runde")
    sent = settings_of(event) | {"kind": "cash_game", "cash_unit": "points", "fee_cents": "30"}
    assert dora.post(reverse("event-settings", args=[event.slug]), sent).status_code == 302
    event.refresh_from_db()
    assert (event.cash_unit, event.fee_cents) == ("points", 0)
    page = text_of(dora.get(reverse("event-copy", args=[event.slug])))
    assert "Abend kopieren" in page
    assert "Blindplan" not in page
