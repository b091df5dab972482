// Texts as large as their room, measured as they are laid out. A box with data-fit="wide" gets the
// factor --fit, by which what is in it fits into its width; one with data-fit="high" gets --high,
// for its height. The style sheets multiply sizes by these factors; 1 is the largest.

import { drawingsSoFar } from "./screen-words.js";

const LEAST = 0.15;
const STEPS = 9;
const MORE = 1.01;
const NEARLY = 0.988; // of its room: no larger size is looked for
const A_LITTLE_LESS = 0.998;
const ROUNDING = 0.5; // pixels
const TURNS = 4;

const roomOf = (box) => {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const style = getComputedStyle(box);
  const edge = (side) => parseFloat(style[`padding${side}`]) + parseFloat(style[`border${side}Width`]);
  return {
    right: right - edge("Right"),
    width: right - left - edge("Left") - edge("Right"),
    height: bottom - top - edge("Top") - edge("Bottom"),
  };
};

// How much of its room a box takes; more than 1 is too much.
const widthOf = (box) => {
  const content = document.createRange();
  content.selectNodeContents(box);
  const { left, width, right } = content.getBoundingClientRect();
  const room = roomOf(box);
  const free = Math.min(room.width, room.right - left) + ROUNDING;
  return width <= room.width + ROUNDING && right <= room.right + ROUNDING
    ? Math.min(1, width / free) : Math.max(width / free, 1 / A_LITTLE_LESS);
};

// By the boxes of its parts: those of large figures are lower than their type.
const heightOf = (box) => {
  const parts = [...box.children].filter((part) => part.getClientRects().length > 0)
    .map((part) => part.getBoundingClientRect());
  const top = Math.min(...parts.map((part) => part.top));
  const bottom = Math.max(...parts.map((part) => part.bottom));
  return (bottom - top) / (roomOf(box).height + ROUNDING);
};

// What still fits, and would not if it were a little larger, stays as it is. Else the factor is
// reckoned from how much of the room is taken, which is right at once where all sizes follow it.
const fit = (box, name, taken) => {
  if (box.getClientRects().length === 0) return;
  const known = Number(box.style.getPropertyValue(name) || 1);
  const takenAt = (factor) => {
    box.style.setProperty(name, factor);
    return taken(box);
  };
  if (taken(box) <= 1 && (known === 1 || takenAt(Math.min(1, known * MORE)) > 1)) {
    if (known < 1) box.style.setProperty(name, known);
    return;
  }
  let share = takenAt(1);
  if (share <= 1) return;
  let [low, high, factor] = [LEAST, 1, 1];
  for (let step = 0; step < STEPS && !(share <= 1 && share > NEARLY); step += 1) {
    const reckoned = (factor / share) * A_LITTLE_LESS;
    factor = reckoned > low && reckoned < high && step < 3 ? reckoned : (low + high) / 2;
    share = takenAt(factor);
    if (share <= 1) low = factor;
    else high = factor;
  }
  box.style.setProperty(name, low);
};

const wide = document.querySelectorAll("[data-fit=wide]");
const high = document.querySelectorAll("[data-fit=high]");
const heights = () => [...high].map((box) => box.style.getPropertyValue("--high")).join();

// What is given its height back may be too wide then: until both agree.
const fitTexts = () => {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = heights();
    wide.forEach((box) => fit(box, "--fit", widthOf));
    if (turn === TURNS - 1) return;
    high.forEach((box) => fit(box, "--high", heightOf));
    if (heights() === before) return;
  }
};

// To measure makes the browser lay everything out: an idle screen does not, second by second.
let fitted = "";
const fitIfDrawn = () => {
  const { className, dataset } = document.body;
  const key = [drawingsSoFar(), className, ...Object.values(dataset)].join();
  if (key === fitted) return;
  fitted = key;
  fitTexts();
};

addEventListener("resize", fitTexts);
document.fonts.addEventListener("loadingdone", fitTexts);
const room = new ResizeObserver(fitTexts);
document.querySelectorAll(".stage, .hall").forEach((box) => room.observe(box));

export { fitIfDrawn };
