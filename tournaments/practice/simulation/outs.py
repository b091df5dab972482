"""People go out: by the cards, by mistake, by the director's word; and some come back."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from tournaments.changes.commands import Command
from tournaments.models import Action, Table
from tournaments.play.services.eliminations import (
    disqualification_count,
    entries_eliminate,
    entry_disqualify,
)
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, SECOND, Evening
from tournaments.practice.simulation.floor import settle
from tournaments.practice.simulation.standings import Hand
from tournaments.undo.services.undo import action_undo


@deed(entries_eliminate, action_undo, when=When.COURSE)
def put_out(evening: Evening, busted: Mapping[int, int]) -> None:
    """Record those who lost all in one hand, given their stacks at its start."""
    shows_stacks = len(busted) > 1 and evening.rng.random() < 0.7
    before = evening.kept(small=0.15, large=0.004)
    action = _eliminate(evening, busted, shows_stacks=shows_stacks)
    if not evening.stays(action, before):
        _eliminate(evening, busted, shows_stacks=shows_stacks)
    if evening.chance(small=0.1, large=0.002):
        entry = evening.entry(next(iter(busted)))
        evening.refused("already_out", entries_eliminate, by=ARBITER, entries=[entry])


def _eliminate(evening: Evening, busted: Mapping[int, int], *, shows_stacks: bool) -> Action:
    """Call the service as a phone does, now and then twice with one key, and late."""
    entries = [evening.entry(pk) for pk in busted]
    table, _ = evening.books.where[next(iter(busted))]
    stacks = dict(busted) if shows_stacks else None
    evening.now += SECOND
    late = evening.rng.randrange(2, 90) * SECOND if evening.chance(0.1, 0.01) else 0 * SECOND
    command = Command(
        event=evening.event,
        by=ARBITER,
        at=evening.now - late,
        recorded_at=evening.now,
        key=evening.key(),
    )
    began = perf_counter()
    action = evening.played.note(entries_eliminate(command, entries=entries, start_stacks=stacks))
    evening.elimination_ms.append((perf_counter() - began) * 1000 / len(entries))
    if evening.chance(small=0.1, large=0.01):
        again = entries_eliminate(command, entries=entries, start_stacks=stacks)
        evening.checker.expect(again.pk == action.pk, "one key, two effects", action, again)
    outs = {pk: busted[pk] if shows_stacks else None for pk in busted}
    write_out(evening, action, outs, table)
    return action


def write_out(
    evening: Evening, action: Action, outs: Mapping[int, int | None], table: int
) -> dict[int, int]:
    """Write down an out: the hand of hand-for-hand it is in is the one played at its instant."""
    books = evening.books
    played = books.rounds.at(action.at)
    return books.leave(Hand(action.at, action.sequence, outs, table, played))


@deed(entries_eliminate, action_undo, often=3)
def put_out_wrongly(evening: Evening) -> bool:
    """Take the wrong one out, go on for a while, and take that back.

    By then the seat may be taken or the table broken; the player gets another seat by draw.
    """
    books = evening.books
    if len(books.stacks) < 3 or books.rounds.at(evening.now):
        return False
    entry = evening.somebody()
    seat = books.where[entry]
    table = evening.table(seat[0])
    action = evening.do(entries_eliminate, by=ARBITER, entries=[evening.entry(entry)])
    was_away = entry in books.away
    books.limbo |= write_out(evening, action, {entry: None}, table.number)
    evening.compare()
    if evening.rng.random() < 0.5:
        settle(evening)
    undone = evening.undo(action)
    books = evening.books  # an undo while the floor was put in order may have put others in place
    books.come_back(action.sequence, entry)
    books.away |= {entry} if was_away else set()
    books.stacks[entry] = books.limbo.pop(entry)
    evening.note_opened(undone)
    is_broken = not Table.objects.filter(pk=table.pk, voided_by=None).exists()
    has_lost_seat = is_broken or seat[1] in books.tables[seat[0]]
    evening.checker.expect(has_lost_seat is ("seat" in undone.payload), "the seat", undone.payload)
    if has_lost_seat:
        seat = (undone.payload["table"], undone.payload["seat"])
    evening.seat(entry, *seat)
    evening.compare()
    return True


@deed(entry_disqualify, disqualification_count, often=2)
def disqualify(evening: Evening) -> bool:
    """Disqualify a player, whose chips leave play: counted at once, later, or only at the end."""
    books = evening.books
    if len(books.stacks) < 3:
        return False
    pk = evening.somebody()
    entry, stack = evening.entry(pk), books.stacks[pk]
    is_counted = evening.rng.random() < 0.5
    own: dict[str, Any] = {
        "entry": entry,
        "reason": "Chips eingesteckt",
        "stack": stack if is_counted else None,
    }
    evening.refused("not_allowed", entry_disqualify, by=ARBITER, **own)
    before = evening.kept(small=0.2, large=0.2)
    action = evening.do(entry_disqualify, **own)
    left = books.leave(Hand(action.at, action.sequence, {pk: None}))
    books.disqualified.add(pk)
    if not is_counted:
        books.uncounted |= left
    if not evening.stays(action, before):
        return True
    evening.tally["disqualified_chips"] += stack
    evening.compare()
    if not is_counted and evening.rng.random() < 0.5:
        count(evening, pk)
    return True


def count(evening: Evening, pk: int) -> None:
    """Count the stack of somebody who was disqualified."""
    stack = evening.books.uncounted[pk]
    before = evening.kept(small=0.2, large=0.2)
    action = evening.do(disqualification_count, entry=evening.entry(pk), stack=stack)
    del evening.books.uncounted[pk]
    if not evening.stays(action, before):
        evening.do(disqualification_count, entry=evening.entry(pk), stack=stack)
        del evening.books.uncounted[pk]
    evening.compare()
