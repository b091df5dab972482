from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_places"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="late_registration_break",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
