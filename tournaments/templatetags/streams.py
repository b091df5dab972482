"""What pages say of the stream that they hear."""

from django import template

from tournaments.changes.kinds import Part, Topic

register = template.Library()


@register.simple_tag
def stream_names() -> str:
    """Return all that the stream can tell to have changed: scripts have no list of their own."""
    return " ".join((*Topic, *Part))
