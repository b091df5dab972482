"""Late taps that the director decides about."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0048_stacks_out_of_play"),
    ]

    operations = [
        migrations.CreateModel(
            name="LateTap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                *(
                    (
                        name,
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT, to=to, **own
                        ),
                    )
                    for name, to, own in (
                        ("entry", "tournaments.entry", {"related_name": "late_taps"}),
                        ("event", "tournaments.event", {"related_name": "late_taps"}),
                        (
                            "wish",
                            "tournaments.purchasewish",
                            {"related_name": "late_taps", "null": True},
                        ),
                        ("made_by", "tournaments.action", {"related_name": "+"}),
                        (
                            "voided_by",
                            "tournaments.action",
                            {"related_name": "+", "null": True, "blank": True},
                        ),
                    )
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event"],
                        name="late_tap_live",
                    )
                ],
            },
        ),
    ]
