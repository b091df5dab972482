"""From "I'm coming" to the stack: registration, its withdrawal, check-in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.access import STAFF, Actor, Permission, Role
from tournaments.audit import Change, service, undoes
from tournaments.domain.errors import Refused
from tournaments.domain.places import Room
from tournaments.domain.post import MailKind
from tournaments.kinds import Group, Kind, Places, Topic
from tournaments.models import Action, ChipMovement, Entry, Event, Registration
from tournaments.selectors.event import event_accepts_late
from tournaments.selectors.places import room_of, waiting_of
from tournaments.selectors.privacy import contact_of, is_sure
from tournaments.services.counts import refuse_names
from tournaments.services.mail import mails_write
from tournaments.services.people import (
    PERSONAL,
    Newcomer,
    Planned,
    clean,
    disown,
    person_write,
    planned,
    register,
    registrations_write,
)
from tournaments.services.seats import seat_by_draw, seats_are_drawn_singly
from tournaments.services.waiting import door_at, leave_the_line, place_or_wait

STAFF_ROLES = (Role.DIRECTOR, Role.DESK, Role.SYSTEM)


REGISTRATION_CREATED = Kind(
    "registration.created",
    lazy("Angemeldet: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATION_CREATED, Permission.REGISTER, Topic.REGISTRATIONS)
def registration_create(
    change: Change,
    *,
    name: str,
    email: str = "",
    phone: str = "",
    remark: str = "",
    is_listed: bool = True,
    is_member: bool | None = None,
    is_reserved: bool = False,
    agrees_to_rules: bool = False,
    is_namesake: bool = False,
    language: str = "",
) -> None:
    """Register a person: with a place if one is free, else at the end of the line.

    A known person of that name is taken again, unless it is a namesake; of what a visitor types
    nothing is learned. A reserved place is given by the director alone.
    """
    refuse_if_closed(change.event, change.by, change.at)
    newcomer = Newcomer(
        name=name,
        email=email,
        phone=phone,
        remark=remark,
        is_listed=is_listed,
        is_member=is_member,
        is_reserved=is_reserved,
        agrees_to_rules=agrees_to_rules,
        language=language,
    )
    if is_reserved:
        _refuse_reserved(change, room_of(change.event))
    is_staff = change.by.role in STAFF
    (plan,) = planned(change.event, [newcomer], [is_namesake], by_staff=is_staff)
    if isinstance(plan, Refused):
        raise plan
    admit([change], [plan])


def admit(changes: Sequence[Change], plans: Sequence[Planned]) -> list[Registration]:
    """Register those who may be, each by his change, and put in line who gets no place."""
    event = changes[0].event
    door = door_at(event, changes[0].at)
    made = registrations_write(changes, plans)
    pairs = list(zip(changes, made, strict=True))
    waiting = place_or_wait(pairs, door)
    for change, registration in pairs:
        change.record(registration=registration.pk, person=registration.person_id)
        if registration.pk in waiting:
            change.record(waits=True)
        change.tell(name=registration.person.name)
    mails_write(pairs, MailKind.REGISTERED)
    return made


def _refuse_reserved(change: Change, room: Room) -> None:
    if change.by.role not in (Role.DIRECTOR, Role.SYSTEM):
        raise Refused(_("Zurückgehaltene Plätze vergibt die Turnierleitung."), code="not_allowed")
    if not room.free_reserved:
        raise Refused(_("Es ist kein zurückgehaltener Platz mehr frei."), code="none_reserved")


REGISTRATION_IMPORTED = Kind(
    "registration.imported",
    lazy("Liste eingelesen: %(count)s Anmeldungen"),
    Group.PEOPLE,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATION_IMPORTED, Permission.CHECK_IN, Topic.REGISTRATIONS)
def registrations_import(change: Change, *, people: Iterable[Mapping[str, object]]) -> None:
    """Register many at once, from a file whose rows were looked at before. All or none.

    Those for whom no place is left wait, in the order of the file.
    """
    refuse_names(change.event)
    rows = [Newcomer(**person) for person in people]  # type: ignore[arg-type]
    if not rows:
        raise Refused(_("Die Liste enthält niemanden, der angemeldet werden kann."), code="empty")
    door = door_at(change.event, change.at)
    made = register(change, rows)
    waiting = place_or_wait([(change, row) for row in made], door)
    change.record(registrations=[registration.pk for registration in made])
    if waiting:
        change.record(waits=len(waiting))
    change.tell(count=len(made))


REGISTRATION_WITHDRAWN = Kind(
    "registration.withdrawn",
    lazy("Abgemeldet: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATION_WITHDRAWN, Permission.WITHDRAW, Topic.REGISTRATIONS)
def registration_withdraw(change: Change, *, registration: Registration) -> None:
    """Take a registration off the list; its place goes to the next in line."""
    row = live_registration(change, registration)
    if change.by.role == Role.PLAYER and change.by.registration_id != row.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt. Abmelden kann jetzt nur noch die Turnierleitung, "
                        "indem sie das Einchecken zurücknimmt."), code="checked_in")  # fmt: skip
    Registration.objects.filter(pk=row.pk).update(voided_by=change.action)
    leave_the_line(change, row)
    change.record(registration=row.pk)
    change.tell(name=row.person.name)


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
    """Correct the data of a registration; None leaves a value as it is.

    Staff vouch that it is the person the club knows, whose data they become. A player's own link
    changes the person only if it owns that, else what was typed for this event.
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
    told = {field: getattr(wanted, field) for field in shown}
    # What the player says of a membership stays to be seen, unless something else is changed.
    if told == shown and not changed.keys() - {"says_member"}:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.record(registration=row.pk, person=row.person_id)
    change.record(**{f"{flag}_before": value for flag, value in changed.items()})
    if "owns_person" in changed:
        change.record(disowned=disown([row.person]))
    change.tell(name=wanted.name, remark_before=row.remark)
    change.tell(**{f"{field}_said_before": getattr(row, field) for field in PERSONAL})
    if of_person:
        change.tell(**{f"{field}_before": getattr(row.person, field) for field in PERSONAL})
    correction_write(row, told, told if of_person else None, flags)


