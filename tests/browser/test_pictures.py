"""The maker of the screenshots takes pictures of whole pages only."""

import pytest

from tournaments.devtools.pictures import Camera, PictureFailed, Shot, settle

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


def test_a_list_of_the_wall_that_comes_late_is_waited_for(page):
    page.set_content("""<div class="hall"><ul class="hall-rows"></ul></div><script>
      setTimeout(() => { document.body.dataset.hall = "moves"; }, 300);
      const list = document.querySelector("ul");
      setTimeout(() => { list.append(document.createElement("li")); }, 1500);
    </script>""")
    settle(page)
    assert page.locator(".hall-rows li").count() == 1
