"""What tests of several pages need: a tournament to come, and what a page says."""

from datetime import timedelta

from django.utils import timezone

from tests import factories as f


def soon(**settings):
    """Make an event that begins in two days: pages read the real time."""
    now = timezone.now()
    return f.make_event(starts_at=now + timedelta(days=2), at=now, **settings)


def text_of(response):
    """Return an answer's text with its markup, single spaces."""
    return " ".join(response.content.decode().split())
