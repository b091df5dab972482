"""What is told outside the hall: listeners and their notices, webhooks and their deliveries.

None of it is a fact: the rows are overwritten and erased.
"""

import json
from typing import Any

from django.db import models
from django.db.models import Q

from krru.data.sealing import seal, unseal


class Outlet(models.Model):
    """A club's own keys to the outside: its Telegram bot, and the key of its web push."""

    club = models.OneToOneField("tournaments.Club", models.CASCADE, related_name="outlet")
    bot_sealed = models.TextField(blank=True)
    bot_name = models.CharField(max_length=64, blank=True)
    # The bot's updates below this number are read.
    bot_offset = models.BigIntegerField(default=0)
    push_sealed = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.bot_name

    @property
    def bot(self) -> str:
        """Return the bot's token; empty without one, or if another installation sealed it."""
        return unseal(self.bot_sealed)


class Reading(models.Model):
    """How far an event's log is read for a purpose."""

    purpose = models.CharField(max_length=30)
    event = models.ForeignKey("tournaments.Event", models.CASCADE, related_name="+")
    sequence = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["purpose", "event"], name="reading_once")]


class Listener(models.Model):
    """A player, or an arbiter's device, who is told by a channel; `kinds` is what.

    `tables` are those of an arbiter; empty for all.
    """

    event = models.ForeignKey("tournaments.Event", models.CASCADE, related_name="listeners")
    registration = models.ForeignKey(
        "tournaments.Registration", models.CASCADE, null=True, blank=True, related_name="listeners"
    )
    device = models.ForeignKey(
        "tournaments.StaffDevice", models.CASCADE, null=True, blank=True, related_name="listeners"
    )
    channel = models.CharField(max_length=10)
    address_sealed = models.TextField(blank=True)
    kinds = models.JSONField(default=list)
    tables = models.JSONField(default=list)
    language = models.CharField(max_length=8, default="de")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["registration", "channel"],
                condition=Q(registration__isnull=False),
                name="listener_player_once",
            ),
            models.UniqueConstraint(
                fields=["event", "device", "channel"],
                condition=Q(device__isnull=False),
                name="listener_device_once",
            ),
        ]

    @property
    def address(self) -> dict[str, Any]:
        """Return the address; empty if another installation sealed it."""
        text = unseal(self.address_sealed)
        found: dict[str, Any] = json.loads(text) if text else {}
        return found

    @address.setter
    def address(self, value: dict[str, Any]) -> None:
        self.address_sealed = seal(json.dumps(value))


class Sent(models.Model):
    """One due message of an outbox: when it is tried, how often, and with what outcome."""

    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True


class Notice(Sent):
    """A notice for the worker to send; `fact` names what it tells, once a listener."""

    listener = models.ForeignKey(Listener, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10)
    fact = models.CharField(max_length=60)
    lapses_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["listener", "fact"], name="notice_fact_once")
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at__isnull=True), name="notice_due")
        ]


class Webhook(models.Model):
    """An address that is told of each change, signed with a secret."""

    club = models.ForeignKey("tournaments.Club", models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret_sealed = models.TextField()
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.url

    @property
    def secret(self) -> str:
        """Return the secret; empty if another installation sealed it."""
        return unseal(self.secret_sealed)


class Delivery(Sent):
    """A change for a webhook: the event's version and what changed, without names."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey("tournaments.Event", models.CASCADE, related_name="+")
    sequence = models.PositiveBigIntegerField()
    body = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event", "sequence"], name="delivery_once")
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at__isnull=True), name="delivery_due")
        ]
