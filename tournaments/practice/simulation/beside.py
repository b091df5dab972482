"""Small evenings beside the large one, for what it cannot have: a line at the door, an evening that
is called off, one where only the clock runs, one of mixed games that ends early.

They stay as samples, too.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

from clock.models import ScheduleTemplate
from clock.selectors import clock_levels
from tournaments.changes.access import SYSTEM, VISITOR, Actor, Role
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.arrivals import noshows_blind
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.confirming import registration_confirm, registrations_lapse
from tournaments.door.services.registration import registration_create, registration_withdraw
from tournaments.door.services.waiting_list import (
    line_move,
    offer_accept,
    offer_decline,
    offers_expire,
    place_give,
)
from tournaments.event.domain.betting import Game, LimitKind
from tournaments.event.domain.games import Mix, deals_stud
from tournaments.event.selectors.counts import counted
from tournaments.event.services.chip_sets import event_chips_choose
from tournaments.event.services.clock import clock_jump, clock_plan_start, clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.ending import event_cancel, event_end
from tournaments.event.services.lifecycle import event_create, event_schedule_set, event_update
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.event.services.schedule.mixed import schedule_mixed
from tournaments.models import Action, ChipSet, Event, Registration, RulePreset, Table
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.closing import closing_announce
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.practice.services.rehearsal import rehearsal_fill
from tournaments.practice.simulation.checks import Checker
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.practice.simulation.money.entries import TERMS, play_with_rebuys
from tournaments.rules.services.rules import event_preset_choose
from tournaments.seating.selectors.tables import tables_live, tables_seated
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import table_open
from tournaments.undo.services.undo import action_undo

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
OFFERED_FOR = 30


@deed(event_create, when=When.ELSEWHERE)
def another(evening: Evening, name: str, **settings: Any) -> Evening:
    """Make another evening of the same club; what is played there counts with the others."""
    usual: dict[str, Any] = {
        "starts_at": evening.now + 5 * HOUR,
        "schedule": ScheduleTemplate.objects.get(name=evening.plan.schedule),
        "preset": RulePreset.objects.get(key=evening.plan.preset),
        "game": Game.HOLDEM,
        "limit": LimitKind.NO_LIMIT,
        "seats_per_table": 5,
        "capacity": 10,
        "draw_secret": hashlib.sha256(f"{name} {evening.plan.seed}".encode()).hexdigest(),
        "is_sample": True,
    }
    title = f"{evening.event.name}, {name}"
    made = evening.do_in_club(event_create, name=title, **usual | settings)
    event = Event.objects.select_related("clock", "club").get(pk=made.payload["event"])
    checker = Checker(event, event.rule_set.balancing_tolerance)
    return Evening(
        plan=evening.plan, rng=evening.rng, event=event, checker=checker, now=evening.now,
        played=evening.played,
    )  # fmt: skip


def play_beside(evening: Evening) -> list[Event]:
    """Play the small evenings, and return them."""
    found = []
    for play in BESIDE:
        side = play(evening)
        side.reload()
        side.checker.chain()
        evening.checker.checked += side.checker.checked
        found.append(side.event)
    return found


def buy_again(evening: Evening) -> Evening:
    """Play an evening of re-buys, whose books are kept apart."""
    return play_with_rebuys(another(evening, "Re-buys", **TERMS))


@deed(
    line_move, offer_accept, offer_decline, offers_expire, place_give, registration_confirm,
    registrations_lapse, when=When.ELSEWHERE,
)  # fmt: skip
def wait_in_line(evening: Evening) -> Evening:
    """Members come first, then those in line in their order, each asked for half an hour."""
    side = another(
        evening, "Warteliste", capacity=4, reserved_places=1, offer_minutes=OFFERED_FOR,
        no_show_minutes=5, members_first_until=evening.now + HOUR, late_registration_level=9,
    )  # fmt: skip
    anna = register(side, "Simulantin Anna", is_member=True)
    bert, carl = register(side, "Simulant Bert"), register(side, "Simulant Carl")
    side.refused("nothing_to_move", line_move, by=SYSTEM)
    side.now += HOUR
    moved = side.do(line_move, by=SYSTEM)
    _offered(side, moved, [bert, carl])
    dora = register(side, "Simulantin Dora")
    side.do(offer_accept, by=DESK, registration=bert)
    side.refused("no_offer", offer_accept, by=DESK, registration=dora)
    declined = side.do(offer_decline, by=DESK, registration=carl)
    _offered(side, declined, [dora])
    side.refused("none_expired", offers_expire, by=SYSTEM)
    side.now += (OFFERED_FOR + 1) * MINUTE
    _offered(side, side.do(offers_expire, by=SYSTEM), [carl])
    side.do(offer_accept, by=DESK, registration=carl)
    side.refused("not_waiting", place_give, registration=carl)
    side.do(place_give, registration=dora)
    _confirm(side)
    _call_off(side, [anna, bert], [carl, dora])
    return side


def _confirm(side: Evening) -> None:
    """Two register by themselves, one confirms; a third waits and gets the other's place."""
    side.reload()
    room = capacity_of(side.event)
    two_free = room.reserved + room.placed + room.offered + 2
    side.do(event_update, settings={"capacity": two_free, "confirm_minutes": OFFERED_FOR})
    eva, fritz, gerda = (
        register(side, f"Simulierte {name}", by=VISITOR) for name in ("Eva", "Fritz", "Gerda")
    )
    eva_herself = Actor(role=Role.PLAYER, registration_id=eva.pk)
    side.do(registration_confirm, by=eva_herself, registration=eva)
    side.refused("nobody_lapsed", registrations_lapse, by=SYSTEM)
    side.now += HOUR
    lapsed = side.do(registrations_lapse, by=SYSTEM)
    gone = lapsed.payload["registrations"]
    side.checker.expect(gone == [fritz.pk], "who did not confirm", gone)
    _offered(side, lapsed, [gerda])
    side.do(offer_accept, by=DESK, registration=gerda)
    for row in (eva, fritz, gerda):
        side.do(registration_withdraw, by=DESK, registration=row)


