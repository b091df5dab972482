"""The least number of registrations, and when it is decided."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0060_overlay_addresses"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="least_entries",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="least_hours",
            field=models.PositiveSmallIntegerField(default=2),
        ),
    ]
