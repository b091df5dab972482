"""For every kind of log entry of an event a way to press what makes it, or why nobody does."""

from collections.abc import Callable
from typing import Any

from clock.selectors import clock_levels
from tests import factories as f
from tests.services.anybody import Anybody
from tests.services.presses_bounties import PRESSES_BOUNTIES
from tests.services.presses_entries import PRESSES_ENTRIES
from tests.services.presses_places import PRESSES_PLACES
from tests.services.presses_prizes import PRESSES_PRIZES
from tournaments.models import (
    Action,
    ClockCall,
    Elimination,
    KeepApart,
    Registration,
    RulePreset,
    Seating,
)

Press = Callable[[Anybody], Action | None]

# Kinds that nobody presses here, by the reason.
WHY_NOT = {
    "belongs to the club": "event.created event.copied",
    "deletes the event, the one thing that ever is": "sample.removed",
    "only before play begins": (
        "seats.drawn event.schedule_set event.schedule_planned chips.chosen clock.start_planned"
        " start.announced announcement.start_called rehearsal.filled"
    ),
    "only in a rehearsal": (
        "rehearsal.announced rehearsal.halted rehearsal.played rehearsal.time_passed"
    ),
    "only where nobody has a name": "count.changed",
}
NOT_PRESSED = {kind for kinds in WHY_NOT.values() for kind in kinds.split()}
OF_THE_CLUB = ("club.", "staff.", "screen.", "person.", "contacts.", "league.", "profile.")
# So much oftener than once among all kinds.
OFTEN = {
    "action.undone": 18,
    "entry.eliminated": 6,
    "entry.checked_in": 4,
    "registration.created": 2,
    "seat.balanced": 3,
    "table.broken": 3,
    "hand.begun": 2,
    "table.reported": 4,
    "heads.checked": 3,
}
# What takes no arguments, and what takes a table alone.
PLAIN = (
    "clock.hand_counted clock.level_advanced clock.level_reverted clock.paused clock.started"
    " closing.announced dealers.drawn final_table.drawn hand_for_hand.ended table.opened"
    " tables.redrawn"
)
AT_A_TABLE = "dealer.drawn director.coming director.settled hand.begun"


def rare(who: Anybody, number: int) -> dict[str, Any] | None:
    return {} if who.one_in(number) else None


