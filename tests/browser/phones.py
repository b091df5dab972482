"""A phone that somebody holds at a table: signed in, the table's page in front of him."""

from django.urls import reverse

from tests import factories as f
from tests.browser import looking
from tournaments.changes.access import COOKIE, Role

SIZE = {"width": 390, "height": 844}


def at_table(page, live_server, event, role=Role.ARBITER, table=1):
    """Sign the browser in as a device of this role, and open the table's page."""
    device = f.sign_in(f"Handy ({role})", role, event)
    page.context.add_cookies([{"name": COOKIE, "value": device.token, "url": live_server.url}])
    page.set_viewport_size(SIZE)
    page.goto(live_server.url + reverse("floor-table", args=[event.slug, table]))
    return page


def faults(page):
    """Return what the page does against accessibility, as the rules that it breaks."""
    return list(looking.axe_faults(page))
