import io
import re
from hashlib import sha256

from django.db import migrations

LARGEST_BYTES = 100_000
MOST_PIXELS, LONGEST_SIDE = 4096, 1024
MOST_ELEMENTS = 2000
# What makes a small drawing cost a page much, or leads out of it.
COSTLY = re.compile(
    rb"<\s*(use|filter|image|script|foreignobject|pattern|mask|style|animate)|<!|url\s*\(|href",
    re.IGNORECASE,
)


def is_harmless_drawing(data):
    return (
        len(data) <= LARGEST_BYTES
        and b"<svg" in data[:2000]
        and data.count(b"<") <= MOST_ELEMENTS
        and COSTLY.search(data) is None
    )


def as_png(data):
    """Return a raster picture drawn anew within bounds; None for what is none."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data)) as image:
            if max(image.size) > MOST_PIXELS:
                return None
            upright = ImageOps.exif_transpose(image).convert("RGBA")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    out = io.BytesIO()
    upright.save(out, "PNG", optimize=True)
    return out.getvalue()


def make_anew(apps, schema_editor):
    """Draw each raster logo anew; a harmless drawing stays; what may hang a page goes."""
    logos = apps.get_model("tournaments", "ClubLogo").objects
    for logo in logos.using(schema_editor.connection.alias):
        data = bytes(logo.data)
        if is_harmless_drawing(data):
            continue
        picture = as_png(data)
        if picture is None:
            logo.delete()
            continue
        logo.media_type, logo.data = "image/png", picture
        logo.digest = sha256(picture).hexdigest()
        logo.save()


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0033_salts_and_proven_addresses"),
    ]

    operations = [
        migrations.RunPython(make_anew, migrations.RunPython.noop, elidable=True),
    ]
