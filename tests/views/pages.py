"""What tests of several pages need: a tournament to come, and what a page says."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from tests import factories as f

VIENNA = ZoneInfo("Europe/Vienna")
# Devices sign in at a fixed instant of the factories, which may lie ahead of the machine's clock.
NOW = max(timezone.now(), f.after(600))
TOMORROW = timezone.localdate(NOW) + timedelta(days=1)
# A new tournament, as its form sends it.
FILLED = {
    "name": "Novemberturnier",
    "day": TOMORROW.isoformat(),
    "time": "19:30",
    "schedule": "T200",
    "level_minutes": "25",
    "game": "holdem",
    "limit": "no_limit",
    "seats_per_table": "9",
    "capacity": "40",
    "rules": "krru-3",
    "starting_stack": "",
    "late_registration_level": "4",
    "draw_mode": "rolling",
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


def bare(text):
    """Return markup without the blanks between its tags and their texts, which nobody sees."""
    return re.sub(r"\s*(</?[a-z][^>]*>)\s*", r"\1", text)


def errors_of(answer, field):
    """Return what a form says beside a field."""
    return answer.context["form"].errors.get(field, [])


def shown_in(answer):
    """Return what a part of a page sends along when it asks whether there is anything new."""
    (digest,) = re.findall(r'name="shown" value="(\w+)"', answer.content.decode())
    return {"shown": digest}


def sent_by(form, **typed):
    """Return what a browser sends of a form as it was shown, with what was typed into it."""
    shown = {name: form[name].value() for name in form.fields}
    both = {f"initial-{name}": value for name, value in shown.items()} | shown | typed
    return {name: value for name, value in both.items() if value not in (None, False)}


def settings_of(event):
    """Return what the settings page sends back when nothing was touched."""
    begins = timezone.localtime(event.starts_at)
    shown = {
        "name": event.name,
        "day": begins.date().isoformat(),
        "time": f"{begins:%H:%M}",
        "capacity": event.capacity,
        "seats_per_table": event.seats_per_table,
        "game": event.game,
        "limit": event.limit,
        "starting_stack": event.starting_stack,
        "late_registration_level": event.late_registration_level,
        "draw_mode": event.draw_mode,
    }
    return (
        shown
        | {f"initial-{name}": value for name, value in shown.items()}
        | {"is_registration_open": "on", "initial-is_registration_open": "True"}
    )
