// The faces beside the clock: seats by name, latest moves, places so far, bounties, by pages, under a
// strip of the clock. It gets each list once, and again when it is told of a change.
// The screen's own timer draws it, after the clock, so that all faces turn with the same time.

import { hallAt, movedTogetherAt } from "./hall-cycle.js";
import { CASH_CELLS, cashEnd, drawCashStrip } from "./hall-cash.js";
import { drawFinal } from "./screen-table.js";
import { parts, write, writeOrHide, show, fill, clockTime, element } from "./screen-words.js";

const LEAST_BETWEEN_MS = 5000;
// Where faces take turns, moves of long ago leave theirs out.
const MOVES_FRESH_MS = 45 * 60000;
// A list is fetched again only for what can change it.
const CHANGED_BY = {
  seating: ["tables", "entries", "registrations"],
  moves: ["tables"],
  places: ["entries", "registrations"],
  hunters: ["entries", "registrations"],
  prizes: ["entries", "registrations", "settings"],
  cash: ["tables"],
  bags: ["entries", "settings"],
  flights: ["entries", "settings"],
  own: ["entries", "registrations", "settings", "tables", "clock"],
};
// Type as large as lets everything stand on one page, else small type and pages. In shares of the
// screen's height.
const [LARGEST, ALONE, SMALLEST, STEP] = [0.056, 0.11, 0.027, 0.001];
// A name that is cut makes the type smaller, but not smaller than this.
const SMALLEST_FOR_A_NAME = 0.03;
// In shares of the type: a row, and the width one column needs at least.
const ROW = 1.45;
// A cash table is four lines, with no head above them.
const ROWS = { cash: 5.2 };
const rowOf = (face) => ROWS[face] ?? ROW;
const headsOf = (face) => (["cash", "prizes", "own"].includes(face) ? 0 : 1);
const WIDTHS = {
  seating: 15, moves: 24, places: 14.5, hunters: 18, prizes: 9.5, cash: 22, bags: 25, flights: 20,
  own: 1,
};
const WIDTH_WITH_PRIZES = 21;

const texts = document.getElementById("hall-texts").dataset;
const link = JSON.parse(document.getElementById("hall-link").textContent);
const { body } = document;
// An evening of cash tables alone has no other face, whatever the screen was told.
const isCashAlone = texts.cash_alone !== undefined;
const NOT_ALWAYS = ["cash", "prizes", "bags", "flights"];
const isMissing = (face) => NOT_ALWAYS.includes(face) && texts[face] === undefined;
const shownFor = (name) => {
  if (isCashAlone) return "cash";
  return isMissing(name) ? "clock" : name;
};
let shows = shownFor(link.screen.shows);
// The last change of the club's own face.
let { own } = link.screen;
const FACES = Object.keys(WIDTHS);
const rows = Object.fromEntries(FACES.map((face) => [face, null]));
const fetched = {};
let cashTold = { ends: null, last: null };
// Whether the own face is shown in breaks, and whether that and its slides may be others by now.
let isInBreaks = false;
let isOwnStale = true;
const waiting = {};
let drawn = "";
let drawnAt = 0;
let version = 0;

// The final table is drawn beside the clock, from the list of seats.
// Beside the clock the latest moves are known, too: many at once show themselves.
const isUsed = (face) => (
  shows === face || (shows === "rotating" && !isMissing(face))
  || (face === "moves" && shows === "clock")
  || (face === "own" && (isOwnStale || (shows === "clock" && isInBreaks)))
  || (face === "seating" && body.classList.contains("is-final"))
);

// Letters that are not in the wall's own font (wall-font.css) are there before they are shown.
const loadLetters = (text) => {
  const rare = text.replace(/[ -~ÄÖÜßäèéöü]/g, "");
  if (rare) document.fonts.load('1em "KRRU"', rare).catch(() => {});
};

const load = async (face) => {
  waiting[face] = 0;
  fetched[face] = performance.now();
  const answer = await fetch(`${link.hall_url}?was=${face}`, { cache: "no-store" });
  if (!answer.ok) return;
  const { rows: found, ends, last, in_breaks: inBreaks } = await answer.json();
  rows[face] = found;
  if (face === "cash") cashTold = { ends, last };
  if (face === "own") [isInBreaks, isOwnStale] = [inBreaks, false];
  loadLetters(rows[face].flat().join(""));
  delete largest[face];
  version += 1;
};
const loadSoon = (face) => {
  if (waiting[face] || !isUsed(face)) return;
  const wait = Math.max(0, (fetched[face] ?? -Infinity) + LEAST_BETWEEN_MS - performance.now());
  waiting[face] = setTimeout(() => load(face).catch(() => {}), wait);
};

