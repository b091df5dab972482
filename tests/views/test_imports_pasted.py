"""A list of people pasted from a chat, with the same preview as a file."""

import pytest

from tests.pressing import url_of
from tests.views.desk import Nothing
from tests.views.importing import confirm, names
from tests.views.pages import text_of
from tournaments.models import Registration

pytestmark = pytest.mark.django_db


def test_a_list_is_pasted_from_a_chat(client, desk, event):
    text = """[21.11.26, 19:03] Jo: Wer kommt am Donnerstag?
    1. Eva Lang ✅
    2️⃣ Otto Kurz (+1)
    – Zoë Müller 👍🏽 +43 660 1234567
    • *Max Zauner* <max@example.org>, (kommt später)
    - ~Ina Moser~
    7."""
    preview = client.post(url_of(event, "import"), {"text": text})
    assert "Eingefügte Liste, 4 Zeilen. Noch ist nichts gespeichert." in text_of(preview)
    assert names(event) == []
    assert confirm(client, event, preview).status_code == 204
    rows = Registration.objects.filter(event=event).order_by("pk")
    assert list(rows.values_list("name", "email", "phone", "remark")) == [
        ("Eva Lang", "", "", ""),
        ("Otto Kurz", "", "", "+1"),
        ("Zoë Müller", "", "+43 660 1234567", ""),
        ("Max Zauner", "max@example.org", "", "kommt später"),
    ]
    with Nothing(event):
        answer = client.post(url_of(event, "import"), {"text": "Wer kommt?\n1.\n- 👍"})
    assert answer.status_code == 422
    assert "nur Überschriften, keine Personen" in text_of(answer)
