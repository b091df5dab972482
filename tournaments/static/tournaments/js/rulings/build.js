// How the desk's page is built of elements, and how its sentences are filled.

const data = JSON.parse(document.getElementById("rulings-data")?.textContent ?? "null");
const words = data?.words ?? {};

const h = (tag, own = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(own)) {
    if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (name in made && name !== "list") made[name] = value;
    else if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...inside.flat().filter((part) => part !== null && part !== undefined && part !== false));
  return made;
};

// What is in its place already stays there: it need not be laid out anew.
const fit = (place, parts) => {
  [...place.childNodes].filter((node) => !parts.includes(node)).forEach((node) => node.remove());
  parts.forEach((part, at) => {
    if (place.childNodes[at] !== part) place.insertBefore(part, place.childNodes[at] ?? null);
  });
};

const numbers = new Intl.NumberFormat(document.documentElement.lang);
const shown = (value) => (typeof value === "number" ? numbers.format(value) : value);
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUITS = { s: "spade", h: "heart", d: "diamond", c: "club" };
const rankText = (code) => (code[0] === "T" ? "10" : code[0]);
const cardText = (code) => rankText(code) + SIGNS[code[1]];

const filled = (sentence, about = {}) => sentence.replace(/%\((\w+)\)s/g, (_, name) => (
  name === "card" ? cardText(about.card) : shown(about[name])
));
const say = (kind, code, about) => filled(words[kind][code], about);
const playerName = (place) => say("ui", "player", { player: place + 1 });
const names = (places) => places.map(playerName).join(", ");

const card = (code) => h(
  "span",
  { className: `playing-card suit-ink-${SUITS[code[1]]}` },
  h("span", {}, rankText(code)),
  h("span", {}, SIGNS[code[1]]),
);

const numberField = (label, value, change, own = {}) => h(
  "label",
  { className: "field ruling-number" },
  h("span", { className: "field-label" }, label),
  h("input", {
    type: "number", inputMode: "numeric", min: "0", value: value ?? "", ...own,
    on: { input: ({ target }) => change(target.value === "" ? null : Math.trunc(Number(target.value))) },
  }),
);

// A control that says what it said before stays, with the focus it may have; a tap on it asks what is
// told now. On one page no two have the same label.
const made = new Map();
const kept = (label, about, change, make) => {
  const key = JSON.stringify(about);
  const before = made.get(label);
  if (before?.key === key) {
    before.change = change;
    return before.node;
  }
  const control = { key, change };
  control.node = make((value) => control.change(value));
  made.set(label, control);
  return control.node;
};

// What folds away stays open while something in it is tapped. `now` says beside it what is chosen.
const more = (label, inside, { now = "", isOpen = false } = {}) => {
  const node = kept(`more ${label}`, "", null, () => h(
    "details",
    { open: isOpen },
    h("summary", {}, h("span", {}, label, h("span", { className: "ruling-now" }))),
  ));
  const said = node.querySelector(".ruling-now");
  if (said.textContent !== now) said.textContent = now;
  fit(node, [node.firstChild, ...inside.filter(Boolean)]);
  return node;
};

// One of several, big enough for a thumb.
const choice = (label, options, chosen, change) => kept(label, [options, chosen], change, (tell) => h(
  "fieldset",
  { className: "ruling-choice" },
  h("legend", { className: "field-label" }, label),
  options.map(([value, text]) => h("button", {
    type: "button", className: "button", "aria-pressed": String(value === chosen), on: { click: () => tell(value) },
  }, text)),
));

const toggle = (text, isOn, change) => h("button", {
  type: "button", className: "button", "aria-pressed": String(isOn), on: { click: () => change(!isOn) },
}, text);

const stepper = (label, value, [least, most], change) => kept(label, [value, least, most], change, (tell) => h(
  "div",
  { className: "ruling-stepper", role: "group", "aria-label": label },
  h("span", { className: "field-label" }, label),
  h(
    "span",
    {},
    h("button", {
      type: "button", className: "button", disabled: value <= least, "aria-label": words.ui.fewer,
      on: { click: () => tell(value - 1) },
    }, "−"),
    h("output", {}, String(value)),
    h("button", {
      type: "button", className: "button", disabled: value >= most, "aria-label": words.ui.more,
      on: { click: () => tell(value + 1) },
    }, "+"),
  ),
));

const rule = (code) => h("li", {}, data.rules_url
  ? h("a", { href: `${data.rules_url}#${data.anchors[code]}` }, words.rules[code])
  : words.rules[code]);

export {
  data, words, fit, h, shown, cardText, say, playerName, names, card, numberField, choice, more, toggle, stepper,
  rule,
};