def correction_flags(row: Registration) -> dict[str, bool]:
    of_row = ("is_listed", "owns_person", "says_member")
    return {flag: getattr(row, flag) for flag in of_row} | {"is_member": row.person.is_member}


def correction_write(
    row: Registration,
    said: Mapping[str, str],
    known: Mapping[str, str] | None,
    flags: Mapping[str, bool],
) -> None:
    """Write the data of a registration, and of its person where something is known anew."""
    own = {field: said[field] for field in (*PERSONAL, "remark")}
    flags_of_row = {flag: value for flag, value in flags.items() if flag != "is_member"}
    Registration.objects.filter(pk=row.pk).update(**own, **flags_of_row)
    if known is not None:
        row.person.is_member = flags.get("is_member", row.person.is_member)
        person_write(row.person, **{field: known[field] for field in PERSONAL})


ENTRY_CHECKED_IN = Kind(
    "entry.checked_in", lazy("Eingecheckt: %(name)s"), Group.PEOPLE, opens_tables=True
)


@service(ENTRY_CHECKED_IN, Permission.CHECK_IN, Topic.REGISTRATIONS, Topic.ENTRIES, Topic.TABLES)
def entry_check_in(change: Change, *, registration: Registration) -> None:
    """Check a person in: one entry, one starting stack and, in a rolling draw, a drawn seat."""
    event = change.event
    row = live_registration(change, registration)
    reason = obstacle_to_check_in(event, row, change)
    if reason:
        raise Refused(reason, code="cannot_check_in")
    entry = entry_make(change, row)
    change.tell(name=row.person.name)
    if seats_are_drawn_singly(event):
        seat_by_draw(change, entry)


def obstacle_to_check_in(event: Event, registration: Registration, change: Change) -> str | None:
    """Return why this person cannot be checked in now, or None."""
    if registration.entries.live().exists():
        return _("Schon eingecheckt.")
    if waiting_of(registration) is not None:
        return _("Steht auf der Warteliste und hat noch keinen Platz.")
    may_overrule = change.by.role in (Role.DIRECTOR, Role.SYSTEM)
    if event.has_started and not may_overrule and not event_accepts_late(event, change.at):
        return _("Die späte Anmeldung ist vorbei. Eine Ausnahme macht die Turnierleitung.")
    return None


def entry_make(change: Change, registration: Registration) -> Entry:
    """Create the entry and bring its starting stack into play."""
    event = change.event
    last = Entry.objects.filter(event=event).order_by("-number").values_list("number", flat=True)
    entry = Entry.objects.create(
        event=event,
        registration=registration,
        number=(last.first() or 0) + 1,
        entered_at=change.at,
        made_by=change.action,
    )
    ChipMovement.objects.create(
        event=event,
        entry=entry,
        reason=ChipMovement.Reason.STARTING_STACK,
        amount=event.starting_stack,
        made_by=change.action,
    )
    change.record(entry=entry.pk, registration=registration.pk, chips=event.starting_stack)
    return entry


def refuse_if_closed(event: Event, by: Actor, at: datetime) -> None:
    """Refuse who registers himself when that is not open.

    :raises Refused: With the reason.
    """
    refuse_names(event)
    if by.role in STAFF_ROLES:
        return
    if not event.is_registration_open:
        raise Refused(_("Die Anmeldung ist geschlossen."), code="closed")
    if event.has_started and not event_accepts_late(event, at):
        raise Refused(_("Das Turnier läuft schon, die Anmeldung ist vorbei."), code="closed")


def live_registration(change: Change, registration: Registration) -> Registration:
    row = (
        Registration.objects.live()
        .select_related("person")
        .filter(event=change.event, pk=registration.pk)
        .first()
    )
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    return row


@undoes(REGISTRATION_CORRECTED)
def _undo_correction(change: Change, action: Action) -> None:
    row = Registration.objects.select_related("person").get(pk=action.payload["registration"])
    texts, numbers = action.text.data, action.payload
    said = {field: texts.get(f"{field}_said_before", "") for field in PERSONAL}
    said["remark"] = texts.get("remark_before", "")
    known = {field: texts.get(f"{field}_before", "") for field in PERSONAL}
    flags = {
        flag: numbers[f"{flag}_before"]
        for flag in correction_flags(row)
        if f"{flag}_before" in numbers
    }
    correction_write(row, said, known if known["name"] else None, flags)
    owners = Registration.objects.filter(pk__in=numbers.get("disowned", ()), person=row.person_id)
    owners.update(owns_person=True)
