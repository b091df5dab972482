"""For every kind of log entry of an event a way to press what makes it, or why nobody does."""

from collections.abc import Callable

from clock.selectors import clock_levels
from tests import factories as f
from tests.services.anybody import Anybody
from tests.services.presses_bounties import PRESSES_BOUNTIES
from tests.services.presses_entries import PRESSES_ENTRIES
from tests.services.presses_places import PRESSES_PLACES
from tests.services.presses_prizes import PRESSES_PRIZES
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import (
    registration_correct,
    registration_create,
    registration_withdraw,
    registrations_import,
)
from tournaments.event.services.clock import (
    clock_adjust,
    clock_jump,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_put_back,
    clock_set,
    clock_start,
    clock_stop_after_breaks,
)
from tournaments.event.services.clock_hands import (
    clock_counting_table,
    clock_hand,
    clock_last_hands,
)
from tournaments.event.services.lifecycle import event_cancel, event_end, event_update
from tournaments.event.services.schedule.edit import clock_break_now, level_correct
from tournaments.event.services.schedule.own import event_schedule_save
from tournaments.models import (
    Action,
    ClockCall,
    Elimination,
    KeepApart,
    Registration,
    RulePreset,
    Seating,
)
from tournaments.play.services.bubble import hand_for_hand_begin, hand_for_hand_end
from tournaments.play.services.calls import (
    clock_call_run_out,
    clock_call_start,
    clock_call_stop,
    director_call,
    director_come,
    director_settle,
)
from tournaments.play.services.conduct import entry_leave, penalty_give, seating_arrive, stack_bring
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.play.services.places import closing_announce
from tournaments.play.services.stacks import chip_race
from tournaments.post.services.messages import announcement_made
from tournaments.rules.services.rules import (
    event_preset_choose,
    event_preset_save,
    event_rules_change,
)
from tournaments.rulings.services.rulings import ruling_note
from tournaments.seating.services.breaking import final_table_draw, table_break, tables_redraw
from tournaments.seating.services.locks import (
    keep_apart_drop,
    keep_apart_wish,
    seat_lock,
    table_halt,
)
from tournaments.seating.services.seats import draw_hall_number_set
from tournaments.seating.services.tables import (
    dealer_draw_make,
    dealers_draw,
    entry_move,
    seats_swap,
    table_open,
)

# Kinds that nobody presses here, and why.
NOT_PRESSED = {
    "event.created": "belongs to the club",
    "event.copied": "belongs to the club",
    "sample.removed": "deletes the event, the one thing that ever is",
    "seats.drawn": "only before play begins",
    "event.schedule_set": "only before play begins",
    "event.schedule_planned": "only before play begins",
    "chips.chosen": "only before play begins",
    "clock.start_planned": "only before play begins",
    "start.announced": "only before play begins",
    "announcement.start_called": "only before play begins",
    "rehearsal.filled": "only before play begins",
    "rehearsal.announced": "only in a rehearsal",
    "rehearsal.halted": "only in a rehearsal",
    "rehearsal.played": "only in a rehearsal",
    "rehearsal.time_passed": "only in a rehearsal",
    "count.changed": "only where nobody has a name",
}
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


