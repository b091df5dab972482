"""From "I'm coming" to the stack: registration, its withdrawal, check-in."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from tournaments.access import Permission, Role
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused
from tournaments.domain.naming import clean_name, normal_name, sort_key
from tournaments.models import ChipMovement, Entry, Event, Person, Registration
from tournaments.selectors.event import event_accepts_late, registrations_live_count
from tournaments.services.counts import refuse_names
from tournaments.services.seats import seat_by_draw, seats_are_drawn_singly

TOPICS = ("registrations",)
# What the column holds; the validator of addresses lets longer ones pass.
_FITS = MaxLengthValidator(254)
STAFF_ROLES = (Role.DIRECTOR, Role.DESK, Role.SYSTEM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """What somebody typed about himself, or a row of a file."""

    name: str
    email: str = ""
    is_listed: bool = True


@service("registration.created", Permission.REGISTER, topics=TOPICS, running=True)
def registration_create(
    change: Change,
    *,
    name: str,
    email: str = "",
    is_listed: bool = True,
    is_namesake: bool = False,
) -> None:
    """Register a person. A known person of that name is taken again, unless it is a namesake."""
    _refuse_if_closed(change)
    if registrations_live_count(change.event) >= change.event.capacity:
        raise Refused(_("Das Turnier ist ausgebucht."), code="full")
    newcomer = Newcomer(name=name, email=email, is_listed=is_listed)
    (registration,) = _register(change, [newcomer], is_namesake=is_namesake)
    change.record(registration=registration.pk, person=registration.person_id)
    change.tell(name=registration.person.name)


@service("registration.imported", Permission.CHECK_IN, topics=TOPICS, running=True)
def registrations_import(change: Change, *, people: Iterable[dict[str, object]]) -> None:
    """Register many at once, from a file whose rows were looked at before. All or none."""
    refuse_names(change.event)
    room = change.event.capacity - registrations_live_count(change.event)
    rows = [Newcomer(**person) for person in people]  # type: ignore[arg-type]
    if len(rows) > room:
        raise Refused(
            _("Es sind nur noch %(room)d Plätze frei, die Liste hat %(rows)d Zeilen.")
            % {"room": room, "rows": len(rows)},
            code="full",
        )
    if not rows:
        raise Refused(_("Die Liste enthält niemanden, der angemeldet werden kann."), code="empty")
    made = _register(change, rows, is_namesake=False)
    change.record(registrations=[registration.pk for registration in made])
    change.tell(count=len(made))


@service("registration.withdrawn", Permission.WITHDRAW, topics=TOPICS, running=True)
def registration_withdraw(change: Change, *, registration: Registration) -> None:
    row = _live_registration(change, registration)
    if change.by.role == Role.PLAYER and change.by.registration_id != row.pk:
        raise Refused(_("Das ist nicht deine Anmeldung."), code="not_yours")
    if row.entries.live().exists():
        raise Refused(_("Schon eingecheckt. Abmelden kann jetzt nur noch die Turnierleitung, "
                        "indem sie das Einchecken zurücknimmt."), code="checked_in")  # fmt: skip
    Registration.objects.filter(pk=row.pk).update(voided_by=change.action)
    change.record(registration=row.pk)
    change.tell(name=row.person.name)


@service("registration.corrected", Permission.CHECK_IN, topics=(*TOPICS, "tables"))
def registration_correct(
    change: Change,
    *,
    registration: Registration,
    name: str,
    email: str = "",
    is_listed: bool | None = None,
) -> None:
    """Correct a person's data: what the entrant confirms at the desk. None leaves `is_listed`."""
    row = _live_registration(change, registration)
    person = row.person
    cleaned, address = _clean(Newcomer(name=name, email=email))
    listed = row.is_listed if is_listed is None else is_listed
    if (person.name, person.email, row.is_listed) == (cleaned, address, listed):
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    change.record(registration=row.pk, person=person.pk)
    change.tell(
        name_before=person.name, email_before=person.email, name=cleaned, email_after=address
    )
    person_write(person, cleaned, address)
    if listed != row.is_listed:
        change.record(listed_before=row.is_listed)
        Registration.objects.filter(pk=row.pk).update(is_listed=listed)


@service(
    "entry.checked_in", Permission.CHECK_IN, topics=(*TOPICS, "entries", "tables"), running=True
)
def entry_check_in(change: Change, *, registration: Registration) -> None:
    """Check a person in: one entry, one starting stack and, in a rolling draw, a drawn seat."""
    event = change.event
    row = _live_registration(change, registration)
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


