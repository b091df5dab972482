"""Hands at cash tables, with fees and tips; absences, the end, and who pays whom."""

import secrets
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from tournaments.cashgame.domain.ledger import Stage, Step
from tournaments.cashgame.domain.stakes import MOST_AWAY_MINUTES, FeeWay, hand_fee_cents
from tournaments.cashgame.selectors.books import (
    call_due,
    chips_on_table,
    hands_running,
    last_hands_of,
    stages_of,
    tips_left,
)
from tournaments.cashgame.selectors.layout import amount_at, time_in_words
from tournaments.cashgame.selectors.settling import HOUSE, settling_of
from tournaments.cashgame.services.parts import (
    book_step,
    live_cash_table,
    live_guest,
    live_seat,
    numbers_of,
    refuse_hand,
    refuse_without_cash_game,
    say_who,
    take_time_fee,
)
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.labels import amount_words, money
from tournaments.models import (
    CashAway,
    CashDebtPaid,
    CashEnd,
    CashHand,
    CashHandEnd,
    CashLastHands,
    CashLeave,
    CashLink,
    CashTable,
    Registration,
)
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.services.fees import book
from tournaments.post.selectors.announcements import Saying
from tournaments.post.services.messages import announce_itself

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
    if stages_of(change.event, [row], change.at)[row.pk].stage in (Stage.FINISHES, Stage.OVER):
        raise Refused(_("Das Cash Game ist zu Ende. Es beginnt keine Hand mehr."), code="over")
    last = CashHand.objects.live().filter(table=row).aggregate(last=Max("number"))["last"] or 0
    CashHand.objects.create(table=row, number=last + 1, began_at=change.at, made_by=change.action)
    change.record(**numbers_of(row), number=last + 1)
    # A table's last hand is announced, if more than one was (S19).
    told = last_hands_of(change.event)
    if told is None or told.hands == 1:
        return
    if stages_of(change.event, [row], change.at)[row.pk].stage is Stage.LAST_HAND:
        change.announce(Topic.MESSAGES)
        announce_itself(change, LAST_HAND, table=row.number)


LAST_HAND = Saying("cash_last_hand", "cash_table", lambda table: _(
    "Letzte Hand an Cash-Tisch %(table)s."
) % {"table": table}, holds=lambda _event: True)  # fmt: skip


CASH_HAND_ENDED = Kind(
    "cash_hand.ended",
    lazy("Cash-Tisch %(table)s: Hand %(number)s zu Ende, Hausgebühr %(fee)s"),
    Group.HANDS,
    is_quiet=True,
    words=lambda payload: {"fee": amount_words(payload, "fee_cents")},
)


@service(CASH_HAND_ENDED, Permission.RUN_HANDS, Topic.TABLES, after_the_end=True)
def cash_hand_end(change: Change, *, table: CashTable, pot_cents: int | None = None) -> None:
    """End the running hand, even after the end; take the house fee from the table."""
    row = live_cash_table(change, table)
    running = hands_running([row.pk]).get(row.pk)
    if running is None:
        raise Refused(
            _("An Tisch %(table)s läuft keine Hand.") % {"table": row.number}, code="no_hand"
        )
    there = chips_on_table(row)
    if pot_cents is None and row.fee_way == FeeWay.POT:
        raise Refused(
            _("Bitte den Pot eintragen; 0, wenn die Gebühr später aus der Box kommt."),
            code="no_pot",
        )
    pot_cents = pot_cents or 0
    if not 0 <= pot_cents <= max(0, there):
        raise Refused(
            _("Ein Pot kann nicht %(pot)s sein: Am Tisch liegen %(there)s.")
            % {"pot": amount_at(row, pot_cents), "there": amount_at(row, max(0, there))},
            code="bad_pot",
        )
    fee = hand_fee_cents(
        FeeWay(row.fee_way),
        cents=row.fee_cents,
        percent=row.fee_percent,
        most_cents=row.fee_most_cents,
        pot_cents=pot_cents,
        step_cents=row.chip_cents or row.small_blind_cents,
    )
    fee = min(fee, max(0, there))
    CashHandEnd.objects.create(
        hand=running, pot_cents=pot_cents, ended_at=change.at, made_by=change.action
    )
    book_step(change, row, Step.POT_FEE, fee)
    change.record(**numbers_of(row), number=running.number, fee_cents=fee)


# --- Announced departures (S18), and absences from the seat


LONGEST = timedelta(days=1)

