"""Data of the elimination sheet: places, and details still to add."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import QueryDict
from django.utils.translation import gettext as _

from clock.snapshot import snapshot
from tournaments.changes.domain.numbers import numbers_in
from tournaments.event.domain.rules import BustTies, SameHand
from tournaments.event.selectors.event import (
    entry_names,
    final_seats,
    players_left,
    sells_again,
)
from tournaments.models import Elimination, Entry, Event, Knockout, LostStack, RebuyChance, Seating
from tournaments.play.domain.ranking import stacks_matter
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.eliminations import (
    entries_at,
    hands_near,
    lost_rows,
    out_notes,
    outs_before,
    outs_of,
    without_chips,
)
from tournaments.play.selectors.ranking import overruled_of, places_made, winner_name
from tournaments.prizes.selectors.plans import paid_places
from tournaments.rebuys.selectors.offers import chances_live

MOST_BEFORE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The lost stacks of a request: eliminations, held seats, stacks re-bought since."""

    outs: list[Elimination] = field(default_factory=list)
    held: list[RebuyChance] = field(default_factory=list)
    past: list[LostStack] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.outs or self.held or self.past)

    @property
    def lost(self) -> list[LostStack]:
        """Return the stacks lost without an elimination."""
        return [*(row.lost for row in self.held), *self.past]


def stacks_asked(event: Event, data: QueryDict) -> Asked:
    """Return the stacks named by the fields `entry` and `lost`."""
    entries, past = numbers_in(data.getlist("entry")), numbers_in(data.getlist("lost"))
    sells = sells_again(event) and bool(entries or past)
    of_these = Q(entry__in=entries) | Q(lost__in=past)
    held = list(chances_live(event).filter(of_these)) if sells else []
    past = sorted({*past} - {row.lost_id for row in held})
    return Asked(
        outs=outs_of(event, entries), held=held, past=lost_rows(event, past) if past else []
    )


def sheet(event: Event, asked: Asked, now: datetime) -> dict[str, Any]:
    """Return the places of these, and the details that can be added now or later."""
    rows, held, lost = asked.outs, asked.held, asked.lost
    entries = [*(row.entry_id for row in rows), *(row.entry_id for row in held)]
    bust = [row for row in rows if row.way != Elimination.Way.SURRENDERED]
    context = {
        "event": event,
        "held": held,
        "past": asked.past,
        "action": held[0].made_by if held else None,
        "entries": entries,
        "takers": _takers(bust, lost) if bust or not rows else [],
        "surrenders": entries[0] if len(entries) == 1 and not asked.past else None,
        "lost_in_all": [*rows, *lost],
    }
    return context | (_outs(event, rows, now) if rows else {"outs": []})


def _outs(event: Event, rows: list[Elimination], now: datetime) -> dict[str, Any]:
    snapshot(event, event.clock)
    makers = {row.made_by_id: row.made_by for row in rows}
    found: dict[int, int] = {}
    for maker in makers.values():
        found |= places_made(event, maker)
    overruled, notes = overruled_of(event), out_notes(event, found, now)
    action = max(makers.values(), key=lambda made: made.sequence)
    return {
        "action": action,
        "is_corrected": action.kind == "elimination.corrected",
        "outs": sorted(
            (
                {
                    "name": row.entry.registration.person.name,
                    "place": found[row.entry_id],
                    "is_overruled": row.entry_id in overruled,
                    "is_surrendered": row.way == Elimination.Way.SURRENDERED,
                    "notes": notes.get(row.entry_id, []),
                }
                for row in rows
            ),
            key=lambda line: (line["place"], line["name"]),
        ),
        "is_provisional": any(row.round_id for row in rows) and bool(provisional_entries(event)),
        "left": players_left(event),
        "winner": winner_name(event),
        "hands": _hands(rows[-1]),
        "before": [
            {"entry": row.entry_id, "name": row.entry.registration.person.name, "at": row.at}
            for row in outs_before(event, rows[0].at, MOST_BEFORE)
        ],
        "stacks": _stacks(event, rows, found),
    }


