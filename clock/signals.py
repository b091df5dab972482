"""Three computed signals for the hall: a gong, a bell, a beep. The same bytes on every run.

Each is a sum of fading tones, like struck metal. Pure: no files, no present time.
"""

import array
import hashlib
import io
import math
import sys
import wave
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

RATE = 22_050
PEAK = 26_000
# A sound that begins or ends at full volume clicks.
ATTACK_S = 0.004
RELEASE_S = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A recipe. `partials` are (hertz, share of the volume, seconds to fade to a third).

    The voice comes `voice_after_ms` after the beginning; the signal may still ring then.
    """

    partials: tuple[tuple[float, float, float], ...]
    strikes_s: tuple[float, ...]
    length_s: float
    voice_after_ms: int


SIGNALS: Mapping[str, Signal] = {
    "gong": Signal(
        partials=(
            (110.0, 1.0, 0.9), (164.2, 0.7, 0.8), (221.7, 0.6, 0.65), (293.4, 0.4, 0.5),
            (402.9, 0.3, 0.35), (587.1, 0.15, 0.2),
        ),
        strikes_s=(0.0,),
        length_s=2.4,
        voice_after_ms=1500,
    ),
    "bell": Signal(
        partials=(
            (523.3, 0.5, 0.6), (1046.5, 1.0, 0.45), (1255.0, 0.4, 0.4), (1570.0, 0.35, 0.3),
            (2093.0, 0.3, 0.25), (2790.0, 0.15, 0.12),
        ),
        strikes_s=(0.0, 0.4),
        length_s=1.7,
        voice_after_ms=1300,
    ),
    "beep": Signal(
        partials=((880.0, 1.0, 0.12), (1760.0, 0.25, 0.08)),
        strikes_s=(0.0, 0.22, 0.44),
        length_s=0.85,
        voice_after_ms=900,
    ),
}  # fmt: skip


@cache
def signal_wav(name: str) -> bytes:
    """Return a signal as a WAV file; made once, in about a tenth of a second.

    :raises KeyError: If there is none of this name.
    """
    heights = _heights(SIGNALS[name])
    loudest = max(map(abs, heights))
    return wav_of((round(height / loudest * PEAK) for height in heights), RATE)


@cache
def signal_version(name: str) -> str:
    """Return the hash in a signal's address, so that browsers may keep it for good."""
    return hashlib.sha256(signal_wav(name)).hexdigest()[:12]


def wav_of(samples: Iterable[int], rate: int) -> bytes:
    """Return 16-bit mono samples as a WAV file."""
    pcm = array.array("h", samples)
    if sys.byteorder == "big":
        pcm.byteswap()
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(pcm.tobytes())
    return file.getvalue()


def _heights(signal: Signal) -> list[float]:
    """Return the sum of all strikes per sample, not yet normalised."""
    total = round(signal.length_s * RATE)
    heights = [0.0] * total
    for strike in signal.strikes_s:
        begin = round(strike * RATE)
        for hertz, share, fades in signal.partials:
            turn, fading = math.tau * hertz / RATE, math.exp(-1 / (fades * RATE))
            height = share
            for index in range(begin, total):
                heights[index] += height * math.sin(turn * (index - begin))
                height *= fading
    attack, release = round(ATTACK_S * RATE), round(RELEASE_S * RATE)
    for index in range(attack):
        heights[index] *= index / attack
    for index in range(release):
        heights[total - 1 - index] *= index / release
    return heights
