"""Templates as they are read from disk: what only helps to read them is not sent."""

import re

from django.template.base import Origin
from django.template.loaders import filesystem

INDENTATION = re.compile(r"\n[ \t]+")


class Loader(filesystem.Loader):
    """Reads pages without their indentation, which made a long list a third larger.

    Lines keep their numbers, for messages of errors. No text of ours depends on blanks at the
    beginning of a line. Mails stay as they are.
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template."""
        text = super().get_contents(origin)
        return INDENTATION.sub("\n", text) if str(origin.name).endswith(".html") else text
