"""Rehearsals that play themselves."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0037_origins_gone"),
    ]

    operations = [
        migrations.CreateModel(
            name="SelfPlay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_playing", models.BooleanField(default=False)),
                ("speed", models.PositiveSmallIntegerField()),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="self_play",
                        to="tournaments.event",
                    ),
                ),
            ],
        ),
    ]
