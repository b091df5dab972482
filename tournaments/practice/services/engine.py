"""The engine: the next deed of an event by chance and the rules, as a service call.

It is stateless: each deed follows from the present facts, so that staff may act in between. Used by
self-playing rehearsals and the simulator.
"""

from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db.models import QuerySet

from clock.selectors import clock_state
from tournaments.changes.audit import Service
from tournaments.changes.commands import Command
from tournaments.contests.domain.bags import Word
from tournaments.contests.selectors.bags import bags_of
from tournaments.contests.selectors.contests import ends_with_bags, nearing_of, stage_of
from tournaments.contests.services.bags import bag_say, day_end
from tournaments.door.selectors.places import waiting_live
from tournaments.door.services.arrivals import entry_check_in
from tournaments.event.selectors.event import (
    chips_in_play,
    event_accepts_late,
    event_last_late_position,
    players_left,
    sells_again,
)
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Entry, Event, Registration, Seating, Table, What
from tournaments.people.selectors.people import registrations_live
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.practice.domain.rehearsal import seconds_to_next_out
from tournaments.prizes.selectors.plans import seats_to_win
from tournaments.rebuys.selectors.offers import chances_live, good_of, obstacle_to_buy
from tournaments.rebuys.services.purchases import rebuy_buy
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.tables import tables_seated
from tournaments.seating.services.breaking import tables_redraw
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import balance_step, final_table_draw, table_break

LATE = 9  # one in this many comes after the start, if possible
REBUYS = 0.6
TOGETHER = 0.1  # probability of two busts in one hand
STACKS_KNOWN = 0.7  # probability that their starting stacks are known
SOON = 20.0
A_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Deed:
    """The next deed: a service with its arguments, and its duration in seconds."""

    service: Service[...]
    takes: float
    own: dict[str, Any]

    def carry_out(self, command: Command) -> Action:
        """Carry out the deed.

        :raises Refused: Another device was faster, or the rules forbid it.
        """
        return self.service(command, **self.own)


def next_deed(event: Event, at: datetime, lot: Random) -> Deed | None:
    """Return the next deed of an event, or None."""
    if event.is_over or event.is_clock_only or event.is_cash_only:
        return None
    return _in_play(event, at, lot) if event.has_started else _before_play(event, lot)


def _before_play(event: Event, lot: Random) -> Deed | None:
    coming = _coming(event)
    here, to_come = players_left(event), coming.count()
    late = (here + to_come) // LATE if event_last_late_position(event) is not None else 0
    if to_come > late:
        return Deed(entry_check_in, SOON, {"registration": coming[lot.randrange(to_come)]})
    if here < 2:
        return None
    if not Seating.objects.live().filter(event=event).exists():
        return Deed(seats_draw, A_MINUTE, {})
    return Deed(clock_start, A_MINUTE, {})


def _in_play(event: Event, at: datetime, lot: Random) -> Deed | None:
    state = clock_state(event.clock, at)
    if state.is_waiting:
        return Deed(clock_start, SOON, {})
    if not state.is_running:
        return None
    return (
        _answer(event, at, lot)
        or _end(event, at, lot)
        or _on_the_floor(event, at)
        or _late(event, at, lot)
        or (None if state.level.is_break else _out(event, at, lot))
    )


def _end(event: Event, at: datetime, lot: Random) -> Deed | None:
    """End it: won, all left have a seat, or a flight with all bags closed."""
    stage = stage_of(event)
    if stage is not None and ends_with_bags(stage):
        return _bag(event, lot) if nearing_of(stage, event, at).by else None
    seats = 0 if event_accepts_late(event, at) else seats_to_win(event)
    is_won = players_left(event) <= max(1, seats)
    return Deed(event_end, A_MINUTE, {}) if is_won else None


