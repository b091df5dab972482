"""Where the button is: noted with each hand, in stud, and of many tables; what rests on it."""

import pytest

from clock.models import Level
from tests import factories as f
from tests.prepared import prepared
from tests.services.dealing import (
    at_seat,
    carry_out,
    mark,
    move,
    out,
    posts,
    tap,
    to_come,
    two_tables,
)
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_lines
from tournaments.dashboard.selectors.tables import why_move
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.models import ButtonMark, DealerDraw
from tournaments.play.services.bubble import hand_for_hand_begin
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.public.selectors.player_picture import rank_of
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.button import buttons_known, hand_to_come, seats_opened_last
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.selectors.tables import table_far_short, table_views
from tournaments.seating.services.tables import dealer_draw_make
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return two_tables("tda-2024")


def test_krru_3_the_high_card_has_the_button_in_the_first_hand_and_passes_it_on_when_gone():
    event = f.make_seated_event(10, seats=5)
    for number in (1, 2):
        f.drive(dealer_draw_make, event, -60, table=f.table_of(event, number))
    dealer, gone = (
        DealerDraw.objects.get(table__number=number).cards[0]["seat"] for number in (1, 2)
    )
    assert to_come(event, 0)[0] == dealer
    f.drive(clock_start, event, 0)
    tap(event, 0.5)
    assert posts(event) == tuple((dealer + step - 1) % 5 + 1 for step in range(3))
    tap(event, 2)
    assert posts(event)[0] == dealer % 5 + 1
    out(event, gone, 2.1, number=2)
    assert to_come(event, 2.5, number=2)[0] == gone % 5 + 1


def test_without_a_draw_the_button_is_unknown_until_it_is_said_or_tapped(event):
    tap(event, 1)
    assert posts(event) == (None, None, None)
    assert to_come(event, 1.5) is None
    mark(event, 1.5, 2)
    assert to_come(event, 2) == (3, 4, 5)
    tap(event, 2.5)
    assert posts(event) == (3, 4, 5)
    f.assert_logged(event, "hand.begun", table=1, hand=2, button=3)
    action = tap(event, 3, number=2, button=4)
    assert posts(event, 2) == (4, 5, 1)
    assert action.payload["button"] == 4
    tap(event, 5, number=2, button=5)
    assert posts(event, 2) == (5, 1, 2)


@pytest.mark.parametrize(
    ("preset", "next_hand"),
    [("tda-2024", (2, 3, 4)), ("krru-3", (2, 4, 5))],
    ids=["tda_32", "krru"],
)
def test_the_big_blind_went_out(preset, next_hand):
    event = two_tables(preset)
    tap(event, 1, button=1)
    out(event, 3, 1.5)
    tap(event, 2)
    assert posts(event) == next_hand
    if preset == "tda-2024":
        assert to_come(event, 3) == (3, 4, 5)
        # What is expected is noted as it is, dead post and all, even if it is said.
        tap(event, 4, button=3)
        assert posts(event) == (3, 4, 5)


def test_an_undone_bust_counts_as_never_having_left(event):
    tap(event, 1, button=1)
    gone = f.out(event, at_seat(event, 3), at=f.after(1.5))
    assert to_come(event, 2) == (2, 3, 4)
    f.undo(event, gone, at=f.after(1.8))
    assert to_come(event, 2) == (2, 3, 4)
    assert not hand_to_come(event, f.table_of(event, 1), f.after(2)).posts.is_small_blind_dead


def test_a_hand_tapped_while_the_wlan_was_away_is_that_of_those_who_sat_then(event):
    tap(event, 1, button=1)
    out(event, 4, 5)
    late = f.after(6)
    table = f.table_of(event, 1)
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(3), recorded_at=late), table=table)
    assert posts(event) == (2, 3, 4)
    with f.refused("overtaken", event):
        hand_begin(Command(event=event, by=SYSTEM, at=f.after(2), recorded_at=late), table=table)


def test_stud_has_no_button():
    event = f.make_running_event(5, seats=5, game="stud", limit="split_limit")
    tap(event, 1)
    assert posts(event) == (None, None, None)
    assert hand_to_come(event, f.table_of(event, 1), f.after(2)).is_stud
    f.refuses("no_button", mark, event, 2, 3)
    f.refuses("no_button", tap, event, 2, button=3)


def test_tda_2024_11b_the_button_stays_while_stud_is_played(event):
    tap(event, 1, button=1)
    stud = Level.objects.filter(clock=event.clock, position=1)
    stud.update(game="Seven Card Stud")
    for minute in (21, 23):
        tap(event, minute)
        assert posts(event) == (1, 2, 3)
    stud.update(game="")
    tap(event, 25)
    assert posts(event) == (2, 3, 4)


def test_views_and_pictures_know_the_button_of_every_table_that_is_tapped(event):
    tap(event, 1, button=3)
    views = table_views(event, f.after(10))
    assert (views[1].button, views[1].big_blind, views[1].rule) == (3, 5, "dead")
    assert views[2].button is None
    mark(event, 2, 2, number=2)
    assert table_views(event, f.after(10), [2])[2].button == 2
    seats = table_pictures(event, f.after(2), [1])[0].seats
    shown = [(seat.is_button, seat.is_small_blind, seat.is_big_blind) for seat in seats[2:]]
    assert shown == [(True, False, False), (False, True, False), (False, False, True)]


