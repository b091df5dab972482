"""Plan, fix and pay out prizes. `money.selectors` computes each player's prize."""

from __future__ import annotations

import json

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.event import event_accepts_late
from tournaments.event.selectors.labels import money
from tournaments.event.services.settings import obstacle_to_more_paid, refuse_what_cannot_be
from tournaments.models import Action, Event, PrizeFreeze, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.services.journal import book
from tournaments.payouts.selectors.prize_labels import why_unpayable, why_unplannable, words_of_outs
from tournaments.payouts.selectors.prizes import (
    Payout,
    paid_out_cents,
    payout_of,
    prizes_now,
    seats_given_cents,
)
from tournaments.play.selectors.bubble import first_decide, undecided
from tournaments.play.selectors.eliminations import adds_out_notes
from tournaments.prizes.domain.payouts import Unpayable
from tournaments.prizes.domain.plans import PrizePlan, Unplannable, check_plan
from tournaments.prizes.selectors.plans import (
    entries_that_count,
    paid_places,
    prize_pool,
    prizes_frozen,
)

# Shown with the elimination: the prize.
adds_out_notes(words_of_outs)

PRIZES_PLANNED = Kind("prizes.planned", lazy("Preise geplant"), Group.FEES)


@service(PRIZES_PLANNED, Permission.MANAGE, Topic.SETTINGS, Topic.ENTRIES)
def prizes_plan(change: Change, *, plan: PrizePlan, typed_places: int | None = None) -> None:
    """Plan the prizes of an event; `typed_places` counts if the plan sets no number."""
    event = change.event
    before, typed = event.prizes, event.paid_places
    typed_places = typed if typed_places is None else typed_places
    refuse_plan(event, plan, typed_places)
    if plan == event.prize_plan and typed_places == typed:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.set(prizes=plan.as_data(), paid_places=typed_places)
    change.record(paid_before=typed, paid_after=typed_places)
    change.tell(prizes_before=_as_text(before), prizes_after=_as_text(plan.as_data()))


def refuse_plan(event: Event, plan: PrizePlan, typed_places: int) -> None:
    """Refuse an impossible plan, in the preview and on saving."""
    try:
        check_plan(plan)
    except Unplannable as no:
        raise Refused(why_unplannable(no.code), code=f"bad_{no.code}") from no
    if prizes_frozen(event) is not None:
        raise Refused(
            _("Die Preise sind festgeschrieben. Erst das im Protokoll zurücknehmen."),
            code="prizes_frozen",
        )
    planned = Event.objects.get(pk=event.pk)
    planned.prizes, planned.paid_places = plan.as_data(), typed_places
    refuse_what_cannot_be(planned)
    _refuse_another_number(planned, paid_places(event))


def _as_text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def _refuse_another_number(event: Event, paid: int) -> None:
    """Refuse another number of paid places after its announcement."""
    obstacle = obstacle_to_more_paid(event)
    if obstacle is not None and paid_places(event) != paid:
        raise obstacle


@undoes(PRIZES_PLANNED)
def _undo_plan(change: Change, action: Action) -> None:
    if prizes_frozen(change.event) is not None:
        raise Refused(
            _("Die Preise sind festgeschrieben. Erst das im Protokoll zurücknehmen."),
            code="prizes_frozen",
        )
    paid = paid_places(change.event)
    before = json.loads(action.text.data["prizes_before"])
    change.set(prizes=before, paid_places=action.payload["paid_before"])
    _refuse_another_number(change.event, paid)


PRIZES_FROZEN = Kind(
    "prizes.frozen", lazy("Preise festgeschrieben"), Group.FEES, outlives_the_end=True
)


