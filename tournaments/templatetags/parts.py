"""Parts of pages as template tags, available in every template."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from django import template
from django.forms import BoundField
from django.forms.utils import flatatt
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from tournaments.club.selectors.theme import logo_url, style_url
from tournaments.models import Club

register = template.Library()

LINK = '<link rel="stylesheet" href="{}">'
HEADING = '<th scope="col"{}>{}</th>'
HIDDEN = '<input type="hidden" name="{}" value="{}" autocomplete="off">'
SLOT = SafeString('<div class="refusal-slot"></div>')
AROUND = '<label class="field"><span class="field-label">{}</span>{}</label>'
LABELLED = '<div class="field"><label class="field-label" for="{}">{}</label>{}{}</div>'
TICKED = '<label class="choice"><input type="checkbox"{}><span{}>{}</span></label>'
MORE = '<details class="{}"><summary>{}{}</summary>{}</details>'
NOTED = (
    '<span class="list-main"><span class="list-title">{}</span><br>'
    '<span class="list-note">{}</span></span>'
)
SELECTED = SafeString(" selected")
ICON = '<svg class="icon" {}><use href="{}#{}"></use></svg>'
# What begins an attribute by which a button does something of its own.
ACTING = ("hx-", "data-")
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


@dataclass(frozen=True)
class Address:
    """An address of the program, made when it is shown: a wrong name fails there."""

    name: str
    args: tuple[object, ...] = ()

    def __str__(self) -> str:
        return reverse(self.name, args=self.args)

    def __html__(self) -> str:
        return escape(str(self))

    def __add__(self, query: str) -> str:
        """Return the address with a query: `"staff"|url:slug|add:"?frueher=1"`."""
        return f"{self}{query}"


@register.filter
def url(name: str | Address, arg: object = None) -> Address:
    """Return the address of a name, with one argument more each time: `"person"|url:slug|url:pk`.

    >>> url(url("person", "abend"), 7).args
    ('abend', 7)
    """
    known = name if isinstance(name, Address) else Address(name)
    return known if arg is None else Address(known.name, (*known.args, arg))


@register.simple_tag
def styles(*names: str) -> SafeString:
    """Link style sheets of `css/pages`, in this order; others by their folder: `parts/posts`."""
    files = (f"tournaments/css/{name if '/' in name else f'pages/{name}'}.css" for name in names)
    return format_html_join("\n  ", LINK, ((static(file),) for file in files))


@register.simple_tag
def table_head(columns: str, *labels: str, look: str = "") -> SafeString:
    """Return a table's head of one row; of each column `columns` says # for figures, - for text."""
    classes = {"class": look or None}
    kinds = (SafeString(' class="number"') if column == "#" else "" for column in columns)
    cells = format_html_join("", HEADING, zip(kinds, labels, strict=True))
    return format_html("<thead{}><tr>{}</tr></thead>", flatatt(classes), cells)


@register.simple_tag(name="icon")
def _icon(name: str, label: str = "") -> SafeString:
    """Return an icon of icons.svg. Label it only without text beside it."""
    spoken = format_html('role="img" aria-label="{}"', label) if label else SILENT
    return format_html(ICON, spoken, static("tournaments/icons.svg"), name)


@register.simple_tag
def field(field: BoundField, *, optional: bool = False) -> SafeString:
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
def notice(content: str, kind: str = "", *, title: str = "") -> SafeString:
    """Return an important notice, of kind wait, bad or none."""
    return _part("notice", text=content, kind=kind, title=title)


@register.simple_block_tag
def page_head(content: SafeString, title: str, lead: str = "", *, look: str = "") -> SafeString:
    """Return a page's title with what the page is about; the content are its buttons, if any."""
    return _part("page_head", title=title, lead=lead, tools=content, look=look)


@register.simple_block_tag
def dialog(
    content: SafeString,
    title: str,
    *,
    title_id: str = "sheet-title",
    role: str = "",
    obstacle: str | None = None,
) -> SafeString:
    """Return a dialog's content with its title and close button; an obstacle takes its place."""
    body = notice(obstacle, "wait") if obstacle else content
    return _part("dialog", title=title, title_id=title_id, role=role, body=body)


