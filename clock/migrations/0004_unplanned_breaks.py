import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clock", "0003_stakes"),
    ]

    operations = [
        migrations.AddField(
            model_name="level",
            name="is_unplanned",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="level",
            name="rest_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="clock.level",
            ),
        ),
    ]
