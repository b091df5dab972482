"""What the tables make due: a final table, a table to break or close, a move, first dealers."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.domain.moves import Suggestion
from tournaments.domain.seating import TableCount
from tournaments.models import DealerDraw, Event, Table
from tournaments.selectors.due_items import DueItem, DueKind, Urgency
from tournaments.selectors.event import players_left
from tournaments.selectors.suggestions import FloorAdvice, entry_names

RULES = {
    "next_big_blind.worst_seat": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht auf den schlechtesten freien Platz."
    ),
    "next_big_blind.waits": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht um und wartet, bis der Button vorbei ist."
    ),
    "next_big_blind.drawn": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht um; der Platz ist ausgelost."
    ),
    "drawn.worst_seat": gettext_lazy(
        "Ausgelost, weil der Button nicht bekannt ist; auf den schlechtesten freien Platz."
    ),
    "drawn.waits": gettext_lazy(
        "Ausgelost, weil der Button nicht bekannt ist; wartet, bis der Button vorbei ist."
    ),
    "drawn.drawn": gettext_lazy("Beides ausgelost, weil die Buttons nicht bekannt sind."),
}


def dealer_items(event: Event, counts: Sequence[TableCount], urgency: Urgency) -> list[DueItem]:
    drawn = DealerDraw.objects.live().filter(table__event=event)
    tables = Table.objects.live().filter(event=event).exclude(pk__in=drawn.values("table"))
    missing = set(tables.values_list("number", flat=True))
    numbers = [count.number for count in counts if count.players > 1 and count.number in missing]
    if not numbers:
        return []
    title = ngettext(
        "Erster Geber an Tisch %(table)s", "Erste Geber an %(count)s Tischen", len(numbers)
    )
    return [
        DueItem(
            kind=DueKind.DEALER,
            urgency=urgency,
            title=title % {"table": numbers[0], "count": len(numbers)},
            note=_("Die höchste Karte gibt: Pik vor Herz vor Karo vor Kreuz."),
            number=numbers[0],
        )
    ]


def floor_items(event: Event, counts: Sequence[TableCount], advice: FloorAdvice) -> list[DueItem]:
    if advice.draws_final:
        note = _("Noch %(count)s im Spiel: alle an einen Tisch, jeder Platz neu.")
        return [
            DueItem(
                kind=DueKind.FINAL_TABLE,
                urgency=Urgency.NOW,
                title=_("Finaltisch auslosen"),
                note=note % {"count": players_left(event)},
            )
        ]
    if advice.breaks_table is not None:
        return [_break_item(counts, advice.breaks_table)]
    return [_move_item(counts, advice)] if advice.moves else []


def _break_item(counts: Sequence[TableCount], number: int) -> DueItem:
    players = next(count.players for count in counts if count.number == number)
    if not players:
        return DueItem(
            kind=DueKind.CLOSE,
            urgency=Urgency.SOON,
            title=_("Tisch %(table)s ist leer") % {"table": number},
            number=number,
        )
    return DueItem(
        kind=DueKind.BREAK,
        urgency=Urgency.NOW,
        title=_("Tisch %(table)s auflösen") % {"table": number},
        note=_("Alle im Spiel passen an die anderen Tische."),
        number=number,
    )


def _move_item(counts: Sequence[TableCount], advice: FloorAdvice) -> DueItem:
    move: Suggestion = advice.moves[0]
    short = next(count.players for count in counts if count.number == move.to_table)
    most = max(count.players for count in counts)
    lines = [
        _("%(name)s: von Tisch %(from)s, Platz %(seat)s, an Tisch %(to)s, Platz %(to_seat)s.")
        % {
            "name": entry_names({move.entry}).get(move.entry, ""),
            "from": move.from_table,
            "seat": move.from_seat,
            "to": move.to_table,
            "to_seat": move.to_seat,
        }
    ]
    more = advice.moves_in_all - 1
    if more:
        text = ngettext("Danach noch ein Umzug.", "Danach noch %(count)s Umzüge.", more)
        lines.append(text % {"count": more})
    return DueItem(
        kind=DueKind.MOVE,
        urgency=Urgency.NOW,
        title=_("Tisch %(table)s ist um %(count)s kurz")
        % {"table": move.to_table, "count": most - short},
        note=" ".join(lines),
        rule=str(RULES.get(move.reason_code, "")),
        number=move.to_table,
        move=move,
    )
