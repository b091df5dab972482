"""Scripts at an evening that never give up: each action is sent again, under its key, until it is
acknowledged, whatever happens to the server meanwhile.
"""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any

PAUSE_S = 0.15
PATIENCE_S = 20.0

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.devtools.made import make_event, sign_in
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.models import Registration
now = timezone.now()
before = now - timedelta(hours=1)
event = make_event("Abend", at=before, starts_at=now, capacity=5000, late_registration_level=20)
command = Command(event=event, by=SYSTEM, at=before)
registrations_import(command, people=[{"name": f"Gast {n}"} for n in range(18)])
for row in Registration.objects.filter(event=event).order_by("pk"):
    entry_check_in(command, registration=row)
clock_start(Command(event=event, by=SYSTEM, at=now))
token = sign_in(event.club, Role.DIRECTOR, "Skript", event=event)
print(json.dumps({"slug": event.slug, "token": token}))
"""
FOUND = """
import json
from collections import Counter
from tournaments.models import Action, Entry, Event, Registration
event = Event.objects.get(name="Abend")
rows = Registration.objects.filter(event=event).values_list("person__name", flat=True)
entries = Entry.objects.filter(registration__event=event)
shifts = Action.objects.filter(event=event, kind="clock.adjusted").count()
print(json.dumps({
    "registered": Counter(rows), "shifts": shifts,
    "entered": Counter(entries.values_list("registration__person__name", flat=True)),
}))
"""


@dataclass(slots=True)
class Done:
    """What was acknowledged, and what it took."""

    registered: list[str] = field(default_factory=list)
    entered: list[str] = field(default_factory=list)
    shifts: int = 0
    resent: int = 0
    refused: list[str] = field(default_factory=list)


class Script:
    """One program with a token, which does things at the evening until it is told to stop."""

    def __init__(self, name: str, base: str, evening: dict[str, str], seed: int) -> None:
        self.done = Done()
        self._name, self._rng = name, random.Random(seed)
        self._base = f"{base}/api/v1/events/{evening['slug']}"
        self._token, self._stopping = evening["token"], threading.Event()
        self._context = ssl.create_default_context()
        self._context.check_hostname, self._context.verify_mode = False, ssl.CERT_NONE
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def start(self) -> Script:
        self._thread.start()
        return self

    def stop(self) -> Done:
        """Finish what is under way, and return what was acknowledged."""
        self._stopping.set()
        self._thread.join(120)
        assert not self._thread.is_alive(), "What was sent is not acknowledged yet."
        return self.done

    def _go_on(self) -> None:
        number = 0
        while not self._stopping.is_set():
            number += 1
            # In one word: the same words are the same name.
            name = f"{self._name}x{number}"
            made = self._act("/registrations", {"name": name, "is_listed": True})
            if made is None:
                continue
            self.done.registered.append(name)
            if self._act(f"/registrations/{made['registration']}/check-in", None) is not None:
                self.done.entered.append(name)
            if number % 3 == 0 and self._act("/clock/adjust", {"seconds": 1}) is not None:
                self.done.shifts += 1

    def _act(self, path: str, body: Any) -> dict[str, Any] | None:
        """Send until it is acknowledged or refused; twice at once now and then, as phones do."""
        key, tries = str(uuid.uuid4()), 0
        while True:
            tries += 1
            status, told = self._ask(path, body, key)
            if status in {200, 201}:
                self.done.resent += tries > 1
                if self._rng.random() < 0.1:
                    again, same = self._ask(path, body, key)
                    assert again != status or same["action"] == told["action"]
                return dict(told)
            if 400 <= status < 500 and status != 429:
                self.done.refused.append(f"{status} {path} {told}")
                return None
            time.sleep(PAUSE_S)

    def _ask(self, path: str, body: Any, key: str) -> tuple[int, Any]:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Idempotency-Key": key,
            "Content-Type": "application/json",
        }
        data = b"" if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, headers, method="POST")
        try:
            with urllib.request.urlopen(
                request, timeout=PATIENCE_S, context=self._context
            ) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(errors="replace")[:200]
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
