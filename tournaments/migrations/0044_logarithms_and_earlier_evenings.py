"""Keep the natural logarithm of saved formulas, as `log` is now to base 10; earlier evenings."""

import re

from django.db import migrations, models

NATURAL = re.compile(r"\blog\b", re.IGNORECASE)


def say_ln(apps, schema_editor):
    for league in apps.get_model("tournaments", "League").objects.iterator():
        formula = league.terms.get("formula", "")
        if NATURAL.search(formula):
            league.terms["formula"] = NATURAL.sub("ln", formula)
            league.save(update_fields=["terms"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0043_hall_names")]

    operations = [
        migrations.RunPython(say_ln, migrations.RunPython.noop),
        migrations.AddField(
            model_name="event",
            name="earlier",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
