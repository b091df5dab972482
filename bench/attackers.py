"""Do a thief, a forger, a stranger and a helper get further than they may?

Each attacks a server of its own on loopback: the thief has a backup, the forger the database, the
stranger a phone in the hall, the helper an arbiter's phone. Counted are the doors that opened; the
goal is none. A door that opened is named.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys
import tempfile
import time
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._attackers import Browser, Doors
from bench._forgeries import FORGERIES
from bench._report import Report
from krru.devtools.serving import ServerProcess

MAIL, PHONE, REMARK = "max.privat@example.org", "+43 660 1234567", "Rollstuhl"
MEMBER = "Max Mustermann"
AGREES = {"agrees_to_rules": "on"}
PRIVATE = (MAIL, PHONE, REMARK)
PASSPHRASE = "vier Wörter, lang genug"
TOKENS_TRIED = 600
A_TOKEN = re.compile(rb"[A-Za-z0-9_-]{16,64}")

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.devtools.made import make_event, sign_in
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_start
from tournaments.models import Entry, Registration
from tournaments.people.services.members import members_import
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.services.locks import keep_apart_wish
now = timezone.now()
events = [
    make_event(name, at=now, starts_at=now + timedelta(hours=1), capacity=40, seats_per_table=9)
    for name in ("Abend", "Anderer Abend")
]
event = events[0]
members_import(ClubCommand(club=event.club, by=SYSTEM, at=now), people=[
    {{"name": "{member}", "email": "{mail}", "phone": "{phone}", "is_member": True}}])
at = Command(event=event, by=SYSTEM, at=now)
for number in range(18):
    own = {{"email": "{mail}", "phone": "{phone}", "remark": "{remark}"}} if number == 0 else {{}}
    registration_create(at, name=f"Gast {{number:02}}", is_listed=number != 1, **own)
rows = list(Registration.objects.filter(event=event).select_related("person").order_by("pk"))
entries = [entry_check_in(at, registration=row).payload["entry"] for row in rows]
keep_apart_wish(at, first=rows[2], second=rows[3])
clock_start(at)
for entry in entries[-3:]:
    entries_eliminate(at, entries=[Entry.objects.get(pk=entry)])
event.refresh_from_db()
roles = {{
    "director": sign_in(event.club, Role.DIRECTOR, "Dora"),
    "desk": sign_in(event.club, Role.DESK, "Dirk", event=event),
    "arbiter": sign_in(event.club, Role.ARBITER, "Arno", event=event),
}}
print(json.dumps({{
    "event": event.pk, "slug": event.slug, "other": events[1].slug, "roles": roles,
    "secret": event.draw_secret, "links": [row.link_token for row in rows],
}}))
"""


@dataclass(frozen=True, slots=True)
class Hall:
    """A server with an evening on it, and what its people alone know."""

    server: ServerProcess
    event: int
    slug: str
    other: str
    roles: dict[str, str]
    links: list[str]
    secret: str


def made(folder: Path) -> Hall:
    """Start a server and lay out an evening."""
    server = ServerProcess(folder).start()
    code = MAKE.format(member=MEMBER, mail=MAIL, phone=PHONE, remark=REMARK)
    return Hall(server=server, **server.shell(code))


def backup_of(hall: Hall, folder: Path, **env: str) -> Path:
    """Make a backup as a stick has it."""
    folder.mkdir()
    own = ServerProcess(hall.server.folder, env)
    return Path(own.manage("backup", "--to", str(folder)).stdout.strip())


