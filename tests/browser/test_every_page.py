"""Every address that shows something, opened as the person it is for, by phone and laptop.

The list is that of `tests/access_lines.py`, which the URLconf is held against: a new address is
walked to without a word here. What belongs into a dialog is opened in one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse
from justhtml import JustHTML
from playwright.sync_api import Browser, Page

from tests import factories as f
from tests.access_lines import ARBITERS, DESK, EVERYBODY, LEAD, LEADS_CLUB, LINES, STAFF
from tests.addresses import address_of
from tests.browser import looking, whole_evening
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Who looks at what only they may see, in which window, and on which page its dialogs open.
WHO = {STAFF: "floor", ARBITERS: "floor", DESK: "desk", LEAD: "director", LEADS_CLUB: "club"}
DEVICES = {"floor": "arbiter", "desk": "desk", "director": "director", "club": "director"}
HOSTS = {"floor": "floor-table", "desk": "desk", "director": "director"}
ON_PHONES = {"public", "player", "floor"}
# Whose pages are asked on the smallest phone, too, whether anything lies over what has the focus;
# a dialog that fetches by the focus is not.
UNCOVERED, FETCHES = ON_PHONES | {"desk"}, ("message",)
# Where each page or group is looked at if not said otherwise.
PLACES = {"bag-list": "tonight", "public": "coming", "player": "coming", "desk": "coming"}
# Pages that look otherwise elsewhere.
ALSO = {
    "tournament": ("tonight", "over"),
    "register": ("tonight", "over"),
    "results": ("tonight", "over"),
    "draws": ("tonight", "over"),
    "desk": ("tonight", "over"),
    "slips": ("tonight",),
    "paper-seats": ("tonight",),
    "paper-tables": ("tonight",),
    "floor-tables": ("coming", "bubble"),
    "floor-table": ("coming", "bubble"),
    "seat-cards": ("coming",),
    "director": ("coming", "bubble", "over"),
    "event-settings": ("coming",),
    "event-rules": ("coming",),
    "event-schedule": ("coming",),
}
PAPER = ("paper-", "slip")
# The wall, and a page most of which is somebody else's work; both have tests of their own.
AXE_ALONE = ("screen", "screen-any", "api-docs")
NOT_OURS = {"api-docs": "#routes"}
# Here stands nothing but a sentence for scripts.
NOWHERE = ("/api/v1/", "/leinwand/saal.json", "/metrics")
LIST = "Name;E-Mail;Mitglied\nEva Lang;eva@example.org;ja\n;;\n=1+1;;\nAda Auer;;vielleicht\n"
IS_SHEET, IS_PAGE = "dialog-head", "<!doctype html>"


# The longest walk is shared, so that nobody waits for it in the end.
SHARES = {"director": 2}
GROUPS = ("director", "desk", "floor", "public", "player", "club")
RUNS = [
    *((group, "de", share) for group in GROUPS for share in range(SHARES.get(group, 1))),
    ("public", "en", 0),
    ("player", "en", 0),
]


@dataclass(frozen=True)
class Visit:
    """An address, what it answers, and where its dialogs open."""

    group: str
    name: str
    place: str
    url: str
    host: str


def group_of(name: str) -> str:
    line = LINES[name]
    if line.who == EVERYBODY:
        return "player" if line.args.get("token") == "player_token" else "public"
    return WHO[line.who]


def visits(evening: whole_evening.Evening, group: str) -> Iterator[Visit]:
    """Return where a group goes: every address that answers a GET, the player's for every face."""
    for name, line in LINES.items():
        if line.by_token or "GET" not in line.methods or group_of(name) != group:
            continue
        usual = PLACES.get(name) or PLACES.get(group, "tonight")
        for place in (usual, *ALSO.get(name, ())):
            values = evening.places[place]
            query = "&".join(
                f"{key}={one}" for key, value in line.ask.items() for one in _each(values[value])
            )
            host = address_of(HOSTS[group], values) if group in HOSTS else ""
            url = address_of(name, values)
            yield Visit(group, name, place, f"{url}?{query}" if query else url, host)
    for place, values in evening.places.items() if group == "player" else ():
        for face, token in values.get("faces", {}).items():
            yield Visit(group, "player", f"{place}, {face}", f"/p/{token}/", "")