def register(side: Evening, name: str, *, by: Actor = DESK, **own: Any) -> Registration:
    made = side.do(registration_create, by=by, name=name, **own)
    return Registration(pk=made.payload["registration"])


def _offered(side: Evening, action: Action, expected: list[Registration]) -> None:
    found = action.payload.get("offered")
    side.checker.expect(found == [row.pk for row in expected], "who is asked", found, expected)


@deed(
    event_preset_choose, event_schedule_set, event_chips_choose, clock_plan_start, noshows_blind,
    event_cancel, action_undo, when=When.ELSEWHERE,
)  # fmt: skip
def _call_off(side: Evening, here: list[Registration], gone: list[Registration]) -> None:
    """Begin by the rules that blind no-shows; two never come. Then the evening is called off."""
    tda = RulePreset.objects.get(key="tda-2024")
    side.do(event_preset_choose, preset=tda)
    side.refused("nothing_changed", event_preset_choose, preset=tda)
    side.do(event_schedule_set, schedule=ScheduleTemplate.objects.get(name="T300"))
    side.do(event_chips_choose, chip_set=ChipSet.objects.filter(club=side.event.club).first())
    side.do(clock_plan_start, by_itself=True)
    for registration in here:
        action = side.do(entry_check_in, by=DESK, registration=registration)
        side.seat(action.payload["entry"], action.payload["table"], action.payload["seat"])
        side.books.stacks[action.payload["entry"]] = action.payload["chips"]
    side.reload()
    side.now = side.event.starts_at
    side.do(clock_start, by=SYSTEM)
    side.refused("none_due", noshows_blind, by=SYSTEM)
    side.now += 5 * MINUTE
    blinded = side.do(noshows_blind, by=SYSTEM).payload
    expected = [row.pk for row in gone]
    side.checker.expect(blinded["registrations"] == expected, "who is blinded", blinded, expected)
    side.reload()
    for number, view in tables_seated(side.event).items():
        for seat, entry in view.players.items():
            if entry in blinded["entries"]:
                side.seat(entry, number, seat)
                side.books.stacks[entry] = side.event.starting_stack
                side.books.away.add(entry)
    side.checker.full(side.books, side.now)
    side.checker.away(side.books)
    side.undo(side.do(event_cancel, reason="Wasserschaden"))
    side.checker.full(side.books, side.now)
    side.do(event_cancel, reason="Wasserschaden")
    side.refused("over", clock_start)


