"""Registration, single or from a list, and its withdrawal."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import STAFF, Actor, Permission, Role, allows
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic, former_kind
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.rates import member_pays_less, rate_write
from tournaments.door.services.waiting_list import admission_at, leave_the_line, place_or_wait
from tournaments.event.domain.prices import rate_for
from tournaments.event.selectors.event import event_accepts_late, is_only_practice
from tournaments.event.services.counts import refuse_names
from tournaments.models import Action, Event, Registration
from tournaments.money.services.fees import payments_even
from tournaments.people.selectors.people import contact_of, double_of, is_sure
from tournaments.people.services.people import (
    PERSONAL,
    Newcomer,
    clean,
    disown,
    note_names,
    person_write,
    register,
    salted,
)
from tournaments.post.domain.mail import MailKind
from tournaments.post.services.mail import mail_write

# Up to 0.2.0 all registrations of one device could be undone at once.
former_kind(
    "registrations.cleared",
    lazy("%(count)s Anmeldungen von einem Gerät oder Anschluss zurückgenommen"),
)

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
    is_cash_guest: bool = False,
    agrees_to_rules: bool = False,
    is_namesake: bool = False,
    is_somebody_else: bool = False,
    language: str = "",
    person: int | None = None,
) -> None:
    """Register a person: with a place if one is free, else at the end of the waiting list.

    A known person with that name is reused, unless it is a namesake. A visitor learns nothing about
    known persons. Only the director gives a reserved place.

    :param is_cash_guest: Whether the person plays only at cash tables, without fee and place.
    :param is_namesake: Whether this is another person with the same name.
    :param is_somebody_else: Whether this is another person with a similar name.
    :param person: A known person chosen by staff; the name is passed as well.
    """
    _refuse_place(change, is_reserved=is_reserved, is_cash_guest=is_cash_guest)
    _refuse_double(change, name, is_namesake=is_namesake, is_somebody_else=is_somebody_else)
    newcomer = Newcomer(
        name=name,
        email=email,
        phone=phone,
        remark=remark,
        is_listed=is_listed,
        is_member=is_member,
        is_reserved=is_reserved,
        is_cash_guest=is_cash_guest,
        agrees_to_rules=agrees_to_rules,
        language=language,
        person=person,
    )
    door = admission_at(change.event, change.at)
    made = register(change, [newcomer], by_staff=change.by.role in STAFF, is_namesake=is_namesake)
    if change.event.fee_rates:
        _give_rates(change.event, made)
    waits = {"waits": True} if place_or_wait(change, made, door) else {}
    change.record(registration=made[0].pk, person=made[0].person_id, **waits)
    change.tell(name=made[0].person.name)
    mail_write(change, MailKind.REGISTERED, made)


def _refuse_place(change: Change, *, is_reserved: bool, is_cash_guest: bool) -> None:
    """Refuse who comes too late, a guest without a cash game, or a reserved place without one."""
    refuse_if_closed(change.event, change.by, change.at)
    if is_cash_guest:
        _refuse_without_cash(change.event)
    elif is_reserved and not allows(change.by, Permission.MANAGE):
        raise Refused(_("Zurückgehaltene Plätze vergibt die Turnierleitung."), code="not_allowed")
    elif is_reserved and not capacity_of(change.event).free_reserved:
        raise Refused(_("Es ist kein zurückgehaltener Platz mehr frei."), code="none_reserved")


def _give_rates(event: Event, made: Iterable[Registration]) -> None:
    """Give new registrations the price that is theirs by who they are."""
    for is_member in (False, True):
        rate = rate_for(event.fee_rates, is_member=is_member, is_late=event.has_started)
        theirs = [row.pk for row in made if row.person.is_member is is_member]
        Registration.objects.filter(pk__in=theirs).update(rate=rate)


def _refuse_double(change: Change, name: str, *, is_namesake: bool, is_somebody_else: bool) -> None:
    """Refuse a visitor who may be registered already, until told it is another person."""
    if is_namesake or change.by.role != Role.VISITOR:
        return
    double = double_of(change.event, name)
    if double is None or (is_somebody_else and not double.is_same_name):
        return
    code = "duplicate" if double.is_same_name else "double"
    raise Refused(_("%(name)s ist schon angemeldet.") % {"name": double.name}, code=code)


REGISTRATION_IMPORTED = Kind(
    "registration.imported",
    lazy("Als Liste angemeldet: %(count)s"),
    Group.PEOPLE,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATION_IMPORTED, Permission.CHECK_IN, Topic.REGISTRATIONS)
def registrations_import(change: Change, *, people: Iterable[Mapping[str, object]]) -> None:
    """Register all people of a file that was previewed, or none.

    Without a free place they go on the waiting list, in the order of the file.
    """
    refuse_names(change.event)
    rows = [Newcomer(**person) for person in people]  # type: ignore[arg-type]
    if not rows:
        raise Refused(_("Die Liste enthält niemanden, der angemeldet werden kann."), code="empty")
    door = admission_at(change.event, change.at)
    made = register(change, rows, by_staff=True)
    if change.event.fee_rates:
        _give_rates(change.event, made)
    waiting = place_or_wait(change, made, door)
    change.record(registrations=[registration.pk for registration in made])
    if waiting:
        change.record(waits=waiting)
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
    """Withdraw a registration; its place goes to the next on the waiting list."""
    row = live_registration(change, registration)
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt. Abmelden kann jetzt nur noch die Turnierleitung, "
                        "indem sie das Einchecken zurücknimmt."), code="checked_in")  # fmt: skip
    Registration.objects.filter(pk=row.pk).update(voided_by=change.action)
    leave_the_line(change, row)


CASH_GUEST_SET = Kind(
    "registration.cash_guest_set",
    lazy("Spielt nur Cash: %(name)s"),
    Group.PEOPLE,
    outcomes={"plays": lazy("Spielt im Turnier mit: %(name)s")},
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(CASH_GUEST_SET, Permission.CHECK_IN, Topic.REGISTRATIONS)
def cash_guest_set(change: Change, *, registration: Registration, is_cash_guest: bool) -> None:
    """Set whether a person plays only at cash tables, or (placed or waiting) in the tournament.

    What a guest has paid for the entry is due back.
    """
    row = live_registration(change, registration)
    if row.is_cash_guest == is_cash_guest:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    if is_cash_guest:
        _refuse_without_cash(change.event)
        _refuse_checked_in(row)
        leave_the_line(change, row)
    else:
        row.is_cash_guest = False
        place_or_wait(change, [row], admission_at(change.event, change.at))
        change.record(outcome="plays")
    _set_cash_guest(change, row, is_cash_guest)


def _refuse_without_cash(event: Event) -> None:
    if not event.has_both:
        raise Refused(_("Nur Cash gibt es neben einem Turnier mit Cash Game."), code="no_cash_game")


def _refuse_checked_in(row: Registration) -> None:
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt. Erst das Einchecken zurücknehmen."), code="checked_in")


def _set_cash_guest(change: Change, row: Registration, is_cash_guest: bool) -> None:
    Registration.objects.filter(pk=row.pk).update(is_cash_guest=is_cash_guest)
    payments_even(change, [row.pk])


@undoes(CASH_GUEST_SET)
def _undo_cash_guest(change: Change, action: Action) -> None:
    row = Registration.objects.get(pk=action.payload["registration"])
    if not row.is_cash_guest:
        _refuse_checked_in(row)
    _set_cash_guest(change, row, not row.is_cash_guest)


def refuse_if_closed(event: Event, by: Actor, at: datetime) -> None:
    """Refuse a registration by the player while registration is closed.

    :raises Refused: With the reason.
    """
    refuse_names(event)
    if allows(by, Permission.CHECK_IN):
        return
    if is_only_practice(event):
        raise Refused(_("Bei einem Beispiel meldet sich niemand an."), code="sample")
    if not event.is_registration_open:
        raise Refused(_("Die Anmeldung ist geschlossen."), code="closed")
    if event.has_started and not event_accepts_late(event, at):
        raise Refused(_("Das Turnier läuft schon, die Anmeldung ist vorbei."), code="closed")


def live_registration(change: Change, registration: Registration) -> Registration:
    """Return the row as it stands, and note it in the log.

    :raises Refused: If it is withdrawn, or another's than the player's.
    """
    row = (
        Registration.objects.live()
        .select_related("person")
        .filter(event=change.event, pk=registration.pk)
        .first()
    )
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    if change.by.role == Role.PLAYER and change.by.registration_id != row.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    change.record(registration=row.pk)
    change.tell(name=row.person.name)
    return row


# --- Corrections of a registration's data, by the desk or by the player


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
    change.record(
        person=row.person_id, **{f"{flag}_before": value for flag, value in changed.items()}
    )
    if "owns_person" in changed:
        change.record(disowned=disown([row.person]))
    change.tell(name=wanted.name, remark_before=row.remark)
    change.tell(**{f"{field}_said_before": getattr(row, field) for field in PERSONAL})
    if of_person:
        change.tell(**{f"{field}_before": getattr(row.person, field) for field in PERSONAL})
    correction_write(change, row, new, new if of_person else None, flags)
    if "is_member" in changed and flags["is_member"]:
        member_pays_less(change, row)


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
    if "is_rated" in numbers:
        rate_write(change, row, texts.get("rate_before", ""))
    owners = Registration.objects.filter(pk__in=numbers.get("disowned", ()), person=row.person_id)
    owners.update(owns_person=True)
