"""A list of people from a chat or its export, as rows with the names extracted."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tournaments.imports.domain.columns import Answer, answer_of
from tournaments.papers.domain.sheets import MOST_ROWS, Row

HEADINGS = ("Name", "E-Mail", "Telefon", "Bemerkung", "Kommt")
PASTED = "Eingefügt"
YES = "ja"
MOST_OF_ONE_LINE = 2  # commas that make a single line a list
_SIGNS = frozenset({"So", "Sk", "Cf", "Co", "Cn"})  # emoji, check marks, and their joiners
_JOINS = frozenset({"\ufe0f", "\u20e3"})
_LEAD = re.compile(r"^(?:\d{1,3}\s*[.):]\s*|\d{1,3}\s+|[-–—*•·▪‣◦>]+\s*|\[[ xX]?\]\s*)+")
_STRUCK = re.compile(r"^~.+~$")
_EMAIL = re.compile(r"<?([^\s<>,;()]+@[^\s<>,;()]+)>?")
_PHONE = re.compile(r"(?<!\w)(?:\+|0)\d[\d /().-]{4,}\d")
_BRACKETS = re.compile(r"[(\[]([^)\]]*)[)\]]")
_GUESTS = re.compile(r"(?<!\w)\+\s*\d\b")
_EDGES = " \t,;:.*_~-–—/|"


def people_pasted(text: str) -> list[tuple[str, str, str, str, str]]:
    """Return name, address, number, remark and answer of each line with a name.

    Questions, announcements and struck-through lines are left out. Of a chat the senders count by
    what they wrote.

    >>> [person[:4] for person in people_pasted("Wer kommt?\\n1. Eva ✅\\n2) Max (+1) 0660 123456")]
    [('Eva', '', '', ''), ('Max', '', '0660 123456', '+1')]
    >>> people_pasted("[21.11.26, 19:03] Jo: • Eva, kommt später <e@x.at>")
    [('Eva, kommt später', 'e@x.at', '', '', 'ja')]
    >>> [name for name, *_more in people_pasted("Eva, Max, Ina")]
    ['Eva', 'Max', 'Ina']
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if is_chat(lines):
        said = lines_of_chat(lines)
    else:
        if len(lines) == 1 and lines[0].count(",") >= MOST_OF_ONE_LINE:
            lines = lines[0].split(",")
        said = (Said(line[:LONGEST]) for line in lines)
    found = (
        (one.text, "", "", one.remark, one.answer) if one.is_sender else _person(one.text)
        for one in said
    )
    # One more than a list may have: who reads it says so.
    return list(islice((person for person in found if person is not None), MOST_ROWS + 1))


def pasted_csv(text: str) -> str:
    """Return such a list as CSV; with headings only if it has no people.

    >>> pasted_csv("1. Eva (+1)").splitlines()
    ['Name;E-Mail;Telefon;Bemerkung;Kommt;Eingefügt', 'Eva;;;+1;ja']
    """
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows([(*HEADINGS, PASTED), *people_pasted(text)])
    return out.getvalue()


def rows_numbered(rows: Iterable[Row]) -> Iterator[Row]:
    """Return rows as they are; those of a pasted list counted from its first person.

    >>> pasted = [(*HEADINGS, PASTED), ("Eva", "", "", "", "ja")]
    >>> rows = [Row(number=number, cells=cells) for number, cells in enumerate(pasted, 1)]
    >>> [(row.number, row.cells[0]) for row in rows_numbered(rows)]
    [(0, 'Name'), (1, 'Eva')]
    """
    above = 0
    for at, row in enumerate(rows):
        above = above or int(at == 0 and row.cells[-1] == PASTED)
        yield (
            replace(row, number=row.number - above, cells=row.cells[: len(HEADINGS)])
            if above
            else row
        )


