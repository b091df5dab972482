"""The cash tables on the director's page, without a tournament."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tournaments.cashgame.selectors.own import cash_evening
from tournaments.changes.views.requests import StaffRequest
from tournaments.dashboard.views.figures import page_now

MINUTE = timedelta(minutes=1)


def cash_shown(request: StaffRequest) -> dict[str, Any]:
    now = page_now(request)
    evening = cash_evening(request.event, now)
    left = -((now - evening.ends_at) // MINUTE) if evening.ends_at else None
    return {"evening": evening, "minutes": left, "may_offer": True}
