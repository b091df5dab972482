"""Thief, forger, stranger, helper and a cheat with a phone, at a real server.

Each asks one process, and in a long run two behind nginx, for all that is not theirs. What they
would change is read from the database afterwards.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest
from hypothesis import settings

from bench._clients import Client
from krru.devtools.cluster import Cluster, proxy_program
from krru.devtools.serving import ServerProcess
from tests.access_hall import Hall
from tests.access_lines import EVERYBODY, LINES

pytestmark = pytest.mark.sqlite_only
IS_LONG = settings.get_current_profile_name() == "long"
BEHIND_NGINX = pytest.param("nginx", marks=pytest.mark.long)
# By role: as whom the hall knows them.
ROLES = {
    "thief": "revoked",
    "forger": "forged cookie",
    "stranger": "player or visitor",
    "helper": "arbiter",
    "director of another": "director elsewhere",
}
HALL = """
import json
from tests.access_hall import make_hall
hall = make_hall()
print(json.dumps([hall.values, hall.cookies]))
"""
EVENING = """
import json
from datetime import timedelta
from django.utils import timezone
from tests.rooms import running_room
from tournaments.changes.access import Role
from tournaments.devtools.made import sign_in
from tournaments.models import Entry
at = timezone.now() - timedelta(hours=1)
event = running_room("Heute", [4, 4], seats=9, at=at)
tokens = {role: sign_in(event.club, role, role, event=event, at=at) for role in Role if role in (
    Role.DIRECTOR, Role.ARBITER)}
rows = Entry.objects.filter(event=event).select_related("registration").order_by("pk")
print(json.dumps({"slug": event.slug, "pk": event.pk, "tokens": tokens,
    "entries": [row.pk for row in rows], "links": [row.registration.link_token for row in rows]}))
"""
CHANGED = """
import json
from tournaments.models import Action, Person, Registration, SignInLink
by_hand = Action.objects.exclude(role="system")
models = (Person, Registration, SignInLink)
print(json.dumps([by_hand.count(), *(model.objects.count() for model in models)]))
"""
OUTS = """
import json
from tournaments.models import Elimination, LateTap, Purchase
mine = dict(event={0})
outs = Elimination.objects.live().filter(**mine).order_by("at")
found = [list(outs.values_list("entry", flat=True)), LateTap.objects.filter(**mine).count()]
print(json.dumps([*found, Purchase.objects.filter(**mine).count()]))
"""


def _served(running: ServerProcess, port: int, *, is_https: bool) -> SimpleNamespace:
    evening = running.shell(EVENING)  # before the hall has a plan
    hall = Hall(*running.shell(HALL))
    own = {"running": running, "port": port, "is_https": is_https}
    return SimpleNamespace(hall=hall, evening=evening, **own)


@pytest.fixture(scope="module", params=["direct", BEHIND_NGINX])
def place(request):
    """The hall at a process, or at two behind nginx."""
    folder = Path(tempfile.mkdtemp(prefix="krru-roles-"))
    try:
        if request.param == "direct":
            with ServerProcess(folder, None, "--quiet") as running:
                yield _served(running, running.port, is_https=False)
        elif proxy_program() is None:
            pytest.skip("nginx is missing: apt install nginx")
        else:
            with Cluster(folder) as cluster:
                yield _served(cluster.web[0], cluster.port, is_https=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def phone(place: SimpleNamespace, token: str = "") -> Client:
    """Return somebody's device at that place."""
    return Client(place.port, token, is_https=place.is_https)


def changed(place: SimpleNamespace) -> object:
    return place.running.shell(CHANGED)


def test_no_address_lets_in_who_may_not(place) -> None:
    hall, before, faults = place.hall, changed(place), []
    for turn, who in enumerate(ROLES.values()):
        client = phone(place, hall.cookies.get(who, ""))
        # One of them asks for each address, in a long run every one.
        mine = list(LINES) if IS_LONG else list(LINES)[turn :: len(ROLES)]
        for name in mine:
            faults += _faults(hall, client, who, name)
    assert not faults, "\n".join(faults)
    assert changed(place) == before


