"""Receipts without a person: for cash that goes from one drawer to another."""

from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0045_cash_guests"),
    ]

    operations = [
        migrations.AlterField(
            model_name="receipt",
            name="registration",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=deletion.PROTECT,
                related_name="receipts",
                to="tournaments.registration",
            ),
        ),
    ]
