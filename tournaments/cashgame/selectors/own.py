"""The cash tables of an event on a player's page and on the public page. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.cashgame.domain.ledger import LastHands
from tournaments.cashgame.selectors.books import Bought, end_of, last_hands_of, open_tables
from tournaments.cashgame.selectors.layout import SeatShown, TableShown, tables_shown
from tournaments.cashgame.selectors.line import InLine
from tournaments.models import Action, Event, Registration

ACCEPTED = "cash_offer.accepted"
# A distant change is checked again when nearer: a page may stay open all night.
LOOK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CashEvening:
    """The cash tables of an event, for the public.

    :param last: The last hands, if announced.
    """

    tables: Sequence[TableShown]
    ends_at: datetime | None
    last: LastHands | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A cash table for one player.

    :param own: The player's position on its waiting list, or None.
    :param has_said: Whether the player has answered to be on the way.
    :param has_alike: Whether this is the first of several tables of the same stakes.
    """

    shown: TableShown
    own: InLine | None
    is_mine: bool
    has_said: bool = False
    has_alike: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCash:
    """The cash game for one player.

    :param again_s: Seconds until the page changes without an event.
    """

    evening: CashEvening
    tables: Sequence[OwnTable]
    seat: SeatShown | None
    at_table: TableShown | None
    bought: Bought | None
    again_s: int | None

    @property
    def offers(self) -> list[OwnTable]:
        """Return the tables with a seat offered to the player."""
        return [one for one in self.tables if one.own is not None and one.own.until is not None]


def cash_evening(event: Event, now: datetime) -> CashEvening:
    """Return the cash tables of an event, in a fixed number of queries."""
    return CashEvening(
        tables=tables_shown(event, open_tables(event), now),
        ends_at=end_of(event),
        last=last_hands_of(event),
    )


def own_cash(registration: Registration, now: datetime) -> OwnCash | None:
    """Return the cash game for a player; None without one."""
    event = registration.event
    if not event.has_cash_game or registration.voided_by_id is not None:
        return None
    evening = cash_evening(event, now)
    firsts = _firsts_alike(evening.tables)
    tables = [_own_table(shown, registration, firsts) for shown in evening.tables]
    mine = next((one.shown for one in tables if one.is_mine), None)
    seat = next((seat for seat in mine.seats if _is_of(seat, registration)), None) if mine else None
    instants = [one.own.until for one in tables if one.own and one.own.until]
    return OwnCash(
        evening=evening,
        tables=tables,
        seat=seat,
        at_table=mine,
        bought=seat.bought if seat else None,
        again_s=_again_s([*instants, *([evening.ends_at] if evening.ends_at else [])], now),
    )


def _firsts_alike(tables: Sequence[TableShown]) -> set[int]:
    """Return the first table of all stakes played at several tables."""
    kinds = [shown.row.kind_of_game for shown in tables]
    return {
        shown.row.pk
        for at, shown in enumerate(tables)
        if kinds.index(kinds[at]) == at and kinds.count(kinds[at]) > 1
    }


def _own_table(shown: TableShown, registration: Registration, firsts: set[int]) -> OwnTable:
    own = next((one for one in shown.line if one.row.registration_id == registration.pk), None)
    has_said = False
    if own is not None and own.until is not None:
        offers = own.row.offers.live().values("made_by")
        has_said = Action.objects.filter(kind=ACCEPTED, pk__in=offers).exists()
    return OwnTable(
        shown=shown,
        own=own,
        is_mine=any(_is_of(seat, registration) for seat in shown.seats),
        has_said=has_said,
        has_alike=shown.row.pk in firsts,
    )


def _is_of(seat: SeatShown, registration: Registration) -> bool:
    return seat.row is not None and seat.row.registration_id == registration.pk


def _again_s(instants: Sequence[datetime], now: datetime) -> int | None:
    waits = [at - now for at in instants if at > now]
    return int(min(LOOK_AGAIN, *waits).total_seconds()) + 1 if waits else None
