"""Encode changes and texts as server-sent events."""

from __future__ import annotations

import json
from typing import Any

LOST = b"event: lost\ndata: {}\n\n"
"""Tells a stream that it may have missed changes and must fetch everything again."""


def frame_of(payload: bytes | dict[str, Any], version: int) -> bytes:
    """Return the bytes of one server-sent event.

    >>> frame_of({"version": 3}, 3)
    b'id: 3\\ndata: {"version":3}\\n\\n'
    """
    if isinstance(payload, dict):
        payload = json.dumps(payload, separators=(",", ":")).encode()
    return b"id: %d\ndata: %s\n\n" % (version, payload)


def lost_frame(version: int) -> bytes:
    """Return the event for a stream that missed changes up to this version.

    >>> lost_frame(3)
    b'id: 3\\nevent: lost\\ndata: {"version":3}\\n\\n'
    """
    return b'id: %d\nevent: lost\ndata: {"version":%d}\n\n' % (version, version)
