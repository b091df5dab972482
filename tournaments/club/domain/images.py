"""Uploaded pictures, made safe and small.

In an <img> no script runs and nothing is fetched, but a browser draws everything. Elements with
unlimited cost in a few lines are refused: `use`, patterns, markers, masks and filters draw
repeatedly, and so does a clip of a clip.
"""

import io
import re
import zlib
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

MOST_ELEMENTS = 2000
DEEPEST, MOST_CLIPS = 50, 50
NAMESPACE = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
GRADIENTS = frozenset({"linearGradient", "radialGradient"})
KNOWN = SHAPES | GRADIENTS | {
    "svg", "g", "defs", "title", "desc", "text", "tspan", "stop", "clipPath", "style"
}  # fmt: skip
LEFT_OUT = frozenset({"metadata"})
COSTLY = ("filter", "backdrop-filter", "mask", "marker", "stroke-dasharray")
"""Properties allowed only as "none"."""
_PROPERTY = r"(?<![\w-])(?:-\w+-)?({names})[\w-]*\s*:"
_COSTLY = re.compile(_PROPERTY.format(names="|".join(COSTLY)) + r"(?!\s*none\b)", re.IGNORECASE)
_MOVING = re.compile(_PROPERTY.format(names="animation|transition"), re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(\*/|$)", re.DOTALL)
_CALLS = re.compile(
    r"(url|image|image-set|cross-fade|element|src)\s*\(\s*(['\"]?)(#?)", re.IGNORECASE
)
# An escape hides a word; an at-rule fetches or animates.
_NOT_IN_STYLES = re.compile(r"([\\@])")
# A decoder of a stranger's data may fail in many ways.
FAULTS = (OSError, SyntaxError, ValueError, KeyError, IndexError, EOFError, zlib.error)


register_namespace("", NAMESPACE.strip("{}"))
register_namespace("xlink", "http://www.w3.org/1999/xlink")


class PictureError(ValueError):
    """The file cannot be shown; `code` is the reason, and `what` the part of a drawing."""

    def __init__(self, code: str, what: str = "") -> None:
        super().__init__(code)
        self.code, self.what = code, what


def drawing_from(data: bytes) -> bytes:
    """Return a safe version of a drawing, without private data of other programs.

    >>> drawing_from(b'<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>')
    b'<svg xmlns="http://www.w3.org/2000/svg"><g id="a" /></svg>'

    :raises PictureError: Codes: no_picture, too_complex and bad_part.
    """
    try:
        root = fromstring(data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as problem:
        raise PictureError("no_picture") from problem
    if root.tag != f"{NAMESPACE}svg":
        raise PictureError("no_picture")
    _clean(root)
    clips = sum(
        "clip-path" in f"{key}:{value}" for one in root.iter() for key, value in one.items()
    )
    if clips > MOST_CLIPS:
        raise PictureError("too_complex")
    return tostring(root)


def _clean(root: Element) -> None:
    count = 0
    waiting = [(root, 1, False)]
    while waiting:
        element, depth, in_clip = waiting.pop()
        count += 1
        if count > MOST_ELEMENTS or depth > DEEPEST:
            raise PictureError("too_complex")
        name = element.tag.removeprefix(NAMESPACE)
        if name not in KNOWN:
            raise PictureError("bad_part", f"<{name}>")
        in_clip = in_clip or name == "clipPath"
        _clean_attributes(element, name, in_clip=in_clip)
        if name == "style":
            _check_style(element.text or "", has_clips=False)
        for child in reversed(list(element)):
            tag = child.tag
            is_ours = isinstance(tag, str) and tag.startswith(NAMESPACE)
            if is_ours and tag.removeprefix(NAMESPACE) not in LEFT_OUT:
                waiting.append((child, depth + 1, in_clip))
            else:
                element.remove(child)


def _clean_attributes(element: Element, name: str, *, in_clip: bool) -> None:
    for key, value in list(element.items()):
        if key in ("href", LINK):
            if name not in GRADIENTS or not value.strip().startswith("#"):
                raise PictureError("bad_part", f"<{name} href>")
        elif key.startswith(("{", "data-")):
            del element.attrib[key]
        elif key.lower().startswith("on"):
            raise PictureError("bad_part", key)
        else:
            _check_style(value if key == "style" else f"{key}:{value}", has_clips=not in_clip)


def _check_style(text: str, *, has_clips: bool) -> None:
    """Refuse a style, or an attribute like one, that is costly, animates or fetches."""
    plain = _COMMENT.sub(" ", text)
    for forbidden in (_COSTLY, _MOVING, _NOT_IN_STYLES):
        if found := forbidden.search(plain):
            raise PictureError("bad_part", found[1])
    if not has_clips and "clip-path" in plain.lower():
        raise PictureError("bad_part", "clip-path")
    for call, _quote, fragment in _CALLS.findall(plain):
        if call.lower() != "url" or not fragment:
            raise PictureError("bad_part", f"{call}()")


# --- Convert an uploaded picture to one cheap for readers: a PNG or a safe drawing


PNG, SVG = "image/png", "image/svg+xml"
READ = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 300 * 1000
MOST_SIDE = 4096
"""The most pixels of a side: 64 MB while it is redrawn."""
SIDES = (1024, 512, 256)
"""The longer side of the stored picture: the first size within MOST_BYTES."""
JPEG = "image/jpeg"
MOST_BYTES_OF_PHOTO = 9 * 1000 * 1000
PHOTO_SIDES = (1600, 1200, 800, 400)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture safe for any page."""

    media_type: str
    data: bytes


def picture_from(data: bytes, *, is_photo: bool = False) -> Picture:
    """Convert an uploaded file into a safe picture.

    :param is_photo: Whether it may be as large as a phone's photo; what is opaque becomes a JPEG.

    >>> picture_from(b'<svg xmlns="http://www.w3.org/2000/svg"/>').media_type
    'image/svg+xml'

    :raises PictureError: Codes: too_large, no_picture (or not a whole one), too_many_pixels,
        and of a drawing too_complex and bad_part.
    """
    is_drawing = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    if len(data) > (MOST_BYTES_OF_PHOTO if is_photo and not is_drawing else MOST_BYTES):
        raise PictureError("too_large")
    if is_drawing:
        return Picture(SVG, drawing_from(data))
    return _drawn_anew(data, is_photo=is_photo)


def _drawn_anew(data: bytes, *, is_photo: bool) -> Picture:
    """Redraw a raster picture: upright, still, of limited size, without metadata."""
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
    except PictureError:
        raise
    except FAULTS as problem:
        raise PictureError("no_picture") from problem
    is_jpeg = is_photo and plain.mode == "RGB"
    how = {"format": "JPEG", "quality": 82} if is_jpeg else {"format": "PNG"}
    for side in PHOTO_SIDES if is_jpeg else SIDES:
        plain.thumbnail((side, side))
        out = io.BytesIO()
        plain.save(out, optimize=True, **how)
        if out.tell() <= MOST_BYTES:
            break
    return Picture(JPEG if is_jpeg else PNG, out.getvalue())
