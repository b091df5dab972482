"""People as they are written: cleaned, recognised by name, registered many at a time."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator, validate_email
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.models import Club, Event, Person, Registration
from tournaments.people.domain.naming import clean_name, normal_name, sort_key
from tournaments.people.selectors.club_people import Known, people_known, people_named

LONGEST_REMARK = 300
# What the column holds; the validator of addresses lets longer ones pass.
_FITS = MaxLengthValidator(254)
_IS_PHONE = RegexValidator(r"^\+?[0-9][0-9 /()-]{3,38}$")
PERSONAL = ("name", "email", "phone")
LEARNED = ("email", "phone", "is_member")
BAD_EMAIL = gettext_lazy("Das ist keine E-Mail-Adresse.")
BAD_PHONE = gettext_lazy("Das ist keine Telefonnummer.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """What somebody typed about himself, or a row of a file. None leaves what is known."""

    name: str
    email: str = ""
    phone: str = ""
    remark: str = ""
    is_listed: bool = True
    is_member: bool | None = None
    is_reserved: bool = False
    agrees_to_rules: bool = False
    language: str = ""


def clean(newcomer: Newcomer) -> Newcomer:
    """Return the data as they are kept.

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


@dataclass(frozen=True, slots=True)
class Planned:
    """Whom a newcomer means: somebody known, of whom something may be learned, or a new person.

    `is_made`: the person is new. `owns`: the registration's link opens the person.
    """

    row: Newcomer
    person: Person
    is_learned: bool
    is_made: bool
    owns: bool


def planned(
    event: Event, newcomers: Sequence[Newcomer], namesakes: Sequence[bool], *, by_staff: bool
) -> list[Planned | Refused]:
    """Return for each newcomer who it is, or why he cannot be registered, in a few statements.

    Of what a visitor types nothing is learned about somebody known.
    """
    rows = [_cleaned(newcomer) for newcomer in newcomers]
    pairs = list(zip(rows, namesakes, strict=True))
    names = [row.name for row, is_other in pairs if isinstance(row, Newcomer) and not is_other]
    known = people_named(event, names) if names else {}
    found: list[Planned | Refused] = []
    for row, is_other in pairs:
        if isinstance(row, Refused):
            found.append(row)
        else:
            person = _person_for(event.club, row, {} if is_other else known)
            is_new = person.pk is None
            is_learned = by_staff and _learn(person, row) and not is_new
            found.append(Planned(row, person, is_learned, is_new, owns=is_new or by_staff))
    return _once_each(event, found)


def _cleaned(newcomer: Newcomer) -> Newcomer | Refused:
    try:
        return clean(newcomer)
    except Refused as refusal:
        return refusal


def _once_each(event: Event, found: Sequence[Planned | Refused]) -> list[Planned | Refused]:
    """Refuse who is registered already, or comes twice."""
    ids = [one.person.pk for one in found if isinstance(one, Planned) and one.person.pk]
    rows = Registration.objects.live().filter(event=event, person__in=ids) if ids else None
    taken = set(rows.values_list("person", flat=True)) if rows is not None else set()
    seen: set[int] = set()
    checked: list[Planned | Refused] = []
    for one in found:
        if isinstance(one, Planned) and (one.person.pk in taken or id(one.person) in seen):
            said = _("%(name)s ist schon angemeldet.") % {"name": one.person.name}
            checked.append(Refused(said, code="duplicate"))
        else:
            checked.append(one)
            if isinstance(one, Planned):
                seen.add(id(one.person))
    return checked


