"""Many pages of one browser at once: all of them are served, and hear of every change.

A browser opens six connections to an address. Chromium without a window takes each page for a
visible one, so that none of these lets go by itself.
"""

import contextlib
import http.client
import json
import time

import pytest
from playwright.sync_api import expect

from tests.browser.hall import LAPTOP, Director
from tests.laptops import director_link, has_spoken, laptop_served_once
from tests.waits import until

pytestmark = pytest.mark.browser

KINDS = ("leitung/", "anmeldung/", "tische/", "screen/", "geraete/", "protokoll/", "")
HEAR = """() => {
  window.krruHeard = [];
  document.body.addEventListener("krru:change", ({ detail }) => krruHeard.push(detail.version));
}"""
HAS_HEARD = "krruHeard.length > 0"
HIDES = """{
  let seen = "visible";
  Object.defineProperty(document, "visibilityState", { get: () => seen });
  window.krruHide = (isHidden) => {
    seen = isHidden ? "hidden" : "visible";
    document.dispatchEvent(new Event("visibilitychange"));
  };
}"""
ALONE = "delete globalThis.SharedWorker;"


class Browser:
    """A laptop with a tournament, and its other pages."""

    def __init__(self, laptop, server):
        self.laptop, self.server = laptop, server
        self.event = laptop.make_tournament("Freitag", schedule="T200", seats=6, capacity=12)
        self.pages = {}

    def open(self, path):
        page = self.laptop.context.new_page()
        page.on("pageerror", lambda error: self.laptop.complaints.append(str(error)))
        page.goto(self.laptop.base + path)
        return page

    def open_kinds(self):
        self.pages = {kind: self.open(self.event + kind) for kind in KINDS}

    def register(self, name, page=None):
        """Register somebody on a page of the public, which becomes that player's own."""
        page = page or self.open(self.event)
        page.get_by_label("Dein Name").fill(name)
        page.get_by_label("Ich spiele nach diesen Regeln").check()
        page.get_by_role("button", name="Platz sichern").click()
        page.wait_for_url("**/p/**")
        return page

    def streams(self):
        """Return how many topics the server tells."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        with contextlib.closing(connection):
            connection.request("GET", "/health/")
            return json.loads(connection.getresponse().read())["streams"]

    def until_streams(self, count, seconds=30):
        last = time.monotonic() + seconds
        while self.streams() != count:
            assert time.monotonic() < last, self.streams()
            self.laptop.page.wait_for_timeout(100)


@pytest.fixture(scope="module")
def hall(browser, tmp_path_factory):
    """Return a server, and the cookies of a director's laptop."""
    server = has_spoken(laptop_served_once(tmp_path_factory.mktemp("pages") / "data")).start()
    laptop = Director(browser, f"http://krru.test:{server.port}", LAPTOP)
    laptop.sign_in(director_link(server, laptop.base))
    cookies = laptop.context.cookies()
    laptop.context.close()
    yield server, cookies
    server.kill()


@pytest.fixture
def opened(browser, hall):
    server, cookies = hall
    laptop = Director(browser, f"http://krru.test:{server.port}", LAPTOP)
    laptop.context.add_cookies(cookies)
    yield Browser(laptop, server)
    laptop.context.close()


def press_all(opened, own):
    """Press something on every page that has something to press, and wait for the answer."""
    presses = {
        "leitung/": "#main button:has-text('Zurücknehmen')",
        "anmeldung/": "a:has-text('Neue Person')",
        "tische/": "button:has-text('Durchsage')",
        "protokoll/": "#main button:has-text('Zurücknehmen')",
    }
    for kind, selector in presses.items():
        page = opened.pages[kind]
        page.locator(selector).first.click()
        expect(page.locator("dialog#sheet")).to_be_visible()
    opened.pages["geraete/"].get_by_role("button", name="QR-Code für Anmeldung zeigen").click()
    expect(opened.pages["geraete/"].locator("#code-url")).to_be_visible()
    own.get_by_role("link", name="Abmelden").click()
    own.get_by_role("link", name="Nein, ich komme").click()
    expect(own.locator("#card")).to_be_visible()


def test_a_press_on_each_of_ten_pages_is_answered_and_a_change_reaches_all(opened):
    opened.open_kinds()
    own = opened.register("Petra Probst")
    wall = opened.open("/leinwand/")
    expect(wall.locator(".pairing-code")).to_be_visible()
    press_all(opened, own)
    public = opened.pages.pop("")
    pages = [opened.laptop.page, *opened.pages.values(), own]
    for page in pages:
        page.evaluate(HEAR)
    opened.register("Walter Wirt", public)
    for page in pages:
        until(page, HAS_HEARD)
    expect(opened.pages["screen/"].locator("[data-part=registrations]")).to_have_text("2")
    # The tournament and the wall that shows its code, over one connection.
    opened.until_streams(2)
    wall.close()
    opened.until_streams(1)
    assert opened.laptop.complaints == []


@pytest.mark.long
def test_of_a_page_that_crashed_nothing_is_heard_after_a_minute(opened):
    """A page that does not answer the server's time is as one that crashed."""
    wall = opened.open("/leinwand/")
    until(wall, "document.body.dataset.screen !== undefined")
    address = wall.evaluate("document.body.dataset.screen")
    wall.close()
    opened.until_streams(1)
    opened.laptop.page.evaluate(
        """(address) => { window.krruPort = new SharedWorker(document.body.dataset.worker).port;
          krruPort.postMessage({ address, version: 0 }); }""",
        address,
    )
    opened.until_streams(2)
    opened.until_streams(1, seconds=120)


@pytest.mark.parametrize("script", ["", ALONE], ids=["shared", "alone"])
def test_a_page_that_is_hidden_lets_go_and_catches_up_when_it_is_looked_at(opened, script):
    opened.laptop.page.goto("about:blank")
    opened.laptop.context.add_init_script(HIDES + script)
    wall = opened.laptop.context.new_page()
    is_stream = lambda request: "/stream/screen" in request.url
    with wall.expect_request(is_stream):
        wall.goto(f"{opened.laptop.base}/leinwand/")
    opened.until_streams(1)
    if script:
        desk = opened.open(f"{opened.event}anmeldung/")
    else:  # a wall alone has a stream of its own until there is another page
        with wall.expect_event("requestfailed", is_stream):
            desk = opened.open(f"{opened.event}anmeldung/")
    opened.until_streams(2)
    for page in (desk, wall):
        page.evaluate("krruHide(true)")
    opened.until_streams(1)  # a wall is hidden by whatever lies over it
    desk.evaluate(HEAR)
    opened.register("Petra Probst").close()
    assert desk.evaluate("krruHeard") == []
    desk.evaluate("krruHide(false)")
    until(desk, HAS_HEARD)
    expect(desk.locator("#desk-list")).to_contain_text("Petra Probst")
    opened.until_streams(2)
    if not script:
        return
    # Where nothing is shared a page that is looked at takes the place of a hidden one.
    for page in (desk, wall):
        page.close()
    pages = [opened.open(opened.event)]
    for _ in range(7):
        opened.until_streams(1)
        pages[-1].evaluate("krruHide(true)")
        pages.append(opened.open(opened.event))
    opened.until_streams(1)
