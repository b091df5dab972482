"""The stream's names and addresses for pages."""

from django import template

from clock.contacts import DEVICE
from clock.stream import stream_token
from tournaments.changes.kinds import Part, Topic

register = template.Library()


@register.simple_tag
def stream_names() -> str:
    """Return all topics and parts of the stream, so that scripts need no list of their own."""
    return " ".join((*Topic, *Part))


@register.simple_tag
def time_url(device: int) -> str:
    """Return the address of the server's time, which notes that this device was here."""
    return f"/stream/now/?as={stream_token(DEVICE % device)}"
