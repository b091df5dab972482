"""Drawers: open with a float, add or remove cash, hand over, count, close; receipts by mail."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.data.sql import wait_for_turn
from tournaments.changes.access import Permission, allows, roles_of
from tournaments.changes.audit import Change, club_service, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.labels import money
from tournaments.models import (
    Drawer,
    DrawerClosing,
    DrawerHolding,
    Event,
    Posting,
    Receipt,
    Registration,
    StaffDevice,
)
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.selectors.drawers import (
    PASSED_ON,
    cash_without_drawer,
    drawer_balance,
    drawer_of_device,
    drawers_closed,
    drawers_open,
    drawers_within_reach,
)
from tournaments.money.selectors.journal import cash_chips_out
from tournaments.money.services.fees import (
    MOST_CENTS,
    TURN,
    receipt_write,
    refuse_above_the_limit,
    refuse_more_than_there_is,
)
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

# --- The means of payment a club accepts, with their names


LONGEST_MEANS = 30


CLUB_MEANS_SET = Kind("club.means_set", lazy("Zahlungsarten geändert"), Group.CLUB)


@club_service(CLUB_MEANS_SET, Permission.MANAGE)
def club_means_set(change: Change, *, names: Mapping[str, str]) -> None:
    """Set the means accepted beside cash, by name; one without a name is not accepted."""
    found = {}
    for key, name in names.items():
        means, said = Means(key), name.strip()
        if means == Means.CASH or not said:
            continue
        if len(said) > LONGEST_MEANS:
            raise Refused(_("Eine Zahlungsart hat höchstens 30 Zeichen."), code="long_means")
        found[means.value] = said
    said_names = [name.casefold() for name in found.values()]
    if len(set(said_names)) < len(said_names):
        raise Refused(_("Zwei Zahlungsarten heißen gleich."), code="means_twice")
    change.set(payment_means=found)
    change.record(means=sorted(found))


LONGEST_REASON = 200


DRAWER_OPENED = Kind("drawer.opened", lazy("Kasse %(number)s geöffnet: %(name)s"), Group.FEES)


@service(DRAWER_OPENED, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def drawer_open(
    change: Change,
    *,
    float_cents: int,
    device: StaffDevice | None = None,
    is_further: bool = False,
) -> None:
    """Open a drawer with its float, for this device or another.

    :param is_further: Whether it is really one beside the drawer open at another event.
    """
    event = change.event
    wait_for_turn(TURN, event.club_id)
    holder = _taker(change, device or change.by.device)
    if not 0 <= float_cents <= MOST_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    there = drawers_open(event)
    if not is_further:
        _refuse_second(event, there)
    used = Drawer.objects.filter(Q(event=event) | Q(postings__event=event))
    numbers = [*used.values_list("number", flat=True), *(row.number for row in there)]
    drawer = Drawer.objects.create(
        event=event,
        club=None if event.is_sample else event.club,
        number=(number := max(numbers, default=0) + 1),
        made_by=change.action,
    )
    _hold(change, drawer, holder)
    if float_cents:
        _book(change, drawer, float_cents, account=Account.FLOAT)
    change.record(drawer=drawer.pk, number=number, holder=holder.pk, amount_cents=float_cents)
    change.tell(name=holder.name)


def _refuse_second(event: Event, there: list[Drawer]) -> None:
    """Refuse a first drawer of this event while the club has one open at another."""
    row = next((row for row in there if row.event_id != event.pk), None)
    if row is None or any(one.event_id == event.pk for one in there):
        return
    raise Refused(
        _("Kasse %(number)s ist offen, geöffnet bei „%(event)s“. Sie gilt auch hier.")
        % {"number": row.number, "event": row.event.name},
        code="club_drawer_open",
    )


DRAWER_MOVED = Kind(
    "drawer.moved",
    lazy("Kasse %(number)s: %(amount)s, %(reason)s"),
    Group.FEES,
    words=lambda payload: {"amount": money(payload.get("amount_cents", 0))},
)


@service(DRAWER_MOVED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def drawer_move(change: Change, *, drawer: Drawer, amount_cents: int, reason: str) -> None:
    """Add cash to a drawer, or remove it (below zero), with a reason: it is no payment."""
    row = _own(change, drawer)
    stated_reason = reason.strip()[:LONGEST_REASON]
    if not stated_reason:
        raise Refused(_("Bitte dazusagen, wofür."), code="no_reason")
    if not 0 < abs(amount_cents) <= MOST_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    if amount_cents < 0:
        refuse_above_the_limit(change, -amount_cents)
        refuse_more_than_there_is(row, -amount_cents)
    _book(change, row, amount_cents, account=Account.OTHER)
    change.record(drawer=row.pk, number=row.number, amount_cents=amount_cents)
    change.tell(reason=stated_reason)


DRAWER_FILLED = Kind(
    "drawer.filled",
    lazy("Kasse %(number)s: %(amount)s übernommen, die ohne Kasse eingenommen wurden"),
    Group.FEES,
    words=lambda payload: {"amount": money(payload.get("amount_cents", 0))},
    outcomes={"given": lazy("Kasse %(number)s: %(amount)s, die ohne Kasse ausgezahlt wurden")},
)


@service(DRAWER_FILLED, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def drawer_fill(change: Change, *, drawer: Drawer, amount_cents: int) -> None:
    """Move cash taken without a drawer into an open one.

    :param amount_cents: The amount shown on the page, below zero if more was paid out.
    """
    row = _own(change, drawer)
    there = cash_without_drawer(change.event)
    if not there:
        raise Refused(_("Ohne Kasse ist kein Bargeld übrig."), code="nothing_there")
    if amount_cents != there:
        raise Refused(
            _("Inzwischen wurde gebucht: Ohne Kasse sind es %(there)s.") % {"there": money(there)},
            code="stale",
        )
    if there < 0:
        refuse_more_than_there_is(row, -there)
        change.record(outcome="given")
    _book(change, row, there, **IN_CASH)
    change.record(drawer=row.pk, number=row.number, amount_cents=there)


DRAWER_TRANSFERRED = Kind(
    PASSED_ON,
    lazy("Kasse %(number)s: %(amount)s an Kasse %(to)s gegeben"),
    Group.FEES,
    words=lambda payload: {"amount": money(payload.get("amount_cents", 0))},
    outcomes={"out": lazy("Kasse %(number)s: %(amount)s herausgelegt, zu dem ohne Kasse")},
)


@service(DRAWER_TRANSFERRED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def drawer_transfer(
    change: Change, *, drawer: Drawer, to: Drawer | None, amount_cents: int
) -> None:
    """Move cash from one drawer to another open one, or (None) to the cash without a drawer."""
    wait_for_turn(TURN, change.event.club_id)
    source, target = _own(change, drawer), _open_drawer(change, to) if to else None
    if target is None and not allows(change.by, Permission.CHECK_IN):
        raise Refused(_("Das macht die Anmeldung oder die Turnierleitung."), code="not_allowed")
    if not 0 < amount_cents <= MOST_CENTS or target == source:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    refuse_more_than_there_is(source, amount_cents)
    _book(change, target, amount_cents, **IN_CASH, drawer=source)
    change.record(drawer=source.pk, number=source.number, amount_cents=amount_cents)
    if target is None:
        change.record(outcome="out")
    else:
        change.record(to=target.number)
    receipt_write(change, None, cents=amount_cents, means=Means.CASH, drawer=target)


DRAWER_HANDED = Kind("drawer.handed", lazy("Kasse %(number)s übergeben an %(name)s"), Group.FEES)


@service(DRAWER_HANDED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def drawer_hand(change: Change, *, drawer: Drawer, device: StaffDevice) -> None:
    """Hand a drawer over to another device; only the director can give it to an arbiter."""
    wait_for_turn(TURN, change.event.club_id)
    row = _own(change, drawer)
    holder = _taker(change, device)
    DrawerHolding.objects.live().filter(drawer=row).update(voided_by=change.action)
    _hold(change, row, holder)
    change.record(drawer=row.pk, number=row.number, holder=holder.pk)
    change.tell(name=holder.name)


DRAWER_CLOSED = Kind(
    "drawer.closed",
    lazy("Kasse %(number)s abgeschlossen: %(counted)s gezählt, Differenz %(difference)s"),
    Group.FEES,
    is_entered_anew=True,
    words=lambda payload: {
        "counted": money(payload.get("counted_cents", 0)),
        "difference": money(payload.get("difference_cents", 0)),
    },
)


@service(DRAWER_CLOSED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def drawer_close(
    change: Change, *, drawer: Drawer, counted_cents: int, expected_cents: int | None = None
) -> None:
    """Close a drawer with its counted cash; book the difference.

    :param expected_cents: The expected cash as shown; refused if it has changed.
    """
    row = _own(change, drawer)
    if not 0 <= counted_cents <= MOST_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    for used in [change.event, *({row.event} - {change.event})]:
        _refuse_while_chips_are_out(used, row)
    there = drawer_balance(row)
    if expected_cents is not None and expected_cents != there:
        raise Refused(
            _("Inzwischen wurde in dieser Kasse gebucht. Bitte noch einmal zählen."),
            code="counted_before",
        )
    if counted_cents != there:
        _book(change, row, counted_cents - there, account=Account.DIFFERENCE)
    DrawerHolding.objects.live().filter(drawer=row).update(voided_by=change.action)
    DrawerClosing.objects.create(drawer=row, counted_cents=counted_cents, made_by=change.action)
    change.record(
        drawer=row.pk,
        number=row.number,
        counted_cents=counted_cents,
        difference_cents=counted_cents - there,
    )


def _refuse_while_chips_are_out(event: Event, drawer: Drawer) -> None:
    chips = cash_chips_out(event)
    if chips > 0 and drawers_open(event) == [drawer]:
        raise Refused(
            _("An Cash-Tischen liegen noch %(chips)s, die auszuzahlen sind.")
            % {"chips": money(chips)},
            code="chips_out",
        )


def _taker(change: Change, device: StaffDevice | None) -> StaffDevice:
    """Return the device to get a drawer, if permitted and without one."""
    if device is None:
        raise Refused(_("Für eine Kasse braucht es ein angemeldetes Gerät."), code="no_device")
    roles = roles_of(device, change.event)
    if not any(Permission.TAKE_MONEY in role.may for role in roles):
        raise Refused(
            _("„%(device)s“ ist bei diesem Turnier nicht angemeldet.") % {"device": device.name},
            code="not_staff",
        )
    needs_leave = not any(Permission.CHECK_IN in role.may for role in roles)
    if needs_leave and not allows(change.by, Permission.MANAGE):
        raise Refused(
            _("Einem Schiedsrichter gibt nur die Turnierleitung eine Kasse."), code="not_allowed"
        )
    drawer = drawer_of_device(change.event, device)
    if drawer is not None:
        raise Refused(
            _("„%(device)s“ hat schon Kasse %(number)s.")
            % {"device": device.name, "number": drawer.number},
            code="has_drawer",
        )
    return device


def _hold(change: Change, drawer: Drawer, device: StaffDevice) -> None:
    DrawerHolding.objects.create(
        event=drawer.event, drawer=drawer, device=device, made_by=change.action
    )


def _open_drawer(change: Change, drawer: Drawer) -> Drawer:
    rows = drawers_within_reach(change.event).select_for_update(of=("self",), no_key=True)
    row = rows.select_related("event").filter(pk=drawer.pk).first()
    if row is None:
        raise Refused(_("Diese Kasse gibt es nicht mehr."), code="gone")
    if drawers_closed([row.pk]):
        raise Refused(
            _("Kasse %(number)s ist abgeschlossen.") % {"number": row.number}, code="closed"
        )
    return row


def _own(change: Change, drawer: Drawer) -> Drawer:
    """Return the open drawer if this device holds it, or is the director's.

    :raises Refused: It is gone or closed, or another device holds it.
    """
    row, device = _open_drawer(change, drawer), change.by.device
    held = DrawerHolding.objects.live().filter(drawer=row, device=device)
    if not allows(change.by, Permission.MANAGE) and (device is None or not held.exists()):
        raise Refused(
            _("Kasse %(number)s hat ein anderes Gerät.") % {"number": row.number},
            code="not_yours",
        )
    return row


IN_CASH: dict[str, Any] = {"account": Account.CASH, "means": Means.CASH}


def _book(change: Change, to: Drawer | None, cents: int, **other_side: Any) -> None:
    """Book cash into a drawer (or out, below zero) that is no payment; None for the unnamed one."""
    own = {"event": change.event, "made_by": change.action}
    Posting.objects.bulk_create(
        [
            Posting(**own, **IN_CASH, drawer=to, amount_cents=cents),
            Posting(**own, **other_side, amount_cents=-cents),
        ]
    )


# --- Receipts by mail: all of a player's receipts, worded at the time of sending


RECEIPT_MAILED = Kind(
    "receipt.mailed",
    lazy("Beleg per Mail geschickt: %(name)s"),
    Group.FEES,
    irrevocable=lazy("Eine Mail lässt sich nicht zurückholen."),
)


@service(RECEIPT_MAILED, Permission.TAKE_MONEY, after_the_end=True)
def receipt_mail(change: Change, *, registration: Registration) -> None:
    """Mail a player the receipts of this event."""
    rows = Registration.objects.select_related("person").filter(event=change.event)
    row = rows.filter(pk=registration.pk).first()
    if row is None or not Receipt.objects.filter(registration=row).exists():
        raise Refused(_("Hier gibt es keinen Beleg."), code="gone")
    if not row.email:
        raise Refused(_("Hier ist keine Mailadresse bekannt."), code="no_address")
    mail_write(change, MailKind.RECEIPT, [row])
    change.record(registration=row.pk)
    change.tell(name=row.person.name)
