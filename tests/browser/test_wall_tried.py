"""What a hall saw on its wall and did not expect; each played as it was met."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests import factories as f
from tests.browser import faces
from tests.browser.test_screens import direct, move_one, paired, running
from tests.browser.test_wall import LONG, named
from tests.calling import call_service
from tests.clock.evening import minutes
from tests.clock.hall import STILL, face
from tests.clock.hall import running as clock_running
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.models import Person
from tournaments.post.services.messages import announcement_made
from tournaments.undo.services.undo import action_undo

pytest_plugins = ["tests.clock.fixtures", "tests.browser.faces"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_nothing_of_an_umlaut_is_cut_in_the_list(guests):
    event = running(24)
    for person in Person.objects.filter(registrations__event=event):
        person.name = person.sort_name = f"Übermut Ägöÿ {person.pk}"
        person.save()
    page, _row = paired(guests.open, event, shows="seating")
    for height in (720, 1080):
        page.set_viewport_size({"width": height * 16 // 9, "height": height})
        page.reload()
        page.wait_for_selector("li.hall-seating")
        until(page, STILL)
        line = page.locator("li.hall-seating").nth(3)
        name = line.locator("span").first
        box = line.bounding_box()
        around = {**box, "y": box["y"] - 6, "height": box["height"] + 12}
        as_shown = page.screenshot(clip=around)
        page.locator("li.hall-seating span").evaluate_all(
            "nodes => nodes.forEach((node) => { node.style.overflow = 'visible'; })"
        )
        assert name.evaluate("node => getComputedStyle(node).overflow") == "visible"
        assert page.screenshot(clip=around) == as_shown, height


@pytest.mark.parametrize("cancelled", [True, False])
def test_only_an_evening_that_was_played_has_a_cup(screen, cancelled):
    page = screen(faces.ended(cancelled=cancelled))
    face(page, "ended")
    assert page.is_visible("[data-part=cancelled-sign]") is cancelled
    assert page.is_visible("[data-part=cup]") is not cancelled


def test_the_first_level_says_that_it_begins(screen):
    first = screen(clock_running(timedelta(seconds=1)))
    first.wait_for_selector("[data-part=takeover]")
    assert first.inner_text("[data-part=takeover-word]") == "Es geht los"


def test_the_second_level_says_when_it_counts(screen):
    page = screen(clock_running(minutes(20) + timedelta(seconds=1)))
    page.wait_for_selector("[data-part=takeover]")
    assert page.inner_text("[data-part=takeover-word]") == "gilt ab der nächsten Hand"


def test_after_the_last_hand_no_count_of_hands_is_left(screen):
    page = screen(faces.last_hands(0))
    face(page, "last-hands")
    seen = page.inner_text("body")
    assert "Die letzte Hand ist gespielt" in seen
    assert "0 Hände" not in seen


def test_each_dress_is_another_ground_and_a_break_keeps_its_own(guests):
    event = running()
    page, row = paired(guests.open, event)
    ground = "getComputedStyle(document.body).backgroundImage"
    seen = {page.evaluate(ground)}
    for theme in ("felt", "ink"):
        direct(event, row, theme=theme)
        page.wait_for_selector(f"body[data-theme={theme}]")
        seen.add(page.evaluate(ground))
    assert len(seen) == 3
    of_break = page.evaluate("""() => {
      const { body } = document;
      body.dataset.face = "break";
      return ["night", "felt", "ink"].map((theme) => {
        body.dataset.theme = theme;
        return getComputedStyle(body).getPropertyValue("--ground");
      });
    }""")
    assert len(set(of_break)) == 1


def test_a_single_move_uses_the_width_for_the_name(guests):
    event = named(running(24))
    move_one(event, f.entries_of(event)[0])
    page, _row = paired(guests.open, event, shows="moves")
    page.wait_for_selector("li.hall-moves")
    page.set_viewport_size({"width": 1280, "height": 720})
    until(page, "innerWidth === 1280")
    name = page.locator("li.hall-moves span").nth(1)
    assert name.inner_text().startswith(LONG)
    until(page, "[...document.querySelectorAll('li.hall-moves span')]"
                ".every((one) => one.scrollWidth <= one.clientWidth)")  # fmt: skip


def test_an_announcement_leaves_no_figure_half_covered(screen):
    event = running(12)
    page = screen(event)
    face(page, "playing")
    assert page.is_visible(".foot")
    said = {"event": event, "by": SYSTEM}
    text = {"text": "Das Essen ist fertig.", "stays": True}
    action = call_service(announcement_made, **said, at=timezone.now(), **text)
    page.wait_for_selector(".announcement:visible")
    assert not page.is_visible(".foot")
    call_service(action_undo, **said, at=timezone.now(), action=action)
    page.wait_for_selector(".foot:visible")


def test_the_wall_loads_no_file_of_icons(screen):
    asked = []
    page = screen(clock_running(minutes(5)), prepare=lambda page: page.on(
        "request", lambda request: asked.append(request.url)
    ))  # fmt: skip
    face(page, "playing")
    page.wait_for_load_state("networkidle")
    assert any(url.endswith("screen.js") for url in asked)
    assert not [url for url in asked if "icons" in url]


FONTS = """performance.getEntriesByType("resource").map(({ name }) => name)
    .filter((name) => name.includes(".woff2")).map((name) => name.split("/").pop())"""


@pytest.mark.parametrize(
    ("name", "more"),
    [("Jürgen Groß-Özil", []), ("Łukasz Żak", ["krru-ext"]), ("François Peña", ["krru"])],
)
def test_the_wall_has_the_letters_of_its_names_before_they_are_shown(guests, name, more):
    event = running(3)
    for person in Person.objects.filter(registrations__event=event):
        person.name = person.sort_name = name
        person.save()
    page, _row = paired(guests.open, event)
    page.wait_for_load_state("networkidle")
    until(page, f"{FONTS}.length === {1 + len(more)}")
    assert page.get_attribute("body", "data-hall") == "clock"
    loaded = page.evaluate(FONTS)
    assert [font.split(".")[0] for font in loaded] == ["krru-wall", *more]
