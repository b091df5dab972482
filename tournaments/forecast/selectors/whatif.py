"""Alternatives: the end after a change, beside the forecast one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from tournaments.forecast.domain.course import known_at
from tournaments.forecast.domain.end import Hall
from tournaments.forecast.domain.whatif import has_next_break, with_minutes, without_next_break
from tournaments.forecast.selectors.course import course_of
from tournaments.forecast.selectors.forecast import Forecast, forecast_from
from tournaments.models import Event, What
from tournaments.rebuys.selectors.offers import good_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Instead:
    """A possible change, and the end after it.

    :param differs: Minutes later, below zero earlier; None if unknown.
    """

    name: str
    forecast: Forecast | None
    differs: timedelta | None

    @property
    def minutes(self) -> int:
        return round(abs(self.differs or timedelta()) / timedelta(minutes=1))

    @property
    def is_earlier(self) -> bool:
        return self.differs is not None and self.differs < timedelta()


def insteads_of(event: Event, hall: Hall, forecast: Forecast, minutes: int | None) -> list[Instead]:
    """Return the possible changes at this event now. Reads only.

    :param minutes: Length of the levels to come; None: not asked.
    """
    return [
        _instead(event, name, would_be, forecast)
        for name, would_be in _ways(event, hall, forecast.at, minutes)
    ]


def _ways(
    event: Event, hall: Hall, at: datetime, minutes: int | None
) -> Iterator[tuple[str, Hall]]:
    if has_next_break(hall):
        yield _("Die nächste Pause fällt aus"), without_next_break(hall)
    if minutes is not None and len(hall.stretches) > 1:
        name = _("Ab der nächsten Stufe %(minutes)s Minuten") % {"minutes": minutes}
        yield name, with_minutes(hall, minutes)
    if hall.addon_at >= 0:
        addon = good_of(event, What.ADDON)
        open_ones = max(0, hall.left - known_at(course_of(event).changes, at).added)
        yield _("Alle nehmen das Add-on"), replace(hall, addon_chips=open_ones * addon.chips)
        yield _("Niemand nimmt mehr ein Add-on"), replace(hall, addon_chips=0)


def _instead(event: Event, name: str, would_be: Hall, forecast: Forecast) -> Instead:
    found = forecast_from(event, would_be, forecast.at)
    differs = None if found is None else found.ends_at - forecast.ends_at
    return Instead(name=name, forecast=found, differs=differs)
