"""The forecast of the end on a big screen, if enabled."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import time_format
from django.utils.timezone import localtime

from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Event


def screen_end(event: Event, now: datetime) -> list[str] | None:
    """Return the expected end and the range of eight in ten evenings: times of the hall.

    None if not enabled, then without a query, or if unknown.
    """
    forecast = forecast_of(event, now) if event.shows_end else None
    if forecast is None:
        return None
    times = (forecast.ends_at, forecast.earliest, forecast.latest)
    at, first, last = (time_format(localtime(time), "H:i") for time in times)
    return [at, f"{first}–{last}"]
