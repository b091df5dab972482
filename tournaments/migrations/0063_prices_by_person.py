"""Prices by person: the prices of an event, and which one a registration has."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0062_flight_faces"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="fee_rates",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="registration",
            name="rate",
            field=models.CharField(blank=True, default="", max_length=30),
        ),
    ]
