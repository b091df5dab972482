// The desk's search: Enter checks in the one person found, also when the list is still on its way;
// the arrows go through the list; after a check-in the search is empty again for the next one.

const find = document.getElementById("desk-find");
const list = document.getElementById("desk-list");
const field = find.elements.q;
let isWaiting = false;

const isShown = () => list.querySelector("[data-search]")?.dataset.search === field.value.trim();
const checkIn = () => document.getElementById("desk-enter")?.requestSubmit();

field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.repeat || event.isComposing) return;
  if (!isShown()) {
    isWaiting = true; // the list is fetched by the form's own submit
    return;
  }
  event.preventDefault();
  checkIn();
});
field.addEventListener("input", () => {
  isWaiting = false;
});

// From the search down into the names, and back up into the search

document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isName = event.target.matches(".desk-name");
  if (!step || (!isName && event.target !== field)) return;
  const names = [...list.querySelectorAll(".desk-name")];
  const place = (isName ? names.indexOf(event.target) : -1) + step;
  if (place < -1 || place >= names.length) return;
  event.preventDefault();
  (names[place] ?? field).focus();
});

document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target === list) {
    const code = list.querySelector("[data-scanned]");
    // A code that opened a sheet has done its work; one that did not stays, and what it is told.
    if (code?.hasAttribute("hx-get")) field.value = "";
    else if (code) field.select();
    else if (isWaiting && isShown()) checkIn();
    isWaiting = false;
  } else if (detail.target.id === "desk-seat") {
    field.value = "";
    if (matchMedia("(hover: hover)").matches) field.focus();
  }
});
