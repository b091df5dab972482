"""What holds at an evening whatever was done, by rows alone; and the books of cash tables.

The books add up what the log says of every action that holds, and know nothing of postings.
"""

from collections import Counter

from django.db.models import Sum

from clock.selectors import clock_levels
from tests import factories as f
from tests.evenings import cash_deeds
from tests.oracle_places import is_weak_order
from tests.services.cashgames import assert_balanced, on
from tournaments.cashgame.selectors.books import balances_noted, bought_by
from tournaments.door.selectors.places import capacity_of
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    event_last_late_position,
    money_reached,
    players_left,
    without_chips,
)
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.log.selectors.log_search import log_fault
from tournaments.models import (
    CashClosing,
    CashSeat,
    CashTable,
    ChipMovement,
    Elimination,
    Entry,
    Expected,
    OnSite,
    PlaceOffer,
    Posting,
    Purchase,
    RebuyChance,
    Registration,
    Seating,
    Waiting,
)
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.play.selectors.bubble import money_holds
from tournaments.play.selectors.ranking import places_of
from tournaments.rebuys.selectors.offers import good_of
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.button import hand_to_come
from tournaments.seating.selectors.tables import tables_live
from tournaments.undo.services.dependencies import RESTS

# What may go on living though what it rests on does not: a table that was broken keeps the hands
# played at it, hand-for-hand that has ended its rounds, and who is off the list what he paid.
OUTLIVES = {("Hand", "table"), ("DealerDraw", "table"), ("HandRound", "hand_for_hand"),
            ("Posting", "registration"), ("CashSeat", "registration")}  # fmt: skip


def assert_sound(event):
    """Expect seats, people, chips and places to be as the rules have them."""
    event = f.fresh(event)
    outs = Elimination.objects.live().filter(event=event)
    entries = Entry.objects.live().filter(event=event)
    alive = set(event_alive_entry_ids(event))
    _assert_seats(event, alive)
    assert len(alive) == players_left(event)
    assert not event.has_started or alive
    assert set(outs.values_list("entry", flat=True)) | alive == set(
        entries.values_list("pk", flat=True)
    )
    reached = money_reached(event)
    assert reached is None or money_holds(event, reached)
    _assert_chips(event, entries, outs)
    people = entries.filter(pk__in=alive).values_list("registration", flat=True)
    assert len(set(people)) == len(alive)
    held = RebuyChance.objects.live().filter(event=event)
    assert set(held.values_list("entry", flat=True)) <= alive
    found = places_of(event)
    assert len(found) in {outs.count(), outs.count() + 1, entries.count()}
    first = 1 if len(found) > outs.count() else len(alive) + 1
    assert is_weak_order(found, first)
    if event.bounty_kind:
        assert bounties_of(event).total() == _paid_for_heads(event, entries)


def _paid_for_heads(event, entries):
    """Return what was paid for heads: with each entry, and with all that was bought after."""
    bought = Purchase.objects.live().filter(event=event, entry__in=entries)
    again = bought.filter(what="reentry").values("entry")
    parts = [event.fee_parts] * entries.exclude(pk__in=again).count()
    parts += bought.values_list("parts", flat=True)
    return sum(cents for of_one in parts for to, cents, _name in of_one if to == "bounty")


def assert_nobody_without_chips_plays(event, now):
    """Expect no blind, no move and no place for a held seat, and none held in the money."""
    event = f.fresh(event)
    assert_breaks_as_planned(event)
    held = set(without_chips(event))
    if not held or event.is_over:
        return
    assert money_reached(event) is None
    assert not held & set(places_of(event))
    assert not held & {move.entry for move in floor_advice(event, now).moves}
    for table in tables_live(event):
        hand = hand_to_come(event, table, now)
        seats = {hand.posts.big_blind} if hand.posts else set()
        if hand.posts and not hand.posts.is_small_blind_dead:
            seats.add(hand.posts.small_blind)
        assert not held & {hand.view.players.get(seat) for seat in seats}


def assert_breaks_as_planned(event):
    """Expect what ends with a break to end with the planned one, whatever was pressed."""
    rows = clock_levels(event.clock)
    for name, last in (
        ("late_registration_break", event_last_late_position(event)),
        ("rebuy_break", good_of(event, "rebuy").offer.last),
        ("addon_break", good_of(event, "addon").offer.last),
    ):
        assert not getattr(event, name) or last is None or rows[last].is_planned_break


def _assert_seats(event, alive):
    seatings = list(Seating.objects.live().filter(event=event).select_related("table"))
    assert len({row.entry_id for row in seatings}) == len(seatings)
    assert len({(row.table.number, row.seat) for row in seatings}) == len(seatings)
    assert all(row.table.voided_by_id is None for row in seatings)
    assert {row.entry_id for row in seatings} == alive


