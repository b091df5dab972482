// The small clock of laptop and phones. It counts by itself from #clock-data, with the function of
// the big screen, and takes a new anchor from each change of the stream. A page that missed some
// reads itself again. Fills [data-clock-show=…] within [data-clock], whose data-* hold its words, and
// [data-until] with the time left until then. On a page without #clock-data it does nothing.

import { stateFrom } from "../../clock/clock.js";

const ANNOUNCE_MS = 60000;
// So that the phones of a hall do not all ask at the instant of a change, nor before it.
const ASK_AFTER_MS = 300;
const ASK_WITHIN_MS = 1000;
const number = new Intl.NumberFormat(document.documentElement.lang);

const read = (page) => JSON.parse(page.getElementById("clock-data")?.textContent ?? "null");
let data = read(document);
// A page that follows late shows the clock as much later.
const offsetOf = (now) => now - (data.delay ?? 0) - Date.now();
let offset = data === null ? 0 : offsetOf(data.now);
let timer = 0;
let levelShown = null;
let known = Number(document.body.dataset.version);

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const two = (value) => String(value).padStart(2, "0");

const timeOf = (ms) => {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

const hasFixedBets = (level, words) => (
  level.limit ? level.limit === "split_limit" : "bigBet" in words
);
// The blinds, in stud the two bets.
const stakesOf = (level, words) => {
  const isStud = level.big_blind === 0;
  if (isStud && level.small_bet === 0) return "";
  const pair = isStud ? [level.small_bet, level.big_bet] : [level.small_blind, level.big_blind];
  const hasBigBet = !isStud && level.big_bet > 0 && hasFixedBets(level, words);
  const big = hasBigBet ? ` – ${number.format(level.big_bet)}` : "";
  return pair.map((chips) => number.format(chips)).join(" / ") + big;
};
const posted = (text, chips) => (chips > 0 ? fill(text, { ante: number.format(chips) }) : "");
// What is posted beside them, and what is played.
const besideOf = (level, words) => (level.kind === "break" ? [] : [
  posted(level.ante_kind === "big_blind" ? words.bbAnte : words.ante, level.ante),
  posted(words.bringIn, level.bring_in),
  level.game,
  words[level.limit] ?? "",
].filter(Boolean));
const blindsOf = (level, words) => (
  level.kind === "break" ? words.break : stakesOf(level, words) || besideOf(level, words)[0]
);
const allOf = (level, words) => {
  if (level === null) return "";
  const [beside, blinds] = [besideOf(level, words), blindsOf(level, words)];
  return [blinds, ...beside.filter((text) => text !== blinds)].join(", ");
};

const labelOf = (level, words) => (
  level.kind === "break" ? words.break : fill(words.level, { number: level.number })
);

const faceOf = ({ hasStarted, isRunning }) => {
  if (!hasStarted) return "waiting";
  return isRunning ? "running" : "paused";
};

const announcement = (state, now, words) => {
  const isFresh = state.isRunning && state.index > 0 && state.beganAt !== null
    && now - state.beganAt < ANNOUNCE_MS;
  if (!isFresh || state.level.kind === "break") return "";
  return fill(words.announce, { blinds: allOf(state.level, words) });
};

const hasBreaks = () => data.levels.some((level) => level.kind === "break");
const textsOf = (state, now, words) => ({
  level: labelOf(state.level, words),
  blinds: blindsOf(state.level, words),
  beside: besideOf(state.level, words).filter((text) => text !== blindsOf(state.level, words)).join(", "),
  remaining: state.remaining === null
    ? fill(words.hands, { hands: Math.max(state.level.hands - state.hands, 0) })
    : timeOf(state.remaining),
  next: state.nextLevel === null ? "" : fill(words.next, { blinds: allOf(state.nextLevel, words) }),
  "next-blinds": state.nextLevel === null ? words.last : allOf(state.nextLevel, words),
  break: state.timeToBreak === null
    ? words[hasBreaks() ? "noBreak" : "never"]
    : fill(words.toBreak, { minutes: Math.ceil(state.timeToBreak / 60000) }),
  announce: announcement(state, now, words),
  state: words[faceOf(state)] ?? "",
});

const write = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const drawOne = (clock, state, now) => {
  const texts = textsOf(state, now, clock.dataset);
  clock.dataset.clockState = faceOf(state);
  clock.querySelectorAll("[data-clock-show]").forEach((element) => {
    write(element, texts[element.dataset.clockShow] ?? "");
  });
  clock.style.setProperty("--letters", Math.max(texts.blinds.length, 8)); // one line, however large
  clock.querySelectorAll("progress[data-clock-bar]").forEach((bar) => {
    bar.max = state.level.duration ?? state.level.hands ?? 1;
    bar.value = state.level.duration === null ? state.hands : state.elapsed;
  });
};

// What rests on the announced level asks again by hx-trigger="krru:level from:body".
const tellLevel = (level) => {
  const isFirst = levelShown === null;
  if (levelShown === level.id) return;
  levelShown = level.id;
  if (isFirst) return;
  setTimeout(
    () => document.body.dispatchEvent(new CustomEvent("krru:level")),
    ASK_AFTER_MS + Math.random() * ASK_WITHIN_MS,
  );
};

const draw = () => {
  clearTimeout(timer);
  const now = Math.round(Date.now() + offset);
  const state = stateFrom(data.anchor, data.levels, now);
  if (state === null) return;
  document.querySelectorAll("[data-clock]").forEach((clock) => drawOne(clock, state, now));
  document.querySelectorAll("[data-until]").forEach((one) => {
    write(one, timeOf(Math.max(Date.parse(one.dataset.until) - now, 0)));
  });
  tellLevel(state.level);
  const untilNext = state.remaining === null ? 1000 : state.remaining % 1000 || 1000;
  timer = setTimeout(draw, state.isRunning ? untilNext + 5 : 1000);
};

// A page that was written before the newest change must not put the clock back to what it was.
const readAgain = async () => {
  const asked = known;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (known > asked && Number(page.body.dataset.version) < known) {
    await readAgain();
    return;
  }
  data = read(page);
  offset = offsetOf(data.now);
  draw();
};

const run = () => {
  let isStale = false;
  document.body.addEventListener("krru:change", ({ detail }) => {
    if (data.delay !== undefined) return; // again.js asks for it later
    known = Math.max(known, detail.version);
    const { anchor, changed } = detail;
    isStale ||= changed.includes("settings") || (changed.includes("clock") && !anchor);
    if (!detail.anchor) return;
    data.anchor = detail.anchor;
    draw();
  });
  ["krru:clock", "krru:settings"].forEach((name) => document.body.addEventListener(name, () => {
    if (!isStale) return;
    isStale = false;
    readAgain().catch(() => { isStale = true; });
  }));
  document.body.addEventListener("krru:time", ({ detail }) => {
    offset = offsetOf(detail.now);
    draw();
  });
  document.body.addEventListener("krru:shown", () => {
    if (data.delay !== undefined) data = read(document);
    draw();
  });
  document.body.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("visibilitychange", draw);
  draw();
};

if (data !== null) run();
