"""Forms of many fields, sent to a real server: they never come to where something is written."""

import re
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest

from tests.infra.hall_client import HallClient
from tests.laptops import laptop_served_once

pytestmark = pytest.mark.sqlite_only
FIELDS = 60_000
TOO_MANY = {f"f{number}": "" for number in range(FIELDS)}
SIGN_IN = re.compile(r"/in/[\w-]+/")
SAMPLE = "from tournaments.models import Event; print(Event.objects.get(is_sample=True).slug)"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory):
    with laptop_served_once(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


@pytest.fixture(scope="module")
def slug(running) -> str:
    return running.manage("shell", "--no-imports", "-c", SAMPLE).stdout.strip()


@pytest.fixture(scope="module")
def director(running) -> HallClient:
    client = HallClient(running.url)
    found = SIGN_IN.search(running.log)
    assert found
    assert client.get(found[0])[0] == 200
    status, text = client.post(found[0], name="Dora")
    assert status == 302, text
    return client


def test_a_visitors_form_of_sixty_thousand_fields_is_refused_by_its_size(running, slug):
    visitor = HallClient(running.url)
    visitor.get(f"/t/{slug}/")
    for path in (f"/t/{slug}/anmelden/", "/nirgends/"):
        status, text = visitor.post(path, **TOO_MANY)
        assert status == 413
        assert "zu groß" in text
    # A forged cookie of staff is not known.
    forged = {"Cookie": "krru_device=" + "A" * 43, "Authorization": "Bearer x"}
    sent = urllib.parse.urlencode(TOO_MANY).encode()
    request = urllib.request.Request(f"{running.url}/t/{slug}/anmelden/", sent, forged)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    with refused.value as answer:
        assert answer.code == 413


def test_a_directors_form_of_sixty_thousand_fields_is_refused(director, slug):
    director.get(f"/t/{slug}/leitung/")
    assert director.post(f"/t/{slug}/leitung/uhr/start/", **TOO_MANY)[0] == 400


def test_the_director_presses_on_while_large_forms_come(running, director, slug):
    done = threading.Event()
    answers: list[int] = []

    def flood() -> None:
        visitor = HallClient(running.url)
        while not done.is_set():
            answers.append(visitor.post("/nirgends/", **TOO_MANY)[0])

    flooding = [threading.Thread(target=flood) for _ in range(4)]
    for one in flooding:
        one.start()
    try:
        page = f"/t/{slug}/leitung/"
        for text in ("eins", "zwei", "drei"):
            director.get(page)
            status, body = director.post(f"/t/{slug}/durchsage/", text=text)
            assert status in (200, 302), body
    finally:
        done.set()
        for one in flooding:
            one.join()
    assert set(answers) == {413}
