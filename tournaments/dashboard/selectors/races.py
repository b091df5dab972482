"""Tables with a colour-up still to do."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event
from tournaments.play.selectors.chip_races import race_due, race_tables


def race_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the colour-up while some tables have not exchanged their chips."""
    due = race_due(event, now)
    if due is None:
        return []
    tables = race_tables(event, due)
    waiting = [str(table.number) for table in tables if not table.is_done]
    if not waiting:
        return []
    note = _("Fertig: %(done)s von %(all)s Tischen. Es fehlt: %(tables)s.")
    return [
        DueItem(
            kind=DueKind.RACE,
            urgency=Urgency.NOW,
            title=_("Chips zu %(chips)s eintauschen") % {"chips": ", ".join(map(str, due.values))},
            note=note
            % {
                "done": len(tables) - len(waiting),
                "all": len(tables),
                "tables": ", ".join(waiting),
            },
        )
    ]
