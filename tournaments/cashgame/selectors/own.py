"""The cash tables of an event on a player's page and on the public page. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.cashgame.selectors.books import Bought, end_of, last_hands_of, open_tables
from tournaments.cashgame.selectors.layout import SeatShown, TableShown, tables_shown
from tournaments.cashgame.selectors.line import InLine
from tournaments.models import CashLastHands, Event, Registration

ACCEPTED = "cash_offer.accepted"
# A distant change is checked again when nearer: a page may stay open all night.
LOOK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CashEvening:
    """The cash tables of an event, for the public."""

    tables: Sequence[TableShown]
    ends_at: datetime | None
    last: CashLastHands | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A cash table for one player.

    :param has_said: Whether the player has answered to be on the way.
    :param has_alike: Whether this is the first of several tables of the same stakes.
    """

    shown: TableShown
    own: InLine | None
    is_mine: bool
    has_said: bool
    has_alike: bool


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
    kinds = [shown.row.kind_of_game for shown in evening.tables]
    tables: list[OwnTable] = []
    own_seat = at_table = None
    changes = [evening.ends_at]
    for at, shown in enumerate(evening.tables):
        own = next((one for one in shown.line if one.row.registration_id == registration.pk), None)
        until = own.until if own else None
        offers = own.row.offers.live().filter(made_by__kind=ACCEPTED) if own and until else None
        seats = [one for one in shown.seats if one.row and one.row.registration == registration]
        if seats:
            own_seat, at_table = seats[0], shown
        changes.append(until)
        tables.append(
            OwnTable(
                shown=shown,
                own=own,
                is_mine=bool(seats),
                has_said=offers is not None and offers.exists(),
                has_alike=kinds.index(kinds[at]) == at and kinds.count(kinds[at]) > 1,
            )
        )
    waits = [at - now for at in changes if at is not None and at > now]
    return OwnCash(
        evening=evening,
        tables=tables,
        seat=own_seat,
        at_table=at_table,
        bought=own_seat.bought if own_seat else None,
        again_s=int(min(LOOK_AGAIN, *waits).total_seconds()) + 1 if waits else None,
    )
