"""What a big screen says of the end of the evening, where that is wished."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import time_format
from django.utils.timezone import localtime

from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Event


def screen_end(event: Event, now: datetime) -> list[str] | None:
    """Return when it will be over, and from when to when eight in ten are: times of the hall.

    None where it is not wished, or cannot be foreseen; without a question where not wished.
    """
    forecast = forecast_of(event, now) if event.shows_end else None
    if forecast is None:
        return None
    times = (forecast.ends_at, forecast.earliest, forecast.latest)
    at, first, last = (time_format(localtime(time), "H:i") for time in times)
    return [at, f"{first}–{last}"]
