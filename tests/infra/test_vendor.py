"""Files made by others, and packages: listed with version, hash and licence; none slips in."""

import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template import Context, Template
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from krru.data.folder import BASE_DIR
from krru.web.bundles import SCRIPTS, STYLES, Storage, folded, imported, modules_of
from tests.pressing import shows

STATIC = Path(__file__).parents[2] / "tournaments" / "static" / "tournaments"
FILES = json.loads((STATIC / "vendor.json").read_text())["files"]
FONTS_AT_MOST = 55 * 1024


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_vendored_file_is_the_one_that_was_taken_and_has_its_licence_beside_it(entry):
    assert entry.keys() == {"name", "version", "file", "sha256", "licence", "licence_file"}
    assert hashlib.sha256((STATIC / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]
    text = (STATIC / entry["licence_file"]).read_text()
    title = {
        "OFL-1.1": "SIL Open Font License",
        "ISC": "ISC License",
        "Apache-2.0": "Apache License",
    }[entry["licence"]]
    assert title in text
    assert "Copyright" in text


def test_every_font_is_listed_and_they_are_light_enough_for_a_phone():
    listed = {entry["file"] for entry in FILES}
    fonts = list((STATIC / "fonts").iterdir())
    assert {f"fonts/{font.name}" for font in fonts} <= listed
    assert sum(font.stat().st_size for font in fonts) <= FONTS_AT_MOST


def test_every_icon_used_in_a_template_exists():
    sprite = (STATIC / "icons.svg").read_text()
    templates = STATIC.parents[2] / "templates"
    used = {
        name
        for page in templates.rglob("*.html")
        for name in re.findall(r'\bicon[ =]"([^"]+)"', page.read_text())
    }
    assert used
    assert {name for name in used if f'id="{name}"' not in sprite} == set()


def test_nothing_is_fetched_from_elsewhere():
    for sheet in STATIC.rglob("*.css"):
        assert "//" not in sheet.read_text().replace("/*", "").replace("*/", ""), sheet.name


# --- The lock files install the same everywhere: every package has hashes, none has an address


LOCKS = sorted((BASE_DIR / "requirements").glob("*.txt"))


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_lock_has_hashes_and_no_addresses(path) -> None:
    text = path.read_text()
    entries = re.split(r"\n(?=\S)", text.strip())

    assert "://" not in text
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9\-]+(\[[a-z,]+\])?==\S+", entry)
        assert "--hash=sha256:" in entry


def test_the_locks_agree_and_hold_what_the_project_asks_for() -> None:
    pinned = re.compile(r"^([a-z0-9\-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)
    base, dev = (dict(pinned.findall(path.read_text())) for path in LOCKS)
    assert base.items() <= dev.items()
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text("utf-8"))
    for lock, wanted in (
        (base, project["project"]["dependencies"]),
        (dev, project["dependency-groups"]["dev"]),
    ):
        for row in map(Requirement, wanted):
            assert row.specifier.contains(lock[canonicalize_name(row.name)])


# --- What a page loads: file by file while working, one script and one sheet in the hall


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
    shows(text, "const { base: b } = m0;", "return { two: b };", "const all = m2;")


def elements(name):
    return Template("{% bundle name %}").render(Context({"name": name}))


def test_collected_they_are_one_with_the_addresses_within(settings, tmp_path):
    """While working, every one is loaded by itself."""
    assert elements("clock/screen-code.js").count('<script type="module" src=') == 1
    assert elements("tournaments/css/screen-code.css").count('<link rel="stylesheet"') == 4
    settings.STATIC_ROOT = tmp_path
    storage = {"BACKEND": "krru.web.bundles.Storage"}
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
