"""Receipts: gapless numbers, one for each payment; an undo writes a cancellation."""

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Action, Drawer, Receipt, ReceiptCount, Registration
from tournaments.money.domain.accounts import Means
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write


def receipt_write(
    change: Change,
    registration: Registration | None,
    *,
    cents: int,
    means: Means,
    drawer: Drawer | None,
    is_payout: bool = False,
    counters: Receipt | None = None,
) -> Receipt:
    """Write a receipt with the next number of the year.

    The counter is locked until the change is committed: no number is used twice, and a failed
    change leaves no gap.
    """
    event = change.event
    year = timezone.localtime(change.action.recorded_at).year
    of_sample = event if event.is_sample else None
    count, _is_new = ReceiptCount.objects.select_for_update().get_or_create(
        club_id=event.club_id, event=of_sample, year=year
    )
    count.last += 1
    count.save(update_fields=["last"])
    row = Receipt.objects.create(
        club_id=event.club_id,
        event=event,
        year=year,
        number=count.last,
        is_sample=event.is_sample,
        action=change.action,
        counters=counters,
        registration=registration,
        drawer=drawer,
        means=means,
        cents=cents,
        is_payout=is_payout,
        made_at=change.action.recorded_at,
    )
    written = [year, count.last, cents, *([counters.number] if counters else [])]
    change.record(receipts=[*change.action.payload.get("receipts", []), written])
    return row


def receipts_counter(change: Change, action: Action) -> None:
    """Write a cancellation for each receipt of an undone action."""
    rows = Receipt.objects.filter(action=action).select_related("registration", "drawer")
    for row in rows.order_by("pk"):
        receipt_write(
            change,
            row.registration,
            cents=-row.cents,
            means=Means(row.means),
            drawer=row.drawer,
            is_payout=row.is_payout,
            counters=row,
        )


# --- Receipts by mail: all of a player's receipts, worded at the time of sending


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
