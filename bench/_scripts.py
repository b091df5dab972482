"""Scripts at an event: each action is sent again under its key until acknowledged."""

import json
import random
import threading
import time
import uuid
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from bench._clients import Client
from bench._harness import Task

PAUSE_S, PLAYERS = 0.15, 18
EVENING, FOUND = Task("bench._made:evening"), Task("bench._made:found")
PRIZES = Task("bench._made:prizes")


@dataclass(slots=True)
class Done:
    """The acknowledged actions, and their times."""

    registered: list[str] = field(default_factory=list)
    entered: list[str] = field(default_factory=list)
    paid: list[str] = field(default_factory=list)
    rebuys: int = 0
    shifts: int = 0
    refused: list[str] = field(default_factory=list)


class Script(threading.Thread):
    """One program with a token, active at the event until stopped."""

    def __init__(self, number: int, port: int, evening: dict[str, Any], **own: Any) -> None:
        super().__init__(daemon=True)
        self.done = Done()
        self._prefix, self._rng = f"s{number}", random.Random(number)
        token = evening["tokens"]["director"]
        self._client, self._stopping = Client(port, token, **own), threading.Event()
        self._entries, self._payees = evening["entries"], evening.get("payees", ())[number::3]
        self._base = f"/api/v1/events/{evening['slug']}"
        self._pages, self._token = f"/t/{evening['slug']}/", token
        self.start()

    def stop(self) -> Done:
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
            self._take_money(number)
            if number % 3 == 0 and self._act("/clock/adjust", {"seconds": 1}) is not None:
                self.done.shifts += 1

    def _take_money(self, number: int) -> None:
        """Sell a re-buy, and pay the next prize, by the pages' own forms."""
        entry = self._entries[number % len(self._entries)]
        path = f"{self._pages}nachkauf/{entry}/rebuy/"
        self.done.rebuys += self._act(path, {"stack": 0, "pays": 1}) is not None
        if number <= len(self._payees):
            path, registration, cents = self._payees[number - 1]
            if self._act(f"{path}{registration}/", {"amount_cents": cents}) is not None:
                self.done.paid.append(str(registration))

    def _act(self, path: str, body: Any) -> dict[str, Any] | None:
        """Send until acknowledged or refused; sometimes twice at once, like phones."""
        key = str(uuid.uuid4())
        while True:
            status, told = self._ask(path, body, key)
            if status in {200, 201}:
                if self._rng.random() < 0.1:
                    again, same = self._ask(path, body, key)
                    assert again != status or same["action"] == told["action"]
                return dict(told)
            if 400 <= status < 500 and status != 429:
                self.done.refused.append(f"{status} {path} {told}")
                return None
            time.sleep(PAUSE_S)

    def _ask(self, path: str, body: Any, key: str) -> tuple[int, Any]:
        if path.startswith("/t/"):
            own = {"X-Idempotency-Key": key, "HX-Request": "true"}
            status, text = self._client.tried("POST", path, body, **own)
            return status, {"action": text} if status == 200 else text[:200]
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
    counts = {"lost": 0, "doubled": 0}
    for what in ("shifts", "rebuys"):
        less = sum(getattr(one, what) for one in done) - found[what]
        counts["lost"] += max(0, less)
        counts["doubled"] += max(0, -less)
    for what in ("registered", "entered", "paid"):
        names = [name for one in done for name in getattr(one, what)]
        counts["lost"] += sum(name not in found[what] for name in names)
        counts["doubled"] += sum(count > 1 for count in found[what].values())
    counts["refused"] = sum(len(one.refused) for one in done)
    return counts


def acknowledged(done: list[Done]) -> int:
    each = ((one.registered, one.entered, one.paid) for one in done)
    return sum(map(len, chain(*each))) + sum(one.shifts + one.rebuys for one in done)
