"""Convert an uploaded picture to one cheap for readers: a PNG or a safe drawing.

The upload itself is never served. A raster picture is redrawn at a limited size, a drawing is
checked against a white list (`drawings`): a file of a kilobyte can keep a browser busy for an hour.
"""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass

from tournaments.club.domain.drawings import DrawingError, drawing_from

PNG, SVG = "image/png", "image/svg+xml"
READ = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 300 * 1000
MOST_SIDE = 4096
"""The most pixels of a side: 64 MB while it is redrawn."""
SIDES = (1024, 512, 256)
"""The longer side of the stored picture: the first size within MOST_BYTES."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture safe for any page."""

    media_type: str
    data: bytes


class PictureError(ValueError):
    """The file cannot be shown; `code` is the reason, and `what` the part of a drawing."""

    def __init__(self, code: str, what: str = "") -> None:
        super().__init__(code)
        self.code, self.what = code, what


def picture_from(data: bytes) -> Picture:
    """Convert an uploaded file into a safe picture.

    >>> picture_from(b'<svg xmlns="http://www.w3.org/2000/svg"/>').media_type
    'image/svg+xml'

    :raises PictureError: Codes: too_large, no_picture (or not a whole one), too_many_pixels,
        and of a drawing too_complex and bad_part.
    """
    if len(data) > MOST_BYTES:
        raise PictureError("too_large")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        try:
            return Picture(SVG, drawing_from(data))
        except DrawingError as problem:
            raise PictureError(problem.code, problem.what) from problem
    return Picture(PNG, _drawn_anew(data))


def _drawn_anew(data: bytes) -> bytes:
    """Redraw a raster picture as PNG: upright, still, of limited size, without metadata."""
    # The library is slow to load, and few processes read pictures.
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(data), formats=READ) as image:
            if max(image.size) > MOST_SIDE:
                raise PictureError("too_many_pixels")
            upright = ImageOps.exif_transpose(image)
            if upright.mode.startswith("I"):  # 16-bit grey
                upright = upright.convert("I").point(lambda grey: grey / 256).convert("L")
            plain = upright.convert("RGBA" if image.has_transparency_data else "RGB")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise PictureError("too_many_pixels") from problem
    # A decoder of a stranger's data may fail in many ways.
    except (
        OSError,
        SyntaxError,
        ValueError,
        KeyError,
        IndexError,
        EOFError,
        zlib.error,
    ) as problem:
        if isinstance(problem, PictureError):
            raise
        raise PictureError("no_picture") from problem
    for side in SIDES:
        plain.thumbnail((side, side))
        out = io.BytesIO()
        plain.save(out, "PNG", optimize=True)
        if out.tell() <= MOST_BYTES:
            break
    return out.getvalue()
