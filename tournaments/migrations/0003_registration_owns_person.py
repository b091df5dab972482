"""What a visitor typed stays on the registration; whether its link opens the person is stored."""

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill_in(apps, schema_editor):
    """Give what is registered already the data of its person; its link opens no more than that."""
    registrations = apps.get_model("tournaments", "Registration").objects.all()
    people = apps.get_model("tournaments", "Person").objects.filter(pk=OuterRef("person"))
    known = {field: Subquery(people.values(field)) for field in ("name", "email", "phone")}
    registrations.update(**known)


def text(length):
    return models.CharField(blank=True, default="", max_length=length)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_revisions")]

    operations = [
        migrations.AddField("registration", "name", text(200), preserve_default=False),
        migrations.AddField(
            "registration",
            "email",
            models.EmailField(blank=True, default="", max_length=254),
            preserve_default=False,
        ),
        migrations.AddField("registration", "phone", text(40), preserve_default=False),
        migrations.AddField("registration", "says_member", models.BooleanField(default=False)),
        migrations.AddField("registration", "made_person", models.BooleanField(default=False)),
        migrations.AddField("registration", "owns_person", models.BooleanField(default=False)),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
