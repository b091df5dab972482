"""What is in the outbox: what is due, what a mail says now, what went wrong. Reads only.

A mail is worded when it is sent, not when it is written down: so it tells what holds then, and
nobody is told of a place that was offered and is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db.models import Count, F, Min, QuerySet
from django.utils.translation import gettext as _

from tournaments.models import Event, Mail
from tournaments.post.domain.mail import GIVES_UP_AFTER, MailFault

MOST_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MailText:
    subject: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailFailed:
    """A mail that did not go out, for the desk. `next_at` is None when it is not tried again."""

    mail: Mail
    name: str
    problem: str
    detail: str
    next_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskMail:
    """How many wait for a server that does not answer, until when, and what else went wrong."""

    waiting: int
    next_at: datetime | None
    failed: list[MailFailed]


class Writer(Protocol):
    """Says what a mail says now; None if it no longer holds."""

    def __call__(self, mail: Mail, *, now: datetime, base: str) -> MailText | None: ...


_WRITERS: list[Writer] = []


def words_mails(writer: Writer) -> Writer:
    """Let a function of the area that mails are about say what they say."""
    _WRITERS.append(writer)
    return writer


def mail_text_of(mail: Mail, *, now: datetime, base: str) -> MailText | None:
    """Return what a mail says, by the first who knows."""
    texts = (write(mail, now=now, base=base) for write in _WRITERS)
    return next((text for text in texts if text is not None), None)


def mails_due(now: datetime) -> QuerySet[Mail]:
    """Return the mails to be tried now, the oldest first; what was given up is none of them."""
    rows = Mail.objects.filter(sent_at=None, due_at__lte=now)
    related = ("club", "registration__person", "registration__event__club")
    rows = rows.filter(due_at__lte=F("made_at") + GIVES_UP_AFTER).select_related(*related)
    return rows.order_by("due_at", "pk")


def is_given_up(mail: Mail) -> bool:
    return mail.due_at > mail.made_at + GIVES_UP_AFTER


def desk_mail(event: Event, *, most: int = MOST_SHOWN) -> DeskMail:
    """Return what the desk has to know of mails: how many wait for the server, which have failed.

    Those that wait go out by themselves; of the others the latest come first.
    """
    rows = Mail.objects.filter(registration__event=event, sent_at=None)
    held_up = rows.filter(
        error__startswith=MailFault.SERVER, due_at__lte=F("made_at") + GIVES_UP_AFTER
    )
    waiting = held_up.aggregate(number=Count("pk"), next_at=Min("due_at"))
    others = rows.exclude(error="").exclude(pk__in=held_up.values("pk"))
    others = others.select_related("registration__person").order_by("-made_at", "-pk")
    return DeskMail(
        waiting=waiting["number"],
        next_at=waiting["next_at"],
        failed=[_failed(row) for row in others[:most]],
    )


def _failed(mail: Mail) -> MailFailed:
    fault, _sep, detail = mail.error.partition(" ")
    problems = {
        MailFault.SERVER: _("Der Mailserver ist nicht erreichbar."),
        MailFault.LATER: _("Der Mailserver nimmt sie noch nicht an."),
        MailFault.REFUSED: _("Der Mailserver nimmt diese Adresse nicht an."),
    }
    assert mail.registration is not None
    return MailFailed(
        mail=mail,
        name=mail.registration.person.name,
        problem=problems[MailFault(fault)],
        detail=detail,
        next_at=None if is_given_up(mail) else mail.due_at,
    )
