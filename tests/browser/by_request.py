"""What many do alike in an evening, as requests of the browser of whoever would press for it.

The server and every other device see no difference. One of each is pressed by hand.
"""

import re

from tests.browser.hall import Arbiter, Desk, Director, Person, short

POST = """async ([path, fields]) => {
    const token = document.querySelector("meta[name=csrf-token]").content;
    const headers = { "X-CSRFToken": token, "HX-Request": "true" };
    const body = new URLSearchParams(fields);
    const answer = await fetch(path, { method: "POST", headers, body });
    return [answer.status, await answer.text()];
}"""
SEAT = re.compile(r'"desk-seat-where".*?<dd>(\d+)</dd>.*?<dd>(\d+)</dd>', re.DOTALL)


def post(person: Person, path: str, **fields: str) -> str:
    """Post to an address from the page that is open, and return the answer."""
    status, text = person.page.evaluate(POST, [path, fields])
    assert status == 200, f"{path} answers {status}"
    return text


def check_in(desk: Desk, name: str) -> tuple[int, int]:
    """Check somebody on the list in, and return the table and seat that were drawn."""
    link = desk.page.get_by_role("link", name=re.compile(rf"Einchecken\s*: {name}"))
    told = post(desk, link.get_attribute("href") or "")
    assert name in told
    table, seat = SEAT.search(told).groups()
    return int(table), int(seat)


def out(arbiter: Arbiter, laptop: Director, event: str, name: str, place: int) -> None:
    """Record that somebody is out who sits on the laptop's dashboard, and ask for the place."""
    face = laptop.page.locator("#table-grid .seat-face", has_text=short(name)).first
    if not arbiter.page.url.endswith("/tische/"):  # the table that is open may be broken meanwhile
        arbiter.go(f"{event}tische/")
    entry = re.search(r"/(\d+)/$", face.get_attribute("hx-get") or "")[1]
    assert short(name) in post(arbiter, f"{event}tische/spieler/{entry}/aus/")
    told = arbiter.download(f"{event}tische/ausgeschieden/?entry={entry}")
    assert re.search(rf'"outs-place">\s*Platz {place}\b', told), told
