"""The outbox: mails are rows, written with their change and sent by a worker.

A worker takes a mail by a conditional update, so that two never take the same one. If it is killed
before reporting, the mail is sent again after a while with the same message id: better twice than
never.
"""

import smtplib
from collections.abc import Iterable
from datetime import datetime, timedelta
from email.utils import formataddr

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Mail, Registration
from tournaments.post.domain.mail import (
    GIVES_UP_AFTER,
    LEASE,
    TO_ANY_ADDRESS,
    MailFault,
    MailKind,
    one_line,
    wait_after,
)
from tournaments.post.selectors.mail import MailText, mail_text_of, mails_due

# A slow server holds up a worker for one run; the next run is five seconds later.
BATCH = 50
MOST_A_DAY = 8
KEPT_FOR = timedelta(days=14)
LONGEST_ERROR = 300


def mail_write(change: Change, kind: MailKind, registrations: Iterable[Registration]) -> None:
    """Queue a mail for each registration with an address.

    Nothing is worded here, as the event is locked. Sample people get no mail. Mails by visitors are
    limited per address and day, as anyone can type any address. An unproven address gets the first
    mail, which proves it, and few others.
    """
    rows = [row for row in registrations if row.email and not change.event.is_sample]
    if kind not in TO_ANY_ADDRESS:
        rows = [row for row in rows if row.is_mail_proven]
    if change.by.role == Role.VISITOR:
        lately = Mail.objects.filter(made_at__gt=change.action.recorded_at - timedelta(days=1))
        rows = [row for row in rows if lately.filter(address=row.email).count() < MOST_A_DAY]
    Mail.objects.bulk_create(
        Mail(
            club_id=change.event.club_id,
            registration=row,
            kind=kind,
            address=row.email,
            made_at=change.action.recorded_at,
            due_at=change.action.recorded_at,
        )
        for row in rows
    )


MAIL_RESENT = Kind(
    "mail.resent",
    lazy("Mail noch einmal versucht: %(name)s"),
    Group.MESSAGES,
    irrevocable=lazy("Eine Mail lässt sich nicht zurückholen."),
)


@service(MAIL_RESENT, Permission.CHECK_IN, Topic.MAIL, after_the_end=True)
def mail_resend(change: Change, *, mail: Mail) -> None:
    """Retry a mail, to the registration's present address."""
    row = (
        Mail.objects.select_for_update(of=("self",))
        .select_related("registration__person")
        .filter(pk=mail.pk, registration__event=change.event)
        .first()
    )
    if row is None or row.registration is None:
        raise Refused(_("Diese Mail gibt es nicht mehr."), code="gone")
    if row.sent_at is not None:
        raise Refused(_("Diese Mail ist schon hinausgegangen."), code="sent")
    address = row.registration.email
    if not address:
        raise Refused(_("Diese Person hat keine Adresse mehr."), code="no_address")
    now = change.action.recorded_at
    Mail.objects.filter(pk=row.pk).update(
        address=address, made_at=now, due_at=now, tries=0, error=""
    )
    change.record(registration=row.registration_id, mail=row.pk)
    change.tell(name=row.registration.person.name)


def mails_send(*, now: datetime, base: str, most: int = BATCH) -> int:
    """Send due mails and return their number. Not to be called in a transaction.

    If the server does not answer, the rest waits for the next run, untried.
    """
    sent = 0
    connection = get_connection()
    try:
        for mail in mails_due(now)[:most]:
            text = _take(mail, now=now, base=base)
            fault = text and _deliver(mail, text, connection, now)
            if fault == MailFault.SERVER:
                break
            sent += text is not None and fault is None
    finally:
        connection.close()
    return sent


def _take(mail: Mail, *, now: datetime, base: str) -> MailText | None:
    """Take a mail and word it; None if another worker has it or it is obsolete."""
    due = Mail.objects.filter(pk=mail.pk, sent_at=None, due_at=mail.due_at)
    if not due.update(due_at=now + LEASE, tries=F("tries") + 1):
        return None
    mail.tries += 1
    text = mail_text_of(mail, now=now, base=base)
    if text is None:
        Mail.objects.filter(pk=mail.pk).delete()
    return text


def _deliver(
    mail: Mail, text: MailText, connection: BaseEmailBackend, now: datetime
) -> MailFault | None:
    try:
        connection.open()  # left open for the next mail; closed by its maker
        connection.send_messages([_message(mail, text, connection)])
    except (smtplib.SMTPException, OSError, ValueError) as error:
        fault = fault_of(error)
        _fail(mail, fault, error, now)
        return fault
    # The body is not stored: it holds the personal link.
    Mail.objects.filter(pk=mail.pk).update(sent_at=now, subject=text.subject, error="")
    return None


def _message(mail: Mail, text: MailText, connection: BaseEmailBackend) -> EmailMessage:
    sender = settings.DEFAULT_FROM_EMAIL
    domain = sender.rpartition("@")[2] or "localhost"
    made_ms = round(mail.made_at.timestamp() * 1000)
    return EmailMessage(
        text.subject,
        text.body,
        from_email=formataddr((one_line(mail.club.name), sender)),
        to=[mail.address],
        headers={
            "Message-ID": f"<krru.{mail.pk}.{made_ms}@{domain}>",
            "Auto-Submitted": "auto-generated",
        },
        connection=connection,
    )


def fault_of(error: Exception) -> MailFault:
    """Return the fault's origin: this address, the moment, or the server.

    Errors about the sender or the sign-in come from the club's settings: retry.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _said in error.recipients.values()]
        return MailFault.REFUSED if max(codes) >= 500 else MailFault.LATER
    if isinstance(error, smtplib.SMTPDataError):
        return MailFault.REFUSED if error.smtp_code >= 500 else MailFault.LATER
    if isinstance(error, (smtplib.SMTPSenderRefused, smtplib.SMTPNotSupportedError)):
        return MailFault.LATER
    return MailFault.REFUSED if isinstance(error, ValueError) else MailFault.SERVER


def _fail(mail: Mail, fault: MailFault, error: Exception, now: datetime) -> None:
    given_up = mail.made_at + GIVES_UP_AFTER + timedelta(seconds=1)
    due_at = given_up if fault == MailFault.REFUSED else now + wait_after(mail.tries)
    error_text = one_line(f"{fault} {_words_of(error)}")[:LONGEST_ERROR]
    Mail.objects.filter(pk=mail.pk).update(due_at=due_at, error=error_text)


def _words_of(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers: list[tuple[int, bytes | str]] = list(error.recipients.values())
    elif isinstance(error, smtplib.SMTPResponseException):
        answers = [(error.smtp_code, error.smtp_error)]
    else:
        return str(error)
    return "; ".join(
        f"{code} {words.decode(errors='replace') if isinstance(words, bytes) else words}"
        for code, words in answers
    )


def mails_forget(*, now: datetime) -> int:
    """Delete old mails, sent or given up; return their number."""
    return Mail.objects.filter(made_at__lt=now - KEPT_FOR).delete()[0]
