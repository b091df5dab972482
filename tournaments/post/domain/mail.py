"""Mail as it is tried: which kinds there are, when it is tried again, when no more.

Nothing here sends. Whether somebody has an address, and what a mail says, is asked elsewhere.
"""

import re
import unicodedata
from datetime import timedelta
from enum import StrEnum

# How long is waited after the first, second … failure; after that always the last of these.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
GIVES_UP_AFTER = timedelta(days=1)
# A worker that takes a mail has so long to say what came of it; then it counts as lost.
LEASE = timedelta(minutes=5)


MOST_WORDS, LONGEST_NAME = 5, 60
# An address of the web or of mail, a sentence, an amount.
NO_NAME = re.compile(r"[/@:!?€$%\d]|\bwww\b|\w\.\w{2,}", re.IGNORECASE)


class MailKind(StrEnum):
    REGISTERED = "registered"
    OFFERED = "offered"
    MOVED_UP = "moved_up"
    CANCELLED = "cancelled"
    LINK = "link"
    LAPSED = "lapsed"
    RECEIPT = "receipt"


# What goes to an address that nobody has proven to own: the first one, which proves it, what
# staff send, and that nobody need come.
TO_ANY_ADDRESS = frozenset(
    {MailKind.REGISTERED, MailKind.LINK, MailKind.CANCELLED, MailKind.RECEIPT}
)


class MailFault(StrEnum):
    """What went wrong: the server does not answer, or does not take this mail."""

    SERVER = "server"
    LATER = "later"
    REFUSED = "refused"


def wait_after(tries: int) -> timedelta:
    """Return how long is waited after so many tries that failed.

    >>> [wait_after(tries).seconds // 60 for tries in (1, 2, 3, 4, 9)]
    [1, 5, 15, 60, 60]

    :raises ValueError: If it was not tried yet.
    """
    if tries < 1:
        raise ValueError(tries)
    return WAITS[min(tries, len(WAITS)) - 1]


def name_in_mail(name: str) -> str:
    """Return a name to greet somebody by; nothing where it reads like an address or a message.

    The visitor types the name and the address. A mail of the club is to carry no text of a visitor.

    >>> name_in_mail("Dr. Anna-Maria von Ast"), name_in_mail("Glückwunsch! http://evil.example")
    ('Dr. Anna-Maria von Ast', '')
    """
    words = name.split()
    is_name = len(words) <= MOST_WORDS and len(name) <= LONGEST_NAME
    return name if is_name and not NO_NAME.search(name) else ""


def one_line(text: str) -> str:
    r"""Return a text that is safe in the head of a mail: one line, nothing that is not seen.

    >>> one_line("Freitag\r\nBcc: zeno@example.org")
    'Freitag Bcc: zeno@example.org'
    """
    seen = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join(seen.split())
