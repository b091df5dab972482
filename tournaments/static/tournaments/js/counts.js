// Counting by key and button: presses that come while one is on its way wait their turn, so that
// three quick ones count three. [data-counts] names the form that is sent for each press.

const { body } = document;
const waiting = new Map();
const sent = new Set();

const send = (id) => {
  const left = waiting.get(id) ?? 0;
  if (left === 0 || sent.has(id)) return;
  waiting.set(id, left - 1);
  sent.add(id);
  htmx.trigger(document.getElementById(id), "count");
};

body.addEventListener("click", (event) => {
  const id = event.target.closest("[data-counts]")?.dataset.counts;
  if (!id) return;
  waiting.set(id, (waiting.get(id) ?? 0) + 1);
  send(id);
});

body.addEventListener("htmx:afterRequest", (event) => {
  const { elt, successful } = event.detail;
  if (!sent.delete(elt.id)) return;
  if (!successful) waiting.delete(elt.id);
  setTimeout(send, 0, elt.id);
});
