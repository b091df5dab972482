"""The bounties of an event: computed from payments, lost stacks and envelopes."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum
from django.utils.translation import gettext as _

from clock.snapshot import read_once
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.models import (
    Entry,
    Envelope,
    Event,
    MysteryPot,
    Posting,
    Purchase,
    Registration,
    What,
)
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import entry_price
from tournaments.payouts.domain.bounties import (
    Bounties,
    BountyKind,
    Out,
    bounties,
    mystery_bounties,
)
from tournaments.play.selectors.eliminations import StackLost, stacks_lost
from tournaments.rebuys.selectors.offers import chances_live, good_of, position_at, wishes_live


@dataclass(frozen=True, slots=True, kw_only=True)
class BountyLine:
    """One entry: its bounty's value, its winnings, its knockouts."""

    entry: int
    registration: int
    name: str
    is_listed: bool
    head: int | None
    won: int
    heads_taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A player's open bounty payout; below zero, overpaid."""

    registration: int
    name: str
    won: int
    paid: int

    @property
    def open(self) -> int:
        return self.won - self.paid

    @property
    def over(self) -> int:
        """Return the overpaid amount."""
        return max(0, -self.open)


def event_has_bounties(event: Event) -> bool:
    return bool(event.bounty_kind) and head_price(event) > 0


def head_price(event: Event, rate: str = "") -> int:
    """Return the bounty part of the entry price, or of a price by person."""
    price = entry_price(event, rate=rate)
    return sum(share.cents for share in price if share.account is Account.BOUNTY)


def heads_may_be_bought(event: Event, at: datetime) -> bool:
    """Tell whether a re-buy or an add-on may still add bounty money."""
    position = position_at(event, at)
    goods = (good_of(event, What.REBUY), good_of(event, What.ADDON))
    sold = [good for good in goods if any(to == Account.BOUNTY for to, *_rest in good.parts)]
    is_open = any(
        good.offer.last is not None and position is not None and position <= good.offer.last
        for good in sold
    )
    return is_open or (bool(sold) and (chances_live(event).exists() or wishes_live(event).exists()))


@read_once
def bounties_of(event: Event) -> Bounties:
    """Return the state of the bounties; empty for an event without any."""
    if not event_has_bounties(event):
        return Bounties()
    lost = stacks_lost(event)
    paid, alive = _paid_for_heads(event, lost), sorted(event_alive_entry_ids(event))
    is_decided = event.ended_by_id is not None or len(alive) == 1
    winners = alive if event.has_started and is_decided else []
    if event.bounty_kind != BountyKind.MYSTERY:
        first = {entry: cents[0] for entry, cents in paid.items()}
        again = {entry: cents[1:] for entry, cents in paid.items()}
        kind, cut = BountyKind(event.bounty_kind), event.bounty_cut
        return bounties(kind, first, _outs(lost), winners, again=again, cut_percent=cut)
    total, pot = sum(sum(cents) for cents in paid.values()), mystery_pot(event)
    if pot is None:
        return Bounties(left_over=total)
    to_draw = len(envelopes_left(pot)) - 1
    return mystery_bounties(total, _outs(lost, pot), winners, to_draw=to_draw)


def _paid_for_heads(event: Event, lost: Iterable[StackLost]) -> dict[int, list[int]]:
    """Return the bounty money on each stack of an entry, first stack first.

    A re-buy after a lost stack adds a new bounty. A purchase for a stack in play (add-on, or re-buy
    with chips left) increases its bounty.
    """
    heads = {name: head_price(event, name) for name, _cents, _parts in event.fee_rates}
    full, entries = head_price(event), Entry.objects.live().filter(event=event).order_by("pk")
    paid = {
        entry: [heads.get(rate, full)]
        for entry, rate in entries.values_list("pk", "registration__rate")
    }
    ended: dict[int, list[int]] = defaultdict(list)
    for stack in lost:
        if not stack.is_out:
            ended[stack.entry].append(stack.sequence)
    bought = Purchase.objects.live().filter(event=event, entry__in=paid).order_by("pk")
    names = ("entry", "what", "parts", "made_by__sequence")
    for entry, what, parts, sequence in bought.values_list(*names):
        cents = sum(cents for to, cents, _part in parts if to == Account.BOUNTY)
        if what == What.REENTRY:
            paid[entry][0] = cents
            continue
        before = sum(one <= sequence for one in ended[entry])
        paid[entry].extend([0] * (before + 1 - len(paid[entry])))
        paid[entry][before] += cents
    return paid


def mystery_pot(event: Event) -> MysteryPot | None:
    """Return the envelopes, once they are made."""
    return MysteryPot.objects.live().filter(event=event).first()


