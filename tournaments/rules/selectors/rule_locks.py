"""Binding rules with their reasons: for the service and the grey field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Exists, OuterRef

from tournaments.event.selectors.event import eliminations_live_count, hand_for_hand_was_begun
from tournaments.models import ClockCall, ClockCallEnd, Draw, Event, Seating
from tournaments.rules.selectors.rule import Binds, Rule


def bound_by(event: Event) -> frozenset[Binds]:
    """Return the binding events that have happened by now."""
    if not event.has_started:
        return frozenset()
    happened = {
        Binds.START: True,
        Binds.FIRST_OUT: eliminations_live_count(event) > 0,
        Binds.HAND_FOR_HAND: hand_for_hand_was_begun(event),
        Binds.FINAL_TABLE: Draw.objects.live().filter(event=event, kind="final").exists(),
        Binds.ON_THE_CLOCK: _is_somebody_on_the_clock(event),
    }
    return frozenset(bound for bound, has in happened.items() if has)


def obstacles_to_rules(event: Event, rules: Iterable[Rule]) -> Mapping[str, str]:
    """Return why rules cannot change now, by name; changeable ones are left out."""
    bound = bound_by(event)
    return {rule.name: str(rule.binds.reason) for rule in rules if rule.binds in bound}


def _is_somebody_on_the_clock(event: Event) -> bool:
    ended = ClockCallEnd.objects.live().filter(call=OuterRef("pk"))
    seated = Seating.objects.live().filter(entry=OuterRef("entry"), table=OuterRef("table"))
    return ClockCall.objects.live().filter(Exists(seated), ~Exists(ended), event=event).exists()
