"""People's names: cleaned when typed, compared to find the same person, sorted as in German."""

import hashlib
import hmac
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

LONGEST_NAME = 200
SHORTEST_ALIKE = 8  # letters: shorter names with one letter changed are mostly different people
SAME = 3  # letters at one end shared by two names of that length with one letter changed
MOST_SPELLINGS = 20_000
LONGEST_KEY = 400  # one letter can fold to eighteen, so keys need a limit too

# Blank-looking letters, which would make an invisible name.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"
# Letters without a Unicode decomposition.
_PLAIN_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def clean_name(raw: str) -> str:
    """Return a name for storage: composed (NFC), single spaces, no invisible characters.

    Control characters, bidirectional overrides, zero-width characters and half surrogates are
    removed; any white space becomes one space.

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


def with_plain_umlauts(key: str) -> str:
    """Return a sort key with umlauts typed as two letters in one.

    >>> with_plain_umlauts("mueller joerg")
    'muller jorg'
    """
    return key.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def spelled_out(name: str) -> str:
    """Return a name in small letters for an address, with umlauts as two letters.

    >>> spelled_out("Niederösterreich Süd, Große Straße")
    'niederoesterreich sued, grosse strasse'
    """
    return unicodedata.normalize("NFC", name).casefold().translate(_UMLAUTS)


def normal_name(name: str) -> str:
    """Return a name's form for comparison, ignoring case and spaces.

    At most 400 characters, like the sort key.

    >>> normal_name("Jörg  STRAUSS") == normal_name("jörg strauß")
    True
    """
    folded = unicodedata.normalize("NFC", name).casefold()
    return unicodedata.normalize("NFC", " ".join(folded.split()))[:LONGEST_KEY].rstrip()


def sort_key(name: str) -> str:
    """Return the sort key of a name in a German list (DIN 5007-1: ä as a, ß as ss).

    Accents of other languages are removed too, apostrophes are dropped, and any other character
    except letters and digits counts as a space.

    >>> sorted(["Zoll", "Öllinger", "Łuczak", "Özil", "Oberauer", "Mašek"], key=sort_key)
    ['Łuczak', 'Mašek', 'Oberauer', 'Öllinger', 'Özil', 'Zoll']
    """
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN_LETTERS))
    kept = "".join(char for char in apart if not unicodedata.combining(char))
    words = re.sub(r"[^\w\s]|_", " ", re.sub(r"['’ʼ`]", "", kept)).split()
    return " ".join(words)[:LONGEST_KEY].rstrip()


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name prepared for comparison with many: its words, and its letters in both orders."""

    words: tuple[str, ...]
    once: frozenset[str]
    letters: str
    sorted_letters: str
    has_digits: bool


@lru_cache(maxsize=MOST_SPELLINGS)
def spelling_of(key: str) -> Spelling:
    """Prepare a name for comparison, from its sort key."""
    words = with_plain_umlauts(key).split()
    ordered = tuple(sorted(words))
    return Spelling(
        words=ordered,
        once=frozenset(words),
        letters="".join(words),
        sorted_letters="".join(ordered),
        has_digits=any(char.isdigit() for char in key),
    )


def words_key(name: str) -> str:
    """Return a key shared by names of the same words, in any order.

    >>> words_key("Mueller, Jörg") == words_key("Joerg Müller")
    True
    """
    return " ".join(spelling_of(sort_key(name)).words)


def are_similar(one: str, other: str) -> bool:
    """Tell whether two names may be one person's: in another order, or one letter changed.

    A second first name may be missing, and umlauts may be typed with an e. Short names, and names
    with digits, must be equal.

    >>> are_similar("Jörg Müller", "Mueller, Joerg"), are_similar("Petra Probst", "Petra Propst")
    (True, True)
    >>> are_similar("Eva Lang", "Eva Land"), are_similar("Spielerin 17", "Spielerin 18")
    (False, False)
    """
    return are_near(spelling_of(sort_key(one)), spelling_of(sort_key(other)))


def are_near(one: Spelling, other: Spelling) -> bool:
    """Tell whether two prepared names are similar, like `are_similar`."""
    if one.words == other.words:
        return True
    if one.has_digits or other.has_digits:
        return False
    fewer, more = (one, other) if len(one.once) < len(other.once) else (other, one)
    if len(fewer.once) > 1 and fewer.once < more.once:
        return True
    return _is_one_off(one.letters, other.letters) or _is_one_off(
        one.sorted_letters, other.sorted_letters
    )


