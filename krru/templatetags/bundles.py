"""Tags for every page: its bundles, whole or file by file, and the program's command."""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from krru.data.folder import COMMAND
from krru.web.bundles import SCRIPTS, STYLES

register = template.Library()

STYLE = '<link rel="stylesheet" href="{}">'
SCRIPT = '<script type="module" src="{}"></script>'


@register.simple_tag
def program_command() -> str:
    return COMMAND


@register.simple_tag
def bundle(name: str) -> SafeString:
    """Return the tags of a bundle. A module imports its other files by itself."""
    is_whole = name in SCRIPTS or getattr(staticfiles_storage, "has_bundles", False)
    files = [name] if is_whole else STYLES[name]
    form = SCRIPT if name in SCRIPTS else STYLE
    return format_html_join("\n    ", form, ((static(file),) for file in files))
