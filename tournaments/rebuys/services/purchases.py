"""Purchases: chips enter play, the price is owed and paid now or later."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.arrivals import entry_make
from tournaments.models import ChipMovement, Entry, Purchase, PurchaseWish, RebuyChance, What
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
    good_of,
    no_words,
    obstacle_to_buy,
    wishes_lapsed,
)
from tournaments.rebuys.services.rebuy_holds import chances_end, director_asked, stacks_lose
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
    row, wish = _live(change, entry, What.REBUY, asked)
    chance = chance_of(row)
    if held is not None and chance != held:
        raise _already_done()
    stack = wish.stack if wish and stack is None else stack
    told = stack if chance is None else 0
    good = _asked(change, row, What.REBUY, wish, number=number, stack=told, held=chance)
    if chance is None and stack == 0:
        at = decided_at(change.event, wish, change.at)
        stacks_lose(change, [row], instants={row.pk: at})
    chances_end(change, [row])
    cents = _sell(change, row, good, number)
    _bring(change, row, ChipMovement.Reason.REBUY, good.chips * number)
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
    """Sell an add-on; return the entry and the price in cents."""
    row, wish = _live(change, entry, What.ADDON, asked)
    good = _asked(change, row, What.ADDON, wish)
    PurchaseWish.objects.live().filter(entry=row).update(voided_by=change.action)
    cents = _sell(change, row, good)
    _bring(change, row, ChipMovement.Reason.ADDON, good.chips)
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
    good = _asked(change, row, What.REENTRY, wish)
    if capacity_of(change.event).free < 1 and not allows(change.by, Permission.MANAGE):
        raise Refused(
            _("Alle Plätze sind vergeben. Eine Ausnahme macht die Turnierleitung."), code="full"
        )
    PurchaseWish.objects.live().filter(entry__registration=row.registration_id).update(
        voided_by=change.action
    )
    made = entry_make(change, row.registration)
    cents = _sell(change, made, good)
    change.tell(name=row.registration.person.name)
    seat_by_draw(change, made)
    _pay(change, made, cents, means if pays else None)


def _live(
    change: Change, entry: Entry, what: What, asked: PurchaseWish | None
) -> tuple[Entry, PurchaseWish | None]:
    """Return the entry and its request.

    :raises Refused: When another device has handled the request, or the seller has no drawer.
    """
    refuse_who_takes_no_money(change)
    row = entry_live(change, entry)
    wishes = PurchaseWish.objects.live().filter(entry__registration=row.registration_id, what=what)
    wish = wishes.select_related("made_by").order_by("pk").last()
    if asked is not None and (wish is None or wish.pk != asked.pk):
        raise _already_done()
    return row, wish


def _already_done() -> Refused:
    return Refused(_("Das ist schon bestätigt, oder es wurde zurückgenommen."), code="already_done")


def entry_live(change: Change, entry: Entry) -> Entry:
    """Return an entry of this event, with its person.

    :raises Refused: When it no longer exists.
    """
    rows = Entry.objects.live().filter(event=change.event, registration__voided_by=None)
    row = (
        rows.select_related("registration__person", "event__head", "event__clock")
        .filter(pk=entry.pk)
        .first()
    )
    if row is None:
        raise Refused(_("Dieser Teilnehmer gehört nicht zu diesem Turnier."), code="gone")
    row.event = row.registration.event = change.event
    return row


def _asked(
    change: Change,
    entry: Entry,
    what: What,
    wish: PurchaseWish | None,
    *,
    number: int = 1,
    stack: int | None = None,
    held: RebuyChance | None = None,
) -> Good:
    """Return the good to sell. A request made in time counts as in time until it lapses.

    :raises Refused: It is not possible; a director may allow a late or extra one.
    """
    at = decided_at(change.event, wish, change.at, held)
    good = good_of(change.event, what)
    refuse_to_buy(entry, good, at, number=number, stack=stack, knowingly=change.knowingly)
    return good


def refuse_to_buy(
    entry: Entry,
    good: Good,
    at: datetime,
    *,
    number: int = 1,
    stack: int | None = None,
    knowingly: bool = False,
) -> None:
    """Refuse a purchase that is not allowed at an instant.

    :raises Refused: With the reason.
    """
    no = obstacle_to_buy(entry, good, at, number=number, stack=stack, lets_pass=knowingly)
    if no is not None:
        raise Refused(no_words(no, good), code=no.value)


def _sell(change: Change, entry: Entry, good: Good, number: int = 1) -> int:
    """Write the sale; return its price in cents."""
    cents = good.cents * number
    Purchase.objects.create(
        event=change.event,
        registration=entry.registration,
        entry=entry,
        what=good.what,
        number=number,
        cents=cents,
        parts=[[str(to), int(part) * number, str(name)] for to, part, name in good.parts],
        bought_at=change.at,
        made_by=change.action,
    )
    change.record(entry=entry.pk, number=number, cents=cents)
    change.tell(name=entry.registration.person.name)
    return cents


def _bring(change: Change, entry: Entry, reason: str, chips: int) -> None:
    ChipMovement.objects.create(
        event=change.event, entry=entry, reason=reason, amount=chips, made_by=change.action
    )
    change.record(chips=chips)


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
    row, wanted = _own(change, entry), What(what)
    rows = PurchaseWish.objects.live().filter(entry__registration=row.registration_id)
    if rows.exists():
        raise Refused(_("Das ist schon gesagt: Es wird gleich bestätigt."), code="already_asked")
    held = chance_of(row) if wanted == What.REBUY else None
    at = decided_at(change.event, None, change.claimed or change.at, held)
    refuse_to_buy(row, good_of(change.event, wanted), at, number=number, stack=stack)
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
    row = _own(change, entry)
    rows = PurchaseWish.objects.live().filter(entry__registration=row.registration_id)
    if not rows.update(voided_by=change.action):
        raise Refused(_("Da ist nichts zurückzunehmen."), code="nothing_asked")
    change.record(entry=row.pk)
    change.tell(name=row.registration.person.name)


PURCHASES_LAPSED = Kind(
    "purchases.lapsed", lazy("Nicht rechtzeitig bestätigt: %(name)s"), Group.FEES
)


@service(PURCHASES_LAPSED, Permission.ASK_PURCHASE, Topic.REGISTRATIONS, Topic.ENTRIES)
def wishes_lapse(change: Change) -> None:
    """End the requests that were not confirmed in time."""
    rows = wishes_lapsed(change.event, change.at)
    if not rows:
        raise Refused(_("Hier wartet nichts auf Bestätigung."), code="nothing_asked")
    ended = PurchaseWish.objects.filter(pk__in=[row.pk for row in rows])
    ended.update(voided_by=change.action)
    change.record(entries=[row.entry_id for row in rows])
    change.tell(name=", ".join(row.entry.registration.person.name for row in rows))


def _own(change: Change, entry: Entry) -> Entry:
    """Return the entry; players can only ask for their own."""
    row = entry_live(change, entry)
    if change.by.role == Role.PLAYER and change.by.registration_id != row.registration_id:
        raise Refused(_("Dieser Teilnehmer gehört nicht zu diesem Turnier."), code="gone")
    return row
