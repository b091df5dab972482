"""Static files as they are served: without comments and indentation.

A screen or phone on a slow network waits for every byte. What is left out is only what stands on
lines of its own or between rules; names and code stay, so that errors point to something.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from krru.web.bundles import SCRIPTS, STYLES, bundled

OWN = ("clock/", "tournaments/css/", "tournaments/js/")
COMMENTS = re.compile(r"/\*.*?\*/", re.DOTALL)
AROUND = re.compile(r"\s*([{};,])\s*")
PROPERTY = re.compile(r"([{;][-\w]+): ")
# Behind these a line may end anywhere.
GOES_ON = ("{", "(", "[", ",", ";")


def slim_script(text: str) -> str:
    """Return a script without indentation, lines that only comment, and needless ends of lines.

    No template literal of ours may span lines.

    >>> slim_script("// what it does\\n(() => {\\n  draw(); // now,\\n  rest();\\n})();\\n")
    '(() => {draw(); // now,\\nrest();})();'
    """
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    code = [line for line in lines if not line.startswith("//")]
    # What stands behind a comment would become a part of it.
    ends = ("" if line.endswith(GOES_ON) and "//" not in line else "\n" for line in code)
    return "".join(line + end for line, end in zip(code, ends, strict=True)).rstrip("\n")


def slim_style(text: str) -> str:
    """Return a style sheet without comments and blanks between its parts.

    >>> slim_style("/* wide */\\n.a, .b {\\n  color: red;\\n}\\n")
    '.a,.b{color:red}'
    """
    slim = AROUND.sub(r"\1", COMMENTS.sub("", text)).strip()
    return PROPERTY.sub(r"\1:", slim).replace(";}", "}")


class Storage(CompressedManifestStaticFilesStorage):
    """Collects as WhiteNoise does; own scripts and styles are slimmed and bundled before."""

    has_bundles = True

    @cache  # noqa: B019
    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file; a page asks for that of its icons a hundred times."""
        return str(super().url(name, force))

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Name and compress what was collected, and the bundles made of it."""
        if not options.get("dry_run"):
            # Read where they come from: what was collected may be a bundle of the same name.
            def text_of(name: str) -> str:
                source, path = paths[name]
                with source.open(path) as file:
                    return str(file.read().decode())

            texts = {name: bundled(name, text_of) for name in (*SCRIPTS, *STYLES)}
            for name, text in texts.items():
                self.delete(name)
                self._save(name, ContentFile(text.encode()))
                paths[name] = (self, name)
        yield from super().post_process(paths, *args, **options)

    def _save(self, name: str, content: Any) -> str:
        slim = {"js": slim_script, "css": slim_style}.get(name.rpartition(".")[2])
        if slim is not None and name.replace("\\", "/").startswith(OWN):
            content = ContentFile(slim(b"".join(content.chunks()).decode()).encode())
        return str(super()._save(name, content))
