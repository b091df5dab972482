"""Mail without a mail server: the console says that there was one, and neither to whom nor what.

A personal link is a key. What is printed stays in terminals and journals that others read.
"""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend as ConsoleBackend


class EmailBackend(ConsoleBackend):
    """Django's, for the subject alone."""

    def write_message(self, message: EmailMessage) -> None:
        self.stream.write(f"Mail ohne Mailserver, Text und Link unterdrückt: {message.subject}\n")
