"""Public texts of a club and a tournament: place, description, contact.

Typed text is plain. Links are built here; only a contact's web address is typed in full, as http or
https.
"""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urlsplit

LONGEST_VENUE = 120
LONGEST_ADDRESS = 200
LONGEST_TEXT = 2_000
LONGEST_IMPRINT = 6_000
LONGEST_CONTACT = 500
MOST_CONTACTS = 6
FEWEST_DIGITS, MOST_DIGITS = 5, 15
MAP = "https://www.openstreetmap.org/search?"

_MAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[^\W\d_]{2,}")
_PHONE = re.compile(r"\+?[\d\s()/.-]+")
_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}")
# These reverse the order of letters, so that the text reads differently.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class ContactError(ValueError):
    """A line that is no mail address, phone number or web address."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True, slots=True)
class Contact:
    """A contact: its text, and the link behind it."""

    text: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The texts on a page beside the game."""

    venue: str = ""
    address: str = ""
    description: str = ""
    contact: str = ""
    house_text: str = ""

    @property
    def place(self) -> str:
        """Return the place in one line.

        >>> About(venue="Gasthof Post", address="Hauptplatz 3, Linz").place
        'Gasthof Post, Hauptplatz 3, Linz'
        """
        return ", ".join(filter(None, (self.venue, self.address)))

    @property
    def map_url(self) -> str:
        """Return the address of a map search for the place; empty without an address.

        >>> About(venue="Post", address="Platz 3, Linz & Urfahr").map_url
        'https://www.openstreetmap.org/search?query=Platz+3%2C+Linz+%26+Urfahr'
        """
        return MAP + urlencode({"query": self.address}) if self.address else ""

    @property
    def contacts(self) -> tuple[Contact, ...]:
        return contacts_in(self.contact)


def about_of(own: About, club: About) -> About:
    """Return the tournament's texts, completed by the club's.

    A venue and its address go together.

    >>> club = About(venue="Vereinsheim", address="Gasse 1", contact="a@b.at")
    >>> about_of(About(venue="Gasthof Post"), club)
    About(venue='Gasthof Post', address='', description='', contact='a@b.at', house_text='')
    """
    place = own if own.place else club
    return About(
        venue=place.venue,
        address=place.address,
        description=own.description or club.description,
        contact=own.contact or club.contact,
        house_text=own.house_text or club.house_text,
    )


def contacts_in(text: str) -> tuple[Contact, ...]:
    """Parse contacts, one a line: mail, phone or web.

    >>> [one.href for one in contacts_in("info@klub.at\\n+43 660 / 12 34\\nklub.at/karten")]
    ['mailto:info@klub.at', 'tel:+436601234', 'https://klub.at/karten']
    >>> contacts_in("javascript:alert(1)")
    Traceback (most recent call last):
    tournaments.event.domain.about.ContactError: javascript:alert(1)

    :raises ContactError: Naming the line that is none of them.
    """
    return tuple(_contact(line) for line in text.splitlines() if line.strip())


def _contact(line: str) -> Contact:
    text = " ".join(line.split())
    if _MAIL.fullmatch(text):
        return Contact(text, f"mailto:{quote(text, safe='@')}")
    if _PHONE.fullmatch(text):
        digits = re.sub(r"\D", "", text)
        if FEWEST_DIGITS <= len(digits) <= MOST_DIGITS:
            return Contact(text, f"tel:{'+' * text.startswith('+')}{digits}")
        raise ContactError(text)
    url = text if re.match(r"https?://", text, re.IGNORECASE) else f"https://{text}"
    if " " in text or not _is_web(url):
        raise ContactError(text)
    return Contact(text, quote(url, safe=":/?#[]@!$&'()*+,;=%"))


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    return has_port and "@" not in parts.netloc and bool(_HOST.fullmatch(parts.hostname or ""))


def plain_text(typed: str) -> str:
    """Return a text of several lines without invisible characters and outer blanks.

    >>> plain_text("  Eins \\r\\n\\r\\n\\r\\n\\u202eZwei\\x07 ")
    'Eins\\n\\nZwei'
    """
    lines = [
        plain_line(line) for line in typed.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def plain_line(typed: str) -> str:
    """Return a text of one line for storage, with single spaces."""
    spaced = "".join(" " if char.isspace() else char for char in typed)
    seen = (c for c in spaced if c not in _TURNING and unicodedata.category(c) not in {"Cc", "Cs"})
    return " ".join("".join(seen).split())
