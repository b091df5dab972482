from django.db import migrations, models


def mark_what_shipped(apps, schema_editor):
    presets = apps.get_model("tournaments", "RulePreset").objects
    presets.filter(key__in=("krru-3", "tda-2024")).update(revision=1)
    apps.get_model("tournaments", "ChipSet").objects.filter(name="Steffen").update(revision=1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="chipset",
            name="revision",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="rulepreset",
            name="revision",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(mark_what_shipped, migrations.RunPython.noop, elidable=True),
    ]
