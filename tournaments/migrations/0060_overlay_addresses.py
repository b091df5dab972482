"""Secret addresses of overlays."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0059_live_posts_and_stated_stacks"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="overlay_round",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
