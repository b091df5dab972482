// The desk's search. What is typed anywhere on the page goes there; Enter checks in the one person
// found, also when the list is still on its way, and the next name can be typed meanwhile; the
// arrows go through the list, and through those the club knows below it.

const find = document.getElementById("desk-find");
const list = document.getElementById("desk-list");
const field = find.elements.q;
const refusals = document.getElementById("desk-refusal");
// What Enter was pressed on, while its list is on its way; what follows it is the next name.
let wanted = null;
const checkedIn = new WeakMap(); // what stood in the search when a check-in went out, by request
const seats = document.getElementById("desk-seat");

const isShown = (text) => list.querySelector("[data-search]")?.dataset.search === text.trim();
const search = () => field.dispatchEvent(new Event("input", { bubbles: true }));

// Enter chooses nobody of several. Of a name that leads no further the next one takes the place.
const tellMany = () => {
  const { found } = list.querySelector("[data-search]").dataset;
  if (found < 2) return void field.select();
  const told = Object.assign(document.createElement("p"), { className: "desk-in", role: "status" });
  told.textContent = find.dataset.many.replace("{n}", found);
  refusals.replaceChildren(told);
};
// With the next name the seat shown last is an old one.
field.addEventListener("input", () => {
  seats.classList.toggle("is-past", field.value !== "");
  refusals.querySelector(".desk-in")?.remove();
});

// Nobody is registered by an Enter that came before one could read who it would be.
const checkIn = (text, isRead = true) => {
  const form = document.getElementById("desk-enter");
  const next = field.value.slice(text.length);
  if (form && (isRead || !("newcomer" in form.dataset))) {
    form.krruTyped = text;
    field.value = next;
    form.requestSubmit();
  } else if (!form && !next) tellMany();
  if (next) search();
};

field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.repeat || event.isComposing) return;
  if (wanted !== null) event.preventDefault();
  else if (isShown(field.value)) {
    event.preventDefault();
    checkIn(field.value);
  } else wanted = field.value; // the list is fetched by the form's own submit
});
// The list of `wanted` is let come; only who takes letters of it back wants another.
find.addEventListener("input", (event) => {
  if (wanted === null) return;
  if (event.target === field && field.value.startsWith(wanted)) event.stopPropagation();
  else wanted = null;
}, true);
// Its list is asked for by what Enter was pressed on, also when the request had to wait.
document.body.addEventListener("htmx:configRequest", ({ detail: { target, parameters } }) => {
  if (wanted !== null && target === list) parameters.q = wanted;
});

// Letters outside of fields
const sheet = document.getElementById("sheet");
let isSheetLeft = false; // the browser says "close" only a moment after the sheet is gone
const startAnew = () => {
  if (isSheetLeft) field.setSelectionRange(0, field.value.length);
  isSheetLeft = false;
};

document.addEventListener("keydown", (event) => {
  isSheetLeft ||= sheet.open;
  const isLetter = (event.key.length === 1 && event.key !== " ") || ["Dead", "Process"].includes(event.key);
  const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph");
  if (!isLetter || isCommand || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (!event.target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) field.focus();
  if (document.activeElement === field) startAnew();
});
// After somebody's sheet the next name takes the place of the last.
sheet.addEventListener("click", () => { isSheetLeft = true; });
sheet.addEventListener("close", () => {
  startAnew();
  refusals.replaceChildren();
});

// From the search down into the names, and back up into the search

const NAMES = ".desk-name, [data-arrows]";
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isName = event.target.matches(NAMES);
  if (!step || (!isName && event.target !== field) || !isShown(field.value)) return;
  const names = [...list.querySelectorAll(NAMES)];
  const place = (isName ? names.indexOf(event.target) : -1) + step;
  if (place < -1 || place >= names.length) return;
  event.preventDefault();
  (names[place] ?? field).focus();
});

// What comes back

document.body.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
  checkedIn.set(xhr, elt.krruTyped ?? field.value);
});
// A search given up for the next one is no failure.
["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach((name) => {
  document.body.addEventListener(name, ({ detail: { elt } }) => {
    if (elt === find) wanted = null;
  });
});
document.body.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  // A refusal is an answer as good as any to the library.
  if (elt.id !== "desk-enter" || xhr.status === 200) return;
  refusals.firstElementChild?.prepend(`${elt.dataset.name}: `);
  if (field.value === "") field.value = checkedIn.get(xhr);
});
document.body.addEventListener("htmx:afterSettle", ({ detail: { target, xhr } }) => {
  if (target === list) {
    const code = list.querySelector("[data-scanned]");
    // A code that opened a sheet has done its work; one that did not stays, and what it is told.
    if (code?.hasAttribute("hx-get")) field.value = "";
    else if (code) field.select();
    if (wanted === null || !isShown(wanted)) return;
    const text = wanted;
    wanted = null;
    checkIn(text, false);
  } else if (target === seats) {
    seats.classList.remove("is-past");
    // Its keys are those of the seat now, not once more of the check-in.
    if (isShown(checkedIn.get(xhr))) document.getElementById("desk-enter")?.remove();
    if (field.value === checkedIn.get(xhr)) field.value = "";
    if (matchMedia("(hover: hover)").matches) field.focus();
  }
});

// What was typed before this script was there
document.addEventListener("DOMContentLoaded", () => {
  if (!isShown(field.value)) search();
});
