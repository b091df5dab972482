"""The pages of the cash game: what stands there, what is done, what is refused with a sentence."""

import re

import pytest

from tests import factories as f
from tests.pressing import HTMX, press, shows, url_of
from tests.services.cashgames import on, open_table, say, sit
from tests.views.pages import assert_refused, bare, page_of, text_of
from tournaments.cashgame.domain.ledger import fewest_known
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import (
    cash_debt_pay,
    cash_end_set,
    cash_hand_begin,
    cash_hand_end,
    cash_tip,
)
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_table_close, cash_table_count
from tournaments.changes.access import Role
from tournaments.models import (
    CashEnd,
    CashHand,
    CashLastHands,
    CashLink,
    CashOffer,
    CashSeat,
    CashTable,
    CashWaiting,
    Registration,
)

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


OPENED = {
    "game": "holdem", "limit": "no_limit", "seats": "6", "small_blind": "0,50",
    "big_blind": "1", "minimum": "20", "maximum_way": "big_blinds", "maximum": "100",
    "fee_way": "time", "fee": "3", "fee_minutes": "30",
}  # fmt: skip


def test_a_table_is_opened_and_stands_on_the_page(lead, event):
    assert "Noch ist kein Cash-Tisch offen." in page_of(lead, event, "cash-game")
    assert press(lead, event, "cash-open", **OPENED).status_code == 204
    table = CashTable.objects.get()
    assert (table.small_blind_cents, table.minimum, table.fee_cents) == (50, 20, 300)
    shown = page_of(lead, event, "cash-game")
    shows(shown, "0,50 € / 1 €", "20 € bis 100 €")
    below = page_of(lead, event, "cash-table", table.number)
    for page, mark in ((shown, "page"), (below, "true")):
        marked = re.search(r"<nav class=.site-nav.*?</nav>", page, re.DOTALL)[0]
        assert re.findall(r'aria-current="(\w+)">([^<]*)<', marked) == [(mark, "Cash Game")]
    assert_refused(press(lead, event, "cash-open", **OPENED | {"seats": "x"}), "ganze Zahl")
    assert_refused(press(lead, event, "cash-open", **OPENED | {"big_blind": "0,10"}), "Blinds")


def test_s19_the_buy_in_is_fixed_in_big_blinds_or_up_to_the_largest_stack(lead, event):
    shows(page_of(lead, event, "cash-game"), 'name="return_minutes"', 'name="offer_minutes"')
    own = {"minimum_way": "fixed", "minimum": "25", "maximum_way": "fixed", "maximum": "150"}
    own |= {"return_minutes": "90", "offer_minutes": "3"}
    assert press(lead, event, "cash-open", **OPENED | own).status_code == 204
    table = CashTable.objects.get()
    assert (table.minimum, table.maximum) == (2_500, 15_000)
    assert (table.return_minutes, table.offer_minutes) == (90, 3)
    assert "25 € bis 150 €" in page_of(lead, event, "cash-game")
    largest = OPENED | own | {"maximum_way": "largest_stack"}
    assert press(lead, event, "cash-open", **largest).status_code == 204
    told = "25 € bis 150 €, oder der größte Stapel, wenn er mehr ist"
    assert told in page_of(lead, event, "cash-game")


WRONG = [
    ({"minimum_way": "fixed", "minimum": "25", "maximum": "24"}, "nicht kleiner"),
    ({"minimum_way": "largest_stack"}, "largest_stack"),
    ({"maximum_way": "fixed", "maximum": "viel"}, "Betrag wie 12,50"),
    ({"maximum_way": "big_blinds", "maximum": "10,5"}, "ganze Zahlen"),
    ({"maximum_way": "largest_stack", "maximum": ""}, "immer gekauft"),
    ({"return_minutes": "-1"}, "Mindestens 0."),
    ({"offer_minutes": "0"}, "Mindestens 1."),
]


def test_bounds_that_cannot_be_are_refused(lead, event):
    for typed, sentence in WRONG:
        own = {"maximum_way": "fixed"} | typed
        assert_refused(press(lead, event, "cash-open", **OPENED | own), sentence)
    assert not CashTable.objects.exists()


