"""A stack that was lost is a fact of its own, also where a re-buy followed."""

import django.db.models.deletion
from django.db import migrations, models

BATCH = 500
KEPT = ("event_id", "entry_id", "at", "group", "start_stack", "table_id", "made_by_id")


def tell_lost_stacks(apps, schema_editor):
    """Make a lost stack of each held seat; after a re-buy it still counts."""
    used = schema_editor.connection.alias
    chances = apps.get_model("tournaments", "RebuyChance").objects.using(used)
    lost_stacks = apps.get_model("tournaments", "LostStack").objects.using(used)
    rows = list(chances.select_related("voided_by").order_by("pk"))
    for row in rows:
        is_bought = row.voided_by is not None and row.voided_by.kind == "rebuy.bought"
        row.lost = lost_stacks.create(
            **{name: getattr(row, name) for name in KEPT},
            voided_by=None if is_bought else row.voided_by,
        )
    chances.bulk_update(rows, ["lost"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0034_logos_made_anew"),
    ]

    operations = [
        migrations.CreateModel(
            name="LostStack",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("group", models.PositiveBigIntegerField(blank=True, null=True)),
                ("start_stack", models.PositiveBigIntegerField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lost_stacks",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lost_stacks",
                        to="tournaments.event",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.table",
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event", "at"],
                        name="lost_stack_live",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="rebuychance",
            name="lost",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rebuy_chances",
                to="tournaments.loststack",
            ),
        ),
        migrations.RunPython(code=tell_lost_stacks, reverse_code=migrations.RunPython.noop),
    ]
