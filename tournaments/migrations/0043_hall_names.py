"""Names in the hall, and prizes as a face of a screen."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0042_contests"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="has_hall_names",
            field=models.BooleanField(default=True),
        ),
        migrations.AlterField(
            model_name="screen",
            name="shows",
            field=models.CharField(
                choices=[
                    ("clock", "Clock"),
                    ("seating", "Seating"),
                    ("moves", "Moves"),
                    ("places", "Places"),
                    ("hunters", "Hunters"),
                    ("prizes", "Prizes"),
                    ("cash", "Cash"),
                    ("rotating", "Rotating"),
                ],
                default="clock",
                max_length=10,
            ),
        ),
    ]
