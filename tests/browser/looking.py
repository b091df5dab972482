"""What is asked of every page: accessible, usable by keyboard, at any width, with a thumb.

Each question returns its faults as sentences, so that one walk finds all of them.
"""

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.waits import until

SMALL, PHONE, LAPTOP = 320, 390, 1366
# The smallest phone, or a window of 640 pixels enlarged to 200 %; a laptop's, enlarged so; a phone.
WIDTHS = (SMALL, LAPTOP // 2, PHONE)
HEIGHT = {SMALL: 568, PHONE: 844, LAPTOP: 768}
TARGET = 44
ONE_BATCH = 20
MOST_TABS = 800
# Of axe, report violations alone, without selectors.
BRIEFLY = {"resultTypes": ["violations"], "selectors": False}

# Everything that Tab must reach, in the order of the document; of a group of radio buttons the one
# that is chosen. Inside an open dialog there is nothing else.
SETUP = """() => {
  const name = (one) => {
    const text = (one.getAttribute("aria-label") ?? one.innerText ?? "").replace(/\\s+/g, " ");
    return `<${one.localName} ${one.id || one.name || ""}> ${text.trim().slice(0, 40)}`;
  };
  const can = "a[href], button, input, select, textarea, summary, [tabindex]";
  const isMet = (one) => one.tabIndex >= 0 && !one.matches(":disabled, [type=hidden]") &&
    !one.closest("[inert]") && one.checkVisibility({ visibilityProperty: true });
  const isChosen = (one) => {
    if (!one.matches("[type=radio][name]")) return true;
    const group = [...(one.form ?? document).querySelectorAll(`[type=radio][name="${one.name}"]`)]
      .filter((other) => other.form === one.form && isMet(other));
    return one === (group.find((other) => other.checked) ?? group[0]);
  };
  const root = document.querySelector("dialog[open]:modal") ?? document.body;
  const all = [...root.querySelectorAll(can)].filter((one) => isMet(one) && isChosen(one));
  // A ring is drawn round the thing itself, or round the label or box that shows its state.
  const look = (one) => [one, one.closest("label"), one.parentElement,
    ...(one.labels ?? []), one.nextElementSibling].filter(Boolean).map((part) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(part);
    const hasRing = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return `${hasRing ? outlineColor : ""}/${boxShadow}`;
  }).join("|");
  document.activeElement.blur();
  const walk = { all, seen: [], faults: [], before: new Map(all.map((one) => [one, look(one)])) };
  const met = ({ target }) => {
    if (!walk.before.has(target) || walk.seen.includes(target)) return;
    walk.seen.push(target);
    target.getAnimations().forEach((moving) => moving.finish());
    const isSame = look(target) === walk.before.get(target);
    if (isSame) walk.faults.push(`no focus seen: ${name(target)}`);
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const isIn = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    const isTiny = right - left <= 1 || bottom - top <= 1;
    if (!isIn && !isTiny) walk.faults.push(`focus out of sight: ${name(target)}`);
    const over = isIn && !isTiny && document.elementFromPoint((Math.max(left, 0) +
      Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    const bar = over && over.closest(".action-bar, .site-header, .offline");
    const isCovered = bar && !bar.contains(target);
    if (isCovered) walk.faults.push(`focus covered by ${bar.className}: ${name(target)}`);
  };
  document.addEventListener("focusin", met);
  window.krruWalk = walk;
  walk.end = () => {
    document.removeEventListener("focusin", met);
    all.filter((one) => one.isConnected && !walk.seen.includes(one))
      .forEach((one) => walk.faults.push(`Tab does not reach ${name(one)}`));
    const places = walk.seen.map((one) => all.indexOf(one));
    const turns = places.filter((place, i) => place < places[(i || places.length) - 1]).length;
    if (turns > 1) walk.faults.push(`not in order: ${walk.seen.map(name).join(", ")}`);
    return walk.faults;
  };
  return all.length;
}"""
SEEN = "() => krruWalk.all.every((one) => !one.isConnected || krruWalk.seen.includes(one))"

TINY = """(target) => [...(document.querySelector("dialog[open]") ?? document).querySelectorAll(
  "button, .button, summary, select, input:not([type=hidden], [type=checkbox], [type=radio])"
)].filter((one) => one.checkVisibility({ visibilityProperty: true }) &&
  !one.closest("[aria-hidden=true]")).flatMap((one) => {
  const { width, height } = one.getBoundingClientRect();
  if (width <= 1 || Math.min(width, height) >= target - 0.5) return [];
  const said = (one.getAttribute("aria-label") ?? one.innerText ?? "").trim().replace(/\\s+/g, " ");
  const size = `${Math.round(width)} x ${Math.round(height)} px`;
  return [`${size}: <${one.localName} ${one.name}> ${said.slice(0, 40)}`];
})"""

# The innermost things that reach out to the right, for a sentence that helps.
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = (one) => one !== document.body && getComputedStyle(one).overflowX !== "visible";
  const isHeld = (one) => one && (scrolls(one) || isHeld(one.parentElement));
  const out = [...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility() &&
    one.getBoundingClientRect().right > width + 0.5 && !isHeld(one.parentElement));
  const inner = out.filter((one) => !out.some((other) => other !== one && one.contains(other)));
  return [inner.slice(0, 3).map((one) =>
    `${one.localName}.${one.className} ${(one.textContent ?? "").trim().slice(0, 30)}`).join("; ")];
}"""

# What is led to by Tab is met at the middle of what is seen of it.
COVERED = """() => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const all = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  return [...root.querySelectorAll(all)].flatMap((one) => {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled) return [];
    one.focus();
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (document.activeElement !== one || Math.min(width, height) <= 2) return [];
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const over = document.elementFromPoint(x, y);
    const isOwn = !over || one.contains(over) || over.contains(one) ||
      [...(one.labels ?? [])].some((label) => label.contains(over));
    const name = (one.innerText || one.name || "").trim().slice(0, 30);
    return isOwn ? [] : [`${name} lies under ${over.outerHTML.slice(0, 70)}`];
  });
}"""
STILL = """() => !document.querySelector(".htmx-request, .is-busy")
    && document.getAnimations().every(({ playState, effect }) => (
        playState !== "running" || effect.getComputedTiming().endTime === Infinity))"""


# A browser that has much to do lays the page out for its new window some time after it has it.
LAID_OUT = """(width) => new Promise((done) => {
  const isCoarse = () => matchMedia("(pointer: coarse)").matches;
  const tell = () => done(innerWidth === width && isCoarse() === navigator.maxTouchPoints > 0);
  requestAnimationFrame(() => requestAnimationFrame(tell));
})"""

IS_DARK = """() => new Promise((done) => {
  const look = () => matchMedia("(prefers-color-scheme: dark)").matches
    ? requestAnimationFrame(() => requestAnimationFrame(done)) : requestAnimationFrame(look);
  look();
})"""


def show(page: Page, width: int) -> None:
    """Give the page a window of this width, and wait until it is laid out for it."""
    page.set_viewport_size({"width": width, "height": HEIGHT.get(width, 768)})
    until(page, LAID_OUT, arg=width)


def brighten(page: Page) -> None:
    """Give the page light colours, as it has them when nobody wishes otherwise."""
    page.emulate_media(color_scheme="light")


def stand_still(page: Page) -> None:
    """Wait until nothing moves, fades or is under way: half faded in, everything lacks contrast."""
    until(page, STILL)


# Of a dialog, what is in it: the page behind it cannot be reached, and is looked at by itself.
RUN_AXE = """async ([without, options]) => {
  const dialog = document.querySelector("dialog:modal");
  const context = { include: [dialog ?? document], exclude: without ? [without] : [] };
  return (await axe.run(context, options)).violations;
}"""

# One element for each look: its own tag, classes, colours and state, with those of all around it.
LOOKS = """([known, without]) => {
  const own = (one) => [one.localName, one.className, one.style.cssText, one.type, one.disabled,
    one.ariaCurrent, one.ariaPressed, one.ariaSelected, ...one.getAttributeNames()].join();
  const looks = new Map([[null, 7]]);
  const look = (one) => {
    if (!looks.has(one)) looks.set(one, [...own(one)].reduce(
      (sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) | 0, look(one.parentElement)));
    return looks.get(one);
  };
  const reads = (one) => one.matches("input, select, textarea") ||
    [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const found = new Map();
  const root = document.querySelector("dialog:modal") ?? document.body;
  for (const one of root.querySelectorAll("*")) {
    if (!reads(one) || (without && one.closest(without))) continue;
    if (known.includes(look(one)) || found.has(look(one))) continue;
    if (one.checkVisibility({ visibilityProperty: true })) found.set(look(one), one);
  }
  window.krruLooks = [...found.values()];
  return [...found.keys()];
}"""
RUN_CONTRAST = """async (options) => {
  const include = krruLooks.filter((one) => one.isConnected);
  return include.length ? (await axe.run({ include }, options)).violations : [];
}"""


def _axe(page: Page, without: str = "", **options: object) -> list[dict[str, Any]]:
    """Run axe, which a page is given once, and return the rules that are broken."""
    stand_still(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(RUN_AXE, [without, options | BRIEFLY])


def _contrast_faults(page: Page) -> Iterator[str]:
    for rule in page.evaluate(RUN_CONTRAST, {"runOnly": ["color-contrast"]} | BRIEFLY):
        yield "; ".join(
            f"{node['html'][:120]} {node['any'][0]['message'][:120]}" for node in rule["nodes"][:6]
        )


def axe_faults(page: Page, without: str = "", **options: object) -> Iterator[str]:
    """Return the rules of axe that the page breaks, and where; not inside what it is `without`."""
    for rule in _axe(page, without, **options):
        where = "; ".join(node["html"][:160] for node in rule["nodes"][:3])
        yield f"axe {rule['id']}: {where}"


def faults_by_look(page: Page, known: list[int], without: str = "") -> Iterator[str]:
    """Return the rules of axe that the page breaks, and what is hard to read, light or dark.

    Contrast takes axe most of its time. It is asked once for each look, not of those `known`.
    The page stays dark: to go back takes as long as to get there.
    """
    yield from axe_faults(page, without, rules={"color-contrast": {"enabled": False}})
    found = page.evaluate(LOOKS, [known, without])
    if not found:
        return
    yield from (f"light: {where}" for where in _contrast_faults(page))
    page.emulate_media(color_scheme="dark")
    # A colour on its way from light to dark is neither, and sets out with the next drawing only.
    page.evaluate(IS_DARK)
    stand_still(page)
    yield from (f"dark: {where}" for where in _contrast_faults(page))
    known += found


def faint_faults(page: Page) -> Iterator[str]:
    """Return the texts with less contrast than seven to one."""
    rule = "color-contrast-enhanced"
    for broken in _axe(page, runOnly=[rule], rules={rule: {"enabled": True}}):
        yield from (node["html"][:120] for node in broken["nodes"])


HEAD = """() => [document.documentElement.lang, document.title,
  document.querySelectorAll("h1").length]"""


def head_faults(page: Page, language: str) -> Iterator[str]:
    """Return what is wrong with language, title and heading."""
    lang, title, headings = page.evaluate(HEAD)
    if lang != language:
        yield f"lang is not {language}"
    if title.split(" – ")[0] in ("", "KRRU"):
        yield f"the title says nothing: {title!r}"
    if headings != 1:
        yield f"{headings} h1"


def width_faults(page: Page, width: int) -> Iterator[str]:
    """Return what reaches beyond the window, which has this width."""
    yield from (f"wider than {width} px: {what}" for what in page.evaluate(WIDE))


def large_faults(page: Page, width: int) -> Iterator[str]:
    """Return what reaches beyond the window, which has this width, at text twice as large."""
    session = page.context.new_cdp_session(page)
    for px in (32, 16):  # what is looked at next is laid out for 16 again
        session.send("Page.setFontSizes", {"fontSizes": {"standard": px, "fixed": px}})
        stand_still(page)
        if px > 16:
            yield from (f"at text of 200 %: {fault}" for fault in width_faults(page, width))
    session.detach()


def tab_faults(page: Page) -> Iterator[str]:
    """Walk through the page by Tab, all the way round."""
    wanted = page.evaluate(SETUP)
    for _batch in range(0, min(MOST_TABS, wanted * 4 + 2 * ONE_BATCH), ONE_BATCH):
        for _press in range(min(ONE_BATCH, wanted + 2)):
            page.keyboard.press("Tab")
        if page.evaluate(SEEN):
            break
    yield from page.evaluate("krruWalk.end()")


def thumb_faults(page: Page) -> Iterator[str]:
    """Return the buttons that are too small for a thumb."""
    yield from page.evaluate(TINY, TARGET)


def covered_faults(page: Page) -> Iterator[str]:
    """Return what lies under something else once the focus is there."""
    yield from page.evaluate(COVERED)
