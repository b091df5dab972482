"""A button that nobody has told for longer than a hand lasts is not known, whatever rests on it."""

import pytest

from clock.models import Level
from tests import factories as f
from tests.services.dealing import at_seat, mark, out, posts, tap, to_come, two_tables
from tournaments.dashboard.selectors.tables import why_move
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.play.services.bubble import hand_for_hand_begin
from tournaments.public.selectors.player_picture import rank_of
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.halts import table_far_short
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.selectors.tables import table_views
from tournaments.seating.services.tables import balance_step

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return two_tables("tda-2024")


def button(event, minute, number=1):
    return table_views(f.fresh(event), f.after(minute), [number])[number].button


def tapped_once(players=30):
    """Three tables of ten, each tapped once in minute 1; three went out at the second later."""
    event = f.make_running_event(players)
    for number in (1, 2, 3):
        seat = f.seat_of(f.at_table(event, number)[0])[1]
        tap(event, 1, number=number, button=seat)
    f.out(event, *f.at_table(event, 2)[-3:], at=f.after(88))
    return f.fresh(event)


def test_tda_2024_11a_is_not_cited_on_an_old_button_the_suggestion_asks_for_both():
    event = tapped_once()
    [move] = floor_advice(event, f.after(89)).moves[:1]
    assert move.asks == (1, 2)
    assert move.facts["button_from"] is None
    transfer = floor_advice(event, f.after(89)).transfers[0]
    assert "11-A" not in " ".join(why_move(move, transfer))
    mark(event, 89, f.seat_of(f.at_table(event, 1)[0])[1])
    assert floor_advice(event, f.after(89)).moves[0].asks == (2,)
    second = f.seat_of(f.at_table(event, 2)[0])[1]
    said = mark(event, 89, second, 2)
    f.undo(event, said, at=f.after(89))
    assert floor_advice(event, f.after(89)).moves[0].asks == (2,)
    mark(event, 89, second, 2)
    [move] = floor_advice(event, f.after(89)).moves[:1]
    assert (move.asks, move.reason_code) == ((), "next_big_blind.worst_seat")
    assert why_move(move, transfer)[-1] == "TDA 2024 11-A und 11-C."
    # Who sits there as it is said posts: not who sat there in minute 1.
    assert f.at_table(event, 1)[3].pk == move.entry
    entry = next(one for one in f.entries_of(event) if one.pk == move.entry)
    step = {"from_table": 1, "to_table": 2, "to_seat": move.to_seat}
    with f.refused("overtaken", event):
        f.drive(balance_step, event, 100, entry=entry, **step)
    f.drive(balance_step, event, 90, entry=entry, **step)
    f.assert_logged(event, "seat.balanced", rule="next_big_blind.worst_seat")


def test_where_nobody_knows_the_button_it_is_not_asked_again_for_a_while():
    event = tapped_once()
    for number in (1, 2):
        mark(event, 89, None, number)
    [move] = floor_advice(event, f.after(90)).moves[:1]
    assert (move.asks, move.reason_code) == ((), "drawn.drawn")
    assert floor_advice(event, f.after(100)).moves[0].asks == (1, 2)


def test_tda_2024_11d_blinds_affected_are_not_told_from_an_old_button():
    event = tapped_once()
    state = table_far_short(event, 2, f.after(89))
    assert (state.blinds_affected, state.asks) == (None, True)
    gone = {1, *range(2, 11)} - {f.seat_of(entry)[1] for entry in f.at_table(event, 2)}
    # The big blind is on the last seat before those that are empty.
    mark(event, 89, (min(gone) - 4) % 10 + 1, 2)
    assert table_far_short(event, 2, f.after(89)).blinds_affected is True


def test_an_old_button_is_not_drawn_and_no_phone_tells_how_near_one_is_to_being_moved(event):
    tap(event, 1, button=1)

    def drawn(minute):
        [picture] = table_pictures(f.fresh(event), f.after(minute), [1])
        seats = picture.seats
        return [
            one.seat for one in seats if one.is_button or one.is_small_blind or one.is_big_blind
        ]

    assert (drawn(11), drawn(12)) == ([1, 2, 3], [])
    seating = f.at_table(event, 1)[0].seatings.live().get()
    assert rank_of(f.fresh(event), seating, f.after(11)).place
    assert rank_of(f.fresh(event), seating, f.after(12)).place is None


def test_a_tap_after_a_long_while_does_not_make_an_old_button_young(event):
    tap(event, 1, button=1)
    assert to_come(event, 11) == (2, 3, 4)
    assert to_come(event, 12) is None
    tap(event, 80)
    assert posts(event) == (None, None, None)
    assert button(event, 81) is None


def test_the_same_seat_told_again_is_a_new_button(event):
    tap(event, 1, button=1)
    out(event, 2, 30)
    mark(event, 80, 1)
    assert button(event, 81) == 1
    # The posts follow from who sits there now, not from those of minute 1.
    assert to_come(event, 81) == (3, 4, 5)


def test_two_hands_that_ended_since_make_a_button_doubtful(event):
    tap(event, 1, button=1)
    out(event, 3, 2)
    assert to_come(event, 3) == (2, 3, 4)
    out(event, 4, 4)
    assert to_come(event, 5) is None
    assert button(event, 5) is None
    mark(event, 6, 5)
    assert button(event, 6) == 5


def test_two_out_in_one_hand_leave_the_button_known(event):
    tap(event, 1, button=1)
    f.out(event, at_seat(event, 3), at_seat(event, 4), at=f.after(2))
    assert button(event, 3) == 1


def test_the_first_dealer_is_not_the_button_for_ever():
    planned = f.make_seated_event(5, seats=5, name="Später")
    mark(planned, -1, 3)
    f.drive(clock_start, planned, 0)
    assert to_come(planned, 9) == (3, 4, 5)
    assert to_come(planned, 11) is None


def test_a_break_does_not_make_a_button_old(event):
    first = Level.objects.filter(clock=event.clock).order_by("position")[1]
    Level.objects.filter(pk=first.pk).update(kind="break", duration_ms=15 * 60_000, big_blind=0)
    tap(event, 18, button=1)
    assert button(event, 36) == 1
    assert button(event, 44) is None


def test_a_clock_that_stands_does_not_make_it_old_but_in_hand_for_hand(event):
    tap(event, 1, button=1)
    f.drive(clock_pause, event, 2)
    assert button(event, 40) == 1
    f.drive(clock_start, event, 40)
    assert button(event, 45) == 1
    f.drive(hand_for_hand_begin, event, 46)
    assert button(event, 47) is None
