from hashlib import sha256

from django.db import migrations

from tournaments.club.domain.pictures import PictureError, picture_from


def make_anew(apps, schema_editor):
    """Make what is kept of each logo what would be kept of it today; one that is refused goes."""
    for logo in apps.get_model("tournaments", "ClubLogo").objects.all():
        try:
            picture = picture_from(bytes(logo.data))
        except PictureError:
            logo.delete()
            continue
        logo.media_type, logo.data = picture.media_type, picture.data
        logo.digest = sha256(picture.data).hexdigest()
        logo.save()


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0033_salts_and_proven_addresses"),
    ]

    operations = [
        migrations.RunPython(make_anew, migrations.RunPython.noop, elidable=True),
    ]
