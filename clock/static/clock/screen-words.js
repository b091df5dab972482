// The big screen's words and figures, and how they get into the page. Knows nothing of the clock.

const MINUTE = 60000;
const setup = JSON.parse(document.getElementById("screen-setup").textContent);
const texts = document.getElementById("screen-texts").dataset;

const nodes = [...document.querySelectorAll("[data-part]")];
const parts = Object.fromEntries(nodes.map((node) => [node.dataset.part, node]));

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const list = new Intl.ListFormat(setup.language, { type: "conjunction" });
const number = new Intl.NumberFormat(setup.language);
const clockTime = new Intl.DateTimeFormat(setup.language, {
  hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: setup.zone,
});
const shortDate = new Intl.DateTimeFormat(setup.language, {
  weekday: "short", day: "numeric", month: "short", timeZone: setup.zone,
});

// How often something was drawn that may need another size. Figures that tick do not: their digits
// are as wide as each other.
let drawings = 0;
const drawingsSoFar = () => drawings;
const TICKING = new Set(["time-high", "time-low", "wall", "strip-time", "strip-wall"]);
const digitsOf = (text) => text.replace(/\d/g, "0");

const write = (name, text) => {
  const { textContent: known } = parts[name];
  if (known === text) return;
  if (!TICKING.has(name) || digitsOf(known) !== digitsOf(text)) drawings += 1;
  parts[name].textContent = text;
};
const show = (name, isShown) => {
  if (parts[name].hidden !== isShown) return;
  parts[name].hidden = !isShown;
  drawings += 1;
};
const writeOrHide = (name, text) => {
  show(name, text !== "");
  write(name, text);
};

const element = (name, text, tag = "span") => {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
};

// A chip with its value; a long one in smaller type.
const disc = (value, colour) => {
  const text = number.format(value);
  const made = element(`disc disc-${colour || "brass"}`, text);
  made.style.setProperty("--letters", Math.max(text.length, 3));
  return made;
};

// A part is made anew only when what it shows has changed.
const drawn = {};
const remake = (name, key, make) => {
  if (drawn[name] === key) return;
  drawn[name] = key;
  drawings += 1;
  parts[name].replaceChildren(...make());
};

const two = (value) => String(value).padStart(2, "0");

const amount = (text, value) => (value > 0 ? fill(text, { amount: number.format(value) }) : "");
const hasFixedBets = (level, showsBigBet) => (
  level.limit ? level.limit === "split_limit" : showsBigBet
);
const isAnteAlone = (level) => level.big_blind === 0 && level.small_bet === 0;
// The large figure: the blinds, in stud the two bets, where there are neither the ante.
const blindsOf = (level) => {
  if (isAnteAlone(level)) return amount(texts.ante, level.ante);
  const pair = level.big_blind > 0 ? [level.small_blind, level.big_blind] : [level.small_bet, level.big_bet];
  return pair.map((chips) => number.format(chips)).join(" / ");
};
const anteOf = (level, text) => {
  if (isAnteAlone(level)) return "";
  return amount(level.ante_kind === "big_blind" ? text : texts.ante, level.ante);
};
const gameOf = (level) => [level.game, texts[level.limit] ?? ""].filter(Boolean).join(", ");
const nameOf = (level) => (
  level.kind === "break" ? texts.break : fill(texts.level, { number: level.number })
);
const isStud = (level) => level.big_blind === 0 && level.small_bet > 0;
// What the large figure is.
const labelOf = (level) => {
  if (level.kind === "break" || isAnteAlone(level)) return "";
  return isStud(level) ? texts.bets_label : texts.blinds;
};
// The ante as a figure of its own: what it is, and how much; no amount where there is none.
const anteFigureOf = (level) => ({
  label: level.ante_kind === "big_blind" ? texts.bb_ante_label : texts.ante_label,
  chips: isAnteAlone(level) || !(level.ante > 0) ? "" : number.format(level.ante),
});
// What is posted beside the large figures.
const extrasOf = (level, showsBigBet) => {
  const hasBigBet = !isStud(level) && hasFixedBets(level, showsBigBet);
  return {
    "big-bet": amount(texts.big_bet, hasBigBet ? level.big_bet : 0),
    "bring-in": amount(texts.bring_in, level.bring_in),
  };
};
// All of it in words, below the blinds of a level that begins.
const extrasInFull = (level, showsBigBet) => [
  isStud(level) ? texts.bets_label : "", anteOf(level, texts.big_blind_ante),
  ...Object.values(extrasOf(level, showsBigBet)), gameOf(level),
].filter(Boolean).join(" · ");
// The same in few words, below the blinds of the next level.
const extrasInShort = (level) => [
  anteOf(level, texts.bb_ante), amount(texts.bring_in, level.bring_in), gameOf(level),
].filter(Boolean).join(" · ");

const spanText = (ms) => {
  const minutes = Math.ceil(ms / MINUTE);
  if (ms < MINUTE) return texts.less_than_a_minute;
  if (minutes < 60) return fill(texts.minutes, { minutes });
  return fill(texts.hour_and_more, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
};

export {
  setup, texts, parts, fill, number, clockTime, shortDate, write, show, writeOrHide, two, list, blindsOf, nameOf,
  gameOf, labelOf, anteFigureOf, extrasOf, extrasInFull, extrasInShort, spanText, element, disc, remake,
  drawingsSoFar,
};
