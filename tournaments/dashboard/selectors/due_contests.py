"""Due in a contest of several flights: the end of a flight, and the draw of the next day."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.contests.selectors.contests import (
    Nearing,
    day_begins_at,
    ends_with_bags,
    feeding,
    left_to_the_end,
    nearing_of,
    stacks_to_carry,
    stage_of,
)
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.event.selectors.event import entries_live_count
from tournaments.models import Event, Stage


def contest_items(event: Event, now: datetime) -> list[DueItem]:
    """Return what is due because the event is a flight or a day; nothing for any other."""
    stage = stage_of(event)
    if stage is None:
        return []
    if not event.has_started:
        return _to_draw(event, stage)
    return _to_end(event, nearing_of(stage, event, now), now) if ends_with_bags(stage) else []


def _to_end(event: Event, nearing: Nearing, now: datetime) -> list[DueItem]:
    """Return the end of the flight, once a hand at each table could bring it."""
    if nearing.by is not None:
        title = _("Der Flight ist zu Ende")
        note = _("Die laufenden Hände noch fertig spielen, dann die Chips in Säcke.")
        return [DueItem(DueKind.FLIGHT_END, Urgency.NOW, title, note)]
    to_go = left_to_the_end(event, now)
    if not to_go:
        return []
    title = ngettext(
        "Noch einer bis zum Ende des Flights",
        "Noch %(shown)s bis zum Ende des Flights",
        to_go,
    )
    note = _("Säcke, Siegel und Listen bereitlegen.")
    return [DueItem(DueKind.FLIGHT_END, Urgency.SOON, title % {"shown": to_go}, note)]


def _to_draw(event: Event, stage: Stage) -> list[DueItem]:
    flights = feeding(stage)
    if not flights or entries_live_count(event):
        return []
    if day_begins_at(flights) is None:
        running = ", ".join(row.label for row in flights if not row.event.is_over)
        title = _("Wartet auf die Flights")
        note = _("Noch nicht beendet: %(labels)s.") % {"labels": running}
        return [DueItem(DueKind.DAY_DRAW, Urgency.LATER, title, note, number=stage.contest_id)]
    comes = len(stacks_to_carry(stage))
    title = _("%(label)s auslosen") % {"label": stage.label}
    note = _("%(shown)s kommen mit ihren Säcken weiter.") % {"shown": comes}
    return [DueItem(DueKind.DAY_DRAW, Urgency.NOW, title, note, number=stage.contest_id)]
