"""Speech: made, kept, bounded, and only for texts that the server itself has chosen."""

import array
import io
import os
import re
import stat
import struct
import sys
import threading
import wave

import pytest
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from clock import speech
from clock.domain.wording import Language
from clock.models import Level
from clock.speech import PEAK, espeak, nano, speak, speech_url, text_of
from clock.tasks import speech_prepare
from tests.clock.evening import make_event

GERMAN, ENGLISH = Language.GERMAN, Language.ENGLISH
SENTENCE = "Neue Blindstufe fünf: acht, fünfzehn. Gültig ab der nächsten Hand."
HAS_VOICE = nano("eins", GERMAN) is not None
needs_voice = pytest.mark.skipif(not HAS_VOICE, reason="py-nanotts is not made for this system")


@pytest.fixture
def folder(settings, tmp_path):
    settings.KRRU_DATA = tmp_path
    return tmp_path / speech.FOLDER


@pytest.fixture
def counted(monkeypatch):
    """Count how often a voice really speaks; it says the same for every text."""
    spoken = []

    def voice(text, language):
        spoken.append((text, language))
        return b"RIFF" + text.encode()

    monkeypatch.setattr(speech, "VOICES", (voice,))
    return spoken


def seconds_and_peak(sound):
    with wave.open(io.BytesIO(sound)) as wav:
        samples = array.array("h", wav.readframes(wav.getnframes()))
        return len(samples) / wav.getframerate(), max(map(abs, samples))


@needs_voice
@pytest.mark.parametrize("language", Language)
def test_a_sentence_is_spoken(folder, language):
    seconds, peak = seconds_and_peak(speak(SENTENCE, language))
    assert 3 < seconds < 9
    assert peak == PEAK


