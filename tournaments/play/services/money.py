"""Keep "in the money" true when an entry comes in.

An entry after the announcement pushes the paid players down a place. It is refused unless check-in
confirms that the announcement is withdrawn. An undo always withdraws it.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change, follows_change, kind_is
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Topic, tells_consequence
from tournaments.event.selectors.event import money_reached, players_left
from tournaments.models import HeadCheck, MoneyReached
from tournaments.play.selectors.bubble import money_holds
from tournaments.post.services.announcements import announce
from tournaments.prizes.selectors.plans import paid_places

tells_consequence(
    "in_then", lazy("„Im Geld“ gilt nicht mehr: %(in_then)s im Spiel, %(paid_then)s bezahlt")
)


@follows_change(kind_is("brings_in"))
def money_stays_true(change: Change) -> None:
    """Refuse an entry after "in the money", or withdraw the announcement with it."""
    if not (change.event.has_started and paid_places(change.event)):
        return
    row = money_reached(change.event)
    if row is not None and not money_holds(change.event, row):
        _refuse_unless_known(change)
        _take_back(change, row)


def _refuse_unless_known(change: Change) -> None:
    if change.knowingly:
        return
    text = _("„Im Geld“ ist angesagt. Ob jetzt noch jemand mitspielt, sagt die Turnierleitung.")
    if allows(change.by, Permission.MANAGE):
        text = _(
            "„Im Geld“ ist angesagt. Wer jetzt noch mitspielt, nimmt die Ansage zurück: "
            "Bitte bei der Person ankreuzen, dass das so sein soll."
        )
    raise Refused(text, code="in_the_money")


def _take_back(change: Change, row: MoneyReached) -> None:
    """Void the announcement and its head counts, and tell the hall."""
    event, left, paid = change.event, players_left(change.event), paid_places(change.event)
    MoneyReached.objects.filter(pk=row.pk).update(voided_by=change.action)
    HeadCheck.objects.live().filter(table__event=event).update(voided_by=change.action)
    change.record(in_then=left, paid_then=paid)
    change.announce(Topic.BUBBLE, Topic.MESSAGES)
    text = _("„Im Geld“ gilt nicht mehr: Noch %(left)s im Spiel, %(paid)s Plätze sind bezahlt.")
    announce(change, text % {"left": left, "paid": paid})
