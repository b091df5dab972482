"""Webhooks: each change is told to other programs, signed, in order, again until it is taken."""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.data.sealing import seal
from krru.web.outgoing import Forbidden, Unreachable, ask, parts_of
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service, topics_of
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Action, Delivery, Event, Webhook
from tournaments.notices.services.gathering import gathered, unread
from tournaments.post.domain.mail import GIVES_UP_AFTER, LEASE, one_line, wait_after
from tournaments.post.services.mail import LONGEST_ERROR

MOST_HOOKS = 5
LONGEST_URL = 500
BATCH = 100
# A slow receiver gets no more of a run: few threads do all that is due.
SECONDS_A_RUN = 5.0
KEPT_FOR = timedelta(days=14)

WEBHOOK_ADDED = Kind(
    "webhook.added",
    lazy("Webhook eingetragen"),
    Group.CLUB,
    irrevocable=lazy("Ein Webhook lässt sich entfernen."),
)


@club_service(WEBHOOK_ADDED, Permission.MANAGE)
def webhook_add(change: Change, *, url: str) -> None:
    """Add an address that is told of each change from now on."""
    try:
        parts_of(url)
    except Forbidden:
        raise Refused(
            _("Das ist keine Adresse, die mit https:// beginnt."), code="bad_url"
        ) from None
    if len(url) > LONGEST_URL:
        raise Refused(_("Diese Adresse ist zu lang."), code="bad_url")
    if Webhook.objects.filter(club=change.club).count() >= MOST_HOOKS:
        raise Refused(
            _("Es gibt höchstens %(most)d Webhooks.") % {"most": MOST_HOOKS}, code="too_many"
        )
    row = Webhook.objects.create(
        club=change.club,
        url=url,
        secret_sealed=seal(secrets.token_urlsafe(32)),
        made_at=change.at,
    )
    change.record(webhook=row.pk)


WEBHOOK_REMOVED = Kind(
    "webhook.removed",
    lazy("Webhook entfernt"),
    Group.CLUB,
    irrevocable=lazy("Ein Webhook lässt sich neu eintragen."),
)


@club_service(WEBHOOK_REMOVED, Permission.MANAGE)
def webhook_remove(change: Change, *, webhook: Webhook) -> None:
    """Remove an address with what waits for it."""
    row = Webhook.objects.filter(club=change.club, pk=webhook.pk).first()
    if row is None:
        raise Refused(_("Diesen Webhook gibt es nicht mehr."), code="gone")
    change.record(webhook=row.pk)
    row.delete()


DELIVERY_RESENT = Kind(
    "delivery.resent",
    lazy("Webhook noch einmal gesendet"),
    Group.CLUB,
    irrevocable=lazy("Was gesendet ist, lässt sich nicht zurückholen."),
)


@club_service(DELIVERY_RESENT, Permission.MANAGE)
def delivery_resend(change: Change, *, delivery: Delivery) -> None:
    """Send a change to a webhook once more."""
    rows = Delivery.objects.filter(pk=delivery.pk, webhook__club=change.club)
    begun = {"made_at": change.at, "due_at": change.at, "sent_at": None, "tries": 0, "error": ""}
    if not rows.update(**begun):
        raise Refused(_("Diese Sendung gibt es nicht mehr."), code="gone")
    change.record(delivery=delivery.pk)


def hooks_gather(now: datetime) -> int:
    """Write the deliveries of what was logged since the last run; return their number."""
    return sum(
        gathered(f"hook-{hook.pk}", event, partial(_deliveries, hook, event, now))
        for hook in Webhook.objects.order_by("pk")
        for event in unread(f"hook-{hook.pk}", now).filter(club=hook.club_id, is_sample=False)
    )


def _deliveries(
    hook: Webhook, event: Event, now: datetime, actions: Sequence[Action]
) -> list[Delivery]:
    return [
        Delivery(
            webhook=hook,
            event=event,
            sequence=action.sequence,
            body=_body(event, action),
            made_at=now,
            due_at=now,
        )
        for action in actions
        if action.recorded_at >= hook.made_at
    ]


def _body(event: Event, action: Action) -> dict[str, object]:
    return {
        "event": event.slug,
        # Each entry of the log raises the version by one.
        "version": event.version - (event.log_sequence - action.sequence),
        "sequence": action.sequence,
        "kind": action.kind,
        "undoes": action.undoes.sequence if action.undoes else None,
        "changed": [str(topic) for topic in topics_of(action.kind)],
        "at": action.at.isoformat(),
        "recorded_at": action.recorded_at.isoformat(),
    }


def hooks_send(*, now: datetime) -> int:
    """Send what is due and return the number. Not to be called in a transaction.

    Of each webhook one after the other: the next waits until the one before is taken or given up.
    """
    return sum(_send(hook, now) for hook in Webhook.objects.order_by("pk") if hook.secret)


def _send(hook: Webhook, now: datetime) -> int:
    sent, until = 0, time.monotonic() + SECONDS_A_RUN
    waiting = Delivery.objects.filter(webhook=hook, sent_at=None)
    waiting = waiting.filter(due_at__lte=F("made_at") + GIVES_UP_AFTER).order_by("pk")
    for row in waiting[:BATCH]:
        mine = Delivery.objects.filter(pk=row.pk, sent_at=None, due_at=row.due_at)
        if row.due_at > now or not mine.update(due_at=now + LEASE, tries=F("tries") + 1):
            break
        error = deliver(hook, row, now)
        if error:
            wait = now + wait_after(row.tries + 1)
            text = one_line(error)[:LONGEST_ERROR]
            Delivery.objects.filter(pk=row.pk).update(due_at=wait, error=text)
            break
        Delivery.objects.filter(pk=row.pk).update(sent_at=now, error="")
        sent += 1
        if time.monotonic() > until:
            break
    return sent


def deliver(hook: Webhook, row: Delivery, now: datetime) -> str:
    """Send one delivery; return what is wrong, or nothing."""
    body, at = json.dumps(row.body, sort_keys=True).encode(), round(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "KRRU",
        "X-KRRU-Delivery": str(row.pk),
        "X-KRRU-Timestamp": str(at),
        "X-KRRU-Signature": signed(hook.secret, at, body),
    }
    try:
        answer = ask("POST", hook.url, body=body, headers=headers)
    except Forbidden:
        return "private address"
    except Unreachable as error:
        return str(error) or "no answer"
    return "" if 200 <= answer.status < 300 else str(answer.status)


def deliveries_forget(*, now: datetime) -> None:
    Delivery.objects.filter(made_at__lt=now - KEPT_FOR).delete()


def signed(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a body sent at a second since 1970.

    >>> signed("secret", 1, b"{}")[:20]
    'sha256=1122767b19311'
    """
    text = str(at).encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
