"""What staff by chance gives to services: by the row a deed is about, by name, or by kind."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tests.evenings import cash_deeds
from tournaments.changes.access import SYSTEM
from tournaments.changes.audit import services
from tournaments.changes.domain.errors import Refused
from tournaments.models import (
    Absence,
    CashSeat,
    CashWaiting,
    ChipMovement,
    Elimination,
    Entry,
    LateTap,
    LostStack,
    PlaceOffer,
    PurchaseWish,
    RebuyChance,
    Registration,
    Seating,
    SeatLock,
    Table,
    Waiting,
)
from tournaments.money.selectors.drawers import cash_without_drawer
from tournaments.payouts.domain.deals import RECKONED
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.payouts.selectors.payees import payees
from tournaments.play.selectors.bubble import round_current, tables_awaited
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.conduct import penalties_of

# What a deed is mostly about: arguments that such a row has are taken from it.
ABOUT = {
    "addon.bought": PurchaseWish, "purchase.unasked": PurchaseWish, "entry.reentered": Elimination,
    "rebuy.bought": RebuyChance, "rebuy.declined": RebuyChance, "noshow.removed": Absence,
    "entry.returned": Absence,
    "out.disqualified": Elimination, "place.overruled": Elimination, "place.given": Waiting,
    "disqualification.counted": ChipMovement, "offer.accepted": PlaceOffer,
    "offer.declined": PlaceOffer, "seat.unlocked": SeatLock, "cash_wait.dropped": CashWaiting,
    "cash_offer.accepted": CashWaiting, "cash_chips.bought": CashSeat, "cash_fee.paid": CashSeat,
    "cash_leave.announced": CashSeat, "cash_player.away": CashSeat, "cash_player.back": CashSeat,
    "cash_seat.left": CashSeat, "late_tap.accepted": LateTap, "late_tap.refused": LateTap,
}  # fmt: skip
# After these times something may be due.
WAITS = {
    "line.moved", "noshows.blinded", "noshows.released", "offers.expired", "registrations.lapsed",
    "rebuys.lapsed", "purchases.lapsed", "cash_offers.lapsed",
}  # fmt: skip
RARE = {"event.ended": 6, "event.cancelled": 12}
# What may be given beside what must be.
GIVEN = {
    "pays", "stack", "is_one_hand", "after_the_draw", "is_kept",
    "by_itself", "is_waived", "amount", "table", "is_noted", "any_table", "stack_cents", "tops",
    "has_mailbox",
}  # fmt: skip
VALUES: dict[str, Callable[[Random], Any]] = {
    "rate": lambda rng: rng.choice(["", "Mitglied"]),
    "text": lambda rng: "Weiter", "reason": lambda rng: "Test",
    "name": lambda rng: f"Gast {rng.randrange(9)}", "number": lambda rng: "77",
    "seat": lambda rng: rng.randrange(1, 6), "place": lambda rng: rng.randrange(1, 12),
    "minutes": lambda rng: rng.randrange(1, 20), "seconds": lambda rng: rng.choice([60, -60, 400]),
    "hands": lambda rng: rng.randrange(1, 4), "players": lambda rng: rng.randrange(1, 6),
    "stack": lambda rng: rng.choice([0, 10, 50]), "left": lambda rng: rng.randrange(3),
    "amount": lambda rng: rng.randrange(1, 3), "token": lambda _rng: uuid4().hex,
    "outcome": lambda rng: "dead", "what": lambda rng: rng.choice(["rebuy", "addon", "reentry"]),
    "people": lambda rng: [{"name": f"Gast {rng.randrange(9)}"}], "held": lambda rng: {},
    "rules": lambda rng: {"tap_holds_minutes": rng.randrange(5, 30)},
    "amounts": lambda rng: {"ante": rng.randrange(1, 9)},
    "tops": lambda rng: rng.choice([[], [500]]),
    "cents": lambda rng: rng.choice([0, 1000, 2000, 5000, 9000, 20_000]),
    "stack_cents": lambda rng: rng.choice([0, 1000, 5000]),
    "counted_cents": lambda rng: rng.choice([0, 1000, 6000]),
    "amount_cents": lambda rng: rng.choice([100, 700, 1500, -700]),
    "float_cents": lambda rng: rng.choice([0, 5000]),
}  # fmt: skip


def _first(hall: Any, kind: str, own: dict[str, Any] | None = None) -> None:
    """Do what a deed may need before it, unless that cannot be."""
    with suppress(Refused):
        if own is None:
            hall.do(kind)
        else:
            call_service(services()[kind], event=hall.event, by=SYSTEM, at=hall.now, **own)


def _hand(hall: Any) -> dict[str, Any]:
    """Let somebody lose all, now and then two in one hand."""
    entries = [hall.value("entry", "Entry") for _ in range(1 if hall.one_in(2) else 2)]
    if None in entries or len(entries) == 1:
        return {"entries": entries}
    stacks = {entry.pk: hall.rng.randrange(1, 3) for entry in entries}
    return {"entries": entries, "start_stacks": hall.rng.choice([stacks, {}])}


def _correction(hall: Any) -> dict[str, Any]:
    row = hall.pick(Elimination, voided_by=None)
    if row is not None and hall.one_in(2):
        return {"eliminations": [row], "start_stacks": {row.entry_id: hall.rng.randrange(1, 9)}}
    back = timedelta(minutes=hall.rng.randrange(4))
    return {"eliminations": [row], "to": row and row.at - back}


def _round(hall: Any) -> dict[str, Any]:
    """Name the hand that all tables play."""
    current = round_current(hall.event)
    return {"number": current.number if current else None}


def _release(hall: Any) -> dict[str, Any]:
    """Report the hand at each table before it is over."""
    current = round_current(hall.event)
    for table in tables_awaited(hall.event, current) if current else ():
        _first(hall, "table.reported", {"table": table, "number": current.number})
    return {"after": current.number if current else None}


def _heads(hall: Any, table: Table | None = None) -> dict[str, Any]:
    table = table or hall.value("table", "Table")
    return {"table": table, "players": Seating.objects.live().filter(table=table).count()}


def _all_heads(hall: Any) -> dict[str, Any]:
    for table in Table.objects.live().filter(event=hall.event):
        _first(hall, "heads.checked", _heads(hall, table))
    return {}


def _empty_table(hall: Any) -> dict[str, Any]:
    seated = Seating.objects.live().filter(event=hall.event).values("table")
    empty = Table.objects.live().filter(event=hall.event).exclude(pk__in=seated).first()
    return {"table": empty} if empty else {}


def _here(hall: Any) -> dict[str, Any]:
    """Let a guest be here, who takes it back."""
    guest = hall.value("registration", "Registration")
    if guest is not None and hall.one_in(2):
        _first(hall, "registration.arrived", {"registration": guest})
    return {"registration": guest}


def _penalty(hall: Any) -> dict[str, Any]:
    row = hall.value("penalty", "Penalty")
    views = penalties_of([row.entry_id]).get(row.entry_id, []) if row else []
    left = [view.served.left for view in views if view.penalty.pk == row.pk]
    return {"penalty": row, "left": left[0] if left else 1}


def _advice(hall: Any) -> dict[str, Any]:
    moves = floor_advice(f.fresh(hall.event), hall.now).moves
    if not moves:
        return {"entry": None}
    one = moves[0]
    places = {"from_table": one.from_table, "to_table": one.to_table, "to_seat": one.to_seat}
    return {"entry": Entry(pk=one.entry), **places}


def _given_up(hall: Any) -> dict[str, Any]:
    """Let somebody give up who was told as out, mostly with the seat held."""
    row = hall.pick(hall.rng.choice([RebuyChance, RebuyChance, Elimination]), voided_by=None)
    return {"entry": row and row.entry}


def _wish(hall: Any) -> dict[str, Any]:
    """Let somebody ask for a re-buy, mostly with the seat held."""
    row = hall.pick(RebuyChance, voided_by=None)
    return {"entry": row.entry, "what": "rebuy"} if row and not hall.one_in(4) else {}


def _taker(hall: Any) -> dict[str, Any]:
    """Tell who took a stack, of one who is out or may buy again."""
    if hall.one_in(2):
        return {"eliminations": [hall.value("", "Elimination")]}
    return {"lost": [hall.pick(LostStack, voided_by=None)]}


def _cards(hall: Any) -> dict[str, Any]:
    table = hall.value("table", "Table")
    rows = Seating.objects.live().filter(table=table).order_by("seat")
    cards = zip([one.entry_id for one in rows], "53A42", strict=False)
    return {"table": table, "cards": dict(cards)}


def _counts(hall: Any) -> dict[str, Any]:
    stacks = hall.stacks()
    some = hall.rng.sample(sorted(stacks), min(len(stacks), hall.rng.randrange(1, 4)))
    return {"stacks": {entry: stacks[entry] for entry in some}}


def _offer(hall: Any) -> dict[str, Any]:
    kept = hall.rng.choice([0, 1000])
    own = {"way": hall.rng.choice(RECKONED), "stacks": hall.stacks()}
    return own | {"prizes": [5000, 3000, 2000], "kept": kept}


def _plan(hall: Any) -> dict[str, Any]:
    """Plan prizes; some of them the house pays, as hardly anybody pays the fee."""
    plan = PrizePlan(
        way=hall.rng.choice([Way.CURVE, Way.NONE]),
        shape=hall.rng.choice(list(Shape)),
        places_percent=hall.rng.choice([0, 20, 50]),
        added_cents=hall.rng.choice([5000, 12_345]),
        refunds_bubble=hall.one_in(3),
        in_kind=hall.rng.choice([(), ("Pokal",)]),
    )
    return {"plan": plan}


def _planned(hall: Any) -> dict[str, Any]:
    """Plan the prizes just now, mostly, and close the door."""
    if not hall.one_in(4):
        _first(hall, "prizes.planned")
        _first(hall, "event.updated", {"settings": {"late_registration_level": 0}})
    return {}


def _payee(hall: Any, is_due: bool) -> dict[str, Any]:
    if is_due and hall.one_in(2):
        _first(hall, "prizes.frozen")
    rows = [row for row in payees(f.fresh(hall.event)) if (row.is_due if is_due else row.over)]
    if not rows:
        return {"registration": None}
    row = hall.rng.choice(rows)
    own = {"registration": Registration.objects.get(pk=row.registration)}
    return own | ({"amount_cents": row.value} if is_due else {})


def _envelope(hall: Any) -> dict[str, Any]:
    undrawn = bounties_of(f.fresh(hall.event)).undrawn
    return {"entry": Entry(pk=undrawn[0])} if undrawn else {}


def _schedule(hall: Any) -> dict[str, Any]:
    levels = clock_levels(f.fresh(hall.event).clock)
    longer = replace(levels[-1], duration=timedelta(minutes=hall.rng.randrange(5, 60)))
    return {"levels": [*levels[:-1], longer], "based_on": [level.id for level in levels]}


def _settings(hall: Any) -> dict[str, Any]:
    name, values = hall.rng.choice([
        ("capacity", range(5, 20)), ("reserved_places", range(3)), ("offer_minutes", (0, 5, 30)),
        ("no_show_minutes", (0, 5)), ("late_registration_level", (0, 9)),
    ])  # fmt: skip
    return {"settings": {name: hall.rng.choice(values)}}


SPECIAL: dict[str, Callable[[Any], dict[str, Any]]] = {
    "entry.eliminated": _hand,
    "elimination.corrected": _correction,
    "knockout.set": _taker,
    "stack.surrendered": _given_up,
    "purchase.asked": _wish,
    "table.reported": _round,
    "round.released": _release,
    "heads.checked": _heads,
    "money.reached": _all_heads,
    "table.closed": _empty_table,
    "registration.unsaid": _here,
    "prizes.frozen": _planned,
    "ruling.noted": lambda hall: {"decided": "Neu gegeben"},
    "penalty.given": lambda hall: {"kind": hall.rng.choice(["warning", "hands", "rounds"])},
    "penalty.served": _penalty,
    "seat.balanced": _advice,
    "seats.balanced": lambda hall: {
        "moves": [
            (move.entry, move.from_table, move.to_table, move.to_seat)
            for move in floor_advice(f.fresh(hall.event), hall.now).round
        ]
    },
    "seats.drawn_by_cards": _cards,
    "stacks.counted": _counts,
    "deal.offered": _offer,
    "prizes.planned": _plan,
    "payout.paid": lambda hall: _payee(hall, is_due=True),
    "payout.settled": lambda hall: _payee(hall, is_due=False),
    "mystery.drawn": _envelope,
    "schedule.edited": _schedule,
    "event.updated": _settings,
    "clock.counting_table_set": lambda hall: {"table": 1},
    "clock.jumped": lambda hall: {
        "level": hall.rng.choice(clock_levels(f.fresh(hall.event).clock)).id
    },
    "clock.put_back": lambda hall: {"since": f.after(hall.rng.randrange(60, 200))},
    "director.called": lambda hall: {"reason": "rule"},
    "drawer.filled": lambda hall: {"amount_cents": cash_without_drawer(hall.event)},
    "rebuy.bought": lambda hall: {"number": hall.rng.choice([1, 1, 2])},
    "message.sent": lambda hall: {"entry": hall.value("", "Entry")} if hall.one_in(2) else {},
    **cash_deeds.DEEDS,
}
