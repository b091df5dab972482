"""Devices in a browser: signed in for somebody of the staff, or nobody's, with a page open."""

from tests import factories as f
from tests.browser import looking
from tests.pressing import url_of
from tournaments.changes.access import COOKIE

LAPTOP, SMALL_LAPTOP = {"width": 1366, "height": 768}, {"width": 1366, "height": 650}
PHONE, SMALL = {"width": 390, "height": 664}, {"width": 320, "height": 568}
SEAT = ".seat-face:has-text('{}')"


class Devices:
    """Opens pages of a server for pages in this process."""

    def __init__(self, base):
        self.base = base

    def sign_in(self, page, role, event=None):
        token = f.sign_in(f"Gerät ({role})", role, event).token
        page.context.add_cookies([{"name": COOKIE, "value": token, "url": self.base}])

    def open(self, page, event, name, *further, role=None, size=PHONE, query=""):
        """Open a page of an event, as a device of this role."""
        if role:
            self.sign_in(page, role, event)
        page.set_viewport_size(size)
        page.goto(self.base + url_of(event, name, *further) + query)
        return page

    def own(self, page, registration, size=PHONE):
        """Open somebody's own page."""
        page.set_viewport_size(size)
        page.goto(f"{self.base}/p/{registration.link_token}/")
        return page


def tell(page, name="own", **detail):
    """Let the page hear of a change, as its stream tells it."""
    script = """([name, detail]) =>
      document.body.dispatchEvent(new CustomEvent(`krru:${name}`, { detail }))"""
    page.evaluate(script, [name, detail])


def tap(phone, entry):
    """Open the sheet of a player, from his seat."""
    phone.click(SEAT.format(entry.registration.person.name))
    phone.wait_for_selector("#sheet[open]")


def faults(page):
    """Return what the page does against accessibility, and whether it is too wide."""
    width = page.evaluate("innerWidth")
    return [*looking.axe_faults(page), *looking.width_faults(page, width)]
