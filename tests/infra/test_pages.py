"""The bridge from the server to Django's pages, called as the server calls it."""

import asyncio
import re
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest

from krru.data.outages import RETRY_SECONDS
from krru.web import pages
from krru.web.pages import BODY_SLACK_BYTES, MULTIPART, STRANGERS_BODY_BYTES, WAITING, Pages
from tests.infra.hall_client import HallClient


def scope_of(method: str, path: str = "/", headers=()):
    """Return what the server tells of a request."""
    return {
        "type": "http", "method": method, "path": path, "query_string": b"a=%C3%B6&b=1",
        "http_version": "1.1",
        "headers": [(b"host", b"krru.test"), (b"x-two", b"1"), (b"x-two", b"2"), *headers],
        "client": ("192.0.2.9", 4711), "server": ("192.0.2.7", 8000), "scheme": "http",
    }  # fmt: skip


def ask(
    app,
    *,
    method: str = "GET",
    path: str = "/",
    chunks: tuple[bytes, ...] = (b"",),
    headers=(),
    **own,
):
    """Send one request and return status, headers and body."""
    made = Pages(app, writers=1, **{"body_limit": 100, **own})

    async def run():
        try:
            return await asked(made, scope_of(method, path, headers), chunks)
        finally:
            made.close()

    sent = asyncio.run(run())
    if not sent:
        return None
    return sent[0]["status"], sent[0]["headers"], sent[1]["body"]


async def asked(made, scope, chunks=(b"",)):
    """Send a request in these pieces, and return what is sent back."""
    sent = []
    messages = [
        {"type": "http.request", "body": chunk, "more_body": number + 1 < len(chunks)}
        for number, chunk in enumerate(chunks)
    ]

    async def receive():
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    await made(scope, receive, send)
    return sent


def test_body_in_pieces_arrives_whole_and_cookies_stay_apart() -> None:
    """Without the blank that Django writes before them."""
    status, headers, body = ask(echo, method="POST", chunks=(b"eins,", b"zwei", b""), path="/t")

    assert (status, body) == (200, b"eins,zwei /t 1,2 192.0.2.9")
    assert [value for name, value in headers if name == b"set-cookie"] == [b"a=b", b"c=d"]


def echo(environ, start_response):
    start_response(
        "200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=b"), ("Set-Cookie", "c=d")]
    )
    yield environ["wsgi.input"].read()
    yield f" {environ['PATH_INFO']} {environ['HTTP_X_TWO']} {environ['REMOTE_ADDR']}".encode()


@pytest.mark.parametrize(
    ("method", "headers", "thread"),
    [
        ("GET", (), "read"),
        ("HEAD", (), "read"),
        ("POST", (), "write"),
        ("DELETE", (), "write"),
        # A file is read for seconds: it takes away no one's turn to write.
        ("POST", ((b"content-type", MULTIPART + b"; boundary=x"),), "read"),
    ],
)
def test_reads_and_writes_have_threads_of_their_own(method, headers, thread) -> None:
    def app(environ, start_response):
        start_response("200 OK", [])
        return [threading.current_thread().name.encode()]

    assert ask(app, method=method, headers=headers)[2].decode().startswith(thread)


def test_too_much_is_refused_before_anything_runs() -> None:
    status, _, body = ask(never, method="POST", chunks=(b"x" * (100 + BODY_SLACK_BYTES + 1),))

    assert status == 413
    assert "zu groß" in body.decode()


def never(*_):
    raise AssertionError("never called")


@pytest.mark.parametrize(
    ("more", "is_known", "status", "looked"),
    [
        ((), None, 200, []),
        ((b"y", b"z"), False, 413, ["read"]),
        ((b"y", b"z"), True, 200, ["read"]),
    ],
    ids=["a visitor's size", "a stranger", "a known device"],
)
def test_much_is_taken_only_from_a_device_that_is_known(more, is_known, status, looked) -> None:
    found = []

    def lookup(scope):
        found.append(threading.current_thread().name.partition("_")[0])
        return is_known

    app = never if status == 413 else echo
    chunks = (b"x" * STRANGERS_BODY_BYTES, *more)
    answer = ask(app, method="POST", chunks=chunks, body_limit=100_000, is_known=lookup)

    assert (answer[0], found) == (status, looked)
    assert status == 413 or answer[2].startswith(b"".join(chunks))


def test_client_that_left_is_not_served() -> None:
    assert ask(never, method="POST", chunks=()) is None


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_that_is_stuck_is_given_up_and_a_press_is_not(method, monkeypatch) -> None:
    monkeypatch.setattr(pages, "PAGE_PATIENCE_SECONDS", 0.05)
    is_given_up = threading.Event()

    def stuck(environ, start_response):
        # A press is answered in the end; nobody waits for the page by then.
        is_given_up.wait(0.5 if method == "POST" else 5)
        return echo(environ, start_response)

    status, headers, body = ask(stuck, method=method)
    is_given_up.set()

    assert status == (503 if method == "GET" else 200)
    if method == "GET":
        assert dict(headers)[b"retry-after"] == dict(headers)[b"refresh"] == b"%d" % RETRY_SECONDS
        assert "Die Datenbank antwortet nicht" in body.decode()


