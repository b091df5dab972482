"""The own face in a real Chromium: chosen at the laptop, shown on a wall, silent when idle."""

import io

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageDraw

from tests import factories as f
from tests.browser.test_screens import direct, paired, running, settle
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.schedule.edit import clock_break_now
from tournaments.screens.services.own_face import face_arrange, slide_add

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TURNS = """async () => {
  const { hallAt } = await import("/static/clock/hall-cycle.js");
  const spans = [5000, 20000];
  const at = (shows, seconds, pages = {}) => {
    const { face, page } = hallAt(shows, pages, seconds * 1000, null, spans);
    return `${face} ${page}`;
  };
  return {
    alone: [0, 4, 5, 24, 25].map((s) => at("own", s)),
    turning: [0, 29, 30, 39, 40, 45, 64, 65].map((s) => at("rotating", s, { seating: 1 })),
    empty: hallAt("own", {}, 0, null, []).face,
  };
}"""


def sponsor():
    out, image = io.BytesIO(), Image.new("RGB", (1200, 500), "#7a1f2b")
    ImageDraw.Draw(image).ellipse((400, 50, 800, 450), fill="#f5c445")
    image.save(out, "JPEG")
    return {"name": "sponsor.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


def add(laptop, text, picture=None):
    laptop.click("#slide-add")
    laptop.fill("#slide-text", text)
    if picture:
        laptop.set_input_files("#slide-picture", [picture])
    laptop.fill("#slide-seconds", "5")
    laptop.click("#slide-save")
    laptop.wait_for_selector(f".own-words:has-text('{text}')")


def test_slides_and_figures_are_chosen_at_the_laptop_and_shown_on_a_wall(open_page):
    event = running(12)
    wall, screen = paired(open_page, event)
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    laptop = open_page(reverse("own-face", args=[event.slug]), cookie=dora.token)
    laptop.select_option("#figure-1", "left")
    laptop.wait_for_selector("#own-preview .own-cell:has-text('12 / 12')")
    laptop.select_option("#figure-3", "rebuys")
    laptop.wait_for_selector("#own-preview .own-cell:has-text('Re-buys')")
    laptop.check("[name=in_breaks]")
    laptop.click("#own-save")
    laptop.wait_for_selector(".toast:has-text('Zahlen der Leinwand gewählt')")
    add(laptop, "Danke an Brauerei Huber", sponsor())
    add(laptop, "Rauchen nur im Hof")
    direct(event, screen, shows="own")
    for seen in ("12 / 12", "Brauerei Huber", "Rauchen nur"):
        wall.wait_for_selector(f".own:has-text('{seen}')")
    wall.evaluate(
        "window.faces = []; new MutationObserver(() => faces.push(document.body.dataset.hall))"
        ".observe(document.body, { attributeFilter: ['data-hall'] })"
    )
    wall.wait_for_selector(".own img")
    assert wall.evaluate("document.querySelector('.own img').naturalWidth") == 1200
    assert wall.locator(".strip-time").is_visible()
    sent = []
    wall.on("request", lambda request: sent.append(request.url))
    settle(wall, sent)
    wall.wait_for_timeout(6000)
    # A picture comes from the browser's store.
    assert not [url for url in sent if "/bild/" not in url]
    assert wall.evaluate("window.faces") == []
    f.out(event, f.entries_of(event)[-1], at=timezone.now())
    wall.wait_for_selector(".own:has-text('11 / 12')")
    laptop.locator(".own-slides li:has-text('Rauchen') button").last.click()
    laptop.click(".toast:has-text('entfernt') button:has-text('Rückgängig')")
    laptop.wait_for_selector(".own-words:has-text('Rauchen')")


def test_in_breaks_it_takes_turns_with_the_clock(open_page):
    event = running(6)
    made = {"club": event.club, "by": SYSTEM, "at": timezone.now()}
    call_service(slide_add, **made, text="Rauchen nur im Hof", seconds=60)
    wall, _screen = paired(open_page, event)
    assert wall.evaluate(TURNS) == {
        "alone": ["own 0", "own 0", "own 1", "own 1", "own 0"],
        "turning": [
            "clock 0", "clock 0", "seating 0", "seating 0", "own 0", "own 1", "own 1", "clock 0",
        ],
        "empty": "clock",
    }  # fmt: skip
    figures = ["left", "", "", "", "", ""]
    call_service(face_arrange, **made, figures=figures, in_breaks=True)
    clock_break_now(Command(event=f.fresh(event), by=SYSTEM, at=timezone.now()), minutes=30)
    wall.wait_for_selector("body[data-face=break]")
    wall.wait_for_selector("body[data-hall=own]", timeout=90_000)
    call_service(face_arrange, **made, figures=figures, in_breaks=False)
    wall.wait_for_selector("body[data-hall=clock]")
