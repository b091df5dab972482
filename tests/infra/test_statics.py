"""Scripts and styles as they are served: slimmer, and the same in what they do."""

import importlib
import re
import sys

import pytest
from django.core.files.base import ContentFile

from krru.data.folder import BASE_DIR
from krru.web.statics import Storage, slim_script, slim_style

SCRIPTS = sorted(
    (*BASE_DIR.glob("clock/static/clock/*.js"), *BASE_DIR.glob("tournaments/static/*/js/*.js"))
)
TEMPLATE = re.compile(r"`[^`]*`")


def test_scripts_lose_comment_lines_and_indentation():
    assert (
        slim_script("// what\nconst run = () => {\n  draw(); // now\n\n};\n")
        == "const run = () => {draw(); // now\n};"
    )


def test_a_line_goes_on_only_where_nothing_of_it_is_a_comment():
    assert slim_script("f(1,\n  2);\ng(); // two;\nh()\ni();\n") == "f(1,2);g(); // two;\nh()\ni();"


def test_a_text_of_a_style_keeps_its_blanks():
    assert slim_style('.a::before {\n  content: ": ";\n}\n') == '.a::before{content:": "}'


def test_styles_lose_comments_and_blanks():
    assert slim_style("/* a\n b */\n.a, .b > p {\n  color: red;\n}\n") == ".a,.b > p{color:red}"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_of_a_script_spans_lines(path):
    lines = path.read_text("utf-8").splitlines()
    code = "\n".join(line for line in lines if not line.strip().startswith("//"))
    assert "/*" not in re.sub(r"/\*.*?\*/", "", code)
    assert not [text for text in TEMPLATE.findall(code) if "\n" in text]


def test_own_files_alone_are_slimmed_also_when_saved_again(tmp_path):
    storage = Storage(location=tmp_path, base_url="/static/")
    content = ContentFile(b"// what\n  draw();\n")
    for name in ("clock/a.js", "clock/b.js"):
        assert (tmp_path / storage.save(name, content)).read_bytes() == b"draw();"
    assert (tmp_path / storage.save("other/a.js", content)).read_bytes() == b"// what\n  draw();\n"
    assert (tmp_path / storage.save("clock/a.wav", content)).read_bytes().startswith(b"//")


def test_without_brotli_files_are_sent_as_gzip(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "brotli", None)
    monkeypatch.delitem(sys.modules, "whitenoise.compress")
    compress = importlib.import_module("whitenoise.compress")
    (tmp_path / "a.js").write_text("draw();\n" * 200)

    compress.main([str(tmp_path), "--quiet"])

    assert {path.name for path in tmp_path.iterdir()} == {"a.js", "a.js.gz"}
