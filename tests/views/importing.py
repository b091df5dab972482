"""What tests of lists from files need: a file sent, its preview read and confirmed."""

import re

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.pressing import HTMX, url_of
from tests.views.pages import text_of
from tournaments.models import Registration

CSV = "Vorname;Nachname;E-Mail\nEva;Lang;eva@example.org\nJörg;Strauß;\n"


def upload(client, event, data, name="liste.csv"):
    data = data.encode() if isinstance(data, str) else data
    return client.post(url_of(event, "import"), {"file": SimpleUploadedFile(name, data)})


def hidden(answer, field):
    found = re.search(rf'name="{field}" value="([^"]*)"', text_of(answer))
    return found.group(1) if found else None


def confirm(client, event, preview, headers=HTMX, **more):
    data = {"people": hidden(preview, "people"), "is_listed": "on", **more}
    return client.post(url_of(event, "import-confirm"), data, headers=headers)


def names(event):
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("person__name", "person__email"))


def reasons(answer):
    """Return the sentence of each row left out, by its number in the file."""
    rows = re.findall(
        r'<tr class="is-refused">\s*<td class="number">(\d+)</td>.*?import-reason">([^<]*)<',
        text_of(answer),
        re.DOTALL,
    )
    return {int(number): reason for number, reason in rows}
