"""A page that is killed while it sends leaves its taps to the other pages of the phone, soon."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.offline import Phone
from tests.laptops import laptop_with_tables
from tournaments.devtools.room import account, room

pytestmark = pytest.mark.browser
SEATS, TABLES = 6, 2
# What is left of the lease, a try of the other page that came too early, and its own way.
SOON_S = 7


@pytest.fixture
def pages(tmp_path, new_context):
    """Return the server, and two pages of one phone, each with a table."""
    server = laptop_with_tables(tmp_path / "data")
    made = room(server, players=SEATS * TABLES, seats=SEATS, phones=1)
    server.start()
    context = new_context(has_touch=True)
    cookie = {"name": "krru_device", "value": made["tokens"][0]}
    context.add_cookies([{**cookie, "url": f"http://krru.test:{server.port}"}])
    yield server, *(Phone(context, (server, made), table).open() for table in (1, 2))
    server.kill()


def test_a_killed_page_holds_the_others_up_for_seconds(pages):
    server, one, other = pages
    one.lose_wifi()
    one.out(1)
    other.see("1 Eingabe wartet.")
    other.page.route("**/stream/now/", lambda route: route.abort("connectionreset"))
    one.page.route("**/aus/", lambda _route: None)  # on its way for ever
    with one.page.expect_request("**/aus/"):
        one.find_wifi()
    began = time.monotonic()
    one.page.close()
    other.find_answers()
    other.page.evaluate("dispatchEvent(new Event('online'))")
    expect(other.strip).to_be_hidden(timeout=20_000)
    assert time.monotonic() - began < SOON_S
    told = account(server)
    assert told["wrong"] == []
    assert [row["kind"] for row in told["actions"] if row["device"] is not None] == [
        "entry.eliminated"
    ]
