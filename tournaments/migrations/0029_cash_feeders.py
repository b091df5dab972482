import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0028_closing"),
    ]

    operations = [
        migrations.AddField(
            model_name="cashtable",
            name="feeds",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="feeders",
                to="tournaments.cashtable",
            ),
        ),
        migrations.AddField(
            model_name="cashtable",
            name="meal_minutes",
            field=models.PositiveSmallIntegerField(default=30),
        ),
        migrations.AddField(
            model_name="event",
            name="cash_unit",
            field=models.CharField(
                choices=[("money", "Money"), ("points", "Points"), ("matches", "Matches")],
                default="money",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="shows_cash_results",
            field=models.BooleanField(default=True),
        ),
    ]
