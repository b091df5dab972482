from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0029_cash_feeders"),
    ]

    operations = [
        migrations.AddField(
            model_name="cashwaiting",
            name="is_for_stakes",
            field=models.BooleanField(default=False),
        ),
    ]
