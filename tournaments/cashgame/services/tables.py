"""Cash tables: open with terms, change them, count, close."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.ledger import Bearer, Step
from tournaments.cashgame.domain.stakes import (
    MOST_AWAY_MINUTES,
    MOST_CENTS,
    FeeWay,
    Way,
    buying_range,
    period_end,
)
from tournaments.cashgame.selectors.books import chips_on_table, fees_begin, fees_open
from tournaments.cashgame.selectors.layout import (
    CASH_GAMES,
    amount_at,
    next_in_mix,
    noted_stakes,
)
from tournaments.cashgame.selectors.line import tables_alike
from tournaments.cashgame.services.parts import (
    book_step,
    live_cash_table,
    numbers_of,
    refuse_hand,
    refuse_parts_of_a_point,
    refuse_without_cash_game,
)
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.games import (
    FEWEST_SEATS,
    MIXES,
    Mix,
    deals_stud,
    game_named,
    most_seats,
)
from tournaments.event.selectors.labels import LIMITS, amount_words
from tournaments.models import (
    Action,
    CashClosing,
    CashCount,
    CashOffer,
    CashSeat,
    CashTable,
    CashWaiting,
    Registration,
)

MOST_ON_TABLE_CENTS = 100 * MOST_CENTS

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


# --- The terms of a table: valid ones, and their change between hands


MOST_MINUTES = 24 * 60
IN_CENTS = ("small_blind_cents", "big_blind_cents", "fee_cents", "ante_cents", "big_bet_cents",
            "straddle_cents", "chip_cents")  # fmt: skip
BORNE = frozenset({"bears", "bearer"})
FEE_TERMS = frozenset({"fee_way", "fee_cents", "fee_minutes"})


def refuse_odd_table(row: CashTable) -> None:
    """Refuse terms that make no playable table."""
    if row.game not in CASH_GAMES or row.limit not in LIMITS or row.mix not in {"", *Mix}:
        raise Refused(_("Dieses Spiel gibt es hier nicht."), code="bad_game")
    games = [row.game, *(name for name, _limit in MIXES[Mix(row.mix)])] if row.mix else [row.game]
    most = min(map(most_seats, games))
    if not FEWEST_SEATS <= row.seats <= most:
        raise Refused(
            _("Ein Tisch hat %(least)d bis %(most)d Plätze.")
            % {"least": FEWEST_SEATS, "most": most},
            code="bad_seats",
        )
    if not 0 < row.small_blind_cents <= row.big_blind_cents <= MOST_CENTS:
        raise Refused(
            _("Die Blinds müssen größer als null sein, der große nicht kleiner als der kleine."),
            code="bad_blinds",
        )
    if row.minimum_way == Way.LARGEST_STACK or not {row.minimum_way, row.maximum_way} <= set(Way):
        raise Refused(_("Das Minimum braucht einen Betrag."), code="bad_minimum")
    _refuse_odd_bets(row)
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


def _refuse_odd_bets(row: CashTable) -> None:
    big, straddle, big_bet = row.big_blind_cents, row.straddle_cents, row.big_bet_cents
    no_straddle = deals_stud(row.game) and not row.mix
    if straddle and (no_straddle or not 2 * big <= straddle <= MOST_CENTS):
        raise Refused(
            _("Ein Straddle ist mindestens der doppelte große Blind. Im Stud gibt es keinen."),
            code="bad_straddle",
        )
    if row.ante_cents > big or row.chip_cents > big or 0 < big_bet < big:
        raise Refused(
            _("Ante, kleinster Chip und großer Einsatz passen nicht zum Big Blind."),
            code="bad_bets",
        )


def _refuse_odd_range(row: CashTable) -> None:
    refuse_parts_of_a_point(row, *(getattr(row, name) for name in IN_CENTS))
    least = buying_range(row.stakes).least
    most = row.stakes.maximum.cents(row.big_blind_cents)
    if not row.big_blind_cents <= least <= MOST_CENTS:
        raise Refused(_("Das Minimum ist mindestens ein Big Blind."), code="bad_minimum")
    is_any = row.maximum_way == Way.LARGEST_STACK and not row.maximum
    if not (least <= most <= MOST_CENTS or is_any):
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
    has_house = row.fee_way != FeeWay.NONE
    if row.bears not in {"", *Bearer} or (row.bears == Bearer.HOUSE and not has_house):
        raise Refused(_("Das gibt es hier nicht."), code="bad_bearer")
    people = Registration.objects.filter(event=row.event_id, pk=row.bearer or 0)
    if row.bears == Bearer.ONE and not people.exists():
        raise Refused(_("Bitte jemanden wählen."), code="nobody")


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


# --- Change the terms between hands; the opening ones stay in the log


CASH_TERMS_CHANGED = Kind(
    "cash_terms.changed",
    lazy("Cash-Tisch %(table)s geändert: %(terms)s"),
    Group.TABLES,
    words=lambda payload: {
        "terms": f"{LIMITS[payload['limit']]} {CASH_GAMES[payload['game']]}, "
        f"{noted_stakes(payload)}"
    },
    frees_cash_seats=True,
)


@service(CASH_TERMS_CHANGED, Permission.MANAGE, Topic.TABLES, after_the_end=True)
def cash_terms_change(change: Change, /, *, table: CashTable, **terms: Any) -> None:
    """Change terms of a table between hands; whoever sits keeps seat and chips.

    Who bears a counted difference may be set at any time, even once the table is closed.
    """
    _change(change, _to_change(change, table, terms), terms)


CASH_GAME_TURNED = Kind(
    "cash_game.turned",
    lazy("Cash-Tisch %(table)s spielt jetzt %(game)s"),
    Group.HANDS,
    words=lambda payload: {"game": CASH_GAMES[payload["game"]]},
    is_quiet=True,
)


@service(CASH_GAME_TURNED, Permission.RUN_HANDS, Topic.TABLES, after_the_end=True)
def cash_game_turn(change: Change, *, table: CashTable) -> None:
    """Go on to the next game of a table's rotation."""
    row = live_cash_table(change, table)
    refuse_hand(row)
    found = next_in_mix(row)
    if found is None:
        raise Refused(_("An diesem Tisch wechselt das Spiel nicht von selbst."), code="no_mix")
    _change(change, row, {"game": found[0], "limit": found[1]})


