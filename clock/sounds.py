"""A screen's sounds: the signals, and all announcements of its schedule.

Only addresses and texts; `clock.speech` makes the sounds on request.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from clock.domain import Level
from clock.domain.wording import Language, cue_texts
from clock.signals import SIGNALS, signal_version
from clock.speech import RECIPE, speech_url


def sounds_key(rows: Sequence[Mapping[str, Any]], *, shows_big_bet: bool) -> str:
    """Return a hash that changes with any announcement of these levels, in wire form.

    Cheap: it builds no text.
    """
    text = json.dumps([RECIPE, shows_big_bet, rows], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def sounds_payload(
    levels: Sequence[Level], language: Language, *, shows_big_bet: bool
) -> dict[str, Any]:
    """Return the signals with their addresses, and each cue's text with its voice's address.

    The texts are for browsers that speak themselves.
    """
    texts = cue_texts(levels, language, shows_big_bet=shows_big_bet)
    return {
        "signals": {
            name: {
                "url": f"{reverse('signal', args=[name])}?v={signal_version(name)}",
                "voice_after": signal.voice_after_ms,
            }
            for name, signal in SIGNALS.items()
        },
        "cues": {
            name: {"text": text, "url": speech_url(text, language)} for name, text in texts.items()
        },
    }
