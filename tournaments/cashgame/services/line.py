"""The waiting list of a cash table: join, leave, offer a seat with a deadline."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.stakes import Waiter, next_to_ask
from tournaments.cashgame.selectors.layout import noted_stakes
from tournaments.cashgame.selectors.line import (
    next_in_lines,
    offers_lapsed,
    seats_in_tournament,
    seats_unclaimed,
    tables_alike,
    with_an_offer,
)
from tournaments.cashgame.services.parts import (
    drop_waits,
    live_cash_table,
    live_guest,
    say_who,
    seat_held,
)
from tournaments.changes.access import Permission
from tournaments.changes.audit import (
    Change,
    all_of,
    any_of,
    event_has,
    follows_change,
    kind_is,
    service,
    takes_back,
)
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, kind_of
from tournaments.models import Action, CashOffer, CashTable, CashWaiting, Registration

CASH_WAIT_ASKED = Kind(
    "cash_wait.asked",
    lazy("Warteliste von Cash-Tisch %(table)s: %(name)s"),
    Group.PEOPLE,
    outcomes={"stakes": lazy("Warteliste für %(stakes)s: %(name)s")},
    words=lambda payload: {"stakes": noted_stakes(payload)},
    frees_cash_seats=True,
)


@service(CASH_WAIT_ASKED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_wait(
    change: Change, *, registration: Registration, table: CashTable, any_table: bool = False
) -> None:
    """Put a player on a table's waiting list; a player at another table may ask to change.

    :param any_table: Whether any table of the same stakes will do, even one opened later.
    """
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    own_seat = seat_held(guest)
    if own_seat is not None and own_seat.table_id == row.pk:
        raise Refused(_("An diesem Tisch wird schon gespielt."), code="seated")
    rows = CashWaiting.objects.live().filter(registration=guest)
    waits = {*rows.values_list("table", flat=True), *([own_seat.table_id] if own_seat else [])}
    tables = [one for one in (tables_alike(row) if any_table else [row]) if one.pk not in waits]
    if not tables:
        raise Refused(_("Steht schon auf der Liste."), code="already_waiting")
    CashWaiting.objects.bulk_create(
        CashWaiting(
            event=change.event,
            registration=guest,
            table=one,
            asked_at=change.at,
            is_for_stakes=any_table,
            made_by=change.action,
        )
        for one in tables
    )
    say_who(change, guest, row, **(_stakes_of(row) if any_table else {}))


def _stakes_of(table: CashTable) -> dict[str, Any]:
    cents = {"small_cents": table.small_blind_cents, "big_cents": table.big_blind_cents}
    return {"outcome": "stakes", **cents}


CASH_WAIT_DROPPED = Kind(
    "cash_wait.dropped",
    lazy("Nicht mehr auf der Warteliste von Cash-Tisch %(table)s: %(name)s"),
    Group.PEOPLE,
    outcomes={"stakes": lazy("Nicht mehr auf der Warteliste für %(stakes)s: %(name)s")},
    words=lambda payload: {"stakes": noted_stakes(payload)},
    frees_cash_seats=True,
)


@service(CASH_WAIT_DROPPED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_unwait(change: Change, *, registration: Registration, table: CashTable) -> None:
    """Take a player off a table's waiting list, and void the offer from it.

    A wait for any table of the stakes ends at all of them.
    """
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    own = CashWaiting.objects.live().filter(registration=guest, table=row).first()
    if own is None:
        raise Refused(_("Steht nicht auf der Liste."), code="not_waiting")
    drop_waits(change, guest, row, of_stakes=own.is_for_stakes)
    say_who(change, guest, row, **(_stakes_of(row) if own.is_for_stakes else {}))


CASH_SEAT_OFFERED = Kind(
    "cash_seat.offered",
    lazy("Cash-Tisch %(table)s: Platz angeboten an %(name)s, %(minutes)s Minuten"),
    Group.PEOPLE,
)


@service(CASH_SEAT_OFFERED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_offer(change: Change, *, table: CashTable) -> None:
    """Offer a free seat to the next in line and keep it until the deadline."""
    row = live_cash_table(change, table)
    rows = CashWaiting.objects.live().filter(table=row, registration__voided_by=None)
    elsewhere = with_an_offer(change.event, change.at, besides=row)
    rows = rows.exclude(is_for_stakes=True, registration__in=elsewhere)
    playing = seats_in_tournament(change.event, rows.values_list("registration", flat=True))
    waiting = {one.pk: one for one in rows if one.registration_id not in playing}
    offers = CashOffer.objects.live().filter(waiting__in=list(waiting))
    until = dict(offers.values_list("waiting", "until"))
    line = [Waiter(pk, w.asked_at, until.get(pk)) for pk, w in waiting.items()]
    found = next_to_ask(seats_unclaimed([row], change.at)[row.pk], line, change.at)
    if not found:
        raise Refused(
            _("An Tisch %(table)s wartet niemand, oder kein Platz ist frei.")
            % {"table": row.number},
            code="nobody_next",
        )
    chosen = waiting[found[0].key]
    _offer(change, live_guest(change, chosen.registration), row, chosen)


def _offer(change: Change, guest: Registration, table: CashTable, waiting: CashWaiting) -> None:
    CashOffer.objects.live().filter(waiting=waiting).update(voided_by=change.action)
    CashOffer.objects.create(
        waiting=waiting,
        until=change.at + timedelta(minutes=table.offer_minutes),
        made_by=change.action,
    )
    say_who(change, guest, table, minutes=table.offer_minutes)


# --- A player accepts the offer of a seat at a cash table


CASH_OFFER_ACCEPTED = Kind(
    "cash_offer.accepted",
    lazy("Cash-Tisch %(table)s: %(name)s kommt, der Platz wird %(minutes)s Minuten gehalten"),
    Group.PEOPLE,
)


@service(CASH_OFFER_ACCEPTED, Permission.ASK_PURCHASE, Topic.TABLES, after_the_end=True)
def cash_offer_accept(change: Change, *, registration: Registration, table: CashTable) -> None:
    """Extend the offer once by the same time: the player is on the way."""
    guest, row = live_guest(change, registration), live_cash_table(change, table)
    offers = CashOffer.objects.live().filter(waiting__registration=guest, waiting__table=row)
    offer = offers.filter(waiting__voided_by=None).select_related("made_by", "waiting").first()
    if offer is None or offer.until <= change.at:
        raise Refused(_("Dieses Angebot gilt nicht mehr."), code="no_offer")
    if offer.made_by.kind == CASH_OFFER_ACCEPTED.name:
        raise Refused(_("Das ist schon eingetragen."), code="already_accepted")
    _offer(change, guest, row, offer.waiting)


# --- Automatic offers: a freed seat, or one from an expired offer, goes to the next


_FREES = any_of(takes_back, kind_is("frees_cash_seats"), kind_is("frees_places"))


@follows_change(all_of(_FREES, event_has("has_cash_game")))
def offer_freed_cash_seats(change: Change) -> None:
    """Offer free seats after every kind of change that may free one, and after its undo."""
    action: Action = change.action
    while action.undoes is not None:
        action = action.undoes
    kind = kind_of(action.kind)
    if kind is not None and (kind.frees_cash_seats or kind.frees_places):
        offer_to_next(change)


def offer_to_next(change: Change) -> None:
    """Offer every free seat to the next in line not asked before.

    The deadline runs from the time of writing: a late worker does not shorten it.
    """
    now = change.action.recorded_at
    rows = next_in_lines(change.event, now)
    if not rows:
        return
    minutes = {row.table_id: row.table.offer_minutes for row in rows}
    CashOffer.objects.bulk_create(
        CashOffer(
            waiting=row,
            until=now + timedelta(minutes=minutes[row.table_id]),
            made_by=change.action,
        )
        for row in rows
    )
    change.record(cash_offered=[row.registration_id for row in rows])
    change.announce(Topic.TABLES)


CASH_OFFERS_LAPSED = Kind(
    "cash_offers.lapsed",
    lazy("Cash Game: Frist abgelaufen, der Platz geht an %(name)s"),
    Group.PEOPLE,
)


@service(CASH_OFFERS_LAPSED, Permission.MANAGE, Topic.TABLES)
def cash_offers_lapse(change: Change) -> None:
    """Offer the seats of expired offers to the next; the asked player moves back in line."""
    now = change.action.recorded_at
    rows = next_in_lines(change.event, now) if offers_lapsed(change.event, now) else []
    if not rows:
        raise Refused(_("Keine Frist ist abgelaufen."), code="none_expired")
    offer_to_next(change)
    change.record(registrations=[row.registration_id for row in rows])
    change.tell(name=", ".join(row.registration.person.name for row in rows))
