"""Purchases: chips enter play, the price is owed and paid now or later; seats held for them.

Without a re-buy `play.services.rebuy_chances` eliminates the player of a held seat.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import instant_ms
from tournaments.changes.access import Permission, Role, allows
from tournaments.changes.audit import Change, follows_change, kind_is, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic, kind_of
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.arrivals import entry_make
from tournaments.event.selectors.event import hand_for_hand_was_begun, money_reached, sells_again
from tournaments.models import (
    ChipMovement,
    Elimination,
    Entry,
    Event,
    LateTap,
    LostStack,
    Purchase,
    PurchaseWish,
    RebuyChance,
    Seating,
    What,
)
from tournaments.models.log import CLAIMED
from tournaments.money.domain.accounts import Means
from tournaments.money.services.fees import (
    payment_book,
    payments_even,
    refuse_means_not_taken,
    refuse_who_takes_no_money,
)
from tournaments.rebuys.selectors.offers import (
    Good,
    chance_of,
    decided_at,
    good_sold,
    may_still_rebuy,
    told_words,
    wish_of,
    wishes_of,
)
from tournaments.seating.services.seats import seat_by_draw

TOPICS = (Topic.REGISTRATIONS, Topic.ENTRIES, Topic.TABLES)

REBUY_BOUGHT = Kind("rebuy.bought", lazy("Re-buy: %(name)s"), Group.FEES)


@service(REBUY_BOUGHT, Permission.TAKE_MONEY, *TOPICS)
def rebuy_buy(
    change: Change,
    *,
    entry: Entry,
    number: int = 1,
    stack: int | None = None,
    pays: bool = False,
    means: Means = Means.CASH,
    asked: PurchaseWish | None = None,
    held: RebuyChance | None = None,
) -> None:
    """Sell re-buys: add the chips to the stack and release the held seat.

    A re-buy without chips implies a lost stack, even if not recorded before.

    :param stack: Remaining chips, if no loss was recorded.
    :param pays: Whether it is paid now; otherwise it stays open.
    :param asked: The request to confirm; two devices may confirm the same one.
    :param held: The held seat shown to the seller; two devices may sell for the same one.
    """
    chance = chance_of(entry)
    row, wish = _live(change, entry, What.REBUY, asked, chance)
    if held is not None and chance != held:
        raise _already_done()
    stack = wish.stack if wish and stack is None else stack
    told, at = stack if chance is None else 0, decided_at(change.event, wish, change.at, chance)
    good = good_sold(row, What.REBUY, at, number=number, stack=told, lets_pass=change.knowingly)
    if chance is None and stack == 0:
        stacks_lose(change, [row], instants={row.pk: at})
    RebuyChance.objects.live().filter(entry=row).update(voided_by=change.action)
    cents = _sell(change, row, good, number, brings=ChipMovement.Reason.REBUY)
    _pay(change, row, cents, means if pays else None)


ADDON_BOUGHT = Kind("addon.bought", lazy("Add-on: %(name)s"), Group.FEES)


@service(ADDON_BOUGHT, Permission.TAKE_MONEY, *TOPICS)
def addon_buy(
    change: Change,
    *,
    entry: Entry,
    pays: bool = False,
    means: Means = Means.CASH,
    asked: PurchaseWish | None = None,
) -> None:
    """Sell an add-on: add the chips to the stack."""
    _add_on(change, entry, means if pays else None, asked)


ADDONS_BOUGHT = Kind("addons.bought", lazy("Add-ons: %(name)s"), Group.FEES)


@service(ADDONS_BOUGHT, Permission.TAKE_MONEY, *TOPICS)
def addons_buy(
    change: Change, *, entries: Sequence[Entry], pays: bool = False, means: Means = Means.CASH
) -> None:
    """Sell an add-on to each of these in one act, with a receipt for each."""
    if not entries or len({entry.pk for entry in entries}) != len(entries):
        raise Refused(_("Bitte ankreuzen, wer ein Add-on nimmt."), code="nobody")
    sold = [_add_on(change, entry, means if pays else None) for entry in entries]
    for of_the_last in ("entry", "registration", "amount_cents", "chips"):
        change.action.payload.pop(of_the_last, None)
    cents = sum(paid for _row, paid in sold)
    change.record(entries=[row.pk for row, _paid in sold], number=len(sold), cents=cents)
    change.tell(name=", ".join(row.registration.person.name for row, _paid in sold))


def _add_on(
    change: Change, entry: Entry, means: Means | None, asked: PurchaseWish | None = None
) -> tuple[Entry, int]:
    row, wish = _live(change, entry, What.ADDON, asked)
    at = decided_at(change.event, wish, change.at)
    good = good_sold(row, What.ADDON, at, lets_pass=change.knowingly)
    cents = _sell(change, row, good, brings=ChipMovement.Reason.ADDON)
    _pay(change, row, cents, means)
    return row, cents


ENTRY_REENTERED = Kind(
    "entry.reentered",
    lazy("Re-entry: %(name)s"),
    Group.PEOPLE,
    brings_in=True,
    opens_tables=True,
    is_announced=True,
    places=Places.OF_THE_HALL,
)


@service(ENTRY_REENTERED, Permission.TAKE_MONEY, *TOPICS)
def entry_reenter(
    change: Change,
    *,
    entry: Entry,
    pays: bool = False,
    means: Means = Means.CASH,
    asked: PurchaseWish | None = None,
) -> None:
    """Sell a re-entry: a new stack and a new drawn seat (TDA 8).

    :param entry: Any earlier entry of the player.
    """
    row, wish = _live(change, entry, What.REENTRY, asked)
    at = decided_at(change.event, wish, change.at)
    good = good_sold(row, What.REENTRY, at, lets_pass=change.knowingly)
    if capacity_of(change.event).free < 1 and not allows(change.by, Permission.MANAGE):
        raise Refused(
            _("Alle Plätze sind vergeben. Eine Ausnahme macht die Turnierleitung."), code="full"
        )
    made = entry_make(change, row.registration)
    cents = _sell(change, made, good)
    change.tell(name=row.registration.person.name)
    seat_by_draw(change, made)
    _pay(change, made, cents, means if pays else None)


def _live(
    change: Change,
    entry: Entry,
    what: What,
    asked: PurchaseWish | None,
    chance: RebuyChance | None = None,
) -> tuple[Entry, PurchaseWish | None]:
    """Return the entry and its request; end all requests of the person.

    :raises Refused: When another device has handled the request, or the seller has no drawer.
    """
    row = _of_here(change, entry, chance)
    if not allows(change.by, Permission.CHECK_IN):
        refuse_who_takes_no_money(change)
    wishes = list(wishes_of(row))
    wish = next((one for one in reversed(wishes) if one.what == what), None)
    if asked is not None and (wish is None or wish.pk != asked.pk):
        raise _already_done()
    if wishes:
        wishes_of(row).update(voided_by=change.action)
    return row, wish


def _already_done() -> Refused:
    return Refused(_("Das ist schon bestätigt, oder es wurde zurückgenommen."), code="already_done")


def _of_here(change: Change, entry: Entry, chance: RebuyChance | None = None) -> Entry:
    """Return an entry of this event, with its person; players name only their own.

    :param chance: The held seat of the entry, which was read with it.
    :raises Refused: When there is none any more.
    """
    rows = Entry.objects.live().select_related("registration__person").filter(pk=entry.pk)
    row = chance.entry if chance else rows.first()
    is_player = change.by.role == Role.PLAYER
    if (
        row is None
        or row.event_id != change.event.pk
        or row.registration.voided_by_id is not None
        or (is_player and change.by.registration_id != row.registration_id)
    ):
        raise Refused(_("Dieser Teilnehmer gehört nicht zu diesem Turnier."), code="gone")
    row.event = row.registration.event = change.event
    return row


def _sell(change: Change, entry: Entry, good: Good, number: int = 1, *, brings: str = "") -> int:
    """Write the sale; return its price in cents.

    :param brings: The reason of the chips that come into play by it; a re-entry brings its own.
    """
    own: dict[str, Any] = {"event": change.event, "entry": entry, "made_by": change.action}
    cents, chips = good.cents * number, good.chips * number
    Purchase.objects.create(
        **own,
        registration=entry.registration,
        what=good.what,
        number=number,
        cents=cents,
        parts=[[str(to), int(part) * number, str(name)] for to, part, name in good.parts],
        bought_at=change.at,
    )
    if brings:
        ChipMovement.objects.create(**own, reason=brings, amount=chips)
    brought = {"chips": chips} if brings else {}
    change.record(entry=entry.pk, number=number, cents=cents, **brought)
    change.tell(name=entry.registration.person.name)
    return cents


def _pay(change: Change, entry: Entry, cents: int, means: Means | None) -> None:
    """Book the price, paid by these means; None leaves it open."""
    if means and cents:
        if means != Means.CASH:  # always taken
            refuse_means_not_taken(change.club, means)
        payment_book(change, entry.registration, cents, means)
    else:  # an earlier overpayment covers this price
        payments_even(change, [entry.registration_id])


# --- Requests for a re-buy, add-on or re-entry; the cashier confirms them


PURCHASE_ASKED = Kind(
    "purchase.asked",
    lazy("Möchte einen Re-buy: %(name)s"),
    Group.FEES,
    outcomes={
        "addon": lazy("Möchte ein Add-on: %(name)s"),
        "reentry": lazy("Möchte einen Re-entry: %(name)s"),
    },
)


@service(PURCHASE_ASKED, Permission.ASK_PURCHASE, Topic.REGISTRATIONS, Topic.ENTRIES)
def purchase_ask(
    change: Change, *, entry: Entry, what: str, number: int = 1, stack: int | None = None
) -> None:
    """Record a request; its time decides whether it is in time. Nothing is bought yet.

    :param stack: Remaining chips, where a threshold applies.
    """
    row, wanted = _of_here(change, entry), What(what)
    if wish_of(row) is not None:
        raise Refused(_("Das ist schon gesagt: Es wird gleich bestätigt."), code="already_asked")
    held = chance_of(row) if wanted == What.REBUY else None
    at = decided_at(change.event, None, change.claimed or change.at, held)
    good_sold(row, wanted, at, number=number, stack=stack)
    wish = PurchaseWish.objects.create(
        event=change.event,
        entry=row,
        what=wanted,
        number=number,
        stack=stack,
        asked_at=change.at,
        made_by=change.action,
    )
    if change.claimed is not None:
        director_asked(change, {row.pk: change.at}, wish)
    change.record(entry=row.pk, number=number, outcome=wanted.value)
    change.tell(name=row.registration.person.name)


PURCHASE_UNASKED = Kind("purchase.unasked", lazy("Möchte doch nichts kaufen: %(name)s"), Group.FEES)


@service(PURCHASE_UNASKED, Permission.ASK_PURCHASE, Topic.REGISTRATIONS, Topic.ENTRIES)
def purchase_unask(change: Change, *, entry: Entry) -> None:
    """Withdraw or decline a request. A held seat stays held."""
    row = _of_here(change, entry)
    if not wishes_of(row).update(voided_by=change.action):
        raise Refused(_("Da ist nichts zurückzunehmen."), code="nothing_asked")
    change.record(entry=row.pk)
    change.tell(name=row.registration.person.name)


# --- Hold the seat of a player without chips who may still re-buy


def seats_to_hold(change: Change, entries: Sequence[Entry]) -> set[int]:
    """Return the entries among these, all without chips, whose seat is to be held.

    None from hand-for-hand on: then every elimination counts at once.

    :raises Refused: When a seat of these is held already.
    """
    event = change.event
    if not event.has_started:
        return set()
    rows = RebuyChance.objects.live().filter(entry__in=entries)
    chance = rows.select_related("entry__registration__person", "made_by__device").first()
    if chance is not None:
        until = time_format(timezone.localtime(chance.until), "H:i")
        words = _(
            "%(name)s ist ohne Chips; der Platz wird bis %(until)s für einen Re-buy gehalten."
        )
        words %= {"name": chance.entry.registration.person.name, "until": until}
        raise Refused(f"{words} {told_words(chance)}".strip(), code="seat_held")
    if not event.rebuy_hold_minutes or hand_for_hand_was_begun(event) or money_reached(event):
        return set()
    seated = Seating.objects.live().filter(entry__in=entries).values_list("entry_id", flat=True)
    return may_still_rebuy(event, entries, change.claimed or change.at) & set(seated)


def stacks_lose(
    change: Change,
    entries: Sequence[Entry],
    *,
    instants: Mapping[int, datetime],
    group: int | None = None,
    start_stacks: Mapping[int, int] | None = None,
) -> list[LostStack]:
    """Record the lost stacks of these entries, at these instants, without elimination."""
    seatings = Seating.objects.live().filter(entry__in=entries)
    tables = dict(seatings.values_list("entry_id", "table_id"))
    return LostStack.objects.bulk_create(
        LostStack(
            event=change.event,
            entry=entry,
            at=instants[entry.pk],
            group=group,
            start_stack=(start_stacks or {}).get(entry.pk),
            table_id=tables.get(entry.pk),
            made_by=change.action,
        )
        for entry in entries
    )


def chances_end(change: Change, entries: Sequence[Entry]) -> None:
    """End the held seats and requests of these entries, used or not."""
    RebuyChance.objects.live().filter(entry__in=entries).update(voided_by=change.action)
    PurchaseWish.objects.live().filter(entry__in=entries).update(voided_by=change.action)


@follows_change(kind_is("brings_in"))
def one_stack_a_person(change: Change) -> None:
    """Refuse a change that leaves a player two stacks, or an outdated held seat."""
    event, undone = change.event, change.action.undoes
    kind = kind_of(undone.kind) if undone else None
    # An out is undone, or a check-in put in force again.
    is_revived = undone and (undone.undoes_id is not None or (kind is not None and kind.puts_out))
    is_sold = sells_again(event)
    if not is_revived and not is_sold:
        return
    outs = Elimination.objects.live().filter(event=event)
    alive = Entry.objects.live().filter(event=event).exclude(pk__in=outs.values("entry"))
    if is_revived:
        _refuse_two_stacks(alive)
    if not is_sold:
        return
    chances = RebuyChance.objects.live().filter(event=event)
    late = chances.filter(entry__in=outs.values("entry")).select_related(
        "entry__registration__person"
    )
    if row := late.first():
        text = _("%(name)s ist danach ausgeschieden. Bitte das zuerst zurücknehmen.")
        raise Refused(text % {"name": row.entry.registration.person.name}, code="needed")
    _refuse_two_losses(event)
    again = Entry.objects.live().filter(event=event, purchases__what="reentry")
    _refuse_two_stacks(alive.filter(registration__in=again.values("registration")))


def _refuse_two_losses(event: Event) -> None:
    """Refuse a held seat for a stack if a later stack was lost too."""
    later = LostStack.objects.live().filter(
        entry=OuterRef("entry"), made_by__sequence__gt=OuterRef("lost__made_by__sequence")
    )
    chances = RebuyChance.objects.live().filter(Exists(later), event=event)
    row = chances.select_related("entry__registration__person").first()
    if row is not None:
        raise Refused(
            _("%(name)s hat seither noch einen Stapel verloren. Bitte das zuerst zurücknehmen.")
            % {"name": row.entry.registration.person.name},
            code="needed",
        )


def _refuse_two_stacks(alive: QuerySet[Entry]) -> None:
    """Refuse two entries in play of one person among these."""
    of_two = alive.values("registration").annotate(many=Count("pk")).filter(many__gt=1)
    row = of_two.order_by("registration").values_list("registration__person__name").first()
    if row is not None:
        raise Refused(
            _("%(name)s hat inzwischen einen neuen Stapel. Bitte das zuerst zurücknehmen.")
            % {"name": row[0]},
            code="needed",
        )


# --- Late taps that the director decides about


def director_asked(
    change: Change, instants: Mapping[int, datetime], wish: PurchaseWish | None = None
) -> None:
    """Ask whether what is recorded of these entries was so much earlier, as the phone claims."""
    claimed = change.claimed or change.at
    LateTap.objects.bulk_create(
        LateTap(
            event=change.event,
            entry_id=entry,
            wish=wish,
            at=at - (change.at - claimed),
            made_by=change.action,
        )
        for entry, at in instants.items()
    )
    change.record(**{CLAIMED: instant_ms(claimed)})
