"""The pages of money: drawers, paying, receipts, the report, and a price that changes."""

import re
from functools import partial

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, press, refused, shows, url_of
from tests.views.pages import assert_refused, text_of
from tests.views.pages import save as save_card
from tournaments.changes.access import SYSTEM, Role
from tournaments.models import Club, Drawer, Mail, Receipt
from tournaments.money.selectors.drawers import drawer_balance
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.drawers import club_means_set, drawer_open
from tournaments.papers.selectors.papers import evening_report
from tournaments.post.selectors.mail import mail_text_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("desk"),
    pytest.mark.planned(fee_cents=3000),
]


@pytest.fixture
def petra(event):
    return f.register(event)


def said(answer):
    return text_of(answer).replace("\N{NO-BREAK SPACE}", " ")


def page_of(client, event, name, *args, **asked):
    return said(client.get(url_of(event, name, *args), asked))


def sheet_of(client, event, name, *args):
    return said(client.get(url_of(event, name, *args), headers=HTMX))


def opened(client, event, cents="50"):
    answer = press(client, event, "drawer-open", float_cents=cents)
    assert answer.status_code == 204, answer.content.decode()
    return Drawer.objects.latest("pk")


def means(**names):
    call_service(club_means_set, club=f.house(), by=SYSTEM, at=f.ARRIVAL, names=names)


# Drawers


def test_a_drawer_is_opened_moved_handed_over_and_closed_on_its_page(client, event):
    drawer = opened(client, event)
    shows(page_of(client, event, "drawer"), "Dieses Gerät hat Kasse 1.", "50 €")
    press(client, event, "drawer-move", drawer.pk, way="out", amount="12,50", reason="Pizza")
    for language, told in (("de", "Kasse 1: −12,50 €, Pizza"), ("en", "Drawer 1: −€12.50, Pizza")):
        asked = {"Accept-Language": language}
        page = said(client.get(url_of(event, "director-log-all"), headers=asked))
        shows(page, told, but=("(Pizza)",))
    other = f.sign_in("Küche", Role.DESK, event).actor
    press(client, event, "drawer-hand", drawer.pk, device=other.device.pk)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    answer = press(client, event, "drawer-close", drawer.pk, counted="37", expected="3750")
    assert answer.status_code == 204
    shows(page_of(client, event, "drawer"), "abgeschlossen", "−0,50 €")


def test_a_form_without_a_script_counts_once_however_often_it_is_sent(client, event):
    drawer = opened(client, event)
    page = client.get(url_of(event, "drawer")).text
    (form,) = re.findall(rf'<form[^>]*action="{url_of(event, "drawer-move", drawer.pk)}.*?</form>',
                         page, re.DOTALL)  # fmt: skip
    (key,) = re.findall(r'name="idempotency_key" value="([^"]+)"', form)
    sent = {"way": "out", "amount": "10", "reason": "Pizza", "idempotency_key": key}
    for _time in range(2):
        assert client.post(url_of(event, "drawer-move", drawer.pk), sent).status_code == 302
    assert drawer_balance(drawer) == 4000
    other = client.post(url_of(event, "drawer-move", drawer.pk), sent | {"amount": "11"})
    assert (other.status_code, drawer_balance(drawer)) == (422, 4000)


WRONG = [
    ("drawer-open", {"float_cents": "viel"}, "Bitte einen Betrag wie 12,50 eingeben."),
    ("drawer-open", {"float_cents": "99999999"}, "Dieser Betrag kann nicht stimmen."),
    ("drawer-move", {"way": "out", "amount": "5"}, "Bitte dazusagen, wofür."),
    ("drawer-move", {"way": "out", "amount": "-5", "reason": "x"}, "Bitte einen Betrag"),
    ("drawer-move", {"way": "out", "amount": "51", "reason": "x"}, "sind nur 50"),
    ("drawer-move", {"way": "in", "amount": "", "reason": "x"}, "kann nicht stimmen."),
    ("drawer-close", {"counted": ""}, "Bitte eingeben, wie viel gezählt wurde."),
    ("drawer-close", {"counted": "50", "expected": "1"}, "Bitte noch einmal zählen."),
    ("drawer-hand", {"device": "0"}, ""),
]