def test_the_same_text_is_spoken_once_also_for_threads_that_ask_at_once(folder, counted):
    threads = [threading.Thread(target=speak, args=(" Pause. ", GERMAN)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert speak("Pause.", GERMAN) == b"RIFFPause."
    speak("Pause.", ENGLISH)
    # Markup of the voices is not obeyed.
    speak("<volume level='500'>[[x]] & laut", GERMAN)
    assert counted == [
        ("Pause.", GERMAN),
        ("Pause.", ENGLISH),
        ("volume level='500' x laut", GERMAN),
    ]
    assert len(list(folder.glob("*.wav"))) == len(list(folder.iterdir())) == 3


@needs_voice
def test_a_word_the_voice_fails_on_ends_neither_it_nor_us(folder, monkeypatch):
    monkeypatch.setattr(speech, "VOICES", (nano,))
    speak("a" * 400, GERMAN)
    assert speak("Weiter geht es.", GERMAN)


def test_what_was_not_asked_for_longest_goes_first(folder, counted, monkeypatch):
    monkeypatch.setattr(speech, "MOST_FILES", 3)
    for number in range(3):
        speak(str(number), GERMAN)
        os.utime(speech._file_of(str(number), GERMAN), (number, number))
    speak("0", GERMAN)
    speak("neu", GERMAN)
    kept = {text for text in ("0", "1", "2", "neu") if speech._file_of(text, GERMAN).exists()}
    assert kept == {"0", "2", "neu"}


def test_nothing_to_say_and_nobody_to_say_it(folder, counted, monkeypatch):
    assert speak(" <> ", GERMAN) is None
    assert counted == []
    monkeypatch.setattr(speech, "VOICES", (lambda text, language: None,))
    assert speak("Pause.", GERMAN) is None
    assert not folder.exists()


def test_a_voice_that_fails_leaves_it_to_the_next_and_nothing_need_be_written(
    settings, tmp_path, monkeypatch
):
    settings.KRRU_DATA = tmp_path / "file"
    settings.KRRU_DATA.write_text("")

    def broken(text, language):
        raise OSError("kein Platz")

    monkeypatch.setattr(speech, "VOICES", (broken, lambda text, language: b"RIFF"))
    assert speak("Pause.", GERMAN) == b"RIFF"


@pytest.mark.skipif(sys.platform == "win32", reason="puts a script on the path")
def test_espeak_takes_over_where_the_voice_is_missing(folder, monkeypatch, tmp_path):
    """A program of that name that writes to its pipe as espeak-ng does: without a true length."""
    head = b"RIFF\xff\xff\xff\x7fWAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 22050, 44100, 2, 16)
    (tmp_path / "spoken").write_bytes(head + b"data\xff\xff\xff\x7f" + b"\0\x10" * 22050)
    program = tmp_path / "espeak-ng"
    program.write_text(
        f"#!{sys.executable}\nimport pathlib, sys\n"
        "assert sys.argv[1:] == ['-v', 'de', '-s', '150', '--stdin', '--stdout']\n"
        "assert sys.stdin.buffer.read() == 'fünf'.encode()\n"
        "spoken = pathlib.Path(__file__).with_name('spoken').read_bytes()\n"
        "sys.stdout.buffer.write(spoken)\n",
        "utf-8",
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(speech, "VOICES", (lambda text, language: None, espeak))
    assert seconds_and_peak(speak("fünf", GERMAN)) == (1.0, PEAK)


# --- Addresses ------------------------------------------------------------------------------------


def test_a_signed_text_is_served_and_may_be_kept_for_good(client, folder, counted, monkeypatch):
    url = speech_url("8/15? #1 + Größe", GERMAN)
    answer = client.get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "audio/wav"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert counted == [("8/15? #1 + Größe", GERMAN)]
    assert speech_url("8/15? #1 + Größe", GERMAN) == url
    assert client.post(url).status_code == 405
    # Without a voice the browser is told so.
    monkeypatch.setattr(speech, "VOICES", ())
    answer = client.get(speech_url("Pause.", GERMAN))
    assert answer.status_code == 404
    assert "immutable" not in answer.get("Cache-Control", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/de/", "/en/"),
        ("/de/", "/fr/"),
        ("/de/", "/de/x"),
        (":", ":x"),
        ("/de/.*", "/de/Hallo.wav"),
    ],
)
def test_other_texts_are_not_spoken(client, folder, counted, before, after):
    url = re.sub(before, after, speech_url("Pause.", GERMAN))
    assert client.get(url).status_code == 404
    assert counted == []
    with pytest.raises(signing.BadSignature):
        text_of(signing.Signer(salt="stream").sign_object("Pause."), GERMAN)


def test_signals_are_served(client):
    for name in ("gong", "bell", "beep"):
        answer = client.get(reverse("signal", args=[name]))
        assert answer.content[:4] == b"RIFF"
        assert "immutable" in answer["Cache-Control"]
    assert client.get(reverse("signal", args=["hupe"])).status_code == 404


# --- A schedule's sounds --------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_screen_is_told_what_to_load(client, folder, counted):
    event = make_event(timezone.now(), limit="split_limit", breaks={1: 10})
    url = reverse("screen-state", args=[event.slug])
    state = client.get(url).json()
    sounds = client.get(state["sounds"]["urls"]["de"]).json()
    assert set(sounds["signals"]) == {"gong", "bell", "beep"}
    ids = Level.objects.filter(clock=event.clock).values_list("pk", flat=True)
    assert set(sounds["cues"]) == {
        "soon", "last_minute", "break_ends", *(f"level-{pk}" for pk in ids),
    }  # fmt: skip
    for cue in sounds["cues"].values():
        client.get(cue["url"])
        assert counted[-1] == (cue["text"], GERMAN)
    assert any("Großer Einsatz: dreißig." in text for text, _language in counted)
    english = client.get(state["sounds"]["urls"]["en"]).json()
    assert english["cues"]["soon"]["text"].startswith("Play")
    assert client.get(reverse("screen-sounds", args=[event.slug, "fr"])).status_code == 404
    # Another schedule has another key.
    assert client.get(url).json()["sounds"]["key"] == state["sounds"]["key"]
    Level.objects.filter(clock=event.clock, position=1).update(big_blind=16)
    assert client.get(url).json()["sounds"]["key"] != state["sounds"]["key"]


@pytest.mark.django_db
def test_a_schedule_is_spoken_beforehand_in_both_languages(client, folder, counted, monkeypatch):
    event = make_event(timezone.now(), breaks={1: 10})
    speech_prepare.delay(event.clock_id, shows_big_bet=False)
    made = len(counted)
    assert made == 2 * (4 + 3)
    for language in ("de", "en"):
        sounds = client.get(reverse("screen-sounds", args=[event.slug, language])).json()
        for cue in sounds["cues"].values():
            client.get(cue["url"])
    assert len(counted) == made


@pytest.mark.django_db
def test_without_a_voice_nothing_is_prepared(folder, monkeypatch):
    asked = []
    monkeypatch.setattr(speech, "VOICES", (lambda text, language: asked.append(text),))
    speech_prepare.delay(make_event(timezone.now()).clock_id, shows_big_bet=False)
    assert len(asked) == 1