def _to_change(change: Change, table: CashTable, terms: Mapping[str, Any]) -> CashTable:
    if terms.keys() <= BORNE:
        return live_cash_table(change, table, even_closed=True)
    row = live_cash_table(change, table)
    refuse_hand(row)
    return row


def _change(change: Change, row: CashTable, terms: Mapping[str, Any]) -> None:
    before = {name: getattr(row, name) for name, to in terms.items() if getattr(row, name) != to}
    after = {name: terms[name] for name in before}
    if not after:
        raise Refused(_("So ist es schon."), code="no_change")
    fees = _fees_anew(change, row) if FEE_TERMS & after.keys() else {}
    vars(row).update(after)
    refuse_odd_table(row)
    _refuse_to_whom_sits(row)
    renamed = "name" in after
    change.tell(own_text_before=before.pop("name", ""), own_text_after=after.pop("name", ""))
    row.changed = {**row.changed, **after, **fees}
    CashTable.objects.filter(pk=row.pk).update(name=row.name, changed=row.changed)
    change.record(**numbers_of(row), before=before, after=after, renamed=renamed)
    change.record(game=row.game, limit=row.limit)
    change.record(small_cents=row.small_blind_cents, big_cents=row.big_blind_cents)


def _fees_anew(change: Change, row: CashTable) -> dict[str, Any]:
    """Return from when each player's time counts by the new fee: a paid period is kept."""
    seats = list(CashSeat.objects.live().filter(table=row))
    for seat in seats:
        seat.table = row
    if fees_open(seats, change.at):
        raise Refused(
            _("Erst die offene Hausgebühr kassieren: Danach gilt die neue."), code="fee_open"
        )
    was_timed, now = row.fee_way == FeeWay.TIME, change.at
    counted = {
        str(pk): period_end(at, now, minutes=row.fee_minutes).timestamp()
        for pk, at in fees_begin(seats).items()
        if was_timed
    }
    return {"fee_from": {"at": now.timestamp(), **counted}}


def _refuse_to_whom_sits(row: CashTable) -> None:
    last = CashSeat.objects.live().filter(table=row, seat__gt=row.seats).order_by("-seat").first()
    if last is not None:
        raise Refused(
            _("Auf Platz %(seat)s sitzt noch jemand.") % {"seat": last.seat}, code="seat_taken"
        )
    for feeder in CashTable.objects.live().filter(feeds=row):
        if feeder.big_blind_cents != row.big_blind_cents:
            raise Refused(
                _("An Tisch %(table)s gelten andere Blinds oder wird anders bezahlt.")
                % {"table": feeder.number},
                code="other_stakes",
            )


@undoes(CASH_TERMS_CHANGED, CASH_GAME_TURNED)
def _undo_terms(change: Change, action: Action) -> None:
    payload, texts = action.payload, action.text.data if hasattr(action, "text") else {}
    row = _to_change(change, CashTable(pk=payload["cash_table"]), payload["before"])
    if any(getattr(row, name) != value for name, value in payload["after"].items()):
        raise Refused(_("Seither ist der Tisch wieder geändert worden."), code="overtaken")
    named = {"name": texts.get("own_text_before", "")} if payload["renamed"] else {}
    _change(change, row, {**payload["before"], **named})
