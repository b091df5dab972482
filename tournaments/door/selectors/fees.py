"""What has been paid, by the journal alone."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Sum

from tournaments.models import Event, Posting, Registration


def paid_cents(registration: Registration) -> int:
    """Return what somebody has paid and not got back."""
    return fees_paid(registration.event, [registration.pk]).get(registration.pk, 0)


def fees_paid(event: Event, registrations: Iterable[int] | None = None) -> dict[int, int]:
    """Return what was paid, by registration; of some of them, or of all. One query."""
    rows = Posting.objects.live().filter(event=event, account=Posting.Account.CASH)
    if registrations is not None:
        rows = rows.filter(registration__in=list(registrations))
    sums = rows.values("registration").annotate(paid=Sum("amount_cents")).order_by()
    return dict(sums.values_list("registration", "paid"))
