"""Whether an evening is played for money; otherwise no page mentions it."""

from django.db.models import QuerySet

from clock.snapshot import read_once
from tournaments.models import Event, Posting


@read_once
def event_has_money(event: Event) -> bool:
    """Tell whether the event uses money; otherwise no page mentions it."""
    prices = (event.fee_cents, event.rebuy_cents, event.addon_cents, event.reentry_cents)
    if any(prices) or event.prize_plan.has_money:
        return True
    if event.has_cash_game and event.is_cash_for_money:
        return True
    return postings_in_money(event).exists()


def postings_in_money(event: Event) -> QuerySet[Posting]:
    """Return the journal without play for points or matches."""
    rows = Posting.objects.live().filter(event=event)
    return rows if event.is_cash_for_money else rows.filter(cash_table=None)
