// Seats by hand on the tables of the dashboard: drag a player to a seat, or choose the player and then the
// seat, by key, mouse or finger. What comes of it is the server's business: done, a sheet that asks
// why, or a refusal beside the table.

const FAR = 6; // pixels a pointer moves before a press is a drag
const TOLD_MS = 4000; // how long it is read that something was let go
const told = document.getElementById("seats-told");
const mode = document.getElementById("seats-mode");

const grid = () => document.getElementById("table-grid");
const seatOf = (target) => target?.closest?.("#table-grid [data-place]") ?? null;
const faceOf = (seat) => seat.querySelector(".seat-face");
const nameOf = (seat) => seat.querySelector(".seat-player")?.textContent ?? "";
// Who is lifted is remembered by the entry: the panel may be fetched anew meanwhile.
let lifted = null;
let isOn = false;

const wordsFor = (seat) => {
  const [table, number] = seat.dataset.place.split("-");
  return { name: nameOf(seat) || told.dataset.free, table, seat: number };
};
const say = (text, words = {}) => {
  told.textContent = text.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? "");
  clearTimeout(say.timer);
  if (!isOn && lifted === null) say.timer = setTimeout(() => told.replaceChildren(), TOLD_MS);
};

const show = () => {
  const tables = grid();
  mode.setAttribute("aria-pressed", String(isOn));
  if (!tables) return;
  tables.classList.toggle("is-placing", isOn || lifted !== null);
  tables.querySelectorAll(".is-lifted").forEach((seat) => seat.classList.remove("is-lifted"));
  if (lifted !== null) tables.querySelector(`[data-entry="${lifted}"]`)?.classList.add("is-lifted");
};

const lift = (seat) => {
  lifted = seat.dataset.entry;
  show();
  say(told.dataset.lifted, wordsFor(seat));
};

const letGo = (text = "") => {
  lifted = null;
  isOn = false;
  show();
  if (text) say(text);
};

const putOn = (seat) => {
  const tables = grid();
  const mover = tables.querySelector(`[data-entry="${lifted}"]`);
  const entry = lifted;
  letGo();
  if (!mover || mover === seat) return;
  say(told.dataset.put, wordsFor(seat));
  htmx.ajax("POST", tables.dataset.put.replace("/0/", `/${entry}/`), {
    source: faceOf(seat),
    target: "#sheet",
    swap: "innerHTML",
    values: { to: seat.dataset.place },
  });
};

// Chosen one after the other

mode.addEventListener("click", () => {
  if (isOn || lifted !== null) return void letGo(told.dataset.dropped);
  isOn = true;
  show();
  const seat = seatOf(document.activeElement);
  if (seat?.dataset.entry) lift(seat);
  else say(told.dataset.choose);
});

let ignoresClick = false;
document.addEventListener("click", (event) => {
  const seat = seatOf(event.target);
  if (ignoresClick) {
    ignoresClick = false;
    if (seat) stop(event);
    return;
  }
  if (!seat || (!isOn && lifted === null)) return;
  stop(event);
  if (lifted !== null) putOn(seat);
  else if (seat.dataset.entry) lift(seat);
}, { capture: true });

const stop = (event) => {
  event.preventDefault();
  event.stopPropagation();
};

// By key: the arrows go to the next seat in their direction, over all tables

const AHEAD = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const middle = (seat) => {
  const { left, top, width, height } = seat.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

const nextSeat = (from, [dx, dy]) => {
  const [x, y] = middle(from);
  let best = null;
  grid().querySelectorAll("[data-place]").forEach((seat) => {
    const [sx, sy] = middle(seat);
    const ahead = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    if (ahead <= 1) return;
    const far = ahead + 2 * aside;
    if (best === null || far < best.far) best = { seat, far };
  });
  return best?.seat ?? null;
};

document.addEventListener("keydown", (event) => {
  if (!isOn && lifted === null) return;
  if (event.key === "Escape") {
    stop(event);
    letGo(told.dataset.dropped);
    return;
  }
  if (!(event.key in AHEAD) || document.querySelector("dialog[open]")) return;
  const from = seatOf(document.activeElement) ?? grid()?.querySelector("[data-place]");
  if (!from) return;
  stop(event);
  const seat = seatOf(document.activeElement) ? nextSeat(from, AHEAD[event.key]) : from;
  if (!seat) return;
  faceOf(seat).focus();
  say(told.dataset.at, wordsFor(seat));
}, { capture: true });

// Dragged: with the mouse at any time, with a finger while seats are being chosen

let drag = null;

const ghostOf = (seat) => {
  const look = { className: "seat-ghost", textContent: nameOf(seat), ariaHidden: "true" };
  return document.body.appendChild(Object.assign(document.createElement("div"), look));
};

const under = (event) => seatOf(document.elementFromPoint(event.clientX, event.clientY));

const aim = (seat) => {
  grid()?.querySelectorAll(".is-aimed").forEach((other) => other.classList.remove("is-aimed"));
  seat?.classList.add("is-aimed");
};

document.addEventListener("pointerdown", (event) => {
  ignoresClick = false;
  const seat = seatOf(event.target);
  if (!seat?.dataset.entry || event.button !== 0 || !event.isPrimary) return;
  if (event.pointerType !== "mouse" && !isOn) return;
  drag = { seat, x: event.clientX, y: event.clientY, ghost: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || !event.isPrimary) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.ghost = ghostOf(drag.seat);
    lift(drag.seat);
  }
  event.preventDefault();
  drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  aim(under(event));
});

const endDrag = (event, isDropped) => {
  if (!drag || !event.isPrimary) return;
  const wasDragged = drag.ghost !== null;
  drag.ghost?.remove();
  drag = null;
  aim(null);
  if (!wasDragged) return;
  // The click that follows the drag belongs to it; there may be none.
  ignoresClick = true;
  setTimeout(() => { ignoresClick = false; });
  const seat = isDropped ? under(event) : null;
  if (seat) putOn(seat);
  else letGo(told.dataset.dropped);
};

document.addEventListener("pointerup", (event) => endDrag(event, true));
document.addEventListener("pointercancel", (event) => endDrag(event, false));
document.addEventListener("dragstart", (event) => {
  if (seatOf(event.target)) event.preventDefault();
});

document.body.addEventListener("htmx:afterSettle", show);
