// What the big screen shows of the floor beside the levels: chips being exchanged, hand-for-hand,
// the money reached, the club's logo. `drawFloor` draws the instant it is given.

import {
  texts, parts, fill, number, write, writeOrHide, show, list, element, disc, remake,
} from "./screen-words.js";

const SWAP_SOON_MS = 5 * 60000;
const SWAP_FOR_MS = 3 * 60000;
const MONEY_FOR_MS = 20000;
const MOST_TABLES = 24;
const { body } = document;

// In a break while it lasts, in a level of play at its beginning; before both, for a while.
const swapOf = (shown, at) => {
  const { level, nextLevel, beganAt, remaining } = shown;
  const isNow = level.kind === "break" || (beganAt !== null && at - beganAt < SWAP_FOR_MS);
  if (level.colour_up.length > 0 && isNow) return [level.colour_up, texts.swap_now];
  const isSoon = shown.hasStarted && remaining !== null && remaining <= SWAP_SOON_MS;
  if (isSoon && nextLevel?.colour_up.length > 0) return [nextLevel.colour_up, texts.swap_soon];
  return [[], ""];
};

const chipsText = (values, text) => (
  fill(text, { chips: list.format(values.map((value) => fill(texts.chips_of, { value: number.format(value) }))) })
);

const drawSwap = (face, shown, at, { chips }) => {
  const isQuiet = ["before", "ended", "hand-for-hand", "last-hands"].includes(face);
  const [values, text] = isQuiet ? [[], ""] : swapOf(shown, at);
  show("swap", values.length > 0);
  body.dataset.swap = values.length > 0 ? String(Math.min(values.length, 4)) : "";
  if (values.length === 0) return;
  write("swap-word", chipsText(values, text));
  remake("swap-chips", JSON.stringify([values, chips]), () => values.map((value) => disc(value, chips[value])));
};

const drawRounds = (face, rounds) => {
  if (face !== "hand-for-hand") return;
  const { round, reported, tables, elsewhere } = rounds;
  // Hand 0 is the one that ran when it was said: a table that has played it waits for the first.
  const isOut = round > 0 && reported < tables;
  body.dataset.round = isOut ? "cards" : "wait";
  write("round-word", isOut ? texts.cards : texts.wait);
  const name = fill(texts.round, { number: number.format(round) });
  write("round-number", round > 0 ? name : texts.last_alone);
  write("round-count", fill(texts.tables_done, {
    reported: number.format(reported), tables: number.format(tables),
  }));
  const soon = elsewhere ? fill(texts.other_rooms, { rooms: elsewhere }) : texts.next_soon;
  write("round-hint", reported < tables ? "" : soon);
  show("round-tables", tables <= MOST_TABLES);
  remake("round-tables", `${reported} ${tables}`, () => (
    Array.from({ length: Math.min(tables, MOST_TABLES) }, (_, index) => (
      element(index < reported ? "felt felt-done" : "felt")
    ))
  ));
};

const drawCards = (count) => {
  const most = count > 5 ? 0 : count;
  remake("cards", String(most), () => Array.from({ length: most }, () => element("card")));
};

const drawMoney = (face, at, money) => {
  const isReached = money !== null && face !== "ended";
  show("money", isReached);
  show("money-news", isReached && at - money.since < MONEY_FOR_MS);
  if (isReached) write("money-for", fill(texts.money_for, { left: number.format(money.left) }));
};

// A new look comes with the next news of any change; the page is not loaded again for it.
const drawLook = ({ logo, style }) => {
  show("logo", logo !== "");
  show("club", logo === "");
  const file = parts["logo-file"];
  if ((file.getAttribute("src") ?? "") !== logo) file.setAttribute("src", logo);
  const link = document.querySelector("link[data-theme]");
  if ((link?.getAttribute("href") ?? "") === style) return;
  link?.remove();
  if (style === "") return;
  const fresh = Object.assign(document.createElement("link"), { rel: "stylesheet", href: style });
  fresh.dataset.theme = "";
  document.head.append(fresh);
};

// The draws: fingerprint and hall number before the start; a new number for a minute later.
const CALLED_MS = 60_000;
const called = { number: null, at: -Infinity };

const drawPromise = (face, { promise, number }, at) => {
  if (called.number !== null && called.number !== number) called.at = at;
  called.number = number;
  const isNew = number !== "" && at - called.at < CALLED_MS;
  const isBefore = face === "before" && promise !== "";
  body.classList.toggle("is-called", isNew);
  writeOrHide("promise", [
    number !== "" && (isNew || isBefore) ? fill(texts.called_number, { called: number }) : "",
    isBefore ? fill(texts.promise, { promise }) : "",
  ].filter(Boolean).join(" · "));
};

const drawFloor = (state, face, shown, at) => {
  drawSwap(face, shown, at, state);
  drawRounds(face, state.hand_for_hand);
  drawCards(face === "last-hands" ? shown.lastHands : 0);
  drawMoney(face, at, state.money);
  drawLook(state.theme);
  drawPromise(face, state.draws, at);
};

export { drawFloor, chipsText };
