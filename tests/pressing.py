"""Pressing what the director's pages offer: what is done, what is refused, what is read."""

import re
from html import unescape

from django.urls import reverse

from tests import factories as f
from tournaments.changes.views.requests import present
from tournaments.models import Action

HTMX = {"HX-Request": "true"}


def text_of(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def shows(text, *words, but=()):
    """Expect all these words in a text, and none of those."""
    assert [word for word in words if word not in text] == []
    assert [word for word in but if word in text] == []


def url_of(event, name, *further):
    return reverse(name, args=[event.slug, *further])


def words_of(client, event, name, *further):
    """Return the text of a panel that a page fetches."""
    answer = client.get(url_of(event, name, *further), headers=HTMX)
    assert answer.status_code == 200
    return text_of(answer)


def press(client, event, name, *further, **data):
    return client.post(url_of(event, name, *further), data, headers=HTMX)


def followed(client, answer):
    """Return the page of which an answer fetches the rest by itself."""
    path = re.search(r'hx-get="([^"]+)"[^>]*hx-trigger="load', answer.content.decode())
    return client.get(unescape(path[1]), headers=HTMX)


def sheet(client, event, name, *further, **query):
    """Return the words of a sheet."""
    response = client.get(url_of(event, name, *further), query, headers=HTMX)
    assert response.status_code == 200
    return text_of(response)


def done(client, event, name, *further, **data):
    """Expect an action: one log entry, told with its undo."""
    before = Action.objects.filter(event=event).count()
    answer = press(client, event, name, *further, **data)
    html = answer.content.decode()
    assert answer.status_code == 200, html
    assert Action.objects.filter(event=event).count() == before + 1
    assert url_of(event, "action-undo", f.last_action(event).pk) in html
    return html


def refused(client, event, name, *further, sentence="", **data):
    """Expect a sentence for beside the control, and that nothing changed."""
    before = f.fresh(event).version
    answer = press(client, event, name, *further, **data)
    assert answer.status_code == 422
    assert answer.content.decode().startswith('<p class="refusal"')
    assert sentence in answer.content.decode()
    assert f.fresh(event).version == before


def name_of(entry):
    return entry.registration.person.name


def now(event):
    """Return the present time, as the pages have it."""
    return present(f.fresh(event))
