// What the big screen shows: from the clock's state and the event's figures to the page.
// Reads no time and fetches nothing: `drawScreen` draws the instant it is given.

import { stateFrom } from "./clock.js";
import { chipsText, drawFloor } from "./screen-floor.js";
import { drawEnd } from "./screen-table.js";
import { drawMoney } from "./screen-money.js";
import { drawDealt, drawSide } from "./screen-side.js";
import {
  texts, parts, fill, number, clockTime, shortDate, write, show, writeOrHide, two, blindsOf,
  nameOf, gameOf, labelOf, anteFigureOf, extrasOf, extrasInFull, element,
} from "./screen-words.js";

const TAKEOVER_MS = 12000;
const NEW_FOR_MS = 60000;
const WARNING_MS = 60000;
const MINUTE = 60000;
const HOUR = 3600000;
const SOON_MS = 5 * MINUTE;
const { body } = document;
let state = null;

const faceOf = (shown) => {
  const { status, winner } = state.figures;
  if (status === "ended" || status === "cancelled" || winner) return "ended";
  if (!shown.hasStarted) return "before";
  if (shown.lastHands !== null) return "last-hands";
  if (shown.isWaiting) return "waiting";
  const isBreak = shown.level.kind === "break";
  if (state.hand_for_hand !== null && !isBreak) return "hand-for-hand";
  if (!shown.isRunning) return "paused";
  if (isBreak) return "break";
  const left = shown.remaining;
  const isWarning = left !== null && left <= WARNING_MS && shown.nextLevel !== null;
  return isWarning ? "warning" : "playing";
};

const writeTime = (high, low) => {
  write("time-high", high);
  write("time-low", low);
  show("colon", low !== "");
};

const writeCountdown = (ms) => {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 6000) writeTime(String(Math.floor(seconds / 60)), two(seconds % 60));
  else writeTime(`${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}`, two(seconds % 60));
};

// What is counted down in hands: the last ones of the day, or those of a level.
const handsLeft = (face, shown) => {
  if (face === "last-hands") return shown.lastHands;
  const isCounted = face !== "before" && shown.remaining === null && shown.level.hands !== null;
  return isCounted ? shown.level.hands - shown.hands : null;
};

const drawTime = (face, shown, at) => {
  const hands = handsLeft(face, shown);
  const inHands = hands !== null;
  show("hands", inHands);
  if (face === "before") {
    const left = Date.parse(state.figures.starts_at) - at;
    if (left > 48 * HOUR) writeTime(fill(texts.days, { days: Math.floor(left / (24 * HOUR)) }), "");
    else writeCountdown(Math.max(left, 0));
    return left;
  }
  if (hands === 0 && face === "last-hands") {
    writeTime("", ""); // the headline says that the last one is played
    show("hands", false);
  } else if (inHands) {
    writeTime(number.format(hands), "");
    write("hands", hands === 1 ? texts.hand : texts.hands);
  } else if (shown.remaining === null) writeTime("–", "");
  else writeCountdown(shown.remaining);
  return shown.remaining;
};

const startText = (at) => {
  const start = Date.parse(state.figures.starts_at);
  if (start <= at) return texts.soon;
  const time = clockTime.format(start);
  if (start - at < 12 * HOUR) return fill(texts.starts_at, { time });
  return fill(texts.starts_on, { time, date: shortDate.format(start) });
};

const lastWord = (hands) => {
  if (hands === 0) return texts.hands_over;
  return hands === 1 ? texts.last_hand : fill(texts.hands_left, { hands: number.format(hands) });
};

const drawWords = (face, shown, at) => {
  write("hands-left", face === "last-hands" ? lastWord(shown.lastHands) : "");
  const left = Date.parse(state.figures.starts_at) - at;
  const isSoon = face === "before" && left > 0 && left <= SOON_MS;
  writeOrHide("seats-please", isSoon ? texts.seats_please : "");
  show("stands", face === "hand-for-hand" && !shown.isRunning);
};

const drawMain = (face, shown, at) => {
  const level = face === "waiting" ? shown.nextLevel : shown.level;
  const isBreak = level.kind === "break";
  write("level", face === "before" ? startText(at) : nameOf(level));
  writeOrHide("game", gameOf(level));
  let big = isBreak ? "" : blindsOf(level);
  if (face === "break") big = fill(texts.back_at, { time: clockTime.format(at + shown.remaining) });
  write("blinds", big);
  writeOrHide("blinds-label", labelOf(level));
  const isPlay = !isBreak && face !== "before";
  const { label, chips } = anteFigureOf(level);
  show("ante", isPlay && chips !== "");
  write("ante-label", label);
  write("ante-chips", chips);
  const extras = extrasOf(level, state.figures.shows_big_bet);
  Object.entries(extras).forEach(([name, text]) => writeOrHide(name, isPlay ? text : ""));
  const isFirst = shown.level.number === 1;
  writeOrHide("new", !isFirst && isNew(face, shown, at, NEW_FOR_MS) ? texts.new_level : "");
};

