"""What a page loads, put together: over a slow network each file costs a request.

While working, and in tests, each file is loaded by itself; only what is collected is bundled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

_STYLES = (
    "tournaments/css/tokens.css",
    "clock/screen.css",
    "clock/screen-faces.css",
    "clock/screen-floor.css",
    "clock/screen-more.css",
    "clock/screen-sizes.css",
    "clock/screen-upright.css",
)
_CLOCK = (
    "clock/clock.js",
    "clock/cues.js",
    "clock/live.js",
    "clock/slow.js",
    "clock/screen-words.js",
    "clock/screen-fit.js",
    "clock/screen-floor.js",
    "clock/screen-faces.js",
)
_SOUND = ("clock/sound.js", "clock/sound-faces.js", "clock/screen.js")
_ROOM = ("clock/screen-room.js",)

_PARTS = (
    "header", "button", "field", "content", "list", "evening", "feedback", "clock", "seatmap",
    "seats", "slip",
)  # fmt: skip

# A style sheet's bundle lies where the addresses within its files hold.
BUNDLES: Mapping[str, tuple[str, ...]] = {
    "tournaments/css/screen-open.css": (*_STYLES, "clock/sound.css"),
    "clock/screen-open.js": (*_CLOCK, *_SOUND, *_ROOM),
    "tournaments/css/screen-paired.css": (*_STYLES, "clock/screen-hall.css", "clock/sound.css"),
    "clock/screen-paired.js": (
        *_CLOCK,
        "clock/hall-cycle.js",
        "clock/hall-faces.js",
        *_SOUND,
        "clock/hall-link.js",
        *_ROOM,
    ),
    "tournaments/css/screen-code.css": (*_STYLES[:2], "clock/screen-hall.css"),
    # All pages but the big screen's; and the scripts of what a visitor opens from the poster.
    "tournaments/css/page.css": (
        "tournaments/css/tokens.css",
        "tournaments/css/base.css",
        "tournaments/css/layout.css",
        *(f"tournaments/css/parts/{part}.css" for part in _PARTS),
    ),
    "tournaments/js/visitor.js": (
        "tournaments/js/requests.js",
        "tournaments/js/app.js",
        "tournaments/js/keys.js",
        "clock/clock.js",
        "tournaments/js/strip.js",
        "clock/live.js",
        "tournaments/js/again.js",
    ),
    "clock/screen-code.js": ("clock/live.js", "clock/slow.js", "clock/hall-link.js", *_ROOM),
}


def bundled(name: str, read: Callable[[str], str]) -> str:
    """Return the text of a bundle, given what reads one of its files.

    >>> bundled("clock/screen-code.js", lambda file: f"go('{file}');").splitlines()[0]
    "go('clock/live.js');"
    """
    return "\n".join(read(file) for file in BUNDLES[name])
