"""Who moves to another table, by cases from outside the program."""

import pytest

from clock.models import Level
from tests import factories as f
from tournaments.dashboard.selectors.tables import why_move
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.locks import seat_lock

pytestmark = pytest.mark.django_db


def tap(event, minute, number=1, **own):
    f.drive(hand_begin, event, minute, table=f.table_of(event, number), **own)


def test_a_player_on_a_locked_seat_stays():
    """Case 12-fester-platz: the next one moves, and the lock is said."""
    event = f.make_running_event(12, seats=6)
    table = f.table_of(event, 1)
    f.drive(seat_lock, event, 1, table=table, seat=3, reason="Rollstuhl")
    f.out(event, *f.at_table(event, 2)[:2], at=f.after(2))
    tap(event, 3, button=6)
    advice = floor_advice(f.fresh(event), f.after(4))
    move = advice.moves[0]
    assert move.from_seat == 4
    assert "gesperrten Platz" in " ".join(why_move(move, advice.transfers[0]))


def test_the_button_is_frozen_while_stud_is_played():
    """Case X3 (TDA 2024 11-B): the next big blind by the frozen button moves."""
    event = f.make_running_event(20, seats=10, preset="tda-2024")
    Level.objects.filter(clock=event.clock, position=1).update(game="Seven Card Stud")
    for minute in range(1, 20, 2):
        tap(event, minute, **({"button": 1} if minute == 1 else {}))
    f.out(event, *f.at_table(event, 2)[:3], at=f.after(37.5))
    move = floor_advice(f.fresh(event), f.after(38.5)).moves[0]
    assert (move.from_table, move.from_seat) == (1, 3)
    assert move.reason_code.startswith("next_big_blind.")
    assert move.asks == ()
