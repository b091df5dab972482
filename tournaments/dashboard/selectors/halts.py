"""Due after changes of tables: a table far short, slips for moved players."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.changes.kinds import kind_names
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Action, Event, Seating
from tournaments.seating.selectors.halts import FarShort, tables_far_short

SLIPS_FOR = timedelta(minutes=10)


def halt_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the tables that must stop, and the stopped ones (TDA 2024 11-D)."""
    shown = (state for state in tables_far_short(event, now) if not state.is_waived)
    return [_halt_item(state) for state in shown]


def _halt_item(state: FarShort) -> DueItem:
    words = {"table": state.number, "count": state.short_by}
    if state.is_halted:
        title = _("Tisch %(table)s ist angehalten")
        note = _("Dort fehlen %(count)s. Das endet von selbst, sobald wieder genug dort sitzen.")
    else:
        title = _("Tisch %(table)s anhalten: Dort fehlen %(count)s")
        note = _halt_note(state.blinds_affected)
    waits = state.is_halted or state.blinds_affected is False
    return DueItem(
        kind=DueKind.HALT,
        urgency=Urgency.SOON if waits else Urgency.NOW,
        title=title % words,
        note=note % words,
        rule=_("TDA 2024 11-D."),
        number=state.number,
        asks=(state.number,) if state.asks and state.blinds_affected is None else (),
    )


def _halt_note(affected: bool | None) -> str:
    if affected is None:
        return _("Sobald die Blinds betroffen sind. Wo der Button liegt, weiß gerade niemand.")
    if affected:
        return _("Ein leerer Platz betrifft schon die nächsten Blinds.")
    return _("Noch nicht: erst wenn ein leerer Platz die Blinds betrifft.")


def moved_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the slips of the latest break or redraw, for some minutes."""
    rows = Action.objects.filter(
        event=event, kind__in=kind_names(lambda kind: kind.moves_many), at__gte=now - SLIPS_FOR
    )
    action = rows.order_by("-sequence").first()
    if action is None:
        return []
    moved = Seating.objects.live().filter(event=event, made_by=action).count()
    if not moved:
        return []
    title = ngettext("Platzzettel für einen", "Platzzettel für %(count)s", moved)
    return [
        DueItem(
            kind=DueKind.SLIPS,
            urgency=Urgency.LATER,
            title=title % {"count": moved},
            note=_("Für alle, die gerade umgezogen sind: zum Drucken oder zum Zeigen."),
            number=action.pk,
        )
    ]
