"""The hall belongs to the club: its plan, the tables an event takes of it, and its drawers."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0050_draws_without_number"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="hall",
            field=models.TextField(blank=True, default="", max_length=20_000),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="hall_tables",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="drawer",
            name="club",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drawers",
                to="tournaments.club",
            ),
        ),
    ]
