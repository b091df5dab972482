"""Static files as they are served where a part of the packing is missing."""

import importlib
import sys


def test_without_brotli_files_are_sent_as_gzip(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "brotli", None)
    monkeypatch.delitem(sys.modules, "whitenoise.compress")
    compress = importlib.import_module("whitenoise.compress")
    (tmp_path / "a.js").write_text("draw();\n" * 200)

    compress.main([str(tmp_path), "--quiet"])

    assert {path.name for path in tmp_path.iterdir()} == {"a.js", "a.js.gz"}
