"""The club's colour and logo on public pages."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.club.selectors.theme import logo_url, style_url
from tournaments.models import Club

register = template.Library()


@register.simple_tag
def club_style(club: Club | None) -> SafeString | str:
    """Return the link to the style sheet of a club's colour, or nothing. No query."""
    url = style_url(club) if club is not None else ""
    return format_html('<link rel="stylesheet" href="{}">', url) if url else ""


@register.simple_tag
def club_logo(club: Club) -> SafeString | str:
    """Return a club's logo, or nothing. The page shows the club's name elsewhere. One query."""
    url = logo_url(club)
    return format_html('<img class="club-logo" src="{}" alt="">', url) if url else ""
