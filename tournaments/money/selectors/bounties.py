"""How the bounties of an event stand: computed from entries, outs, takers and envelopes alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Sum

from clock.snapshot import read_once
from tournaments.cash.domain.accounts import Account
from tournaments.door.selectors.fees import entry_price
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.models import (
    Elimination,
    Entry,
    Envelope,
    Event,
    Knockout,
    MysteryPot,
    Posting,
    Registration,
)
from tournaments.money.domain.bounties import (
    Bounties,
    BountyKind,
    Out,
    bounties,
    mystery_bounties,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BountyLine:
    """One entry: what its head is worth, what it has won, and how many heads it took."""

    entry: int
    registration: int
    name: str
    is_listed: bool
    head: int | None
    won: int
    heads_taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What a player is still to be paid of the bounties won; below zero it was too much."""

    registration: int
    name: str
    won: int
    paid: int

    @property
    def open(self) -> int:
        return self.won - self.paid

    @property
    def over(self) -> int:
        """Return by how much too much was paid."""
        return max(0, -self.open)


def event_has_bounties(event: Event) -> bool:
    return bool(event.bounty_kind) and head_price(event) > 0


def head_price(event: Event) -> int:
    """Return what an entry puts on its own head: the part of its price that is for bounties."""
    return sum(share.cents for share in entry_price(event) if share.account is Account.BOUNTY)


@read_once
def bounties_of(event: Event) -> Bounties:
    """Return how the bounties stand. An evening without any has none."""
    if not event_has_bounties(event):
        return Bounties()
    entries = Entry.objects.live().filter(event=event).order_by("pk").values_list("pk", flat=True)
    heads = dict.fromkeys(entries, head_price(event))
    winners = _winners(event)
    if event.bounty_kind != BountyKind.MYSTERY:
        kind, cut = BountyKind(event.bounty_kind), event.bounty_cut
        return bounties(kind, heads, _outs(event), winners, cut_percent=cut)
    pot = mystery_pot(event)
    if pot is None:
        return Bounties(left_over=sum(heads.values()))
    to_draw = len(envelopes_left(pot)) - 1
    return mystery_bounties(sum(heads.values()), _outs(event, pot), winners, to_draw=to_draw)


def mystery_pot(event: Event) -> MysteryPot | None:
    """Return the envelopes, once they are made."""
    return MysteryPot.objects.live().filter(event=event).first()


def _winners(event: Event) -> list[int]:
    """Return who is in play once it is decided: one is left, or the event has ended."""
    alive = sorted(event_alive_entry_ids(event))
    is_decided = event.ended_by_id is not None or len(alive) == 1
    return alive if event.has_started and is_decided else []


def _outs(event: Event, pot: MysteryPot | None = None) -> list[Out]:
    """Return the outs in the order they happened; with a pot those since it was made."""
    rows = Elimination.objects.live().filter(event=event)
    if pot is not None:
        rows = rows.filter(at__gte=pot.began_at)
    takers: dict[int, list[int]] = defaultdict(list)
    known = Knockout.objects.live().filter(elimination__event=event).order_by("by")
    for elimination, by in known.values_list("elimination", "by"):
        takers[elimination].append(by)
    inside = _envelopes(pot)
    outs = rows.order_by("at", "sequence", "pk").values_list("pk", "entry", "way")
    return [
        Out(
            entry=entry,
            takers=tuple(takers[pk]),
            is_disqualified=way == Elimination.Way.DISQUALIFIED,
            envelope=inside.get(entry),
        )
        for pk, entry, way in outs
    ]


def _envelopes(pot: MysteryPot | None) -> dict[int, int]:
    """Return what is in the envelope of each head for which one was drawn."""
    if pot is None:
        return {}
    rows = Envelope.objects.live().filter(pot=pot)
    return {entry: pot.amounts[number - 1] for entry, number in rows.values_list("entry", "number")}


def envelopes_left(pot: MysteryPot) -> list[int]:
    """Return the numbers of the envelopes that nobody has drawn."""
    drawn = Envelope.objects.live().filter(pot=pot).values_list("number", flat=True)
    return sorted(set(range(1, len(pot.amounts) + 1)) - set(drawn))


def bounty_lines(event: Event) -> list[BountyLine]:
    """Return every entry that matters: heads in play, and entries that have won something."""
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
    """Return who has won the most, for everybody to see."""
    return [line for line in bounty_lines(event) if line.won][:many]


def heads_of(event: Event) -> dict[int, int]:
    """Return what each head in play is worth; empty where nobody knows."""
    return bounties_of(event).heads


def bounties_paid(event: Event) -> dict[int, int]:
    """Return what was paid out of bounties, by registration."""
    rows = Posting.objects.live().filter(event=event, account=Account.BOUNTIES)
    sums = rows.values("registration").annotate(sum=Sum("amount_cents")).order_by()
    return {one: cents for one, cents in sums.values_list("registration", "sum") if cents}


def bounties_due(event: Event) -> list[Due]:
    """Return everybody who has won or was paid bounties, by name."""
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
    """What a player's own head is worth while in play, and what the player has won."""

    head: int | None
    won: int


def own_bounty(registration: Registration) -> OwnBounty | None:
    """Return a player's own bounties; None where there are none, or without an entry."""
    if not event_has_bounties(registration.event):
        return None
    own = list(registration.entries.live().order_by("pk").values_list("pk", flat=True))
    stands = bounties_of(registration.event)
    if not own:
        return None
    return OwnBounty(
        head=stands.heads.get(own[-1]), won=sum(stands.won.get(entry, 0) for entry in own)
    )
