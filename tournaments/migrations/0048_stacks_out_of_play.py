"""Stacks given up, and chips in play that belong to no entry."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0047_cash_settling"),
    ]

    operations = [
        migrations.AlterField(
            model_name="chipmovement",
            name="entry",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="chip_movements",
                to="tournaments.entry",
            ),
        ),
        migrations.AlterField(
            model_name="chipmovement",
            name="reason",
            field=models.CharField(
                choices=[
                    ("starting_stack", "Starting Stack"),
                    ("carried", "Carried"),
                    ("on_time", "On Time"),
                    ("rebuy", "Rebuy"),
                    ("addon", "Addon"),
                    ("disqualification", "Disqualification"),
                    ("surrender", "Surrender"),
                    ("blinded", "Blinded"),
                    ("chip_race", "Chip Race"),
                ],
                max_length=30,
            ),
        ),
        migrations.AlterField(
            model_name="elimination",
            name="way",
            field=models.CharField(
                choices=[
                    ("bust", "Bust"),
                    ("disqualified", "Disqualified"),
                    ("surrendered", "Surrendered"),
                ],
                max_length=20,
            ),
        ),
    ]