def test_many_tables_cost_the_same(django_assert_num_queries):
    event = f.make_running_event(40, seats=5)
    for number in range(1, 5):
        tap(event, 1, number=number, button=1)
        mark(event, 2, 2, number=number + 4)
    tables = [f.table_of(event, number) for number in range(1, 9)]
    with django_assert_num_queries(4):
        known = buttons_known(event, tables)
    assert [known[table.pk].button for table in tables] == [1] * 4 + [2] * 4
    with django_assert_num_queries(7):
        assert len(table_views(event, f.after(10))) == 8


def test_tda_2024_11a_the_seat_that_opened_last(event):
    assert seats_opened_last(event) == {}
    out(event, 1, 1)
    out(event, 3, 2)
    assert seats_opened_last(event) == {1: (3,)}
    made = move(event, f.at_table(event, 2)[0], 2.2, 1, 3)
    f.undo(event, made, at=f.after(2.5))  # a move taken back opened no seat
    assert seats_opened_last(event) == {1: (3,)}
    f.out(event, at_seat(event, 4), at_seat(event, 2), at=f.after(3))
    assert seats_opened_last(event, [1, 2]) == {1: (2, 4)}
    assert seats_opened_last(event, [2]) == {}


def test_newcomers_are_those_who_sat_down_since_the_hand_began(event):
    tap(event, 1, button=1)
    out(event, 5, 1.2)
    move(event, f.at_table(event, 2)[0], 1.5, 1, 5)
    assert table_views(event, f.after(10), [1])[1].newcomers == {5}
    tap(event, 1.6)
    assert table_views(event, f.after(10), [1])[1].newcomers == frozenset()


# --- Where the button is, said by staff: marks, taken back, refused; and how long it is believed


@pytest.fixture
def krru():
    return two_tables("krru-3")


def test_a_mark_holds_for_the_hand_being_played_and_the_next_goes_on_from_it(krru):
    tap(krru, 1, button=1)
    mark(krru, 1.5, 4)
    assert posts(krru) == (1, 2, 3)
    f.assert_logged(krru, "button.marked", table=1, seat=4, hand=1)
    # Who was there as the hand began: the blinds were 5 and 1, though 5 has gone out since.
    out(krru, 5, 1.8)
    assert to_come(krru, 2) == (1, 2, 3)
    tap(krru, 2)
    assert posts(krru) == (1, 2, 3)


def test_a_mark_that_agrees_changes_nothing_of_the_blinds_and_without_a_tap_is_for_this_hand(event):
    mark(event, 0.5, 2, number=2)
    assert to_come(event, 0.6, number=2) == (3, 4, 5)
    tap(event, 1, button=1)
    out(event, 3, 1.5)
    tap(event, 2)
    mark(event, 2.5, 2)
    assert to_come(event, 3) == (3, 4, 5)


def test_not_known_is_said_too_and_lasts_until_somebody_knows(event):
    tap(event, 1, button=1)
    action = mark(event, 1.5, None)
    assert describe(action) == "Button an Tisch 1: nicht bekannt"
    tap(event, 2)
    assert posts(event) == (None, None, None)
    tap(event, 3, button=5)
    assert to_come(event, 4) == (1, 2, 3)


def test_before_the_start_a_mark_is_for_the_first_hand():
    event = f.make_seated_event(5, seats=5)
    table = f.table_of(event, 1)
    f.drive(dealer_draw_make, event, -60, table=table)
    f.drive(button_mark, event, -60, table=table, seat=2)
    assert table_views(event, f.after(10))[1].button is None
    f.drive(clock_start, event, 0)
    assert to_come(event, 9) == (2, 3, 4)
    assert to_come(event, 11) is None
    tap(event, 0.5)
    assert posts(event) == (2, 3, 4)


def test_marks_stand_in_the_log_but_not_among_the_last_actions_and_are_cheap(
    event, django_assert_max_num_queries
):
    before = [line.action.pk for line in log_lines(event, SYSTEM)]
    with django_assert_max_num_queries(17):
        action = mark(event, 1, 3)
    assert action.news["changed"] == ["hands"]
    assert describe(action) == "Button an Tisch 1: Platz 3"
    assert [line.action.pk for line in log_lines(event, SYSTEM)] == before


def test_taking_back_a_tap_or_a_mark_gives_the_button_of_before(event):
    arno = f.make_arno(event)
    tap(event, 1, button=1)
    made = mark(event, 1.5, 4, by=arno)
    f.undo(event, made, by=arno, at=f.after(1.8))
    assert to_come(event, 2) == (2, 3, 4)
    assert not ButtonMark.objects.live().exists()
    undone = f.undo(event, tap(event, 2), at=f.after(2.5))
    assert to_come(event, 3) == (2, 3, 4)
    f.undo(event, undone, at=f.after(2.6))
    assert to_come(event, 3) == (3, 4, 5)


