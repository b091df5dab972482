// The big screen. It gets schedule, anchor and figures once and then counts by itself: level
// changes, announcements and breaks happen with the server dead. live.js tells it what changed.

import "./live.js";
import { drawScreen } from "./screen-faces.js";
import { fitIfDrawn } from "./screen-fit.js";
import { parts, setup, show } from "./screen-words.js";
import { askSlowly } from "./slow.js";
import { tick } from "./sound.js";

const FETCH_JITTER_MS = 200;
const PROBES = 5;
const PROBE_GAP_MS = 60;
// A server time from the stream is always late, by the time it was under way.
const STREAM_LATENESS_MS = 1500;
// So many server times from the stream, five minutes of them, show how far clocks drift.
const DRIFT_SAMPLES = 20;
const AWAY_AFTER_MS = 3000;
const MINUTE = 60000;
const { body } = document;
let state = JSON.parse(document.getElementById("screen-state").textContent);

// Server time less performance.now(), which no setting of the computer's clock moves.
let offset = state.clock.now - performance.now();
const now = () => Math.round(performance.now() + offset);

// When a request really left and its answer came: a busy page sends late and hears late, and
// behind the sound files it waits for a connection.
const onTheWire = (url, since) => {
  const entry = performance.getEntriesByName(url).at(-1);
  const isKnown = entry && entry.requestStart >= since && entry.responseStart > 0;
  return isKnown ? [entry.requestStart, entry.responseStart] : null;
};

const probe = async () => {
  let best = null;
  for (let count = 0; count < PROBES; count += 1) {
    const sent = performance.now();
    const answer = await fetch(setup.time_url, { cache: "no-store" });
    const server = Number(await answer.text());
    const received = performance.now();
    if (!answer.ok || !server) return;
    await new Promise((resolve) => { setTimeout(resolve, PROBE_GAP_MS); });
    const [left, came] = onTheWire(answer.url, sent) ?? [sent, received];
    const trip = came - left;
    if (best === null || trip < best.trip) best = { trip, offset: server - left - trip / 2 };
  }
  offset = best.offset;
  usualLateness = null;
  heardTimes = [];
  body.dispatchEvent(new CustomEvent("krru:probed", { detail: { trip: best.trip } }));
  draw();
};
const probeQuietly = () => probe().catch(() => {});

body.addEventListener("krru:time", ({ detail }) => {
  const heard = detail.now - performance.now();
  if (heard > offset) offset = heard;
  else if (heard < offset - STREAM_LATENESS_MS) probeQuietly();
  follow(heard);
  knownAt = now();
});

// No two computers' clocks run alike: some 50 ms an hour is common. The quickest of many server
// times is always late by about the same; what it becomes later or earlier by is the drift.
let usualLateness = null;
let heardTimes = [];
const follow = (heard) => {
  heardTimes.push(heard);
  if (heardTimes.length < DRIFT_SAMPLES) return;
  const quickest = Math.max(...heardTimes);
  heardTimes = [];
  usualLateness ??= offset - quickest;
  offset = quickest + usualLateness;
};

let knownAt = state.clock.now;
let awaySince = null;
let fetching = 0;

// The server has another address in the hall. Its codes are made anew, and phones are told.
const move = async () => {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  ["qr", "end-qr", "moved"].forEach((name) => {
    parts[name].replaceChildren(...page.querySelector(`[data-part=${name}]`).childNodes);
  });
  show("moved", true);
};

const refresh = async () => {
  const answer = await fetch(setup.state_url, { cache: "no-store" });
  // The event is gone: its address says where to go on.
  if (answer.status === 404 && body.dataset.screen === undefined) location.reload();
  if (!answer.ok) throw new Error(answer.status);
  const fresh = await answer.json();
  if (fresh.version < state.version) return;
  if (fresh.address !== state.address) await move();
  state = fresh;
  body.dataset.stream = fresh.stream;
  knownAt = now();
  draw();
};

body.addEventListener("krru:change", ({ detail }) => {
  if (detail.anchor) state.clock.anchor = detail.anchor;
  knownAt = now();
  draw();
  clearTimeout(fetching);
  fetching = setTimeout(() => refresh().catch(() => {}), Math.random() * FETCH_JITTER_MS);
});
// While slow asking is answered, the stream's vain attempts say nothing.
let isAsked = false;
body.addEventListener("krru:connected", ({ detail }) => {
  isAsked = Boolean(detail.isAsked);
  awaySince = null;
  knownAt = now();
  draw();
});
body.addEventListener("krru:disconnected", ({ detail }) => {
  if (isAsked && !detail.isAsked) return;
  isAsked = false;
  awaySince ??= now();
  draw();
});

// A paired screen asks as it reports (hall-link.js), any other for its state.
if (body.dataset.screen === undefined) {
  const asking = askSlowly(refresh);
  body.addEventListener("krru:time", asking.regain);
  body.addEventListener("krru:disconnected", asking.lose);
  asking.lose();
}

let timer = 0;
let drawBeside = () => {};

const draw = () => {
  const at = now();
  const isAway = awaySince !== null && at - awaySince >= AWAY_AFTER_MS;
  const left = drawScreen(state, at, isAway ? knownAt : null);
  drawBeside(at, state);
  fitIfDrawn();
  tick(state, at);
  clearTimeout(timer);
  timer = setTimeout(draw, untilNextTurn(left, at));
};

// The countdown's next second or the wall clock's next minute, whichever comes first.
const untilNextTurn = (left, at) => {
  const isCounted = left !== null && left > 0;
  const wall = isCounted ? MINUTE - (at % MINUTE) : 1000 - (at % 1000);
  const count = isCounted ? (left % 1000 || 1000) : wall;
  return Math.max(Math.min(wall, count), 4);
};

// After sleep performance.now() may have stood still.
let lastWall = Date.now();
let lastMonotonic = performance.now();
setInterval(() => {
  const slept = Math.abs((Date.now() - lastWall) - (performance.now() - lastMonotonic));
  lastWall = Date.now();
  lastMonotonic = performance.now();
  if (slept > 1000) probeQuietly();
}, 5000);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") probeQuietly();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) refresh().catch(() => {});
});

// `beside` draws what the screen shows in turn with the clock, of the same instant.
const start = (beside = drawBeside) => {
  drawBeside = beside;
  draw();
  probeQuietly();
};

export { start };
