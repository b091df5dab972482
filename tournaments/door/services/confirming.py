"""Online registrations have to be confirmed, else the place goes to the waiting list."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.door.selectors.confirming import LAPSED, unconfirmed
from tournaments.door.services.registration import live_registration
from tournaments.models import Registration, Waiting
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

REGISTRATION_CONFIRMED = Kind(
    "registration.confirmed",
    lazy("Bestätigt: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    irrevocable=lazy("Wer doch nicht kommt, meldet sich ab."),
)


@service(REGISTRATION_CONFIRMED, Permission.WITHDRAW, Topic.REGISTRATIONS)
def registration_confirm(
    change: Change, *, registration: Registration, has_mailbox: bool = False
) -> None:
    """Record a confirmation; `has_mailbox`: by the mailed link, which proves the address."""
    row = live_registration(change, registration)
    if change.by.role == Role.PLAYER and change.by.registration_id != row.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    if row.confirmed_at is not None and (row.is_mail_proven or not has_mailbox):
        raise Refused(_("Das ist schon bestätigt."), code="already_confirmed")
    row.confirmed_at = row.confirmed_at or change.at
    row.is_mail_proven |= has_mailbox
    row.save(update_fields=["confirmed_at", "is_mail_proven"])
    change.record(registration=row.pk, mailbox=has_mailbox)
    change.tell(name=row.person.name)


REGISTRATIONS_LAPSED = Kind(
    LAPSED,
    lazy("Nicht bestätigt, wieder auf der Warteliste: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATIONS_LAPSED, Permission.MANAGE, Topic.REGISTRATIONS)
def registrations_lapse(change: Change) -> None:
    """Release the places not confirmed in time to the waiting list.

    These players go to its end and are notified.
    """
    rows = unconfirmed(change.event, change.at)
    if not rows:
        raise Refused(_("Niemand hat die Frist zum Bestätigen versäumt."), code="nobody_lapsed")
    Waiting.objects.bulk_create(
        Waiting(event=change.event, registration=row, since=change.at, made_by=change.action)
        for row in rows
    )
    change.record(registrations=[row.pk for row in rows])
    change.tell(name=", ".join(row.person.name for row in rows))
    mail_write(change, MailKind.LAPSED, rows)
