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


def ticks(preview, *, everybody=False):
    """Return the ticks of a preview as they were set, or one for each row that has one."""
    if everybody:
        return dict.fromkeys(re.findall(r'name="(row-\d+)"', text_of(preview)), "take")
    found = re.findall(r'name="(row-\d+)" value="take" checked', text_of(preview))
    return dict.fromkeys(found, "take")


def asked(preview):
    """Return why each row is asked about, by its number in the file."""
    cell = r'</td>\s*<td class="number">(\d+)</td>\s*<th scope="row">[^<]*</th>\s*<td>[^<]*</td>\s*'
    rows = re.findall(cell + r'<td class="import-reason">([^<]*)<', text_of(preview))
    return {int(number): " ".join(reason.split()) for number, reason in rows}


def confirm(client, event, preview, headers=HTMX, **more):
    data = {"people": hidden(preview, "people"), "is_listed": "on", **ticks(preview), **more}
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