const PLAYED = ["playing", "warning", "hand-for-hand"];
const isNew = (face, shown, at, spanMs) => (
  PLAYED.includes(face) && shown.isRunning && shown.beganAt !== null
  && at - shown.beganAt < spanMs
);

// In big blinds, in stud in small bets; during a break in those of the next level.
const inUnits = (stack, shown) => {
  const level = [shown.level, shown.nextLevel].find((one) => one?.big_blind > 0 || one?.small_bet > 0);
  const count = level ? Math.floor(stack / (level.big_blind || level.small_bet)) : 0;
  if (count === 0) return "";
  return fill(level.big_blind > 0 ? texts.average_bb : texts.average_bets, { blinds: number.format(count) });
};

const drawFigures = (face, shown) => {
  const { figures } = state;
  const isBefore = face === "before";
  show("playing", !isBefore);
  show("stack", !isBefore);
  show("registered", isBefore);
  show("free", isBefore && state.free !== null);
  write("free-count", number.format(state.free ?? 0));
  show("seated", isBefore && figures.entries > 0);
  show("table-count", figures.tables > 0);
  write("left", number.format(figures.players_left));
  write("entries", fill(texts.left_of, { entries: number.format(figures.entries) }));
  write("registrations", number.format(figures.registrations));
  write("seats", number.format(figures.entries));
  const hasAverage = figures.average_stack !== null && figures.average_stack > 0;
  const average = hasAverage ? number.format(figures.average_stack) : "–";
  write("average", figures.average_is_exact || !hasAverage ? average : fill(texts.about, { amount: average }));
  write("average-bb", hasAverage ? inUnits(figures.average_stack, shown) : "");
  write("tables", number.format(figures.tables));
  show("prizes", !isBefore && state.paid > 0);
  write("prize-count", number.format(state.paid));
  const isFinal = figures.is_final_table && face !== "ended";
  show("final", isFinal);
  body.classList.toggle("is-final", isFinal);
  show("sample", figures.sample);
};

// One piece a row of the schedule, as wide as it lasts.
let barKey = "";
const drawBar = (face, shown) => {
  const { levels } = state.clock;
  const key = JSON.stringify(levels);
  if (key !== barKey) {
    barKey = key;
    parts.bar.replaceChildren(...levels.map(pieceOf));
  }
  [...parts.bar.children].forEach((piece, index) => {
    const span = levels[index].duration ?? 0;
    let share = index < shown.index ? 1 : 0;
    if (index === shown.index && span > 0) share = Math.max(0, shown.elapsed / span);
    piece.classList.toggle("piece-now", index === shown.index);
    const drawn = face === "before" ? "0" : share.toFixed(3);
    if (piece.style.getPropertyValue("--share") !== drawn) piece.style.setProperty("--share", drawn);
  });
};

const pieceOf = (level) => {
  const piece = element(level.kind === "break" ? "piece piece-break" : "piece");
  piece.style.setProperty("--span", Math.max((level.duration ?? 20 * MINUTE) / MINUTE, 4));
  return piece;
};

const drawTakeover = (face, shown, at) => {
  const isShown = isNew(face, shown, at, TAKEOVER_MS);
  show("takeover", isShown);
  if (!isShown) return;
  const { level } = shown;
  write("takeover-level", nameOf(level));
  write("takeover-blinds", blindsOf(level));
  writeOrHide("takeover-extras", extrasInFull(level, state.figures.shows_big_bet));
  write("takeover-word", level.number === 1 ? texts.off_we_go : texts.from_next_hand);
  const { colour_up: swap } = level;
  writeOrHide("takeover-swap", swap.length > 0 ? chipsText(swap, texts.swap_now) : "");
};

const drawHead = (at, knownAt) => {
  write("wall", fill(texts.time, { time: clockTime.format(at) }));
  show("known", knownAt !== null);
  if (knownAt !== null) write("known", fill(texts.known_at, { time: clockTime.format(knownAt) }));
};

// Draw what holds at `at`, and return the milliseconds that are counted down, null if none are.
// `knownAt` is when the server was last heard, null while it is there. When the schedule does not
// fit the anchor a new one is under way: the picture stays as it is.
const drawScreen = (known, at, knownAt) => {
  state = known;
  const shown = stateFrom(state.clock.anchor, state.clock.levels, at);
  if (shown === null) return null;
  const face = faceOf(shown);
  if (body.dataset.face !== face) body.dataset.face = face;
  drawHead(at, knownAt);
  drawMain(face, shown, at);
  drawWords(face, shown, at);
  drawSide(state, face, shown);
  drawMoney(state, face, shown);
  drawDealt(state, face);
  drawFigures(face, shown);
  drawBar(face, shown);
  drawTakeover(face, shown, at);
  drawFloor(state, face, shown, at);
  drawEnd(state);
  return drawTime(face, shown, at);
};

export { drawScreen };
