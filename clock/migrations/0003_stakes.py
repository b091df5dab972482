from django.db import migrations, models

SAID = ("kind", "duration_ms", "hands", "small_blind", "big_blind", "big_bet", "ante", "bring_in", "game",
        "colour_up")  # fmt: skip


def mark_what_was_edited(apps, schema_editor):
    """Mark the clocks whose levels are others than those they were made with."""
    levels = apps.get_model("clock", "Level").objects.order_by("position")
    for clock in apps.get_model("clock", "Clock").objects.filter(actions__kind="edited").distinct():
        rows = levels.filter(clock=clock).values_list(*SAID)
        if list(rows.filter(added_by=None)) != list(rows.filter(removed_by=None)):
            clock.is_edited = True
            clock.save(update_fields=["is_edited"])


class Migration(migrations.Migration):
    dependencies = [
        ("clock", "0002_revisions"),
    ]

    operations = [
        migrations.AddField(
            model_name="clock",
            name="is_edited",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="level",
            name="ante_kind",
            field=models.CharField(
                choices=[("each", "Each"), ("big_blind", "Big Blind")],
                default="each",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="level",
            name="limit",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.AddField(
            model_name="level",
            name="small_bet",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="templatelevel",
            name="ante_kind",
            field=models.CharField(
                choices=[("each", "Each"), ("big_blind", "Big Blind")],
                default="each",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="templatelevel",
            name="limit",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.AddField(
            model_name="templatelevel",
            name="small_bet",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(mark_what_was_edited, migrations.RunPython.noop, elidable=True),
    ]
