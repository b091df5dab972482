"""Somebody who does with money whatever there is to do, and keeps books of it in a way of his own.

The books are kept from what was done, never from the tables: of each action what it changed, and
an undo takes just that away again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests import factories as f
from tests.buying import TERMS
from tests.calling import call_service
from tournaments.changes.access import Actor, Role
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.services.lifecycle import event_update
from tournaments.models import (
    Action,
    Drawer,
    Elimination,
    Entry,
    Event,
    LostStack,
    RebuyChance,
    Registration,
)
from tournaments.money.services.drawers import drawer_move, drawer_open
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.payouts.selectors.bounties import bounties_due, bounties_of
from tournaments.payouts.selectors.payees import payee_of
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.payees import payout_pay, payout_settle
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.play.services.rebuy_chances import rebuy_decline, rebuys_lapse
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way
from tournaments.prizes.selectors.plans import prizes_frozen
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter, rebuy_buy
from tournaments.undo.services.undo import action_undo

OWN = TERMS | {
    "rebuy_level": 9, "addon_level": 9, "late_registration_level": 9, "rebuy_most": 0,
    "rebuy_double": True, "addon_many": True, "reentry_most": 9, "bounty_kind": "progressive",
    "fee_parts": [["house", 200, ""], ["bounty", 300, ""]],
    "rebuy_parts": [["house", 100, ""], ["bounty", 150, ""]], "addon_parts": [["bounty", 70, ""]],
    "reentry_cents": 900, "reentry_parts": [["bounty", 250, ""]],
}  # fmt: skip
FLOAT = 100_000
PLAN = PrizePlan(way=Way.CURVE, shape=Shape.USUAL, places_percent=50, added_cents=5_000)
# Of what is bought: what it costs, and what of that goes to the pool and onto heads.
PRICES = {
    "entry": (1000, 500, 300), "rebuy": (500, 250, 150), "addon": (400, 330, 70),
    "reentry": (900, 650, 250),
}  # fmt: skip


DEEDS = (
    "put_out", "say_who", "settle_seats", "pay", "refund", "move", "freeze", "pay_out",
    "pay_out", "settle", "take_back", "pay_out", "pay_out",
)  # fmt: skip
# What is done more often: on a long evening it is bought, on a short one soon decided.
BUYING = ("rebuy", "addon", "reenter", "reenter")
LONG = DEEDS + 3 * (*BUYING, "pay", "take_back", "put_out", "settle_seats")
SHORT = DEEDS + 2 * ("put_out", "pay_out")
HEADS = (
    *BUYING, "put_out", "put_out", "say_who", "say_who_took", "say_who_took", "settle_seats",
    "take_back", "take_back", "fill_envelopes", "draw_envelope", "pay_out", "close_the_door",
    "disqualify",
)  # fmt: skip


@dataclass
class Teller:
    """Presses anything, and writes down what it changed."""

    event: Event
    by: Actor
    rng: Random = field(default_factory=lambda: Random(0))
    minute: float = 0
    latest: int = 0
    made: list[tuple[Action, Counter]] = field(default_factory=list)
    sums: Counter = field(default_factory=Counter)
    done: Counter = field(default_factory=Counter)
    closed: dict[str, int] = field(default_factory=dict)

    @classmethod
    def at(cls, event: Event, by: Actor, is_short: bool) -> Teller:
        """Sit down at an evening that has just begun, with a drawer of one's own.

        On a short evening nothing is bought.
        """
        teller = cls(event, by)
        teller.sums.update(chips=200 * 6, left=6, heads=300 * 6)
        for row in Registration.objects.live().filter(event=event):
            teller.sums.update({("owed", row.pk): 1000, ("pool", row.pk): 500})
        teller.press(drawer_open, lambda _action: {"drawer": FLOAT}, float_cents=FLOAT)
        teller.made.clear()
        if is_short:
            teller.close_the_door()
            teller.press(prizes_freeze, _nothing)
        return teller

    def press(self, service: Any, delta: Callable[[Action], dict[Any, int]], **own: Any) -> Action:
        self.minute += self.rng.choice([0, 0.5, 2])
        at = f.after(self.minute)
        action = call_service(service, event=self.event, by=self.by, at=at, **own)
        change = Counter(delta(action))
        self.write(action, change)
        return action

    def write(self, action: Action, change: Counter) -> None:
        self.sums.update(change)
        self.sums["receipts"] += len(action.payload.get("receipts", ()))
        self.made.append((action, change))
        self.done[action.kind] += 1

    def has_done(self, deed: str, seed: int) -> bool:
        """Do this, with whom and how much by `seed`; return whether it was not refused."""
        try:
            self.step(deed, seed)
        except Refused:
            return False
        return True

    def step(self, deed: str, seed: int) -> None:
        self.rng = Random(seed)
        rows = Entry.objects.live().filter(event=self.event).select_related("registration__person")
        alive = event_alive_entry_ids(self.event)
        entries = list(rows.order_by("pk"))
        inside = [one for one in entries if one.pk in alive]
        # Now and then the same person as before: more happens between things that are his.
        again = [one for one in entries if one.pk == self.latest]
        entry = self.rng.choice(self.rng.choice([entries, inside or entries, again or entries]))
        self.latest = entry.pk
        getattr(self, deed)(entry)

    def put_out(self, entry: Entry) -> None:
        def out(action: Action) -> dict[Any, int]:
            gone = set(action.payload["entries"]) - {*action.payload.get("held", ())}
            return {"left": -len(gone)}

        self.press(entries_eliminate, out, entries=[entry])
        with suppress(Refused):
            self.say_who(entry)

    def disqualify(self, entry: Entry) -> None:
        self.press(entry_disqualify, lambda _action: {"left": -1}, entry=entry, reason="Test")

    def say_who(self, entry: Entry) -> None:
        """Say who has knocked somebody out, or that it is not known after all."""
        rows = list(Elimination.objects.live().filter(entry=entry))
        alive = sorted(event_alive_entry_ids(self.event))
        picked = self.rng.sample(alive, min(len(alive), self.rng.choice([0, 1, 1, 1, 2])))
        some = list(Entry.objects.filter(pk__in=picked).select_related("registration__person"))
        self.press(knockout_set, _nothing, eliminations=rows, takers=some)

    def say_who_took(self, entry: Entry) -> None:
        """Say who took a stack after which was bought again, or may still be."""
        rows = LostStack.objects.live().filter(event=self.event).select_related("entry")
        lost = self.one_of(list(rows.filter(entry=entry)) or list(rows))
        others = sorted({*event_alive_entry_ids(self.event)} - {lost.entry_id})
        picked = self.rng.sample(others, min(len(others), self.rng.choice([0, 1, 1, 2])))
        some = list(Entry.objects.filter(pk__in=picked).select_related("registration__person"))
        self.press(knockout_set, _nothing, lost=[lost], takers=some)

    def fill_envelopes(self, _entry: Entry) -> None:
        self.press(mystery_begin, _nothing, tops=self.rng.choice([[], [400]]))

    def draw_envelope(self, _entry: Entry) -> None:
        undrawn = self.one_of(bounties_of(f.fresh(self.event)).undrawn)
        self.press(mystery_draw, _nothing, entry=Entry(pk=undrawn))

    def settle_seats(self, entry: Entry) -> None:
        def gone(action: Action) -> dict[Any, int]:
            return {"left": -len(action.payload["entries"])}

        if self.rng.choice([True, True, False]):
            held = RebuyChance.objects.live().filter(event=self.event).select_related("entry")
            row = held.first()
            self.press(rebuy_decline, gone, entry=row.entry if row else entry)
        else:
            self.press(rebuys_lapse, gone)

    def rebuy(self, entry: Entry) -> None:
        number = self.rng.choice([1, 2])
        own, delta = self.bought("rebuy", entry, number)
        self.press(rebuy_buy, delta(chips=300 * number), **own, number=number, stack=0)

    def addon(self, entry: Entry) -> None:
        own, delta = self.bought("addon", entry)
        self.press(addon_buy, delta(chips=500), **own)

    def reenter(self, entry: Entry) -> None:
        gone = Elimination.objects.live().filter(event=self.event)
        row = gone.select_related("entry__registration").first()
        own, delta = self.bought("reentry", row.entry if row else entry)
        self.press(entry_reenter, delta(chips=200, left=1), **own)

    def bought(self, what: str, entry: Entry, many: int = 1) -> tuple[dict[str, Any], Any]:
        """Return what a purchase is called with, and what it changes beside what is given then."""
        person, pays = entry.registration_id, self.rng.choice([True, False])
        cents, pool, heads = (many * each for each in PRICES[what])

        def delta(**more: int) -> Callable[[Action], dict[Any, int]]:
            return lambda _action: {
                ("owed", person): cents, ("pool", person): pool, ("paid", person): cents * pays,
                "drawer": cents * pays, "heads": heads, **more,
            }  # fmt: skip

        return {"entry": entry, "pays": pays}, delta

    def paid(self, entry: Entry) -> Callable[[Action], dict[Any, int]]:
        def delta(action: Action) -> dict[Any, int]:
            cents = action.payload["amount_cents"]
            return {("paid", entry.registration_id): cents, "drawer": cents}

        return delta

    def pay(self, entry: Entry) -> None:
        parts = [100, 450, 700, 1_000, 1_500]
        own = {} if self.rng.choice([True, False]) else {"amount_cents": self.rng.choice(parts)}
        self.press(fee_pay, self.paid(entry), registration=entry.registration, **own)

    def refund(self, entry: Entry) -> None:
        own = {"registration": entry.registration, "after_the_draw": True}
        own |= {} if self.rng.choice([True, False]) else {"amount_cents": 300}
        self.press(fee_refund, self.paid(entry), **own)

    def move(self, _entry: Entry) -> None:
        cents = self.rng.choice([500, -700])
        own = {"drawer": Drawer.objects.get(event=self.event), "amount_cents": cents}
        self.press(drawer_move, lambda _action: {"drawer": cents}, reason="Test", **own)

    def freeze(self, _entry: Entry) -> None:
        """Fix the prizes, most often with the door closed before."""
        if self.rng.choice([True, True, False]):
            with suppress(Refused):
                self.close_the_door()
        self.press(prizes_freeze, _nothing)

    def close_the_door(self, _entry: Entry | None = None) -> None:
        own = {"event": self.event, "by": self.by, "at": f.after(self.minute)}
        closed = {"late_registration_level": 0, "rebuy_level": 0, "addon_level": 0,
                  "rebuy_hold_minutes": 0} | self.closed  # fmt: skip
        call_service(event_update, **own, settings=closed)

    def pay_out(self, _entry: Entry) -> None:
        """Pay somebody all at once, less what is owed."""
        event = f.fresh(self.event)
        rows = [one for one in payouts(event) if prizes_frozen(event) and not one.is_provisional]
        prizes = {one.registration: one.open for one in rows if one.open > 0}
        heads = {one.registration: one.open for one in bounties_due(event) if one.open > 0}
        someone = self.one_of(sorted(prizes.keys() | heads.keys()))
        prize, head = prizes.get(someone, 0), heads.get(someone, 0)
        fees = self.sums["owed", someone] - self.sums["paid", someone]
        fees = min(fees, prize + head)

        def delta(_action: Action) -> dict[Any, int]:
            return {
                ("prize", someone): prize, ("bounty", someone): head, ("paid", someone): fees,
                "drawer": fees - prize - head,
            }  # fmt: skip

        row = Registration.objects.get(pk=someone)
        self.press(payout_pay, delta, registration=row, amount_cents=prize + head - fees)
        assert not payee_of(event, row.pk).is_due

    def settle(self, _entry: Entry) -> None:
        """What somebody was paid too much comes back, or he keeps it."""
        event, is_kept = f.fresh(self.event), self.rng.choice([True, False])
        over = {("prize", one.registration): -one.owed_back for one in payouts(event)}
        over |= {("bounty", one.registration): -one.over for one in bounties_due(event)}
        someone = self.one_of(sorted({who for (_of, who), cents in over.items() if cents}))
        own = {(of, who): cents for (of, who), cents in over.items() if who == someone}
        cents = -sum(own.values())

        def delta(_action: Action) -> dict[Any, int]:
            return own | ({("kept", someone): cents} if is_kept else {"drawer": cents})

        row = Registration.objects.get(pk=someone)
        self.press(payout_settle, delta, registration=row, is_kept=is_kept)

    def take_back(self, _entry: Entry) -> None:
        action, change = self.one_of(self.made[-5:])
        at = f.after(self.minute)
        undo = call_service(action_undo, event=self.event, by=self.by, at=at, action=action)
        self.made.remove((action, change))
        self.write(undo, Counter({what: -much for what, much in change.items()}))

    def one_of(self, rows: list[Any]) -> Any:
        if not rows:
            raise Refused("Da ist nichts.", code="nothing")
        return self.rng.choice(rows)


def _nothing(_action: Action) -> dict[Any, int]:
    return {}


def evening(**settings: Any) -> tuple[Event, Actor]:
    """Return an evening of six on which everything is for sale, and who leads it."""
    event = f.make_running_event(6, **(OWN | settings))
    by = f.sign_in("Laptop", Role.DIRECTOR, event).actor
    call_service(prizes_plan, event=event, by=by, at=f.START, plan=PLAN)
    return f.fresh(event), by