def test_somebody_sits_down_buys_and_goes_on_the_phone(lead, event):
    table, petra = open_table(event), f.register(event)

    def page(name, *args):
        return page_of(lead, event, name, table.number, *args)

    def done(name, *args, **typed):
        assert press(lead, event, name, table.number, *args, **typed).status_code in {200, 204}

    shows(page("cash-seat", 2), "Petra Probst", "Platz geben")
    done("cash-sit", 2, guest=petra.pk, amount="50")
    assert CashSeat.objects.live().get().registration == petra
    shows(page("cash-table"), "Petra Probst", "50 €")
    assert "Auszahlen" in page("cash-seat", 2)
    done("cash-chips", 2, what="more", stack="20", amount="30,50")
    assert on(table) == 8050
    done("cash-move", 2, to="1-4")
    done("cash-presence", 4, what="away", minutes="20")
    assert "weg bis" in page("cash-table-panel")
    done("cash-presence", 4, what="back")
    done("cash-presence", 4, what="leaves", minutes="30")
    assert "geht um" in page("cash-table-panel")
    done("cash-tip", amount="0,50")
    done("cash-chips", 4, what="out", amount="80")
    assert on(table) == 0
    done("cash-close")
    assert "abgeschlossen" in page("cash-table")


AT_A_SEAT = [
    (("cash-sit", 2), {"guest": "otto", "amount": "viel"}, "wie 12,50"),
    (("cash-sit", 2), {"guest": "otto"}, "wie 12,50"),
    (("cash-sit", 2), {"amount": "50"}, "jemanden wählen"),
    (("cash-chips", 1), {"what": "nothing"}, "Das gibt es hier nicht."),
    (("cash-move", 1), {"to": "weg"}, "einen Platz wählen"),
    (("cash-presence", 1), {"what": "x"}, "gibt es hier nicht"),
]


def test_what_cannot_be_is_refused_with_a_sentence(lead, event):
    table, otto = open_table(event), f.register(event, "Otto Kurz")
    petra = sit(event, table, "Petra Probst", 1)
    for (name, seat), typed, sentence in AT_A_SEAT:
        sent = typed | ({"guest": otto.pk} if "guest" in typed else {})
        assert_refused(press(lead, event, name, table.number, seat, **sent), sentence)
    assert CashSeat.objects.live().get().registration == petra


def test_hands_are_tapped_and_the_end_is_announced(client, event):
    arbiter = open_table(event)
    f.sign_browser_in(client, Role.ARBITER, event)
    assert press(client, event, "cash-hand", arbiter.pk).status_code == 200
    assert "Hand zu Ende" in page_of(client, event, "cash-table", arbiter.number)
    assert press(client, event, "cash-hand", arbiter.pk, what="end").status_code == 200
    assert CashHand.objects.live().count() == 1
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert_refused(press(client, event, "cash-end", time="bald"), "Uhrzeit")
    assert press(client, event, "cash-end", time="01:30").status_code == 200
    assert CashEnd.objects.live().exists()
    assert "Ende um 01:30 Uhr" in page_of(client, event, "cash-game-panel")
    assert press(client, event, "cash-last-hands", hands="3").status_code == 200
    assert CashLastHands.objects.live().get().hands == 3
    assert "Noch 3 Hände" in page_of(client, event, "cash-game")


def test_the_list_and_the_offer(lead, event):
    table, petra = open_table(event), f.register(event)
    assert press(lead, event, "cash-wait", table.number, guest=petra.pk).status_code == 200
    panel = page_of(lead, event, "cash-table-panel", table.number)
    shows(panel, "1. Petra Probst", "angeboten bis", but=("Platz anbieten",))
    CashOffer.objects.update(until=f.after(-1))
    panel = page_of(lead, event, "cash-table-panel", table.number)
    assert "Petra Probst hat das Angebot für Cash-Tisch 1 verstreichen lassen" in panel
    assert "Platz anbieten" in panel
    assert press(lead, event, "cash-offer", table.number).status_code == 200
    assert "angeboten bis" in page_of(lead, event, "cash-table-panel", table.number)
    dropped = {"guest": petra.pk, "what": "drop"}
    assert press(lead, event, "cash-wait", table.number, **dropped).status_code == 200
    assert not CashWaiting.objects.live().exists()