def _assert_chips(event, entries, outs):
    """Expect 200 for each that came or was bought, but for what was raced or taken away."""
    moved = ChipMovement.objects.live().filter(event=event)
    removed = moved.filter(reason__in=ChipMovement.TAKEN_AWAY)
    # Whoever was out before he was disqualified had no chips left that could be taken.
    thrown_out = list(removed.values_list("entry", flat=True))
    with_stack = set(outs.exclude(way="bust").values_list("entry", flat=True))
    assert len(thrown_out) == len(set(thrown_out))
    assert with_stack >= set(thrown_out)
    assert set(outs.filter(way="surrendered").values_list("entry", flat=True)) <= set(thrown_out)
    by_desk = {"made_by__kind": "entry.disqualified"}
    assert set(outs.filter(**by_desk).values_list("entry", flat=True)) <= set(thrown_out)
    again = Purchase.objects.live().filter(event=event).exclude(what="reentry")
    bought = again.aggregate(number=Sum("number"))["number"] or 0
    gone = moved.filter(reason__in=[*ChipMovement.TAKEN_AWAY, "chip_race", "blinded"])
    counted = gone.aggregate(chips=Sum("amount"))["chips"] or 0
    assert chips_in_play(event)[0] == 200 * (entries.count() + bought) + counted


def assert_places_sound(event):
    """Expect every place to be somebody's, and everybody who waits to wait for one."""
    event = f.fresh(event)
    waiting = Waiting.objects.live().filter(event=event)
    assert not waiting.filter(registration__voided_by__isnull=False).exists()
    inside = Entry.objects.live().filter(event=event).values("registration")
    assert not waiting.filter(registration__in=inside).exists()
    offers = PlaceOffer.objects.live().filter(event=event)
    assert not offers.filter(waiting__voided_by__isnull=False).exists()
    for model in (OnSite, Expected):
        rows = model.objects.live().filter(registration__event=event)
        twice = Counter(rows.values_list("registration", flat=True))
        assert not [number for number in twice.values() if number > 1]
    room = capacity_of(event)
    live = Registration.objects.live().filter(event=event).count()
    out = Elimination.objects.live().filter(event=event).count() if event.has_started else 0
    assert room.placed + room.placed_reserved + waiting.count() + out == live
    sums = Counter()
    postings = Posting.objects.live().filter(event=event)
    for account, amount in postings.values_list("account", "amount_cents"):
        sums[account] += amount
    assert sum(sums.values()) == 0
    assert sums["cash"] >= 0


def assert_nothing_hangs(event):
    """Expect every fact that holds to rest on one that holds, and the log to be whole."""
    for rest in RESTS:
        if rest.way == "refuses" and (rest.later.__name__, rest.column) not in OUTLIVES:
            gone = {f"{rest.column}__voided_by__isnull": False}
            hanging = rest.later.objects.live().filter(made_by__event=event, **gone)
            assert not hanging.exists(), rest
    event = f.fresh(event)
    assert log_fault(event) is None
    assert facts_checked(event).differences == []


class CashBooks:
    """What lies on tables and what people bought, by the actions that hold."""

    def __init__(self):
        self.done, self.holds = {}, {}

    def note(self, action):
        if action.undoes_id is not None:
            self._toggle(action.undoes_id)
        self.done[action.pk], self.holds[action.pk] = action, True

    def _toggle(self, pk):
        self.holds[pk] = not self.holds[pk]
        again = self.done[pk].undoes_id
        if again is not None:
            self._toggle(again)

    def sums(self):
        """Return chips by the number of the table, and what was bought and cashed by people."""
        tables, bought, cashed = Counter(), Counter(), Counter()
        for action in (one for pk, one in self.done.items() if self.holds[pk]):
            told = action.payload
            cents, table = told.get("amount_cents", 0), told.get("table")
            match action.kind:
                case "cash_seat.taken" | "cash_chips.bought":
                    tables[table] += cents
                    bought[told["registration"]] += cents
                case "cash_chips.corrected":
                    tables[table] += cents - told["before_cents"]
                    bought[told["registration"]] += cents - told["before_cents"]
                case "cash_seat.left":
                    tables[table] -= cents
                    cashed[told["registration"]] += cents
                case "cash_seat.changed":
                    tables[told["from_table"]] -= cents
                    tables[table] += cents
                case "cash_hand.ended":
                    tables[table] -= told["fee_cents"]
                case "cash_tip.noted":
                    tables[table] -= cents
                case "cash_table.counted":
                    tables[table] += told["difference_cents"]
        return tables, bought, cashed

    def compare(self, event):
        """Expect the program to say what these books say."""
        tables, bought, cashed = self.sums()
        for table in CashTable.objects.live().filter(event=event):
            assert on(table) == tables[table.number] >= 0, table
        found = bought_by(event)
        assert {row: one.bought_cents for row, one in found.items() if one.bought_cents} == +bought
        assert {row: one.cashed_cents for row, one in found.items() if one.cashed_cents} == +cashed
        assert_balanced(event)
        seats = CashSeat.objects.live().filter(event=event)
        assert len(set(seats.values_list("table", "seat"))) == len(seats)
        assert len(set(seats.values_list("registration"))) == len(seats)
        closed = CashClosing.objects.live().filter(table__event=event).values("table")
        assert not seats.filter(table__in=closed).exists()
        sitting = set(seats.values_list("registration", flat=True))
        assert all(found[row].bought_cents for row in sitting), "who sits has bought"
        noted = Posting.objects.live().filter(event=event, account="owed")
        owed = sum(row.amount_cents for row in noted)
        assert sum(balances_noted(event).values()) == -owed
        cash_deeds.assert_settled(event)
