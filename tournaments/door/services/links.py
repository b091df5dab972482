"""Personal links: the desk replaces a lost or exposed one."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.door.services.registration import live_registration
from tournaments.models import Registration, link_columns
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

SHORTEST = 22  # 128 bits


REGISTRATION_LINK_RENEWED = Kind(
    "registration.link_renewed",
    lazy("Neuer Link: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    irrevocable=lazy("Der alte Link gilt nicht mehr. Bei Bedarf noch einmal einen neuen ausgeben."),
)


@service(REGISTRATION_LINK_RENEWED, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def link_renew(change: Change, *, registration: Registration, token: str) -> None:
    """Replace the personal link; the old one stops working. Mail the new one if possible."""
    assert len(token) >= SHORTEST
    row = live_registration(change, registration)
    if row.person.erased_at is not None:
        raise Refused(_("Die Daten dieser Person sind gelöscht."), code="erased")
    row.replaced_link_hash = row.link_hash
    row.link_token = token
    row.save(update_fields=[*link_columns(""), "replaced_link_hash"])
    change.record(registration=row.pk)
    change.tell(name=row.person.name)
    mail_write(change, MailKind.LINK, [row])
