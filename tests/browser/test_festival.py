"""A festival in browsers: flights bagged and drawn on, two events in one hall on one drawer."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.flights import add, bag_all, by_name, flight, make_contest
from tests.pressing import url_of
from tests.waits import wait_for
from tournaments.changes.access import Role
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.bags import bags_of
from tournaments.models import Bag, Carry, Event

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def near_its_end(contest, label):
    """Play a flight until Anna and Bert are left; Anna has 300 chips."""
    event = flight(contest, label)
    for name in ("Cora", "Doro"):
        f.out(event, by_name(event, name), at=f.after(20))
    return f.fresh(event), {"Anna": 300, "Bert": 4 * event.starting_stack - 300}


def count(phone, name, chips, seal):
    """Type the chips of a bag and its seal at the seat."""
    bag = phone.locator("form[data-queue=bag]").filter(has_text=name)
    bag.get_by_label("Chips").fill(str(chips))
    bag.get_by_label("Siegel Nr.").fill(str(seal))
    bag.get_by_role("button", name="Eintragen").click()
    return bag


def said(phone, chips):
    """Let a player say so many on the own page."""
    card = phone.locator("section", has=phone.locator("#bag-word-title"))
    card.get_by_label("Chips").fill(str(chips))
    card.get_by_role("button", name="So viele sind es").click()
    shown = f"{chips:,}".replace(",", ".")
    expect(phone.locator("body")).to_contain_text(f"Du hast {shown} Chips gezählt")


def test_three_flights_are_bagged_and_day_two_is_drawn_and_started(guests, open_page):
    """By two phones and paper; one bag is disputed until the count is put right."""
    contest = make_contest()
    for label in ("1A", "1B"):
        event, bags = near_its_end(contest, label)
        bag_all(event, **bags)
        laptop_ends(open_page, event)
    event, bags = near_its_end(contest, "1C")
    arbiter = f.sign_in("Schiri", Role.ARBITER, event)
    phone = open_page(url_of(event, "bags"), size="phone", cookie=arbiter.token)
    own = reverse("player", args=[by_name(event, "Anna").registration.link_token])
    player = open_page(own, size="phone")
    said(player, bags["Anna"])
    count(phone, "Anna", bags["Anna"] + 100, 21)
    assert wait_for(event.bag_words.filter(by="staff").exists)
    phone.goto(phone.url)
    expect(phone.locator("form", has_text="Anna").locator(".badge")).to_have_text("verschieden")
    laptop = open_page(url_of(event, "day-end"), cookie=director())
    laptop.get_by_role("button", name="Tag beenden").click()
    expect(laptop.locator("body")).to_contain_text(re.compile(r"Noch offen: Anna .*verschieden"))
    guests.complaints.clear()  # The refusal is meant.
    count(phone, "Anna", bags["Anna"], 21)
    count(phone, "Bert", bags["Bert"], 22)
    # Bert has no phone: he signs the slip, and the director says so.
    laptop.goto(laptop.url.replace("leitung/tag-beenden", "tische/saecke"))
    bert = laptop.locator("form", has_text="Bert")
    bert.get_by_label("Auf Papier unterschrieben").check()
    count(laptop, "Bert", bags["Bert"], 22)
    assert wait_for(lambda: all(bag.is_sealed for bag in bags_of(f.fresh(event))))
    laptop_ends(open_page, event)
    assert Bag.objects.live().filter(event=event).count() == 2
    day = f.make_event(name="Tag 2")
    add(contest, day, "Tag 2", order=2, stop=StopRule())
    laptop.goto(laptop.url.split("/t/")[0] + reverse("contest", args=[contest.pk]))
    expect(laptop.locator("body")).to_contain_text("2 Personen kommen weiter")
    laptop.get_by_role("button", name="Tag 2 auslosen").click()
    laptop.wait_for_url(f"**{url_of(day, 'director')}")
    assert Carry.objects.live().count() == 6
    player.goto(player.url)
    expect(player.locator("body")).to_contain_text("dein Sack 1C")
    laptop.get_by_role("button", name=re.compile("Turnier starten|Uhr starten|Start")).first.click()
    assert wait_for(lambda: Event.objects.get(pk=day.pk).has_started)


def director():
    return f.sign_in("Leitung", Role.DIRECTOR).token


def laptop_ends(open_page, event):
    laptop = open_page(url_of(event, "day-end"), cookie=director())
    laptop.get_by_role("button", name="Tag beenden").click()
    assert wait_for(lambda: Event.objects.get(pk=event.pk).is_over)


def test_two_events_in_one_hall_share_their_numbers_and_one_drawer(open_page):
    """Two desks at two events take money into one box; it is counted once."""
    main = f.make_seated_event(6, name="Main Event", fee_cents=5_000)
    side = f.make_seated_event(6, name="Satellit", fee_cents=1_000)
    numbers = [{row.number for row in event.tables.all()} for event in (main, side)]
    assert not numbers[0] & numbers[1]
    desk = f.sign_in("Eingang", Role.DESK)
    first = open_page(url_of(main, "drawer"), cookie=desk.token)
    first.get_by_label("Wechselgeld in Euro").fill("100")
    first.get_by_role("button", name="Öffnen", exact=True).click()
    first.get_by_text("Zählen und abschließen").wait_for()
    second = open_page(url_of(side, "drawer"), cookie=desk.token)
    expect(second.locator("body")).to_contain_text("Geöffnet bei „Main Event“, für alle Turniere.")
    for page, event in ((first, main), (second, side)):
        row = f.entries_of(event)[0].registration
        page.goto(page.url.split("/t/")[0] + url_of(event, "fee-pay", row.pk))
        page.get_by_role("button", name="Kassieren", exact=True).click()
        assert wait_for(row.postings.exists)
    # One key leads to the other event, on the page of the same kind.
    first.goto(first.url.split("/t/")[0] + url_of(main, "desk"))
    first.locator("h1").first.click()
    first.keyboard.press("F9")
    first.wait_for_url(f"**{url_of(side, 'desk')}")
    second.goto(second.url.split("/t/")[0] + url_of(side, "drawer"))
    expect(second.locator(".cash-items")).to_contain_text("davon Main Event")
    second.get_by_text("Zählen und abschließen").click()
    second.get_by_label("Gezähltes Bargeld in Euro").fill("160")
    second.get_by_role("button", name="Abschließen", exact=True).click()
    second.get_by_text("abgeschlossen").first.wait_for()
    laptop = open_page(url_of(main, "evening-report"), cookie=director())
    for words in ("Kasse 1, abgeschlossen", "davon Main Event", "davon Satellit", "160"):
        expect(laptop.locator("body")).to_contain_text(words)
