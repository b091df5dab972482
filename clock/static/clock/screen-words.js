// The big screen's words and figures, and how they get into the page. Knows nothing of the clock.

const MINUTE = 60000;
const setup = JSON.parse(document.getElementById("screen-setup").textContent);
const texts = document.getElementById("screen-texts").dataset;

const parts = {};
document.querySelectorAll("[data-part]").forEach((node) => {
  parts[node.dataset.part] = node;
});

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const list = new Intl.ListFormat(setup.language, { type: "conjunction" });
const listed = (items) => list.format(items);
const number = new Intl.NumberFormat(setup.language);
const clockTime = new Intl.DateTimeFormat(setup.language, {
  hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: setup.zone,
});
const longDate = new Intl.DateTimeFormat(setup.language, {
  weekday: "long", day: "numeric", month: "long", timeZone: setup.zone,
});

const write = (name, text) => {
  if (parts[name].textContent !== text) parts[name].textContent = text;
};
const show = (name, isShown) => {
  if (parts[name].hidden === isShown) parts[name].hidden = !isShown;
};
const writeOrHide = (name, text) => {
  show(name, text !== "");
  write(name, text);
};

const two = (value) => String(value).padStart(2, "0");

const blindsOf = (level) => {
  const { small_blind: small, big_blind: big, ante } = level;
  if (big === 0) return number.format(ante);
  return `${number.format(small)} / ${number.format(big)}`;
};
const nameOf = (level) => (
  level.kind === "break" ? texts.break : fill(texts.level, { number: level.number })
);
const amount = (text, value) => (value > 0 ? fill(text, { amount: number.format(value) }) : "");
// What is posted beside the blinds. Ante alone stands in their place.
const extrasOf = (level, showsBigBet) => ({
  "big-bet": showsBigBet ? amount(texts.big_bet, level.big_bet) : "",
  ante: level.big_blind > 0 ? amount(texts.ante, level.ante) : "",
  "bring-in": amount(texts.bring_in, level.bring_in),
});

const spanText = (ms) => {
  const minutes = Math.ceil(ms / MINUTE);
  if (ms < MINUTE) return texts.less_than_a_minute;
  if (minutes < 60) return fill(texts.minutes, { minutes });
  return fill(texts.hour_and_more, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
};

export {
  setup, texts, parts, fill, number, clockTime, longDate, write, show, writeOrHide, two, listed, blindsOf, nameOf,
  extrasOf, spanText,
};
