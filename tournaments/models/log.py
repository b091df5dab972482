"""The append-only log, the facts that hang on it, and the memory of requests already served.

An action is one line of the log of an event, or of the club when `event` is empty. It is chained
by hash over ids, kinds and numbers; names and free text live in `ActionText`, outside the hash, so
that a person's data can be erased while the chain still verifies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

from django.db import models
from django.db.models import Q

from krru.data import by_hand


class Logged(models.Model):
    """Whatever carries a log: it holds the head of its chain and a version that only grows."""

    version = models.PositiveBigIntegerField(default=0)
    log_sequence = models.PositiveBigIntegerField(default=0)
    log_hash = models.CharField(max_length=64, blank=True, default="")
    log_recorded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Action(models.Model):
    """One thing somebody did. `at` is when it happened, `recorded_at` when it was written down."""

    club = models.ForeignKey("tournaments.Club", models.PROTECT, related_name="actions")
    event = models.ForeignKey(
        "tournaments.Event", models.PROTECT, null=True, blank=True, related_name="actions"
    )
    sequence = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=60)
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    device = models.ForeignKey(
        "tournaments.StaffDevice", models.PROTECT, null=True, blank=True, related_name="actions"
    )
    role = models.CharField(max_length=20)
    payload = models.JSONField(default=dict)
    undoes = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="undone_by"
    )
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, blank=True)

    # What the stream tells of it. Not kept: known only to the request that was just served.
    news: dict[str, Any] | None = None

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "sequence"],
                condition=Q(event__isnull=False),
                name="action_event_sequence",
            ),
            models.UniqueConstraint(
                fields=["club", "sequence"],
                condition=Q(event__isnull=True),
                name="action_club_sequence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.kind}"


class ActionText(models.Model):
    """The names and reasons of an action, apart from it so that they can be erased."""

    action = models.OneToOneField(Action, models.CASCADE, related_name="text")
    data = models.JSONField(default=dict)

    def __str__(self) -> str:
        return str(self.data)


def among(values: Collection[object]) -> str:
    """Return the right side of an SQL `IN` for as many values; for none, one that nothing is in."""
    return f"({', '.join(['%s'] * len(values)) or 'NULL'})"


class FactQuerySet(models.QuerySet["Fact"]):
    def live(self) -> Self:
        """Keep what holds now: made, and not voided since."""
        return self.filter(voided_by__isnull=True)

    def live_by_hand(self, condition: str, values: Sequence[int]) -> list[Any]:
        """Return what holds now and meets a condition in SQL, which names columns of the table.

        For what is asked at every change of a table: Django takes longer to write the question
        than the database to answer it.
        """
        return by_hand.select(self.model, f"voided_by_id IS NULL AND {condition}", values)

    def void_by_hand(self, keys: Sequence[int], action: Action) -> None:
        """Write that an action voids the facts of these keys."""
        sql = f"UPDATE {self.model._meta.db_table} SET voided_by_id = %s WHERE id IN {among(keys)}"  # noqa: S608
        by_hand.do(sql, [action.pk, *keys])

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        """Write new facts, and return them; one alone, as most changes have it, by hand."""
        rows = list(objs)
        if not rows:
            return rows
        if len(rows) > 1 or args or options or not by_hand.can_insert(rows[0]):
            return super().bulk_create(rows, *args, **options)
        by_hand.insert(rows[0])
        return rows


class Fact(models.Model):
    """A fact holds from the action that made it until the action that voided it, if any.

    Undo rests on these two pointers alone: it voids what an action made and revives what it
    voided. A fact must therefore never be changed in place by a service.
    """

    made_by = models.ForeignKey(Action, models.PROTECT, related_name="+")
    voided_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")

    objects = FactQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Write it; a new one by hand."""
        if options.get("force_insert") and by_hand.can_insert(self):
            by_hand.insert(self)
        else:
            super().save(*args, **options)


class IdempotencyRecord(models.Model):
    """A request already answered: the same again gets the same action, another body is refused."""

    scope = models.CharField(max_length=60)
    key = models.UUIDField()
    request_hash = models.CharField(max_length=64)
    action = models.ForeignKey(Action, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "key"], name="idempotency_scope_key")
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"
