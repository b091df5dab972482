"""Deals: allowed by the director, offered, agreed by all, withdrawn.

A deal does not change places. `money.selectors.deals.deal_shares` gives its prizes.
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.chips import stacks_counted
from tournaments.event.selectors.event import entry_names, event_alive_entry_ids, players_left
from tournaments.event.selectors.labels import money
from tournaments.event.services.lifecycle import refuse_if_not_in_play, write_counts
from tournaments.models import Deal, DealAnswer, DealLeave, DealShare
from tournaments.payouts.domain.deals import Unshareable, Way, own_amounts, shares
from tournaments.payouts.selectors.deals import (
    MOST_AT_A_DEAL,
    DealSeen,
    deal_leave,
    deal_open,
    deals_of,
    prizes_after_deals,
)
from tournaments.payouts.selectors.prizes import prizes_left
from tournaments.play.services.stacks import refuse_stacks
from tournaments.prizes.selectors.plans import prizes_frozen, seats_to_win

REFUSED = {
    "no_prizes": lazy("Ohne Preise gibt es nichts zu teilen. Der erste Preis fehlt."),
    "rising": lazy("Ein Preis ist höher als der davor. Bitte vom ersten Platz abwärts."),
    "kept": lazy("So viel kann nicht ausgespielt werden: Zum Teilen bleibt nichts."),
    "own_sum": lazy("Die eigenen Beträge ergeben zusammen nicht, was zu teilen ist."),
    "negative": lazy("Ein Anteil ist nicht unter null."),
}

DEAL_ALLOWED = Kind("deal.allowed", lazy("Ein Deal ist erlaubt"), Group.FEES, sets_stage=True)


@service(DEAL_ALLOWED, Permission.MANAGE, Topic.ENTRIES)
def deal_allow(change: Change) -> None:
    """Allow a deal (KRRU 3.0: only the director can, expressly)."""
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if seats_to_win(change.event):
        raise Refused(
            _("Um Plätze in einem anderen Turnier gibt es keinen Deal."), code="satellite"
        )
    if deal_leave(change.event) is not None:
        raise Refused(_("Ein Deal ist schon erlaubt."), code="already_allowed")
    DealLeave.objects.create(event=change.event, made_by=change.action)


DEAL_OFFERED = Kind(
    "deal.offered", lazy("Deal vorgeschlagen, für %(name)s"), Group.FEES, sets_stage=True
)


@service(DEAL_OFFERED, Permission.MANAGE, Topic.ENTRIES)
def deal_offer(
    change: Change,
    *,
    way: Way,
    stacks: Mapping[int, int],
    prizes: Sequence[int],
    kept: int = 0,
    unit: int = 1,
    own: Mapping[int, int] | None = None,
) -> None:
    """Offer a deal to all remaining players; an earlier offer and its answers become void.

    :param stacks: Counted chips by entry, of all.
    :param own: Negotiated amounts by entry, if any.
    """
    leave = deal_leave(change.event)
    if leave is None:
        raise Refused(_("Ein Deal braucht zuerst die Erlaubnis der Leitung."), code="no_leave")
    _refuse_players(change, stacks)
    _refuse_prizes(change, prizes)
    amounts = _amounts(way, stacks, prizes, kept=kept, unit=unit, own=own or {})
    before = deal_open(change.event)
    if before is not None:
        offered = {share.entry: (share.stack, share.cents) for share in before.shares}
        now = {entry: (stack, amounts[entry]) for entry, stack in stacks.items()}
        if not before.stale and (before.kept, offered) == (kept, now):
            raise Refused(_("Genau dieser Deal liegt schon vor."), code="nothing")
        _void(change, before)
    if stacks_counted(change.event) != dict(stacks):
        write_counts(change, stacks)
    deal = Deal.objects.create(
        event=change.event,
        leave=leave,
        way=way,
        prizes=list(prizes[: len(stacks)]),
        kept_cents=kept,
        made_by=change.action,
    )
    _write_shares(change, deal, stacks, amounts)


def _write_shares(
    change: Change, deal: Deal, stacks: Mapping[int, int], amounts: Mapping[int, int]
) -> None:
    DealShare.objects.bulk_create(
        DealShare(
            deal=deal, entry_id=entry, stack=stack, amount_cents=amounts[entry],
            made_by=change.action,
        )
        for entry, stack in stacks.items()
    )  # fmt: skip
    change.record(
        way=str(deal.way),
        kept_cents=deal.kept_cents,
        entries=sorted(stacks),
        shares=[[entry, stacks[entry], cents] for entry, cents in sorted(amounts.items())],
    )
    names = entry_names(set(stacks))
    change.tell(name=", ".join(names[entry] for entry in stacks))


def _refuse_players(change: Change, stacks: Mapping[int, int]) -> None:
    """Refuse stacks that are not those of all in play, or do not sum to the chips in play."""
    alive = event_alive_entry_ids(change.event)
    if len(alive) < 2:
        raise Refused(_("Für einen Deal braucht es zwei, die noch im Spiel sind."), code="too_few")
    if len(alive) > MOST_AT_A_DEAL:
        reason = _("Einen Deal machen höchstens %(most)s, noch %(left)s sind im Spiel.")
        raise Refused(reason % {"most": MOST_AT_A_DEAL, "left": len(alive)}, code="too_many")
    refuse_stacks(change, stacks)
    if set(stacks) != set(alive):
        raise Refused(
            _("Ein Deal ist für alle, die noch im Spiel sind. Bitte neu rechnen."),
            code="not_everybody",
        )
    refuse_if_not_in_play(change.event, sum(stacks.values()))


def _refuse_prizes(change: Change, prizes: Sequence[int]) -> None:
    """Require the remaining planned prizes, or the prizes an earlier deal left."""
    event, after = change.event, prizes_after_deals(change.event)
    if after is not None:
        if not any(after):
            raise Refused(
                _("Nach dem letzten Deal ist nichts mehr zu teilen."), code="nothing_left"
            )
        if [cents for cents in prizes if cents] != [cents for cents in after if cents]:
            reason = _("Nach dem letzten Deal wird noch um %(left)s gespielt, um nichts sonst.")
            raise Refused(reason % {"left": money(sum(after))}, code="other_prizes")
        return
    if not event.prize_plan.has_money:
        return
    if prizes_frozen(event) is None:
        raise Refused(
            _("Erst die Preise festschreiben: Geteilt wird, was dann feststeht."), code="not_frozen"
        )
    left = prizes_left(event)
    if [cents for cents in prizes[: players_left(event)] if cents] != left:
        reason = _("Geteilt wird, was bei den Preisen noch offen ist, zusammen %(left)s.")
        raise Refused(reason % {"left": money(sum(left))}, code="other_prizes")


def _amounts(
    way: Way,
    stacks: Mapping[int, int],
    prizes: Sequence[int],
    *,
    kept: int,
    unit: int,
    own: Mapping[int, int],
) -> dict[int, int]:
    chips = list(stacks.values())
    try:
        if way is Way.OWN:
            found = own_amounts([own.get(entry, 0) for entry in stacks], chips, prizes, kept=kept)
        else:
            found = shares(way, chips, prizes, unit=unit, kept=kept)
    except Unshareable as problem:
        raise Refused(str(REFUSED[problem.code]), code=problem.code) from problem
    return dict(zip(stacks, found, strict=True))


DEAL_ANSWERED = Kind(
    "deal.answered",
    lazy("%(name)s stimmt dem Deal zu"),
    Group.FEES,
    outcomes={
        "no": lazy("%(name)s lehnt den Deal ab"),
        "agreed": lazy("%(name)s stimmt zu: Der Deal gilt"),
    },
    sets_stage=True,
)


@service(DEAL_ANSWERED, Permission.ANSWER_DEAL, Topic.ENTRIES)
def deal_answer(change: Change, *, share: DealShare, says_yes: bool) -> None:
    """Record a player's yes or no to the offered share; the last yes makes the deal."""
    deal = deal_open(change.event)
    found = {one.pk: one for one in deal.shares} if deal else {}
    if deal is None or share.pk not in found:
        raise Refused(_("Dieser Vorschlag liegt nicht mehr vor."), code="gone")
    row = DealShare.objects.select_related("entry").get(pk=share.pk)
    own = change.by.registration_id
    if own is not None and row.entry.registration_id != own:
        raise Refused(_("Zustimmen kann jeder nur für sich."), code="not_own")
    if deal.stale:
        raise Refused(deal.stale, code="stale")
    if found[share.pk].says_yes is says_yes:
        raise Refused(_("Das steht schon so da."), code="nothing")
    DealAnswer.objects.live().filter(share=row).update(voided_by=change.action)
    DealAnswer.objects.create(share=row, says_yes=says_yes, made_by=change.action)
    is_last = says_yes and deal.yes == len(deal.shares) - 1
    change.record(
        entry=row.entry_id,
        amount_cents=row.amount_cents,
        outcome="agreed" if is_last else "yes" if says_yes else "no",
    )
    change.tell(name=found[share.pk].name)


