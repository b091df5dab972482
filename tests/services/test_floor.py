"""Tables opened, closed, broken; the final table and redraws; who is moved in their order."""

import pytest

from tests import factories as f
from tests.services.dealing import carry_out, mark
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Draw, Entry, Event
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.selectors.tables import table_counts, tables_live
from tournaments.seating.services.chairs import chair_add
from tournaments.seating.services.tables import (
    balance_round,
    entry_move,
    final_table_draw,
    table_break,
    table_close,
    table_open,
    tables_redraw,
)

pytestmark = pytest.mark.django_db


def test_a_chair_more_at_one_table_is_drawn_and_shown_and_stays_once_it_was_used():
    event = f.make_seated_event(9, seats=9)
    added = f.drive(chair_add, event, 0, table=f.table_of(event, 1))
    f.assert_logged(event, "chair.added", table=1, seat=10)
    f.undo(event, added)
    assert f.table_of(event, 1).chairs == 9
    added = f.drive(chair_add, event, 0, table=f.table_of(event, 1))
    tenth = f.check_in(event, f.register(event, "Zehnte"))
    assert (f.sizes(event), f.seat_of(tenth)) == ({1: 10}, (1, 10))
    assert [count.seats for count in table_counts(f.fresh(event))] == [10]
    shown = draw_pictures(event, list(draws_of(event)), to_staff=True)
    assert all(picture.agrees for picture in shown)
    f.refuses("needed", f.undo, event, added)
    f.refuses("bad_seats", chair_add, event, 0, table=f.table_of(event, 1))
    f.drive(table_open, event, 0)
    assert [count.seats for count in table_counts(f.fresh(event))] == [10, 9]


def test_only_the_last_chair_is_taken_away_and_none_that_the_game_has_no_cards_for_is_added():
    event = f.make_seated_event(4, seats=6)
    first = f.drive(chair_add, event, 0, table=f.table_of(event, 1))
    f.drive(chair_add, event, 0, table=f.table_of(event, 1))
    f.refuses("needed", f.undo, event, first)
    stud = f.make_seated_event(4, name="Stud", game="stud", limit="split_limit", seats=8)
    (table,) = tables_live(stud)
    f.refuses("bad_seats", chair_add, stud, 0, table=table)
    f.refuses("table_gone", chair_add, stud, 0, table=f.table_of(event, 1))


def test_a_table_is_neither_closed_nor_opened_by_an_undo_while_somebody_sits_there():
    event = f.make_running_event(4)
    opened = f.drive(table_open, event, 1)
    table, entry = f.table_of(event, 2), f.entries_of(event)[0]
    undone = f.undo(event, f.drive(table_close, event, 2, table=table))
    f.drive(entry_move, event, 3, entry=entry, table=table, seat=1, reason="saß falsch")
    for action in (opened, undone):
        assert "Spieler 001 umgesetzt: Tisch 2, Platz 1" in f.refuses(
            "needed", f.undo, event, action
        )


def three_left(event):
    """Have three left at table 3 of the unbalanced event, and break it."""
    for entry in f.at_table(event, 3)[:7]:
        f.out(event, entry)
    before = f.seats(event)
    return before, f.drive(table_break, event, 9, table=f.table_of(event, 3))


def test_tda_2024_10_a_broken_table_is_drawn_to_the_emptiest_seats_and_back_and_forth():
    event = f.make_unbalanced_event()
    before, action = three_left(event)
    after = f.seats(event)
    assert f.sizes(event) == {1: 10, 2: 10}
    f.assert_logged(event, "table.broken", table=3)
    moved = {pk: (table, seat) for pk, table, seat in action.payload["moves"]}
    assert len(moved) == 3
    assert moved.items() <= after.items()
    undone = f.undo(event, action)
    assert f.seats(event) == before
    f.undo(event, undone)
    assert f.seats(event) == after
    f.refuses("already_undone", f.undo, event, undone)


def test_a_break_is_not_taken_back_once_somebody_moved_on_or_its_number_is_used_again():
    event = f.make_unbalanced_event()
    _before, action = three_left(event)
    f.out(event, Entry.objects.get(pk=action.payload["moves"][0][0]), at=f.after(11))
    assert "Ausgeschieden" in f.refuses("needed", f.undo, event, action)
    f.undo(event)
    f.drive(table_open, event, 91)
    assert "Tisch eröffnet: 3" in f.refuses("needed", f.undo, event, action)
    f.undo(event)
    f.undo(event, action)
    assert f.sizes(event) == {1: 10, 2: 7, 3: 3}


def test_tda_rp9_the_final_table_is_drawn_anew_and_back_and_forth():
    event = f.make_running_event(11)
    f.out(event, f.at_table(event, 2)[0])
    assert floor_advice(event, f.after(10)).draws_final
    before = f.seats(event)
    action = f.drive(final_table_draw, event, 9, by=f.make_dora(event))
    after = f.seats(event)
    assert f.sizes(event) == {1: 10}
    f.assert_logged(event, "final_table.drawn", table=1, closed=[1, 2])
    undone = f.undo(event, action)
    assert f.seats(event) == before
    f.undo(event, undone)
    assert f.seats(event) == after


