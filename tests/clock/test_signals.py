"""The three signals, as they are heard: length, loudness, no click at either end."""

import array
import io
import wave

import pytest

from clock.signals import PEAK, RATE, SIGNALS, signal_version, signal_wav


def samples_of(name):
    with wave.open(io.BytesIO(signal_wav(name))) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
        return array.array("h", sound.readframes(sound.getnframes()))


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_loud_whole_and_without_clicks(name):
    samples = samples_of(name)
    assert len(samples) == round(SIGNALS[name].length_s * RATE)
    assert max(map(abs, samples)) == PEAK
    assert samples[0] == 0
    assert abs(samples[-1]) < 30


@pytest.mark.parametrize("name", SIGNALS)
def test_it_is_the_same_on_every_run(name):
    first = signal_wav(name)
    signal_wav.cache_clear()
    assert signal_wav(name) == first


def test_they_differ_from_each_other():
    assert len({signal_version(name) for name in SIGNALS}) == 3


@pytest.mark.parametrize("name", SIGNALS)
def test_the_voice_does_not_drown_in_the_signal(name):
    after = SIGNALS[name].voice_after_ms * RATE // 1000
    rest = samples_of(name)[after:]
    assert max(map(abs, rest), default=0) < PEAK / 2
