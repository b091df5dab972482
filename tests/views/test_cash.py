"""The pages of money: drawers, the sheet for paying, receipts, the report, what a club takes."""

import re

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.models import Club, Drawer, Receipt
from tournaments.money.selectors.drawers import drawer_balance, drawer_of_device
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.drawers import club_means_set, drawer_open
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.evening_report import evening_report

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
NBSP = "\N{NO-BREAK SPACE}"


@pytest.fixture
def event():
    return f.make_event(fee_cents=3000)


@pytest.fixture
def desk(client, event):
    return f.sign_browser_in(client, Role.DESK, event)


def url(name, event, *args):
    return reverse(name, args=[event.slug, *args])


def post(client, name, event, *args, **fields):
    return client.post(url(name, event, *args), fields, headers=HTMX)


def opened(client, event, cents="50"):
    answer = post(client, "drawer-open", event, float_cents=cents)
    assert answer.status_code == 204, answer.content.decode()
    return Drawer.objects.latest("pk")


def means(**names):
    club = f.house()
    call_service(club_means_set, club=club, by=SYSTEM, at=f.ARRIVAL, names=names)


def test_the_log_says_once_what_was_taken_out_for_with_the_sign_first(client, event, desk):
    drawer = opened(client, event)
    post(client, "drawer-move", event, drawer.pk, way="out", amount="12,50", reason="Pizza")
    for language, said in (
        ("de", f"Kassa 1: −12,50{NBSP}€, Pizza"),
        ("en", "Drawer 1: −€12.50, Pizza"),
    ):
        asked = {"Accept-Language": language}
        page = client.get(url("director-log-all", event), headers=asked).content.decode()
        assert said in page
        assert "(Pizza)" not in page


def test_a_drawer_is_opened_moved_handed_over_and_closed_on_its_page(client, event, desk):
    f.sign_in("Bar", Role.DESK, event)
    drawer = opened(client, event)
    page = client.get(url("drawer", event)).content.decode()
    assert "Dieses Gerät hat Kassa 1." in page
    assert f"50{NBSP}€" in page
    post(client, "drawer-move", event, drawer.pk, way="out", amount="12,50", reason="Pizza")
    assert drawer_balance(drawer) == 3750
    other = f.sign_in("Küche", Role.DESK, event).actor
    post(client, "drawer-hand", event, drawer.pk, device=other.device.pk)
    assert drawer_of_device(event, other.device) == drawer
    f.sign_browser_in(client, Role.DIRECTOR, event)
    answer = post(client, "drawer-close", event, drawer.pk, counted="37", expected="3750")
    assert answer.status_code == 204
    page = client.get(url("drawer", event)).content.decode()
    assert "abgeschlossen" in page
    assert f"−0,50{NBSP}€" in page


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("drawer-open", {"float_cents": "viel"}, "Bitte einen Betrag wie 12,50 eingeben."),
        ("drawer-open", {"float_cents": "99999999"}, "Dieser Betrag kann nicht stimmen."),
        ("drawer-move", {"way": "out", "amount": "5"}, "Bitte dazusagen, wofür."),
        ("drawer-move", {"way": "out", "amount": "-5", "reason": "x"}, "Bitte einen Betrag"),
        ("drawer-move", {"way": "out", "amount": "51", "reason": "x"}, "sind nur 50"),
        ("drawer-move", {"way": "in", "amount": "", "reason": "x"}, "kann nicht stimmen."),
        ("drawer-close", {"counted": ""}, "Bitte eingeben, wie viel gezählt wurde."),
        ("drawer-close", {"counted": "50", "expected": "1"}, "Bitte noch einmal zählen."),
        ("drawer-hand", {"device": "0"}, ""),
    ],
)
def test_bad_input_at_a_drawer_is_refused_with_a_sentence(client, event, name, fields, sentence):
    f.sign_browser_in(client, Role.DESK, event)
    drawer = opened(client, event)
    before = f.fresh(event).version
    args = [] if name == "drawer-open" else [drawer.pk]
    answer = post(client, name, event, *args, **fields)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert f.fresh(event).version == before


def test_a_drawer_of_another_evening_is_not_found_here(client, event, desk):
    drawer = opened(client, event)
    saturday = f.make_event(name="Samstag", fee_cents=500)
    f.sign_browser_in(client, Role.DIRECTOR, saturday)
    assert post(client, "drawer-close", saturday, drawer.pk, counted="1").status_code == 404


