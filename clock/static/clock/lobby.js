// The lobby: all events at once, first what one may miss next. It gets levels and instants once and
// counts by itself; one stream of all its events tells of a change, and only then it asks.

const [ASK_MS, SPREAD_MS, RETRY_MS, HIDDEN_MS] = [1000, 1000, 5000, 10000];
const [A_PAGE, PAGE_MS] = [12, 12000];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const OPEN = -1;
const box = document.getElementById("lobby");
const wallTime = document.getElementById("lobby-time");
const pageNumber = document.getElementById("lobby-page");
const isWall = document.body.matches(".big-screen");
const texts = box.dataset;
const clockTime = new Intl.DateTimeFormat("de-AT", { hour: "2-digit", minute: "2-digit", timeZone: texts.zone });

let told = JSON.parse(document.getElementById("lobby-rows").textContent);
let offset = told.now - performance.now();
const now = () => performance.now() + offset;

const comingOf = (row, at) => row.coming.find(([, instant]) => instant > at) ?? null;

// As in screens/domain/lobby.py.
const inOrder = (rows, at) => {
  const keys = new Map(rows.map((row) => {
    const coming = comingOf(row, at);
    return [row, [Number(coming === null), Number(row.is_cash), coming ? coming[1] : 0]];
  }));
  const compared = (one, other) => keys.get(one)
    .map((key, place) => key - keys.get(other)[place]).find((less) => less !== 0) ?? 0;
  return [...rows].sort(compared);
};

const two = (value) => String(value).padStart(2, "0");
const lasting = (ms) => {
  const seconds = Math.ceil(ms / SECOND);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
};

const levelOf = (row, at) => {
  const [, text] = row.levels.findLast(([instant]) => instant <= at) ?? [0, ""];
  if (row.stands) return [text, texts.stands].filter(Boolean).join(" · ");
  return text || (row.is_cash ? "" : texts.planned);
};

// A far instant is a time of the day, a near one is counted down. Where nothing is to be missed, it is
// the end of the level.
const whenOf = (row, at) => {
  const [level] = row.levels.find(([instant]) => instant > at) ?? [null];
  const [what, instant] = comingOf(row, at) ?? ["level", level];
  if (instant === null) return ["", ""];
  const left = instant - at;
  return [texts[what], left < HOUR ? lasting(left) : texts.at.replace("{time}", clockTime.format(instant))];
};

const element = (tag, name, text) => {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
};

const rowOf = (row, at) => {
  const line = element("li", "lobby-row", "");
  const isOpen = row.late !== null && (row.late === OPEN || at < row.late);
  line.classList.toggle("is-open", isOpen);
  const name = isWall ? element("strong", "lobby-name", row.name) : element("a", "lobby-name", row.name);
  if (!isWall) name.href = row.url;
  const [what, when] = whenOf(row, at);
  line.append(
    name,
    element("span", "lobby-level", levelOf(row, at)),
    element("span", "lobby-field", row.field),
    element("span", "lobby-average", row.average && `Ø ${row.average}`),
    element("span", "lobby-what", what),
    element("strong", "lobby-when", when),
  );
  return line;
};

let timer = 0;
let drawn = "";
const draw = () => {
  const at = now();
  const rows = inOrder(told.rows, at);
  const pages = isWall ? Math.max(1, Math.ceil(rows.length / A_PAGE)) : 1;
  const page = Math.floor(at / PAGE_MS) % pages;
  const shown = isWall ? rows.slice(page * A_PAGE, (page + 1) * A_PAGE) : rows;
  const made = shown.map((row) => rowOf(row, at));
  const html = made.map((line) => line.outerHTML).join("");
  if (html !== drawn && !box.contains(document.activeElement)) {
    box.replaceChildren(...made);
    drawn = html;
  }
  box.classList.toggle("is-empty", rows.length === 0);
  if (wallTime) wallTime.textContent = clockTime.format(at);
  if (pageNumber) pageNumber.textContent = pages > 1 ? `${page + 1} / ${pages}` : "";
  clearTimeout(timer);
  timer = setTimeout(draw, SECOND - (at % SECOND));
};

let source = null;
let streams = "";
let asking = 0;
let hiding = 0;

const ask = async () => {
  asking = 0;
  const answer = await fetch(texts.url, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  told = await answer.json();
  offset = told.now - performance.now();
  draw();
  if (told.key.replace(/:[0-9]+/g, "") !== streams) listen();
};
const askSoon = (wait = ASK_MS + Math.random() * SPREAD_MS) => {
  if (!asking) asking = setTimeout(() => ask().catch(() => askSoon(RETRY_MS)), wait);
};

const listen = () => {
  source?.close();
  source = null;
  streams = told.key.replace(/:[0-9]+/g, "");
  if (!told.streams) return;
  const opened = new EventSource(told.streams);
  let isNew = true;
  source = opened;
  opened.addEventListener("message", () => askSoon());
  opened.addEventListener("lost", () => askSoon());
  // After a gap something may have been missed.
  opened.addEventListener("open", () => {
    if (!isNew) askSoon();
    isNew = false;
  });
  opened.addEventListener("error", () => {
    if (opened.readyState !== EventSource.CLOSED) return;
    streams = "";
    askSoon(RETRY_MS);
  });
};

document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (isWall) return;
  if (document.visibilityState === "hidden") {
    hiding = setTimeout(() => {
      source?.close();
      source = null;
    }, HIDDEN_MS);
  } else if (source === null) {
    streams = "";
    askSoon(0);
  }
});

draw();
listen();
