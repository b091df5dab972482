"""The club's look: colour and logo set by the director, served to everybody, never half taken."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from PIL import Image

from tests import factories as f
from tests.pressing import shows
from tests.rasters import raster, read
from tests.views.pages import assert_refused, errors_of
from tournaments.club.selectors.theme import club_theme
from tournaments.models import Action, Club, ClubLogo

pytestmark = pytest.mark.django_db
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="8" height="8" /></svg>'
PNG = raster(Image.new("RGB", (40, 20), "red"))


def colour(client, colour="#7A1F2B", **own):
    return client.post(reverse("club-colour"), {"is_own": "on", "colour": colour, **own})


def logo(client, data=SVG, **own):
    file = SimpleUploadedFile("logo.svg", data)
    return client.post(reverse("club-logo-set"), {"logo": file, **own})


def style(client):
    return client.get(club_theme(Club.objects.get())["style"])


def test_a_colour_is_served_readable_and_kept_and_what_is_none_is_refused(dora):
    assert "keine Farbe" in errors_of(colour(dora, "rot"), "colour", "colour_form")
    assert Club.objects.get().colour == ""
    assert not Action.objects.filter(kind="club.colour_set").exists()
    assert colour(dora, "#12315e").url == reverse("club-settings")
    answer = style(dora)
    assert answer["Content-Type"] == "text/css"
    assert "immutable" in answer["Cache-Control"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    text = answer.content.decode()
    assert "--brass:#6e9ee3" in text  # lighter than the club's, to be read on the dark screen
    assert "background:#12315e" in text
    assert Action.objects.filter(kind="club.colour_set").get().payload["colour"] == 0x12315E
    before = club_theme(Club.objects.get())["style"]
    colour(dora)
    assert club_theme(Club.objects.get())["style"] != before
    for gone in (before, reverse("club-style", args=["0" * 16])):
        assert dora.get(gone).status_code == 404
    dora.post(reverse("club-colour"), {"colour": "#7a1f2b"})  # without the tick: the house's
    assert Club.objects.get().colour == ""
    assert club_theme(Club.objects.get())["style"] == ""


def test_a_logo_is_served_so_that_nothing_runs_and_is_replaced_and_removed(dora, client):
    logo(dora)
    answer = client.get(club_theme(Club.objects.get())["logo"])
    assert answer.content == SVG
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    before = club_theme(Club.objects.get())["logo"]
    logo(dora, PNG)
    assert ClubLogo.objects.get().media_type == "image/png"
    assert dora.get(before).status_code == 404
    assert dora.post(reverse("club-logo-remove")).status_code == 302
    assert not ClubLogo.objects.exists()
    assert dora.post(reverse("club-logo-remove")).status_code == 422
    assert_refused(dora.post(reverse("club-logo-set")), "Datei wählen")
    kinds = list(Action.objects.filter(kind__startswith="club.logo").values_list("kind", flat=True))
    assert kinds == ["club.logo_set", "club.logo_set", "club.logo_removed"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"GIF89a", "kein ganzes Bild"),
        (PNG[:-30], "kein ganzes Bild"),
        (b"<html><body>Logo</body></html>", "kein ganzes Bild"),
        (SVG.replace(b"rect", b"script"), "enthält <script>"),
        (SVG.replace(b"rect", b"use"), "enthält <use>"),
        (SVG.replace(b"rect", b"filter"), "enthält <filter>"),
        (SVG.replace(b"<rect", b"<g/>" * 2000 + b"<rect"), "mehr als 2000 Teile"),
        (raster(Image.new("1", (4097, 1))), "Höchstens 4096 in jeder Richtung"),
        (PNG + b"." * 300_000, "zu groß"),
        (b"", "leer"),
    ],
)
def test_a_bad_file_is_refused_and_the_logo_stays(dora, data, said):
    logo(dora)
    assert said in errors_of(logo(dora, data), "logo", "logo_form")
    assert bytes(ClubLogo.objects.get().data) == SVG
    assert Action.objects.filter(kind="club.logo_set").count() == 1


def test_the_same_press_twice_is_one_change(dora):
    key = "6f1c62a4-47c0-4c5f-9d0f-8a3a3f0f5a11"
    for _ in range(2):
        logo(dora, idempotency_key=key)
        colour(dora, idempotency_key="a" + key[1:])
    assert Action.objects.filter(kind="club.logo_set").count() == 1
    assert Action.objects.filter(kind="club.colour_set").count() == 1


def test_pages_wear_both(dora, client):
    colour(dora)
    logo(dora)
    event = f.make_event()
    theme = club_theme(Club.objects.get())
    for name in ("tournament", "results"):
        assert theme["style"] in client.get(reverse(name, args=[event.slug])).text
    assert theme["style"] in client.get(reverse("home")).text
    assert theme["logo"] in client.get(reverse("tournament", args=[event.slug])).text
    assert theme["logo"] in client.get(reverse("screen-state", args=[event.slug])).text
    page = dora.get(reverse("club-settings")).text
    shows(page, theme["style"], f'src="{theme["logo"]}"', 'value="#7a1f2b"')


def test_logos_of_an_older_version_are_made_anew_or_go(dora):
    """Each upgrade and each restored backup comes through it."""
    step = import_module("tournaments.migrations.0033_rows_of_0_3_0")
    logo(dora)
    photo = raster(Image.new("RGB", (2000, 1000), "red"), "JPEG")
    ClubLogo.objects.update(media_type="image/jpeg", data=photo)
    step.make_anew(apps, SimpleNamespace(connection=connection))
    row = ClubLogo.objects.get()
    assert (row.media_type, read(bytes(row.data)).size) == ("image/png", (1024, 512))
    assert dora.get(club_theme(Club.objects.get())["logo"]).content == bytes(row.data)
    ClubLogo.objects.update(data=SVG.replace(b"rect", b"script"))
    step.make_anew(apps, SimpleNamespace(connection=connection))
    assert not ClubLogo.objects.exists()
    assert club_theme(Club.objects.get())["logo"] == ""
