"""Whether a club draws without a hall number."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0049_late_taps")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="draws_without_number",
            field=models.BooleanField(default=False),
        ),
    ]
