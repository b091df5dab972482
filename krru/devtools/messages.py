"""Gather the texts of the interface into the English catalogue, without the gettext programs.

`python -m krru.devtools.messages` updates `locale/en`: it adds new texts untranslated, drops unused
ones and keeps translations. Texts are German in the code.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
from django.utils.translation.template import templatize

from krru.data.folder import BASE_DIR

CATALOGUE = BASE_DIR / "locale" / "en" / "LC_MESSAGES" / "django.po"
PACKAGES = ("clock", "tournaments", "krru")
CALLS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop", "lazy"), ("text",)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), ("text", "plural")),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ("context", "text")),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ("context", "text", "plural")),
}
IN_TEMPLATES = re.compile(r"(?<!\w)(?:n|p|np)?gettext\((?=u?['\"])|(?<!\w)_\((?=['\"])")

Text = tuple[str, str, str]  # context, text, plural


def main() -> None:
    """Rewrite the catalogue and print the number of untranslated texts."""
    found = texts_in_use()
    old = {key(entry): entry for entry in catalogue()}
    new = polib.POFile(wrapwidth=100)
    new.metadata = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": "en",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for text, places in sorted(found.items(), key=lambda item: (item[1][0], item[0])):
        new.append(_entry(text, places, old.get(text)))
    new.save(str(CATALOGUE))
    sys.stdout.write(f"{len(new)} texts, {len(untranslated())} without a translation\n")


def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE), wrapwidth=100)


def key(entry: polib.POEntry) -> Text:
    return entry.msgctxt or "", entry.msgid, entry.msgid_plural or ""


def untranslated() -> list[str]:
    """Return the texts of the catalogue without English."""
    return [
        entry.msgid
        for entry in catalogue()
        if entry.fuzzy or not (entry.msgstr or all(entry.msgstr_plural.values() or [""]))
    ]


def texts_in_use() -> dict[Text, list[str]]:
    """Return every text marked for translation with its files."""
    found: dict[Text, dict[str, None]] = {}
    for file in _files():
        calls = _in_python if file.suffix == ".py" else _in_template
        for text in calls(file.read_text("utf-8")):
            name = file.relative_to(BASE_DIR).as_posix()
            found.setdefault(text, {})[name] = None
    return {text: [*places] for text, places in found.items()}


def _files() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((BASE_DIR / package).rglob("*.py"))
    yield from sorted((BASE_DIR / "templates").rglob("*.html"))


def _in_python(source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _text_of(node)


def _in_template(source: str) -> Iterator[Text]:
    marked = templatize(source)
    for match in IN_TEMPLATES.finditer(marked):
        call = marked[match.start() : _end_of_call(marked, match.end())]
        node = ast.parse(call.strip(), mode="eval").body
        assert isinstance(node, ast.Call)
        yield from _text_of(node)


def _end_of_call(marked: str, start: int) -> int:
    """Return the end of the call that opened before `start`; its arguments are literals."""
    for end in range(start, len(marked)):
        if marked[end] == ")":
            try:
                ast.parse(f"f({marked[start : end + 1]}", mode="eval")
            except SyntaxError:
                continue
            return end + 1
    raise ValueError(f"A text without an end: {marked[start : start + 80]}")


def _text_of(node: ast.Call) -> Iterator[Text]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    parts = CALLS.get(name)
    if parts is None or len(node.args) < len(parts):
        return
    values = dict(zip(parts, node.args, strict=False))
    said = {part: value.value for part, value in values.items() if isinstance(value, ast.Constant)}
    if isinstance(said.get("text"), str) and said["text"]:
        yield str(said.get("context", "")), str(said["text"]), str(said.get("plural", ""))


def _entry(text: Text, places: list[str], old: polib.POEntry | None) -> polib.POEntry:
    context, msgid, plural = text
    entry = polib.POEntry(
        msgctxt=context or None,
        msgid=msgid,
        msgid_plural=plural,
        msgstr=old.msgstr if old else "",
        occurrences=[(place, "") for place in places],
    )
    if plural:
        entry.msgstr_plural = (old.msgstr_plural if old else None) or {0: "", 1: ""}
    if "%(" in msgid:
        entry.flags.append("python-format")
    return entry


if __name__ == "__main__":
    import django
    from django.conf import settings

    settings.configure(USE_I18N=True)
    django.setup()
    main()
