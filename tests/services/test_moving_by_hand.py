"""Moves by hand, swaps and suggestions: what is asked for, who moves, what takes a reason."""

import pytest

from clock.models import Level
from tests import factories as f
from tests.services.dealing import carry_out, free, move, tap
from tournaments.changes.access import SYSTEM
from tournaments.dashboard.selectors.due import due_items
from tournaments.dashboard.selectors.items import DueKind, Urgency
from tournaments.dashboard.selectors.tables import why_move
from tournaments.event.domain.games import Game
from tournaments.event.services.clock import clock_start
from tournaments.models import Arrival, Draw, Entry, Seating, Table
from tournaments.rules.services.rules import event_rules_change
from tournaments.screens.selectors.screens import hall_moves
from tournaments.seating.selectors.balancing import floor_advice, moves_so_far
from tournaments.seating.selectors.conduct import walking
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.selectors.seat_cards import tables_to_draw
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.breaking import final_table_draw, tables_redraw
from tournaments.seating.services.chairs import seat_lock
from tournaments.seating.services.seat_cards import seats_draw_by_cards
from tournaments.seating.services.seats import draw_hall_number_set
from tournaments.seating.services.tables import (
    dealer_draw_make,
    entry_move,
    seats_swap,
)
from tournaments.undo.selectors.preview_state import lots_of
from tournaments.undo.services.undo import undo_preview

pytestmark = pytest.mark.django_db
BEFORE = -10


def lock(event, seat, minute=BEFORE):
    f.drive(seat_lock, event, minute, table=f.table_of(event, 1), seat=seat, reason="Rollstuhl")


def test_a_move_the_procedure_asks_for_needs_no_reason_any_other_does():
    event = f.make_unbalanced_event()
    step = floor_advice(event, f.after(10)).moves[0]
    entry = Entry.objects.get(pk=step.entry)
    other = next(e for e in f.at_table(event, step.from_table) if e.pk != step.entry)
    own = {"table": f.table_of(event, 2)}
    wrong = next(seat for seat in free_seats(event, [2])[2] if seat != step.to_seat)
    for changed, sentence in (
        ({"entry": other, "seat": step.to_seat}, "jemand anderes"),
        ({"entry": entry, "seat": wrong}, "anderen Platz"),
    ):
        refusal = f.refuses("reason_needed", entry_move, event, 6, **own, **changed)
        assert sentence in refusal
        assert "Grund" in refusal
    f.drive(entry_move, event, 6, **own, entry=entry, seat=step.to_seat)
    assert f.seat_of(entry) == (2, step.to_seat)
    back = {"entry": entry, "table": f.table_of(event, 1), "seat": free(event, 1)}
    f.refuses("reason_needed", entry_move, event, 6, **back)
    f.drive(entry_move, event, 6, **back, reason="doch nicht")
    moved = f.assert_logged(event, "seat.moved", entry=entry.pk, table=1, seat=back["seat"])
    assert moved.text.data["reason"] == "doch nicht"


def test_a_move_is_not_taken_back_once_the_seat_is_held_or_the_player_moved_on_or_is_out():
    event = f.make_running_event(4)
    first, second, third = f.entries_of(event)[:3]
    here = f.seat_of(first)[1]

    def stands_in_the_way(move, sentence):
        assert sentence in f.refuses("needed", f.undo, event, move)

    made = move(event, first, 1, 1)
    move(event, second, 1, 1, here)
    stands_in_the_way(made, "Spieler 002 umgesetzt")
    moves = [move(event, third, 1, 1), move(event, third, 1, 1)]
    stands_in_the_way(moves[0], "Spieler 003 umgesetzt")
    f.out(event, third)
    stands_in_the_way(moves[1], "Ausgeschieden: Spieler 003")