def test_bad_input_at_a_drawer_is_refused_with_a_sentence(client, event):
    drawer = opened(client, event)
    for name, fields, sentence in WRONG:
        args = [] if name == "drawer-open" else [drawer.pk]
        refused(client, event, name, *args, sentence=sentence, **fields)


def test_the_drawer_asks_for_what_was_taken_before_and_one_press_takes_it_over(client, event):
    for name in ("Petra Probst", "Paul P"):
        press(client, event, "fee-pay", f.register(event, name).pk)
    assert "gehören nicht zum Wechselgeld" in page_of(client, event, "drawer")
    drawer = opened(client, event, cents="100")
    assert "Sind die 60 € darin?" in page_of(client, event, "drawer")
    answer = press(client, event, "drawer-fill", drawer.pk, amount_cents="3000")
    assert "sind es 60 €" in said(answer)
    assert press(client, event, "drawer-fill", drawer.pk, amount_cents="6000").status_code == 204
    shows(page_of(client, event, "drawer"), but=("darin?", "Ohne Kasse"))
    back = {"way": "none", "amount": "60"}
    assert press(client, event, "drawer-move", drawer.pk, **back).status_code == 204
    shows(page_of(client, event, "drawer"), "Sind die 60 € darin?", "Kasse 1: 60 € herausgelegt")
    receipt = Receipt.objects.get(registration=None)
    assert "Weitergegeben" in page_of(client, event, "receipt", receipt.pk)


def test_an_arbiter_sees_and_uses_the_drawer_he_was_given_and_no_other(client, event, arno, petra):
    f.drive(drawer_open, event, -60, by=f.make_desk(event), float_cents=8800)
    page = page_of(client, event, "drawer")
    shows(page, "erst, wenn ihm die Turnierleitung eine Kasse gibt", but=("Kasse 1",))
    assert press(client, event, "fee-pay", petra.pk).status_code == 403
    f.drive(drawer_open, event, -30, by=f.make_dora(event), float_cents=700, device=arno.device)
    shows(page_of(client, event, "drawer"), "Dieses Gerät hat Kasse 2.", but=("88 €",))
    shows(page_of(client, event, "fees-open"), "Petra Probst", "Eine Person")
    assert press(client, event, "fee-pay", petra.pk).status_code == 200
    assert "Nichts ist offen." in page_of(client, event, "fees-open")


# Paying


def test_the_sheet_says_what_is_open_and_the_change_and_keeps_who_paid(client, event, petra):
    shows(sheet_of(client, event, "fee-pay", petra.pk), "Preisgeld", "gibt 50 € → zurück 20 €")
    for given, told in (("50", "zurück 20 €"), ("20", "um 10 € zu wenig")):
        assert told in page_of(client, event, "pay-change", amount="30", given=given)
    means(card="Bankomat")
    assert_refused(press(client, event, "fee-pay", petra.pk, amount="30", given="20"), "zu wenig")
    assert paid_cents(petra) == 0
    own = {"amount": "30", "given": "50", "payer": "Onkel Otto", "open_seen": "3000"}
    assert "Zurück: 20 €." in said(press(client, event, "fee-pay", petra.pk, **own, means="cash"))
    assert paid_cents(petra) == 3000
    assert "Onkel Otto" in page_of(client, event, "receipt", Receipt.objects.get().pk)
    again = press(client, event, "fee-pay", petra.pk, **own, means="card")
    assert_refused(again, "Inzwischen hat jemand gebucht.")


def test_without_a_script_the_sheet_is_a_page_and_who_withdraws_is_told_of_the_money(
    client, event, petra
):
    assert "<h1>Petra Probst zahlt</h1>" in page_of(client, event, "fee-pay", petra.pk)
    answer = client.post(url_of(event, "fee-pay", petra.pk), {"amount": "30"}, follow=True)
    assert paid_cents(petra) == 3000
    assert "Petra Probst: 30 € kassiert." in said(answer)
    told = said(press(client, event, "desk-withdraw", petra.pk))
    assert "Abgemeldet: Petra Probst. Zurückzugeben sind 30 €." in told


