"""What a big screen loads: file by file while working, one script and one sheet in the hall."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template import Context, Template

from krru.bundles import BUNDLES
from krru.datafolder import BASE_DIR
from krru.statics import Storage

OWN = BASE_DIR / "clock" / "static"
# Opened by itself, only while a screen asks for its code.
ALONE = {"clock/hall-begin.js"}


@pytest.mark.parametrize("name", BUNDLES)
def test_every_file_of_a_bundle_is_there_once(name):
    assert all(finders.find(file) for file in BUNDLES[name])
    assert len(set(BUNDLES[name])) == len(BUNDLES[name])


def test_every_file_of_the_screen_is_in_a_bundle():
    files = {path.relative_to(OWN).as_posix() for path in OWN.rglob("*.*")}
    bundled = {file for files in BUNDLES.values() for file in files}
    assert {file for file in files if file.endswith((".js", ".css"))} - ALONE <= bundled


def elements(name):
    return Template("{% load bundles %}{% bundle name %}").render(Context({"name": name}))


def test_while_working_every_file_is_loaded_by_itself():
    assert elements("clock/screen-code.js").count("<script defer src=") == 4
    assert elements("tournaments/css/screen-code.css").count('<link rel="stylesheet"') == 3


def test_collected_they_are_one_with_the_addresses_within(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "krru.statics.Storage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert elements("clock/screen-open.js").count("<script") == 1
    storage = Storage()
    script, style = (
        Path(storage.path(storage.stored_name(name))).read_text("utf-8")
        for name in ("clock/screen-paired.js", "tournaments/css/screen-paired.css")
    )
    assert script.index("krru, stateFrom") < script.index("const faceOf") < script.index("hallAt,")
    font = style.split('url("')[1].split('"')[0]
    assert (tmp_path / "tournaments" / "css" / font).resolve().is_file()
    assert "/*" not in style