def test_no_final_table_yet_or_any_more():
    planned = f.make_seated_event(11)
    f.refuses("cannot_draw_final", final_table_draw, planned, 0)
    f.refuses("cannot_redraw", tables_redraw, planned, 0)
    f.drive(event_cancel, planned, 0)
    event = f.make_running_event(11, name="Zweites")
    assert "noch 11" in f.refuses("cannot_draw_final", final_table_draw, event, 1)
    f.out(event, f.at_table(event, 2)[0])
    f.drive(final_table_draw, event, 9)
    assert "einem Tisch" in f.refuses("cannot_draw_final", final_table_draw, event, 9)
    for entry in f.at_table(event, 1)[1:]:
        f.drive(entry_disqualify, event, 10, entry=entry, reason="Test")
    assert "keine zwei" in f.refuses("cannot_draw_final", final_table_draw, event, 11)
    f.refuses("cannot_redraw", tables_redraw, event, 12)


def settings(event, **values):
    Event.objects.filter(pk=event.pk).update(**values)
    return f.fresh(event)


@pytest.mark.parametrize(
    ("players", "seats", "own", "expected"), [(9, 8, {}, 9), (11, 10, {"final_table_seats": 6}, 6)]
)
def test_the_final_table_has_nine_seats_or_those_that_were_set(players, seats, own, expected):
    event = settings(f.make_running_event(players, seats=seats), **own)
    if own:
        for entry in f.entries_of(event)[:4]:
            f.out(event, entry)
        assert not floor_advice(event, f.after(10)).draws_final
        assert "hat 6 Plätze" in f.refuses("cannot_draw_final", final_table_draw, event, 9)
        f.out(event, next(e for e in f.entries_of(event) if f.seat_of(e)))
        assert floor_advice(event, f.after(10)).draws_final
    f.drive(final_table_draw, event, 9)
    assert f.table_of(event, 1).seats == expected


def test_a_redraw_at_its_number_seats_all_anew_over_the_fewest_tables():
    event = settings(f.make_running_event(30), redraw_at=[18, 9])
    assert floor_advice(event, f.after(10)).redraws_at is None
    for number in (1, 2, 3):
        for entry in f.at_table(event, number)[:4]:
            f.out(event, entry)
    assert floor_advice(event, f.after(10)).redraws_at == 18
    before = f.seats(event)
    action = f.drive(tables_redraw, event, 9, by=f.make_dora(event))
    f.assert_logged(event, "tables.redrawn", entries=18, closed=[3])
    assert f.sizes(event) == {1: 9, 2: 9}
    moved = {pk: (table, seat) for pk, table, seat in action.payload["moves"]}
    assert moved.items() <= f.seats(event).items()
    advice = floor_advice(event, f.after(10))
    assert (advice.redraws_at, advice.moves, advice.breaks_table) == (None, (), None)
    undone = f.undo(event)
    assert f.seats(event) == before
    assert floor_advice(event, f.after(10)).redraws_at == 18
    f.undo(event, undone)
    assert f.sizes(event) == {1: 9, 2: 9}


def test_tda_2024_11c_suggested_moves_are_carried_out_in_their_order():
    event = f.make_unbalanced_event()
    advice = floor_advice(event, f.after(10))
    assert advice.moves_in_all == len(advice.moves) == 2
    first = carry_out(event, advice.moves[0])
    f.assert_logged(event, "seat.balanced", rule="drawn.drawn", table=2)
    carry_out(event, advice.moves[1])
    assert f.sizes(event) == {1: 9, 2: 9, 3: 9}
    assert floor_advice(event, f.after(10)).moves == ()
    f.undo(event)
    f.undo(event, first)
    assert f.sizes(event) == {1: 10, 2: 7, 3: 10}


def test_the_moves_of_a_round_are_one_act_and_the_same_as_one_by_one():
    event = f.make_unbalanced_event()
    assert floor_advice(event, f.after(10)).round == ()
    for number in (1, 2, 3):
        mark(event, 9, None, number)
    shown = floor_advice(event, f.after(10)).round
    moves = [(move.entry, move.from_table, move.to_table, move.to_seat) for move in shown]
    for wrong in ([], moves[:1], moves[::-1]):
        f.refuses("overtaken", balance_round, event, 10, moves=wrong)
    made = f.drive(balance_round, event, 10, moves=moves)
    assert f.sizes(event) == {1: 9, 2: 9, 3: 9}
    places = {Entry(pk=entry): (table, seat) for entry, _from, table, seat in moves}
    assert {entry: f.seat_of(entry) for entry in places} == places
    assert Draw.objects.live().filter(event=event, kind="balance").count() == 2
    f.undo(event, made)
    assert f.sizes(event) == {1: 10, 2: 7, 3: 10}


def test_a_suggestion_that_was_overtaken_is_refused():
    event = f.make_unbalanced_event()
    move = floor_advice(event, f.after(10)).moves[0]
    other = next(e for e in f.at_table(event, move.from_table) if e.pk != move.entry)
    for changed in ({"entry": other}, {"to_seat": move.to_seat % 10 + 1}, {"from_table": 3}):
        f.refuses("overtaken", carry_out, event, move, **changed)
    f.out(event, Entry.objects.get(pk=move.entry))
    f.refuses("overtaken", carry_out, event, move)
