"""Drawers with books of their own: what must be in each, by what was done with it.

Devices are the club's, so this is played behind its closed door, and leaves nothing behind.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tournaments.cash.domain.means import Means
from tournaments.cash.domain.receipts import numbers_missing
from tournaments.cash.selectors.drawers import drawer_balance, drawers_of
from tournaments.cash.selectors.journal import paid_cents
from tournaments.cash.services.drawers import (
    drawer_close,
    drawer_fill,
    drawer_hand,
    drawer_move,
    drawer_open,
)
from tournaments.cash.services.means import club_means_set
from tournaments.cash.services.receipt_mail import receipt_mail
from tournaments.changes.access import Actor, Role
from tournaments.club.services.staff import device_sign_in, link_make
from tournaments.door.services.fees import fee_pay, fee_refund
from tournaments.door.services.registration import registration_create
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Drawer, Posting, Receipt, Registration, StaffDevice
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import DIRECTOR, Evening

FEE, LIMIT, FLOAT = 2_500, 6_000, 5_000
GUESTS = 6


@dataclass(slots=True)
class MoneyBooks:
    """What must be in each drawer in cash, what everybody has paid, how many receipts there are."""

    cash: Counter[int] = field(default_factory=Counter)
    paid: Counter[int] = field(default_factory=Counter)
    receipts: int = 0


@deed(
    drawer_open, drawer_fill, drawer_move, drawer_hand, drawer_close, club_means_set, receipt_mail,
    when=When.ELSEWHERE,
)  # fmt: skip
def count_the_drawers(room: Evening) -> None:
    """Two drawers, one of them an arbiter's for a while; one is short when it is counted."""
    room.do(event_update, settings={"fee_cents": FEE, "payout_limit_cents": LIMIT})
    room.do_in_club(club_means_set, names={"card": "Simulierte Karte"})
    room.reload()
    books = MoneyBooks()
    desk = _device(room, "Simulierter Eingang", Role.DESK)
    arno = _device(room, "Simuliertes Handy", Role.ARBITER)
    guests = [_guest(room, number) for number in range(GUESTS)]
    room.refused("no_drawer_given", fee_pay, by=arno, registration=guests[0])
    _take(room, books, _guest(room, GUESTS), (desk, None))
    first = _open(room, books, desk, FLOAT)
    _fill(room, books, desk, first)
    second = _open(room, books, DIRECTOR, 0, device=arno.device)
    for number, guest in enumerate(guests):
        _take(room, books, guest, (desk, first) if number % 2 else (arno, second))
    _pay_by_card(room, books, guests[0], desk)
    _take_back(room, books, guests[1], desk, first)
    _move(room, books, desk, first)
    room.refused("not_allowed", drawer_open, by=arno, float_cents=0)
    room.do(drawer_hand, by=DIRECTOR, drawer=second, device=_device(room, "Bar", Role.DESK).device)
    room.refused("no_drawer_given", fee_refund, by=arno, registration=guests[0])
    room.do(receipt_mail, by=desk, registration=guests[0])
    _close(room, books, first, short=10)
    _close(room, books, second, short=0)
    room.refused("no_drawer", fee_refund, by=desk, registration=guests[3])


def _device(room: Evening, name: str, role: Role) -> Actor:
    link, own = (f"{room.rng.getrandbits(128):032x}" for _ in range(2))
    room.do_in_club(link_make, token=link, role=role, event=room.event)
    signed = room.do_in_club(device_sign_in, token=link, device_token=own, name=name)
    return Actor(role=role, device=StaffDevice.objects.get(pk=signed.payload["device"]))


def _guest(room: Evening, number: int) -> Registration:
    made = room.do(registration_create, name=f"Simulant Zahler {number}", email="zahlt@example.org")
    return Registration.objects.select_related("person", "event").get(
        pk=made.payload["registration"]
    )


def _open(room: Evening, books: MoneyBooks, by: Actor, cents: int, **own: Any) -> Drawer:
    made = room.do(drawer_open, by=by, float_cents=cents, **own)
    drawer = Drawer.objects.get(pk=made.payload["drawer"])
    books.cash[drawer.pk] += cents
    _compare(room, books)
    return drawer


def _take(
    room: Evening, books: MoneyBooks, guest: Registration, where: tuple[Actor, Drawer | None]
) -> None:
    by, drawer = where
    room.do(fee_pay, by=by, registration=guest, open_seen=FEE)
    room.refused("already_paid", fee_pay, by=by, registration=guest, open_seen=FEE)
    if drawer is not None:
        books.cash[drawer.pk] += FEE
    books.paid[guest.pk] += FEE
    books.receipts += 1
    _compare(room, books)


