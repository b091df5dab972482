"""Texts of the bubble: tables meant, results of counts, obstacles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_state
from tournaments.models import Event
from tournaments.play.domain.bubble import Hindrance, TableHeads
from tournaments.play.selectors.bubble import Bubble

MOST_NAMED = 8


def tables_named(numbers: Sequence[int]) -> str:
    """Return table numbers as text; of very many only the first."""
    shown = ", ".join(map(str, numbers[:MOST_NAMED]))
    more = len(numbers) - MOST_NAMED
    if more > 0:
        text = ngettext(
            "Tische %(tables)s und noch einer", "Tische %(tables)s und %(count)s weitere", more
        )
        return text % {"tables": shown, "count": more}
    text = ngettext("Tisch %(tables)s", "Tische %(tables)s", len(numbers))
    return text % {"tables": shown}


def difference(heads: TableHeads) -> str:
    return _("Tisch %(table)s: %(counted)s gezählt, %(players)s eingetragen") % {
        "table": heads.number,
        "counted": heads.counted,
        "players": heads.players,
    }


def why_not_in_the_money(bubble: Bubble) -> str:
    """Return the obstacle to "in the money" as a sentence with tables; empty if none."""
    if bubble.hindrance is None:
        return ""
    return _WHY[bubble.hindrance](bubble)


def hand_still_runs(awaited: Sequence[int]) -> str:
    return _("Die Hand läuft noch. Es fehlt die Meldung: %(tables)s.") % {
        "tables": tables_named(awaited)
    }


def waits_for_break(event: Event, at: datetime) -> str:
    """Return that no hand is released during this break; empty without a break."""
    state = clock_state(event.clock, at)
    if not state.level.is_break or state.is_waiting:
        return ""
    return _("Jetzt ist Pause. Danach lässt sich die nächste Hand freigeben.")


def _still_to_go_out(count: int) -> str:
    text = ngettext(
        "Bis zum Geld muss noch einer ausscheiden.",
        "Bis zum Geld müssen noch %(count)d ausscheiden.",
        count,
    )
    return text % {"count": count}


def _counts_differ(bubble: Bubble) -> str:
    differing = "; ".join(difference(heads) for heads in bubble.differing[:MOST_NAMED])
    return _("Die Zählung weicht ab. %(tables)s.") % {"tables": differing}


_WHY: Mapping[Hindrance, Callable[[Bubble], str]] = {
    Hindrance.PAID_PLACES_UNKNOWN: lambda _bubble: _(
        "Es ist nicht eingestellt, wie viele Plätze bezahlt werden."
    ),
    Hindrance.TOO_MANY_LEFT: lambda bubble: _still_to_go_out(bubble.to_money),
    Hindrance.ROUND_OPEN: lambda bubble: hand_still_runs(bubble.awaited),
    Hindrance.TABLES_DIFFER: _counts_differ,
    Hindrance.TABLES_OPEN: lambda bubble: (
        _("Noch nicht nachgezählt: %(tables)s.") % {"tables": tables_named(bubble.open)}
    ),
    Hindrance.SOMEBODY_SITS_NOWHERE: lambda _bubble: _(
        "Jemand ist im Spiel und sitzt an keinem Tisch. Erst klären, wo."
    ),
}
