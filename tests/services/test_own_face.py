"""The club's own face of its walls: slides and figures, each refusal, each undo."""

import io

import pytest
from django.utils import timezone
from PIL import Image

from clock.models import Level
from clock.selectors import clock_levels, clock_state
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.models import Action, Screen, Slide
from tournaments.screens.selectors.own_face import hall_own, own_face
from tournaments.screens.services.own_face import (
    KEPT,
    MOST_SLIDES,
    face_arrange,
    face_undo,
    slide_add,
    slide_move,
    slide_remove,
)
from tournaments.screens.services.screens import screen_claim, screen_make

pytestmark = [pytest.mark.django_db, pytest.mark.planned]
GRID = ["pot", "prizes", "", "rebuys", "break", "hunter"]


def do(service, event, /, **own):
    return call_service(service, club=event.club, by=SYSTEM, at=f.ARRIVAL, **own)


def slide(event, text="Danke, Brauerei", seconds=10, **own):
    do(slide_add, event, text=text, seconds=seconds, **own)
    return Slide.objects.latest("pk").pk


def photo(size=(3000, 2000), kind="JPEG", **own):
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(out, kind, **own)
    return out.getvalue()


def texts(event):
    return [text for _seconds, text, _picture, _figures in hall_own(event, f.ARRIVAL)]


def test_slides_are_shown_in_their_order_and_each_change_is_undone(event):
    first, second = slide(event, "Eins"), slide(event, "Zwei", 30)
    assert [row[:2] for row in hall_own(event, f.ARRIVAL)] == [[10, "Eins"], [30, "Zwei"]]
    do(slide_move, event, slide=second)
    assert texts(event) == ["Zwei", "Eins"]
    do(slide_move, event, slide=second)
    assert texts(event) == ["Eins", "Zwei"]
    removed = do(slide_remove, event, slide=first)
    assert texts(event) == ["Zwei"]
    do(face_undo, event, action=removed)
    assert texts(event) == ["Eins", "Zwei"]
    refused("already_undone", face_undo, event, action=removed)
    assert log_first_fault(event.club) is None
    assert "?" not in describe(Action.objects.select_related("text").latest("pk"))


def test_chosen_figures_are_undone(event):
    before = own_face(event.club).figures
    chosen = do(face_arrange, event, figures=GRID, in_breaks=True)
    chosen = Action.objects.select_related("text").get(pk=chosen.pk)
    do(face_undo, event, action=chosen)
    assert (own_face(event.club).figures, own_face(event.club).in_breaks) == (before, False)


def test_a_change_that_something_followed_is_not_undone(event):
    slide(event, "Eins")
    added = Action.objects.latest("pk")
    slide(event, "Zwei")
    refused("overtaken", face_undo, event, action=added)
    refused("gone", face_undo, event, action=Action.objects.order_by("pk").first())


def refused(why, service, event, **own):
    before = hall_own(event, f.ARRIVAL)
    with pytest.raises(Refused) as caught:
        do(service, event, **own)
    assert caught.value.code == why
    assert str(caught.value).endswith(".")
    assert hall_own(event, f.ARRIVAL) == before


@pytest.mark.parametrize(
    ("why", "given"),
    [
        ("empty", {"text": "  "}),
        ("too_long", {"text": "x" * 201}),
        ("seconds", {"seconds": 4}),
        ("seconds", {"seconds": 61}),
        ("no_picture", {"data": b"GIF89a"}),
        ("no_picture", {"data": photo((300, 200))[:2000]}),
        ("too_large", {"data": b"\xff\xd8" + bytes(9_000_001)}),
        ("too_many_pixels", {"data": photo((4200, 10))}),
        ("bad_part", {"data": b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'}),
    ],
)
def test_a_bad_slide_is_refused(event, why, given):
    refused(why, slide_add, event, **{"text": "Danke", "seconds": 10, **given})


def test_there_are_not_too_many_slides(event):
    for number in range(MOST_SLIDES):
        slide(event, str(number))
    refused("too_many", slide_add, event, text="noch eine", seconds=10)
    refused("gone", slide_remove, event, slide=10**9)


def test_removed_slides_are_kept_for_a_while_only(event):
    for number in range(KEPT + 3):
        do(slide_remove, event, slide=slide(event, str(number)))
    assert Slide.objects.count() == KEPT


def test_a_photo_is_made_anew_without_what_the_camera_wrote(event):
    exif = Image.Exif()
    exif[0x010F] = "Kamera von Petra"
    slide(event, data=photo(exif=exif))
    data = bytes(Slide.objects.get().data)
    assert len(data) <= 300_000
    with Image.open(io.BytesIO(data)) as made:
        assert (made.format, max(made.size) >= 400, dict(made.getexif())) == ("JPEG", True, {})
    assert b"Petra" not in data


def test_the_grid_shows_chosen_figures_of_the_evening():
    event = f.make_running_event(9)
    levels = clock_levels(event.clock)
    Level.objects.filter(pk=levels[1].id).update(kind=Level.Kind.BREAK)
    begins = timezone.localtime(clock_state(event.clock, f.after(1)).next_change_at)
    do(face_arrange, event, figures=["left", "rebuys", "break", "", "pot", "end"], in_breaks=True)
    [[_seconds, _text, _picture, cells]] = hall_own(event, f.after(1))
    assert cells[0] == ["Im Spiel", ["9 / 9"]]
    assert cells[1] == ["Re-buys", ["0"]]
    assert cells[2] == ["Nächste Pause", [f"{begins:%H:%M}"]]
    assert cells[3:5] == [[], []]
    assert own_face(event.club).in_breaks


@pytest.mark.parametrize(
    ("why", "figures"),
    [
        ("unknown_figure", [*GRID[:5], "money"]),
        ("unknown_figure", GRID[:5]),
        ("unknown_figure", [*GRID, ""]),
        ("twice", ["pot", "pot", "", "", "", ""]),
        ("no_change", GRID),
    ],
)
def test_a_bad_grid_is_refused(event, why, figures):
    do(face_arrange, event, figures=GRID, in_breaks=False)
    refused(why, face_arrange, event, figures=figures, in_breaks=False)


def test_walls_hear_of_each_change(event):
    screen = screen_make(club=event.club, secret="s", at=f.ARRIVAL)
    do(screen_claim, event, code=screen.code, name="Beamer", event=event)
    version = Screen.objects.get().version
    slide(event)
    assert Screen.objects.get().version == version + 1
