"""Evenings with bounties. Their books are kept by the rule's text alone."""

from tests.evenings.side import MINUTE, BountyBooks, registration_of, side_evening, tell_takers
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Registration
from tournaments.payouts.selectors.bounties import bounties_due, bounties_of
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.payees import payout_pay, payout_settle
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.services.rehearsal import rehearsal_fill
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.seating.services.seats import seats_draw

PRICE = 1001
PLAYERS = 7


def play_bounties(seed: int) -> list[Evening]:
    """Play an evening of each kind to its winner, who is paid out with the others."""
    return [_play_one(seed, kind) for kind in ("fixed", "progressive", "mystery")]


def _play_one(seed: int, kind: str) -> Evening:
    side = side_evening(
        seed,
        f"Bountys {kind}",
        seats_per_table=PLAYERS,
        bounty_kind=kind,
        fee_cents=PRICE,
        fee_parts=[["bounty", PRICE, ""]],
    )
    side.do(rehearsal_fill, players=PLAYERS)
    side.do(seats_draw)
    side.do(clock_start)
    side.reload()
    alive = sorted(bounties_of(side.event).heads) if kind != "mystery" else _entries(side)
    books = BountyBooks(kind, dict.fromkeys(alive, PRICE))
    if kind == "mystery":
        side.refused("no_rest", mystery_begin, tops=[PLAYERS * PRICE])
        _make_envelopes(side)
    if kind == "fixed":
        _pay_the_wrong_one(side, books, alive)
    while len(alive) > 1:
        side.now += MINUTE
        _one_out(side, books, alive)
        _compare(side, books)
    _end(side, books, alive[0])
    return side


def _entries(side: Evening) -> list[int]:
    return sorted(side.event.entries.live().values_list("pk", flat=True))


def _one_out(side: Evening, books: BountyBooks, alive: list[int]) -> None:
    """Put somebody out; by whom is told at once, later, or wrongly at first."""
    out = alive.pop(side.rng.randrange(len(alive)))
    takers = side.rng.sample(alive, min(len(alive), side.rng.choice([1, 1, 2])))
    gone = side.do(entries_eliminate, by=ARBITER, entries=[side.entry(out)])
    if side.rng.random() < 0.3:
        side.undo(gone)
        _compare(side, books)
        side.do(entries_eliminate, by=ARBITER, entries=[side.entry(out)])
    if side.rng.random() < 0.3:
        tell_takers(side, out, alive[:1])
    tell_takers(side, out, takers)
    books.take(out, takers, _draw(side, out) if books.kind == "mystery" else None)


def _pay_the_wrong_one(side: Evening, books: BountyBooks, alive: list[int]) -> None:
    """A player is paid for a head that another took, and gives the money back."""
    out, wrong, right = alive.pop(), *alive[:2]
    side.do(entries_eliminate, by=ARBITER, entries=[side.entry(out)])
    tell_takers(side, out, [wrong])
    paid = registration_of(wrong)
    side.do(payout_pay, by=DESK, registration=paid)
    side.refused("no_debt", payout_settle, registration=paid)
    tell_takers(side, out, [right])
    side.do(payout_settle, registration=paid)
    side.refused("no_debt", payout_settle, registration=paid)
    books.take(out, [right])
    _compare(side, books)


def _make_envelopes(side: Evening) -> None:
    side.do(mystery_begin, tops=[2 * PRICE])
    side.refused("already_made", mystery_begin)


def _draw(side: Evening, out: int) -> int:
    """Draw an envelope, and return what is in it."""
    action = side.do(mystery_draw, by=ARBITER, entry=side.entry(out))
    side.refused("nothing_to_draw", mystery_draw, by=ARBITER, entry=side.entry(out))
    return int(action.payload["amount_cents"])


def _compare(side: Evening, books: BountyBooks) -> None:
    side.reload()
    stands = bounties_of(side.event)
    is_over = len(books.heads) == 1
    if not is_over:
        side.expect(stands.won == {k: v for k, v in books.won.items() if v}, "won", stands)
        if books.kind != "mystery":
            side.expect(stands.heads == books.heads, "heads", stands.heads, books.heads)
    side.expect(stands.total() == PLAYERS * PRICE, "bounties in all", stands.total())


def _end(side: Evening, books: BountyBooks, winner: int) -> None:
    """Pay each player what was won; the winner what is left, with the winner's own head."""
    side.do(event_end)
    side.reload()
    rest = PLAYERS * PRICE - sum(books.won.values())
    books.won[winner] = books.won.get(winner, 0) + rest
    owed = {registration_of(entry).pk: cents for entry, cents in books.won.items() if cents}
    found = {due.registration: due.open for due in bounties_due(side.event)}
    side.expect(found == owed, "bounties to be paid out", found, owed)
    for registration in owed:
        row = Registration.objects.get(pk=registration)
        side.do(payout_pay, by=DESK, registration=row)
        side.refused("nothing_to_pay", payout_pay, by=DESK, registration=row)
    left = [due.open for due in bounties_due(side.event)]
    side.expect(not any(left), "bounties not paid out", left)
