"""The pages of prizes: planned with a preview, fixed, paid out, and what stays open."""

import re

import pytest
from django.utils.html import strip_tags

from tests import factories as f
from tests.domain.cases import case
from tests.pressing import HTMX, done, press, refused, shows, url_of
from tests.services.test_paying import desk, paid_out, payday
from tests.services.test_prizes import pay, planned, played
from tests.views.pages import assert_refused, bare, errors_of, page_of, soon, text_of
from tournaments.changes.access import Role
from tournaments.dashboard.selectors.due_money import payout_items
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Drawer
from tournaments.money.services.drawers import drawer_hand
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way
from tournaments.prizes.selectors.plans import paid_places
from tournaments.rebuys.services.purchases import addon_buy, rebuy_buy

pytestmark = pytest.mark.django_db

TYPED = {"way": "curve", "shape": "usual", "places": "15 %", "unit_cents": "500", "entries": "37",
         "rebuys": "12"}  # fmt: skip

OTHER = PrizePlan(way=Way.SHARES, shares=(7000, 3000))


def amounts(page):
    """Return the prizes in the order of the table, each as its row tells it."""
    table = bare(text_of(page)).split("<tbody>")[1].split("</tbody>")[0]
    return [re.sub(r"<[^>]+>", " ", row).split() for row in table.split("</tr>")[:-1]]


def test_a_plan_is_looked_at_and_then_kept(dora):
    event = soon(fee_cents=1000, rebuy_level=4, rebuy_cents=1000)
    url = url_of(event, "prizes")
    asked = dora.get(url)
    shows(text_of(asked), 'value="12,5 %"', 'name="rebuys"')
    assert 'name="rebuys"' not in page_of(dora, soon(fee_cents=1000), "prizes")
    assert amounts(asked), "the usual plan is previewed before anything is typed"
    page = dora.post(url, TYPED | {"preview": "1"}, headers=HTMX)
    told = text_of(page)
    shows(told, "Mit 37 Einstiegen und 12 Re-buys", "490 €")
    # A quarter for all six alike, the rest by 1/place^1.125: worked out with a pocket calculator.
    expected = [185, 95, 70, 55, 45, 40]
    assert amounts(page) == [[str(at), str(euro), "€"] for at, euro in enumerate(expected, 1)]
    assert "<path" in told
    assert f.fresh(event).prizes == {}, "a preview changes nothing"
    assert dora.post(url, TYPED).status_code == 302
    plan = f.fresh(event).prize_plan
    assert plan == PrizePlan(way=Way.CURVE, places_percent=15, unit_cents=500)
    form = dora.get(url).context["form"]
    assert form["places"].value() == "15 %"
    dora.post(url, {**TYPED, "places": "12,5 %", "places_rounding": "nearest"})
    plan = f.fresh(event).prize_plan
    assert (plan.places_share, plan.places_rounding) == (1250, "nearest")
    assert dora.get(url).context["form"]["places"].value() == "12,5 %"


WRONG = [
    ({"way": "shares", "shares": "60 50"}, "shares", "mehr als 100 %"),
    ({"way": "shares", "shares": "60 30"}, "shares", "weniger als 100 %"),
    ({"way": "shares", "shares": "fünfzig"}, "shares", "Anteile in Prozent"),
    ({"way": "shares"}, "shares", "fehlen die Anteile"),
    ({"way": "amounts", "amounts": "50 -30"}, "amounts", "einen je Platz"),
    ({"way": "amounts"}, "amounts", "fehlen die Beträge"),
    ({"way": "seats"}, "seat_cents", "ein Platz wert"),
    ({"way": "curve", "places": "-5"}, "places", "eine Zahl oder Prozent"),
    ({"way": "curve", "places": "101 %"}, "places", "höchstens 100 %"),
    ({"way": "curve", "places": "99999"}, "places", "Höchstens 50000"),
    ({"way": "curve", "added_cents": "-20"}, "added_cents", "Bitte ein Betrag"),
    ({"way": "curve", "held_back": "viel"}, "held_back", "ein Betrag oder Prozent"),
    ({"way": "curve", "minimum_tenths": "anderthalb"}, "minimum_tenths", "1,5"),
    ({"way": "curve", "in_kind": "P" * 121}, "in_kind", "höchstens 120 Zeichen"),
]