def test_the_sheet_says_what_is_open_and_the_change_for_usual_notes(client, event, desk):
    petra = f.register(event)
    page = client.get(url("fee-pay", event, petra.pk), headers=HTMX).content.decode()
    assert "Preisgeld" in page
    assert f"gibt 50{NBSP}€ → zurück 20{NBSP}€" in re.sub(r"[ \n]+", " ", page)
    answer = client.get(url("pay-change", event), {"amount": "30", "given": "50"})
    assert f"zurück 20{NBSP}€" in answer.content.decode()
    answer = client.get(url("pay-change", event), {"amount": "30", "given": "20"})
    assert f"um 10{NBSP}€ zu wenig" in answer.content.decode()


def test_paying_by_the_sheet_says_the_change_and_keeps_who_paid(client, event, desk):
    means(card="Bankomat")
    petra = f.register(event)
    own = {"amount": "30", "given": "50", "payer": "Onkel Otto", "open_seen": "3000"}
    answer = post(client, "fee-pay", event, petra.pk, **own, means="cash")
    assert f"Zurück: 20{NBSP}€." in answer.content.decode()
    assert paid_cents(petra) == 3000
    receipt = Receipt.objects.get()
    page = client.get(url("receipt", event, receipt.pk)).content.decode()
    assert "Onkel Otto" in page
    again = post(client, "fee-pay", event, petra.pk, **own, means="card")
    assert again.status_code == 422
    assert "Inzwischen hat jemand gebucht." in again.content.decode()


def test_paying_less_than_was_handed_over_is_corrected_in_the_sheet(client, event, desk):
    petra = f.register(event)
    answer = post(client, "fee-pay", event, petra.pk, amount="30", given="20")
    assert answer.status_code == 422
    assert "zu wenig" in answer.content.decode()
    assert paid_cents(petra) == 0


def test_without_a_script_the_sheet_is_a_page(client, event, desk):
    petra = f.register(event)
    page = client.get(url("fee-pay", event, petra.pk)).content.decode()
    assert "<h1>Petra Probst zahlt</h1>" in page
    answer = client.post(url("fee-pay", event, petra.pk), {"amount": "30"}, follow=True)
    assert paid_cents(petra) == 3000
    assert f"Petra Probst: 30{NBSP}€ kassiert." in answer.content.decode()


def test_a_refund_is_asked_for_and_says_what_happens(client, event, desk):
    petra = f.register(event)
    post(client, "fee-pay", event, petra.pk)
    f.check_in(event, petra)
    page = client.get(url("fee-refund", event, petra.pk), headers=HTMX).content.decode()
    assert "bleibt im Turnier, mit Platz und Chips." in page
    assert post(client, "fee-refund", event, petra.pk).status_code == 422
    assert paid_cents(petra) == 3000
    answer = post(client, "fee-refund", event, petra.pk, after_the_draw="1")
    assert answer.status_code == 200
    assert paid_cents(petra) == 0


def test_an_arbiter_with_a_drawer_finds_who_still_pays(client, event):
    petra = f.register(event)
    arno = f.sign_browser_in(client, Role.ARBITER, event)
    refused = post(client, "fee-pay", event, petra.pk)
    assert refused.status_code == 422
    dora = f.make_dora(event)
    f.drive(drawer_open, event, -30, by=dora, float_cents=0, device=arno.device)
    page = client.get(url("fees-open", event)).content.decode()
    assert "Petra Probst" in page
    assert "Eine Person" in page
    assert post(client, "fee-pay", event, petra.pk).status_code == 200
    assert "Nichts ist offen." in client.get(url("fees-open", event)).content.decode()
    assert client.get(url("evening-report", event)).status_code == 403


def test_an_arbiter_sees_the_drawer_he_was_given_and_no_other(client, event):
    f.drive(drawer_open, event, -60, by=f.make_desk(event), float_cents=8800)
    arno = f.sign_browser_in(client, Role.ARBITER, event)
    page = client.get(url("drawer", event)).content.decode()
    assert "erst, wenn ihm die Turnierleitung eine Kassa gibt" in page
    assert "Kassa 1" not in page
    f.drive(drawer_open, event, -30, by=f.make_dora(event), float_cents=700, device=arno.device)
    page = client.get(url("drawer", event)).content.decode()
    assert "Dieses Gerät hat Kassa 2." in page
    assert f"88{NBSP}€" not in page


