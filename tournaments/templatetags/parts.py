"""Parts of pages as template tags, available in every template.

Their HTML is in `templates/parts`, like that of included parts.
"""

from datetime import datetime

from django import template
from django.forms import BoundField
from django.forms.utils import flatatt
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

register = template.Library()

ICON = '<svg class="icon" {}><use href="{}#{}"></use></svg>'
SILENT = SafeString('aria-hidden="true"')


def _part(name: str, **values: object) -> SafeString:
    return SafeString(get_template(f"parts/{name}.html").render(values).strip())


@register.filter
def instant(at: datetime) -> str:
    """Return a time for `<time datetime>`, which allows at most milliseconds."""
    return localtime(at).isoformat(timespec="seconds")


@register.filter
def day_unbroken(when: str) -> str:
    """Keep a date on one line: it may break only before its last word, the time.

    >>> day_unbroken("Mo, 23. November, 14:14").split(" ")
    ['Mo,\xa023.\xa0November,', '14:14']
    """
    *day, time = when.split(" ")
    return " ".join(("\N{NO-BREAK SPACE}".join(day), time)) if day else when


@register.simple_tag(name="icon")
def _icon(name: str, label: str = "") -> SafeString:
    """Return an icon of icons.svg. Label it only without text beside it."""
    spoken = format_html('role="img" aria-label="{}"', label) if label else SILENT
    return format_html(ICON, spoken, static("tournaments/icons.svg"), name)


@register.simple_tag
def field(field: BoundField, *, optional: bool = False) -> SafeString:
    """Return a form's field with its label, help and errors."""
    return _part("field", field=field, optional=optional)


@register.simple_tag
def stat(label: str, value: object, note: str = "") -> SafeString:
    """Return a figure with its label, for a `<dl class="stats">`."""
    return _part("stat", label=label, value=value, note=note)


@register.simple_block_tag
def badge(content: SafeString, kind: str = "", *, icon: str = "") -> SafeString:
    """Return a highlighted word, of kind good, live, wait, bad, out or none."""
    return _part("badge", text=content, kind=kind, icon=icon)


@register.simple_block_tag
def notice(content: SafeString, kind: str = "", *, title: str = "") -> SafeString:
    """Return an important notice, of kind wait, bad or none."""
    return _part("notice", text=content, kind=kind, title=title)


@register.simple_block_tag
def dialog(
    content: SafeString, title: str, *, title_id: str = "sheet-title", role: str = ""
) -> SafeString:
    """Return a dialog's content with its title and close button."""
    return _part("dialog", title=title, title_id=title_id, role=role, body=content)


@register.simple_block_tag
def button(
    content: SafeString, look: str = "", *, icon: str = "", **attributes: object
) -> SafeString:
    """Return a button. It submits its form, unless it has a `data-` or a request of its own.

    For a fixed address write HTML instead: `{% url … as name %}` is silent if there is no such
    address.

    :param look: What its classes say after `button-`: primary, big, wide ...
    :param attributes: As in HTML, with underscores for hyphens. True stands without a value.
    """
    given = {name.replace("_", "-"): value for name, value in attributes.items()}
    acts = any(name.startswith(("hx-", "data-")) for name in given)
    classes = " ".join(["button", *(f"button-{word}" for word in look.split())])
    kind = {"type": "button"} if acts else {}
    shown = _icon(icon) if icon else ""
    attrs = flatatt({**kind, "class": classes, **given})
    return format_html("<button{}>{}{}</button>", attrs, shown, content)
