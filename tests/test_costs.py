"""How many statements the commonest actions and pages take, at two sizes of a hall.

A number here is the most that is allowed. One more is a decision: the message lists what was asked.
One that has become less is written down here, so that it stays. `bench cost` tells the times.
"""

from collections import Counter

import pytest
from django.utils import timezone

from tests.costs import Room, statements
from tests.flights import add, make_contest

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]

# More tables than a page reads at once; below that, all are read, above it only those shown.
SMALL, LARGE = [8, 8, 6], [8] * 29 + [6]
# By name: in the small hall, in the large one.
ACTIONS = {
    "seat_move": (11, 11),
    "out": (11, 11),
    "undo_of_an_out": (24, 24),  # one asks whether a re-entry gave the person another stack
    "look_at_an_undo": (46, 46),
    # Where the clock is asked (here: which table counts hands), its row is one statement more than
    # a join would be; a registration does without. The join took longer than both.
    "check_in_late": (25, 25),
    # In the small one it opens a table: those to come would not fit.
    "check_in_before_the_start": (31, 26),
    "registration": (9, 9),
    # Four ask whether a hand is played there: hand-for-hand and a halt in one, and the clock.
    "hand": (14, 14),
    "clock": (10, 10),
    # The club is asked for by itself since the event is read by hand.
    "payment": (14, 14),
    "tap_of_an_out": (15, 15),
    # One asks whether the director has set a place, one whether hand-for-hand has just ended.
    "sheet_after_an_out": (14, 14),
}
# What staff sees with a navigation asks once whether there is money on an evening without a fee,
# and once for the other event under way.
PAGES = {
    # Two ask whether the evening has to do with money, one in a small field for a deal; one asks
    # for closing time.
    # One asks for late taps to decide about, one for money booked.
    "director": (32, 25),
    "director_clock": (5, 5),
    # One asks whether "in the money" has closed late entry.
    "director_tables": (18, 10),
    "director_due": (27, 21),
    "director_bubble": (6, 6),
    "director_in_force": (6, 6),
    "director_log": (5, 5),
    "floor": (11, 11),
    # One of them asks whether a hand may begin there, two who leaves and has not arrived yet.
    "floor_table": (27, 29),
    "floor_table_panel": (23, 25),
    "floor_player": (15, 15),
    # One counts the states of the rules, to link the one in force. While it runs the page is a live
    # one with pot, prizes, last outs and seats; strangers are answered from what is kept.
    "tournament": (26, 26),
    "tournament_stranger": (1, 1),
    "tournament_own": (14, 14),
    # One asks for the pot, one whether the evening has to do with money.
    "screen": (10, 10),
    "screen_state": (9, 9),
    "screen_claimed": (10, 10),
    # One asks for the receipts, one whether the own stack was counted, one for closing time.
    # The card shows the clock and the way to the money.
    "player": (26, 25),
    "player_card": (22, 21),
    # One asks what was bought, one whether anything was paid where nothing costs.
    "desk": (22, 22),
    "desk_list": (17, 17),
    # One asks who put out whom, one whether stacks were counted.
    "results": (14, 14),
    "home": (4, 4),
    "health": (1, 1),
}


@pytest.fixture(params=[SMALL, LARGE], ids=["small", "large"])
def sizes(request):
    return request.param


@pytest.fixture
def room(sizes):
    return Room.laid_out("Saal", sizes, at=timezone.now(), to_come=8)


def excess(name, asked, most):
    if len(asked) <= most:
        return ""
    lines = (f"  {times}× {sql}" for sql, times in Counter(asked).items())
    return "\n".join([f"{name}: {len(asked)} statements, at most {most}:", *lines])


def asked_by(prepare):
    """Return what the second time asks: the first one fills what is kept of the process."""
    prepare()()
    do = prepare()
    with statements() as asked:
        do()
    return asked


def test_actions_take_no_more_statements_than_before(room, sizes):
    actions = room.actions() | room.taps()
    found = [
        excess(name, asked_by(prepare), ACTIONS[name][sizes is LARGE])
        for name, prepare in actions.items()
    ]
    assert not any(found), "\n".join(found)


def test_an_out_in_a_flight_takes_no_more_statements_than_in_an_event(room):
    alone = len(asked_by(room.actions()["out"]))
    add(make_contest(), room.running, "1A")
    assert len(asked_by(room.actions()["out"])) == alone


def test_pages_take_no_more_statements_than_before(room, sizes):
    found = [
        excess(name, asked_by(lambda do=do: do), PAGES[name][sizes is LARGE])
        for name, do in room.pages().items()
    ]
    assert not any(found), "\n".join(found)
