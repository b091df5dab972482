"""Due by players' conduct: a stack to bring, an ending penalty."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.changes.access import Role
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency, time_of
from tournaments.models import Action, Event, Seating
from tournaments.seating.selectors.conduct import PenaltyView, absences, penalties_sat_out, walking
from tournaments.seating.selectors.tables import seating_of

# After this time, or in a known absence, staff bring the player's stack.
STACK_AFTER = timedelta(minutes=5)
MOST_LATE = 4
MOST_NAMES = 4
MOST_PENALTIES = 5


def conduct_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items of players' moves, absences and penalties."""
    coming = walking(event, None)
    known = {row.entry_id for row in absences(event, None)} if coming else set()
    # Arrivals count once one is told, or an arbiter has acted.
    told = Q(kind="seating.arrived") | Q(role=Role.ARBITER)
    tells = bool(coming) and Action.objects.filter(told, event=event).exists()
    overdue = now - STACK_AFTER
    late = [row for row in coming if row.entry_id in known or (tells and row.seated_at <= overdue)]
    # The penalties that end first.
    views = sorted(penalties_sat_out(event), key=lambda view: view.served.left)
    return [*_late_items(late, known), *map(_penalty_item, views[:MOST_PENALTIES])]


def _late_items(late: Sequence[Seating], known: Collection[int]) -> list[DueItem]:
    """Return the stacks to bring; one item for a table that waits for several."""
    tables: dict[int, list[Seating]] = {}
    for row in late:
        tables.setdefault(row.table.number, []).append(row)
    items = [
        _stack_item(rows[0], is_away=rows[0].entry_id in known)
        if len(rows) == 1
        else _missing_item(number, rows)
        for number, rows in tables.items()
    ]
    return sorted(items, key=lambda item: item.urgency is not Urgency.NOW)[:MOST_LATE]


def _stack_item(row: Seating, *, is_away: bool) -> DueItem:
    title = _("Stapel von %(name)s an Tisch %(table)s bringen") % {
        "name": row.entry.registration.person.name,
        "table": row.table.number,
    }
    note = _("Platz %(seat)s, vergeben um %(at)s, niemand ist angekommen.") % {
        "seat": row.seat,
        "at": time_of(row.seated_at),
    }
    return DueItem(
        DueKind.STACK, Urgency.NOW if is_away else Urgency.SOON, title, note, number=row.pk
    )


def _missing_item(number: int, rows: Sequence[Seating]) -> DueItem:
    """Return the missing players of a table, the first few by name."""
    names = [row.entry.registration.person.name for row in rows]
    more = len(names) - MOST_NAMES
    if more > 0:
        rest = ngettext("und einer mehr", "und %(count)s mehr", more) % {"count": more}
        names[MOST_NAMES:] = [rest]
    title = _("Tisch %(table)s: %(count)s nicht angekommen") % {"table": number, "count": len(rows)}
    note = _("Stapel bringen oder bestätigen, dass sie da sind: %(names)s") % {
        "names": f"{', '.join(names)}."
    }
    return DueItem(DueKind.MISSING, Urgency.SOON, title, note, number=number)


def _penalty_item(view: PenaltyView) -> DueItem:
    left = view.served.left
    seating = seating_of(view.penalty.entry)
    words = {
        "name": view.penalty.entry.registration.person.name,
        "table": seating.table.number if seating else "",
        "count": left,
    }
    if not left:
        title, note = _("Strafe von %(name)s endet mit dieser Hand"), _(
            "Tisch %(table)s: ab der nächsten Hand spielt er wieder mit."
        )  # fmt: skip
    else:
        title = ngettext(
            "Strafe von %(name)s: noch eine Hand", "Strafe von %(name)s: noch %(count)s Hände", left
        )
        note = _("Tisch %(table)s.")
    return DueItem(
        DueKind.PENALTY,
        Urgency.SOON if left <= 1 else Urgency.LATER,
        title % words,
        note % words,
        number=view.penalty.entry_id,
        fact=f"{view.penalty.pk} {left <= 1}",
    )
