// The face of the cash tables: what stands of a table, and the end. From what was told once and the
// server's time, so that offers lapse, the end comes and is counted down with the server dead.

import { write, fill, clockTime, two } from "./screen-words.js";

const MOST_NAMES = 4;
const texts = document.getElementById("hall-texts").dataset;

// Up to the next whole second, as the clock counts.
const leftOf = (ends, at) => {
  const seconds = Math.ceil((ends - at) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return [hours, two(minutes), two(seconds % 60)].join(":");
};

const stageAt = ({ stage, left, runs }, { ends, last }, at) => {
  const isOver = last === null && ends !== null && at >= ends;
  const now = isOver ? ["over", "finishes"][Number(runs)] : stage;
  if (now === "last_hands") return fill(texts.cash_left, { hands: left });
  return { last_hand: texts.cash_last_hand, finishes: texts.cash_finishes, over: texts.cash_stage_over }[now] ?? "";
};

const nameOf = ([name, until], at) => (
  until > at ? fill(texts.cash_kept, { name, time: clockTime.format(until) }) : name
);

// A table in seven cells: number, stakes, free seats; game and stage; buy-in and fee; who waits.
const CASH_CELLS = (row, told, at) => {
  const kept = row.line.filter(([, until]) => until > at).length;
  const free = Math.max(0, row.empty - kept);
  const names = row.line.slice(0, MOST_NAMES).map((one) => nameOf(one, at)).join(", ");
  const more = row.line.length > MOST_NAMES ? " …" : "";
  return [
    fill(texts.cash_table, { table: row.table }),
    row.stakes,
    free > 0 ? fill(texts.cash_free, { free }) : texts.cash_full,
    row.game,
    stageAt(row, told, at),
    row.terms,
    row.line.length > 0 ? fill(texts.cash_waiting, { count: row.line.length, names: names + more }) : "",
  ];
};

const cashEnd = ({ ends, last }, at) => {
  if (last !== null) return last === 1 ? texts.cash_last_one : fill(texts.cash_last, { hands: last });
  if (ends === null) return "";
  if (at >= ends) return texts.cash_over;
  if (texts.cash_alone !== undefined) return fill(texts.cash_end_at, { time: clockTime.format(ends) });
  return fill(texts.cash_end, { time: clockTime.format(ends), left: leftOf(ends, at) });
};

// Where there is no tournament, the strip is the evening's name and what is left of it.
const drawCashStrip = ({ ends, last }, at) => {
  write("strip-level", texts.cash_alone);
  write("strip-time", ends !== null && last === null && at < ends ? leftOf(ends, at) : "");
  write("strip-blinds", "");
};

export { CASH_CELLS, cashEnd, drawCashStrip };
