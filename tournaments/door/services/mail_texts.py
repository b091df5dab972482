"""The text of a mail at the time of sending, and whether it is still valid."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tournaments.door.selectors.confirming import confirm_by, mailbox_proof
from tournaments.door.selectors.places import offer_of, place_number, position_of, waiting_of
from tournaments.models import Mail, Registration
from tournaments.money.selectors.receipts import (
    ReceiptShown,
    receipt_shown,
    receipts_of_registration,
)
from tournaments.post.domain.mail import MailKind, name_in_mail, one_line
from tournaments.post.selectors.mail import MailText, words_mails

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
        "number": None if waiting else place_number(registration),
        "receipts": _receipts(registration) if kind == MailKind.RECEIPT else [],
    }
    language = registration.language if registration.language in LANGUAGES else LANGUAGES[0]
    with translation.override(language):
        text = render_to_string(f"mail/{language}/{kind}.txt", about)
    subject, _blank, body = text.strip().partition("\n\n")
    return MailText(subject=one_line(subject)[:200], body=body.strip() + "\n")


def _receipts(registration: Registration) -> list[ReceiptShown]:
    return [receipt_shown(row) for row in reversed(receipts_of_registration(registration))]


def _holds(registration: Registration, kind: MailKind) -> bool:
    event = registration.event
    if kind == MailKind.RECEIPT:
        return True
    if kind == MailKind.CANCELLED:
        return event.cancelled_by_id is not None
    return registration.voided_by_id is None and not event.is_over
