"""Erase people on request, and addresses after the club's limit.

There is no undo. The log keeps its entries, as its chain holds no names; the results keep their
places.
"""

from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.data.sql import leave_no_copy
from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, holds, kind_names, kind_of
from tournaments.models import (
    Action,
    ActionText,
    Event,
    EventHead,
    Listener,
    Mail,
    Person,
    ProfileConsent,
    Registration,
)
from tournaments.people.domain.naming import ERASED, initials, list_without, text_without
from tournaments.people.services.people import person_write
from tournaments.privacy.selectors.privacy import (
    Traces,
    actions_with_texts,
    contacts_due,
    may_erase,
    names_of,
    traces_of,
)

LONGEST_DAYS = 3650
# Rows per statement, within the limits of databases.
CHUNK = 500


PERSON_ERASED = Kind("person.erased", lazy("Daten einer Person gelöscht"), Group.CLUB)


@club_service(PERSON_ERASED, Permission.CORRECT)
def person_erase(change: Change, *, person: Person, keeps_initials: bool = False) -> None:
    """Erase a person's name, address, phone, remarks and texts in the log, everywhere."""
    # Block registrations, seats and names meanwhile. Events first, as a registration locks them.
    EventHead.objects.lock_all(change.club)
    row = Person.objects.select_for_update().filter(club=change.club, pk=person.pk).first()
    if row is None:
        raise Refused(_("Diese Person gibt es nicht."), code="gone")
    if row.erased_at is not None:
        raise Refused(_("Diese Daten sind schon gelöscht."), code="erased")
    _refuse_if_not_his(change, row)
    traces = traces_of(row)
    _refuse_if_needed(traces)
    instead = (initials(row.name) if keeps_initials else "") or ERASED
    _blank_texts(traces, instead)
    Registration.objects.filter(pk__in=traces.registrations).update(
        name=instead,
        email="",
        phone="",
        says_member=False,
        remark="",
        is_listed=True,
    )
    Mail.objects.filter(registration__in=traces.registrations).delete()
    Listener.objects.filter(registration__in=traces.registrations).delete()
    ProfileConsent.objects.live().filter(person__in=traces.people).update(voided_by=change.action)
    for each in Person.objects.filter(pk__in=traces.people):
        each.erased_at, each.is_member, each.name_salt = change.at, False, ""
        person_write(each, name=instead, email="", phone="")
    change.record(erased=sorted(traces.people))
    change.record(person=row.pk, initials=keeps_initials, registrations=len(traces.registrations))
    transaction.on_commit(leave_no_copy)


def _refuse_if_not_his(change: Change, person: Person) -> None:
    if change.by.role != Role.PLAYER:
        return
    rows = Registration.objects.select_related("made_by").filter(pk=change.by.registration_id or 0)
    own = rows.filter(person=person).first()
    if own is None:
        raise Refused(_("Das sind nicht deine Daten."), code="not_yours")
    if not may_erase(own):
        raise Refused(
            _("Zu deinem Namen gibt es noch andere Daten. Damit niemand die eines anderen löscht, "
              "macht das die Turnierleitung für dich."),
            code="not_sure",
        )  # fmt: skip


def _refuse_if_needed(traces: Traces) -> None:
    live = Registration.objects.live().filter(event=OuterRef("pk"), pk__in=traces.registrations)
    rows = Event.objects.open().filter(Exists(live))
    event = rows.order_by(F("head__started_by").asc(nulls_last=True), "pk").first()
    if event is None:
        return
    if event.has_started:
        text = _("„%(event)s“ läuft noch. Nach dem Ende lassen sich die Daten löschen.")
    else:
        text = _("Die Anmeldung für „%(event)s“ gilt noch. Erst abmelden, dann lassen sich die "
                 "Daten löschen.")  # fmt: skip
    code = "running" if event.has_started else "registered"
    raise Refused(text % {"event": event.name}, code=code)


def _blank_texts(traces: Traces, instead: str) -> None:
    names = names_of(traces)
    changed: list[ActionText] = []
    for action, is_own in actions_with_texts(traces):
        before = action.text.data
        after = _own_text(before, names, instead) if is_own else _other(before, names, instead)
        if after != before:
            action.text.data = after
            changed.append(action.text)
    ActionText.objects.bulk_update(changed, ["data"], batch_size=CHUNK)