def test_the_list_of_the_stakes_from_the_desk_and_who_changes_the_table(lead, event):
    table, petra, otto = open_table(event), f.register(event), f.register(event, "Otto")
    assert 'name="any"' not in page_of(lead, event, "cash-table", table.number)
    other = open_table(event)
    assert 'name="any"' in page_of(lead, event, "cash-table", table.number)
    asked = {"guest": petra.pk, "any": "on"}
    assert press(lead, event, "cash-wait", table.number, **asked).status_code == 200
    assert "egal welcher Tisch" in page_of(lead, event, "cash-table-panel", other.number)
    say(cash_sit, event, registration=otto, table=table, seat=2, cents=5000)
    assert press(lead, event, "cash-wait", other.number, guest=otto.pk).status_code == 200
    assert "sitzt an Tisch 1, Platz 2" in page_of(lead, event, "cash-table-panel", other.number)


def test_a_closed_table_stands_with_its_sums_and_the_difference(lead, event):
    table = open_table(event, fee_way="hand", fee_cents=100)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    say(cash_hand_begin, event, table=table)
    say(cash_hand_end, event, table=table)
    say(cash_tip, event, table=table, cents=50)
    say(cash_out, event, registration=petra, cents=4500)
    assert press(lead, event, "cash-count", table.number, counted="0").status_code == 200
    assert "Abgeschlossene Tische" not in page_of(lead, event, "cash-game")
    say(cash_table_close, event, table=table)
    shown = page_of(lead, event, "cash-game").split("Abgeschlossene Tische")[1]
    cells = ("50 €", "0 €", "45 €", "1 €", "0,50 €", "−3,50 €")
    assert "".join(f'<td class="number">{cell}</td> ' for cell in cells) in shown


def test_the_director_of_a_cash_evening_sees_tables_and_no_clock_and_ends_it(lead, event):
    director = page_of(lead, event, "director")
    assert "Noch kein Cash-Tisch" in director
    f.sign_browser_in(lead, Role.DIRECTOR)
    assert lead.get(url_of(f.make_event(), "cash-game")).status_code == 404
    shows(director, but=("Uhr starten", url_of(event, "results")))
    assert lead.get(url_of(event, "floor")).url == url_of(event, "cash-game")
    table = open_table(event)
    sit(event, table, "Petra Probst", 1)
    say(cash_end_set, event, ends_at=f.after(60))
    shows(page_of(lead, event, "director-cash"), "Tisch 1", "1 / 4", "Das Cash Game ist zu Ende")
    assert "Ausgezahlt und gezählt wird auch danach." in page_of(lead, event, "event-end")
    assert press(lead, event, "event-end").status_code == 204
    assert f.fresh(event).is_over
    for name in ("tournament", "results", "director", "cash-game"):
        assert lead.get(url_of(event, name)).status_code == 200
    out = {"what": "out", "amount": "50"}
    assert press(lead, event, "cash-chips", table.number, 1, **out).status_code == 200


def test_who_pays_whom_stands_on_a_page_that_is_shared_by_its_link(lead, client, event):
    table = open_table(event, is_noted=True)
    guests = [
        sit(event, table, name, seat) for seat, name in enumerate(("Anna", "Bert", "Cleo"), 1)
    ]
    assert "Am Tisch liegen noch 150 €." in page_of(lead, event, "cash-settling")
    for guest, cents in zip(guests, (0, 6000, 9000), strict=True):
        say(cash_out, event, registration=guest, cents=cents)
    page = lead.get(url_of(event, "cash-settling"))
    shows(" ".join(page.content.decode().split()), "Anna gibt Cleo", "Anna gibt Bert")
    assert "link" not in page.context
    links = []
    for _each in range(2):
        assert press(lead, event, "cash-link").status_code == 204
        link = lead.get(url_of(event, "cash-settling")).context["link"]
        links.append(link[link.index("/wer-wem/") :])
    done = {"payer": guests[0].pk, "payee": guests[2].pk, "cents": 4000}
    assert press(lead, event, "cash-paid", **done).status_code == 200
    assert_refused(press(lead, event, "cash-paid", **done), "schon erledigt")
    Registration.objects.filter(pk__in=[guests[0].pk, guests[1].pk]).update(is_listed=False)
    client.cookies.clear()
    shared = bare(text_of(client.get(links[1])))
    assert re.search(r"A gibt Cleo</span><b>40.€</b><span class=.badge[^>]*>.*?erledigt", shared)
    shows(shared, "A gibt B</span><b>10 €</b></li>", but=("mitgespielt haben:",))
    for gone in (links[0], "/wer-wem/erfunden/"):
        assert client.get(gone).status_code == 404
    CashLink.objects.live().update(until=f.after(-1))
    assert client.get(links[1]).status_code == 404


