"""What tests of the desk need: its forms, what is sent, and that nothing happened."""

from tests import factories as f
from tests.pressing import HTMX, url_of
from tests.views.pages import page_of, text_of
from tournaments.models import Action, Entry, Person


def post(client, name, event, *more, data=None, **headers):
    return client.post(url_of(event, name, *more), data or {}, headers={**HTMX, **headers})


def data_of(name="Petra Probst", email="", **more):
    return {"name": name, "email": email, "is_listed": "on", **more}


def listed(client, event, **query):
    """Return the desk's list, as an open page fetches it."""
    return page_of(client, event, "desk-list", **query)


def actions(event):
    return list(Action.objects.filter(event=event).order_by("pk").values_list("kind", flat=True))


class Nothing:
    """Expect that an event stays as it is."""

    def __init__(self, event):
        self.event = event

    def __enter__(self):
        self.before = self.state()

    def __exit__(self, *_problem):
        assert self.state() == self.before

    def state(self):
        people = Person.objects.order_by("pk").values_list("name", "email")
        return f.fresh(self.event).version, list(people), Entry.objects.count()


def refused(client, name, event, *more, sentence, data=None):
    """Expect a refusal in a sentence that leaves everything as it was, and return it."""
    with Nothing(event):
        answer = post(client, name, event, *more, data=data or data_of())
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    return answer
