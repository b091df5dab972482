"""Due by prizes: fix them, overpayments, payouts."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.event.selectors.event import event_accepts_late
from tournaments.event.selectors.labels import money
from tournaments.models import Event
from tournaments.payouts.selectors.prize_words import why_unpayable
from tournaments.payouts.selectors.prizes import debts, payouts, prizes_now
from tournaments.prizes.domain.payouts import Unpayable
from tournaments.prizes.selectors.plans import prizes_frozen


def prize_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items; empty without planned prizes, or during late registration."""
    if not event.prizes or not event.has_started or event.cancelled_by_id is not None:
        return []
    if prizes_frozen(event) is None:
        return [] if event_accepts_late(event, now) else [_to_fix(event)]
    return [*_debts(event), *(_to_pay(event) if event.is_over else [])]


def _to_fix(event: Event) -> DueItem:
    found = prizes_now(event)
    cannot = why_unpayable(found) if isinstance(found, Unpayable) else ""
    return DueItem(
        kind=DueKind.PRIZES,
        urgency=Urgency.SOON,
        title=_("Die Preise sind noch nicht festgeschrieben"),
        note=cannot or _("Niemand kann mehr einsteigen."),
    )


def _debts(event: Event) -> list[DueItem]:
    return [
        DueItem(
            kind=DueKind.PRIZE_DEBT,
            urgency=Urgency.SOON,
            title=_("%(name)s hat %(amount)s zu viel bekommen")
            % {"name": row.name, "amount": money(row.owed_back)},
            note=_("Der Platz hat sich geändert, nachdem der Preis ausgezahlt war."),
        )
        for row in debts(event)
    ]


def _to_pay(event: Event) -> list[DueItem]:
    rows = [row for row in payouts(event) if row.open > 0]
    if not rows:
        return []
    title = ngettext(
        "Ein Preis ist noch auszuzahlen", "%(number)s Preise sind noch auszuzahlen", len(rows)
    )
    total = sum(row.open for row in rows)
    return [
        DueItem(
            kind=DueKind.PRIZES_OPEN,
            urgency=Urgency.LATER,
            title=title % {"number": len(rows)},
            note=_("Zusammen %(amount)s.") % {"amount": money(total)},
        )
    ]
