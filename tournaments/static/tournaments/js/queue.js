// Facts of the floor that were tapped ([data-queue]) wait here while the server is out of reach.
//
// Every such tap is written down before it is sent and forgotten when it is answered, so that none
// is lost with the page or the wifi. One that cannot go out at once, or whose answer does not come,
// waits: queue-send.js sends it on return, under the same idempotency key and with its own time.

import * as store from "./queue-store.js";
import * as queueTime from "./queue-time.js";
import { settle } from "./requests.js";

const { body } = document;
const strip = document.getElementById("offline");
// A second tap on the same thing this soon is a finger that trembled.
const SAME_TAP_MS = 5000;
// So long a sheet may take to open before the page makes one by itself.
const SHEET_MS = 4000;

let taps = [];
let measured = null;
let version = Number(body.dataset.version) || 0;
let sheetPath = "";

const hear = (server, mono = performance.now()) => {
  const wall = Date.now() - (performance.now() - mono);
  measured = queueTime.better(measured, { server, wall, mono });
};

// The page itself carries the server's time, of the instant at which its answer began.
const clock = document.getElementById("clock-data");
const arrived = performance.getEntriesByType("navigation")[0]?.responseStart;
if (clock && arrived) hear(JSON.parse(clock.textContent).now, arrived);
body.addEventListener("krru:time", ({ detail }) => hear(detail.now));
body.addEventListener("krru:change", ({ detail }) => {
  version = Math.max(version, detail.version);
});

const isWaiting = ({ state }) => state !== "question";
// What another person tapped, who was signed in here before, is not ours to send.
const isOurs = ({ device }) => device === strip.dataset.device;
const holdsUp = (tap) => isWaiting(tap) && isOurs(tap);
const isAway = () => strip.hasAttribute("data-away");

const refresh = async () => {
  taps = await store.all();
  body.dispatchEvent(new CustomEvent("krru:queue"));
};
body.addEventListener("krru:taps", refresh);

const seatOf = (entry) => document.querySelector(`.seat[data-entry="${entry}"]`);
const numberOf = (seat) => Number(seat.dataset.place.split("-")[1]);
const tableOfPage = () => (
  Number(document.querySelector("[data-queue-table]")?.dataset.queueTable ?? 0)
);

const entriesOf = (elt, form) => {
  const one = elt.closest("[data-queue-entry]")?.dataset.queueEntry;
  return [...new Set([...(one ? [one] : []), ...form.getAll("entry")])].map(Number);
};

const nameOf = (elt) => (entry) => (
  seatOf(entry)?.querySelector(".seat-player")?.textContent
    ?? elt.closest("dialog")?.querySelector("h2")?.textContent ?? ""
);

const bodyOf = (form) => {
  const pairs = [...form].filter(([name]) => !["csrfmiddlewaretoken", "idempotency_key"].includes(name));
  return new URLSearchParams(pairs).toString();
};

// What was chosen and why stands with the tap.
const labelOf = (elt, formData, pressed) => [
  elt.querySelector("[data-queue-says]")?.selectedOptions[0].text.trim() ?? elt.dataset.queueLabel,
  pressed?.value ? pressed.textContent.trim() : formData.get("text"),
].filter(Boolean).join(": ");

const tapOf = ({ elt, path, formData, headers, triggeringEvent }) => {
  const entries = entriesOf(elt, formData);
  const table = tableOfPage();
  const seated = table ? entries.filter(seatOf) : [];
  return {
    key: headers["X-Idempotency-Key"],
    device: strip.dataset.device,
    url: path,
    body: bodyOf(formData),
    kind: elt.dataset.queue,
    label: labelOf(elt, formData, triggeringEvent?.submitter),
    who: elt.dataset.queueWho ?? entries.map(nameOf(elt)).join(", "),
    table,
    entries,
    seats: seated.map((entry) => [entry, table, numberOf(seatOf(entry))]),
    sheet: elt.dataset.queueSheet ?? (elt.closest("#sheet") ? sheetPath : ""),
    page: location.pathname,
    wall: Date.now(),
    mono: performance.now(),
    measured,
    version,
    tried: false,
    fails: 0,
    reason: "",
  };
};

const isRepeated = (tap) => taps.some((other) => (
  isWaiting(other) && other.url === tap.url && other.body === tap.body
    && Math.abs(tap.wall - other.wall) < SAME_TAP_MS
));

const keep = (tap, state) => {
  const kept = { ...tap, state, tried: state === "flying" };
  taps.push(kept);
  tap.saved = store.put(kept);
};

const close = () => body.dispatchEvent(new CustomEvent("krru:close"));

body.addEventListener("htmx:configRequest", (event) => {
  const { detail } = event;
  const { elt, verb } = detail;
  const isRead = verb.toLowerCase() === "get";
  if (isRead && detail.target?.id === "sheet") detail.timeout = SHEET_MS;
  if (isRead || !elt.matches("[data-queue]") || detail.errors.length > 0) return;
  const tap = tapOf(detail);
  settle(detail.krruSignature);
  if (isRepeated(tap)) {
    event.preventDefault();
  } else if (isAway() || taps.some(holdsUp)) {
    event.preventDefault();
    keep(tap, "waiting");
    close();
  } else {
    detail.timeout = queueTime.TIMEOUT_MS;
    detail.krruTap = tap;
  }
});

const land = async (tap, status) => {
  const id = await tap.saved;
  if (status > 0 && status < 500) {
    await store.remove(id);
    return;
  }
  await store.change(id, { state: "waiting" });
  body.dispatchEvent(new CustomEvent("krru:lost-tap"));
};

body.addEventListener("htmx:beforeRequest", (event) => {
  const { requestConfig: { krruTap: tap }, xhr } = event.detail;
  if (!tap || event.defaultPrevented) return;
  keep(tap, "flying");
  xhr.addEventListener("loadend", () => {
    if (xhr.status === 0 || xhr.status >= 500) close();
    land(tap, xhr.status);
  });
});

// Where the sheet that is open came from: the way back to it, when a tap becomes a question.
body.addEventListener("htmx:afterSwap", ({ detail: { target, requestConfig } }) => {
  if (target.id === "sheet" && requestConfig.verb === "get") sheetPath = requestConfig.path;
});
body.addEventListener("krru:sheet", ({ detail }) => { sheetPath = detail.path; });

// Without a server the page cannot be had again.
addEventListener("beforeunload", (event) => {
  if (isAway() && taps.some(isWaiting)) event.preventDefault();
});

refresh();
const current = () => taps;

export { hear, isAway, isOurs, isWaiting, numberOf, seatOf, tableOfPage, current as taps };
