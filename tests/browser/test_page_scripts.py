"""The scripts of every page, in a real browser, against answers made up here."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.template import engines
from django.test import RequestFactory
from django.utils.safestring import mark_safe
from playwright.sync_api import expect

from tests.browser import looking
from tests.waits import intercept, until
from tournaments.changes.views.decorators import panel_html

pytestmark = pytest.mark.browser

ORIGIN = "http://krru.test"
REFUSAL = '<p class="refusal" role="alert">Schon ausgeschieden.</p>'
REPLACED = (
    '<button id="replaced" type="button" hx-post="/place/" hx-target="#place">Ersetzt</button>'
)
PART = {
    "name": "part",
    "url": "/part/",
    "trigger": "krru:tables from:body delay:40ms",
    "body": mark_safe("eins"),
}
NEWS = """() => {
    const { body } = document;
    const tell = () => body.dispatchEvent(new CustomEvent("krru:tables"));
    body.addEventListener("htmx:beforeSwap", tell, { once: true });
    tell();
}"""
INSIDE = '<button id="inside" type="button" hx-post="/in/" hx-swap="none">Aus</button>'
PAGE = """
{% extends "base.html" %}
{% block main %}<h1>Probe</h1>
<form id="form" hx-post="/form/" hx-swap="none">
  <input type="hidden" name="entry" value="7"><button data-key="space">Aus</button>