@deed(count_change, when=When.ELSEWHERE)
def count_without_names(evening: Evening) -> Evening:
    """An evening where only the clock runs: figures are counted by hand."""
    side = another(evening, "nur die Uhr", is_clock_only=True)
    own = {"entries": 0, "left": 0, "rebuys": 0}
    for what, step in [("entries", 1)] * 4 + [("entries", -1)]:
        _count(side, own, what, step)
    side.refused("clock_only", table_open)
    side.do(clock_start)
    for what, step in (("rebuys", 1), ("rebuys", 1), ("left", -1), ("left", -1)):
        _count(side, own, what, step)
    side.undo(_count(side, own, "rebuys", -1))
    own["rebuys"] += 1
    _compare_counts(side, own)
    side.refused("last_one_wins", count_change, what="left", step=-1)
    side.refused("bad_count", count_change, what="left", step=2)
    side.do(event_end)
    return side


def _count(side: Evening, own: dict[str, int], what: str, step: int) -> Action:
    action = side.do(count_change, what=what, step=step)
    own[what] += step
    own["left"] += step if what == "entries" else 0
    _compare_counts(side, own)
    return action


def _compare_counts(side: Evening, own: dict[str, int]) -> None:
    found, stack = counted(side.event), side.event.starting_stack
    chips = stack * (own["entries"] + own["rebuys"])
    figures = (found.entries, found.left, found.rebuys, found.chips)
    side.checker.expect(figures == (*own.values(), chips), "counted", figures, own, chips)


@deed(
    rehearsal_fill, seats_draw, schedule_edit, clock_jump, closing_announce, event_end,
    when=When.ELSEWHERE,
)  # fmt: skip
def play_mixed_games(evening: Evening) -> Evening:
    """Rehearse HORSE, a game each level, at eight-handed tables; it ends early, by the stacks."""
    side = another(evening, "gemischte Spiele", seats_per_table=8, capacity=12)
    side.do(rehearsal_fill, players=9)
    side.do(seats_draw)
    levels = clock_levels(side.event.clock)
    mixed = schedule_mixed(side.event, Mix.HORSE, None, side.now)
    side.do(schedule_edit, levels=mixed, based_on=[level.id for level in levels])
    side.do(clock_start)
    side.reload()
    for table in tables_live(side.event):
        _play_horse(side, table)
        side.do(clock_jump, level=clock_levels(side.event.clock)[0].id)
    players = sorted(
        entry for view in tables_seated(side.event).values() for entry in view.players.values()
    )
    side.do(closing_announce)
    side.refused("already_announced", closing_announce)
    chips = side.event.starting_stack
    stacks = dict.fromkeys(players, chips) | {players[0]: 2 * chips, players[1]: 0}
    side.refused("chips_differ", event_end, stacks=stacks | {players[1]: 1})
    side.refused("count_incomplete", event_end, stacks={players[0]: chips})
    side.do(event_end, stacks=stacks)
    side.reload()
    own = {players[0]: 1, players[1]: len(players)} | dict.fromkeys(players[2:], 2)
    found = places_of(side.event)
    side.checker.expect(found == own, "places by counted stacks", found, own)
    return side


def _play_horse(side: Evening, table: Table) -> None:
    """Play each game of HORSE once: flop games move the button, stud leaves it (TDA 2024 11-B)."""
    seats = sorted(tables_seated(side.event, [table.number])[table.number].players)
    button = seats[0]
    horse = [level for level in clock_levels(side.event.clock) if not level.is_break][:5]
    for turn, level in enumerate(horse):
        if turn:
            side.do(clock_jump, level=level.id)
        side.now += MINUTE
        if deals_stud(level.game):
            side.refused("no_button", button_mark, by=ARBITER, table=table, seat=seats[0])
            hand = side.do(hand_begin, by=ARBITER, table=table)
        else:
            button = seats[turn % len(seats)]
            hand = side.do(hand_begin, by=ARBITER, table=table, button=button)
        side.checker.expect(hand.payload["button"] == button, "the button", level.game, hand)


BESIDE = (wait_in_line, count_without_names, play_mixed_games, buy_again)
