"""People's names: cleaned when typed, compared to find the same person, sorted as in German.

Nothing here judges whether a name is real.
"""

import re
import unicodedata

LONGEST_NAME = 200
LONGEST_KEY = 400  # one letter can fold to eighteen, so the keys made of a name need a bound too

# Letters that look like nothing, and so would make a name that cannot be seen.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"
# Letters that no decomposition takes apart.
_PLAIN_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th"}
)
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def clean_name(raw: str) -> str:
    """Return a name as it is kept: composed (NFC), single spaces, nothing that cannot be seen.

    Control characters, bidirectional overrides, zero-width characters and half surrogates go; any
    kind of white space becomes one space.

    >>> clean_name("  Zoe\\u0308\\t\\u202eMüller\\n")
    'Zoë Müller'

    :raises ValueError: "empty" if no letter or digit is left, "too_long" above 200 characters.
    """
    spaced = "".join(" " if char.isspace() else char for char in raw)
    seen = "".join(
        char
        for char in spaced
        if unicodedata.category(char) not in _UNSEEN and char not in _BLANK_LETTERS
    )
    name = " ".join(unicodedata.normalize("NFC", seen).split())
    if not any(char.isalnum() for char in name):
        raise ValueError("empty")
    if len(name) > LONGEST_NAME:
        raise ValueError("too_long")
    return name


def normal_name(name: str) -> str:
    """Return the form in which two spellings of one name are equal: case and spaces aside.

    At most 400 characters, as the key to sort by.

    >>> normal_name("Jörg  STRAUSS") == normal_name("jörg strauß")
    True
    """
    folded = unicodedata.normalize("NFC", name).casefold()
    return unicodedata.normalize("NFC", " ".join(folded.split()))[:LONGEST_KEY].rstrip()


def sort_key(name: str) -> str:
    """Return a text by which names sort as in a German list (DIN 5007-1: ä as a, ß as ss).

    Accents of other languages are taken off likewise, apostrophes are left out, and everything else
    that is no letter or digit counts as a space.

    >>> sorted(["Zoll", "Öllinger", "Łuczak", "Özil", "Oberauer", "Mašek"], key=sort_key)
    ['Łuczak', 'Mašek', 'Oberauer', 'Öllinger', 'Özil', 'Zoll']
    """
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN_LETTERS))
    kept = "".join(char for char in apart if not unicodedata.combining(char))
    words = re.sub(r"[^\w\s]|_", " ", re.sub(r"['’ʼ`]", "", kept)).split()
    return " ".join(words)[:LONGEST_KEY].rstrip()


def initials(name: str) -> str:
    """Return at most two letters that stand for a name: of its first and its last word.

    >>> initials("Anna Maria Gruber"), initials("petra"), initials("Eva Müller-Lang")
    ('AG', 'P', 'EM')
    """
    words = re.findall(r"[^\W_][\w'’-]*", name)
    return "".join(word[0].upper()[:1] for word in words[:1] + words[1:][-1:])


def shown_name(name: str, *, is_listed: bool, to_staff: bool) -> str:
    """Return a name as the reader may see it: initials of those who do not want to be listed.

    >>> shown_name("Petra Probst", is_listed=False, to_staff=False)
    'PP'
    """
    return name if is_listed or to_staff else initials(name)