Object.entries(CHANGED_BY).forEach(([face, names]) => {
  names.forEach((name) => body.addEventListener(`krru:${name}`, () => {
    if (isUsed(face)) loadSoon(face);
    else rows[face] = null;
  }));
});
// Moves beside the clock are news alone: they are asked for once something has changed.
const loadMissing = () => {
  FACES.filter((face) => rows[face] === null && (!NOT_ALWAYS.includes(face) || isUsed(face)))
    .filter((face) => face !== "moves" || shows !== "clock").forEach(loadSoon);
};
body.addEventListener("krru:screen", ({ detail }) => {
  shows = shownFor(detail.shows);
  if (detail.own !== own) {
    own = detail.own;
    isOwnStale = true;
    loadSoon("own");
  }
  loadMissing();
});

const seatText = (table, seat) => fill(texts.at, { table, seat });

const HEADS = {
  seating: () => [texts.name, texts.table, texts.seat],
  moves: () => [texts.when, texts.name, texts.from, texts.to],
  places: (isPriced) => [texts.place, texts.name, ...(isPriced ? [texts.prize] : [])],
  hunters: () => [texts.name, texts.heads, texts.won],
  bags: () => [texts.rank, texts.name, texts.flight, texts.chips, texts.big_blinds],
  flights: () => [texts.flight, texts.entries, texts.through, texts.chips],
};
// Where a row is not shown as it was told.
const CELLS = {
  moves: ([when, name, fromTable, fromSeat, table, seat]) => (
    [clockTime.format(when), name, seatText(fromTable, fromSeat), seatText(table, seat)]
  ),
  places: ([place, ...further]) => [fill(texts.place_number, { place }), ...further],
  prizes: ([place, prize]) => [fill(texts.place_number, { place }), prize],
  cash: (row) => CASH_CELLS(row, cashTold, drawnAt),
};

const line = (tag, face, cells) => {
  const made = element(`hall-line hall-${face}`, "", tag);
  made.append(...cells.map((text) => element("", text)));
  return made;
};

const hasPrizes = (face) => face === "places" && rows.places.length > 0 && rows.places[0].length > 2;

// How many columns and lines there is room for in a type.
const roomFor = (face, type) => {
  const { clientWidth: width, clientHeight: height } = parts["hall-rows"];
  const needed = hasPrizes(face) ? WIDTH_WITH_PRIZES : WIDTHS[face];
  const columns = Math.max(1, Math.floor(width / (needed * type * innerHeight)));
  const lines = Math.max(1, Math.floor(height / (rowOf(face) * type * innerHeight)) - headsOf(face));
  return { type, columns, lines };
};

// Pages, columns and lines of a list, evenly filled: no page and no column is left with a rest.
// Few cash tables, and prizes, fill the room.
const largestOf = (face) => (headsOf(face) ? LARGEST : ALONE);
// What fitted last, where it was less.
let largest = {};
const fitting = (face) => {
  const { length } = rows[face];
  let type = largest[face] ?? largestOf(face);
  let room = roomFor(face, type);
  while (room.columns * room.lines < length && type > SMALLEST) {
    type = Math.max(type - STEP, SMALLEST);
    room = roomFor(face, type);
  }
  const pages = Math.ceil(length / (room.columns * room.lines));
  const most = Math.ceil(length / pages);
  const columns = Math.ceil(most / room.lines);
  return { type, pages, most, columns, lines: Math.ceil(most / columns) };
};

const pagesOf = (face, at) => {
  if (face === "own") return rows.own?.length ?? 0;
  const list = isUsed(face) ? rows[face] : null;
  if (list === null || list.length === 0) return 0;
  const isOld = face === "moves" && at - list[0][0] > MOVES_FRESH_MS;
  return isOld && shows === "rotating" ? 0 : fitting(face).pages;
};

const drawRows = (face, page, fit) => {
  const shown = rows[face].slice(page * fit.most, (page + 1) * fit.most);
  const columns = [];
  for (let start = 0; start < shown.length; start += fit.lines) {
    const column = element("hall-column", "", "div");
    if (headsOf(face)) column.append(line("p", face, HEADS[face](hasPrizes(face))));
    const list = document.createElement("ul");
    const cells = shown.slice(start, start + fit.lines).map(CELLS[face] ?? ((row) => row));
    list.append(...cells.map((row) => line("li", face, row)));
    column.append(list);
    columns.push(column);
  }
  const box = parts["hall-rows"];
  box.style.setProperty("--columns", fit.columns);
  box.classList.toggle("is-full", headsOf(face) === 0);
  box.style.setProperty("--lines", fit.lines);
  box.style.setProperty("--row", `${fit.type * rowOf(face) * 100}vh`);
  box.style.setProperty("--type", `${fit.type * 100}vh`);
  box.replaceChildren(...columns);
  return shown;
};

// A long list of who waits ends in dots instead.
const isCut = () => [...parts["hall-rows"].querySelectorAll("li span:not(.hall-cash > :last-child)")]
  .some((cell) => cell.scrollWidth > cell.clientWidth);

