"""Chips brought by a bag, or a stack of its own at the start, as a reason of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0040_cash_terms"),
    ]

    operations = [
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
                    ("chip_race", "Chip Race"),
                ],
                max_length=30,
            ),
        ),
    ]