def test_a_refund_is_asked_for_and_says_what_happens(client, event, petra):
    press(client, event, "fee-pay", petra.pk)
    f.check_in(event, petra)
    page = sheet_of(client, event, "fee-refund", petra.pk)
    assert "bleibt im Turnier, mit Platz und Chips." in page
    refused(client, event, "fee-refund", petra.pk)
    assert press(client, event, "fee-refund", petra.pk, after_the_draw="1").status_code == 200
    assert paid_cents(petra) == 0


# Receipts and the report


def test_a_receipt_is_shown_printed_mailed_and_on_the_players_page(client, event):
    petra = f.register(event, email="petra@example.org")
    press(client, event, "fee-pay", petra.pk)
    receipt = Receipt.objects.get()
    name = f"{timezone.localtime().year}-0001"
    assert f"Beleg {name}" in said(client.get(reverse("player", args=[petra.link_token])))
    on_phone = reverse("player-receipt", args=[petra.link_token, receipt.pk])
    for address in (on_phone, url_of(event, "receipt", receipt.pk)):
        page = said(client.get(address))
        shows(page, f"Beleg {name}", "Kein Beleg im Sinne der Registrierkassenpflicht.")
        assert "receipt-roll.css" not in page
        assert "receipt-roll.css" in said(client.get(address, {"papier": "bon"}))
    assert press(client, event, "receipt-mail", receipt.pk).status_code == 200
    row = Mail.objects.get(kind="receipt")
    text = mail_text_of(row, now=timezone.now(), base="http://krru.test")
    assert name in text.body
    assert "Kein Beleg im Sinne der Registrierkassenpflicht." in text.body
    assert mail.outbox == []


def test_a_receipt_is_shown_to_nobody_else_and_says_that_it_was_taken_back(client, event, petra):
    paul = f.register(event, "Paul Prohaska")
    press(client, event, "fee-pay", petra.pk)
    receipt = Receipt.objects.get()
    address = reverse("player-receipt", args=[paul.link_token, receipt.pk])
    assert client.get(address).status_code == 404
    assert press(client, event, "receipt-mail", receipt.pk).status_code == 422
    f.undo(event)
    first, second = Receipt.objects.order_by("number")
    page = page_of(client, event, "receipt", first.pk)
    assert f"Zurückgenommen mit Beleg {first.year}-0002." in page
    page = page_of(client, event, "receipt", second.pk)
    shows(page, f"Gegenbeleg {first.year}-0002", f"Nimmt Beleg {first.year}-0001 zurück.")


def test_the_report_adds_up_by_means_by_drawer_and_by_account(client, event, petra):
    means(card="Bankomat")
    paul, _rosa = (f.register(event, name) for name in ("Paul P", "Rosa R"))
    drawer = opened(client, event)
    press(client, event, "fee-pay", petra.pk)
    press(client, event, "fee-pay", paul.pk, amount="10", means="card")
    press(client, event, "drawer-move", drawer.pk, way="out", amount="5", reason="Pizza")
    press(client, event, "drawer-close", drawer.pk, counted="74")
    found = evening_report(f.fresh(event))
    assert dict(found.by_means) == {"bar": 7400, "Bankomat": 1000}
    assert dict(found.accounts) == {
        "Preisgeld": 4000, "Wechselgeld": 5000, "Einlage oder Entnahme": -500, "Differenz": -100,
    }  # fmt: skip
    assert found.sum_cents == sum(cents for _name, cents in found.accounts) == 8400
    assert [(row.person.name, cents) for row, cents in found.owing] == [
        ("Paul P", 2000), ("Rosa R", 3000),
    ]  # fmt: skip
    assert (found.open_cents, found.to_pay_out, found.receipts) == (5000, 4000, 2)
    assert not found.is_settled
    page = page_of(client, event, "evening-report")
    shows(page, "Noch auszuzahlen", "Bankomat", "Rosa R", "2 Belege", "keine Registrierkasse")