def test_a_payment_done_stays_when_the_books_change_and_nothing_is_reckoned_twice(lead, event):
    table = open_table(event, is_noted=True)
    guests = [sit(event, table, name, seat) for seat, name in enumerate(("Anna", "Bert"), 1)]
    for guest, cents in zip(guests, (4000, 6000), strict=True):
        say(cash_out, event, registration=guest, cents=cents)
    own = {"payer": guests[0], "payee": guests[1]}
    f.refuses("gone", say, cash_debt_pay, event, **own, cents=999)
    say(cash_debt_pay, event, **own, cents=1000)
    say(cash_sit, event, registration=guests[0], table=table, seat=1, cents=4000)
    assert [one.is_done for one in settling_of(event).payments] == [True]
    say(cash_out, event, registration=guests[0], cents=3000)
    say(cash_table_count, event, table=table, counted_cents=0)
    told = [(one.payer, one.cents, one.is_done) for one in settling_of(event).payments]
    assert told == [("Anna", 1000, True), ("Anna", 500, False)]
    known = fewest_known.cache_info().misses
    for _each in range(3):
        settling_of(event)
    assert fewest_known.cache_info().misses == known


def test_terms_are_changed_a_game_turned_and_a_box_emptied_on_the_table_s_page(lead, event):
    table = open_table(event, mix="horse", fee_way="drop")
    petra = f.register(event)
    say(cash_sit, event, registration=petra, table=table, seat=2, cents=5000)
    page = page_of(lead, event, "cash-table", table.number)
    shows(page, "Nächstes Spiel: Omaha Hi-Lo", "Gebühr aus der Box", "Bedingungen ändern")
    assert press(lead, event, "cash-turn", table.number).status_code == 200
    assert (
        press(lead, event, "cash-tip", table.number, what="fee", amount="2,50").status_code == 200
    )
    assert on(table) == 4750
    typed = OPENED | {"name": "Mitte", "minimum": "2,50", "minimum_way": "fixed", "chip": "0,10"}

    def changed(typed):
        return lead.post(url_of(event, "cash-terms", table.number), typed, headers=HTMX)

    assert changed(typed).status_code == 200
    row = CashTable.objects.get()
    assert (row.name, row.minimum, row.chip_cents, row.mix) == ("Mitte", 250, 10, "")
    assert "Mitte" in page_of(lead, event, "cash-game")
    assert_refused(changed(typed), "So ist es schon.")
    assert_refused(changed(typed | {"seats": "x"}), "Zahl")


def test_a_purchase_is_previewed_taken_back_and_corrected_at_the_seat(lead, event):
    table, petra = open_table(event), f.register(event)
    say(cash_sit, event, registration=petra, table=table, seat=2, cents=5000)
    preview = text_of(press(lead, event, "undo-preview", f.last_action(event).pk))
    shows(preview, "Am Cash-Tisch", "Tisch 1, Platz 2", "kein Platz", "Chips an Cash-Tischen", "50")
    assert "ändert sich nichts" not in preview
    bought = f.last_action(event)
    assert "Betrag berichtigen" in page_of(lead, event, "cash-seat", table.number, 2)
    own = {"what": "correct", "purchase": bought.pk, "amount": "40"}
    assert press(lead, event, "cash-chips", table.number, 2, **own).status_code == 200
    assert on(table) == 4000
    assert_refused(press(lead, event, "cash-chips", table.number, 2, **own), "nicht mehr")


def test_who_bears_a_difference_is_set_where_payments_stand(lead, event):
    table, petra = open_table(event, is_noted=True), f.register(event)
    say(cash_sit, event, registration=petra, table=table, seat=2, cents=5000)
    say(cash_out, event, registration=petra, cents=4000)
    assert "Erst zählen" in page_of(lead, event, "cash-settling")
    say(cash_table_count, event, table=table, counted_cents=0)
    shows(page_of(lead, event, "cash-settling"), "Beim Zählen fehlten 10", but=("Haus",))
    own = {"bears": "one", "guest": petra.pk}
    assert press(lead, event, "cash-difference", table.number, **own).status_code == 200
    assert "Das trägt: Petra Probst" in page_of(lead, event, "cash-settling")
