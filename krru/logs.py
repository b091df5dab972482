"""Logging without personal links: who reads a log must not be able to act as the people in it."""

import logging
import re

# Personal pages, sign-in links and streams carry their secret as a long part of the path.
# The desk's search takes such a link too: then its slashes are written %2F. What follows does not
# count: messengers hang commas and brackets on a link.
SECRET_PART = re.compile(r"(?:(?<=/)|(?<=%2F))[A-Za-z0-9_:\-]{16,}", re.IGNORECASE)


class HideLinks(logging.Filter):
    """Replace long path parts in a message by an ellipsis."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = SECRET_PART.sub("…", message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True