def test_a_club_says_what_it_takes_beside_cash(client):
    f.house()
    f.sign_browser_in(client, Role.DIRECTOR)
    address = reverse("club-means")
    answer = client.post(address, {"card": "Bankomat", "transfer": "", "voucher": " bankomat "})
    assert_refused(answer, "Zwei Zahlungsarten heißen gleich.")
    assert Club.objects.get().payment_means == {}
    client.post(address, {"card": "Bankomat", "transfer": "Erlagschein", "voucher": ""})
    assert Club.objects.get().payment_means == {"card": "Bankomat", "transfer": "Erlagschein"}
    assert "Bankomat" in said(client.get(address))


# The price changes after people have paid


@pytest.fixture
def priced(client):
    """An evening on which two of three have paid, and a director in the browser."""
    event = f.make_event(fee_cents=1000, fee_parts=[["house", 200, ""]])
    f.sign_browser_in(client, Role.DIRECTOR, None)
    for name in ("Petra Probst", "Paul Pünktlich", "Zenzi Zahlt-Nie"):
        row = f.register(event, name)
        if name[0] == "P":
            press(client, event, "fee-pay", row.pk)
    return event


@pytest.fixture
def save(client, priced):
    """Return how a director sends the settings with some of them changed."""
    return partial(save_card, client, priced, "fee_cents")


def row(event, name):
    return event.registrations.get(person__name=name)


def test_a_director_reads_what_a_higher_fee_means_before_it_is_saved(client, priced, save):
    version = f.fresh(priced).version
    asked = save(fee_cents="15")
    text = said(asked)
    assert "2 zahlen noch etwas, zusammen 10 €." in text
    assert "Einer hat noch nicht bezahlt: Für ihn gilt der neue Preis." in text
    shows(text, "Preistopf: 20 € statt 16 €", but=("bekommen etwas zurück",))
    assert (f.fresh(priced).version, f.fresh(priced).fee_cents) == (version, 1000)
    assert save(fee_cents="15", seen=asked.context["asked"].seen).status_code == 302
    assert f.fresh(priced).fee_cents == 1500
    assert "5 € kassieren" in page_of(client, priced, "desk")


def test_what_was_read_before_somebody_else_paid_is_read_anew(client, priced, save):
    seen = save(fee_cents="6").context["asked"].seen
    press(client, priced, "fee-pay", row(priced, "Zenzi Zahlt-Nie").pk)
    assert "3 bekommen etwas zurück, zusammen 12 €." in said(save(fee_cents="6", seen=seen))
    assert f.fresh(priced).fee_cents == 1000


def test_nothing_is_asked_without_a_price_or_while_nobody_has_paid(priced, save):
    wrong = save(fee_cents="1")
    assert "Die Teile sind zusammen mehr, als es kostet." in said(wrong)
    assert wrong.context["asked"] is None
    assert save(rebuy_most="2").status_code == 302
    for action in priced.actions.filter(kind="fee.paid"):
        f.undo(priced, action)
    assert save(fee_cents="15").status_code == 302


def test_the_desk_sees_who_gets_how_much_back_and_gives_it(client, priced, save):
    asked = save(fee_cents="6")
    assert "2 bekommen etwas zurück, zusammen 8 €." in said(asked)
    save(fee_cents="6", seen=asked.context["asked"].seen)
    petra = row(priced, "Petra Probst")
    own = said(client.get(reverse("player", args=[petra.link_token])))
    assert "Startgeld bezahlt · du bekommst 4 € zurück" in own
    f.check_in(f.fresh(priced), petra)
    f.sign_browser_in(client, Role.DESK, priced)
    shows(page_of(client, priced, "desk"), "bekommt 4 € zurück", "zu viel bezahlt")
    assert "Geld zurück: 8 €" in page_of(client, priced, "fees-open")
    sheet = sheet_of(client, priced, "fee-refund", petra.pk)
    shows(sheet, 'value="4"', "Zu viel bezahlt sind 4 €.", but=("Schon eingecheckt",))
    person = sheet_of(client, priced, "desk-correct", petra.pk)
    assert "Zu viel bezahlt: 4 € gehen zurück." in person
    press(client, priced, "fee-refund", petra.pk, amount="4")
    assert paid_cents(petra) == 600
    assert "Geld zurück: 4 €" in page_of(client, priced, "fees-open")
    report = page_of(client, priced, "evening-report")
    shows(report, "Wer Geld zurückbekommt", "Paul Pünktlich", but=("Petra Probst",))
