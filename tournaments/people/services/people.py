"""Write people: clean, match by name, register many at a time."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator, validate_email
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.models import Event, Person, Registration, link_columns
from tournaments.people.domain.naming import NAMES, clean_name, name_hash, normal_name, sort_key
from tournaments.people.selectors.people import Known, people_known, people_of

# --- Log hashes of names, which say nothing once the person's salt is erased

SALT_BYTES = 16


def note_names(
    change: Change, people: Iterable[Person] = (), registrations: Iterable[Registration] = ()
) -> None:
    """Log these names; a registration together with its person if the names are equal."""
    names = {(person.pk, 0): (person, person.name) for person in people}
    for row in registrations:
        if (row.person_id, 0) in names and row.name == row.person.name:
            del names[row.person_id, 0]
            names[row.person_id, row.pk] = row.person, row.name
        elif row.name:
            names[0, row.pk] = row.person, row.name
    # Without a salt (erased person), anyone could guess names.
    noted = [
        [*key, name_hash(person.name_salt, name)]
        for key, (person, name) in names.items()
        if person.name_salt
    ]
    if noted:
        change.record(**{NAMES: [*change.action.payload.get(NAMES, ()), *noted]})


def salted(people: Iterable[Person]) -> None:
    """Add a salt to people from before names were logged."""
    bare = [person for person in people if not person.name_salt and person.erased_at is None]
    for person in bare:
        person.name_salt = secrets.token_hex(SALT_BYTES)
    if bare:
        Person.objects.bulk_update(bare, ["name_salt"], batch_size=500)


LONGEST_REMARK = 300
# The column's length; the validator accepts longer addresses.
_FITS = MaxLengthValidator(254)
_IS_PHONE = RegexValidator(r"^\+?[0-9][0-9 /()-]{3,38}$")
PERSONAL = ("name", "email", "phone")
LEARNED = ("email", "phone", "is_member")
BAD_EMAIL = gettext_lazy("Das ist keine E-Mail-Adresse.")
BAD_PHONE = gettext_lazy("Das ist keine Telefonnummer.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A visitor's input, or a row of a file. None leaves the known value.

    `person`: a known person chosen by staff.
    """

    name: str
    person: int | None = None
    email: str = ""
    phone: str = ""
    remark: str = ""
    is_listed: bool = True
    is_member: bool | None = None
    is_reserved: bool = False
    is_cash_guest: bool = False
    agrees_to_rules: bool = False
    language: str = ""


def clean(newcomer: Newcomer) -> Newcomer:
    """Return the data for storage.

    :raises Refused: Naming what is no name, address or number.
    """
    try:
        name = clean_name(newcomer.name)
    except ValueError as problem:
        sentences = {
            "empty": _("Bitte einen Namen angeben."),
            "too_long": _("Der Name ist zu lang: höchstens 200 Zeichen."),
        }
        raise Refused(sentences[str(problem)], code="bad_name") from problem
    email, phone = newcomer.email.strip(), " ".join(newcomer.phone.split())
    remark = " ".join(newcomer.remark.split())
    _check(email, (validate_email, _FITS), BAD_EMAIL, "bad_email")
    _check(phone, (_IS_PHONE,), BAD_PHONE, "bad_phone")
    if len(remark) > LONGEST_REMARK:
        raise Refused(
            _("Die Bemerkung ist zu lang: höchstens %(most)d Zeichen.") % {"most": LONGEST_REMARK},
            code="bad_remark",
        )
    return replace(newcomer, name=name, email=email, phone=phone, remark=remark)


def _check(text: str, validators: Iterable[object], sentence: object, code: str) -> None:
    try:
        for validator in validators if text else ():
            validator(text)  # type: ignore[operator]
    except ValidationError as problem:
        raise Refused(str(sentence), code=code) from problem


def is_email(text: str) -> bool:
    return _fits(text, validate_email, _FITS)


def is_phone(text: str) -> bool:
    return _fits(" ".join(text.split()), _IS_PHONE)


def _fits(text: str, *validators: object) -> bool:
    try:
        _check(text, validators, "", "")
    except Refused:
        return False
    return True


def register(
    change: Change, newcomers: Sequence[Newcomer], *, by_staff: bool, is_namesake: bool = False
) -> list[Registration]:
    """Register people in a fixed number of statements, as a list may hold ten thousand.

    A visitor's input does not change a known person's data, and the link does not open them.

    :param is_namesake: Whether they are others than those the club knows by these names.
    :raises Refused: When one of them cannot be registered; then none is.
    """
    event, rows = change.event, [clean(newcomer) for newcomer in newcomers]
    known = {} if is_namesake else _known(event, rows)
    taken = _registered(event, [one.person.pk for ones in known.values() for one in ones])
    if not by_staff:
        known = _without_hidden(known, taken)
        rows = [replace(row, person=None) for row in rows]
    people, learned = _matched(event.club_id, rows, known, learns=by_staff)
    chosen = [row.person for row in rows if row.person is not None]
    _refuse_twice(people, {*taken, *_registered(event, chosen)})
    made = [person.pk is None for person in people]
    _write(people, learned)
    language = (get_language() or "de")[:2]
    registrations = Registration.objects.bulk_create(
        Registration(
            event=event,
            person=person,
            name=row.name,
            email=row.email,
            phone=row.phone,
            says_member=bool(row.is_member),
            made_person=is_made,
            owns_person=is_made or by_staff,
            is_listed=row.is_listed,
            is_reserved=row.is_reserved,
            is_cash_guest=row.is_cash_guest,
            agrees_to_rules=row.agrees_to_rules,
            remark=row.remark,
            language=row.language or language,
            **link_columns(secrets.token_urlsafe(18)),
            is_mail_proven=by_staff,
            registered_at=change.at,
            made_by=change.action,
        )
        for row, person, is_made in zip(rows, people, made, strict=True)
    )
    note_names(change, people, registrations)
    return registrations


