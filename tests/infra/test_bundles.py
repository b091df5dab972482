"""What a page loads: file by file while working, one script and one sheet in the hall."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template import Context, Template

from krru.data.folder import BASE_DIR
from krru.web.bundles import SCRIPTS, STYLES, folded, imported, modules_of
from krru.web.statics import Storage

FOLDERS = {
    "clock": BASE_DIR / "clock" / "static",
    "tournaments": BASE_DIR / "tournaments" / "static",
}


def text_of(name):
    return (FOLDERS[name.partition("/")[0]] / name).read_text("utf-8")


def own(folder, kind):
    """Name the files of a kind in a folder of static files."""
    root = FOLDERS[folder.partition("/")[0]]
    return {path.relative_to(root).as_posix() for path in (root / folder).glob(f"*.{kind}")}


def test_every_sheet_of_a_bundle_is_there_once_and_every_sheet_of_the_screen_is_in_one():
    for files in STYLES.values():
        assert all(finders.find(file) for file in files)
        assert len(set(files)) == len(files)
    assert own("clock", "css") <= {file for files in STYLES.values() for file in files}


def test_a_script_that_no_bundle_holds_imports_nothing():
    held = {file for name in SCRIPTS for file in modules_of(name, text_of)}
    scripts = own("clock", "js") | own("tournaments/js", "js")
    assert held <= scripts
    assert {file for file in scripts - held if imported(file, text_of(file))} == set()


def test_modules_that_import_each_other_are_refused():
    files = {"a.js": 'import "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js > b\.js > a\.js"):
        modules_of("a.js", files.__getitem__)


def test_what_two_modules_import_runs_once_and_first():
    files = {
        "top.js": 'import { one } from "./one.js";\nimport * as all from "./in/two.js";\ngo();\n',
        "one.js": 'import { base } from "./base.js";\nconst one = base;\n\nexport { one };\n',
        "in/two.js": 'import { base as b } from "../base.js";\n\nexport { b as two };\n',
        "base.js": "const base = 1;\n\nexport {\n  base,\n};\n",
    }
    assert modules_of("top.js", files.__getitem__) == ["base.js", "one.js", "in/two.js", "top.js"]
    text = folded("top.js", files.__getitem__)
    assert "import" not in text
    assert "export" not in text
    assert text.count("const base = 1;") == 1
    assert "const { base: b } = m0;" in text
    assert "return { two: b };" in text
    assert "const all = m2;" in text


def elements(name):
    return Template("{% bundle name %}").render(Context({"name": name}))


def test_collected_they_are_one_with_the_addresses_within(settings, tmp_path):
    """While working, every one is loaded by itself."""
    assert elements("clock/screen-code.js").count('<script type="module" src=') == 1
    assert elements("tournaments/css/screen-code.css").count('<link rel="stylesheet"') == 4
    settings.STATIC_ROOT = tmp_path
    storage = {"BACKEND": "krru.web.statics.Storage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": storage}
    call_command("collectstatic", interactive=False, verbosity=0)
    assert elements("clock/screen-open.js").count("<script") == 1
    storage = Storage()
    script, style = (
        Path(storage.path(storage.stored_name(name))).read_text("utf-8")
        for name in ("clock/screen-paired.js", "tournaments/css/screen-paired.css")
    )
    order = ("const stateFrom", "const faceOf", "start(drawHall)")
    assert sorted(map(script.index, order)) == list(map(script.index, order))
    assert not re.search("^(import|export)", script, re.MULTILINE)
    font = style.split('url("')[1].split('"')[0]
    assert (tmp_path / "tournaments" / "css" / font).resolve().is_file()
    assert "/*" not in style
