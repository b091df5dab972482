"""Makes nothing: `0001_initial` makes what this once made of the tables of 0.1.0."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = []
