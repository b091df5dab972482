"""What an entry costs: parts, early birds, chips for those on time, and what cannot be."""

from datetime import timedelta

import pytest

from clock.servertime import server_time
from tests import factories as f
from tests.buying import do, evening, lose, undo
from tests.calling import call_service
from tests.pressing import press, text_of, url_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.door.services.rates import rate_set
from tournaments.door.services.registration import registration_correct
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Elimination, Registration, What
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import (
    account_cents,
    open_cents,
    owed_cents,
    payments,
    standings_of,
    with_open_fees,
)
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.payouts.selectors.prize_labels import Sold, preview_of
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.privacy.selectors.exporting import person_export
from tournaments.prizes.domain.plans import PrizePlan
from tournaments.rebuys.selectors.offers import good_of
from tournaments.rebuys.services.purchases import rebuy_buy

pytestmark = pytest.mark.django_db


def test_a_price_that_changes_later_is_what_it_was_for_whoever_has_bought():
    event = evening()
    one = f.entries_of(event)[0]
    lose(event, one)
    do(rebuy_buy, event, 2, entry=one)
    do(event_update, event, 3, settings={"rebuy_cents": 900})
    assert owed_cents(one.registration) == 1500
    planned = f.make_event(fee_cents=1000, fee_parts=[["extra", 200, "Personal"]])
    undo(planned, do(event_update, planned, -60, settings={"fee_parts": []}), -50)
    assert f.fresh(planned).fee_parts == [["extra", 200, "Personal"]]


def test_chips_for_those_who_are_on_time():
    event = f.make_event(on_time_chips=50, late_registration_level=3)
    early = f.check_in(event, f.register(event, "Petra Probst"))
    f.check_in(event, f.register(event, "Paul Pünktlich"))
    call_service(clock_start, event=event, by=SYSTEM, at=f.START)
    f.check_in(event, f.register(event, "Lea Late", at=f.after(1)), at=f.after(2))
    assert chips_in_play(f.fresh(event)) == (2 * 250 + 200, True)
    assert early.chip_movements.count() == 2


def test_early_birds_by_time_and_by_number():
    until = f.ARRIVAL - timedelta(days=2)
    event = f.make_event(
        fee_cents=1000, early_fee_cents=800, early_until=until, early_entries=2,
        at=f.ARRIVAL - timedelta(days=9),
    )  # fmt: skip
    before, late = until - timedelta(days=1), until + timedelta(hours=1)
    people = [f.register(event, f"Person {n}", at=before) for n in range(3)]
    last = f.register(event, "Person 9", at=late)
    assert [owed_cents(row) for row in (*people, last)] == [800, 800, 1000, 1000]
    do(event_update, event, 0, settings={"early_entries": 0})
    rows = Registration.objects.select_related("event").filter(event=event).order_by("pk")
    assert [owed_cents(row) for row in rows] == [800, 800, 800, 1000]


def test_terms_that_cannot_be_are_refused():
    event = f.make_event(fee_cents=1000, fee_parts=[["house", 200, ""]])
    for settings, code in (
        ({"fee_parts": [["house", 1100, ""]]}, "bad_fee_parts"),
        ({"fee_parts": [["house", -1, ""]]}, "bad_fee_parts"),
        ({"fee_parts": [["extra", 100, "X"], ["extra", 100, "x"]]}, "bad_fee_parts"),
        ({"reentry_parts": [["house", 1100, ""]]}, "bad_reentry_parts"),
        ({"rebuy_cents": 10**9}, "bad_rebuy_cents"),
        ({"rebuy_cents": -1}, "bad_rebuy_cents"),
        ({"early_fee_cents": 1000}, "bad_early_fee_cents"),
        ({"early_fee_cents": 100, "early_entries": 3}, "bad_early_fee_cents"),
        ({"early_fee_cents": 900}, "bad_early_until"),
        ({"rebuy_chips": 10**9}, "bad_rebuy_chips"),
        ({"rebuy_most": 1000}, "bad_rebuy_most"),
        ({"rebuy_hold_minutes": 61}, "bad_rebuy_hold_minutes"),
        ({"addon_break": 1}, "bad_addon_break"),
    ):
        f.refuses(code, event_update, event, -60, settings=settings)