</form>
<button id="button" type="button" hx-post="/button/" hx-swap="none">Weg</button>
<button id="opener" type="button" hx-post="/sheet/" hx-target="#sheet">Öffnen</button>
<div id="place">{{ replaced }}</div>
{{ part }}
<form id="plain" method="post" action="/plain/"><button name="do" value="start">Los</button></form>
{% include "parts/undo.html" with url="/undo/" what="Aus" %}
{% endblock %}
{% block dialogs %}{% include "parts/sheet.html" %}{% endblock %}
"""


class Server:
    """What the browser asked, and how it is answered from now on."""

    def __init__(self):
        self.posts = []
        self.status = 204
        self.body = ""
        self.headers = {}
        self.parts = []

    def answer(self, route):
        request = route.request
        path = urlsplit(request.url).path
        if request.method == "POST":
            self.posts.append(request)
            if self.status == 0:
                route.abort("connectionfailed")
            else:
                headers = {"content-type": "text/html", **self.headers}
                route.fulfill(status=self.status, body=self.body, headers=headers)
        elif path == "/part/":
            route.fulfill(body=self.parts.pop(0), content_type="text/html; charset=utf-8")
        elif path.startswith("/static/"):
            route.fulfill(path=finders.find(path.removeprefix("/static/")))
        else:
            page = engines["django"].from_string(PAGE)
            parts = {"replaced": mark_safe(REPLACED), "part": panel_html(**PART)}
            html = page.render(parts, request=RequestFactory().get("/"))
            route.fulfill(body=html, content_type="text/html; charset=utf-8")

    @property
    def keys(self):
        return [post.headers.get("x-idempotency-key") for post in self.posts]


# A control that is replaced while it waits is not busy any more: the requests are counted.
COUNTS = """window.open_requests = 0;
const { send } = XMLHttpRequest.prototype;
XMLHttpRequest.prototype.send = function (...args) {
    window.open_requests += 1;
    this.addEventListener("loadend", () => { window.open_requests -= 1; });
    send.apply(this, args);
};"""


@pytest.fixture
def server(page):
    server = Server()
    page.add_init_script(COUNTS)
    page.route(f"{ORIGIN}/**", server.answer)
    page.goto(f"{ORIGIN}/")
    return server


SEEN_AT_ONCE = """new MutationObserver((_, observer) => {
    const button = document.querySelector("#inside");
    if (!button) return;
    observer.disconnect();
    button.click();
}).observe(document.querySelector("#place"), { childList: true });"""


def press(page, selector):
    page.click(selector)
    answered(page)


def answered(page):
    until(page, "!window.open_requests && !document.querySelector('.is-busy')")


def paths(server):
    return [urlsplit(post.url).path for post in server.posts]


def anew(page, server):
    """Begin again with a page that knows nothing."""
    page.goto(f"{ORIGIN}/")
    server.posts.clear()
    server.status = 0


def test_what_an_answer_brings_works_at_once_and_a_part_asks_again_for_what_it_missed(page, server):
    """Whoever presses a button the instant it is seen is not met by one that is dead yet."""
    # An element that is replaced takes what it was told with it; the part itself stays.
    server.parts = ["zwei", "drei"]
    page.evaluate(NEWS)
    expect(page.locator("#part")).to_have_text("drei")
    page.evaluate(SEEN_AT_ONCE)
    server.status, server.body = 200, INSIDE
    with page.expect_request("**/in/"):
        page.click("#replaced")


def test_what_is_pressed_is_not_replaced_before_it_is_let_go_or_held_for_long(page, server):
    """A list that refreshes under the finger takes no press away."""
    server.status, server.body = 200, INSIDE
    page.hover("#replaced")
    page.mouse.down()
    with page.expect_response("**/fresh/"):
        page.evaluate("void htmx.ajax('POST', '/fresh/', '#place')")
    page.wait_for_timeout(200)
    assert page.locator("#replaced").is_visible()
    with page.expect_request("**/place/"):
        page.mouse.up()
    page.wait_for_selector("#inside")
    page.goto(f"{ORIGIN}/")
    page.hover("#replaced")
    page.mouse.down()
    page.evaluate("void htmx.ajax('POST', '/fresh/', '#place')")
    page.wait_for_selector("#inside", timeout=20_000)


# Waits of seconds are a tenth as long; what is told is told to the console, too: of a page that is
# being left nothing can be asked.
HURRY = """const real = setTimeout;
setTimeout = (run, ms, ...rest) => real(run, ms > 5000 ? ms / 10 : ms, ...rest);
addEventListener("DOMContentLoaded", () => new MutationObserver(([{ target }]) => {
  console.log(`toasts: ${target.innerText}`);
}).observe(document.getElementById("toasts"), { childList: true }));"""


def test_a_press_without_an_answer_is_told_of_until_there_is_one(page, server):
    kept = []

    def keep(route):
        kept.append(route)

    page.add_init_script(HURRY)
    page.goto(f"{ORIGIN}/")
    intercept(page, f"{ORIGIN}/*/", keep)
    told = page.locator("#toasts .toast", has_text="Noch keine Antwort vom Server")
    for count, selector in enumerate(("#form button", "#opener"), 1):
        page.click(selector)
        expect(told).to_have_count(count)
    for route in kept:
        route.fulfill(status=204)
    expect(told).to_have_count(0)
    is_told = lambda message: "Noch keine Antwort vom Server" in message.text
    with page.expect_console_message(is_told):  # its answer is another page
        page.click("#plain button", no_wait_after=True)


def test_a_lost_press_keeps_its_key_until_it_is_answered_or_given_up(page, server):
    anew(page, server)
    press(page, "#form button")
    expect(page.locator("#offline")).to_be_visible()
    server.status = 204
    page.click("[data-retry]")
    page.wait_for_selector("#offline", state="hidden")
    assert [parse_qs(post.post_data) for post in server.posts] == [{"entry": ["7"]}] * 2
    assert len(set(server.keys)) == 1
    anew(page, server)
    press(page, "#button")
    server.status = 204
    press(page, "#button")  # the control again is the same action
    assert len(set(server.keys)) == 1
    assert page.locator(".toast").count() == 0
    press(page, "#button")
    assert len(set(server.keys)) == 2
    assert all(len(key) == 36 for key in server.keys)
    anew(page, server)
    press(page, "#button")
    page.click(".toast [data-dismiss]")
    press(page, "#button")
    assert len(set(server.keys)) == 2


# The stream tells of the change before the answer comes, and the panel with the button is fetched.
REPLACES = """document.body.addEventListener("htmx:beforeSend", () =>
    document.querySelector("#place").replaceChildren());
