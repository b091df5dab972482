"""What happens to people at their seats and at the desk while play goes on."""

from __future__ import annotations

from datetime import timedelta

from tournaments.door.services.corrections import registration_correct
from tournaments.door.services.fees import fee_pay, fee_refund
from tournaments.door.services.links import link_renew
from tournaments.models import ClockCall, Penalty, Registration
from tournaments.play.services.calls import clock_call_run_out, clock_call_start, clock_call_stop
from tournaments.play.services.conduct import (
    entry_leave,
    entry_return,
    penalty_give,
    penalty_serve,
    seating_arrive,
    stack_bring,
)
from tournaments.post.services.announcements import announcement_made
from tournaments.post.services.messages import message_send
from tournaments.practice.simulation.deeds.deed import deed
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.seating.selectors.conduct import penalties_of, walking

CALLED_FOR = timedelta(seconds=40)  # longer than any call takes


@deed(penalty_give, penalty_serve, often=2)
def punish(evening: Evening) -> bool:
    """Warn somebody, or have hands or rounds missed; one hand of them is seen missed."""
    rng, books = evening.rng, evening.books
    entry = evening.somebody()
    kind, amount = rng.choice([("warning", 0), ("hands", 2), ("rounds", 1)])
    own = {"entry": evening.row_of(entry), "kind": kind, "amount": amount}
    evening.refused("not_allowed", penalty_give, by=DESK, **own, reason="Handy")
    made = evening.do(penalty_give, by=ARBITER, **own, reason="Handy")
    # A round is one hand for each player at the table at that moment (TDA 2024 71).
    owed = amount * (len(books.tables[books.where[entry][0]]) if kind == "rounds" else 1)
    evening.checker.expect(made.payload["hands"] == owed, "hands to miss", made.payload, owed)
    if not owed:
        return True
    penalty = Penalty.objects.get(made_by=made)
    evening.do(penalty_serve, by=ARBITER, penalty=penalty, left=owed)
    views = penalties_of([entry])[entry]
    left = [view.served.left for view in views if view.penalty.pk == penalty.pk]
    evening.checker.expect(left == [owed - 1], "hands still to miss", left, owed - 1)
    return True


@deed(entry_leave, entry_return, often=2)
def leave_or_return(evening: Evening) -> bool:
    """Somebody leaves the seat, or comes back."""
    books, rng = evening.books, evening.rng
    if books.away and rng.random() < 0.6:
        back = rng.choice(sorted(books.away))
        evening.do(entry_return, by=ARBITER, entry=evening.row_of(back))
        books.away.discard(back)
    else:
        entry = evening.somebody()
        if entry in books.away:
            return False
        evening.do(entry_leave, by=DESK, entry=evening.row_of(entry))
        books.away.add(entry)
        evening.refused("already_away", entry_leave, by=DESK, entry=evening.row_of(entry))
    evening.checker.away(books)
    return True


@deed(seating_arrive, stack_bring, often=2)
def arrive_at_the_new_seat(evening: Evening) -> bool:
    """Somebody who was moved sits down there, or staff takes the stack over."""
    evening.reload()
    rows = walking(evening.event, None)
    if not rows:
        return False
    row, books = rows[0], evening.books
    place = (row.table.number, row.seat)
    evening.checker.expect(books.where[row.entry_id] == place, "walks to", row, place)
    if evening.played.kinds["stack.brought"] < evening.played.kinds["seating.arrived"]:
        evening.do(stack_bring, by=ARBITER, seating=row)
        books.away.add(row.entry_id)
    else:
        evening.do(seating_arrive, by=ARBITER, seatings=[row])
        evening.refused("already_arrived", seating_arrive, by=ARBITER, seatings=[row])
    evening.checker.away(books)
    return True


@deed(clock_call_start, clock_call_stop, clock_call_run_out)
def call_the_clock(evening: Evening) -> bool:
    """Put somebody on the clock, who acts in time or does not."""
    entry = evening.row_of(evening.somebody())
    made = evening.do(clock_call_start, entry=entry)
    call = ClockCall.objects.get(made_by=made)
    evening.refused("already_called", clock_call_start, entry=entry)
    if evening.played.kinds["clock_call.ran_out"] <= evening.played.kinds["clock_call.stopped"]:
        evening.refused("not_over", clock_call_run_out, call=call, outcome="dead")
        evening.now += CALLED_FOR
        evening.do(clock_call_run_out, call=call, outcome="dead")
    else:
        evening.do(clock_call_stop, call=call)
    evening.refused("already_ended", clock_call_stop, call=call)
    return True


@deed(announcement_made, message_send)
def say_something(evening: Evening) -> bool:
    """Announce something to the hall, to a table, or to one player."""
    evening.refused("empty", announcement_made, by=ARBITER, text="  ")
    evening.do(announcement_made, by=ARBITER, text="Essen ist fertig.")
    table = evening.table(evening.rng.choice(sorted(evening.books.tables)))
    evening.do(message_send, by=ARBITER, text="Bitte leiser.", table=table)
    evening.do(
        message_send, text="Dein Auto steht im Weg.", entry=evening.row_of(evening.somebody())
    )
    return True


@deed(fee_pay, fee_refund)
def pay(evening: Evening) -> bool:
    """Somebody pays the fee, and now and then gets it back."""
    books = evening.books
    paid = sorted(pk for pk, cents in books.paid.items() if cents)
    registration = evening.registration_of(evening.somebody())
    if paid and evening.rng.random() < 0.5:
        registration = Registration.objects.get(pk=paid[0])
    if books.paid.get(registration.pk):
        evening.refused("already_paid", fee_pay, by=DESK, registration=registration)
        evening.do(fee_refund, by=DESK, registration=registration, after_the_draw=True)
        books.paid[registration.pk] = 0
    else:
        evening.refused("nothing_paid", fee_refund, by=DESK, registration=registration)
        action = evening.do(fee_pay, by=DESK, registration=registration)
        books.paid[registration.pk] = evening.event.fee_cents
        if evening.rng.random() < 0.5:
            evening.undo(action)
            books.paid[registration.pk] = 0
    evening.checker.money(books, registration)
    return True


@deed(registration_correct, link_renew)
def correct_a_name(evening: Evening) -> bool:
    """Correct how somebody is written, and give a new personal link."""
    registration = evening.registration_of(evening.somebody())
    name = registration.person.name
    action = evening.do(
        registration_correct, by=DESK, registration=registration, name=f"{name} jun."
    )
    evening.undo(action)
    registration.person.refresh_from_db()
    evening.checker.expect(registration.person.name == name, "the name", registration.person.name)
    token = f"{evening.rng.getrandbits(128):032x}"
    evening.do(link_renew, by=DESK, registration=registration, token=token)
    return True