def _person(line: str) -> tuple[str, str, str, str, str] | None:
    seen = "".join(
        char for char in line if unicodedata.category(char) not in _SIGNS and char not in _JOINS
    )
    rest = _LEAD.sub("", seen.strip()).strip()
    if _STRUCK.match(rest) or rest.endswith((":", "?")):
        return None
    rest, email = _taken(_EMAIL, rest)
    rest, remark = _taken(_BRACKETS, rest)
    rest, phone = _taken(_PHONE, rest)
    rest, guests = _taken(_GUESTS, rest)
    name = " ".join(rest.split()).strip(_EDGES)
    if not any(char.isalpha() for char in name):
        return None
    return name, email, phone, ", ".join(part for part in (remark, guests) if part), YES


def _taken(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    found = pattern.search(text)
    if found is None:
        return text, ""
    typed = found[found.lastindex or 0].strip()
    return f"{text[: found.start()]} {text[found.end() :]}", typed


# --- An exported chat: a dated line with a sender is a message, the lines below belong to it


# Date and time, in brackets or before a dash, and the sender.
_SENT = re.compile(
    r"^[\u200e\u202a]?(?:\[[^\]]{6,40}\]"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d{2}\S*(?:[ \u202f][AP]M)? -)\s*"
    r"(?:(?P<sender>[^:]{1,60}):)?\s*(?P<said>.*)$"
)
_MEDIA = re.compile(
    r"^\u200e*<.*>$|^.*(?:weggelassen|ausgeschlossen|omitted|gelöscht|deleted)\W*$|^\W*$",
    re.IGNORECASE,
)
# Filler words before the answer of a message.
_FILLED = (
    r"^\W*(?:(?:doch|also|sorry|hi|hallo|hey|servus|actually|ok|leute|alle|zusammen|ich|dann|und|aber"
    r"|but|and|then)\b[\s,]*)*"
)
_COMES = re.compile(
    _FILLED
    + r"(?:ja\b|jo\W*$|jup\b|jap\b|yep\b|yes\b|sure\b|klar\b|passt\b|gerne?\b|sicher\b|fix\b"
    r"|na (?:klar|sicher|logo)\b|(?:ich )?bin (?:\w+ ){0,4}(?:dabei|da|am start)\b"
    r"|(?:wieder |auch |doch )*dabei\b|auch\W*$|komme?\b(?! nicht)|will auch|me too|freu(?:e)? mich"
    r"|(?:i'?m|i am|we'?re) (?:still |back )?(?:in\b|coming)|i'?ll (?:be there|come|join)|coming\b"
    r"|see you there|count me in|in\b\W*$|zusage\b|\+1\W*$|[👍✅✔🙋])",
    re.IGNORECASE,
)
_STAYS = re.compile(
    _FILLED + r"(?:nein\b|leider\b|nope\b|no\b|nicht dabei|ohne mich|(?:ich )?bin raus|raus\W*$"
    r"|(?:ich )?(?:kann|schaffe?|komme?|bin|geht)(?:'?s)? (?:\w+ ){0,4}nicht\b"
    r"|(?:ich )?(?:sage? |muss )(?:\w+ ){0,3}(?:ab|absagen|passen)\b|passe\b|bin (?:\w+ )?krank\b"
    r"|diesmal nicht|heute nicht|(?:i )?(?:can'?t|cannot|won'?t)\b|i'?m (?:out|not)\b|out\W*$"
    r"|not (?:this|coming|me)\b"
    r"|count me out|(?:i )?(?:have to|must) (?:cancel|pass)|bail\w*|[👎❌✖⛔🚫])",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"(?<!\d)[.,;!…]+\s*|\s+(?=(?:aber|but)\b)")
