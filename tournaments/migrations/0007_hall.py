from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_late_break"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="areas",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
