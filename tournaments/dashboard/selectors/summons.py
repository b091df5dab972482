"""Tables that call the director: due at once until answered."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event
from tournaments.play.selectors.summons import summons_live, word_of


def summons_items(event: Event) -> list[DueItem]:
    """Return the calling tables, last those the director is coming to."""
    return [
        DueItem(
            kind=DueKind.COMING if row.is_coming else DueKind.SUMMONED,
            urgency=Urgency.SOON if row.is_coming else Urgency.NOW,
            title=_("Tisch %(table)s ruft: %(word)s")
            % {"table": row.table.number, "word": word_of(row.reason)},
            note=_("Seit %(at)s.") % {"at": time_format(timezone.localtime(row.called_at), "H:i")},
            number=row.table.number,
        )
        for row in summons_live(event)
    ]
