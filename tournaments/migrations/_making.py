"""Parts of migrations: tables, facts, columns."""

from django.db import migrations, models

LIVE = models.Q(("voided_by__isnull", True))


def model(name, *fields, **options):
    """Make a table with a number as its key."""
    number = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    return migrations.CreateModel(name, [("id", number), *fields], options)


def fact(name, *fields, **options):
    """Make a table of facts, which know the actions that made and voided them."""
    action = "tournaments.action"
    known = [("made_by", to(action)), ("voided_by", to(action, blank=True, null=True))]
    return model(name, *known, *fields, **options)


def to(target, *, related_name="+", **options):
    """Point to a row that stays as long as something points to it."""
    return models.ForeignKey(target, models.PROTECT, related_name=related_name, **options)


def columns(table, **fields):
    """Add columns to a table."""
    return [migrations.AddField(table, name, field) for name, field in fields.items()]


def once_live(name, *fields):
    """Let live facts have these fields once."""
    return models.UniqueConstraint(condition=LIVE, fields=fields, name=name)


def index_live(name, *fields):
    """Index live facts by these fields."""
    return models.Index(condition=LIVE, fields=fields, name=name)


def titled(*values):
    """Return choices named by their values."""
    return [(value, (value or "none").replace("_", " ").title()) for value in values]


def same(*values):
    return [(value, value) for value in values]
