"""Raster pictures as files, for tests of what is uploaded."""

import io
from typing import Any

from PIL import Image


def raster(image: Image.Image, form: str = "PNG", **own: Any) -> bytes:
    """Return a picture as the bytes of a file."""
    out = io.BytesIO()
    image.save(out, form, **own)
    return out.getvalue()


def read(data: bytes) -> Image.Image:
    """Return the picture that a file holds, all of it."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


DOT = raster(Image.new("RGB", (9, 9)))
LOGO = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32">
<rect width="96" height="32" rx="4" fill="#7a1f2b"/>
<path d="M16 5C12 12 6 15 6 20a5 5 0 0 0 9 3l-2 5h6l-2-5a5 5 0 0 0 9-3c0-5-6-8-10-15Z" fill="#fff"/>
<path d="M36 9h8l6 7 6-7h8L54 19v6h-8v-6Z" fill="#fff"/></svg>"""
