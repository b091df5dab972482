"""Seats by draw: the whole field, one at a time, first dealers, and the hall number."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import DealerDraw, Draw, Seating, Table
from tournaments.seating.domain.draws import dealer_draw, entry_item, field_draw
from tournaments.seating.selectors.layout import dealer_seats
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw
from tournaments.seating.services.tables import dealer_draw_make, dealers_draw, table_open
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


def sizes(event):
    return [count.players for count in table_counts(event)]


def draw(event, by=SYSTEM, **bound):
    return seats_draw(Command(event=event, by=by, at=f.ARRIVAL), **bound)


def field(players, **settings):
    event = f.make_event(draw_mode="field", **settings)
    for number in range(players):
        f.check_in(event, f.register(event, f"Gast {number}"))
    return event


def test_tda_2024_7_the_whole_field_is_drawn_evenly_and_anyone_can_repeat_it():
    event = field(23)
    action = draw(event, by=f.make_dora(event), number="4711")
    assert sizes(event) == [8, 8, 7]
    f.assert_logged(event, "seats.drawn", entries=23, tables_opened=[1, 2, 3])
    kept = Draw.objects.get(event=event, number=action.payload["draw"])
    again = field_draw(
        [entry_item(row[0]) for row in kept.outcome],
        [(table, seat) for table in (1, 2, 3) for seat in range(1, 11)],
        secret=event.draw_secret,
        hall_number="4711",
        draw_number=kept.number,
    )
    for entry in f.entries_of(event):
        assert again[entry_item(entry.pk)] == f.seat_of(entry)


def test_who_comes_after_the_draw_is_drawn_alone():
    event = field(4)
    draw(event)
    assert f.seat_of(f.check_in(event, f.register(event)))


def test_the_field_is_drawn_once_for_two_or_more_before_play():
    event = field(1)
    with f.refused("too_few", event):
        draw(event)
    f.check_in(event, f.register(event))
    arno = f.make_arno(event)
    with f.refused("not_allowed", event):
        draw(event, by=arno)
    draw(event)
    with f.refused("already_drawn", event):
        draw(event)


def test_no_draw_of_the_field_once_play_began():
    event = f.make_running_event(3)
    with f.refused("started", event):
        draw(event)


def test_the_draw_taken_back_closes_its_tables_and_put_in_force_again_opens_them():
    event = field(12)
    action = draw(event)
    seats = [f.seat_of(entry) for entry in f.entries_of(event)]
    undone = action_undo(Command(event=event, by=SYSTEM, at=f.START), action=action)
    assert sizes(event) == []
    assert not Seating.objects.live().filter(event=event).exists()
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=undone)
    assert [f.seat_of(entry) for entry in f.entries_of(event)] == seats
    draw_numbers = Draw.objects.filter(event=event).values_list("number", flat=True)
    assert list(draw_numbers) == [1]


def test_a_draw_taken_back_gives_its_number_to_nobody():
    event = field(4)
    first = draw(event)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=first)
    assert draw(event).payload["draw"] == first.payload["draw"] + 1


def test_the_draw_is_not_taken_back_while_somebody_sits_by_a_later_draw():
    event = field(4)
    action = draw(event)
    f.check_in(event, f.register(event))
    with f.refused("needed", event) as caught:
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=action)
    assert "Eingecheckt: Petra Probst" in str(caught.value)


def test_a_rolling_draw_opens_tables_for_all_who_registered_and_fills_them_evenly():
    event = f.make_event(seats=9)
    rows = [f.register(event, f"Gast {number}") for number in range(20)]
    for row in rows[:7]:
        f.check_in(event, row)
    assert sorted(sizes(event)) == [2, 2, 3]
    for row in rows[7:]:
        f.check_in(event, row)
    assert sorted(sizes(event)) == [6, 7, 7]


def test_a_full_hall_opens_a_further_table():
    event = f.make_event(seats=2)
    for row in [f.register(event, "Eins"), f.register(event, "Zwei")]:
        f.check_in(event, row)
    f.check_in(event, f.register(event, "Drei"))
    assert sizes(event) == [2, 1]
    f.assert_logged(event, "entry.checked_in", tables_opened=[2])


def test_opened_tables_take_the_lowest_free_numbers():
    event = f.make_event()
    table_open(Command(event=event, by=SYSTEM, at=f.ARRIVAL), count=3)
    Table.objects.filter(event=event, number=2).update(voided_by=f.last_action(event))
    table_open(Command(event=event, by=SYSTEM, at=f.ARRIVAL), count=2)
    f.assert_logged(event, "table.opened", tables_opened=[2, 4])


def test_krru_3_the_highest_card_deals_first():
    event = f.make_seated_event(9)
    table = f.table_of(event, 1)
    action = dealer_draw_make(Command(event=event, by=f.make_arno(event), at=f.START), table=table)
    f.assert_logged(event, "dealer.drawn", table=1)
    kept = DealerDraw.objects.get(table=table)
    seats = sorted(card["seat"] for card in kept.cards)
    cards = dealer_draw(
        seats, secret=event.draw_secret, hall_number="", draw_number=action.payload["draw"]
    )
    assert cards[action.payload["seat"]] == max(cards.values())
    assert [card["card"] for card in kept.cards] == [
        card.code for card in sorted(cards.values(), reverse=True)
    ]
    assert dealer_seats([table.pk]) == {table.pk: action.payload["seat"]}


def test_a_first_dealer_is_drawn_once_until_taken_back():
    event = f.make_seated_event(3)
    own = {"event": event, "by": SYSTEM, "at": f.START, "table": f.table_of(event, 1)}
    first = call_service(dealer_draw_make, **own)
    with f.refused("already_drawn", event):
        call_service(dealer_draw_make, **own)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=first)
    assert dealer_seats([own["table"].pk]) == {}
    call_service(dealer_draw_make, **own)


def test_a_dealer_needs_two_players_and_a_table_in_play():
    event = f.make_seated_event(1)
    table = f.table_of(event, 1)
    with f.refused("too_few", event):
        dealer_draw_make(Command(event=event, by=SYSTEM, at=f.START), table=table)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=f.last_action(event))
    with f.refused("table_gone", event):
        dealer_draw_make(Command(event=event, by=SYSTEM, at=f.START), table=table)


def test_the_desk_and_strangers_draw_no_dealer():
    event = f.make_seated_event(2)
    for who in (f.ZENO, f.make_desk(event)):
        with f.refused("not_allowed", event):
            dealer_draw_make(Command(event=event, by=who, at=f.START), table=f.table_of(event, 1))


def test_the_hall_number_counts_for_the_draws_that_follow():
    event = f.make_event()
    draw_hall_number_set(Command(event=event, by=f.make_dora(event), at=f.ARRIVAL), number="0815")
    number_set = f.assert_logged(event, "draw.hall_number_set")
    f.check_in(event, f.register(event))
    assert Draw.objects.get(event=event).hall_number == "0815"
    with f.refused("needed", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=number_set)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=f.last_action(event))
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=number_set)
    assert f.fresh(event).hall_number == ""


@pytest.mark.parametrize("number", ["", "12a", "1|2", "1" * 41, "½"])
def test_a_hall_number_is_digits(number):
    event = f.make_event()
    with f.refused("bad_number", event):
        draw_hall_number_set(Command(event=event, by=SYSTEM, at=f.ARRIVAL), number=number)


def test_a_table_is_not_taken_back_from_under_its_first_dealer():
    event = field(4)
    drawn = draw(event)
    dealer = dealer_draw_make(
        Command(event=event, by=SYSTEM, at=f.START), table=f.table_of(event, 1)
    )
    with f.refused("needed", event) as caught:
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=drawn)
    assert "Erster Geber an Tisch 1" in str(caught.value)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=dealer)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=drawn)
    assert sizes(event) == []


def test_krru_3_all_first_dealers_are_drawn_at_once_each_as_if_alone():
    event = f.make_seated_event(25)
    alone = call_service(
        dealer_draw_make, event=event, by=SYSTEM, at=f.START, table=f.table_of(event, 2)
    )
    made = f.drive(dealers_draw, event, 0, by=f.make_arno(event))
    dealt = f.assert_logged(event, "dealers.drawn", tables=2).payload["dealt"]
    first = alone.payload["draw"] + 1
    assert [(table, draw) for table, _seat, draw in dealt] == [(1, first), (3, first + 1)]
    for table, seat, draw in dealt:
        sits = [f.seat_of(entry)[1] for entry in f.at_table(event, table)]
        own = {"secret": event.draw_secret, "hall_number": "", "draw_number": draw}
        cards = dealer_draw(sits, **own)
        assert cards[seat] == max(cards.values())
        assert dealer_seats([f.table_of(event, table).pk]) == {f.table_of(event, table).pk: seat}
    with f.refused("already_drawn", event):
        f.drive(dealers_draw, event, 0)
    f.undo(event, made)
    assert [row.table.number for row in DealerDraw.objects.live()] == [2]


def test_no_dealer_is_drawn_where_nobody_sits_or_for_the_desk():
    event = f.make_seated_event(1)
    with f.refused("already_drawn", event):
        f.drive(dealers_draw, event, 0)
    with f.refused("not_allowed", event):
        f.drive(dealers_draw, event, 0, by=f.make_desk(event))
