"""Online registrations have to be confirmed, else the place goes to the waiting list."""

from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.door.selectors.places import (
    LAPSED,
    confirm_by,
    mailbox_proof,
    offer_of,
    place_number,
    position_of,
    unconfirmed,
    waiting_of,
)
from tournaments.door.services.registration import live_registration
from tournaments.door.services.waiting_list import line_up
from tournaments.models import Listener, Mail, Registration, link_columns
from tournaments.money.selectors.receipts import receipt_shown, receipts_of_registration
from tournaments.post.domain.mail import MailKind, name_in_mail, one_line
from tournaments.post.selectors.mail import MailText, words_mails
from tournaments.post.services.mail import mail_write

# --- Personal links: the desk replaces a lost or exposed one


SHORTEST = 22  # 128 bits


REGISTRATION_LINK_RENEWED = Kind(
    "registration.link_renewed",
    lazy("Neuer Link: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    irrevocable=lazy("Der alte Link gilt nicht mehr. Bei Bedarf noch einmal einen neuen ausgeben."),
)


@service(REGISTRATION_LINK_RENEWED, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def link_renew(change: Change, *, registration: Registration, token: str) -> None:
    """Replace the personal link; the old one stops working. Mail the new one if possible.

    Phones and chats joined by the old one are told nothing more.
    """
    assert len(token) >= SHORTEST
    row = live_registration(change, registration)
    if row.person.erased_at is not None:
        raise Refused(_("Die Daten dieser Person sind gelöscht."), code="erased")
    row.replaced_link_hash = row.link_hash
    row.link_token = token
    row.save(update_fields=[*link_columns(""), "replaced_link_hash"])
    Listener.objects.filter(registration=row).delete()
    mail_write(change, MailKind.LINK, [row])


# --- The text of a mail at the time of sending, and whether it is still valid


LANGUAGES = ("de", "en")


@words_mails
def mail_text(mail: Mail, *, now: datetime, base: str) -> MailText | None:
    """Return the mail's text in the registration's language; None if no longer valid."""
    registration = mail.registration
    kind = MailKind(mail.kind)
    if registration is None or not _holds(registration, kind):
        return None
    waiting = waiting_of(registration)
    offer = offer_of(waiting)
    if kind == MailKind.OFFERED and (offer is None or offer.expires_at <= now):
        return None
    if kind == MailKind.MOVED_UP and waiting is not None:
        return None
    if kind == MailKind.LAPSED and waiting is None:
        return None
    receipts = receipts_of_registration(registration) if kind == MailKind.RECEIPT else []
    link = base + reverse("player", args=[registration.link_token])
    if not registration.is_mail_proven:
        link += f"?post={mailbox_proof(registration)}"
    about: dict[str, Any] = {
        "event": registration.event,
        "name": name_in_mail(registration.person.name),
        "club": registration.event.club.name,
        "link": link,
        "is_proven": registration.is_mail_proven,
        "confirm_by": confirm_by(registration),
        "page": base + registration.event.get_absolute_url(),
        "offer": offer,
        "position": waiting and position_of(waiting),
        "number": None if waiting or registration.is_cash_guest else place_number(registration),
        "receipts": [receipt_shown(row) for row in reversed(receipts)],
    }
    language = registration.language if registration.language in LANGUAGES else LANGUAGES[0]
    with translation.override(language):
        text = render_to_string(f"mail/{language}/{kind}.txt", about)
    subject, _blank, body = text.strip().partition("\n\n")
    return MailText(subject=one_line(subject)[:200], body=body.strip() + "\n")


def _holds(registration: Registration, kind: MailKind) -> bool:
    event = registration.event
    if kind == MailKind.RECEIPT:
        return True
    if kind == MailKind.CANCELLED:
        return event.cancelled_by_id is not None
    return registration.voided_by_id is None and not event.is_over


REGISTRATION_CONFIRMED = Kind(
    "registration.confirmed",
    lazy("Bestätigt: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    irrevocable=lazy("Wer doch nicht kommt, meldet sich ab."),
)


@service(REGISTRATION_CONFIRMED, Permission.WITHDRAW, Topic.REGISTRATIONS)
def registration_confirm(
    change: Change, *, registration: Registration, has_mailbox: bool = False
) -> None:
    """Record a confirmation; `has_mailbox`: by the mailed link, which proves the address."""
    row = live_registration(change, registration)
    if row.confirmed_at is not None and (row.is_mail_proven or not has_mailbox):
        raise Refused(_("Das ist schon bestätigt."), code="already_confirmed")
    row.confirmed_at = row.confirmed_at or change.at
    row.is_mail_proven |= has_mailbox
    row.save(update_fields=["confirmed_at", "is_mail_proven"])
    change.record(mailbox=has_mailbox)


REGISTRATIONS_LAPSED = Kind(
    LAPSED,
    lazy("Nicht bestätigt, wieder auf der Warteliste: %(name)s"),
    Group.PEOPLE,
    is_of_person=True,
    frees_places=True,
    places=Places.OF_THE_LIST,
)


@service(REGISTRATIONS_LAPSED, Permission.MANAGE, Topic.REGISTRATIONS)
def registrations_lapse(change: Change) -> None:
    """Release the places not confirmed in time to the waiting list.

    These players go to its end and are notified.
    """
    rows = unconfirmed(change.event, change.at)
    if not rows:
        raise Refused(_("Niemand hat die Frist zum Bestätigen versäumt."), code="nobody_lapsed")
    line_up(change, [row.pk for row in rows])
    change.record(registrations=[row.pk for row in rows])
    change.tell(name=", ".join(row.person.name for row in rows))
    mail_write(change, MailKind.LAPSED, rows)
