"""Receipts by mail: all of a player's receipts, worded at the time of sending."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Receipt, Registration
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

RECEIPT_MAILED = Kind(
    "receipt.mailed",
    lazy("Beleg per Mail geschickt: %(name)s"),
    Group.FEES,
    irrevocable=lazy("Eine Mail lässt sich nicht zurückholen."),
)


@service(RECEIPT_MAILED, Permission.TAKE_MONEY, after_the_end=True)
def receipt_mail(change: Change, *, registration: Registration) -> None:
    """Mail a player the receipts of this event."""
    rows = Registration.objects.select_related("person").filter(event=change.event)
    row = rows.filter(pk=registration.pk).first()
    if row is None or not Receipt.objects.filter(registration=row).exists():
        raise Refused(_("Hier gibt es keinen Beleg."), code="gone")
    if not row.email:
        raise Refused(_("Hier ist keine Mailadresse bekannt."), code="no_address")
    mail_write(change, MailKind.RECEIPT, [row])
    change.record(registration=row.pk)
    change.tell(name=row.person.name)
