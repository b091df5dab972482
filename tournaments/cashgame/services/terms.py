"""Valid terms of a cash table: game, blinds, bounds, fee, times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Required, TypedDict

from django.utils.translation import gettext as _

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.domain.stakes import MOST_CENTS, Way, buying_range
from tournaments.cashgame.domain.waiting import MOST_AWAY_MINUTES
from tournaments.cashgame.services.parts import refuse_parts_of_a_point
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.betting import FEWEST_SEATS, MOST_SEATS
from tournaments.event.selectors.labels import GAMES, LIMITS
from tournaments.models import CashTable

MOST_MINUTES = 24 * 60


class TableTerms(TypedDict, total=False):
    """The terms of a new cash table. Missing ones use the column's default.

    Amounts are cents. `minimum` and `maximum` are cents or big blinds, by their `Way`.
    """

    game: Required[str]
    limit: Required[str]
    seats: Required[int]
    small_blind_cents: Required[int]
    big_blind_cents: Required[int]
    minimum: Required[int]
    minimum_way: str
    maximum: int
    maximum_way: str
    fee_way: str
    fee_cents: int
    fee_minutes: int
    fee_percent: int
    fee_most_cents: int
    return_minutes: int
    offer_minutes: int
    meal_minutes: int


# Columns without a default of their own.
UNLESS_NAMED: Mapping[str, str] = {
    "minimum_way": Way.BIG_BLINDS.value,
    "maximum_way": Way.BIG_BLINDS.value,
    "fee_way": FeeWay.NONE.value,
}


def refuse_odd_table(row: CashTable) -> None:
    """Refuse terms that make no playable table.

    :raises Refused: With the error.
    """
    if row.game not in GAMES or row.limit not in LIMITS:
        raise Refused(_("Dieses Spiel gibt es hier nicht."), code="bad_game")
    if not FEWEST_SEATS <= row.seats <= MOST_SEATS:
        raise Refused(
            _("Ein Tisch hat %(least)d bis %(most)d Plätze.")
            % {"least": FEWEST_SEATS, "most": MOST_SEATS},
            code="bad_seats",
        )
    if not 0 < row.small_blind_cents <= row.big_blind_cents <= MOST_CENTS:
        raise Refused(
            _("Die Blinds müssen größer als null sein, der große nicht kleiner als der kleine."),
            code="bad_blinds",
        )
    if row.minimum_way == Way.LARGEST_STACK or not {row.minimum_way, row.maximum_way} <= set(Way):
        raise Refused(_("Das Minimum braucht einen Betrag."), code="bad_minimum")
    _refuse_odd_range(row)
    _refuse_odd_fee(row)
    _refuse_odd_feeder(row)
    fits = (
        0 <= row.return_minutes <= MOST_MINUTES
        and 1 <= row.offer_minutes <= MOST_MINUTES
        and 1 <= row.meal_minutes <= MOST_AWAY_MINUTES
    )
    if not fits:
        raise Refused(_("So lange kann die Frist nicht sein."), code="bad_minutes")


def _refuse_odd_range(row: CashTable) -> None:
    refuse_parts_of_a_point(row, row.small_blind_cents, row.big_blind_cents, row.fee_cents)
    least = buying_range(row.stakes).least
    most = row.stakes.maximum.cents(row.big_blind_cents)
    if not row.big_blind_cents <= least <= MOST_CENTS:
        raise Refused(_("Das Minimum ist mindestens ein Big Blind."), code="bad_minimum")
    if most is not None and not least <= most <= MOST_CENTS:
        raise Refused(_("Das Maximum ist nicht kleiner als das Minimum."), code="bad_maximum")


def _refuse_odd_fee(row: CashTable) -> None:
    wrong = {
        FeeWay.TIME: not 0 < row.fee_cents <= MOST_CENTS
        or not 1 <= row.fee_minutes <= MOST_MINUTES,
        FeeWay.HAND: not 0 < row.fee_cents <= MOST_CENTS,
        FeeWay.POT: not 0 < row.fee_percent <= 100 or not 0 <= row.fee_most_cents <= MOST_CENTS,
    }
    if row.fee_way not in set(FeeWay) or wrong.get(FeeWay(row.fee_way), False):
        raise Refused(_("Diese Hausgebühr kann nicht stimmen."), code="bad_fee")


def _refuse_odd_feeder(row: CashTable) -> None:
    main = row.feeds
    if main is None:
        return
    if main.feeds_id is not None:
        raise Refused(
            _("Tisch %(table)s ist selbst ein Zubringertisch.") % {"table": main.number},
            code="feeds_a_feeder",
        )
    if main.is_noted != row.is_noted or main.big_blind_cents != row.big_blind_cents:
        raise Refused(
            _("An Tisch %(table)s gelten andere Blinds oder wird anders bezahlt.")
            % {"table": main.number},
            code="other_stakes",
        )
