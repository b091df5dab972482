// Keys of a page: an element with data-key="n" is pressed (or, if it is a field, focused) by that
// key outside of fields, one with data-key="n ArrowRight" by either; "?" lists them all. Of several
// the first is pressed, or the one with data-key-first.
// data-key-label says what it does, else its own text.
// A person who dictates or hits keys by accident can switch them off; the device remembers it.

const STORE = "krru-keys";
const IN_FIELDS = /^F\d+$/; // nobody types these
const dialog = document.getElementById("keys");
const list = dialog.querySelector("[data-keys-list]");
const toggle = dialog.querySelector("[data-keys-switch]");
const words = document.getElementById("words").dataset;

let byTab = false;

const isOn = () => localStorage.getItem(STORE) !== "off";
const isSeen = (element) => element.checkVisibility?.() ?? element.offsetParent !== null;
const ARROWS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const nameOf = (key) => (key === "space" ? words.space : ARROWS[key] ?? key);
const keysOf = (element) => element.dataset.key.split(" ");

const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";
const isField = (element) => element.matches(FIELDS) || element.isContentEditable;

const keyed = (within) => [...within.querySelectorAll("[data-key]")].filter(isSeen);
const keyedNow = () => keyed(document.querySelector("dialog[open]") ?? document);

const made = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
const showList = () => {
  list.replaceChildren();
  const seen = new Set();
  keyed(document).forEach((element) => {
    const { key, keyLabel } = element.dataset;
    if (seen.has(key)) return;
    seen.add(key);
    const term = made("dt", "");
    keysOf(element).forEach((name) => term.append(made("kbd", nameOf(name)), " "));
    const meaning = keyLabel ?? element.getAttribute("aria-label") ?? element.textContent.trim();
    list.append(term, made("dd", meaning));
  });
  toggle.checked = isOn();
  dialog.showModal();
};

toggle.addEventListener("change", () => localStorage.setItem(STORE, toggle.checked ? "on" : "off"));

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") byTab = true;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.defaultPrevented) return;
  const key = event.key === " " ? "space" : event.key;
  if (isField(event.target) && !IN_FIELDS.test(key)) return;
  if (key === "?" && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    showList();
    return;
  }
  if (!isOn()) return;
  // A control reached with the Tab key keeps its own space bar; one clicked with the mouse does not.
  if (key === "space" && byTab && event.target.matches("button, a, summary, input")) return;
  // Within a group of radios the arrows choose.
  if (key in ARROWS && event.target.matches("input")) return;
  const meant = keyedNow().filter((candidate) => keysOf(candidate).includes(key));
  const element = meant.find((candidate) => candidate.matches("[data-key-first]")) ?? meant[0];
  if (!element) return;
  event.preventDefault();
  if (isField(element)) element.focus();
  else if (!element.disabled) element.click();
});

// A space bar let go over the button that was clicked last would press that button again.
document.addEventListener("keyup", (event) => {
  if (event.key !== " " || byTab || !isOn() || !event.target.matches("button")) return;
  if (keyedNow().some((element) => keysOf(element).includes("space"))) event.preventDefault();
});

document.addEventListener("pointerdown", () => { byTab = false; });

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keys-open]")) showList();
});
