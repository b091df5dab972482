"""Mail without a mail server: print the subject, but no recipient and no text.

A personal link is a key. Terminals and journals are read by others.
"""

from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend as ConsoleBackend


class EmailBackend(ConsoleBackend):
    """Print the subject only."""

    def write_message(self, message: EmailMessage) -> None:
        self.stream.write(f"Mail ohne Mailserver, Text und Link unterdrückt: {message.subject}\n")
