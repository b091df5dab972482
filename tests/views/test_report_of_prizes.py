"""What the evening report says is still to be paid out: by the prizes and the heads."""

import pytest

from tests import factories as f
from tests.pressing import text_of, url_of
from tests.services.test_bounties import out
from tournaments.changes.access import Role
from tournaments.models import Elimination
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.evening_report import evening_report
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.bounties import bounty_pay, bounty_settle
from tournaments.payouts.services.prizes import prize_pay, prizes_freeze, prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.prizes.domain.plans import PrizePlan, Way

pytestmark = pytest.mark.django_db
TERMS = {
    "fee_cents": 3000, "fee_parts": [["bounty", 1000, ""], ["house", 500, ""]],
    "bounty_kind": "fixed",
}  # fmt: skip
# Four pay 15 € each into the pool, and the house adds 40 €.
POOL, HEADS = 10_000, 4_000


@pytest.fixture
def event():
    event = f.make_running_event(4, **TERMS)
    plan = PrizePlan(way=Way.CURVE, places_percent=50, added_cents=4_000)
    f.drive(prizes_plan, event, 1, plan=plan)
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 1, registration=entry.registration)
    return f.fresh(event)


def report(event):
    return evening_report(f.fresh(event))


def test_it_is_what_the_prizes_say_from_the_plan_to_the_last_payment(event):
    a, b, c, d = f.entries_of(event)
    assert report(event).to_pay_out == POOL + HEADS
    f.drive(prizes_freeze, event, 2)
    out(event, a, d, minute=3)
    assert report(event).to_pay_out == POOL + HEADS
    f.drive(bounty_pay, event, 4, registration=d.registration)
    assert report(event).to_pay_out == POOL + HEADS - 1000
    out(event, b, c, minute=5)
    out(event, c, d, minute=6)
    assert report(event).to_pay_out == POOL + HEADS - 1000
    for row in payouts(f.fresh(event)):
        someone = next(e.registration for e in (c, d) if e.registration_id == row.registration)
        f.drive(prize_pay, event, 7, registration=someone, amount_cents=row.open)
    assert report(event).to_pay_out == HEADS - 1000
    for entry in (c, d):
        f.drive(bounty_pay, event, 8, registration=entry.registration)
    assert report(event).to_pay_out == 0
    assert report(event).is_settled


def test_what_was_paid_too_much_keeps_the_evening_open(client, event):
    a, b, _c, _d = f.entries_of(event)
    out(event, a, b, minute=3)
    f.drive(bounty_pay, event, 4, registration=b.registration)
    rows = list(Elimination.objects.live())
    f.drive(knockout_set, event, 5, eliminations=rows, takers=[])
    found = report(event)
    assert (found.to_get_back, found.to_pay_out) == (1000, POOL + HEADS)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Zu viel ausgezahlt" in text_of(client.get(url_of(event, "evening-report")))
    f.drive(bounty_settle, event, 6, registration=b.registration)
    assert report(event).to_get_back == 0
    assert "Zu viel ausgezahlt" not in text_of(client.get(url_of(event, "evening-report")))
