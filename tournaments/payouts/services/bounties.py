"""Bounties: make and draw envelopes.

Winners are not stored: they follow from the eliminations (`payouts.selectors.bounties`).
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.event import entry_names, event_accepts_late, event_alive_entry_ids
from tournaments.models import Entry, Envelope, MysteryPot
from tournaments.payouts.domain.bounties import BadEnvelopes, BountyKind, envelopes
from tournaments.payouts.selectors.bounties import (
    bounties_of,
    envelopes_left,
    event_has_bounties,
    heads_may_be_bought,
    mystery_pot,
)
from tournaments.seating.domain.draws import draw_order, envelope_item
from tournaments.seating.services.seats import draw_begin, record_draw

BAD_ENVELOPES = {
    "too_few": lazy("Umschläge braucht es für mindestens zwei, die noch im Spiel sind."),
    "too_many": lazy("So viele Umschläge gibt es nicht: einen für jeden, der im Spiel ist."),
    "bad_top": lazy("In jedem Umschlag ist etwas."),
    "no_rest": lazy("Für die übrigen Umschläge bleibt nichts übrig."),
    "some_left": lazy("Die Umschläge sind voll, und es bleibt etwas übrig."),
}

MYSTERY_BEGUN = Kind(
    "mystery.begun",
    lazy("Umschläge gemacht: %(count)s. Ab jetzt zieht jedes Ausscheiden einen"),
    Group.OUTS,
    sets_stage=True,
)


@service(MYSTERY_BEGUN, Permission.MANAGE, Topic.ENTRIES)
def mystery_begin(change: Change, *, tops: Sequence[int] = ()) -> None:
    """Make an envelope for each entry in play, from all bounty money paid in."""
    event = change.event
    _refuse_no_mystery(change)
    if not event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if mystery_pot(event) is not None:
        raise Refused(_("Die Umschläge sind schon gemacht."), code="already_made")
    if event_accepts_late(event, change.at) or heads_may_be_bought(event, change.at):
        raise Refused(
            _("Solange nachgemeldet oder nachgekauft werden kann, steht nicht fest, was in die"
              " Umschläge kommt."),
            code="late_open",
        )  # fmt: skip
    many = len(event_alive_entry_ids(event))
    try:
        amounts = envelopes(bounties_of(event).total(), many, tops)
    except BadEnvelopes as problem:
        raise Refused(str(BAD_ENVELOPES[problem.code]), code=problem.code) from problem
    MysteryPot.objects.create(
        event=event, amounts=amounts, began_at=change.at, made_by=change.action
    )
    change.record(amounts=amounts)
    change.tell(count=many)


MYSTERY_DRAWN = Kind(
    "mystery.drawn", lazy("Umschlag gezogen für den Kopf von %(name)s"), Group.OUTS
)


@service(MYSTERY_DRAWN, Permission.ELIMINATE, Topic.ENTRIES, after_the_end=True)
def mystery_draw(change: Change, *, entry: Entry) -> None:
    """Draw the envelope of a knockout by the published arithmetic.

    The last envelope belongs to the winner's own bounty and is not drawn.
    """
    _refuse_no_mystery(change)
    pot, to_draw = mystery_pot(change.event), bounties_of(change.event).to_draw
    stack = next((out.number for out in to_draw if out.entry == entry.pk), None)
    if pot is None or stack is None:
        raise Refused(
            _("Hier ist kein Umschlag zu ziehen: Erst muss feststehen, wer ihn zieht."),
            code="nothing_to_draw",
        )
    draw = draw_begin(change.event)
    items = [envelope_item(number) for number in envelopes_left(pot)]
    number = int(draw_order(items, **draw)[0].partition(":")[2])
    cents = pot.amounts[number - 1]
    made = record_draw(change, "mystery", draw, items=items, outcome=[[entry.pk, number, cents]])
    Envelope.objects.create(
        pot=pot,
        entry_id=entry.pk,
        stack=stack,
        draw=made,
        number=number,
        made_by=change.action,
    )
    change.record(entry=entry.pk, draw=made.number, envelope=number, amount_cents=cents)
    change.tell(name=entry_names({entry.pk})[entry.pk])


def _refuse_no_mystery(change: Change) -> None:
    if not event_has_bounties(change.event) or change.event.bounty_kind != BountyKind.MYSTERY:
        raise Refused(_("An diesem Abend gibt es keine Umschläge."), code="no_mystery")
