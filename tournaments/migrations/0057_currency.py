"""The currency of a club."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0056_ticket_rest")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="currency",
            field=models.CharField(
                blank=True,
                choices=[("EUR", "Eur"), ("CHF", "Chf"), ("", "None")],
                default="EUR",
                max_length=3,
            ),
        ),
    ]