def thief(hall: Hall, folder: Path) -> Doors:
    """Somebody has found the stick, and sits in the hall's Wi-Fi."""
    doors = Doors("thief")
    with zipfile.ZipFile(backup_of(hall, folder / "stick")) as archive:
        data = b"".join(archive.read(name) for name in archive.namelist())
    key = (hall.server.folder / "secret.key").read_bytes()
    doors.holds("the key is in the backup", is_shut=key not in data)
    for name, known in {"draws": hall.secret, **hall.roles}.items():
        doors.holds(f"secret in clear: {name}", is_shut=known.encode() not in data)
    for link in hall.links:
        doors.holds("personal link in clear", is_shut=link.encode() not in data)
    # Whatever looks like a secret is tried at every door.
    found = sorted({match.decode() for match in A_TOKEN.findall(data)}, key=len, reverse=True)
    likely = [one for one in found if not one.islower() and not one.isdigit()][:TOKENS_TRIED]
    for token in likely:
        page = Browser(hall.server, token).get(f"/t/{hall.slug}/leitung/")
        doors.holds("a cookie from the backup", is_shut=page.status != 200)
        for path in (f"/in/{token}/", f"/p/{token}/"):
            doors.holds("a link from the backup", is_shut=_is_dead(Browser(hall.server).get(path)))
    sealed = backup_of(hall, folder / "sealed", KRRU_BACKUP_PASSPHRASE=PASSPHRASE).read_bytes()
    for name in (MEMBER, MAIL, "Gast 00"):
        doors.holds(f"{name} in a sealed backup", is_shut=name.encode() not in sealed)
    return doors


def _is_dead(answer: Any) -> bool:
    return answer.status in {404, 410} or "gibt es nicht" in answer.text


def stranger(hall: Hall) -> Doors:
    """Somebody who is nobody, with a phone in the hall."""
    doors, phone = Doors("stranger"), Browser(hall.server)
    here = f"/t/{hall.slug}/"
    own = phone.post(f"/t/{hall.other}/anmelden/", {"name": MEMBER, **AGREES}).where
    doors.holds("no registration came of it", is_shut=own.startswith("/p/"))
    for path in (own, f"{own}daten.json", f"{own}daten/"):
        text = phone.get(path).text
        doors.holds(f"a member's data at {path}", is_shut=not any(one in text for one in PRIVATE))
    doubt = phone.post(f"{here}anmelden/", {"name": "Gast 01", **AGREES})
    doors.holds("who is registered unlisted", is_shut="Gast 01 ist schon" not in doubt.text)
    for path in ("", "ergebnis/", "ergebnis.json", "auslosung/", "regeln/"):
        text = phone.get(here + path).text
        doors.holds(f"contacts at {path}", is_shut=not any(one in text for one in PRIVATE))
        doors.holds(f"the secret of draws at {path}", is_shut=hall.secret not in text)
    apart = phone.get(f"{here}auslosung/").text
    doors.holds("who is kept from whom", is_shut="Getrennt zu halten waren" not in apart)
    for path in STAFF_PAGES:
        doors.holds(f"{path} opens", is_shut=phone.get(here + path).status in {302, 403, 404})
    for path in STAFF_ACTS:
        answer = phone.post(here + path, {"name": "x", "role": "director"})
        doors.holds(f"{path} is done", is_shut=answer.status in {302, 403, 404, 405})
    wide = {f"f{number}": "x" for number in range(5000)}
    began = time.perf_counter()
    doors.holds("5,000 fields", is_shut=phone.post("/nirgends/", wide).status in {400, 404, 413})
    doors.holds("they took long", is_shut=time.perf_counter() - began < 2)
    for path in ("/p/%00/", "/p/a%00b/daten.json", f"/stream/x/?v={'9' * 5000}"):
        doors.holds(f"a fault at {path[:20]}", is_shut=phone.get(path).status < 500)
    borrowed = phone.get("/", host="evil.example")
    doors.holds("a borrowed name is answered", is_shut=borrowed.status == 421)
    foreign = phone.get("/in/irgendwas-das-es-nicht-gibt/")
    doors.holds("an invented link", is_shut=_is_dead(foreign))
    return doors


STAFF_PAGES = (
    "leitung/", "protokoll/", "protokoll.json", "protokoll.csv", "anmeldung/", "geraete/",
    "einstellungen/", "drucken/", "dateien/", "getrennt/", "tische/",
)  # fmt: skip
STAFF_ACTS = (
    "geraete/zugang/", "geraete/skript/", "anmeldung/neu/", "anmeldung/nicht-gekommen/",
    "uhr/start/", "uhr/pause/", "absagen/", "beenden/",
)  # fmt: skip


