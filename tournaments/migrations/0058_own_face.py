"""The club's own face of its walls: slides, and a grid of figures."""

import django.db.models.deletion
from django.db import migrations, models

CLUB = "tournaments.club"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0057_currency")]

    operations = [
        migrations.CreateModel(
            name="OwnFace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slides", models.JSONField(default=list)),
                ("figures", models.JSONField(default=list)),
                ("in_breaks", models.BooleanField(default=False)),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_face",
                        to=CLUB,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Slide",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=200)),
                ("seconds", models.PositiveSmallIntegerField()),
                ("media_type", models.CharField(blank=True, max_length=40)),
                ("data", models.BinaryField()),
                ("digest", models.CharField(blank=True, max_length=64)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="slides",
                        to=CLUB,
                    ),
                ),
            ],
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
                    ("own", "Own"),
                    ("rotating", "Rotating"),
                    ("lobby", "Lobby"),
                ],
                default="clock",
                max_length=10,
            ),
        ),
    ]
