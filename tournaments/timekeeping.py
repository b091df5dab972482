"""The server's time beside the evenings: it begins after what they wrote down last."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import Max

from clock.realtime import hub
from clock.servertime import ServerTime, server_time
from krru.observing.alive import ALIVE_FILE, presence
from tournaments.models import Event

# An evening on which nothing was written down for so long holds back nobody's time.
LONGEST_SILENCE = timedelta(hours=12)


def time_begin(time: ServerTime = server_time) -> None:
    """Let the time begin, never before the last entry of an evening that goes on."""
    wall = time.wall()
    near = (wall - LONGEST_SILENCE, wall + LONGEST_SILENCE)
    going_on = Event.objects.running().filter(head__log_recorded_at__range=near)
    time.begin(going_on.aggregate(latest=Max("head__log_recorded_at"))["latest"])


def time_watch() -> None:
    """Note each second that the server runs; tell the screens when time has jumped."""
    if presence.file is None:
        time_begin()
        presence.file = settings.KRRU_DATA / ALIVE_FILE
    if presence.note(server_time.now()):
        hub.tell_time()
