"""The stream's names and addresses for pages, and the heads that pages check."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from clock.contacts import DEVICE
from clock.stream import stream_token
from tournaments.changes.domain.logchain import head_of
from tournaments.changes.kinds import Part, Topic
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def stream_names() -> str:
    """Return all topics and parts of the stream, so that scripts need no list of their own."""
    return " ".join((*Topic, *Part))


@register.simple_tag
def time_url(device: int) -> str:
    """Return the address of the server's time, which notes that this device was here."""
    return f"/stream/now/?as={stream_token(DEVICE % device)}"


# --- The head of an event's log, for pages, paper and mails


@register.simple_tag
def log_head(event: Event) -> str:
    """Return the head in words: the last entry's number, and the first digits of its hash."""
    return log_head_words() % {"sequence": event.log_sequence, "head": head_of(event.log_hash)}


@register.simple_tag
def log_head_words() -> str:
    """Return the form of a head, filled in by scripts."""
    return _("Protokoll %(sequence)s · %(head)s")


@register.simple_tag
def log_fault_words() -> str:
    """Return the warning of a device with a different log, filled in by scripts."""
    return _(
        "Das Protokoll geht nicht auf das zurück, was dieses Gerät kennt (Eintrag %(entry)s): Es "
        "wurde eine ältere Sicherung eingespielt oder das Protokoll neu geschrieben."
    )


@register.simple_tag
def log_attributes(event: Event | None) -> SafeString | str:
    """Return the attributes of <body> for `notary.js`; none for a sample evening."""
    if event is None or event.is_sample:
        return ""
    return format_html(
        'data-log="{}" data-log-name="{}" data-log-sequence="{}" data-log-head="{}"'
        ' data-log-url="{}"',
        event.pk,
        event.slug,
        event.log_sequence,
        head_of(event.log_hash),
        reverse("log-heads", args=[event.slug]),
    )
