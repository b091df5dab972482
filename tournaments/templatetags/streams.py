"""The stream's names for pages."""

from django import template

from tournaments.changes.kinds import Part, Topic

register = template.Library()


@register.simple_tag
def stream_names() -> str:
    """Return all topics and parts of the stream, so that scripts need no list of their own."""
    return " ".join((*Topic, *Part))
