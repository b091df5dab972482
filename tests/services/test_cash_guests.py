"""A mixed evening: who plays only cash owes no entry, takes no place and is no no-show."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, press, shows, text_of, url_of
from tests.services.cashgames import open_table, say
from tournaments.cashgame.services.line import cash_offer, cash_wait
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.changes.access import Role
from tournaments.dashboard.selectors.due_before import before_items
from tournaments.dashboard.selectors.due_money import cash_items
from tournaments.door.selectors.desk import Only, desk_line, desk_only, door_numbers
from tournaments.door.selectors.paying import overpaid, owing
from tournaments.door.selectors.places import noshows, waiting_of
from tournaments.door.services.arrivals import entry_check_in, noshows_settle
from tournaments.door.services.registration import cash_guest_set, registration_create
from tournaments.event.services.clock import clock_start
from tournaments.models import CashOffer, Entry, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents, open_cents
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.papers import evening_report
from tournaments.people.selectors.people import evenings_of
from tournaments.public.selectors.posters import people_listed, poster_of
from tournaments.seating.selectors.balancing import FloorAdvice

pytestmark = pytest.mark.django_db
MIXED = {"kind": "both", "fee_cents": 2000, "capacity": 4, "no_show_minutes": 1,
         "offer_minutes": 0}  # fmt: skip


@pytest.fixture
def event():
    return f.make_event(**MIXED, no_show="blinded", late_registration_level=3)


def guest(event, name="Gustav Gast", minute=-60):
    action = say(registration_create, event, minute=minute, name=name, is_cash_guest=True)
    return Registration.objects.get(pk=action.payload["registration"])


def again(row):
    return Registration.objects.get(pk=row.pk)


def set_guest(event, row, is_cash_guest=True, minute=-30, **own):
    own |= {"registration": row, "is_cash_guest": is_cash_guest}
    return say(cash_guest_set, event, minute=minute, **own)


def test_a_guest_owes_nothing_takes_no_place_and_is_not_missing(event):
    gustav = guest(event)
    rows = [f.register(event, name) for name in ("Anna Berger", "Bernd Huber", "Clara Wolf")]
    for row in rows[:2]:
        f.check_in(event, row)
    numbers = door_numbers(event)
    assert (numbers.registered, numbers.here, numbers.free) == (3, 2, 1)
    assert open_cents(gustav) == desk_line(gustav).owed_cents == 0
    assert [row.person.name for row, _cents in owing(event)] == [one.person.name for one in rows]
    assert gustav not in desk_only(event, "", Only.UNPAID)
    assert [row.pk for row in desk_only(event, "", Only.MISSING)] == [rows[2].pk]
    due = before_items(event, f.after(-5), [], FloorAdvice())
    assert due[0].title == "Einer fehlt noch"
    assert gustav.person.name not in people_listed(event)[0]
    assert poster_of(event, f.after(-5)).registered == 3


def test_no_stack_of_a_noshow_is_dealt_to_a_guest_or_to_who_sits_at_a_cash_table(event):
    gustav, anton = guest(event), f.register(event, "Anton Auer")
    table = open_table(event)
    for seat, row in ((1, gustav), (2, anton)):
        say(cash_sit, event, registration=row, table=table, seat=seat, cents=5000)
    zoltan = f.register(event, "Zoltan Kiss")
    for name in ("Anna Berger", "Bernd Huber"):
        f.check_in(event, f.register(event, name))
    say(clock_start, event)
    assert noshows(f.fresh(event), f.after(5)) == [zoltan]
    f.drive(noshows_settle, event, 5)
    seated = Entry.objects.filter(event=event).values_list("registration", flat=True)
    assert gustav.pk not in seated
    assert anton.pk not in seated
    say(cash_out, event, minute=6, registration=gustav, cents=5000)
    assert [row.has_played for row in evenings_of(gustav.person)] == [True]
    assert evening_report(f.fresh(event)).open_cents == 4 * 2000


def test_who_turns_to_cash_gives_up_the_place_and_gets_the_fee_back(event):
    rows = [f.register(event, f"Person {letter}") for letter in "ABCD"]
    late = f.register(event, "Wera Warter")
    assert waiting_of(late) is not None
    f.drive(fee_pay, event, -40, registration=rows[0])
    changed = set_guest(event, rows[0])
    assert f.last_action(event).payload["moved_up"] == [late.pk]
    assert overpaid(event) == [(rows[0], 2000)]
    assert account_cents(event, Account.POOL) == 0
    f.refuses("cannot_check_in", entry_check_in, event, -20, registration=rows[0])
    f.refuses("nothing_changed", set_guest, event, rows[0])
    f.refuses("overbooked", f.undo, event, changed, at=f.after(-20))
    set_guest(event, rows[0], is_cash_guest=False, minute=-10)
    assert waiting_of(again(rows[0])) is not None
    assert overpaid(event) == []
    assert account_cents(event, Account.POOL) == -2000


def test_the_word_is_taken_back_as_long_as_there_is_a_place(event):
    row = f.register(event, "Anna Berger")
    changed = set_guest(event, row)
    assert open_cents(again(row)) == 0
    f.undo(event, changed, at=f.after(-20))
    assert open_cents(again(row)) == 2000
    set_guest(event, row, minute=-19)
    plays = set_guest(event, row, is_cash_guest=False, minute=-18)
    f.check_in(event, row)
    f.refuses("checked_in", set_guest, event, row, minute=-10)
    f.refuses("checked_in", f.undo, event, plays, at=f.after(-10))


def test_without_a_tournament_and_a_cash_game_there_are_no_such_guests():
    alone = f.make_event(fee_cents=1000)
    f.refuses("no_cash_game", guest, alone)
    row = f.register(alone)
    f.refuses("no_cash_game", set_guest, alone, row)


def test_the_desk_registers_for_cash_alone_and_changes_it_with_a_tap(client, event):
    f.sign_browser_in(client, Role.DESK, event)
    sent = {"name": "Gustav Gast", "only": "cash"}
    assert client.post(url_of(event, "desk-register"), sent, headers=HTMX).status_code == 200
    row = Registration.objects.get()
    assert row.is_cash_guest
    assert "nur Cash" in text_of(client.get(url_of(event, "desk")))
    shows(text_of(client.get(url_of(event, "desk-correct", row.pk))), "Spielt im Turnier mit",
          but=("kassiert",))  # fmt: skip
    assert press(client, event, "desk-cash-guest", row.pk, plays="1").status_code == 200
    assert not again(row).is_cash_guest
    assert press(client, event, "desk-cash-guest", row.pk).status_code == 200
    page = text_of(client.get(f"/ich/{row.link_token}/", follow=True))
    assert "mitbringen" not in page


def test_a_player_of_the_running_tournament_sits_at_no_cash_table():
    event = f.make_running_event(4, **MIXED | {"capacity": 9})
    table, (one, *others) = open_table(event), f.entries_of(event)

    def sit_down(minute):
        guest = one.registration
        say(cash_sit, event, minute=minute, registration=guest, table=table, seat=1, cents=5000)

    with f.refused("in_tournament", event):
        sit_down(2)
    f.out(event, one, at=f.after(3))
    sit_down(4)
    assert len(others) == 3


def test_a_player_at_a_cash_table_is_called_at_the_start_and_offered_a_seat_when_out():
    event = f.make_seated_event(4, **MIXED | {"capacity": 9})
    table, (one, two, *_others) = open_table(event), f.entries_of(event)

    def due(minute):
        return [item.title for item in cash_items(f.fresh(event), f.after(minute))]

    own = {"registration": one.registration, "table": table, "seat": 1, "cents": 5000}
    say(cash_sit, event, **own)
    assert due(0) == []
    f.drive(clock_start, event, 0)
    (called,) = due(1)
    assert called.endswith("spielt noch an Cash-Tisch 1, das Turnier hat begonnen")
    say(cash_wait, event, minute=2, registration=two.registration, table=table)
    f.refuses("nobody_next", say, cash_offer, event, minute=2, table=table)
    f.out(event, one, two, at=f.after(3))
    assert (CashOffer.objects.live().get().waiting.registration, due(4)) == (two.registration, [])
    f.undo(event, at=f.after(4))
    assert not CashOffer.objects.live().exists()
