"""Hands at cash tables: begin and end; the house fee of each."""

from __future__ import annotations

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.ending import Stage, may_begin
from tournaments.cashgame.domain.house_fee import FeeWay, hand_fee_cents
from tournaments.cashgame.domain.ledger import Step
from tournaments.cashgame.selectors.books import chips_on_table, hands_running
from tournaments.cashgame.selectors.ending import last_hands_of, stages_of
from tournaments.cashgame.selectors.labels import amount_at
from tournaments.cashgame.services.parts import book_step, live_cash_table, numbers_of, refuse_hand
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.labels import amount_words
from tournaments.models import CashHand, CashHandEnd, CashTable
from tournaments.post.services.announcements import announce

CASH_HAND_BEGUN = Kind(
    "cash_hand.begun",
    lazy("Cash-Tisch %(table)s: Hand %(number)s"),
    Group.HANDS,
    is_quiet=True,
)


@service(CASH_HAND_BEGUN, Permission.RUN_HANDS, Topic.TABLES, after_the_end=True)
def cash_hand_begin(change: Change, *, table: CashTable) -> None:
    """Begin a hand; refused after the end or after the announced last hands."""
    row = live_cash_table(change, table)
    refuse_hand(row)
    if not may_begin(
        stages_of(change.event, [row], change.at)[row.pk].stage, is_hand_running=False
    ):
        raise Refused(_("Das Cash Game ist zu Ende. Es beginnt keine Hand mehr."), code="over")
    last = CashHand.objects.live().filter(table=row).aggregate(last=Max("number"))["last"] or 0
    CashHand.objects.create(table=row, number=last + 1, began_at=change.at, made_by=change.action)
    change.record(**numbers_of(row), number=last + 1)
    _say_last_hand(change, row)


def _say_last_hand(change: Change, table: CashTable) -> None:
    """Announce a table's last hand, if more than one was announced (S19)."""
    told = last_hands_of(change.event)
    if told is None or told.hands == 1:
        return
    if stages_of(change.event, [table], change.at)[table.pk].stage is Stage.LAST_HAND:
        change.announce(Topic.MESSAGES)
        announce(change, _("Letzte Hand an Cash-Tisch %(table)s.") % {"table": table.number})


CASH_HAND_ENDED = Kind(
    "cash_hand.ended",
    lazy("Cash-Tisch %(table)s: Hand %(number)s zu Ende, Hausgebühr %(fee)s"),
    Group.HANDS,
    is_quiet=True,
    words=lambda payload: {"fee": amount_words(payload, "fee_cents")},
)


@service(CASH_HAND_ENDED, Permission.RUN_HANDS, Topic.TABLES, after_the_end=True)
def cash_hand_end(change: Change, *, table: CashTable, pot_cents: int = 0) -> None:
    """End the running hand, even after the end; take the house fee from the table.

    :param pot_cents: The pot, if the fee depends on it.
    """
    row = live_cash_table(change, table)
    running = hands_running([row.pk]).get(row.pk)
    if running is None:
        raise Refused(
            _("An Tisch %(table)s läuft keine Hand.") % {"table": row.number}, code="no_hand"
        )
    there = chips_on_table(row)
    if not 0 <= pot_cents <= max(0, there):
        raise Refused(
            _("Ein Pot kann nicht %(pot)s sein: Am Tisch liegen %(there)s.")
            % {"pot": amount_at(row, pot_cents), "there": amount_at(row, max(0, there))},
            code="bad_pot",
        )
    fee = min(fee_of_hand(row, pot_cents), max(0, there))
    CashHandEnd.objects.create(
        hand=running, pot_cents=pot_cents, ended_at=change.at, made_by=change.action
    )
    book_step(change, row, Step.POT_FEE, fee)
    change.record(**numbers_of(row), number=running.number, fee_cents=fee)


def fee_of_hand(table: CashTable, pot_cents: int) -> int:
    """Return the house fee of a hand in cents; from a pot, whole small blinds."""
    return hand_fee_cents(
        FeeWay(table.fee_way),
        cents=table.fee_cents,
        percent=table.fee_percent,
        most_cents=table.fee_most_cents,
        pot_cents=pot_cents,
        step_cents=table.small_blind_cents,
    )