def test_a_mark_made_in_a_hand_that_is_taken_back_no_longer_counts(event):
    tap(event, 1, button=1)
    second = tap(event, 2)
    mark(event, 2.5, 5)
    undone = f.undo(event, second, at=f.after(3))
    assert to_come(event, 4) == (2, 3, 4)
    tap(event, 4)
    assert posts(event) == (2, 3, 4)
    f.undo(event, at=f.after(5))
    f.drive(action_undo, event, 6, action=undone)
    assert to_come(event, 7) == (1, 2, 3)


def test_bad_seats_are_refused(event, krru):
    heads_up = f.make_running_event(3, seats=3, preset="tda-2024", name="Zu zweit")
    alone = f.make_running_event(4, seats=2, name="Allein")
    for seat in (0, 6, 99):
        f.refuses("no_seat", mark, event, 1, seat)
        f.refuses("no_seat", tap, event, 1, button=seat)
    for at, gone, code, seat in (
        (krru, 3, "seat_empty", 3),
        (heads_up, 2, "seat_empty", 2),
        (alone, 1, "too_few", 2),
    ):
        out(at, gone, 0.5)
        f.refuses(code, tap, at, 1, button=seat)
    tap(alone, 1)
    assert posts(alone) == (None, None, None)
    # A dead button may be on an empty seat, but for heads-up.
    out(event, 3, 0.5)
    tap(event, 1, button=3)
    assert posts(event) == (3, 4, 5)


def button(event, minute, number=1):
    return table_views(f.fresh(event), f.after(minute), [number])[number].button


@prepared
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
    advice = floor_advice(event, f.after(89))
    step, transfer = advice.moves[0], advice.transfers[0]
    assert step.asks == (1, 2)
    assert step.facts["button_from"] is None
    assert "11-A" not in " ".join(why_move(step, transfer))
    mark(event, 89, f.seat_of(f.at_table(event, 1)[0])[1])
    assert floor_advice(event, f.after(89)).moves[0].asks == (2,)
    second = f.seat_of(f.at_table(event, 2)[0])[1]
    said = mark(event, 89, second, 2)
    f.undo(event, said, at=f.after(89))
    assert floor_advice(event, f.after(89)).moves[0].asks == (2,)
    mark(event, 89, second, 2)
    step = floor_advice(event, f.after(89)).moves[0]
    assert (step.asks, step.reason_code) == ((), "next_big_blind.worst_seat")
    assert why_move(step, transfer)[-1] == "TDA 2024 11-A und 11-C."
    # The blinds go by the seats of now, not of minute 1.
    assert f.at_table(event, 1)[3].pk == step.entry
    f.refuses("overtaken", carry_out, event, step, 100)
    carry_out(event, step, 90)
    f.assert_logged(event, "seat.balanced", rule="next_big_blind.worst_seat")


def test_where_nobody_knows_the_button_it_is_not_asked_again_for_a_while():
    event = tapped_once()
    for number in (1, 2):
        mark(event, 89, None, number)
    step = floor_advice(event, f.after(90)).moves[0]
    assert (step.asks, step.reason_code) == ((), "drawn.drawn")
    assert floor_advice(event, f.after(100)).moves[0].asks == (1, 2)


def test_tda_2024_11d_blinds_affected_are_not_told_from_an_old_button():
    event = tapped_once()
    state = table_far_short(event, 2, f.after(89))
    assert (state.blinds_affected, state.asks) == (None, True)
    gone = {1, *range(2, 11)} - {f.seat_of(entry)[1] for entry in f.at_table(event, 2)}
    mark(event, 89, (min(gone) - 4) % 10 + 1, 2)
    assert table_far_short(event, 2, f.after(89)).blinds_affected is True


def test_an_old_button_is_neither_drawn_nor_told_and_the_posts_follow_once_it_is_said_again(event):
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
    # Nor does a phone tell how near one is to being moved.
    assert rank_of(f.fresh(event), seating, f.after(12)).place is None
    assert to_come(event, 11) == (2, 3, 4)
    assert to_come(event, 12) is None
    out(event, 2, 30)
    tap(event, 78)  # after a long while a tap makes no old button young
    assert posts(event) == (None, None, None)
    assert button(event, 79) is None
    mark(event, 80, 1)
    assert button(event, 81) == 1
    assert to_come(event, 81) == (3, 4, 5)


def test_two_hands_that_ended_since_make_a_button_doubtful(event):
    for number in (1, 2):
        tap(event, 1, number=number, button=1)
    f.out(event, at_seat(event, 3, 2), at_seat(event, 4, 2), at=f.after(2))
    assert button(event, 3, 2) == 1  # two of one hand
    out(event, 3, 2)
    assert to_come(event, 3) == (2, 3, 4)
    out(event, 4, 4)
    assert to_come(event, 5) is None
    assert button(event, 5) is None
    mark(event, 6, 5)
    assert button(event, 6) == 5


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
