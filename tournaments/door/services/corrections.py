"""Corrections of a registration's data, by the desk or by the player."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.door.services.registration import live_registration
from tournaments.models import Action, Registration
from tournaments.people.selectors.registrations import contact_of, is_sure
from tournaments.people.services.names import note_names, salted
from tournaments.people.services.people import PERSONAL, Newcomer, clean, disown, person_write

REGISTRATION_CORRECTED = Kind(
    "registration.corrected",
    lazy("Daten berichtigt: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    holds_contacts=True,
)


@service(
    REGISTRATION_CORRECTED,
    Permission.CORRECT,
    Topic.REGISTRATIONS,
    Topic.TABLES,
    after_the_end=True,
)
def registration_correct(
    change: Change,
    *,
    registration: Registration,
    name: str,
    email: str = "",
    phone: str | None = None,
    remark: str | None = None,
    is_listed: bool | None = None,
    is_member: bool | None = None,
) -> None:
    """Correct the data of a registration; None keeps a value.

    Staff vouch for the person: the club's record is changed too. A personal link changes the person
    only if it owns the record, else just the data typed for this event.
    """
    row = live_registration(change, registration)
    is_player = change.by.role == Role.PLAYER
    if is_player and change.by.registration_id != row.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    of_person = not is_player or is_sure(row)
    shown = contact_of(row, with_person=of_person)
    wanted = clean(
        Newcomer(
            name=name,
            email=email,
            phone=shown["phone"] if phone is None else phone,
            remark=row.remark if remark is None else remark,
        )
    )
    if not of_person and wanted.name != shown["name"]:
        raise Refused(
            _("Diesen Namen kennt der Verein schon. Den Namen ändert daher die Turnierleitung."),
            code="not_sure",
        )
    flags = {"is_listed": row.is_listed if is_listed is None else is_listed}
    # Staff vouch for an address they save; one typed by the player has to be proven.
    flags["is_mail_proven"] = not is_player or (row.is_mail_proven and wanted.email == row.email)
    if not is_player:
        is_known = row.person.is_member if is_member is None else is_member
        flags |= {"is_member": is_known, "owns_person": True, "says_member": is_known}
    _correct(change, row, {**shown, "remark": row.remark}, wanted, flags, of_person=of_person)


def _correct(
    change: Change,
    row: Registration,
    shown: Mapping[str, str],
    wanted: Newcomer,
    flags: dict[str, bool],
    *,
    of_person: bool,
) -> None:
    before = correction_flags(row)
    changed = {flag: before[flag] for flag, now in flags.items() if before[flag] != now}
    new = {field: getattr(wanted, field) for field in shown}
    # A player's statement on membership stays to be checked unless something else changes.
    if new == shown and not changed.keys() - {"says_member"}:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.record(registration=row.pk, person=row.person_id)
    change.record(**{f"{flag}_before": value for flag, value in changed.items()})
    if "owns_person" in changed:
        change.record(disowned=disown([row.person]))
    change.tell(name=wanted.name, remark_before=row.remark)
    change.tell(**{f"{field}_said_before": getattr(row, field) for field in PERSONAL})
    if of_person:
        change.tell(**{f"{field}_before": getattr(row.person, field) for field in PERSONAL})
    correction_write(change, row, new, new if of_person else None, flags)


def correction_flags(row: Registration) -> dict[str, bool]:
    of_row = ("is_listed", "is_mail_proven", "owns_person", "says_member")
    return {flag: getattr(row, flag) for flag in of_row} | {"is_member": row.person.is_member}


def correction_write(
    change: Change,
    row: Registration,
    stated: Mapping[str, str],
    known: Mapping[str, str] | None,
    flags: Mapping[str, bool],
) -> None:
    """Write the data of a registration, and the changed data of its person."""
    own = {field: stated[field] for field in (*PERSONAL, "remark")}
    flags_of_row = {flag: value for flag, value in flags.items() if flag != "is_member"}
    Registration.objects.filter(pk=row.pk).update(**own, **flags_of_row)
    if known is not None:
        row.person.is_member = flags.get("is_member", row.person.is_member)
        person_write(row.person, **{field: known[field] for field in PERSONAL})
    row.name = own["name"]
    salted([row.person])
    note_names(change, [row.person] if known is not None else [], [row])


@undoes(REGISTRATION_CORRECTED)
def _undo_correction(change: Change, action: Action) -> None:
    row = Registration.objects.select_related("person").get(pk=action.payload["registration"])
    texts, numbers = action.text.data, action.payload
    stated = {field: texts.get(f"{field}_said_before", "") for field in PERSONAL}
    stated["remark"] = texts.get("remark_before", "")
    known = {field: texts.get(f"{field}_before", "") for field in PERSONAL}
    flags = {
        flag: numbers[f"{flag}_before"]
        for flag in correction_flags(row)
        if f"{flag}_before" in numbers
    }
    correction_write(change, row, stated, known if known["name"] else None, flags)
    owners = Registration.objects.filter(pk__in=numbers.get("disowned", ()), person=row.person_id)
    owners.update(owns_person=True)
