"""Forms that answer while they are filled in: plans, formulas, files, the search of the rules."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.devices import LAPTOP, PHONE, SMALL, faults
from tests.calling import call_service
from tests.races import in_race
from tests.seasons import evening
from tests.views.pages import planned, soon
from tests.waits import until
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.chip_sets import chip_set_save
from tournaments.models import ChipSet, Event, Registration
from tournaments.rules.services.rules import event_rules_change

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CASE = {25: (300, "green"), 100: (300, "black"), 500: (150, "violet"), 1000: (100, "yellow")}
LIST = "Name;Kontakt\nEva Lang;eva@example.org\nMueller, Jörg;\nEva Lang;\n;x@example.org\n"
APART = """() => [...document.querySelectorAll(".import-table tbody tr")].every((row) => {
    const number = document.createRange();
    number.selectNodeContents(row.querySelector(".number"));
    const name = row.querySelector("th").getBoundingClientRect();
    return number.getBoundingClientRect().right <= name.left;
})"""


def test_a_plan_and_a_formula_are_reckoned_while_they_are_typed(page, devices):
    made = {"club": f.house(), "by": SYSTEM, "at": f.ARRIVAL}
    saved = call_service(chip_set_save, **made, name="Koffer", pieces=CASE)
    own = ChipSet.objects.get(pk=saved.payload["chip_set"])
    event = planned(chip_set=own, schedule="T100", capacity=20)
    devices.open(page, event, "event-schedule", role=Role.DIRECTOR, size=LAPTOP)
    page.get_by_role("link", name="Blindplan planen").click()
    result = page.locator("#planner-result")
    expect(result).not_to_be_empty()
    until(page, "window.htmx !== undefined")
    page.get_by_label("Startstapel").fill("5000")
    page.get_by_label("Ende um").fill("19:10")
    expect(result).to_contain_text("keine zwei Stufen")
    page.get_by_label("Ende um").fill("23:30")
    expect(result).to_contain_text("Schluss etwa um 23:")
    expect(result).to_contain_text("Color-up: Chips zu 25")
    for size in (LAPTOP, SMALL):
        page.set_viewport_size(size)
        assert faults(page) == []
    page.get_by_role("button", name="Plan übernehmen").click()
    expect(page.locator("#schedule-title")).to_contain_text("Plan bis 23:30")
    evening(("Anna Ast", "Bert Buch", "Carla Clement"), number=-1)
    devices.sign_in(page, Role.DIRECTOR)
    page.goto(devices.base + reverse("leagues"))
    page.get_by_role("link", name="Neue Liga").first.click()
    page.get_by_text("eigene Formel").click()
    formula, preview = page.get_by_label("Formel", exact=True), page.locator("#league-preview")
    formula.fill("10 / (platz - 1)")
    expect(preview).to_contain_text("Die Formel teilt durch null.")
    formula.fill("10 * (spieler - platz) + 2,5")
    expect(preview).to_contain_text("492,5")


def preview(page, data):
    file = {"name": "liste.csv", "mimeType": "text/csv", "buffer": data}
    page.set_input_files("[type=file]", file)
    page.get_by_role("button", name="Vorschau zeigen").click()


def test_a_file_too_large_is_refused_before_it_is_sent_and_columns_are_told_apart(page, devices):
    f.register(f.make_event(name="Letztes Mal"), "Joerg Müller", email="joerg@example.org")
    event = f.make_event(capacity=20)
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    devices.open(page, event, "import", role=Role.DIRECTOR, size=LAPTOP)
    preview(page, b"x" * (10 * 1024 * 1024 + 1))
    told = page.locator("[data-file-refusal]")
    expect(told).to_have_text("Die Datei ist zu groß: höchstens 10 MB.")
    assert "POST" not in asked
    # As a spreadsheet in German saves it, with headings of somebody's own.
    preview(page, LIST.replace("Name", "Wer").encode("cp1252"))
    expect(page.get_by_role("alert")).to_contain_text("In welcher Spalte steht der Name?")
    page.get_by_label("Spalte 1").select_option(label="Name")
    page.get_by_label("Spalte 2").select_option(label="E-Mail")
    page.get_by_role("button", name="So lesen").click()
    expect(page.locator(".is-refused")).to_have_count(2)
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        # The number of a row never lies over the name beside it.
        assert page.evaluate(APART), size
        assert faults(page) == []
    page.get_by_label("dieselbe Person?").select_option(label="ist Joerg Müller")
    page.get_by_role("button", name="Angekreuzte übernehmen").click()
    page.wait_for_url("**/anmeldung/")
    assert Registration.objects.live().filter(event=event).count() == 2


GRID = b"Name;3.9.2026;10.9.2026\nEva Lang;12;8\nMax Bauer;9,5;\nIna Moser;;11\n"


def test_earlier_evenings_are_entered_from_a_grid_once_its_numbers_are_told(page, devices):
    f.house()
    devices.sign_in(page, Role.DIRECTOR)
    page.set_viewport_size(PHONE)
    page.goto(devices.base + reverse("evening-file"))
    preview(page, GRID)
    expect(page.get_by_text("Stehen unter den Tagen Plätze oder Punkte?")).to_be_visible()
    page.get_by_label("In einem Raster").select_option("points")
    preview(page, GRID)
    expect(page.get_by_role("button", name="Nachtragen")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Nachtragen").click()
    expect(page.get_by_role("heading", name="Ergebnis")).to_be_visible()
    assert Event.objects.count() == 2


def test_a_chip_race_is_entered_at_a_table_by_a_thumb(page, devices):
    event = in_race(f.make_running_event(4, chip_set=f.house().chip_sets.get(name="Steffen")), 1)
    devices.open(page, event, "floor", role=Role.ARBITER, size=SMALL)
    page.get_by_role("link", name="Chip Race").click()
    assert faults(page) == []
    page.get_by_role("link", name="Eintauschen Tisch 1").click()
    fields = page.get_by_label("Chips zu 1")
    for field, count in enumerate((4, 3, 2, 1)):
        fields.nth(field).fill(str(count))
    assert faults(page) == []
    page.get_by_role("button", name="Karten geben und eintauschen").click()
    expect(page.get_by_text("gewinnt", exact=True)).to_have_count(2)
    assert faults(page) == []


def test_the_rule_book_is_searched_without_wifi_and_coloured(page, devices):
    event = soon()
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"})
    devices.open(page, event, "rules")
    parts, search = page.locator("#rules [data-part]:visible"), page.get_by_role("searchbox")
    expect(search).to_be_visible()
    every = parts.count()
    page.context.set_offline(True)
    search.fill("side POT")
    expect(page.get_by_role("status").filter(has_text="Stelle")).to_have_text("Eine Stelle.")
    expect(parts).to_contain_text(["All-in und Side Pots"])
    search.fill("strasse quark")
    expect(page.locator("#book-search")).to_contain_text("Dazu steht hier nichts.")
    search.fill("zehn hande vierling")
    expect(parts).to_contain_text(["Vier vom selben Wert."])
    # A link to a rule shows it, whatever was looked for.
    expect(page.locator("#pots")).to_be_hidden()
    page.evaluate("location.hash = 'pots'")
    expect(page.locator("#pots")).to_be_in_viewport()
    search.fill("")
    expect(parts).to_have_count(every)
    page.context.set_offline(False)
    card = page.locator("#four .suit-ink-diamond")
    before = card.evaluate("(one) => getComputedStyle(one).color")
    page.get_by_label("Jede Farbe anders färben").check()
    assert card.evaluate("(one) => getComputedStyle(one).color") != before
    page.get_by_role("link", name="Stand 1, von Anfang an").click()
    expect(page.locator("#rule-break")).to_contain_text("Heute: Aufgelöst wird immer")
    assert faults(page) == []