def helper(hall: Hall) -> Doors:
    """An arbiter who is curious, and is then signed off."""
    doors, phone = Doors("helper"), Browser(hall.server, hall.roles["arbiter"])
    here = f"/t/{hall.slug}/"
    log = phone.get(f"{here}protokoll.json")
    doors.holds("the log does not open at all", is_shut=log.status == 200)
    for path in ("protokoll.json", "protokoll.csv", "protokoll/", "auslosung/", "tische/"):
        text = phone.get(here + path).text
        doors.holds(f"contacts at {path}", is_shut=not any(one in text for one in PRIVATE))
        doors.holds(f"the secret of draws at {path}", is_shut=hall.secret not in text)
        doors.holds(f"who is kept from whom at {path}", is_shut="Gast 02 und Gast 03" not in text)
    for path in ("anmeldung/", "geraete/", "einstellungen/", "dateien/", "getrennt/"):
        doors.holds(f"{path} opens", is_shut=phone.get(here + path).status == 403)
    for path in ("/verein/", "/verein/personen/", "/verein/personen.csv"):
        doors.holds(f"{path} opens", is_shut=phone.get(path).status in {302, 403})
    for path in ("geraete/zugang/", "geraete/skript/", "absagen/", "beenden/"):
        answer = phone.post(here + path, {"role": "director", "name": "x"})
        doors.holds(f"{path} is done", is_shut=answer.status in {403, 404, 405})
    other = f"/t/{hall.other}/protokoll.json"
    doors.holds("another evening's log", is_shut=phone.get(other).status == 403)
    _signed_off(hall, phone, doors)
    return doors


def _signed_off(hall: Hall, phone: Browser, doors: Doors) -> None:
    """Sign the helper off, and plant the dead cookie in the browser of somebody who signs in."""
    director = Browser(hall.server, hall.roles["director"])
    here = f"/t/{hall.slug}/"
    listed = director.get(f"{here}geraete/liste/").text
    numbers = re.findall(rf"{here}geraete/(\d+)/abmelden/", listed)
    for number in numbers:
        director.post(f"{here}geraete/{number}/abmelden/")
    doors.holds("there was nobody to sign off", is_shut=bool(numbers))
    doors.holds("a dead cookie", is_shut=phone.get(f"{here}protokoll.json").status != 200)
    code = director.post(f"{here}geraete/zugang/", {"role": "arbiter"}).text
    link = re.search(r"/in/[A-Za-z0-9_-]+/", code)
    doors.holds("no link was shown", is_shut=link is not None)
    signed = phone.post(link[0] if link else "/", {"name": "Vera"})
    doors.holds("the planted cookie stays", is_shut=bool(signed.cookies.get("krru_device")))
    doors.holds("it is Vera's now", is_shut=phone.get(f"{here}protokoll.json").status != 200)


def forger(hall: Hall, folder: Path) -> Doors:
    """The owner of the laptop, with the database in hand, but not a backup made before."""
    doors = Doors("forger")
    hall.server.stop()
    backups = backup_of(hall, folder / "before").parent
    check = ("verifylog", "--facts", "--backups", str(backups))
    for name, forge in FORGERIES.items():
        copy = folder / name.replace(" ", "-")
        shutil.copytree(hall.server.folder, copy, ignore=shutil.ignore_patterns("*.lock"))
        with closing(sqlite3.connect(copy / "krru.sqlite3")) as database, database:
            forge(database, hall.event)
        done = ServerProcess(copy).manage(*check, check=False)
        is_seen = done.returncode == 1 and "Traceback" not in done.stderr
        doors.holds(f"{name} is not seen", is_shut=is_seen)
    honest = ServerProcess(hall.server.folder).manage(*check, check=False)
    doors.holds("an honest log is doubted", is_shut=honest.returncode == 0)
    return doors


def main(arguments: list[str]) -> int:
    """Let them attack, and print what opened."""
    report = Report("attackers")
    with tempfile.TemporaryDirectory(prefix="krru-attackers-") as name:
        folder = Path(name)
        hall = made(folder / "data")
        try:
            found = [thief(hall, folder), stranger(hall), helper(hall), forger(hall, folder)]
        finally:
            hall.server.stop()
    for doors in found:
        report.add(f"{doors.who}: doors tried", doors.tried, "doors", goal=None)
        report.add(f"{doors.who}: doors opened", len(doors.opened), "doors", goal=0)
        for door in doors.opened:
            print(door, file=sys.stderr)
    return report.show()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