def test_what_is_typed_wrongly_is_told_beside_its_field(dora):
    event = soon(fee_cents=1000)
    for sent, field, words in WRONG:
        page = dora.post(url_of(event, "prizes"), {"shape": "usual", "unit_cents": "100"} | sent)
        assert words in errors_of(page, field), sent
    assert f.fresh(event).prizes == {}


def test_everything_that_can_be_planned_comes_back_into_the_form(dora):
    event = soon(fee_cents=1000)
    url = url_of(event, "prizes")
    sent = {"way": "curve", "shape": "flat", "places": "4", "unit_cents": "100",
            "guarantee_cents": "1500000"}  # fmt: skip
    assert dora.post(url, sent).status_code == 302
    assert f.fresh(event).prize_plan.guarantee_cents == 150_000_000
    assert (paid_places(f.fresh(event)), f.fresh(event).paid_places) == (4, 4)
    assert f.fresh(event).prize_plan.shape is Shape.FLAT
    sent = {"way": "seats", "seat_cents": "250", "seat_name": "Finale", "unit_cents": "100",
            "minimum_tenths": "1,5", "added_cents": "20", "guarantee_cents": "1000",
            "held_back": "10 %", "desk_cents": "300", "refunds_bubble": "on",
            "in_kind": "Pokal\n\n Buch "}  # fmt: skip
    assert dora.post(url, sent).status_code == 302
    assert f.fresh(event).prize_plan == PrizePlan(
        way=Way.SEATS, seat_cents=25000, seat_name="Finale", minimum_tenths=15, added_cents=2000,
        guarantee_cents=100_000, held_back_percent=10, desk_cents=30000, refunds_bubble=True,
        in_kind=("Pokal", "Buch"),
    )  # fmt: skip
    form = dora.get(url).context["form"]
    again = {name: form[name].value() or "" for name in sent} | {"refunds_bubble": "on"}
    assert dora.post(url, again).status_code == 422, "nothing has changed"


def sold_out(case):
    """Return the event of a case, with everything that it says sold and paid."""
    event = planned(case["entries"], OTHER, fee_cents=case["fee_cents"], **case["settings"])
    for service, number in ((rebuy_buy, case["rebuys"]), (addon_buy, case["addons"])):
        for entry in f.entries_of(event)[:number]:
            if service is rebuy_buy:
                f.drive(entries_eliminate, event, 2, entries=[entry])
            f.drive(service, event, 3, entry=entry)
            f.drive(fee_pay, event, 3, registration=entry.registration)
    return f.fresh(event)


@pytest.mark.parametrize("case", case("prize_preview"), ids=lambda case: case["id"])
def test_a_preview_begins_with_what_was_sold_and_is_what_keeping_gives(dora, case):
    event = sold_out(case)
    url = url_of(event, "prizes")
    form = dora.get(url).context["form"]
    begun = {name: str(form[name].value()) for name in ("entries", "rebuys", "addons")}
    assert begun == {name: str(case[name]) for name in begun}
    sent = {"shape": "usual", "unit_cents": "100", **case["typed"], **begun}
    preview = dora.post(url, sent | {"preview": "1"}).context["preview"]
    assert (preview.pool.cents, preview.obstacle) == (case["pool_cents"], "")
    assert [row.cents for row in preview.rows] == case["prizes"]
    more = dora.post(url, sent | {"preview": "1", "entries": str(case["entries"] + 2)})
    if case["typed"]["way"] == "shares":
        assert more.context["preview"].pool.cents == case["pool_cents"] + 2 * case["fee_cents"]
    assert dora.post(url, sent).status_code == 302
    kept = dora.get(url).context["preview"]
    assert (kept.pool, kept.rows) == (preview.pool, preview.rows)


def test_a_pool_without_a_plan_is_due_once_nothing_more_comes_in(dora):
    event = f.make_running_event(6, fee_cents=2000)
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 1, registration=entry.registration)

    def due():
        return [item.title for item in payout_items(f.fresh(event), f.after(2))]

    assert due() == ["Für 120\xa0€ im Topf sind keine Preise geplant"]
    f.sign_browser_in(dora, Role.DIRECTOR, event)
    assert amounts(dora.get(url_of(event, "prizes"))) == [["1", "120", "€"]]
    f.drive(prizes_plan, event, 2, plan=OTHER, typed_places=0)
    assert due() == ["Die Preise sind noch nicht festgeschrieben"]


