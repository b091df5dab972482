// The sheets of a table when the server cannot give them: made from the seats on the page, so that
// a player can be tapped out, or several in one hand, without a connection.

import * as queue from "./queue.js";
import { fill, itemOf } from "./queue-faces.js";
import { on } from "./requests.js";

const { body } = document;
const words = document.getElementById("offline").dataset;
const sheet = document.getElementById("sheet");
const one = document.getElementById("offline-seat");
const many = document.getElementById("offline-many");

const nameOf = (seat) => seat.querySelector(".seat-player").textContent;

const show = (content, path) => {
  sheet.replaceChildren(content);
  htmx.process(sheet);
  if (!sheet.open) sheet.showModal();
  body.dispatchEvent(new CustomEvent("krru:sheet", { detail: { path } }));
};

// Whether a player is away: as tapped last, else as the page shows it.
const stateOf = (waiting, seat) => {
  const last = waiting.findLast(({ kind }) => kind === "away" || kind === "back");
  const isAway = last ? last.kind === "away" : seat.matches(".is-away");
  return isAway ? "away" : "here";
};

// Addresses name entry 0; what is true once is not offered again while it waits.
const fit = (element, entry, waiting, state) => {
  const url = element.getAttribute("hx-post").replace("/0/", `/${entry}/`);
  element.setAttribute("hx-post", url);
  element.dataset.queueEntry = entry;
  const { offlineOnce, offlineWhen = state, offlineAfter } = element.dataset;
  const isDone = offlineOnce !== undefined && waiting.some((tap) => tap.url === url);
  const isEarly = offlineAfter !== undefined && !waiting.some(({ kind }) => kind === offlineAfter);
  if (isDone || isEarly || offlineWhen !== state) element.remove();
};

const othersOf = (entry) => (
  [...document.querySelectorAll(".seat[data-entry]")]
    .filter((seat) => seat.dataset.entry !== entry)
    .map((seat) => new Option(nameOf(seat), seat.dataset.entry))
);

const openOne = (path, entry) => {
  const seat = queue.seatOf(entry);
  const content = one.content.cloneNode(true);
  const waiting = queue.taps().filter((tap) => (
    tap.entries.includes(Number(entry)) && queue.isWaiting(tap)
  ));
  content.querySelector("[data-offline-name]").textContent = nameOf(seat);
  const place = { table: queue.tableOfPage(), seat: queue.numberOf(seat) };
  content.querySelector("[data-offline-where]").textContent = fill(words.seat, place);
  content.querySelector("[data-offline-waiting]").replaceChildren(...waiting.map(itemOf));
  content.querySelectorAll("[data-offline-entry]").forEach((field) => {
    field.value = entry;
  });
  content.querySelectorAll("[data-offline-others]").forEach((field) => {
    field.replaceChildren(new Option("", ""), ...othersOf(entry));
  });
  const state = stateOf(waiting, seat);
  content.querySelectorAll("[hx-post]").forEach((element) => fit(element, entry, waiting, state));
  show(content, path);
};

const rowOf = (seat) => {
  const row = document.getElementById("offline-one-of-many").content.cloneNode(true);
  row.querySelector("[name=entry]").value = seat.dataset.entry;
  row.querySelector("[data-number]").textContent = queue.numberOf(seat);
  row.querySelector("[data-name]").textContent = nameOf(seat);
  return row;
};

const openMany = (path) => {
  const content = many.content.cloneNode(true);
  const seats = [...document.querySelectorAll(".seat[data-entry]")];
  content.querySelector("[data-offline-seats]").replaceChildren(...seats.map(rowOf));
  show(content, path);
};

// Returns whether the page can make this sheet by itself.
const make = ({ elt, path, verb, target }) => {
  if (one === null || verb !== "get" || target !== sheet) return false;
  const entry = elt.closest(".seat")?.dataset.entry;
  const isMany = many !== null && elt.matches("[data-offline-many]");
  if (entry) openOne(path, entry);
  if (isMany) openMany(path);
  return Boolean(entry) || isMany;
};

body.addEventListener("htmx:configRequest", (event) => {
  if (queue.isAway() && make(event.detail)) event.preventDefault();
});
on("htmx:sendError htmx:timeout", ({ detail }) => make(detail.requestConfig));
