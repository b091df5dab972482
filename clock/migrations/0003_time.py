from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clock", "0002_edits"),
    ]

    operations = [
        migrations.CreateModel(
            name="TimeBase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("boot_id", models.CharField(max_length=64, unique=True)),
                ("zero_at", models.DateTimeField()),
                ("highest_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AlterField(
            model_name="clockaction",
            name="kind",
            field=models.CharField(
                choices=[
                    ("started", "Started"),
                    ("paused", "Paused"),
                    ("adjusted", "Adjusted"),
                    ("jumped", "Jumped"),
                    ("restored", "Restored"),
                    ("hand_counted", "Hand Counted"),
                    ("last_hands_set", "Last Hands Set"),
                    ("break_stop_set", "Break Stop Set"),
                    ("edited", "Edited"),
                    ("corrected", "Corrected"),
                ],
                max_length=16,
            ),
        ),
    ]