def _hands(row: Elimination) -> list[dict[str, Any]]:
    lines = [{"number": hand.number, "is_on": hand.pk == row.round_id} for hand in hands_near(row)]
    return lines if len(lines) > 1 or not row.round_id else []


def _takers(rows: Sequence[Elimination], lost: Sequence[LostStack]) -> list[dict[str, Any]]:
    """Return the players with chips at the table then; a tap sets one as taker."""
    every: list[Elimination | LostStack] = [*rows, *lost]
    last = max(every, key=lambda row: row.at, default=None)
    if last is None or last.table_id is None:
        return []
    known = Knockout.objects.live().filter(Q(elimination__in=rows) | Q(lost__in=lost))
    chosen = list(dict.fromkeys(known.order_by("pk").values_list("by_id", flat=True)))
    there = entries_at(last.table_id, last.at)
    gone = {row.entry_id for row in every} | without_chips(last.event_id, there, last.at)
    there = [entry for entry in there if entry not in gone]
    names = _names_with_seats(entry_names({*there, *chosen}))
    return [
        {
            "name": names[entry],
            "is_on": entry in chosen,
            "takers": [pk for pk in chosen if pk != entry] if entry in chosen else [*chosen, entry],
        }
        for entry in dict.fromkeys([*there, *chosen])
    ]


def _names_with_seats(names: Mapping[int, str]) -> dict[int, str]:
    """Return names by entry, with the last seat where two names are equal."""
    common = Counter(names.values())
    same = [entry for entry, name in names.items() if common[name] > 1]
    seats: dict[int, int] = {}
    if same:
        rows = Seating.objects.filter(entry__in=same).order_by("pk")
        seats = dict(rows.values_list("entry", "seat"))
    with_seat = _("%(name)s (Platz %(seat)s)")
    return {
        entry: with_seat % {"name": name, "seat": seats[entry]} if entry in seats else name
        for entry, name in names.items()
    }


def _stacks(event: Event, rows: list[Elimination], found: dict[int, int]) -> list[dict[str, Any]]:
    """Return the stacks to ask for: those of a hand that decide a relevant place."""
    together = _of_one_hand(event, rows)
    known = all(row.start_stack is not None for row in together)
    if len(together) < 2 or known or event.rule_set.same_hand is SameHand.SHARED:
        return []
    best = min(found[row.entry_id] for row in rows)
    field = {"left": best - 1, "out": len(together), "paid": paid_places(event)}
    if not stacks_matter(**field, final_table=final_seats(event)):
        return []
    names = _names_with_seats(
        {row.entry_id: row.entry.registration.person.name for row in together}
    )
    return [
        {"entry": row.entry_id, "name": names[row.entry_id], "stack": row.start_stack}
        for row in together
    ]


def _of_one_hand(event: Event, rows: list[Elimination]) -> list[Elimination]:
    """Return all ranked by stack with the last of these: same hand, or same round."""
    last = rows[-1]
    same = Elimination.objects.live().filter(event=event)
    if last.group is not None:
        same = same.filter(group=last.group)
    elif last.round_id is None:
        return [last]
    elif event.rule_set.bust_ties is BustTies.BY_STACK:
        same = same.filter(round=last.round_id)
    else:
        same = same.filter(round=last.round_id, table=last.table_id)
    return list(same.select_related("entry__registration__person").order_by("pk"))


def order(event: Event, ticked: list[Entry], first: Collection[int]) -> dict[str, Any]:
    """Return the ticked players still to be ordered, and the target of each tap."""
    chosen = [entry for pk in first for entry in ticked if entry.pk == pk]
    rest = [entry for entry in ticked if entry.pk not in set(first)]
    names = _names_with_seats({entry.pk: entry.registration.person.name for entry in ticked})
    return {
        "event": event,
        "ticked": ticked,
        "chosen": [names[entry.pk] for entry in chosen],
        "lines": [
            {
                "name": names[entry.pk],
                "first": [*(other.pk for other in chosen), entry.pk],
                "then": [other.pk for other in rest if other.pk != entry.pk],
            }
            for entry in rest
        ],
        "is_last_choice": len(rest) == 2,
    }