// The club's own face: a slide with a picture or a text, or a grid of figures.
const figureOf = ([label, lines = []]) => {
  const cell = element("own-cell", "", "div");
  if (label) [label, ...lines].forEach((text) => cell.append(element("", text, "p")));
  return cell;
};

// A page as [seconds, text, picture, figures].
const drawOwn = (box, [, text, picture, figures]) => {
  const own = element(figures.length > 0 ? "own own-grid" : "own", "", "div");
  own.append(...figures.map(figureOf));
  if (picture) own.append(Object.assign(new Image(), { alt: "", src: picture }));
  if (text) own.append(element("own-text", text, "p"));
  box.replaceChildren(own);
};

const drawPage = (face, page, pages) => {
  write("hall-title", texts[face] ?? "");
  const isEmpty = rows[face] !== null && rows[face].length === 0;
  show("hall-empty", isEmpty);
  write("hall-empty", isEmpty ? texts[`no_${face}`] : "");
  write("hall-page", pages > 1 ? fill(texts.page, { page: page + 1, pages }) : "");
  if (rows[face] === null || isEmpty) {
    parts["hall-rows"].replaceChildren();
    if (headsOf(face)) write("hall-range", "");
    return;
  }
  if (face === "own") {
    parts["hall-rows"].classList.add("is-full");
    parts["hall-rows"].style.setProperty("--columns", 1);
    write("hall-range", "");
    write("hall-page", "");
    drawOwn(parts["hall-rows"], rows.own[page]);
    return;
  }
  let fit = fitting(face);
  let shown = drawRows(face, page, fit);
  while (isCut() && fit.pages === 1 && fit.type > SMALLEST_FOR_A_NAME) {
    largest[face] = fit.type - STEP;
    fit = fitting(face);
    shown = drawRows(face, page, fit);
  }
  const names = face === "seating" && pages > 1;
  const ends = { first: shown[0][0], last: shown[shown.length - 1][0] };
  if (headsOf(face)) write("hall-range", names ? fill(texts.range, ends) : "");
};

const drawStrip = () => {
  const isOver = body.dataset.face === "ended";
  const seen = (...names) => names.map((name) => parts[name]).filter((node) => !node.hidden)
    .map((node) => node.textContent);
  const time = seen("time-high", "colon", "time-low").join("");
  const over = seen("winner-word", "over-word", "cancelled-word", "winner").join(" ");
  write("strip-level", isOver ? over : parts.level.textContent);
  write("strip-time", isOver ? "" : [time, ...seen("hands")].join(" "));
  const isPlay = !isOver && body.dataset.face !== "before";
  write("strip-blinds", isPlay ? parts.blinds.textContent : "");
  const ante = parts["ante-chips"].textContent === "" ? "" : seen("ante-label", "ante-chips").join(" ");
  const beside = [ante, parts["bring-in"].textContent].filter(Boolean);
  writeOrHide("strip-beside", isPlay ? beside.join(" · ") : "");
  write("strip-wall", parts.wall.textContent);
  show("strip-known", !parts.known.hidden);
  write("strip-known", parts.known.textContent);
};

addEventListener("resize", () => { largest = {}; });

const potOf = (stakes) => {
  const pot = stakes?.pot ? `${texts.pot} ${stakes.pot}` : "";
  return [pot, parts["to-money"].textContent].filter(Boolean).join(" · ");
};

// In breaks the own face takes turns with the clock, if the club says so.
const faceAt = (pages, at) => {
  const spans = (isUsed("own") && rows.own !== null ? rows.own : []).map(([seconds]) => seconds * 1000);
  const found = hallAt(shows, pages, at, movedTogetherAt(rows.moves ?? []), spans);
  const isTurning = isInBreaks && body.dataset.face === "break" && shows === "clock";
  return isTurning && found.face === "clock" ? hallAt("rotating", {}, at, null, spans) : found;
};

const drawHall = (at, state) => {
  drawnAt = at;
  if (rows.seating === null) loadSoon("seating");
  drawFinal(rows.seating, state);
  const pages = Object.fromEntries(FACES.map((face) => [face, pagesOf(face, at)]));
  const { face, page } = faceAt(pages, at);
  if (body.dataset.hall !== face) body.dataset.hall = face;
  if (face === "clock") return;
  drawStrip();
  if (isCashAlone) drawCashStrip(cashTold, at);
  const count = Math.max(pages[face], 1);
  const minute = face === "cash" ? Math.floor(at / 60000) : 0;
  const key = [face, page, count, version, innerWidth, innerHeight, minute].join();
  if (face === "cash") write("hall-range", cashEnd(cashTold, at));
  if (face === "prizes") write("hall-range", potOf(state.stakes));
  if (key === drawn) return;
  drawn = key;
  drawPage(face, page, count);
};

export { drawHall };
