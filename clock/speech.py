"""Speech made offline by this machine: a text becomes a WAV file, cached by its content.

It tries two voices, the packaged one (py-nanotts) and the program espeak-ng. Without either the
answer is None: screens then use the browser's own voice, or only the signal. Addresses carry the
signed texts, so only chosen texts are spoken.
"""

import hashlib
import importlib.util
import io
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import wave
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings
from django.core import signing
from django.urls import reverse

from clock.domain import Level
from clock.domain.wording import Language, cue_texts
from clock.signals import SIGNALS, signal_version, wav_of

logger = logging.getLogger(__name__)

FOLDER = "speech"
# An evening needs about fifty files of 150 KB. The least recently used are deleted first.
MOST_FILES = 600
# Raise it when a voice changes, so that old files are no longer used.
RECIPE = "1"
LONGEST_TEXT = 600
NANO_VOICES = {Language.GERMAN: "de-DE", Language.ENGLISH: "en-GB"}
# The packaged voice clips at full volume: record it quietly and amplify it later.
NANO_VOLUME = "0.4"
VOICE_SECONDS = 10
PEAK = 29_000
# Both voices take text between these as markup; a typed announcement must not raise the volume.
_MARKUP = str.maketrans("<>&[]", "     ")
_making = threading.Lock()


def speak(text: str, language: Language) -> bytes | None:
    """Return the text as a WAV file; None without a voice for it.

    The first time takes about a tenth of a second; later it reads the file. Thread-safe.
    """
    plain = " ".join(text.translate(_MARKUP).split())[:LONGEST_TEXT]
    if not plain:
        return None
    file = _file_of(plain, language)
    found = _kept(file)
    if found is not None:
        return found
    with _making:
        found = _kept(file)
        if found is None and (found := _made(plain, language)) is not None:
            _keep(file, found)
    return found


def speech_url(text: str, language: Language) -> str:
    """Return the address of a text's sound. The same text always has the same address."""
    signed = signing.Signer(salt=_salt(language)).sign_object(text)
    return reverse("speech", args=[language.value, signed])


def text_of(signed: str, language: Language) -> str:
    """Return the text of an address.

    :raises signing.BadSignature: If the server did not choose this text for this language.
    """
    text: str = signing.Signer(salt=_salt(language)).unsign_object(signed)
    return text


def _salt(language: Language) -> str:
    return f"speech-{language.value}"


# --- Files ----------------------------------------------------------------------------------------


def _file_of(text: str, language: Language) -> Path:
    name = hashlib.sha256(f"{RECIPE}\n{language.value}\n{text}".encode()).hexdigest()
    return Path(settings.KRRU_DATA) / FOLDER / f"{name}.wav"


def _kept(file: Path) -> bytes | None:
    try:
        found = file.read_bytes()
        os.utime(file)
    except OSError:
        return None
    return found


def _keep(file: Path, sound: bytes) -> None:
    """Write the file in one step. With a full disk it is only made again later."""
    draft = file.with_name(f".{file.stem}.{os.getpid()}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.write_bytes(sound)
        draft.replace(file)
        _make_room(file.parent)
    except OSError as problem:
        logger.warning("Sprachdatei nicht gespeichert: %s", problem)


def _make_room(folder: Path) -> None:
    files = list(folder.glob("*.wav"))
    if len(files) > MOST_FILES:
        files.sort(key=lambda file: file.stat().st_mtime)
        for file in files[: len(files) - MOST_FILES]:
            file.unlink(missing_ok=True)


# --- Voices ---------------------------------------------------------------------------------------


def _made(text: str, language: Language) -> bytes | None:
    for voice in VOICES:
        try:
            sound = voice(text, language)
        except (OSError, EOFError, wave.Error, subprocess.SubprocessError) as problem:
            logger.warning("Stimme ausgefallen: %s", type(problem).__name__)
            continue
        if sound is not None:
            return sound
    return None


def nano(text: str, language: Language) -> bytes | None:
    """Speak with the packaged voice, which does not exist for every system.

    In a process of its own: after a word it fails on, the next call never returns.
    """
    if importlib.util.find_spec("py_nanotts") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="krru-speech-") as folder:
        file = Path(folder) / "spoken.wav"
        options = ["-o", str(file), "-v", NANO_VOICES[language], "--volume", NANO_VOLUME]
        subprocess.run(
            [sys.executable, "-I", "-m", "py_nanotts", *options, "--", text],
            capture_output=True,
            check=True,
            timeout=VOICE_SECONDS,
        )
        return _evened(file.read_bytes())


def espeak(text: str, language: Language) -> bytes | None:
    """Speak with the program espeak-ng, if installed."""
    program = shutil.which("espeak-ng")
    if program is None:
        return None
    run = subprocess.run(
        [program, "-v", language.value, "-s", "150", "--stdin", "--stdout"],
        input=text.encode(),
        capture_output=True,
        check=True,
        timeout=VOICE_SECONDS,
    )
    return _evened(run.stdout)


VOICES: tuple[Callable[[str, Language], bytes | None], ...] = (nano, espeak)


def _evened(spoken: bytes) -> bytes | None:
    """Return 16-bit mono speech normalised to the same loudest sample.

    A program writing to a pipe gives a false length: count only received samples.
    """
    with wave.open(io.BytesIO(spoken)) as sound:
        rate, pcm = sound.getframerate(), sound.readframes(sound.getnframes())
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.int32)
    loudest = int(np.abs(samples).max(initial=0))
    if not loudest:
        return None
    return wav_of((samples * PEAK // loudest).tolist(), rate)


# --- A screen's sounds: the signals and all announcements of its schedule, as addresses and texts


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
