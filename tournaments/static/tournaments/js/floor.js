// The table's page of an arbiter: what the button for the next hand says for a while after its tap,
// how many taps of hands wait, so that none is tapped twice, and who was told to go to another table.

import { isWaiting, tableOfPage, taps } from "./queue.js";
import { on } from "./requests.js";

const { body } = document;
const SHOWN_MS = 8000;
const begun = document.getElementById("hand-begun");
const waits = document.getElementById("hand-waits");
let timer = 0;
let waiting = 0;

const clear = () => begun.replaceChildren();
const holdForAWhile = () => {
  clearTimeout(timer);
  timer = setTimeout(clear, SHOWN_MS);
};

const handsWaiting = () => taps().filter((tap) => (
  tap.kind === "hand" && tap.table === tableOfPage() && isWaiting(tap) && tap.state !== "flying"
)).length;

// The button stays as it is: the hand is not entered yet, and nobody knows who posts in it.
const tellWaiting = () => {
  const now = handsWaiting();
  const note = document.querySelector("[data-hands-waiting]");
  if (note) {
    note.hidden = now === 0;
    note.textContent = note.dataset[now === 1 ? "one" : "many"].replace("{n}", now);
  }
  if (now > waiting) {
    begun.replaceChildren(waits.content.cloneNode(true));
    holdForAWhile();
  }
  if (now === 0 && waiting > 0) clear(); // entered by now
  waiting = now;
};

// Who was told to go is not named again on this phone; elsewhere until the arrival.
const TOLD = "krru-told";
const told = () => JSON.parse(sessionStorage.getItem(TOLD) ?? "[]");
const hideTold = () => document.querySelectorAll("[data-tell]").forEach((one) => {
  one.hidden = told().includes(one.dataset.tell);
});
body.addEventListener("click", ({ target }) => {
  const one = target.closest("[data-told]")?.closest("[data-tell]");
  if (!one) return;
  sessionStorage.setItem(TOLD, JSON.stringify([...told(), one.dataset.tell]));
  hideTold();
});
body.addEventListener("htmx:afterSwap", hideTold);
hideTold();

if (begun) {
  body.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === begun) holdForAWhile();
  });
  body.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.successful && begun.contains(detail.elt)) clear();
  });
  on("krru:queue htmx:afterSettle", tellWaiting);
}