GIVEN: dict[str, Callable[[Anybody], dict[str, Any] | None]] = {
    "announcement.made": lambda who: {"text": "Weiter"},
    "button.marked": lambda who: {"table": who.table(), "seat": who.seat()},
    "chips.raced": lambda who: {"table": who.table(), "held": {}},
    "clock.adjusted": lambda who: {"seconds": who.rng.choice([60, -60])},
    "clock.break_begun": lambda who: {"minutes": who.rng.randrange(1, 20)},
    "clock.break_stop_set": lambda who: {"stops": who.rng.choice([True, False])},
    "clock.counting_table_set": lambda who: {"table": 1},
    "clock.jumped": lambda who: {
        "level": who.rng.choice(clock_levels(f.fresh(who.event).clock)).id
    },
    "clock.last_hands_set": lambda who: {"hands": 3},
    "clock.level_corrected": lambda who: {"amounts": {"ante": who.rng.randrange(1, 9)}},
    "clock.put_back": lambda who: {"since": f.after(who.rng.randrange(60, 200))},
    "clock.set": lambda who: {"seconds": who.rng.randrange(60, 900)},
    "clock_call.ran_out": lambda who: {"call": who.pick(ClockCall), "outcome": "dead"},
    "clock_call.started": lambda who: {"entry": who.entry()},
    "clock_call.stopped": lambda who: {"call": who.pick(ClockCall)},
    "director.called": lambda who: {"table": who.table(), "reason": "rule"},
    "draw.hall_number_set": lambda who: {"number": "77"},
    "entry.checked_in": lambda who: {"registration": who.pick(Registration, voided_by=None)},
    "entry.left": lambda who: {"entry": who.entry()},
    "event.cancelled": lambda who: rare(who, 12),
    "event.ended": lambda who: rare(who, 6),
    "event.updated": lambda who: {"settings": {"capacity": who.rng.randrange(12, 20)}},
    "hand_for_hand.begun": lambda who: {"by_itself": who.rng.choice([True, False])},
    "keep_apart.dropped": lambda who: {"wish": who.pick(KeepApart)},
    "keep_apart.wished": lambda who: {
        "first": who.pick(Registration),
        "second": who.pick(Registration),
    },
    "knockout.set": lambda who: {"eliminations": [who.pick(Elimination)], "takers": [who.entry()]},
    "penalty.given": lambda who: {
        "entry": who.entry(),
        "kind": who.rng.choice(["warning", "hands", "rounds"]),
        "amount": who.rng.randrange(1, 3),
        "reason": "Test",
    },
    "registration.corrected": lambda who: {
        "registration": who.pick(Registration),
        "name": f"Neu {who.rng.randrange(9)}",
    },
    "registration.created": lambda who: {"name": f"Gast {who.rng.randrange(8)}"},
    "registration.imported": lambda who: {"people": [{"name": f"Gast {who.rng.randrange(8)}"}]},
    "registration.withdrawn": lambda who: {"registration": who.pick(Registration)},
    "rules.changed": lambda who: {"rules": {"tap_holds_minutes": who.rng.randrange(5, 30)}},
    "rules.preset_chosen": lambda who: {"preset": RulePreset.objects.get(key="krru-3")},
    "rules.preset_saved": lambda who: {"name": f"Haus {who.rng.randrange(99)}"},
    "ruling.noted": lambda who: {"table": who.table(), "decided": "Neu gegeben"},
    "schedule.saved": lambda who: {"name": f"Plan {who.rng.randrange(99)}"},
    "seat.locked": lambda who: {"table": who.table(), "seat": who.seat(), "reason": "Test"},
    "seat.moved": lambda who: {
        "entry": who.entry(),
        "table": who.table(),
        "seat": who.seat(),
        "reason": "Test",
    },
    "seating.arrived": lambda who: {"seatings": [who.pick(Seating, voided_by=None)]},
    "seats.swapped": lambda who: {"first": who.entry(), "second": who.entry(), "reason": "Test"},
    "stack.brought": lambda who: {"seating": who.pick(Seating, voided_by=None)},
    "table.broken": lambda who: {"table": who.table(), "reason": "Test"},
    "table.halted": lambda who: {"table": who.table(), "is_waived": who.rng.choice([True, False])},
}


def _press(kind: str, given: Callable[[Anybody], dict[str, Any] | None]) -> Press:
    def press(who: Anybody) -> Action | None:
        own = given(who)
        return None if own is None else who.call(kind, **own)

    return press


PRESSES: dict[str, Press] = {
    **{kind: _press(kind, lambda who: {}) for kind in PLAIN.split()},
    **{kind: _press(kind, lambda who: {"table": who.table()}) for kind in AT_A_TABLE.split()},
    **{kind: _press(kind, given) for kind, given in GIVEN.items()},
    "action.undone": Anybody.take_back,
    "disqualification.counted": Anybody.count_stack,
    "elimination.corrected": Anybody.correct,
    "entry.disqualified": Anybody.disqualify,
    "entry.eliminated": Anybody.out,
    "entry.returned": Anybody.return_somebody,
    "heads.checked": Anybody.heads,
    "money.reached": Anybody.reach_money,
    "out.disqualified": Anybody.disqualify_out,
    "penalty.served": Anybody.serve,
    "place.overruled": Anybody.overrule,
    "round.released": Anybody.release,
    "schedule.edited": Anybody.edit_schedule,
    "seat.balanced": Anybody.follow_advice,
    "seat.unlocked": Anybody.unlock,
    "seats.drawn_by_cards": Anybody.draw_cards,
    "table.closed": Anybody.close,
    "table.reported": Anybody.report,
    **PRESSES_BOUNTIES,
    **PRESSES_ENTRIES,
    **PRESSES_PLACES,
    **PRESSES_PRIZES,
}
