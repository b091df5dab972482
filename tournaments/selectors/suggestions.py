"""What the director is advised to do with the tables: break one, or move somebody, and why.

Only the tables concerned are loaded; the counts of all come from one query.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tournaments.domain.draws import draw_order
from tournaments.domain.rules import BreakOrder, RuleSet, rule_set_from
from tournaments.domain.seating import (
    Suggestion,
    TableCount,
    TableView,
    Transfer,
    balancing_moves,
    final_table_size,
    mover_and_seat,
    table_to_break,
)
from tournaments.models import Draw, Entry, Event
from tournaments.selectors.floor import table_counts, table_views

MOST_MOVES_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorAdvice:
    """At most one of them is set: a final table, a table to break, or moves in this order."""

    draws_final: bool = False
    breaks_table: int | None = None
    moves: tuple[Suggestion, ...] = ()
    moves_in_all: int = 0


def floor_advice(event: Event) -> FloorAdvice:
    """Return what the tables need now. Before the start: only that they be balanced."""
    counts, rules = table_counts(event), rules_of(event)
    if event.has_started and len(counts) > 1:
        seated = sum(count.players for count in counts)
        fits_final = 2 <= seated <= final_table_size(event.seats_per_table)
        if fits_final and rules.redraws_final_table:
            return FloorAdvice(draws_final=True)
        broken = table_to_break(counts, event.seats_per_table, break_order(counts, rules))
        if broken is not None:
            return FloorAdvice(breaks_table=broken)
    transfers = balancing_moves(counts, rules.balancing_tolerance) if counts else ()
    shown = suggestions_for(event, transfers[:MOST_MOVES_SHOWN])
    return FloorAdvice(moves=shown, moves_in_all=len(transfers))


def suggestions_for(event: Event, transfers: tuple[Transfer, ...]) -> tuple[Suggestion, ...]:
    """Return who moves where for each transfer, each as if the ones before it were done."""
    if not transfers:
        return ()
    numbers = {number for move in transfers for number in (move.from_table, move.to_table)}
    views = table_views(event, numbers)
    draw_number = next_draw_number(event)
    found: list[Suggestion] = []
    for move in transfers:
        tie = partial(
            draw_order,
            secret=event.draw_secret,
            hall_number=event.hall_number,
            draw_number=draw_number,
        )
        suggestion = mover_and_seat(views[move.from_table], views[move.to_table], tie=tie)
        # A drawn move takes the number; the next must be found as it will be in its turn.
        draw_number += is_drawn(suggestion)
        found.append(suggestion)
        _apply(views, suggestion)
    return tuple(found)


def is_drawn(move: Suggestion) -> bool:
    """Tell whether chance had a part in a move, so that it is kept as a draw."""
    return "drawn" in move.reason_code


def break_order(counts: list[TableCount], rules: RuleSet) -> list[int]:
    """Return in which order tables are broken, as the rule set publishes it."""
    from_highest = rules.break_order == BreakOrder.HIGHEST_NUMBER
    return sorted((count.number for count in counts), reverse=from_highest)


def next_draw_number(event: Event) -> int:
    last = Draw.objects.filter(event=event).order_by("-number").values_list("number", flat=True)
    return (last.first() or 0) + 1


def rules_of(event: Event) -> RuleSet:
    return rule_set_from(event.rules)


def entry_names(entry_ids: set[int]) -> dict[int, str]:
    rows = Entry.objects.filter(pk__in=entry_ids)
    return dict(rows.values_list("pk", "registration__person__name"))


def _apply(views: dict[int, TableView], move: Suggestion) -> None:
    source, target = views[move.from_table], views[move.to_table]
    left = {seat: entry for seat, entry in source.players.items() if entry != move.entry}
    views[move.from_table] = replace(source, players=left)
    joined = dict(sorted({**target.players, move.to_seat: move.entry}.items()))
    views[move.to_table] = replace(target, players=joined)
