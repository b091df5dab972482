"""Phones keep the heads of the log, and say so when it was written anew."""

import json
from pathlib import Path

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.attacks.forging import rewrite
from tests.browser.test_screens import running
from tests.waits import until, wait_for
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.domain.logchain import head_of
from tournaments.event.services.clock import clock_pause
from tournaments.models import Action
from tournaments.play.services.eliminations import entries_eliminate

pytest_plugins = "tests.clock.fixtures"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.sqlite_only,
    pytest.mark.django_db(transaction=True),
]
WORDS = "Das Protokoll geht nicht auf das zurück, was dieses Gerät kennt (Eintrag {}): Es wurde"


def out(event):
    """Put somebody out, so that everybody hears of it."""
    entry = next(entry for entry in f.entries_of(event) if f.seat_of(entry))
    now = timezone.now()
    return entries_eliminate(Command(event=event, by=SYSTEM, at=now), entries=[entry])


def forge(event, sequence):
    connection.ensure_connection()
    rewrite(connection.connection, event.pk, sequence, lambda payload: payload.update(forged=1))


def shown(event):
    fresh = f.fresh(event)
    return f"Protokoll {fresh.log_sequence} · {head_of(fresh.log_hash)}"


def own_page(event, seat=0):
    return f"/p/{f.entries_of(event)[seat].registration.link_token}/"


KEPT = """(last) => {
    const log = Object.keys(localStorage).find((key) => key.startsWith("krru-log-"));
    const { kept } = JSON.parse(localStorage.getItem(log));
    return last ? kept.at(-1)[0] === last : kept;
}"""


def kept(page):
    return page.evaluate(KEPT)


def all_know(event, *pages):
    last = f.fresh(event).log_sequence
    for page in pages:
        until(page, KEPT, arg=last)


def test_a_phone_shouts_when_the_log_was_written_anew(guests):
    event = running()
    phone = guests.open(own_page(event, 9), size="beamer")
    expect(phone.locator("[data-log-shown]")).to_have_text(shown(event))
    out(event)
    last = f.fresh(event).log_sequence
    expect(phone.locator("[data-log-shown]")).to_have_text(shown(event))
    assert wait_for(lambda: kept(phone)[-1][0] == last)
    expect(phone.locator("[data-log-notice]")).to_be_hidden()

    forge(event, 5)
    out(event)
    expect(phone.locator("[data-log-notice]")).to_contain_text(WORDS.format(last))
    # It lasts, and what was known can be taken along.
    phone.reload()
    expect(phone.locator("[data-log-notice]")).to_be_visible()
    with phone.expect_download() as taken:
        phone.click("[data-log-notice] [data-log-take]")
    (log,) = json.loads(Path(taken.value.path()).read_text(encoding="utf-8"))["logs"]
    assert (log["log"], log["name"], log["kept"][-1][0]) == (event.pk, event.slug, last)
    assert log["fault"]["entry"] == last
    phone.click("[data-log-seen]")
    expect(phone.locator("[data-log-notice]")).to_be_hidden()
    out(event)
    expect(phone.locator("[data-log-shown]")).to_have_text(shown(event))
    phone.wait_for_timeout(1000)
    expect(phone.locator("[data-log-notice]")).to_be_hidden()


# Waits of more than ten seconds are a twentieth as long.
HURRY = """const real = setTimeout;
setTimeout = (run, ms, ...rest) => real(run, ms > 10000 ? ms / 20 : ms, ...rest);"""


def test_a_phone_that_was_away_finds_out_and_so_does_one_whose_server_was(guests):
    event = running()
    away = guests.open(own_page(event))
    page = guests.open(own_page(event, 9), prepare=lambda page: page.add_init_script(HURRY))
    for one in (away, page):
        expect(one.locator("[data-log-shown]")).to_have_text(shown(event))
    last = f.fresh(event).log_sequence
    away.goto("about:blank")
    for forges in (False, True):
        guests.hall.off()
        if forges:
            forge(event, 7)
        with page.expect_response(lambda answer: "stand.json" in answer.url, timeout=120_000):
            guests.hall.on()
        if not forges:
            page.wait_for_timeout(500)
            expect(page.locator("[data-log-notice]")).to_be_hidden()
    expect(page.locator("[data-log-notice]")).to_contain_text(WORDS.format(last))
    out(event)
    away.goto(guests.hall.url(own_page(event)))
    expect(away.locator("[data-log-notice]")).to_contain_text(WORDS.format(last))


def test_an_ordinary_evening_is_quiet_with_two_pages_an_undo_and_a_reload(guests):
    event = running()
    arno = f.sign_in("Arnos Handy", Role.ARBITER, event)
    floor = reverse("floor", args=[event.slug])
    one = guests.open(floor, cookie=arno.token)
    two = one.context.new_page()
    two.goto(one.url)
    asked = []
    one.context.on("request", lambda request: asked.append(request.url))
    for _time in range(3):
        made = out(event)
        all_know(event, one, two)
        f.undo(event, made, at=timezone.now())
        all_know(event, one, two)
        out(event)
        all_know(event, one, two)
    heads = dict(Action.objects.filter(event=event).values_list("sequence", "hash"))
    assert all(head == head_of(heads[number]) for number, head in kept(one))
    assert len(kept(one)) > 6
    assert not [url for url in asked if "stand.json" in url]  # each head names the one before
    two.goto("about:blank")
    now = timezone.now()
    clock_pause(Command(event=event, by=SYSTEM, at=now))
    one.reload()
    two.goto(one.url)
    all_know(event, one, two)
    for page in (one, two):
        page.wait_for_timeout(1500)
        expect(page.locator("[data-log-notice]")).to_be_hidden()