def _fill(room: Evening, books: MoneyBooks, by: Actor, drawer: Drawer) -> None:
    """Take the fee that was taken before over, take that back, and do it again."""
    room.refused("stale", drawer_fill, by=by, drawer=drawer, amount_cents=FEE + 1)
    _compare(room, books)
    room.undo(room.do(drawer_fill, by=by, drawer=drawer, amount_cents=FEE))
    _compare(room, books)
    room.do(drawer_fill, by=by, drawer=drawer, amount_cents=FEE)
    books.cash[drawer.pk] += FEE
    _compare(room, books)
    room.refused("nothing_there", drawer_fill, by=by, drawer=drawer, amount_cents=FEE)


def _pay_by_card(room: Evening, books: MoneyBooks, guest: Registration, by: Actor) -> None:
    own: dict[str, Any] = {"registration": guest, "amount_cents": 700}
    room.refused("means_not_taken", fee_pay, by=by, **own, means=Means.VOUCHER)
    room.do(fee_pay, by=by, **own, means=Means.CARD, payer="Simulierter Onkel")
    books.paid[guest.pk] += 700
    books.receipts += 1
    _compare(room, books)


def _take_back(
    room: Evening, books: MoneyBooks, guest: Registration, by: Actor, drawer: Drawer
) -> None:
    """Give the fee back, take that back, and put it in force again."""
    given = room.do(fee_refund, by=by, registration=guest)
    books.cash[drawer.pk] -= FEE
    books.paid[guest.pk] -= FEE
    books.receipts += 1
    _compare(room, books)
    undone = room.undo(given)
    books.cash[drawer.pk] += FEE
    books.paid[guest.pk] += FEE
    books.receipts += 1
    _compare(room, books)
    room.undo(undone)
    books.cash[drawer.pk] -= FEE
    books.paid[guest.pk] -= FEE
    books.receipts += 1
    _compare(room, books)


def _move(room: Evening, books: MoneyBooks, by: Actor, drawer: Drawer) -> None:
    own: dict[str, Any] = {"drawer": drawer, "reason": "Getränke"}
    room.refused("no_reason", drawer_move, by=by, drawer=drawer, amount_cents=100, reason=" ")
    room.refused("above_limit", drawer_move, by=by, amount_cents=-LIMIT - 1, **own)
    for cents in (1_000, -400):
        room.do(drawer_move, by=by, amount_cents=cents, **own)
        books.cash[drawer.pk] += cents
        _compare(room, books)


def _close(room: Evening, books: MoneyBooks, drawer: Drawer, short: int) -> None:
    counted = books.cash[drawer.pk] - short
    own: dict[str, Any] = {"drawer": drawer, "counted_cents": counted}
    room.refused("counted_before", drawer_close, **own, expected_cents=counted + short + 1)
    closed = room.do(drawer_close, **own, expected_cents=counted + short)
    room.undo(closed)
    _compare(room, books)
    room.do(drawer_close, **own)
    books.cash[drawer.pk] -= short
    _compare(room, books)
    room.refused("closed", drawer_move, drawer=drawer, amount_cents=100, reason="zu spät")


def _compare(room: Evening, books: MoneyBooks) -> None:
    """Compare every drawer, everybody's payments and the receipts; the journal sums to zero."""
    expect = room.checker.expect
    rows = [state.drawer for state in drawers_of(room.event) if state.drawer]
    found = {drawer.pk: drawer_balance(drawer) for drawer in rows}
    expect(found == {pk: books.cash[pk] for pk in found}, "drawers", found, books.cash)
    for pk, cents in books.paid.items():
        paid = paid_cents(Registration(pk=pk, event=room.event))
        expect(paid == cents, "what somebody paid", paid, cents)
    sums = Counter[int]()
    live = Posting.objects.live().filter(event=room.event)
    for made_by, cents in live.values_list("made_by", "amount_cents"):
        sums[made_by] += cents
    expect(not any(sums.values()), "a booking does not sum to zero", sums)
    receipts = Receipt.objects.filter(event=room.event)
    expect(receipts.count() == books.receipts, "receipts", receipts.count(), books.receipts)
    told = Counter[int]()
    for registration, cents in receipts.values_list("registration", "cents"):
        told[registration] += cents
    expect(+told == +books.paid, "what the receipts say", told, books.paid)
    club = Receipt.objects.filter(club=room.event.club_id, is_sample=False)
    for year in set(club.values_list("year", flat=True)):
        missing = numbers_missing(club.filter(year=year).values_list("number", flat=True))
        expect(not missing, "receipts without a number", year, missing)
