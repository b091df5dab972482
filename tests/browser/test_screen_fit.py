"""Every text of the wall is whole, and as large as its room lets it be, whatever the blinds are."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clock.models import ClockAction, Level
from tests.browser import faces
from tests.browser.test_screens import direct, paired
from tests.clock.evening import minutes
from tests.clock.hall import SIZES as ALL_SIZES
from tests.clock.hall import STILL, push, running
from tests.waits import until
from tournaments.models import Event

pytest_plugins = ["tests.clock.fixtures", "tests.browser.faces"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = ((1280, 720), (1920, 1080))
# Small blind, big blind, ante of the big blind. Without blinds it is a level of stud.
BLINDS = [(1, 1, 0), (0, 0, 5_000), (25_000, 50_000, 50_000)]
NO_STUD = {"small_bet": 0, "big_bet": 0, "bring_in": 0, "game": "", "limit": ""}
STUD = {"small_bet": 40_000, "big_bet": 80_000, "bring_in": 10_000,
        "game": "Seven Card Stud Hi/Lo", "limit": "split_limit"}  # fmt: skip
MADE = {
    "playing": lambda: running(minutes(5)),
    "warning": lambda: running(minutes(19.1)),
    "paused": faces.paused,
    "call": faces.call,
    "far-ahead": lambda: begins(faces.before(), timedelta(days=1, hours=3)),
    "break": lambda: running(minutes(22), breaks={1: 10}),
    "late-entry": lambda: late(running(minutes(5), breaks={2: 10})),
    "waiting": faces.waiting,
    "last-hands": faces.last_hands,
    "hand-for-hand": faces.hand_for_hand,
    "colour-up": lambda: faces.exchanged(running(minutes(17)), 1, 1, 5, 25, 100),
    "break-soon": lambda: running(minutes(19.4), breaks={1: 10}),
    "final-table": lambda: began(faces.final_table(), minutes(20.5)),
}
# Of figures, how large they are is seen too: as large as ever, or as wide as their room.
FIGURES = ".time, .posted, [data-part=next-blinds], [data-part=takeover-blinds]"

# A text is whole when it lies within the part of the page it belongs to, and nothing cuts it.
FAULTS = """(figures) => {
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true })
    && node.getBoundingClientRect().width > 0;
  const isText = (node) => !["SCRIPT", "svg", "path"].includes(node.tagName) && isSeen(node)
    && [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
  const textOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const blockOf = (node) => (
    getComputedStyle(node).display === "inline" ? blockOf(node.parentElement) : node
  );
  const roomOf = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    const edge = (side) => parseFloat(style[`padding${side}`])
      + parseFloat(style[`border${side}Width`]);
    return { left: left + edge("Left"), right: right - edge("Right"),
      top: top + edge("Top"), bottom: bottom - edge("Bottom") };
  };
  const within = (name, low, high, least, most) => (low < least - 1 || high > most + 1
    ? [`${name}: ${[low, high].map(Math.round)} not within ${[least, most].map(Math.round)}`] : []);
  const takeover = [...document.querySelectorAll(".takeover")].find(isSeen);
  const hang = innerHeight * 0.02; // large figures hang out to the left to stand in line
  const broken = [...(takeover ?? document.body).querySelectorAll("*")].filter(isText)
    .flatMap((node) => {
      const words = node.textContent.trim();
      const [text, block] = [textOf(node), blockOf(node).getBoundingClientRect()];
      const roomIn = (parts) => roomOf(node.closest(parts) ?? document.body);
      const wide = roomIn(".main, .side, .posted, .takeover, .foot, .hall, .end");
      const high = roomIn(".stage, .takeover, .foot, .hall");
      const isCut = getComputedStyle(node).overflow === "hidden"
        && node.scrollWidth > node.clientWidth;
      return [
        ...within(`${words}, across`, text.left, text.right, wide.left - hang, wide.right),
        ...within(`${words}, down`, block.top, block.bottom, high.top, high.bottom),
        ...(isCut ? [`${words}: cut`] : []),
      ];
    });
  const isFull = (node, box) => {
    const room = roomOf(box);
    const parts = [...box.children].filter(isSeen).map((part) => part.getBoundingClientRect());
    const top = Math.min(...parts.map((part) => part.top));
    const bottom = Math.max(...parts.map((part) => part.bottom));
    return bottom - top > (room.bottom - room.top) * 0.95;
  };
  const small = [...document.querySelectorAll(figures)].filter(isSeen).flatMap((node) => {
    const column = node.closest("[data-fit=high]");
    const shares = [[node, "--fit"], ...(column ? [[column, "--high"]] : [])];
    const known = shares.map(([box, name]) => box.style.getPropertyValue(name));
    const size = () => parseFloat(getComputedStyle(node).fontSize);
    const now = size();
    shares.forEach(([box, name]) => box.style.setProperty(name, 1));
    const largest = size();
    shares.forEach(([box, name], index) => box.style.setProperty(name, known[index]));
    const room = roomOf(node);
    const width = textOf(node).width / (room.right - room.left);
    return now > largest * 0.99 || width > 0.95 || (column && isFull(node, column)) ? []
      : [`${node.textContent.trim()}: ${Math.round(width * 100)} % of its width`];
  });
  return [...broken, ...small];
}"""
TWO_FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def post(event, blinds):
    small, big, ante = blinds
    Level.objects.filter(clock=event.clock, kind=Level.Kind.PLAY).update(
        small_blind=small,
        big_blind=big,
        ante=ante,
        ante_kind="big_blind" if big else "each",
        **(NO_STUD if big else STUD),
    )


def began(event, ago):
    """Let everything done to the clock have been done so long ago."""
    ClockAction.objects.filter(clock=event.clock).update(at=timezone.now() - ago)
    return event


def late(event):
    """Let late entry end with the first break."""
    Event.objects.filter(pk=event.pk).update(late_registration_break=1)
    return event


def begins(event, ahead):
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + ahead)
    return event


def faults(page, where):
    found = []
    for _width, height in faces.resized(page, SIZES):
        page.evaluate(TWO_FRAMES)
        until(page, STILL)
        found += [f"{where}, {height}p: {fault}" for fault in page.evaluate(FAULTS, FIGURES)]
    return found


SHARES = 2


@pytest.mark.parametrize("share", range(SHARES))
def test_every_face_is_whole_whatever_the_blinds(guests, figures, share):
    page, found = None, []
    for name in list(MADE)[share::SHARES]:
        page, event = faces.shown_anew(page, guests, MADE[name])
        for blinds in BLINDS:
            post(event, blinds)
            page.reload()
            page.evaluate("document.fonts.ready.then(() => null)")
            found += faults(page, f"{name}, {blinds}")
    assert found == []


def test_the_announcement_of_a_level_is_whole(guests):
    page, found = None, []
    for gone in ((), (1, 5)):
        page, event = faces.shown_anew(
            page, guests, lambda gone=gone: faces.exchanged(running(minutes(20)), 1, *gone)
        )
        for blinds in BLINDS:
            post(event, blinds)
            began(event, timedelta(minutes=20, seconds=1))
            page.reload()
            page.wait_for_selector("[data-part=takeover]")
            found += faults(page, blinds)
            assert page.is_visible("[data-part=takeover]")
    assert found == []


def test_late_entry_names_the_level_at_which_it_ends(screen):
    page = screen(late(running(minutes(5), breaks={2: 10})))
    page.wait_for_selector("[data-part=late]")
    told = page.inner_text("[data-part=late-label]")
    assert told.casefold() == "einsteigen bis pause nach stufe 2, noch"
    assert faults(page, "late entry") == []


def test_figures_are_fitted_anew_when_they_change_without_loading(screen):
    event = running(minutes(5))
    page = screen(event)
    page.wait_for_selector("body[data-face=playing]")
    for blinds in (BLINDS[-1], BLINDS[0], (300, 600, 600)):
        post(event, blinds)
        push(event, "clock")
        page.wait_for_selector(f".blinds:has-text('{blinds[1] // 1000 or blinds[1]}')")
        assert faults(page, blinds) == []
    # Those that get their height back are not too wide.
    page.evaluate("""() => {
      document.querySelector(".main").style.setProperty("--high", 0.6);
      dispatchEvent(new Event("resize"));
    }""")
    assert page.evaluate(FAULTS, FIGURES) == []


# What shares a spot with the corner; each figure with the box of its text.
COVERED = """() => {
  const corner = document.querySelector(".tap").getBoundingClientRect();
  const texts = document.querySelectorAll(".head, .time, .posted span, .bar, .foot dd, li span");
  return [...texts].filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => {
      const box = node.getBoundingClientRect();
      return box.width > 0 && box.bottom > corner.top + 1 && box.right > corner.left
        && box.top < corner.bottom;
    }).map((node) => node.outerHTML)
    .concat(corner.height < innerHeight * 0.03 ? ["no corner"] : []);
}"""


def test_the_corner_that_asks_for_a_tap_covers_nothing_and_the_log_is_not_on_the_wall(guests):
    event = faces.hand_for_hand()
    post(event, BLINDS[-1])
    page, row = paired(guests.open, event)
    for shows in ("seating", "clock"):
        direct(event, row, shows=shows)
        page.wait_for_selector(f"body[data-hall={shows}]")
        for width, _height in faces.resized(page, ALL_SIZES.values()):
            page.wait_for_timeout(1200)  # lists are drawn anew with the next second
            page.evaluate("document.querySelector('.tap').hidden = false")
            assert page.evaluate(COVERED) == [], (shows, width)
    assert "Protokoll" not in page.inner_text("body")


# The height of its digits, in shares of the screen's.
DIGITS = """(name) => {
  const { fontSize, fontWeight } = getComputedStyle(document.querySelector(name));
  const drawing = document.createElement("canvas").getContext("2d");
  drawing.font = `${fontWeight} ${fontSize} "KRRU"`;
  return drawing.measureText("0").actualBoundingBoxAscent / innerHeight;
}"""


FROM_AFAR = {"playing": [".next-extras"], "final-table": [], "far-ahead": [".next-extras"]}


@pytest.mark.parametrize("name", list(FROM_AFAR))
def test_the_largest_blinds_are_read_from_the_far_end_of_the_hall(screen, name):
    event = MADE[name]()
    post(event, (100_000, 200_000, 200_000))
    page = screen(event)
    page.wait_for_selector("body:is([data-face=playing], [data-face=before])")
    assert faults(page, name) == []
    for _width, height in faces.resized(page, SIZES):
        until(page, STILL)
        if name != "far-ahead":
            assert page.evaluate(DIGITS, ".blinds") >= 0.09, height
        for figure in ("[data-part=ante-chips]", ".headline", *FROM_AFAR[name]):
            assert page.evaluate(DIGITS, figure) >= 0.0375, (figure, height)
        assert page.evaluate(DIGITS, "[data-part=promise], .badge-new, dt") >= 0.023, height


def test_digits_of_the_time_are_as_wide_as_each_other(screen):
    """What ticks is not fitted anew; pages that round widths to pixels made it grow by some."""
    page = screen(MADE["far-ahead"]())
    page.evaluate("document.fonts.ready.then(() => null)")
    widths = page.evaluate("""() => {
      const figures = document.querySelector("[data-part=time-low]").firstChild;
      const all = document.createRange();
      all.selectNodeContents(figures.parentElement);
      return ["00", "11", "26", "48", "57", "59"].map((text) => {
        figures.data = text;
        return all.getBoundingClientRect().width;
      });
    }""")
    assert max(widths) - min(widths) < 0.1, widths
