"""The facts of an event as its log tells them, and as the tables hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.log.domain.rebuild import (
    Difference,
    Known,
    Noted,
    Of,
    Value,
    differences,
    places_by,
    rebuilt,
)
from tournaments.models import (
    Action,
    ChipMovement,
    Elimination,
    Entry,
    Event,
    PlaceRuling,
    Posting,
    Purchase,
    Seating,
    StackCount,
)
from tournaments.models.log import Fact
from tournaments.play.domain.eliminations import instant_us
from tournaments.play.domain.ranking import TieRules

# Of each kind of fact: its rows, how they are of an event, and its columns as a log entry has them.
TABLES: Mapping[Of, tuple[type[Fact], str, Sequence[str]]] = {
    Of.ENTRIES: (Entry, "event", ("pk", "registration_id", "number")),
    Of.SEATS: (Seating, "event", ("entry_id", "table__number", "seat")),
    Of.OUTS: (
        Elimination,
        "event",
        ("entry_id", "way", "at", "sequence", "group", "round_id", "start_stack", "table__number",
         "seat"),
    ),
    Of.CHIPS: (ChipMovement, "event", ("entry_id", "reason", "amount")),
    Of.RULINGS: (PlaceRuling, "event", ("entry_id", "beside_id", "way")),
    Of.COUNTS: (StackCount, "entry__event", ("entry_id", "amount")),
    Of.PURCHASES: (Purchase, "event", ("registration_id", "entry_id", "what", "number", "cents")),
    Of.POSTINGS: (
        Posting,
        "event",
        ("registration_id", "account", "amount_cents", "drawer__number", "means"),
    ),
}  # fmt: skip
AS_NOTED: Mapping[str, Callable[[Any], Value]] = {"at": instant_us}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChecked:
    """Where the log and the tables differ, and the place of everybody by each.

    `since` is the number of the first entry that notes its facts: what was made before, by an older
    version, is not compared. `outs_twice`: no places follow from the tables.
    """

    since: int
    differences: list[Difference]
    by_log: Mapping[int, int]
    by_tables: Mapping[int, int]
    outs_twice: bool


def facts_checked(event: Event) -> FactsChecked:
    """Make the facts anew from the log, and compare them with the tables."""
    log = list(_log(event))
    since = _since(event, log)
    stored = list(_stored(event))
    old = [fact for fact in stored if 0 <= fact.by < since]
    noted = rebuilt(log)
    found = differences(noted, (fact for fact in stored if not 0 <= fact.by < since))
    rules = event.rule_set
    ties = TieRules(same_hand=rules.same_hand, bust_ties=rules.bust_ties)
    ended = event.ended_by.sequence if event.ended_by else None
    by_log = _places([*old, *noted], ended=ended, rules=ties)
    by_tables = _places(stored, ended=ended, rules=ties)
    return FactsChecked(
        since=since,
        differences=found,
        by_log=by_log or {},
        by_tables=by_tables or {},
        outs_twice=by_tables is None,
    )


def _places(facts: list[Known], *, ended: int | None, rules: TieRules) -> dict[int, int] | None:
    try:
        return places_by(facts, ended=ended, rules=rules)
    except ValueError:
        return None


def _log(event: Event) -> Iterator[Noted]:
    rows = Action.objects.filter(event=event).order_by("sequence")
    for row, number, payload in rows.values_list("pk", "sequence", "payload").iterator():
        facts = payload.get("facts", {})
        yield Noted(number=number, row=row, undoes=payload.get("undoes"), facts=facts)


def _since(event: Event, log: list[Noted]) -> int:
    """Return from which entry on facts are noted; 0 for an event that was made since."""
    made = Action.objects.filter(event=None, club=event.club_id, payload__event=event.pk)
    if made.filter(payload__has_key="facts").exists():
        return 0
    return next((entry.number for entry in log if entry.facts), len(log) + 1)


def _stored(event: Event) -> Iterator[Known]:
    for of, (model, owner, columns) in TABLES.items():
        rows = model.objects.live().filter(**{owner: event})
        for *values, by, of_event in rows.values_list(
            *columns, "made_by__sequence", "made_by__event"
        ):
            noted = tuple(
                AS_NOTED.get(column, _same)(value)
                for column, value in zip(columns, values, strict=True)
            )
            # Drawer and means are noted where money lies, and not by what an older version wrote.
            if of == Of.POSTINGS and not noted[-1]:
                noted = noted[:-2]
            yield Known(of, noted, by if of_event == event.pk else -1)


def _same(value: Value) -> Value:
    return value
