"""What kind of picture a file is, told from its bytes and not from its name. Draws nothing."""

from xml.etree import ElementTree

PNG, JPEG, WEBP, SVG = "image/png", "image/jpeg", "image/webp", "image/svg+xml"
SVG_ROOT = "{http://www.w3.org/2000/svg}svg"
# A drawing that defines entities can grow without end when it is read.
NOT_IN_SVG = ("<!DOCTYPE", "<!ENTITY")


def picture_type(data: bytes) -> str | None:
    """Return the media type of a whole PNG, JPEG, WebP or SVG; None for anything else.

    A file that was cut off on its way is none of them.

    >>> picture_type(b'<svg xmlns="http://www.w3.org/2000/svg"/>')
    'image/svg+xml'
    >>> picture_type(b"GIF89a") is None
    True
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG if b"IEND\xaeB`\x82" in data else None
    if data.startswith(b"\xff\xd8\xff"):
        return JPEG if b"\xff\xd9" in data else None
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return WEBP if int.from_bytes(data[4:8], "little") + 8 <= len(data) else None
    return SVG if _is_drawing(data) else None


def _is_drawing(data: bytes) -> bool:
    """Tell whether it is an SVG. It may hold scripts: only ever to be shown in an <img>."""
    try:
        text = data.decode()
        if any(part in text.upper() for part in NOT_IN_SVG):
            return False
        return ElementTree.fromstring(text).tag == SVG_ROOT  # noqa: S314 - no entities get here
    except (ElementTree.ParseError, ValueError, LookupError):
        return False
