"""An evening for nothing: no page says a word of money, to the director and others in turn."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from tests.access_hall import Hall, make_hall
from tests.access_lines import LINES, READ
from tests.addresses import ADDRESSES

pytestmark = pytest.mark.django_db

# Places may be "paid" by prizes in kind, too.
WORDS = re.compile(
    r"€|\beur\b|euro(?!p)|startgeld|startgebühr|kass(?:a|e|en)\b|kassier|preisgeld|kopfgeld|bount(?:y|ies)|\bbelege?\b"
    r"|wechselgeld|zahlungsart|auszahl|ausbezahl|(?<!plätze )bezahlt"
    r"|\bbounty|buy-?in\b|\bentry fee|receipt"
    r"|\bdrawer|prize pool|\bcash\b",
    re.IGNORECASE,
)
# Where money is set, or explained for every evening of the club, or nothing of it is meant.
MAY = {
    "event-update": "the form in which a fee is set",
    "league-new": "names all that a league's own formula may reckon with",
    "league-edit": "names all that a league's own formula may reckon with",
    "club-means": "what the club takes as payment, on whatever evening",
    "club-settings": "leads there",
    "own-face": "names all figures of walls, on whatever evening",
    "privacy": "what is kept of people, on whatever evening",
    "deal": "what is shared out is typed in there",
    "api-openapi": "what scripts may be told, on whatever evening",
    "prizes": "the form in which prizes are planned",
    "export-sites-csv": "the columns that result sites ask for",
}
# What somebody reads beside the text itself.
READ_ALOUD = {"aria-label", "placeholder", "title", "alt", "content", "data-message"}
# What is no text: fonts, pictures, voices, files of the framework.
TEXT = ("text/html", "text/plain", "text/csv", "application/json", "text/calendar")
WHO = ("director", "desk", "arbiter", "player or visitor")


class Reader(HTMLParser):
    """Keeps what is read of a page, and leaves out classes, addresses and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.is_code = False

    def handle_starttag(self, tag, attrs):
        self.is_code = tag in {"script", "style"}
        self.words += [value for name, value in attrs if name in READ_ALOUD and value]

    def handle_endtag(self, tag):
        self.is_code = False

    def handle_data(self, data):
        if not self.is_code:
            self.words.append(data)


def read(body: str, kind: str) -> str:
    if kind != "text/html":
        return body
    reader = Reader()
    reader.feed(body)
    return " ".join(reader.words)


def words_on(client: Client, hall: Hall, name: str) -> list[str]:
    answer = client.get(hall.url(name), LINES[name].ask)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    kind = answer.get("Content-Type", "").split(";")[0]
    if answer.status_code != 200 or kind not in TEXT:
        return []
    return sorted({found.group().lower() for found in WORDS.finditer(read(body.decode(), kind))})


def test_no_page_of_an_evening_for_nothing_says_a_word_of_money(client, caplog):
    caplog.set_level("ERROR", "django.request")
    hall = make_hall(fee_cents=0)
    lines = {name: LINES[name] for name in ADDRESSES if name not in MAY}
    read = {name for name, line in lines.items() if line.methods >= READ and not line.by_token}
    mine: dict[str, list[str]] = {who: [] for who in WHO}
    for turn, name in enumerate(sorted(read)):
        readers = [who for who in WHO if who in lines[name].who]
        for who in {readers[0], readers[turn % len(readers)]}:
            mine[who].append(name)
    for who, names in mine.items():
        hall.become(client, who)
        found = {name: words_on(client, hall, name) for name in names}
        assert not {name: words for name, words in found.items() if words}, who
    # Nor are there pages of money.
    hall.become(client, "director")
    for name in ("drawer", "fees-open", "evening-report", "export-fees-csv", "receipt"):
        assert client.get(hall.url(name)).status_code == 404, name
    for name in ("fee-pay", "drawer-open"):
        assert client.post(hall.url(name)).status_code == 404, name


def test_the_words_are_found_where_there_is_money(client, caplog):
    caplog.set_level("ERROR", "django.request")
    hall = make_hall()
    hall.become(client, "desk")
    for name in ("desk", "drawer", "fees-open", "evening-report", "receipt", "fee-pay"):
        assert words_on(client, hall, name), name