def test_what_nobody_paid_is_in_no_preview_and_told_there(dora):
    event = planned(4, OTHER, paid=False)
    f.drive(fee_pay, event, 3, registration=f.entries_of(event)[0].registration)
    url = url_of(event, "prizes")
    sent = {"way": "shares", "shares": "100", "unit_cents": "100", "entries": "4"}
    told = dora.post(url, sent | {"preview": "1"})
    preview = told.context["preview"]
    assert "Zu zahlen sind noch 30 €." in text_of(told)
    assert dora.post(url, sent).status_code == 302
    assert dora.get(url).context["preview"].pool == preview.pool
    assert preview.pool.cents == 1000


def test_a_preview_refuses_what_keeping_refuses(dora):
    url = url_of(planned(4), "prizes")
    for typed, words in (
        ({"way": "shares", "shares": "30 50 20"}, "höher als der davor"),
        ({"way": "curve", "places": "99"}, "höchstens so viele"),
        ({"way": "seats"}, "ein Platz wert"),
    ):
        sent = {"shape": "usual", "unit_cents": "100", **typed}
        look = sent | {"preview": "1"}
        answer = dora.post(url, look)
        assert answer.context["preview"] is None
        for refusal in (answer, dora.post(url, look, headers=HTMX), dora.post(url, sent)):
            assert words in text_of(refusal), typed


def test_prizes_are_fixed_and_paid_out_with_a_tap_and_a_debt_is_the_directors(dora):
    event, by_place = played(planned(10))
    assert "Preise festschreiben" in page_of(dora, event, "prizes")
    assert press(dora, event, "prizes-freeze").status_code == 200
    assert "Die Preise sind festgeschrieben" in page_of(dora, event, "prizes")
    paying = url_of(event, "payouts")
    assert "Noch auszuzahlen: 100 €. Ausgezahlt: 0 €." in text_of(dora.get(paying))
    row = by_place[1].registration
    assert press(dora, event, "payout-pay", row.pk, amount_cents="2900").status_code == 422
    assert press(dora, event, "payout-pay", row.pk, amount_cents="3000").status_code == 200
    assert "Noch auszuzahlen: 70 €. Ausgezahlt: 30 €." in text_of(dora.get(paying))
    shows(page_of(dora, event, "payouts-sheet"), row.person.name, "Unterschrift")
    assert "Zu viel ausgezahlt" not in page_of(dora, event, "evening-report")
    f.undo(event, event.actions.filter(kind="entry.eliminated").order_by("-sequence").first())
    shows(text_of(dora.get(paying)), "30 € zu viel ausgezahlt", "wieder im Spiel")
    assert "Zu viel ausgezahlt" in page_of(dora, event, "evening-report")
    assert press(dora, event, "payout-settle", row.pk, kept="1").status_code == 200
    assert not any(one.owed_back for one in payouts(f.fresh(event)))


def test_prizes_in_kind_alone_say_no_word_of_money(dora):
    event = f.make_running_event(4)
    f.drive(prizes_plan, event, 1, plan=PrizePlan(in_kind=("Pokal", "Buch")))
    event, by_place = played(f.fresh(event))
    assert paid_places(event) == 2
    f.drive(prizes_freeze, event, 30)
    event = f.fresh(event)
    rows = [(row.registration, row.in_kind) for row in payouts(event)]
    winners = zip(by_place, ("Pokal", "Buch"), strict=False)
    assert rows == [(entry.registration_id, what) for entry, what in winners]
    assert not event_has_money(event)
    f.refuses("nothing_to_pay", pay, event, by_place[0], 0)
    for name in ("payouts", "payouts-sheet", "results", "tournament", "director"):
        page = page_of(dora, event, name)
        assert "€" not in page, name
        assert "ausgezahlt" not in page.lower().replace("nicht ausgezahlt", ""), name
    assert by_place[0].registration.person.name in page_of(dora, event, "payouts")


