"""An evening for points or matches: words and figures on pages, in the log, in files; no drawer."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.pressing import press, shows, url_of
from tests.services.cashgames import make_cash_event, on, open_table, say, sit, undo_last, words
from tests.views.pages import page_of, text_of
from tests.views.test_cashgame import OPENED
from tournaments.cashgame.services.hands import cash_hand_begin, cash_hand_end, cash_link_make
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_table_count
from tournaments.changes.access import Role
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.services.lifecycle import event_update
from tournaments.models import CashTable, Posting, Receipt
from tournaments.papers.selectors.papers import evening_report

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening(cash_unit="points")]


POINTS = OPENED | {"small_blind": "1", "big_blind": "2", "fee_way": "hand", "fee": "1"}


def test_every_page_speaks_of_points_and_none_of_euros(lead, event):
    shown = page_of(lead, event, "cash-game")
    assert "Small Blind in Punkten" in shown
    assert "Nur anschreiben" not in shown, "nobody pays for points"
    assert press(lead, event, "cash-open", **POINTS).status_code == 204
    table = CashTable.objects.get()
    assert table.is_noted
    petra = f.register(event)
    sat = {"guest": petra.pk, "amount": "50"}
    assert press(lead, event, "cash-sit", table.number, 1, **sat).status_code == 200
    assert "kauft 50\xa0Punkte" in words(event)
    own = reverse("player", args=[petra.link_token])
    pages = [
        page_of(lead, event, "cash-game"),
        page_of(lead, event, "cash-table", table.number),
        page_of(lead, event, "cash-seat", table.number, 1),
        page_of(lead, event, "cash-settling"),
        text_of(lead.get(own)),
        page_of(lead, event, "tournament"),
    ]
    for number, shown in enumerate(pages):
        assert "Punkt" in shown, number
        assert "€" not in shown, number
        assert "Euro" not in shown, number
    assert "1 Punkt / 2 Punkte" in pages[0]
    assert "1 Punkt je Hand" in pages[1]


def test_half_a_point_and_another_unit_later_are_refused(lead, event):
    say(event_update, event, settings={"cash_unit": "matches"})
    say(event_update, event, settings={"cash_unit": "points"})
    f.refuses("bad_amount", open_table, event)
    table = open_table(event, small_blind_cents=100)
    petra = f.register(event)
    said = f.refuses(
        "bad_amount", say, cash_sit, event, registration=petra, table=table, seat=1, cents=2050
    )
    assert said == "Gespielt wird um ganze Punkte."
    for code, unit in (("has_cash_tables", "money"), ("bad_cash_unit", "beans")):
        f.refuses(code, say, event_update, event, settings={"cash_unit": unit})


def test_there_is_no_drawer_no_receipt_and_no_money_and_who_won_may_be_left_out(
    lead, client, event
):
    table = open_table(event, small_blind_cents=100)
    petra, otto = sit(event, table, "Petra", 1), sit(event, table, "Otto", 2)
    say(cash_hand_begin, event, table=table)
    say(cash_hand_end, event, table=table)
    say(cash_out, event, registration=petra, cents=8000)
    say(cash_out, event, registration=otto, cents=2000)
    undo_last(event)
    assert on(table) == 2000
    undo_last(event)
    assert not Posting.objects.filter(account="cash").exists()
    assert not Receipt.objects.exists()
    assert not event_has_money(f.fresh(event))
    answer = lead.get(url_of(event, "cash-settling"))
    shows(text_of(answer), "Otto gibt Petra", "30 Punkte", "−30 Punkte")
    say(cash_link_make, event, at=timezone.now())
    shared = reverse("cash-settling-shared", args=[event.cash_links.get().token])
    assert "Gewonnen und verloren" in text_of(client.get(shared))
    say(event_update, event, settings={"shows_cash_results": False})
    shows(text_of(client.get(shared)), "Otto gibt Petra", but=("Gewonnen und verloren",))
    assert "Gewonnen und verloren" in page_of(lead, event, "cash-settling")
    undo_last(event)
    assert f.fresh(event).shows_cash_results


def test_matches_are_counted_and_the_difference_is_named_in_them():
    event = make_cash_event(cash_unit="matches")
    table = open_table(event, small_blind_cents=100)
    sit(event, table, "Petra", 1)
    say(cash_table_count, event, table=table, counted_cents=4900)
    assert words(event) == (
        "Cash-Tisch 1 gezählt: 49\xa0Streichhölzer, Differenz −1\xa0Streichholz"
    )


def test_files_and_the_report_keep_points_apart_from_money(lead):
    event = make_cash_event(kind="both", cash_unit="points")
    f.sign_browser_in(lead, Role.DIRECTOR, event)
    table = open_table(event, small_blind_cents=100)
    petra = sit(event, table, "Petra", 1)
    report = evening_report(event)
    assert report.accounts == []
    assert dict(report.points) == {"Chips an Cash-Tischen": 5000, "untereinander offen": -5000}
    answer = lead.get(url_of(event, "export-fees-csv"))
    rows = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    assert "Einheit" in rows[0]
    assert sum("Punkte" in row for row in rows[1:]) == 2
    assert not any("Euro" in row for row in rows[1:])
    assert petra.person.name in rows[1]