def test_moves_and_swaps_that_cannot_be_are_refused():
    event = f.make_running_event(4)
    first, second, gone = f.entries_of(event)[:3]
    f.out(event, gone)
    table, seat = f.table_of(event, 1), free(event, 1)
    for code, changed in (
        ("seat_unfit", {"seat": 0}),
        ("seat_unfit", {"seat": 11}),
        ("seat_unfit", {"seat": f.seat_of(second)[1]}),
        ("seat_unfit", {"seat": f.seat_of(first)[1]}),
        ("table_gone", {"table": Table(pk=0)}),
        ("overtaken", {"moved_from": (9, 9)}),
        ("not_seated", {"entry": Entry(pk=0)}),
    ):
        own = {"entry": first, "table": table, "seat": seat, **changed}
        f.refuses(code, entry_move, event, 6, **own)
    for code, changed in (
        ("nobody", {"second": first}),
        ("not_seated", {"second": gone}),
        ("overtaken", {"places": (f.seat_of(first), (2, 9))}),
        ("reason_needed", {"reason": "  "}),
    ):
        own = {"first": first, "second": second, "reason": "Streit", **changed}
        f.refuses(code, seats_swap, event, 6, **own)


def test_tda_2024_11c_a_suggestion_says_why_these_two_tables():
    event = f.make_unbalanced_event()
    advice = floor_advice(event, f.after(10))
    assert why_move(advice.moves[0], advice.transfers[0])[:4] == [
        "Beides ausgelost, weil die Buttons nicht bekannt sind.",
        "Tisch 1 gibt ab: mit 10 unter den größten, davon die niedrigste Nummer.",
        "Tisch 2 bekommt, weil er mit 7 der kleinste ist.",
        "TDA 2024 11-C.",  # drawn: 11-A had no part in it
    ]


def test_nobody_is_moved_twice_while_someone_else_could_have_been():
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    *moved, never = f.at_table(event, 1)
    for entry in moved:
        _number, seat = f.seat_of(entry)
        move(event, entry, 6)
        move(event, entry, 6, 1, seat)
    assert moves_so_far([entry.pk for entry in (*moved, never)]) == dict.fromkeys(
        [entry.pk for entry in moved], 2
    )
    assert floor_advice(event, f.after(10)).moves[0].entry == never.pk
    f.undo(event)
    assert moves_so_far([moved[-1].pk])[moved[-1].pk] == 1


def test_tda_2024_11a_stud_the_last_seat_opened_is_filled():
    event = f.make_running_event(16, seats=8, game=Game.STUD, limit="split_limit")
    first, second = f.at_table(event, 2)[:2]
    f.out(event, first, at=f.after(5))
    table, seat = f.seat_of(second)
    f.out(event, second, at=f.after(6))
    move = floor_advice(event, f.after(10)).moves[0]
    assert (move.to_table, move.to_seat) == (table, seat)
    assert (move.from_seat, move.reason_code) == (seat, "position.last_opened")
    assert move.lots == ()
    carry_out(event, move)
    assert f.seat_of(Entry(pk=move.entry)) == (table, seat)
    f.assert_logged(event, "seat.balanced", rule="position.last_opened")
    assert not Draw.objects.filter(event=event, kind="balance").exists()


def test_tda_2024_11a_in_mixed_games_the_next_big_blind_moves_also_while_stud_is_played():
    event = f.make_running_event(16, seats=8)
    tap(event, 1, button=1)
    for entry in f.at_table(event, 2)[:2]:
        f.out(event, entry, at=f.after(2))
    before = floor_advice(f.fresh(event), f.after(10)).moves[0]
    Level.objects.filter(clock=event.clock, position=0).update(game="Razz")
    event = f.fresh(event)
    tap(event, 4)
    step = floor_advice(f.fresh(event), f.after(10)).moves[0]
    # The button was frozen at seat 1 (TDA 2024 11-B): after this hand it goes on to seat 2, the
    # blinds to 3 and 4, as if the hand of stud had not been.
    assert (step.entry, step.from_seat) == (before.entry, before.from_seat)
    assert step.from_seat == 4
    assert not step.reason_code.startswith("position.")
    carry_out(event, step)


def test_a_player_on_a_locked_seat_stays():
    """Case 12-fester-platz: the next one moves, and the lock is said."""
    event = f.make_running_event(12, seats=6)
    lock(event, 3, 1)
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


# --- Seats decided by real cards: drawn at a table, entered in one sheet, refused, taken back


@pytest.fixture
def event():
    """Two tables of three, with five seats each, before the start."""
    return f.make_seated_event(6, seats=5)


def cards(event, number, letters):
    """Give the players of a table these cards, in the order of their seats."""
    return dict(zip([row.pk for row in f.at_table(event, number)], letters, strict=True))


def draw(event, number, letters, minute=BEFORE, **own):
    given = letters if isinstance(letters, dict) else cards(event, number, letters)
    return f.drive(
        seats_draw_by_cards, event, minute, table=f.table_of(event, number), cards=given, **own
    )


