"""Valid HTML: what a page or a part of one breaks of the HTML standard, as sentences.

Parse errors are those of the standard's own algorithm (justhtml). What a parser lets pass, and a
browser or a screen reader stumbles over, is asked in the rules below. The attributes of htmx,
`hx-…`, are the one thing by which the pages knowingly differ from the standard.
"""

import re
from collections import Counter
from collections.abc import Iterator

from justhtml import Element, JustHTML

# https://html.spec.whatwg.org/multipage/text-level-semantics.html#datetime-value, what we use of it
DATE, ZONE = r"\d{4}-\d{2}-\d{2}", r"Z|[+-]\d{2}:?\d{2}"
CLOCK = r"\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?"
MACHINE = re.compile(rf"{DATE}|{CLOCK}|{DATE}[T ]{CLOCK}(?:{ZONE})?")
REFERRING = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant")
INTERACTIVE = ("a", "button", "summary", "label")
BLOCKS = "div, p, ul, ol, dl, table, form, section, article, h1, h2, h3, h4, fieldset, header, main"
PHRASES = ("p", "span", "button", "label", "h1", "h2", "h3", "h4", "b", "strong", "small", "time")
CHILDREN = {"ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd", "div"}, "tr": {"td", "th"}}
ALWAYS = {"script", "template"}


def faults(text: str, *, is_whole: bool) -> Iterator[str]:
    """Return what is wrong with a page, or with a part that is put into one."""
    read = JustHTML(text, collect_errors=True, sanitize=False, fragment=not is_whole)
    for error in read.errors:
        yield f"line {error.line}: {error.code}"
    elements = [one for one in read.query("*") if isinstance(one, Element)]
    yield from _names(elements, is_whole=is_whole)
    for one in elements:
        yield from (f"{said}: {_named(one)}" for said in _attributes(one))
        yield from (f"{said}: {_named(one)}" for said in _children(one))


def _names(elements: list[Element], *, is_whole: bool) -> Iterator[str]:
    """Ask whether each id stands once, and each one that is named stands somewhere."""
    ids = Counter(one.attrs["id"] for one in elements if one.attrs.get("id"))
    yield from (f"id {name} stands {times} times" for name, times in ids.items() if times > 1)
    # A dialog is named by a title that comes with what it is filled with.
    for one in [one for one in elements if is_whole and one.name != "dialog"]:
        for attribute in REFERRING:
            for name in (one.attrs.get(attribute) or "").split():
                if name not in ids:
                    yield f"{attribute} names {name}, which is not there: {_named(one)}"


def _attributes(one: Element) -> Iterator[str]:
    attrs = one.attrs
    if one.name == "img" and not (attrs.get("src") or attrs.get("srcset")):
        yield "no src"
    if one.name == "img" and "alt" not in attrs:
        yield "no alt"
    if one.name == "time" and not MACHINE.fullmatch(attrs.get("datetime") or one.to_text().strip()):
        yield "not a machine's time"
    if one.name == "input" and attrs.get("type") == "hidden":
        if any(name.startswith("aria-") for name in attrs):
            yield "aria on what is hidden"
        if attrs.get("autocomplete") in ("on", "off"):
            yield "autocomplete on what is hidden"


def _children(one: Element) -> Iterator[str]:
    """Ask whether an element stands where it may."""
    if (only := CHILDREN.get(one.name)) and {
        child.name for child in one.children if isinstance(child, Element)
    } - only - ALWAYS:
        yield f"only {', '.join(sorted(only))} may stand in it"
    if one.name in PHRASES and one.query(BLOCKS):
        yield "a block stands in it"
    if one.name in INTERACTIVE and one.query(", ".join({*INTERACTIVE} - {"label"})):
        # A label may hold the one control it labels, and that is no link or button here.
        yield "what is pressed stands in what is pressed"


def _named(one: Element) -> str:
    said = " ".join(f'{name}="{value}"' for name, value in list(one.attrs.items())[:4])
    return f"<{one.name} {said}>"[:160]
