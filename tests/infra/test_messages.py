"""English is complete: every text of the interface is in the catalogue, translated, and fits."""

import re

from krru.devtools.messages import catalogue, key, texts_in_use, untranslated

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")


def test_the_catalogue_holds_every_text_translated_and_no_other() -> None:
    held = {key(entry) for entry in catalogue()}
    used = set(texts_in_use())
    assert sorted(used - held) == []
    assert sorted(held - used) == []
    assert untranslated() == []


def test_placeholders_are_the_same_in_both_languages() -> None:
    for entry in catalogue():
        wanted = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        for said in [entry.msgstr, *entry.msgstr_plural.values()]:
            if said:
                assert set(PLACEHOLDER.findall(said)) <= wanted, entry.msgid
        whole = entry.msgstr + "".join(entry.msgstr_plural.values())
        assert set(PLACEHOLDER.findall(whole)) == wanted, entry.msgid
