"""Static files, hashed and compressed, in bundles: over a slow network each file costs a request.

In development and in tests each file is loaded by itself; only collected files are bundled.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

_SCREEN = (
    "tournaments/css/fonts.css",
    "tournaments/css/wall-font.css",
    "clock/screen.css",
    "clock/screen-foot.css",
    "clock/screen-faces.css",
    "clock/screen-floor.css",
    "clock/screen-more.css",
    "clock/screen-table.css",
    "clock/screen-dress.css",
    "clock/screen-sizes.css",
    "clock/screen-upright.css",
)
_HALL = ("clock/screen-hall.css", "clock/screen-lists.css", "clock/screen-own.css")
_PARTS = (
    "header", "button", "field", "content", "list", "evening", "feedback", "clock",
    "seatmap", "table-card", "seats", "slip",
)  # fmt: skip

_DASHBOARD = (
    "pages/floor", "pages/seat-cards", "pages/conduct", "pages/director", "pages/director-dense",
    "pages/director-layout", "parts/posts", "pages/director-hall", "pages/bubble", "pages/log",
)  # fmt: skip
_FLOOR = (
    "pages/floor", "pages/floor-bar", "pages/floor-table", "pages/floor-wide", "parts/posts",
    "pages/conduct", "pages/bubble", "pages/seat-cards",
)  # fmt: skip

# Style sheets in their order. A bundle lies where relative addresses in its files work.
STYLES: Mapping[str, tuple[str, ...]] = {
    "tournaments/css/screen-open.css": (*_SCREEN, "clock/sound.css"),
    "tournaments/css/screen-paired.css": (*_SCREEN, *_HALL, "clock/sound.css"),
    "tournaments/css/screen-cash.css": (*_SCREEN, *_HALL, "clock/sound.css"),
    "tournaments/css/screen-code.css": (*_SCREEN[:3], "clock/screen-pairing.css"),
    "tournaments/css/screen-lobby.css": (*_SCREEN[:3], "clock/screen-lobby.css"),
    # All pages except the big screen.
    "tournaments/css/page.css": (
        "tournaments/css/fonts.css",
        "tournaments/css/tokens.css",
        "tournaments/css/base.css",
        "tournaments/css/layout.css",
        *(f"tournaments/css/parts/{part}.css" for part in _PARTS),
    ),
    "tournaments/css/dashboard.css": tuple(f"tournaments/css/{sheet}.css" for sheet in _DASHBOARD),
    "tournaments/css/floor.css": tuple(f"tournaments/css/{sheet}.css" for sheet in _FLOOR),
}
# Modules bundled with their imports. A page loads only one of them: a shared import would otherwise
# run twice. All other scripts import nothing.
SCRIPTS = (
    "clock/screen-open.js",
    "clock/screen-cash.js",
    "clock/screen-paired.js",
    "clock/screen-code.js",
    "clock/screen-lobby.js",
    "tournaments/js/page.js",
    "tournaments/js/staff.js",
    "tournaments/js/draws-page.js",
    "tournaments/js/overlay-page.js",
    "tournaments/js/start-page.js",
)

IMPORT = re.compile(r'^import (?:([^";]*?) from )?"([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
SCRIPT_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
STYLE_COMMENT = re.compile(r"/\*.*?\*/\n*", re.DOTALL)
RENAMED = re.compile(r"(\w+) as (\w+)")
# No script or style sheet has a string over several lines.
INDENT = re.compile(r"^\s+", re.MULTILINE)
Read = Callable[[str], str]


def imported(name: str, text: str) -> list[str]:
    """Return the imports of a module, in order.

    >>> imported("a/b.js", 'import { f } from "./c.js";\\nimport "../d/e.js";\\nf();\\n')
    ['a/c.js', 'd/e.js']
    """
    return [_place(name, address) for _, address in IMPORT.findall(text)]


def modules_of(name: str, read: Read, above: tuple[str, ...] = ()) -> list[str]:
    """Return a module after all its imports, each once.

    :raises ValueError: When modules import each other.
    """
    if name in above:
        raise ValueError(f"modules import each other: {' > '.join((*above, name))}")
    found: dict[str, None] = {}
    for other in imported(name, read(name)):
        found |= dict.fromkeys(modules_of(other, read, (*above, name)))
    return [*found, name]


def folded(name: str, read: Read) -> str:
    """Return a module with its imports inlined: each runs once, in its own function.

    Comment lines are dropped.

    >>> files = {"a.js": 'import { f as g } from "./b.js";\\n\\ng();\\n'}
    >>> files["b.js"] = "// what\\nconst f = () => {};\\n\\nexport { f };\\n"
    >>> print(folded("a.js", files.__getitem__))
    const m0 = (() => {
    const f = () => {};
    <BLANKLINE>
    return { f };
    })();
    const m1 = (() => {
    const { f: g } = m0;
    <BLANKLINE>
    g();
    })();
    """
    names = modules_of(name, read)
    own = {other: f"m{number}" for number, other in enumerate(names)}

    def body(other: str) -> str:
        def taken(match: re.Match[str]) -> str:
            source = own[_place(other, match[2])]
            if match[1] is None:
                return ""
            wanted = RENAMED.sub(r"\1: \2", match[1].removeprefix("* as "))
            return f"const {wanted} = {source};\n"

        def given(match: re.Match[str]) -> str:
            return "return {" + RENAMED.sub(r"\2: \1", match[1]) + "};\n"

        return EXPORT.sub(given, IMPORT.sub(taken, SCRIPT_COMMENT.sub("", read(other)))).strip("\n")

    return "\n".join(f"const {own[other]} = (() => {{\n{body(other)}\n}})();" for other in names)


def bundled(name: str, read: Read) -> str:
    """Return the text of a bundle without comments and indentation; `read` reads one file.

    >>> bundled("tournaments/css/screen-code.css", "/* {} */\\na {{}}\\n".format).count("*")
    0
    """
    if name in SCRIPTS:
        text = folded(name, read)
    else:
        text = STYLE_COMMENT.sub("", "\n".join(map(read, STYLES[name])))
    return INDENT.sub("", text)


def _place(name: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


class Storage(CompressedManifestStaticFilesStorage):
    """Collect as WhiteNoise does, and bundle our scripts and styles first."""

    has_bundles = True

    @cache  # noqa: B019
    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file; cached, as a page has a hundred icons."""
        return str(super().url(name, force))

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Hash and compress the collected files and their bundles."""
        if not options.get("dry_run"):
            # Read the sources: a collected file may be a bundle of the same name.
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
