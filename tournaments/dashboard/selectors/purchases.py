"""Players waiting for requested purchases, and seats held for a re-buy."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event, What
from tournaments.rebuys.selectors.buying import name_of
from tournaments.rebuys.selectors.chances import chances_live, wishes_live
from tournaments.rebuys.selectors.offers import sells_again

MOST_SHOWN = 5


def _clock(at: datetime) -> str:
    return time_format(timezone.localtime(at), "H:i")


def purchase_items(event: Event) -> list[DueItem]:
    """Return open requests and held seats, the first to expire first."""
    if not sells_again(event):
        return []
    wishes = list(wishes_live(event)[:MOST_SHOWN])
    asked = {row.entry_id for row in wishes}
    chances = [row for row in chances_live(event)[: 2 * MOST_SHOWN] if row.entry_id not in asked]
    return [
        *(
            DueItem(
                kind=DueKind.PURCHASE,
                urgency=Urgency.NOW,
                title=_("%(name)s möchte %(number)s × %(what)s")
                % {
                    "name": row.entry.registration.person.name,
                    "number": row.number,
                    "what": name_of(What(row.what)),
                },
                note=_("Seit %(at)s.")
                % {"at": time_format(timezone.localtime(row.asked_at), "H:i")},
                number=row.entry_id,
            )
            for row in wishes
        ),
        *(
            DueItem(
                kind=DueKind.REBUY,
                urgency=Urgency.SOON,
                title=_("Re-buy? %(name)s") % {"name": row.entry.registration.person.name},
                note=_("Ohne Chips. Der Platz wird bis %(until)s gehalten.")
                % {"until": _clock(row.until)},
                number=row.entry_id,
            )
            for row in chances[:MOST_SHOWN]
        ),
    ]
