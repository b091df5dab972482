"""The append-only log, the facts that hang on it, and the memory of requests already served.

An action is one line of the log of an event, or of the club when `event` is empty. It is chained
by hash over ids, kinds and numbers; names and free text live in `ActionText`, outside the hash, so
that a person's data can be erased while the chain still verifies. A change gathers the facts it
makes and voids; the entry holds hashes over them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from json import dumps, loads
from typing import Any, ClassVar, Self

from django.apps import apps
from django.core.exceptions import EmptyResultSet
from django.db import connections, models, transaction
from django.db.models import Q
from django.db.models.sql import UpdateQuery

from krru.data import by_hand
from tournaments.changes.domain.logchain import facts_hashes


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


FACTS = "facts"  # what the payload of an entry calls them
VOIDS = "voided_by"


@dataclass(slots=True)
class Gathered:
    """The rows that a change under way made, and those it voided or let hold again.

    Of the latter: the name of the table, by which entry they are void now, and their keys.
    """

    made: dict[str, list[Noted]] = field(default_factory=dict)
    voided: list[tuple[str, int | None, list[int]]] = field(default_factory=list)

    def void(self, model: type[models.Model], by: int | None, keys: Iterable[int]) -> None:
        """Note that facts are void now by an entry, or hold again."""
        name, gone = model.__name__, list(keys)
        if self.voided and self.voided[-1][:2] == (name, by):
            self.voided[-1][2].extend(gone)
        elif gone:
            self.voided.append((name, by, gone))

    def as_payload(self) -> dict[str, Any]:
        """Return it as the log entry keeps it: a hash for each table, and what is void by whom."""
        rows = {
            name: [(row.pk, columns_noted(row)) for row in made] for name, made in self.made.items()
        }
        voided = {"voided": [list(each) for each in self.voided]} if self.voided else {}
        return {"made": facts_hashes(rows), **voided}


# What the change under way gathers; None outside of changes.
UNDER_WAY: ContextVar[Gathered | None] = ContextVar("under_way", default=None)


def _made(rows: Sequence[Noted]) -> None:
    gathered = UNDER_WAY.get()
    if gathered is not None and rows:
        gathered.made.setdefault(type(rows[0]).__name__, []).extend(rows)


class Noted(models.Model):
    """A row that names the entry that made it; that entry holds a hash over its columns.

    The hash leaves out the columns of `mutable`: they change later, hold names, free texts and what
    is sealed, which can be erased, or what not everybody may know who reads the log. A service
    changes no other column.
    """

    maker: ClassVar[str] = "made_by"
    mutable: ClassVar[tuple[str, ...]] = ()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Write it; a new one by hand."""
        if self._state.adding:
            _made([self])
        elif UNDER_WAY.get() is not None:
            self.refuse_fixed(options.get("update_fields") or fixed_names(type(self)))
        if options.get("force_insert") and by_hand.can_insert(self):
            by_hand.insert(self)
        else:
            super().save(*args, **options)

    @classmethod
    def refuse_fixed(cls, names: Iterable[str]) -> None:
        """Refuse to change a column that the log vouches for.

        :raises TypeError: With the names of such columns.
        """
        fixed = set(names) & fixed_names(cls)
        if fixed:
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(fixed))} never change.")


def noted_models() -> list[type[Noted]]:
    """Return every table that log entries vouch for."""
    return [model for model in apps.get_models() if issubclass(model, Noted)]


@cache
def fields_noted(model: type[Noted]) -> tuple[Any, ...]:
    """Return the fields that the hash covers."""
    besides = {"id", model.maker, VOIDS, *model.mutable}
    return tuple(each for each in model._meta.concrete_fields if each.name not in besides)


@cache
def fixed_names(model: type[Noted]) -> frozenset[str]:
    """Return the names by which columns are called that never change."""
    fixed: list[Any] = [*fields_noted(model), model._meta.get_field(model.maker)]
    return frozenset(name for each in fixed for name in (each.name, each.attname))


def columns_noted(row: Noted) -> dict[str, Any]:
    """Return what the hash covers of a row."""
    fields = fields_noted(type(row))
    return columns_of(type(row), [getattr(row, each.attname) for each in fields])


def columns_of(model: type[Noted], values: Iterable[Any]) -> dict[str, Any]:
    """Return the values of the columns that the hash covers, as it covers them."""
    pairs = zip(fields_noted(model), values, strict=True)
    return {
        each.attname: _plain(each, value)
        for each, value in pairs
        # Empty is one value where null is none of them, and another where it is.
        if value is not None and (value or each.null)
    }


def _plain(of: Any, value: Any) -> Any:
    """Return a value as JSON has it, the same before it is written and after it is read."""
    if isinstance(of, models.JSONField):
        return loads(dumps(value, cls=of.encoder))
    value = of.to_python(value)
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


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
        gathered = UNDER_WAY.get()
        if gathered is not None:
            gathered.void(self.model, action.pk, keys)

    def update(self, **values: Any) -> int:
        """Write columns that may change, or which entry voids these facts.

        :raises TypeError: A change writes a column that log entries vouch for.
        """
        gathered = UNDER_WAY.get()
        if gathered is None:
            return super().update(**values)
        self.model.refuse_fixed(values)
        if VOIDS not in values:
            return super().update(**values)
        keys = self._update_found(values)
        gathered.void(self.model, getattr(values[VOIDS], "pk", None), keys)
        return len(keys)

    def _update_found(self, values: dict[str, Any]) -> list[int]:
        """Write values into the rows that are found, and return their keys."""
        query: Any = self.query.chain(UpdateQuery)
        query.add_update_values(values)
        query.clear_ordering(force=True)
        query.clear_select_clause()
        try:
            sql, params = query.get_compiler(self.db).as_sql()
        except EmptyResultSet:
            return []
        with (
            transaction.mark_for_rollback_on_error(self.db),
            connections[self.db].cursor() as cursor,
        ):
            cursor.execute(f"{sql} RETURNING id", params)
            return [key for (key,) in cursor.fetchall()]

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        """Write new facts, and return them; one alone, as most changes have it, by hand."""
        rows = list(objs)
        if not rows:
            return rows
        _made(rows)
        if len(rows) > 1 or args or options or not by_hand.can_insert(rows[0]):
            return super().bulk_create(rows, *args, **options)
        by_hand.insert(rows[0])
        return rows


class Fact(Noted):
    """A fact holds from the action that made it until the action that voided it, if any.

    Undo rests on these two pointers alone: it voids what an action made and revives what it
    voided. A fact must therefore never be changed in place by a service, but for the columns that
    it declares as `mutable`.
    """

    made_by = models.ForeignKey(Action, models.PROTECT, related_name="+")
    voided_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")

    objects = FactQuerySet.as_manager()

    class Meta:
        abstract = True


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
