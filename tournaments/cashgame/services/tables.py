"""Cash tables: open with stakes, count, close; the end of the cash game."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from tournaments.cashgame.domain.ledger import Step
from tournaments.cashgame.domain.stakes import MOST_CENTS, FeeWay, Way
from tournaments.cashgame.selectors.books import chips_on_table
from tournaments.cashgame.selectors.layout import amount_at, noted_stakes, time_in_words
from tournaments.cashgame.selectors.line import tables_alike
from tournaments.cashgame.services.parts import (
    book_step,
    live_cash_table,
    numbers_of,
    refuse_hand,
    refuse_without_cash_game,
)
from tournaments.cashgame.services.terms import refuse_odd_table
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.games import MIXES, Mix, game_named
from tournaments.event.selectors.labels import amount_words
from tournaments.models import (
    CashClosing,
    CashCount,
    CashEnd,
    CashLastHands,
    CashOffer,
    CashSeat,
    CashTable,
    CashWaiting,
)
from tournaments.post.selectors.announcements import Saying
from tournaments.post.services.messages import announce_itself

LONGEST_EVENING = timedelta(days=2)
MOST_ON_TABLE_CENTS = 100 * MOST_CENTS
MOST_LAST_HANDS = 20

CASH_TABLE_OPENED = Kind(
    "cash_table.opened",
    lazy("Cash-Tisch %(table)s geöffnet: %(stakes)s"),
    Group.TABLES,
    words=lambda payload: {"stakes": noted_stakes(payload)},
    frees_cash_seats=True,
)


@service(CASH_TABLE_OPENED, Permission.MANAGE, Topic.TABLES, after_the_end=True)
def cash_table_open(
    change: Change,
    /,
    *,
    feeds: CashTable | None = None,
    is_noted: bool = False,
    **terms: Any,
) -> None:
    """Open a cash table. A rotation begins with its first game.

    :param is_noted: Whether it is on account, settled at the end: always if not played for money.
    :param terms: The columns of the table by name; cents, or big blinds where their way says so.
    """
    refuse_without_cash_game(change)
    last = CashTable.objects.filter(event=change.event).aggregate(last=Max("number"))["last"]
    ways = dict.fromkeys(("minimum_way", "maximum_way"), Way.BIG_BLINDS.value)
    row = CashTable(
        event=change.event,
        number=(last or 0) + 1,
        feeds=live_cash_table(change, feeds) if feeds else None,
        is_noted=is_noted or not change.event.is_cash_for_money,
        opened_at=change.at,
        made_by=change.action,
        **{"fee_way": FeeWay.NONE.value, **ways, **terms},
    )
    if row.mix in (Mix.HORSE, Mix.EIGHT_GAME):
        name, limit = MIXES[Mix(row.mix)][0]
        first = game_named(name)
        assert first is not None
        row.game, row.limit = first.key, limit.value
    refuse_odd_table(row)
    row.save(force_insert=True)
    _line_of_stakes(change, row)
    change.record(
        **numbers_of(row),
        small_cents=row.small_blind_cents,
        big_cents=row.big_blind_cents,
    )


def _line_of_stakes(change: Change, table: CashTable) -> None:
    alike = [row for row in tables_alike(table) if row.pk != table.pk]
    rows = CashWaiting.objects.live().filter(table__in=alike, is_for_stakes=True)
    asked = dict(rows.order_by("-asked_at").values_list("registration", "asked_at"))
    CashWaiting.objects.bulk_create(
        CashWaiting(
            event=change.event,
            registration_id=guest,
            table=table,
            asked_at=at,
            is_for_stakes=True,
            made_by=change.action,
        )
        for guest, at in asked.items()
    )


CASH_TABLE_COUNTED = Kind(
    "cash_table.counted",
    lazy("Cash-Tisch %(table)s gezählt: %(counted)s, Differenz %(difference)s"),
    Group.TABLES,
    words=lambda payload: {
        "counted": amount_words(payload, "counted_cents"),
        "difference": amount_words(payload, "difference_cents"),
    },
)


@service(CASH_TABLE_COUNTED, Permission.COUNT_HEADS, Topic.TABLES, after_the_end=True)
def cash_table_count(change: Change, *, table: CashTable, counted_cents: int) -> None:
    """Count all chips of a table; book the difference from the books.

    After that, at most the counted amount can be paid out.
    """
    row = live_cash_table(change, table)
    refuse_hand(row)
    if not 0 <= counted_cents <= MOST_ON_TABLE_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    there = chips_on_table(row)
    CashCount.objects.create(
        table=row, counted_cents=counted_cents, counted_at=change.at, made_by=change.action
    )
    book_step(change, row, Step.COUNTED, there - counted_cents)
    change.record(
        **numbers_of(row),
        counted_cents=counted_cents,
        difference_cents=counted_cents - there,
    )


CASH_TABLE_CLOSED = Kind(
    "cash_table.closed",
    lazy("Cash-Tisch %(table)s abgeschlossen"),
    Group.TABLES,
    is_entered_anew=True,
)


@service(CASH_TABLE_CLOSED, Permission.MANAGE, Topic.TABLES, after_the_end=True)
def cash_table_close(change: Change, *, table: CashTable) -> None:
    """Close a table without players and without chips in its books."""
    row = live_cash_table(change, table)
    refuse_hand(row)
    if CashSeat.objects.live().filter(table=row).exists():
        raise Refused(
            _("An Tisch %(table)s sitzt noch jemand. Erst werden alle ausgezahlt.")
            % {"table": row.number},
            code="not_empty",
        )
    there = chips_on_table(row)
    if there:
        raise Refused(
            _("An Tisch %(table)s müssten noch %(there)s liegen. Erst zählen, was da ist.")
            % {"table": row.number, "there": amount_at(row, there)},
            code="chips_left",
        )
    waiting = CashWaiting.objects.live().filter(table=row)
    CashOffer.objects.live().filter(waiting__in=waiting).update(voided_by=change.action)
    waiting.update(voided_by=change.action)
    CashClosing.objects.create(table=row, made_by=change.action)
    change.record(**numbers_of(row))


CASH_END_SET = Kind(
    "cash_end.set",
    lazy("Cash Game: Ende um %(at)s"),
    Group.EVENT,
    words=lambda payload: {"at": time_in_words(payload, "ends_at")},
)


@service(CASH_END_SET, Permission.MANAGE, Topic.TABLES, after_the_end=True)
def cash_end_set(change: Change, *, ends_at: datetime) -> None:
    """Set the end of the cash game. A hand running then is finished."""
    refuse_without_cash_game(change)
    if not change.at < ends_at <= change.at + LONGEST_EVENING:
        raise Refused(_("Das Ende liegt nach jetzt, und nicht später als übermorgen."),
                      code="bad_end")  # fmt: skip
    CashEnd.objects.live().filter(event=change.event).update(voided_by=change.action)
    CashLastHands.objects.live().filter(event=change.event).update(voided_by=change.action)
    CashEnd.objects.create(event=change.event, ends_at=ends_at, made_by=change.action)
    change.record(ends_at=round(ends_at.timestamp()))


# A tournament at the same event goes on.
LAST_HANDS = Saying("cash_last_hands", "cash", lambda hands: ngettext(
    "Cash Game: Letzte Hand an jedem Tisch.",
    "Cash Game: Noch %(hands)d Hände an jedem Tisch.",
    hands,
) % {"hands": hands}, holds=lambda _event: True)  # fmt: skip

CASH_LAST_HANDS = Kind(
    "cash_hands.announced",
    lazy("Cash Game: noch %(hands)s Hände"),
    Group.HANDS,
    outcomes={"one": lazy("Cash Game: letzte Hand")},
    is_announced=True,
)


@service(CASH_LAST_HANDS, Permission.MANAGE, Topic.TABLES, after_the_end=True)
def cash_last_hands(change: Change, *, hands: int) -> None:
    """Announce the number of hands each table still begins; a running hand is extra."""
    refuse_without_cash_game(change)
    if not 1 <= hands <= MOST_LAST_HANDS:
        raise Refused(
            _("Angesagt werden 1 bis %(most)d Hände.") % {"most": MOST_LAST_HANDS}, code="bad_hands"
        )
    CashLastHands.objects.live().filter(event=change.event).update(voided_by=change.action)
    CashLastHands.objects.create(
        event=change.event, hands=hands, announced_at=change.at, made_by=change.action
    )
    change.record(hands=hands, **({"outcome": "one"} if hands == 1 else {}))
    change.announce(Topic.MESSAGES)
    announce_itself(change, LAST_HANDS, hands=hands)