PRESSES: dict[str, Callable[[Anybody], Action | None]] = {
    "action.undone": Anybody.take_back,
    "announcement.made": lambda who: who.call(announcement_made, text="Weiter"),
    "button.marked": lambda who: who.call(button_mark, table=who.table(), seat=who.seat()),
    "chips.raced": lambda who: who.call(chip_race, table=who.table(), held={}),
    "clock.adjusted": lambda who: who.call(clock_adjust, seconds=who.rng.choice([60, -60])),
    "clock.break_begun": lambda who: who.call(clock_break_now, minutes=who.rng.randrange(1, 20)),
    "clock.break_stop_set": lambda who: who.call(
        clock_stop_after_breaks, stops=who.rng.choice([True, False])
    ),
    "clock.counting_table_set": lambda who: who.call(clock_counting_table, table=1),
    "clock.hand_counted": lambda who: who.call(clock_hand),
    "clock.jumped": lambda who: who.call(
        clock_jump, level=who.rng.choice(clock_levels(f.fresh(who.event).clock)).id
    ),
    "clock.last_hands_set": lambda who: who.call(clock_last_hands, hands=3),
    "clock.level_advanced": lambda who: who.call(clock_next_level),
    "clock.level_corrected": lambda who: who.call(
        level_correct, amounts={"ante": who.rng.randrange(1, 9)}
    ),
    "clock.level_reverted": lambda who: who.call(clock_previous_level),
    "clock.paused": lambda who: who.call(clock_pause),
    "clock.put_back": lambda who: who.call(
        clock_put_back, since=f.after(who.rng.randrange(60, 200))
    ),
    "clock.set": lambda who: who.call(clock_set, seconds=who.rng.randrange(60, 900)),
    "clock.started": lambda who: who.call(clock_start),
    "clock_call.ran_out": lambda who: who.call(
        clock_call_run_out, call=who.pick(ClockCall), outcome="dead"
    ),
    "clock_call.started": lambda who: who.call(clock_call_start, entry=who.entry()),
    "clock_call.stopped": lambda who: who.call(clock_call_stop, call=who.pick(ClockCall)),
    "dealers.drawn": lambda who: who.call(dealers_draw),
    "dealer.drawn": lambda who: who.call(dealer_draw_make, table=who.table()),
    "disqualification.counted": Anybody.count_stack,
    "draw.hall_number_set": lambda who: who.call(draw_hall_number_set, number="77"),
    "elimination.corrected": Anybody.correct,
    "entry.checked_in": lambda who: who.call(
        entry_check_in, registration=who.pick(Registration, voided_by=None)
    ),
    "entry.disqualified": Anybody.disqualify,
    "out.disqualified": Anybody.disqualify_out,
    "entry.eliminated": Anybody.out,
    "entry.left": lambda who: who.call(entry_leave, entry=who.entry()),
    "entry.returned": Anybody.return_somebody,
    "event.cancelled": lambda who: who.call(event_cancel) if who.one_in(12) else None,
    "event.ended": lambda who: who.call(event_end) if who.one_in(6) else None,
    "event.updated": lambda who: who.call(
        event_update, settings={"capacity": who.rng.randrange(12, 20)}
    ),
    "rules.changed": lambda who: who.call(
        event_rules_change, rules={"tap_holds_minutes": who.rng.randrange(5, 30)}
    ),
    "rules.preset_chosen": lambda who: who.call(
        event_preset_choose, preset=RulePreset.objects.get(key="krru-3")
    ),
    "schedule.saved": lambda who: who.call(
        event_schedule_save, name=f"Plan {who.rng.randrange(99)}"
    ),
    "rules.preset_saved": lambda who: who.call(
        event_preset_save, name=f"Haus {who.rng.randrange(99)}"
    ),
    "final_table.drawn": lambda who: who.call(final_table_draw),
    "hand.begun": lambda who: who.call(hand_begin, table=who.table()),
    "hand_for_hand.begun": lambda who: who.call(
        hand_for_hand_begin, by_itself=who.rng.choice([True, False])
    ),
    "hand_for_hand.ended": lambda who: who.call(hand_for_hand_end),
    "heads.checked": Anybody.heads,
    "keep_apart.dropped": lambda who: who.call(keep_apart_drop, wish=who.pick(KeepApart)),
    "keep_apart.wished": lambda who: who.call(
        keep_apart_wish, first=who.pick(Registration), second=who.pick(Registration)
    ),
    "knockout.set": lambda who: who.call(
        knockout_set, eliminations=[who.pick(Elimination)], takers=[who.entry()]
    ),
    "money.reached": Anybody.reach_money,
    "closing.announced": lambda who: who.call(closing_announce),
    "place.overruled": Anybody.overrule,
    "penalty.given": lambda who: who.call(
        penalty_give,
        entry=who.entry(),
        kind=who.rng.choice(["warning", "hands", "rounds"]),
        amount=who.rng.randrange(1, 3),
        reason="Test",
    ),
    "penalty.served": Anybody.serve,
    "registration.corrected": lambda who: who.call(
        registration_correct,
        registration=who.pick(Registration),
        name=f"Neu {who.rng.randrange(9)}",
    ),
    "registration.created": lambda who: who.call(
        registration_create, name=f"Gast {who.rng.randrange(8)}"
    ),
    "registration.imported": lambda who: who.call(
        registrations_import, people=[{"name": f"Gast {who.rng.randrange(8)}"}]
    ),
    "registration.withdrawn": lambda who: who.call(
        registration_withdraw, registration=who.pick(Registration)
    ),
    "round.released": Anybody.release,
    "schedule.edited": Anybody.edit_schedule,
    "seat.balanced": Anybody.follow_advice,
    "seat.locked": lambda who: who.call(
        seat_lock, table=who.table(), seat=who.seat(), reason="Test"
    ),
    "seat.moved": lambda who: who.call(
        entry_move, entry=who.entry(), table=who.table(), seat=who.seat(), reason="Test"
    ),
    "seat.unlocked": Anybody.unlock,
    "seating.arrived": lambda who: who.call(
        seating_arrive, seatings=[who.pick(Seating, voided_by=None)]
    ),
    "seats.drawn_by_cards": Anybody.draw_cards,
    "seats.swapped": lambda who: who.call(
        seats_swap, first=who.entry(), second=who.entry(), reason="Test"
    ),
    "stack.brought": lambda who: who.call(stack_bring, seating=who.pick(Seating, voided_by=None)),
    "table.broken": lambda who: who.call(table_break, table=who.table(), reason="Test"),
    "table.closed": Anybody.close,
    "director.called": lambda who: who.call(director_call, table=who.table(), reason="rule"),
    "director.coming": lambda who: who.call(director_come, table=who.table()),
    "director.settled": lambda who: who.call(director_settle, table=who.table()),
    "ruling.noted": lambda who: who.call(ruling_note, table=who.table(), decided="Neu gegeben"),
    "table.halted": lambda who: who.call(
        table_halt, table=who.table(), is_waived=who.rng.choice([True, False])
    ),
    "table.opened": lambda who: who.call(table_open),
    "table.reported": Anybody.report,
    "tables.redrawn": lambda who: who.call(tables_redraw),
    **PRESSES_BOUNTIES,
    **PRESSES_ENTRIES,
    **PRESSES_PLACES,
    **PRESSES_PRIZES,
}
