"""Prizes on an evening: planned before it, fixed at its end, paid out, and a place that changes."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.cash.domain.accounts import Account
from tournaments.cash.domain.prizes import PrizePlan, Way
from tournaments.cash.selectors.journal import account_cents
from tournaments.cash.selectors.prizes import paid_places
from tournaments.models import Entry, Registration
from tournaments.money.selectors.prizes import debts, paid_out_cents, payouts, prize_table_of
from tournaments.money.services.prizes import prize_pay, prize_settle, prizes_freeze, prizes_plan
from tournaments.play.services.places import place_overrule
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.practice.simulation.money.own_prizes import own_payouts, own_table

A_PERSON_CENTS = 870  # so much is guaranteed for each who is expected
UNIT_CENTS = 50


@deed(prizes_plan, when=When.COURSE)
def plan_prizes(evening: Evening) -> None:
    """Plan a curve with a guarantee; how many are paid was typed when the event was made."""
    plan = PrizePlan(
        way=Way.CURVE, unit_cents=UNIT_CENTS, guarantee_cents=A_PERSON_CENTS * evening.plan.entries
    )
    evening.refused("not_allowed", prizes_plan, by=DESK, plan=plan)
    evening.do(prizes_plan, plan=plan)
    evening.refused("nothing_changed", prizes_plan, plan=plan)
    evening.reload()


@deed(prizes_freeze, prize_pay, when=When.COURSE)
def pay_prizes(evening: Evening) -> None:
    """Fix the prizes when all is over, and pay them out; compare with the own books."""
    evening.refused("not_allowed", prizes_freeze, by=DESK)
    evening.undo(evening.do(prizes_freeze))
    evening.do(prizes_freeze)
    evening.reload()
    books, event = evening.books, evening.event
    pool = max(sum(books.paid.values()), A_PERSON_CENTS * evening.plan.entries)
    own = own_table(pool, paid_places(event), UNIT_CENTS)
    found = list(prize_table_of(event).prizes)
    evening.checker.expect(found == own, "the prizes", found, own)
    for row in payouts(event):
        if not _is_paid(evening, row.place):
            continue
        registration = Registration.objects.get(pk=row.registration)
        to_pay = {"registration": registration, "amount_cents": row.open}
        evening.refused("not_allowed", prize_pay, by=ARBITER, **to_pay)
        evening.do(prize_pay, by=DESK, **to_pay)
        evening.refused("nothing_to_pay", prize_pay, by=DESK, **to_pay)
    _compare(evening, own)
    if len(books.stacks) == 1 and len(own) > 1:
        _change_a_place(evening, own)
    _compare(evening, own)
    evening.reload()


@deed(prize_settle, when=When.COURSE)
def _change_a_place(evening: Evening, own: list[int]) -> None:
    """Have one player share the next better place after both were paid, and take it back."""
    places = evening.books.places(is_over=True)
    gone = evening.books.disqualified
    found = _neighbours(evening, places, own)
    if found is None:
        return
    place, worse = found
    row, told = evening.row_of(worse), _own_paid(evening, own)
    shared = evening.do(place_overrule, entry=row, place=place, is_shared=True, reason="Foto")
    evening.reload()
    settled = []
    for debt in debts(evening.event):
        registration = Registration.objects.get(pk=debt.registration)
        evening.refused("not_allowed", prize_settle, by=DESK, registration=registration)
        evening.undo(evening.do(prize_settle, registration=registration, is_kept=True))
        settled.append(evening.do(prize_settle, registration=registration))
        evening.refused("no_debt", prize_settle, registration=registration)
    prizes = own_payouts(own, _with_shared(places, place, worse), gone)
    lost = sum(max(0, told.get(one, 0) - prizes.get(one, 0)) for one in places)
    total = account_cents(evening.event, Account.PRIZES)
    evening.checker.expect(total == sum(told.values()) - lost, "what came back", total, lost)
    for action in reversed(settled):
        evening.undo(action)
    evening.undo(shared)
    evening.reload()


def _neighbours(
    evening: Evening, places: Mapping[int, int], own: list[int]
) -> tuple[int, int] | None:
    """Return the first place paid better than the next, and who holds the next one.

    No word of the director's and no disqualification may be on either place.
    """
    ruled = {entry for ruling in evening.books.rulings for entry in ruling}
    barred = {places[entry] for entry in ruled | evening.books.disqualified if entry in places}
    by_place = {place: entry for entry, place in places.items()}
    for place in range(2, len(own)):
        is_free = {place, place + 1} <= by_place.keys() - barred
        if is_free and own[place - 1] > own[place]:
            return place, by_place[place + 1]
    return None


def _with_shared(places: Mapping[int, int], place: int, worse: int) -> dict[int, int]:
    """Return the places once one of those behind a place shares it: the others there move down."""
    return {
        entry: place if entry == worse else held + 1 if held == place + 1 else held
        for entry, held in places.items()
    }


def _compare(evening: Evening, own: list[int]) -> None:
    """Compare what everybody was paid, and all of it, with the own books."""
    event, told = evening.event, _own_paid(evening, own)
    rows = Entry.objects.filter(pk__in=told).values_list("pk", "registration")
    expected = {registration: told[entry] for entry, registration in rows}
    found = paid_out_cents(event)
    evening.checker.expect(found == expected, "prizes paid out", found, expected)
    total = account_cents(event, Account.PRIZES)
    evening.checker.expect(total == sum(told.values()), "all prizes paid out", total, told)


def _own_paid(evening: Evening, own: list[int]) -> dict[int, int]:
    """Return by entry what was paid out, by the own books."""
    books = evening.books
    places = books.places(is_over=True)
    told = own_payouts(own, places, books.disqualified)
    return {entry: cents for entry, cents in told.items() if _is_paid(evening, places[entry])}


def _is_paid(evening: Evening, place: int | None) -> bool:
    """Tell whether the prize of a place is paid out: in a large field only the first ones are."""
    last = evening.plan.last_paid
    return last is None or (place is not None and place <= last)