def is_page(text: str) -> bool:
    return text.lstrip().lower().startswith(IS_PAGE)


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class Walker:
    """Somebody who opens pages, and notes what is wrong with them."""

    def __init__(self, page: Page, base: str, language: str) -> None:
        self.page, self.base, self.language = page, base, language
        self.faults: list[str] = []
        self.walked: list[str] = []
        self.sheets: list[Visit] = []
        self.looks: list[int] = []  # whose contrast was asked

    def walk(self, there: list[Visit]) -> None:
        """Go to all of these, then open the dialogs: those of one page without leaving it."""
        for visit in there:
            self.go(visit)
        for visit in self.sheets:
            self._sheet(visit)

    def go(self, visit: Visit) -> None:
        """Look at an address as a page, and note that it is a dialog; a part is met on its page."""
        # Asked for first: a page that is open hears of what an answer changes.
        part = self._ask(visit.url, {"HX-Request": "true"})
        whole = part if is_page(part) else self._ask(visit.url)
        is_dialog = IS_SHEET in part and not is_page(part)
        for text in {part, whole} if self.language == "de" else ():
            read = JustHTML(text, collect_errors=True, sanitize=False, fragment=not is_page(text))
            self.faults += [f"{visit.name} ({visit.place}): {one}" for one in read.errors]
        if is_page(whole):
            self.open(visit.url)
            said = f"{visit.name} ({visit.place})"
            self.look(visit.group, visit.name, said, is_dialog_too=is_dialog)
        self.sheets += [visit] if is_dialog else []

    def _ask(self, url: str, headers: dict[str, str] | None = None) -> str:
        """Return what an address answers, nothing if that is no text of a page."""
        answer = self.page.request.get(self.base + url, headers=headers, max_redirects=0)
        if answer.status >= 400 and not url.startswith(NOWHERE):
            self.faults.append(f"{url} answers {answer.status}")
        is_html = answer.headers.get("content-type", "").startswith("text/html")
        return answer.text() if is_html else ""

    def open(self, url: str) -> None:
        looking.brighten(self.page)
        self.page.goto(self.base + url)

    def look(
        self,
        group: str,
        name: str,
        said: str,
        *,
        is_dialog: bool = False,
        is_dialog_too: bool = False,
    ) -> None:
        """Ask everything of what is open now.

        A page that `is_dialog_too` is asked less: its dialog has the same buttons and words.
        The dark colours come last, and stay until something else is opened.
        """
        home = looking.PHONE if group in ON_PHONES else looking.LAPTOP
        is_whole = not name.startswith(PAPER) and name not in AXE_ALONE
        found: list[str] = []
        if is_whole and not is_dialog:
            found += looking.head_faults(self.page, self.language)
        widths = looking.WIDTHS if self.language == "de" else (looking.SMALL,)
        for width in (*(one for one in widths if one != home), home) if is_whole else (home,):
            looking.show(self.page, width)
            if is_whole:
                found += looking.width_faults(self.page, width)
            # What axe, Tab and the thumb meet is the same in every language.
            if self.language == "de" and is_whole and width == looking.PHONE:
                found += looking.thumb_faults(self.page)
            if self.language == "de" and is_whole and width == looking.SMALL:
                found += looking.large_faults(self.page, width)
            if width == looking.SMALL and group in UNCOVERED and name not in FETCHES:
                found += looking.covered_faults(self.page)
        if self.language == "de":
            found += looking.faults_by_look(self.page, self.looks, NOT_OURS.get(name, ""))
            if is_whole and not is_dialog_too:
                found += looking.tab_faults(self.page)
        self.walked.append(said)
        self.faults += [f"{said}: {fault}" for fault in found]

    def _sheet(self, visit: Visit) -> None:
        """Open a dialog by its button if the page has it, look at it, and leave it by Escape."""
        said = f"dialog {visit.name} ({visit.place})"
        if self.page.url != self.base + visit.host or self.page.locator("dialog[open]").count():
            self.open(visit.host)
        looking.brighten(self.page)
        looking.show(self.page, looking.LAPTOP)
        opener = self.page.locator(f'[hx-get="{visit.url}"]').filter(visible=True).first
        if has_opener := opener.count() > 0:
            opener.focus()
            self.page.keyboard.press("Enter")
        else:
            self.page.evaluate("(url) => htmx.ajax('GET', url, '#sheet')", visit.url)
        self.page.wait_for_selector("dialog[open]")
        self.look(visit.group, visit.name, said, is_dialog=True)
        self.page.keyboard.press("Escape")
        if self.page.locator("dialog[open]").count():
            self.faults.append(f"{said}: Escape does not close it")
        elif has_opener and not opener.evaluate("(one) => one === document.activeElement"):
            self.faults.append(f"{said}: the focus does not return to its button")


