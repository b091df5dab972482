"""Hold the seat of a player without chips who may still re-buy.

`purchases` uses it; otherwise `play.services.rebuy_chances` eliminates the player.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clock.domain import instant_ms
from tournaments.changes.audit import Change, follows_change, kind_is
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import kind_of
from tournaments.event.selectors.event import hand_for_hand_was_begun, money_reached, sells_again
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    LateTap,
    LostStack,
    PurchaseWish,
    RebuyChance,
    Seating,
)
from tournaments.models.log import CLAIMED
from tournaments.rebuys.selectors.offers import may_still_rebuy, told_words


def seats_to_hold(change: Change, entries: Sequence[Entry]) -> set[int]:
    """Return the entries among these, all without chips, whose seat is to be held.

    None from hand-for-hand on: then every elimination counts at once.

    :raises Refused: When a seat of these is held already.
    """
    event = change.event
    if not sells_again(event) or not event.has_started:
        return set()
    rows = RebuyChance.objects.live().filter(entry__in=entries)
    chance = rows.select_related("entry__registration__person", "made_by__device").first()
    if chance is not None:
        until = time_format(timezone.localtime(chance.until), "H:i")
        words = _(
            "%(name)s ist ohne Chips; der Platz wird bis %(until)s für einen Re-buy gehalten."
        )
        words %= {"name": chance.entry.registration.person.name, "until": until}
        raise Refused(f"{words} {told_words(chance)}".strip(), code="seat_held")
    if not event.rebuy_hold_minutes or hand_for_hand_was_begun(event) or money_reached(event):
        return set()
    seated = Seating.objects.live().filter(entry__in=entries).values_list("entry_id", flat=True)
    return may_still_rebuy(event, entries, change.claimed or change.at) & set(seated)


def stacks_lose(
    change: Change,
    entries: Sequence[Entry],
    *,
    instants: Mapping[int, datetime],
    group: int | None = None,
    start_stacks: Mapping[int, int] | None = None,
) -> list[LostStack]:
    """Record the lost stacks of these entries, at these instants, without elimination."""
    seatings = Seating.objects.live().filter(entry__in=entries)
    tables = dict(seatings.values_list("entry_id", "table_id"))
    return LostStack.objects.bulk_create(
        LostStack(
            event=change.event,
            entry=entry,
            at=instants[entry.pk],
            group=group,
            start_stack=(start_stacks or {}).get(entry.pk),
            table_id=tables.get(entry.pk),
            made_by=change.action,
        )
        for entry in entries
    )


def chances_end(change: Change, entries: Sequence[Entry]) -> None:
    """End the held seats and requests of these entries, used or not."""
    RebuyChance.objects.live().filter(entry__in=entries).update(voided_by=change.action)
    PurchaseWish.objects.live().filter(entry__in=entries).update(voided_by=change.action)


@follows_change(kind_is("brings_in"))
def one_stack_a_person(change: Change) -> None:
    """Refuse a change that leaves a player two stacks, or an outdated held seat."""
    event = change.event
    alive = Entry.objects.live().filter(event=event)
    alive = alive.exclude(pk__in=Elimination.objects.live().filter(event=event).values("entry"))
    undone = change.action.undoes
    kind = kind_of(undone.kind) if undone else None
    # An out is undone, or a check-in put in force again.
    if undone and (undone.undoes_id is not None or (kind is not None and kind.puts_out)):
        _refuse_two_stacks(alive)
    if not sells_again(event):
        return
    outs = Elimination.objects.live().filter(event=event)
    chances = RebuyChance.objects.live().filter(event=event)
    late = chances.filter(entry__in=outs.values("entry")).select_related(
        "entry__registration__person"
    )
    if row := late.first():
        text = _("%(name)s ist danach ausgeschieden. Bitte das zuerst zurücknehmen.")
        raise Refused(text % {"name": row.entry.registration.person.name}, code="needed")
    _refuse_two_losses(event)
    again = Entry.objects.live().filter(event=event, purchases__what="reentry")
    _refuse_two_stacks(alive.filter(registration__in=again.values("registration")))


def _refuse_two_losses(event: Event) -> None:
    """Refuse a held seat for a stack if a later stack was lost too."""
    later = LostStack.objects.live().filter(
        entry=OuterRef("entry"), made_by__sequence__gt=OuterRef("lost__made_by__sequence")
    )
    chances = RebuyChance.objects.live().filter(Exists(later), event=event)
    row = chances.select_related("entry__registration__person").first()
    if row is not None:
        raise Refused(
            _("%(name)s hat seither noch einen Stapel verloren. Bitte das zuerst zurücknehmen.")
            % {"name": row.entry.registration.person.name},
            code="needed",
        )


def _refuse_two_stacks(alive: QuerySet[Entry]) -> None:
    """Refuse two entries in play of one person among these."""
    of_two = alive.values("registration").annotate(many=Count("pk")).filter(many__gt=1)
    row = of_two.order_by("registration").values_list("registration__person__name").first()
    if row is not None:
        raise Refused(
            _("%(name)s hat inzwischen einen neuen Stapel. Bitte das zuerst zurücknehmen.")
            % {"name": row[0]},
            code="needed",
        )


# --- Late taps that the director decides about


def director_asked(
    change: Change, instants: Mapping[int, datetime], wish: PurchaseWish | None = None
) -> None:
    """Ask whether what is recorded of these entries was so much earlier, as the phone claims."""
    claimed = change.claimed or change.at
    LateTap.objects.bulk_create(
        LateTap(
            event=change.event,
            entry_id=entry,
            wish=wish,
            at=at - (change.at - claimed),
            made_by=change.action,
        )
        for entry, at in instants.items()
    )
    change.record(**{CLAIMED: instant_ms(claimed)})
