"""The deals of an event: offers, answers, and the prizes still played for.

A deal is agreed once all have said yes to the same figures. That is derived, not stored.
"""

from collections import defaultdict
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.snapshot import read_once
from tournaments.event.selectors.chips import stacks_counted
from tournaments.event.selectors.event import event_alive_entry_ids, players_left
from tournaments.models import Deal, DealAnswer, DealLeave, DealShare, Entry, Event, Registration
from tournaments.payouts.domain.deals import Way
from tournaments.people.domain.naming import shown_name

MOST_AT_A_DEAL = 30
WAYS = {
    Way.ICM: lazy("nach ICM"),
    Way.CHIPS: lazy("nach Chips"),
    Way.EVEN: lazy("zu gleichen Teilen"),
    Way.OWN: lazy("eigene Beträge"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareSeen:
    """A player's share. `says_yes` is None without an answer."""

    pk: int
    entry: int
    name: str
    public_name: str
    stack: int
    cents: int
    says_yes: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSeen:
    """A deal with its shares, largest first. `stale` says why it can no longer be agreed."""

    pk: int
    action: int
    way: Way
    prizes: tuple[int, ...]
    kept: int
    shares: tuple[ShareSeen, ...]
    stale: str = ""

    @property
    def is_agreed(self) -> bool:
        return all(share.says_yes for share in self.shares)

    @property
    def total(self) -> int:
        return sum(share.cents for share in self.shares)

    @property
    def chips(self) -> int:
        return sum(share.stack for share in self.shares)

    @property
    def way_word(self) -> str:
        return str(WAYS[self.way])

    @property
    def yes(self) -> int:
        """Return the number of yes answers."""
        return sum(share.says_yes is True for share in self.shares)

    @property
    def is_above_first(self) -> bool:
        """Tell whether somebody gets more than the first prize, as a deal by chips may give."""
        return max(share.cents for share in self.shares) > self.prizes[0]

    @property
    def is_declined(self) -> bool:
        return any(share.says_yes is False for share in self.shares)


def deal_leave(event: Event) -> DealLeave | None:
    """Return the director's permission, if given."""
    return DealLeave.objects.live().filter(event=event).first()


@read_once
def deals_of(event: Event) -> list[DealSeen]:
    """Return all deals in force, earliest first; only the last can be open."""
    rows = list(Deal.objects.live().filter(event=event).order_by("pk"))
    if not rows:
        return []
    shares: dict[int, list[DealShare]] = defaultdict(list)
    for share in DealShare.objects.live().filter(deal__in=rows).order_by("-amount_cents", "pk"):
        shares[share.deal_id].append(share)
    of_these = [share.pk for some in shares.values() for share in some]
    answers = DealAnswer.objects.live().filter(share__in=of_these)
    answer = dict(answers.values_list("share", "says_yes"))
    entries = {share.entry_id for some in shares.values() for share in some}
    rows_of = Entry.objects.filter(pk__in=entries).values_list(
        "pk", "registration__person__name", "registration__is_listed"
    )
    names = {
        entry: (name, shown_name(name, is_listed=is_listed, to_staff=False))
        for entry, name, is_listed in rows_of
    }
    found = [_seen(row, shares[row.pk], answer, names) for row in rows]
    if not found[-1].is_agreed:
        found[-1] = replace(found[-1], stale=_stale(event, found[-1]))
    return found


def _seen(
    row: Deal,
    shares: list[DealShare],
    answer: dict[int, bool],
    names: dict[int, tuple[str, str]],
) -> DealSeen:
    """Return a deal; `names` are those for staff and for others, by entry."""
    return DealSeen(
        pk=row.pk,
        action=row.made_by_id,
        way=Way(row.way),
        prizes=tuple(row.prizes),
        kept=row.kept_cents,
        shares=tuple(
            ShareSeen(
                pk=share.pk,
                entry=share.entry_id,
                name=names[share.entry_id][0],
                public_name=names[share.entry_id][1],
                stack=share.stack,
                cents=share.amount_cents,
                says_yes=answer.get(share.pk),
            )
            for share in shares
        ),
    )


def _stale(event: Event, deal: DealSeen) -> str:
    alive = set(event_alive_entry_ids(event))
    gone = [share.name for share in deal.shares if share.entry not in alive]
    if gone:
        answer = _("Seit dem Angebot ausgeschieden: %(names)s. Bitte neu rechnen.")
        return answer % {"names": ", ".join(gone)}
    if len(alive) != len(deal.shares):
        return _("Seit dem Angebot ist noch jemand im Spiel. Bitte neu rechnen.")
    counted = stacks_counted(event)
    if any(counted.get(share.entry) != share.stack for share in deal.shares):
        return _("Seit dem Angebot wurde anders gezählt. Bitte neu rechnen.")
    return ""


def deal_open(event: Event) -> DealSeen | None:
    """Return the offered deal still without all agreements."""
    return next((deal for deal in deals_of(event) if not deal.is_agreed), None)


def deals_agreed(event: Event) -> list[DealSeen]:
    return [deal for deal in deals_of(event) if deal.is_agreed]


def deal_shares(event: Event) -> dict[int, int]:
    """Return each entry's share of agreed deals in cents, whatever its place."""
    found: dict[int, int] = defaultdict(int)
    for deal in deals_agreed(event):
        for share in deal.shares:
            found[share.entry] += share.cents
    return dict(found)


def prizes_after_deals(event: Event) -> tuple[int, ...] | None:
    """Return the prizes still played for after the last deal, by place; None without one.

    Lower places keep their prizes: a deal shares only those of the remaining players.
    """
    agreed = deals_agreed(event)
    if not agreed:
        return None
    return (agreed[-1].kept, *[0] * (len(agreed[-1].shares) - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDeal:
    """The latest deal for one of its players."""

    deal: DealSeen
    share: ShareSeen


def own_deal(registration: Registration) -> OwnDeal | None:
    """Return the latest deal if this player takes part in it."""
    if players_left(registration.event) > MOST_AT_A_DEAL:
        return None
    deals = deals_of(registration.event)
    if not deals:
        return None
    own = set(registration.entries.live().values_list("pk", flat=True))
    shares = [share for share in deals[-1].shares if share.entry in own]
    return OwnDeal(deal=deals[-1], share=shares[0]) if shares else None
