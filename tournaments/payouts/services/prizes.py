"""Plan and fix prizes. `payouts.selectors.prizes` computes each player's prize."""

import json
from datetime import date
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import LED_BY, Group, Kind, Topic
from tournaments.event.services.settings import obstacle_to_more_paid, refuse_what_cannot_be
from tournaments.models import Action, Event, PrizeFreeze, Registration, Ticket, TicketUse
from tournaments.payouts.selectors.prize_labels import why_unpayable, why_unplannable, words_of_outs
from tournaments.payouts.selectors.prizes import prizes_of_pool, unpriced_cents
from tournaments.play.selectors.bubble import first_decide, undecided
from tournaments.play.selectors.eliminations import adds_out_notes
from tournaments.play.services.rooms import in_other_rooms, of_one_pool
from tournaments.prizes.domain.payouts import Unpayable
from tournaments.prizes.domain.plans import PrizePlan, Unplannable, check_plan
from tournaments.prizes.selectors.plans import (
    entries_that_count,
    paid_places,
    plan_over_rooms,
    prize_pool,
    prizes_frozen,
)
from tournaments.rebuys.selectors.offers import pool_may_grow

# Shown with the elimination: the prize.
adds_out_notes(words_of_outs)

PRIZES_PLANNED = Kind("prizes.planned", lazy("Preise geplant"), Group.FEES)


@service(PRIZES_PLANNED, Permission.MANAGE, Topic.SETTINGS, Topic.ENTRIES)
def prizes_plan(
    change: Change,
    *,
    plan: PrizePlan,
    typed_places: int | None = None,
    led_by: int | None = None,
) -> None:
    """Plan the prizes of an event, and of the other rooms of its day.

    :param typed_places: Counts if the plan sets no number.
    :param led_by: The entry of the room that this one follows.
    """
    event = change.event
    plan = plan_over_rooms(event, plan)
    before, typed = event.prizes, event.paid_places
    typed_places = typed if typed_places is None else typed_places
    refuse_plan(event, plan, typed_places)
    if plan == event.prize_plan and typed_places == typed:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.set(prizes=plan.as_data(), paid_places=typed_places)
    change.record(paid_before=typed, paid_after=typed_places)
    texts = {"prizes_before": before, "prizes_after": plan.as_data()}
    change.tell(**{name: json.dumps(data, ensure_ascii=False) for name, data in texts.items()})
    planned = partial(
        prizes_plan, plan=plan, typed_places=typed_places, led_by=_led(change, led_by)
    )
    in_other_rooms(change, lambda room: room.prize_plan != plan, planned, of_one_pool)


def _led(change: Change, led_by: int | None) -> int:
    """Note the room's entry that this one follows; return the first one of all rooms."""
    leader = led_by or change.action.pk
    if "rooms" in change.event.prizes:
        change.record(**{LED_BY: leader})
    return leader


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
    "prizes.frozen",
    lazy("Preise festgeschrieben"),
    Group.FEES,
    outlives_the_end=True,
)


@service(PRIZES_FROZEN, Permission.MANAGE, Topic.SETTINGS, Topic.ENTRIES, after_the_end=True)
def prizes_freeze(change: Change, *, led_by: int | None = None) -> None:
    """Fix the prizes, in all rooms: later payments do not change them, until they are fixed anew.

    :param led_by: The entry of the room that this one follows.
    """
    event = change.event
    if not event.prizes:
        raise Refused(_("Es sind keine Preise geplant."), code="no_prizes")
    if plan_over_rooms(event, event.prize_plan) != event.prize_plan:
        raise Refused(
            _("Dieser Tag hat jetzt mehrere Räume. Bitte die Preise noch einmal speichern."),
            code="rooms_changed",
        )
    if not _is_open(event):
        raise Refused(_("Die Preise sind schon festgeschrieben."), code="already_frozen")
    if not event.has_started or pool_may_grow(event, change.at):
        raise Refused(
            _("Solange noch jemand einsteigen oder nachkaufen kann, ändern sich die Preise."),
            code="still_late",
        )
    if names := undecided(event):
        raise Refused(first_decide(names), code="undecided")
    table = prizes_of_pool(event)
    if isinstance(table, Unpayable):
        raise Refused(why_unpayable(table), code=f"unpayable_{table.code}")
    PrizeFreeze.objects.live().filter(event=event).update(voided_by=change.action)
    row = PrizeFreeze.objects.create(
        event=event,
        entries=entries_that_count(event),
        places=paid_places(event),
        pool_cents=prize_pool(event).cents if event.prize_plan.has_money else 0,
        prizes=list(table.prizes),
        refund_cents=table.refund,
        made_by=change.action,
    )
    frozen = partial(prizes_freeze, led_by=_led(change, led_by))
    in_other_rooms(change, _is_open, frozen, of_one_pool)
    change.record(
        entries=row.entries,
        places=row.places,
        pool_cents=row.pool_cents,
        prizes=row.prizes,
        refund_cents=row.refund_cents,
    )


def _is_open(event: Event) -> bool:
    return prizes_frozen(event) is None or unpriced_cents(event) > 0


# --- Tickets of a satellite: given out with the seat, and void if a correction takes it away


def ticket_give(change: Change, winner: Registration, cents: int) -> None:
    """Write the ticket of a seat just given, if the satellite has tickets."""
    plan = change.event.prize_plan
    if not plan.seats_for:
        return
    row = Ticket.objects.create(
        event=change.event,
        registration=winner,
        worth_cents=cents,
        serves=Event.objects.filter(club=change.event.club_id, pk=plan.seats_for).first(),
        until=date.fromisoformat(plan.tickets_until) if plan.tickets_until else None,
        rest=plan.tickets_rest,
        made_by=change.action,
    )
    change.record(ticket=row.pk)


def tickets_take_back(change: Change, winner: Registration) -> None:
    """Void the tickets of a seat that a correction took away.

    :raises Refused: One of them is redeemed.
    """
    rows = Ticket.objects.live().filter(event=change.event, registration=winner)
    held = list(rows.select_for_update().values_list("pk", flat=True))
    used = TicketUse.objects.live().filter(ticket__in=held).select_related("ticket", "event")
    use = used.first()
    if use is not None:
        raise Refused(
            _("%(ticket)s ist eingelöst. Erst das bei „%(event)s“ zurücknehmen.")
            % {"ticket": use.ticket.name, "event": use.event.name},
            code="ticket_used",
        )
    rows.update(voided_by=change.action)