SIZES = {"way": "shares", "shares": "40 30 20 10", "sizes": "bis 3: 100\n8: 60 40\n15: 50 30 20",
         "unit_cents": "100"}  # fmt: skip


def test_small_fields_have_shares_of_their_own_as_the_field_grows(dora):
    event = soon(fee_cents=1000)
    url = url_of(event, "prizes")
    assert dora.post(url, SIZES).status_code == 302
    plan = f.fresh(event).prize_plan
    assert plan.sizes == ((3, (10000,)), (8, (6000, 4000)), (15, (5000, 3000, 2000)))
    assert "8: 60 40" in text_of(dora.get(url))
    for entries, prizes in ((3, 1), (4, 2), (9, 3), (16, 4)):
        page = dora.post(url, SIZES | {"preview": "1", "entries": str(entries)}, headers=HTMX)
        assert len(amounts(page)) == prizes, entries
    field = f.make_running_event(4)
    f.drive(prizes_plan, field, 1, plan=plan)
    assert paid_places(f.fresh(field)) == 2


def test_sizes_that_cannot_be_are_refused_and_nothing_is_planned(dora):
    event = soon(fee_cents=1000)
    for sizes, words in (
        ("8 60 40", "Bitte je Zeile Größe und Anteile"),
        ("8: 60 viel", "Bitte Anteile in Prozent"),
        ("8: 60 40\n5: 100", "müssen von Zeile zu Zeile steigen"),
        ("8: 60 30", "weniger als 100 %"),
        ("8: 60 50", "mehr als 100 %"),
        ("8: 40 60", "höher als der davor"),
    ):
        assert_refused(dora.post(url_of(event, "prizes"), SIZES | {"sizes": sizes}), words)
    assert f.fresh(event).prizes == {}


# --- The page that pays out, and what stays open when a tournament ends


__all__ = ["desk", "paid_out", "payday"]


@pytest.fixture
def cashier(client, paid_out):
    event, *_people = paid_out
    actor = f.sign_browser_in(client, Role.DIRECTOR, event)
    own = {"drawer": Drawer.objects.get(), "device": actor.device}
    f.drive(drawer_hand, event, 9, by=actor, **own)
    return client


def text(response):
    return " ".join(strip_tags(response.content.decode()).split()).replace("\xa0", " ")


def test_one_button_pays_a_person_and_the_head_is_never_stale(cashier, paid_out):
    event, first, _second, _third = paid_out
    page = cashier.get(url_of(event, "payouts"))
    shows(text(page), "Noch auszuzahlen: 63 €. Ausgezahlt: 0 €.",
          "36 € auszahlen", "27 € auszahlen",
          "5 € verrechnen", "bleibt schuldig 15 €")  # fmt: skip
    swapped = page.content.decode().partition('id="payouts"')[2]
    assert "Noch auszuzahlen" in swapped
    refused(cashier, event, "payout-pay", first.pk, amount_cents="5600", sentence="inzwischen")
    done(cashier, event, "payout-pay", first.pk, amount_cents="3600")
    shows(text(cashier.get(url_of(event, "payouts"))), "Noch auszuzahlen: 27 €. Ausgezahlt: 36 €.",
          "36 € ausgezahlt")  # fmt: skip
    assert "36 €" in text(cashier.get(url_of(event, "payouts-sheet")))
    assert "Auszuzahlen" not in text(cashier.get(url_of(event, "bounties")))


def test_the_end_names_heads_and_debts_and_both_stay_due(cashier, paid_out):
    event, first, _second, third = paid_out
    lost = list(event.eliminations.order_by("pk")[:1])
    f.drive(knockout_set, event, 9, eliminations=lost, takers=[])
    ends = text(cashier.get(url_of(event, "event-end")))
    shows(ends, "Ein Bounty hat noch keinen Gewinner. Es geht um 5 €.",
          "Zu zahlen sind noch 40 €", f"{first.person.name} 20 €",
          f"{third.person.name} 20 €", "Turnier beenden")  # fmt: skip
    f.drive(event_end, event, 10)
    page = text(cashier.get(url_of(event, "director")))
    shows(page, "Gegen wen ist", "Zu zahlen sind noch 40 €", "Wer noch zahlt", "bekommen noch Geld")
    assert "Auszahlen" in page_of(cashier, event, "drawer")
