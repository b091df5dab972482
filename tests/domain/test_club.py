"""A club's logo, drawn anew or refused with its reason, and its colour, made readable."""

import contextlib
import re
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.rasters import raster, read
from tournaments.club.domain.colours import (
    AAA,
    FELT,
    NIGHT,
    PAPER,
    colour_read,
    contrast,
    shades_of,
)
from tournaments.club.domain.images import MOST_BYTES, PNG, SIDES, PictureError, picture_from

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" {XLINK}>%s</svg>'


def drawing(inside):
    return (SVG % inside).encode()


def noise(width, height):
    return Image.effect_noise((width, height), 200).convert("RGB")


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows, *more):
    """Return a PNG that claims this size, whatever its rows come to."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = [
        chunk(b"IHDR", head),
        *more,
        chunk(b"IDAT", zlib.compress(rows, 9)),
        chunk(b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def nested_uses(levels=5, each=10):
    """Return a drawing of a kilobyte that a browser draws 10 to the 5th times."""
    parts = ['<g id="a0"><rect width="9" height="9"/></g>']
    for level in range(levels):
        uses = f'<use xlink:href="#a{level}"/>' * each
        parts.append(f'<g id="a{level + 1}">{uses}</g>')
    return drawing(f"<defs>{''.join(parts)}</defs><use xlink:href='#a{levels}'/>")


def nested_clips(levels=5, each=10):
    shape = '<rect width="9" height="9" clip-path="url(#c{})"/>'
    clips = [f'<clipPath id="c{n}">{shape.format(n + 1) * each}</clipPath>' for n in range(levels)]
    return drawing("".join(clips) + shape.format(0))


LONG_TEXT = chunk(b"zTXt", b"a\0\0" + zlib.compress(b" " * 5_000_000, 9))
BLURS = '<filter id="b"><feGaussianBlur stdDeviation="99"/></filter>'
ATTACKS = {
    "nested uses": (nested_uses(), "bad_part", "<use>"),
    "200 filters": (drawing(BLURS + '<rect filter="url(#b)"/>' * 200), "bad_part", "<filter>"),
    "blur by style": (drawing('<g style="filter:blur(99px)"/>'), "bad_part", "filter"),
    "blur, commented": (drawing('<g style="filter/**/:blur(9px)"/>'), "bad_part", "filter"),
    "blur in a sheet": (
        *(drawing("<style>g{backdrop-filter:blur(9px)}</style>"), "bad_part", "backdrop-filter"),
    ),
    "nested clips": (nested_clips(), "bad_part", "clip-path"),
    "clips in a sheet": (drawing("<style>g{clip-path:url(#a)}</style>"), "bad_part", "clip-path"),
    "many clips": (drawing('<g clip-path="url(#a)"/>' * 51), "too_complex", ""),
    "tiny dashes": (drawing('<path stroke-dasharray="0.001"/>'), "bad_part", "stroke-dasharray"),
    "pattern": (drawing('<pattern id="a"/>'), "bad_part", "<pattern>"),
    "image": (drawing('<image href="https://evil.example/a.png"/>'), "bad_part", "<image>"),
    "far colour": (drawing('<g fill="url(https://evil.example/#a)"/>'), "bad_part", "url()"),
    "far sheet": (drawing("<style>@import 'a.css'</style>"), "bad_part", "@"),
    "escape": (drawing(r'<g style="f\69lter:blur(9px)"/>'), "bad_part", "\\"),
    "far gradient": (
        *(drawing('<linearGradient xlink:href="a.svg#b"/>'), "bad_part", "<linearGradient href>"),
    ),
    "script": (drawing("<script>alert(1)</script>"), "bad_part", "<script>"),
    "handler": (drawing('<g onload="alert(1)"/>'), "bad_part", "onload"),
    "page inside": (drawing("<foreignObject/>"), "bad_part", "<foreignObject>"),
    "moving": (drawing('<animate attributeName="x"/>'), "bad_part", "<animate>"),
    "moving by style": (drawing('<g style="animation:a 1s"/>'), "bad_part", "animation"),
    "2,001 elements": (drawing("<g/>" * 2000), "too_complex", ""),
    "20,000 deep": (drawing("<g>" * 20_000 + "</g>" * 20_000), "too_complex", ""),
    "entities": (b'<!DOCTYPE a [<!ENTITY b "c">]>' + drawing("&b;"), "no_picture", ""),
    "not closed": (drawing("")[:-3], "no_picture", ""),
    "page": (b"<html><body/></html>", "no_picture", ""),
    "400 million pixels": (png(20_000, 20_000, b"\0" * 99), "too_many_pixels", ""),
    "100 million pixels": (png(10_000, 10_000, b"\0" * 99), "too_many_pixels", ""),
    "one side too long": (raster(Image.new("1", (4097, 1))), "too_many_pixels", ""),
    "cut off": (raster(noise(99, 99))[:-500], "no_picture", ""),
    "cut off photo": (raster(noise(99, 99), "JPEG")[:-500], "no_picture", ""),
    "head alone": (raster(noise(9, 9))[:20], "no_picture", ""),
    "few rows": (png(90, 90, b"\0" * 99), "no_picture", ""),
    "text of 5 MB": (png(1, 1, b"\0" * 4, LONG_TEXT), "no_picture", ""),
    "other form": (raster(noise(9, 9), "GIF"), "no_picture", ""),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n", "no_picture", ""),
    "nothing": (b"", "no_picture", ""),
    "too large": (b"\x89PNG" + b"." * MOST_BYTES, "too_large", ""),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_file_that_could_hang_a_page_is_refused(name):
    data, code, what = ATTACKS[name]
    with pytest.raises(PictureError) as caught:
        picture_from(data)
    assert (caught.value.code, caught.value.what) == (code, what)


def test_what_is_left_of_a_bomb_that_claims_to_be_small_is_small():
    picture = picture_from(png(2, 2, b"\0" * 20_000_000))
    assert read(picture.data).size == (2, 2)
    assert len(picture.data) < 1000


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize(("size", "kept"), [((40, 20), (40, 20)), ((4096, 64), (1024, 16))])
def test_each_form_becomes_one_of_a_bounded_size(form, size, kept):
    picture = picture_from(raster(Image.new("RGB", size, "#204060"), form))
    assert picture.media_type == PNG
    image = read(picture.data)
    assert (image.format, image.size) == ("PNG", kept)
    assert all(abs(a - b) < 8 for a, b in zip(image.getpixel((5, 5)), (32, 64, 96), strict=True))


def test_what_would_be_too_many_bytes_as_png_is_made_smaller():
    picture = picture_from(raster(noise(900, 600), "JPEG", quality=20))
    assert len(picture.data) <= MOST_BYTES
    assert max(read(picture.data).size) in SIDES[1:]


def test_a_moving_picture_stands_still():
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    for form in ("PNG", "WEBP"):
        data = raster(frames[0], form, save_all=True, append_images=frames[1:], duration=50)
        image = read(picture_from(data).data)
        assert getattr(image, "n_frames", 1) == 1
        assert image.getpixel((4, 4))[0] > 200


def test_colours_of_print_are_those_of_screens_and_sixteen_bits_of_grey_are_not_white():
    data = raster(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG")
    red, green, blue = read(picture_from(data).data).getpixel((4, 4))
    assert red > 200
    assert max(green, blue) < 60
    image = read(picture_from(raster(Image.new("I;16", (8, 8), 0x8000))).data)
    assert image.getpixel((4, 4)) == (128, 128, 128)


def test_a_photo_taken_upright_stays_upright_and_says_nothing_of_its_place():
    lying = Image.new("RGB", (40, 20), "blue")
    lying.paste("red", (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "Bahnstraße 1"  # turned to the right
    image = read(picture_from(raster(lying, "JPEG", exif=exif)).data)
    assert image.size == (20, 40)
    assert image.getpixel((10, 5))[0] > 200  # what was left is above
    assert not image.getexif()


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_transparent_stays_so(mode):
    image = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    image.paste((0, 0, 0, 255), (4, 0, 8, 8))
    kept = read(picture_from(raster(image.convert(mode))).data)
    assert [kept.getpixel(at)[3] for at in ((1, 1), (6, 6))] == [0, 255]


def test_a_drawing_is_kept_without_what_other_programs_keep_in_it():
    inkscape = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'
    data = drawing(
        f"<metadata><a/></metadata><inkscape:view {inkscape}/>{page}<!-- made by -->"
        f'<g {inkscape} inkscape:label="Ebene" data-name="a@b" fill="url(#c)" clip-path="url(#d)"'
        ' style="marker:none;mask:none;color-interpolation-filters:linearRGB"/>'
        '<linearGradient id="c" xlink:href="#e"/>'
    )
    kept = picture_from(b"\xef\xbb\xbf<?xml version='1.0'?>" + data).data.decode()
    for gone in ("metadata", "inkscape", "script", "Ebene", "data-name", "made by"):
        assert gone not in kept
    assert 'fill="url(#c)" clip-path="url(#d)"' in kept
    assert 'xlink:href="#e"' in kept
    assert picture_from(kept.encode()).data.decode() == kept


@pytest.mark.parametrize("head", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"<svg"])
@given(tail=st.binary(max_size=90))
def test_no_bytes_break_it(head, tail):
    with contextlib.suppress(PictureError):
        picture_from(head + tail)


# --- Colours


COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(COLOURS)
def test_wcag_2_2_aaa_every_colour_becomes_readable_and_one_that_is_stays_as_it_is(colour):
    shades = shades_of(colour)
    assert contrast(shades.accent, NIGHT) >= AAA
    assert contrast(shades.bright, FELT) >= AAA
    assert contrast(shades.deep, PAPER) >= AAA
    # Written on the accent is the night, on the other side of the same contrast.
    assert re.fullmatch("#[0-9a-f]{6}", shades.accent)
    assert (shades.accent == colour) == (contrast(colour, NIGHT) >= AAA)
    assert (shades.deep == colour) == (contrast(colour, PAPER) >= AAA)
    assert shades_of(shades.accent).accent == shades.accent


@given(st.text(max_size=9))
def test_whatever_is_typed_is_a_colour_nothing_or_none(typed):
    read = colour_read(typed)
    assert read is None or read == "" or contrast(read, read) == 1


@pytest.mark.parametrize(
    "typed", ["rot", "#12345", "#1234567", "12", "#gggggg", "rgb(1,2,3)", "#12345\u0661"]
)
def test_what_is_no_colour_is_none(typed):
    assert colour_read(typed) is None