@register.simple_block_tag
def button(
    content: SafeString,
    look: str = "",
    *,
    icon: str = "",
    more: str = "",
    sheet: Address | str = "",
    unless: object = None,
    why: str = "",
    **attributes: object,
) -> SafeString:
    """Return a button, or with `href` a link that looks like one.

    It submits its form, unless it has a `data-` or a request of its own. For an address use
    `|url`: `{% url … as name %}` is silent if there is no such address.

    :param look: What its classes say after `button-`: primary, big, wide ...
    :param more: Other classes.
    :param sheet: The address of the dialog that it opens.
    :param unless: If this is true, the button is disabled, and `why` is the id of the reason.
    :param attributes: As in HTML, with underscores for hyphens. True stands without a value.
    """
    if "data_copy" in attributes:
        content = format_html("<span data-copy-label>{}</span>", content)
    if sheet:
        attributes |= {"hx_get": sheet, "hx_target": "#sheet", "aria_haspopup": "dialog"}
    given = {name.replace("_", "-"): value for name, value in attributes.items()}
    acts = any(name.startswith(ACTING) for name in given)
    if unless:
        given = {name: value for name, value in given.items() if not name.startswith(ACTING)}
        given |= {"disabled": True} | ({"aria-describedby": why} if why else {})
    classes = " ".join(["button", *(f"button-{word}" for word in look.split()), *more.split()])
    kind = {"type": "button"} if acts and "href" not in given else {}
    shown = _icon(icon) if icon else ""
    name, attrs = "a" if "href" in given else "button", flatatt({**kind, "class": classes, **given})
    return format_html("<{}{}>{}{}</{}>", name, attrs, shown, content, name)


@register.simple_block_tag(takes_context=True)
def form(
    context: template.Context,
    content: SafeString,
    look: str = "",
    *,
    post: Address | str = "",
    **attributes: object,
) -> SafeString:
    """Return a form that is posted; its keys go along unless only htmx posts it (`hx_post`).

    What htmx posts is refused in the form itself, in a slot below its content.

    :param look: Its classes.
    :param post: Where it is posted, by htmx or without.
    """
    if post:
        attributes |= {"action": post, "hx_post": post}
    given = {name.replace("_", "-"): value for name, value in attributes.items()}
    given |= {"class": look} if look else {}
    is_plain = "hx-post" not in given
    keys = ""
    if is_plain or "action" in given:
        given["method"] = "post"
        keys = form_keys(context)
    slot = "" if is_plain else SLOT
    return format_html("<form{}>{}{}{}</form>", flatatt(given), keys, content, slot)


@register.simple_tag(takes_context=True)
def form_keys(context: template.Context) -> SafeString:
    """Return the token of a posted form, and the key by which it counts once if it comes twice."""
    key = context.get("form_key") or uuid4()
    fields = (("csrfmiddlewaretoken", context.get("csrf_token", "")), ("idempotency_key", key))
    return format_html_join("", HIDDEN, fields)


@register.simple_block_tag
def row_link(
    content: SafeString,
    href: Address | str,
    *,
    note: str = "",
    opens: bool = False,
    **attributes: object,
) -> SafeString:
    """Return a row of a list that leads to an address, or with `opens` shows it as a dialog.

    :param note: What stands below the content, which is a title then.
    """
    content = format_html(NOTED, content, note) if note else content
    given = {"class": "list-link", "href": href} | {
        name.replace("_", "-"): value for name, value in attributes.items()
    }
    if opens:
        given |= {"hx-get": href, "hx-target": "#sheet", "aria-haspopup": "dialog"}
    return format_html("<li><a{}>{}{}</a></li>", flatatt(given), content, _icon("chevron-right"))


@register.simple_tag
def text_field(
    name_id: str, label: str, *, note: str = "", autocomplete: str | None = "off", **given: object
) -> SafeString:
    """Return a field that is typed into, with its label; without an id the label lies around it."""
    given = {name.replace("_", "-"): value for name, value in given.items()}
    typed = format_html(
        "<input{}>", flatatt(given | {"id": name_id or None, "autocomplete": autocomplete})
    )
    return _labelled(name_id, label, typed, note)


@register.simple_tag
def choice(
    name: str, label: str, look: str = "", *, checked: object = False, **given: object
) -> SafeString:
    """Return a box to tick, with its label beside it; `look` are classes of the label."""
    box = flatatt({"name": name, **given, "checked": bool(checked)})
    return format_html(TICKED, box, flatatt({"class": look or None}), label)


@register.simple_tag
def select_field(
    name_id: str,
    label: str,
    name: str,
    choices: Iterable[tuple[object, str]],
    chosen: object,
    *,
    none: str = "",
) -> SafeString:
    """Return a field that is chosen from, with its label; without an id it lies around it."""
    options = format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        (
            (value, SELECTED if value == chosen else "", text)
            for value, text in ([("", none)] if none else []) + [*choices]
        ),
    )
    given = {"id": name_id or None, "name": name}
    typed = format_html("<select{}>{}</select>", flatatt(given), options)
    return _labelled(name_id, label, typed)


def _labelled(name_id: str, label: str, typed: SafeString, note: str = "") -> SafeString:
    if not name_id:
        return format_html(AROUND, label, typed)
    below = format_html('<p class="field-help">{}</p>', note) if note else ""
    return format_html(LABELLED, name_id, label, typed, below)


@register.simple_block_tag
def more(content: SafeString, title: str, look: str = "") -> SafeString:
    """Return what opens further below its title; `look` are other classes."""
    classes = f"{look} more".strip()
    return format_html(MORE, classes, _icon("chevron-right"), title, content)


# --- The club's colour and logo on public pages


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