def test_home_the_card_drawn_is_the_seat_of_whoever_drew_it(event):
    before, players = f.seats(event), [row.pk for row in f.at_table(event, 1)]
    action = draw(event, 1, "5A3", by=f.make_arno(event))
    f.assert_logged(event, "seats.drawn_by_cards", table=1, draw=7)
    after = f.seats(event)
    assert [after[pk] for pk in players] == [(1, 5), (1, 1), (1, 3)]
    assert {pk: after[pk] for pk in after if pk not in players} == {
        pk: before[pk] for pk in before if pk not in players
    }
    # Who drew a card is there: nobody is sent, nobody is asked.
    seated = Seating.objects.live().filter(table=f.table_of(event, 1))
    assert Arrival.objects.live().filter(seating__in=seated).count() == 3
    assert walking(f.fresh(event), None) == []
    shown = undo_preview(event=f.fresh(event), by=SYSTEM, at=f.after(BEFORE), action=action)
    assert shown.obstacle is None
    assert {pk: lot.seat for pk, lot in lots_of(shown.after).items()} == before
    undone = f.undo(event, action, by=f.make_dora(event))
    assert f.seats(event) == before
    f.undo(event, undone)
    assert f.seats(event) == after


def test_cards_are_entered_anew_where_they_were_entered_wrongly(event):
    draw(event, 1, "5A3")
    one, two, three = (row.pk for row in f.at_table(event, 1))
    draw(event, 1, {one: "2", two: "A", three: "5"}, -9)
    assert [f.seats(event)[pk] for pk in (one, two, three)] == [(1, 2), (1, 1), (1, 5)]
    # The screen tells who sits on another seat, and nobody who stays.
    assert [row[2:] for row in hall_moves(f.fresh(event))] == [[1, 3, 1, 1], [1, 1, 1, 2]]


def test_cards_that_give_no_seats_change_nothing(event):
    one, two, three = (row.pk for row in f.at_table(event, 1))
    given = {one: "A", two: "2", three: "3"}
    names = [row.registration.person.name for row in f.at_table(event, 1)]
    for wrong, code, sentence in (
        ({three: "A"}, "card_twice", f"{names[0]} und {names[2]} haben beide A. Jede Karte gibt"),
        ({two: "6"}, "card_outside", f"6 von {names[1]} ist nicht dabei: An Tisch 1 gehen die"),
        ({two: "K"}, "card_outside", "die Karten von A bis 5."),
        ({two: ""}, "card_missing", f"Für {names[1]} fehlt die Karte."),
        ({two: "x"}, "card_missing", "fehlt die Karte."),
        ({-1: "4"}, "overtaken", "Inzwischen zieht hier jemand keine Karte mehr: –."),
    ):
        assert sentence in f.refuses(code, draw, event, 1, given | wrong)
    locked = free(event, 1)
    lock(event, locked)
    others = "A2345".replace("A2345"[locked - 1], "")
    wrong = {one: others[0], two: others[1], three: "A2345"[locked - 1]}
    refusal = f.refuses("card_locked", draw, event, 1, wrong)
    assert "Dieser Platz an Tisch 1 ist gesperrt." in refusal


def test_who_came_or_left_meanwhile_is_named(event):
    gone, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    for mover, letters, number, code, sentence in (
        (gone, "A23", 2, "overtaken", "keine Karte mehr: {}. Bitte neu öffnen."),
        (other, "A2", 1, "card_missing", "Für {} fehlt"),
    ):
        given = cards(event, 1, letters)
        move(event, mover, BEFORE, number)
        told = f.refuses(code, draw, event, 1, given)
        assert sentence.format(mover.registration.person.name) in told


def test_who_sits_on_a_locked_seat_stays_and_draws_no_card(event):
    stays, *drawing = f.at_table(event, 1)
    place = f.seat_of(stays)
    lock(event, place[1])
    free = [letter for seat, letter in enumerate("A2345", start=1) if seat != place[1]]
    f.refuses("overtaken", draw, event, 1, cards(event, 1, free[:3]))
    draw(event, 1, {drawing[0].pk: free[3], drawing[1].pk: free[2]})
    assert f.seat_of(stays) == place
    lock(event, f.seat_of(drawing[0])[1], -9)
    f.refuses("too_few", draw, event, 1, {drawing[1].pk: free[0]})


