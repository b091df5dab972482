"""The append-only log, its facts, and the record of served requests.

An action is one line of the log of an event, or of the club if `event` is empty. The hash chain
covers ids, kinds and numbers; names and free text are in `ActionText`, outside the hash, so that a
person's data can be erased and the chain still verifies. A change collects the facts it makes and
voids; its entry holds hashes of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from json import dumps, loads
from typing import Any, ClassVar, Self

from django.apps import apps
from django.db import models
from django.db.models import Q

from krru.data.sql import update_returning
from tournaments.changes.domain.logchain import facts_hashes


class Logged(models.Model):
    """The owner of a log: it holds the head of its chain and a growing version."""

    version = models.PositiveBigIntegerField(default=0)
    log_sequence = models.PositiveBigIntegerField(default=0)
    log_hash = models.CharField(max_length=64, blank=True, default="")
    log_recorded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


# So much later a device reports something old.
LATE = timedelta(seconds=5)
CLAIMED = "claimed"  # the phone's time in an entry's payload, in ms, if the director decides

OF_THE_LOG = ("version", "log_sequence", "log_hash", "log_recorded_at")


class Action(models.Model):
    """One action. `at` is when it happened, `recorded_at` when it was logged."""

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

    # The stream's message. Not stored: set only for the request just served.
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

    @property
    def late_at(self) -> datetime | None:
        """Return when it happened as a device told later; None if it was told at once."""
        if CLAIMED in self.payload:
            return datetime.fromtimestamp(self.payload[CLAIMED] / 1000, UTC)
        is_late = self.device_id is not None and self.recorded_at - self.at >= LATE
        return self.at if is_late else None


class ActionText(models.Model):
    """An action's names and reasons, kept apart so that they can be erased."""

    action = models.OneToOneField(Action, models.CASCADE, related_name="text")
    data = models.JSONField(default=dict)


@cache
def column_names(model: type[models.Model]) -> frozenset[str]:
    return frozenset(
        name for each in model._meta.concrete_fields for name in (each.name, each.attname)
    )


FACTS = "facts"  # their key in an entry's payload
VOIDS = "voided_by"


@dataclass(slots=True)
class Gathered:
    """The rows made by the running change, and those voided or revived.

    For the latter: the table's name, the entry that voids them now, and their keys.
    """

    made: dict[str, list[Noted]] = field(default_factory=dict)
    voided: list[tuple[str, int | None, list[int]]] = field(default_factory=list)

    def void(self, model: type[models.Model], by: int | None, keys: Iterable[int]) -> None:
        """Record that facts are now voided by an entry, or revived."""
        name, gone = model.__name__, list(keys)
        if self.voided and self.voided[-1][:2] == (name, by):
            self.voided[-1][2].extend(gone)
        elif gone:
            self.voided.append((name, by, gone))

    def as_payload(self) -> dict[str, Any]:
        """Return the log entry's form: a hash for each table, and the voided facts by entry."""
        rows = {
            name: [(row.pk, columns_noted(row)) for row in made] for name, made in self.made.items()
        }
        voided = {"voided": [list(each) for each in self.voided]} if self.voided else {}
        return {"made": facts_hashes(rows), **voided}


def tables_told(action: Action) -> tuple[set[str], set[str]] | None:
    """Return the tables in which an entry made rows, and those in which it voided facts.

    None for an entry of 0.2.0 and before: it does not tell them.
    """
    facts = action.payload.get(FACTS, {})
    if "made" not in facts:
        return None
    voided = {name for name, by, _keys in facts.get("voided", ()) if by == action.pk}
    return set(facts["made"]), voided


# The collected rows of the running change; None outside of changes.
UNDER_WAY: ContextVar[Gathered | None] = ContextVar("under_way", default=None)


def _made(rows: Sequence[Noted]) -> None:
    gathered = UNDER_WAY.get()
    if gathered is not None and rows:
        gathered.made.setdefault(type(rows[0]).__name__, []).extend(rows)


