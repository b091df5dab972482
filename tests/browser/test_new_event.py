"""Making a tournament quickly: what was chosen stays, whatever is reckoned meanwhile."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def leave_unanswered(_route):
    """Hold a request for ever."""


def test_a_choice_made_while_the_plan_is_reckoned_stays(page, live_server):
    f.house()
    token = f.sign_in("Dora", Role.DIRECTOR).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.goto(live_server.url + reverse("new-event"))
    page.locator("details.more").first.evaluate("(one) => { one.open = true; }")
    late = page.locator("[name=late_registration_level]")
    late.select_option(value="0")
    page.wait_for_load_state("networkidle")
    page.route("**/neu/?plan*", leave_unanswered, times=1)
    with page.expect_request("**/neu/?plan*"):
        page.get_by_label("T100").check()
    # Its answer never comes: who chooses something else is not to wait for it.
    with page.expect_response("**/neu/?plan*"):
        late.select_option(label="bis zum Ende von Stufe 3")
    expect(late).to_have_value("3")