def _bag(event: Event, lot: Random) -> Deed:
    """Count the next bag, have its slip signed, or end the day with all of them."""
    bags = bags_of(event)
    counted = [bag.counted for bag in bags if bag.counted is not None]
    bag = next((bag for bag in bags if not bag.is_sealed), None)
    if bag is None:
        return Deed(day_end, SOON, {})
    own: dict[str, Any] = {"entry": Entry(pk=bag.entry)}
    if bag.counted is not None and Word.PAPER not in bag.words:
        return Deed(bag_say, 1.0, own | {"amount": bag.counted, "is_paper": True})
    others = len(bags) - len(counted) - 1
    left = chips_in_play(event)[0] - sum(counted)
    amount = min(lot.randint(1, max(1, 2 * left // (others + 1))), left - others)
    own |= {"amount": amount if others else left, "number": len(counted) + 1}
    return Deed(bag_say, 1.0, own)


def _late(event: Event, at: datetime, lot: Random) -> Deed | None:
    """Check in a late player; they arrive during the first levels."""
    if not event_accepts_late(event, at):
        return None
    coming = _coming(event)
    to_come = coming.count()
    if not to_come:
        return None
    own = {"registration": coming[lot.randrange(to_come)]}
    return Deed(entry_check_in, 2 * A_MINUTE, own)


def _coming(event: Event) -> QuerySet[Registration]:
    """Return the registered players with a place who are not here."""
    here = Entry.objects.live().filter(event=event).values("registration")
    waiting = waiting_live(event).values("registration")
    rows = registrations_live(event).filter(is_cash_guest=False).exclude(pk__in=here)
    return rows.exclude(pk__in=waiting).order_by("pk")


def _answer(event: Event, at: datetime, lot: Random) -> Deed | None:
    if not sells_again(event):
        return None
    chance = chances_live(event).select_related("entry").first()
    if chance is None:
        return None
    is_late = obstacle_to_buy(chance.entry, good_of(event, What.REBUY), at) is not None
    if not is_late and lot.random() < REBUYS:
        return Deed(rebuy_buy, SOON, {"entry": chance.entry, "held": chance})
    return Deed(rebuy_decline, SOON, {"entry": chance.entry})


def _on_the_floor(event: Event, at: datetime) -> Deed | None:
    advice = floor_advice(event, at)
    if advice.draws_final:
        return Deed(final_table_draw, SOON, {})
    if advice.redraws_at is not None:
        return Deed(tables_redraw, SOON, {})
    if advice.breaks_table is not None:
        table = Table.objects.live().get(event=event, number=advice.breaks_table)
        return Deed(table_break, SOON, {"table": table})
    for move in advice.moves:
        own = {"from_table": move.from_table, "to_table": move.to_table, "to_seat": move.to_seat}
        return Deed(balance_step, SOON, {"entry": Entry(pk=move.entry), **own})
    return None


def _out(event: Event, at: datetime, lot: Random) -> Deed | None:
    """Bust one player, rarely two, at a table that plays a hand."""
    held = set(chances_live(event).values_list("entry", flat=True))
    tables = [
        [entry for _seat, entry in sorted(view.players.items()) if entry not in held]
        for _number, view in sorted(tables_seated(event).items())
    ]
    playing = [entries for entries in tables if len(entries) > 1]
    if not playing:
        return None
    chips, _is_exact = chips_in_play(event)
    level = clock_state(event.clock, at).level
    left = sum(map(len, tables))
    takes = seconds_to_next_out(
        left=left,
        tables=len(playing),
        chips=chips,
        big_blind=level.big_blind or level.small_bet or 0,
    )
    entries = lot.choice(playing)
    count = 2 if len(entries) > 2 and lot.random() < TOGETHER else 1
    gone = lot.sample(entries, count)
    knows = count > 1 and lot.random() < STACKS_KNOWN
    stacks = {pk: lot.randint(1, 2 * max(1, chips // left)) for pk in gone} if knows else None
    own = {"entries": [Entry(pk=pk) for pk in gone], "start_stacks": stacks}
    return Deed(entries_eliminate, takes, own)
