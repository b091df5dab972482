"""Somebody writes into the database: which row of which table, whatever it is, is found."""

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, connection, models, transaction

from tests import factories as f
from tests.attacks.everything import play_everything
from tournaments.changes.audit import gathering
from tournaments.changes.selectors.log import log_first_fault
from tournaments.log.selectors.log_heads import Difference, facts_checked
from tournaments.models import Action, Seating
from tournaments.models.log import VOIDS, fields_noted, noted_models
from tournaments.undo.services.undo import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

# Columns without choices that hold words of the program, and names of parts of a price.
WORDS = {
    "CashLink.token", "CashTable.game", "CashTable.limit", "CashTable.mix", "Deal.way",
    "Draw.hall_number", "Draw.kind", "Posting.part", "Receipt.means", "Registration.language",
    "Ruling.topic", "Stage.label", "Summons.reason",
}  # fmt: skip


def other(field, value):
    """Return a value that a column may hold as well."""
    if isinstance(value, datetime):
        return value - timedelta(microseconds=1)
    if isinstance(field, models.JSONField):
        return [value, 7]
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.CharField):
        return "x" if value != "x" else "y"
    return (value or 0) + 1


def altered(row):
    """Change one column of a row, the first that the database lets."""
    for field in fields_noted(type(row)):
        yield {field.attname: other(field, getattr(row, field.attname))}


def voided(row):
    """Let a row hold no more, or again."""
    if hasattr(row, VOIDS):
        yield {VOIDS: None if row.voided_by_id else row.made_by}


def moved(row):
    """Say that another entry made it."""
    yield {row.maker: Action.objects.exclude(pk=getattr(row, f"{row.maker}_id")).first()}


def first_taken(row, forged):
    """Write the first of these values that the database takes; return whether there is one."""
    for values in forged(row):
        try:
            with transaction.atomic():
                type(row)._base_manager.filter(pk=row.pk).update(**values)
        except IntegrityError:
            continue
        return True
    return False


def rows_of_all():
    """Return a row of each table."""
    rows = [model._base_manager.order_by("pk").last() for model in noted_models()]
    return [row for row in rows if row is not None]


def of(row):
    return getattr(row, f"{row.maker}_id"), type(row).__name__


def added(row):
    """Write a row once more, by an entry that made none of them."""
    copied = type(row)._base_manager.get(pk=row.pk)
    copied.pk, copied._state.adding = None, True
    if hasattr(row, VOIDS):
        copied.voided_by = row.made_by
    for field in fields_noted(type(row)):
        if isinstance(field, models.IntegerField) or field.unique:
            setattr(copied, field.attname, other(field, getattr(row, field.attname)))
    for field in row._meta.concrete_fields:
        if field.unique and not field.primary_key:
            setattr(copied, field.attname, "other")
    copied.save()
    return copied


def differing():
    return [(one.entry, one.table) for one in facts_checked().differences]


@pytest.mark.sqlite_only  # the sequences of money check facts on both
def test_a_row_that_was_forged_is_found_in_whatever_table():
    play_everything()
    rows = rows_of_all()
    assert {type(row) for row in rows} == set(noted_models())
    assert facts_checked().differences == []
    every = sorted(map(of, rows))

    with rolled_back():
        assert [row for row in rows if not first_taken(row, altered)] == []
        assert differing() == every
    with rolled_back():
        done = [row for row in rows if first_taken(row, voided)]
        assert len(done) > len(rows) * 0.9
        wanted = [Difference(entry=of(row)[0], table=of(row)[1], fact=row.pk) for row in done]
        assert facts_checked().differences == sorted(wanted, key=lambda one: (one.entry, one.table))
    with rolled_back():
        assert [row for row in rows if not first_taken(row, moved)] == []
        assert set(differing()) > set(every)
    with rolled_back(), connection.cursor() as cursor:
        for row in rows:
            # What points at it is asked for at the end alone, and this does not last so long.
            cursor.execute(f"DELETE FROM {row._meta.db_table} WHERE id = %s", [row.pk])
        assert differing() == every
    with rolled_back():
        for row in rows:
            added(row)
        assert set(differing()) == set(every)
    assert facts_checked().differences == []
    assert {log_first_fault(event) for event in f.Event.objects.all()} == {None}


def test_each_column_never_changes_or_is_declared_and_no_free_text_is_hashed():
    for model in noted_models():
        declared = {model._meta.get_field(name) for name in model.mutable}
        beside = {"id", model.maker, VOIDS}
        for field in model._meta.concrete_fields:
            is_hashed = field in fields_noted(model)
            assert is_hashed is (field not in declared and field.name not in beside), field
            is_free = isinstance(field, models.CharField | models.TextField) and not field.choices
            assert not (is_hashed and is_free and str(field).split(".", 1)[1] not in WORDS), field


def test_a_change_that_writes_a_column_that_never_changes_comes_to_nothing():
    event = f.make_running_event(3)
    row = Seating.objects.live().filter(event=event).first()
    rows = Seating.objects.filter(pk=row.pk)
    drawn, row.seat = row.seat, row.seat % 9 + 1
    with gathering():
        for write in (
            lambda: rows.update(seat=row.seat),
            lambda: rows.update(entry=row.entry),
            lambda: rows.bulk_update([row], ["seat"]),
            lambda: row.save(update_fields=["seat"]),
            row.save,
        ):
            with pytest.raises(TypeError, match="never change"), transaction.atomic():
                write()
    assert rows.get().seat == drawn
