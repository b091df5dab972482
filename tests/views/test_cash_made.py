"""An evening with only cash tables is made, kept and ended in words of its own."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.services.cashgames import make_cash_event
from tests.views.pages import NOW, TOMORROW, card_with, planned, save, text_of
from tournaments.changes.access import COOKIE, Role
from tournaments.changes.selectors.log import describe
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Event, Waiting

pytestmark = pytest.mark.django_db
ASKED = {"name": "Cashrunde", "day": TOMORROW.isoformat(), "time": "19:30"}
OF_A_TOURNAMENT = (
    r"Turnier(?!leitung|seite)|Einchecken|Startgeld|Blindplan|Startstapel|Re-buy|Plätzen frei"
)


def test_a_cash_evening_needs_nothing_of_a_tournament(dora):
    url = f"{reverse('new-event')}?art=cash_game"
    form = dora.get(url).context["form"]
    assert list(form.fields) == ["name", "day", "time", "cash_unit"]
    assert dora.post(reverse("new-event"), ASKED).status_code == 422
    assert dora.post(url, ASKED | {"name": "", "cash_unit": "matches"}).status_code == 422
    assert dora.post(url, ASKED | {"cash_unit": "matches"}).status_code == 302
    event = Event.objects.get()
    assert (event.kind, event.cash_unit, event.fee_cents) == ("cash_game", "matches", 0)
    made = Action.objects.get(kind="event.created")
    assert describe(made) == "Abend angelegt: Cashrunde"


def test_the_next_evening_is_like_the_last_and_others_are_offered(dora):
    planned(fee_cents=1250, name="Omaha-Abend", starts_at=NOW - timedelta(days=9))
    page = text_of(dora.get(reverse("new-event")))
    assert "Cash Game" not in page
    cash = {"cash_unit": "points"}
    assert dora.post(f"{reverse('new-event')}?art=cash_game", ASKED | cash).status_code == 302
    again = dora.get(reverse("new-event"))
    assert (again.context["source"].name, again.context["plan"]) == ("Cashrunde", None)
    assert [one.name for one in again.context["others"]] == ["Omaha-Abend"]
    assert "?art=cash_game" in text_of(again)


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
    assert save(dora, event, "cash_unit", cash_unit="points").status_code == 302
    event.refresh_from_db()
    assert event.cash_unit == "points"
    assert "fee_cents" not in dora.get(card_with(event, "fee_cents")).context["form"].fields
    page = text_of(dora.get(reverse("event-copy", args=[event.slug])))
    assert "Abend kopieren" in page
    assert "Blindplan" not in page
