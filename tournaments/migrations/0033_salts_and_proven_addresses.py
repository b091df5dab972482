"""Mend what the way from 0.1.0 straight to here lost: salts of their own, and proven addresses.

There the column of the salt came with one value for everybody, and no address counted as proven.
Wherever neither happened, nothing is changed.
"""

import hashlib
import hmac
import json
import secrets
from collections import defaultdict
from datetime import UTC, datetime

from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Max

BATCH = 500
# Noted when the columns of both came to a folder.
CAME_WITH = ("tournaments", "0010_confirming")


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


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0032_numbers_of_phones_gone"),
    ]

    operations = [
        migrations.RunPython(give_salts, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(prove_addresses, migrations.RunPython.noop, elidable=True),
    ]