def registrations_write(changes: Sequence[Change], plans: Sequence[Planned]) -> list[Registration]:
    """Write people and their registrations, each made by its change, in a few statements."""
    learned = {id(plan.person): plan.person for plan in plans if plan.is_learned}
    _write([plan.person for plan in plans], list(learned.values()))
    language = (get_language() or "de")[:2]
    return Registration.objects.bulk_create(
        Registration(
            event=change.event,
            person=plan.person,
            name=plan.row.name,
            email=plan.row.email,
            phone=plan.row.phone,
            says_member=bool(plan.row.is_member),
            made_person=plan.is_made,
            owns_person=plan.owns,
            is_listed=plan.row.is_listed,
            is_reserved=plan.row.is_reserved,
            agrees_to_rules=plan.row.agrees_to_rules,
            remark=plan.row.remark,
            language=plan.row.language or language,
            link_token=secrets.token_urlsafe(18),
            registered_at=change.at,
            made_by=change.action,
        )
        for change, plan in zip(changes, plans, strict=True)
    )


def register(change: Change, newcomers: Sequence[Newcomer]) -> list[Registration]:
    """Register people in a fixed number of statements, because a list may hold ten thousand.

    :raises Refused: When one of them cannot be registered; then none is.
    """
    plans: list[Planned] = []
    for plan in planned(change.event, newcomers, [False] * len(newcomers), by_staff=True):
        if isinstance(plan, Refused):
            raise plan
        plans.append(plan)
    return registrations_write([change] * len(plans), plans)


def people_taken(club: Club, cleaned: Sequence[Newcomer]) -> list[Person]:
    """Return the club's people for the rows of a list, those it does not know made anew."""
    known = people_known(club, [row.name for row in cleaned])
    people, learned = _matched(club, cleaned, known)
    _write(people, learned)
    return people


def _matched(
    club: Club, cleaned: Sequence[Newcomer], known: dict[str, list[Known]]
) -> tuple[list[Person], list[Person]]:
    """Return whom each row means, known or new, and of whom something was learned."""
    people: list[Person] = []
    learned: dict[int, Person] = {}
    for row in cleaned:
        person = _person_for(club, row, known)
        if _learn(person, row) and person.pk is not None:
            learned[person.pk] = person
        people.append(person)
    return people, list(learned.values())


def _write(people: Sequence[Person], learned: Sequence[Person]) -> None:
    new = {id(person): person for person in people if person.pk is None}
    Person.objects.bulk_create(list(new.values()))
    # Rows that are there already: as an insert it costs a third of what an update of many costs.
    Person.objects.bulk_create(
        learned, update_conflicts=True, unique_fields=["id"], update_fields=LEARNED
    )
    disown(learned)


def disown(people: Iterable[Person]) -> list[int]:
    """Let no registration so far open these people, and return which did.

    Staff add to what is known of a person, who may be another than the one who typed the name.
    """
    rows = Registration.objects.filter(person__in=list(people), owns_person=True)
    owned = list(rows.order_by("pk").values_list("pk", flat=True))
    if owned:
        rows.update(owns_person=False)
    return owned


def _person_for(club: Club, row: Newcomer, known: dict[str, list[Known]]) -> Person:
    """Return the known person of that name, an address not speaking against it, or a new one."""
    of_name = known.setdefault(normal_name(row.name), [])
    for one in of_name:
        if one.may_have(row.email):
            return one.person
    person = Person(club=club)
    _describe(person, name=row.name, email=row.email, phone=row.phone)
    of_name.append(Known(person))
    return person


def _learn(person: Person, row: Newcomer) -> bool:
    """Fill in what was not known of a person, and tell whether there was something.

    Nothing that was known is overwritten.
    """
    news = {
        field: value
        for field, value in (
            ("email", row.email),
            ("phone", row.phone),
            ("is_member", bool(row.is_member)),
        )
        if value and not getattr(person, field)
    }
    for field, value in news.items():
        setattr(person, field, value)
    return bool(news)


def person_write(person: Person, *, name: str, email: str, phone: str) -> None:
    """Write a person's data with the two derived names that searching and ordering need."""
    _describe(person, name=name, email=email, phone=phone)
    person.save()


def _describe(person: Person, *, name: str, email: str, phone: str) -> None:
    person.name, person.email, person.phone = name, email, phone
    person.sort_name, person.plain_name = sort_key(name), normal_name(name)
