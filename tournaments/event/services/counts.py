"""Count on an evening without names: entries, players left and re-buys, one at a time."""

from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.clock import counted, rebuy_chips
from tournaments.models import Event, HeadCount

MOST_REBUY_CHIPS = 10**9


class Counter(StrEnum):
    """The counters. An entry adds a player and a starting stack, a re-buy only chips."""

    ENTRIES = "entries"
    LEFT = "left"
    REBUYS = "rebuys"


COUNT_CHANGED = Kind(
    "count.changed",
    lazy("Gezählt: %(left)s im Spiel, %(entries)s Einstiege, %(rebuys)s Re-buys"),
    Group.PEOPLE,
)


@service(COUNT_CHANGED, Permission.MANAGE, Topic.ENTRIES)
def count_change(change: Change, *, what: str, step: int, chips: int | None = None) -> None:
    """Count one up (`step` 1) or down (-1); `chips` are those of one re-buy."""
    event = change.event
    if not event.is_clock_only:
        raise Refused(_("Hier zählen die Namen, nicht die Tasten."), code="has_names")
    if what not in set(Counter) or step not in (1, -1):
        raise Refused(_("Gezählt wird einzeln, hinauf oder hinunter."), code="bad_count")
    if chips is not None and not 1 <= chips <= MOST_REBUY_CHIPS:
        raise Refused(_("Ein Re-buy bringt mindestens einen Chip."), code="bad_chips")
    row = HeadCount(event=event, made_by=change.action)
    match Counter(what):
        case Counter.ENTRIES:
            row.entries, row.left, row.chips = step, step, step * event.starting_stack
        case Counter.LEFT:
            row.left = step
        case Counter.REBUYS:
            row.rebuys, row.chips = step, step * (chips or rebuy_chips(event))
    row.save()
    refuse_if_count_is_off(event)
    now = counted(event)
    change.record(what=what, step=step, entries=now.entries, left=now.left, rebuys=now.rebuys)


def refuse_if_count_is_off(event: Event) -> None:
    """Refuse a change with impossible counts, inside its transaction."""
    now = counted(event)
    if now.entries < 0 or now.rebuys < 0:
        raise Refused(_("Weniger als null geht nicht."), code="below_zero")
    if now.left < 0:
        raise Refused(_("Es ist niemand mehr im Spiel."), code="below_zero")
    if event.has_started and now.entries and not now.left:
        raise Refused(_("Einer bleibt übrig: Er hat gewonnen."), code="last_one_wins")
    if now.left > now.entries:
        reason = _("Mehr als eingestiegen sind, können nicht im Spiel sein.")
        raise Refused(reason, code="more_than_entries")
    if now.chips < 0:
        raise Refused(_("So viele Chips sind nicht im Spiel."), code="below_zero")


def refuse_names(event: Event) -> None:
    """Refuse people and seats on an evening with only the clock."""
    if event.is_clock_only:
        reason = _("An diesem Abend läuft nur die Uhr: Namen und Plätze werden nicht geführt.")
        raise Refused(reason, code="clock_only")