document.body.addEventListener("krru:told", () => { document.title = "told"; });"""


def test_an_answer_or_a_loss_is_told_although_its_control_is_gone(page, server):
    server.status, server.body = 200, REPLACED
    for presses in (1, 2):
        press(page, "#replaced")
        assert len(server.posts) == len(set(server.keys)) == presses
    anew(page, server)
    page.evaluate(REPLACES)
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<ul id=people></ul>')"
    )
    server.status, server.headers = 200, {"HX-Trigger": "krru:told", "HX-Retarget": "#people"}
    toast = '<p class="toast">Aus</p>'
    server.body = f'<li>Neu</li><div id="toasts" hx-swap-oob="beforeend">{toast}</div>'
    press(page, "#replaced")
    expect(page.locator("#people")).to_have_text("Neu")
    expect(page.locator(".toast")).to_have_text("Aus")
    expect(page).to_have_title("told")
    anew(page, server)
    page.evaluate(REPLACES)
    press(page, "#replaced")
    expect(page.locator("#offline")).to_be_visible()
    server.status, server.headers = 204, {}
    page.click("[data-retry]")
    page.wait_for_selector("#offline", state="hidden")
    assert len(set(server.keys)) == 1


def test_the_notice_of_a_loss_stands_in_the_open_dialog(page, server):
    page.evaluate(
        """(inside) => {
            const sheet = document.getElementById("sheet");
            sheet.innerHTML = inside;
            htmx.process(sheet);
            sheet.showModal();
        }""",
        INSIDE,
    )
    server.status = 0
    press(page, "#inside")
    server.status = 204
    with page.expect_response("**/in/"):
        page.click("#sheet [data-retry]")
    page.wait_for_selector("#sheet .toast", state="detached")
    assert len(server.posts) == 2
    assert len(set(server.keys)) == 1


# As large as the window: wherever the dialog was opened, a button of it comes up there.
HUGE = """<button type="button" hx-post="/out/" hx-target="#sheet" id="huge">Aus</button><style>
  #sheet { width: 100%; max-width: none; } #huge { width: 100%; height: 95vh; }</style>"""


def click_as_second(page):
    """Press the mouse where it is, as the second half of a double click."""
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


def test_a_double_click_or_a_held_key_does_nothing_in_the_dialog_that_it_opened(page, server):
    server.status, server.body = 200, HUGE
    page.locator("#opener").hover()
    click_as_second(page)
    page.wait_for_selector("#huge")
    click_as_second(page)
    page.wait_for_timeout(600)
    assert paths(server) == ["/sheet/"]
    assert page.is_visible("#sheet")
    # What the dialog is filled with anew is new under the pointer, too.
    with page.expect_response("**/out/"):
        click_as_second(page)
    until(page, "document.querySelector('#sheet').matches('.is-settling')")
    click_as_second(page)
    page.wait_for_timeout(600)
    assert paths(server) == ["/sheet/", "/out/"]
    anew(page, server)
    server.status = 200
    page.focus("#opener")
    page.keyboard.down("Enter")
    page.wait_for_selector("#huge:focus")
    for _repeat in range(3):
        page.keyboard.down("Enter")
    page.wait_for_timeout(600)
    assert paths(server) == ["/sheet/"]
    page.keyboard.up("Enter")
    with page.expect_request("**/out/"):
        page.keyboard.press("Enter")


def test_a_refusal_stands_next_to_the_control_and_goes_with_the_next_press(page, server):
    server.status, server.body = 422, REFUSAL
    press(page, "#button")
    assert page.inner_text("#button + .refusal-slot") == "Schon ausgeschieden."
    press(page, "#form button")
    assert page.inner_text("#form .refusal-slot") == "Schon ausgeschieden."
    server.status = 204
    press(page, "#button")
    assert page.inner_text("#button + .refusal-slot") == ""
    # The space bar presses its own control, not the one that was clicked last.
    page.keyboard.press("Space")
    answered(page)
    assert paths(server)[-2:] == ["/button/", "/form/"]
    page.keyboard.press("?")
    assert "Leertaste" in page.inner_text("#keys dl")
    assert list(looking.axe_faults(page)) == []
    page.keyboard.press("Escape")
    server.status = 500
    press(page, "#button")
    assert "nichts geändert" in page.inner_text(".toast")
    page.click("#plain button")
    until(page, "document.readyState === 'complete'")
    sent = parse_qs(server.posts[-1].post_data)
    assert sent["do"] == ["start"]
    assert len(sent["idempotency_key"][0]) == 36
