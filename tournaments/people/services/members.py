"""The club's people outside of events: corrected one by one, members imported from a list."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import EventHead, Person, PersonMerge, Registration
from tournaments.people.selectors.people import event_of_both, merge_of, people_of
from tournaments.people.services.people import (
    PERSONAL,
    Newcomer,
    clean,
    disown,
    note_names,
    people_taken,
    person_write,
    salted,
)

CHUNK = 500


PERSON_CORRECTED = Kind(
    "person.corrected",
    lazy("Daten einer Person berichtigt"),
    Group.CLUB,
    # From a migration: the log's hashes of names, with a salt for each person.
    outcomes={"salted": lazy("Namen mit neuem Salz ins Protokoll geschrieben")},
)


@club_service(PERSON_CORRECTED, Permission.MANAGE)
def person_correct(
    change: Change, *, person: Person, name: str, email: str, phone: str, is_member: bool
) -> None:
    """Correct a person's data."""
    row = Person.objects.select_for_update().filter(club=change.club, pk=person.pk).first()
    if row is None or row.erased_at is not None or merge_of(row) is not None:
        raise Refused(_("Diese Person gibt es nicht mehr."), code="gone")
    wanted = clean(Newcomer(name=name, email=email, phone=phone))
    before = (*(getattr(row, field) for field in PERSONAL), row.is_member)
    after = (*(getattr(wanted, field) for field in PERSONAL), is_member)
    if before == after:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.record(person=row.pk)
    if (row.email, row.phone) != (wanted.email, wanted.phone):
        change.record(disowned=disown([row]))
    row.is_member = is_member
    salted([row])
    person_write(row, name=wanted.name, email=wanted.email, phone=wanted.phone)
    note_names(change, [row])


PERSON_IMPORTED = Kind(
    "person.imported", lazy("Mitgliederliste eingelesen: %(count)s Mitglieder"), Group.CLUB
)


@club_service(PERSON_IMPORTED, Permission.MANAGE)
def members_import(
    change: Change, *, people: Iterable[dict[str, Any]], is_complete: bool = False
) -> None:
    """Import a list of members. Known people become members, the others are added.

    People marked as non-members become none. With a complete list, so do all people not on it.
    """
    told = ({**person, "is_member": person.get("is_member") is not False} for person in people)
    rows = [Newcomer(**person) for person in told]
    if not rows:
        raise Refused(_("Die Liste enthält niemanden."), code="empty")
    EventHead.objects.lock_all(change.club)
    taken = people_taken(change, [clean(row) for row in rows])
    on_list = {person.pk for person in taken}
    left = [
        person.pk
        for person, row in zip(taken, rows, strict=True)
        if not row.is_member and person.is_member
    ]
    if is_complete:
        members = people_of(change.club).filter(is_member=True).order_by("pk")
        left += [pk for pk in members.values_list("pk", flat=True) if pk not in on_list]
    for start in range(0, len(left), CHUNK):
        Person.objects.filter(pk__in=left[start : start + CHUNK]).update(is_member=False)
    change.record(count=sum(bool(row.is_member) for row in rows), left=len(left))


# --- Merge two rows of the same person: one gets everything of the other, until undone


# Fields filled in if empty in the kept row, with their empty values.
FILLED_IN: dict[str, str | bool] = {"email": "", "phone": "", "is_member": False}


PERSON_MERGED = Kind("person.merged", lazy("Zwei Personen zusammengeführt"), Group.CLUB)


