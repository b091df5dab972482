"""The delay of a stream, for every page followed from elsewhere."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0054_tickets"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="stream_delay",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