def _refuse_if_closed(change: Change) -> None:
    event, by = change.event, change.by
    refuse_names(event)
    if by.role in STAFF_ROLES:
        return
    if not event.is_registration_open:
        raise Refused(_("Die Anmeldung ist geschlossen."), code="closed")
    if event.has_started and not event_accepts_late(event, change.at):
        raise Refused(_("Das Turnier läuft schon, die Anmeldung ist vorbei."), code="closed")


def _live_registration(change: Change, registration: Registration) -> Registration:
    row = (
        Registration.objects.live()
        .select_related("person")
        .filter(event=change.event, pk=registration.pk)
        .first()
    )
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    return row


def _clean(newcomer: Newcomer) -> tuple[str, str]:
    try:
        name = clean_name(newcomer.name)
    except ValueError as problem:
        sentences = {
            "empty": _("Bitte einen Namen angeben."),
            "too_long": _("Der Name ist zu lang: höchstens 200 Zeichen."),
        }
        raise Refused(sentences[str(problem)], code="bad_name") from problem
    email = newcomer.email.strip()
    if email:
        try:
            validate_email(email)
            _FITS(email)
        except ValidationError as problem:
            raise Refused(_("Das ist keine E-Mail-Adresse."), code="bad_email") from problem
    return name, email


def _register(
    change: Change, newcomers: Sequence[Newcomer], *, is_namesake: bool
) -> list[Registration]:
    """Register people in a fixed number of statements, because a list may hold ten thousand."""
    cleaned = [_clean(newcomer) for newcomer in newcomers]
    known = {} if is_namesake else _known_people(change, [name for name, _email in cleaned])
    people = [_person_for(change, name, email, known) for name, email in cleaned]
    _refuse_if_doubled(change, people)
    Person.objects.bulk_create([person for person in people if person.pk is None])
    return Registration.objects.bulk_create(
        Registration(
            event=change.event,
            person=person,
            is_listed=newcomer.is_listed,
            link_token=secrets.token_urlsafe(18),
            registered_at=change.at,
            made_by=change.action,
        )
        for newcomer, person in zip(newcomers, people, strict=True)
    )


def _known_people(change: Change, names: Iterable[str]) -> dict[str, list[Person]]:
    known: dict[str, list[Person]] = defaultdict(list)
    wanted = {normal_name(name) for name in names}
    rows = Person.objects.filter(club=change.club, plain_name__in=wanted)
    # Invented people are never taken for real ones, nor the other way round.
    samples = Registration.objects.filter(person=OuterRef("pk"), event__is_sample=True)
    if change.event.is_sample:
        rows = rows.filter(Exists(samples.filter(event=change.event)))
    else:
        rows = rows.exclude(Exists(samples))
    for person in rows.order_by("pk"):
        known[person.plain_name].append(person)
    return known


def _person_for(change: Change, name: str, email: str, known: dict[str, list[Person]]) -> Person:
    """Return the known person of that name, an address not speaking against it, or a new one."""
    namesakes = known.get(normal_name(name), [])
    for person in namesakes:
        if not email or person.email in ("", email):
            if email and not person.email and person.pk:
                person_write(person, person.name, email)
            return person
    person = Person(club=change.club)
    _describe_person(person, name, email)
    known.setdefault(person.plain_name, []).append(person)
    return person


def _refuse_if_doubled(change: Change, people: Sequence[Person]) -> None:
    """Refuse when somebody is registered already, or stands in the list twice."""
    ids = [person.pk for person in people if person.pk is not None]
    rows = Registration.objects.live().filter(event=change.event, person__in=ids)
    taken = set(rows.values_list("person", flat=True))
    seen: set[int] = set()
    for person in people:
        if person.pk in taken or id(person) in seen:
            raise Refused(
                _("%(name)s ist schon angemeldet.") % {"name": person.name}, code="duplicate"
            )
        seen.add(id(person))


def person_write(person: Person, name: str, email: str) -> None:
    """Write a person's data with the two derived names that searching and ordering need."""
    _describe_person(person, name, email)
    person.save()


def _describe_person(person: Person, name: str, email: str) -> None:
    person.name, person.email = name, email
    person.sort_name, person.plain_name = sort_key(name), normal_name(name)
