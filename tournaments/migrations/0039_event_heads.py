"""The head of each event: its version, its log and its status, in a row of its own."""

import django.db.models.deletion
from django.db import migrations, models

COLUMNS = (
    "version",
    "log_sequence",
    "log_hash",
    "log_recorded_at",
    "started_by_id",
    "ended_by_id",
    "cancelled_by_id",
)


def fill(apps, schema_editor):
    used = schema_editor.connection.alias
    heads = apps.get_model("tournaments", "EventHead").objects.using(used)
    rows = apps.get_model("tournaments", "Event").objects.using(used).values("pk", *COLUMNS)
    heads.bulk_create(heads.model(event_id=row.pop("pk"), **row) for row in rows)


def _said_by():
    return models.ForeignKey(
        blank=True,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="tournaments.action",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0038_self_play"),
    ]

    operations = [
        migrations.CreateModel(
            name="EventHead",
            fields=[
                ("version", models.PositiveBigIntegerField(default=0)),
                ("log_sequence", models.PositiveBigIntegerField(default=0)),
                ("log_hash", models.CharField(blank=True, default="", max_length=64)),
                ("log_recorded_at", models.DateTimeField(blank=True, null=True)),
                (
                    "event",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="head",
                        serialize=False,
                        to="tournaments.event",
                    ),
                ),
                ("started_by", _said_by()),
                ("ended_by", _said_by()),
                ("cancelled_by", _said_by()),
            ],
            options={"abstract": False},
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        *(
            migrations.RemoveField(model_name="event", name=name.removesuffix("_id"))
            for name in COLUMNS
        ),
        migrations.AlterModelOptions(name="event", options={"base_manager_name": "objects"}),
    ]
