"""The text a code scanner types: a player's personal link, or the number of a ticket."""

import re

_LINK = re.compile(r"(?:^|/)p/([\w-]{8,64})/?$", re.ASCII)
# A scanner set to an American keyboard, at a computer set to a German one.
_GARBLED = re.compile(r"ö--.*-p-([0-9a-zß?]{8,64})-?$", re.IGNORECASE)
_UNGARBLE = str.maketrans("ß?yzYZ", "-_zyZY")


_TICKET = re.compile(r"T[-ß](\d{1,12})$", re.IGNORECASE | re.ASCII)


def scanned_ticket(text: str) -> int | None:
    """Return the number of a scanned or typed ticket; None for other text.

    >>> scanned_ticket("T-0017"), scanned_ticket("tß17"), scanned_ticket("Tina")
    (17, 17, None)
    """
    found = _TICKET.match(text.strip())
    return int(found.group(1)) if found else None


def scanned_token(text: str) -> str | None:
    """Return the secret of a scanned or pasted personal link; None for other text.

    >>> scanned_token("http://192.168.1.5:8000/p/Ab-_yz90cd/")
    'Ab-_yz90cd'
    >>> scanned_token("httpÖ--192.168.1.5Ö8000-p-Abß?zy90cd-")
    'Ab-_yz90cd'
    >>> scanned_token("Petra Probst")
    """
    typed = text.strip()
    if found := _LINK.search(typed):
        return found.group(1)
    garbled = _GARBLED.search(typed)
    return garbled.group(1).translate(_UNGARBLE) if garbled else None
