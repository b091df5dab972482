"""The questions that are asked of every page find what is wrong with one."""

import pytest

from tests.browser import looking

pytestmark = pytest.mark.browser
STYLE = "<style>:focus { outline: 3px solid } .bare:focus { outline: none }</style>"


@pytest.fixture
def shown(page):
    looking.show(page, looking.PHONE)

    def show(body):
        page.set_content(f"<body>{STYLE}<h1>Probe</h1>{body}")
        return page

    return show


TAB_FAULTS = (
        ("<button class=bare>a</button><button>b</button>", "no focus seen: <button > a"),
        ("<button onfocus='last.focus()'>a</button><button id=last>b</button>", "not reach"),
        ("<button>a</button><button onkeydown='return false'>b</button><p>c</p><a href=#>d</a>",
         "Tab does not reach <a > d"),
        ("<button>a</button><button tabindex=2>b</button><button>c</button>", "not in order"),
        ("<button style='position: fixed; left: -9rem'>a</button>", "focus out of sight"),
        ("<button>a</button><div class=action-bar style='position: fixed; inset: 0'></div>",
         "focus covered by action-bar: <button > a"),
)  # fmt: skip


def test_tab_faults(shown):
    for body, fault in TAB_FAULTS:
        found = list(looking.tab_faults(shown(body)))
        assert any(fault in one for one in found), (body, found)


def too_wide(page):
    for width in looking.WIDTHS:
        looking.show(page, width)
        yield from looking.width_faults(page, width)


def test_width_and_a_page_in_order_that_has_no_faults(shown):
    page = shown(
        "<button>a</button><input type=radio name=r><input type=radio name=r checked>"
        "<input type=datetime-local><button disabled>b</button><a href=#>c</a>"
    )
    assert list(looking.tab_faults(page)) == []
    assert list(too_wide(page)) == []
    page = shown("<button>a</button><p style='width: 700px'>b</p>")
    assert [fault.split(" px")[0] for fault in too_wide(page)] == [
        "wider than 320", "wider than 683", "wider than 390",
    ]  # fmt: skip


def test_axe_and_head_and_what_is_covered_or_small(shown):
    page = shown("<h1>b</h1><img src=x>")
    assert any(fault.startswith("axe image-alt") for fault in looking.axe_faults(page))
    assert len(list(looking.head_faults(page, "de"))) == 3
    looking.show(page, looking.SMALL)
    page = shown("<button>c</button><p style='position: fixed; inset: 0; background: white'>d</p>")
    assert [fault[:15] for fault in looking.covered_faults(page)] == ["c lies under <p"]
    assert len(list(looking.thumb_faults(page))) == 1


def test_what_is_hard_to_read_is_found_once_in_light_and_dark_colours(shown):
    night = "<style>@media (prefers-color-scheme: dark) { .night { color: #eee } }</style>"
    page, known = shown(f"{night}<p style='color: #aaa'>grau</p><p class=night>nachts</p>"), []

    def found():
        return [one for one in looking.faults_by_look(page, known) if not one.startswith("axe")]

    light, dark = found()
    assert (light[:9], "grau" in light, "nachts" in light) == ("light: <p", True, False)
    assert (dark[:8], "nachts" in dark) == ("dark: <p", True)
    assert found() == []
    looking.brighten(page)
    shown(f"{night}<p class=night>nachts</p><i><b class=night>innen</b></i>")
    assert ["innen" in one and "nachts" not in one for one in found()] == [True]


def test_axe_looks_into_an_open_dialog_and_not_behind_it(shown):
    page = shown("<img id=behind src=x><dialog aria-label=d><img id=inside src=x></dialog>")
    page.evaluate("document.querySelector('dialog').showModal()")
    (fault,) = [one for one in looking.axe_faults(page) if one.startswith("axe image-alt")]
    assert 'id="inside"' in fault
    assert 'id="behind"' not in fault