def test_cards_come_before_the_first_dealer_and_before_play(event):
    dealt = f.drive(dealer_draw_make, event, BEFORE, table=f.table_of(event, 1))
    refusal = f.refuses("not_drawn_now", draw, event, 1, "A23")
    assert "bis dort ein Geber ausgelost ist oder gespielt wird." in refusal
    f.undo(event, dealt, at=f.after(BEFORE))
    draw(event, 1, "A23")
    f.drive(clock_start, event, 0)
    f.refuses("not_drawn_now", draw, event, 2, "A23", 1)


def test_cards_after_a_redraw_and_at_the_final_table_until_play_goes_on():
    event = f.make_running_event(8, seats=4, final_table_seats=5)
    redrawn = f.drive(tables_redraw, event, 10)
    drawn = draw(event, 1, "43A2", 11)
    assert "Plätze an Tisch 1 mit Karten gezogen" in f.refuses("needed", f.undo, event, redrawn)
    tap(event, 12)
    f.refuses("not_drawn_now", draw, event, 1, "A234", 13)
    draw(event, 2, "23A4", 13)
    f.out(event, *f.at_table(event, 2)[:2], at=f.after(14))
    f.out(event, f.at_table(event, 1)[0], at=f.after(15))
    f.refuses("not_drawn_now", draw, event, 2, "2A", 16)
    f.drive(final_table_draw, event, 20)
    draw(event, 1, "54A23", 21)
    assert [f.seat_of(row)[1] for row in f.at_table(event, 1)] == [1, 2, 3, 4, 5]
    f.refuses("needed", f.undo, event, drawn)
    f.out(event, f.at_table(event, 1)[0], at=f.after(22))
    f.refuses("not_drawn_now", draw, event, 1, "A234", 23)


def test_the_page_of_draws_says_that_it_was_drawn_in_the_hall(event):
    number = f.drive(draw_hall_number_set, event, -20, number="4711")
    draw(event, 1, "5A3")
    rows = list(draws_of(f.fresh(event)))
    picture = draw_pictures(f.fresh(event), rows, to_staff=True)[0]
    assert (picture.kind, picture.table, picture.agrees, picture.lots) == ("cards", 1, None, ())
    assert {row["seat"] for row in picture.outcome} == {1, 3, 5}
    f.undo(event, number, at=f.after(-5))  # no hall number bears on a card


def of_kind(event, kind, minute):
    now = f.after(minute)
    event = f.fresh(event)
    items = due_items(event, now, advice=floor_advice(event, now))
    return [(item.urgency, item.number, item.title) for item in items if item.kind is kind]


def test_a_house_that_draws_with_cards_is_told_which_tables_are_to_draw(event):
    assert tables_to_draw(f.fresh(event)) == []
    f.drive(event_rules_change, event, BEFORE, rules={"seat_draw": "cards"})
    title = "Karten für die Plätze an 2 Tischen"
    assert of_kind(event, DueKind.CARDS, -9) == [(Urgency.NOW, 1, title)]
    assert of_kind(event, DueKind.DEALER, -9) == []
    draw(event, 1, "5A3")
    title = "Karten für die Plätze an Tisch 2"
    assert of_kind(event, DueKind.CARDS, -9) == [(Urgency.NOW, 2, title)]
    assert of_kind(event, DueKind.DEALER, -9) == [(Urgency.NOW, 1, "Erster Geber an Tisch 1")]
    draw(event, 2, "5A3")
    assert of_kind(event, DueKind.CARDS, -8) == []
    late = f.check_in(event, f.register(event), at=f.after(-7))
    assert Draw.objects.latest("number").outcome == [[late.pk, *f.seat_of(late)]]
    assert of_kind(event, DueKind.CARDS, -6) == []
    f.drive(clock_start, event, 0)
    f.drive(tables_redraw, event, 5)
    assert tables_to_draw(f.fresh(event)) == [1, 2]
    assert of_kind(event, DueKind.CARDS, 6)[0][0] is Urgency.NOW
    draw(event, 2, "A234"[: len(f.at_table(event, 2))], 6)
    assert tables_to_draw(f.fresh(event)) == [1]
    tap(event, 7)
    assert tables_to_draw(f.fresh(event)) == []
