"""The maker of the screenshots takes pictures of whole pages only."""

import pytest

from tournaments.devtools.pictures import Camera, PictureFailed, Shot

pytestmark = pytest.mark.browser
HALL = {"width": 1280, "height": 720}


@pytest.fixture
def camera(browser, server, tmp_path) -> Camera:
    return Camera(browser, server, tmp_path / "data")


def test_a_good_page_becomes_a_picture_of_its_size(camera: Camera):
    file = camera.take(Shot(name="home", path="/", **HALL))

    assert file.read_bytes().startswith(b"\x89PNG")
    assert file.name == "home.png"


def test_a_missing_page_becomes_none(camera: Camera, tmp_path):
    with pytest.raises(PictureFailed, match="404"):
        camera.take(Shot(name="missing", path="/t/gibt-es-nicht/", **HALL))

    assert not (tmp_path / "data" / "missing.png").exists()
