"""What tests of several pages need: a tournament to come, and what a page says."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.pressing import shows, url_of
from tournaments.event.selectors.settings.declared import SETTINGS

VIENNA = ZoneInfo("Europe/Vienna")
# Devices sign in at a fixed instant of the factories, which may lie ahead of the machine's clock.
NOW = max(timezone.now(), f.after(600))
TOMORROW = timezone.localdate(NOW) + timedelta(days=1)
# A new tournament, as its form sends it.
FILLED = {
    "name": "Novemberturnier",
    "day": TOMORROW.isoformat(),
    "time": "19:30",
    "ends": "02:30",
    "players": "36",
    "seats_per_table": "9",
    "fee_cents": "",
    "schedule": "T200",
}


def soon(**settings):
    """Make an event that begins in two days: pages read the real time."""
    now = timezone.now()
    return f.make_event(starts_at=now + timedelta(days=2), at=now, **settings)


def planned(**own):
    """Make a tournament that begins in the future, as those that people change do."""
    begins = datetime.combine(TOMORROW, time(19), VIENNA)
    return f.make_event(**{"starts_at": begins, "at": NOW, **own})


def text_of(response):
    """Return an answer's text with its markup, single spaces."""
    return " ".join(response.content.decode().split())


def page_of(client, event, name, *further, **asked):
    """Return a page of an event with its markup, single spaces."""
    answer = client.get(url_of(event, name, *further), asked)
    assert answer.status_code == 200
    return text_of(answer)


def bare(text):
    """Return markup without the blanks between its tags and their texts, which nobody sees."""
    return re.sub(r"\s*(</?[a-z][^>]*>)\s*", r"\1", text)


def assert_refused(answer, *words, but=()):
    """Expect that a form comes back with its sentences, and without other words."""
    assert answer.status_code == 422
    shows(text_of(answer), *words, but=but)


def assert_shown(answer, *words, but=()):
    """Expect an answer that is no refusal, with these words and without those."""
    assert answer.status_code == 200
    shows(text_of(answer), *words, but=but)


def errors_of(answer, field, form="form"):
    """Return what a form that was refused says beside a field."""
    assert answer.status_code == 422
    return " ".join(answer.context[form].errors[field])


def shown_in(answer):
    """Return what a part of a page sends along when it asks whether there is anything new."""
    (digest,) = re.findall(r'name="shown" value="(\w+)"', answer.content.decode())
    return {"shown": digest}


def sent_by(form, **typed):
    """Return what a browser sends of a form as it was shown, with what was typed into it."""
    shown = {name: form[name].value() for name in form.fields}
    both = {f"initial-{name}": value for name, value in shown.items()} | shown | typed
    return {name: value for name, value in both.items() if value not in (None, False)}


def card_with(event, field):
    """Return the address of the settings' card with this field."""
    section = next(one.section for one in SETTINGS if field in one.fields)
    return f"{reverse('event-settings', args=[event.slug])}?karte={section}&feld={field}"


def card_form(client, event, field):
    """Return the form of the settings' card with this field."""
    return client.get(card_with(event, field)).context["form"]


def save(client, event, field, **typed):
    """Save the settings' card with this field as a browser does, with what was typed."""
    sent = sent_by(card_form(client, event, field), **typed)
    return client.post(card_with(event, field), sent)
