// Texts as large as their room, measured as they are laid out. A box with data-fit="wide" gets the
// factor --fit, by which what is in it fits into its width; one with data-fit="high" gets --high,
// for its height. The style sheets multiply sizes by these factors; 1 is the largest.

import { drawingsSoFar } from "./screen-words.js";

const LEAST = 0.15;
const STEPS = 9;
const MORE = 1.01;
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

const isNarrow = (box) => {
  const content = document.createRange();
  content.selectNodeContents(box);
  const { width, right } = content.getBoundingClientRect();
  const room = roomOf(box);
  return width <= room.width + ROUNDING && right <= room.right + ROUNDING;
};

// By the boxes of its parts: those of large figures are lower than their type.
const isLow = (box) => {
  const parts = [...box.children].filter((part) => part.getClientRects().length > 0)
    .map((part) => part.getBoundingClientRect());
  const top = Math.min(...parts.map((part) => part.top));
  const bottom = Math.max(...parts.map((part) => part.bottom));
  return bottom - top <= roomOf(box).height + ROUNDING;
};

// What still fits, and would not if it were a little larger, stays as it is.
const fit = (box, name, fits) => {
  if (box.getClientRects().length === 0) return;
  const known = Number(box.style.getPropertyValue(name) || 1);
  const isRight = (factor) => {
    box.style.setProperty(name, factor);
    return fits(box);
  };
  if (fits(box) && (known === 1 || !isRight(Math.min(1, known * MORE)))) {
    if (known < 1) box.style.setProperty(name, known);
    return;
  }
  if (isRight(1)) return;
  let [low, high] = [LEAST, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (isRight(middle)) low = middle;
    else high = middle;
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
    wide.forEach((box) => fit(box, "--fit", isNarrow));
    if (turn === TURNS - 1) return;
    high.forEach((box) => fit(box, "--high", isLow));
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
