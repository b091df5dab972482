"""Loads a bundle in a page: as one file where it was collected, file by file elsewhere."""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from krru.bundles import BUNDLES

register = template.Library()

FORMS = {
    "css": '<link rel="stylesheet" href="{}">',
    "js": '<script defer src="{}"></script>',
}


@register.simple_tag
def bundle(name: str) -> SafeString:
    """Return the elements that load a bundle."""
    files = [name] if getattr(staticfiles_storage, "has_bundles", False) else BUNDLES[name]
    form = FORMS[name.rpartition(".")[2]]
    return format_html_join("\n    ", form, ((static(file),) for file in files))
