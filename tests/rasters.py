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
