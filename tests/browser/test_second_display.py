"""A laptop with a projector beside its own display: "Leinwand öffnen" goes there by itself."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserType

from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, Role
from tournaments.models import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Browsers tell of displays in secure contexts alone; `localhost` is one.
LAPTOP, PROJECTOR = [0, 0, 1366, 768], [1366, 0, 1920, 1080]
DISPLAYS = "--screen-info={0,0 1366x768}{1366,0 1920x1080}"
WHERE = "[screenX, screenY, outerWidth, outerHeight]"


@pytest.fixture
def two_displays(
    browser_type: BrowserType, browser_type_launch_args: dict[str, list[str]]
) -> Iterator[Browser]:
    flags = [*browser_type_launch_args["args"], DISPLAYS]
    browser = browser_type.launch(**browser_type_launch_args | {"args": flags})
    yield browser
    browser.close()


def test_a_wall_opens_on_the_second_display_and_pairs_itself(two_displays, live_server):
    for answer, display in (("granted", PROJECTOR), ("denied", LAPTOP)):
        opened(two_displays, live_server, answer, display)


def opened(two_displays, live_server, answer, display):
    base = live_server.url.replace("127.0.0.1", "localhost")
    event = f.make_seated_event(6, starts_at=timezone.now())
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    context = two_displays.new_context(no_viewport=True, locale="de-DE")
    context.add_cookies([{"name": COOKIE, "value": dora.token, "url": base}])
    page = context.new_page()
    target = context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
    two_displays.new_browser_cdp_session().send(
        "Browser.setPermission",
        {
            "permission": {"name": "window-management"},
            "setting": answer,
            "origin": base,
            "browserContextId": target["browserContextId"],
        },
    )
    page.goto(base + url_of(event, "director"))
    page.locator("summary", has_text="Saal").click()
    with page.expect_popup() as popup:
        page.click("#screen-open")
    wall = popup.value
    wall.wait_for_selector("body[data-hall=clock]")
    row = Screen.objects.latest("pk")
    assert row.is_claimed
    assert row.event == event
    assert wall.evaluate(WHERE)[:2] == display[:2]
    if answer == "granted":
        assert wall.evaluate(WHERE)[2:] == display[2:]
    context.close()
