"""Head counts of tables near the money, and whether they are still valid. Reads only."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.selectors.event import without_chips
from tournaments.models import Action, Event, HeadCheck, Seating, Table
from tournaments.play.domain.bubble import TableHeads
from tournaments.seating.selectors.conduct import walking

Changed = tuple[datetime, int]


def table_heads(
    event: Event, tables: Sequence[Table], players: dict[int, int]
) -> dict[int, TableHeads]:
    """Return each table's last head count by table id, and whether it is still valid."""
    made = HeadCheck.objects.live().filter(table__in=[row.pk for row in tables])
    checks = {row.table_id: row for row in made.order_by("checked_at", "made_by_id")}
    changes = _last_changes(event, checks)
    found = {}
    for row in tables:
        check, change = checks.get(row.pk), changes.get(row.pk)
        if check is not None:
            found[row.pk] = TableHeads(
                number=row.number,
                players=players.get(row.pk, 0),
                counted=check.players,
                is_fresh=change is None or (check.checked_at, check.made_by_id) > change,
            )
    return found


def among_the_seated(event: Event, number: int) -> str:
    """Return how many counted at a table have no chips or are on the way; empty for none."""
    seated = Seating.objects.live().filter(event=event, table__number=number)
    entries = tuple(seated.order_by("seat").values_list("entry", flat=True))
    held = len(without_chips(event).keys() & set(entries))
    coming = len(walking(event, entries))
    told = [
        (held, ngettext("einer ohne Chips", "%(count)s ohne Chips", held)),
        (coming, ngettext("einer noch unterwegs", "%(count)s noch unterwegs", coming)),
    ]
    words = ", ".join(text % {"count": count} for count, text in told if count)
    return _("Davon %(words)s.") % {"words": words} if words else ""


def _last_changes(event: Event, checks: dict[int, HeadCheck]) -> dict[int, Changed]:
    """Return the last arrival or departure at each table, with its action's id.

    Ordered by instant of the event: a tap delayed on a phone counts for its own instant.
    """
    if not checks:
        return {}
    found: dict[int, Changed] = {}
    rows = Seating.objects.filter(table__in=checks).values("table").order_by()
    for sat in rows.annotate(
        made=Max("made_by__at"), left=Max("voided_by__at"), by=Max("made_by"), to=Max("voided_by")
    ):
        at = max(sat["made"], sat["left"] or sat["made"])
        found[sat["table"]] = at, max(sat["by"], sat["to"] or 0)
    for table, change in _taken_back(event, min(row.made_by_id for row in checks.values())):
        if table in found:
            found[table] = max(found[table], change)
    return found


def _taken_back(event: Event, since: int) -> list[tuple[int, Changed]]:
    """Return the tables where an undo changed the players: the seatings do not show it."""
    undos = Action.objects.filter(event=event, undoes__isnull=False, pk__gt=since)
    found: list[tuple[int, Changed]] = []
    for undo in undos.select_related("undoes__undoes"):
        chain = [row for row in (undo, undo.undoes, undo.undoes and undo.undoes.undoes) if row]
        ids = [row.pk for row in chain]
        revived = [pk for row in chain for pk in row.payload.get("revived", {}).get("Seating", [])]
        touched = Q(made_by__in=ids) | Q(voided_by__in=ids) | Q(pk__in=revived)
        tables = Seating.objects.filter(touched).values_list("table", flat=True)
        found += [(table, (undo.at, undo.pk)) for table in set(tables)]
    return found
