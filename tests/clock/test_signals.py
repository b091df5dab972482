"""The three signals, as they are heard: length, loudness, no click at either end."""

import array
import io
import wave

import pytest

from clock.signals import PEAK, RATE, SIGNALS, signal_version, signal_wav


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_loud_whole_without_clicks_and_does_not_drown_the_voice(name):
    made = signal_wav(name)
    with wave.open(io.BytesIO(made)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
        samples = array.array("h", sound.readframes(sound.getnframes()))
    assert len(samples) == round(SIGNALS[name].length_s * RATE)
    assert max(map(abs, samples)) == PEAK
    assert samples[0] == 0
    assert abs(samples[-1]) < 30
    rest = samples[SIGNALS[name].voice_after_ms * RATE // 1000 :]
    assert max(map(abs, rest), default=0) < PEAK / 2
    signal_wav.cache_clear()
    assert signal_wav(name) == made, "it is the same on every run"


def test_they_differ_from_each_other():
    assert len({signal_version(name) for name in SIGNALS}) == 3
