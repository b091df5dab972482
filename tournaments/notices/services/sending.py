"""The outbox of notices: taken by a lease, worded now, sent beside each other, tried again.

A lost worker's notices are due again when the lease ends: better twice than never. A notice is
deleted once its fact no longer holds, or is too old.
"""

import json
import smtplib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import formataddr
from itertools import chain

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F
from django.utils import translation
from django.utils.translation import gettext as _

from krru.data.sealing import unseal
from krru.data.sql import update_returning
from krru.web.outgoing import Unreachable, ask, close_idle
from krru.web.webpush import Subscription, push, signature
from tournaments.models import Event, Listener, Notice, Outlet, Seating
from tournaments.notices.domain.notices import Channel, NoticeKind, bundled
from tournaments.notices.domain.telegram import Reply, reply_of
from tournaments.notices.selectors.facts import Words, words_of
from tournaments.post.domain.mail import LEASE, one_line, wait_after
from tournaments.post.services.mail import LONGEST_ERROR

BATCH = 500
THREADS = 8
KEPT_FOR = timedelta(days=14)
LONGEST_TEXT = 1500
GONE = frozenset({404, 410})


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A worded bundle with all that its channel needs, so that no thread asks the database.

    A later letter of the same topic takes the place of an earlier one.
    """

    notices: list[int]
    channel: str
    address: dict[str, str]
    words: Words
    buzzes: bool
    lapses_at: datetime
    topic: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of it: sent, to be tried later, refused, or an address that is gone."""

    error: str = ""
    is_gone: bool = False
    is_refused: bool = False
    wait_s: int = 0


def notices_send(*, now: datetime, base: str) -> int:
    """Send due notices and return the number of messages. Not to be called in a transaction."""
    Notice.objects.filter(sent_at=None, lapses_at__lte=now).delete()
    due = Notice.objects.filter(sent_at=None, due_at__lte=now, lapses_at__gt=now)
    chosen = list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:BATCH])
    if not chosen:
        return 0
    mine = update_returning(
        due.filter(pk__in=chosen), {"due_at": now + LEASE, "tries": F("tries") + 1}
    )
    letters = _letters(mine, now, base)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="notices") as pool:
        found = pool.map(lambda own: [deliver(letter, now) for letter in own], letters)
        outcomes = list(chain.from_iterable(found))
    close_idle()
    sent: list[int] = []
    for letter, outcome in zip(chain.from_iterable(letters), outcomes, strict=True):
        if outcome.error:
            _fail(letter, outcome, now)
        else:
            sent += letter.notices
    Notice.objects.filter(pk__in=sent).update(sent_at=now, error="")
    return sum(not outcome.error for outcome in outcomes)


def _letters(mine: Sequence[int], now: datetime, base: str) -> list[list[Letter]]:
    """Return the bundles that still say something, by listener in order; delete the others."""
    related = ("listener__registration__person", "listener__event__clock", "listener__event__club")
    rows = {row.pk: row for row in Notice.objects.filter(pk__in=mine).select_related(*related)}
    keys = {row.club_id: row for row in Outlet.objects.all()}
    playing = _playing({row.listener.registration_id or 0 for row in rows.values()}, now)
    letters: dict[int, list[Letter]] = {}
    empty: list[int] = []
    for bundle in bundled(
        (row.listener_id, row.kind, row.made_at, row.pk) for row in rows.values()
    ):
        notices = [rows[one] for one in bundle]
        listener = notices[0].listener
        words = words_of(listener, notices, now=now, base=base)
        if words is None:
            empty += bundle
            continue
        outlet = keys.get(listener.event.club_id) or Outlet(club=listener.event.club)
        letters.setdefault(listener.pk, []).append(
            Letter(
                notices=bundle,
                channel=listener.channel,
                address=_address_of(listener),
                words=words,
                # Not of a player at a table without phones.
                buzzes=listener.event.rule_set.phones_at_table
                or listener.registration_id not in playing,
                lapses_at=min(row.lapses_at for row in notices),
                # A later word about the seat takes the place of the one before.
                topic=f"krru-seat-{listener.pk}"
                if notices[-1].kind in {NoticeKind.SEAT, NoticeKind.MOVE}
                else f"krru-{notices[-1].pk}",
                key=unseal(outlet.push_sealed) if listener.channel == Channel.PUSH else outlet.bot,
            )
        )
    Notice.objects.filter(pk__in=empty).delete()
    return [sorted(own, key=lambda letter: letter.notices) for own in letters.values()]


def _address_of(listener: Listener) -> dict[str, str]:
    registration = listener.registration
    if listener.channel == Channel.MAIL and registration is not None:
        proven = registration.email if registration.is_mail_proven else ""
        return {"to": proven, "from": listener.event.club.name}
    return listener.address


def _playing(people: set[int], now: datetime) -> set[int]:
    """Return which of these registrations sit at a table in play."""
    running = Event.objects.running().values("pk")
    seated = Seating.objects.live().filter(event__in=running, seated_at__lte=now)
    seated = seated.filter(entry__voided_by=None, entry__registration__in=people)
    return set(seated.values_list("entry__registration", flat=True))


