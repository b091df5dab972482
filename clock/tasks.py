"""Speech made beforehand, so that a screen's first loading is quick. Woken by the pages.

The tasks name their app: pages call them from threads in which Celery knows of no current one.
"""

from __future__ import annotations

from clock.domain.wording import Language
from clock.models import Clock
from clock.selectors import clock_levels
from clock.sounds import sounds_make
from clock.speech import speak
from krru.celery import app


@app.task
def speech_prepare(clock_id: int, *, shows_big_bet: bool) -> None:
    """Speak everything of a clock's schedule, in both languages; what is kept costs nothing.

    Lost or doubled it does no harm: what is missing is spoken when a screen asks for it.
    """
    levels = clock_levels(Clock.objects.get(pk=clock_id))
    for language in Language:
        if not all(sounds_make(levels, language, shows_big_bet=shows_big_bet)):
            return


@app.task
def speech_make(text: str, language: str) -> None:
    """Speak one text before the screens ask for it, all at once."""
    speak(text, Language(language))
