"""An arbiter's phone that loses its Wi-Fi, or the answers to its taps."""

import re

from playwright.sync_api import expect

from tests.browser.hall import PHONE
from tests.waits import intercept


class Phone:
    """An arbiter's phone with one table in front of it."""

    def __init__(self, context, hall, table):
        self.server, made = hall
        self.context = context
        self.slug, self.table = made["slug"], table
        self.people = {seat["seat"]: seat for seat in made["tables"][str(table)]}
        self.page = context.new_page()
        self.page.set_viewport_size(PHONE)

    @property
    def path(self):
        return f"/t/{self.slug}/tische/{self.table}/"

    def open(self):
        self.page.goto(f"http://krru.test:{self.server.port}{self.path}")
        expect(self.strip).to_be_hidden()
        self.page.wait_for_timeout(500)
        return self

    def lose_answers(self):
        """Let taps reach the server, and no answer the phone; nor does it hear anything else."""

        def lose(route):
            # Playwright itself does not know the name of the hall.
            own = {"origin": self.server.url, "referer": self.server.url}
            url = route.request.url.replace("krru.test", "127.0.0.1")
            assert route.fetch(url=url, headers={**route.request.headers, **own}).status == 200
            route.abort("connectionreset")

        intercept(self.page, "**/aus/", lose)
        intercept(self.page, "**/stream/now/**", lambda route: route.abort("connectionreset"))

    def find_answers(self):
        self.page.unroute_all(behavior="ignoreErrors")

    @property
    def strip(self):
        return self.page.locator("#offline")

    @property
    def sheet(self):
        return self.page.locator("#sheet")

    @property
    def queue(self):
        return self.page.locator("dialog#queue")

    def seat(self, number):
        return self.page.locator(f".seat:has(.seat-face[hx-get$='/{self.entry(number)}/'])")

    def entry(self, number):
        return self.people[number]["entry"]

    def tap_seat(self, number):
        self.seat(number).locator("button").click()
        expect(self.sheet).to_be_visible()

    def out(self, number):
        self.tap_seat(number)
        self.sheet.get_by_role("button", name=re.compile("^Aus")).click()

    def lose_wifi(self):
        self.context.set_offline(True)
        expect(self.strip).to_contain_text("Keine Verbindung")

    def find_wifi(self):
        self.context.set_offline(False)

    def see(self, text):
        expect(self.strip).to_contain_text(text, timeout=10_000)

    def all_is_in(self):
        expect(self.strip).to_be_hidden(timeout=15_000)

    def look_at_queue(self):
        self.page.get_by_role("button", name="Ansehen").click()
        expect(self.queue).to_be_visible()
        return self.queue.locator(".queue-item")
