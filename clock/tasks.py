"""Speech made beforehand, so that a screen's first loading is quick. Woken by the pages.

The tasks name their app: pages call them from threads in which Celery knows of no current one.
"""

from __future__ import annotations

from clock.domain.wording import Language
from clock.selectors import clock_levels
from clock.sounds import sounds_make
from clock.speech import speak
from krru.celery import app
from tournaments.event.domain.betting import LimitKind, shows_big_bet
from tournaments.models import Event


@app.task
def speech_prepare(event_id: int) -> None:
    """Speak everything of an event's schedule, in both languages; what is kept costs nothing.

    Lost or doubled it does no harm: what is missing is spoken when a screen asks for it.
    """
    event = Event.objects.select_related("clock").get(pk=event_id)
    shown = shows_big_bet(LimitKind(event.limit))
    for language in Language:
        if not all(sounds_make(clock_levels(event.clock), language, shows_big_bet=shown)):
            return


@app.task
def speech_make(text: str, language: str) -> None:
    """Speak one text before the screens ask for it, all at once."""
    speak(text, Language(language))
