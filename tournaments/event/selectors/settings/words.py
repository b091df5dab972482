"""Values of settings in words: in the log's preview, on the cards, in the search."""

from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.event.domain.hall import areas_text
from tournaments.event.domain.prices import parts_text, rates_text
from tournaments.event.selectors.labels import money, part_words
from tournaments.event.selectors.settings.declared import setting_of
from tournaments.event.selectors.settings.setting import Setting
from tournaments.models import Event

NOTHING = "–"
# Settings that end at a level or a break: the setting of the break by that of the level.
PHASES = {
    "late_registration_level": "late_registration_break",
    "rebuy_level": "rebuy_break",
    "addon_level": "addon_break",
}


def setting_words(setting: Setting, value: Any) -> str:
    """Return a value of a setting in words."""
    if setting.choices and value in setting.choices:
        return str(setting.choices[value])
    if (setting.may_be_empty or setting.name.endswith("_cents")) and not value:
        return NOTHING
    return money(value) if setting.name.endswith("_cents") else _value(value)


def said_of(event: Event, name: str) -> str:
    """Return the event's value of this setting in words; a phase with its end."""
    if name in PHASES:
        return phase_words(event, name) or NOTHING
    setting = setting_of(name)
    assert setting is not None
    return setting_words(setting, getattr(event, name))


def phase_words(event: Event, name: str) -> str:
    """Return when an offer ends, shortly, by the setting of its level; empty without the offer."""
    level, pause = getattr(event, name), getattr(event, PHASES[name])
    if level:
        return _("bis Stufe %(level)s") % {"level": level}
    if pause:
        in_break = name == "addon_level"
        text = _("in der %(number)s. Pause") if in_break else _("bis zur %(number)s. Pause")
        return text % {"number": pause}
    return ""


def _value(value: Any) -> str:
    if value is None:
        return _("wie in den Regeln")
    if isinstance(value, bool):
        return _("ja") if value else _("nein")
    if isinstance(value, datetime):
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")
    if isinstance(value, list):
        return ", ".join(map(_item, value)) or NOTHING
    return str(intcomma(value)) if isinstance(value, int) else value or NOTHING


def _item(item: Any) -> str:
    """Return an item of a list as typed: a number, an area of the hall, a price or its part."""
    if isinstance(item, list):
        if not isinstance(item[2], str):
            return rates_text([item], part_words())
        is_part = isinstance(item[0], str)
        return parts_text([item], part_words()) if is_part else areas_text([item])
    return str(item)