def test_the_report_adds_up_by_means_by_drawer_and_by_account(client, event, desk):
    means(card="Bankomat")
    petra, paul, rosa = (f.register(event, name) for name in ("Petra Probst", "Paul P", "Rosa R"))
    drawer = opened(client, event)
    post(client, "fee-pay", event, petra.pk)
    post(client, "fee-pay", event, paul.pk, amount="10", means="card")
    post(client, "drawer-move", event, drawer.pk, way="out", amount="5", reason="Pizza")
    post(client, "drawer-close", event, drawer.pk, counted="74")
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
    page = client.get(url("evening-report", event)).content.decode()
    for words in ("Noch auszubezahlen", "Bankomat", "Rosa R", "2 Belege", "keine Registrierkassa"):
        assert words in page
    assert rosa.pk


def test_the_drawer_asks_for_what_was_taken_before_and_one_press_takes_it_over(client, event, desk):
    for name in ("Petra Probst", "Paul P"):
        post(client, "fee-pay", event, f.register(event, name).pk)
    page = client.get(url("drawer", event)).text
    assert "gehören nicht zum Wechselgeld" in page
    drawer = opened(client, event, cents="100")
    page = client.get(url("drawer", event)).text
    assert "Sind die 60\N{NO-BREAK SPACE}€ darin?" in page
    answer = post(client, "drawer-fill", event, drawer.pk, amount_cents="3000")
    assert "sind es 60\N{NO-BREAK SPACE}€" in answer.content.decode()
    assert post(client, "drawer-fill", event, drawer.pk, amount_cents="6000").status_code == 204
    page = client.get(url("drawer", event)).text
    assert "darin?" not in page
    assert "Ohne Kassa" not in page
    post(client, "drawer-close", event, drawer.pk, counted="160")
    found = evening_report(f.fresh(event))
    assert dict(found.by_means) == {"bar": 16_000}
    assert dict(found.accounts) == {"Preisgeld": 6000, "Wechselgeld": 10_000}


def test_files_for_the_bookkeeper_hold_every_booking_and_receipt(client, event, desk):
    petra = f.register(event)
    opened(client, event)
    post(client, "fee-pay", event, petra.pk)
    f.undo(event)
    for table, words in (("fees", ("Kassa;", "Wechselgeld")), ("receipts", ("Nimmt zurück",))):
        answer = client.get(url(f"export-{table}-csv", event))
        text = b"".join(answer.streaming_content).decode("utf-8-sig")
        assert all(word in text for word in words) or "," in text
        assert client.get(url(f"export-{table}-xlsx", event)).status_code == 200
    assert text.count("Petra Probst") == 2


def test_a_club_says_what_it_takes_beside_cash(client):
    f.house()
    f.sign_browser_in(client, Role.DIRECTOR)
    address = reverse("club-means")
    answer = client.post(address, {"card": "Bankomat", "transfer": "", "voucher": " bankomat "})
    assert answer.status_code == 422
    assert "Zwei Zahlungsarten heißen gleich." in answer.content.decode()
    assert Club.objects.get().payment_means == {}
    client.post(address, {"card": "Bankomat", "transfer": "Erlagschein", "voucher": ""})
    assert Club.objects.get().payment_means == {"card": "Bankomat", "transfer": "Erlagschein"}
    assert "Bankomat" in client.get(address).content.decode()


def test_the_limit_for_paying_out_is_set_with_the_money_of_the_tournament(client, event):
    f.sign_browser_in(client, Role.DIRECTOR, event)
    page = client.get(reverse("event-settings", args=[event.slug])).content.decode()
    assert "Auszahlen ohne Leitung höchstens, in Euro" in page


def test_a_payment_is_taken_once_though_it_is_sent_twice(client, event, desk):
    petra = f.register(event)
    key = {"X-Idempotency-Key": "6f9619ff-8b86-4011-b42d-00c04fc964ff"}
    for _turn in range(2):
        answer = client.post(url("fee-pay", event, petra.pk), headers=HTMX | key)
        assert answer.status_code == 200
    assert paid_cents(petra) == 3000
    assert Receipt.objects.count() == 1
    assert fee_pay.kind.name == f.last_action(event).kind