def test_answer_is_closed_also_when_it_fails() -> None:
    closed = []

    class Answer:
        def __iter__(self):
            raise ValueError("as planned")

        def close(self):
            closed.append(1)

    def app(environ, start_response):
        start_response("200 OK", [])
        return Answer()

    with pytest.raises(ValueError, match="as planned"):
        ask(app)
    assert closed == [1]


class Crowd:
    """Requests at once; each that comes through waits until so many of them have come."""

    def __init__(self) -> None:
        self.came: list[tuple[str, int]] = []
        self.go_on = threading.Event()

    def app(self, environ, start_response):
        """Note from where it came, and how many waited then."""
        self.came.append((environ["REMOTE_ADDR"], environ[WAITING]))
        assert self.go_on.wait(60)
        start_response("200 OK", [])
        return [b""]

    def ask(self, *requests: tuple[str, str], until: int) -> list[int]:
        """Send requests by method and address; return their statuses."""
        made = Pages(self.app, writers=1, body_limit=100)

        async def one(method, address):
            scope = scope_of(method) | {"client": (address, 1)}
            return (await asked(made, scope))[0]["status"]

        async def all_of_them():
            asking = [asyncio.create_task(one(*request)) for request in requests]
            while len(self.came) < until:
                await asyncio.sleep(0)
            self.first = list(self.came)
            self.go_on.set()
            return await asyncio.gather(*asking)

        try:
            return asyncio.run(all_of_them())
        finally:
            made.close()


ONE, OTHER, THIRD = "192.0.2.9", "192.0.2.10", "192.0.2.11"


def test_a_page_is_told_how_many_waited_when_it_was_asked_for() -> None:
    crowd = Crowd()
    forms = [("POST", address) for address in (ONE, OTHER, THIRD)]
    crowd.ask(*forms, ("GET", "192.0.2.12"), until=2)
    # The form that is carried out waits no more; the page meets the two that do.
    assert sorted(crowd.first) == [("192.0.2.12", 2), (ONE, 0)]


def test_one_address_takes_at_most_two_thirds_of_the_processor() -> None:
    crowd = Crowd()
    crowd.ask(*[("GET", ONE)] * 8, ("GET", OTHER), until=3)
    assert sorted(address for address, _waiting in crowd.first) == [OTHER, ONE, ONE]
    # A rush, although of one address: pages are kept for a second.
    assert (OTHER, 6) in crowd.first


def test_a_press_waits_behind_one_form_of_another_address() -> None:
    crowd = Crowd()
    crowd.ask(*[("POST", ONE)] * 4, ("POST", OTHER), until=1)
    assert crowd.came[1][0] == OTHER


def test_one_address_waits_behind_itself_and_too_much_of_it_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(pages, "AT_ONCE", 1)
    monkeypatch.setattr(pages, "MOST_WAITING", 2)
    crowd = Crowd()
    *flood, other = crowd.ask(*[("GET", ONE)] * 5, ("GET", OTHER), until=2)
    assert sorted(flood) == [200, 200, 200, 503, 503]
    assert (other, {address for address, _waiting in crowd.first}) == (200, {ONE, OTHER})


# --- Forms of many fields, sent to a real server: they never come to where something is written


pytestmark = pytest.mark.sqlite_only
FIELDS = 60_000
TOO_MANY = {f"f{number}": "" for number in range(FIELDS)}
SIGN_IN = re.compile(r"/in/[\w-]+/")
SAMPLE = "from tournaments.models import Event; print(Event.objects.get(is_sample=True).slug)"


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


def test_sixty_thousand_fields_are_refused_by_their_size_or_their_number(running, slug, director):
    visitor = HallClient(running.url)
    visitor.get(f"/t/{slug}/")
    status, text = visitor.post(f"/t/{slug}/anmelden/", **TOO_MANY)
    assert (status, "zu groß" in text) == (413, True)
    # A forged cookie of staff is not known.
    forged = {"Cookie": "krru_device=" + "A" * 43, "Authorization": "Bearer x"}
    sent = urllib.parse.urlencode(TOO_MANY).encode()
    request = urllib.request.Request(f"{running.url}/t/{slug}/anmelden/", sent, forged)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
    with refused.value as answer:
        assert answer.code == 413
    director.get(f"/t/{slug}/leitung/")
    assert director.post(f"/t/{slug}/leitung/uhr/start/", **TOO_MANY)[0] == 400
