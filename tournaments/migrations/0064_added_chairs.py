"""Chairs put at one table after it was opened."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0063_prices_by_person"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="added",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
