"""The outbox: due mails, worded when sent so that they are up to date, and failures. Reads only."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.db.models import Count, F, Min, QuerySet
from django.utils.translation import gettext as _

from tournaments.models import Event, Mail
from tournaments.post.domain.mail import GIVES_UP_AFTER, MailFault

MOST_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MailText:
    subject: str
    body: str


class Writer(Protocol):
    """Words a mail now; None if it is obsolete."""

    def __call__(self, mail: Mail, *, now: datetime, base: str) -> MailText | None: ...


_WRITERS: list[Writer] = []


def words_mails(writer: Writer) -> Writer:
    _WRITERS.append(writer)
    return writer


def mail_text_of(mail: Mail, *, now: datetime, base: str) -> MailText | None:
    """Return a mail's text from the first function that knows it."""
    texts = (write(mail, now=now, base=base) for write in _WRITERS)
    return next((text for text in texts if text is not None), None)


def mails_due(now: datetime) -> QuerySet[Mail]:
    """Return the mails due now, the oldest first, without those given up."""
    rows = Mail.objects.filter(sent_at=None, due_at__lte=now)
    related = ("club", "registration__person", "registration__event__club")
    rows = rows.filter(due_at__lte=F("made_at") + GIVES_UP_AFTER).select_related(*related)
    return rows.order_by("due_at", "pk")


def is_given_up(mail: Mail) -> bool:
    return mail.due_at > mail.made_at + GIVES_UP_AFTER


def desk_mail(event: Event) -> dict[str, Any]:
    """Return how many mails are `waiting` for the server until `next_at`, and the `failed` ones.

    The latest comes first. For a failed one `next_at` is None without another try.
    """
    rows = Mail.objects.filter(registration__event=event, sent_at=None)
    held_up = rows.filter(
        error__startswith=MailFault.SERVER, due_at__lte=F("made_at") + GIVES_UP_AFTER
    )
    waiting = held_up.aggregate(waiting=Count("pk"), next_at=Min("due_at"))
    others = rows.exclude(error="").exclude(pk__in=held_up.values("pk"))
    others = others.select_related("registration__person").order_by("-made_at", "-pk")
    return waiting | {"failed": [_failed(row) for row in others[:MOST_SHOWN]]}


def _failed(mail: Mail) -> dict[str, Any]:
    fault, _sep, detail = mail.error.partition(" ")
    problems = {
        MailFault.SERVER: _("Der Mailserver ist nicht erreichbar."),
        MailFault.LATER: _("Der Mailserver nimmt sie noch nicht an."),
        MailFault.REFUSED: _("Der Mailserver nimmt diese Adresse nicht an."),
    }
    assert mail.registration is not None
    return {
        "mail": mail,
        "name": mail.registration.person.name,
        "problem": problems[MailFault(fault)],
        "detail": detail,
        "next_at": None if is_given_up(mail) else mail.due_at,
    }
