"""The page that describes the interface for scripts, in a browser without internet."""

import pytest
from playwright.sync_api import Page, expect

from krru.devtools.serving import ServerProcess

pytestmark = pytest.mark.browser


def test_the_routes_are_shown_and_tried_with_files_of_this_server_alone(
    server: ServerProcess, page: Page
):
    complaints, asked = [], set()
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.add(request.url))
    page.goto(f"{server.url}/api/v1/docs/")
    route = page.locator("#operations-Tournaments-events")
    expect(route).to_contain_text("/api/v1/events")
    route.get_by_role("button").first.click()
    route.get_by_role("button", name="Try it out").click()
    route.get_by_role("button", name="Execute").click()
    status = route.locator(".live-responses-table .response .response-col_status")
    expect(status.first).to_contain_text("200")
    assert not complaints
    assert {url for url in asked if not url.startswith((server.url, "data:"))} == set()