@contextmanager
def walker(
    browser: Browser, base: str, cookie: str | None, language: str = "de"
) -> Iterator[Walker]:
    """Send somebody with this device's cookie, who must have found nothing wrong at the end."""
    context = browser.new_context(
        locale=language, timezone_id="Europe/Vienna", has_touch=True, reduced_motion="reduce"
    )
    if cookie:
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": base}])
    made = Walker(context.new_page(), base, language)
    yield made
    context.close()
    assert made.walked, "nothing to look at"
    assert not made.faults, "\n".join(made.faults)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: "-".join(map(str, run)))
def test_every_page_is_for_everybody(browser, live_server, evening, run):
    group, language, share = run
    cookie = evening.cookies.get(DEVICES.get(group, ""))
    with walker(browser, live_server.url, cookie, language) as somebody:
        somebody.walk(list(visits(evening, group))[share :: SHARES.get(group, 1)])


def test_what_is_refused_and_a_list_of_people_are_for_everybody_too(browser, live_server, evening):
    coming = evening.places["coming"]
    with walker(browser, live_server.url, None) as visitor:
        for said, url in {"404": "/t/nirgends/", "403": address_of("desk", coming)}.items():
            visitor.open(url)
            visitor.look("public", said, said)
        visitor.open(address_of("register", coming))
        form = visitor.page.locator("#anmelden form")
        form.evaluate("(form) => { form.noValidate = true; form.submit(); }")
        visitor.page.wait_for_selector(".errorlist")
        visitor.look("public", "422", "422")
    with walker(browser, live_server.url, evening.cookies["desk"]) as desk:
        desk.open(address_of("import", evening.places["coming"]))
        file = {"name": "liste.csv", "mimeType": "text/csv", "buffer": LIST.encode()}
        desk.page.set_input_files("input[type=file]", file)
        desk.page.get_by_role("button", name="Vorschau zeigen").click()
        desk.page.wait_for_selector(".is-refused")
        desk.look("desk", "preview", "preview of a list")


def test_what_stands_for_a_while_only_is_for_everybody_too(browser, live_server, devices):
    """An evening without anybody, a phone without a connection, and what a director left out."""
    event = f.make_event()
    with walker(browser, live_server.url, None) as director:
        devices.sign_in(director.page, Role.DIRECTOR)
        for name in ("director", "desk", "floor", "results", "draws", "director-log-all"):
            director.open(url_of(event, name))
            director.look("director", name, f"nobody yet: {name}")
        director.open(reverse("league-new"))
        director.page.locator("main [name=name]:visible").first.fill("")
        form = director.page.locator("main form:has([name=name])").first
        form.evaluate("(form) => { form.noValidate = true; form.requestSubmit(); }")
        director.page.wait_for_selector(".errorlist")
        director.look("director", "league-new", "nothing filled in")
    running = f.make_running_event(14, seats=8)
    with walker(browser, live_server.url, None) as arbiter:
        phone = arbiter.page
        devices.open(phone, running, "floor-table", 1, role=Role.ARBITER)
        phone.context.set_offline(True)
        phone.wait_for_selector(".offline:visible")
        phone.click(".next-hand")
        arbiter.look("floor", "floor-table", "a hand waits for the connection")
        phone.click(".seat-face >> nth=0")
        phone.wait_for_selector("dialog[open]")
        arbiter.look("floor", "floor-table", "a seat without a connection", is_dialog=True)
