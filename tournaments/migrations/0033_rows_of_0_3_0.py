"""Rows of release 0.3.0: salts and proven addresses mended, logos made anew, lost stacks, heads.

The way from 0.1.0 straight to a later program gave everybody one salt and proved no address.
Wherever neither happened, these stay.
"""

import hashlib
import hmac
import io
import json
import re
import secrets
from collections import defaultdict
from datetime import UTC, datetime
from hashlib import sha256

from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Max

BATCH = 500
# Noted when the columns of both came to a folder.
CAME_WITH = ("tournaments", "0010_confirming")
LARGEST_BYTES = 100_000
MOST_PIXELS, LONGEST_SIDE = 4096, 1024
MOST_ELEMENTS = 2000
# What makes a small drawing cost a page much, or leads out of it.
COSTLY = re.compile(
    rb"<\s*(use|filter|image|script|foreignobject|pattern|mask|style|animate)|<!|url\s*\(|href",
    re.IGNORECASE,
)
KEPT = ("event_id", "entry_id", "at", "group", "start_stack", "table_id", "made_by_id")
COLUMNS = (
    "version",
    "log_sequence",
    "log_hash",
    "log_recorded_at",
    "started_by_id",
    "ended_by_id",
    "cancelled_by_id",
)
NATURAL = re.compile(r"\blog\b", re.IGNORECASE)


def give_salts(apps, schema_editor):
    """Empty a salt that several share where no log notes the name, else renew it and note that."""
    people = apps.get_model("tournaments", "Person").objects
    groups = people.exclude(name_salt="").values("name_salt").annotate(count=Count("pk"))
    shared = groups.filter(count__gt=1).values_list("name_salt", flat=True)
    by_club = defaultdict(list)
    for person in people.filter(name_salt__in=list(shared)).order_by("pk"):
        by_club[person.club_id].append(person)
    for club, rows in by_club.items():
        noted = _noted(apps, club)
        names = [name for row in rows for name in _salted(apps, row, noted)]
        people.bulk_update(rows, ["name_salt"], batch_size=BATCH)
        if names:
            _log(apps, club, {"names": names, "outcome": "salted"})


def _noted(apps, club):
    """Return the latest hash by person and by registration, as the logs of a club note them."""
    noted = {}
    rows = apps.get_model("tournaments", "Action").objects.filter(club=club)
    for payload in rows.order_by("recorded_at", "pk").values_list("payload", flat=True).iterator():
        for person, registration, digest in payload.get("names", ()):
            noted |= {("person", person): digest, ("registration", registration): digest}
    return noted


def _salted(apps, person, noted):
    """Give a person another salt or none, and return what to note of the names with it."""
    rows = apps.get_model("tournaments", "Registration").objects.filter(person=person.pk)
    named = {
        ("registration", pk): name for pk, name in rows.order_by("pk").values_list("pk", "name")
    }
    named = {key: name for key, name in named.items() if key in noted}
    own = ("person", person.pk)
    former = person.name_salt
    if not named and own not in noted:
        person.name_salt = ""
        return []
    person.name_salt = secrets.token_hex(16)
    # Another name than the log's is not noted anew: that it differs is to be found as before.
    return [
        [
            pk if of == "person" else 0,
            pk if of == "registration" else 0,
            _hash(person.name_salt, name),
        ]
        for (of, pk), name in {own: person.name, **named}.items()
        if (of, pk) not in noted or noted[of, pk] == _hash(former, name)
    ]


def _hash(salt, name):
    return hmac.new(salt.encode(), name.encode(), hashlib.sha256).hexdigest()


