"""Registrations for cash tables alone, which take no place of the tournament."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0044_logarithms_and_earlier_evenings"),
    ]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="is_cash_guest",
            field=models.BooleanField(default=False),
        ),
        migrations.RemoveIndex(model_name="registration", name="registration_live"),
        migrations.AddIndex(
            model_name="registration",
            index=models.Index(
                fields=["event", "voided_by", "is_cash_guest", "person"],
                condition=Q(voided_by__isnull=True),
                name="registration_live",
            ),
        ),
    ]