DEAL_WITHDRAWN = Kind(
    "deal.withdrawn",
    lazy("Deal zurückgezogen: %(name)s"),
    Group.FEES,
    outcomes={"agreed": lazy("Deal aufgehoben, der schon galt: %(name)s")},
    sets_stage=True,
)


@service(DEAL_WITHDRAWN, Permission.MANAGE, Topic.ENTRIES)
def deal_withdraw(change: Change, *, deal: Deal) -> None:
    """Withdraw the last deal, offered or agreed; the earlier prizes apply again."""
    standing = deals_of(change.event)
    if not standing or standing[-1].pk != deal.pk:
        raise Refused(
            _("Diesen Deal gibt es nicht mehr, oder ein späterer beruht darauf."), code="gone"
        )
    _void(change, standing[-1])
    change.record(
        deal=deal.pk,
        entries=sorted(share.entry for share in standing[-1].shares),
        outcome="agreed" if standing[-1].is_agreed else "open",
    )
    change.tell(name=", ".join(share.name for share in standing[-1].shares))


def _void(change: Change, deal: DealSeen) -> None:
    of_these = [share.pk for share in deal.shares]
    DealAnswer.objects.live().filter(share__in=of_these).update(voided_by=change.action)
    DealShare.objects.filter(pk__in=of_these).update(voided_by=change.action)
    Deal.objects.filter(pk=deal.pk).update(voided_by=change.action)