def _log(apps, club, payload):
    """Add an entry of the program itself to the log of a club."""
    actions = apps.get_model("tournaments", "Action").objects
    owner = apps.get_model("tournaments", "Club").objects.select_for_update().get(pk=club)
    latest = actions.filter(club=club).aggregate(Max("recorded_at"))["recorded_at__max"]
    now = max(datetime.now(UTC), latest)  # noqa: TID251 - a migration is an edge
    sequence, ms = owner.log_sequence + 1, round(now.timestamp() * 1000)
    hashed = {**payload, "role": "system", "device": None}
    text = json.dumps(
        [owner.log_hash, sequence, "person.corrected", ms, ms, hashed],
        separators=(",", ":"),
        sort_keys=True,
    )
    entry = actions.create(
        club=owner,
        sequence=sequence,
        kind="person.corrected",
        at=now,
        recorded_at=now,
        role="system",
        payload=payload,
        previous_hash=owner.log_hash,
        hash=hashlib.sha256(text.encode("ascii")).hexdigest(),
    )
    owner.version += 1
    owner.log_sequence, owner.log_hash, owner.log_recorded_at = sequence, entry.hash, now
    owner.save(update_fields=["version", "log_sequence", "log_hash", "log_recorded_at"])


def prove_addresses(apps, schema_editor):
    """Prove the addresses of registrations from before, unless another was typed since."""
    connection = schema_editor.connection
    came = MigrationRecorder(connection).applied_migrations().get(CAME_WITH)
    if came is None:
        return
    rows = apps.get_model("tournaments", "Registration").objects
    of_before = rows.filter(made_by__recorded_at__lt=came.applied, is_mail_proven=False)
    addresses = dict(of_before.exclude(email="").values_list("pk", "email"))
    corrected = apps.get_model("tournaments", "Action").objects.filter(
        kind="registration.corrected", recorded_at__gte=came.applied
    )
    for payload, texts in corrected.values_list("payload", "text__data").iterator():
        row = payload.get("registration")
        if row in addresses and (texts or {}).get("email_said_before") != addresses[row]:
            del addresses[row]
    keys = sorted(addresses)
    for start in range(0, len(keys), BATCH):
        rows.filter(pk__in=keys[start : start + BATCH]).update(is_mail_proven=True)


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


def tell_lost_stacks(apps, schema_editor):
    """Make a lost stack of each held seat; after a re-buy it still counts."""
    used = schema_editor.connection.alias
    chances = apps.get_model("tournaments", "RebuyChance").objects.using(used)
    lost_stacks = apps.get_model("tournaments", "LostStack").objects.using(used)
    rows = list(chances.select_related("voided_by").order_by("pk"))
    for row in rows:
        is_bought = row.voided_by is not None and row.voided_by.kind == "rebuy.bought"
        row.lost = lost_stacks.create(
            **{name: getattr(row, name) for name in KEPT},
            voided_by=None if is_bought else row.voided_by,
        )
    chances.bulk_update(rows, ["lost"], batch_size=BATCH)


def fill(apps, schema_editor):
    used = schema_editor.connection.alias
    heads = apps.get_model("tournaments", "EventHead").objects.using(used)
    rows = apps.get_model("tournaments", "Event").objects.using(used).values("pk", *COLUMNS)
    heads.bulk_create(heads.model(event_id=row.pop("pk"), **row) for row in rows)


def say_ln(apps, schema_editor):
    for league in apps.get_model("tournaments", "League").objects.iterator():
        formula = league.terms.get("formula", "")
        if NATURAL.search(formula):
            league.terms["formula"] = NATURAL.sub("ln", formula)
            league.save(update_fields=["terms"])


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", name)
        for name in (
            "0033_salts_and_proven_addresses",
            "0034_logos_made_anew",
            "0035_lost_stacks",
            "0044_logarithms_and_earlier_evenings",
            "0056_ticket_rest",
        )
    ]
    dependencies = [("tournaments", "0032_tables_of_0_3_0")]

    operations = [
        migrations.RunPython(step, migrations.RunPython.noop, elidable=True)
        for step in (give_salts, prove_addresses, make_anew, tell_lost_stacks, fill, say_ln)
    ]
