// What a person sees of the queue: the strip on top, the mark at a seat, and the list of what waits
// and what came back as a question, with what can be done about it.

import * as queue from "./queue.js";
import * as queueSend from "./queue-send.js";
import * as store from "./queue-store.js";
import { timeOf } from "./queue-time.js";
import { on, say } from "./requests.js";

const { body } = document;
const strip = document.getElementById("offline");
const words = strip.dataset;
const dialog = document.getElementById("queue");
const list = dialog.querySelector(".queue");
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "medium" });
// The question that somebody is just putting right, by its id.
let righting = null;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const counted = (name, n) => (n === 0 ? "" : fill(words[`${name}${n === 1 ? "One" : "Many"}`], { n }));
const isDead = (tap) => queueSend.denied() !== "" || !queue.isOurs(tap);
const canDrop = (tap) => !queue.isWaiting(tap) || isDead(tap);

const stripText = (taps) => {
  const waiting = taps.filter(({ state }) => state === "waiting" || state === "withdrawn").length;
  if (queueSend.denied() && taps.length > 0) return fill(words.denied, { n: taps.length });
  return [
    counted("waiting", waiting),
    counted("asked", taps.filter((tap) => !queue.isWaiting(tap)).length),
  ].filter(Boolean).join(" ");
};

const drawStrip = (taps) => {
  const text = stripText(taps);
  const span = strip.querySelector("[data-strip=taps]");
  if (span.textContent !== text) span.textContent = text;
  span.hidden = text === "";
  strip.querySelector("[data-queue-open]").hidden = text === "";
  strip.querySelector("[data-strip=away]").hidden = !queue.isAway();
  strip.querySelector("[data-strip=stale]").hidden = text !== "";
  strip.toggleAttribute("data-taps", text !== "");
  strip.hidden = text === "" && !queue.isAway();
};

const markSeats = (taps) => {
  document.querySelectorAll(".seat-waiting").forEach((mark) => mark.remove());
  const waiting = taps.filter(({ state }) => state === "waiting");
  new Set(waiting.flatMap(({ entries }) => entries)).forEach((entry) => {
    const face = queue.seatOf(entry)?.querySelector(".seat-face");
    face?.append(document.getElementById("queue-seat").content.cloneNode(true));
  });
};

const whereOf = (tap) => {
  if (!tap.table) return "";
  const [only] = tap.seats.length === 1 ? tap.seats : [];
  return only ? fill(words.seat, { table: only[1], seat: only[2] }) : fill(words.table, tap);
};

const whyOf = (tap) => {
  if (!queue.isOurs(tap)) return words.foreign;
  if (!queue.isWaiting(tap)) return tap.reason;
  return tap.state === "withdrawn" ? words.withdrawn : words.stays;
};

const itemOf = (tap) => {
  const item = document.getElementById("queue-item").content.firstElementChild.cloneNode(true);
  const at = new Date(timeOf(tap, null).at);
  item.dataset.tap = tap.id;
  item.querySelector("time").textContent = clock.format(at);
  item.querySelector("time").dateTime = at.toISOString();
  item.querySelector("[data-what]").textContent = tap.label;
  item.querySelector("[data-who]").textContent = tap.who;
  item.querySelector("[data-where]").textContent = whereOf(tap);
  item.querySelector("[data-why]").textContent = whyOf(tap);
  const isQuestion = !queue.isWaiting(tap);
  item.classList.toggle("is-question", isQuestion);
  item.querySelector("[data-queue-withdraw]").hidden = tap.state !== "waiting" || isDead(tap);
  item.querySelector("[data-queue-drop]").hidden = !canDrop(tap);
  item.querySelector("[data-queue-right]").hidden = !isQuestion || isDead(tap);
  return item;
};

const drawList = (taps) => {
  const focused = document.activeElement?.closest?.(".queue-item")?.dataset.tap;
  const denied = dialog.querySelector("[data-queue-denied]");
  denied.textContent = queueSend.denied();
  denied.hidden = denied.textContent === "";
  dialog.querySelector("[data-queue-read]").hidden = !taps.some(isDead);
  dialog.querySelector("[data-queue-empty]").hidden = taps.length > 0;
  dialog.querySelector("[data-queue-drop-all]").hidden = taps.filter(canDrop).length < 2;
  list.replaceChildren(...taps.filter(({ state }) => state !== "flying").map(itemOf));
  if (focused) list.querySelector(`[data-tap="${focused}"] button:not([hidden])`)?.focus();
};

const draw = () => {
  const taps = queue.taps();
  drawStrip(taps);
  markSeats(taps);
  drawList(taps);
};

// What was sent once may have arrived, whatever became of the answer: that is asked first.
const withdraw = (tap) => (
  tap.tried ? store.change(tap.id, { state: "withdrawn" }) : store.remove(tap.id)
);

const putRight = (tap) => {
  dialog.close();
  if (tap.sheet && document.getElementById("sheet")) {
    righting = tap.id;
    htmx.ajax("GET", tap.sheet, { target: "#sheet", swap: "innerHTML" });
  } else if (tap.page !== location.pathname) {
    location.assign(tap.page);
  }
};

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-queue-open]")) dialog.showModal();
  if (target.closest("[data-queue-drop-all]")) {
    queue.taps().filter(canDrop).forEach((tap) => store.remove(tap.id));
  }
  const id = Number(target.closest("[data-tap]")?.dataset.tap);
  const tap = queue.taps().find((one) => one.id === id);
  if (!tap) return;
  if (target.closest("[data-queue-withdraw]")) withdraw(tap);
  if (target.closest("[data-queue-drop]")) store.remove(id);
  if (target.closest("[data-queue-right]")) putRight(tap);
  target.closest("#sheet")?.close();
});

// Entered anew, the question is answered; a sheet put away leaves it as it was.
body.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb !== "get" && detail.elt.closest("#sheet")) detail.krruRighting = righting;
});
body.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, successful } }) => {
  if (successful && requestConfig.krruRighting) store.remove(requestConfig.krruRighting);
});
document.getElementById("sheet")?.addEventListener("close", () => { righting = null; });

// A link would lead to the browser's own page of errors, and from there nothing can be tapped.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || !queue.isAway() || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  document.querySelectorAll(".toast[data-stay]").forEach((toast) => toast.remove());
  say("words-stay", link).dataset.stay = "";
  queueSend.soon();
});

document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") !== words.signOut || queue.taps().length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  dialog.showModal();
}, true);

on("krru:queue krru:away krru:reached htmx:afterSettle", draw);
draw();

export { fill, itemOf };