def _own_text(data: dict[str, Any], names: set[str], instead: str) -> dict[str, Any]:
    """Keep only others' names and impersonal parts of a text about the person."""
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if holds(key) is Holds.NAMES:
            kept[key] = list_without(str(value), names, instead)
        elif key == "text":
            kept[key] = instead
        elif holds(key) in (Holds.NOTHING, Holds.DISCREET):
            kept[key] = value
    return kept


def _other(data: dict[str, Any], names: set[str], instead: str) -> dict[str, Any]:
    clean = {Holds.NAMES: list_without, Holds.WORDS: text_without}
    return {
        key: clean[holds(key)](str(value), names, instead) if holds(key) in clean else value
        for key, value in data.items()
    }


def refuse_if_erased(action: Action) -> None:
    """Refuse an undo that would restore an erased person's data or registration."""
    kind = kind_of(action.kind)
    if kind is None or not kind.is_of_person:
        return
    one, many = (action.payload.get(key) for key in ("registration", "registrations"))
    rows = Registration.objects.filter(pk__in=[one or 0, *(many or ())])
    rows = rows.filter(person__erased_at__isnull=False)
    if rows.exists():
        raise Refused(
            _("Die Daten dieser Person sind gelöscht. Das lässt sich nicht zurücknehmen."),
            code="erased",
        )


CONTACTS_ERASED = Kind(
    "contacts.erased", lazy("Kontaktdaten gelöscht: %(people)s Personen"), Group.CLUB
)


@club_service(CONTACTS_ERASED, Permission.MANAGE)
def contacts_erase(change: Change) -> None:
    """Erase addresses, phones and remarks past the limit, also in the log. Names stay."""
    people = list(contacts_due(change.club, change.at).values_list("pk", flat=True))
    if not people:
        raise Refused(_("Es ist nichts zu löschen."), code="none_due")
    for start in range(0, len(people), CHUNK):
        _erase_contacts(people[start : start + CHUNK])
    change.record(people=len(people))
    transaction.on_commit(leave_no_copy)


def _erase_contacts(people: list[int]) -> None:
    registrations = Registration.objects.filter(person__in=people)
    ids = set(registrations.values_list("pk", flat=True))
    events = set(registrations.values_list("event_id", flat=True))
    changed = []
    corrections = Action.objects.filter(
        event__in=events, kind__in=kind_names(lambda kind: kind.holds_contacts)
    )
    for row in corrections.select_related("text"):
        if row.payload["registration"] in ids and hasattr(row, "text"):
            texts = row.text.data
            kept = {k: texts[k] for k in texts if holds(k) is not Holds.CONTACT}
            row.text.data = kept
            changed.append(row.text)
    ActionText.objects.bulk_update(changed, ["data"], batch_size=CHUNK)
    Mail.objects.filter(registration__in=ids).delete()
    Listener.objects.filter(registration__in=ids).delete()
    registrations.update(remark="", email="", phone="")
    Person.objects.filter(pk__in=people).update(email="", phone="")


HALL_NAMES = {True: lazy("mit Vornamen"), False: lazy("wie auf der Turnierseite")}

CLUB_PRIVACY_SET = Kind(
    "club.privacy_set",
    lazy("Kontaktdaten löschen nach %(days)s Tagen, im Saal %(hall)s"),
    Group.CLUB,
    words=lambda payload: {"hall": str(HALL_NAMES[payload.get("has_hall_names", False)])},
)


@club_service(CLUB_PRIVACY_SET, Permission.MANAGE)
def privacy_set(change: Change, *, erase_contacts_days: int, has_hall_names: bool) -> None:
    """Set how long addresses are kept, in days, 0 for ever; and the names on the hall's walls."""
    if not 0 <= erase_contacts_days <= LONGEST_DAYS:
        raise Refused(
            _("Bitte 0 bis %(most)d Tage angeben.") % {"most": LONGEST_DAYS}, code="bad_days"
        )
    change.record(days=erase_contacts_days, before=change.club.erase_contacts_days)
    change.record(has_hall_names=has_hall_names)
    change.set(erase_contacts_days=erase_contacts_days, has_hall_names=has_hall_names)
