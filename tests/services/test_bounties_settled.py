"""Bounties paid out that are not due any more: they come back, or stay by the director's word."""

import pytest

from tests import factories as f
from tests.services.test_bounties import evening, out
from tournaments.changes.selectors.log import describe
from tournaments.models import Elimination, Posting
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.bounties import bounties_due
from tournaments.payouts.services.bounties import bounty_pay, bounty_settle
from tournaments.play.services.elimination_details import knockout_set

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_kept", [False, True])
def test_what_was_paid_too_much_comes_back_or_stays_by_the_directors_word(is_kept):
    event, (a, b, _c, _d) = evening("fixed", fee_cents=3000)
    out(event, a, b)
    desk = f.make_desk(event)
    f.drive(fee_pay, event, 6, by=desk, registration=b.registration)
    f.drive(bounty_pay, event, 6, by=desk, registration=b.registration)
    told = f.last_action(event)
    with f.refused("no_debt", event):
        f.drive(bounty_settle, event, 7, registration=b.registration)
    f.drive(knockout_set, event, 7, eliminations=list(Elimination.objects.live()), takers=[])
    with f.refused("not_allowed", event):
        f.drive(bounty_settle, event, 8, by=desk, registration=b.registration)
    settled = f.drive(bounty_settle, event, 8, registration=b.registration, is_kept=is_kept)
    f.assert_logged(event, "bounty.settled", amount_cents=1000)
    assert ("bleibt" in describe(settled)) is is_kept
    assert bounties_due(event) == []
    assert drawers_of(event)[0].cash_cents == (2000 if is_kept else 3000)
    assert sum(Posting.objects.live().values_list("amount_cents", flat=True)) == 0
    f.undo(event, settled)
    assert [due.over for due in bounties_due(event)] == [1000]
    # It was right after all: what was paid is his, and nothing more is due.
    f.drive(knockout_set, event, 9, eliminations=list(Elimination.objects.live()), takers=[b])
    assert [(due.open, due.paid) for due in bounties_due(event)] == [(0, 1000)]
    with f.refused("nothing_due", event):
        f.drive(bounty_pay, event, 9, by=desk, registration=b.registration)
    f.undo(event, told)
    f.drive(bounty_pay, event, 10, by=desk, registration=b.registration)
    assert drawers_of(event)[0].cash_cents == 2000
