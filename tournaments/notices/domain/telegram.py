"""What Telegram's Bot API answers, and what a message to the bot asks for."""

import json
import re
from dataclasses import dataclass
from typing import Any

TOKEN = re.compile(r"\d{5,20}:[A-Za-z0-9_-]{30,60}")
START = re.compile(r"/start ([A-Za-z0-9_-]{5,64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer: its result, or the code and the words of an error."""

    result: Any = None
    code: int = 0
    words: str = ""
    retry_after: int = 0


def reply_of(status: int, body: bytes) -> Reply:
    """Read an answer.

    >>> reply_of(429, b'{"ok":false,"error_code":429,"parameters":{"retry_after":7}}').retry_after
    7
    >>> reply_of(502, b"<html>").code
    502
    """
    try:
        told = json.loads(body)
        if told["ok"] is True:
            return Reply(result=told["result"])
        after = int(told.get("parameters", {}).get("retry_after", 0))
        return Reply(
            code=int(told["error_code"]), words=str(told.get("description", "")), retry_after=after
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return Reply(code=status if status >= 400 else 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of a private chat to the bot: the code of a link, or a wish to hear no more."""

    update: int
    chat: int = 0
    code: str = ""
    is_stop: bool = False


def said_in(update: Any) -> Said:
    """Read an update; without a chat if it is nothing for us.

    >>> said_in({"update_id": 5, "message": {"chat": {"id": 9, "type": "private"},
    ...     "text": "/start 12-abcdef"}})
    Said(update=5, chat=9, code='12-abcdef', is_stop=False)
    >>> said_in({"update_id": 6, "message": {"chat": {"id": -4, "type": "group"}, "text": "/stop"}})
    Said(update=6, chat=0, code='', is_stop=False)
    """
    number = int(update["update_id"])
    try:
        chat, text = update["message"]["chat"], update["message"].get("text", "").strip()
        if chat["type"] != "private":
            return Said(update=number)
        code = START.fullmatch(text)
        return Said(
            update=number,
            chat=int(chat["id"]),
            code=code[1] if code else "",
            is_stop=text == "/stop",
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        return Said(update=number)
