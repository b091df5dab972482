// What the desk does not need for an answer: writing down, the queue, the stream. They lie in a
// template and are fetched at the first touch, or when the page has rested. If the network is away
// just then they are fetched on return, and what was pressed until then is sent.

const RESTED_MS = 3000;
const store = document.getElementById("ruling-late");
const note = document.getElementById("ruling-note");
const search = document.getElementById("rulings-search");
let isAsked = false;
let tries = 0;
let submitter = null;

// A browser may remember that a module could not be had: asked for again, it has another address.
const load = ({ src, type }) => new Promise((done, failed) => {
  const address = tries > 1 ? `${src}?${tries}` : src;
  const script = Object.assign(document.createElement("script"), { src: address, type });
  script.addEventListener("load", done);
  script.addEventListener("error", () => {
    script.remove();
    failed(new Error(src));
  });
  document.head.append(script);
});

const ready = () => {
  document.body.dataset.late = "ready";
  if (submitter) note.requestSubmit(submitter);
  if (search?.value) search.dispatchEvent(new Event("input", { bubbles: true }));
};

const fetchAll = async () => {
  if (isAsked) return;
  isAsked = true;
  tries += 1;
  try {
    // One after the other: the second needs the first, and one that is there is not run again.
    for (const script of [...store.content.querySelectorAll("script")]) {
      await load(script);
      script.remove();
    }
    ready();
  } catch {
    isAsked = false;
  }
};

if (store) {
  ["pointerdown", "keydown", "focusin"].forEach((name) => document.addEventListener(name, fetchAll));
  addEventListener("online", fetchAll);
  addEventListener("load", () => setTimeout(fetchAll, RESTED_MS));
  if (document.readyState === "complete") setTimeout(fetchAll, RESTED_MS);
  note?.addEventListener("submit", (event) => {
    if (document.body.dataset.late) return;
    event.preventDefault();
    ({ submitter } = event);
    note.querySelector(".refusal-slot").textContent = note.dataset.waits;
    fetchAll();
  });
}
