"""Loads a bundle in a page: as one file where it was collected, file by file elsewhere."""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from krru.web.bundles import SCRIPTS, STYLES

register = template.Library()

STYLE = '<link rel="stylesheet" href="{}">'
SCRIPT = '<script type="module" src="{}"></script>'


@register.simple_tag
def bundle(name: str) -> SafeString:
    """Return the elements that load a bundle. A module loads by itself what it imports."""
    is_whole = name in SCRIPTS or getattr(staticfiles_storage, "has_bundles", False)
    files = [name] if is_whole else STYLES[name]
    form = SCRIPT if name in SCRIPTS else STYLE
    return format_html_join("\n    ", form, ((static(file),) for file in files))
