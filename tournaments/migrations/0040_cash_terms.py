"""Further terms of cash tables, and terms changed while playing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0039_event_heads"),
    ]

    operations = [
        *(
            migrations.AddField(
                model_name="cashtable", name=name, field=models.PositiveIntegerField(default=0)
            )
            for name in ("ante_cents", "big_bet_cents", "straddle_cents", "chip_cents")
        ),
        *(
            migrations.AddField(
                model_name="cashtable",
                name=name,
                field=models.CharField(blank=True, default="", max_length=length),
            )
            for name, length in (("mix", 20), ("name", 40))
        ),
        migrations.AddField(
            model_name="cashtable",
            name="changed",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AlterField(
            model_name="cashtable",
            name="fee_way",
            field=models.CharField(
                choices=[
                    ("none", "none"),
                    ("time", "time"),
                    ("pot", "pot"),
                    ("drop", "drop"),
                    ("hand", "hand"),
                ],
                max_length=10,
            ),
        ),
    ]