def deliver(letter: Letter, now: datetime) -> Outcome:
    if not letter.address or (not letter.key and letter.channel != Channel.MAIL):
        return Outcome(error="no address", is_gone=True)
    try:
        return _BY_CHANNEL[Channel(letter.channel)](letter, now)
    except Unreachable as error:
        return Outcome(error=str(error) or "no answer")


def _push(letter: Letter, now: datetime) -> Outcome:
    to = Subscription(**letter.address)
    told = {
        "title": letter.words.title,
        "text": letter.words.text[:LONGEST_TEXT],
        "url": letter.words.url,
        "silent": not letter.buzzes,
        "tag": letter.topic,
    }
    answer = push(
        to,
        json.dumps(told).encode(),
        vapid=signature(to.endpoint, letter.key, contact=contact(), now=now),
        seconds=max(0, round((letter.lapses_at - now).total_seconds())),
        topic=letter.topic,
    )
    if answer.status < 300:
        return Outcome()
    return _failed(answer.status, answer.body.decode(errors="replace"), answer.retry_after)


def contact() -> str:
    """Return how a push service reaches the sender: the public address, else the mail."""
    return settings.PUBLIC.origin if settings.PUBLIC else f"mailto:{settings.DEFAULT_FROM_EMAIL}"


def telegram(
    token: str, method: str, *, seconds: float = 10.0, keeps: bool = False, **values: object
) -> Reply:
    """Call a method of the Bot API.

    :raises Unreachable: Without an answer.
    """
    answer = ask(
        "POST",
        f"{settings.TELEGRAM_URL}/bot{token}/{method}",
        body=json.dumps(values).encode(),
        headers={"Content-Type": "application/json"},
        seconds=seconds,
        is_trusted=True,
        keeps=keeps,
    )
    return reply_of(answer.status, answer.body)


def _telegram(letter: Letter, now: datetime) -> Outcome:
    words = letter.words
    reply = telegram(
        letter.key,
        "sendMessage",
        keeps=True,
        chat_id=letter.address["chat"],
        text=f"{words.title}\n{words.text}"[:LONGEST_TEXT] + f"\n{words.url}",
        disable_notification=not letter.buzzes,
        link_preview_options={"is_disabled": True},
    )
    if not reply.code:
        return Outcome()
    # The chat has blocked the bot, or there is no such chat.
    status = 410 if reply.code == 403 or "chat not found" in reply.words else reply.code
    return _failed(status, reply.words, reply.retry_after)


def _mail(letter: Letter, now: datetime) -> Outcome:
    if not letter.address["to"]:
        return Outcome(error="no address", is_gone=True)
    words = letter.words
    with translation.override(words.language):
        foot = _("Deine Seite, dort auch abzubestellen: %(url)s") % {"url": words.url}
    message = EmailMessage(
        one_line(f"{words.title}: {words.text}")[:120],
        f"{words.text}\n\n{foot}\n",
        from_email=formataddr((one_line(letter.address["from"]), settings.DEFAULT_FROM_EMAIL)),
        to=[letter.address["to"]],
        headers={"Auto-Submitted": "auto-generated"},
        connection=get_connection(),
    )
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        return Outcome(error=str(error), is_refused=True)
    except (smtplib.SMTPException, OSError, ValueError) as error:
        return Outcome(error=str(error) or type(error).__name__)
    return Outcome()


_BY_CHANNEL = {Channel.PUSH: _push, Channel.TELEGRAM: _telegram, Channel.MAIL: _mail}


def _failed(status: int, words: str, wait_s: int) -> Outcome:
    """Return what a status of failure means: the sender's own fault is tried again, too."""
    is_refused = 400 <= status < 500 and status not in {401, 403, 408, 425, 429}
    error = f"{status} {words}".strip()
    return Outcome(
        error=error, is_gone=status in GONE, is_refused=is_refused, wait_s=min(wait_s, 3600)
    )


def _fail(letter: Letter, outcome: Outcome, now: datetime) -> None:
    """Note the failure, with the next try if there is one; end an address that is gone."""
    rows = Notice.objects.filter(pk__in=letter.notices)
    if outcome.is_gone:
        Listener.objects.filter(notices__in=letter.notices).delete()
        return
    first = rows.order_by("pk").first()
    if first is None:
        return
    wait = max(timedelta(seconds=outcome.wait_s), wait_after(max(1, first.tries)))
    due_at = first.lapses_at if outcome.is_refused else now + wait
    rows.update(due_at=due_at, error=one_line(outcome.error)[:LONGEST_ERROR])


def notices_forget(*, now: datetime) -> None:
    """Delete old notices, and who listened to an evening long over."""
    Notice.objects.filter(made_at__lt=now - KEPT_FOR).delete()
    Listener.objects.filter(event__starts_at__lt=now - KEPT_FOR).delete()
