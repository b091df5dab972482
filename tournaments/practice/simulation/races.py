"""An evening beside the large one on which the smallest chips leave play (TDA 2024 24)."""

from __future__ import annotations

from dataclasses import replace

from clock.domain import Level, LevelKind
from clock.selectors import clock_levels
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.chip_sets import event_chips_choose
from tournaments.event.services.clock import clock_jump, clock_start
from tournaments.event.services.schedule.planned import event_schedule_plan
from tournaments.models import ChipSet
from tournaments.play.services.chip_races import chip_race
from tournaments.practice.services.rehearsal import rehearsal_fill
from tournaments.practice.simulation.beside import MINUTE, another
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, Evening
from tournaments.seating.selectors.tables import tables_live, tables_seated
from tournaments.seating.services.seats import seats_draw

PLAYERS, NEW = 6, 5
ODD = (4, 3, 4)  # eleven ones make two fives, and one is lost


@deed(chip_race, event_schedule_plan, when=When.ELSEWHERE)
def play_race(evening: Evening) -> Evening:
    """Plan a break in which the ones leave; three have some of them that make no five."""
    side = another(evening, "Chip Race", seats_per_table=PLAYERS)
    side.do(event_chips_choose, chip_set=_chips_with_ones(side))
    _plan(side)
    side.do(rehearsal_fill, players=PLAYERS)
    side.do(seats_draw)
    side.do(clock_start)
    side.reload()
    table = tables_live(side.event)[0]
    players = sorted(tables_seated(side.event, [table.number])[table.number].players.values())
    held = {entry: {1: odd} for entry, odd in zip(players, ODD, strict=False)}
    side.refused("no_race", chip_race, by=ARBITER, table=table, held=held)
    side.do(clock_jump, level=clock_levels(side.event.clock)[1].id)
    before = chips_in_play(side.event)[0]
    raced = side.do(chip_race, by=ARBITER, table=table, held=held)
    side.refused("already_raced", chip_race, by=ARBITER, table=table, held=held)
    _check(side, before, before + sum(ODD) // NEW * NEW - sum(ODD))
    side.undo(raced)
    _check(side, before, before)
    return side


def _chips_with_ones(side: Evening) -> ChipSet:
    return ChipSet.objects.get(club=side.event.club, name="Steffen")


def _plan(side: Evening) -> None:
    levels = clock_levels(side.event.clock)
    pause = Level(id=-1, kind=LevelKind.BREAK, duration=10 * MINUTE, colour_up=(1,))
    rest = [replace(row, small_blind=25, big_blind=50, big_bet=100) for row in levels[1:]]
    stack = side.event.starting_stack
    rows = [levels[0], pause, *rest]
    side.do(event_schedule_plan, levels=rows, name="Mit Chip Race", starting_stack=stack)
    side.reload()


def _check(side: Evening, before: int, expected: int) -> None:
    side.reload()
    found = chips_in_play(side.event)[0]
    side.checker.expect(found == expected, "chips after a race", found, expected, before)