def _faults(hall: Hall, client: Client, who: str, name: str) -> Iterator[str]:
    line = LINES[name]
    if who in line.who or (line.by_token and line.who == EVERYBODY):
        return
    headers = hall.token_of(who) if line.by_token else {}
    for method in sorted(line.methods):
        status, _text = client.tried(method, hall.url(name), **headers)
        if status not in ({401, 403} if line.by_token else {403}):
            yield f"{who}: {method} {hall.url(name)} -> {status}"


def test_a_stranger_gets_in_by_no_other_name_header_or_guess(place) -> None:
    client, before = phone(place), changed(place)
    assert client.tried("GET", "/", Host="evil.example")[0] == 421
    for path in ("/static/../krru/settings.py", "/static/%2e%2e/manage.py", "/p/%00/", "/.git/"):
        assert client.tried("GET", path)[0] in {400, 404}, path
    slug = place.hall.values["slug"]
    told = {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1"}
    assert client.tried("GET", f"/t/{slug}/leitung/", **told)[0] == 403
    for code in range(100_000, 100_005):
        assert client.tried("POST", "/in/", {"code": code})[0] in {403, 422}
    assert changed(place) == before


def test_a_thief_gets_in_by_no_used_link_and_reads_no_secret_in_a_backup(place, tmp_path) -> None:
    hall, link = place.hall, f"/in/{place.hall.values['link_token']}/"
    statuses = [phone(place).tried("POST", link, {"name": one})[0] for one in ("Vera", "Zeno")]
    assert statuses[0] == 302
    assert statuses[1] in {403, 404, 410, 422}
    (tmp_path / "stick").mkdir()
    place.running.manage("backup", "--to", str(tmp_path / "stick"))
    (file,) = (tmp_path / "stick").glob("*.zip")
    shutil.unpack_archive(file, tmp_path / "open")
    held = b"".join(one.read_bytes() for one in (tmp_path / "open").rglob("*") if one.is_file())
    secrets = [*hall.cookies.values(), *place.evening["links"], hall.values["player_token"]]
    assert [one for one in secrets if one != "erfunden" and one.encode() in held] == []


def test_a_cheat_with_a_phone_wins_no_place_stack_or_second_sale(place) -> None:
    evening = place.evening
    base, (fritz, rolf, *_others) = f"/t/{evening['slug']}/", evening["entries"]
    phones = {role: phone(place, token) for role, token in evening["tokens"].items()}
    cheat, htmx = phones["arbiter"], {"HX-Request": "true"}
    assert cheat.tried("GET", f"{base}tische/1/")[0] == 200
    key = str(uuid4())
    for entry, status in ((fritz, 200), (fritz, 200), (rolf, 422)):  # sent again; by the same key
        out, own = f"{base}tische/spieler/{entry}/aus/", {"X-Idempotency-Key": key, **htmx}
        told = phones["director"].tried("POST", out, **own)
        assert told[0] == status, told
    # Rolf goes next. His friend says that it was before Fritz: the director is asked.
    claim = {"at": round((time.time() - 600) * 1000), "offset": 0, "version": 1, "seats": []}
    own = {"X-Tap": json.dumps(claim), "X-Idempotency-Key": str(uuid4()), **htmx}
    assert cheat.tried("POST", f"{base}tische/spieler/{rolf}/aus/", **own)[0] == 200
    page = f"/p/{evening['links'][2]}/"
    for typed in ({"what": "rebuy", "stack": "-5"}, {"what": "leave", "minutes": "5000000000"}):
        for path in ("", "nachkauf/", "cash/"):
            assert phones["director"].tried("POST", f"{page}{path}", typed)[0] < 500
    assert place.running.shell(OUTS.format(evening["pk"])) == [[fritz, rolf], 1, 0]