class Noted(models.Model):
    """A row with the entry that made it; the entry holds a hash of its columns.

    The hash leaves out the columns of `mutable`: these change later, hold names, free text and
    sealed data that can be erased, or data not for every reader of the log. A service changes no
    other column.
    """

    maker: ClassVar[str] = "made_by"
    mutable: ClassVar[tuple[str, ...]] = ()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Save the row; note a new one for the entry."""
        if self._state.adding:
            _made([self])
        elif UNDER_WAY.get() is not None:
            self.refuse_fixed(options.get("update_fields") or fixed_names(type(self)))
        super().save(*args, **options)

    @classmethod
    def refuse_fixed(cls, names: Iterable[str]) -> None:
        """Refuse to change a column covered by the log's hash.

        :raises TypeError: With the names of such columns.
        """
        fixed = set(names) & fixed_names(cls)
        if fixed:
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(fixed))} never change.")


def noted_models() -> list[type[Noted]]:
    return [model for model in apps.get_models() if issubclass(model, Noted)]


@cache
def fields_noted(model: type[Noted]) -> tuple[Any, ...]:
    besides = {"id", model.maker, VOIDS, *model.mutable}
    return tuple(each for each in model._meta.concrete_fields if each.name not in besides)


@cache
def fixed_names(model: type[Noted]) -> frozenset[str]:
    fixed: list[Any] = [*fields_noted(model), model._meta.get_field(model.maker)]
    return frozenset(name for each in fixed for name in (each.name, each.attname))


def columns_noted(row: Noted) -> dict[str, Any]:
    fields = fields_noted(type(row))
    return columns_of(type(row), [getattr(row, each.attname) for each in fields])


def columns_of(model: type[Noted], values: Iterable[Any]) -> dict[str, Any]:
    """Return the values of the hashed columns, normalised."""
    pairs = zip(fields_noted(model), values, strict=True)
    return {
        each.attname: _plain(each, value)
        for each, value in pairs
        # Without null, empty means no value; with null it is a value of its own.
        if value is not None and (value or each.null)
    }


def _plain(of: Any, value: Any) -> Any:
    """Return a value as JSON, the same before saving and after loading."""
    if isinstance(of, models.JSONField):
        return loads(dumps(value, cls=of.encoder))
    value = of.to_python(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


class FactQuerySet(models.QuerySet["Fact"]):
    def live(self) -> Self:
        return self.filter(voided_by__isnull=True)

    def update(self, **values: Any) -> int:
        """Update mutable columns, or the entry that voids these facts.

        :raises TypeError: A change writes a column that log entries vouch for.
        """
        gathered = UNDER_WAY.get()
        if gathered is None:
            return super().update(**values)
        self.model.refuse_fixed(values)
        if VOIDS not in values:
            return super().update(**values)
        keys = update_returning(self, values)
        gathered.void(self.model, getattr(values[VOIDS], "pk", None), keys)
        return len(keys)

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        rows = list(objs)
        _made(rows)
        return super().bulk_create(rows, *args, **options)


class Fact(Noted):
    """A fact is live from the action that made it until an action voids it.

    Undo uses only these two references: it voids the facts an action made and revives those it
    voided. So a service never changes a fact in place, except columns declared as `mutable`.
    """

    made_by = models.ForeignKey(Action, models.PROTECT, related_name="+")
    voided_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")

    objects = FactQuerySet.as_manager()

    class Meta:
        abstract = True


def once_live(name: str, *fields: str) -> models.UniqueConstraint:
    live = Q(voided_by__isnull=True)
    return models.UniqueConstraint(fields=fields, condition=live, name=name)


def index_live(name: str, *fields: str) -> models.Index:
    return models.Index(fields=fields, condition=Q(voided_by__isnull=True), name=name)


class IdempotencyRecord(models.Model):
    """A served request: repeated, it gets the same action; with another body it is refused."""

    scope = models.CharField(max_length=60)
    key = models.UUIDField()
    request_hash = models.CharField(max_length=64)
    action = models.ForeignKey(Action, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "key"], name="idempotency_scope_key")
        ]
