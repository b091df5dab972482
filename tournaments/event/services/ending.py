"""The end of an event: cancelled, or over."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.event import chips_in_play, event_alive_entry_ids, players_left
from tournaments.event.services.clock import clock_stop
from tournaments.models import Event, StackCount
from tournaments.people.selectors.registrations import registrations_live
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

EVENT_CANCELLED = Kind(
    "event.cancelled",
    lazy("Turnier abgesagt"),
    Group.EVENT,
    outlives_the_end=True,
    ends_by="cancelled_by",
)


@service(EVENT_CANCELLED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.TABLES)
def event_cancel(change: Change, *, reason: str = "") -> None:
    """Cancel the event. All entries stay, and it can be undone."""
    clock_stop(change)
    change.set(cancelled_by=change.action)
    change.tell(reason=reason)
    mail_write(change, MailKind.CANCELLED, registrations_live(change.event))


EVENT_ENDED = Kind(
    "event.ended", lazy("Turnier beendet"), Group.EVENT, outlives_the_end=True, ends_by="ended_by"
)


@service(EVENT_ENDED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.TABLES)
def event_end(change: Change, *, stacks: Mapping[int, int] | None = None) -> None:
    """End the event, early or with a winner.

    With several players left, counted stacks (entry id to chips) rank them if all are counted;
    otherwise they share first place. A sum different from the chips in play is refused, unless
    confirmed.
    """
    event = change.event
    if not (event.has_started or event.is_cash_only):
        raise Refused(
            _("Das Turnier hat noch nicht begonnen. Es lässt sich absagen."), code="not_started"
        )
    alive = event_alive_entry_ids(event)
    counted = stacks or {}
    if set(counted) - set(alive):
        raise Refused(_("Gezählt wird nur, wer noch im Spiel ist."), code="not_alive")
    if counted and set(counted) != set(alive):
        raise Refused(
            _("Bitte die Chips aller zählen, die noch im Spiel sind, oder von niemandem."),
            code="count_incomplete",
        )
    if any(amount < 0 for amount in counted.values()):
        raise Refused(_("Ein Stapel kann nicht unter null sein."), code="negative_stack")
    if counted and not change.knowingly:
        refuse_if_not_in_play(event, sum(counted.values()))
    clock_stop(change)
    write_counts(change, counted)
    change.set(ended_by=change.action)
    change.record(
        players_left=players_left(event), stacks=[[k, v] for k, v in sorted(counted.items())]
    )


def write_counts(change: Change, counted: Mapping[int, int]) -> None:
    """Record counted stacks by entry, replacing earlier counts."""
    StackCount.objects.live().filter(entry__in=counted).update(voided_by=change.action)
    StackCount.objects.bulk_create(
        StackCount(entry_id=entry, amount=amount, counted_at=change.at, made_by=change.action)
        for entry, amount in counted.items()
    )


def refuse_if_not_in_play(event: Event, total: int) -> None:
    """Compare counted chips with those in play; an uncounted stack allows fewer.

    :raises Refused: With both sums.
    """
    chips, is_exact = chips_in_play(event)
    if total == chips or (total < chips and not is_exact):
        return
    text = _("Gezählt sind %(total)s Chips, im Spiel sind %(chips)s. Bitte nachzählen.")
    if not is_exact:
        text = _(
            "Gezählt sind %(total)s Chips, im Spiel sind höchstens %(chips)s. Bitte nachzählen."
        )
    shown = {"total": intcomma(total), "chips": intcomma(chips)}
    raise Refused(text % shown, code="chips_differ")
