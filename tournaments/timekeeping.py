"""The server's time beside the evenings: it begins after what they wrote down last."""

from datetime import timedelta

from django.conf import settings
from django.db.models import Max

from clock.realtime import hub
from clock.servertime import ServerTime, server_time
from krru.observing.alive import ALIVE_FILE, presence
from tournaments.event.selectors.clock import TOLERANCE
from tournaments.event.services.clock import TIME_TAKEN
from tournaments.models import Action, Event

# An evening on which nothing was written down for so long holds back nobody's time.
LONGEST_SILENCE = timedelta(hours=12)


def time_begin(time: ServerTime = server_time) -> None:
    """Let the time begin, never before the last entry of an evening that goes on."""
    wall = time.wall()
    near = (wall - LONGEST_SILENCE, wall + LONGEST_SILENCE)
    going_on = Event.objects.running().filter(is_sample=False, head__log_recorded_at__range=near)
    time.begin(going_on.aggregate(latest=Max("head__log_recorded_at"))["latest"])


# An entry about it is seen within this time.
JUST_NOW = timedelta(seconds=10)
LAST_ENTRIES = 50


def _is_taken(time: ServerTime) -> bool:
    """Tell whether somebody has just taken over the computer's clock, in any process."""
    if time.ahead() < TOLERANCE:
        return False
    wall = time.wall()
    last = Action.objects.order_by("-pk").values_list("kind", "recorded_at")[:LAST_ENTRIES]
    return any(kind == TIME_TAKEN.name and abs(wall - at) < JUST_NOW for kind, at in last)


def time_watch() -> None:
    """Note each second that the server runs; tell the screens when time has jumped."""
    if presence.file is None:
        time_begin()
        presence.file = settings.KRRU_DATA / ALIVE_FILE
    if _is_taken(server_time):
        server_time.begin(None)
    if presence.note(server_time.now()):
        hub.tell_time()
