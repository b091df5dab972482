"""Actions on the clock, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def shift_in_words(seconds: int) -> str:
    """Return the added or removed time, for the log and the page.

    >>> shift_in_words(60), shift_in_words(-300), shift_in_words(-90)
    ('Eine Minute mehr', '5 Minuten weniger', 'Uhr verstellt: -90 Sekunden')
    """
    minutes, rest = divmod(abs(seconds), 60)
    if rest:
        return _("Uhr verstellt: %(seconds)s Sekunden") % {"seconds": seconds}
    if seconds > 0:
        text = ngettext("Eine Minute mehr", "%(count)s Minuten mehr", minutes)
    else:
        text = ngettext("Eine Minute weniger", "%(count)s Minuten weniger", minutes)
    return text % {"count": minutes}
