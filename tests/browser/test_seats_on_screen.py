"""All seats of a table are on a phone's screen, with nothing over them, whatever else is told."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from clock.servertime import server_time
from tests import factories as f
from tests.browser.devices import faults
from tests.bubble import begin, report
from tournaments.changes.access import COOKIE, Role
from tournaments.models import Event, Person
from tournaments.play.services.hands import button_mark

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(390, 664), (320, 568), (664, 390), (1366, 650)]
# A seat is met at its middle and near its corners, by whatever lies on top there.
COVERED = """() => {
  const faces = [...document.querySelectorAll(".seat-map .seat-face")];
  return faces.flatMap((face) => {
    const { left, top, right, bottom } = face.getBoundingClientRect();
    const name = face.innerText.replaceAll("\\n", " ");
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
      return [`${name}: ${[left, top, right, bottom].map(Math.round)} is not in ` +
        `${innerWidth} × ${innerHeight}`];
    }
    const at = [[(left + right) / 2, (top + bottom) / 2], [left + 4, top + 4],
      [right - 4, top + 4], [left + 4, bottom - 4], [right - 30, bottom - 12]];
    const over = at.map(([x, y]) => document.elementFromPoint(x, y))
      .filter((one) => one?.closest(".seat") !== face.closest(".seat") &&
        !one?.closest(".seat-posts"));
    return over.map((one) => `${name} lies under ${one?.outerHTML.slice(0, 60)}`);
  }).concat(faces.length === 10 ? [] : [`${faces.length} seats`])
    .concat(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []);
}"""


@pytest.fixture
def phone(page, live_server, monkeypatch):
    """Return the table of ten with long names, a minute after the second level was announced."""
    event = f.make_running_event(20, seats=10)
    for number, person in enumerate(Person.objects.order_by("pk")):
        person.name = f"Maximiliana Fürstenfeldbrucker-{number}"
        person.save(update_fields=["name"])
    f.drive(button_mark, event, 0.5, table=f.table_of(event, 1), seat=3)
    Event.objects.filter(pk=event.pk).update(is_sample=True)
    device = f.sign_in("Handy von Arno", Role.ARBITER, event)
    page.context.add_cookies([{"name": COOKIE, "value": device.token, "url": live_server.url}])
    page.event = event
    page.minute = lambda number: monkeypatch.setattr(server_time, "now", lambda: f.after(number))
    page.minute(1)
    page.goto(live_server.url + reverse("floor-table", args=[event.slug, 1]))
    return page


def measured(phone, name):
    found = []
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        phone.evaluate("scrollTo(0, 0)")
        phone.wait_for_timeout(300)
        found += [f"{name}, {width} × {height}: {fault}" for fault in phone.evaluate(COVERED)]
    return found


def test_the_seats_are_on_the_screen(phone):
    found = measured(phone, "plain")
    phone.locator("#next-hand button").click()
    begun = phone.locator("#hand-begun")
    expect(begun).to_contain_text("Hand 1")
    expect(phone.locator("#floor-table .seat-post").first).to_be_visible()
    expect(phone.locator("#next-hand button")).to_be_hidden()
    found += measured(phone, "begun")
    begun.get_by_role("button", name="Rückgängig").click()
    expect(begun).to_be_empty()
    expect(phone.locator(".toast")).to_contain_text("Zurückgenommen")
    found += measured(phone, "toast")
    phone.minute(19.5)
    phone.locator("#next-hand button").click()
    expect(begun).to_contain_text("Hand 1")
    phone.minute(20.5)  # the next level was announced; the hand before it is still played
    phone.reload()
    expect(phone.locator(".in-force.is-behind")).to_be_visible()
    expect(phone.locator("[data-clock-show=remaining]").first).to_contain_text(":")
    found += measured(phone, "level")
    Event.objects.filter(pk=phone.event.pk).update(paid_places=19)
    phone.reload()
    expect(phone.locator("#heads-title")).to_be_visible()
    found += measured(phone, "heads")
    begin(phone.event, 21)
    phone.reload()
    expect(phone.locator("#hand-for-hand-title")).to_be_visible()
    found += measured(phone, "hand-for-hand")
    report(phone.event, 1, 0, 22)
    phone.reload()
    expect(phone.get_by_text("Fertig gemeldet. Nicht geben.")).to_be_visible()
    expect(phone.locator("#heads-title")).to_be_visible()
    found += measured(phone, "reported")
    assert not found, "\n".join(found)
    assert faults(phone) == []
