"""A person's data and their places, to show and erase them. Reads only."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from krru.background.mailing import sends_mail
from tournaments.models import Action, Club, Entry, Person, PersonMerge, Registration

# The keys of people in a log entry's payload. The plural ones hold lists, or only a count.
REGISTRATIONS = ("registration", "registrations", "offered", "moved_up")
PEOPLE = ("person", "people", "kept", "gone")
ENTRIES = ("entry", "entries")
NAMES = ("name", "name_before", "name_said_before")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """All rows of one person: own rows, merged ones, and their dependents."""

    club: int
    people: frozenset[int]
    registrations: frozenset[int]
    entries: frozenset[int]
    events: frozenset[int]


def traces_of(person: Person) -> Traces:
    people = {person.pk}
    # Merged rows are erased too.
    while more := set(
        PersonMerge.objects.live().filter(kept__in=people).values_list("gone", flat=True)
    ).difference(people):
        people |= more
    rows = Registration.objects.filter(person__in=people).values_list("pk", "event_id")
    registrations = {pk for pk, _event in rows}
    entries = Entry.objects.filter(registration__in=registrations).values_list("pk", flat=True)
    return Traces(
        club=person.club_id,
        people=frozenset(people),
        registrations=frozenset(registrations),
        entries=frozenset(entries),
        events=frozenset(event for _pk, event in rows),
    )


def actions_with_texts(traces: Traces) -> Iterator[tuple[Action, bool]]:
    """Return the log entries whose texts may name the person, and whether each is about them."""
    rows = Action.objects.filter(Q(event__in=traces.events) | Q(event=None, club=traces.club))
    return with_own(rows, traces)


def with_own(rows: QuerySet[Action], traces: Traces) -> Iterator[tuple[Action, bool]]:
    """Yield log entries with texts, and whether each, or what it undoes, is about the person."""
    own: set[int] = set()
    known = ((traces.people, PEOPLE), (traces.registrations, REGISTRATIONS),
             (traces.entries, ENTRIES))  # fmt: skip
    rows = rows.select_related("text", "undoes__text").order_by("pk")
    for row in rows.iterator(chunk_size=2000):
        is_named = any(ids & _ids(row.payload, keys) for ids, keys in known)
        is_own = is_named or row.undoes_id in own
        if is_own:
            own.add(row.pk)
        if hasattr(row, "text"):
            yield row, is_own


def names_of(traces: Traces) -> set[str]:
    names = set(Person.objects.filter(pk__in=traces.people).values_list("name", flat=True))
    rows = Registration.objects.filter(pk__in=traces.registrations)
    names |= set(rows.values_list("name", flat=True))
    for row, is_own in actions_with_texts(traces):
        if is_own and row.kind.startswith("registration.") and "registration" in row.payload:
            names |= {row.text.data.get(key, "") for key in NAMES}
    return names - {""}


def _ids(payload: dict[str, Any], keys: Iterable[str]) -> set[int]:
    found: set[int] = set()
    for key in keys:
        value = payload.get(key)
        is_plural = key not in ("registration", "person", "entry", "kept", "gone")
        if isinstance(value, list):
            found |= {item for item in value if isinstance(item, int)}
        elif isinstance(value, int) and not is_plural:
            found.add(value)
    return found


def is_of_one(payload: dict[str, Any]) -> bool:
    """Tell whether a log entry is about one person only, as needed for an export."""
    named = (_ids(payload, keys) for keys in (REGISTRATIONS, PEOPLE, ENTRIES))
    return all(len(ids) <= 1 for ids in named)


def may_erase(registration: Registration) -> bool:
    """Tell whether this is the only registration of the person: then its link may erase all."""
    person = registration.person
    if not registration.made_person or not registration.owns_person or person.is_member:
        return False
    others = Registration.objects.filter(person=person).exclude(pk=registration.pk)
    return not others.exists() and not PersonMerge.objects.live().filter(kept=person).exists()


def contacts_due(club: Club, now: datetime) -> QuerySet[Person]:
    """Return people whose addresses are past the club's limit; none without a limit.

    Counted from the planned start of the last event with a registration.
    """
    rows = Person.objects.filter(club=club)
    if not club.erase_contacts_days:
        return rows.none()
    limit = now - timedelta(days=club.erase_contacts_days)
    later = Registration.objects.filter(event__starts_at__gt=limit)
    kept = PersonMerge.objects.live().filter(gone=OuterRef("pk"))
    kept_later = kept.filter(Exists(later.filter(person=OuterRef("kept"))))
    told = Registration.objects.filter(person=OuterRef("pk"))
    told = told.exclude(remark="", email="", phone="")
    has_something = ~Q(email="") | ~Q(phone="") | Q(Exists(told))
    return rows.filter(
        has_something,
        ~Exists(later.filter(person=OuterRef("pk"))),
        ~Exists(kept_later),
    )


# --- The program's data about people: purpose, readers and retention, by the present settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    what: str
    why: str
    seen_by: str
    how_long: str


def storage_facts(club: Club, *, mails_kept_days: int) -> list[Kept]:
    """Return the lines of the public page, from the present settings."""
    staff, days = _("Turnierleitung und Anmeldung."), club.erase_contacts_days
    in_the_hall = _("Alle im Saal, auf den Leinwänden wie auf der Turnierseite.")
    if club.has_hall_names:
        in_the_hall = _("Alle im Saal, auf den Leinwänden als Vorname und Anfangsbuchstabe.")
    contacts = _("Bis du es löschst oder löschen lässt, auch für das nächste Mal.")
    remarks = _("Bis du es löschst oder löschen lässt.")
    if days:
        contacts = ngettext(
            "Einen Tag nach deinem letzten Turnier wird es von selbst gelöscht.",
            "%(days)d Tage nach deinem letzten Turnier wird es von selbst gelöscht.",
            days,
        ) % {"days": days}
        remarks = _("Die Bemerkung so lange wie E-Mail und Telefon, das andere bis du es löschst.")
    mail_seen_by = _("Zurzeit verschickt dieser Verein keine Mails.")
    if sends_mail():
        mail_seen_by = _("Du, und auf dem Weg zu dir der Mailanbieter des Vereins und deiner.")
    mail_days = ngettext("%(days)d Tag.", "%(days)d Tage.", mails_kept_days)
    return [
        *_given_by_you(staff, in_the_hall, contacts, remarks),
        *_made_on_the_evening(mail_seen_by, mail_days % {"days": mails_kept_days}),
        *_kept_elsewhere(),
    ]


def _given_by_you(staff: str, in_the_hall: str, contacts: str, remarks: str) -> list[Kept]:
    return [
        Kept(
            what=_("Dein Name"),
            why=_("Für Liste, Platz und Ergebnis."),
            seen_by=in_the_hall + " " + _(
                "Auf der Turnierseite nur, wenn du zugestimmt hast; sonst stehen dort Initialen."
            ),
            how_long=_("Bis du es löschst oder löschen lässt."),
        ),
        Kept(
            what=_("E-Mail und Telefon, wenn du sie angibst"),
            why=_("Damit wir dich erreichen: Bestätigung, freier Platz, Absage."),
            seen_by=staff,
            how_long=contacts,
        ),
        Kept(
            what=_("Woher deine Anmeldung kam: eine Prüfsumme der Adresse deines Geräts, nicht "
                   "sie selbst"),
            why=_("Damit sich viele falsche Anmeldungen von einem Gerät auf einmal zurücknehmen "
                  "lassen."),
            seen_by=_("Niemand. Das Programm vergleicht nur, was gleich ist."),
            how_long=_("Bis das Turnier vorbei ist."),
        ),
        Kept(
            what=_("Deine Bemerkung, ob du Mitglied bist, ob du den Regeln zugestimmt hast"),
            why=_("Für die Planung des Abends."),
            seen_by=staff,
            how_long=remarks,
        ),
    ]  # fmt: skip


def _made_on_the_evening(mail_seen_by: str, mail_how_long: str) -> list[Kept]:
    return [
        Kept(
            what=_(
                "Was am Abend geschieht: Anmeldung, Ankunft, Plätze, Ausscheiden, Startgeld, "
                "Strafen"
            ),
            why=_("Damit Platz und Ergebnis stimmen und Irrtümer zurückgenommen werden können."),
            seen_by=_("Turnierleitung und Helfer im Protokoll, Plätze und Ergebnis alle."),
            how_long=_("Ohne Namen für immer, die Namen darin bis du sie löschst."),
        ),
        Kept(
            what=_("Dass dir eine Mail geschickt wurde"),
            why=_("Damit die Anmeldung merkt, wenn eine nicht ankommt."),
            seen_by=mail_seen_by,
            how_long=mail_how_long,
        ),
    ]


def _kept_elsewhere() -> list[Kept]:
    return [
        Kept(
            what=_("Wohin dir gemeldet wird, wenn du es einschaltest: dein Browser oder dein "
                   "Telegram-Chat, verschlüsselt"),
            why=_("Damit du Platz und Umzug auch bei gesperrtem Handy erfährst."),
            seen_by=_("Niemand im Verein. Telegram liest mit, was es zustellt; der Dienst deines "
                      "Browsers nicht."),
            how_long=_("Bis du es ausschaltest, höchstens zwei Wochen nach dem Turnier."),
        ),
        Kept(
            what=_("Zwei Cookies auf deinem Handy: Sprache und bis wohin du gelesen hast"),
            why=_("Nur damit die Seite so bleibt, wie du sie gelassen hast."),
            seen_by=_("Niemand sonst. Es gibt keine Werbung und keine fremden Dienste."),
            how_long=_("Rund ein Jahr, oder bis du sie löschst."),
        ),
        Kept(
            what=_("Sicherungen von alldem"),
            why=_("Damit der Abend weitergeht, wenn der Laptop ausfällt."),
            seen_by=_("Wer den Laptop oder den Stick des Vereins hat."),
            how_long=_("Die letzten zwei Wochen, in denen das Programm lief; danach wird die "
                       "Sicherung ersetzt."),
        ),
    ]  # fmt: skip