def _is_one_off(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter: changed, added, or two swapped."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(long) - len(short) > 1 or len(short) < SHORTEST_ALIKE:
        return False
    # One changed letter leaves the beginning or the end the same; nearly all pairs fail here.
    if short[:SAME] != long[:SAME] and short[-SAME:] != long[-SAME:]:
        return False
    same = next((at for at, char in enumerate(short) if char != long[at]), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    turned = short[same : same + 2] == long[same : same + 2][::-1]
    return short[same + 1 :] == long[same + 1 :] or (
        turned and short[same + 2 :] == long[same + 2 :]
    )


def first_and_last(name: str) -> tuple[str, str]:
    """Return a name in two: the last word with its particles is the last name.

    >>> first_and_last("Anna Maria Gruber"), first_and_last("Änne von der Heide")
    (('Anna Maria', 'Gruber'), ('Änne', 'von der Heide'))
    >>> first_and_last("Petra")
    ('Petra', '')
    """
    words = name.split()
    at = len(words) - 1
    while at > 1 and words[at - 1].islower():
        at -= 1
    return (" ".join(words[:at]), " ".join(words[at:])) if at > 0 else (name, "")


def initials(name: str) -> str:
    """Return at most two initials of a name: of its first and last word.

    >>> initials("Anna Maria Gruber"), initials("petra"), initials("Eva Müller-Lang")
    ('AG', 'P', 'EM')
    """
    words = re.findall(r"[^\W_][\w'’-]*", name)
    return "".join(word[0].upper()[:1] for word in words[:1] + words[1:][-1:])


def shown_name(name: str, *, is_listed: bool, to_staff: bool) -> str:
    """Return a name for the reader: only initials of unlisted people.

    >>> shown_name("Petra Probst", is_listed=False, to_staff=False)
    'PP'
    """
    return name if is_listed or to_staff else initials(name)


def public_names(people: Collection[tuple[int, str, bool]]) -> dict[int, str]:
    """Return names for strangers from keys, names and consents; equal initials are numbered.

    >>> public_names([(1, "Josef Huber", False), (2, "Eva Lang", True), (3, "Jan Hofer", False)])
    {1: 'JH 1', 2: 'Eva Lang', 3: 'JH 2'}
    """
    shown = {
        key: shown_name(name, is_listed=is_listed, to_staff=False)
        for key, name, is_listed in people
    }
    unlisted = [key for key, _name, is_listed in people if not is_listed]
    common, seen = Counter(shown[key] for key in unlisted), Counter[str]()
    for key in unlisted:
        letters = shown[key]
        seen[letters] += 1
        if common[letters] > 1:
            shown[key] = f"{letters} {seen[letters]}"
    return shown


def short_names(names: Collection[str]) -> dict[str, str]:
    """Return names as first name and initial, with as many letters more as tell them apart.

    >>> list(short_names(["Anna Huber", "Eva Maier", "Eva Muster"]).values())
    ['Anna H.', 'Eva Ma.', 'Eva Mu.']
    """
    short: dict[str, str] = {}
    same = list(dict.fromkeys(names))
    for letters in range(1, max(map(len, same), default=0) + 1):
        short |= {name: _shortened(name, letters) for name in same}
        common = Counter(short.values())
        same = [name for name in same if common[short[name]] > 1]
    return short | {name: name for name in same}


def _shortened(name: str, letters: int) -> str:
    words = name.split()
    if len(words) < 2:
        return name
    first, last = words[0], words[-1]
    return f"{first} {last if letters >= len(last) else f'{last[:letters]}.'}"


# --- Names of an erased person in texts: replaced by a word, or initials


ERASED = "gelöscht"


def list_without(listed: str, names: Iterable[str], instead: str) -> str:
    """Replace some names in a log entry's list of names.

    >>> list_without("Max, Max Müller", ["Max"], "M.")
    'M., Max Müller'
    """
    for name in _longest_first(names):
        listed = re.sub(rf"(?:(?<=^)|(?<=, )){re.escape(name)}(?=$|, )", lambda _: instead, listed)
    return listed


def text_without(text: str, names: Iterable[str], instead: str) -> str:
    """Replace full names in a free text. A single-word name may be any word, so it stays.

    >>> text_without("petra probst bitte zur Leitung", ["Petra Probst"], "P. P.")
    'P. P. bitte zur Leitung'
    >>> text_without("Gute Nacht", ["Nacht"], "N.")
    'Gute Nacht'
    """
    for name in _longest_first(names):
        if " " in name:
            pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
            text = re.sub(pattern, lambda _: instead, text, flags=re.IGNORECASE)
    return text


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted((name for name in names if name), key=len, reverse=True)


# --- Names in the chain as hashes, salted per person, so that they can be forgotten


NAMES = "names"  # in the payload: [person, registration, hash], with one of the two possibly 0


def name_hash(salt: str, name: str) -> str:
    """Return the log's hash of a name: HMAC-SHA-256 with the salt as key, in hexadecimal.

    >>> name_hash("00ff", "Petra Probst")[:16]
    'b3e42bc4d782ba1d'
    """
    return hmac.new(salt.encode(), name.encode(), hashlib.sha256).hexdigest()
