"""Asking the interface as a script does: with a token, a key, and JSON."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.test import Client

from tests import factories as f
from tournaments.changes.access import Role
from tournaments.models import Event

BASE = "/api/v1"


@dataclass
class Script:
    """A program with a token, or without one."""

    token: str = ""
    client: Client = field(default_factory=Client)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **query: Any):
        return self.client.get(BASE + path, query, headers=self.headers)

    def post(self, path: str, body: Any = None, *, key: Any = "", **headers: str):
        """Post with a fresh key; `key=None` sends none."""
        told = {} if key is None else {"Idempotency-Key": str(key or uuid4())}
        given = {} if body is None else {"data": body, "content_type": "application/json"}
        return self.client.post(BASE + path, headers={**self.headers, **told, **headers}, **given)


def script_of(role: Role, event: Event | None = None) -> Script:
    return Script(f.sign_in(f"Skript {role}", role, event).token)


def assert_no(answer: Any, status: int, code: str) -> str:
    """Expect a no in the form of every no, and return its sentence."""
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"].startswith("application/json")
    told = answer.json()
    assert told.keys() == {"code", "reason"}
    assert told["code"] == code
    assert told["reason"].endswith(".")
    return told["reason"]
