"""Scripts at an event: each action is sent again under its key until acknowledged."""

import json
import random
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from bench._clients import Client
from bench._harness import Task

PAUSE_S, PLAYERS = 0.15, 18
EVENING, FOUND = Task("bench._made:evening"), Task("bench._made:found")


@dataclass(slots=True)
class Done:
    """The acknowledged actions, and their times."""

    registered: list[str] = field(default_factory=list)
    entered: list[str] = field(default_factory=list)
    shifts: int = 0
    resent: int = 0
    refused: list[str] = field(default_factory=list)


class Script(threading.Thread):
    """One program with a token, active at the event until stopped."""

    def __init__(self, number: int, port: int, evening: dict[str, Any], **own: Any) -> None:
        super().__init__(daemon=True)
        self.done = Done()
        self._prefix, self._rng = f"s{number}", random.Random(number)
        self._client, self._stopping = Client(port, **own), threading.Event()
        self._base = f"/api/v1/events/{evening['slug']}"
        self._token = evening["tokens"]["director"]
        self.start()

    def stop(self) -> Done:
        """Finish the present action, and return the acknowledged ones."""
        self._stopping.set()
        self.join(120)
        assert not self.is_alive(), "What was sent is not acknowledged yet."
        return self.done

    def run(self) -> None:
        number = 0
        while not self._stopping.is_set():
            number += 1
            # As one word: the same words make the same name.
            name = f"{self._prefix}x{number}"
            made = self._act("/registrations", {"name": name, "is_listed": True})
            if made is None:
                continue
            self.done.registered.append(name)
            if self._act(f"/registrations/{made['registration']}/check-in", None) is not None:
                self.done.entered.append(name)
            if number % 3 == 0 and self._act("/clock/adjust", {"seconds": 1}) is not None:
                self.done.shifts += 1

    def _act(self, path: str, body: Any) -> dict[str, Any] | None:
        """Send until acknowledged or refused; sometimes twice at once, like phones."""
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
        sent = "" if body is None else json.dumps(body)
        status, text = self._client.tried("POST", self._base + path, sent, **headers)
        return status, json.loads(text) if status in {200, 201} else text[:200]


def compared(done: list[Done], found: dict[str, Any]) -> dict[str, int]:
    """Count acknowledged actions missing, actions done twice, and refusals."""
    shifts = sum(one.shifts for one in done) - found["shifts"]
    counts = {"lost": max(0, shifts), "doubled": max(0, -shifts)}
    for what in ("registered", "entered"):
        names = [name for one in done for name in getattr(one, what)]
        counts["lost"] += sum(name not in found[what] for name in names)
        counts["doubled"] += sum(count > 1 for count in found[what].values())
    counts["refused"] = sum(len(one.refused) for one in done)
    return counts


def acknowledged(done: list[Done]) -> int:
    return sum(len(one.registered) + len(one.entered) + one.shifts for one in done)