_PERHAPS = re.compile(
    r"^\W*(?:vielleicht|eventuell|evtl|weiß|weiss|mal sehen|maybe|wenn|falls|if|not sure|[🤔🤷])",
    re.IGNORECASE,
)
# More than an answer, for the remark.
_MORE = re.compile(
    r"\bbring|\bmit\b|\+\s*\d|zu (?:zweit|dritt|viert)|spät|\bab \d|late\b", re.IGNORECASE
)
_OF_SENDER = re.compile(r"\b(?:ich|wir|mir|uns|me|we|i)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<!\w)([^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)?)(?=\s*(?:,|und\b|u\.|&|\+|and\b))"
)
_LISTED = re.compile(r"^\W*(?:\d{1,3}[^\w/-]|[-–—*•·▪‣◦]|\[[ xX]?\])")
_WORD = r"(?:von|van|der|den|de|di|da|zu|zum|la|al|el|[^\W\d_a-z][\w'’.-]*)"
_LIKE_A_NAME = re.compile(rf"{_WORD}(?:\s{_WORD}){{0,4}}\s?")
# No answer is longer. A message may have 65,000 characters: the server would search it for minutes.
LONGEST = 500
NO_NAMES = frozenset({"ich", "wir", "und", "hallo", "hi", "servus", "danke"})


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a chat for the list: a name as it stands, or a sender with an answer."""

    text: str
    answer: str = ""
    remark: str = ""
    is_sender: bool = False


def is_chat(lines: Sequence[str]) -> bool:
    return any((found := _SENT.match(line)) and found["sender"] for line in lines)


def lines_of_chat(lines: Sequence[str]) -> Iterator[Said]:
    """Yield the senders with what they answered, and the lines of lists within messages.

    A message without a name counts for its sender; media, questions and talk are left out.

    >>> chat = ["[20.11.26, 19:03:11] Jo: Wer kommt?", "[20.11.26, 19:04:02] Eva: bin dabei",
    ...         "[20.11.26, 19:07:00] Ina: Max und ich kommen", "[20.11.26, 19:08:00] Otto: • Leo"]
    >>> [(said.text, said.answer) for said in lines_of_chat(chat)]  # doctest: +NORMALIZE_WHITESPACE
    [('Eva', 'ja'), ('Ina', '? Max und ich kommen'),
     ('Max', '? Ina: Max und ich kommen'), ('• Leo', '')]
    """
    is_message = False
    for line in (line[:LONGEST] for line in lines):
        found = _SENT.match(line)
        if found is None:
            if not is_message or _LISTED.match(line) or _LIKE_A_NAME.fullmatch(line):
                yield Said(line)
            continue
        is_message = True
        sender = (found["sender"] or "").strip(" ~\u202f\u200e")
        if sender:
            yield from _of_message(sender, found["said"].strip())


def _of_message(sender: str, said: str) -> Iterator[Said]:
    if _MEDIA.match(said) and not _COMES.match(said):
        return
    if said.endswith(("?", ":")):
        return
    sentences = [one for one in _SENTENCES.split(said.replace("’", "'")) if one]
    if any(map(_STAYS.match, sentences)) and not _COMES.match(sentences[-1]):
        yield Said(sender, f"nein: {said}", is_sender=True)
    elif _LISTED.match(said) and not _OF_SENDER.search(said):
        yield Said(said)
    elif others := _others(said):
        yield Said(sender, f"? {said}", is_sender=True)
        yield from (Said(name, f"? {sender}: {said}", is_sender=True) for name in others)
    elif any(map(_COMES.match, sentences)) and not _PERHAPS.match(said):
        is_sure, has_more = answer_of(said) is Answer.YES, _MORE.search(said)
        answer, remark = "ja" if is_sure else f"? {said}", said if has_more else ""
        yield Said(sender, answer, remark, is_sender=True)
    elif _PERHAPS.match(said) or (_OF_SENDER.search(said) and answer_of(said) is not Answer.YES):
        yield Said(sender, f"? {said}", is_sender=True)
    elif _LIKE_A_NAME.fullmatch(said):
        yield Said(said)


def _others(said: str) -> list[str]:
    """Return the people named beside the sender: "Max und ich", "ich und Max"."""
    if not _OF_SENDER.search(said):
        return []
    text = re.sub(r"\b(?:ich|i)\s+(?:und|and|&|\+)\s+(\S+)", r"\1 und", said, flags=re.IGNORECASE)
    return [name for name in _NAMED.findall(text) if name.casefold() not in NO_NAMES]
