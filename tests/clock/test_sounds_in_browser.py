"""The big screen heard: what Chromium's sound card is given, and when, server or no server."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from clock import speech
from clock.domain import ActionKind
from clock.signals import wav_of
from krru.devtools import chromium
from tests.browser import looking
from tests.calling import call_service
from tests.clock.evening import act, minutes
from tests.clock.hall import SIZES, face, hall_open, push, running, visitors
from tests.waits import until, wait_for
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Action
from tournaments.post.services.messages import announcement_made
from tournaments.undo.services.undo import action_undo

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Every sound that is given to the sound card: when (by the wall), and how long it is.
RECORD = """
window.played = [];
const begin = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
  const late = (when - this.context.currentTime) * 1000;
  const sound = { at: Date.now() + late, seconds: this.buffer.duration, stopped: false };
  window.played.push(sound);
  const end = this.stop.bind(this);
  this.stop = () => { sound.stopped = true; end(); };
  return begin.call(this, when, ...rest);
};
"""
HIDES = """{
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  window.hide = (wanted) => {
    isHidden = wanted;
    document.dispatchEvent(new Event("visibilitychange"));
  };
}"""
READY = "document.body.dataset.soundState === 'ready'"
GONG, VOICE = 2.4, 0.5


def half_a_second(text, language):
    """A voice that says everything in half a second, whatever system this is."""
    return wav_of([0, 9000] * 4000, 16_000)


@pytest.fixture
def hall(monkeypatch, settings, tmp_path):
    settings.KRRU_DATA = tmp_path
    monkeypatch.setattr(speech, "VOICES", (half_a_second,))
    with hall_open(monkeypatch) as hall:
        yield hall


@pytest.fixture
def guests(hall, browser):
    with visitors(hall, browser, script=RECORD) as guests:
        yield guests


def played(page):
    return [round(sound["seconds"], 1) for sound in page.evaluate("window.played")]


@pytest.fixture
def strict_browser(browser_type):
    """A browser that lets nothing sound before somebody taps, as everywhere but in the kiosk."""
    flags = [flag for flag in chromium.FLAGS if flag != chromium.SOUND_FLAG]
    browser = browser_type.launch(executable_path=chromium.find(), args=flags)
    yield browser
    browser.close()


def test_screens_sound_together_at_the_instant_with_the_server_dead_and_in_the_background(
    hall, screen
):
    """In the background, too: what is due within a minute is given to the card at once."""
    event = running(minutes(20) - timedelta(seconds=18))
    began_ms = (time.time() + 18) * 1000
    pages = [screen(event), screen(event, prepare=lambda page: page.add_init_script(HIDES))]
    mute = screen(event, prepare=lambda page: page.add_init_script("delete window.AudioContext;"))
    for page in pages:
        until(page, READY)
        assert played(page) == []
    hall.off()
    pages[1].evaluate("window.hide(true)")
    pages[0].wait_for_selector("[data-part=takeover]")
    told = []
    for page in pages:
        until(page, "window.played.length === 2")
        signal, voice = page.evaluate("window.played")
        assert (round(signal["seconds"], 1), round(voice["seconds"], 1)) == (GONG, VOICE)
        assert signal["at"] == pytest.approx(began_ms, abs=2000)
        assert voice["at"] - signal["at"] == pytest.approx(1500, abs=30)
        told.append(signal["at"])
    assert abs(told[0] - told[1]) < 100
    # Without a sound card everything is shown.
    assert "8 / 15" in mute.inner_text("[data-part=takeover]")
    assert mute.get_attribute("body", "data-sound-state") == "missing"
    pages[1].evaluate("window.hide(false)")
    time.sleep(2)
    assert [len(played(page)) for page in pages] == [2, 2]


def test_what_is_late_by_more_than_three_seconds_is_shown_only(screen):
    page = screen(running(minutes(20) + timedelta(seconds=4)))
    until(page, READY)
    page.wait_for_selector("[data-part=takeover]")
    time.sleep(1.5)
    assert played(page) == []


def test_a_pause_takes_back_what_was_about_to_sound(screen):
    event = running(minutes(20) - timedelta(seconds=5))
    page = screen(event)
    until(page, READY)
    until(page, "window.played.length === 2")
    assert not page.evaluate("window.played.some((sound) => sound.stopped)")
    act(event, ActionKind.PAUSED, timezone.now())
    push(event, "clock")
    face(page, "paused")
    assert page.evaluate("window.played.every((sound) => sound.stopped)")


def test_after_a_change_of_the_schedule_the_new_sounds_are_loaded(screen):
    event = running(minutes(5))
    page = screen(event)
    until(page, READY)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    event.clock.levels.filter(position=1).update(big_blind=16)
    push(event, "clock")
    until(page, "window.performance.getEntriesByType('resource').length > 0")
    assert wait_for(lambda: page.wait_for_timeout(50) or any("/stimme/" in url for url in asked))
    until(page, READY)
    assert sum("/stimme/" in url for url in asked) == 1


def test_settings_are_kept_and_told(screen):
    page = screen(running(minutes(5)))
    until(page, READY)
    page.evaluate(
        "document.body.addEventListener('krru:sound', (e) => { window.heard = e.detail; })"
    )
    page.keyboard.press("m")
    assert page.is_visible("[data-sound=quiet]")
    assert page.evaluate("window.heard") == {"state": "ready", "quiet": True}
    sound = page.evaluate_handle("import('/static/clock/sound.js')")
    sound.evaluate(
        "(it) => it.configure({ volume: 30, signal: 'bell', voice: false, nonsense: 1 })"
    )
    sound.evaluate("(it) => it.configure({ volume: 300, quiet: 'yes', language: 'fr' })")
    page.reload()
    until(page, READY)
    sound = page.evaluate_handle("import('/static/clock/sound.js')")
    assert sound.evaluate("(it) => it.settings()") == {
        "voice": False, "volume": 30, "signal": "bell", "quiet": True, "language": "de",
    }  # fmt: skip
    assert page.is_visible("[data-sound=quiet]")


def test_without_a_voice_anywhere_the_signal_is_left(monkeypatch, guests, screen):
    guests.may_fail.append("/stimme/")
    monkeypatch.setattr(speech, "VOICES", ())
    page = screen(running(minutes(20) - timedelta(seconds=4)))
    until(page, READY)
    page.wait_for_selector("[data-part=takeover]")
    time.sleep(1)
    assert played(page) == [GONG]


def test_blocked_sound_is_seen_a_tap_frees_it_and_the_longest_announcement_fits(
    screen, strict_browser
):
    event = running(minutes(5))
    page = screen(event, browser=strict_browser)
    page.wait_for_selector("[data-sound=blocked]")
    asked, time_shown = (
        page.locator(name).bounding_box() for name in ("[data-sound=blocked]", ".time")
    )
    assert asked["height"] > 0.025 * SIZES["tv"][1]
    assert asked["y"] > time_shown["y"] + time_shown["height"]
    assert "Einmal tippen, damit Ton kommt" in page.inner_text("[data-sound=blocked]")
    text = ("Bitte alle Handys weglegen und zu den Tischen kommen. " * 4)[:200]
    announcement_made(Command(event=event, by=SYSTEM, at=timezone.now()), text=text)
    page.wait_for_selector("[data-sound=announcement]")
    page.emulate_media(reduced_motion="reduce")
    assert list(looking.axe_faults(page)) == []
    page.mouse.click(900, 500)
    page.wait_for_selector("[data-sound=blocked]", state="hidden")
    until(page, READY)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width}")
        box = page.locator("[data-sound=announcement]").bounding_box()
        assert box["y"] > height * 0.3
        assert box["y"] + box["height"] == pytest.approx(height, abs=2)
        size = page.evaluate(
            "parseFloat(getComputedStyle(document.querySelector('[data-sound=text]')).fontSize)"
        )
        assert size >= 0.025 * height


def test_an_announcement_is_shown_spoken_and_taken_back(screen):
    event = running(minutes(5))
    page = screen(event)
    until(page, READY)
    said = {"event": event, "by": SYSTEM}
    call_service(announcement_made, **said, at=timezone.now(), text="Das Essen ist <b>fertig</b>.")
    page.wait_for_selector("[data-sound=announcement]")
    assert not page.is_visible(".foot")  # no figure is half covered
    assert page.inner_text("[data-sound=text]") == "Das Essen ist <b>fertig</b>."
    until(page, "window.played.length === 2")
    assert played(page) == [GONG, VOICE]
    action = Action.objects.get(kind="announcement.made")
    call_service(action_undo, **said, at=timezone.now(), action=action)
    page.wait_for_selector("[data-sound=announcement]", state="hidden")
    page.wait_for_selector(".foot:visible")
