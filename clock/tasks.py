"""Speech made in advance for a screen's fast first load. Started by the pages.

The tasks name their app: in the threads of pages Celery has no current one.
"""

from clock.domain.wording import Language, cue_texts
from clock.models import Clock
from clock.selectors import clock_levels
from clock.speech import speak
from krru.celery import app


@app.task
def speech_prepare(clock_id: int, *, shows_big_bet: bool) -> None:
    """Speak a clock's whole schedule in both languages; cached texts cost nothing.

    A lost or doubled task does no harm: a screen's request makes missing texts.
    """
    levels = clock_levels(Clock.objects.get(pk=clock_id))
    for language in Language:
        texts = cue_texts(levels, language, shows_big_bet=shows_big_bet)
        if not all(speak(text, language) is not None for text in texts.values()):
            return


@app.task
def speech_make(text: str, language: str) -> None:
    """Speak one text before all screens ask for it at once."""
    speak(text, Language(language))