def _outs(lost: Iterable[StackLost], pot: MysteryPot | None = None) -> list[Out]:
    """Return the lost stacks for bounties; with a pot, those since it was made."""
    inside = {}
    if pot is not None:
        drawn = Envelope.objects.live().filter(pot=pot).values_list("entry", "stack", "number")
        inside = {(entry, stack): pot.amounts[number - 1] for entry, stack, number in drawn}
    return [
        Out(
            entry=stack.entry,
            number=stack.number,
            takers=tuple(stack.takers),
            is_removed=stack.is_removed,
            envelope=inside.get((stack.entry, stack.number)),
        )
        for stack in lost
        if pot is None or stack.at >= pot.began_at
    ]


def envelopes_left(pot: MysteryPot) -> list[int]:
    """Return the numbers of the envelopes not drawn yet."""
    drawn = Envelope.objects.live().filter(pot=pot).values_list("number", flat=True)
    return sorted(set(range(1, len(pot.amounts) + 1)) - set(drawn))


def heads_waiting(event: Event) -> list[tuple[StackLost, int]]:
    """Return the lost stacks with money at stake and no known taker, with the amount."""
    waiting = {
        (out.entry, out.number): cents
        for out, cents in bounties_of(event).waiting
        if cents or event.bounty_kind == BountyKind.MYSTERY
    }
    keys = [(stack, (stack.entry, stack.number)) for stack in stacks_lost(event)] if waiting else []
    return [(stack, waiting[key]) for stack, key in keys if key in waiting]


def taker_asked(stack: StackLost, name: str) -> str:
    """Return the question for the taker of a stack."""
    if stack.is_out:
        return _("Gegen wen ist %(name)s ausgeschieden?") % {"name": name}
    return _("Gegen wen hat %(name)s den Stapel verloren?") % {"name": name}


def bounty_lines(event: Event) -> list[BountyLine]:
    """Return the relevant entries: bounties in play, and entries with winnings."""
    stands = bounties_of(event)
    taken: dict[int, int] = defaultdict(int)
    for hit in stands.hits:
        for taker in hit.won:
            taken[taker] += 1
    paid = Entry.objects.filter(event=event, registration__in=bounties_paid(event))
    asked = set(stands.heads) | set(stands.won) | set(paid.values_list("pk", flat=True))
    rows = Entry.objects.filter(pk__in=asked).values_list(
        "pk", "registration", "registration__person__name", "registration__is_listed"
    )
    lines = [
        BountyLine(
            entry=entry,
            registration=registration,
            name=name,
            is_listed=is_listed,
            head=stands.heads.get(entry),
            won=stands.won.get(entry, 0),
            heads_taken=taken[entry],
        )
        for entry, registration, name, is_listed in rows
    ]
    return sorted(lines, key=lambda line: (-line.won, -(line.head or 0), line.entry))


def top_hunters(event: Event, many: int = 5) -> list[BountyLine]:
    """Return the largest winners, for everybody to see."""
    return [line for line in bounty_lines(event) if line.won][:many]


def heads_of(event: Event) -> dict[int, int]:
    """Return the value of each bounty in play; empty if unknown."""
    return bounties_of(event).heads


def bounties_paid(event: Event) -> dict[int, int]:
    """Return the paid bounties, by registration."""
    rows = Posting.objects.live().filter(event=event, account=Account.BOUNTIES)
    sums = rows.values("registration").annotate(sum=Sum("amount_cents")).order_by()
    return {one: cents for one, cents in sums.values_list("registration", "sum") if cents}


def bounties_due(event: Event) -> list[Due]:
    """Return all registrations with bounties won or paid, by name."""
    won: dict[int, int] = defaultdict(int)
    names: dict[int, str] = {}
    paid = bounties_paid(event)
    by_entry = bounties_of(event).won
    rows = Entry.objects.filter(event=event, pk__in=by_entry) | Entry.objects.filter(
        event=event, registration__in=paid
    )
    person = "registration__person__name"
    for entry, registration, name in rows.values_list("pk", "registration", person):
        won[registration] += by_entry.get(entry, 0)
        names[registration] = name
    found = [
        Due(registration=one, name=names[one], won=won[one], paid=paid.get(one, 0)) for one in won
    ]
    return sorted(found, key=lambda due: due.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBounty:
    """A player's own bounty while in play, and the player's winnings."""

    head: int | None
    won: int


def own_bounty(registration: Registration) -> OwnBounty | None:
    """Return a player's bounties; None without bounties or entry."""
    if not event_has_bounties(registration.event):
        return None
    own = list(registration.entries.live().order_by("pk").values_list("pk", flat=True))
    stands = bounties_of(registration.event)
    if not own:
        return None
    return OwnBounty(
        head=stands.heads.get(own[-1]), won=sum(stands.won.get(entry, 0) for entry in own)
    )