@club_service(PERSON_MERGED, Permission.MANAGE)
def people_merge(change: Change, *, kept: Person, gone: Person) -> None:
    """Move all registrations of `gone` to `kept`, and fill in missing data of `kept`."""
    # Block registrations of both meanwhile. Events first, as a registration locks them.
    EventHead.objects.lock_all(change.club)
    stays, goes = _person(change, kept), _person(change, gone)
    if stays.pk == goes.pk:
        raise Refused(_("Das ist dieselbe Person."), code="same")
    if Registration.objects.filter(person__in=(stays, goes), event__is_sample=True).exists():
        raise Refused(_("Erfundene Personen bleiben für sich."), code="invented")
    event = event_of_both(stays, goes)
    if event is not None:
        raise Refused(
            _("Bei „%(event)s“ sind beide angemeldet. Dort erst eine der Anmeldungen abmelden.")
            % {"event": event.name},
            code="both_registered",
        )
    rows = Registration.objects.filter(person=goes)
    moved = list(rows.order_by("pk").values_list("pk", flat=True))
    # A link to one of the two would otherwise now open the other's data too.
    owned = disown([stays, goes])
    rows.update(person=stays)
    PersonMerge.objects.create(kept=stays, gone=goes, made_by=change.action)
    filled = [field for field in FILLED_IN if getattr(goes, field) and not getattr(stays, field)]
    for field in filled:
        setattr(stays, field, getattr(goes, field))
    stays.save(update_fields=filled)
    salted([stays])
    note_names(change, registrations=_of_person(moved, stays))
    change.record(kept=stays.pk, gone=goes.pk, registrations=moved, disowned=owned)
    change.record(**{f"filled_{field}": True for field in filled})


PERSON_UNMERGED = Kind("person.unmerged", lazy("Zusammenführung zurückgenommen"), Group.CLUB)


@club_service(PERSON_UNMERGED, Permission.MANAGE)
def people_unmerge(change: Change, *, merge: PersonMerge) -> None:
    """Undo a merge: return only the registrations it moved, and clear the data it filled in."""
    row = (
        PersonMerge.objects.live()
        .select_related("kept", "gone", "made_by")
        .filter(pk=merge.pk, kept__club=change.club)
        .first()
    )
    if row is None:
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    _refuse_if_gone_on(row)
    EventHead.objects.lock_all(change.club)
    told = row.made_by.payload
    moved = Registration.objects.filter(pk__in=told["registrations"], person=row.kept)
    back = list(moved.order_by("pk").values_list("pk", flat=True))
    moved.update(person=row.gone)
    owners = Registration.objects.filter(pk__in=told.get("disowned", ()))
    owners.filter(person__in=[row.kept, row.gone]).update(owns_person=True)
    PersonMerge.objects.filter(pk=row.pk).update(voided_by=change.action)
    kept, gone = row.kept, row.gone
    # What was changed since stays.
    filled = [field for field in FILLED_IN if told.get(f"filled_{field}")]
    still = [field for field in filled if getattr(kept, field) == getattr(gone, field)]
    for field in still:
        setattr(kept, field, FILLED_IN[field])
    kept.save(update_fields=still)
    salted([gone])
    note_names(change, registrations=_of_person(back, gone))
    change.record(kept=kept.pk, gone=gone.pk, registrations=back)


def _of_person(registrations: list[int], person: Person) -> list[Registration]:
    rows = list(Registration.objects.filter(pk__in=registrations).order_by("pk"))
    for row in rows:
        row.person = person
    return rows


def _person(change: Change, person: Person) -> Person:
    """Return the row, locked.

    :raises Refused: If it is erased, or leads to another already.
    """
    found = Person.objects.select_for_update(no_key=True)
    row = found.filter(club=change.club, pk=person.pk).first()
    if row is None or row.erased_at is not None:
        raise Refused(_("Diese Person gibt es nicht mehr."), code="gone")
    merge = merge_of(row)
    if merge is not None:
        raise Refused(
            _("%(gone)s ist schon mit %(kept)s zusammengeführt.")
            % {"gone": row.name, "kept": merge.kept.name},
            code="merged",
        )
    return row


def _refuse_if_gone_on(merge: PersonMerge) -> None:
    if merge.kept.erased_at is not None or merge.gone.erased_at is not None:
        raise Refused(
            _("Die Daten dieser Person sind gelöscht. Das lässt sich nicht zurücknehmen."),
            code="erased",
        )
    later = merge_of(merge.kept)
    if later is not None:
        raise Refused(
            _("%(gone)s ist inzwischen mit %(kept)s zusammengeführt. Das zuerst zurücknehmen.")
            % {"gone": merge.kept.name, "kept": later.kept.name},
            code="needed",
        )
