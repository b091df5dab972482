"""The fee changes after people have paid: the director reads what it means, the desk does it."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.models import Registration
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.fees import fee_pay

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event():
    made = f.make_event(fee_cents=1000, fee_parts=[["house", 200, ""]])
    for name in ("Petra Probst", "Paul Pünktlich", "Zenzi Zahlt-Nie"):
        f.register(made, name)
    for row in people(made)[:2]:
        call_service(fee_pay, event=made, by=SYSTEM, at=f.ARRIVAL, registration=row)
    return made


def people(event):
    rows = Registration.objects.filter(event=event).select_related("person", "event")
    return list(rows.order_by("pk"))


def said(answer):
    return text_of(answer).replace("\N{NO-BREAK SPACE}", " ")


def url(name, event, *args):
    return reverse(name, args=[event.slug, *args])


@pytest.fixture
def save(client, event):
    """Return how a director sends the settings with some of them changed."""
    f.sign_browser_in(client, Role.DIRECTOR, None)
    form = client.get(url("event-settings", event)).context["form"]
    sent = {
        name: "" if value is None else value
        for name, value in ((name, form[name].value()) for name in form.fields)
        if value is not False
    }
    kept = {f"initial-{name}": value for name, value in sent.items()}
    return lambda **new: client.post(url("event-settings", event), kept | sent | new)


def test_a_director_reads_what_a_higher_fee_means_before_it_is_saved(event, save):
    version = f.fresh(event).version
    asked = save(fee_cents="15")
    text = said(asked)
    assert "2 zahlen noch etwas, zusammen 10 €." in text
    assert "Einer hat noch nicht bezahlt: Für ihn gilt der neue Preis." in text
    assert "bekommen etwas zurück" not in text
    assert "Preistopf: 20 € statt 16 €" in text
    assert (f.fresh(event).version, f.fresh(event).fee_cents) == (version, 1000)
    done = save(fee_cents="15", seen=asked.context["asked"].seen)
    assert done.status_code == 302
    assert f.fresh(event).fee_cents == 1500


def test_what_was_read_before_somebody_else_paid_is_read_anew(event, save):
    seen = save(fee_cents="6").context["asked"].seen
    call_service(fee_pay, event=event, by=SYSTEM, at=f.ARRIVAL, registration=people(event)[2])
    again = save(fee_cents="6", seen=seen)
    assert "3 bekommen etwas zurück, zusammen 12 €." in said(again)
    assert f.fresh(event).fee_cents == 1000


def test_settings_without_a_price_and_prices_that_cannot_be_ask_nothing(event, save):
    wrong = save(fee_cents="1")
    assert "Die Teile sind zusammen mehr, als es kostet." in said(wrong)
    assert wrong.context["asked"] is None
    assert save(capacity="40").status_code == 302


def test_nobody_is_asked_as_long_as_nobody_has_paid(client, save, event):
    for row in people(event)[:2]:
        f.undo(event, event.actions.get(kind="fee.paid", payload__registration=row.pk))
    assert save(fee_cents="15").status_code == 302


def test_the_desk_sees_who_gets_how_much_back_and_gives_it(client, event, save):
    asked = save(fee_cents="6")
    assert "2 bekommen etwas zurück, zusammen 8 €." in said(asked)
    save(fee_cents="6", seen=asked.context["asked"].seen)
    petra = people(event)[0]
    own = said(client.get(reverse("player", args=[petra.link_token])))
    assert "Startgeld bezahlt · du bekommst 4 € zurück" in own
    f.check_in(f.fresh(event), petra)
    f.sign_browser_in(client, Role.DESK, event)
    listed = said(client.get(url("desk", event)))
    assert "bekommt 4 € zurück" in listed
    assert "zu viel bezahlt" in listed
    assert "Geld zurück: 8 €" in said(client.get(url("fees-open", event)))
    sheet = client.get(url("fee-refund", event, petra.pk), headers=HTMX)
    assert 'value="4"' in sheet.content.decode()
    assert "Zu viel bezahlt sind 4 €." in said(sheet)
    assert "Schon eingecheckt" not in said(sheet)
    person = said(client.get(url("desk-correct", event, petra.pk), headers=HTMX))
    assert "Zu viel bezahlt: 4 € gehen zurück." in person
    client.post(url("fee-refund", event, petra.pk), {"amount": "4"}, headers=HTMX)
    assert paid_cents(petra) == 600
    assert "Geld zurück: 4 €" in said(client.get(url("fees-open", event)))
    report = said(client.get(url("evening-report", event)))
    assert "Wer Geld zurückbekommt" in report
    assert "Petra Probst" not in report
    assert "Paul Pünktlich" in report


def test_a_higher_fee_is_taken_at_the_desk(client, event, save):
    save(fee_cents="15", seen=save(fee_cents="15").context["asked"].seen)
    f.sign_browser_in(client, Role.DESK, event)
    assert "5 € kassieren" in said(client.get(url("desk", event)))
    client.post(url("fee-pay", event, people(event)[0].pk), headers=HTMX)
    assert paid_cents(people(event)[0]) == 1500
