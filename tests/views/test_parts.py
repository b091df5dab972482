"""The parts of pages that are template tags."""

import re

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch

from krru.data.folder import BASE_DIR

KEYS = (
    '<input type="hidden" name="csrfmiddlewaretoken" value="one" autocomplete="off">'
    '<input type="hidden" name="idempotency_key" value="two" autocomplete="off">'
)
PARTS = {
    '{% button "big" %}Aus{% endbutton %}': '<button class="button button-big">Aus</button>',
    '{% button hx_post="director"|url:slug more="wide" %}Aus{% endbutton %}': (
        '<button class="button wide" hx-post="/t/abend/leitung/" type="button">Aus</button>'
    ),
    '{% button hx_post="/aus/" data_queue="out" unless="Nein." why="no-out" %}Aus{% endbutton %}': (
        '<button aria-describedby="no-out" class="button" type="button" disabled>Aus</button>'
    ),
    '{% button sheet="/wer/" %}Wer{% endbutton %}': (
        '<button aria-haspopup="dialog" class="button" hx-get="/wer/" hx-target="#sheet"'
        ' type="button">Wer</button>'
    ),
    '{% button href="club-settings"|url %}Verein{% endbutton %}': (
        '<a class="button" href="/verein/">Verein</a>'
    ),
    '{% form "row" post="/los/" %}Los{% endform %}': (
        '<form action="/los/" class="row" hx-post="/los/" method="post">'
        f'{KEYS}Los<div class="refusal-slot"></div></form>'
    ),
    '{% form action="/los/" %}Los{% endform %}': (
        f'<form action="/los/" method="post">{KEYS}Los</form>'
    ),
    '{% form hx_post="/los/" %}Los{% endform %}': (
        '<form hx-post="/los/">Los<div class="refusal-slot"></div></form>'
    ),
    '{% row_link "/wer/" opens=True %}Wer{% endrow_link %}': (
        '<li><a aria-haspopup="dialog" class="list-link" href="/wer/" hx-get="/wer/"'
        ' hx-target="#sheet">Wer<svg class="icon" aria-hidden="true">'
        '<use href="/static/tournaments/icons.svg#chevron-right"></use></svg></a></li>'
    ),
    '{% text_field "why" _("Grund") name="reason" note=_("Kurz.") %}': (
        '<div class="field"><label class="field-label" for="why">Grund</label>'
        '<input autocomplete="off" id="why" name="reason">'
        '<p class="field-help">Kurz.</p></div>'
    ),
    '{% text_field "" _("Grund") name="reason" autocomplete=None %}': (
        '<label class="field"><span class="field-label">Grund</span><input name="reason"></label>'
    ),
    '{% select_field "who" _("Wer") "who" choices "b" %}': (
        '<div class="field"><label class="field-label" for="who">Wer</label>'
        '<select id="who" name="who"><option value="a">A</option>'
        '<option value="b" selected>B</option></select></div>'
    ),
    '{% more _("Mehr") "card" %}Alles{% endmore %}': (
        '<details class="card more"><summary><svg class="icon" aria-hidden="true">'
        '<use href="/static/tournaments/icons.svg#chevron-right"></use></svg>Mehr</summary>'
        "Alles</details>"
    ),
    '{% table_head "-#" _("Name") sign %}': (
        '<thead><tr><th scope="col">Name</th><th scope="col" class="number">&lt;</th></tr></thead>'
    ),
    '{% styles "events" "parts/posts" %}': (
        '<link rel="stylesheet" href="/static/tournaments/css/pages/events.css">\n'
        '  <link rel="stylesheet" href="/static/tournaments/css/parts/posts.css">'
    ),
}


@pytest.mark.parametrize("text", PARTS)
def test_a_part_becomes_html(text):
    given = {
        "slug": "abend",
        "sign": "<",
        "csrf_token": "one",
        "form_key": "two",
        "choices": ["aA", "bB"],
    }
    assert Template(text).render(Context(given)) == PARTS[text]


@pytest.mark.parametrize(
    "file", sorted(BASE_DIR.glob("templates/**/*.html")), ids=lambda file: file.stem
)
def test_every_form_that_is_posted_brings_its_keys(file):
    text = file.read_text("utf-8")
    forms = re.findall(r'<form[^>]*\bmethod="post".*?</form>', text, re.DOTALL)
    assert [form for form in forms if "{% form_keys %}" not in form] == []
    assert "{% csrf_token %}" not in text


def test_each_form_of_a_page_has_a_key_of_its_own():
    page = Template("{% form_keys %}{% form_keys %}").render(Context())
    assert len(set(re.findall(r'idempotency_key" value="([0-9a-f-]{36})"', page))) == 2


def test_an_address_that_does_not_exist_is_no_silent_gap():
    with pytest.raises(NoReverseMatch):
        Template('{% button href="nowhere"|url:1 %}Weg{% endbutton %}').render(Context())