CASH_LEAVE_ANNOUNCED = Kind(
    "cash_leave.announced",
    lazy("Cash-Tisch %(table)s: %(name)s geht um %(at)s"),
    Group.CONDUCT,
    words=lambda payload: {"at": time_in_words(payload, "leaves_at")},
)


@service(CASH_LEAVE_ANNOUNCED, Permission.CONFIRM_SEAT, Topic.TABLES, after_the_end=True)
def cash_leave_announce(change: Change, *, registration: Registration, leaves_at: datetime) -> None:
    """Record a player's announced departure; the latest announcement counts."""
    own_seat = live_seat(change, registration)
    if not change.at <= leaves_at <= change.at + LONGEST:
        raise Refused(_("Das liegt nicht mehr an diesem Abend."), code="bad_time")
    CashLeave.objects.live().filter(seat=own_seat).update(voided_by=change.action)
    CashLeave.objects.create(seat=own_seat, leaves_at=leaves_at, made_by=change.action)
    say_who(change, own_seat.registration, own_seat.table, leaves_at=round(leaves_at.timestamp()))


CASH_PLAYER_AWAY = Kind(
    "cash_player.away", lazy("Cash-Tisch %(table)s: %(name)s ist weg"), Group.CONDUCT
)


@service(CASH_PLAYER_AWAY, Permission.NOTE_ABSENCE, Topic.TABLES, after_the_end=True)
def cash_away(change: Change, *, registration: Registration, minutes: int) -> None:
    """Record that a player has left the seat, and for how long it is kept."""
    own_seat = live_seat(change, registration)
    if not 1 <= minutes <= MOST_AWAY_MINUTES:
        raise Refused(
            _("Ein Platz wird 1 bis %(most)d Minuten gehalten.") % {"most": MOST_AWAY_MINUTES},
            code="bad_minutes",
        )
    if CashAway.objects.live().filter(seat=own_seat).exists():
        raise Refused(_("Das ist schon eingetragen."), code="already_away")
    CashAway.objects.create(
        seat=own_seat,
        since=change.at,
        until=change.at + timedelta(minutes=minutes),
        made_by=change.action,
    )
    say_who(change, own_seat.registration, own_seat.table, minutes=minutes)


CASH_PLAYER_BACK = Kind(
    "cash_player.back", lazy("Cash-Tisch %(table)s: %(name)s ist wieder da"), Group.CONDUCT
)


@service(CASH_PLAYER_BACK, Permission.NOTE_ABSENCE, Topic.TABLES, after_the_end=True)
def cash_back(change: Change, *, registration: Registration) -> None:
    """Record that a player is back at the seat."""
    own_seat = live_seat(change, registration)
    rows = CashAway.objects.live().filter(seat=own_seat)
    if not rows.update(voided_by=change.action):
        raise Refused(_("Niemand hat eingetragen, dass er weg ist."), code="not_away")
    say_who(change, own_seat.registration, own_seat.table)


# --- The end: set, announced on every screen half an hour and ten minutes before, or by hands


LONGEST_EVENING = timedelta(days=2)
MOST_LAST_HANDS = 20

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


MINUTE = timedelta(minutes=1)

END_CALLED = Saying("cash_end", "cash", lambda minutes: ngettext(
    "Das Cash Game endet in einer Minute.",
    "Das Cash Game endet in %(minutes)d Minuten.",
    minutes,
) % {"minutes": minutes}, holds=lambda _event: True)  # fmt: skip

CASH_END_CALLED = Kind(
    "cash_end.called",
    lazy("Cash Game: Ende in %(minutes)s Minuten angesagt"),
    Group.EVENT,
    is_announced=True,
)


