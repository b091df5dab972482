"""Public profiles of people: published only by the person."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Person, ProfileConsent, Registration
from tournaments.people.selectors.registrations import is_sure

PROFILE_OPENED = Kind("profile.opened", lazy("%(name)s zeigt das eigene Profil"), Group.CLUB)


@club_service(PROFILE_OPENED, Permission.CORRECT)
def profile_open(change: Change, *, person: Person) -> None:
    """Publish a person's profile; only by that person's own link."""
    row = _own_person(change, person)
    if ProfileConsent.objects.live().filter(person=row).exists():
        raise Refused(_("Dein Profil ist schon zu sehen."), code="nothing_changed")
    ProfileConsent.objects.create(person=row, made_by=change.action)
    change.record(person=row.pk)
    change.tell(name=row.name)


PROFILE_CLOSED = Kind(
    "profile.closed", lazy("%(name)s zeigt das eigene Profil nicht mehr"), Group.CLUB
)


@club_service(PROFILE_CLOSED, Permission.CORRECT)
def profile_close(change: Change, *, person: Person) -> None:
    """Hide a person's profile again: by that person's own link, or at the desk."""
    row = _own_person(change, person) if change.by.role == Role.PLAYER else person
    live = ProfileConsent.objects.live().filter(person=row, person__club=change.club)
    if not live.exists():
        raise Refused(_("Dein Profil ist nicht zu sehen."), code="nothing_changed")
    live.update(voided_by=change.action)
    change.record(person=row.pk)
    change.tell(name=row.name)


def _own_person(change: Change, person: Person) -> Person:
    """Return the person of the requesting link, locked.

    :raises Refused: When it is another's, or the link is not certain to be the person's.
    """
    rows = Registration.objects.select_related("person").filter(person=person)
    own = rows.filter(pk=change.by.registration_id or 0, event__club=change.club).first()
    if own is None or change.by.role != Role.PLAYER:
        raise Refused(_("Das kann nur, wer es selbst ist, mit dem eigenen Link."), code="not_yours")
    if not is_sure(own) or own.person.erased_at is not None:
        raise Refused(
            _("Zu deinem Namen gibt es noch andere Daten. Bitte frag die Turnierleitung nach einem "
              "eigenen Link."),
            code="not_sure",
        )  # fmt: skip
    return Person.objects.select_for_update(no_key=True).get(pk=own.person_id)