def test_a_reentry_without_a_price_of_its_own_may_have_parts_of_its_own():
    event = f.make_event(fee_cents=1000, fee_parts=[["house", 200, ""]], reentry_most=1)
    assert good_of(event, What.REENTRY).parts == event.fee_parts
    do(event_update, event, -60, settings={"reentry_parts": [["bounty", 500, ""]]})
    good = good_of(f.fresh(event), What.REENTRY)
    assert (good.cents, good.parts) == (1000, [["bounty", 500, ""]])


# --- Prices by person: given, owed, booked, and their effect on heads


RATES = [
    ["Mitglied", 1500, None],
    ["Spät", 2500, None],
    ["Ohne Bounty", 1500, [["house", 200, ""]]],
]
PRICED = {
    "fee_cents": 2000, "fee_parts": [["house", 200, ""], ["bounty", 500, ""]], "fee_rates": RATES,
}  # fmt: skip


def fresh(row):
    return Registration.objects.select_related("event__head").get(pk=row.pk)


def journal_is_even(event):
    """Tell whether each registration is booked as its prices are covered."""
    rows = Registration.objects.filter(event=event).values_list("pk", flat=True)
    return not any(one.sides_after() for one in standings_of(f.fresh(event), rows).values())


def sums(event):
    found = {account: -account_cents(event, account) for account in Account}
    return found[Account.POOL], found[Account.HOUSE], found[Account.BOUNTY]


def test_members_and_the_late_have_their_price_by_themselves_and_keep_it():
    event = f.make_event(**PRICED)
    member, other = f.register(event, "Mia", is_member=True), f.register(event, "Otto")
    assert [owed_cents(row) for row in (member, other)] == [1500, 2000]
    member.person.is_member = False
    member.person.save()
    assert owed_cents(fresh(member)) == 1500
    assert person_export(fresh(member))["registrations"][0]["price"] == "Mitglied"
    running = f.make_running_event(2, name="Läuft", late_registration_level=3, **PRICED)
    late = f.register(running, "Lea", at=f.after(1))
    assert (late.rate, owed_cents(late)) == ("Spät", 2500)


def test_a_price_is_changed_by_the_desk_books_what_was_paid_anew_and_is_taken_back():
    event = f.make_event(**PRICED)
    row = f.register(event, "Otto")
    do(fee_pay, event, -60, registration=row)
    assert sums(event) == (1300, 200, 500)
    action = do(rate_set, event, -50, registration=row, rate="Ohne Bounty")
    assert (sums(event), open_cents(fresh(row))) == ((1300, 200, 0), 0)
    assert -account_cents(event, Account.CREDIT) == 500
    assert journal_is_even(event)
    undo(event, action, -40)
    assert (sums(event), fresh(row).rate) == ((1300, 200, 500), "")
    f.refuses("unknown_rate", rate_set, event, -40, registration=row, rate="Gibt es nicht")
    f.refuses("nothing_changed", rate_set, event, -40, registration=row, rate="")


def test_prices_set_later_are_those_of_members_who_are_there_and_one_that_goes_is_the_full():
    event = f.make_event(fee_cents=2000)
    rows = [f.register(event, "Mia", is_member=True), f.register(event, "Otto")]
    do(fee_pay, event, -90, registration=rows[0])
    action = do(event_update, event, -80, settings={"fee_rates": [["Mitglied", 1500, None]]})
    assert [owed_cents(fresh(row)) for row in rows] == [1500, 2000]
    assert -account_cents(event, Account.CREDIT) == 500
    owing = with_open_fees(f.fresh(event), Registration.objects.filter(event=event))
    assert [(row.pk, row.owed) for row in owing] == [(rows[1].pk, 2000)]
    undo(event, action, -70)
    assert [owed_cents(fresh(row)) for row in rows] == [2000, 2000]
    assert journal_is_even(event)


def test_who_is_found_to_be_a_member_pays_as_one_and_what_was_ticked_is_booked(client):
    event = f.make_event(**PRICED)
    rows = [f.register(event, name) for name in ("Mia", "Otto", "Nora", "Ina")]
    do(rate_set, event, -60, registration=rows[2], rate="Ohne Bounty")
    said = {"name": "Mia", "is_member": True}
    action = do(registration_correct, event, -50, registration=rows[0], **said)
    assert owed_cents(fresh(rows[0])) == 1500
    undo(event, action, -45)
    assert owed_cents(fresh(rows[0])) == 2000
    do(registration_correct, event, -40, registration=rows[2], name="Nora", is_member=True)
    assert fresh(rows[2]).rate == "Ohne Bounty"
    f.sign_browser_in(client, Role.DESK, event)
    for row, ticked in ((rows[1], {"is_member": "on"}), (rows[3], {})):
        posted = {"name": row.person.name, "pays": "on", "is_listed": "on", **ticked}
        assert client.post(url_of(event, "desk-check-in", row.pk), posted).status_code == 302
    member, other = fresh(rows[1]), fresh(rows[3])
    assert (owed_cents(member), payments(event, [member.pk])) == (1500, {member.pk: 2000})
    assert (owed_cents(other), open_cents(other)) == (2000, 0)
    assert journal_is_even(event)


