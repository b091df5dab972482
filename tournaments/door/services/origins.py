"""Taking back at once what one device or connection registered; and forgetting where it came from.

Of the address there is a hash of its own at each event, which goes when the event is over.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, follows_change, kind_is, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.door.selectors.origins import same_origin
from tournaments.door.services.registration import live_registration
from tournaments.door.services.waiting_list import leave_the_line
from tournaments.models import Registration

# An evening that nobody ended is over by then.
FORGOTTEN_AFTER = timedelta(days=2)

REGISTRATIONS_CLEARED = Kind(
    "registrations.cleared",
    lazy("%(count)s Anmeldungen von einem Gerät oder Anschluss zurückgenommen"),
    Group.PEOPLE,
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATIONS_CLEARED, Permission.MANAGE, Topic.REGISTRATIONS)
def registrations_clear(change: Change, *, registration: Registration, since: datetime) -> None:
    """Take back all that came from where a registration did, since some time.

    Who is checked in or has paid stays. The places go to the next in line.
    """
    rows = same_origin(live_registration(change, registration), since).go
    if not rows:
        raise Refused(_("Seit dann kam von dort keine Anmeldung, die sich zurücknehmen lässt."),
                      code="none")  # fmt: skip
    Registration.objects.filter(pk__in=[row.pk for row in rows]).update(voided_by=change.action)
    for row in rows:
        leave_the_line(change, row)
    change.record(registrations=[row.pk for row in rows])
    change.tell(name=", ".join(row.person.name for row in rows), count=len(rows))


@follows_change(kind_is("ends_by"))
def forget_origins(change: Change) -> None:
    """Forget where registrations came from once the event is over."""
    Registration.objects.filter(event=change.event).exclude(origin="").update(origin="")


def origins_forget(now: datetime) -> None:
    """Forget them also where nobody ended the evening."""
    rows = Registration.objects.filter(event__starts_at__lt=now - FORGOTTEN_AFTER)
    rows.exclude(origin="").update(origin="")