@service(PRIZES_FROZEN, Permission.MANAGE, Topic.SETTINGS, Topic.ENTRIES, after_the_end=True)
def prizes_freeze(change: Change) -> None:
    """Fix the prizes: later payments do not change them."""
    event = change.event
    if not event.prizes:
        raise Refused(_("Es sind keine Preise geplant."), code="no_prizes")
    if prizes_frozen(event) is not None:
        raise Refused(_("Die Preise sind schon festgeschrieben."), code="already_frozen")
    if not event.has_started or event_accepts_late(event, change.at):
        raise Refused(
            _("Solange noch jemand einsteigen kann, ändern sich die Preise."), code="still_late"
        )
    if names := undecided(event):
        raise Refused(first_decide(names), code="undecided")
    table = prizes_now(event)
    if isinstance(table, Unpayable):
        raise Refused(why_unpayable(table), code=f"unpayable_{table.code}")
    row = PrizeFreeze.objects.create(
        event=event,
        entries=entries_that_count(event),
        places=paid_places(event),
        pool_cents=prize_pool(event).cents if event.prize_plan.has_money else 0,
        prizes=list(table.prizes),
        refund_cents=table.refund,
        made_by=change.action,
    )
    change.record(
        entries=row.entries,
        places=row.places,
        pool_cents=row.pool_cents,
        prizes=row.prizes,
        refund_cents=row.refund_cents,
    )


PRIZE_PAID = Kind(
    "prize.paid", lazy("Preis ausgezahlt: %(name)s"), Group.FEES, outlives_the_end=True
)


@service(PRIZE_PAID, Permission.CHECK_IN, Topic.REGISTRATIONS, Topic.ENTRIES, after_the_end=True)
def prize_pay(change: Change, *, registration: Registration, amount_cents: int) -> None:
    """Pay a player the prizes not paid yet; a satellite seat moves no cash.

    :param amount_cents: The amount shown on the page; refused if it has changed.
    """
    row = _payout(change, registration)
    if row is None or row.open <= 0:
        raise Refused(_("Hier ist nichts auszuzahlen."), code="nothing_to_pay")
    if row.is_provisional:
        raise Refused(
            _("Der Platz ist vorläufig: Erst melden alle Tische ihre Hand."), code="provisional"
        )
    if row.open != amount_cents:
        raise Refused(
            _("Auszuzahlen sind inzwischen %(open)s.") % {"open": money(row.open)},
            code="other_amount",
        )
    most = change.event.prize_plan.desk_cents
    if most and row.open > most and not allows(change.by, Permission.MANAGE):
        raise Refused(
            _("Mehr als %(most)s zahlt nur die Turnierleitung aus.") % {"most": money(most)},
            code="above_the_limit",
        )
    sides = {(Account.PRIZES, ""): row.open}
    if row.is_seat:
        sides[(Account.SEATS, "")] = -row.open
    book(change, sides, registration=registration)
    change.record(registration=registration.pk, amount_cents=row.open)
    change.tell(name=row.name)


PRIZE_SETTLED = Kind(
    "prize.settled",
    lazy("Zu viel ausgezahlter Preis zurückgegeben: %(name)s"),
    Group.FEES,
    outcomes={"kept": lazy("Zu viel ausgezahlter Preis bleibt: %(name)s")},
    outlives_the_end=True,
)


@service(PRIZE_SETTLED, Permission.MANAGE, Topic.REGISTRATIONS, Topic.ENTRIES, after_the_end=True)
def prize_settle(change: Change, *, registration: Registration, is_kept: bool = False) -> None:
    """Settle an overpaid prize after a change of place: returned, or kept.

    A kept amount is no prize any more; the house bears it.
    """
    row = _payout(change, registration)
    if row is None or not row.owed_back:
        raise Refused(_("Hier ist nichts zu viel ausgezahlt."), code="no_debt")
    sides = {(Account.PRIZES, ""): -row.owed_back}
    if is_kept:
        sides[(Account.OTHER, "")] = row.owed_back
        change.record(outcome="kept")
    elif seats := min(row.owed_back, seats_given_cents(change.event, registration.pk)):
        sides[(Account.SEATS, "")] = seats
    book(change, sides, registration=registration)
    change.record(registration=registration.pk, amount_cents=row.owed_back)
    change.tell(name=row.name)


def _payout(change: Change, registration: Registration) -> Payout | None:
    if prizes_frozen(change.event) is None and not paid_out_cents(change.event):
        raise Refused(
            _("Ausgezahlt wird, sobald die Turnierleitung die Preise festgeschrieben hat."),
            code="not_frozen",
        )
    if registration.event_id != change.event.pk:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    return payout_of(change.event, registration.pk)
