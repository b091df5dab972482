"""Delivery of mail: the kinds, the retries, the end of retries."""

import re
import unicodedata
from datetime import timedelta
from enum import StrEnum

# Delays after the first, second … failure; then always the last one.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
GIVES_UP_AFTER = timedelta(days=1)
# A worker must report on a mail within this time, or the mail counts as lost.
LEASE = timedelta(minutes=5)


MOST_WORDS, LONGEST_NAME = 5, 60
# A web or mail address, a sentence, an amount.
NO_NAME = re.compile(r"[/@:!?€$%\d]|\bwww\b|\w\.\w{2,}", re.IGNORECASE)


class MailKind(StrEnum):
    REGISTERED = "registered"
    OFFERED = "offered"
    MOVED_UP = "moved_up"
    CANCELLED = "cancelled"
    LINK = "link"
    LAPSED = "lapsed"
    RECEIPT = "receipt"


# Mails allowed to an unproven address: the first one, which proves it, mails by staff, and the
# cancellation.
TO_ANY_ADDRESS = frozenset(
    {MailKind.REGISTERED, MailKind.LINK, MailKind.CANCELLED, MailKind.RECEIPT}
)


class MailFault(StrEnum):
    """The fault: the server does not answer, or does not accept this mail."""

    SERVER = "server"
    LATER = "later"
    REFUSED = "refused"


def wait_after(tries: int) -> timedelta:
    """Return the delay after so many failed tries.

    >>> [wait_after(tries).seconds // 60 for tries in (1, 2, 3, 4, 9)]
    [1, 5, 15, 60, 60]

    :raises ValueError: If it was not tried yet.
    """
    if tries < 1:
        raise ValueError(tries)
    return WAITS[min(tries, len(WAITS)) - 1]


def name_in_mail(name: str) -> str:
    """Return a name for a greeting; empty if it looks like an address or a message.

    Visitors type name and address. A mail by the club must not carry a visitor's text.

    >>> name_in_mail("Dr. Anna-Maria von Ast"), name_in_mail("Glückwunsch! http://evil.example")
    ('Dr. Anna-Maria von Ast', '')
    """
    words = name.split()
    is_name = len(words) <= MOST_WORDS and len(name) <= LONGEST_NAME
    return name if is_name and not NO_NAME.search(name) else ""


def one_line(text: str) -> str:
    r"""Return a text safe for a mail's header: one line, no invisible characters.

    >>> one_line("Freitag\r\nBcc: zeno@example.org")
    'Freitag Bcc: zeno@example.org'
    """
    seen = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join(seen.split())
