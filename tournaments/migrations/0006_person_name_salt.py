from django.db import migrations, models

import tournaments.models.people


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_draw_secret"),
    ]

    operations = [
        # Who is known already has none: the log holds no hash of such a name.
        migrations.AddField(
            model_name="person",
            name="name_salt",
            field=models.CharField(blank=True, default="", max_length=32),
        ),
        migrations.AlterField(
            model_name="person",
            name="name_salt",
            field=models.CharField(
                blank=True, default=tournaments.models.people.new_salt, max_length=32
            ),
        ),
    ]