@service(CASH_END_CALLED, Permission.ANNOUNCE, Topic.MESSAGES)
def cash_end_call(change: Change) -> None:
    """Announce the minutes until the end, when due. A late call gives fewer minutes."""
    now = change.action.recorded_at
    due = call_due(change.event, now, but=change.action)
    if due is None:
        raise Refused(_("Das Ende ist noch nicht anzusagen."), code="not_due")
    ends_at, before = due
    minutes = -((now - ends_at) // MINUTE)
    change.record(minutes=minutes, before=before, ends_at=round(ends_at.timestamp()))
    announce_itself(change, END_CALLED, minutes=minutes)


# --- Time fees of the house, and tips


CASH_FEE_PAID = Kind(
    "cash_fee.paid",
    lazy("Cash-Tisch %(table)s: %(name)s zahlt %(amount)s Hausgebühr"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_FEE_PAID, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_fee_pay(change: Change, *, registration: Registration, means: Means = Means.CASH) -> None:
    """Take the time fee a player owes until now. It does not come from the chips."""
    own_seat = live_seat(change, registration)
    due = take_time_fee(change, own_seat, means)
    if not due:
        raise Refused(_("Es ist keine Hausgebühr offen."), code="nothing_open")
    say_who(change, own_seat.registration, own_seat.table, amount_cents=due)


CASH_TIP_NOTED = Kind(
    "cash_tip.noted",
    lazy("Cash-Tisch %(table)s: %(amount)s Trinkgeld"),
    Group.FEES,
    outcomes={"fee": lazy("Cash-Tisch %(table)s: %(amount)s Hausgebühr aus der Box")},
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_TIP_NOTED, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_tip(change: Change, *, table: CashTable, cents: int, is_fee: bool = False) -> None:
    """Record a tip, not attributed to a dealer.

    :param is_fee: Whether it is the fee taken from the pots by hand since the last time.
    """
    row = live_cash_table(change, table)
    if is_fee and row.fee_way not in {FeeWay.POT, FeeWay.DROP}:
        raise Refused(_("An diesem Tisch nimmt das Haus nichts aus dem Pot."), code="no_drop")
    there = chips_on_table(row)
    if not 0 < cents <= there:
        raise Refused(
            _("An Tisch %(table)s liegen nur %(there)s.")
            % {"table": row.number, "there": amount_at(row, max(0, there))}
            if cents > 0
            else _("Dieser Betrag kann nicht stimmen."),
            code="bad_amount",
        )
    book_step(change, row, Step.POT_FEE if is_fee else Step.TIP, cents)
    change.record(**numbers_of(row), amount_cents=cents, **({"outcome": "fee"} if is_fee else {}))


CASH_TIPS_PAID = Kind(
    "cash_tips.paid",
    lazy("%(name)s bekommt %(amount)s Trinkgeld"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_TIPS_PAID, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_tips_pay(change: Change, *, registration: Registration, cents: int) -> None:
    """Hand noted tips to a dealer in cash, with a receipt."""
    guest, left = live_guest(change, registration), tips_left(change.event)
    if not 0 < cents <= left:
        raise Refused(
            _("Vom Trinkgeld sind noch %(left)s da.") % {"left": money(left)}, code="bad_amount"
        )
    book(change, {(Account.TIPS, ""): cents}, registration=guest)
    change.record(registration=guest.pk, amount_cents=cents)
    change.tell(name=guest.person.name)


# --- Payments among players at tables on account: the link to them, and which are done


LINK_HOLDS = timedelta(days=30)

CASH_LINK_MADE = Kind("cash_link.made", lazy("Neuer Link zu „Wer wem wie viel gibt“"), Group.FEES)


@service(CASH_LINK_MADE, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_link_make(change: Change) -> None:
    """Make a new link for all who played; the old one ends."""
    CashLink.objects.live().filter(event=change.event).update(voided_by=change.action)
    CashLink.objects.create(
        event=change.event,
        token=secrets.token_urlsafe(18),
        until=change.at + LINK_HOLDS,
        made_by=change.action,
    )


CASH_DEBT_PAID = Kind(
    "cash_debt.paid",
    lazy("%(first)s hat %(second)s %(amount)s gegeben"),
    Group.FEES,
    words=lambda payload: {"amount": amount_words(payload)},
)


@service(CASH_DEBT_PAID, Permission.TAKE_MONEY, Topic.TABLES, after_the_end=True)
def cash_debt_pay(
    change: Change, *, payer: Registration | None, payee: Registration | None, cents: int
) -> None:
    """Tick a payment of the settlement as done; None stands for the house."""
    people = (payer.pk if payer else HOUSE, payee.pk if payee else HOUSE)
    for one in settling_of(change.event).payments:
        if (one.payer_id, one.payee_id, one.cents) == (*people, cents) and not one.is_done:
            break
    else:
        raise Refused(
            _("Diese Zahlung ist schon erledigt, oder die Abrechnung hat sich geändert."),
            code="gone",
        )
    CashDebtPaid.objects.create(
        event=change.event, payer=payer, payee=payee, cents=cents, made_by=change.action
    )
    unit = {} if change.event.is_cash_for_money else {"unit": change.event.cash_unit}
    change.record(registrations=[pk for pk in people if pk], amount_cents=cents, **unit)
    change.tell(first=one.payer, second=one.payee)
