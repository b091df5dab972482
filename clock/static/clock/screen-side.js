// What comes: the next level, the next break, the end of late registration, the end of the evening.
// `drawSide` draws the instant it is given.

import {
  texts, parts, fill, number, write, writeOrHide, show, blindsOf, extrasInShort, spanText, element, disc, remake,
} from "./screen-words.js";

// How long a level's end is away, null where hands or nobody's watch count it.
const untilEndOf = (levels, last, shown) => {
  if (shown.remaining === null) return null;
  const spans = levels.slice(shown.index + 1, last + 1).map((level) => level.duration);
  return spans.includes(null) ? null : spans.reduce((sum, span) => sum + span, shown.remaining);
};

// The name of a row: a break has that of the level before it.
const rowName = (levels, row) => {
  const before = levels.slice(0, row + 1).findLast((level) => level.kind !== "break");
  const words = levels[row].kind === "break" ? texts.break_after : texts.level;
  return before ? fill(words, { number: number.format(before.number) }) : texts.break;
};

const drawLate = (state, face, shown) => {
  const { levels } = state.clock;
  const last = state.late;
  const isOpen = last !== null && shown.index <= last && face !== "ended" && state.money === null;
  show("late", isOpen);
  if (!isOpen) return;
  const left = face === "before" ? null : untilEndOf(levels, last, shown);
  const name = rowName(levels, last);
  write("late-label", left === null ? texts.late_until : fill(texts.late_for, { name }));
  write("late-time", left === null ? name : spanText(left));
};

const drawEnd = ({ end }, face) => {
  const isShown = (end ?? null) !== null && face !== "before" && face !== "ended";
  show("end", isShown);
  if (!isShown) return;
  const [at, span] = end;
  write("end-at", at);
  write("end-span", span);
};

const drawSide = (state, face, shown) => {
  const next = face === "before" ? shown.level : shown.nextLevel;
  const isNext = next !== null && face !== "waiting";
  show("next", isNext);
  show("foot-next", isNext);
  show("last", next === null);
  if (next !== null) {
    const word = { before: texts.first, break: texts.after }[face] ?? texts.next;
    const blinds = next.kind === "break" ? texts.break : blindsOf(next);
    ["next-label", "foot-label"].forEach((part) => write(part, word));
    ["next-blinds", "foot-blinds"].forEach((part) => write(part, blinds));
    writeOrHide("next-extras", extrasInShort(next));
    writeOrHide("foot-extras", face === "break" ? extrasInShort(next) : "");
  }
  const hasBreak = shown.timeToBreak !== null && face !== "before" && shown.level.kind !== "break";
  show("to-break", hasBreak);
  if (hasBreak) write("to-break-time", spanText(shown.timeToBreak));
  drawLate(state, face, shown);
  drawEnd(state, face);
};

// Before the start: what everybody begins with.
const pieceOf = ([value, count, colour]) => {
  const piece = element("dealt-piece");
  piece.append(
    disc(value, colour),
    element("dealt-count", fill(texts.pieces, { count: number.format(count) })),
  );
  return piece;
};

const drawDealt = ({ dealt }, face) => {
  // The call to the seats needs the room.
  const isShown = face === "before" && dealt !== null && parts["seats-please"].hidden;
  show("dealt", isShown);
  if (!isShown) return;
  write("dealt-chips", number.format(dealt.chips));
  remake("dealt-pieces", JSON.stringify(dealt.pieces), () => dealt.pieces.map(pieceOf));
};

export { drawDealt, drawSide };