def test_the_head_of_somebody_without_bounty_is_worth_nothing():
    event = f.make_event(bounty_kind="fixed", **PRICED)
    rows = [f.register(event, name) for name in ("Anna", "Bert", "Cleo")]
    do(rate_set, event, -60, registration=rows[1], rate="Ohne Bounty")
    for row in rows:
        f.check_in(event, row)
    do(clock_start, event, 0)
    anna, bert, cleo = f.entries_of(event)
    for minute, loser in ((1, bert), (2, cleo)):
        do(entries_eliminate, event, minute, entries=[loser])
        gone = Elimination.objects.live().filter(entry=loser)
        do(knockout_set, event, minute, eliminations=list(gone), takers=[anna])
    stands = bounties_of(f.fresh(event))
    assert (stands.won[anna.pk], stands.left_over) == (1000, 0)
    f.refuses("fixed_after_start", rate_set, event, 3, registration=rows[2], rate="Ohne Bounty")


def test_prices_that_cannot_be_are_refused():
    event = f.make_event(**PRICED)
    for rates in (
        [["Mitglied", 600, None]],
        [["Mitglied", 1500, [["house", 1600, ""]]]],
        [["Mitglied", 1500, None], ["mitglied", 1400, None]],
        [["", 1500, None]],
        [["X" * 31, 1500, None]],
        [[f"Preis {number}", 1500, None] for number in range(9)],
        [["Mitglied", 200_000_000, None]],
    ):
        f.refuses("bad_fee_rates", event_update, event, -60, settings={"fee_rates": rates})


def test_the_desk_sees_each_price_and_presses_one(client):
    event = f.make_event(**PRICED)
    row = f.register(event, "Otto")
    f.sign_browser_in(client, Role.DESK, event)
    sheet = text_of(client.get(url_of(event, "desk-check-in", row.pk)))
    for price in ("voller Preis", "Mitglied", "Spät", "Ohne Bounty"):
        assert price in sheet
    answer = press(client, event, "desk-rate", row.pk, rate="Mitglied")
    assert answer.status_code == 200
    assert owed_cents(fresh(row)) == 1500
    poster = text_of(client.get(url_of(event, "tournament")))
    assert "Startgeld: Mitglied" in poster


def test_who_claims_to_be_a_member_reads_both_prices_and_when_it_takes_place(client, monkeypatch):
    monkeypatch.setattr(server_time, "now", lambda: f.after(-51))
    event = f.make_event(least_entries=8, least_hours=0, **PRICED)
    row = f.register(event, "Mia")
    page = lambda: text_of(client.get(f"/p/{row.link_token}/"))
    both = "15 €, wenn der Eingang deine Mitgliedschaft bestätigt"
    assert both not in page()
    Registration.objects.filter(pk=row.pk).update(says_member=True)
    assert both in page()
    assert "mindestens 8 angemeldet sind. Bisher: 1." in page()
    do(rate_set, event, -50, registration=row, rate="Mitglied")
    assert both not in page()


def test_the_preview_of_the_prizes_takes_the_registered_at_their_prices():
    event = f.make_event(late_registration_level=3, **PRICED)
    rows = [f.register(event, "Mia", is_member=True), f.register(event, "Otto")]
    pool = lambda entries: (
        preview_of(
            f.fresh(event), PrizePlan(), typed_places=1, sold=Sold(entries=entries)
        ).pool.paid
    )
    # 15 less 2 and 5, 20 less them, and a third at the full price.
    assert [pool(1), pool(2), pool(3)] == [800, 800 + 1300, 800 + 1300 + 1300]
    for row in (rows[1], f.register(event, "Ina")):
        f.check_in(event, row)
        do(fee_pay, event, -10, registration=row)
    do(clock_start, event, 0)
    assert [pool(2), pool(3), pool(4)] == [2600, 2600 + 800, 2600 + 800 + 1300]