def _known(event: Event, rows: Sequence[Newcomer]) -> dict[str, list[Known]]:
    sample = event if event.is_sample else None
    return people_known(event.club_id, [row.name for row in rows], sample=sample)


def _without_hidden(
    known: dict[str, list[Known]], taken: dict[int, bool]
) -> dict[str, list[Known]]:
    """Remove registered unlisted people: a refusal would reveal them to a stranger.

    The desk is told of two with the same name.
    """
    return {
        name: [one for one in ones if taken.get(one.person.pk, True)]
        for name, ones in known.items()
    }


def _refuse_twice(people: Sequence[Person], seen: set[int]) -> None:
    for person in people:
        if (person.pk or id(person)) in seen:
            reason = _("%(name)s ist schon angemeldet.") % {"name": person.name}
            raise Refused(reason, code="duplicate")
        seen.add(person.pk or id(person))


COPIED = (
    *("name", "email", "phone", "says_member", "owns_person", "is_listed", "agrees_to_rules"),
    *("language", "is_mail_proven"),
)


def register_again(change: Change, rows: Mapping[int, Registration]) -> list[Registration]:
    """Register people of other events by person, as they said there, with a link of its own."""
    people = Person.objects.in_bulk(list(rows))
    made = Registration.objects.bulk_create(
        Registration(
            event=change.event,
            person=people[person],
            **{name: getattr(row, name) for name in COPIED},
            **link_columns(secrets.token_urlsafe(18)),
            registered_at=change.at,
            made_by=change.action,
        )
        for person, row in rows.items()
    )
    note_names(change, people.values(), made)
    return made


def _registered(event: Event, people: Collection[int]) -> dict[int, bool]:
    if not people:
        return {}
    rows = Registration.objects.live().filter(event=event, person__in=people)
    return dict(rows.values_list("person", "is_listed"))


def people_taken(change: Change, cleaned: Sequence[Newcomer]) -> list[Person]:
    """Return the club's people for a list's rows, adding unknown ones."""
    known = people_known(change.club.pk, [row.name for row in cleaned])
    people, learned = _matched(change.club.pk, cleaned, known, learns=True)
    _write(people, learned)
    note_names(change, people)
    return people


def _matched(
    club: int, cleaned: Sequence[Newcomer], known: dict[str, list[Known]], *, learns: bool
) -> tuple[list[Person], list[Person]]:
    """Return the known or new person of each row, and the people with new data."""
    people: list[Person] = []
    learned: dict[int, Person] = {}
    wanted = [row.person for row in cleaned if row.person is not None]
    chosen = people_of(club).in_bulk(wanted) if wanted else {}
    for row in cleaned:
        if row.person is not None and row.person not in chosen:
            reason = _("%(name)s ist im Verein nicht mehr bekannt.") % {"name": row.name}
            raise Refused(reason, code="gone")
        person = chosen.get(row.person or 0) or _person_for(club, row, known)
        if learns and _learn(person, row) and person.pk is not None:
            learned[person.pk] = person
        people.append(person)
    return people, list(learned.values())


def _write(people: Sequence[Person], learned: Sequence[Person]) -> None:
    new = {id(person): person for person in people if person.pk is None}
    Person.objects.bulk_create(list(new.values()))
    if learned:
        # Existing rows: as an insert it costs a third of an update of many.
        Person.objects.bulk_create(
            learned, update_conflicts=True, unique_fields=["id"], update_fields=LEARNED
        )
        disown(learned)
    salted(people)


def disown(people: Iterable[Person]) -> list[int]:
    """Take ownership of these people from all registrations so far; return the affected ones.

    Staff add to a person's data, and another person may have typed the name.
    """
    rows = Registration.objects.filter(person__in=list(people), owns_person=True)
    owned = list(rows.order_by("pk").values_list("pk", flat=True))
    if owned:
        rows.update(owns_person=False)
    return owned


def _person_for(club: int, row: Newcomer, known: dict[str, list[Known]]) -> Person:
    """Return the known person of that name with a compatible address, or a new one."""
    plain = normal_name(row.name)
    of_name = known.setdefault(plain, [])
    for one in of_name:
        if one.may_have(row.email):
            return one.person
    person = Person(
        club_id=club,
        name_salt=secrets.token_hex(SALT_BYTES),
        name=row.name,
        sort_name=sort_key(row.name),
        plain_name=plain,
        email=row.email,
        phone=row.phone,
    )
    of_name.append(Known(person))
    return person


def _learn(person: Person, row: Newcomer) -> bool:
    news = [name for name in LEARNED if getattr(row, name) and not getattr(person, name)]
    for name in news:
        setattr(person, name, getattr(row, name))
    return bool(news)


def person_write(person: Person, *, name: str, email: str, phone: str) -> None:
    """Save a person's data with the two derived names for search and order."""
    person.name, person.email, person.phone = name, email, phone
    person.sort_name, person.plain_name = sort_key(name), normal_name(name)
    person.save()
